"""The ledgers of printed numbers: well-formed, each verdict what the computation says, docs/papers.md as they say."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.core.files import read_text
from replication.__main__ import PAGE, main, results
from replication.ledger import (
    AGREES,
    BOUNDED,
    CONTRADICTS,
    CUT,
    DISAGREES,
    NO_DATA,
    NONE,
    Between,
    Ways,
    compare,
    findings,
    ledgers,
    printed_numbers,
    read_ledger,
)
from replication.pages import Result, document, html_pages

PAPERS = ledgers()


@pytest.fixture(scope="module")
def computed(shared_data: Path) -> list[Result]:
    return results(shared_data, PAPERS)


def test_each_verdict_is_what_the_computation_says(computed: list[Result]) -> None:
    wrong = [finding for result in computed for finding in result.findings if not finding.is_consistent]
    assert [(finding.row.row_id, finding.value, finding.ours, finding.outcome) for finding in wrong] == []


def test_the_page_is_what_the_ledgers_say(computed: list[Result]) -> None:
    assert read_text(PAGE) == document(computed)


def test_without_data_the_counts_are_the_same_and_nothing_is_wrong() -> None:
    computed = results(None, PAPERS)
    for result in computed:
        assert all(finding.is_consistent for finding in result.findings)
        counts = " | ".join(str(count) for count in result.counts.values())
        line = next(line for line in read_text(PAGE).splitlines() if f"[{result.paper.title}](#" in line)
        assert f") | {len(result.findings)} | {counts} | " in line
    assert sum(result.not_looked_at for result in computed) > 0


# --- by hand ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("printed", "ours", "expected"),
    [
        ("0.926", 1334 / 1440, AGREES),  # 0.92638…
        ("0.927", 1334 / 1440, DISAGREES),
        ("0.13", 0.125, AGREES),  # half up
        ("0.12", 0.125, AGREES),  # half to even
        ("0.13", Fraction(27, 200), CUT),  # 0.135 is 0.14 either way
        ("0.15", 0.1 + 0.05, AGREES),  # 0.15000000000000002
        ("52.4", 52.46, CUT),
        ("-0.194", -0.1949, CUT),
        ("−2.20", -2.2, AGREES),
        ("1,440", 1440, AGREES),
        ("1.0", 1, AGREES),
        ("3.55e-31", 3.5456e-31, AGREES),
        ("84.2%", 100 * 16 / 19, AGREES),
        ("< .001", 0.0009, AGREES),
        ("< .001", 0.001, DISAGREES),
        ("> 0.5", 0.6, AGREES),
        ("19", Between(19.6, 26), DISAGREES),
        ("19", Between(19.5, 26), BOUNDED),
        ("19", Between(18.5, 19.4), AGREES),  # whatever is between rounds to it
        ("5.1", Ways(file=5.16, other=5.2), CUT),
        ("5.1", Ways(file=5.16, other=5.14), AGREES),
        ("er", "sie", DISAGREES),
        ("the highest", True, AGREES),
        ("the highest", False, DISAGREES),
        ("0.87", None, NONE),
    ],
)
def test_a_figure_is_compared_with_the_printed_one(printed: str, ours: Any, expected: str) -> None:
    assert compare(printed, ours)[1] == expected


@given(st.integers(min_value=-10_000, max_value=10_000), st.integers(min_value=0, max_value=3), st.data())
def test_a_figure_agrees_if_it_is_within_half_a_digit(number: int, digits: int, data: st.DataObject) -> None:
    printed = f"{number / 10**digits:.{digits}f}"
    inside = data.draw(st.integers(min_value=-499, max_value=499))
    assert compare(printed, Fraction(1000 * number + inside, 1000 * 10**digits))[1] == AGREES
    outside = data.draw(st.sampled_from((-1, 1))) * data.draw(st.integers(min_value=501, max_value=3000))
    assert compare(printed, Fraction(1000 * number + outside, 1000 * 10**digits))[1] != AGREES


LEDGER = """title: A paper
source: By somebody.
about: It is made up.
rows:
- {id: sum, where: Table 1, what: a sum, printed: "5", ours: 2 + 3, how: the two, verdict: agrees}
- id: table
  where: Table 2
  what: shares
  printed: {first: {easy: "0.5", hard: "0.2"}, second: {easy: "0.7"}}
  ours: "{'first': {'easy': 0.5, 'hard': 0.36}, 'second': {'easy': len(str(data)) / 10}}"
  how: counted
  verdict: agrees
  except:
  - {cells: ["*hard"], verdict: contradicts-itself, why: It is 0.36.}
