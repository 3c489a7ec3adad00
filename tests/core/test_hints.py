"""Hints: what a file that a reader refuses is, and the way out."""

import re
from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.files import decode, parse_jsonl, read_bytes
from pipeline.core.tables import parse_table
from pipeline.core.yamlfile import parse_yaml
from tests.conftest import Refused

HERE = Path("here.txt")
TEXT = "id\ttext\n1\t奖杯放不进箱子，因为它太大了。\n"


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        (
            TEXT.encode("gbk"),
            "expected UTF-8 text; perhaps GBK: save the file as UTF-8 (iconv -f gb18030 -t utf-8; Excel: CSV UTF-8)",
        ),
        (TEXT.encode("utf-16"), "(iconv -f utf-16 -t utf-8)"),
        (TEXT.encode("utf-16-le"), "(iconv -f utf-16 -t utf-8)"),
        (TEXT.encode("utf-16-be"), "(iconv -f utf-16 -t utf-8)"),
        ("id\ttext\n".encode("utf-16-le"), "(iconv -f utf-16 -t utf-8)"),  # UTF-8 too, but for its NULs
        ("un café noir\n".encode("latin-1"), "perhaps Windows-1252: save the file as UTF-8 (iconv -f windows-1252"),
        ("Die Tür ist größer.\n".encode("cp1252"), "perhaps Windows-1252: save the file as UTF-8"),
        ("“No,” she said.\n".encode("cp1252"), "perhaps Windows-1252: save the file as UTF-8"),
        ("Кубок больше чемодана.\n".encode("cp1251"), "perhaps Windows-1251: save the file as UTF-8"),
        ("トロフィーは鞄に入らない。\n".encode("shift_jis"), "perhaps Shift JIS: save the file as UTF-8"),
        (
            "獎盃放不進箱子，因為它太大了。\n".encode("big5"),
            "perhaps Big5: save the file as UTF-8 (iconv -f big5 -t utf-8",
        ),
        ("一个".encode()[:-1] + b"\n", "save the file as UTF-8"),
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


@pytest.mark.parametrize(("mark", "name"), [("|", "bars"), (" ", "blanks"), ("，", "full-width commas")])
def test_a_table_without_tabs_is_named(refused: Refused, mark: str, name: str) -> None:
    message = refused(lambda: list(parse_table(f"id{mark}answer\n", HERE, ["id", "answer"])), "here.txt:1", "columns")
    assert f"not tab-separated; found {name}, expected tabs" in message


def test_an_empty_table_is_called_empty(refused: Refused) -> None:
    message = refused(lambda: list(parse_table("", HERE, ["id"])), "here.txt:1", "header")
    assert message.endswith("empty file; expected the columns id")


def test_a_near_name_is_offered(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").touch()
    near, far = tmp_path / "item.jsonl", tmp_path / "nothing.tsv"
    assert refused(lambda: read_bytes(near), str(near), "file").endswith(f"; did you mean {tmp_path / 'items.jsonl'}?")
    assert "did you mean" not in refused(lambda: read_bytes(far), str(far), "file")
    assert "did you mean" not in refused(lambda: read_bytes(tmp_path), str(tmp_path), "file")
    (link := tmp_path / "link.jsonl").symlink_to(tmp_path / "nothing")
    assert "did you mean" not in refused(lambda: read_bytes(link), str(link), "file")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            "gloss: Note: He {a|b}",
            "colon and blank inside a value; found 'gloss: Note: He {a|b}', put the value in quotes",
        ),
        ("role:subject", "blank missing after the colon; found 'role:subject'"),
        ("role：subject", "full-width colon; found 'role：subject', expected ': ' after the name of the field"),
        ("subject", "line without a field; found 'subject', expected 'name: value'"),
        ("\trole: subject", "tab in the indentation; expected blanks"),
        (" role: subject", "wrong indentation; found 'role: subject'"),
        (
            "text: [他]走了",
            "text after a bracket is closed; found 'text: [他]走了', put the whole value in quotes",
        ),
        ("text: {a|b}。", "text after a bracket is closed"),
        ('text: "好"，[他]说', "text after a quote is closed; found"),
        ("text: @a", "value begins with a sign that YAML reserves; found 'text: @a', put the value in quotes"),
        ("text: %a", "value begins with a sign that YAML reserves"),
        ("text: *a*", "unknown alias; found 'text: *a*', put the value in quotes"),
        ("names: [a, b", "unclosed list; found 'names: [a, b', expected ']' at its end, and ', ' between the entries"),
        ("note: b", "field given twice; found 'note: b', expected each once in an entry that begins with '- '"),
        ("names: {a: b", "unclosed mapping; found 'names: {a: b', expected '}' at its end"),
        ("text: 'a", 'unclosed quote; found "text: \'a", expected the same quote at the end'),
    ],
)
@pytest.mark.parametrize("after", ["", "note: b\n", "note: b\n- id: c\n"])
def test_broken_yaml_is_explained_at_its_line(refused: Refused, line: str, reason: str, after: str) -> None:
    text = f"- id: a\n  note: b\n  {line}\n" + after.replace("note", "  last")
    assert reason in refused(lambda: parse_yaml(text, HERE), "here.txt:3", "yaml")


@pytest.mark.parametrize("first", ["-id: a", "- id:a", "- id：a"])
def test_a_first_line_without_a_blank_is_explained(refused: Refused, first: str) -> None:
    message = refused(lambda: parse_yaml(f"{first}\n  note: b\n", HERE), "here.txt:1", "yaml")
    assert f"found {first!r}" in message
