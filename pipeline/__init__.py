"""winoforge: build and check Winograd-style coreference datasets.

Each folder here is a room, one domain with all that belongs to it: readers, functions, checks, pages. Start with `core/model.py`, which
says what an item is, then `cli`, one module a command, and follow a command into its room. CONTRIBUTING.md describes the rooms in
a line each, docs/glossary.md the words.
"""

__version__ = "0.1.0"

#: The order of layers: a room imports from rooms of earlier layers and from itself. A room with an inner order says it in `LAYERS` of its
#: own. Tests hold the code to both.
LAYERS = (
    ("core",),
    ("language", "statistics"),
    ("winograd", "winopron", "corpus", "zero_pronouns"),
    ("evaluation",),
    ("studies",),
    ("experiment",),  # an experiment can be laid out as a study
    ("release",),
    ("cli",),
)
