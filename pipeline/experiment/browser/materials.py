"""What an experiment shows: cloze items, fillers, practice and attention trials, texts of the page."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ...core.yamlfile import line_of, load_yaml, mapping_of, require_mapping, table_of, text_of
from ...evaluation.cloze.items import read_cloze_items
from ...language.pronoun_classes import pronoun_classes
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
    """A sentence with a gap, and the right pronoun in lower case, which is empty if none is right."""

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


@dataclass(frozen=True, slots=True)
class Question:
    """A question on the background: its text, and the answers to choose from with the code of each."""

    name: str
    text: str
    answers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Design:
    """The file of an experiment: how long its lists are, its own sentences, the texts of its page."""

    items: int
    fillers: int
    attention_trials: int
    practice: tuple[Practice, ...]
    attention: tuple[Sentence, ...]
    background: tuple[Question, ...]
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


def read_design(path: Path, lang: str) -> Design:
    """Return the design of an experiment from a YAML file, for a language."""
    keys = frozenset({"lists", "practice", "attention", "background", "texts"})
    node = require_mapping(load_yaml(path), path, required=keys)
    lists = mapping_of(node, "lists", path, required=frozenset({"items", "fillers", "attention"}))
    classes = pronoun_classes(lang)
    practice = tuple(
        Practice(text_of(entry, "id", path), fillers.text_with_gap(entry, path), "", text_of(entry, "feedback", path))
        for entry in fillers.entries_of(node["practice"], path, frozenset({"id", "text", "feedback"}))
    )
    attention = tuple(
        Sentence(
            text_of(entry, "id", path),
            fillers.text_with_gap(entry, path),
            fillers.pronoun_at(entry, "expected", classes, path),
        )
        for entry in fillers.entries_of(node["attention"], path, frozenset({"id", "text", "expected"}))
    )
    questions = mapping_of(node, "background", path, required=frozenset(BACKGROUND))
    texts = mapping_of(node, "texts", path, required=frozenset(TEXTS))
    design = Design(
        _number(lists, "items", path, least=1),
        _number(lists, "fillers", path, least=3),
        _number(lists, "attention", path, least=0),
        practice,
        attention,
        tuple(_question(questions, name, path) for name in BACKGROUND),
        {name: text_of(texts, name, path).strip() for name in TEXTS},
    )
    if design.attention_trials > len(attention):
        reason = f"found {len(attention)}, expected {design.attention_trials} for a list"
        raise PipelineError(path, line_of(lists, "attention"), f"[attention] too few attention trials; {reason}")
    return design


def require_unique_ids(sentences: Sequence[Sentence]) -> None:
    """Raise `PipelineError` if items, fillers, practice and attention trials share an id."""
    twice = [name for name, number in Counter(sentence.id for sentence in sentences).items() if number > 1]
    if twice:
        reason = f"found {shown(twice[0])} twice, expected one among items, fillers, practice and attention trials"
        raise PipelineError(None, None, f"[id] not unique; {reason}")


def _question(questions: Any, name: str, path: Path) -> Question:
    node = mapping_of(questions, name, path, required=frozenset({"question", "answers"}))
    return Question(name, text_of(node, "question", path), table_of(node, "answers", path))


def _number(node: Any, key: str, path: Path, least: int) -> int:
    value = node[key]
    if type(value) is not int or not least <= value <= 200:
        reason = f"[{key}] found {shown(value)}, expected a whole number from {least} to 200"
        raise PipelineError(path, line_of(node, key), reason)
    return value
