"""Tables that people edit: written by a spreadsheet or by hand, the cells are the same, or the file is refused with its line."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.core.tables import (
    columns_of,
    from_tsv_cell,
    one_line,
    parse_rows,
    parse_table,
    table_text,
    tsv_cell,
    tsv_text,
)

HERE = Path("table.tsv")
ROOT = Path(__file__).parents[2]
HEADER = ("id", "text", "note")
#: Cells as people type them: no line breaks, and no control characters.
CELLS = st.text(st.characters(exclude_categories=("Cc", "Cs"), include_characters="\",;'=+-#ß妹Ø "), max_size=8)
IDS = st.from_regex(r"[a-z0-9]{1,4}", fullmatch=True)
ROWS = st.lists(st.tuples(IDS, CELLS, CELLS), min_size=1, max_size=4)
Rows = Sequence[Sequence[str]]


def read(data: bytes | str) -> Rows:
    text = data if isinstance(data, str) else table_text(data, HERE)
    return [tuple(row.values()) for _, row in parse_table(text, HERE, HEADER)]


def by_excel(rows: Rows) -> str:
    """Return what Excel saves as tab-separated text: a cell with a comma is in quotation marks too."""

    def cell(text: str) -> str:
        return '"{}"'.format(text.replace('"', '""')) if set(text) & set('\t\n",') else text

    return "".join("\t".join(map(cell, row)) + "\r\n" for row in rows)


def by_program(rows: Rows, delimiter: str, quoting: int, line_end: str) -> str:
    """Return what LibreOffice, pandas and the module csv save."""
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter, quoting=quoting, lineterminator=line_end).writerows(rows)  # type: ignore[arg-type]
    return stream.getvalue()


@given(
    ROWS,
    st.sampled_from(["\t", ",", ";"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from(["\n", "\r\n"]),
    st.integers(0, 2),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
@example([("1", 'Er sagte: "Ja, gern."', "a;b")], "\t", csv.QUOTE_MINIMAL, "\r\n", 0, "utf-8")
def test_what_a_spreadsheet_saved_has_its_cells(
    rows: Rows, delimiter: str, quoting: int, line_end: str, empty: int, encoding: str
) -> None:
    table = [(*row, *[""] * empty) for row in (HEADER, *rows, ("", "", ""))]
    expected = [tuple(map(from_tsv_cell, row)) for row in rows]
    assert read(by_program(table, delimiter, quoting, line_end).encode(encoding)) == expected
    assert read(by_excel(table).encode(encoding)) == expected


@given(ROWS)
@example([("1", '"Nein", sagte sie.', "'tis")])
@example([("1", '"Nein!"', "")])
@example([("1", '"Nein!"', 'Er sagte: "Nein!"')])
def test_a_table_by_hand_has_its_cells_or_is_refused_with_its_line(rows: Rows) -> None:
    text = "".join("\t".join(row) + "\n" for row in (HEADER, *rows))
    try:
        cells = read(text)
    except PipelineError as error:
        assert error.line is not None
        assert '"' in text
    else:
        shown = [["".join(next(csv.reader([cell], delimiter="\t"))) for cell in row] for row in rows]
        for found, typed, seen in zip(cells, rows, shown, strict=True):
            assert all(cell in (a, from_tsv_cell(a), b) for cell, a, b in zip(found, typed, seen, strict=True))


@given(st.lists(st.tuples(IDS, st.text(), st.text()), min_size=1, max_size=4))
@example([("1", '"Nein!"', "'=1")])
@example([("1", '"Nein, danke!"', 'Er sagte: "Ja"')])
def test_what_we_write_comes_back(rows: Rows) -> None:
    text = tsv_text(HEADER, rows)
    expected = [[one_line(cell) for cell in row] for row in rows]
    assert [list(row) for row in read(text)] == expected
    assert not any(cell.startswith(("=", "+", "-", "@")) for line in text.split("\n") for cell in line.split("\t"))
    shown = list(csv.reader(io.StringIO(text, newline=""), delimiter="\t"))[1:]
    assert [[from_tsv_cell(cell) for cell in row] for row in shown] == expected


def test_excel_leaves_out_the_empty_cells_at_the_ends_of_sixteen_rows() -> None:
    rows = [(f"{number}", "a, b", "x" if number == 40 else "") for number in range(45)]
    lines = by_excel([HEADER, *rows]).splitlines(keepends=True)
    saved = [line.replace("\t\r", "\r") if 16 <= number < 32 else line for number, line in enumerate(lines)]
    assert read("".join(saved)) == rows
    saved[5] = saved[5].replace("\t\r", "\r")
    with pytest.raises(PipelineError, match=r":6: .* found 2 cells, expected 3"):
        read("".join(saved))
    assert read("".join(lines[:16]) + "x\ta, b\r\n")[-1] == ("x", "a, b", "")
    with pytest.raises(PipelineError, match=r":17: .* found 2 cells, expected 3"):
        read("".join(lines[:16]) + "x\ta, b")  # cut off


def test_a_table_is_read_with_comments_quotes_and_all_line_ends() -> None:
    text = '# made by hand\n"# with, commas"\t\nid\tform\r\n1\t"它\n# between\n\n2\t\n'
    assert list(parse_table(text, HERE, ["form"])) == [(4, {"id": "1", "form": '"它'}), (7, {"id": "2", "form": ""})]
    assert list(parse_table("id\tform\r1\tx\r", HERE, ["form"])) == [(2, {"id": "1", "form": "x"})]


def test_free_text_has_its_lines_and_its_marks() -> None:
    rows = list(parse_table('id,answer\n1,"It is\nthe ""cook""."\n2,x\n', HERE, ["id", "answer"], free=["answer"]))
    assert rows == [(2, {"id": "1", "answer": 'It is\nthe "cook".'}), (4, {"id": "2", "answer": "x"})]
    assert list(parse_table('id\tanswer\n1\t"cook"\n', HERE, ["id"], ["answer"])) == [
        (2, {"id": "1", "answer": '"cook"'})
    ]


@pytest.mark.parametrize("text", ["a b\tc, d\n", '"a b",  "c, d"\n', "a b;c, d\n", '"a b"\t"c, d"\n'])
def test_a_table_of_pairs_needs_no_header(text: str) -> None:
    assert list(parse_rows(f"\n{text}", HERE, ("term", "translation"))) == [(2, ["a b", "c, d"])]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1: [header] empty file; expected the columns id, text"),
        ("# only\n", ":1: [header] missing header line; expected the columns id, text"),
        ('""\t""\n\t\n', ":1: [header] missing header line; expected the columns id, text"),
        ("# comment\nid\n1\n", ":2: [text] missing column; found 'id', expected id, text"),
        ("id;note\n1;2\n", ":1: [text] missing column; found 'id, note', expected id, text"),
        ("id\ttext\tid\n", ":1: [id] column not unique; found it 2 times"),
        ("id\ttext\n1\n", ":2: [row] wrong width; found 1 cell, expected 2"),
        ("id\ttext\n1\ta\tb\n", ":2: [row] wrong width; found 3 cells, expected 2"),
        ('id\ttext\n1\t"Nein!"\n', ":2: [text] quotation marks around a whole cell; found '\"Nein!\"', expected 'Nein!'"),
        ('id\ttext\n1\t"Ja, gern"\n2\tEr "x"\n', ":2: [text] quotation marks around a whole cell; found '\"Ja, gern\"'"),
        ('id,text\n0,x\n1,"a\nb"\n', ":3: [text] line break in a cell; found 'a\\nb', expected one line"),
        ("id\ttext\n1\ta\rb\n", ":2: [text] line break in a cell; found 'a\\rb', expected one line"),
        ('id\tnote\ttext\n1\tx\t"a\n2\ty\tb"\n', ":2: [text] quotation mark that is closed in another row"),
        ('"id"\t"text"\n1\t"a \\"b\\""\n', ":2: [text] quotation mark not closed or not doubled; found '\"a \\\\\"b"),
        ('id,text\n1,"a\n2,b\n', ":2: [text] quotation mark not closed or not doubled; found '\"a', expected one such"),
    ],
)  # fmt: skip
def test_a_broken_table_is_refused(text: str, message: str) -> None:
    with pytest.raises(PipelineError) as error:
        list(parse_table(text, HERE, ["id", "text"]))
    assert f"table.tsv{message}" in str(error.value)


def test_damaged_utf_16_is_refused() -> None:
    with pytest.raises(PipelineError, match="damaged UTF-16; found truncated data at offset 10"):
        table_text("id\ttext\n".encode("utf-16")[:-1][:11], HERE)


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("它", "它"),
        ("", ""),
        ("a\tb\r\nc", "a b c"),
        ("=1+1", "'=1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-2", "-2"),
        ("-2+1", "'-2+1"),
        ("+2", "'+2"),
        ("\t=1", "' =1"),
        ("'=1", "''=1"),
        ("1=1", "1=1"),
        ("'tis", "'tis"),
        ("a\u2028b\x85c", "a b c"),
        ('"No," she said.', '"""No,"" she said."'),
    ],
)
def test_a_cell_is_one_line_and_not_a_formula(value: str, cell: str) -> None:
    assert tsv_cell(value) == cell


@pytest.mark.parametrize(
    "path",
    [path for folder in ("raw", "rules", "annotation") for path in sorted((ROOT / folder).rglob("*.tsv"))],
    ids=lambda path: path.name,
)
def test_our_tables_are_the_same_when_a_spreadsheet_has_saved_them(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.removesuffix("\n").split("\n")]
    width = max(map(len, rows))
    padded = [(*row, *[""] * (width - len(row))) for row in rows]
    expected = list(parse_table(text, path, ()))
    assert expected or len(rows) == 1
    for saved in (
        by_excel(padded),
        by_program(padded, ";", csv.QUOTE_MINIMAL, "\r\n"),
        by_program(padded, ",", csv.QUOTE_ALL, "\n"),
    ):
        assert list(parse_table(table_text(saved.encode("utf-16"), path), path, columns_of(text))) == expected
