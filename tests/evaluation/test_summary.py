"""The sentences with which a report begins, of systems whose answers are made by hand: 20 pairs, ten of each kind, 40 items."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from pipeline.evaluation.items import ReleasedItem
from pipeline.evaluation.predictions import Form, Response, Run, response
from pipeline.evaluation.report.evaluation import Evaluation
from pipeline.evaluation.report.figures import figures
from pipeline.evaluation.report.summary import sentences
from tests.support.simulated_systems import simulated_items

ITEMS = simulated_items(20)


def answers(
    model: str, right: Callable[[int, ReleasedItem], bool], form: Form = "zero", text: str = "答案：{}"
) -> dict[Run, dict[str, Response]]:
    """Return a run of a system that has those items right, by number and item, of which `right` says so."""
    letters = {
        entry.item.id: "AB"[entry.item.answer if right(number, entry) else 1 - entry.item.answer]
        for number, entry in enumerate(ITEMS)
    }
    of_run = {entry.item.id: response(text.format(letters[entry.item.id]), entry) for entry in ITEMS}
    return {Run(model, "zero-shot", form, "written"): of_run}


def always_right(number: int, entry: ReleasedItem) -> bool:
    return True


def says_a(number: int, entry: ReleasedItem) -> bool:
    return entry.item.answer == 0


def summary(runs: Mapping[Run, Mapping[str, Response]], people: Mapping[str, float] | None = None) -> list[str]:
    evaluation = Evaluation("zh", ITEMS, runs, people or {}, permutations=999)
    return sentences(evaluation, figures(evaluation))


def test_best_and_worst_system_stand_first() -> None:
    # all right in 20 schemas: from 0.025 ** (1 / 20) = 83.2 %; one of two in each schema: exact limits of 20 of 40, 33.8 and 66.2 %
    # people's 92.6 less 100 are -7.4 points, less 83.2 they are 9.4
    first, people, limits = summary(answers("good", always_right) | answers("flat", says_a))
    assert first == (
        "Of 2 systems, good does best: 100.0 % of 40 answers (83.2 to 100.0) right, above chance; flat worst: "
        "50.0 % of 40 answers (33.8 to 66.2), which fits guessing. Better than chance (50.0 %): 1 of 2."
    )
    assert people == (
        "The best run, good, zero-shot, cannot be told from people (92.6 %: WSC-ZA, Table 4, other items): "
        "their accuracy less its is −7.4 points, −7.4 to 9.4."
    )
    # 100 - 83.2 = 16.8, more than 66.2 - 50.0
    assert (
        limits
        == "With 40 items in 20 schemas an accuracy is uncertain by up to 16.8 points; all systems differ surely."
    )


def test_systems_that_answer_alike_cannot_be_told_apart() -> None:
    first, *_, limits = summary(answers("one", always_right) | answers("other", always_right))
    assert first == "All 2 systems have 100.0 % of their answers right. Better than chance (50.0 %): 2 of 2."
    assert limits.endswith("by up to 16.8 points: one and other cannot be told apart.")
    limits = summary(answers("one", always_right) | answers("other", always_right) | answers("third", always_right))[-1]
    assert limits.endswith("by up to 16.8 points: no two systems can be told apart.")


def test_a_group_that_systems_find_hard_is_named() -> None:
    # ten schemas all wrong: up to 1 - 0.025 ** (1 / 10) = 30.8 %; the ten others all right: from 69.2 %
    found = summary(answers("m", lambda _, entry: entry.traits["kind"] == "social"))
    assert found[2] == (
        "Hardest are the 20 items with kind spatial: 0.0 % of the answers right (0.0 to 30.8), of all others 100.0 %."
    )
    assert not any(text.startswith("Hardest") for text in summary(answers("m", always_right)))


def test_what_the_zero_costs_is_said_where_it_is_no_chance() -> None:
    # wrong with the zero in version a of ten schemas: 10 of 40 items; ten schemas of one sign have p about 2 / 2 ** 10
    zero = answers("m", lambda number, _: number % 4 != 0)
    overt = answers("m", always_right, "overt")
    assert "With Ø in place of the pronoun m loses 25.0 points." in summary(zero | overt)
    # one schema: p is 1
    zero = answers("m", lambda number, _: number != 0)
    assert "No system is surely better or worse with Ø than with the pronoun (−2.5 to −2.5 points)." in summary(
        zero | overt
    )


def test_a_bias_to_a_place_is_said() -> None:
    # right in all of version a and in every fourth of version b: A in 20 + 15 of 40 choices, where A is right in 20
    found = summary(answers("m", lambda number, entry: says_a(number, entry) or number % 8 == 1))
    assert "m prefers a place of the options: it takes A in 87.5 % of 40 choices, where A is right in 50.0 %." in found


def test_answers_that_choose_nothing_are_compared_with_nothing() -> None:
    first = summary(answers("m", always_right, text="抱歉，我无法回答。"))[0]
    assert first == "m has 0.0 % of 40 answers (0.0 to 16.8) right, which says nothing beside chance (50.0 %)."


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.5, "m is 50.0 points above people (50.0 %: people on these items)"),
        (1.0, "m is 0.0 points above people (100.0 %: people on these items)."),
    ],
)
def test_people_on_the_same_items(share: float, words: str) -> None:
    found = summary(answers("m", always_right), {entry.item.id: share for entry in ITEMS})
    assert found[1].startswith(words)


def test_people_on_few_of_the_items() -> None:
    found = summary(answers("m", always_right), {ITEMS[0].item.id: 0.5})
    assert found[1] == "m is 50.0 points above people on 1 item (50.0 %: people on these items)."


def test_without_people_nothing_is_said_about_them() -> None:
    items = [replace(entry, text_zero="") for entry in ITEMS]
    evaluation = Evaluation("en", items, answers("m", always_right, "overt"), permutations=9)
    assert sentences(evaluation, figures(evaluation))[1] == "How people answer these items is not known."
