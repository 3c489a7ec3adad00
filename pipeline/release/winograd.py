"""The release of a collection of zero forms."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from ..core.errors import PipelineError, first_names
from ..core.files import read_bytes, to_json
from ..core.model import Rejected
from ..core.notation import unbracket
from ..core.pages import render_card
from ..core.records import item_from_json, read_items, rejected_to_json
from ..core.rules import rules_digest
from ..evaluation.folder import CARD, CONTESTED, EARLIER, READINGS
from ..evaluation.items import released_items
from ..winograd.adjudication.table import ACTIONS
from ..winograd.analysis import analysis_table
from ..winograd.artefacts import parts, two_way
from ..winograd.build import RecordHistory, read_build
from ..winograd.forms import FORMS
from ..winograd.forms.form import OPTIONS
from ..winograd.modifications import TYPES
from ..winograd.pairs import contrasts
from ..winograd.variety import connective, varieties, variety_table
from .changes import errata_files, errata_ids, errata_of
from .harness import tasks
from .manifest import PROVENANCE
from .people import judged_items, studies_file
from .readings import (
    FIELDS,
    FIELDS_OF_CONTESTED,
    FIELDS_OF_EARLIER,
    contested_items,
    earlier_readings,
    reading_figures,
    released_readings,
)
from .sources import Source, label
from .systems import PREDICTIONS, SystemAccuracy, difficulty_files, prediction_rows, system_accuracies
from .tables import size_category, stamp, with_tables

#: The type of a modification that people decided, and its line on the card.
ADJUDICATED = "adjudicated"
MODIFIED: Mapping[str, str] = {**TYPES, ADJUDICATED: "as most of its raters wrote it"}
#: The fields that a released row has after those of its zero form, with their kinds.
ANNOTATIONS: Mapping[str, type] = {
    **dict.fromkeys(("gloss", "kind", "role", "register"), str),
    "pmi_candidates": list,
    **dict.fromkeys(("pmi_reference", "modification", "original_text"), str),
}


def require_choices(directory: Path) -> None:
    """Raise `PipelineError` if an item of a build has one candidate: it asks whether its zero is licensed, and systems choose nothing."""
    path = directory / "zero.jsonl"
    items = read_items(path, zero_forms=True) if path.is_file() else []
    if lone := [item.id for item in items if len(item.candidates) < 2]:
        reason = f"found one candidate in {first_names(lone)}, expected two or more in a benchmark"
        raise PipelineError(
            path, None, f"[candidates] no choice; {reason}; build it again from an ingest without --one-candidate"
        )


def release_files(directory: Path, source: Source, licence_text: str, exports: Path | None = None) -> dict[str, bytes]:
    """Return the files of a release by name, made from a build that its suites accept.

    What people judged follows from the exports of studies, if there are any.

    Raises:
        PipelineError: an item has no choice of candidates.
    """
    name, build, rules = directory.name, read_build(directory), rules_digest()
    require_choices(directory)
    places = contrasts(build.items)
    rows = [
        annotated({**row, "contrast": places.get(row["schema"], "")}, build.histories[row["id"]]) for row in build.zeros
    ]
    derived = {form: [tabular(row) for row in rows] for form, rows in build.forms.items()}
    if source.reading:
        derived[READINGS] = released_readings(Path(source.reading), build)
    if source.earlier:
        derived[EARLIER] = earlier_readings(Path(source.earlier), build.items)
    if source.contested and (contested := contested_items(Path(source.contested), build.items)):
        derived[CONTESTED] = contested
    people = judged_items(exports, build.items, {entry.record.id for entry in build.rejected})
    systems, difficulty = [], {}
    if source.predictions:
        path, items = Path(source.predictions), released_items(enumerate(rows, 1), directory / "zero.jsonl")
        systems, difficulty = system_accuracies(path, items), difficulty_files(items, path, people)
    decisions = _decisions(build.histories)
    histories = build.histories.values()
    errata = errata_of(
        source, (entry.record for entry in histories), {entry.record.id: entry.gloss for entry in histories}
    )
    files = {
        **texts(name, rows, build.rejected, decisions, source, rules, derived, people, systems),
        "LICENSE": licence_text.encode(),
        OPTIONS: read_bytes(directory / "variants" / OPTIONS),
        **errata_files(errata),
        **difficulty,
        **studies_file(people),
    }
    named = errata_ids(errata)
    records = {
        PROVENANCE: [
            provenance(row, build.histories[row["id"]], source, rules) | named.get(row["id"], {}) for row in rows
        ],
        "rejected.jsonl": [rejected_to_json(entry) for entry in build.rejected],
        **({PREDICTIONS: prediction_rows(Path(source.predictions))} if source.predictions else {}),
    }
    return with_tables(directory, source, files, {name: rows, **derived}, records)


def tabular(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row whose names are pairs: a table would make a column of each name."""
    if not isinstance(row.get("names"), dict):
        return dict(row)
    return {**row, "names": [{"old": old, "new": new} for old, new in row["names"].items()]}


def annotated(row: Mapping[str, Any], history: RecordHistory) -> dict[str, Any]:
    """Return a zero form with its author's analysis (gloss, kind, role, terms), and how its text was modified.

    A text that people modified has the type `ADJUDICATED`, and as its original the text before any modification.
    """
    analysis, applied = history.analysis, history.applied
    terms = analysis.pmi if analysis else None
    decision = history.change.decision if history.change else None
    judged = unbracket(decision.text)[0] if decision and decision.action == "modify" else ""
    return {
        **row,
        "gloss": history.gloss,
        "kind": analysis.kind if analysis else "",
        "role": analysis.role if analysis else "",
        "register": analysis.register if analysis else "",
        "pmi_candidates": list(terms.candidates) if terms else [],
        "pmi_reference": terms.reference if terms else "",
        "modification": ADJUDICATED if judged else applied.modification.type if applied else "",
        "original_text": applied.original if applied else judged,
    }


