"""Mandarin: candidates in the target's place."""

import re
from dataclasses import dataclass
from functools import cache

from ...core.errors import PipelineError
from ...core.model import Item, Span
from ...core.rules import RULES
from ...core.yamlfile import expression_at, line_of, load_yaml, require_mapping, text_of, texts_of
from ..segmentation import first_word
from .base import GrammarError, Substitution

_FIELDS = frozenset({
    "asks", "asks-nothing", "which", "particles", "bare-kin", "reflexive", "place-coverbs", "leaning", "dangling",
    "determiners",
})  # fmt: skip
DE = "的"
END = re.compile(r"[\s？?。.！!]+$")


@dataclass(frozen=True, slots=True)
class Words:
    """The tables of rules/grammar/zh.yaml, and from rules/words the kinship terms that take a possessor with 的."""

    asks: re.Pattern[str]
    particles: re.Pattern[str]
    kin: frozenset[str]
    reflexive: str
    place_coverbs: frozenset[str]
    leaning: frozenset[str]
    dangling: frozenset[str]
    determiner: re.Pattern[str]


@cache
def words() -> Words:
    """Return the tables; raises `PipelineError` if one is missing or malformed."""
    path = RULES / "grammar" / "zh.yaml"
    node = require_mapping(load_yaml(path), path, required=_FIELDS)
    asks, nothing, particles = (
        "|".join(map(re.escape, sorted(texts_of(node, name, path), key=len, reverse=True)))
        for name in ("asks", "asks-nothing", "particles")
    )
    which = text_of(node, "which", path)
    expression_at(which, path, line_of(node, "which"), "which")
    lists = RULES / "words" / "zh.yaml"
    document = load_yaml(lists)
    if not isinstance(document, dict) or "kin" not in document:
        raise PipelineError(lists, None, "[kin] missing list; expected the kinship terms that take a possessor bare")
    return Words(
        asks=re.compile(f"(?:{nothing})|(?P<ask>{which}|{asks})"),
        particles=re.compile(f"(?:{particles})+$"),
        kin=frozenset(texts_of(document, "kin", lists)) - frozenset(texts_of(node, "bare-kin", path, empty=True)),
        reflexive=text_of(node, "reflexive", path),
        place_coverbs=frozenset(texts_of(node, "place-coverbs", path)),
        leaning=frozenset(texts_of(node, "leaning", path)),
        dangling=frozenset(texts_of(node, "dangling", path)),
        determiner=expression_at(text_of(node, "determiners", path), path, line_of(node, "determiners"), "determiners"),
    )


def substitute(item: Item, index: int) -> Substitution:
    """Return the text with the candidate in the target's place.

    `changes` are: a possessor keeps or gets one 的 (``possessor-de``, ``one-de``), a zero too if its question asks whose, a
    reflexive stays (``reflexive-kept``), a zero takes the coverb of its question (``coverb-added``), a noun keeps its 这个 or
    那个 (``determiner``), and an answer that is a clause is reduced to the part that the target means (``part-of-clause``).
    Mandarinograd (LREC 2020), section 3.2 and note 6.

    Raises:
        GrammarError: the candidate is a clause, and it is unclear which part of it the target means.
    """
    head, form, tail = item.text[: item.target.start], item.target.of(item.text), item.text[item.target.end :]
    name, changes = item.candidates[index], []
    if is_clause(item, index):
        name = _part_of_clause(item, index)
        changes.append("part-of-clause")
    before, after = "", ""
    if determiner := _determiner(item, index):
        name = f"{determiner}{name}"
        changes.append("determiner")
    if not form:
        before = _coverb(item, head)
        if before:
            changes.append("coverb-added")
    if form.endswith(words().reflexive):
        after = words().reflexive
        changes.append("reflexive-kept")
    elif form.endswith(DE) or (form and first_word(tail) in words().kin) or (not form and _owns(item, tail)):
        after = DE
        changes.append("possessor-de")
    if name.endswith(DE) and (after or tail).startswith(DE):
        name = name.removesuffix(DE)
        changes.append("one-de")
    start = len(head) + len(before)
    return Substitution(
        text=f"{head}{before}{name}{after}{tail}",
        span=Span(len(head), start + len(name) + len(after)),
        name=Span(start, start + len(name)),
        changes=tuple(changes),
    )


def _owns(item: Item, tail: str) -> bool:
    """Return whether a zero is a possessor: the question asks whose for the noun that follows (谁的车尾, 谁妈妈).

    A zero leaves out 的 with the pronoun, but a noun before what it has takes 的 (Li and Thompson 1989, section 4.2).
    """
    ask, noun = _ask_of(item.question), first_word(tail)
    asked = item.question[ask.end :] if ask else ""
    return noun != "" and (asked.startswith(f"{DE}{noun}") or (noun in words().kin and asked.startswith(noun)))


def _determiner(item: Item, index: int) -> str:
    """Return this or that with its classifier if a noun has it wherever the text names it: 那个 for 顾客 in 那个顾客走了."""
    name = item.candidates[index]
    other = item.text[: item.target.start] + "\n" + item.text[item.target.end :]
    mentions = [other[: match.start()] for match in re.finditer(re.escape(name), other)]
    determiners = {match[0] for text in mentions if (match := re.search(words().determiner.pattern + "$", text))}
    determiner = determiners.pop() if len(determiners) == 1 else ""
    return determiner if not re.search("[A-Za-z]", name[:1]) else ""


def _coverb(item: Item, head: str) -> str:
    """Return the coverb of place before the question word, if the text has none before the zero."""
    ask = _ask_of(item.question)
    coverb = item.question[ask.start - 1 : ask.start] if ask and ask.start else ""
    return coverb if coverb in words().place_coverbs and not head.endswith(coverb) else ""


def asks_of(question: str) -> list[Span]:
    """Return the places of the words that ask for a candidate."""
    asks = [Span(*match.span("ask")) for match in words().asks.finditer(question) if match["ask"]]
    persons = [span for span in asks if span.of(question).startswith("谁")]
    return persons or asks  # in 谁什么时候发工资 only 谁 asks for a candidate


def _ask_of(question: str) -> Span | None:
    asks = asks_of(question)
    return asks[0] if asks else None


def is_clause(item: Item, index: int) -> bool:
    """Return whether a candidate is a clause: it is not in the text and has all characters of the question in order."""
    candidate, ask = item.candidates[index], _ask_of(item.question)
    if candidate in item.text or ask is None:
        return False
    asked = "".join(re.split("谁", END.sub("", item.question)))
    rest = iter(candidate)
    return len(asked) > 1 and all(character in rest for character in asked)


def _part_of_clause(item: Item, index: int) -> str:
    """Return the part of a clause that the target means: what follows the words that precede the target in the text."""
    head, candidate = item.text[: item.target.start], item.candidates[index]
    for length in range(min(6, len(head)), 1, -1):
        words = head[-length:]
        if words in candidate and not candidate.endswith(words):
            return candidate.split(words, 1)[1]
    raise GrammarError(
        f"[candidates] unclear which part of the clause the target means; found {candidate!r}, expected the words before the target"
    )
