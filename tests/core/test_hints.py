"""Hints: what a file that a reader refuses is, and the way out."""

import re
from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.files import decode, parse_jsonl, parse_tsv, read_bytes
from tests.conftest import Refused

HERE = Path("here.txt")
TEXT = "id\ttext\n1\t奖杯放不进箱子，因为它太大了。\n"


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        (TEXT.encode("gbk"), "expected UTF-8 text; perhaps GBK: save the file as UTF-8 (iconv -f gb18030 -t utf-8)"),
        (TEXT.encode("utf-16"), "(iconv -f utf-16 -t utf-8)"),
        (TEXT.encode("utf-16-le"), "(iconv -f utf-16 -t utf-8)"),
        (TEXT.encode("utf-16-be"), "(iconv -f utf-16 -t utf-8)"),
        ("id\ttext\n".encode("utf-16-le"), "(iconv -f utf-16 -t utf-8)"),  # UTF-8 too, but for its NULs
        ("un café noir\n".encode("latin-1"), "expected UTF-8 text; save the file as UTF-8"),
        (b"PK\x03\x04\x14\0\x06\0", "this is a zip archive, such as an Excel or Word file; export it"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "this is an old Excel or Word file; export it"),
        (b"\x1f\x8b\x08\0", "this is a gzip archive"),
        ("一个".encode()[:-1] + b"\n", "expected UTF-8 text; save the file as UTF-8"),
    ],
)
def test_the_encoding_is_guessed(data: bytes, hint: str) -> None:
    with pytest.raises(PipelineError, match=re.escape(hint)):
        decode(data, HERE)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[{"id": "a"}]', "found one JSON array, expected one object a line (jq -c '.[]' converts it)"),
        ('[\n  {"id": "a"},\n  {"id": "b"}\n]\n', "found one JSON array"),
        ('{\n  "id": "a"\n}\n', "found one object on several lines, expected one object a line (jq -c . converts it)"),
        ("id,answer\na,b\n", "not JSON (Expecting value, column 1); found 'id,answer', expected one object a line"),
        ('{"a": 1}'[:-1] + " " * 1000, "(1007 characters), expected"),
    ],
)
def test_a_document_that_is_not_json_lines_is_named(refused: Refused, text: str, reason: str) -> None:
    assert reason in refused(lambda: list(parse_jsonl(text, HERE)), "here.txt:1", "json")


@pytest.mark.parametrize(("mark", "name"), [(",", "commas"), (";", "semicolons"), ("，", "full-width commas")])
def test_a_table_without_tabs_is_named(refused: Refused, mark: str, name: str) -> None:
    message = refused(lambda: list(parse_tsv(f"id{mark}answer\n", HERE, ["id", "answer"])), "here.txt:1", "header")
    assert f"not tab-separated; found {name}, expected tabs" in message


def test_an_empty_table_is_called_empty(refused: Refused) -> None:
    message = refused(lambda: list(parse_tsv("", HERE, ["id"])), "here.txt:1", "header")
    assert message.endswith("empty file; expected the columns id")


def test_a_near_name_is_offered(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").touch()
    near, far = tmp_path / "item.jsonl", tmp_path / "nothing.tsv"
    assert refused(lambda: read_bytes(near), str(near), "file").endswith(f"; did you mean {tmp_path / 'items.jsonl'}?")
    assert "did you mean" not in refused(lambda: read_bytes(far), str(far), "file")
    assert "did you mean" not in refused(lambda: read_bytes(tmp_path), str(tmp_path), "file")
