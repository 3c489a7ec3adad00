"""The files of an experiment: the same bytes for the same seed, what PsychoPy and JATOS read, refusals."""

import builtins
import hashlib
import json
import re
from pathlib import Path
from uuid import UUID
from zipfile import ZipFile

import pandas as pd
import pytest

from pipeline.core.errors import PipelineError
from pipeline.experiment.browser.files import JSPSYCH, read_jspsych, study_archive
from pipeline.experiment.browser.records import Trial, read_experiment
from tests.conftest import ROOT, Refused
from tests.support.built_experiment import build
from tests.support.built_experiment import cloze as cloze
from tests.support.commands import winoforge


@pytest.fixture(scope="module")
def built(cloze: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The experiment with seed 1."""
    return build(cloze, tmp_path_factory.mktemp("files") / "experiment", "--seed=1")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_same_seed_gives_the_same_bytes(cloze: Path, built: Path, tmp_path: Path) -> None:
    again = build(cloze, tmp_path / "again", "--seed=1")
    (again / "psychopy" / "list-99.csv").touch()  # of an earlier experiment with more lists
    build(cloze, again, "--seed=1")
    assert contents(again) == contents(built)
    other = contents(build(cloze, tmp_path / "other", "--seed=2"))
    assert other.keys() == contents(built).keys()
    assert other["trials.jsonl"] != contents(built)["trials.jsonl"]


def test_conditions_are_what_psychopy_reads(built: Path) -> None:
    """PsychoPy's importConditions reads CSV with pandas as utf-8-sig, and makes each name of a column a variable."""
    for number, trials in read_experiment(built).lists.items():
        table = pd.read_csv(built / "psychopy" / f"list-{number:02}.csv", encoding="utf-8-sig")
        assert all(name.isidentifier() and not hasattr(builtins, name) for name in table.columns)
        assert table["sentence"].tolist() == [trial.text for trial in trials.values()]
        assert table["expected"].dropna().tolist() == [trial.expected for trial in trials.values() if trial.expected]


def test_the_page_has_no_right_answer_and_loads_nothing(built: Path) -> None:
    page = (built / "index.html").read_text(encoding="utf-8")
    study = json.loads(page.partition('id="study">')[2].partition("</script>")[0])
    shown = [trial for trials in study["lists"].values() for trial in trials]
    known = {"list", "position", "id", "part", "text", "options"}
    assert {tuple(trial.keys() - known) for trial in shown if trial["part"] != "attention"} == {()}
    assert {tuple(trial.keys() - known) for trial in shown if trial["part"] == "attention"} == {("expected",)}
    assert [trial for trials in read_experiment(built).lists.values() for trial in trials.values()] == [
        Trial(**{**trial, "options": tuple(trial["options"])}) for trial in shown
    ]
    body = re.sub("<script.*?</script>", "", page, flags=re.S)
    assert not re.findall(r"""(?:src|srcset|href|poster|action)=["'](?!data:|#)[^"']*""", body)
    assert "default-src 'none'" in page


def test_without_a_responsible_person_the_page_is_a_demonstration(cloze: Path, built: Path, tmp_path: Path) -> None:
    assert 'class="demonstration"' in (built / "index.html").read_text(encoding="utf-8")
    named = build(cloze, tmp_path / "named", "--responsible=A & B", "--contact=<c@example.org>")
    page = (named / "index.html").read_text(encoding="utf-8")
    assert 'class="demonstration"' not in page
    assert "Verantwortlich: A & B. Kontakt bei Fragen: \\u003cc@example.org>." in page


def test_only_the_pinned_jspsych_is_taken(tmp_path: Path, refused: Refused) -> None:
    assert "npm ci" in refused(lambda: read_jspsych(tmp_path / "none"), str(tmp_path / "none"), "jspsych")
    package = tmp_path / "package.json"
    package.write_text('{"version": "7.3.4"}', encoding="utf-8")
    assert JSPSYCH in refused(lambda: read_jspsych(tmp_path), str(package), "version")
    package.write_text("[", encoding="utf-8")
    refused(lambda: read_jspsych(tmp_path), str(package), "json")
    pinned = json.loads((ROOT / "tools" / "jspsych" / "package.json").read_text(encoding="utf-8"))
    assert pinned["dependencies"] == {"jspsych": JSPSYCH}


def test_the_lock_names_no_registry() -> None:
    lock = json.loads((ROOT / "tools" / "jspsych" / "package-lock.json").read_text(encoding="utf-8"))
    assert not [name for name, package in lock["packages"].items() if "resolved" in package]
    assert all("integrity" in package for name, package in lock["packages"].items() if name)


def test_an_address_without_encryption_is_refused(cloze: Path, tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match=r"\[leave\] not an address; found http://a, expected one with https://"):
        build(cloze, tmp_path, "--leave=http://a")


def test_a_missing_text_is_refused(cloze: Path, tmp_path: Path) -> None:
    design = tmp_path / "design.yaml"
    text = (ROOT / "raw" / "de" / "experiment.yaml").read_text(encoding="utf-8")
    design.write_text(text.replace('  question: "Welches', '  wrong: "Welches'), encoding="utf-8")
    fillers = ROOT / "raw" / "de" / "fillers.yaml"
    run = winoforge("experiment", "build", cloze, "--fillers", fillers, "--design", design, "--out", tmp_path / "out")
    assert run.returncode == 2
    assert "[wrong] unknown field" in run.stderr
    assert not (tmp_path / "out").exists()


# --- JATOS --------------------------------------------------------------------------------------------------------------


def test_the_archive_has_the_page_alone_and_what_jatos_requires(cloze: Path, tmp_path: Path) -> None:
    """The required fields of the JSON schema in JATOS's documentation, page "JATOS Study Archive (JZIP)"."""
    built = build(cloze, tmp_path / "experiment", f"--jatos={tmp_path / 'study.jzip'}")
    page = (built / "index.html").read_bytes()
    with ZipFile(tmp_path / "study.jzip") as archive:
        assert archive.testzip() is None
        (jas,) = [name for name in archive.namelist() if name.endswith(".jas")]
        content = json.loads(archive.read(jas))
        data = content["data"]
        assert content["version"] == "3"
        assert sorted(archive.namelist()) == sorted([jas, f"{data['dirName']}/index.html"])
        assert archive.read(f"{data['dirName']}/index.html") == page
    (component,), (batch,) = data["componentList"], data["batchList"]
    assert {"uuid", "title", "dirName", "componentList"} <= data.keys()
    assert {"uuid", "title", "htmlFilePath"} <= component.keys()
    assert {"uuid", "title", "allowedWorkerTypes"} <= batch.keys()
    assert len({UUID(part["uuid"]) for part in (data, component, batch)}) == 3
    assert component["title"] == data["title"] == "Sätze mit Lücke"
    assert component["htmlFilePath"] == "index.html"
    assert component["reloadable"]  # a reload goes on with the session
    digest = hashlib.sha256((built / "trials.jsonl").read_bytes()).hexdigest()
    assert study_archive(data["title"], page, digest) == (tmp_path / "study.jzip").read_bytes()
    assert study_archive(data["title"], page, digest[::-1]) != study_archive(data["title"], page, digest)
