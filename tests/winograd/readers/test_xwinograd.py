"""xwinograd-tsv: XWINO, token spans in six languages."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.model import IngestResult, Span
from pipeline.winograd.readers import ingest
from pipeline.winograd.readers.draft import assemble
from pipeline.winograd.readers.xwinograd import read_xwinograd
from tests.conftest import Refused

HERE = Path("xwino.tsv")
TOKENS = ["The", "kettle", "fell", "on", "the", "cup", "because", "it", "was", "heavy", "."]
PRONOUN: list[Any] = ["it", [7, 8], ["it"]]
SOLUTION: list[list[Any]] = [
    ["The kettle", [0, 2], ["The", "kettle"], True],
    ["the cup", [4, 6], ["the", "cup"], False],
]


def row(
    sentence: str = "The kettle fell on the cup because it was heavy.",
    tokens: Any = TOKENS,
    pronoun: Any = PRONOUN,
    solution: Any = SOLUTION,
    language: str = "en",
) -> str:
    return "\t".join([language, "original", "", sentence, *map(json.dumps, (tokens, pronoun, solution))]) + "\n"


# --- the real file ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def corpus(shared_data: Path) -> Path:
    return shared_data / "xwinograd" / "dataset.tsv"


@pytest.fixture(scope="module")
def whole(corpus: Path) -> IngestResult:
    return ingest(corpus.read_bytes(), corpus, "xwinograd-tsv")


def line_of(source: str) -> int:
    match = re.match(r"XWINO line (\d+),", source)
    assert match is not None
    return int(match[1])


def test_every_row_is_an_item_or_skipped(whole: IngestResult) -> None:
    assert whole.read == 3961  # wc -l
    records = [*whole.items, *(skipped.record for skipped in whole.skipped)]
    assert {line_of(record.source) for record in records} == set(range(1, 3962))
    assert len({record.id for record in records}) == 3961


@pytest.mark.parametrize(("lang", "rows"), [("fr", 83), ("ja", 959), ("jp", 959), ("ru", 315)])
def test_a_language_can_be_picked(corpus: Path, lang: str, rows: int) -> None:
    result = ingest(corpus.read_bytes(), corpus, "xwinograd-tsv", lang)  # cut -f1 dataset.tsv | sort | uniq -c
    assert result.read == rows
    assert {item.lang for item in result.items} == {{"jp": "ja"}.get(lang, lang)}


def test_the_chinese_rows(corpus: Path) -> None:
    result = ingest(corpus.read_bytes(), corpus, "xwinograd-tsv", "zh")
    assert {item.target.of(item.text) for item in result.items} <= {"他", "她", "它", "他们", "她们", "它们"}
    assert len(result.items) == 12
    # Two pairs mark the second character of 因为, where the subject is zero.
    assert [skipped.findings[0].message for skipped in result.skipped] == [
        "the target is no third-person pronoun; found '为'"
    ] * 4
    assert {skipped.exclusion for skipped in result.skipped} == {"not-pronoun"}


def test_targets_and_answers_are_those_of_the_cells(whole: IngestResult, corpus: Path) -> None:
    lines = corpus.read_text(encoding="utf-8").split("\n")
    for item in whole.items:
        cells = lines[line_of(item.source) - 1].split("\t")
        form = json.loads(cells[5])[0]
        assert item.text == cells[3]
        assert item.target.of(item.text) == re.sub(r"\W+$", "", form).replace(" ", "")
        right = [name for name, _, _, is_right in json.loads(cells[6]) if is_right]
        assert [" ".join(right[0].split())] == [item.candidates[item.answer]] or item.lang == "zh"


def test_all_tokens_align_with_their_sentences(whole: IngestResult) -> None:
    reasons = [finding.message for skipped in whole.skipped for finding in skipped.findings]
    assert not [reason for reason in reasons if "tokens" in reason]


# --- our own rows -----------------------------------------------------------------------------------------------------


def test_a_row_becomes_a_draft() -> None:
    (draft,) = read_xwinograd(row().encode(), HERE, None)
    assert (draft.id, draft.lang, draft.target) == ("xwinograd-en-0001-a", "en", Span(35, 37))
    assert (draft.candidates, draft.gold) == (("The kettle", "the cup"), "The kettle")
    assert draft.source == "XWINO line 1, original"
    assert assemble([draft]).items[0].answer == 0


@pytest.mark.parametrize(
    ("sentence", "tokens", "span", "target"),
    [
        ('He said "it is"', ["He", "said", "``", "it", "is", "''"], [3, 4], Span(9, 11)),
        ("He said ``it is''", ["He", "said", "``", "it", "is", "''"], [3, 4], Span(10, 12)),
        ("Take it.", ["Take", "it", "."], [1, 3], Span(5, 7)),  # the full stop is no part of the pronoun
        ("因为它太旧了。 ", ["因", "为", "它", "太旧了。 "], [2, 3], Span(2, 3)),
        ("it  is\u00a0it", ["it", "is", "it"], [2, 3], Span(7, 9)),
        ("😀 it", ["😀", "it"], [1, 2], Span(2, 4)),
        ("it is", ["it", "was"], [0, 1], None),
        ("so it is", ["it", "is"], [0, 1], None),  # a word without a token
        ("it is", ["it", "is"], [1, 3], None),
        ("it is", ["it", "is"], [1, 1], None),
        ("it is", ["it", "is"], [-1, 1], None),
        ("it is", ["it", "is"], [2**62, 2**62 + 1], None),
        ("it .", ["it", "."], [1, 2], None),
        ("it is", ["it", "", "is"], [1, 2], None),
        ("", [], [0, 0], None),
    ],
)
def test_tokens_align_with_the_sentence(sentence: str, tokens: list[str], span: list[int], target: Span | None) -> None:
    (draft,) = read_xwinograd(row(sentence, tokens, ["x", span, []]).encode(), HERE, None)
    assert draft.target == target
    assert bool(draft.defects) is (target is None)
    assert assemble([draft]).read == 1


@given(st.lists(st.text(st.characters(categories=["L", "Nd"]), min_size=1), min_size=1), st.data())
def test_any_token_is_found_where_it_was_put(words: list[str], data: st.DataObject) -> None:
    blanks = data.draw(st.lists(st.sampled_from(["", " ", "  ", "\u3000"]), min_size=len(words), max_size=len(words)))
    index = data.draw(st.integers(0, len(words) - 1))
    sentence = "".join(map("".join, zip(blanks, words, strict=True)))
    start = sum(map(len, blanks[: index + 1])) + sum(map(len, words[:index]))
    cell = row(sentence, words, ["x", [index, index + 1], []])
    (draft,) = read_xwinograd(cell.encode(), HERE, None)
    assert draft.target == Span(start, start + len(words[index]))


def test_two_right_answers_are_a_defect() -> None:
    both = [[*entry[:3], True] for entry in SOLUTION]
    (skipped,) = assemble(read_xwinograd(row(solution=both).encode(), HERE, None)).skipped
    assert [finding.message for finding in skipped.findings] == [
        "more than one right answer; found The kettle, the cup"
    ]
    none = [[*entry[:3], False] for entry in SOLUTION]
    (skipped,) = assemble(read_xwinograd(row(solution=none).encode(), HERE, None)).skipped
    assert [finding.message for finding in skipped.findings] == ["the source gives no right answer"]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("", "row"),
        ("en\toriginal", "row"),
        (row().rstrip("\n") + "\tmore", "row"),
        (row(language="xx"), "language"),
        (row(tokens="The kettle"), "tokens"),
        (row(tokens=["The", 1]), "tokens"),
        (row(pronoun="it"), "pronoun"),
        (row(pronoun=["it", [7, 8]]), "pronoun"),
        (row(pronoun=["it", ["7", "8"], ["it"]]), "pronoun"),
        (row(pronoun=["it", [7, float("inf")], ["it"]]), "pronoun"),
        (row(solution=7), "solution"),
        (row(solution=[["The kettle", [0, 2], []]]), "solution"),
        (row(solution=[["The kettle", [0, 2], [], "false"]]), "solution"),
        (row().replace('["it"]]', '["it"]'), "pronoun"),
        (row().replace('["The"', '{"The"', 1), "tokens"),
        (row().replace("true", "yes"), "solution"),
        (row(tokens=["\ud800"]), "tokens"),
        (row().replace('["The", "kettle", "fell"', "[" * 100_000 + '"The", "kettle", "fell"', 1), "tokens"),
    ],
)
def test_a_broken_row_is_refused_at_its_line(refused: Refused, line: str, field: str) -> None:
    data = f"{row()}{row()}{line.rstrip(chr(10))}\n{row()}"
    refused(lambda: read_xwinograd(data.encode(), HERE, None), "xwino.tsv:3", field)
