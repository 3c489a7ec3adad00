"""The author's analysis of an item: gloss, kind of common sense, role of the target, terms to count."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from ..core.convert import Id, Text, WordTable, convert, keys_of, read_by_id, read_yaml, write_records
from ..core.errors import PipelineError, shown
from ..core.files import write_text
from ..core.model import ExclusionClass, Item, PmiTerms, is_exclusion_class
from ..core.rules import RULES
from ..language.pronoun_classes import GENDERS, Gender

#: What an answer key says of an item whose zero is licensed.
KEEP = "keep"
#: The grammatical gender of each of two candidates.
GenderPair = Annotated[
    tuple[Gender, ...],
    msgspec.Meta(min_length=2, max_length=2, description=f"a list of 2, each one of {', '.join(GENDERS)}"),
]


class Analysis(msgspec.Struct, frozen=True, omit_defaults=True):
    """The author's analysis of one item; a field is empty, or None, where the author says nothing.

    `genders` has the grammatical gender of each candidate, in languages where the pronoun agrees with it; `register` is the kind of
    text that the sentence could be from.
    """

    id: Id
    schema: Id
    gloss: str
    kind: str
    role: str
    pmi: PmiTerms | None
    genders: GenderPair = ()
    register: Text = ""


class _Role(msgspec.Struct, frozen=True):
    expected: Literal["keep", ExclusionClass]  # keep: the zero is licensed
    what: Text


class _Table(msgspec.Struct, frozen=True):
    kinds: WordTable
    roles: Annotated[Mapping[Text, _Role], msgspec.Meta(min_length=1, description="entries with expected and what")]
    registers: WordTable = {}


@dataclass(frozen=True, slots=True)
class AnalysisTable:
    """The kinds, roles and registers of one language, from rules/analysis, each with its explanation.

    `expected` has the class under which an item of a role is rejected, or None where the zero is licensed.
    """

    kinds: Mapping[str, str]
    roles: Mapping[str, str]
    expected: Mapping[str, ExclusionClass | None]
    registers: Mapping[str, str]


@cache
def analysis_table(lang: str) -> AnalysisTable:
    """Return the table of a language; without a file it is empty, and authors may use any kinds and roles."""
    path = RULES / "analysis" / f"{lang}.yaml"
    if not path.exists():
        return AnalysisTable({}, {}, {}, {})
    table = read_yaml(path, _Table)
    return AnalysisTable(
        table.kinds,
        {role: entry.what for role, entry in table.roles.items()},
        {role: entry.expected if is_exclusion_class(entry.expected) else None for role, entry in table.roles.items()},
        table.registers,
    )


def exchanged_term(terms: Sequence[str], candidates: Sequence[str]) -> int | None:
    """Return the place of the first term that is a word of the other candidate only; None if there is none.

    >>> exchanged_term(["马", "牛"], ["牛犊", "马驹"]), exchanged_term(["牛", "马"], ["牛犊", "马驹"])
    (0, None)
    """
    for place, (term, name) in enumerate(zip(terms, candidates, strict=False)):
        if term not in name and any(term in other for other in candidates):
            return place
    return None


def write_analyses(path: Path, analyses: Iterable[Analysis]) -> None:
    """Write analyses as JSON Lines, atomically."""
    write_records(path, analyses)


def read_analyses(path: Path) -> dict[str, Analysis]:
    """Return the analyses of a JSON Lines file by item id."""
    return read_by_id(path, Analysis, "analysis.jsonl, which ingest --analysis writes")


def unanalysed(items: Sequence[Item], analyses: Mapping[str, Analysis], path: Path) -> list[str]:
    """Return the ids of the items that the analyses of a file lack, in the order of the items.

    Raises:
        PipelineError: they are of none of the items.
    """
    missing = [item.id for item in items if item.id not in analyses]
    if len(missing) == len(items):
        given = f"analyses of other ids such as {shown(next(iter(analyses)))}" if analyses else "no analysis"
        reason = f"no item has an analysis; found {given}, expected ids of the items such as {shown(missing[0])}"
        raise PipelineError(path, None, f"[analysis] {reason}")
    return missing


def analysis_from_json(row: Mapping[str, Any]) -> Analysis:
    """Return the analysis in a JSON object, which may have more keys; raises `ValueError` with the field at fault."""
    return convert({key: row[key] for key in keys_of(Analysis) if key in row}, Analysis)


def write_terms(path: Path, analyses: Iterable[Analysis]) -> None:
    """Write the words to count for all items, one a line, sorted, for `corpus count`."""
    terms = [analysis.pmi for analysis in analyses if analysis.pmi]
    words = {word for item_terms in terms for word in (*item_terms.candidates, item_terms.reference)}
    write_text(path, "".join(f"{word}\n" for word in sorted(words)))


def count_kinds(analyses: Sequence[Analysis], table: AnalysisTable) -> str:
    """Return how many items have each kind of common sense, in the order of the table, and without one in that of the items."""
    kinds = table.kinds or dict.fromkeys(analysis.kind for analysis in analyses if analysis.kind)
    counts = {kind: sum(analysis.kind == kind for analysis in analyses) for kind in kinds}
    counts["no kind"] = sum(not analysis.kind for analysis in analyses)
    return ", ".join(f"{kind} {count}" for kind, count in counts.items() if count)
