"""The records that a maintainer should read, the table of all records, and what raters said of them in studies."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.model import CLASSES
from ...core.tables import read_table
from ..adjudication.table import KEPT
from ..build import RecordHistory

TABLE_HEADER = (
    "id", "schema", "version", "decision", "class", "rules", "disputed",
    "target", "start", "end", "sentence", "candidates", "answer", "votes", "kind", "role", "modification", "modified",
    "outcome", "people", "value", "raters", "study", "reason", "uncertain",
)  # fmt: skip
#: The column of what raters said in studies, if there are some.
JUDGED = "judged"


def is_listed(history: RecordHistory) -> bool:
    """Tell whether a maintainer should read a record: it was rejected, modified, judged by people, disputed or uncertain."""
    decision = history.decision
    by_rule = decision.exclusion is not None or decision.disputed or bool(decision.uncertain)
    return by_rule or history.applied is not None or history.change is not None


def by_urgency(histories: Iterable[RecordHistory]) -> list[RecordHistory]:
    """Return the records that a maintainer should read: the disputed, the uncertain; then by class, then by id."""
    order: dict[str, int] = {name: place for place, name in enumerate((*CLASSES, KEPT))}
    return sorted(
        filter(is_listed, histories),
        key=lambda history: (
            not history.decision.disputed,
            not history.decision.uncertain,
            order[history.label],
            history.record.id,
        ),
    )


def table(histories: Iterable[RecordHistory], judged: Mapping[str, Sequence[str]] | None = None) -> list[list[str]]:
    """Return one row for every record, kept or not, with the columns of `TABLE_HEADER`, and `JUDGED` if raters judged in studies."""
    if judged is None:
        return [_row(history) for history in histories]
    return [[*_row(history), " | ".join(judged.get(history.record.id, ()))] for history in histories]


def _row(history: RecordHistory) -> list[str]:
    record, target = history.record, history.record.target
    row = history.change.decision if history.change else None
    covered, start, end = (target.of(record.text), target.start, target.end) if target is not None else ("", "", "")
    return [
        record.id,
        record.schema,
        record.version,
        KEPT if history.decision.exclusion is None else "rejected",
        history.decision.exclusion or ("already-zero" if history.decision.already_zero else ""),
        " ".join(finding.rule for finding in history.findings),
        "yes" if history.decision.disputed else "no",
        covered,
        str(start),
        str(end),
        record.text,
        " | ".join(record.candidates),
        "" if record.answer is None else record.candidates[record.answer],
        "; ".join(f"{parser}: {' '.join(rules) or 'none'}" for parser, rules in history.decision.votes.items()),
        history.analysis.kind if history.analysis else "",
        history.analysis.role if history.analysis else "",
        history.applied.modification.type if history.applied else "",
        history.applied.modified if history.applied else "",
        history.outcome,
        history.action,
        *((row.value, row.share, row.study, row.reason) if row else ("",) * 4),
        "; ".join(history.decision.uncertain),
    ]


# --- what raters said in studies ------------------------------------------------------------------------------------------


#: The columns of items.tsv, which `annotate agree` writes, that the audit shows.
_SHOWN = ("item", "raters", "ratings", "mean", "rating_level", "answers", "right", "accuracy_level")
_COUNTS = ("raters", "answers", "right")


def read_study_results(paths: Iterable[Path]) -> dict[str, list[str]]:
    """Return for each judged item a line for each study, in the order of the files; the study is named after the folder of its table."""
    lines: dict[str, list[str]] = {}
    for path in paths:
        for number, row in read_table(path, _SHOWN):
            for name in _COUNTS:
                if row[name] and not (row[name].isascii() and row[name].isdecimal()):
                    raise PipelineError(
                        path, number, f"[{name}] found {shown(row[name])}, expected a number or nothing"
                    )
            if int(row["raters"] or 0):
                record, _, entity = row["item"].partition("/")
                study = path.resolve().parent.name + (f", candidate {entity}" if entity else "")
                lines.setdefault(record, []).append(f"{study}: {_line(row)}")
    return lines


def _line(row: dict[str, str]) -> str:
    parts = [f"{row['raters']} {'rater' if row['raters'] == '1' else 'raters'}"]
    if row["ratings"]:
        parts.append(f"ratings {row['ratings']}, mean {row['mean']} ({row['rating_level']})")
    if row["answers"]:
        parts.append(f"{row['right'] or 0} of {row['answers']} right ({row['accuracy_level']})")
    return "; ".join(parts)
