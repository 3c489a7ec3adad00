"""How hard items are: tables worked by hand, counts in and out, what reads them."""

import csv
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.core.files import write_text
from pipeline.evaluation.difficulty import DifficultyTable, choose_schemas, read_difficulty, system_groups
from pipeline.evaluation.predictions import Run, response
from pipeline.studies.design.selection import select_records
from pipeline.studies.model.design import read_design
from tests.support.commands import printed, winoforge
from tests.support.simulated_systems import NAMES, simulated_items
from tests.support.studies import DESIGN, kites, write_design
from tests.support.study_exports import ITEMS as JUDGED
from tests.support.study_exports import export
from tests.support.study_exports import given as judged
from tests.support.system_answers import answers, write_release, write_rows

Table = dict[str, dict[str, str]]


def table(path: Path, key: str) -> Table:
    """Return the rows of a table by a column."""
    with path.open(encoding="utf-8", newline="") as file:
        return {row[key]: row for row in csv.DictReader(file, delimiter="\t")}


def cells(row: dict[str, str], prefix: str, *names: str) -> list[str]:
    return [row[f"{prefix}{name}"] for name in names]


def measure(release: Path, out: Path, *arguments: object) -> str:
    return printed("evaluate", "difficulty", release, *arguments, "--out", out)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Return a release of two pairs: the right options are A, B, A, B."""
    return write_release(tmp_path / "zh", simulated_items(2))


def test_tables_worked_by_hand(release: Path, tmp_path: Path) -> None:
    rows = [
        *answers("x", "zero-shot", "AAA "),
        *answers("x", "one-shot", "ABA "),
        *answers("x", "clause-only", "BBBB"),
        *answers("x", "zero-shot", "B", form="overt"),
        *answers("y", "zero-shot", "A?  "),
    ]
    people = tmp_path / "naturalness" / "report" / "items.tsv"
    write_text(people, "item\tanswers\tright\ns-0000-a\t4\t3\ns-0000-b\t4\t4\ns-0001-a\t\t\n")
    output = measure(
        release, tmp_path / "out", "--predictions", write_rows(tmp_path / "p.jsonl", rows), "--people", people
    )
    assert "13 answers of systems in: 8 to the zero forms counted + 5 to other forms or by baselines" in output
    assert "systems: x: 3 items, 6 answers: 5 right + 1 wrong + 0 not understood; 83.3 % of those understood" in output
    assert "systems: y: 2 items, 2 answers: 1 right + 0 wrong + 1 not understood; 100.0 %" in output
    assert "people: naturalness: 2 items, 8 answers: 7 right + 1 wrong" in output
    assert "model of systems: not fitted, only shares: found at most 2 to an item, expected 10 or more" in output
    assert "model of people: not fitted, only shares: found counts of answers" in output
    items = table(tmp_path / "out" / "difficulty.tsv", "item")
    measures = ("", "_right", "_not_understood", "_share", "_low", "_high", "_band", "_difficulty")
    assert {item: cells(row, "systems", *measures) for item, row in items.items()} == {
        # exact limits: of 2 of 2 the root of 0.025; of 0 of 1 and of 1 of 1 0.025 and 0.975
        "s-0000-a": ["2", "2", "0", "1.0000", "0.1581", "1.0000", "easy", ""],
        # x is right in one of two runs, which is not more than half; y was not understood, which is not wrong
        "s-0000-b": ["1", "0", "1", "0.0000", "0.0000", "0.9750", "hard", ""],
        "s-0001-a": ["1", "1", "0", "1.0000", "0.0250", "1.0000", "easy", ""],
        "s-0001-b": [""] * 8,
    }
    assert cells(items["s-0000-a"], "people", *measures[:4], "_band") == ["4", "3", "0", "0.7500", "moderate"]
    assert set(cells(items["s-0001-a"], "people", *measures)) == {""}
    own = (": share", ": low", ": high", ": answers", ": not understood")
    # of 1 of 2: 1 less the root of 0.975, and this root
    assert cells(items["s-0000-b"], "system x", *own) == ["0.5000", "0.0126", "0.9874", "2", "0"]
    assert cells(items["s-0000-b"], "system y", *own) == ["", "", "", "0", "1"]
    assert cells(items["s-0001-b"], "system x", *own) == [""] * 5
    pairs = table(tmp_path / "out" / "pairs.tsv", "schema")
    assert cells(pairs["s-0000"], "systems", "", "_right", "_share") == ["1", "0", "0.0000"]
    assert cells(pairs["s-0000"], "", "system x", "system y", "people naturalness") == ["0", "", "0.8750"]
    assert set(pairs["s-0001"].values()) == {"s-0001", "s-0001-a s-0001-b", ""}
    group = table(tmp_path / "out" / "respondents.tsv", "name")["x"]
    counts = cells(group, "", "items", "answers", "right", "wrong", "not_understood", "ability")
    assert counts == ["3", "6", "5", "1", "0", ""]
    assert group["source"].startswith("p.jsonl sha256 ")


@given(st.lists(st.text("AB? ", min_size=8, max_size=8), min_size=1, max_size=4))
def test_each_answer_is_counted_once_and_what_nobody_answered_is_empty(letters: list[str]) -> None:
    items = simulated_items(4)
    runs = {
        Run(f"m{number % 2}", f"mode {number}", "zero", "written"): {
            entry.item.id: response(letter, entry) for entry, letter in zip(items, row, strict=True) if letter != " "
        }
        for number, row in enumerate(letters)
    }
    made = DifficultyTable(items, system_groups(runs, "zero"))
    header, *rows = [line.split("\t") for line in made.texts()["difficulty.tsv"].splitlines()]
    answered = {entry.item.id for place, entry in enumerate(items) if any(row[place] != " " for row in letters)}
    assert [row[0] for row in rows] == [entry.item.id for entry in items]
    for row in rows:
        assert len(row) == len(header)
        assert any(row[2:]) == (row[0] in answered)
    assert sum(group.total.understood + group.total.unclear for group in made.groups) == sum(
        8 - row.count(" ") for row in letters
    )
    assert sum(group.total.unclear for group in made.groups) == sum(row.count("?") for row in letters)


def simulated_table(folder: Path, systems: int, *, seed: int = 1) -> tuple[Path, Path, str]:
    """Return a release of 20 pairs, the table of systems of rising ability, of which the first pairs are hard, and what was printed."""
    random, rows = Random(seed), []
    items = simulated_items(20)
    for number in range(systems):
        right = [0.3 + 0.5 * number / systems + 0.01 * place / 2 for place in range(40)]
        letters = ["AB"[(place % 2) ^ (random.random() > share)] for place, share in enumerate(right)]
        rows += answers(f"m{number:02}", "zero-shot", "".join(letters))
    release = write_release(folder / "zh", items)
    output = measure(release, folder / "out", "--predictions", write_rows(folder / "p.jsonl", rows))
    return release, folder / "out" / "difficulty.tsv", output


def test_ten_systems_have_a_model_and_nine_have_none(tmp_path: Path) -> None:
    release, path, output = simulated_table(tmp_path / "ten", 10)
    assert "model of systems: 40 items, 10 respondents" in output
    for row in table(path, "item").values():
        value, low, high = (float(row[f"systems_difficulty{end}"]) for end in ("", "_low", "_high"))
        assert low < value < high
        assert 0 < float(row["systems_discrimination_low"]) < float(row["systems_discrimination_high"])
    abilities = [float(row["ability"]) for row in table(path.with_name("respondents.tsv"), "name").values()]
    assert sum(abilities[:5]) < 0 < sum(abilities[5:])
    before = path.read_bytes()
    measure(release, tmp_path / "ten" / "out", "--predictions", tmp_path / "ten" / "p.jsonl")
    assert path.read_bytes() == before
    _, path, output = simulated_table(tmp_path / "nine", 9)
    assert "model of systems: not fitted, only shares: found at most 9 to an item" in output
    assert {row["systems_difficulty"] for row in table(path, "item").values()} == {""}


def test_select_report_and_a_design_take_the_hardest(tmp_path: Path) -> None:
    release, path, _ = simulated_table(tmp_path, 10)
    rows = read_difficulty(path, {entry.item.id: entry.item.schema for entry in simulated_items(20)})
    # the mean of both members' shares, by hand
    shares: dict[str, list[float]] = {}
    for row in table(path, "item").values():
        shares.setdefault(row["schema"], []).append(float(row["systems_share"]))
    chosen = choose_schemas(rows, "systems", hardest=5)
    assert sorted(sum(shares[schema]) for schema in chosen) == pytest.approx(sorted(map(sum, shares.values()))[:5])
    work = tmp_path / "work.tsv"
    printed("evaluate", "select", release, "--difficulty", path, "--hardest", 5, "--out", work)
    assert list(table(work, "schema")) == chosen
    assert table(work, "schema")[chosen[0]]["systems_share"] == " / ".join(
        f"{100 * share:.1f} %" for share in shares[chosen[0]]
    )
    with pytest.raises(PipelineError, match=r"\[form\] no answer counts; found none to the overt forms"):
        measure(release, tmp_path / "no", "--predictions", tmp_path / "p.jsonl", "--form", "overt")
    printed("evaluate", "select", release, "--difficulty", path, "--band", "hard", "--out", work)
    assert set(table(work, "schema")) == {schema for schema, of in shares.items() if min(of) < 0.6}
    report = ["evaluate", "report", release, "--difficulty", path, "--out", tmp_path / "report", "--permutations", 9]
    others = write_rows(tmp_path / "q.jsonl", answers("other", "zero-shot", "AB" * 20))
    assert '"difficulty"' in printed(*report, "--predictions", others, "--json")
    assert "difficulty by the accuracy of other systems" in (tmp_path / "report" / "index.html").read_text(
        encoding="utf-8"
    )
    # systems are not measured by their own answers: without nine of them, one is left, which has each item right or wrong
    bands = {rows["s-0000-a"].band("systems", [f"m{number:02}" for number in range(count)]) for count in (9, 10)}
    assert bands in ({"easy", None}, {"hard", None})
    with pytest.raises(PipelineError, match=r"\[difficulty\] found no schema whose items were all answered by people"):
        printed("evaluate", "select", release, "--difficulty", path, "--hardest", 5, "--by", "people", "--out", work)
    with pytest.raises(PipelineError, match="expected --difficulty"):
        printed("evaluate", "select", release, "--hardest", 5, "--out", work)


def test_a_design_asks_about_the_hardest_pairs(tmp_path: Path) -> None:
    path, items = tmp_path / "difficulty.tsv", [kites(number) for number in range(8)]
    shares = ("1", "0.9", "0.5", "0.5", "0", "1", "", "0.1")
    rows = [f"{item.id}\t{item.schema}\t{share}\t\t\t\n" for item, share in zip(items, shares, strict=True)]
    header = "item\tschema\tsystems_share\tsystems_difficulty\tpeople_share\tpeople_difficulty\n"
    write_text(path, header + "".join(rows))

    def chosen(choice: str, select: str = "by-difficulty") -> list[str]:
        keys = f"select: {select}\n" + (f"difficulty: {{{{table: {path}, {choice}}}}}\n" if choice else "")
        design = read_design(write_design(tmp_path, items, DESIGN + keys))
        return [record.id for record in select_records(design, None).selected[""]]

    # means 0.95, 0.5, 0.5 and, as half of it is not measured, none
    assert chosen("hardest: 2") == ["kite-001-a", "kite-001-b", "kite-002-a", "kite-002-b"]
    assert chosen("band: easy") == ["kite-000-a", "kite-000-b", "kite-002-a", "kite-002-b"]
    assert chosen("band: easy, hardest: 1") == ["kite-002-a", "kite-002-b"]
    # nor is a pair of which the table has one item
    write_text(path, header + "".join(row for row in rows if not row.startswith("kite-001-b")))
    assert chosen("hardest: 1") == ["kite-002-a", "kite-002-b"]
    for choice, select, reason in (
        ("by: people, hardest: 1", "by-difficulty", "found no schema whose items were all answered by people"),
        ("by: people", "by-difficulty", "found neither hardest nor band"),
        ("", "by-difficulty", "found none, expected it with by-difficulty alone"),
        ("hardest: 1", "with-zero", "found it with select with-zero, expected it with by-difficulty alone"),
    ):
        with pytest.raises(PipelineError, match=reason):
            chosen(choice, select)
    write_text(path, header + "kite-900-a\tkite-900\t0.5\t\t\t\n")
    with pytest.raises(PipelineError, match=r"difficulty.tsv:2: \[item\] no item of the release; found 'kite-900-a'"):
        chosen("hardest: 1")
    write_text(path, header + "kite-001-a\tkite-001\t1.5\t\t\t\n")
    with pytest.raises(
        PipelineError, match=r":2: \[systems_share\] found '1.5', expected a number from 0 to 1, or nothing"
    ):
        chosen("hardest: 1")


def test_raters_of_an_export_are_respondents_and_stay_unnamed(tmp_path: Path) -> None:
    # ten raters: of the items with the answers 0, 1, 0 and 1, the last four, three, two and one raters choose the other candidate
    wrong = dict(zip((item.id for item in JUDGED), (4, 3, 2, 1), strict=True))
    key = {item.id: item.answer for item in JUDGED}
    export(
        tmp_path,
        {
            item: [judged((key[item] + (rater >= 10 - count)) % 2, 5) for rater in range(10)]
            for item, count in wrong.items()
        },
    )
    release = write_release(
        tmp_path / "zh",
        [entry.__class__(item, "", {"kind": ""}) for entry, item in zip(simulated_items(2), JUDGED, strict=True)],
    )
    arguments = (tmp_path / "out", "--people", tmp_path / "naturalness")
    output = measure(release, *arguments)
    assert "people: naturalness: 4 items, 40 answers: 30 right + 10 wrong" in output
    assert "model of people: 4 items, 10 respondents" in output
    rows = table(tmp_path / "out" / "difficulty.tsv", "item")
    assert [row["people_share"] for row in rows.values()] == ["0.6000", "0.7000", "0.8000", "0.9000"]
    difficulties = [float(row["people_difficulty"]) for row in rows.values()]
    assert difficulties == sorted(difficulties, reverse=True)
    for name in ("difficulty.tsv", "pairs.tsv", "respondents.tsv"):
        assert "r-0" not in (tmp_path / "out" / name).read_text(encoding="utf-8")
    with pytest.raises(PipelineError, match=r"two groups of one name; found 'naturalness' twice"):
        measure(release, *arguments, "--people", tmp_path / "naturalness")
    other = write_release(tmp_path / "other", simulated_items(2))
    with pytest.raises(PipelineError, match=r"judgements.jsonl:1: \[item\] no item of the release; found 'p-1-a'"):
        measure(other, *arguments)


def test_readings_are_counted_and_are_no_measurement(release: Path, tmp_path: Path) -> None:
    rows = (
        "id\treader\tanswer\n"
        + "".join(f"s-0000-a\tr{number}\t{NAMES[0]}\n" for number in range(3))
        + f"old\tr\t{NAMES[0]}\n"
    )
    write_text(tmp_path / "reading.tsv", rows)
    arguments = ("evaluate", "difficulty", release, "--readings", tmp_path / "reading.tsv", "--out", tmp_path / "out")
    run = winoforge(*arguments)
    assert "\nreadings: 1 item, 3 answers: 3 right + 0 wrong" in f"\n{run.stdout}"
    assert "no measurement" in run.stdout
    assert "1 row of items that are not in the release, or of other words than there, left out" in run.stderr
    row = table(tmp_path / "out" / "difficulty.tsv", "item")["s-0000-a"]
    assert (row["readings: answers"], row["systems_share"], row["people_share"]) == ("3", "", "")
    with pytest.raises(PipelineError, match=r"\[readings\] the same file twice"):
        printed(*arguments, "--readings", tmp_path / "reading.tsv")
    write_text(tmp_path / "reading.tsv", "id\treader\tanswer\ns-0000-a\tr\t小明\n")
    with pytest.raises(PipelineError, match=r"reading.tsv:2: \[answer\] no candidate; found '小明'"):
        printed(*arguments)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("other\t1\t1\n", r"items.tsv:2: \[item\] no item of the release; found 'other', expected one of 4"),
        ("s-0000-a\t3\t5\n", r":2: \[right\] no counts; found '5' of '3' answers"),
        ("s-0000-a\t-3\t-5\n", r":2: \[right\] no counts"),
        ("s-0000-a\t3\t1\ns-0000-a\t3\t1\n", r":3: \[item\]"),
    ],
)
def test_counts_that_are_none_are_refused(release: Path, tmp_path: Path, rows: str, reason: str) -> None:
    write_text(tmp_path / "study" / "items.tsv", f"item\tanswers\tright\n{rows}")
    with pytest.raises(PipelineError, match=reason):
        measure(release, tmp_path / "out", "--people", tmp_path / "study" / "items.tsv")
    assert not (tmp_path / "out").exists()
