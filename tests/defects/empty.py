"""Defects of whole files: nothing is left of them."""

from pathlib import Path

from pipeline.core.validation.suite import NOT_EMPTY
from pipeline.release.gate import SUITES

from .defect import ARTIFACTS, Defect

EMPTY = [
    Defect(f"{name}-without-a-row", name, NOT_EMPTY, lambda _: [], reported_id=Path(ARTIFACTS[name]).name)
    for name, suite in SUITES.items()
    if not suite.may_be_empty
]
