"""Verify releases: their checksums, suites and manifest, and that each configuration loads."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.checksums import CHECKSUMS, verify_checksums
from ..core.errors import PipelineError
from ..core.invisible import one_line
from .gate import plan
from .manifest import manifest_mismatches
from .validation.folder import read_release, releases_in
from .validation.loading import loading_findings, missing_loaders

#: What the suites say of checksums; `verify_checksums` has a line for each file.
_CHECKSUMS_HOLD = "[releases/checksums-hold]"


@dataclass(frozen=True, slots=True)
class Verification:
    """What is wrong with a release, a line for each; `unseen` says what could not be looked at."""

    findings: Sequence[str]
    unseen: Sequence[str]


def verify(path: Path, *, load: bool = True) -> Verification:
    """Hold everything that a release promises against its files; `load` loads each configuration as users do."""
    return Verification(list(_findings(path, load=load)), unseen_by_verification(load=load))


def unseen_by_verification(*, load: bool = True) -> list[str]:
    """Return what cannot be looked at: loaders that are not wanted, or not installed."""
    if not load:
        return ["how programs load the configurations"]
    missing = ", ".join(missing_loaders())
    return [f"how {missing} load the configurations: not installed; pip install 'winoforge[verify]'"] if missing else []


def _findings(path: Path, *, load: bool) -> Iterator[str]:
    try:
        sums = verify_checksums(path) if (path / CHECKSUMS).exists() else []
        yield from sums
        for suite, paths in plan("releases", [path]):
            yield from (line for line in suite.check(paths).lines() if not sums or _CHECKSUMS_HOLD not in line)
        yield from findings_beside_suites(path, load=load)
    except PipelineError as error:  # a file that cannot be read is one more finding
        yield str(error)


def findings_beside_suites(path: Path, *, load: bool = True) -> Iterator[str]:
    """Yield what is wrong with a release that no suite looks at: another manifest of its build, configurations that do not load."""
    if (path / CHECKSUMS).exists() and not verify_checksums(path):
        yield from manifest_mismatches(path)
    if load:
        yield from map(one_line, loading_findings(read_release(path)))


def verify_all(paths: Sequence[Path], *, load: bool = True) -> dict[Path, Verification]:
    """Return the verification of each release that is given, and of those in a given folder of releases."""
    return {path: verify(path, load=load) for path in releases_in(paths)}
