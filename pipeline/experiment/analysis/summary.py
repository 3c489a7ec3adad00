"""What an experiment says, in the sentences with which its page and its command begin."""

from collections.abc import Mapping, Sequence

from ...core.errors import plural
from ...core.pages import decimal, percent
from ...evaluation.measures.accuracy import Estimate
from .analysis import GroupFigures
from .models import ModelFigures, main_measure
from .people import Accuracies, Agreement


def sentences(kept: GroupFigures) -> list[str]:
    """Return how often people are right, how far they agree, where they are wrong, and the best model."""
    accuracy, agreement = kept.accuracy, kept.agreement
    majority, wrong = accuracy.majority, plural(len(kept.errors), "item")
    people = "1 person" if kept.counts.people == 1 else f"{kept.counts.people} people"
    right = f"{percent(accuracy.individual.value)} of {plural(kept.counts.answers, 'answer')} by {people} are right"
    tied = f"; {accuracy.tied} tied" if accuracy.tied else ""
    agree = (
        f"People agree: all of them in {agreement.unanimous} of {plural(agreement.items, 'item')}, seven of ten or more in "
        f"{agreement.high} ({_coefficient(agreement)}); in {wrong} the majority is wrong."
    )
    found = [
        f"{right} ({_limits(accuracy.individual)}), and the majority in {majority.right} of {plural(majority.n, 'decided item')}{tied}.",
        agree if agreement.items else "",  # of one person nothing is said
        _hardest(kept.by),
        _model(kept.models),
        _least_difference(kept.counts.items, accuracy.individual),
    ]
    return [text for text in found if text]


def _limits(estimate: Estimate) -> str:
    if estimate.interval is None:
        return "no interval"
    low, high = estimate.interval
    return f"95 % interval {percent(low)} to {percent(high)}"


def _least_difference(items: int, estimate: Estimate) -> str:
    if estimate.interval is None:
        return ""
    half = 50 * (estimate.interval[1] - estimate.interval[0])
    return f"With {plural(items, 'item')}, differences of fewer than {half:.1f} points say nothing."


def _coefficient(agreement: Agreement) -> str:
    kappa, alpha = agreement.fleiss.value, agreement.alpha.value
    coefficient = f"Krippendorff’s α {decimal(alpha)}" if kappa is None else f"Fleiss’ κ {decimal(kappa)}"
    return coefficient.replace("-", "−")


def _hardest(by: Mapping[str, Mapping[str, Accuracies]]) -> str:
    """Return the trait whose values differ most, of those whose lowest and highest interval do not meet."""
    found = []
    for trait, values in by.items():
        known = [(of.individual.value or 0.0, value, of.individual) for value, of in values.items() if of.individual.n]
        if not known:
            continue
        (low, low_value, of_low), (high, high_value, of_high) = min(known), max(known)
        if of_low.interval and of_high.interval and of_low.interval[1] < of_high.interval[0]:
            words = (
                f"Least often right are answers to items with {trait} {low_value}: {percent(low)} ({_limits(of_low)})"
            )
            found.append((high - low, f"{words}; most often with {high_value}: {percent(high)}."))
    return max(found, default=(0.0, ""))[1]


def _model(figures: Sequence[ModelFigures]) -> str:
    """Return how the best model does beside people, by the measure of the pictures."""
    models = [entry for entry in figures if entry.measure == main_measure(figures)]
    if not models:
        return ""
    best = max(models, key=lambda entry: entry.accuracy.value or 0.0)
    name = (
        f"{best.model} ({best.measure})"
        if len(models) == 1
        else f"The best of {len(models)} models, {best.model} ({best.measure}),"
    )
    right = (
        f"{name} is right in {percent(best.accuracy.value)} of {plural(best.items, 'item')} ({_limits(best.accuracy)})"
    )
    return f"{right}, and answers as the majority does in {percent(best.accuracy_of_majority.value)}."
