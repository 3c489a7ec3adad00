"""The release of a sample of labelled documents: sentences with their zeros, translations and readings."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import PipelineError, shown
from ..core.files import to_json
from ..core.pages import render_card
from ..core.rules import rules_digest
from ..evaluation.folder import CARD, READINGS, SENTENCES
from ..zero_pronouns.documents import (
    ANTECEDENTS,
    BOUNDARY,
    COLUMNS,
    KINDS,
    LABELS,
    SYSTEMS,
    Genre,
    Reference,
    SentencePair,
    read_sample,
)
from ..zero_pronouns.labels import FORMS, Zero, parse_sentence
from ..zero_pronouns.report.files import OPTIONS, read_options
from ..zero_pronouns.sample import FAULT_COLUMNS, FAULTS, planted_faults
from .cloze import provenance
from .manifest import PROVENANCE
from .sources import Source, label
from .tables import size_category, stamp, with_tables

#: The configurations of such a release besides `SENTENCES` and `READINGS`: its zeros one by one, and what systems made of its sentences.
ZEROS, TRANSLATIONS = "zeros", "translations"
_FIELDS: Mapping[str, str] = {
    SENTENCES: "a sentence: `text` without its zeros, `labelled` with them (`<他>_S`), `oracle` with their pronouns, `translation`, "
    "`zeros`; `genre`, `document` and `line` in its file (`source`)",
    ZEROS: "a zero of `item`: `place` in its text, `pronoun`, `form`, `kind` (what it refers to); "
    "`antecedent`, the nearest mention in the same document: words, item and span, null without one",
    TRANSLATIONS: "a sentence as an invented system translates it, with the planted `faults` of its zeros",
    READINGS: "a sentence as one of the {readers} labelled it, without the authors' labels",
}


def release_files(directory: Path, source: Source, licence_text: str) -> dict[str, bytes]:
    """Return the files of a release by name, made from the sample that a report is of."""
    sample = directory / read_options(directory / OPTIONS).sample
    data, name, rules = tables_of(sample), directory.name, rules_digest()
    files = {**texts(name, data, source, rules), "LICENSE": licence_text.encode()}
    return with_tables(
        directory, source, files, data, {PROVENANCE: [provenance(row, source, rules) for row in data[SENTENCES]]}
    )


# --- rows -----------------------------------------------------------------------------------------------------------------


def tables_of(sample: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each configuration of a sample, see `read_sample`; the last two are left out if it has no such files."""
    genres = read_sample(sample)
    sentences = [row for genre in genres for row in _sentences(genre)]
    readings = (
        {"item": _item_id(genre, pair), "reader": reader, "labelled": pair.source.labelled}
        for genre in genres
        for reader, text in genre.readings.items()
        for pair in text.pairs
    )
    data = {
        SENTENCES: sentences,
        ZEROS: [
            {"id": f"{row['id']}-{number}", "item": row["id"], "number": number, **zero}
            for row in sentences
            for number, zero in enumerate(row["zeros"], 1)
        ],
        TRANSLATIONS: [row for genre in genres for row in _translations(sample, genre)],
        READINGS: list(readings),
    }
    return {name: rows for name, rows in data.items() if rows or name in (SENTENCES, ZEROS)}


def _item_id(genre: Genre, pair: SentencePair) -> str:
    return f"{genre.name}-{pair.line:04}"


def _sentences(genre: Genre) -> Iterator[dict[str, Any]]:
    references = {(entry.line, entry.zero): entry for entry in genre.references or ()}
    texts = {pair.line: pair for pair in genre.text.pairs}
    for number, document in enumerate(genre.text.documents, 1):
        for pair in document:
            yield {
                "id": _item_id(genre, pair),
                "genre": genre.name,
                "document": number,
                "line": pair.line,
                "lang": "zh",
                "text": pair.source.text,
                "labelled": pair.source.labelled,
                "oracle": pair.source.oracle,
                "translation": pair.target,
                "zeros": [
                    _zero(genre, zero, references.get((pair.line, at)), texts)
                    for at, zero in enumerate(pair.source.zeros, 1)
                ],
                "source": f"{genre.name}.zh",
            }


def _zero(genre: Genre, zero: Zero, reference: Reference | None, texts: Mapping[int, SentencePair]) -> dict[str, Any]:
    mention = reference.antecedent if reference else None
    antecedent = mention and {
        "item": _item_id(genre, texts[mention.line]),
        "text": mention.span.of(texts[mention.line].source.text),
        "start": mention.span.start,
        "end": mention.span.end,
    }
    form = {"place": zero.place, "pronoun": zero.pronoun, "form": zero.form}
    return {**form, "kind": reference.kind if reference else "", "antecedent": antecedent}


def _translations(sample: Path, genre: Genre) -> Iterator[dict[str, Any]]:
    faults = planted_faults(sample / SYSTEMS / FAULTS / f"{genre.name}.tsv", genre)
    for system, lines in genre.outputs.items():
        for pair, text in zip(genre.text.pairs, lines, strict=True):
            planted = [
                {"zero": number, "fault": faults[system, pair.line, number]}
                for number in range(1, len(pair.source.zeros) + 1)
                if (system, pair.line, number) in faults
            ]
            yield {"item": _item_id(genre, pair), "system": system, "text": text, "faults": planted}


# --- the sample of a release ----------------------------------------------------------------------------------------------


