"""The form `nli`: the text as premise, and as hypothesis the question turned into a statement about each candidate."""

import re
from collections.abc import Iterable

from ...core.errors import plural
from ...core.model import Item
from ...core.validation.rows import members_of, text_of
from ...core.validation.suite import Suite, Value
from ...language.grammar import GrammarError, grammar_of
from .checks import rows_by_item, two_rows, visible_in_members
from .form import DerivedForm, Form, Row, UnmadeItem, derived

ENTAILMENT, NO_ENTAILMENT = "ENTAILMENT", "NO ENTAILMENT"


def nli(items: Iterable[Item]) -> DerivedForm:
    """Return a premise and a hypothesis for each candidate (Mandarinograd, LREC 2020, section 2.2, example 2).

    The premise entails the hypothesis about the answer (ENTAILMENT), but not the other one. An item is unmade if its
    question cannot be turned into a statement about every candidate.
    """
    rows: list[Row] = []
    unmade = []
    for item in items:
        try:
            hypotheses = [grammar_of(item.lang).hypothesis(item, index) for index in range(len(item.candidates))]
        except GrammarError as error:
            unmade.append(UnmadeItem("nli", item.id, str(error)))
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


def one_entailment(value: Value) -> str:
    """The premise entails exactly one of an item's hypotheses."""
    labels = sorted(text_of(member, "label") for member in members_of(value))
    return "" if labels == sorted((ENTAILMENT, NO_ENTAILMENT)) else f"found {', '.join(labels)}, expected one of each"


def one_premise(value: Value) -> str:
    """Both hypotheses have the same premise, and neither repeats it."""
    premises = {text_of(member, "premise") for member in members_of(value)}
    if len(premises) != 1 or "" in premises:
        return f"found {plural(len(premises), 'premise')}, expected one"
    repeated = any(text_of(member, "hypothesis") in premises for member in members_of(value))
    return f"found a hypothesis that is its premise: {premises.pop()!r}" if repeated else ""


def statements(value: Value) -> str:
    """A hypothesis is a statement: it ends in a full stop and asks nothing."""
    for member in members_of(value):
        hypothesis = text_of(member, "hypothesis")
        if not re.search(r"[。.]$", hypothesis) or re.search(r"[？?]|[。.]{2}|谁[^。]*。$", hypothesis):
            return f"found {hypothesis!r}, expected a statement"
    return ""


def different_hypotheses(value: Value) -> str:
    """The hypotheses of an item differ."""
    hypotheses = [text_of(member, "hypothesis") for member in members_of(value)]
    return "" if len(set(hypotheses)) == len(hypotheses) else f"found {hypotheses[0]!r} twice"


NLI = Form(
    make=lambda items, _: nli(items),
    fields="`premise`, `hypothesis` and `label`: the question as a statement about each candidate (LREC 2020, section 2.2)",
    suite=Suite(
        "nli",
        "pairs of premise and hypothesis (JSON Lines)",
        rows_by_item,
        {
            "two-rows": two_rows,
            "one-entailment": one_entailment,
            "one-premise": one_premise,
            "statements": statements,
            "different-hypotheses": different_hypotheses,
            "no-invisible-character": visible_in_members("hypothesis", "premise"),
        },
        unique=False,
    ),
)
