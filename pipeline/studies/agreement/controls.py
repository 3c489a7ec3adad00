"""The figures of one control of a study."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from ...statistics.difficulty import BY_ACCURACY, BY_RATING, CutOffs, by_difficulty, mean_ratings
from ...statistics.human_accuracy import human_accuracy, item_accuracies, mark, subject_accuracies
from ...statistics.intervals import clustered_interval
from ...statistics.ratings import Category, Judgements
from ...statistics.summary import Summary, kruskal_wallis, summarise
from ...statistics.voting import majority_vote, vote_accuracy
from ..answers import TaskJudgement, schema_of
from ..design.design import Control
from .coefficients import Bootstrap, figure, nominal_agreement, rating_agreement

TIE = "tie"


def letter(number: int) -> str:
    """Return the letter of a candidate: A for the first."""
    return chr(ord("A") + number)


def asked_for(control: Control) -> bool:
    """Whether a control asks for an answer; a text that may be left out is a remark."""
    return control.kind != "text" or control.required


def asked_who(control: Control) -> bool:
    """Return whether a control asks all raters which candidate is meant; one that may be left open tells another thing.

    In a consensus study it names the candidate that should be the right one instead.
    """
    return control.kind == "candidate" and control.required


def comparable(rows: Judgements) -> dict[str, dict[str, Category]]:
    """Return rows in which texts that differ by capitals or outer blanks alone are the same answer."""
    return {
        item: {rater: said.strip().casefold() if isinstance(said, str) else said for rater, said in row.items()}
        for item, row in rows.items()
    }


def label_figures(rows: Judgements, bootstrap: Bootstrap) -> dict[str, Any]:
    """Return what all controls have that are answered by a label: agreement, answers, votes."""
    votes = {item: majority_vote(row.values()) for item, row in rows.items()}
    winners = Counter(str(vote.winner) for vote in votes.values() if vote.winner is not None)
    return {
        "agreement": nominal_agreement(rows, bootstrap),
        "answers": dict(sorted(Counter(str(said) for row in rows.values() for said in row.values()).items())),
        "votes": {
            "winners": dict(sorted(winners.items())),
            "tied": sum(vote.tied for vote in votes.values()),
            "unanimous": sum(vote.unanimous for vote in votes.values()),
        },
    }


def candidate_figures(rows: Judgements, answers: Sequence[TaskJudgement], control: str) -> dict[str, Any]:
    """Return how often people are right of the items that have a right answer (WSC-ZA, sections 3.3 and 5.3).

    Args:
        rows: what each rater said to each item.
        answers: the same with their tasks.
        control: its name.
    """
    gold = gold_of(answers)
    told = {item: row for item, row in rows.items() if item in gold}
    marks = mark(told, gold)
    human, vote = human_accuracy(marks), vote_accuracy(told, gold)
    why = "no item that was answered has a right answer"
    right = {item: majority_vote(row.values()).winner == gold[item] for item, row in told.items()}
    return {
        "accuracy": {
            "subjects": _summary(human.subjects, why),
            "items": _summary(human.items, why),
            "micro": _clustered(human.micro, ((one, row.values()) for one, row in marks.items()), why)
            | {"right": human.right, "n": human.answers},
            "majority": _clustered(vote.accuracy, ((one, [good]) for one, good in right.items()), why)
            | {"right": vote.right, "tied": vote.tied, "n": vote.items, "of_decided": vote.of_decided},
            "raters": subject_accuracies(marks),
            "without_gold": len(rows) - len(told),
        },
        "confusion": {"majority": _majorities(told, gold), "places": _places(answers, control)},
        "difficulty": _levels(item_accuracies(marks), BY_ACCURACY),
    }


def rating_figures(
    rows: Judgements, control: Control, accuracies: Mapping[str, Mapping[str, float]], bootstrap: Bootstrap
) -> dict[str, Any]:
    """Return what ratings tell; levels of difficulty, which WSC-ZA cuts on a scale of 1 to 5, on that scale alone.

    Args:
        rows: what each rater said to each item.
        control: the rating.
        accuracies: by candidate control, the share of right answers to each item.
        bootstrap: how intervals are drawn.
    """
    told = [int(said) for row in rows.values() for said in row.values()]
    means = mean_ratings(rows)
    counts = Counter(told)
    single = summarise(told)
    by_rater: dict[str, list[int]] = {}
    for row in rows.values():
        for rater, said in row.items():
            by_rater.setdefault(rater, []).append(int(said))
    wanted = (control.low, control.high) == (1, 5)
    levels = by_difficulty(means, BY_RATING) if wanted else None
    return {
        "agreement": rating_agreement(rows, bootstrap),
        "ratings": {"n": len(told), "mean": single.mean if single else None, "sd": single.sd if single else None},
        "item_means": _summary(summarise(means.values()), "nobody answered"),
        "histogram": {str(value): counts[value] for value in range(control.low, control.high + 1)},
        "raters": {rater: fmean(said) for rater, said in sorted(by_rater.items())},
        "difficulty": _levels(means, BY_RATING) if wanted else None,
        "accuracy_by_level": {
            name: _kruskal([[shares[one] for one in level if one in shares] for level in levels.values()])
            for name, shares in sorted(accuracies.items())
        }
        if levels
        else None,
    }


def gold_of(answers: Iterable[TaskJudgement]) -> dict[str, Category]:
    """Return the right answer of each item that has one."""
    return {one.item: one.gold for one in answers if one.gold is not None}


def _summary(found: Summary | None, why: str) -> dict[str, Any]:
    if found is None:
        return figure(None, why=why) | {"n": 0, "sd": None}
    return figure(found.mean, found.interval, no_interval="a single value has no spread") | {
        "n": found.n,
        "sd": found.sd,
    }


def _clustered(value: float | None, marks: Iterable[tuple[str, Iterable[bool]]], why: str) -> dict[str, Any]:
    schemas: dict[str, list[bool]] = {}
    for item, rights in marks:
        schemas.setdefault(schema_of(item), []).extend(rights)
    interval = clustered_interval((sum(rights), len(rights)) for rights in schemas.values())
    return figure(value, interval, why=why, no_interval="fewer than two schemas")


def _majorities(rows: Judgements, gold: Mapping[str, Category]) -> dict[str, dict[str, int]]:
    found: Counter[tuple[int, int | None]] = Counter()
    for item, row in rows.items():
        winner = majority_vote(row.values()).winner
        found[int(gold[item]), None if winner is None else int(winner)] += 1
    most = max([1, *(number for pair in found for number in pair if number is not None)])
    return {
        letter(right): {letter(said): found[right, said] for said in range(most + 1)} | {TIE: found[right, None]}
        for right in range(most + 1)
    }


def _places(answers: Iterable[TaskJudgement], control: str) -> list[list[int]]:
    """Return how many judgements named the candidate shown at each place, by the place of the right one."""
    found: Counter[tuple[int, int]] = Counter()
    most = 2
    for one in answers:
        options = one.task.options[one.place]
        if one.gold in options and control in one.judgement.answers:
            said = options.index(int(one.judgement.answers[control]))
            found[options.index(int(one.gold or 0)), said] += 1
            most = max(most, len(options))
    return [[found[right, said] for said in range(most)] for right in range(most)]


def _levels(values: Mapping[str, float], cut_offs: CutOffs) -> dict[str, dict[str, Any]]:
    return {
        level: _summary(summarise(of_level.values()), "no item has this level")
        for level, of_level in by_difficulty(values, cut_offs).items()
    }


def _kruskal(groups: Sequence[Sequence[float]]) -> dict[str, Any]:
    test = kruskal_wallis(groups)
    found: dict[str, Any] = (
        {"value": test.h, "df": test.df, "p": test.p, "why": None} if test else dict.fromkeys(("value", "df", "p"))
    )
    if not test:
        few = sum(map(bool, groups)) < 2
        found["why"] = "fewer than two levels have items" if few else "all items have the same accuracy"
    return found | {"n": sum(map(len, groups))}
