"""Suites for occupation templates and for the sentences made from them."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from ..core.errors import PipelineError, shown
from ..core.files import from_tsv_cell
from ..core.records import KEYS, item_from_json
from ..core.validation.profiles import profiles
from ..core.validation.rows import candidates_of, members_of, records, span_of, table, text_of
from ..core.validation.suite import Row, Suite, Value, described
from ..language.pronouns import CASES, pronoun_table
from .instances import COLUMNS, VERSIONS
from .sentence_checks import CHECKS as SENTENCE_CHECKS
from .sentence_checks import with_file
from .template_checks import CHECKS, check_templates
from .templates import read_templates

_LANG = "en"

# --- templates --------------------------------------------------------------------------------------------------------


def template_rows(paths: Sequence[Path], profile: str = "") -> list[Row]:
    """Return a row for each template; its value maps each failed check of `CHECKS` to the reason.

    What the profile allows is no failure; by default it is that of the format.
    """
    pronouns = pronoun_table(_LANG)
    rows = []
    for path in paths:
        templates = read_templates(path, pronouns)
        reasons: dict[int, dict[str, str]] = {}
        for finding in check_templates(templates, pronouns, profiles()[profile] if profile else None):
            reasons.setdefault(finding.line, {}).setdefault(finding.check, finding.reason)
        for number, template in enumerate(templates, 1):
            case = pronouns.placeholders[template.placeholder]
            name = f"{template.occupation}-{template.participant}-{case}-{'ab'[template.answer]} ({number})"
            # in our YAML both members of a pair have one line, whose findings go to the first
            rows.append(Row(name, path, template.line, reasons.pop(template.line, {})))
    return rows


TEMPLATES = Suite(
    "templates",
    "occupation templates (TSV, YAML or zip)",
    template_rows,
    {
        name: described(check.__doc__ or "", partial(lambda check, value: text_of(value, check), name))
        for name, check in CHECKS.items()
    },
    unique=False,
)

# --- sentences --------------------------------------------------------------------------------------------------------


def _grouped(rows: Sequence[Row]) -> list[Row]:
    """Return a row for each pair of templates of a file; ``members`` are its sentences."""
    groups: dict[tuple[Path, str], list[Row]] = {}
    for row in rows:
        key = "-".join(text_of(row.value, field) for field in ("occupation", "participant", "pronoun_type"))
        groups.setdefault((row.path, key), []).append(row)
    values = with_file([[row.value for row in group] for group in groups.values()])
    return [
        Row(f"{path.name} {key}", path, group[0].line, value)
        for ((path, key), group), value in zip(groups.items(), values, strict=True)
    ]


def instantiation_rows(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each pair of templates in a double.tsv or single.tsv; ``members`` are its sentences."""

    def plain(row: Row) -> Row:
        cells = {name: from_tsv_cell(cell) for name, cell in row.value.items()}
        return Row(row.id, row.path, row.line, {**cells, "keys": list(cells)})

    return [group for path in paths for group in _grouped(list(map(plain, table([path], COLUMNS))))]


def plain_cells(value: Value) -> str:
    """A line has the columns of the table and no others; no cell is in quotation marks, as spreadsheets write it."""
    for row in members_of(value):
        if row["keys"] != list(COLUMNS):
            return f"found the columns {', '.join(row['keys'])}, expected {', '.join(COLUMNS)}"
        for name in COLUMNS:
            cell = text_of(row, name)
            if '""' in cell or (len(cell) > 1 and cell[0] == cell[-1] == '"'):
                return f"found {shown(cell)} in {name}, expected it without the quotation marks of a spreadsheet"
    return ""


INSTANTIATIONS = Suite(
    "instantiations",
    "sentences made from templates (double.tsv, single.tsv)",
    instantiation_rows,
    {"plain-cells": plain_cells, **SENTENCE_CHECKS},
    unique=False,
)

# --- sentences as items -----------------------------------------------------------------------------------------------

_KEYS = (*KEYS, "case", "pronouns")


