"""`winoforge verify`: planted faults are named, sound releases have none, and each loader gives the rows of the JSON Lines."""

import re
import shutil
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from pipeline.release import gate
from pipeline.release.gate import unseen_by_verification, verify
from pipeline.release.validation import loading, rows
from pipeline.release.validation.folder import read_release
from pipeline.release.validation.loading import LOADERS, loading_findings, missing_loaders
from tests.conftest import ROOT
from tests.defects.faults import FAULTS, Fault
from tests.defects.releases import of_rows
from tests.support.artifacts import read, write
from tests.support.commands import winoforge
from tests.support.needs import need

RELEASES = ("zh", "en", "de", "zp-report")


@pytest.mark.parametrize("name", RELEASES)
def test_a_sound_release_has_no_findings(builds: Path, name: str, forms_once: None) -> None:
    assert list(verify(builds / "release" / name, load=False)) == []


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.what for fault in FAULTS])
def test_a_planted_fault_fails_with_a_line_that_says_what_is_wrong(
    fault: Fault, builds: Path, tmp_path: Path, forms_once: None
) -> None:
    folder = tmp_path / fault.release
    write(folder, fault.damage(read(builds / "release" / fault.release)))
    findings = list(verify(folder, load=False))
    assert any(all(part in line for part in fault.said) for line in findings), findings


def test_a_release_is_verified_in_full_unless_it_is_as_its_build_wrote_it(
    builds: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forms_once: None
) -> None:
    """A row of a form is changed, and its checksum with it: the records of the build tell, and the forms are made again."""
    folder, records = tmp_path / "zh", tmp_path / "records"
    files = read(builds / "release" / "zh")
    write(folder, files)
    records.mkdir()
    listed = "".join(f"{sha256(data).hexdigest()}  {folder / name}\n" for name, data in files.items())
    (records / "release-zh.made").write_text(listed, encoding="utf-8")
    with monkeypatch.context() as patches:
        patches.setattr(rows, "forms_again", lambda *_: pytest.fail("made again"))
        assert list(verify(folder, load=False, made=records)) == []
    damage = of_rows("data/nli", lambda rows: [rows[0] | {"hypothesis": "别的话。"}, *rows[1:]])
    write(folder, damage(files))
    findings = list(verify(folder, load=False, made=records))
    assert findings == list(verify(folder, load=False))
    assert any("[releases/nli]" in line for line in findings)


def test_there_are_fifty_faults_over_all_releases() -> None:
    assert len({fault.what for fault in FAULTS}) >= 50
    assert {fault.release for fault in FAULTS} == set(RELEASES)


@pytest.mark.parametrize("name", RELEASES)
def test_every_configuration_loads_as_it_is_written(builds: Path, name: str) -> None:
    assert list(loading_findings(read_release(builds / "release" / name))) == []


@pytest.mark.parametrize(
    ("name", "package"), [(name, package) for name, package, _ in LOADERS if package != "datasets"]
)
def test_a_loader_names_the_row_that_differs(builds: Path, tmp_path: Path, name: str, package: str) -> None:
    """In the Parquet file one place is another, in that of JSON Lines its line of Croissant or of pandas."""
    need(package, "" if find_spec(package) else "not installed")
    folder = tmp_path / "zp-report"
    files = read(builds / "release" / "zp-report")
    json_lines = name == "pandas, JSON Lines"
    damage = of_rows(
        "data/zeros", lambda rows: [rows[0] | {"place": 99}, *rows[1:]], tables=not json_lines, lines=json_lines
    )
    damaged = damage(files)
    old, new = (sha256(of["data/zeros.parquet"]).hexdigest().encode() for of in (files, damaged))
    write(
        folder, damaged | {"croissant.json": files["croissant.json"].replace(old, new)}
    )  # else mlcroissant loads nothing
    load = next(load for other, _, load in LOADERS if other == name)
    first = loading._plain(load(read_release(folder), "zeros", "zeros"))[0]
    assert first["place"] == 99
    lines = [line for line in loading_findings(read_release(folder)) if "[load]" in line]
    assert any(
        f"{'pandas, Parquet' if json_lines else name} has another row in zeros; place; found" in line for line in lines
    )


def test_what_is_not_installed_is_said_first(builds: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "missing_loaders", lambda: ["duckdb", "mlcroissant"])
    expected = (
        "not looked at: how duckdb, mlcroissant load the configurations: not installed; pip install 'winoforge[verify]'"
    )
    assert unseen_by_verification() == expected
    monkeypatch.undo()
    run = winoforge("verify", builds / "release" / "zp-report", "--no-load")
    assert run.stdout.splitlines() == [
        "not looked at: how programs load the configurations",
        f"{builds / 'release' / 'zp-report'}: 13 files as released",
    ]


def test_validate_releases_is_verify(builds: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(builds / "release" / "zp-report", tmp_path / "zp-report"))
    sound = winoforge("validate", "releases", folder)
    assert sound.returncode == 0, sound.stderr
    assert all(package in sound.stdout.splitlines()[0] for package in missing_loaders())
    write(folder, of_rows("data/zeros", lambda rows: rows[1:])(read(folder)))
    lines = [line for line in verify(folder) if "[checksum]" not in line]
    run = winoforge("validate", "releases", folder)
    assert run.returncode == 1
    assert run.stderr.splitlines() == lines


def test_the_hooks_for_other_repositories_pass_what_is_sound_and_fail_what_is_not(builds: Path, tmp_path: Path) -> None:
    hooks = YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    validate, verify_release = (hook["entry"].split()[1:] for hook in hooks)
    assert [hook["entry"].split()[0] for hook in hooks] == ["winoforge"] * 2
    items = builds / "zh" / "items.jsonl"
    assert re.search(hooks[0]["files"], items.as_posix())
    assert winoforge(*validate, items).returncode == 0
    write(tmp_path / "items.jsonl", [row | {"answer": 0} for row in read(items)])
    assert winoforge(*validate, tmp_path / "items.jsonl").returncode == 1
    folder = Path(shutil.copytree(builds / "release" / "zp-report", tmp_path / "build" / "release" / "zp"))
    run = winoforge(*verify_release, *hooks[1]["args"], "--no-load", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    (folder / "LICENSE").write_text("mine\n", encoding="utf-8")
    assert winoforge(*verify_release, *hooks[1]["args"], "--no-load", cwd=tmp_path).returncode == 1
