"""The association baseline: PMI and decisions by hand, and the command on a small table of counts."""

import itertools
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from pipeline.cli.corpus import pmi_command
from pipeline.cli.report import runnable
from pipeline.core.errors import PipelineError
from pipeline.core.files import to_json
from pipeline.core.model import PmiTerms
from pipeline.core.records import write_items
from pipeline.corpus.baseline import (
    Score,
    answer_rows,
    coin,
    decide,
    decide_items,
    pmi,
    read_item_terms,
    score,
    uncounted_terms,
)
from pipeline.corpus.counting.counts import Counts, read_counts, write_counts
from pipeline.corpus.page import meaning, whole_thresholds
from tests.conftest import Refused
from tests.support.items import marked
from tests.support.pages import Page

INF = math.inf


def test_pmi_by_hand() -> None:
    # 1,000 windows, the words in 100 and 50, both in 20: log2(20 * 1000 / (100 * 50)) = log2(4)
    assert pmi(20, 100, 50, 1000) == 2.0
    # as often together as chance has it
    assert pmi(5, 100, 50, 1000) == 0.0
    assert pmi(0, 100, 50, 1000) == -INF
    assert pmi(0, 0, 50, 1000) is None


@pytest.mark.parametrize(
    ("pmis", "threshold", "choice"),
    [
        ((2.0, 1.0), 0.0, 0),
        ((1.0, 2.0), 0.0, 1),
        ((1.0, -INF), 0.0, 0),
        ((-INF, -3.0), 5.0, 1),
        ((2.0, 1.0), 0.5, 0),
        ((2.0, 1.0), 1.0, None),  # the difference must exceed the threshold
        ((1.0, 1.0), 0.0, None),
        ((-INF, -INF), 0.0, None),
        ((None, 1.0), 0.0, None),
    ],
)
def test_a_decision_needs_a_difference(
    pmis: tuple[float | None, float | None], threshold: float, choice: int | None
) -> None:
    decision = decide(pmis, "t-1-a", threshold=threshold)
    assert decision.decided == (choice is not None)
    assert decision.choice == (coin("t-1-a", 0) if choice is None else choice)


def test_coins_are_fair_and_each_items_own() -> None:
    coins = [coin(f"t-{number}", 7) for number in range(2000)]
    assert 900 < sum(coins) < 1100
    assert coins != [coin(f"t-{number}", 8) for number in range(2000)]


def test_the_figures_by_hand() -> None:
    answers = {"a": 0, "b": 1, "c": 0, "d": 1, "e": 0}
    pmis = {"a": (1.0, 0.0), "b": (1.0, 0.0), "c": (0.0, 0.0), "e": (2.0, 1.0)}
    decisions = {name: decide(pair, name) for name, pair in pmis.items()}
    # a and e are decided rightly, b wrongly; c has no difference and d no terms, so that a coin answers them: 2 + 2 / 2 = 3 of 5
    result = score(decisions, answers)
    assert result == Score(items=5, with_terms=4, decided=3, right_decided=2)
    assert (result.coverage, result.precision, result.accuracy, result.term_coverage) == (0.6, 2 / 3, 0.6, 0.8)
    assert score({}, {}).precision is None


def test_the_accuracy_is_the_mean_over_coins_of_every_seed() -> None:
    """The paper's 55 % are 93 decided rightly and half of 155 others in 308 items (LREC 2020, 4.3)."""
    assert Score(items=308, with_terms=250, decided=153, right_decided=93).accuracy == pytest.approx(0.5536, abs=1e-4)
    answers = {f"t-{number}": number % 2 for number in range(4)}
    drawn = [sum(coin(name, seed) == answer for name, answer in answers.items()) / 4 for seed in range(4000)]
    expected = score({}, answers).accuracy
    assert expected is not None
    assert abs(sum(drawn) / len(drawn) - expected) < 0.02


#: Which of three words each window of a corpus holds.
WINDOWS = st.lists(st.sets(st.sampled_from("伞雨风")), min_size=1, max_size=20)


@given(WINDOWS, st.floats(0, 2))
def test_rows_say_what_follows_from_the_windows(windows: list[set[str]], threshold: float) -> None:
    counts = Counts(len(windows))
    for window in windows:
        counts.terms.update(window)
        counts.pairs.update(itertools.combinations(sorted(window), 2))
    item = marked("伞打不过雨，【它】太小了。", "t-1-a", candidates=("伞", "雨"))
    terms = {item.id: PmiTerms(("伞", "雨"), "风")}
    decisions = decide_items([item], terms, counts, threshold=threshold)
    (row,) = answer_rows([item], terms, counts, decisions)
    to_json(row)  # no NaN, no infinity
    assert row["joint_counts"] == [sum({word, "风"} <= window for window in windows) for word in "伞雨"]
    for single, joint, value in zip(row["counts"], row["joint_counts"], row["pmi"], strict=True):
        assert joint <= min(single, row["reference_count"])
        assert (value is None) == (not single or not row["reference_count"])
        assert (value == "-inf") == (value is not None and not joint)
    difference = row["difference"]
    assert (difference is None) == (None in row["pmi"] or row["pmi"] == ["-inf", "-inf"])
    assert row["decided"] == (difference is not None and abs(float(difference)) > threshold)
    assert row["choice"] == (int(float(difference) < 0) if row["decided"] else coin(item.id, 0))
    assert row["right"] == (row["choice"] == item.answer)


