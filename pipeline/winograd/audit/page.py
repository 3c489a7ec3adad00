"""The page of an audit: why each record was kept or rejected, with the trees behind the decision."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ...core.errors import PipelineError
from ...core.model import CLASSES, Item, label_counts
from ...core.pages import page_environment
from ...language.parsing.lock import Lock, tree_of
from ..adjudication.table import ACTIONS, KEPT
from ..analysis import analysis_table
from ..build import FOLLOW, RecordHistory
from ..exclusion.ledger import count_disputed, disputed_line
from ..modifications import TYPES
from .entries import anchor, by_urgency, is_listed, judged_wording
from .gold import LABELS, Score, share
from .trees import tree_svg


@dataclass(frozen=True, slots=True)
class Figure:
    """The tree that one parser gives the sentence of a target, drawn as SVG, and the rules that matched it."""

    parser: str
    rules: tuple[str, ...]
    svg: Markup


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


def draw(histories: Iterable[RecordHistory], locks: Sequence[Lock]) -> dict[str, list[Figure]]:
    """Draw each parser's tree of the listed records that trees decided on.

    Returns:
        The drawings by record id, in the order of the locks.

    Raises:
        PipelineError: a parser cast no vote on a record: the parses are not those of `exclude`.
    """
    figures: dict[str, list[Figure]] = {}
    judged = (history for history in by_urgency(histories) if history.decision.votes)
    for number, history in enumerate(judged, 1):
        assert isinstance(history.record, Item)  # noqa: S101 - a skipped record has no votes
        votes = history.decision.votes
        for place, lock in enumerate(locks, 1):
            tree, target = tree_of(history.record, lock)
            if tree.parser not in votes:
                reason = f"[{history.record.id}] no vote of {tree.parser}; run winoforge exclude with the same parses"
                raise PipelineError(lock.path, None, reason)
            svg = tree_svg(tree, target, f"tree-{number}-{place}")
            figures.setdefault(history.record.id, []).append(Figure(tree.parser, votes[tree.parser], svg))
    return figures


def page(
    name: str,
    histories: Sequence[RecordHistory],
    figures: Mapping[str, Sequence[Figure]],
    *,
    parsers: Sequence[str],
    rules: str,
    score: Score | None = None,
    judged: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """Render the page as HTML that needs no other file and no network.

    Args:
        name: the name of the collection.
        histories: all records.
        figures: the trees to show, by record id.
        parsers: the parsers, the deciding one first.
        rules: the digest of the rules.
        score: the score against a gold, if there is one.
        judged: what raters said in studies, by record id.
    """
    disputed = count_disputed((history.decision for history in histories), len(parsers))
    first: dict[str, RecordHistory] = {}
    for history in histories:
        first.setdefault(history.label, history)
    return (
        page_environment()
        .get_template("winograd/audit/page.html.j2")
        .render(
            name=name,
            histories={history.record.id: history for history in histories},
            listed=by_urgency(histories),
            is_listed=is_listed,
            anchor=anchor,
            judged_wording=judged_wording,
            counts=Counter(history.label for history in histories),
            first=first,
            classes=CLASSES,
            kept=KEPT,
            net=Counter(history.outcome for history in histories),
            published=PUBLISHED,
            kept_zeros=[history for history in histories if history.label == KEPT and history.decision.already_zero],
            answers=label_counts(history.record for history in histories if history.label == KEPT),
            figures=figures,
            disputed=disputed,
            disputed_line=disputed_line(disputed),
            parsers=parsers,
            rules=rules,
            score=score,
            by_raters=judged or {},
            labels=LABELS,
            roles=analysis_table(histories[0].record.lang if histories else "zh").roles,
            types=TYPES,
            modified={
                kind: [
                    history for history in histories if history.applied and history.applied.modification.type == kind
                ]
                for kind in TYPES
            },
            share=share,
            people={
                action: [history for history in histories if history.action == action] for action in (*ACTIONS, FOLLOW)
            },
            converted=sum(history.outcome == KEPT for history in histories),
        )
    )
