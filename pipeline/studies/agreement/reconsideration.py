"""Compute how many answers are the expected ones before and after raters reconsider."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...core.errors import plural
from ...statistics.intervals import clustered_interval
from ..design.judged import EXPLAIN, VERDICT
from ..model.answers import TaskJudgement, first_answers, schema_of
from ..model.study import Study

#: The codes of a verification: the rater takes the answer back, or explains it (`EXPLAIN`).
WITHDRAW = "withdraw"


def reconsidered(
    study: Study, questionnaire: Iterable[TaskJudgement], verification: Iterable[TaskJudgement]
) -> dict[str, Any]:
    """Return the agreement with the expected answers before and after reconsideration (Mandarinograd, LREC 2020, section 3.3).

    A rater who withdraws an answer then agrees with the expected one. An answer that is explained, or that was not reconsidered,
    stays as it is.

    Args:
        study: the questionnaire.
        questionnaire: its judgements.
        verification: what the same raters say of their answers that are not the expected ones.

    Returns:
        ``before`` and ``after``, each with ``right``, ``n``, ``value`` (their share, None without answers) and ``interval`` (Wilson's at
        95 %, the items of a schema being a cluster; or None); ``disagreements``, of which ``withdrawn``, ``explained`` and ``open`` are
        the parts; ``explained_items``, their ids.

    Raises:
        ValueError: a rater verifies an answer that the questionnaire does not have, or has as the expected one; or the questionnaire
            asks for no candidate.
    """
    controls = [control.name for control in study.controls if control.asks_for_candidate]
    if not controls:
        raise ValueError(f"[controls] {study.id} asks for no candidate; expected a questionnaire")
    main = first_answers([answer for answer in questionnaire if answer.task.phase == "main"])
    before = {
        (answer.item, answer.rater): answer.answers[controls[0]] == answer.gold
        for answer in main
        if answer.gold is not None and controls[0] in answer.answers
    }
    verdicts: dict[tuple[str, str], object] = {}
    for answer in verification:
        if answer.task.phase != "main" or answer.skipped:
            continue
        if before.get((answer.item, answer.rater), True):
            reason = f"[rater] no answer to reconsider; found {answer.rater} with {answer.item} in the verification"
            raise ValueError(
                f"{reason}, expected an unexpected answer of theirs in {study.id}: is it pulled with another key?"
            )
        verdicts[answer.item, answer.rater] = answer.answers.get(VERDICT)
    after = {key: right or verdicts.get(key) == WITHDRAW for key, right in before.items()}
    wrong = [key for key, right in before.items() if not right]
    withdrawn, explained = ([key for key in wrong if verdicts.get(key) == code] for code in (WITHDRAW, EXPLAIN))
    return {
        "before": _share(before),
        "after": _share(after),
        "disagreements": len(wrong),
        "withdrawn": len(withdrawn),
        "explained": len(explained),
        "open": len(wrong) - len(withdrawn) - len(explained),
        "explained_items": sorted({item for item, _ in explained}),
    }


def _share(right: Mapping[tuple[str, str], bool]) -> dict[str, Any]:
    schemas: dict[str, list[bool]] = defaultdict(list)
    for (item, _), mark in right.items():
        schemas[schema_of(item)].append(mark)
    interval = clustered_interval((sum(marks), len(marks)) for marks in schemas.values())
    number = sum(right.values())
    return {
        "right": number,
        "n": len(right),
        "value": number / len(right) if right else None,
        "interval": list(interval) if interval else None,
    }


def reconsidered_lines(figures: Mapping[str, Any]) -> Sequence[str]:
    """Return the figures of `reconsidered` in two lines."""
    shares = [
        f"{figures[name]['right']} of {figures[name]['n']} "
        f"({'n/a' if figures[name]['value'] is None else '%.1f %%' % (100 * figures[name]['value'])}) {name}"
        for name in ("before", "after")
    ]
    parts = f"{figures['withdrawn']} withdrawn + {figures['explained']} explained + {figures['open']} open"
    return [
        f"expected answers: {shares[0]} and {shares[1]} reconsideration",
        f"{plural(figures['disagreements'], 'disagreement')} = {parts}",
    ]
