"""Files of cloze items: texts with a gap for a pronoun, and two antecedents of different gender."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.convert import convert
from ...core.errors import PipelineError, shown
from ...core.files import parse_jsonl, read_text, require_unique
from ...core.hints import shown_kind
from ...core.records import STAMP, item_from_json
from ...language.pronoun_classes import GAP, Gender, PronounClasses, pronoun_classes
from ...winograd.cloze import Antecedent, ClozeRow

#: Places of an antecedent.
PLACES = ("first", "second")
#: Maximum length of a text, in characters: models read some hundred tokens.
MAX_TEXT = 4000
_WANTED = "expected cloze items (id, schema, lang, text, antecedents, gold, pronoun), or items of a release"


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

    A cloze item is a `ClozeRow`. Its gap stands between words, its antecedents differ in gender and have the order of the text, and its
    pronoun has a capital at the beginning of a text and none after a letter or a comma.

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
        require_unique(places, value["id"], path, line)
        if item is None:
            skipped.append(value["id"])
        else:
            items.append(item)
    if not items:
        reason = f"all {len(skipped)} have another target" if skipped else "found an empty file"
        raise PipelineError(path, None, f"[file] no cloze item; {reason}, {_WANTED}")
    return ClozeItems(tuple(items), tuple(skipped))


def cloze_item_from_json(value: Mapping[str, Any]) -> ClozeItem:
    """Return the cloze item of a JSON object, also of a row of a release; raises `ValueError` with the field and the reason."""
    row = convert({field: content for field, content in value.items() if field not in STAMP}, ClozeRow)
    left, right = _parts(row.text)
    _require_order(row.antecedents, row.text)
    gender = row.antecedents[row.gold].gender
    expected = pronoun_classes(row.lang).pronouns[gender]
    if row.pronoun not in (expected, expected.capitalize()):
        wanted = f"expected {shown(expected)}, or with a capital at the beginning of a sentence"
        reason = f"not the pronoun of the right antecedent ({gender}); found {shown(row.pronoun)}, {wanted}"
        raise ValueError(f"[pronoun] {reason}")
    _require_case(row.pronoun, left)
    return ClozeItem(
        id=row.id,
        schema=row.schema,
        lang=row.lang,
        left=left,
        right=right,
        pronoun=row.pronoun,
        gender=gender,
        antecedents=row.antecedents,
        gold=row.gold,
        source=row.source,
        register=row.register,
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


def _require_order(antecedents: tuple[Antecedent, Antecedent], text: str) -> None:
    """Raise `ValueError` if antecedents have one gender, or are not in the text in their order."""
    folded = text.casefold()
    for phrase in (antecedent.text for antecedent in antecedents):
        if phrase.casefold() not in folded:
            raise ValueError(f"[antecedents] not in the text; found {shown(phrase)}, expected words of {shown(text)}")
    first, second = antecedents
    if first.gender == second.gender:
        raise ValueError(f"[gender] same gender twice; found {first.gender}, expected two genders")
    if folded.find(first.text.casefold()) >= folded.rfind(second.text.casefold()):
        reason = f"found {shown(first.text)} before {shown(second.text)}, expected the order of the text"
        raise ValueError(f"[antecedents] out of order; {reason}")


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
