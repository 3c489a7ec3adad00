"""Every seeded defect is reported by the expectation that it names, and undamaged artifacts raise nothing."""

import json
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.files import to_json
from pipeline.core.hints import KINDS
from pipeline.core.invisible import visible
from pipeline.core.validation.documents import validate
from pipeline.core.validation.suite import EMPTY, NOT_EMPTY, UNIQUE, Suite, Validation
from pipeline.core.validation.suite import Row as SuiteRow
from pipeline.language.pronouns import pronoun_table
from pipeline.release.gate import ARTIFACTS, SUITES, suites_of
from tests.conftest import ROOT
from tests.defects import DEFECTS, DERIVED, TRIED
from tests.defects.defect import Defect, Files, Row, Rows
from tests.support.artifacts import read, write

# --- artifacts as values ----------------------------------------------------------------------------------------------


def test_what_is_read_is_written(samples: Path, tmp_path: Path) -> None:
    for name in ("zh/zero.jsonl", "en/double.tsv", "release/zh"):
        write(tmp_path / name, read(samples / name))
        assert read(tmp_path / name) == read(samples / name)
    assert (tmp_path / "zh/zero.jsonl").read_bytes() == (samples / "zh/zero.jsonl").read_bytes()
    assert (tmp_path / "en/double.tsv").read_bytes() == (samples / "en/double.tsv").read_bytes()


# --- where a defect must be reported ----------------------------------------------------------------------------------

#: Suites whose rows are not those of the file: a defect says under which id it is reported, or only its place is known.
PLACED = {
    "labels",
    "balance",
    "variety",
    "artefacts",
    "templates",
    "documents",
    "study",
    "experiment",
    "responses",
    "releases",
    "errata",
}
#: Suites whose checks compare the members of a schema.
WITH_MATES = {"analyses", "cloze"}
#: Expectations that report both members of a schema which differ from each other.
OF_MATES = {"one-source"}
#: The id under which a suite reports a row of its file, if it is neither the row's item nor its id.
IDS: dict[str, Callable[[Row], str]] = {
    "pairs": lambda row: row["schema"],
    "counts": lambda row: to_json(row["terms"]) if "terms" in row else "windows",
    "terms": lambda row: str(row) or "line 3",
}


def id_in(defect: Defect) -> Callable[[Row], str]:
    """Return the function from a row to the id under which the defect's suite reports it."""
    return IDS.get(defect.suite, lambda row: row.get("item") or row["id"])


def place_of(defect: Defect, clean: Any, damaged: Any, path: Path) -> tuple[str, Path, int]:
    """Return the id, the file and the line under which a defect must be reported, from the first row that it changed."""
    if defect.expectation == NOT_EMPTY:
        return defect.reported_id, path, 1
    if defect.suite == "study":
        return place_in_study(defect.reported_id, damaged, path)
    if defect.suite == "experiment":
        name, file, number = (
            defect.reported_id.rsplit(" ", 2) if " " in defect.reported_id else (defect.reported_id, "", "")
        )
        before, after = (files.get(name, b"").splitlines() for files in (clean, damaged))
        lines = (line for line, pair in enumerate(zip_longest(before, after), 1) if pair[0] != pair[1])
        return name, path / (file or name), int(number or next(lines, 1))
    if defect.suite == "responses":
        name, number = re.fullmatch(r"(.*?)(?: (\d+))?", defect.reported_id).groups()  # type: ignore[union-attr]  # matches all
        return name, path / place_in_responses(name), int(number or 1)
    if defect.suite == "documents":
        name, _, line = defect.reported_id.partition(":")
        return defect.reported_id, path / (name if {*name} & {*"./"} else f"{name}.zh"), int(line or 1)
    if defect.suite == "errata":
        return defect.reported_id, path, damaged.index(f"- id: {defect.reported_id}") + 1
    if defect.suite in ("balance", "variety", "artefacts"):
        return defect.reported_id, path, 1
    if defect.suite == "labels":
        field, _, value = defect.reported_id.partition(" ")
        first_row = next(n for n, row in enumerate(damaged, 1) if not value or row[field] == value)
        return defect.reported_id, path, first_row
    first = changed(clean, damaged)[0]
    if defect.suite == "templates":
        row = damaged[first]
        case = pronoun_table("en").placeholders[row["pronoun_type"].removeprefix("$")]
        words = (row["occupation(0)"], row["other-participant(1)"], case, "ab"[int(row["answer"])])
        return f"{'-'.join(words)} ({first + 1})", path, first + 2
    name = id_in(defect)
    reported_id = defect.reported_id or name((clean if len(damaged) < len(clean) else damaged)[first])
    head = 2 if path.suffix == ".tsv" else 1
    row_number = next((n for n, row in enumerate(damaged) if name(row) == reported_id), None)
    assert row_number is not None, (
        f"no row has the id {reported_id}: enter the suite in IDS, or give the defect its reported_id"
    )
    return reported_id, path, head + row_number


