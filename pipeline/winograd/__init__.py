"""Winograd schemas, from a published or own collection to released zero forms.

In the order of the build: `readers` make items, `exclusion` rejects those whose target licenses no zero, `modifications` change items
by hand, `adjudication` applies what people decided, `zero_forms` removes the target, `forms` derives other forms; `build` reads what
they wrote, `derivation` derives it again. `artefacts` finds what tells the answers, `doubts` warns of what is odd in items, `analysis`
is the author's view of one, `mentions` and `pairs` serve several of them, `audit` shows every decision, `validation` holds the suites.
"""

#: The order of the folders in this room: each imports only from folders of earlier layers.
LAYERS = (
    ("translation",),
    ("exclusion", "forms", "readers"),
    ("validation",),
    ("adjudication",),
    ("audit",),
)