- {id: people, where: section 3, what: agreement, printed: "0.9", verdict: cannot-be-had, why: The answers are not released.}
"""


def ledger(folder: Path, text: str = LEDGER) -> Path:
    path = folder / "a-paper.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_ledger(tmp_path: Path) -> None:
    paper = read_ledger(ledger(tmp_path))
    found = list(findings(paper, Path("/data-1")))
    assert [(finding.value.cell, finding.value.verdict, finding.ours, finding.outcome) for finding in found] == [
        ("", AGREES, "5", AGREES),
        ("first, easy", AGREES, "0.500", AGREES),
        ("first, hard", CONTRADICTS, "0.360", DISAGREES),
        ("second, easy", AGREES, "0.700", AGREES),
        ("", NONE, "", NONE),
    ]
    assert all(finding.is_consistent for finding in found)
    assert [finding.outcome for finding in findings(paper, None)][1:4] == [NO_DATA] * 3
    pages = html_pages([Result(paper, tuple(found))])
    assert list(pages) == ["index.html", "a-paper.html"]
    assert "It is 0.36." in pages["a-paper.html"]
    assert "| A paper" not in document([Result(paper, tuple(found))]).splitlines()[-1]


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("verdict: agrees}", "verdict: differs, why: It is 4.}"),
        ('hard: "0.2"', 'hard: "0.4"'),
        ("ours: 2 + 3", "ours: 2 + 4"),
    ],
)
def test_a_verdict_that_the_computation_refutes_is_found(tmp_path: Path, text: str, changed: str) -> None:
    assert text in LEDGER
    found = findings(read_ledger(ledger(tmp_path, LEDGER.replace(text, changed))), Path("/data-1"))
    assert [finding.is_consistent for finding in found].count(False) == 1


@pytest.mark.parametrize(
    ("text", "changed", "reason"),
    [
        ("id: people", "id: sum", "[id] sum is there twice"),
        ("verdict: agrees}", "verdict: right}", "[verdict] the value: found 'right' of '5', expected one of"),
        ("why: The answers are not released.", "why: ''", "[verdict] the value: found 'cannot-be-had'"),
        ('printed: "5"', "printed: 5", "of 5, expected"),
        ("how: the two, ", "", "[how] a computation needs its description"),
        ("what: a sum", "whatever: a sum", "[row] found"),
        ("*hard", "hard", "[except] no cell is called hard"),
    ],
)
def test_a_malformed_ledger_is_refused(tmp_path: Path, text: str, changed: str, reason: str) -> None:
    assert text in LEDGER
    with pytest.raises(PipelineError) as error:
        read_ledger(ledger(tmp_path, LEDGER.replace(text, changed)))
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("text", "changed", "reason"),
    [
        (', hard: "0.2"', "", r"\[table\] cannot be computed; it computes cells that are not printed: first, hard"),
        ("ours: 2 + 3", "ours: 2 + five", r"a-paper.yaml: \[sum\] cannot be computed; name 'five' is not defined"),
        ('printed: "5"', "printed: five", r"\[sum\] cannot be computed; .* 'five'"),
    ],
)
def test_a_computation_that_fails_names_its_row(tmp_path: Path, text: str, changed: str, reason: str) -> None:
    path = ledger(tmp_path, LEDGER.replace(text, changed).replace("*hard", "*"))
    with pytest.raises(PipelineError, match=reason):
        list(findings(read_ledger(path), Path("/data-1")))


def test_a_computation_reads_printed_numbers(tmp_path: Path) -> None:
    half = "printed('table')['first, easy']"
    row = (
        f'- {{id: share, where: text, what: "", printed: 50%, ours: "100 * {half}", how: as printed, verdict: agrees}}'
    )
    (*_, found) = findings(read_ledger(ledger(tmp_path, f"{LEDGER}{row}\n")), None)
    assert (found.ours, found.outcome) == ("50", AGREES)
    assert printed_numbers(tmp_path / "a-paper.yaml", "share") == {"": 50.0}


def test_the_command_writes_pages_without_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["replication", "--data", str(tmp_path / "none"), "--out", str(tmp_path / "out")])
    assert main() == 0
    assert "docs/papers.md is unchanged" in capsys.readouterr().out
    assert "were not looked at" in read_text(tmp_path / "out" / "index.html")
