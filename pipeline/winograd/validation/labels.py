"""The suite `labels`: how the answers of items are balanced."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...core.validation.profiles import profile_of, with_profile
from ...core.validation.rows import candidates_of, records, span_of, text_of
from ...core.validation.suite import Row, Suite, Value
from ..analysis import analyses_beside

#: Significance level for an imbalance of answers; there are a dozen groups, so that 0.01 would give false alarms.
_ALPHA = 0.001
#: Group whose first answer is the candidate that the text mentions first, and fewest items of which that is worth a group.
_MENTIONED, _FEW = "mentioned", 10


def groups(paths: Sequence[Path], profile: str = "") -> list[Row]:
    """Return a row for all items and one for each group, with how often each answer is right.

    Items of schemas are grouped by member, and by kind of common sense and role of the target, which `analysis.jsonl` beside
    the file says if the items do not. For the group ``mentioned``, the first answer is the candidate that the text mentions
    first. Sentences of occupation templates are grouped by case and by pronoun set, because their members have one answer each by
    design; so may first and second members, by profile.
    """
    every = with_profile(records(paths), profile)
    rows = [row for row in every if len(candidates_of(row.value)) in (0, 2)]
    more = [row for row in every if len(candidates_of(row.value)) > 2]
    if not rows:
        return _of_more(more)
    analyses = {path: analyses_beside(path) for path in paths}
    by_group: dict[str, list[Row]] = {"all": rows}
    for field in ("case", "pronouns") if "case" in rows[0].value else ("version", "kind", "role"):
        for row in rows:
            if field == "version" and profile_of(row.value).allows("one-sided-members"):
                continue
            name = text_of(row.value, field) or text_of(analyses[row.path].get(row.id, {}), field)
            if name:
                by_group.setdefault(f"{field} {name}", []).append(row)
    counted = [_counted(name, group, 2) for name, group in by_group.items()] + _of_more(more)
    places = [place for row in rows if (place := _place(row.value)) is not None]
    if len(places) >= _FEW:
        counted.append(replace(counted[0], id=_MENTIONED, value={"answers": [places.count(0), places.count(1)]}))
    return counted


def _of_more(rows: Sequence[Row]) -> list[Row]:
    """Return a row for each number of candidates above two: how often each of them is right."""
    numbers = sorted({len(candidates_of(row.value)) for row in rows})
    return [
        _counted(f"{number} candidates", [row for row in rows if len(candidates_of(row.value)) == number], number)
        for number in numbers
    ]


def _counted(name: str, group: Sequence[Row], answers: int) -> Row:
    """Return the row of a group, at the place of its first item: how often each answer is right."""
    counts = [sum(row.value.get("answer") == index for row in group) for index in range(answers)]
    return Row(name, group[0].path, group[0].line, {"answers": counts})


def _place(value: Value) -> int | None:
    """Return whether the right candidate is mentioned first (0) or second (1) before the target; None if they are not both."""
    span, names, answer = span_of(value), candidates_of(value), value.get("answer")
    if span is None or len(names) != 2 or not isinstance(answer, int) or answer not in (0, 1):
        return None
    places = [text_of(value).find(name, 0, span.start) for name in names]
    if min(places) < 0 or places[0] == places[1]:
        return None
    return int(places[answer] > places[1 - answer])


def balanced(value: Value) -> str:
    """All answers are equally frequent: chance gives the imbalance at least once in a thousand (binomial test, or chi-squared)."""
    from scipy.stats import binomtest, chisquare

    if len(value["answers"]) > 2:
        chance = chisquare(value["answers"]).pvalue if sum(value["answers"]) else 1.0
        return "" if chance >= _ALPHA else f"found {value['answers']}, which fair dice give with p = {chance:.2g}"
    first, second = value["answers"]
    if first + second == 0:
        return "found no item with an answer"
    chance = binomtest(first, first + second, 0.5).pvalue
    return "" if chance >= _ALPHA else f"found {first} and {second}, which fair coins give with p = {chance:.2g}"


def both_occur(value: Value) -> str:
    """Each answer is right in at least one item, unless there is only one item; of more than two, at least two are."""
    answers = value["answers"]
    occur = sum(map(bool, answers))
    if sum(answers) < 2 or occur >= 2:
        return ""
    advice = (
        "expected each to be right somewhere: in some schemas, exchange the texts between braces, and their answers"
    )
    return f"found {' and '.join(map(str, answers))}, {advice}"


LABELS = Suite(
    "labels",
    "the answers of items, in all and by member, kind and place in the text (JSON Lines)",
    groups,
    {"balanced": balanced, "both-occur": both_occur},
    unique=False,
)