# --- counts as files --------------------------------------------------------------------------------------------------


def test_counts_come_back(tmp_path: Path) -> None:
    counts = Counts(1000)
    counts.terms.update({"箱子": 50, "大": 100})
    counts.pairs["大", "箱子"] = 20
    write_counts(tmp_path / "counts.jsonl", counts)
    assert read_counts(tmp_path / "counts.jsonl") == counts


@pytest.mark.parametrize(
    ("lines", "line", "field"),
    [
        (['{"terms": ["大"], "count": 3}'], None, "windows"),
        (['{"windows": 3}', '{"terms": ["大"]}'], 2, "count"),
        (['{"windows": 3}', '{"terms": ["大"], "count": -1}'], 2, "count"),
        (['{"windows": 3}', '{"terms": ["大", "小", "人"], "count": 1}'], 2, "terms"),
        (['{"windows": 3}', '{"terms": ["大"], "count": 1}', '{"terms": ["大"], "count": 1}'], 3, "terms"),
        (['{"windows": 3}', '{"windows": 4}'], 2, "terms"),
        (['{"windows": 3}', '{"terms": ["大"], "count": 3}', '{"terms": ["小"], "count": 4}'], 3, "count"),
        (['{"windows": 9}', '{"terms": ["大"], "count": 3}', '{"terms": ["大", "小"], "count": 1}'], 3, "count"),
        (
            [
                '{"windows": 9}',
                *(f'{{"terms": ["{term}"], "count": 3}}' for term in "大小"),
                '{"terms": ["大", "小"], "count": 4}',
            ],
            4,
            "count",
        ),
    ],
)
def test_broken_counts_are_refused(
    lines: list[str], line: int | None, field: str, tmp_path: Path, refused: Refused
) -> None:
    path = tmp_path / "counts.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    refused(lambda: read_counts(path), f"{path}:{line}" if line else str(path), field)


# --- the command --------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    items = [
        marked("奖杯放不进箱子，【它】太大了。", "t-1-a", candidates=("奖杯", "箱子")),
        marked("奖杯放不进箱子，【它】太小了。", "t-1-b", candidates=("奖杯", "箱子"), answer=1),
        marked("老汤找小柳，【他】病了。", "t-2-a", candidates=("老汤", "小柳")),
    ]
    write_items(tmp_path / "items.jsonl", items)
    terms = [
        {"id": "t-1-a", "candidates": ["奖杯", "箱子"], "reference": "大"},
        {"id": "t-1-b", "pmi": {"candidates": ["奖杯", "箱子"], "reference": "小"}},
        {"id": "t-2-a", "pmi": None},
    ]
    (tmp_path / "terms.jsonl").write_text("".join(json.dumps(row) + "\n" for row in terms), encoding="utf-8")
    counts = Counts(1000)
    counts.terms.update({"奖杯": 50, "箱子": 100, "大": 100, "小": 10})
    counts.pairs["大", "奖杯"] = 20  # 2.0
    counts.pairs["大", "箱子"] = 10  # 0.0
    counts.pairs["小", "箱子"] = 1  # 0.0; 奖杯 and 小 never meet
    write_counts(tmp_path / "counts.jsonl", counts)
    return tmp_path


def run(folder: Path, *options: str) -> Any:
    app = typer.Typer()
    app.command()(runnable(pmi_command))
    files = {"--terms": "terms.jsonl", "--counts": "counts.jsonl", "--out": "pmi.jsonl"}
    named = [word for option, name in files.items() for word in (option, str(folder / name))]
    return CliRunner().invoke(app, [str(folder / "items.jsonl"), *named, *options])


