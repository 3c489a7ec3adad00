"""The suite `analyses`: what the authors' analyses of a collection must meet."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...core.errors import shown
from ...core.rules import RULES
from ...core.validation.rows import list_of as elements_of
from ...core.validation.rows import records, text_of
from ...core.validation.suite import Check, Row, Suite, Value, contract, described
from ...language.text_checks import checks, lang_of_texts
from ..analysis import Analysis, analysis_table

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
        glosses[_words(row.value)].append(row.id)
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
                SAME: glosses[_words(row.value)][:1] if _words(row.value) else [],
            },
        )
        for row in rows
    ]


def _words(value: Value) -> str:
    return "".join(filter(str.isalnum, text_of(value, "gloss"))).casefold()


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
