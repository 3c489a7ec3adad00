"""Derive the answers by word association again, from the counts."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..core.errors import PipelineError
from ..core.files import lines_of, parse_jsonl, read_text, to_json
from ..core.model import Item
from ..core.validation.derivation import Derived, fault_of
from ..core.validation.rows import list_of
from ..core.validation.suite import Row, Value
from .baseline import OPTIONS, answer_rows, decide_items, read_item_terms, read_options
from .counting.counts import read_counts

EXPECTATIONS = {
    "counts": "Every counted term is one of the words to count.",
    "pmi": "The answers follow from the counts and the terms of the items.",
}


def derive_association(folder: Path, items: Sequence[Item]) -> Iterator[Derived | Row]:
    """Yield the counts and the answers of a built collection as they would be written again, and what cannot be derived.

    A corpus is no part of a build: of the counts only the terms can be compared.
    """
    words_path, terms_path = folder / "terms.txt", folder / "analysis.jsonl"
    folder = folder / "association"
    counts_path, answers_path = folder / "counts.jsonl", folder / "pmi.jsonl"
    if not counts_path.exists():
        return
    if words_path.exists():
        words = set(lines_of(read_text(words_path)))
        lines = [row for _, row in parse_jsonl(read_text(counts_path), counts_path)]
        counted = [row for row in lines if words.issuperset(list_of(row, "terms", str))]
        yield Derived("counts", counts_path, counted, key=_terms_of)
    if not answers_path.exists() or not terms_path.exists():
        return
    try:
        options = read_options(folder / OPTIONS)
        counts, terms = read_counts(counts_path), read_item_terms(terms_path)
    except PipelineError as error:
        yield fault_of("pmi", answers_path, error)
        return
    decisions = decide_items(items, terms, counts, threshold=options.threshold, seed=options.seed)
    yield Derived("pmi", answers_path, answer_rows(items, terms, counts, decisions))


def _terms_of(row: Value) -> str:
    return to_json(row["terms"]) if "terms" in row else "windows"
