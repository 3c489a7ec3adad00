"""The suites `pairs` and `labels`: what the two members of a schema must meet, and how the answers are balanced."""

from collections.abc import Sequence
from pathlib import Path

from ...core.errors import plural
from ...core.validation.rows import (
    candidates_of,
    lang_of,
    members_of,
    records,
    records_grouped_by,
    span_of,
    text_of,
)
from ...core.validation.suite import Row, Suite, Value
from ...language.text_checks import has_words
from ..pairs import difference

#: How many characters may differ between the members; a schema turns on a word or two (LREC 2020, section 2.1).
_DIFFERENCE = {"zh": 12}
_OTHER_DIFFERENCE = 40
#: Significance level for an imbalance of answers; there are a dozen groups, so that 0.01 would give false alarms.
_ALPHA = 0.001


def two_members(value: Value) -> str:
    """A schema has two members, a and b."""
    versions = sorted(text_of(member, "version") for member in members_of(value))
    return "" if versions == ["a", "b"] else f"found {', '.join(versions) or 'none'}, expected a and b"


def different_texts(value: Value) -> str:
    """The texts of the members differ."""
    pair = _pair(value)
    same = pair is not None and text_of(pair[0]) == text_of(pair[1])
    return f"found {text_of(pair[0])!r} twice" if pair and same else ""


def same_language(value: Value) -> str:
    """The members are in the same language."""
    pair = _pair(value)
    same = pair is None or lang_of(pair[0]) == lang_of(pair[1])
    return "" if same else f"found {', '.join(map(lang_of, members_of(value)))}"


def same_candidates(value: Value) -> str:
    """The members have the same candidates in the same order."""
    pair = _pair(value)
    if pair is None or candidates_of(pair[0]) == candidates_of(pair[1]):
        return ""
    return f"found {candidates_of(pair[0])} and {candidates_of(pair[1])}"


def answers_flip(value: Value) -> str:
    """The members have different answers."""
    pair = _pair(value)
    if pair is None or [pair[0].get("answer"), pair[1].get("answer")] in ([0, 1], [1, 0]):
        return ""
    return f"found {pair[0].get('answer')} and {pair[1].get('answer')}, expected 0 and 1"


def small_difference(value: Value) -> str:
    """The members differ in one short stretch; those of occupation templates may end differently."""
    pair = _pair(value)
    if pair is None or "case" in pair[0]:
        return ""
    parts = difference(text_of(pair[0]), text_of(pair[1]))
    allowed = _DIFFERENCE.get(lang_of(pair[0]), _OTHER_DIFFERENCE)
    longest = max(map(len, parts))
    return (
        ""
        if longest <= allowed
        else f"found {parts[0]!r} and {parts[1]!r}, expected at most {plural(allowed, 'character')}"
    )


def difference_in_words(value: Value) -> str:
    """The members differ in words, not only in marks or blanks."""
    pair = _pair(value)
    parts = difference(text_of(pair[0]), text_of(pair[1])) if pair else ("", "")
    only_marks = any(parts) and not any(map(has_words, parts))
    return f"found {parts[0]!r} and {parts[1]!r}, expected words" if only_marks else ""


def same_anaphor(value: Value) -> str:
    """The target is the same word in both members."""
    pair = _pair(value)
    forms = [span.of(text_of(member)) for member in pair or () if (span := span_of(member))]
    return f"found {forms[0]!r} and {forms[1]!r}" if len(forms) == 2 and forms[0] != forms[1] else ""


def _pair(value: Value) -> tuple[Value, Value] | None:
    members = members_of(value)
    return (members[0], members[1]) if len(members) == 2 else None


PAIRS = Suite(
    "pairs",
    "the pairs of a collection's items (JSON Lines)",
    lambda paths: records_grouped_by(paths, "schema"),
    {
        "two-members": two_members,
        "different-texts": different_texts,
        "same-language": same_language,
        "same-candidates": same_candidates,
        "answers-flip": answers_flip,
        "small-difference": small_difference,
        "difference-in-words": difference_in_words,
        "same-anaphor": same_anaphor,
    },
    unique=False,
)


def groups(paths: Sequence[Path]) -> list[Row]:
    """Return a row for all items and one for each group, with how often each answer is right.

    Items of schemas are grouped by member and by kind of common sense. Sentences of occupation templates are grouped by case
    and by pronoun set, because their members have one answer each by design.
    """
    rows = records(paths)
    if not rows:
        return []
    by_group: dict[str, list[Row]] = {"all": rows}
    for field in ("case", "pronouns") if "case" in rows[0].value else ("version", "kind"):
        for row in rows:
            if isinstance(row.value.get(field), str) and row.value[field]:
                by_group.setdefault(f"{field} {row.value[field]}", []).append(row)
    return [
        Row(
            name,
            group[0].path,
            group[0].line,
            {"answers": [sum(row.value.get("answer") == index for row in group) for index in (0, 1)]},
        )
        for name, group in by_group.items()
    ]


def balanced(value: Value) -> str:
    """Both answers are equally frequent: fair coins would give the imbalance at least once in a thousand (exact binomial)."""
    from scipy.stats import binomtest

    first, second = value["answers"]
    if first + second == 0:
        return "found no item with an answer"
    chance = binomtest(first, first + second, 0.5).pvalue
    return "" if chance >= _ALPHA else f"found {first} and {second}, which fair coins give with p = {chance:.2g}"


def both_occur(value: Value) -> str:
    """Each answer is right in at least one item, unless there is only one item."""
    first, second = value["answers"]
    return "" if first + second < 2 or min(first, second) else f"found {first} and {second}"


LABELS = Suite(
    "labels",
    "the answers of items, in all and by member and kind (JSON Lines)",
    groups,
    {"balanced": balanced, "both-occur": both_occur},
    unique=False,
)
