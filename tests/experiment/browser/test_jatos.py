"""The study archive for JATOS: what its import needs, and nothing that participants must not see."""

import io
import json
from pathlib import Path
from uuid import UUID
from zipfile import ZipFile

from pipeline.experiment.browser.files import study_archive
from tests.support.built_experiment import build
from tests.support.built_experiment import cloze as cloze

DIGEST = "0123456789abcdef" * 4


def test_the_archive_has_what_jatos_requires() -> None:
    """The required fields of the JSON schema in JATOS's documentation, page "JATOS Study Archive (JZIP)"."""
    with ZipFile(io.BytesIO(study_archive("Sätze mit Lücke", b"<p>page</p>", DIGEST))) as archive:
        assert archive.testzip() is None
        (jas,) = [name for name in archive.namelist() if name.endswith(".jas")]
        content = json.loads(archive.read(jas))
        data = content["data"]
        assert content["version"] == "3"
        assert sorted(archive.namelist()) == sorted([jas, f"{data['dirName']}/index.html"])
        assert archive.read(f"{data['dirName']}/index.html") == b"<p>page</p>"
    (component,), (batch,) = data["componentList"], data["batchList"]
    assert {"uuid", "title", "dirName", "componentList"} <= data.keys()
    assert {"uuid", "title", "htmlFilePath"} <= component.keys()
    assert {"uuid", "title", "allowedWorkerTypes"} <= batch.keys()
    assert len({UUID(part["uuid"]) for part in (data, component, batch)}) == 3
    # A reload of the page goes on with the session.
    assert (data["title"], component["htmlFilePath"], component["reloadable"]) == (
        "Sätze mit Lücke",
        "index.html",
        True,
    )


def test_an_experiment_keeps_its_study_and_another_one_is_another() -> None:
    first = study_archive("a", b"page", DIGEST)
    assert first == study_archive("a", b"page", DIGEST)
    assert first != study_archive("a", b"page", DIGEST[::-1])


def test_build_writes_the_archive_with_the_page_alone(cloze: Path, tmp_path: Path) -> None:
    built = build(cloze, tmp_path / "experiment", f"--jatos={tmp_path / 'study.jzip'}")
    with ZipFile(tmp_path / "study.jzip") as archive:
        names = archive.namelist()
        (page,) = [name for name in names if name.endswith(".html")]
        assert len(names) == 2
        assert archive.read(page) == (built / "index.html").read_bytes()
