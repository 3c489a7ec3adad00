"""The worklist: who solves a schema, what gives it away, which claims the numbers support."""

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.core.tables import read_table
from pipeline.evaluation.items import ReleasedItem
from pipeline.evaluation.measures.bounds import Association
from pipeline.evaluation.predictions import Runs, read_predictions
from pipeline.evaluation.selection import Entry, group_figures, worklist
from tests.support.commands import printed
from tests.support.items import marked
from tests.support.simulated_systems import NAMES, simulated_items
from tests.support.system_answers import answers, write_release, write_rows

SYSTEMS = ("w", "x", "y", "z")


def asking_apart(items: list[ReleasedItem]) -> list[ReleasedItem]:
    """Give each member a question of its own, as otherwise no answer to candidates and question can be right for both."""
    return [replace(entry, item=replace(entry.item, question=f"谁{entry.item.version}？")) for entry in items]


ITEMS = asking_apart(simulated_items(5))


def runs_of(folder: Path, *rows: list[dict[str, str]], items: list[ReleasedItem] = ITEMS) -> Runs:
    return read_predictions([write_rows(folder / "p.jsonl", [row for part in rows for row in part])], items)


def by_schema(entries: list[Entry]) -> dict[str, Entry]:
    return {entry.schema: entry for entry in entries}


def test_each_schema_has_its_solvers_and_an_action(tmp_path: Path) -> None:
    # Schemas 0 to 4: solved by all; solved from candidates; both members A; solved by three of four; solved by none.
    whole = [
        answers(name, "zero-shot", "ABABAA" + last + "BA")
        for name, last in zip(SYSTEMS, ("AB", "AB", "AB", "AA"), strict=True)
    ]
    partial = [
        answers(name, mode, "BAABBABABA") for name in SYSTEMS for mode in ("candidates-only", "candidates-only-zh")
    ]
    entries = worklist(ITEMS, runs_of(tmp_path, *whole, *partial))
    entry_of = by_schema(entries)
    assert [entry.schema for entry in entries] == ["s-0001", "s-0000", "s-0002", "s-0004", "s-0003"]
    assert {name: entry.whole for name, entry in entry_of.items()} == {
        "s-0000": (4, 0, 0), "s-0001": (4, 0, 0), "s-0002": (0, 4, 0), "s-0003": (3, 1, 0), "s-0004": (0, 0, 4)
    }  # fmt: skip
    # A guess solves a pair of two candidates in 1/4 of the cases, four systems in 1/256. One such schema
    # of five is a claim, because 1/256 < 0.05 / 5; with three systems it would be none.
    assert entry_of["s-0001"].partial["candidates-only"].chance == pytest.approx(1 / 256)
    assert entry_of["s-0001"].action.startswith("solved from candidates and question alone by 4 of 4: ")
    assert entry_of["s-0000"].action.startswith("solved by 4 of 4 systems: easy")
    assert entry_of["s-0002"].action.startswith("4 of 4 systems give all members the same answer")
    assert entry_of["s-0004"].action.startswith("solved by none of 4 systems: check the key")
    assert entry_of["s-0003"].action == "solved by 3 of 4 systems: no action that these answers support"


def test_one_or_two_systems_support_no_claim(tmp_path: Path) -> None:
    for number in (1, 2):  # guessing solves a pair with 1 in 4, two times with 1 in 16, above the level of 0.05
        rows = [answers(name, "zero-shot", "AB" * 5) for name in SYSTEMS[:number]]
        entries = worklist(ITEMS, runs_of(tmp_path, *rows))
        assert all(entry.both.by_all and "or by luck" in entry.action for entry in entries)


def test_a_few_schemas_of_many_are_luck(tmp_path: Path) -> None:
    """Three systems solve 2 of 40 schemas, which guessing gives in 1 of 64; a claim needs 0.05 * 2 / 40, less than 1 in 64."""
    items = simulated_items(40)
    rows = [answers(name, "zero-shot", "ABAB" + "AA" * 38) for name in SYSTEMS[:3]]
    entries = by_schema(worklist(items, runs_of(tmp_path, *rows, items=items)))
    assert "or by luck" in entries["s-0000"].action
    assert not entries["s-0000"].both.beyond_chance


