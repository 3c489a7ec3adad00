"""Macro-averaged scores over the labels of the options (WSC-ZA, section 4.1.3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True, slots=True)
class MacroScores:
    """Macro-averaged scores: means over labels.

    Section 4.1.3 defines F1 twice. Its words average the labels' F1 scores (`f1_of_labels`); its formula takes the harmonic mean of macro
    precision and macro recall (`f1_of_means`). Table 6 has the former: the 0.845 of LLaMA-3, zero-shot, lies below its precision
    (0.850) and recall (0.846), where no mean of the two can lie. scikit-learn has the former too.
    """

    precision: float
    recall: float
    f1_of_labels: float
    f1_of_means: float


def macro_scores(answers: Sequence[int], choices: Sequence[int | None]) -> MacroScores | None:
    """Return the macro-averaged scores of choices.

    Without a choice, an answer is a missed instance of its label (FN) and a wrong instance of none (FP). A label that is never
    chosen has precision 0, as in scikit-learn: a system that always answers A would otherwise have the precision of A alone.

    Args:
        answers: index of the right candidate of each item.
        choices: index of the candidate that was chosen, or None, of the same items.

    Returns:
        None without items. A label that is never right and never chosen is ignored.
    """
    labels = sorted({*answers, *(choice for choice in choices if choice is not None)})
    if not answers:
        return None
    pairs = list(zip(answers, choices, strict=True))
    precisions, recalls, scores = [], [], []
    for label in labels:
        hits = sum(answer == choice == label for answer, choice in pairs)
        chosen = sum(choice == label for _, choice in pairs)
        given = sum(answer == label for answer, _ in pairs)
        precisions.append(hits / chosen if chosen else 0.0)
        recalls.append(hits / given if given else 0.0)
        scores.append(2 * hits / (chosen + given))
    precision, recall = fmean(precisions), fmean(recalls)
    harmonic = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return MacroScores(precision, recall, fmean(scores), harmonic)
