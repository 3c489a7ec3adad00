"""Texts in which an expression for each candidate stands for the target, one of them right."""

from collections.abc import Iterable

from ..grammar import GRAMMARS
from ..grammar.base import GrammarError, Substitution
from ..model import Item
from ..records import span_to_json
from . import Derived, Row, Unmade, derived

FORM = "disambiguated"


def substitutions(item: Item, form: str) -> list[Substitution] | Unmade:
    """Return the text with each candidate in turn, or why it cannot be made for all of them."""
    grammar = GRAMMARS.get(item.lang)
    if grammar is None:
        return Unmade(form, item.id, f"[lang] no grammar; found {item.lang!r}, expected one of {', '.join(GRAMMARS)}")
    try:
        return [grammar.substitute(item, index) for index in range(len(item.candidates))]
    except GrammarError as error:
        return Unmade(form, item.id, str(error))


def disambiguated(items: Iterable[Item]) -> Derived:
    """Return for each candidate of an item the disambiguated text (Mandarinograd, LREC 2020, section 3.1, note 6).

    A row has ``text``, the ``span`` of the expression in it, whether it is ``correct``, and in ``changes`` what differs from
    replacing the pronoun by the candidate as it is given (see the grammar of the language).
    """
    rows: list[Row] = []
    unmade = []
    for item in items:
        found = substitutions(item, FORM)
        if isinstance(found, Unmade):
            unmade.append(found)
            continue
        rows += [
            {
                "id": f"{item.id}-{index}",
                "item": item.id,
                "schema": item.schema,
                "text": made.text,
                "span": span_to_json(made.span),
                "candidate": item.candidates[index],
                "correct": index == item.answer,
                "changes": list(made.changes),
            }
            for index, made in enumerate(found)
        ]
    return derived(rows, unmade)