def test_people_tell_hard_from_doubtful(tmp_path: Path) -> None:
    runs = runs_of(tmp_path, *(answers(name, "zero-shot", "BA" * 5) for name in SYSTEMS))
    people = {f"s-000{number}-{version}": share for number, share in enumerate((0.95, 0.7, 0.4)) for version in "ab"}
    entries = worklist(ITEMS, runs, people=people)
    actions = {entry.schema: entry.action for entry in entries}
    assert entries[0].schema == "s-0000"
    assert "people 95 %: hard for systems only; keep it" in actions["s-0000"]
    assert "people 40 %: in doubt" in actions["s-0002"]
    assert "check the key with people" in actions["s-0001"]


def test_one_question_for_both_members_cannot_be_solved_by_candidates(tmp_path: Path) -> None:
    """The same prompt has the same answer, so a guess never solves such a pair; systems that do saw something else."""
    items = simulated_items(1)
    entry = worklist(items, runs_of(tmp_path, answers("x", "zero-shot", "AB"), items=items))[0]
    assert entry.partial["candidates-only"].guess == 0


def test_association_counts_only_where_it_decides(tmp_path: Path) -> None:
    runs = runs_of(tmp_path, answers("x", "zero-shot", "AB" * 5))
    first, second = Association((3, 3), 0, True), Association((3, 3), 1, True)
    associations = {
        "s-0000-a": first, "s-0000-b": second, "s-0001-a": first, "s-0001-b": replace(second, decided=False),
    }  # fmt: skip
    entries = by_schema(worklist(ITEMS, runs, associations=associations))
    assert entries["s-0000"].artefacts == ("association",)
    assert entries["s-0000"].action.startswith("word association (PMI) gives the right answer to every member")
    assert all(entries[f"s-000{number}"].artefacts == () for number in (1, 2, 3, 4))


def test_a_group_is_easier_only_where_intervals_are_apart(tmp_path: Path) -> None:
    """Kinds alternate: social schemas are always right, spatial ones by a coin, which 20 schemas show and 2 do not."""
    for schemas, verdict in ((40, "easier"), (4, "")):
        items = simulated_items(schemas)
        letters = "".join(
            "AB" if number % 2 == 0 else ("AA", "BB", "BA", "AB")[number // 2 % 4] for number in range(schemas)
        )
        rows = {
            row["value"]: row
            for row in group_figures(items, runs_of(tmp_path, answers("x", "m", letters), items=items))
        }
        assert (rows["social"]["verdict"], rows["social"]["accuracy"], rows["social"]["chance"]) == (verdict, 1, 0.5)
        assert rows["spatial"]["verdict"] == ("harder" if verdict else "")
        assert rows["spatial"]["schemas"] == schemas / 2


def test_the_table_is_safe_in_a_spreadsheet_and_the_summary_has_the_chance_level(tmp_path: Path) -> None:
    text = "=老汤给小柳送伞，因为【他】怕淋雨。\t"
    hostile = [
        replace(
            entry,
            item=marked(text, entry.item.id, candidates=NAMES, answer=entry.item.answer),
            text_zero=text.replace("【他】", "Ø"),
        )
        for entry in ITEMS[:2]
    ]
    release = write_release(tmp_path / "zh", [*hostile, *ITEMS[2:]])
    rows = [
        row
        for name in SYSTEMS
        for row in answers(name, "zero-shot", "AB" * 5) + answers(name, "clause-only", "AB" + "BA" * 4)
    ]
    path, out = write_rows(tmp_path / "p.jsonl", rows), tmp_path / "w.tsv"
    output = printed("evaluate", "select", release, f"--predictions={path}", f"--out={out}")
    # Each of 5 schemas is solved by four guessing systems with 1/256: 0.02 expected.
    assert (
        "whole items: 5 of 5 schemas solved by all systems that answered (at most 0.0 if each guessed), 0 by none\n"
        in output
    )
    assert "the target's clause alone: 1 of 5 schemas solved by all systems" in output
    table = [row for _, row in read_table(out, ("schema", "action", "texts"))]
    assert len(table) == 5
    assert table[0]["schema"] == "s-0000"
    assert table[0]["clause-only"] == "4 of 4"
    assert table[0]["texts"].startswith("=")
    assert "\t'=" in out.read_text(encoding="utf-8")
