"""Pairs of a premise and a hypothesis: the text, and the question as a statement about a candidate."""

from collections.abc import Iterable

from ...core.model import Item
from ...language.grammar import GRAMMARS
from ...language.grammar.base import GrammarError
from .derived import DerivedForm, Row, UnmadeItem, derived

FORM = "nli"
ENTAILMENT, NO_ENTAILMENT = "ENTAILMENT", "NO ENTAILMENT"


def nli(items: Iterable[Item]) -> DerivedForm:
    """Return for each candidate of an item a premise and a hypothesis (Mandarinograd, LREC 2020, section 2.2, example 2).

    The hypothesis about the right candidate follows from the premise (ENTAILMENT), that about the other does not. A question
    that cannot be turned into a statement for all candidates leaves its item unmade.
    """
    rows: list[Row] = []
    unmade = []
    for item in items:
        grammar = GRAMMARS.get(item.lang)
        if grammar is None:
            reason = f"[lang] no grammar; found {item.lang!r}, expected one of {', '.join(GRAMMARS)}"
            unmade.append(UnmadeItem(FORM, item.id, reason))
            continue
        try:
            hypotheses = [grammar.hypothesis(item, index) for index in range(len(item.candidates))]
        except GrammarError as error:
            unmade.append(UnmadeItem(FORM, item.id, str(error)))
            continue
        rows += [
            {
                "id": f"{item.id}-{index}",
                "item": item.id,
                "schema": item.schema,
                "premise": item.text,
                "hypothesis": hypothesis,
                "label": ENTAILMENT if index == item.answer else NO_ENTAILMENT,
            }
            for index, hypothesis in enumerate(hypotheses)
        ]
    return derived(rows, unmade)