def provenance(row: Mapping[str, Any], history: RecordHistory, source: Source, rules: str) -> dict[str, Any]:
    """Return where a record comes from, which parsers and rules kept it, and what people decided about it.

    ``adjudication`` is there only if people decided about the item or its pair-mate; its ``before`` is ``kept``, or the class under
    which the record was rejected until then.
    """
    adjudication = {}
    if history.change is not None:
        decision = history.change.decision
        adjudication = {
            "before": history.change.before,
            "action": history.action,
            "study": decision.study if decision else "",
            "votes": decision.share if decision else "",
            "reason": decision.reason if decision else "",
        }
    return {
        "id": row["id"],
        "source": row["source"],
        "file": source.file,
        "sha256": source.sha256,
        "rules": rules,
        "parsers": list(history.decision.votes),
        "disputed": history.decision.disputed,
        **({"adjudication": adjudication} if adjudication else {}),
    }


def _decisions(histories: Mapping[str, RecordHistory]) -> list[tuple[str, str]]:
    changes = [history.change for history in histories.values() if history.change]
    return [(change.decision.action, change.decision.study) for change in changes if change.decision]


def _fields(config: str, readers: str) -> str:
    if config in (EARLIER, CONTESTED):
        return FIELDS_OF_EARLIER if config == EARLIER else FIELDS_OF_CONTESTED
    return FIELDS.replace("{readers}", readers) if config == READINGS else FORMS[config].fields


def _language(rows: Sequence[Mapping[str, Any]]) -> str:
    return str(rows[0]["lang"]) if rows else "zh"


def counts_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, Counter[str]]:
    """Return how many rows have each kind, register and connective, and how many of a register have the first candidate for answer.

    Returns:
        ``kinds``, ``registers``, ``firsts`` (by register) and ``connectives``; empty where the author says nothing. ``before`` has the
        kinds of the items whose pair differs before its target.
    """
    return {
        "before": Counter(row["kind"] for row in rows if row["contrast"] == "before"),
        "kinds": Counter(row["kind"] for row in rows if row["kind"]),
        "registers": Counter(row["register"] for row in rows if row["register"]),
        "firsts": Counter(row["register"] for row in rows if row["register"] and row["answer"] == 0),
        "connectives": Counter(connective(item_from_json(row)) for row in rows if row["register"]),
    }


def texts(
    name: str,
    rows: Sequence[Mapping[str, Any]],
    rejected: Sequence[Rejected],
    decisions: Sequence[tuple[str, str]],
    source: Source,
    rules: str,
    derived: Mapping[str, Sequence[Mapping[str, Any]]],
    people: Mapping[str, Any],
    systems: Sequence[SystemAccuracy] = (),
) -> dict[str, bytes]:
    """Return the dataset card (the YAML that `datasets` reads, then what a reader needs to know) and the tasks, by file name."""
    language, most = _language(rows), max((len(row["candidates"]) for row in rows), default=2)
    named = [item_from_json(row) for row in rows if row["register"]]
    lengths = [len(row["text"]) for row in rows]
    modified = Counter(row["modification"] for row in rows)
    actions = Counter(action for action, _ in decisions)
    right = {row["id"]: row["candidates"][row["answer"]] for row in rows}
    read = [*derived.get(READINGS, ()), *derived.get(EARLIER, ())]
    card = render_card(
        "release/winograd_card.md.j2",
        name=name,
        label=label(name, source),
        language=language,
        count=len(rows),
        size=size_category(len(rows)),
        schemas=len({row["schema"] for row in rows}),
        labels=[sum(row["answer"] == index for row in rows) for index in range(most)],
        counts=counts_of(rows),
        varieties=varieties(named, table) if named and (table := variety_table(language)) else {},
        contrasts=Counter({row["schema"]: row["contrast"] for row in rows}.values()),
        seen=parts(two_way(map(item_from_json, rows))),
        kinds=analysis_table(language).kinds,
        registers=analysis_table(language).registers,
        modified={kind: (what, modified[kind]) for kind, what in MODIFIED.items() if modified[kind]},
        lengths=sorted(lengths),
        median=median(lengths) if lengths else None,
        rejected=dict(sorted(Counter(entry.exclusion for entry in rejected).items())),
        source=source,
        rules=rules,
        actions={action: actions[action] for action in ACTIONS if actions[action]},
        studies=sorted({study for _, study in decisions}),
        people=people,
        forms={form: (_fields(form, source.readers), len(lines)) for form, lines in derived.items()},
        row=rows[0] if rows else {},
        example=to_json({**rows[0], **stamp(name, source)}) if rows else "{}",
        systems=systems,
        read=len(read),
        read_right=sum(row["answer"] == right.get(row["item"]) for row in read),
        readings=reading_figures(derived.get(READINGS, ())),
        contested=len(derived.get(CONTESTED, ())),
        prefix=tasks.task_prefix(name),
        tasks=tasks.tasks_of("collection"),
        unscored=tasks.unscored(derived.get("scoring", ())),
    )
    return {CARD: card.encode(), **tasks.files_of_collection(name, language, most)}