def place_in_responses(name: str) -> str:
    """Return a file itself, or the table of a response (`p001/3`), of a participant (`p001`)."""
    file = name.removesuffix(" as a file")
    return file if "." in file else "responses.tsv" if "/" in name else "participants.tsv"


def place_in_study(reported_id: str, files: dict[str, bytes], path: Path) -> tuple[str, Path, int]:
    """Return the place of a study, of its judgements, of a list (where its first task stands) or of a task.

    A task that is missing is reported where the one before it stands.
    """
    if reported_id in files:
        return reported_id, path / reported_id, 1
    keys = [json.loads(line)["key"] for line in files["tasks.jsonl"].decode().splitlines()]
    name, _, position = reported_id.rpartition("/")
    before = f"{name}/{int(position) - 1:03}" if len(position) == 3 and position.isdigit() else ""
    inside = (n for n, key in enumerate(keys, 1) if key == reported_id or key.startswith(f"{reported_id}/"))
    line = next(inside, keys.index(before) + 1 if before in keys else 1)
    return reported_id, path / ("tasks.jsonl" if "/" in reported_id else "study.json"), line


def changed(clean: Rows, damaged: Rows) -> list[int]:
    """Return the numbers of the rows that differ, by a key's place or by the kind of a value (1, True) too."""
    return [n for n, (before, after) in enumerate(zip_longest(clean, damaged)) if repr(before) != repr(after)]


def touched(defect: Defect, clean: Any, damaged: Any) -> set[str]:
    """Return the ids of all rows that a defect changed, as they were and as they are."""
    if defect.suite == "study":  # all tasks that it changed
        before, after = (files["tasks.jsonl"].decode().splitlines() for files in (clean, damaged))
        return {defect.reported_id, *(json.loads(line)["key"] for line in after if line not in before)}
    if defect.suite in ("responses", "experiment"):
        return {place_of(defect, clean, damaged, Path())[0]}
    if defect.suite in PLACED or defect.expectation == NOT_EMPTY:
        return {defect.reported_id}
    name, numbers = id_in(defect), changed(clean, damaged)
    if len(clean) != len(damaged):  # all rows behind one that was lost have moved
        del numbers[1:]
    names = {defect.reported_id, *(name(rows[n]) for rows in (clean, damaged) for n in numbers if n < len(rows))}
    if defect.suite not in WITH_MATES and defect.expectation not in OF_MATES:
        return names
    schemas = {item.rpartition("-")[0] for item in names}  # a check of two members may name the other one
    return names | {name(row) for row in damaged if name(row).rpartition("-")[0] in schemas}


@dataclass(frozen=True)
class Trial:
    """The result of an expectation on a damaged artifact, and the place that it should report."""

    validation: Validation
    place: tuple[str, Path, int]
    touched: set[str]

    @property
    def named(self) -> bool:
        """Whether the expectation reported the damaged place."""
        return self.place in {
            (failure.row.id, failure.row.path, failure.row.line) for failure in self.validation.failures
        }


