"""Aligned files: boundaries, findings, counts, and the published files against Table 3 of the paper."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.core.files import read_text, write_text
from pipeline.zero_pronouns.documents import ParallelText, read_parallel_text, written
from pipeline.zero_pronouns.frequencies import Frequencies, entropy, frequencies
from tests.support.commands import winoforge

SOURCE = "[doc]\n<他>_S说不来。\n因为<他>_S<他的>_Pa书没了，<我>_O很急\n[doc]\n<你>累吗？\n没有。\n"
TARGET = "[doc]\nHe said he wasn't coming.\nHe lost his book.\n[doc]\nAre you tired?\nNo.\n"


def read(folder: Path, source: str = SOURCE, target: str = TARGET) -> ParallelText:
    write_text(folder / "a.zh", source)
    write_text(folder / "a.en", target)
    return read_parallel_text(folder / "a.zh", folder / "a.en")


def test_documents_and_lines(tmp_path: Path) -> None:
    text = read(tmp_path)
    assert [[pair.line for pair in document] for document in text.documents] == [[2, 3], [5, 6]]
    assert text.boundaries == 2
    assert text.findings == (
        f"{tmp_path / 'a.zh'}:5: [label] no form; found '<你>', expected one of _S, _O, _Pa, _P, _R, _UN after it",
    )


def test_what_is_read_is_written(tmp_path: Path) -> None:
    assert written(read(tmp_path).documents) == (SOURCE, TARGET)


def test_frequencies_by_hand(tmp_path: Path) -> None:
    # Zeros: 他_S twice, 他的_Pa, 我_O, 你 without a form. Sentences with one: 3 of 4; with two: the second.
    figures = frequencies(read(tmp_path))
    assert (figures.documents, figures.sentences, figures.zeros) == (2, 4, 5)
    assert (figures.sentences_with_zero, figures.sentences_with_two) == (3, 1)
    assert figures.forms == {"S": 2, "O": 1, "Pa": 1, "P": 0, "R": 0, "UN": 0, "untyped": 1}
    assert figures.share("S") == 2 / 4
    assert next(iter(figures.labels.items())) == ("<他>_S", 2)
    # Entropy: 2/5 and three times 1/5: 0.4 log2 2.5 + 0.6 log2 5 = 0.5288 + 1.3932
    assert figures.entropy == pytest.approx(1.9219, abs=1e-4)
    # He said he was n't coming . | He lost his book . | Are you tired ? | No .
    assert figures.words_en == 7 + 5 + 4 + 2


def test_a_text_without_zeros_has_no_entropy(tmp_path: Path) -> None:
    figures = frequencies(read(tmp_path, "走吧。\n", "Let's go.\n"))
    assert (figures.documents, figures.zeros, figures.entropy, figures.share("S")) == (1, 0, None, None)
    assert entropy([0, 4]) == 0.0


@pytest.mark.parametrize(
    ("source", "target", "finding"),
    [
        ("一\n[doc]\n二\n", "one\ntwo\nthree\n", "a.en:2: [boundary] no boundary"),
        ("一\n二\n", "one\n[doc]\n", "a.zh:2: [boundary] no boundary"),
        ("一\n\n", "one\ntwo\n", "a.zh:2: [sentence] empty line"),
        ("一\n二\n", "one\n \n", "a.en:2: [sentence] empty line"),
    ],
)
def test_a_fault_of_the_files_is_a_finding(tmp_path: Path, source: str, target: str, finding: str) -> None:
    (line,) = read(tmp_path, source, target).findings
    assert line.startswith(str(tmp_path / finding))


@pytest.mark.parametrize(("source", "target"), [("一\n二\n", "one\n"), ("", ""), ("[doc]\n", "[doc]\n")])
def test_files_without_aligned_sentences_are_refused(tmp_path: Path, source: str, target: str) -> None:
    write_text(tmp_path / "a.zh", source)
    write_text(tmp_path / "a.en", target)
    result = winoforge("zp", "stats", str(tmp_path / "a.zh"), str(tmp_path / "a.en"))
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1


def test_the_command_prints_the_figures(tmp_path: Path) -> None:
    read(tmp_path)
    result = winoforge("zp", "stats", str(tmp_path / "a.zh"), str(tmp_path / "a.en"))
    assert result.returncode == 1  # one label has no form
    assert "2 documents, 4 sentences; " in result.stdout
    assert "5 zeros; sentences with a zero 75.0 %, with two or more 25.0 %" in result.stdout


#: The genres of the paper, with their files.
GENRES = {
    "Movie Subtitle": ("Movie_Subtitle_valid", "Movie_Subtitle_test"),
    "Q&A Forum": ("Baidu_knows",),
    "Government News": ("Government_Report",),
    "Web Fiction": ("Web_Fiction_valid", "Web_Fiction_test"),
    "Personal Profile": ("Personal_Profile",),
}
#: Table 3: documents, sentences, subjects, objects, sentences with a zero, with two (shares in percent).
TABLE_3 = {
    "Movie Subtitle": (25, 2204, 65.7, 15.4, 36.3, 6.7),
    "Q&A Forum": (182, 1171, 90.9, 4.2, 44.0, 12.7),
    "Government News": (8, 1587, 82.1, 2.0, 56.5, 13.2),
    "Web Fiction": (24, 1658, 66.3, 8.0, 39.2, 12.2),
    "Personal Profile": (218, 1473, 93.1, 0.1, 49.3, 7.8),
}
#: What the files give instead, where it is not within half a point or the very number. The last boundary of the Q&A file, after its
#: last sentence, is counted here and not there, though it is in all other genres; two sentences of web fiction and a subtitle more
#: are in the files; objects of subtitles and subjects of web fiction cannot be brought to the printed shares.
DIFFERENT = {
    ("Movie Subtitle", "sentences"): 2205,
    ("Movie Subtitle", "objects"): 20.2,
    ("Q&A Forum", "documents"): 183,
    ("Web Fiction", "sentences"): 1660,
    ("Web Fiction", "subjects"): 64.8,
    ("Web Fiction", "objects"): 8.6,
}
COLUMNS = ("documents", "sentences", "subjects", "objects", "with a zero", "with two")


def row_of(parts: Sequence[Frequencies]) -> tuple[float, ...]:
    def total(function: str) -> int:
        return sum(part.forms[function] for part in parts)

    determined = sum(total(name) for name in ("S", "O", "Pa", "P", "R"))
    sentences = sum(part.sentences for part in parts)
    return (
        sum(part.documents for part in parts),
        sentences,
        100 * total("S") / determined,
        100 * total("O") / determined,
        100 * sum(part.sentences_with_zero for part in parts) / sentences,
        100 * sum(part.sentences_with_two for part in parts) / sentences,
    )


@pytest.mark.parametrize("genre", GENRES)
def test_table_3_comes_out_of_the_published_files(genre: str, shared_data: Path) -> None:
    raw = shared_data / "mzprt" / "raw"
    texts = [read_parallel_text(raw / f"{name}.zh", raw / f"{name}.en") for name in GENRES[genre]]
    figures = row_of([frequencies(text) for text in texts])
    for column, printed, figure in zip(COLUMNS, TABLE_3[genre], figures, strict=True):
        expected = DIFFERENT.get((genre, column), printed)
        tolerance = 0 if column in COLUMNS[:2] else 0.5
        assert figure == pytest.approx(expected, abs=tolerance), column
        assert ((genre, column) in DIFFERENT) == (abs(figure - printed) > tolerance), column


def test_the_published_files_have_these_faults(shared_data: Path) -> None:
    raw = shared_data / "mzprt" / "raw"
    findings = [
        finding
        for names in GENRES.values()
        for name in names
        for finding in read_parallel_text(raw / f"{name}.zh", raw / f"{name}.en").findings
    ]
    counts = {
        reason: sum(reason in finding for finding in findings)
        for reason in ("malformed", "unknown form", "no form", "not in the table", "not a zero", "empty line")
    }
    # Counted with grep: <我>S and <我们>__S; _Pq; tags of a pronoun without a label; <這…>; two titles; blank lines.
    assert counts == {
        "malformed": 2,
        "unknown form": 1,
        "no form": len(_untyped(raw)),
        "not in the table": 9,
        "not a zero": 2,
        "empty line": 4,
    }
    assert sum(counts.values()) == len(findings)


def _untyped(raw: Path) -> list[str]:
    text = "".join(read_text(raw / f"{name}.zh") for names in GENRES.values() for name in names)
    pieces = [piece for piece in text.split("<")[1:] if ">" in piece]
    return [piece for piece in pieces if not piece.split(">")[1].startswith(("_", "S")) and piece[0] in "我你他她它"]
