"""How far the fast converter and cutter differ from the reference, on real text."""

import re
from pathlib import Path

from pipeline.corpus.counting.segmenters import fast, reference
from pipeline.statistics.agreement import boundary_agreement


def test_the_fast_tools_differ_in_known_places(shared_data: Path) -> None:
    """The numbers of docs/association.md; a change of a package that moves them is to be looked at."""
    texts = [
        text
        for path in sorted((shared_data / "ud").glob("*.conllu"))
        for text in re.findall(r"^# text = (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert sum(map(len, texts)) == 99_291
    converted = [(fast().convert(text), reference().convert(text)) for text in texts]
    assert all(len(fast_text) == len(reference_text) for fast_text, reference_text in converted)
    assert (
        sum(a != b for fast_text, reference_text in converted for a, b in zip(fast_text, reference_text, strict=True))
        == 74
    )
    named = {str(number): reference_text for number, (_, reference_text) in enumerate(converted)}
    agreement = boundary_agreement(
        {name: fast().cut(text) for name, text in named.items()},
        {name: reference().cut(text) for name, text in named.items()},
    )
    assert (agreement.theirs, agreement.theirs - agreement.both, agreement.ours - agreement.both) == (55_114, 66, 0)
