"""Odd values: bytes, JSON values and YAML values that readers tend to trip over."""

from typing import Any

#: Marks of encodings and of other formats, invisible and wide characters, ends.
BYTES: list[bytes] = [
    *(b"", b"\0", b"\r", b"\n\n", b"\t", b'"', b"'", b"\\", b"[", b"]", b"{", b"}", b"<", b">", b"&", b"#", b"|"),
    *(b": ", b"- ", b"-1", b"0", b"1e999", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\x80"),
    *(b"PK\x03\x04", b"\x1f\x8b", b"PAR1", b"&a;", b"<!DOCTYPE a [<!ENTITY b 'c'>]>"),
    *(b"[" * 20_000, b'{"a":' * 20_000, b"(" * 20_000, b"9" * 5000, b"<<: *a", b"&a [*a]", b"%s", b"{0}"),
    b"!!python/object:os.system x",
    *(
        character.encode()
        for character in (
            *("\u200b", "\u2028", "\x85", "\ufe0f", "\U000e0041", "\ue000", "\uffff", "\u2800", "\u3164"),
            *("Ø", "它", "（", "，", "𠀀", "e\u0301", "\u202e", "\x1b[31m"),
        )
    ),
]
#: Values of every kind and at every limit.
JSON: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 7, 10**6, 2**31, 2**53, 2**63 - 1, 2**63, 10**30, 0.0, 0.5, -0.5, 1.0, 1e300),
    *(float("inf"), float("nan")),
    *("", " ", "a", "b", "0", "-1", "1e999", "null", "Ø", "它", "[它]", "Ø" * 3, "a-b", "../a", "/", "a/b", "a:b"),
    *("\0", "\n", "\t", "\r", "\u200b", "\u2028", "\ud800", "=1+1"),
    *("a" * 5000, "，" * 70, "{大|小}", "它" * 200, "9" * 5000),
    *([], [None], [0], [1, 0], ["a"], ["a", "a"], [[]], [[0, 1]], [[[0, 1]]], [["a", "b"]], [{}], [True, None, "a"]),
    *({}, {"a": 1}, {"start": 0, "end": 1}, {"start": 9, "end": 1}, {"start": None, "end": "1"}, {"id": []}),
    *({"start": 0, "end": 10**6}, {"": {"": {}}}, [[0] * 300]),
]
#: Values of YAML, as they are written.
YAML: list[str] = [
    *("", "~", "true", "0", "-1", "1.5", ".inf", ".nan", "1e999", f"0x{'f' * 4000}", "0o7", "2020-01-01", "2020-99-99"),
    *(
        "[]",
        "[[]]",
        "[a, b]",
        "{}",
        "{a: b}",
        "'",
        '"',
        '"\\ud800"',
        '"\\U00110000"',
        "|",
        ">",
        "&a b",
        "*a",
        "!!int x",
    ),
    *("? a", "[它]", "{大|小}", "\\[", "a: b", "- a", "# a", "@a", "`a", "%a", "[" * 60, "Ø", "\u200b", "a" * 5000),
]
#: Values of TOML, as they are written.
TOML: list[str] = [
    *("", "0", "-1", "1.5", "inf", "nan", "1e999", "true", '""', '" "', "'a'", '"\\ud800"', '"\\u0000"', "2020-01-01"),
    *("2020-99-99", "[]", "[1, 'a']", "{}", "{a = 1}", "[" * 20_000, '"""a\nb"""'),
    *('"CC-BY-9"', '"ours"', '"../a"', '"/a"'),
]
