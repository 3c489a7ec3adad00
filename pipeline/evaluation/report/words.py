"""What the figures of a run say, in words: chance, places, orders."""

from ...core.errors import plural
from ...core.pages import percent
from ..measures.accuracy import Interval
from ..measures.places import OrderConsistency, PlaceBias
from .figures import Figures, RunFigures

_CHANCE = {
    "above": "above chance",
    "includes": "the interval includes chance",
    "below": "below chance",
}


def interval_words(interval: Interval | None) -> str:
    """Return the limits of an interval of shares in per cent.

    >>> interval_words((0.25, 0.5)), interval_words(None)
    ('25.0 to 50.0', 'no interval')
    """
    return f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f}" if interval else "no interval"


def items_words(figures: Figures) -> str:
    """Return how many items were evaluated, and of how many they are a sample: a sample of 12 of 256 items."""
    items, population = figures.items, figures.sample_of
    return plural(items, "item") if population is None else f"a sample of {items} of {plural(population, 'item')}"


def chance_words(run: RunFigures) -> str:
    """Return what the accuracy of a run says against guesses."""
    estimate, verdict = run.accuracy, run.chance.accuracy
    words = f"accuracy {percent(estimate.value)} of {estimate.n} answers ({interval_words(estimate.interval)})"
    if verdict:
        words += f": {_CHANCE[verdict]} ({percent(run.chance.value)})"
    if verdict == "includes":
        words += ", which fits guessing"
    if run.unparsed:
        chosen = estimate.n - run.unparsed
        words += f"; {estimate.right} of the {chosen} with a choice are right, the other {run.unparsed} count as wrong"
    return words


def place_words(run: RunFigures) -> str:
    """Return which place the choices of a run take, as option letters."""
    places = run.places
    if not places.n:
        return "chooses nothing"
    chosen = [sum(row[place] for row in places.matrix) / places.n for place in range(len(places.matrix))]
    right = [sum(row) / places.n for row in places.matrix]
    most = chosen.index(max(chosen))
    letter = chr(ord("A") + most)
    words = f"answers {letter} in {percent(chosen[most])} of {places.n} choices, where {letter} is right in {percent(right[most])}"
    return f"{words}: {_bias_words(places)}"


def _bias_words(places: PlaceBias) -> str:
    if places.bias is None or places.first_right is None:
        return "the right option does not vary its place, so that bias and ability cannot be told apart"
    if places.first in (0, 1):
        low, high = places.interval or (0, 1)
        return "too few choices to tell why" if low <= places.first_right <= high else "it goes by place alone"
    if places.bias_interval is None:
        return "no bias to a place" if places.bias == 0 else "too few schemas for an interval of the bias"
    low, high = places.bias_interval
    limits = f"bias to A {100 * places.bias:+.1f} points, {100 * low:+.1f} to {100 * high:+.1f}".replace("-", "−")
    return f"no clear bias to a place ({limits})" if low <= 0 <= high else f"biased by place ({limits})"


def order_words(row: OrderConsistency) -> str:
    """Return what another order of the options changes."""
    return (
        f"with the options swapped, {row.model}, {row.mode}, {row.form} keeps the place in {percent(row.place)} "
        f"of {row.n} items and the candidate in {percent(row.same)}"
    )
