"""pws-tsv: Mandarinograd and its sister corpora."""

import csv
import io
from pathlib import Path

import pytest

from pipeline.core.model import IngestResult
from pipeline.core.tables import read_table
from pipeline.winograd.readers import ingest
from pipeline.winograd.readers.draft import Draft, assemble
from pipeline.winograd.readers.pws import read_pws
from tests.conftest import Refused
from tests.support.commands import winoforge

HERE = Path("pws.tsv")
COLUMNS = ["idx", "orig_id", "source_en"] + [
    f"{name}_{column}"
    for column in ("man", "por2")
    for name in ("sentence", "snippet", "answer1", "answer2", "correct_answer")
]
ROW = ["7", "4", "us", "积雪 压断 了 枯枝 ， 因为 它 太 沉 了 。", "什么 太 沉 了 ？", "积雪", "枯枝", "积雪"] + [
    ""
] * 5


def table(*rows: list[str], columns: list[str] = COLUMNS) -> bytes:
    stream = io.StringIO()
    csv.writer(stream, delimiter="\t", lineterminator="\n").writerows([columns, *rows])
    return stream.getvalue().encode()


def without(column: str) -> bytes:
    place = COLUMNS.index(column)
    return table(ROW[:place] + ROW[place + 1 :], columns=[name for name in COLUMNS if name != column])


# --- the real file ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def corpus(shared_data: Path) -> Path:
    return shared_data / "pws" / "pws.tsv"


@pytest.fixture(scope="module")
def mandarin(corpus: Path) -> IngestResult:
    return ingest(corpus.read_bytes(), corpus, "pws-tsv")


def idx(source: str) -> int:
    return int(source.split(",")[0].removeprefix("PWS idx "))


def test_every_mandarin_record_is_an_item_or_skipped(mandarin: IngestResult) -> None:
    assert mandarin.read == 290
    assert len(mandarin.items) == 248
    records = [*mandarin.items, *(skipped.record for skipped in mandarin.skipped)]
    assert len({record.id for record in records}) == len({idx(record.source) for record in records}) == 290
    assert {record.lang for record in records} == {"zh"}


@pytest.mark.parametrize(
    ("reason", "indices"),
    [
        ("the right answer is none of the candidates", {44, 45, 292}),
        ("the members of the schema have the same text", {46, 47}),
        ("an alternation is left unresolved", {224, 225, 252, 253}),
        ("a candidate does not occur in the text", {68, 69, 92, 93, 124, 125, 142, 143, 285}),
        ("two equally good targets", {50, 51, 138, 139, 210, 211, 285, 286}),
    ],
)
def test_the_known_defects_are_found(mandarin: IngestResult, reason: str, indices: set[int]) -> None:
    skipped = {
        idx(skipped.record.source)
        for skipped in mandarin.skipped
        if any(finding.message.startswith(reason) for finding in skipped.findings)
    }
    assert skipped == indices


def test_the_answer_key_calls_all_skipped_records_broken_or_no_pronoun(mandarin: IngestResult, root: Path) -> None:
    path = root / "raw" / "mandarinograd" / "gold.tsv"
    key = {row["id"]: row for _, row in read_table(path, ["id", "class", "start", "end"])}
    skipped = {skipped.record.id for skipped in mandarin.skipped}
    # 47: the reader takes 树下 for 树荫底下; 109: the reader sees that the question (who got it?) asks for no pronoun.
    judgement = {"pws-man-047-a", "pws-man-047-b", "pws-man-109-a", "pws-man-109-b"}
    assert skipped ^ {name for name, row in key.items() if row["class"] in {"defect", "not-pronoun"}} == judgement


@pytest.mark.parametrize(
    ("lang", "code", "records"),
    # Counted with Python's csv module: the rows whose sentence is not empty.
    [
        *(
            ("zh", "zh", 290),
            ("man", "zh", 290),
            ("en", "en", 301),
            ("hu", "hu", 244),
            ("fr", "fr", 214),
            ("pt", "pt", 273),
        ),
        *(("por", "pt", 273), ("por2", "pt", 155), ("ja", "ja", 280), ("jap2", "ja", 162), ("ru", "ru", 280)),
    ],
)
def test_every_language_is_read_whole_and_cut_within_no_word(corpus: Path, lang: str, code: str, records: int) -> None:
    result = ingest(corpus.read_bytes(), corpus, "pws-tsv", lang)
    assert result.read == records
    assert {item.lang for item in result.items} == {code}
    for item in result.items:
        assert len(item.candidates) >= 2
        assert item.text == item.text.strip()
        for place in (item.target.start, item.target.end) if code not in ("zh", "ja") else ():
            around = item.text[max(0, place - 1) : place + 1]
            assert len(around) < 2 or not around.isalpha(), (item.id, place)


