"""The release of a collection without zeros: items with a gap for a pronoun that agrees with an antecedent, or as they are."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any, Literal

from ..core.convert import to_object
from ..core.errors import PipelineError
from ..core.files import read_bytes, to_json
from ..core.model import Item
from ..core.pages import render_card
from ..core.records import item_from_json, read_collection
from ..core.rules import rules_digest
from ..evaluation.cloze.items import cloze_item_from_json
from ..evaluation.folder import CARD, READINGS
from ..language.languages import language_of
from ..language.pronoun_classes import GENDERS, pronoun_classes
from ..winograd.analysis import Analysis, analysis_from_json, analysis_table, read_analyses
from ..winograd.build import read_rows
from ..winograd.cloze import CLOZE, ITEMS, cloze_item, filler_to_json, read_fillers
from ..winograd.forms import FORMS
from ..winograd.forms.form import OPTIONS
from ..winograd.forms.tokens import TOKENS
from ..winograd.pairs import Contrast, contrasts
from .changes import errata_files, errata_ids, errata_of
from .harness import tasks
from .manifest import PROVENANCE
from .people import judged_items, studies_file
from .readings import gap_reading_figures, read_gap_readings
from .sources import Source, label
from .tables import size_category, stamp, with_tables

#: A configuration that such a release may have besides `CLOZE`, `ITEMS` and `READINGS`.
FILLERS = "fillers"
#: The derived forms that it has, in the order of the card: all of German, in which blanks tell the tokens.
DERIVED = tuple(name for name, form in FORMS.items() if form.is_of("de") and form is not TOKENS)
_FIELDS: Mapping[str, str] = {
    CLOZE: "`text` with `___` for the pronoun, `antecedents` with their `gender`, `gold` (index of the right one), `pronoun`",
    ITEMS: "the same items with the pronoun in the text, at `target`: `candidates`, `answer` (index of the right one), `question`, "
    "`contrast` (where the texts of a pair differ besides their pronouns: after or before them)",
    FILLERS: "sentences with one `antecedent` and a gap, for experiments: `text`, `answer` (`er|es`: both are right)",
    READINGS: "the readings of each item by {readers}: `pronoun`, `sure`, `natural` (1 to 5), `other` (another possible pronoun), `remark`",
    **{name: FORMS[name].fields for name in DERIVED},
}
#: The fields that a row of `ITEMS` has after those of an item, with their kinds.
ANNOTATIONS: Mapping[str, type] = {**dict.fromkeys(("gloss", "kind", "role", "register"), str), "genders": list}
_PLACES = ("first", "second")


def release_files(directory: Path, source: Source, licence_text: str, exports: Path | None = None) -> dict[str, bytes]:
    """Return the files of a release by name, made from a build that its suites accept, its fillers and its readings."""
    name, rules = directory.name, rules_digest()
    items, skipped = read_collection(directory / "items.jsonl", directory / "skipped.jsonl")
    if skipped:
        reason = f"a record was skipped; found {skipped[0].record.id}, expected none: mend it in its source"
        raise PipelineError(directory / "skipped.jsonl", None, f"[skipped] {reason}")
    analyses = read_analyses(directory / "analysis.jsonl") if (directory / "analysis.jsonl").is_file() else {}
    analyses = {item.id: Analysis(item.id, item.schema, "", "", "", None) for item in items} | analyses
    places = contrasts(items)
    rows = [released_item(item, analyses[item.id], places.get(item.schema, "")) for item in items]
    data = {CLOZE: read_rows(directory / "cloze.jsonl")} if (directory / "cloze.jsonl").is_file() else {}
    data[ITEMS] = rows
    forms = {form: read_rows(directory / "variants" / f"{form}.jsonl") for form in DERIVED}
    without_grammar = bool(items) and language_of(items[0].lang).grammar is None  # and so has no hypotheses
    data |= {form: made for form, made in forms.items() if made or not without_grammar}
    if source.fillers:
        lang = items[0].lang
        data[FILLERS] = [filler_to_json(filler, lang) for filler in read_fillers(Path(source.fillers), lang)]
    if source.reading:
        data[READINGS] = read_gap_readings(Path(source.reading), items)
    people = judged_items(exports, items)
    errata = errata_of(source, items, {item.id: analyses[item.id].gloss for item in items})
    files = {
        **texts(name, data, source, rules, people),
        "LICENSE": licence_text.encode(),
        OPTIONS: read_bytes(directory / "variants" / OPTIONS),
        **errata_files(errata),
        **studies_file(people),
    }
    named = errata_ids(errata)
    origins = [provenance(row, source, rules) | named.get(row["id"], {}) for row in rows]
    return with_tables(directory, source, files, data, {PROVENANCE: origins})


def released_item(item: Item, analysis: Analysis, contrast: Contrast | Literal[""]) -> dict[str, Any]:
    """Return an item with the place where its pair differs and its author's analysis: a row of the configuration `ITEMS`."""
    fields = {name: getattr(analysis, name) for name in ANNOTATIONS if name != "genders"}
    row = {**to_object(item), "contrast": contrast, **fields}
    return {**row, **({"genders": list(analysis.genders)} if analysis.genders else {})}


