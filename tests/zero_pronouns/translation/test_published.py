"""The judge against all 25 published files: verdicts, marked translations and scores come out byte for byte."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.core.files import lines_of, read_text
from pipeline.zero_pronouns.translation.details import Verdict, details_lines, read_details, tagged_lines
from pipeline.zero_pronouns.translation.judge import PUBLISHED, judge
from tests.zero_pronouns.translation.reconstruction import alignments, explanations, hypothesis


def published(shared_data: Path) -> list[Path]:
    return sorted((shared_data / "mzprt" / "azpt_output").glob("*/*.details"))


def text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def explained(rows: Sequence[Verdict], words: Sequence[str]) -> Sequence[Verdict]:
    """Return what the judge says of a sentence with an alignment that explains its verdicts; nothing if none does."""
    for source, links in alignments(rows, words):
        verdicts = [
            replace(verdict, aligned=None) for verdict in judge(rows[0].sentence, source, words, links, PUBLISHED)
        ]
        if verdicts == list(rows):
            return verdicts
    return []


def test_every_published_file_comes_out_of_the_judge(shared_data: Path) -> None:
    files = published(shared_data)
    assert len(files) == 25
    kinds: Counter[str] = Counter()
    for path in files:
        rows, tagged = read_details(path), read_text(path.with_suffix(".tagged"))
        hypotheses = [hypothesis(line) for line in lines_of(tagged)]
        sentences: defaultdict[int, list[Verdict]] = defaultdict(list)
        for row in rows:
            sentences[row.sentence].append(row)
            ways = explanations(row, hypotheses[row.sentence])
            kinds[
                "right" if row.right else " or ".join(sorted({"link" if way.left is None else "none" for way in ways}))
            ] += 1
        verdicts = [verdict for number, group in sentences.items() for verdict in explained(group, hypotheses[number])]
        assert text(details_lines(verdicts)) == read_text(path), path
        assert text(tagged_lines(hypotheses, verdicts)) == tagged, path
    # Most failures allow one reading only: a window of three neighbours around a link, or a zero without a link. Short sentences and
    # windows at their ends allow both.
    assert kinds == {"right": 8387, "none": 5697, "link": 2166, "link or none": 839}


def test_two_neighbours_explain_few_windows(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The default of the authors' tool is two; the published files have three."""
    monkeypatch.setattr("tests.zero_pronouns.translation.reconstruction.REACH", 2)
    path = shared_data / "mzprt" / "azpt_output" / "GR" / "base_tgt.details"
    hypotheses = [hypothesis(line) for line in lines_of(read_text(path.with_suffix(".tagged")))]
    windows = [
        row
        for row in read_details(path)
        if len(row.positions) + 1 == len(row.words) == 8 and row.positions[-1] + 3 < len(hypotheses[row.sentence])
    ]
    assert len(windows) > 100
    assert not any(explanations(row, hypotheses[row.sentence]) for row in windows)
