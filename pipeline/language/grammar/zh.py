"""Mandarin: candidates in the target's place, questions as statements."""

import re
from dataclasses import dataclass, replace
from functools import cache

from ...core.errors import PipelineError
from ...core.model import Item, Span
from ...core.rules import RULES
from ...core.yamlfile import expression_at, line_of, load_yaml, require_mapping, text_of, texts_of
from ..questions import question_table
from ..segmentation import cut, first_word, tag_of
from .base import GrammarError, Substitution, clause_at

_FIELDS = frozenset({"asks", "asks-nothing", "which", "particles", "bare-kin", "reflexive", "place-coverbs"})
_DE = "的"
_CLAUSE = "，。；！？：,;!?\n"
_END = re.compile(r"[\s？?。.！!]+$")


@dataclass(frozen=True, slots=True)
class _Words:
    """The tables of rules/grammar/zh.yaml, and from rules/words the kinship terms that take a possessor with 的."""

    asks: re.Pattern[str]
    particles: re.Pattern[str]
    kin: frozenset[str]
    reflexive: str
    place_coverbs: frozenset[str]


@cache
def _words() -> _Words:
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
    return _Words(
        asks=re.compile(f"(?:{nothing})|(?P<ask>{which}|{asks})"),
        particles=re.compile(f"(?:{particles})+$"),
        kin=frozenset(texts_of(document, "kin", lists)) - frozenset(texts_of(node, "bare-kin", path, empty=True)),
        reflexive=text_of(node, "reflexive", path),
        place_coverbs=frozenset(texts_of(node, "place-coverbs", path)),
    )


def substitute(item: Item, index: int) -> Substitution:
    """Return the text with the candidate in the target's place.

    `changes` are: a possessor keeps or gets one 的 (``possessor-de``, ``one-de``), a zero too if its question asks whose, a
    reflexive stays (``reflexive-kept``), a zero takes the coverb of its question (``coverb-added``), and an answer that is a
    clause is reduced to the part that the target means (``part-of-clause``). Mandarinograd (LREC 2020), section 3.2 and note 6.

    Raises:
        GrammarError: the candidate is a clause, and it is unclear which part of it the target means.
    """
    head, form, tail = item.text[: item.target.start], item.target.of(item.text), item.text[item.target.end :]
    name, changes = item.candidates[index], []
    if _is_clause(item, index):
        name = _part_of_clause(item, index)
        changes.append("part-of-clause")
    before, after = "", ""
    if not form:
        before = _coverb(item, head)
        if before:
            changes.append("coverb-added")
    if form.endswith(_words().reflexive):
        after = _words().reflexive
        changes.append("reflexive-kept")
    elif form.endswith(_DE) or (form and first_word(tail) in _words().kin) or (not form and _owns(item, tail)):
        after = _DE
        changes.append("possessor-de")
    if name.endswith(_DE) and (after or tail).startswith(_DE):
        name = name.removesuffix(_DE)
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
    ask, noun = _ask(item.question), first_word(tail)
    asked = item.question[ask.end :] if ask else ""
    return noun != "" and (asked.startswith(f"{_DE}{noun}") or (noun in _words().kin and asked.startswith(noun)))


def _coverb(item: Item, head: str) -> str:
    """Return the coverb of place before the question word, if the text has none before the zero."""
    ask = _ask(item.question)
    coverb = item.question[ask.start - 1 : ask.start] if ask and ask.start else ""
    return coverb if coverb in _words().place_coverbs and not head.endswith(coverb) else ""


def _asks(question: str) -> list[Span]:
    asks = [Span(*match.span("ask")) for match in _words().asks.finditer(question) if match["ask"]]
    persons = [span for span in asks if span.of(question).startswith("谁")]
    return persons or asks  # in 谁什么时候发工资 only 谁 asks for a candidate


def _ask(question: str) -> Span | None:
    asks = _asks(question)
    return asks[0] if asks else None


def _is_clause(item: Item, index: int) -> bool:
    """Return whether a candidate is a clause: it is not in the text and has all characters of the question in order."""
    candidate, ask = item.candidates[index], _ask(item.question)
    if candidate in item.text or ask is None:
        return False
    asked = "".join(re.split("谁", _END.sub("", item.question)))
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


def hypothesis(item: Item, index: int) -> str:
    """Return the question as a statement with the candidate in the question word's place (LREC 2020, section 2.2, example 2).

    A question that is only part of the target's clause (谁的空杯子？) gives the whole clause.

    Raises:
        GrammarError: no question word, or several; a pronoun after the question word.
    """
    question = _words().particles.sub("", _END.sub("", item.question))
    asks = _asks(question)
    if not asks:
        raise GrammarError(f"[question] no question word; found {item.question!r}, expected 谁, 什么, 哪里 or the like")
    if _is_clause(item, index):
        return f"{item.candidates[index]}。"
    if len(asks) > 1:
        raise GrammarError(f"[question] several question words; found {item.question!r}, expected one")
    ask = _with_noun(question, asks[0])
    if re.match("[他她它]", question[ask.end :]):
        raise GrammarError(f"[question] pronoun after the question word; found {item.question!r}")
    if _is_fragment(item, question, ask):
        whole = substitute(item, index)
        return clause_at(whole.text, whole.span, _CLAUSE).of(whole.text) + "。"
    name, rest = item.candidates[index], question[ask.end :]
    if _DE in name and rest.startswith(owned := name[name.rindex(_DE) :]):
        ask = Span(ask.start, ask.end + len(owned))  # 谁的画: the candidate 他的画 replaces all of it
    asked = replace(item, text=question, target=ask)
    return f"{substitute(asked, index).text}。"


@cache
def _opener() -> re.Pattern[str]:
    return re.compile(f"(?:{question_table('zh').connectives.pattern})$")


def _with_noun(question: str, ask: Span) -> Span:
    """Return the question word extended by its noun: 哪个 in 哪个城市 becomes 哪个城市."""
    if not ask.of(question).startswith("哪") or ask.of(question) in ("哪里", "哪儿"):
        return ask
    noun = first_word(question[ask.end :])
    return Span(ask.start, ask.end + len(noun)) if tag_of(noun).startswith("n") else ask


def _is_fragment(item: Item, question: str, ask: Span) -> bool:
    """Return whether a question is less than a clause: a noun phrase (谁的空杯子) or a single verb (保护什么)."""
    before, after = question[: ask.start], question[ask.end :]
    head, tail = item.text[: item.target.start], item.text[item.target.end :]
    inside = bool(head) and head[-1] not in _CLAUSE and not _opener().search(head)
    if not before:
        return inside and after.startswith(_DE) and tail.startswith(after)
    return not after and inside and head.endswith(before) and len(cut(before)) == 1 and tag_of(before).startswith("v")
