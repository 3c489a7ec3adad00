"""The form `nli`: the text as premise, and as hypothesis the question turned into a statement about each candidate."""

import re
from collections.abc import Iterable, Sequence

from ...core.errors import plural
from ...core.model import Item, Span
from ...core.validation.contract import ID, TEXT, contract, one_of
from ...core.validation.rows import members_of, text_of
from ...core.validation.suite import Suite, Value
from ...language.grammar import GrammarError, grammar_of
from ...language.grammar.german_nouns import case_fault
from ...language.grammar.operators import governed
from ...language.text_checks import lang_of_texts
from ..pairs import difference, shared_beginning
from ..question_words import shares_words
from .checks import (
    mated,
    missing_name,
    of_members,
    pair_checks,
    right_row,
    rows_by_item,
    schema_of_item,
    text_checks_of_members,
    two_rows,
)
from .form import DerivedForm, Form, Row, UnmadeItem, derived
from .genders import candidate_genders
from .zero_fields import OF_PREMISE, PREMISE_ZERO

ENTAILMENT, NO_ENTAILMENT = "ENTAILMENT", "NO ENTAILMENT"


def nli(items: Iterable[Item]) -> DerivedForm:
    """Return a premise and a hypothesis for each candidate (Mandarinograd, LREC 2020, section 2.2, example 2).

    The premise entails the hypothesis about the answer (ENTAILMENT), but not the other one. An item is unmade if its
    question cannot be turned into a statement about every candidate.
    """
    rows: list[Row] = []
    unmade = []
    all_items = list(items)
    genders = candidate_genders(all_items)
    for item in all_items:
        try:
            hypothesis_of, own = grammar_of(item.lang).hypothesis, genders.get(item.id, ())
            hypotheses = [hypothesis_of(item, index, own) for index in range(len(item.candidates))]
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
    premise = premises.pop()
    repeated = any(_letters(text_of(member, "hypothesis")) == _letters(premise) for member in members_of(value))
    return f"found a hypothesis that is its premise: {premise!r}" if repeated else ""


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def hypothesis_of_premise(value: Value) -> str:
    """A hypothesis uses words of its premise, not of another text."""
    for member in members_of(value):
        premise, hypothesis = text_of(member, "premise"), text_of(member, "hypothesis")
        if not shares_words(hypothesis, premise):
            return f"found {hypothesis!r} for {premise!r}, expected a statement about this text"
    return ""


def parallel_hypotheses(value: Value) -> str:
    """The hypotheses of an item differ in an expression that the premise has: each names one of the candidates."""
    hypotheses = [text_of(member, "hypothesis") for member in members_of(value)]
    if len(hypotheses) != 2 or hypotheses[0] == hypotheses[1]:
        return ""
    parts = [part.strip("。. ") for part in difference(*hypotheses) if "自己" not in part]
    if missing_name(list(filter(None, parts)), text_of(members_of(value)[0], "premise")) or not any(parts):
        return f"found {parts[0]!r} and {parts[1]!r}, expected names of candidates, which the premise has"
    return ""


def open_clauses(value: Value) -> str:
    """A hypothesis keeps the words that keep its clause from being true in the premise: 省得, 如果, believed."""
    rows = members_of(value)
    premise, hypotheses = text_of(rows[0], "premise"), [text_of(row, "hypothesis") for row in rows]
    place = _clause_place(premise, hypotheses)
    entry = governed(premise, Span(place, place), _language(premise)) if place >= 0 else None
    if entry is None or all(entry.word.casefold() in hypothesis.casefold() for hypothesis in hypotheses):
        return ""
    return f"found {hypotheses[0]!r} without {entry.word!r}, expected its clause: {entry.operator.because}"


def _language(premise: str) -> str:
    """Return the language of a premise, as far as there are operators of it: Chinese, English, or an empty text."""
    return lang_of_texts([premise]) or ("en" if re.search(r"\b(?:the|and|of|to)\b", premise) else "")


def _clause_place(premise: str, hypotheses: Sequence[str]) -> int:
    """Return where the premise has what follows the candidate in its hypotheses, or ends what precedes it; -1 if nowhere.

    It may have half of it only: a hypothesis can leave words out.
    """
    if len(hypotheses) != 2:
        return -1
    first = hypotheses[0].rstrip("。.")
    head, (own, _) = shared_beginning(*hypotheses), difference(*hypotheses)
    tail = first[len(head) + len(own) :]
    for at in range(len(tail) // 2 if len(tail) > 1 else 0):
        if (place := premise.rfind(tail[at:])) >= 0:
            return place
    places = (premise.rfind(head[at:]) + len(head) - at for at in range(len(head) // 2) if head[at:] in premise)
    return next(places, -1) if len(tail) < 2 else -1


def statements(value: Value) -> str:
    """A hypothesis is a statement: it ends in a full stop and asks nothing."""
    for member in members_of(value):
        hypothesis = text_of(member, "hypothesis")
        if not re.search(r"[。.]$", hypothesis) or re.search(
            r"[？?]|[。.]{2}|谁[^。]*。$|^(?:Wer|Was|Wen|Wem|Wessen)\b", hypothesis
        ):
            return f"found {hypothesis!r}, expected a statement"
    return ""


def nominative(value: Value) -> str:
    """A German hypothesis begins with its subject, in the nominative: Der Graf schlief, not Den Grafen schlief."""
    return next(filter(None, (case_fault(text_of(member, "hypothesis")) for member in members_of(value))), "")


def different_hypotheses(value: Value) -> str:
    """The hypotheses of an item differ."""
    hypotheses = [text_of(member, "hypothesis") for member in members_of(value)]
    return "" if len(set(hypotheses)) == len(hypotheses) else f"found {hypotheses[0]!r} twice"


_CONTRACT = contract(
    "A pair of premise and hypothesis",
    {
        "id": ID,
        "item": ID,
        "schema": ID,
        "premise": TEXT,
        "hypothesis": TEXT,
        "label": one_of(ENTAILMENT, NO_ENTAILMENT),
    },
    OF_PREMISE,
)

NLI = Form(
    make=lambda items, _: nli(items),
    fields="`premise`, `hypothesis` and `label`: the question as a statement about each candidate (LREC 2020, section 2.2)",
    zero=PREMISE_ZERO,
    suite=Suite(
        "nli",
        "pairs of premise and hypothesis (JSON Lines)",
        mated(rows_by_item, of_members(_CONTRACT)),
        {
            "contract": of_members(_CONTRACT),
            "two-rows": two_rows,
            "schema-of-item": schema_of_item,
            "one-entailment": one_entailment,
            "one-premise": one_premise,
            "statements": statements,
            "nominative": nominative,
            "different-hypotheses": different_hypotheses,
            "hypothesis-of-premise": hypothesis_of_premise,
            "parallel-hypotheses": parallel_hypotheses,
            "open-clauses": open_clauses,
            **pair_checks(right_row("label", ENTAILMENT), None, lambda value: text_of(members_of(value)[0], "premise")),
            **text_checks_of_members("premise", "hypothesis", finished="premise"),
        },
        unique=False,
    ),
)
