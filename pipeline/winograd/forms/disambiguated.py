"""The form `disambiguated`: the text with an expression for each candidate in the target's place; one text is correct."""

import re
from collections.abc import Iterable

from ...core.model import Item
from ...core.records import span_to_json
from ...core.validation.contract import ID, SPAN, TEXT, TRUTH, contract, list_of, one_of
from ...core.validation.rows import list_of as elements_of
from ...core.validation.rows import members_of, span_of, text_of
from ...core.validation.suite import Suite, Value
from ...language.grammar import GrammarError, Substitution, grammar_of, mere_substitution
from ...language.grammar.german_nouns import case_fault, names_the_same
from ..pairs import shared_beginning
from .checks import (
    first_failure,
    mated,
    missing_name,
    of_members,
    one_correct,
    pair_checks,
    right_row,
    rows_by_item,
    schema_of_item,
    slack,
    text_checks_of_members,
    two_rows,
)
from .form import DerivedForm, Form, UnmadeItem, derived
from .genders import candidate_genders

#: How a text may differ from mere substitution; the grammars of the languages explain them.
_CHANGES = (
    *("possessor-de", "one-de", "reflexive-kept", "part-of-clause", "coverb-added"),
    *(
        "possessive",
        "contraction",
        "set-off",
        "capital",
        "lower-case",
        "bare-possessor",
        "determiner",
        "definite",
        "nominative",
        "quoted",
        "singular-verb",
    ),
)
#: Changes that leave the expression as it is.
_AROUND = frozenset({"contraction", "set-off", "singular-verb"})
#: Columns of the table of differences.
DIFFERENCES = ("id", "changes", "mere substitution", "text")


def substituted(items: Iterable[Item], form: str) -> tuple[list[tuple[Item, list[Substitution]]], list[UnmadeItem]]:
    """Return the items with their text for each candidate, and the items that `form` cannot be made of."""
    made, unmade = [], []
    all_items = list(items)
    genders = candidate_genders(all_items)
    for item in all_items:
        try:
            substitute, own = grammar_of(item.lang).substitute, genders.get(item.id, ())
            made.append((item, [substitute(item, index, own) for index in range(len(item.candidates))]))
        except GrammarError as error:
            unmade.append(UnmadeItem(form, item.id, str(error)))
    return made, unmade


def disambiguated(items: Iterable[Item]) -> DerivedForm:
    """Return the disambiguated text for each candidate (Mandarinograd, LREC 2020, section 3.1, note 6).

    A row has ``text``, the ``span`` of the expression in it, whether it is ``correct``, and in ``changes`` how it differs
    from replacing the pronoun by the candidate as given (see the grammar of the language).
    """
    made, unmade = substituted(items, "disambiguated")
    rows = (
        {
            "id": f"{item.id}-{index}",
            "item": item.id,
            "schema": item.schema,
            "text": substitution.text,
            "span": span_to_json(substitution.span),
            "candidate": item.candidates[index],
            "correct": index == item.answer,
            "changes": list(substitution.changes),
        }
        for item, substitutions in made
        for index, substitution in enumerate(substitutions)
    )
    return derived(rows, unmade)


def differences(items: Iterable[Item], made: DerivedForm) -> list[tuple[str, str, str, str]]:
    """Return the cells of `DIFFERENCES` for each disambiguated text that mere substitution does not give."""
    by_id = {item.id: item for item in items}
    table = []
    for row in made.rows:
        item = by_id[row["item"]]
        mere = mere_substitution(item, item.candidates.index(row["candidate"]))
        if mere != row["text"]:
            table.append((row["id"], ", ".join(row["changes"]), mere, row["text"]))
    return table


def bare_possessor(item: Item, row: Value) -> str:
    """Return how a Chinese row has a candidate without 的 before the noun for which its question asks whose; else an empty text.

    For 谁的车尾, 陈师傅车尾 is bare: only a pronoun stands without 的 there (Li and Thompson 1989, section 4.2).
    """
    span, text = span_of(row, "span"), text_of(row)
    asked, tail = item.question.partition("谁的")[2], text[span.end :] if span else ""
    if not span or span.of(text).endswith("的") or not shared_beginning(asked, tail):
        return ""
    return f"found {(span.of(text) + tail)[: span.length + 4]!r}, expected 的 after {span.of(text)!r}, since 谁的 asks for it"


