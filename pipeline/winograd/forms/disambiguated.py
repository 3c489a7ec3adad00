"""Texts in which an expression for each candidate stands for the target, one of them right."""

from collections.abc import Iterable

from ...core.model import Item
from ...core.records import span_to_json
from ...language.grammar import GRAMMARS
from ...language.grammar.base import GrammarError, Substitution
from .derived import DerivedForm, UnmadeItem, derived

FORM = "disambiguated"


def substituted(items: Iterable[Item], form: str) -> tuple[list[tuple[Item, list[Substitution]]], list[UnmadeItem]]:
    """Return the items with the text that has each candidate in turn, and those of which it cannot be made for all."""
    made, unmade = [], []
    for item in items:
        grammar = GRAMMARS.get(item.lang)
        if grammar is None:
            reason = f"[lang] no grammar; found {item.lang!r}, expected one of {', '.join(GRAMMARS)}"
            unmade.append(UnmadeItem(form, item.id, reason))
            continue
        try:
            made.append((item, [grammar.substitute(item, index) for index in range(len(item.candidates))]))
        except GrammarError as error:
            unmade.append(UnmadeItem(form, item.id, str(error)))
    return made, unmade


def disambiguated(items: Iterable[Item]) -> DerivedForm:
    """Return for each candidate of an item the disambiguated text (Mandarinograd, LREC 2020, section 3.1, note 6).

    A row has ``text``, the ``span`` of the expression in it, whether it is ``correct``, and in ``changes`` what differs from
    replacing the pronoun by the candidate as it is given (see the grammar of the language).
    """
    made, unmade = substituted(items, FORM)
    rows = (
        {
            "id": f"{item.id}-{index}",
            "item": item.id,
            "schema": item.schema,
            "text": one.text,
            "span": span_to_json(one.span),
            "candidate": item.candidates[index],
            "correct": index == item.answer,
            "changes": list(one.changes),
        }
        for item, found in made
        for index, one in enumerate(found)
    )
    return derived(rows, unmade)
