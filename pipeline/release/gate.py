"""Great Expectations suites, one for each kind of artifact: what must hold before it is released."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..core.errors import PipelineError
from ..core.validation.suite import Suite
from ..corpus.validation.answers import PMI
from ..corpus.validation.counts import COUNTS
from ..studies.validation.study import STUDY
from ..winograd.forms import FORMS
from ..winograd.validation.items import ITEMS, SKIPPED
from ..winograd.validation.pairs import LABELS, PAIRS
from ..winograd.validation.zero_forms import ZEROS
from ..winopron.validation import INSTANTIATIONS, TEMPLATES
from .validation import RELEASES

SUITES: Mapping[str, Suite] = {
    suite.name: suite
    for suite in (
        ITEMS,
        SKIPPED,
        PAIRS,
        LABELS,
        ZEROS,
        *(form.suite for form in FORMS.values()),
        TEMPLATES,
        INSTANTIATIONS,
        COUNTS,
        PMI,
        STUDY,
        RELEASES,
    )
}

#: What a build folder holds, and the suites that its files must pass.
_ARTIFACTS: Mapping[str, tuple[str, ...]] = {
    "items.jsonl": ("items", "pairs"),
    "kept.jsonl": ("items", "pairs"),
    "modified.jsonl": ("items", "pairs"),
    "adjudicated.jsonl": ("items", "pairs"),
    "zero.jsonl": ("zero", "pairs", "labels"),
    **{f"variants/{name}.jsonl": (name,) for name in FORMS},
    **{f"association/{name}.jsonl": (name,) for name in ("counts", "pmi")},
    "double.jsonl": ("items", "pairs", "labels"),
    "single.jsonl": ("items", "labels"),
    "double.tsv": ("instantiations",),
    "single.tsv": ("instantiations",),
}  # fmt: skip


def suites_of(build: Path) -> Iterator[tuple[Suite, Path]]:
    """Yield the suites that the files of a build folder must pass, and each file."""
    for name, suites in _ARTIFACTS.items():
        if (build / name).exists():
            for suite in suites:
                yield SUITES[suite], build / name


#: Not a suite: all that the files of a build folder must pass.
BUILD = "build"


def planned(name: str, paths: Sequence[Path]) -> Iterator[tuple[Suite, list[Path]]]:
    """Yield the suites to run, each with its files.

    Raises:
        PipelineError: an unknown suite, no such build folder, or one without an artifact that has a suite.
    """
    if name != BUILD:
        for one in name.split(","):
            if one not in SUITES:
                reason = f"[suite] unknown; found {one!r}, expected {BUILD} or one of {', '.join(SUITES)}"
                raise PipelineError(None, None, reason)
            yield SUITES[one], list(paths)
        return
    for path in paths:
        if not path.is_dir():
            raise PipelineError(path, None, "[build] found no such folder")
        found = list(suites_of(path))
        if not found:
            raise PipelineError(path, None, "[build] nothing to validate; found no artifact with a suite")
        for suite, file in found:
            yield suite, [file]
