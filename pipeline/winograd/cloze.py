"""Cloze items, texts with a gap for the pronoun beside both antecedents with their genders; and fillers, with one antecedent."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from ..core.convert import Text
from ..core.errors import PipelineError, shown
from ..core.model import Item
from ..core.yamlfile import kind_of, line_of, load_yaml, require_mapping, text_of
from ..language.pronoun_classes import GAP, Gender, PronounClasses, pronoun_classes
from .analysis import Analysis

#: The data files of a release of cloze items: the items with a gap, and with their pronoun.
CLOZE, ITEMS = "cloze", "winograd"


class Antecedent(msgspec.Struct, frozen=True):
    """A noun phrase that the gap may take up: as the text has it, and its grammatical gender."""

    text: Text
    gender: Gender


class ClozeRow(msgspec.Struct, frozen=True):
    """A line of a file of cloze items; ``text`` has `GAP` once, ``gold`` is the index of the right antecedent, ``pronoun`` its pronoun."""

    id: Text
    schema: Text
    lang: Text
    text: Text
    antecedents: tuple[Antecedent, Antecedent]
    gold: Literal[0, 1]
    pronoun: Text
    version: str = ""
    source: str = ""
    register: str = ""
    kind: str = ""
    question: str = ""
    gloss: str = ""
    note: str = ""


def cloze_item(item: Item, analysis: Analysis) -> dict[str, Any]:
    """Return the JSON object of the cloze item of an item, which `winoforge evaluate cloze` reads.

    Raises:
        PipelineError: the analysis gives no genders.
    """
    if len(analysis.genders) != len(item.candidates):
        reason = f"[cloze] no genders of {item.id}; found none in its schema, expected one for each candidate"
        raise PipelineError(None, None, reason)
    antecedents = zip(item.candidates, analysis.genders, strict=True)
    return {
        "id": item.id,
        "schema": item.schema,
        "lang": item.lang,
        "text": f"{item.text[: item.target.start]}{GAP}{item.text[item.target.end :]}",
        "antecedents": [{"text": text, "gender": gender} for text, gender in antecedents],
        "gold": item.answer,
        "pronoun": item.target.of(item.text),
        "version": item.version,
        "source": item.source,
        "register": analysis.register,
        "kind": analysis.kind,
        "question": item.question,
        "gloss": analysis.gloss,
        "note": item.note,
    }


def cloze_items(items: Iterable[Item], analyses: Mapping[str, Analysis]) -> list[dict[str, Any]]:
    """Return the JSON objects of the cloze items of items, in their order; raises `PipelineError` if an analysis gives no genders."""
    return [cloze_item(item, analyses[item.id]) for item in items]


# --- fillers --------------------------------------------------------------------------------------------------------------


#: The fields of a filler, in the order of its JSON object.
FIELDS = ("id", "register", "text", "answer", "antecedent")


@dataclass(frozen=True, slots=True)
class Filler:
    """A sentence with `GAP` once: `answer` fills it, in lower case; `antecedent` is in the nominative, with its article."""

    id: str
    register: str
    text: str
    answer: str
    antecedent: str


def filler_to_json(filler: Filler, lang: str) -> dict[str, Any]:
    """Return the JSON object of a filler, which has its language after its id."""
    fields = asdict(filler)
    return {"id": fields.pop("id"), "lang": lang, **fields}


def read_fillers(path: Path, lang: str) -> list[Filler]:
    """Return the fillers of a YAML file, in its order: a list of entries with the fields `FIELDS`.

    Raises:
        PipelineError: the file is not such a list or empty, a field is missing, unknown or no text, an id occurs twice, a text has not
            one gap, or an answer is no nominative pronoun of the language.
    """
    classes = pronoun_classes(lang)
    fillers = []
    for node in entries_of(load_yaml(path), path, frozenset(FIELDS)):
        fields = {name: text_of(node, name, path) for name in FIELDS}
        fields |= {"text": text_with_gap(node, path), "answer": pronoun_at(node, "answer", classes, path)}
        fillers.append(Filler(**fields))
    return fillers


def entries_of(nodes: Any, path: Path, fields: frozenset[str]) -> list[Any]:
    """Return the mappings of a list, which must have these fields, ids of their own and at least one entry."""
    if not isinstance(nodes, list) or not nodes:
        actual = kind_of(nodes) if nodes else "nothing"
        raise PipelineError(path, line_of(nodes), f"[yaml] wrong kind; found {actual}, expected a list of sentences")
    entries = [require_mapping(node, path, required=fields) for node in nodes]
    seen: set[str] = set()
    for entry in entries:
        name = text_of(entry, "id", path)
        if name in seen:
            raise PipelineError(path, line_of(entry, "id"), f"[id] not unique; found {shown(name)} twice")
        seen.add(name)
    return entries


def text_with_gap(node: Any, path: Path) -> str:
    """Return the text of an entry, which must have one gap and no other underscore."""
    text = text_of(node, "text", path)
    if text.count(GAP) != 1 or text.count("_") != len(GAP):
        reason = f"[text] not one gap; found {shown(text)}, expected {GAP} once"
        raise PipelineError(path, line_of(node, "text"), reason)
    return text


def pronoun_at(node: Any, key: str, classes: PronounClasses, path: Path) -> str:
    """Return the right pronoun of an entry."""
    pronoun, known = text_of(node, key, path), list(classes.pronouns.values())
    if pronoun not in known:
        reason = f"[{key}] no such pronoun; found {shown(pronoun)}, expected one of {', '.join(known)}"
        raise PipelineError(path, line_of(node, key), reason)
    return pronoun
