"""What an experiment shows: cloze items, fillers, practice and attention trials, texts of the page."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec

from ...core.convert import Text, WordTable, convert_node, error_at
from ...core.errors import PipelineError, shown
from ...core.yamlfile import load_yaml
from ...evaluation.cloze.items import read_cloze_items
from ...winograd import cloze as fillers
from .records import BACKGROUND

#: Keys of the texts of the page. A text may have several paragraphs, with a blank line between them.
TEXTS = (
    "title", "responsible", "demonstration", "consent-title", "consent", "consent-adult", "consent-agree", "consent-missing", "agree",
    "background-title", "background", "not-stated", "choose", "missing", "next",
    "instruction-title", "instruction", "practice", "begin-title", "begin", "start", "question", "confidence", "low", "high", "progress",
    "feedback", "withdraw", "withdraw-question", "withdraw-explained", "withdraw-yes", "withdraw-no", "withdrawn-title", "withdrawn",
    "withdrawn-waiting", "sending-title", "sending", "end-title", "end", "end-file", "file", "saved", "leave",
    "again-title", "again", "anew", "forget",
    "offline", "refused", "no-storage", "no-list", "retry", "other-window", "gap",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with a gap, and the right pronoun in lower case: empty if none is right, with `OR` between them if several are."""

    id: str
    text: str
    pronoun: str


@dataclass(frozen=True, slots=True)
class Item(Sentence):
    """A test item: a member of the pair `schema`; `place` is that of its right antecedent, first or second."""

    schema: str
    place: str
    register: str


@dataclass(frozen=True, slots=True)
class Filler(Sentence):
    """A sentence with one antecedent."""

    register: str


@dataclass(frozen=True, slots=True)
class Practice(Sentence):
    """A sentence to practise with, whose answer is explained in `feedback`."""

    feedback: str


class Question(msgspec.Struct, frozen=True):
    """A question on the background: its text, and the answers to choose from with the code of each."""

    question: Text
    answers: WordTable


@dataclass(frozen=True, slots=True)
class Design:
    """The file of an experiment: how long its lists are, its own sentences, the texts of its page."""

    items: int
    fillers: int
    attention_trials: int
    practice: tuple[Practice, ...]
    attention: tuple[Sentence, ...]
    background: Mapping[str, Question]
    texts: Mapping[str, str]  # by the names in `TEXTS`


def read_items(path: Path) -> tuple[str, list[Item]]:
    """Return the language of a file of cloze items, and the items.

    Raises:
        PipelineError: a line is malformed, an item has no antecedents or no register, or the items are in several languages.
    """
    items = []
    cloze = read_cloze_items(path).items
    lang = cloze[0].lang
    for item in cloze:
        if not item.place or not item.register:
            reason = f"[register] found no antecedents or no register of {item.id}, expected cloze items with both"
            raise PipelineError(path, None, reason)
        if item.lang != lang:
            raise PipelineError(path, None, f"[lang] found {item.lang} of {item.id}, expected {lang} as before it")
        pronoun = item.pronoun.casefold()
        items.append(Item(item.id, item.text(), pronoun, item.schema, item.place, item.register))
    return lang, items


def read_fillers(path: Path, lang: str) -> list[Filler]:
    """Return the fillers of a YAML file, for a language."""
    return [Filler(entry.id, entry.text, entry.answer, entry.register) for entry in fillers.read_fillers(path, lang)]


class _Practice(msgspec.Struct, frozen=True):
    id: Text
    text: Text
    feedback: Text


class _Attention(msgspec.Struct, frozen=True):
    id: Text
    text: Text
    expected: Text


class _Lists(msgspec.Struct, frozen=True):
    items: Annotated[int, msgspec.Meta(ge=1, le=200, description="a whole number from 1 to 200")]
    fillers: Annotated[int, msgspec.Meta(ge=3, le=200, description="a whole number from 3 to 200")]
    attention: Annotated[int, msgspec.Meta(ge=0, le=200, description="a whole number from 0 to 200")]


class _DesignFile(msgspec.Struct, frozen=True):
    lists: _Lists
    practice: Annotated[tuple[_Practice, ...], msgspec.Meta(min_length=1, description="a list of sentences")]
    attention: Annotated[tuple[_Attention, ...], msgspec.Meta(min_length=1, description="a list of sentences")]
    background: Mapping[Text, Question]
    texts: Mapping[Text, Text]


def read_design(path: Path, lang: str) -> Design:
    """Return the design of an experiment from a YAML file, for a language."""
    node = load_yaml(path)
    written = convert_node(node, _DesignFile, path)
    for key, names in (("background", BACKGROUND), ("texts", TEXTS)):
        fields = [(name.replace("-", "_"), Any) for name in names]
        convert_node(
            node[key], msgspec.defstruct(key, fields, rename={name.replace("-", "_"): name for name in names}), path
        )
    fillers.require_gaps(node["practice"], path)
    fillers.require_gaps(node["attention"], path, "expected", lang)
    lists, attention = written.lists, written.attention
    if lists.attention > len(attention):
        reason = f"too few attention trials; found {len(attention)}, expected {lists.attention} for a list"
        raise error_at(node, path, ("lists", "attention"), reason)
    return Design(
        lists.items,
        lists.fillers,
        lists.attention,
        tuple(Practice(entry.id, entry.text, "", entry.feedback) for entry in written.practice),
        tuple(Sentence(entry.id, entry.text, entry.expected) for entry in attention),
        {name: written.background[name] for name in BACKGROUND},
        {name: written.texts[name].strip() for name in TEXTS},
    )


def require_unique_ids(sentences: Sequence[Sentence]) -> None:
    """Raise `PipelineError` if items, fillers, practice and attention trials share an id."""
    twice = [name for name, number in Counter(sentence.id for sentence in sentences).items() if number > 1]
    if twice:
        reason = f"found {shown(twice[0])} twice, expected one among items, fillers, practice and attention trials"
        raise PipelineError(None, None, f"[id] not unique; {reason}")
