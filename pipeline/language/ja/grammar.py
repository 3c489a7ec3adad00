"""Japanese: a candidate in the pronoun's place, which keeps its particle, and a question as a statement."""

import re
from functools import cache
from typing import Annotated

import msgspec

from ...core.convert import Words, read_yaml
from ...core.model import Item, Span
from ...core.rules import RULES
from ..grammar.base import GrammarError, Substitution, mere_substitution
from ..segmentation import any_of


class JapaneseWords(msgspec.Struct, frozen=True, rename={"question_ends": "question-ends"}):
    """The tables of rules/grammar/ja.yaml, which explains each."""

    asks: Words
    particles: Words
    question_ends: Annotated[
        dict[str, str], msgspec.Meta(min_length=1, description="endings with what a statement has")
    ]
    copulas: Words


@cache
def words() -> JapaneseWords:
    """Return the tables of rules/grammar/ja.yaml; raises `PipelineError` if one is missing or malformed."""
    return read_yaml(RULES / "grammar" / "ja.yaml", JapaneseWords)


def substitute(item: Item, index: int) -> Substitution:
    """Return the text with a candidate in the target's place.

    Raises:
        GrammarError: the target is left out already, so that nothing tells which particle the candidate takes.
    """
    if item.already_zero:
        raise GrammarError(f"[target] left out in the text; found {item.text!r}, expected a pronoun with its particle")
    span = Span(item.target.start, item.target.start + len(item.candidates[index]))
    return Substitution(mere_substitution(item, index), span, span)


def hypothesis(item: Item, index: int) -> str:
    """Return the question as a statement, with the candidate in the place of its question word (誰が来たか: 太郎が来た).

    Raises:
        GrammarError: the question has no question word with a particle or copula, or several; or no ending of a question.
    """
    table = words()
    asks, ends, copulas = map(any_of, (table.asks, table.question_ends, table.copulas))
    particles = "|".join(map(re.escape, table.particles))
    question = item.question.strip().rstrip("？?。")
    places = list(re.finditer(f"(?:{asks})(?={particles}|(?:{copulas})?(?:{ends})?$)", question))
    if len(places) != 1:
        reason = f"found {item.question!r}, expected one question word with a particle, such as {table.asks[0]}が"
        raise GrammarError(f"[question] not about one word; {reason}")
    end = re.search(f"(?:{ends})$", question)
    if end is None or end.start() < places[0].end():
        reason = f"found {item.question!r}, expected one of {', '.join(table.question_ends)}"
        raise GrammarError(f"[question] no ending of a question; {reason}")
    before, between = question[: places[0].start()], question[places[0].end() : end.start()]
    # After the question word alone (笑ったのは誰か) a statement needs its copula.
    ending = table.question_ends[end[0]] or ("" if between else "だ")
    return f"{before}{item.candidates[index]}{between}{ending}。"
