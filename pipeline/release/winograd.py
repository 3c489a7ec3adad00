"""The release of a collection of zero forms."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.checksums import CHECKSUMS, checksums_of
from ..core.files import parse_jsonl, read_text, to_json
from ..core.notation import unbracket
from ..core.pages import render_card
from ..core.records import read_rejected, rejected_to_json
from ..core.rules import rules_digest
from ..winograd.adjudication.apply import Change
from ..winograd.adjudication.ledger import read_changes
from ..winograd.adjudication.table import ACTIONS
from ..winograd.analysis import Analysis, analysis_table, read_analyses
from ..winograd.exclusion.ledger import Decision, read_decisions
from ..winograd.forms import FORMS
from ..winograd.modifications import TYPES, AppliedModification, read_applied
from .sources import Source
from .tables import json_lines, parquet


def provenance(
    rows: Sequence[Mapping[str, Any]],
    decisions: Sequence[Decision],
    source: Source,
    rules: str,
    changes: Mapping[str, Change],
) -> list[dict[str, Any]]:
    """Return for each record where it comes from, by which parsers and rules it was kept, and what people decided of it.

    ``adjudication`` is there only where people decided of the item or of its pair-mate: `before` is the class under which the
    rules had rejected it, or ``kept``.
    """
    by_id = {decision.id: decision for decision in decisions}
    return [
        {
            "id": row["id"],
            "source": row["source"],
            "file": source.file,
            "sha256": source.sha256,
            "rules": rules,
            "parsers": list(by_id[row["id"]].votes),
            "disputed": by_id[row["id"]].disputed,
            **({"adjudication": _adjudication(changes[row["id"]])} if row["id"] in changes else {}),
        }
        for row in rows
    ]


def _adjudication(change: Change) -> dict[str, Any]:
    row = change.decision
    if row is None:
        return {"before": change.before, "action": "follow", "study": "", "votes": "", "reason": ""}
    return {
        "before": change.before,
        "action": row.action,
        "study": row.study,
        "votes": row.share,
        "reason": row.reason,
    }


#: The type of a modification that people decided, and what it does.
ADJUDICATED = "adjudicated"
_MODIFIED: Mapping[str, str] = {**TYPES, ADJUDICATED: "as most of its raters wrote it"}


def annotated(
    rows: Sequence[Mapping[str, Any]],
    analyses: Mapping[str, Analysis],
    applied: Mapping[str, AppliedModification],
    changes: Mapping[str, Change],
) -> list[dict[str, Any]]:
    """Return the rows with what their authors say of them: gloss, kind, role, terms, and how they were modified.

    What people modified has the type `ADJUDICATED`, and the text from before any modification.
    """
    annotated = []
    for row in rows:
        analysis, change = analyses.get(row["id"]), applied.get(row["id"])
        terms = analysis.pmi if analysis else None
        row_decided = changes[row["id"]].decision if row["id"] in changes else None
        judged = unbracket(row_decided.text)[0] if row_decided and row_decided.action == "modify" else ""
        annotated.append(
            {
                **row,
                "gloss": analysis.gloss if analysis else "",
                "kind": analysis.kind if analysis else "",
                "role": analysis.role if analysis else "",
                "pmi_candidates": list(terms.candidates) if terms else [],
                "pmi_reference": terms.reference if terms else "",
                "modification": ADJUDICATED if judged else change.modification.type if change else "",
                "original_text": change.original if change else judged,
            }
        )
    return annotated


def forms(directory: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each derived form that a build has."""
    found = {}
    for form in FORMS:
        path = directory / "variants" / f"{form}.jsonl"
        if path.exists():
            found[form] = [_tabular(value) for _, value in parse_jsonl(read_text(path), path)]
    return found


def _tabular(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row whose names are pairs: a table would make a column of each name."""
    if not isinstance(row.get("names"), dict):
        return dict(row)
    return {**row, "names": [{"old": old, "new": new} for old, new in row["names"].items()]}


def card(
    name: str,
    rows: Sequence[Mapping[str, Any]],
    rejected: Mapping[str, int],
    source: Source,
    rules: str,
    derived: Mapping[str, int],
    changes: Mapping[str, Change],
) -> str:
    """Return the dataset card: the YAML that `datasets` reads, then what a reader needs to know."""
    labels = [sum(row["answer"] == index for row in rows) for index in range(2)]
    language = rows[0]["lang"] if rows else "zh"
    kinds = Counter(row["kind"] for row in rows)
    modified = Counter(row["modification"] for row in rows)
    decided = [change.decision for change in changes.values() if change.decision]
    actions = Counter(row.action for row in decided)
    return render_card(
        "release/winograd_card.md.j2",
        name=name,
        language=language,
        count=len(rows),
        schemas=len({row["schema"] for row in rows}),
        labels=labels,
        kinds={kind: (what, kinds[kind]) for kind, what in analysis_table(language).kinds.items() if kinds[kind]},
        modified={kind: (what, modified[kind]) for kind, what in _MODIFIED.items() if modified[kind]},
        lengths=sorted(len(row["text"]) for row in rows),
        rejected=rejected,
        source=source,
        rules=rules,
        actions={action: actions[action] for action in ACTIONS if actions[action]},
        studies=sorted({row.study for row in decided}),
        forms={form: (FORMS[form].fields, number) for form, number in derived.items()},
        example=to_json(rows[0]) if rows else "{}",
    )


def release_files(directory: Path, source: Source, licence_text: str) -> dict[str, bytes]:
    """Return the files of a release by name, made from the files of a build.

    ``zero.jsonl``, ``rejected.jsonl`` and ``decisions.jsonl`` are needed; ``analysis.jsonl``, ``modifications.jsonl`` and
    ``adjudications.jsonl`` add to the rows what they have, the derived forms in ``variants`` are further configurations. What a
    modification rescued is not listed as rejected; ``adjudicated-rejected.jsonl`` has what people left rejected.
    """
    name = directory.name
    analysis, ledger = directory / "analysis.jsonl", directory / "modifications.jsonl"
    people, left = directory / "adjudications.jsonl", directory / "adjudicated-rejected.jsonl"
    changes = read_changes(people) if people.exists() else {}
    rows = annotated(
        [value for _, value in parse_jsonl(read_text(directory / "zero.jsonl"), directory / "zero.jsonl")],
        read_analyses(analysis) if analysis.exists() else {},
        read_applied(ledger) if ledger.exists() else {},
        changes,
    )
    released = {row["id"] for row in rows}
    decisions = read_decisions(directory / "decisions.jsonl")
    rejections = read_rejected(left if left.exists() else directory / "rejected.jsonl")
    fallen = [entry for entry in rejections if entry.record.id not in released]
    rejected = Counter(entry.exclusion for entry in fallen)
    rules = rules_digest()
    derived = forms(directory)
    counts = {form: len(found) for form, found in derived.items()}
    files = {
        "README.md": card(name, rows, dict(sorted(rejected.items())), source, rules, counts, changes).encode(),
        "LICENSE": licence_text.encode(),
        f"data/{name}.jsonl": json_lines(rows),
        f"data/{name}.parquet": parquet(rows),
        "provenance.jsonl": json_lines(provenance(rows, decisions, source, rules, changes)),
        "rejected.jsonl": json_lines([rejected_to_json(entry) for entry in fallen]),
    }
    for form, found in derived.items():
        files[f"data/{form}.jsonl"] = json_lines(found)
        files[f"data/{form}.parquet"] = parquet(found)
    return files | {CHECKSUMS: checksums_of(files).encode()}