def span_names_candidate(value: Value) -> str:
    """The span covers an expression that has the candidate's name in it."""

    def check(member: Value) -> str:
        span, name = span_of(member, "span"), text_of(member, "candidate")
        expression = span.of(text_of(member)) if span else ""
        core = re.sub(r"^(?:the|a|an)\s+|['’]s?$", "", name, flags=re.IGNORECASE).split("的")[0]
        fits = core.lower() in expression.lower() or (bool(expression) and expression in name)
        fits = fits or (bool(expression.strip()) and names_the_same(expression, name))
        return "" if fits else f"found {expression!r}, expected {name!r} in it"

    return first_failure(value, check)


def nominative(value: Value) -> str:
    """A German expression is in the nominative: der Graf, not den Grafen."""

    def check(member: Value) -> str:
        span = span_of(member, "span")
        return case_fault(span.of(text_of(member))) if span else ""

    return first_failure(value, check)


def expression_is_candidate(value: Value) -> str:
    """The expression is the candidate, unless `changes` says how it differs; then it is little longer."""

    def check(member: Value) -> str:
        span, name = span_of(member, "span"), text_of(member, "candidate")
        expression = span.of(text_of(member)) if span else ""
        changed = bool(set(elements_of(member, "changes", str)) - _AROUND)
        fits = len(expression) <= len(name) + slack(name) if changed else expression == name
        return "" if fits else f"found {expression!r} for {name!r} with the changes {member.get('changes')}"

    return first_failure(value, check)


def changes_change(value: Value) -> str:
    """A row lists a change only where its text is not what the candidate as given would make of it."""

    def check(member: Value) -> str:
        span, name = span_of(member, "span"), text_of(member, "candidate")
        changes = elements_of(member, "changes", str)
        same = span is not None and span.of(text_of(member)) == name and not set(changes) & _AROUND
        return f"found {', '.join(changes)} for {name!r}, which stands as given" if same and changes else ""

    return first_failure(value, check)


def candidates_in_text(value: Value) -> str:
    """The text outside the span names both candidates."""
    names = [text_of(member, "candidate") for member in members_of(value)]
    lost = missing_name(names, _frame(value))
    return f"found no {lost!r} in {_frame(value)!r}" if lost else ""


def _frame(value: Value) -> str:
    """Return the first text of an item with a line end in the place of the span."""
    row = members_of(value)[0]
    span, text = span_of(row, "span"), text_of(row)
    return f"{text[: span.start]}\n{text[span.end :]}" if span else text


def same_frame(value: Value) -> str:
    """The texts of an item are the same outside the span."""
    frames = set()
    for member in members_of(value):
        span, text = span_of(member, "span"), text_of(member)
        frames.add((text[: span.start], text[span.end :]) if span else None)
    return "" if len(frames) == 1 and None not in frames else "found texts that differ outside their spans"


def one_particle(value: Value) -> str:
    """A possessor has one 的 or one 's."""
    texts = map(text_of, members_of(value))
    doubled = next((text for text in texts if re.search(r"的的|'s's|s's's", text)), "")
    return f"found {doubled!r}" if doubled else ""


_CONTRACT = contract(
    "A text with a candidate in the target's place",
    {
        "id": ID,
        "item": ID,
        "schema": ID,
        "text": TEXT,
        "span": SPAN,
        "candidate": TEXT,
        "correct": TRUTH,
        "changes": list_of(one_of(*_CHANGES)),
    },
)

DISAMBIGUATED = Form(
    make=lambda items, _: disambiguated(items),
    fields="`text` with an expression for each candidate in the target's place, at `span`; one is `correct` (note 6 there)",
    suite=Suite(
        "disambiguated",
        "texts with a candidate in the target's place (JSON Lines)",
        mated(rows_by_item, of_members(_CONTRACT)),
        {
            "contract": of_members(_CONTRACT),
            "two-rows": two_rows,
            "schema-of-item": schema_of_item,
            "one-correct": one_correct,
            "span-names-candidate": span_names_candidate,
            "nominative": nominative,
            "expression-is-candidate": expression_is_candidate,
            "changes-change": changes_change,
            "candidates-in-text": candidates_in_text,
            "same-frame": same_frame,
            "one-particle": one_particle,
            **pair_checks(
                right_row("correct", True),
                lambda value: [text_of(row, "candidate") for row in members_of(value)],
                _frame,
            ),
            **text_checks_of_members("text", named=("candidate",), finished="text"),
        },
        unique=False,
    ),
)
