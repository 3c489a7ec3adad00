"""`verify` compares a release with the manifest of its build, too."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.checksums import CHECKSUMS, checksums_of
from pipeline.core.rules import rules_digest
from pipeline.release import manifest as module
from pipeline.release.manifest import MANIFEST, manifest, manifest_mismatches
from tests.conftest import Refused
from tests.support.commands import winoforge

FILES = {"README.md": b"content"}


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A release below build/, with the manifest beside."""
    folder = tmp_path / "build" / "release" / "zh"
    folder.mkdir(parents=True)
    write(folder, FILES)
    content = manifest(folder.parent, [])
    (tmp_path / "build" / MANIFEST).write_text(json.dumps(content), encoding="utf-8")
    return folder


def write(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in {**files, CHECKSUMS: checksums_of(files).encode()}.items():
        (folder / name).write_bytes(data)


def test_a_release_as_its_manifest_says_is_verified(release: Path, tmp_path: Path) -> None:
    assert manifest_mismatches(release) == []


def test_another_release_than_that_of_the_manifest_is_a_finding(release: Path, tmp_path: Path) -> None:
    write(release, {"README.md": b"of another build"})
    (line,) = manifest_mismatches(release)
    assert line.startswith(f"{release}: [manifest] not the release in {tmp_path / 'build' / MANIFEST}; found ")
    assert line.endswith("…; run make build")
    run = winoforge("verify", "zh", "--no-load", cwd=release.parent)
    assert run.returncode == 1
    assert "[manifest] not the release in" in run.stderr


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"files": {"zh/other": "0"}}, "found 'zh/other', expected no such file"),
        ({"files": {"zh/README.md": "0"}}, "found '0' for zh/README.md, expected '"),
        ({"parsers": {"a.conllu": ["stanza/2"]}}, "found no parser 'stanza/1', expected it as in provenance.jsonl:1"),
    ],
)
def test_a_manifest_of_other_files_or_parsers_is_a_finding(
    change: dict[str, dict[str, Any]], reason: str, release: Path, tmp_path: Path
) -> None:
    path = tmp_path / "build" / MANIFEST
    write(
        release, FILES | {"provenance.jsonl": json.dumps({"rules": rules_digest(), "parsers": ["stanza/1"]}).encode()}
    )
    sound = manifest(release.parent, []) | {"parsers": {"a.conllu": ["stanza/1"]}}
    path.write_text(json.dumps(sound), encoding="utf-8")
    assert manifest_mismatches(release) == []
    path.write_text(
        json.dumps({**sound, **{key: {**sound[key], **value} for key, value in change.items()}}), encoding="utf-8"
    )
    (line,) = manifest_mismatches(release)
    assert line.startswith(f"{path}: [manifest] not of the release {release}; {reason}")


def test_a_release_by_other_rules_than_today_is_a_finding(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "rules_digest", lambda: "sha256:of other rules")
    (line,) = manifest_mismatches(release)
    assert line.startswith(
        f"{tmp_path / 'build' / MANIFEST}: [rules] the rules have changed since the release; found sha256:of"
    )


def test_a_release_outside_a_build_has_no_manifest(release: Path) -> None:
    path = release.parents[1] / MANIFEST
    path.write_text('{"rules": "", "files": {"en/SHA256SUMS": ""}}', encoding="utf-8")
    assert manifest_mismatches(release) == []
    path.unlink()
    assert manifest_mismatches(release) == []


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"rules": "", "files": []}', "[" * 9999])
def test_a_malformed_manifest_is_refused(text: str, release: Path, refused: Refused) -> None:
    path = release.parents[1] / MANIFEST
    path.write_text(text, encoding="utf-8")
    refused(lambda: manifest_mismatches(release), str(path), "manifest")