def write_sample(folder: Path, data: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Write the sample that the rows of a release were made of, so that its suite can read it, and the rows be made again.

    Raises:
        KeyError, TypeError, ValueError: a row is malformed.
        PipelineError: the file of a genre or a system would stand outside the folder.
    """
    places = {row["id"]: (row["genre"], row["line"]) for row in data[SENTENCES]}
    texts_of = {row["id"]: row["text"] for row in data[SENTENCES]}
    lines: dict[str, dict[int, str]] = {}
    tables: dict[str, list[tuple[object, ...]]] = {}
    for row in data[SENTENCES]:
        genre, line = places[row["id"]]
        lines.setdefault(f"{genre}.zh", {})[line] = row["labelled"]
        lines.setdefault(f"{genre}.en", {})[line] = row["translation"]
        if any(zero["kind"] for zero in row["zeros"]):
            table = tables.setdefault(f"{ANTECEDENTS}/{genre}.tsv", [COLUMNS])
            table += [(line, at, *_cells(zero, texts_of, places)) for at, zero in enumerate(row["zeros"], 1)]
    for row in data.get(TRANSLATIONS, ()):
        genre, line = places[row["item"]]
        lines.setdefault(f"{SYSTEMS}/{row['system']}/{genre}.en", {})[line] = row["text"]
        table = tables.setdefault(f"{SYSTEMS}/{FAULTS}/{genre}.tsv", [FAULT_COLUMNS])
        table += [(row["system"], line, entry["zero"], entry["fault"]) for entry in row["faults"]]
    for row in data.get(READINGS, ()):
        genre, line = places[row["item"]]
        lines.setdefault(f"{LABELS}/{row['reader']}/{genre}.zh", {})[line] = row["labelled"]
    texts = {name: [rows.get(line, BOUNDARY) for line in range(1, max(rows) + 1)] for name, rows in lines.items()}
    texts |= {name: ["\t".join(map(str, cells)) for cells in rows] for name, rows in tables.items()}
    for name, rows in texts.items():
        if not (folder / name).resolve().is_relative_to(folder.resolve()):
            raise PipelineError(None, None, f"[name] leaves the release; found {shown(name)}")
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")


def _cells(
    zero: Mapping[str, Any], texts: Mapping[str, str], places: Mapping[str, tuple[str, int]]
) -> tuple[object, ...]:
    """Return the cells of a table of antecedents after those of the zero; an occurrence that there is not is too high."""
    if (antecedent := zero["antecedent"]) is None:
        return "", "", "", zero["kind"]
    words = re.finditer(re.escape(antecedent["text"]), texts[antecedent["item"]])
    starts = [match.start() for match in words]
    occurrence = starts.index(antecedent["start"]) if antecedent["start"] in starts else len(starts)
    return places[antecedent["item"]][1], antecedent["text"], occurrence + 1, zero["kind"]


# --- the card -------------------------------------------------------------------------------------------------------------


def texts(name: str, data: Mapping[str, Sequence[Mapping[str, Any]]], source: Source, rules: str) -> dict[str, bytes]:
    """Return the dataset card, by its name: the YAML that `datasets` reads, then what a reader needs to know."""
    sentences, zeros = data[SENTENCES], data[ZEROS]
    forms, kinds = (Counter(row[field] for row in zeros) for field in ("form", "kind"))
    agreed = {(row["item"], *_label(row)) for row in zeros}
    row = next((row for row in sentences if row["zeros"]), sentences[0])
    labels = _labels(data.get(READINGS, ()))
    card = render_card(
        "release/documents_card.md.j2",
        name=name,
        label=label(name, source),
        size=size_category(len(sentences)),
        configs={
            config: (_FIELDS[config].replace("{readers}", source.readers), len(rows)) for config, rows in data.items()
        },
        sentences=len(sentences),
        zeros=len(zeros),
        genres={genre: _counts(sentences, genre) for genre in dict.fromkeys(row["genre"] for row in sentences)},
        forms=[(form, what, forms[form]) for form, what in FORMS.items() if forms[form]],
        kinds=[(kind, what, kinds[kind]) for kind, what in KINDS.items() if kinds[kind]],
        systems=sorted({row["system"] for row in data.get(TRANSLATIONS, ())}),
        readers={reader: (len(found), len(found & agreed)) for reader, found in labels.items()},
        shared=len(set.intersection(*labels.values())) if labels else 0,
        row=row,
        example=to_json({**row, **stamp(name, source)}),
        source=source,
        rules=rules,
    )
    return {CARD: card.encode()}


def _label(zero: Mapping[str, Any]) -> tuple[int, str, str]:
    return zero["place"], zero["pronoun"], zero["form"]


def _labels(readings: Iterable[Mapping[str, Any]]) -> dict[str, set[tuple[Any, ...]]]:
    """Return item, place, pronoun and form of the zeros that each reader labelled."""
    labels: dict[str, set[tuple[Any, ...]]] = {}
    for row in readings:
        zeros = parse_sentence(row["labelled"])[0].zeros
        labels.setdefault(row["reader"], set()).update(
            (row["item"], zero.place, zero.pronoun, zero.form) for zero in zeros
        )
    return dict(sorted(labels.items()))


def _counts(sentences: Iterable[Mapping[str, Any]], genre: str) -> dict[str, int]:
    rows = [row for row in sentences if row["genre"] == genre]
    return {
        "documents": len({row["document"] for row in rows}),
        "sentences": len(rows),
        "with_zero": sum(bool(row["zeros"]) for row in rows),
        "zeros": sum(len(row["zeros"]) for row in rows),
    }
