"""What is derived in a build is derived again: every row that does not follow from its item is reported, and no other."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.records import item_from_json, rejected_from_json
from pipeline.core.validation.derivation import Derived, compare
from pipeline.core.validation.suite import Failure, Row
from pipeline.release.derivation import DERIVATION, derive, missing_files
from pipeline.winograd.adjudication.table import Adjudication, judged_answer, judged_text, write_adjudications
from tests.defects import DERIVED
from tests.defects.defect import Damage, Defect, drop, in_row, put
from tests.support.artifacts import read, run, stage_outputs, write

#: Files from which others are derived: a defect in one needs the whole folder derived again.
SOURCES = {
    "zh/items.jsonl",
    "zh/decisions.jsonl",
    "zh/rejected.jsonl",
    "zh/modifications.jsonl",
    "zh/adjudications.jsonl",
    "zh/analysis.jsonl",
    "zh/association/counts.jsonl",
    "zh/association/options.json",
    "zh/terms.txt",
    "zh/variants/options.json",
    "en/double.jsonl",
    "en/single.jsonl",
    "zp-report/options.json",
}


@pytest.fixture(scope="session")
def failures_of(builds: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Defect], list[Failure]]:
    """A function that returns what the suite finds in a folder with one defect; leaves are compared without the rest."""
    derived = {
        entry.path.relative_to(builds).as_posix(): replace(entry, rows=list(entry.rows))
        for name in ("zh", "en", "de", "zp-report")
        for entry in derive(builds / name)
        if isinstance(entry, Derived)
    }

    folder = tmp_path_factory.mktemp("derived")
    shutil.copytree(builds, folder, dirs_exist_ok=True)

    @cache
    def failures_of(defect: Defect) -> list[Failure]:
        build, damaged = folder / defect.path.split("/")[0], folder / defect.path
        clean = read(damaged)
        write(damaged, defect.damage(clean), like=clean)
        if not damaged.exists():
            rows = list(missing_files(build, {"de" if build.name == "de" else "zh"}))
        elif defect.path in SOURCES:
            rows = rows_of(build, defect.expectation)
        else:
            rows = compare(replace(derived[defect.path], path=damaged))
        shutil.copy(builds / defect.path, damaged)
        return list(replace(DERIVATION, rows=lambda _: rows).check([build]).failures)

    return failures_of


def rows_of(build: Path, expectation: str) -> list[Row]:
    """Return what the suite compares for one expectation; of a collection nothing behind it is derived."""
    rows = []
    for entry in derive(build):
        if isinstance(entry, Row):
            rows.append(entry)
        elif entry.expectation == expectation:
            rows += compare(entry)
            if build.name == "zh":
                break
    return rows


@pytest.mark.parametrize("defect", DERIVED, ids=[defect.name for defect in DERIVED])
def test_a_defect_between_files_is_reported(
    defect: Defect, builds: Path, failures_of: Callable[[Defect], list[Failure]]
) -> None:
    clean = read(builds / defect.path)
    assert repr(clean) != repr(defect.damage(clean))
    failures = [failure for failure in failures_of(defect) if failure.check == defect.expectation]
    assert failures, [str(failure) for failure in failures_of(defect)][:5]
    if defect.path not in SOURCES:
        assert {failure.row.path.name for failure in failures} == {Path(defect.path).name}


@pytest.mark.parametrize(
    ("file", "damage", "expectation"),
    [
        ("rejected.jsonl", lambda rows: rows[:5], "rejected"),
        ("kept.jsonl", drop(3), "kept"),
        ("adjudicated.jsonl", in_row(put(answer=lambda row: 1 - row["answer"])), "adjudicated"),
    ],
)
def test_a_defect_is_reported_in_its_own_file_alone(
    builds: Path, tmp_path: Path, file: str, damage: Damage, expectation: str
) -> None:
    build = Path(shutil.copytree(builds / "zh", tmp_path / "zh"))
    write(build / file, damage(read(build / file)))
    assert set(DERIVATION.check([build]).failed()) == {expectation}


def test_what_people_decided_is_derived_again(builds: Path, tmp_path: Path) -> None:
    build = Path(shutil.copytree(builds / "zh", tmp_path / "zh"))
    records = {row["id"]: row for name in ("modified", "modified-rejected") for row in read(build / f"{name}.jsonl")}
    rows = [decision(records["zh-0001-a"], "drop", "defect"), decision(records["zh-0017-a"], "keep", "")]
    rows += [decision(records["zh-0017-b"], "keep", ""), decision(records["zh-0005-a"], "drop", "other")]
    write_adjudications(build / "decisions.tsv", rows)
    run("annotate", "apply", build / "modified.jsonl", f"--rejected={build / 'modified-rejected.jsonl'}",
        f"--decisions={build / 'decisions.tsv'}", *stage_outputs(build, "adjudicated", "adjudications"))  # fmt: skip
    run("zero", build / "adjudicated.jsonl", f"--out={build / 'zero.jsonl'}")
    ledgers = [f"--{name}={build / name}.jsonl" for name in ("modifications", "adjudications")]
    analysis = f"--analysis={build / 'analysis.jsonl'}"
    run("variants", build / "adjudicated.jsonl", f"--out={build / 'variants'}", analysis, *ledgers)
    assert list(DERIVATION.check([build]).lines()) == []
    ledger = read(build / "adjudications.jsonl")
    assert [row["after"] for row in ledger] == ["defect", "pair-mate", "other", "pair-mate", "kept", "kept"]
    for at, expectations in ((0, {"adjudicated", "adjudicated-rejected", "adjudications"}), (1, {"adjudications"})):
        write(build / "adjudications.jsonl", [row for row in ledger if row != ledger[at]])
        assert set(DERIVATION.check([build]).failed()) >= expectations


def decision(record: dict[str, Any], action: Any, value: str) -> Adjudication:
    """Return a decision by two of three about a record as it is."""
    rejected = rejected_from_json(record) if "findings" in record else None
    judged = rejected.record if rejected else item_from_json(record)
    return Adjudication(
        item=judged.id,
        action=action,
        value=value,
        state=rejected.exclusion if rejected else "kept",
        text=judged_text(judged),
        answer=judged_answer(judged),
        study="consensus",
        votes=2,
        raters=3,
    )
