"""A row for each item, levels for the raters that there are, lists against each other, figures beside the papers'."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.core.tables import read_table
from pipeline.evaluation.measures.bounds import read_people
from pipeline.studies.agreement.items import COLUMNS, LevelLimits, levels_by_raters
from pipeline.studies.agreement.records import beside_published, printed_figures
from pipeline.studies.model.design import Lists
from pipeline.studies.model.judgements import Judgement
from pipeline.studies.model.study import Study, Task
from tests.support.agreement import (
    COMMENT,
    NATURALNESS,
    REFERENCE,
    agree,
    figures_of,
    items,
    judge,
    make_study,
    make_task,
    measure,
)

#: Right answers A B A B, each with who answered what and rated it how.
ANSWERS = (
    (("ana", 0, 5), ("ben", 0, 5), ("cyd", 0, 4)),
    (("ana", 1, 4), ("ben", 1, 4), ("cyd", 0, 4)),
    (("ana", 0, 2), ("ben", 1, 3), ("cyd", 1, 2)),
    (("ana", 1, 5), ("ben", 1, 4)),
)


def answered() -> tuple[Study, list[Task], list[Judgement]]:
    """A study with a fifth item that nobody judged; cyd skipped the fourth."""
    tasks = [make_task(number, item) for number, item in enumerate(items(3)[:5], 1)]
    judgements = [
        judge(task, rater, reference=reference, naturalness=rating)
        for task, row in zip(tasks, ANSWERS, strict=False)
        for rater, reference, rating in row
    ]
    return make_study(REFERENCE, NATURALNESS, COMMENT), tasks, [*judgements, judge(tasks[3], "cyd", skipped=True)]


def rows_of(folder: Path) -> dict[str, dict[str, str]]:
    path = folder / "report" / "items.tsv"
    return {row["item"]: row for _, row in read_table(path, COLUMNS)}


def test_each_item_has_a_row(tmp_path: Path) -> None:
    run = agree(tmp_path, *answered())
    assert run.exit_code == 0
    assert "items.tsv: 5 items, 4 of them judged\n" in run.output
    rows = rows_of(tmp_path)
    assert list(rows) == ["zh-01-a", "zh-01-b", "zh-02-a", "zh-02-b", "zh-03-a"]
    shown = (
        "lists",
        "raters",
        "skipped",
        "ratings",
        "mean",
        "rating_level",
        "answers",
        "right",
        "accuracy",
        "accuracy_level",
    )
    assert [[row[name] for name in shown] for row in rows.values()] == [
        ["1", "3", "0", "4 5 5", "4.6667", "easy", "3", "3", "1.0000", "easy"],
        ["1", "3", "0", "4 4 4", "4.0000", "easy", "3", "2", "0.6667", "moderate"],
        ["1", "3", "0", "2 2 3", "2.3333", "hard", "3", "1", "0.3333", "hard"],
        ["1", "2", "1", "4 5", "4.5000", "easy", "2", "2", "1.0000", "easy"],
        ["1", "0", "0", "", "", "", "", "", "", ""],
    ]
    # Ratings: mean 42/11, SSW = 2/3 + 0 + 2/3 + 1/2 = 11/6 over 7; the sum of squares is 172 and 172 - 42^2 / 11 - 11/6 = 9.80303 over 3 is
    # MSB; n_0 = (11 - 31/11) / 3 = 2.727273; between = (3.267677 - 0.261905) / 2.727273 = 1.102117. Of three ratings 1.102117 / (1.102117 +
    # 0.087302) = 0.926601 is kept, of two 0.893799; with these weights
    # the mean is 14.214707 / 3.673602 = 3.869419
    means = {item: float(row["shrunken_mean"]) for item, row in rows.items() if row["shrunken_mean"]}
    assert means == pytest.approx(
        {"zh-01-a": 4.60815, "zh-01-b": 3.99042, "zh-02-a": 2.44608, "zh-02-b": 4.43303}, abs=6e-5
    )
    # the same table is what `evaluate report --people` reads
    shares = read_people(tmp_path / "report" / "items.tsv")
    assert shares == {"zh-01-a": 1, "zh-01-b": 0.6667, "zh-02-a": 0.3333, "zh-02-b": 1}


def test_a_study_without_ratings_or_right_answers_has_empty_cells(tmp_path: Path) -> None:
    tasks = [replace(make_task(number, item), gold=(None,)) for number, item in enumerate(items(1), 1)]
    assert agree(tmp_path, make_study(REFERENCE), tasks, [judge(tasks[0], "ana", reference=0)]).exit_code == 0
    rows = rows_of(tmp_path)
    assert [row["raters"] for row in rows.values()] == ["1", "0"]
    assert not any(row[name] for row in rows.values() for name in COLUMNS[4:])


def test_levels_name_the_unit_and_the_circular_test_stands_beside_the_sound_one(tmp_path: Path) -> None:
    study, tasks, judgements = answered()
    naturalness = measure(tmp_path, study, tasks, judgements)["controls"]["naturalness"]
    # easy: 5 5 4, 4 4 4, 5 4 with the sum 35 and squares 155: (155 - 35 * 35 / 8) / 7; hard: 2 3 2
    single = naturalness["difficulty_ratings"]
    assert (single["easy"]["n"], single["easy"]["value"]) == (8, 4.375)
    assert single["easy"]["sd"] == pytest.approx((1.875 / 7) ** 0.5)
    assert (single["hard"]["value"], single["hard"]["sd"]) == (pytest.approx(7 / 3), pytest.approx((1 / 3) ** 0.5))
    assert single["moderate"]["n"] == 0
    assert naturalness["difficulty"]["easy"]["n"] == 3
    # Ranks of the hard 1.5, 3, 1.5, the easy the other 60: 12 / 132 * (60^2 / 8 + 6^2 / 3) - 36 = 6; ties of 2, 5 and 3 are 6 + 120 + 24
    # of 1320: 6 / (1 - 150 / 1320) = 6.769231; with one degree of freedom p = erfc(sqrt(H / 2))
    test = naturalness["ratings_by_level"]
    assert (test["value"], test["n"]) == (pytest.approx(6.769231), 11)
    assert test["p"] == pytest.approx(math.erfc(math.sqrt(6.769231 / 2)))
    assert 10 ** test["log10_p"] == pytest.approx(test["p"])
    assert naturalness["means_by_level"]["n"] == naturalness["accuracy_by_level"]["reference"]["n"] == 4


def test_levels_for_the_raters_that_there_are() -> None:
    # 0.85 * 6 = 5.1 and 0.6 * 6 = 3.6: five of six are moderate. 17 of 20 are 85 %. Of one rater nothing is moderate.
    table = {f"x-{raters}": {str(rater): 0 for rater in range(raters)} for raters in (6, 20, 1)}
    rows = levels_by_raters(table | {"y": table["x-6"], "z": {}})
    assert rows == [
        LevelLimits(1, 1, easy=(1, 1), moderate=None, hard=(0, 0)),
        LevelLimits(6, 2, easy=(6, 6), moderate=(4, 5), hard=(0, 3)),
        LevelLimits(20, 1, easy=(17, 20), moderate=(12, 16), hard=(0, 11)),
    ]


def two_lists(*right: tuple[int, ...]) -> tuple[Study, list[Task], list[Judgement]]:
    """A study in two lists of two pairs; `right` says for each list how many of its four items each of its raters gets right."""
    tasks, judgements = [], []
    for name, of_list in zip("12", right, strict=True):
        of_this = [
            make_task(number, item, name=name) for number, item in enumerate(items(4)[4 * (name == "2") :][:4], 1)
        ]
        tasks += of_this
        for rater, number in enumerate(of_list):
            for place, task in enumerate(of_this):
                gold = task.gold[0] or 0
                judgements.append(judge(task, f"r-{name}{rater}", reference=gold if place < number else 1 - gold))
    return make_study(REFERENCE, lists=("1", "2")), tasks, judgements


def test_lists_are_tested_over_their_raters(tmp_path: Path) -> None:
    effects = measure(tmp_path, *two_lists((4, 3), (2, 1)))["controls"]["reference"]["lists"]
    assert effects["lists"]["1"] == {"raters": 2, "right": 7, "n": 8, "accuracy": 7 / 8}
    # ranks 4 and 3, 2 and 1: 12 / 20 * (49 / 2 + 9 / 2) - 15 = 2.4
    test = effects["test"]
    assert (test["value"], test["df"], test["n"]) == (pytest.approx(2.4), 1, 4)
    assert test["p"] == pytest.approx(math.erfc(math.sqrt(1.2)))
    text = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert (
        "Difference between lists (Kruskal–Wallis test over the raters’ accuracies): H = 2.40, df = 1, p = 0.121, 4 raters."
        in text
    )


def test_mirrored_lists_count_with_their_twins_and_give_the_two_orders(tmp_path: Path) -> None:
    study, tasks, judgements = two_lists((4, 3), (2, 1))
    twins = replace(study, lists=("1", "1m"), layout=Lists("balanced", 1, mirrored=True))
    renamed = [replace(task, list={"1": "1", "2": "1m"}[task.list]) for task in tasks]
    judgements = [replace(judgement, list={"1": "1", "2": "1m"}[judgement.list]) for judgement in judgements]
    effects = measure(tmp_path, twins, renamed, judgements)["controls"]["reference"]["lists"]
    assert effects["lists"] == {"1": {"raters": 4, "right": 10, "n": 16, "accuracy": 10 / 16}}
    assert effects["test"]["why"] == "fewer than two lists have items"
    assert effects["orders"]["reversed"] == {"raters": 2, "right": 3, "n": 8, "accuracy": 3 / 8}
    assert effects["orders_test"]["value"] == pytest.approx(2.4)


def test_a_list_with_one_rater_cannot_be_told_from_the_rater(tmp_path: Path) -> None:
    test = measure(tmp_path, *two_lists((4, 3), (2,)))["controls"]["reference"]["lists"]["test"]
    assert (test["value"], test["p"], test["why"]) == (None, None, "fewer than two raters have one list")


def test_printed_figures_stand_beside_ours(tmp_path: Path) -> None:
    study, tasks, judgements = two_lists((4, 3), (2, 1))
    study = replace(study, id="upper-bound")
    judgements = [replace(judgement, study="upper-bound") for judgement in judgements]
    assert agree(tmp_path, study, tasks, judgements).exit_code == 0
    rows = {(row["what"], row["printed"]): row["ours"] for row in figures_of(tmp_path)["published"]}
    # 10 of 16 right; raters 1, 3/4, 1/2, 1/4 with the sd sqrt(5/48)
    assert rows["raters", "24"] == "4"
    assert rows["accuracy over answers", "0.926"] == rows["accuracy over raters", "0.926"] == "0.625"
    assert rows["accuracy over raters, standard deviation", "0.037"] == "0.323"
    assert rows["the same p; ours of differences between lists", "0.493"] == "0.121"
    html = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert '<td>WSC-ZA, Table 4</td><td class="number">0.9106 to 0.9422</td>' in html


def test_all_that_is_printed_is_a_figure_of_a_study_or_undefined() -> None:
    for study in {row.study for row in printed_figures()}:
        rows = beside_published(study, None)
        assert all((row.value, row.ours) == (None, "n/a") for row in rows)
    assert beside_published("mine", None) == []
    figures = {"controls": {"naturalness": {"ratings_by_level": {"log10_p": -400.25}}}}
    rows = beside_published("naturalness", figures)
    assert [row.ours for row in rows if row.what == "naturalness by level, over ratings: p"] == ["5.62e-401"]
