"""Corpora of text, JSON Lines and Parquet: each document once whatever the shards, damage reported at its byte."""

import bz2
import gzip
import json
import os
import tracemalloc
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pyarrow import parquet

from pipeline.core.errors import PipelineError
from pipeline.core.recognition import foreign_format
from pipeline.corpus.formats.lines import json_documents, text_documents
from pipeline.corpus.formats.reading import FormatName, Shard, SkippedDamage, refuse, split_stream
from pipeline.corpus.formats.registry import FORMATS, documents, shards

texts = st.text(st.characters(exclude_categories=["Cs", "Cf", "Cn", "Mn"], exclude_characters="\n\r\0"), max_size=12)


def corpus(path: Path, form: FormatName, size: int = 1 << 20) -> list[str]:
    return [text for shard in shards(path, form, size) for text in documents(shard, refuse)]


def skipping(path: Path, form: FormatName, size: int = 1 << 20) -> tuple[list[str], list[str]]:
    """What is read past the damage, and the reports of it, without the path and its colon."""
    skipped = SkippedDamage()
    kept = [text for shard in shards(path, form, size) for text in documents(shard, skipped)]
    assert skipped.count == len(skipped.reports)
    return kept, [report.removeprefix(f"{path}: ") for report in skipped.reports]


def refusal(path: Path, form: FormatName) -> str:
    """The message that ends a strict reading: one line, with the path."""
    with pytest.raises(PipelineError) as caught:
        corpus(path, form)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    return message.removeprefix(f"{path}: ")


def written(folder: Path, name: str, data: bytes) -> Path:
    (folder / name).write_bytes(data)
    return folder / name


# --- pieces -----------------------------------------------------------------------------------------------------------