def cloze_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the cloze item of a row that `released_item` made; raises `ValueError` or `PipelineError` if the row is malformed."""
    given = {field: value for field, value in row.items() if field != "register" or value}
    return cloze_item(item_from_json(row), analysis_from_json({**given, "pmi": None}))


def provenance(row: Mapping[str, Any], source: Source, rules: str) -> dict[str, Any]:
    """Return where a record comes from; no parser and no rule of exclusion has a say, so that `parsers` is empty."""
    origin = {"file": source.file, "sha256": source.sha256, "rules": rules}
    return {"id": row["id"], "source": row["source"], **origin, "parsers": [], "disputed": False}


def balance_tables(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the counts of the card.

    Returns:
        ``orders`` and ``registers`` count schemas, by the genders of both antecedents in their order; ``places`` has for each pronoun
        the items whose right antecedent is the first, and those whose it is the second; ``kinds`` counts schemas.
    """
    rows = list(rows)
    schemas = list({row["schema"]: row for row in reversed(rows)}.values())[::-1]
    orders = Counter(dict.fromkeys(permutations(GENDERS, 2), 0))
    orders.update(tuple(antecedent["gender"] for antecedent in row["antecedents"]) for row in schemas)
    right = Counter((row["antecedents"][row["gold"]]["gender"], row["gold"]) for row in rows)
    pronouns = pronoun_classes(rows[0]["lang"]).pronouns if rows else {}
    return {
        "orders": orders,
        "places": {word: [right[gender, place] for place in range(2)] for gender, word in pronouns.items()},
        "registers": Counter(row["register"] for row in schemas if row["register"]),
        "kinds": Counter(row["kind"] for row in schemas if row["kind"]),
    }


def _counts(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the counts of the card of items without a gap: how many have each answer, and schemas by register and kind."""
    schemas = {row["schema"]: row for row in rows}.values()
    return {
        "answers": Counter(row["answer"] for row in rows),
        **{f"{field}s": Counter(row[field] for row in schemas if row[field]) for field in ("register", "kind")},
    }


def texts(
    name: str,
    data: Mapping[str, Sequence[Mapping[str, Any]]],
    source: Source,
    rules: str,
    people: Mapping[str, Any],
) -> dict[str, bytes]:
    """Return the dataset card (the YAML that `datasets` reads, then what a reader needs to know) and the tasks, by file name."""
    is_cloze = CLOZE in data
    items = data[CLOZE if is_cloze else ITEMS]
    lang = str(items[0]["lang"]) if items else "de"
    table = analysis_table(lang)
    balance = balance_tables(items) if is_cloze else _counts(items)
    card = render_card(
        "release/cloze_card.md.j2",
        name=name,
        label=label(name, source),
        language=lang,
        size=size_category(len(items)),
        configs={
            config: (_FIELDS[config].replace("{readers}", source.readers), len(rows)) for config, rows in data.items()
        },
        items=len(items),
        schemas=len({row["schema"] for row in items}),
        contrasts=Counter({row["schema"]: row["contrast"] for row in data[ITEMS]}.values()),
        places=_PLACES,
        balance=balance,
        registers=table.registers or dict.fromkeys(balance["registers"], ""),
        kinds=table.kinds or dict.fromkeys(balance["kinds"], ""),
        row=items[0] if items else {},
        example=to_json({**items[0], **stamp(name, source)}) if items else "{}",
        readings=gap_reading_figures(data.get(READINGS, ())),
        source=source,
        people=people,
        rules=rules,
        prefix=tasks.task_prefix(name),
        tasks=tasks.tasks_of("cloze" if is_cloze else "sentences"),
        is_cloze=is_cloze,
    )
    if is_cloze:
        own = tasks.files_of_cloze(name, [cloze_item_from_json(row) for row in items], source.canary)
    else:
        own = tasks.files_of_sentences(name, [item_from_json(row) for row in items], source.canary)
    return {CARD: card.encode(), **own}
