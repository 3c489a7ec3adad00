"""The page of an audit: why each record was kept or rejected, in numbers, and the records that a maintainer should read."""

from collections import Counter
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from ...core.model import CLASSES, label_counts
from ...core.pages import page_environment
from ..adjudication.table import ACTIONS, KEPT
from ..analysis import analysis_table
from ..build import FOLLOW, RecordHistory
from ..exclusion.ledger import count_disputed, disputed_line
from ..modifications import TYPES
from .entries import by_urgency
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
