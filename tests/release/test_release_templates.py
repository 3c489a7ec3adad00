"""The release of templates: the canary in every row, and the encrypted archive."""

import json
import shutil
from pathlib import Path

import pyarrow.parquet
import pytest
import pyzipper
from ruamel.yaml import YAML

from pipeline.core.archives import PASSWORD, archived_files, encrypt
from pipeline.core.checksums import CHECKSUMS, verify_archive
from pipeline.core.errors import PipelineError
from pipeline.release.harness.tasks import file_names
from pipeline.release.manifest import manifest
from pipeline.release.sources import Source
from pipeline.release.winopron import release_files
from tests.conftest import ROOT, Refused
from tests.support.artifacts import read, run
from tests.support.commands import printed

SOURCE = Source("Sentences", "written for a test", "CC-BY-4.0", "raw/t.yaml", "0" * 64, "Everything.", "canary 1234")
NAMES = {
    "README.md",
    "LICENSE",
    "CITATION.cff",
    "croissant.json",
    "provenance.jsonl",
    "data/double.jsonl",
    "data/double.parquet",
    "data/single.jsonl",
    "data/single.parquet",
    *file_names("templates"),
}


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("build") / "en"
    run("instantiate", ROOT / "raw" / "en" / "templates.yaml", "--out", out)
    return out


def test_rows_are_the_items_with_a_canary_in_each(build: Path, tmp_path: Path) -> None:
    files = release_files(build, SOURCE, "licence\n")
    assert set(files) == NAMES | {CHECKSUMS}
    assert files == release_files(build, SOURCE, "licence\n")
    for version in ("double", "single"):
        rows = [json.loads(line) for line in files[f"data/{version}.jsonl"].decode().splitlines()]
        # The templates of a pair are the same up to the pronoun.
        contrast = {"contrast": "after"} if version == "double" else {}
        assert rows == [
            item | contrast | {"release": "en 0.1.0", "canary": "canary 1234"}
            for item in read(build / f"{version}.jsonl")
        ]
        path = tmp_path / f"{version}.parquet"
        path.write_bytes(files[f"data/{version}.parquet"])
        assert pyarrow.parquet.read_table(path).to_pylist() == rows


def test_the_card_has_the_metadata_and_the_canary(build: Path) -> None:
    _, front, body = release_files(build, SOURCE, "licence\n")["README.md"].decode().split("---\n", 2)
    meta = YAML(typ="safe").load(front)
    double, single = (
        {"config_name": version, "data_files": [{"split": "test", "path": f"data/{version}.parquet"}]}
        for version in ("double", "single")
    )
    assert meta["configs"] == [double | {"default": True}, single]
    assert meta["version"] == "0.1.0"
    assert "1440 sentences" in body
    assert "> canary 1234" in body
    assert "occupation in 720 of them and to the participant in 720" in body
    assert "Everything." in body


@pytest.fixture(scope="module")
def packed(build: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the release and the archive of our own templates, made by the command."""
    folder = tmp_path_factory.mktemp("packed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(PASSWORD, "open sesame")
        patch.chdir(ROOT)
        assert "en.zip: 18 files, encrypted" in printed("release", build, "--archive", "--out", folder)
    return folder


@pytest.fixture
def released(packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of what was packed, with its password in the environment."""
    monkeypatch.setenv(PASSWORD, "open sesame")
    monkeypatch.chdir(ROOT)
    return Path(shutil.copytree(packed, tmp_path / "packed"))


def test_the_archive_holds_the_release_and_nothing_readable(released: Path) -> None:
    archive = released / "en.zip"
    data = archive.read_bytes()
    assert b"Test data, not for training" in (released / "en" / "data" / "double.jsonl").read_bytes()
    assert b"Test data, not for training" not in data
    files = archived_files(archive)
    assert {name.removeprefix("en/") for name in files} == NAMES | {CHECKSUMS}
    assert all((released / name).read_bytes() == content for name, content in files.items())
    with pyzipper.AESZipFile(archive) as opened:
        assert {entry.wz_aes_strength for entry in opened.infolist()} == {3}  # AES-256
        with pytest.raises(RuntimeError):
            opened.read("en/README.md", b"open sesam")


def test_a_wrong_or_missing_password_is_an_error(
    released: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PASSWORD, "close sesame")
    wrong = refused(lambda: archived_files(released / "en.zip"), str(released / "en.zip"), "password")
    assert wrong.endswith(f"the password in {PASSWORD} does not open 'en/README.md'; set the archive's own")
    monkeypatch.delenv(PASSWORD)
    missing = refused(lambda: archived_files(released / "en.zip"), str(released / "en.zip"), "password")
    assert f"no password opens 'en/README.md'; set {PASSWORD}, or " in missing
    with pytest.raises(PipelineError, match=r"^\[password\] missing password; an archive needs one"):
        printed("release", released / "en", "--archive", "--out", released / "other")
    assert not (released / "other").exists()


def test_verify_opens_the_archive(released: Path) -> None:
    assert printed("verify", released / "en.zip") == f"{released / 'en.zip'}: 17 files as released\n"
    files = archived_files(released / "en.zip")
    files["en/LICENSE"] += b"but"
    files["en/extra"] = b""
    del files["en/README.md"]
    wrong = verify_archive(Path("en.zip"), files)
    assert [line.split(": ")[0] for line in wrong] == ["en.zip/en/LICENSE", "en.zip/en/README.md", "en.zip/en/extra"]
    (released / "en.zip").write_bytes(encrypt(files, "open sesame"))
    printed("verify", released / "en.zip", status=1)


def test_an_archive_without_checksums_is_no_release(refused: Refused) -> None:
    refused(lambda: verify_archive(Path("a.zip"), {"a/b": b""}), "a.zip", "checksum")


def test_the_manifest_lists_folders_not_archives(released: Path) -> None:
    assert {name.removeprefix("en/") for name in manifest(released, [])["files"]} == NAMES | {CHECKSUMS}


def test_a_folder_without_releases_has_no_manifest(released: Path, refused: Refused) -> None:
    message = refused(lambda: manifest(released / "none", []), str(released / "none"), "releases")
    assert message.endswith("expected folders such as build/release/zh below it")
    refused(
        lambda: manifest(released / "en", []), str(released / "en"), "releases"
    )  # a release, not the folder of releases


def test_what_was_not_built_is_not_released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (tmp_path / "en").mkdir()
    with pytest.raises(PipelineError) as caught:
        printed("release", tmp_path / "en", "--out", tmp_path / "out")
    assert (
        "[build] nothing to release; expected zero.jsonl (winoforge zero), double.jsonl (winoforge instantiate), "
        "cloze.jsonl (winoforge ingest --cloze) or figures.json (winoforge zp report)" in str(caught.value)
    )
