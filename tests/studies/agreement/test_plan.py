"""The plan of a study: spreads as in WSC-ZA, widths by hand, lists as the design draws them."""

import math
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from pipeline.core.files import from_json
from pipeline.studies.agreement.plan import Truth, constant, lists_for, plan_cell
from pipeline.studies.design.fields import StudyRecord
from pipeline.studies.model.design import Lists
from tests.support.commands import winoforge
from tests.support.studies import DESIGN, kites, write_design

RECORDS = [StudyRecord(item=kites(number)) for number in range(240)]


def test_the_default_spreads_are_those_of_wsc_za() -> None:
    """Table 4: 24 raters and 240 items, 60 to a list, give 0.926 with sd 0.037 over raters and 0.165 over items."""
    parts = lists_for(Lists("balanced", count=4), RECORDS, 24, 240, Random(1))
    cell = plan_cell(parts, Truth(), 0.05, 24, Random(1))
    assert (cell.raters, cell.items, cell.answers) == (24, 240, 1440)
    assert cell.rater_sd == pytest.approx(0.037, abs=0.005)
    assert cell.item_sd == pytest.approx(0.165, abs=0.012)


def test_widths_of_answers_that_depend_on_nobody() -> None:
    # Six answers to each of 240 items, right in half: an item's share has the sd 0.5 / sqrt(6) = 0.20412, and the t interval of the
    # mean the width 2 * 1.96994 * 0.20412 / sqrt(240) = 0.05191; 60 answers of each of 24 raters: 0.5 / sqrt(60) = 0.06455 and
    # 2 * 2.06866 * 0.06455 / sqrt(24) = 0.05451; 1440 answers in 120 pairs: about 2 * 1.98 * 0.5 / sqrt(1440) = 0.0522.
    parts = lists_for(Lists("balanced", count=4), RECORDS, 24, 240, Random(1))
    cell = plan_cell(parts, Truth(0.5, 0, 0), 0.053, 12, Random(1))
    assert cell.widths["items"] == pytest.approx(0.0519, rel=0.03)
    assert cell.widths["raters"] == pytest.approx(0.0545, rel=0.1)
    assert cell.widths["answers"] == pytest.approx(0.0522, rel=0.1)
    assert cell.reached["items"] > 0.5
    assert cell.alpha is not None
    assert cell.alpha[0] < 0.02  # answers by coin agree by chance only
    assert cell.alpha[1] > -0.02


@pytest.mark.parametrize("truth", [Truth(), Truth(0.6, 1, 0.5), Truth(0.99, 0, 3)])
def test_the_constant_gives_the_expected_accuracy(truth: Truth) -> None:
    start, rng, spread = constant(truth), Random(3), math.hypot(truth.rater_sd, truth.item_sd)
    draws = [1 / (1 + math.exp(-start - rng.gauss(0, spread))) for _ in range(20_000)]
    assert sum(draws) / len(draws) == pytest.approx(truth.accuracy, abs=0.005)


def test_lists_are_those_of_the_design() -> None:
    subsets = lists_for(Lists("subsets", count=5, size=7), RECORDS, 6, 240, Random(1))
    assert len(subsets) == 6
    for part in subsets:  # one sentence of each pair
        assert Counter(record.item.schema for record in part).most_common(1)[0][1] == 1
        assert len(part) == 120
    whole = lists_for(Lists("all"), RECORDS, 3, 10, Random(1))
    assert [len(part) for part in whole] == [10] * 3
    # three times as many items as there are: three of each pair, under other names
    more = lists_for(Lists("all"), RECORDS[:8], 2, 24, Random(1))[0]
    assert len({record.id for record in more}) == 24
    assert len({record.item.schema for record in more}) == 12
    for scheme, raters in (("balanced", 3), ("rotated", 9)):
        with pytest.raises(ValueError, match=r"^\[(raters|scheme)\] found"):
            lists_for(Lists(scheme, count=4), RECORDS, raters, 24, Random(1))  # type: ignore[arg-type] # a loop over names


def test_the_command_says_which_size_is_enough(tmp_path: Path) -> None:
    design = write_design(tmp_path, [kites(number) for number in range(16)])
    arguments = ["annotate", "plan", str(design), "--raters", "4", "--raters", "8", "--runs", "3", "--width", "0.5"]
    run = winoforge(*arguments)
    assert run.returncode == 0
    assert "4 raters, 16 items, 32 answers: all answers 0." in run.stdout
    # 4 raters give the fewest answers, and no interval of a share over 16 items is wider than half
    assert "or more: mean over items: 4 raters with 16 items\n" in run.stdout
    assert winoforge(*arguments).stdout == run.stdout
    cells = from_json(winoforge(*arguments, "--json").stdout)["cells"]
    assert [cell["answers"] for cell in cells] == [32, 64]
    narrow = winoforge(*arguments[:-1], "0.001")
    assert "or more: all answers: none of these sizes is enough\n" in narrow.stdout


def test_a_design_that_cannot_be_planned_is_refused(tmp_path: Path) -> None:
    design = write_design(tmp_path, [kites(number) for number in range(16)], DESIGN.replace("balanced", "rotated"))
    run = winoforge("annotate", "plan", str(design))
    assert run.returncode == 2
    assert run.stderr.startswith(f"{design}:15: [scheme] found rotated, expected one of all, balanced, subsets")
