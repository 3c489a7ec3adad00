"""Files of cloze items: texts with a gap for a pronoun, and two antecedents of different gender."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ...core.files import parse_jsonl, read_text, require_unique
from ...core.hints import shown_kind
from ...core.records import field_of, item_from_json, text_field
from ...language.pronoun_classes import GAP, GENDERS, Gender, PronounClasses, is_gender, pronoun_classes

#: The fields that a cloze item must and may have.
REQUIRED = ("id", "schema", "lang", "text", "antecedents", "gold", "pronoun")
OPTIONAL = ("version", "source", "register", "kind", "question", "gloss", "note")
#: Places of an antecedent.
PLACES = ("first", "second")
#: Maximum length of a text, in characters: models read some hundred tokens.
MAX_TEXT = 4000
_WANTED = "expected cloze items (id, schema, lang, text, antecedents, gold, pronoun), or items of a release"


@dataclass(frozen=True, slots=True)
class Antecedent:
    """A noun phrase that the gap may take up: as the text has it, and its grammatical gender."""

    text: str
    gender: Gender


@dataclass(frozen=True, slots=True, kw_only=True)
class ClozeItem:
    """A text with a gap for a pronoun."""

    id: str
    schema: str  # id of its pair
    lang: str  # its language, which has classes in rules/cloze
    left: str
    right: str
    pronoun: str  # the right pronoun, with a capital if it begins a sentence
    gender: Gender
    #: Both antecedents, in the order of the text; none of a Winograd item, which does not give genders.
    antecedents: tuple[Antecedent, ...] = ()
    gold: int | None = None  # index of the right antecedent; None without antecedents
    source: str = ""  # the collection that it is from; may be empty
    register: str = ""  # its register; may be empty

    @property
    def classes(self) -> PronounClasses:
        """The pronouns of its language."""
        return pronoun_classes(self.lang)

    @property
    def place(self) -> str:
        """Which antecedent is right: first, second, or empty if they are unknown."""
        return "" if self.gold is None else PLACES[self.gold]

    def text(self, filler: str = GAP) -> str:
        """Return the text with a word, or a mark, in the gap."""
        return f"{self.left}{filler}{self.right}"

    def as_written(self, word: str) -> str:
        """Return a word as it stands in the gap: with a capital if the pronoun has one."""
        return word[:1].upper() + word[1:] if self.pronoun[:1].isupper() else word


@dataclass(frozen=True, slots=True)
class ClozeItems:
    """The cloze items of a file, and the ids of its Winograd items whose target is no pronoun that has a class."""

    items: tuple[ClozeItem, ...]
    skipped: tuple[str, ...]


def read_cloze_items(path: Path) -> ClozeItems:
    """Return the items of a JSON Lines file, in its order.

    A cloze item has the fields `REQUIRED`, and may have `OPTIONAL`. ``text`` has `GAP` once. ``antecedents`` are two objects with
    ``text``, as the text has it, and ``gender``, one of `GENDERS` and not the same, in the order of the text. ``gold`` is the index of
    the right one. ``pronoun`` is the pronoun of its gender as it stands in the gap: with a capital at the beginning of a text, without
    one after a letter or a comma.

    A Winograd item of a release becomes a cloze item whose gap is its overt target, without antecedents, if the target is a pronoun
    that has a class; otherwise it is skipped.

    Raises:
        PipelineError: a line is malformed or of another kind, an id is used twice, or no item is left.
    """
    items: list[ClozeItem] = []
    skipped: list[str] = []
    places: dict[str, int | None] = {}
    for line, value in parse_jsonl(read_text(path), path):
        try:
            item = cloze_item_from_json(value) if "antecedents" in value else _winograd_item(value)
        except (ValueError, PipelineError) as error:
            raise PipelineError(path, line, error.reason if isinstance(error, PipelineError) else str(error)) from error
        name = text_field(value, "id")
        require_unique(places, name, path, line)
        if item is None:
            skipped.append(name)
        else:
            items.append(item)
    if not items:
        reason = f"all {len(skipped)} have another target" if skipped else "found an empty file"
        raise PipelineError(path, None, f"[file] no cloze item; {reason}, {_WANTED}")
    return ClozeItems(tuple(items), tuple(skipped))


def cloze_item_from_json(value: Mapping[str, Any]) -> ClozeItem:
    """Return the cloze item of a JSON object; raises `ValueError` with the field and the reason."""
    known = (*REQUIRED, *OPTIONAL)
    for key in value:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            expected = f"did you mean {near[0]!r}?" if near else f"expected {', '.join(known)}"
            raise ValueError(f"[record] unknown field; found {shown(key)}, {expected}")
    name, schema, lang, text, pronoun = (text_field(value, key) for key in ("id", "schema", "lang", "text", "pronoun"))
    for key, content in (("id", name), ("schema", schema)):
        if not content.strip():
            raise ValueError(f"[{key}] empty; found {shown(content)}, expected a name")
    source, register = (text_field(value, key) if key in value else "" for key in ("source", "register"))
    left, right = _parts(text)
    antecedents = _antecedents(field_of(value, "antecedents", list, "two antecedents"), text)
    gold = field_of(value, "gold", int, "the index of an antecedent")
    if gold not in (0, 1):
        raise ValueError(f"[gold] no such antecedent; found {gold}, expected 0 or 1")
    gender, expected = antecedents[gold].gender, pronoun_classes(lang).pronouns[antecedents[gold].gender]
    if pronoun not in (expected, expected.capitalize()):
        reason = f"found {shown(pronoun)}, expected {shown(expected)}, or with a capital at the beginning of a sentence"
        raise ValueError(f"[pronoun] not the pronoun of the right antecedent ({gender}); {reason}")
    _require_case(pronoun, left)
    return ClozeItem(
        id=name,
        schema=schema,
        lang=lang,
        left=left,
        right=right,
        pronoun=pronoun,
        gender=gender,
        antecedents=antecedents,
        gold=gold,
        source=source,
        register=register,
    )


def _parts(text: str) -> tuple[str, str]:
    """Return the text before and after its gap; raises `ValueError` if it has none, or several."""
    if len(text) > MAX_TEXT:
        raise ValueError(f"[text] too long; found {len(text)} characters, expected at most {MAX_TEXT}")
    if text.count("_") != len(GAP) or GAP not in text:
        raise ValueError(f"[text] not one gap; found {shown(text)}, expected {GAP} once and no other underscore")
    left, _, right = text.partition(GAP)
    if left[-1:].isalnum() or right[:1].isalnum():
        raise ValueError(f"[text] gap inside a word; found {shown(left[-10:] + GAP + right[:10])}, expected blanks")
    return left, right


def _antecedents(values: Sequence[object], text: str) -> tuple[Antecedent, ...]:
    """Return both antecedents; raises `ValueError` if there are not two of different gender, in the order of the text."""
    if len(values) != 2 or not all(isinstance(value, dict) for value in values):
        raise ValueError(f"[antecedents] found {shown(values)}, expected two objects with text and gender")
    antecedents = []
    for value in values:
        assert isinstance(value, dict)  # noqa: S101  # checked above; for mypy
        if more := sorted(value.keys() - {"text", "gender"}):
            raise ValueError(f"[antecedents] unknown field; found {shown(more[0])}, expected text and gender")
        phrase, gender = text_field(value, "text"), field_of(value, "gender", str, "a gender")
        if not is_gender(gender):
            raise ValueError(f"[gender] unknown gender; found {shown(gender)}, expected one of {', '.join(GENDERS)}")
        if not phrase.strip() or phrase.casefold() not in text.casefold():
            raise ValueError(f"[antecedents] not in the text; found {shown(phrase)}, expected words of {shown(text)}")
        antecedents.append(Antecedent(phrase, gender))
    first, second = antecedents
    if first.gender == second.gender:
        raise ValueError(f"[gender] same gender twice; found {first.gender}, expected two genders")
    if text.casefold().find(first.text.casefold()) >= text.casefold().rfind(second.text.casefold()):
        reason = f"found {shown(first.text)} before {shown(second.text)}, expected the order of the text"
        raise ValueError(f"[antecedents] out of order; {reason}")
    return first, second


def _require_case(pronoun: str, left: str) -> None:
    """Raise `ValueError` if a pronoun lacks its capital at the beginning of a text, or has one inside a sentence."""
    before = left.rstrip()[-1:]
    if not before and pronoun[:1].islower():
        raise ValueError(f"[pronoun] no capital at the beginning of the text; found {shown(pronoun)}")
    if (before.isalnum() or before == ",") and pronoun[:1].isupper():
        raise ValueError(f"[pronoun] capital inside a sentence; found {shown(pronoun)} after {shown(left[-20:])}")


def _winograd_item(value: Mapping[str, Any]) -> ClozeItem | None:
    """Return the cloze item of a Winograd item; None if its target is no pronoun that has a class."""
    if "target" not in value or "findings" in value:
        raise ValueError(f"[record] {shown_kind(value)}; {_WANTED}")
    item = item_from_json(value)
    lang = item.lang.split("-")[0]
    pronoun = item.target.of(item.text)
    gender = pronoun_classes(lang).gender_of(pronoun)
    if gender is None:
        return None
    left, right = item.text[: item.target.start], item.text[item.target.end :]
    return ClozeItem(
        id=item.id,
        schema=item.schema,
        lang=lang,
        left=left,
        right=right,
        pronoun=pronoun,
        gender=gender,
        source=item.source,
    )