@given(st.binary(max_size=60), st.sampled_from([b"a", b"ab", b"aab", b"abab"]), st.data())
def test_pieces_are_what_a_split_gives_however_the_stream_is_cut(
    data: bytes, separator: bytes, draw: st.DataObject
) -> None:
    data = bytes(b"ab\n"[byte % 3] for byte in data)
    cuts = sorted(draw.draw(st.sets(st.integers(0, len(data)))))
    chunks = [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    limit = draw.draw(st.integers(0, 8))
    expected, offset = [], 5
    *whole, rest = data.split(separator)
    for part in whole:
        expected.append((offset, len(part), part if len(part) <= limit else None, True))
        offset += len(part) + len(separator)
    expected.append((offset, len(rest), rest if len(rest) <= limit else None, False))
    kept = split_stream(chunks, separator, limit, 5)
    assert [(piece.offset, piece.length, piece.data, piece.ended) for piece in kept] == expected


# --- lines ------------------------------------------------------------------------------------------------------------


@given(st.lists(texts, max_size=12), st.integers(1, 40), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_shards_of_text_give_each_document_once_in_order(lines: list[str], size: int, end: str, last: bool) -> None:
    assume(not foreign_format(lines))
    with TemporaryDirectory() as folder:
        data = (end.join(lines) + (end if last else "")).encode()
        path = written(Path(folder), "c.txt", data)
        parts = shards(path, "text", size)
        assert [part.start for part in parts] == list(range(0, len(data), size))
        assert corpus(path, "text", size) == [line for line in lines if line.strip()]
        assert skipping(path, "text", size)[1] == []


@given(st.lists(texts, max_size=8), st.integers(1, 90), st.booleans())
def test_shards_of_json_lines_give_each_document_once_in_order(lines: list[str], size: int, escaped: bool) -> None:
    with TemporaryDirectory() as folder:
        rows = [{"id": str(number), "title": "题", "text": f"{line}\n第二行"} for number, line in enumerate(lines)]
        data = "".join(f"{json.dumps(row, ensure_ascii=escaped)}\n" for row in rows).encode()
        path = written(Path(folder), "c.jsonl", data)
        assert corpus(path, "jsonl", size) == [row["text"] for row in rows]


def test_a_byte_order_mark_is_dropped_at_the_beginning_only(tmp_path: Path) -> None:
    path = written(tmp_path, "c.txt", "\ufeff甲\n\ufeff乙\n".encode())
    assert corpus(path, "text") == corpus(path, "text", 1) == ["甲", "乙"]
    path = written(tmp_path, "c.jsonl", '\ufeff{"text": "甲"}\n'.encode())
    assert corpus(path, "jsonl") == ["甲"]


def test_a_blank_document_is_none(tmp_path: Path) -> None:
    assert corpus(written(tmp_path, "c.txt", b"\n \na\n\t\n"), "text") == ["a"]
    assert corpus(written(tmp_path, "c.jsonl", b'\n{"text": " \\n"}\n{"text": "a"}'), "jsonl") == ["a"]
    assert corpus(written(tmp_path, "empty", b""), "text") == []


@pytest.mark.parametrize(
    ("line", "byte", "field"),
    [
        ("坏".encode("gb18030"), 4, "encoding"),
        ("好坏".encode() + b"\xff", 10, "encoding"),
        ("坏".encode()[:2], 4, "encoding"),
        (b"ab\0c", 6, "encoding"),
        ("ab".encode("utf-16"), 4, "encoding"),
    ],
)
def test_a_line_that_is_no_text_is_reported_at_its_byte(tmp_path: Path, line: bytes, byte: int, field: str) -> None:
    path = written(tmp_path, "c.txt", "甲\n".encode() + line + "\n乙\n".encode())
    kept, reports = skipping(path, "text")
    assert kept == ["甲", "乙"]
    assert len(reports) == 1
    assert reports[0].startswith(f"[{field}] ")
    assert reports[0].endswith(f"(byte {byte})")
    assert refusal(path, "text") == reports[0]
    assert skipping(path, "text", 5) == (kept, reports)


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ('{"text": "坏', "json"),
        ('{"text": NaN}', "text"),
        ('{"text": "a", "text": "b"}', "text"),
        ('{"text": ' + "[" * 100_000, "json"),
        ('["坏"]', "json"),
        ("7", "json"),
        ('{"title": "坏"}', "text"),
        ('{"text": null}', "text"),
        ('{"text": 7}', "text"),
    ],
)
def test_an_object_that_is_broken_is_reported_at_its_line(tmp_path: Path, line: str, field: str) -> None:
    path = written(tmp_path, "c.jsonl", f'{{"text": "甲"}}\n{line}\n{{"text": "乙"}}\n'.encode())
    kept, reports = skipping(path, "jsonl")
    assert kept == ["甲", "乙"]
    assert len(reports) == 1
    assert reports[0].startswith(f"[{field}] ")
    assert reports[0].endswith("(byte 16)")
    assert refusal(path, "jsonl") == reports[0]


def test_a_line_over_the_limit_is_skipped(tmp_path: Path) -> None:
    path = written(tmp_path, "c", b'{"text": "a"}\n' + b"x" * 15 + b'\n{"text": "bb"}\n{"text": "cccc"}')
    shard = Shard(path, "text", 0, path.stat().st_size)
    as_text, as_json = SkippedDamage(), SkippedDamage()
    assert list(text_documents(shard, as_text, Counter(), 14)) == ['{"text": "a"}', '{"text": "bb"}']
    assert list(json_documents(shard, as_json, Counter(), 14)) == ["a", "bb"]
    assert as_text == as_json
    assert as_text.reports == [
        f"{path}: [line] too long; found 15 bytes, expected at most 14 (byte 14)",
        f"{path}: [line] too long; found 16 bytes, expected at most 14 (byte 45)",
    ]


def test_a_huge_line_is_never_held(tmp_path: Path) -> None:
    path = tmp_path / "c.txt"
    with path.open("wb") as stream:
        stream.write("甲\n".encode())
        for _ in range(200):
            stream.write(b"x" * (1 << 20))
        stream.write("\n乙\n".encode())
    for size in (1 << 40, 50 << 20):
        tracemalloc.start()
        kept, reports = skipping(path, "text", size)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert kept == ["甲", "乙"]
        assert reports == ["[line] too long; found 209715200 bytes, expected at most 16777216 (byte 4)"]
        assert peak < 20 << 20


