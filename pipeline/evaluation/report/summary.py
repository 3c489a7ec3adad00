"""What an evaluation says, in the sentences with which its page and its command begin."""

from collections import defaultdict
from itertools import chain

from ...core.errors import plural
from ...core.pages import percent
from ..measures.accuracy import against_chance, trait_groups
from ..measures.comparisons import ALL, ZeroAgainstOvert
from .evaluation import Evaluation
from .figures import Figures, ModelAccuracy, RunFigures
from .tables import interval_words, points

#: Greatest p, after Holm's correction, of a difference that is called sure.
SURE = 0.05
#: The traits whose values are groups of items that may be hard; levels of difficulty are hard by definition.
GROUPS = ("kind", "register", "role", "case", "pronouns", "contrast", "connective")
#: Maximum number of systems, or of pairs of systems, that a sentence names.
NAMED = 3
_CHANCE = {"above": "above chance", "includes": "which fits guessing", "below": "below chance"}


def sentences(evaluation: Evaluation, figures: Figures) -> list[str]:
    """Return what came out: best and worst system, people, weak points, what so few items leave open; what is unknown is left out.

    The figures are those of the main form and order, of the systems' own answers. That a group of items is hard is said where its
    interval lies below that of the others; that a system differs, where p is below 0.05 after Holm's correction.
    """
    weak = (_hardest(evaluation), _zero(figures), _places(figures))
    return [text for text in (_systems(figures), _people(figures), *weak, _limits(figures)) if text]


def own_runs(figures: Figures) -> list[RunFigures]:
    """Return the runs in the main form and order that count as the systems' own answers."""
    main = (figures.main.form, figures.main.order)
    return [run for run in figures.runs if run.own and (run.form, run.order) == main]


def _systems(figures: Figures) -> str:
    """Return which systems are right most and least often, and how many are better than guessing."""
    rows = sorted(figures.modes_together, key=lambda row: (-(row.value or 0), row.model))
    chances = [_chance(figures, row) for row in rows]
    verdicts = [_verdict(figures, row, chance) for row, chance in zip(rows, chances, strict=True)]
    guesses = f"({percent(chances[0])})" if len(set(chances)) == 1 else "of their items"
    if len(rows) == 1:
        return f"{rows[0].model} has {_share(rows[0])} right, {verdicts[0]} {guesses}."
    better = f"Better than chance {guesses}: {verdicts.count(_CHANCE['above'])} of {len(rows)}."
    if rows[0].value == rows[-1].value:
        return f"All {len(rows)} systems have {percent(rows[0].value)} of their answers right. {better}"
    return (
        f"Of {len(rows)} systems, {rows[0].model} does best: {_share(rows[0])} right, {verdicts[0]}; {rows[-1].model} worst: "
        f"{_share(rows[-1])}, {verdicts[-1]}. {better}"
    )


def _share(row: ModelAccuracy) -> str:
    return f"{percent(row.value)} of {plural(row.n, 'answer')} ({interval_words(row.interval)})"


def _runs_of(figures: Figures, row: ModelAccuracy) -> list[RunFigures]:
    return [run for run in own_runs(figures) if run.model == row.model]


def _chance(figures: Figures, row: ModelAccuracy) -> float:
    """Return the accuracy of guesses over all answers of a system."""
    return sum((run.chance.value or 0) * run.accuracy.n for run in _runs_of(figures, row)) / row.n


def _verdict(figures: Figures, row: ModelAccuracy, chance: float) -> str:
    """Return what an accuracy says beside that of guesses; nothing of a system whose answers mostly choose nothing."""
    unparsed = sum(run.unparsed for run in _runs_of(figures, row))
    side = against_chance(row.interval, chance)
    if 2 * unparsed > row.n or side is None:
        return "which says nothing beside chance"
    return _CHANCE[side] + (f", as {unparsed} choose nothing" if side == "below" and unparsed else "")


def _people(figures: Figures) -> str:
    """Return how far the best run is from people."""
    runs = [run for run in own_runs(figures) if run.gap.value is not None]
    people = figures.people
    if not runs:
        return "How people answer these items is not known." if people.value is None else ""
    best = min(runs, key=lambda run: run.gap.value or 0)
    gap, interval = best.gap.value or 0.0, best.gap.interval
    some = f" on {plural(best.gap.n, 'item')}" if best.gap.n < best.accuracy.n else ""
    where = f"people{some} ({percent(people.value)}: {people.source})"
    name = f"{'The best run, ' if len(runs) > 1 else ''}{best.model}{f', {best.mode},' if len(runs) > 1 else ''}"
    if interval and interval[0] <= 0 <= interval[1]:
        limits = f"{points(interval[0])} to {points(interval[1])}"
        return f"{name} cannot be told from {where}: their accuracy less its is {points(gap)} points, {limits}."
    limits = ", {} to {}".format(*map(points, sorted(map(abs, interval)))) if interval else ""
    return f"{name} is {points(abs(gap))} points {'below' if gap > 0 else 'above'} {where}{limits}."


