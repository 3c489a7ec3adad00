"""Labels: how often each answer is right, in all items and in groups of them."""

from collections.abc import Sequence
from pathlib import Path

from ...core.validation.rows import records
from ...core.validation.suite import Check, Row, Suite, Value

#: An imbalance this unlikely among fair coins is one; there are a dozen groups, so one in a hundred would cry wolf.
_ALPHA = 0.001


def groups(paths: Sequence[Path]) -> list[Row]:
    """Return a row for all items and for each group of them, with how often each answer is right.

    Schemas are grouped by member and by kind of common sense, the sentences of occupation templates, whose members have one
    answer each by design, by case and by pronoun set.
    """
    rows = records(paths)
    if not rows:
        return []
    found: dict[str, list[Row]] = {"all": rows}
    for field in ("case", "pronouns") if "case" in rows[0].value else ("version", "kind"):
        for row in rows:
            if isinstance(row.value.get(field), str) and row.value[field]:
                found.setdefault(f"{field} {row.value[field]}", []).append(row)
    return [
        Row(
            name, of[0].path, of[0].line, {"answers": [sum(one.value.get("answer") == k for one in of) for k in (0, 1)]}
        )
        for name, of in found.items()
    ]


def balanced(value: Value) -> str:
    """Neither answer is right so much oftener that fair coins would do so less than once in a thousand (exact binomial)."""
    from scipy.stats import binomtest

    first, second = value["answers"]
    if first + second == 0:
        return "found no item with an answer"
    chance = binomtest(first, first + second, 0.5).pvalue
    return "" if chance >= _ALPHA else f"found {first} and {second}, which fair coins give with p = {chance:.2g}"


def both_occur(value: Value) -> str:
    """Both answers are right in some items, unless there is one item only."""
    first, second = value["answers"]
    return "" if first + second < 2 or min(first, second) else f"found {first} and {second}"


LABEL: dict[str, Check] = {"balanced": balanced, "both-occur": both_occur}

LABELS = Suite(
    "labels", "the answers of items, in all and by member and kind (JSON Lines)", groups, LABEL, unique=False
)