def trial_of_release(defect: Defect, clean: Files, damaged: Files, path: Path) -> Trial:
    """Return the trial of a release, whose defect says which file is named: the place is a row in it that was changed.

    The whole suite runs, so that no other check may crash either.
    """
    whole = SUITES["releases"].check([path])
    validation = replace(whole, failures=tuple(entry for entry in whole.failures if entry.check == defect.expectation))
    ids = {path.name, *(Path(name).name for name in clean)}
    for name in clean:
        if name.endswith(".jsonl"):
            before, after = (set(files.get(name, b"").decode().split("\n")) for files in (clean, damaged))
            rows = [json.loads(line) for line in before ^ after or before if line]
            ids |= {str(row.get("id") or row.get("item")) for row in rows}
    prefixes = tuple(f"{name}{mark}" for name in ids for mark in "-/")
    rows = [failure.row for failure in validation.failures]
    touched = {row.id for row in rows if row.id in ids or row.id.startswith(prefixes)}
    here = [row for row in rows if row.path == path / defect.reported_id and row.id in touched]
    return Trial(validation, (here[0].id, here[0].path, here[0].line) if here else ("", path, 0), touched)


@cache
def undamaged(path: Path) -> tuple[Any, str]:
    """Return what is in a clean artifact, and its `repr`."""
    value = read(path)
    return value, repr(value)


def damage(defect: Defect, samples: Path, folder: Path) -> tuple[Any, Any]:
    """Write the damaged artifact into a folder; return the clean and the damaged value."""
    clean, before = undamaged(samples / defect.path)
    damaged = defect.damage(clean)
    assert repr(clean) == before, "a damage must not change its argument"
    write(folder / defect.path, damaged, like=clean)
    if defect.suite == "errata":  # which are compared with the items beside them
        shutil.copy(samples / "zh" / "items.jsonl", folder / "zh")
    return clean, damaged


def alone(suite: Suite, expectation: str) -> Suite:
    """Return a suite reduced to one expectation."""
    checks = {name: check for name, check in suite.checks.items() if name == expectation}
    return replace(suite, checks=checks, unique=expectation == UNIQUE, may_be_empty=expectation != NOT_EMPTY)


@pytest.fixture(scope="session")
def catch(samples: Path, tmp_path_factory: pytest.TempPathFactory, forms_once: None) -> Callable[[Defect], Trial]:
    """A function that tries a defect once, and lets no other check of its suite fail on what it damaged."""
    seen = set[tuple[str, str]]()  # most rows are the same in each damaged file

    def try_all_checks(suite: Suite, rows: Sequence[SuiteRow]) -> None:
        for row in rows:
            if row.value is EMPTY or (key := (suite.name, repr(row.value))) in seen:
                continue
            seen.add(key)
            for check in suite.checks.values():
                assert isinstance(check(row.value), str)

    @cache
    def tried(defect: Defect) -> Trial:
        folder = tmp_path_factory.mktemp("damaged")
        clean, damaged = damage(defect, samples, folder)
        path = folder / defect.path
        if defect.suite == "releases":
            return trial_of_release(defect, clean, damaged, path)
        suite = alone(SUITES[defect.suite], defect.expectation)
        rows = suite.read([path])
        try_all_checks(SUITES[defect.suite], rows)
        return Trial(suite.judge(rows), place_of(defect, clean, damaged, path), touched(defect, clean, damaged))

    return tried


# --- the defects ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("defect", DEFECTS, ids=[defect.name for defect in DEFECTS])
def test_a_defect_is_caught_by_the_expectation_that_names_it(defect: Defect, catch: Callable[[Defect], Trial]) -> None:
    result = catch(defect)
    failures = result.validation.failures
    assert failures
    assert result.named
    if defect.suite in (
        "labels",
        "balance",
        "artefacts",
    ):  # one answer counts in several groups, or is told by several parts
        assert defect.reported_id in {failure.row.id for failure in failures}
    elif defect.suite != "templates":  # for which only the place is known
        assert {failure.row.id for failure in failures} <= result.touched
    (report,) = result.validation.lines()
    first = failures[0].row
    place = first.path if defect.expectation == NOT_EMPTY else f"{first.path}:{first.line}"
    assert report.startswith(f"{place}: [{defect.suite}/{defect.expectation}] ")
    assert visible(result.place[0]) in report