# --- damage -----------------------------------------------------------------------------------------------------------


def test_reports_are_few_and_damage_is_counted(tmp_path: Path) -> None:
    piece, other = SkippedDamage(), SkippedDamage()
    for number in range(100):
        piece(tmp_path, number, "[x] bad")
    other(tmp_path, 7, "[y] bad")
    piece.add(other)
    other.add(piece)
    assert piece.count == 101
    assert piece.reports == [f"{tmp_path}: [x] bad (byte {number})" for number in range(10)]
    assert other.count == 102
    assert other.reports == [f"{tmp_path}: [y] bad (byte 7)", *piece.reports[:9]]


@pytest.mark.parametrize("form", list(FORMATS))
def test_a_file_that_cannot_be_read_is_not_damage_to_skip(tmp_path: Path, form: FormatName) -> None:
    for path in (tmp_path, tmp_path / "none", tmp_path / "none.bz2"):
        with pytest.raises(PipelineError, match=r"\[file\] cannot be read"):
            skipping(path, form)


@pytest.mark.parametrize("form", list(FORMATS))
def test_a_pipe_is_refused(tmp_path: Path, form: FormatName) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/null"), Path("-")):
        with pytest.raises(PipelineError, match=r"\[file\] not a regular file; found a pipe or a device"):
            skipping(path, form)


# --- Parquet ----------------------------------------------------------------------------------------------------------


def table(path: Path, values: list[str | None], rows: int = 2) -> Path:
    size = len(values)
    columns = {"id": [str(n) for n in range(size)], "url": [{"site": "zh", "text": "u"}] * size, "title": ["题"] * size}
    data = pyarrow.table(columns | {"text": values})
    parquet.write_table(data, path, row_group_size=rows, write_statistics=False)  # they count as bytes of the texts
    return path


