"""The page and the table of an audit: why each record was kept or rejected, the records to read first, and what raters said."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from ...core.errors import PipelineError, shown
from ...core.model import CLASSES, label_counts
from ...core.pages import page_environment
from ...core.tables import read_table
from ..adjudication.table import ACTIONS, KEPT
from ..analysis import analysis_table
from ..build import FOLLOW, RecordHistory
from ..exclusion.ledger import count_disputed, disputed_line
from ..modifications import TYPES
from .gold import LABELS, Score, share
from .views import VERDICTS, final_record, people_lines

#: What WSC-ZA prints of its own sentences (Table 2): 284 in all; those removed by class, after modification, and those modified by type.
PUBLISHED = {
    "total": 284,
    "ba-object": 6,
    "prenominal-possessor": 20,
    "direct-object": 8,
    "other": 10,
    "rejected": 44,
    "kept": 240,
    "stance-adverbial": 2,
    "copula": 2,
    "predicate": 2,
    "possessor": 8,
    "modified": 14,
}
#: What each class means, for a reader who has not seen the rules.
MEANINGS: Mapping[str, str] = {
    "ba-object": "object of 把 or 将, which need an overt noun phrase",
    "prenominal-possessor": "possessor before its noun (他的…)",
    "direct-object": "direct object of a transitive verb",
    "other": "another position that licenses no zero (object of a coverb, pivot, focus, …)",
    "pair-mate": "no reason of its own; the other member of its pair was rejected",
    "already-zero": "the source text leaves the anaphor out already: nothing to convert",
    "not-pronoun": "the target is no third-person pronoun",
    "defect": "the item itself is broken",
    KEPT: "the target’s position licenses a zero",
}
#: Maximum number of records that the page lists; the index of records has all of them.
LISTED = 300
#: The folder of the pages of the records, beside the page.
RECORDS = "items"


def address(record_id: str) -> str:
    """Return the address of a record's page, from the page of the audit.

    >>> address("zh-1-a")
    'items/record.html#zh-1-a'
    """
    return f"{RECORDS}/record.html#{quote(record_id, safe='')}"


def page(
    name: str,
    histories: Sequence[RecordHistory],
    *,
    parsers: Sequence[str],
    rules: str,
    score: Score | None = None,
    judged: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """Render the page as HTML; it needs no script and no network, and links to the pages of the records.

    What raters judged is by record id. The first of `parsers` is the deciding one.
    """
    disputed = count_disputed((history.decision for history in histories), len(parsers))
    first: dict[str, RecordHistory] = {}
    for history in histories:
        first.setdefault(history.label, history)
    listed = by_urgency(histories)
    modified = {
        kind: [history for history in histories if history.applied and history.applied.modification.type == kind]
        for kind in TYPES
    }
    people = {action: [history for history in histories if history.action == action] for action in (*ACTIONS, FOLLOW)}
    return (
        page_environment()
        .get_template("winograd/audit/page.html.j2")
        .render(
            name=name,
            histories={history.record.id: history for history in histories},
            listed=listed[:LISTED],
            more=len(listed) - len(listed[:LISTED]),
            address=address,
            records=RECORDS,
            final_record=final_record,
            people_lines=people_lines,
            counts=Counter(history.label for history in histories),
            first=first,
            classes=CLASSES,
            meanings=MEANINGS,
            verdicts=VERDICTS,
            kept=KEPT,
            net=Counter(history.outcome for history in histories),
            published=PUBLISHED,
            kept_zeros=[history for history in histories if history.label == KEPT and history.decision.already_zero],
            answers=label_counts(history.record for history in histories if history.label == KEPT),
            disputed=disputed,
            disputed_line=disputed_line(disputed),
            parsers=parsers,
            rules=rules,
            score=score,
            by_raters=judged or {},
            labels=LABELS,
            roles=analysis_table(histories[0].record.lang if histories else "zh").roles,
            types=TYPES,
            modified=modified,
            share=share,
            people=people,
            converted=sum(history.outcome == KEPT for history in histories),
        )
    )


# --- the table, and the records to read ----------------------------------------------------------------------------------


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
