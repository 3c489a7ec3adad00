"""Defects that every artifact can have: in the fields of its contract, in each of its texts, and that nothing is left of it."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

from pipeline.core.validation.suite import NOT_EMPTY
from pipeline.release.gate import SUITES

from .defect import ARTIFACTS, Change, Defect, Row, in_row, put, without

#: The fields of an item.
_ITEM = ("schema", "version", "lang", "text", "target", "candidates", "answer", "question", "source", "note")
#: The fields of each artifact, without those that a reader needs to name a row.
FIELDS = {"items": _ITEM, "analyses": ("schema", "gloss", "kind", "role", "pmi")}
_MAY_BE_EMPTY = frozenset({"question", "source", "note", "gloss", "kind", "role"})
#: The fields of an item that hold a text of its language, and those of no language: a damage must not hide in them either.
TEXTS, REMARKS = ("text", "question", "candidates"), ("source", "note")
_WRONG_KINDS: tuple[tuple[str, object], ...] = (
    ("null", None),
    ("a-number", 7.5),
    ("an-object", {"a": 1}),
    ("a-nested-list", [["a"]]),
)


def in_text(field: str, change: Callable[[str], str]) -> Change:
    """Return the change of a text, or of the first one of a list."""

    def damage(row: Row) -> None:
        value = row[field]
        row[field] = change(value) if isinstance(value, str) else [change(value[0]), *value[1:]]

    return damage


def inside(text: str) -> Callable[[str], str]:
    """Return the function that inserts a text between the first two Chinese characters, or after the first character."""

    def change(whole: str) -> str:
        between = re.search("[\u4e00-\u9fff](?=[\u4e00-\u9fff])", whole)
        at = between.end() if between else 1
        return whole[:at] + text + whole[at:]

    return change


#: What may be wrong with a text, with the expectation that reports it.
_IN_ANY_TEXT: tuple[tuple[str, str, Callable[[str], str]], ...] = (
    ("zero-width-space", "no-invisible-character", inside("\u200b")),
    ("variation-selector", "no-invisible-character", inside("\U000e0100")),
    ("tag-character", "no-invisible-character", inside("\U000e0041")),
    ("hangul-filler", "no-invisible-character", inside("\u3164")),
    ("blank-braille", "no-invisible-character", inside("\u2800")),
    ("private-use-character", "no-invisible-character", inside("\ue000")),
    ("noncharacter", "no-invisible-character", inside("\uffff")),
    ("unassigned-character", "no-unassigned-character", inside("\u0378")),
    ("decomposed-letter", "composed-unicode", inside(unicodedata.normalize("NFD", "é"))),
    ("two-scripts-in-a-word", "script-of-language", inside("Tоm")),
)
_IN_TEXT: tuple[tuple[str, str, Callable[[str], str]], ...] = (
    *_IN_ANY_TEXT,
    ("kangxi-radical", "script-of-language", inside("\u2f00")),
    ("radical", "script-of-language", inside("\u2ea0")),
    ("japanese-variant", "script-of-language", inside("気")),
    ("katakana", "script-of-language", inside("ロ")),
    ("cyrillic-letter", "script-of-language", inside("о")),
    ("styled-letter", "script-of-language", inside("𝐚")),
    ("doubled-blank", "single-blanks", inside("  ")),
    ("ideographic-blank", "single-blanks", inside("\u3000")),
    ("half-width-comma", "full-width-marks", inside(",")),
    ("half-width-full-stop-of-japanese", "full-width-marks", inside("｡")),
    ("traditional-character", "simplified-script", inside("還")),
    ("doubled-mark", "no-doubled-mark", inside("。。")),
    ("comma-before-a-full-stop", "no-doubled-mark", inside("，。")),
    ("half-an-ellipsis", "full-width-marks", inside("…")),
    ("doubled-particle", "no-doubled-word", inside("的的")),
    ("leading-comma", "no-leading-mark", lambda text: "，" + text),
    ("quotation-turned-round", "closed-quotations", inside("”好“")),
    ("quotation-of-nothing", "closed-quotations", inside("“”")),
    ("placeholder", "no-placeholder", inside("$NAME")),
    ("reminder", "no-placeholder", inside("TODO")),
    ("tag", "no-placeholder", inside("<b>")),
    ("address", "no-placeholder", inside("http://a.org")),
    ("emoji", "no-symbol", inside("😀")),
    ("roman-numeral", "no-symbol", inside("Ⅳ")),
    ("arabic-digit", "no-symbol", inside("١")),
    ("misread-encoding", "script-of-language", inside("äºŒ")),
    ("asterisks", "full-width-marks", inside("**")),
    ("straight-quotation-mark", "full-width-marks", inside('"')),
    ("small-comma", "full-width-marks", inside("﹐")),
    ("doubled-quotation-mark", "no-doubled-mark", inside("““好””")),
)

#: What may be wrong with an English text.
IN_GLOSS: tuple[tuple[str, str, Callable[[str], str]], ...] = (
    *_IN_ANY_TEXT,
    ("chinese-character", "script-of-language", inside("牛")),
    ("doubled-blank", "single-blanks", inside("  ")),
    ("doubled-comma", "no-doubled-mark", inside(",,")),
    ("word-twice", "no-doubled-word", lambda text: f"Once the the {text}"),
    ("leading-comma", "no-leading-mark", lambda text: "," + text),
    ("quotation-turned-round", "closed-quotations", inside("”ox“")),
    ("placeholder", "no-placeholder", inside("$NAME")),
    ("tag", "no-placeholder", inside("<b>")),
    ("emoji", "no-symbol", inside("😀")),
)


def contracts() -> Iterator[Defect]:
    """Yield the defects of the fields of each artifact."""
    for suite, fields in FIELDS.items():
        yield Defect(f"{suite}-unknown-field", suite, "contract", in_row(put(remark="")))
        yield Defect(f"{suite}-fields-in-another-order", suite, "contract", in_row(reordered))
        for field in fields:
            name = f"{suite}-{field}"
            yield Defect(f"{name}-missing-field", suite, "contract", in_row(without(field)))
            for kind, value in _WRONG_KINDS:
                if (field, kind) != ("pmi", "null"):
                    yield Defect(f"{name}-is-{kind}", suite, "contract", in_row(put(**{field: value})))
            if field not in _MAY_BE_EMPTY:
                yield Defect(f"{name}-empty-text", suite, "contract", in_row(put(**{field: ""})))


def reordered(row: Row) -> None:
    """Move the first key of a row to its end."""
    key = next(iter(row))
    row[key] = row.pop(key)


def texts() -> Iterator[Defect]:
    """Yield the defects of the texts of an item."""
    for fields, damages in ((TEXTS, _IN_TEXT), (REMARKS, _IN_ANY_TEXT)):
        for field in fields:
            for name, expectation, change in damages:
                yield Defect(f"items-{field}-{name}", "items", expectation, in_row(in_text(field, change)))
    yield Defect("items-note-of-two-lines", "items", "no-invisible-character", in_row(put(note="a\nb")))


EMPTY = [
    Defect(f"{name}-without-a-row", name, NOT_EMPTY, lambda _: [], reported_id=Path(ARTIFACTS[name]).name)
    for name, suite in SUITES.items()
    if not suite.may_be_empty
]
GENERAL = [*contracts(), *texts(), *EMPTY]