def _hardest(evaluation: Evaluation) -> str:
    """Return the group of items that systems have right least often, if it is harder than the other items."""
    marks: dict[str, list[bool]] = defaultdict(list)
    for item_id, right in chain.from_iterable(evaluation.answers.values()):
        marks[item_id].append(right)
    groups = {trait: evaluation.traits[trait] for trait in GROUPS if trait in evaluation.traits}
    harder = [group for group in trait_groups(groups, marks, evaluation.clusters) if group.verdict == "harder"]
    group = min(harder, key=lambda group: group.inside.value or 0.0, default=None)
    if group is None:
        return ""
    return (
        f"Hardest are the {plural(len(group.members), 'item')} with {group.trait} {group.value}: {percent(group.inside.value)} of the "
        f"answers right ({interval_words(group.inside.interval)}), of all others {percent(group.outside.value)}."
    )


def _zero(figures: Figures) -> str:
    """Return which systems do better or worse with a zero than with the pronoun."""
    own = {(run.model, run.mode) for run in own_runs(figures)}
    rows: dict[str, ZeroAgainstOvert] = {}
    for row in figures.zero_against_overt:  # those of all modes are the last
        if row.mode == ALL or (row.model, row.mode) in own:
            rows[row.model] = row
    sure = sorted(
        (row for row in rows.values() if row.holm is not None and row.holm < SURE), key=lambda row: row.difference
    )
    if not rows:
        return ""
    if not sure:
        found = f"{points(min(row.difference for row in rows.values()))} to {points(max(row.difference for row in rows.values()))}"
        return f"No system is surely better or worse with Ø than with the pronoun ({found} points)."
    named = [
        f"{row.model} {'loses' if row.difference < 0 else 'gains'} {points(abs(row.difference))}"
        for row in sure[:NAMED]
    ]
    others = f"; {len(sure)} of {len(rows)} differences are sure" if len(rows) > 1 else ""
    return f"With Ø in place of the pronoun {', '.join(named)} points{others}."


def _places(figures: Figures) -> str:
    """Return how many runs are biased by the place of an option, and which is most; `caution` tells of those that go by place alone."""
    asked = [run for run in own_runs(figures) if run.options and run.places.n]
    biased = [run for run in asked if (interval := run.places.bias_interval) and not interval[0] <= 0 <= interval[1]]
    if not biased:
        return ""
    most = max(biased, key=lambda run: abs(run.places.bias or 0))
    places = most.places
    many = f"{len(biased)} of {len(asked)} runs prefer a place of the options, most {most.model}"
    name = many if len(asked) > 1 else f"{most.model} prefers a place of the options"
    right = f"where A is right in {percent(places.first_right)}"
    return f"{name}: it takes A in {percent(places.first)} of {places.n} choices, {right}."


def _limits(figures: Figures) -> str:
    """Return how uncertain an accuracy is with so many items, and which systems cannot be told apart."""
    accuracies = [(run.accuracy.value or 0.0, run.accuracy.interval) for run in own_runs(figures)]
    reaches = [max(value - interval[0], interval[1] - value) for value, interval in accuracies if interval]
    of_items = f"{plural(figures.items, 'item')} in {plural(figures.schemas, 'schema')}"
    if not reaches:
        return f"With {of_items} an accuracy has no interval."
    known = f"With {of_items} an accuracy is uncertain by up to {100 * max(reaches):.1f} points"
    if not (pairs := figures.comparisons):
        return f"{known}; smaller differences, to other systems or between kinds of items, say nothing."
    alike = [row.models for row in pairs if row.permutation_holm is None or row.permutation_holm >= SURE]
    if not alike:
        return f"{known}; all systems differ surely."
    names = "; ".join(f"{first} and {second}" for first, second in alike)
    which = names if len(alike) <= NAMED else f"{len(alike)} of {len(pairs)} pairs of systems"
    if len(alike) == len(pairs) > 1:
        return f"{known}: no two systems can be told apart."
    return f"{known}: {which} cannot be told apart."
