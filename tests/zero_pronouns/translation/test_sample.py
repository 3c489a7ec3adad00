"""The judge on our own sample, whose systems have known faults: how many of them each mode misses."""

from collections import Counter

from pipeline.core.files import lines_of, read_text
from pipeline.zero_pronouns.documents import read_parallel_text
from pipeline.zero_pronouns.translation.alignment import read_links
from pipeline.zero_pronouns.translation.judge import MODES, judge
from tools.align_sample import FOLDER, GENRES, SAMPLE, SYSTEMS, sentences

#: For each system, as docs/zero_pronouns.md has it: zeros without a known fault; zeros judged right, and judged against the known faults.
DOCUMENTED = {
    "reference": {"known": 181, "published": (175, 6), "corrected": (180, 1)},
    "careful": {"known": 181, "published": (171, 10), "corrected": (174, 7)},
    "literal": {"known": 0, "published": (4, 4), "corrected": (3, 3)},
    "mixed": {"known": 112, "published": (117, 7), "corrected": (113, 3)},
}


def faults(system: str, genre: str) -> set[tuple[int, int]]:
    """Return the line and the number of each zero that a system translates wrongly."""
    rows = [line.split("\t") for line in lines_of(read_text(SAMPLE / "systems" / "faults" / f"{genre}.tsv"))[1:]]
    return {(int(line), int(zero)) for name, line, zero, _ in rows if name == system}


def test_the_modes_against_the_known_faults() -> None:
    texts = sentences()
    for system in SYSTEMS:
        counts = {mode: Counter({"right": 0, "against": 0}) for mode in MODES}
        known = 0
        for genre in GENRES:
            wrong, links = faults(system, genre), read_links(FOLDER / system / f"{genre}.align")
            lines = [pair.line for pair in read_parallel_text(SAMPLE / f"{genre}.zh", SAMPLE / f"{genre}.en").pairs]
            for line, (source, target), alignment in zip(lines, texts[f"{system}/{genre}"], links, strict=True):
                for mode, rules in MODES.items():
                    for number, verdict in enumerate(judge(0, source, target, alignment, rules), 1):
                        right = (line, number) not in wrong
                        known += right and mode == "published"
                        counts[mode]["right"] += verdict.right
                        counts[mode]["against"] += verdict.right != right
        figures = {mode: (count["right"], count["against"]) for mode, count in counts.items()}
        assert {"known": known, **figures} == DOCUMENTED[system], system