@given(st.lists(texts, min_size=1, max_size=9), st.integers(1, 5), st.integers(1, 400))
def test_shards_of_parquet_give_each_document_once_in_order(lines: list[str], rows: int, size: int) -> None:
    with TemporaryDirectory() as folder:
        path = table(Path(folder) / "c.parquet", list(lines), rows)
        parts = shards(path, "parquet", size)
        groups = [number for part in parts for number in range(part.start, part.end)]
        assert groups == list(range(-(-len(lines) // rows)))
        assert corpus(path, "parquet", size) == [line for line in lines if line.strip()]


def test_parquet_is_cut_at_row_groups_by_size(tmp_path: Path) -> None:
    path = table(tmp_path / "c.parquet", [letter * 1000 for letter in "abcdefgh"], 2)
    assert len(shards(path, "parquet", 1)) == 4
    assert [(part.start, part.end) for part in shards(path, "parquet", 3000)] == [(0, 2), (2, 4)]
    assert [(part.start, part.end) for part in shards(path, "parquet", 5000)] == [(0, 3), (3, 4)]
    assert corpus(path, "parquet") == [letter * 1000 for letter in "abcdefgh"]


def test_truncated_parquet_is_refused(tmp_path: Path) -> None:
    data = table(tmp_path / "c.parquet", ["甲", "乙"]).read_bytes()
    for end in (0, 3, 11, len(data) // 2, len(data) - 1):
        path = written(tmp_path, "d.parquet", data[:end])
        message = refusal(path, "parquet")
        assert message.startswith("[parquet] no readable footer; ")
        assert message.endswith(f"(byte {max(end - 8, 0)})")


def test_parquet_without_one_column_of_texts_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.parquet"
    parquet.write_table(pyarrow.table({"title": ["a"], "body": ["b"]}), path)
    assert (
        "[text] not one column of texts; found 'title', 'body', expected 'text' once (--field names another) (byte "
        in refusal(path, "parquet")
    )
    columns = [pyarrow.array(["甲"]), pyarrow.array(["乙"])]
    parquet.write_table(pyarrow.Table.from_arrays(columns, names=["text", "text"]), path)
    assert "[text] not one column of texts; found 'text', 'text', expected 'text' once (byte " in refusal(
        path, "parquet"
    )
    parquet.write_table(pyarrow.table({"text": [1]}), path)
    assert "[text] wrong column type; found int64, expected string (byte " in refusal(path, "parquet")


def test_a_row_without_text_is_reported(tmp_path: Path) -> None:
    path = table(tmp_path / "c.parquet", ["甲", None, "乙", "丙"])
    kept, reports = skipping(path, "parquet")
    assert kept == ["甲", "乙", "丙"]
    assert len(reports) == 1
    assert reports[0].startswith("[text] no text; found a null in row 1 of row group 0, expected a string (byte ")


def test_a_row_group_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.parquet"
    broken = pyarrow.array([b"a", b"\xff", b"c"]).view(pyarrow.string())
    parquet.write_table(pyarrow.table({"text": broken}), path)
    assert "[parquet] row group 0 cannot be read; 'utf-8' codec" in refusal(path, "parquet")
    table(path, ["甲" * 400, "乙" * 400, "丙" * 400], 1)
    chunk = parquet.ParquetFile(path).metadata.row_group(1).column(4)
    start = chunk.dictionary_page_offset or chunk.data_page_offset
    data = bytearray(path.read_bytes())
    data[start : start + 12] = b"\xff" * 12
    path.write_bytes(data)
    message = refusal(path, "parquet")
    assert message.startswith("[parquet] row group 1 cannot be read; ")
    assert message.endswith(f"(byte {start})")


@pytest.mark.parametrize(
    "kind",
    [
        pyarrow.large_string(),
        pyarrow.string_view(),
        pyarrow.binary(),
        pyarrow.large_binary(),
        pyarrow.dictionary(pyarrow.int32(), pyarrow.string()),
        pyarrow.list_(pyarrow.string()),
        pyarrow.large_list(pyarrow.dictionary(pyarrow.int8(), pyarrow.string())),
    ],
    ids=str,
)
def test_texts_of_every_kind_are_read(kind: pyarrow.DataType, tmp_path: Path) -> None:
    path = tmp_path / "c.parquet"
    is_list = pyarrow.types.is_list(kind) or pyarrow.types.is_large_list(kind)
    text_type = kind.value_type if is_list else kind
    texts = pyarrow.array(["甲", "乙丙", "", "甲"]).cast(text_type)
    column = type(pyarrow.array([], kind)).from_arrays([0, 2, 3, 4], texts) if is_list else texts
    parquet.write_table(pyarrow.table({"id": range(len(column)), "text": column}), path)
    assert corpus(path, "parquet") == (["甲\n乙丙", "甲"] if is_list else ["甲", "乙丙", "甲"])


def test_a_field_in_objects_is_read_from_parquet_as_from_json(tmp_path: Path) -> None:
    rows = [{"meta": {"parts": [{"p": "甲"}, {"p": "乙"}]}}, {"meta": {"parts": [{"p": "丙"}]}}]
    as_json = written(tmp_path, "c.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows).encode())
    as_table = tmp_path / "c.parquet"
    parquet.write_table(pyarrow.Table.from_pylist(rows), as_table)
    forms: tuple[tuple[Path, FormatName], ...] = ((as_json, "jsonl"), (as_table, "parquet"))
    for path, form in forms:
        parts = shards(path, form, 1, field="meta.parts.p")
        assert [text for shard in parts for text in documents(shard, refuse)] == ["甲\n乙", "丙"]
    with pytest.raises(PipelineError, match=r"\[meta.parts\] wrong column type; found struct"):
        shards(as_table, "parquet", 1, field="meta.parts")


# --- packed files -----------------------------------------------------------------------------------------------------


def zstd(data: bytes) -> bytes:
    packed: bytes = pyarrow.Codec("zstd").compress(data, asbytes=True)
    return packed


PACKERS = {"gzip": gzip.compress, "bz2": bz2.compress, "zstd": zstd}


@pytest.mark.parametrize("packer", list(PACKERS))
@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_a_packed_file_is_what_was_packed_whatever_its_name(packer: str, form: FormatName, tmp_path: Path) -> None:
    rows = [f"第{number}行。" for number in range(3000)]
    lines = rows if form == "text" else [json.dumps({"text": row}) for row in rows]
    data = "".join(f"{line}\n" for line in lines).encode()
    pack = PACKERS[packer]
    packed = pack(data[:5000]) + pack(data[5000:])  # packers may be run one after the other
    assert corpus(written(tmp_path, "c", packed), form, 100) == rows
    for end in (len(packed) // 3, len(packed) // 2 + 9, len(packed) - 1):
        message = refusal(written(tmp_path, "c.txt", packed[:end]), form)
        assert message.startswith(f"[{packer}] damaged")
    assert refusal(written(tmp_path, "d", packed + b"x"), form).startswith(f"[{packer}] damaged")


@pytest.mark.parametrize("packer", list(PACKERS))
def test_a_line_that_unpacks_without_end_is_never_held(packer: str, tmp_path: Path) -> None:
    path = written(tmp_path, "c", PACKERS[packer]("甲\n".encode() + b"x" * (80 << 20) + "\n乙\n".encode()))
    tracemalloc.start()
    kept, reports = skipping(path, "text")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (kept, len(reports)) == (["甲", "乙"], 1)
    assert peak < 40 << 20


# --- recognition ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("\ufeff箱子\n".encode("utf-16-le"), "[encoding] not UTF-8; perhaps UTF-16"),
        ("\ufeff箱子\n".encode("utf-16-be"), "[encoding] not UTF-8; perhaps UTF-16"),
        ("箱子很大。\r奖杯很小。\r".encode(), "[line] no line ends; found carriage returns alone"),
        ("箱子很大。\n".encode("gbk"), "[encoding] not UTF-8; found byte 0xcf, expected UTF-8 text; perhaps GBK"),
        (b"PAR1\r\0", "[format] not text; found a Parquet file, expected --format parquet"),
        (b"x" * 257 + b"ustar\0", "[format] not text: this is a tar archive; unpack it"),
        (b"1\n00:00:01,000 --> 00:00:02,000\n\xe7\xae\xb1\n", "[format] not plain text; found subtitles"),
        (b"<doc>\n<s>\nbox\tNN\n", "[format] not plain text; found '<doc>' as in XML or HTML"),
        (b"{'text': 'x'}\n", "[format] not plain text; found a JSON object"),
        (b'{\n  "text": "x"\n}\n', "[format] not plain text; found a JSON document"),
        ('"1","箱子，很大"\n'.encode(), "[format] not plain text; found a table"),
        ("标题;正文\n甲;乙\n".encode(), "[format] not plain text; found a table"),
    ],
)
def test_what_is_no_plain_text_is_refused(data: bytes, reason: str, tmp_path: Path) -> None:
    assert f": {reason}" in f": {refusal(written(tmp_path, 'c.txt', data), 'text')}"


def test_articles_of_wikiextractor_are_read_whole(tmp_path: Path) -> None:
    article = '<doc id="1" url="u?a=1&amp;b" title="A &amp; "B"">\nA & "B"\n\n箱子 &lt;br&gt; 很大。\n\n历史.\n</doc>\n'
    path = written(tmp_path, "wiki_00", (article + '<doc id="2" title="空">\n</doc>\n\n').encode())
    assert corpus(path, "wikiextractor") == ["箱子 <br> 很大。\n历史."]
    for outside in ("箱子\n", "</doc>\n"):
        assert "[doc] no whole article" in refusal(
            written(tmp_path, "w", (article + outside).encode()), "wikiextractor"
        )
    nested = article.replace("历史.", '<doc id="3" title="x">')
    assert "[doc] no whole article" in refusal(written(tmp_path, "w", nested.encode()), "wikiextractor")
    vertical = '<doc id="1" title="x">\n箱子\tNN\n很\tAD\n</doc>\n'
    assert "[doc] not running text" in refusal(written(tmp_path, "w", vertical.encode()), "wikiextractor")
