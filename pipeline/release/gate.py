"""Great Expectations suites, one for each kind of artifact: what must hold before it is released."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from ..core.validation.suite import Suite
from ..corpus.validation.answers import PMI
from ..corpus.validation.counts import COUNTS
from ..studies.validation.study import STUDY
from ..winograd.validation import forms
from ..winograd.validation.item_forms import NAMES
from ..winograd.validation.items import ITEMS
from ..winograd.validation.labels import LABELS
from ..winograd.validation.pairs import PAIRS
from ..winograd.validation.skipped import SKIPPED
from ..winograd.validation.tokens import TOKENS
from ..winograd.validation.traditional import TRADITIONAL
from ..winograd.validation.winogrande import WINOGRANDE
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
        forms.NLI,
        forms.DISAMBIGUATED,
        forms.SCORING,
        WINOGRANDE,
        NAMES,
        TOKENS,
        TRADITIONAL,
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
    **{f"variants/{name}.jsonl": (name,) for name in ("nli", "disambiguated", "scoring", "winogrande", "names", "tokens", "traditional")},
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
