"""Write releases."""

from collections.abc import Mapping
from pathlib import Path

from ..core.checksums import CHECKSUMS, listed_names
from ..core.errors import PipelineError, shown
from ..core.outputs import is_temporary, remove, require_writable, write_bytes
from ..zero_pronouns.report.files import FIGURES
from . import cloze, documents
from . import winograd as zero_forms
from . import winopron as occupation_templates
from .derivation import has_no_zeros
from .sources import Source, identifier_fault, text_fault


def release_files(directory: Path, source: Source, licence_text: str, exports: Path | None = None) -> dict[str, bytes]:
    """Return the files of a release by name, made from the files of a build and the exports of studies.

    Raises:
        PipelineError: the build has nothing to release; one of its files is missing, malformed or empty;
            the licence has no known identifier, or its text is of another licence.
    """
    if problem := identifier_fault(source.licence):
        raise PipelineError(None, None, f"[licence] unknown licence of {directory.name}; {problem}")
    if problem := text_fault(source.licence, licence_text):
        raise PipelineError(None, None, f"[licence] not the text of the licence of {directory.name}; {problem}")
    files = _files(directory, source, licence_text, exports)
    if empty := [name for name, data in files.items() if name.startswith("data/") and not data]:
        reason = f"found no row for {empty[0]}, expected at least one"
        raise PipelineError(directory, None, f"[data] a configuration of the release is empty; {reason}")
    return files


def _files(directory: Path, source: Source, licence_text: str, exports: Path | None) -> dict[str, bytes]:
    if (directory / "zero.jsonl").exists():
        return zero_forms.release_files(directory, source, licence_text, exports)
    if (directory / "double.jsonl").exists():
        return occupation_templates.release_files(directory, source, licence_text, exports)
    if has_no_zeros(directory):
        return cloze.release_files(directory, source, licence_text, exports)
    if (directory / FIGURES).exists():
        return documents.release_files(directory, source, licence_text)
    reason = (
        "nothing to release; expected zero.jsonl (winoforge zero), double.jsonl (winoforge instantiate), cloze.jsonl "
    )
    reason += f"(winoforge ingest --cloze) or {FIGURES} (winoforge zp report)"
    raise PipelineError(directory, None, f"[build] {reason}")


def write_release(target: Path, files: Mapping[str, bytes]) -> None:
    """Write a release so that its folder holds these files only.

    Files of an earlier release that this one lacks are deleted. The checksums are deleted before anything is written, and written
    last: a release that was interrupted has none. Raises `PipelineError` if the folder holds a file of somebody else.
    """
    present = {path.relative_to(target).as_posix(): path for path in target.rglob("*") if not path.is_dir()}
    old = {name for name in present if name not in files}
    earlier = listed_names(target) if CHECKSUMS in present else set()
    if others := sorted(name for name in old - earlier if not is_temporary(present[name])):
        reason = (
            f"found {shown(others[0])}, expected a release or an empty folder; move the file or choose another --out"
        )
        raise PipelineError(target, None, f"[out] the folder holds other files, which a release would delete; {reason}")
    for name in files:
        require_writable(target / name)
    for name in sorted(old):
        remove(present[name])
    remove(target / CHECKSUMS)
    for name, data in files.items():
        write_bytes(target / name, data)
