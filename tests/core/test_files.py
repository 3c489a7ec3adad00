"""Text files: refused input and round trips."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.convert import convert_fields
from pipeline.core.files import decode, from_json, lines_of, parse_jsonl, read_bytes, read_text, to_json
from tests.conftest import Refused

HERE = Path("here.txt")


@dataclass(frozen=True)
class Named:
    id: str


texts = st.text(st.characters(exclude_categories=["Cs"]))
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


# --- decoding ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [1, 2])
def test_a_text_cut_inside_a_character_may_be_incomplete(cut: int, refused: Refused) -> None:
    data = "a\n妹妹".encode()[:-cut]
    assert "the file ends in the middle of a character: is it complete?" in refused(
        lambda: decode(data, HERE), "here.txt:2", "encoding"
    )


@pytest.mark.parametrize(
    ("data", "line", "byte", "offset"),
    [
        (b"\xff", 1, "0xff", 0),
        (b"a\nb\n\x80c", 3, "0x80", 4),
        ("箱子\n".encode() + "子".encode("gb18030"), 2, "0xd7", 7),
        (b"\xef\xbb\xbfa\nb\xff", 2, "0xff", 6),  # the offset counts the byte order mark
        ("汉".encode()[:2], 1, "0xe6", 0),  # cut off within a character
        ("a".encode("utf-16"), 1, "0xff", 0),
        (b"\xed\xa0\x80", 1, "0xed", 0),  # half of a surrogate pair, encoded
    ],
)
def test_a_byte_that_is_not_utf8_is_reported_at_its_line(
    refused: Refused, data: bytes, line: int, byte: str, offset: int
) -> None:
    message = refused(lambda: decode(data, HERE), f"here.txt:{line}", "encoding")
    assert f"found byte {byte} at offset {offset}," in message


def test_a_nul_is_reported_at_its_line(refused: Refused) -> None:
    assert "NUL" in refused(lambda: decode(b"a\nb\nc\0d", HERE), "here.txt:3", "encoding")
    refused(lambda: decode("a\n".encode("utf-16-le"), HERE), "here.txt:1", "encoding")


def test_one_byte_order_mark_is_dropped() -> None:
    assert decode(b"\xef\xbb\xbfa", HERE) == "a"
    assert decode(b"\xef\xbb\xbf\xef\xbb\xbfa", HERE) == "\ufeffa"
    assert decode(b"", HERE) == ""


@given(texts.filter(lambda text: "\0" not in text and not text.startswith("\ufeff")))
def test_every_other_text_is_decoded_as_it_is(text: str) -> None:
    assert decode(text.encode(), HERE) == text


def test_a_file_that_cannot_be_read_is_named(refused: Refused, tmp_path: Path) -> None:
    refused(lambda: read_bytes(tmp_path / "none"), str(tmp_path / "none"), "file")
    refused(lambda: read_text(tmp_path), str(tmp_path), "file")


# --- lines ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("\n", [""]),
        ("a", ["a"]),
        ("a\n\nb\n", ["a", "", "b"]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\rb", ["a\rb"]),  # a lone carriage return ends no line
        ("a\u2028b\u2029c\x85d\x0be\n", ["a\u2028b\u2029c\x85d\x0be"]),
    ],
)
def test_lines_end_at_line_feeds_only(text: str, lines: list[str]) -> None:
    assert lines_of(text) == lines


# --- JSON Lines -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "{",
        '{"a": 1,}',
        "{'a': 1}",
        '{"a": 1} {"b": 2}',
        '{"a": "b',
        "[1, 2]",
        '"text"',
        "null",
        "7",
        '{"a": NaN}',
        '{"a": -Infinity}',
        '{"a": 1, "a": 2}',
        '{"a": {"b": 1, "b": 1}}',
        r'{"a": "\ud800"}',
        r'{"\udfff": 1}',
        r'{"a": "\x41"}',
        '{"a": "tab\there"}',
        '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"a": ' + "9" * 5000 + "}",
        "\ufeff{}",
    ],
)
def test_a_line_without_a_json_object_is_refused(refused: Refused, line: str) -> None:
    refused(lambda: list(parse_jsonl(f'{{"a": 1}}\n\n{line}\n', HERE)), "here.txt:3", "json")


def test_blank_lines_are_counted_and_skipped() -> None:
    assert list(parse_jsonl('\n{"a": 1}\r\n  \n{"b": 2}', HERE)) == [(2, {"a": 1}), (4, {"b": 2})]
    assert list(parse_jsonl("", HERE)) == []


def test_whole_surrogate_pairs_are_characters() -> None:
    assert from_json(r'["\ud83d\ude00", "\\ud800"]') == ["😀", "\\ud800"]


@given(
    st.dictionaries(texts.filter(lambda key: key != "id"), json_values, max_size=3),
    st.sampled_from(["NaN", "-Infinity", "1e999", "9" * 400, '{"b": 1, "b": 2}', r'"\ud83d"', '"tab\there"', "[NaN]"]),
)
def test_what_other_programs_write_refuses_only_the_field_that_is_read(fields: dict[str, object], odd: str) -> None:
    text = f'{to_json(fields)[:-1]}{", " if fields else ""}"odd": {odd}, "odd": {odd}, "id": "a-1"}}'
    with pytest.raises(ValueError, match=r"."):
        from_json(text)
    value = from_json(text, foreign=True)
    assert convert_fields(value, Named) == Named("a-1")
    with pytest.raises(ValueError, match=r"\[id\] wrong kind; found .*, expected text"):
        convert_fields({"id": from_json(f'{{"id": {odd}, "id": 1}}', foreign=True)["id"]}, Named)


def test_half_a_character_of_other_programs_is_replaced() -> None:
    assert from_json(r'{"a": ["\ud83d", "\ud83d\ude00"]}', foreign=True) == {"a": ["\ufffd", "😀"]}


def test_json_keeps_order_and_characters() -> None:
    assert (
        to_json({"b": "箱\u2028\u200b\u202e子", "a": [None, 1.5]})
        == '{"b": "箱\u2028\u200b\u202e子", "a": [null, 1.5]}'
    )
    with pytest.raises(ValueError, match="JSON"):
        to_json(float("nan"))


@given(st.lists(st.dictionaries(texts, json_values, max_size=4)))
def test_json_lines_come_back(rows: list[dict[str, object]]) -> None:
    text = "".join(f"{to_json(row)}\n" for row in rows)
    assert [value for _, value in parse_jsonl(text, HERE)] == rows
    assert [json.loads(line) for line in lines_of(text)] == rows