# --- our own rows -----------------------------------------------------------------------------------------------------


def test_a_row_becomes_a_draft() -> None:
    assert read_pws(table(ROW), HERE, None) == [
        Draft(
            schema="pws-man-004",
            version="a",
            lang="zh",
            text="积雪压断了枯枝，因为它太沉了。",
            candidates=("积雪", "枯枝"),
            gold="积雪",
            question="什么太沉了？",
            source="PWS idx 7, us",
            words=tuple(ROW[3].split()),
            lines={"id": 2},
        )
    ]


def test_words_are_as_printed_and_join_into_the_text() -> None:
    row = [*ROW[:3], "Dr._Li  给 了 她 药 。", *ROW[4:]]
    (draft,) = read_pws(table(row), HERE, None)
    assert (draft.words, draft.text) == (("Dr._Li", "给", "了", "她", "药", "。"), "Dr._Li给了她药。")


def test_a_language_that_is_not_printed_in_words_has_none(corpus: Path, tmp_path: Path) -> None:
    outputs = [f"--{name}={tmp_path / name}" for name in ("out", "skipped", "tokens")]
    run = winoforge("ingest", corpus, "--format=pws-tsv", "--lang=en", *outputs)
    assert (run.returncode, list(tmp_path.iterdir())) == (2, [])
    assert run.stderr == f"{corpus}: [lang] language not printed in words; found 'en', expected zh\n"


def test_members_of_a_schema_get_letters_and_rows_without_a_sentence_are_ignored() -> None:
    empty = [*ROW[:3], *[""] * 10]
    drafts = read_pws(table(ROW, empty, ROW, [*ROW[:1], "5", *ROW[2:]]), HERE, "man")
    assert [draft.id for draft in drafts] == ["pws-man-004-a", "pws-man-004-b", "pws-man-005-a"]


def test_a_quoted_cell_may_hold_anything() -> None:
    row = [*ROW[:2], 'said "so"\tand\nmore', *ROW[3:]]
    assert read_pws(table(row), HERE, None)[0].source == 'PWS idx 7, said "so" and more'


@pytest.mark.parametrize(
    ("data", "lang", "where", "field"),
    [
        (b"", None, "pws.tsv:1", "sentence_man"),
        (table(), None, "pws.tsv", "sentence_man"),
        (table(ROW), "por2", "pws.tsv", "sentence_por2"),
        (table(ROW), "hu", "pws.tsv:1", "sentence_hu"),
        (table(ROW), "xx", "pws.tsv", "lang"),
        *[
            (without(column), None, "pws.tsv:1", column)
            for column in ("idx", "orig_id", "source_en", "sentence_man", "snippet_man", "answer2_man")
        ],
        (table(ROW, ROW[:-1]), None, "pws.tsv:3", "row"),
        (table(["two\nlines", *ROW[1:]], ROW[:-1]), None, "pws.tsv:4", "row"),
        (table(ROW) + b'9\t"open\n' + table(ROW), None, "pws.tsv:3", "row"),
        (table(ROW, ROW)[:-1] + b'"open\n', None, "pws.tsv:3", "row"),  # the last cell: the width is right
        (table(ROW) + b'9\t"closed" and more\n', None, "pws.tsv:3", "row"),
        (table(ROW) + b"9\t" + b"x" * 200_000 + b"\n", None, "pws.tsv:3", "row"),
    ],
)
def test_a_broken_file_is_refused(refused: Refused, data: bytes, lang: str | None, where: str, field: str) -> None:
    refused(lambda: read_pws(data, HERE, lang), where, field)


def test_invisible_characters_stay_and_do_no_harm() -> None:
    row = [cell.replace("积雪", "积\u200b雪\u202e") for cell in ROW]
    (draft,) = read_pws(table(row), HERE, None)
    (item,) = assemble([draft]).items
    assert item.text.startswith("积\u200b雪\u202e压断")
    assert item.candidates[item.answer] == "积\u200b雪\u202e"
    assert item.target.of(item.text) == "它"


def test_ids_do_not_clash() -> None:
    same = table(["1", "4", *ROW[2:]], ["2", "04", *ROW[2:]])  # the number is padded, the letter goes on
    assert [draft.id for draft in read_pws(same, HERE, None)] == ["pws-man-004-a", "pws-man-004-b"]
    other = table(["1", "0011", *ROW[2:]], ["2", "11", *ROW[2:]])
    assert [draft.id for draft in read_pws(other, HERE, None)] == ["pws-man-0011-a", "pws-man-011-a"]
