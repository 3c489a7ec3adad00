"""The form `nli`: the text as premise, and as hypothesis the question turned into a statement about each candidate."""

from collections.abc import Iterable

from ...core.model import Item
from .disambiguated import by_candidate
from .form import DerivedForm, Form, derived
from .zero_fields import Row, zero_of_premise

ENTAILMENT, NO_ENTAILMENT = "ENTAILMENT", "NO ENTAILMENT"


def nli(items: Iterable[Item]) -> DerivedForm:
    """Return a premise and a hypothesis for each candidate (Mandarinograd, LREC 2020, section 2.2, example 2).

    The premise entails the hypothesis about the answer (ENTAILMENT), but not the other one. An item is unmade if its
    question cannot be turned into a statement about every candidate.
    """
    made, unmade = by_candidate(
        items, "nli", lambda grammar, item, index, genders: grammar.hypothesis(item, index, genders)
    )
    rows: list[Row] = []
    for item, hypotheses in made:
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


NLI = Form(
    "nli",
    lambda items, _: nli(items),
    "`premise`, `hypothesis` and `label`: the question as a statement about each candidate (LREC 2020, section 2.2)",
    zero=zero_of_premise,
)