def test_the_command_answers_and_prints_how_well(folder: Path) -> None:
    result = run(folder, "--report", str(folder / "pmi.html"), "--corpus", "<b>ours</b>", "--records", "../record.html")
    assert result.exit_code == 0, result.output
    first, second, third = (
        json.loads(line) for line in (folder / "pmi.jsonl").read_text(encoding="utf-8").splitlines()
    )
    assert (first["pmi"], first["difference"], first["choice"], first["right"]) == ([2.0, 0.0], 2.0, 0, True)
    assert (second["pmi"], second["difference"], second["choice"], second["right"]) == (["-inf", 0.0], "-inf", 1, True)
    assert (first["counts"], first["reference_count"], first["joint_counts"]) == ([50, 100], 100, [20, 10])
    assert third == {"id": "t-2-a", "answer": 0}
    assert "3 items, 2 with terms (66.7 %), 2 decided (66.7 %); right: 100.0 % of the decided" in result.output
    assert "153 decided" in result.output
    # Two are right, the third is half right: 2.5 of 3.
    assert "83.3 % of all with coins for the rest" in result.output
    page = (folder / "pmi.html").read_text(encoding="utf-8")
    text = Page(page).text
    assert "Word association decides 2 of 3 items ( 66.7 % ), 2 of them rightly." in text.replace(
        "(66.7 %)", "( 66.7 % )"
    )
    assert "Association solves both members of t-1 ." in text
    assert '<a href="../record.html#t-1-a">t-1-a</a>' in page
    assert "&lt;b&gt;ours" in page
    assert "http" not in page.replace("http-equiv", "")
    assert "−∞ / 0.00" in page
    assert f"“All items” are the 3 of {folder / 'items.jsonl'}." in page
    assert "1 of the 3 items has no terms. A coin answers it: it counts as half right" in page
    assert "released items" not in page
    assert 'class="number">1,000</td>' in page
    assert "1 infinite and 0 undefined differences" in page