def sentence_rows(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each pair of templates in a double.jsonl or single.jsonl; ``members`` are its sentences, as cells and as items."""
    placeholders = {case: f"${name}" for name, case in pronoun_table(_LANG).placeholders.items()}

    def cells(row: Row) -> Row:
        value = row.value
        names, span, answer = [*candidates_of(value), "", ""], span_of(value), value.get("answer")
        fields = {
            "occupation": names[0],
            "participant": names[1],
            "sentence": text_of(value),
            "pronoun_type": placeholders.get(text_of(value, "case"), text_of(value, "case")),
            "pronoun": span.of(text_of(value)) if span else "",
            "answer": names[answer] if type(answer) is int and answer in (0, 1) else "",
        }
        return Row(row.id, row.path, row.line, {**fields, "item": value})

    return [group for path in paths for group in _grouped(list(map(cells, records([path]))))]


def _items(value: Value) -> list[Value]:
    return [row["item"] for row in members_of(value)]


def contract(value: Value) -> str:
    """An item with its keys in their order, no question and no note, and then a known case and pronoun set; in a release a canary."""
    for item in _items(value):
        if tuple(item) not in (_KEYS, (*_KEYS, "canary")):
            return f"found the keys {', '.join(item)}, expected {', '.join(_KEYS)}"
        try:
            item_from_json(item)
        except (PipelineError, ValueError) as error:
            return str(error)
        if item["question"] or item["note"]:
            return f"found {shown(item['question'] or item['note'])} in {item['id']}, expected no question and no note"
        if item["case"] not in CASES:
            return f"found the case {shown(item['case'])}, expected one of {', '.join(CASES)}"
        sets = [entry.name for entry in pronoun_table(_LANG).sets]
        if item["pronouns"] not in sets:
            return f"found the pronoun set {shown(item['pronouns'])}, expected one of {', '.join(sets)}"
    return ""


def id_of_fields(value: Value) -> str:
    """The id and the schema say the language, the version, the entities, the case, the pronoun set and the answer."""
    for item in _items(value):
        words = (*candidates_of(item), text_of(item, "case"), text_of(item, "pronouns"))
        version = text_of(item, "id").removeprefix(f"{text_of(item, 'lang')}-").split("-")[0]
        schema = "-".join((text_of(item, "lang"), version, *("_".join(word.split()) for word in words)))
        answer = item.get("answer")
        member = "ab"[answer] if type(answer) is int and answer in (0, 1) else ""
        expected = {"id": f"{schema}-{member}", "schema": schema, "version": member, "lang": _LANG}
        if version not in VERSIONS:
            return f"found {shown(item['id'])}, expected {' or '.join(f'{_LANG}-{name}-…' for name in VERSIONS)}"
        for name, text in expected.items():
            if item.get(name) != text:
                return f"found {shown(item.get(name))} as {name} of {item['id']}, expected {text!r} by its fields"
    return ""


def one_source(value: Value) -> str:
    """All sentences of a pair of templates are from one file, and of one version."""
    for name, kinds in (
        ("source", {text_of(item, "source") for item in _items(value)}),
        ("version", {text_of(item, "id").split("-")[1:2][0] for item in _items(value) if "-" in item["id"]}),
    ):
        if len(kinds) > 1 or kinds == {""}:
            return f"found {', '.join(map(repr, sorted(kinds)))} as {name}, expected one {name}"
    return ""


def pronoun_of_its_set(value: Value) -> str:
    """The pronoun in the text is the form that the case and the pronoun set give."""
    forms = {entry.name: entry.forms for entry in pronoun_table(_LANG).sets}
    for row in members_of(value):
        item = row["item"]
        form = forms.get(text_of(item, "pronouns"), {}).get(text_of(item, "case"), "")
        if row["pronoun"].lower() != form:
            expected = f"{form!r} for {text_of(item, 'pronouns')}, {text_of(item, 'case')}"
            return f"found {shown(row['pronoun'])} in {item['id']}, expected {expected}"
    return ""


SENTENCES = Suite(
    "sentences",
    "sentences made from templates, as items (double.jsonl, single.jsonl)",
    sentence_rows,
    {
        "contract": contract,
        "id-of-fields": id_of_fields,
        "one-source": one_source,
        "pronoun-of-its-set": pronoun_of_its_set,
        **SENTENCE_CHECKS,
    },
    unique=False,
)
