"""Cloze items, texts with a gap for the pronoun beside both antecedents with their genders; and fillers, with one antecedent."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from ..core.convert import Text, convert_node, error_at, to_object
from ..core.errors import PipelineError, shown
from ..core.model import Item
from ..core.yamlfile import load_yaml
from ..language.pronoun_classes import GAP, Gender, pronoun_classes
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


#: Stands between the pronouns of an answer of which each is right.
OR = "|"


class Filler(msgspec.Struct, frozen=True):
    """A sentence with `GAP` once: `answer` fills it, in lower case; `antecedent` is in the nominative, with its article if it has one.

    A brand, a given name or a loanword may have several genders (Winograd German, section 2.2): `answer` then has each pronoun that is
    right, with `OR` between them; in YAML it is a list.
    """

    id: Text
    register: Text
    text: Text
    answer: Text
    antecedent: Text


def filler_to_json(filler: Filler, lang: str) -> dict[str, Any]:
    """Return the JSON object of a filler, which has its language after its id."""
    return {"id": filler.id, "lang": lang, **to_object(filler)}


def read_fillers(path: Path, lang: str) -> tuple[Filler, ...]:
    """Return the fillers of a YAML file, in its order.

    Raises:
        PipelineError: the file is no list of fillers or empty, an id occurs twice, a text has not one gap, or an answer is no
            nominative pronoun of the language.
    """
    node = load_yaml(path)
    for entry in node if isinstance(node, list) else ():
        answer = entry.get("answer") if isinstance(entry, dict) else None
        if isinstance(answer, list) and all(isinstance(word, str) for word in answer):
            entry["answer"] = OR.join(answer)
    sentences = Annotated[tuple[Filler, ...], msgspec.Meta(min_length=1, description="a list of sentences")]
    fillers: tuple[Filler, ...] = convert_node(node, sentences, path)
    require_gaps(node, path, "answer", lang, several=True)
    return fillers


def require_gaps(sentences: Any, path: Path, answer: str = "", lang: str = "", *, several: bool = False) -> None:
    """Raise `PipelineError` if in a YAML list of sentences an id occurs twice, a text has not one gap, or an answer is no pronoun.

    Args:
        answer: the key of the right pronoun; empty if the sentences have none.
        several: there may be several that differ, with `OR` between them.
    """
    known = list(pronoun_classes(lang).pronouns.values()) if answer else []
    ids: set[str] = set()
    for at, sentence in enumerate(sentences):
        if sentence["id"] in ids:
            raise error_at(sentences, path, (at, "id"), f"not unique; found {shown(sentence['id'])} twice")
        ids.add(sentence["id"])
        text = sentence["text"]
        if text.count(GAP) != 1 or text.count("_") != len(GAP):
            raise error_at(sentences, path, (at, "text"), f"not one gap; found {shown(text)}, expected {GAP} once")
        given = sentence[answer] if answer else ""
        words = given.split(OR) if several else [given]
        if (answer and not set(words) <= set(known)) or len(set(words)) < len(words):
            expected = f"one of {', '.join(known)}{', or several of them' if several else ''}"
            reason = f"no such pronoun; found {shown(given)}, expected {expected}"
            raise error_at(sentences, path, (at, answer), reason)