def test_released_items_have_a_column_of_their_own(folder: Path) -> None:
    lines = (folder / "items.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "released.jsonl").write_text("".join(lines[1:]), encoding="utf-8")
    result = run(folder, "--report", str(folder / "pmi.html"), "--released", str(folder / "released.jsonl"))
    # One of two is right, the other half right: 1.5 of 2.
    expected = (
        "released: 2 items, 1 with terms (50.0 %), 1 decided (50.0 %); right: 100.0 % of the decided, 75.0 % of all"
    )
    assert expected in result.output
    page = (folder / "pmi.html").read_text(encoding="utf-8")
    lead = "Word association decides 1 of 2 released items (50.0 %), 1 of them rightly. With a coin for the others that is 75.0 % right"
    assert lead in Page(page).text
    shown = re.findall(r">([^<>\n]+)</td>", page.partition(">with terms</th>")[2])
    assert [cell.replace("\N{NO-BREAK SPACE}", " ") for cell in shown[:3]] == ["2 (66.7 %)", "1 (50.0 %)", "250 (81 %)"]


def test_the_page_names_an_estimate_the_threshold_and_the_seed(folder: Path) -> None:
    counts = read_counts(folder / "counts.jsonl")
    counts.estimated = True
    write_counts(folder / "counts.jsonl", counts)
    assert run(folder, "--report", str(folder / "pmi.html"), "--threshold", "0.25", "--seed", "2026").exit_code == 0
    page = (folder / "pmi.html").read_text(encoding="utf-8")
    assert "about 1,000" in page
    assert "The number of windows is an estimate" in page
    assert "exceeds the threshold 0.25; otherwise a coin answers, seeded by the item's id and the seed 2026." in page


def test_a_page_without_differences_says_so(folder: Path) -> None:
    uncounted = {"id": "t-1-a", "candidates": ["奖状", "箱子"], "reference": "大"}
    (folder / "terms.jsonl").write_text(json.dumps(uncounted), encoding="utf-8")
    assert run(folder, "--report", str(folder / "pmi.html")).exit_code == 0
    text = Page((folder / "pmi.html").read_text(encoding="utf-8")).text
    assert "decides 0 of 3 items" in text
    assert "So few decisions say nothing about the items." in text
    assert "2 of the 3 items have no terms" in text
    assert "Decided items ✓ and" in text
    assert " None. " in text


def test_terms_of_ids_that_no_item_has_are_named(folder: Path) -> None:
    with (folder / "terms.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(json.dumps({"id": "t-1a", "candidates": ["奖杯", "箱子"], "reference": "大"}) + "\n")
    result = run(folder)
    assert result.exit_code == 0
    assert "terms.jsonl: [terms] 1 line of ids that no item has: 't-1a'\n" in result.stderr


# --- terms of other files -------------------------------------------------------------------------------------------------


def refusal(folder: Path, terms: str) -> str:
    """Return the line that refuses a terms file; nothing may be written."""
    (folder / "terms.jsonl").write_text(terms, encoding="utf-8")
    result = run(folder, "--report", str(folder / "pmi.html"))
    assert isinstance(result.exception, PipelineError)
    assert not any((folder / name).exists() for name in ("pmi.jsonl", "pmi.html"))
    return str(result.exception).removeprefix(f"{folder / 'terms.jsonl'}")


def test_the_list_for_corpus_count_is_no_terms_of_items(folder: Path) -> None:
    line = refusal(folder, "奖杯\n箱子\n")
    assert line.startswith(
        ":1: [terms] a list of words, as corpus count takes it; found '奖杯', expected the terms of each"
    )
    assert "ingest --analysis" in line


@pytest.mark.parametrize(
    ("terms", "what"),
    [
        ("", "no terms"),
        ('{"id": "t-1-a", "pmi": null}\n', "no terms"),
        ('{"id": "x-1-a", "candidates": ["奖杯", "箱子"], "reference": "大"}', "terms of other ids such as 'x-1-a'"),
    ],
)
def test_items_that_all_have_no_terms_are_refused(folder: Path, terms: str, what: str) -> None:
    expected = f"no item has terms; found {what}, expected ids of the items such as t-1-a"
    assert refusal(folder, terms).startswith(f": [terms] {expected}")


# --- terms that were not counted ----------------------------------------------------------------------------------------


def test_terms_that_the_counts_do_not_have_are_named(folder: Path) -> None:
    assert run(folder).stderr == ""
    counts = read_counts(folder / "counts.jsonl")
    del counts.terms["小"], counts.pairs["小", "箱子"]
    write_counts(folder / "counts.jsonl", counts)
    result = run(folder)
    assert result.exit_code == 0
    # the items ask for 奖杯, 箱子, 大 and 小
    assert result.stderr == (
        f"{folder / 'counts.jsonl'}: [terms] 1 of 4 terms are missing, absent from the corpus or not counted: 小\n"
    )


def test_a_term_counted_as_zero_is_in_the_counts(folder: Path) -> None:
    path = folder / "counts.jsonl"
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if "小" not in line]
    path.write_text("\n".join([*lines, '{"terms": ["小"], "count": 0}']) + "\n", encoding="utf-8")
    assert run(folder).stderr == ""


def test_counts_of_other_terms_are_refused(folder: Path, refused: Refused) -> None:
    counts = Counts(1000)
    counts.terms["苹果"] = 5
    terms = read_item_terms(folder / "terms.jsonl").values()
    path = folder / "counts.jsonl"
    refused(lambda: uncounted_terms(terms, counts, path), str(path), "terms")
    write_counts(path, counts)
    reason = "none of the 4 terms of the items is in these counts; found 1 other terms, expected those"
    assert str(run(folder).exception) == f"{path}: [terms] {reason}; count again with the same --terms"
    assert not (folder / "pmi.jsonl").exists()


def test_a_threshold_takes_decisions_away(folder: Path) -> None:
    result = run(folder, "--threshold", "2")
    assert "2 with terms (66.7 %), 1 decided" in result.output


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ('{"candidates": ["大", "小"], "reference": "人"}', "id"),
        ('{"id": "t-1-a", "candidates": ["大"], "reference": "人"}', "candidates"),
        ('{"id": "t-1-a", "candidates": ["大", ""], "reference": "人"}', "candidates.1"),
        ('{"id": "t-1-a", "candidates": ["大", "小"]}', "reference"),
        (
            '{"id": "t-1-a", "schema": "t-1", "text": "大", "target": null, "candidates": ["大", "小"], "answer": 0}',
            "reference",
        ),
        ('{"id": "t-1-a", "pmi": "大"}', "pmi"),
        ('{"id": "t-1-a", "pmi": [1]}', "pmi"),
    ],
)
def test_broken_terms_are_refused(folder: Path, line: str, field: str) -> None:
    (folder / "terms.jsonl").write_text(line + "\n", encoding="utf-8")
    assert str(run(folder).exception).startswith(f"{folder / 'terms.jsonl'}:1: [{field}]")


# --- what the page says -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("decided", "interval", "words"),
    [
        (9, (0.6, 0.7), "So few decisions say nothing"),  # 9 of 100
        (10, (0.45, 0.55), "no better than guesses"),
        (50, None, "no better than guesses"),
        (50, (0.51, 0.7), "better than guesses: some"),
        (50, (0.2, 0.49), "worse than guesses"),
    ],
)
def test_what_a_score_means(decided: int, interval: tuple[float, float] | None, words: str) -> None:
    assert words in meaning(Score(items=100, with_terms=100, decided=decided, right_decided=decided // 2), interval)


def test_thresholds_are_whole_bits() -> None:
    scores = [(step, Score(10, 10, decided, 0)) for step, decided in ((0.0, 10), (0.7, 7), (1.0, 5), (40.5, 0))]
    assert [(bits, at.decided) for bits, at in whole_thresholds(scores)] == [
        (0, 10),
        *((bits, 5) for bits in range(1, 12)),
    ]
    assert [(bits, at.decided) for bits, at in whole_thresholds(scores[:3])] == [(0, 10), (1, 5)]
    assert whole_thresholds([]) == []
