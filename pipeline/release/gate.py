"""The suites of all artifacts, those that each file of a build folder must pass, and the releases that are packed of what passes.

A new suite has one entry here: in `ARTIFACTS` if a build folder holds its artifact, else in `_OTHERS`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from ..core.checksums import CHECKSUMS, is_as_recorded, listed_names
from ..core.errors import PipelineError, shown
from ..core.files import parse_jsonl, read_bytes, read_text
from ..core.hints import KINDS, kind_of
from ..core.invisible import one_line
from ..core.outputs import is_temporary, remove, require_writable, write_bytes
from ..core.validation.profiles import known_profile
from ..core.validation.suite import Row, Suite
from ..corpus.validation import COUNTS, TERMS
from ..evaluation.folder import NO_FORMS
from ..experiment.validation import EXPERIMENT, RESPONSES_SUITE
from ..studies.validation import STUDY
from ..winograd.analysis import ANALYSES
from ..winograd.artefacts import ARTEFACTS
from ..winograd.cloze import ITEMS as CLOZE_ITEMS
from ..winograd.errata import ERRATA
from ..winograd.forms import FORMS
from ..winograd.validation.cloze import BALANCE, CLOZE, FILLERS, GENDERS_OF_NOUNS
from ..winograd.validation.items import ITEMS, SKIPPED, items
from ..winograd.validation.labels import LABELS, groups
from ..winograd.validation.pairs import PAIRS, schemas
from ..winograd.variety import VARIETY
from ..winopron.template_checks import TEMPLATES, template_rows
from ..zero_pronouns.report.files import FIGURES
from ..zero_pronouns.report.files import OPTIONS as OPTIONS_OF_REPORT
from ..zero_pronouns.validation import DOCUMENTS
from . import cloze, documents
from . import winograd as zero_forms
from . import winopron as occupation_templates
from .derivation import DERIVATION, has_no_zeros
from .manifest import manifest_mismatches
from .sources import Source, identifier_fault, text_fault
from .validation.folder import REJECTED, Release, read_release, releases_in
from .validation.loading import loading_findings, missing_loaders
from .validation.origins import rejected_items
from .validation.rows import released_analyses, released_documents
from .validation.suite import RELEASES, rows_of

#: The files of a build folder, and the suites that each must pass: of what people wrote, since what follows from it is derived again.
ARTIFACTS: Mapping[str, tuple[Suite, ...]] = {
    "items.jsonl": (ITEMS, PAIRS),
    "analysis.jsonl": (ANALYSES,),
    "cloze.jsonl": (CLOZE, BALANCE),
    "kept.jsonl": (),
    "modified.jsonl": (ITEMS, PAIRS),
    "adjudicated.jsonl": (ITEMS, PAIRS),
    "zero.jsonl": (LABELS, VARIETY, ARTEFACTS),
    **{f"variants/{name}.jsonl": () for name in FORMS},
    "terms.txt": (TERMS,),
    "association/counts.jsonl": (COUNTS,),
    "double.jsonl": (ITEMS, PAIRS, LABELS),
    "single.jsonl": (ITEMS, LABELS),
    OPTIONS_OF_REPORT: (),
}
#: Suites of a whole build folder, of artifacts that are not in one, and of those that a build checks by itself.
_OTHERS = (
    DERIVATION,
    SKIPPED,
    FILLERS,
    GENDERS_OF_NOUNS,
    TEMPLATES,
    ERRATA,
    DOCUMENTS,
    STUDY,
    EXPERIMENT,
    RESPONSES_SUITE,
    RELEASES,
)
SUITES: Mapping[str, Suite] = {suite.name: suite for suite in chain(*ARTIFACTS.values(), _OTHERS)}
#: What reads the rows of the suites that follow the profile of a collection.
_PROFILED: Mapping[str, Callable[[Sequence[Path], str], list[Row]]] = {
    ITEMS.name: items,
    PAIRS.name: schemas,
    LABELS.name: groups,
    TEMPLATES.name: template_rows,
}
#: Stands for all suites of a build folder.
BUILD = "build"
#: Another name of the suite of releases.
_ALIASES = {"release": RELEASES.name}


def plan(
    names: str, paths: Sequence[Path], profile: str = "", made: Path | None = None
) -> Iterator[tuple[Suite, list[Path]]]:
    """Yield the suites to run, each with its files.

    Args:
        names: names of suites, separated by commas; or `BUILD`.
        paths: artifacts, or folders.
        profile: the profile of the collection, if it is not the one that the items tell.
        made: records of what stages have just written (`is_as_recorded`): a build folder that is so is not derived again.

    Raises:
        PipelineError: an unknown suite or profile, a file for other suites, a missing build folder, or one without an artifact that
            has a suite.
    """
    if names == BUILD:
        yield from _plan_of_builds(paths, profile, made)
        return
    for suite in map(suite_named, names.split(",")):
        for path in paths:
            _require_kind(suite, path)
        yield profiled(suite, profile), list(paths)
        for path in releases_in(paths) if suite is RELEASES else ():
            yield from ((entry, [file]) for entry, file in suites_of_release(path, profile))


def _plan_of_builds(paths: Sequence[Path], profile: str, made: Path | None) -> Iterator[tuple[Suite, list[Path]]]:
    """Yield the suites of build folders; those that are as `made` says are not derived again."""
    for path in paths:
        if not path.is_dir():
            raise PipelineError(path, None, "[build] not a folder; expected the output folder of a build")
        pairs = list(suites_of(path))
        if not pairs:
            if (path / CHECKSUMS).exists():
                reason = f"[build] a release, not a build; winoforge validate releases {path} checks it"
                raise PipelineError(path, None, reason)
            raise PipelineError(path, None, f"[build] nothing to validate; expected one of {', '.join(ARTIFACTS)}")
        is_made = made is not None and is_as_recorded(path, made)
        for suite, file in pairs:
            _require_kind(suite, file)
            if suite is not DERIVATION or not is_made:
                yield profiled(suite, profile), [file]


def suite_named(given: str) -> Suite:
    """Return the suite with a name; raises `PipelineError` if there is none."""
    name = _ALIASES.get(given, given)
    if name not in SUITES:
        comma = "separate names with ',', not '，'; " if "，" in name else ""
        reason = f"[suite] unknown suite; found {shown(name)}, {comma}expected {BUILD} or one of {', '.join(SUITES)}"
        raise PipelineError(None, None, reason)
    return SUITES[name]


def findings(build: Path, profile: str = "") -> list[str]:
    """Return what the suites find in the files of a build folder, a line for each failed expectation.

    They run without Great Expectations: a release is packed in a second, and must not go on with what is invalid. The profile is
    the one that the items tell if none is given.
    """
    lines: list[str] = []
    for suite, file in suites_of(build):
        _require_kind(suite, file)
        lines += profiled(suite, profile).check([file]).lines()
    return lines


def profiled(suite: Suite, profile: str) -> Suite:
    """Return a suite as it follows a chosen profile; unchanged without one, or if no profile matters to it."""
    if not profile:
        return suite
    known_profile(profile)
    read = _PROFILED.get(suite.name)
    return replace(suite, rows=lambda paths: read(paths, profile)) if read else suite


def _require_kind(suite: Suite, path: Path) -> None:
    """Refuse a file whose first line shows that it is for other suites, or for none."""
    if not path.is_file() or not any(suite.name in kind.suites for kind in KINDS.values()):
        return
    for line, value in islice(parse_jsonl(read_text(path), path), 1):
        kind = kind_of(value)
        if kind is None or suite.name in kind.suites:
            return
        others = ",".join(name for name in kind.suites if name != SKIPPED.name)
        way_out = f"winoforge validate {others or DERIVATION.name} {path} checks it{'' if others else ', in its build'}"
        raise PipelineError(
            path, line, f"[{suite.name}] wrong file; found {kind.name}, expected {suite.what}; {way_out}"
        )


def suites_of_release(path: Path, profile: str = "") -> Iterator[tuple[Suite, Path]]:
    """Yield the suites that the data files of a release must pass, each with its file: those of the same files of a build.

    The analyses are fields of the main rows, and the rejected records are items too. Empty files are reported by `RELEASES`.
    The profile is that of SOURCES.toml if none is given.
    """
    release = read_release(path)
    profile = profile or (release.source.profile if release.source else "")
    for name in release.data:
        file = path / "data" / f"{name}.jsonl"
        if not release.lines(name):
            continue
        yield from ((profiled(suite, profile), file) for suite in _of_data(release, name))
        if release.kind == "documents":
            if name == release.main:
                yield replace(DOCUMENTS, rows=released_documents), file
        elif name == release.main and not release.of_templates:
            yield replace(ANALYSES, rows=released_analyses), file
    if release.lines(REJECTED) and rejected_items([path / REJECTED]):
        yield replace(ITEMS, rows=rejected_items), path / REJECTED


def _of_data(release: Release, name: str) -> tuple[Suite, ...]:
    """Return the suites that a data file of a release must pass."""
    if name in NO_FORMS or release.kind == "documents":
        return ()
    own = {CLOZE_ITEMS: (*ARTIFACTS["items.jsonl"], LABELS), cloze.FILLERS: (FILLERS,)}
    if release.kind == "cloze" and name in own:
        return own[name]
    if release.kind == "collection" and name == release.main:
        return (*ARTIFACTS["items.jsonl"], *ARTIFACTS["zero.jsonl"])
    return ARTIFACTS.get(f"{name}.jsonl") or ARTIFACTS[f"variants/{name}.jsonl"]


def suites_of(build: Path) -> Iterator[tuple[Suite, Path]]:
    """Yield the suites that a build folder must pass, each with its file; that of the folder itself is the last.

    No terms are no fault: the words to count are optional, and the suite of the folder finds those that are lost.
    """
    names = [name for name in ARTIFACTS if (build / name).exists()]
    for name in names:
        if name == "terms.txt" and not read_bytes(build / name).strip():
            continue
        for suite in ARTIFACTS[name]:
            yield suite, build / name
    if "items.jsonl" in names and has_no_zeros(build):
        yield LABELS, build / "items.jsonl"
    if names:
        yield DERIVATION, build


# --- all that a release promises ---------------------------------------------------------------------------------------


#: What the suites say of checksums; a verification has a line for each file.
_CHECKSUMS_HOLD = "[releases/checksums-hold]"


def verify(path: Path, *, load: bool = True, made: Path | None = None) -> Iterator[str]:
    """Hold everything that a release promises against its files; yield a line for each thing that is wrong.

    Args:
        load: whether to load each configuration as users do.
        made: records of a build (`is_as_recorded`) that has just validated what it packed: of a release that is as they say, the
            forms are not made again, and the suites that the same rows have passed in the build do not run again.
    """
    try:
        release = read_release(path, made)
        sums = [f"{path / name}: [checksum] {reason}" for name, reason in release.faults]
        yield from sums
        for suite, paths in [(RELEASES, [path])] if release.is_made else plan("releases", [path]):
            read = replace(suite, rows=lambda _: list(rows_of(release))) if suite is RELEASES else suite
            yield from (line for line in read.check(paths).lines() if not sums or _CHECKSUMS_HOLD not in line)
        yield from findings_beside_suites(release, load=load)
    except PipelineError as error:  # a file that cannot be read is one more finding
        yield str(error)


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


def packed(
    build: Path, source: Source, licence_text: str, exports: Path, made: Path | None = None
) -> tuple[dict[str, bytes], list[str]]:
    """Return the files of a release, and what speaks against it, a line each: what the suites find in the build, or in the release.

    Args:
        exports: the exports of studies of its items.
        made: records of a build (`is_as_recorded`) that was just validated: of a build that is as they say, nothing is looked at again.

    Raises:
        PipelineError: a file of the build, or the text of the licence, is missing or malformed.
    """
    is_made = made is not None and is_as_recorded(build, made)
    lines = [] if is_made else findings(build, source.profile)
    if lines:
        return {}, lines
    files = release_files(build, source, licence_text, exports)
    if is_made:
        return files, []
    with TemporaryDirectory() as folder:
        path = Path(folder) / "build" / "release" / build.name
        write_release(path, files)
        rows = list(rows_of(replace(read_release(path), is_made=True)))  # its forms were made again in the build
        lines = list(replace(RELEASES, rows=lambda _: rows).check([path]).lines())
        for suite, file in suites_of_release(path, source.profile):
            lines += suite.check([file]).lines()
    return files, [line.replace(f"{path}/", f"release of {build}: ") for line in lines]


def unseen_by_verification(*, load: bool = True) -> str:
    """Return the line on what cannot be looked at: loaders that are not wanted, or not installed; empty if there is nothing."""
    missing = ", ".join(missing_loaders())
    if load and not missing:
        return ""
    what = f"how {missing} load the configurations: not installed; pip install 'winoforge[verify]'"
    return f"not looked at: {what if load else 'how programs load the configurations'}"


def findings_beside_suites(release: Release, *, load: bool = True) -> Iterator[str]:
    """Yield what is wrong with a release that no suite looks at: another manifest of its build, configurations that do not load."""
    if CHECKSUMS in release.entries and not release.faults:
        yield from manifest_mismatches(release.path)
    if load:
        yield from map(one_line, loading_findings(release))
