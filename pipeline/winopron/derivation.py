"""Derive the sentences of a build again: each from its occupations, its case and its pronoun set, and each table from its items.

The templates are no part of a build: what all sentences of a template say alike cannot be compared with anything.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.convert import to_object
from ..core.errors import shown
from ..core.files import parse_jsonl, read_text
from ..core.validation.derivation import Derived, fault, reader_of, table_of
from ..core.validation.rows import candidates_of, lang_of, span_of, text_of
from ..core.validation.suite import Row, Value
from ..language.pronouns import PronounTable, pronoun_table
from .instances import COLUMNS, VERSIONS, Version, fill_with_span, instance_from_json, schema_of
from .template_checks import is_shortened, nearly_all

#: The files that a build of templates always has.
FILES = tuple(f"{version}.{suffix}" for version in VERSIONS for suffix in ("jsonl", "tsv"))
EXPECTATIONS: Mapping[str, str] = {
    "sentences": "A template has a sentence for each pronoun set, double and single, with the id, the target and the text that follow.",
    "parallel-single": "A sentence of one person ends in words of its sentence of two people, if nearly all do.",
    "tables": "A table has the sentences of its items.",
}
#: What the sentences of a template share: occupation, participant, case, answer.
Key = tuple[str, str, str, int]


def derive_sentences(folder: Path) -> Iterator[Derived | Row]:
    """Yield the sentences of a build and their tables as they would be written again."""
    rows = {version: _sound_rows(folder / f"{version}.jsonl") for version in VERSIONS}
    templates = dict.fromkeys(_key(row) for group in rows.values() for row in group)
    yield from _other_endings(folder / "single.jsonl", rows["double"], rows["single"])
    for version, group in rows.items():
        lang = lang_of(group[0]) if group else "en"
        table = pronoun_table(lang)
        path = folder / f"{version}.jsonl"
        if path.exists():
            yield Derived("sentences", path, list(_expected(group, templates, version, lang, table)))
        path = folder / f"{version}.tsv"
        if path.exists():
            cells = [sentence.row(table) for sentence in map(instance_from_json, group)]
            yield Derived("tables", path, table_of(COLUMNS, cells), _cells_id, reader_of(COLUMNS))


def _sound_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows that are sentences with a known case and pronoun set; the others are reported as no such rows."""
    table = pronoun_table("en")
    cases, pronouns = set(table.placeholders.values()), {entry.name for entry in table.sets}
    rows = []
    for _, row in parse_jsonl(read_text(path), path) if path.exists() else ():
        try:
            sentence = instance_from_json(row)
        except ValueError:
            continue
        if sentence.case in cases and sentence.pronouns in pronouns:
            rows.append(row)
    return rows


def _key(row: Mapping[str, Any]) -> Key:
    occupation, participant = candidates_of(row)
    return occupation, participant, row["case"], row["answer"]


def _expected(
    rows: Sequence[Mapping[str, Any]], templates: Iterable[Key], version: Version, lang: str, table: PronounTable
) -> Iterator[dict[str, Any]]:
    by_template = {(_key(row), row["pronouns"]): row for row in reversed(rows)}
    source = Counter(text_of(row, "source") for row in rows).most_common(1)
    placeholders = {case: name for name, case in table.placeholders.items()}
    for template in templates:
        occupation, participant, case, answer = template
        frames = Counter(
            frame
            for entry in table.sets
            if not entry.plural and (frame := _frame(by_template.get((template, entry.name), {}), placeholders[case]))
        ).most_common(1)
        for entry in table.sets:
            schema = schema_of(lang, version, occupation, participant, case, entry.name)
            member = "ab"[answer]
            row = {
                **by_template.get((template, entry.name), {}),
                "id": f"{schema}-{member}",
                "schema": schema,
                "version": member,
                "lang": lang,
                "candidates": [occupation, participant],
                "answer": answer,
                "question": "",
                "source": source[0][0] if source else "",
                "note": "",
                "case": case,
                "pronouns": entry.name,
            }
            if frames:
                name = placeholders[case]
                text, target = fill_with_span(frames[0][0], name, {name: entry.forms[case]}, entry, table)
                row |= {"text": text, "target": to_object(target)}
            yield row


def _other_endings(
    path: Path, doubles: Iterable[Mapping[str, Any]], singles: Iterable[Mapping[str, Any]]
) -> Iterator[Row]:
    """Yield a row for each sentence of one person with words that its sentence of two people has not after the pronoun."""
    endings = {(_key(row), row["pronouns"]): _ending(row) for row in doubles}
    pairs = [(row, double) for row in singles if (double := endings.get((_key(row), row["pronouns"])))]
    alike: dict[Key, bool] = {}
    for row, double in pairs:
        alike[_key(row)] = alike.get(_key(row), True) and is_shortened(double, _ending(row))
    for row, double in pairs if nearly_all(list(alike.values())) else ():
        if not is_shortened(double, _ending(row)):
            reason = f"another ending; found {shown(_ending(row))}, expected words of {shown(double)}"
            yield fault("parallel-single", path, None, row["id"], reason)


def _ending(row: Value) -> str:
    span = span_of(row)
    return text_of(row)[span.end :] if span else ""


def _frame(row: Value, placeholder: str) -> str:
    """Return the text of a sentence with a placeholder for its pronoun; empty if there is none."""
    span, text = span_of(row), text_of(row)
    return f"{text[: span.start]}${placeholder}{text[span.end :]}" if span and "$" not in text else ""


def _cells_id(row: Value) -> str:
    return "-".join(text_of(row, field) for field in ("occupation", "participant", "pronoun_type", "pronoun", "answer"))
