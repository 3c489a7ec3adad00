"""The author's analysis of an item: gloss, kind of common sense, role of the target, terms to count; and the suite `analyses`."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from ..core.convert import Id, Text, WordTable, convert, keys_of, read_by_id, read_yaml, write_records
from ..core.errors import PipelineError, shown
from ..core.files import write_text
from ..core.model import ExclusionClass, Item, PmiTerms
from ..core.rules import RULES
from ..core.validation.rows import list_of as elements_of
from ..core.validation.rows import records, text_of
from ..core.validation.suite import Check, Row, Suite, Value, contract, described
from ..language.pronoun_classes import GENDERS, Gender
from ..language.text_checks import checks, lang_of_texts
from .pairs import letters_of

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


class AnalysisTable(msgspec.Struct, frozen=True, rename={"role_entries": "roles"}):
    """The kinds, roles and registers of one language, from rules/analysis, each with its explanation."""

    kinds: WordTable
    role_entries: Annotated[
        Mapping[Text, _Role], msgspec.Meta(min_length=1, description="entries with expected and what")
    ]
    registers: WordTable = {}

    @property
    def roles(self) -> dict[str, str]:
        """The explanation of each role."""
        return {role: entry.what for role, entry in self.role_entries.items()}

    @property
    def expected(self) -> dict[str, ExclusionClass | None]:
        """The class under which an item of each role is rejected, or None where the zero is licensed."""
        return {role: None if entry.expected == "keep" else entry.expected for role, entry in self.role_entries.items()}


@cache
def analysis_table(lang: str) -> AnalysisTable:
    """Return the table of a language; without a file it is empty, and authors may use any kinds and roles."""
    path = RULES / "analysis" / f"{lang}.yaml"
    return read_yaml(path, AnalysisTable) if path.exists() else AnalysisTable({}, {})


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


def analyses_beside(path: Path) -> dict[str, Value]:
    """Return the rows of analysis.jsonl beside a file of items, by id; none without it. Their suite says whether they are well-formed."""
    beside = path.with_name("analysis.jsonl")
    return {row.id: row.value for row in records([beside])} if beside.is_file() else {}


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
    """Write the words to count for all items, one a line, for `corpus count`."""
    write_text(path, "".join(f"{word}\n" for word in terms_of(analyses)))


def terms_of(analyses: Iterable[Analysis]) -> list[str]:
    """Return the words to count for all items, sorted."""
    terms = [analysis.pmi for analysis in analyses if analysis.pmi]
    return sorted({word for item_terms in terms for word in (*item_terms.candidates, item_terms.reference)})


def count_kinds(analyses: Sequence[Analysis], table: AnalysisTable) -> str:
    """Return how many items have each kind of common sense, in the order of the table, and without one in that of the items."""
    kinds = table.kinds or dict.fromkeys(analysis.kind for analysis in analyses if analysis.kind)
    counts = {kind: sum(analysis.kind == kind for analysis in analyses) for kind in kinds}
    counts["no kind"] = sum(not analysis.kind for analysis in analyses)
    return ", ".join(f"{kind} {count}" for kind, count in counts.items() if count)


#: What an author says of an item. A release with a gloss of one item promises that every item has one.
_FIELDS = ("gloss", "kind", "role", "register")
#: What the members of a schema have in common.
_SHARED = ("kind", "role", "register")
#: Keys that the reader of rows adds: the fields that any analysis has, the other analyses of the schema, the first with the gloss.
GIVEN, MATES, SAME = "@given", "@mates", "@same"
_CONTRACT = contract("An analysis", Analysis, (GIVEN, MATES, SAME))


def analyses(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each analysis; its value also has what its file has besides."""
    return [row for path in paths for row in with_given(records([path]))]


