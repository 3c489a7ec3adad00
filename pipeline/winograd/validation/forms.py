"""Forms with a row for each candidate: what must hold of the rows of one item."""

import re
from collections.abc import Sequence
from pathlib import Path

from ...core.validation.rows import keyed, members_of, records, span_of, text_of, texts_of
from ...core.validation.suite import Check, Row, Suite, Value, described
from ...language import text_checks as texts
from ..forms.nli import ENTAILMENT, NO_ENTAILMENT
from ..forms.scoring import has_words
from ..forms.winogrande import BLANK

_LABELS = (ENTAILMENT, NO_ENTAILMENT)


def by_item(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each item: its value has the ``members`` that were made of it."""
    groups: dict[str, list[Row]] = {}
    for row in records(paths):
        groups.setdefault(text_of(row.value, "item"), []).append(row)
    return [Row(name, of[0].path, of[0].line, {"members": [one.value for one in of]}) for name, of in groups.items()]


# --- NLI ----------------------------------------------------------------------------------------------------------------


def _each(value: Value, check: Check) -> str:
    return next((found for one in members_of(value) if (found := check(one))), "")


def _no_invisible(*fields: str) -> Check:
    return described(
        "No invisible character.",
        lambda value: _each(value, lambda one: texts.check_invisible(texts_of(one, *fields))),
    )


def two_rows(value: Value) -> str:
    """An item has a row for each of its two candidates."""
    found = [text_of(one, "id") for one in members_of(value)]
    expected = [f"{text_of(members_of(value)[0], 'item')}-{index}" for index in (0, 1)] if found else []
    return "" if found == expected else f"found {', '.join(found)}, expected {', '.join(expected)}"


def one_entailment(value: Value) -> str:
    """One of an item's hypotheses follows, the other does not."""
    found = sorted(text_of(one, "label") for one in members_of(value))
    return "" if found == sorted(_LABELS) else f"found {', '.join(found)}, expected one of each"


def one_premise(value: Value) -> str:
    """Both hypotheses have the same premise, which neither repeats."""
    premises = {text_of(one, "premise") for one in members_of(value)}
    if len(premises) != 1 or "" in premises:
        return f"found {len(premises)} premises, expected one"
    same = [one for one in members_of(value) if text_of(one, "hypothesis") == text_of(one, "premise")]
    return f"found a hypothesis that is its premise: {text_of(same[0], 'premise')!r}" if same else ""


def statements(value: Value) -> str:
    """A hypothesis is a statement: an end mark, and no question left in it."""
    for one in members_of(value):
        said = text_of(one, "hypothesis")
        if not re.search(r"[。.]$", said) or re.search(r"[？?]|[。.]{2}|谁[^。]*。$", said):
            return f"found {said!r}, expected a statement"
    return ""


def different_hypotheses(value: Value) -> str:
    """The hypotheses differ."""
    found = [text_of(one, "hypothesis") for one in members_of(value)]
    return "" if len(set(found)) == len(found) else f"found {found[0]!r} twice"


NLI = Suite("nli", "pairs of premise and hypothesis (JSON Lines)", by_item, {
    "two-rows": two_rows,
    "one-entailment": one_entailment,
    "one-premise": one_premise,
    "statements": statements,
    "different-hypotheses": different_hypotheses,
    "no-invisible-character": _no_invisible("hypothesis", "premise"),
}, unique=False)  # fmt: skip


# --- disambiguated, and for scoring --------------------------------------------------------------------------------------


def one_correct(value: Value) -> str:
    """One of an item's texts is marked as correct."""
    found = sum(one.get("correct") is True for one in members_of(value))
    return "" if found == 1 else f"found {found}, expected 1"


def span_names_candidate(value: Value) -> str:
    """The span covers an expression that has the candidate's name in it."""

    def check(one: Value) -> str:
        span, name = span_of(one, "span"), text_of(one, "candidate")
        found = span.of(text_of(one)) if span else ""
        core = re.sub(r"^(?:the|a|an)\s+|['’]s?$", "", name, flags=re.IGNORECASE).split("的")[0]
        fits = core.lower() in found.lower() or (bool(found) and found in name)
        return "" if fits else f"found {found!r}, expected {name!r} in it"

    return _each(value, check)


def same_frame(value: Value) -> str:
    """Outside the span the texts of an item are the same."""
    frames = set()
    for one in members_of(value):
        span, text = span_of(one, "span"), text_of(one)
        frames.add((text[: span.start], text[span.end :]) if span else None)
    return "" if len(frames) == 1 and None not in frames else "found texts that differ outside their spans"


def one_particle(value: Value) -> str:
    """A possessor has one 的 and one 's."""
    odd = next((text_of(one) for one in members_of(value) if re.search(r"的的|'s's|s's's", text_of(one))), "")
    return f"found {odd!r}" if odd else ""


DISAMBIGUATED = Suite("disambiguated", "texts with a candidate in the target's place (JSON Lines)", by_item, {
    "two-rows": two_rows,
    "one-correct": one_correct,
    "span-names-candidate": span_names_candidate,
    "same-frame": same_frame,
    "one-particle": one_particle,
    "no-invisible-character": _no_invisible("text"),
}, unique=False)  # fmt: skip


def same_continuation(value: Value) -> str:
    """The candidates of an item are scored before the same continuation."""
    found = {text_of(one, "continuation") for one in members_of(value)}
    return "" if len(found) == 1 else f"found {' and '.join(sorted(map(repr, found)))}"


def different_contexts(value: Value) -> str:
    """The contexts of an item differ, each with its own candidate."""
    found = [text_of(one, "context") for one in members_of(value)]
    return "" if len(set(found)) == len(found) else f"found {found[0]!r} twice"


def partial_told(value: Value) -> str:
    """A partial score is told to exist just where the continuation has a word."""

    def check(one: Value) -> str:
        expected = has_words(text_of(one, "continuation"))
        return "" if one.get("partial") is expected else f"found {one.get('partial')!r}, expected {expected}"

    return _each(value, check)


SCORING = Suite("scoring", "contexts and continuations to score (JSON Lines)", by_item, {
    "two-rows": two_rows,
    "one-correct": one_correct,
    "same-continuation": same_continuation,
    "different-contexts": different_contexts,
    "partial-told": partial_told,
    "no-invisible-character": _no_invisible("context", "continuation"),
}, unique=False)  # fmt: skip


def one_blank(value: Value) -> str:
    """A sentence has one blank."""
    count = text_of(value, "sentence").count(BLANK)
    return "" if count == 1 else f"found {count} in {text_of(value, 'sentence')!r}, expected 1"


def continued(value: Value) -> str:
    """A word follows the blank."""
    rest = text_of(value, "sentence").partition(BLANK)[2]
    return "" if has_words(rest) else f"found {rest!r} after it, expected a word"


def two_options(value: Value) -> str:
    """The options are two, and not the same."""
    found = [text_of(value, "option1"), text_of(value, "option2")]
    return "" if all(found) and found[0].lower() != found[1].lower() else f"found {found[0]!r} and {found[1]!r}"


def answer_is_an_option(value: Value) -> str:
    """The answer is "1" or "2"."""
    return "" if value.get("answer") in ("1", "2") else f"found {value.get('answer')!r}, expected '1' or '2'"


WINOGRANDE = Suite("winogrande", "sentences with a blank and two options (JSON Lines)", keyed, {
    "one-blank": one_blank,
    "continued": continued,
    "two-options": two_options,
    "answer-is-an-option": answer_is_an_option,
    "no-invisible-character": described(
        "No invisible character.",
        lambda value: texts.check_invisible(texts_of(value, "sentence", "option1", "option2")),
    ),
})  # fmt: skip