#: Designs that select by the judgements and decisions of several studies: tests/studies/labelstudio/test_loops.py lays them out.
OF_LOOPS = {"explanations", "naturalness-again", "questionnaire-again"}


#: A suite of each kind of rows: of lines, groups, cells, a file as a whole, a folder, and derived rows.
OF_EACH_KIND = ("items", "pairs", "templates", "labels", "study", "releases", "derivation")


@pytest.mark.parametrize("suite", OF_EACH_KIND)
def test_great_expectations_finds_what_the_checks_find(suite: str, samples: Path, tmp_path: Path) -> None:
    first = next(defect for defect in (*DEFECTS, *DERIVED) if defect.suite == suite)
    twice = next((defect for defect in DEFECTS if (defect.suite, defect.expectation) == (suite, UNIQUE)), first)
    for defect in {first.name: first, twice.name: twice}.values():
        damage(defect, samples, tmp_path / defect.name)
        path = tmp_path / defect.name / (defect.path if suite != "derivation" else "zh")
        direct = SUITES[suite].check([path])
        assert direct.failures
        assert validate(SUITES[suite], [path]) == direct


def test_every_expectation_has_a_defect() -> None:
    wanted = {(name, expectation) for name, suite in SUITES.items() for expectation in suite.expectations}
    assert wanted - TRIED == set()
    assert {(defect.suite, defect.expectation) for defect in (*DEFECTS, *DERIVED)} <= wanted


def test_suites_of_items_take_zero_forms_too() -> None:
    for suite in ARTIFACTS["items.jsonl"]:
        assert suite.name in KINDS["target"].suites
        assert suite.name in KINDS["text_zero"].suites


def test_defects_are_of_many_kinds() -> None:
    names = [defect.name for defect in (*DEFECTS, *DERIVED)]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+(?:-[a-z]+)*", name) for name in names)


def test_the_required_defects_are_among_them() -> None:
    required = """swapped-answer target-one-to-the-right half-width-comma two-pronouns pair-with-different-candidates
        first-candidate-always-right traditional-character id-twice zero-width-space decomposed-letter
        extra-pronoun-with-a-full-stop extra-pronoun-stuck-to-a-mark prefix-differs-by-one-blank bidirectional-override
        checksum-wrong"""
    assert set(required.split()) <= {defect.name for defect in (*DEFECTS, *DERIVED)}


# --- the clean artifacts ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def clean(samples: Path) -> list[Validation]:
    """The results of the suites on the samples and on sources of ours; `make build` has those of all that we release."""
    results = [suite.check([path]) for name in ("zh", "en", "de") for suite, path in suites_of(samples / name)]
    results.append(SUITES["releases"].check(sorted((samples / "release").iterdir())))
    studies = sorted((samples / "annotation").iterdir())
    designs = {path.stem for path in (ROOT / "annotation" / "designs").glob("*.yaml")}
    assert {path.name for path in studies} == designs - OF_LOOPS
    results.append(SUITES["study"].check(studies))
    results.append(SUITES["responses"].check([samples / "responses"]))
    results.append(SUITES["skipped"].check([samples / "zh" / "skipped.jsonl"]))
    results.append(SUITES["labels"].check([samples / "de" / "items.jsonl"]))
    results.append(SUITES["genders"].check([samples / "de" / "cloze.jsonl"]))
    results.append(SUITES["fillers"].check([samples / "de" / "fillers.jsonl"]))
    results.append(SUITES["experiment"].check([samples / "experiment"]))
    results.append(SUITES["templates"].check([ROOT / "raw" / "en" / "templates.yaml"]))
    results.append(SUITES["documents"].check([ROOT / "raw" / "zp"]))
    results.append(SUITES["errata"].check([samples / "zh" / "errata.yaml"]))
    return results


def test_clean_artifacts_raise_nothing(clean: list[Validation]) -> None:
    assert [line for result in clean for line in result.lines()] == []
    assert {result.suite.name for result in clean} == set(SUITES)
    empty = [result.suite.name for result in clean if not result.rows]
    assert empty == ["variety", "skipped"]  # there are few schemas, and none is skipped