def with_given(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of one collection with what it has besides: the fields that any of them has, its mates, its gloss."""
    schemas: dict[str, list[Value]] = defaultdict(list)
    glosses: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        schemas[text_of(row.value, "schema")].append(row.value)
        glosses[letters_of(text_of(row.value, "gloss"))].append(row.id)
    given = [field for field in _FIELDS if any(text_of(row.value, field) for row in rows)]
    return [
        replace(
            row,
            value={
                **row.value,
                GIVEN: given,
                MATES: [
                    mate
                    for mate in schemas[text_of(row.value, "schema")]
                    if mate is not row.value and not _CONTRACT(mate)
                ],
                SAME: glosses[words][:1] if (words := letters_of(text_of(row.value, "gloss"))) else [],
            },
        )
        for row in rows
    ]


def id_of_schema(value: Value) -> str:
    """The id is the schema's with a letter."""
    schema, _, letter = text_of(value, "id").rpartition("-")
    fits = schema == value.get("schema") and len(letter) in (1, 2) and letter.isalpha() and letter.islower()
    return (
        ""
        if fits
        else f"found {shown(value.get('id'))} of schema {shown(value.get('schema'))}, expected its id with a or b"
    )


def _given(field: str) -> Check:
    def missing(value: Value) -> str:
        return (
            f"found none, although other items have a {field}; expected one of every item, or of none"
            if field in value[GIVEN] and not text_of(value, field).strip()
            else ""
        )

    return described(f"If an item of the collection has a {field}, every item has one.", missing)


def _known(field: str) -> Check:
    def unknown(value: Value) -> str:
        lang = text_of(value, "id").partition("-")[0]
        table = analysis_table(lang) if lang in _LANGUAGES else None
        names = getattr(table, f"{field}s") if table else {}
        name = text_of(value, field)
        return f"found {name!r}, expected one of {', '.join(names)}" if name and names and name not in names else ""

    return described(
        f"The {field} is one of rules/analysis, if the id names a language that has a table there.", unknown
    )


_LANGUAGES = frozenset(path.stem for path in (RULES / "analysis").glob("*.yaml"))


def same_in_schema(value: Value) -> str:
    """The members of a schema have the same kind, role and words for the candidates; both have words to count, or none."""
    for mate in elements_of(value, MATES, dict):
        for field in _SHARED:
            if text_of(value, field) != text_of(mate, field):
                return f"found the {field} {text_of(value, field)!r}, but {text_of(mate, field)!r} in {text_of(mate, 'id')}"
        if bool(value["pmi"]) != bool(mate["pmi"]):
            return f"found {'words' if value['pmi'] else 'no words'} to count, but not so in {text_of(mate, 'id')}"
        if value["pmi"] and value["pmi"]["candidates"] != mate["pmi"]["candidates"]:
            return f"found the words {value['pmi']['candidates']}, but {mate['pmi']['candidates']} in {text_of(mate, 'id')}"
    return ""


def gloss_of_one_item(value: Value) -> str:
    """No item has the gloss of one before it."""
    first = next((name for name in elements_of(value, SAME, str) if name != value["id"]), "")
    return f"found the gloss of {first}: {text_of(value, 'gloss')!r}" if first else ""


def gloss_is_sentence(value: Value) -> str:
    """A gloss has no Ø and no Chinese punctuation mark, begins with no small letter, and ends like a sentence."""
    gloss = text_of(value, "gloss").strip()
    if odd := re.search("[Ø，。、；：？！]", gloss):
        return f"found {odd[0]} in {gloss!r}, expected an English text"
    if gloss[:1].islower():
        return f"found a small letter at the start of {gloss!r}"
    return f"found no mark at the end of {gloss!r}" if gloss and gloss[-1].isalnum() else ""


def terms_differ(value: Value) -> str:
    """The words to count are two words for the candidates and another one as their reference, without blanks and marks."""
    if value["pmi"] is None:
        return ""
    terms = [*value["pmi"]["candidates"], value["pmi"]["reference"]]
    if len(set(terms)) < len(terms):
        return f"found {', '.join(terms)}, expected three different words"
    odd = next((term for term in terms if not term.isalnum()), "")
    return f"found {odd!r}, expected a word" if odd else ""


def _text_checks() -> dict[str, Check]:
    """Return the checks of the text of a gloss, in English, and of the words to count."""
    of_gloss = checks("gloss", plain=("kind", "role"), lang=lambda _: "en")
    of_terms = checks(named=("terms",), lang=lambda value: lang_of_texts(elements_of(value, "terms", str)))

    def check_of(name: str, of_text: Check) -> Check:
        def check(value: Value) -> str:
            pmi = value["pmi"]
            terms = [*pmi["candidates"], pmi["reference"]] if pmi else []
            return of_text(value) or of_terms[name]({"terms": terms})

        return described(of_text.__doc__ or "", check)

    return {name: check_of(name, of_text) for name, of_text in of_gloss.items()}


ANALYSES = Suite(
    "analyses",
    "the authors' analyses of items (JSON Lines)",
    analyses,
    {
        "contract": _CONTRACT,
        "id-of-schema": id_of_schema,
        **{f"{field}-given": _given(field) for field in _FIELDS},
        **{f"{field}-known": _known(field) for field in _SHARED},
        "same-in-schema": same_in_schema,
        "gloss-of-one-item": gloss_of_one_item,
        "gloss-is-sentence": gloss_is_sentence,
        "terms-differ": terms_differ,
        **_text_checks(),
    },
)
