"""The page of an audit: why each record was kept or rejected, with the trees that it rests on."""

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
from ..modifications import TYPES
from .entries import FOLLOW, AuditEntry, by_urgency
from .gold import LABELS, Score, share
from .trees import tree_svg


@dataclass(frozen=True, slots=True)
class Figure:
    """One parser's tree of the sentence that holds a target, drawn as SVG, and the rules that fired on it."""

    parser: str
    rules: tuple[str, ...]
    svg: Markup


def draw(entries: Iterable[AuditEntry], locks: Sequence[Lock]) -> dict[str, list[Figure]]:
    """Return by record id each parser's tree of the listed records that were judged by trees."""
    figures: dict[str, list[Figure]] = {}
    judged = (entry for entry in by_urgency(entries) if entry.decision.votes)
    for number, entry in enumerate(judged, 1):
        assert isinstance(entry.record, Item)  # noqa: S101 - a skipped record has no votes
        for place, lock in enumerate(locks, 1):
            tree, target = tree_of(entry.record, lock)
            if tree.parser not in entry.decision.votes:
                reason = f"[{entry.record.id}] no vote of {tree.parser}; run winoforge exclude with the same parses"
                raise PipelineError(lock.path, None, reason)
            svg = tree_svg(tree, target, f"tree-{number}-{place}")
            figures.setdefault(entry.record.id, []).append(Figure(tree.parser, entry.decision.votes[tree.parser], svg))
    return figures


def page(
    name: str,
    entries: Sequence[AuditEntry],
    figures: Mapping[str, Sequence[Figure]],
    *,
    parsers: Sequence[str],
    rules: str,
    score: Score | None = None,
) -> str:
    """Return the page as HTML that needs no other file and no network.

    Args:
        name: the name of the collection.
        entries: all records.
        figures: the trees to show, by record id.
        parsers: the parsers, the deciding one first.
        rules: the digest of the rules.
        score: the score against a gold, if there is one.
    """
    first: dict[str, AuditEntry] = {}
    for entry in entries:
        first.setdefault(entry.label, entry)
    template = page_environment().get_template("winograd/audit/page.html.j2")
    return template.render(
        name=name,
        entries={entry.record.id: entry for entry in entries},
        listed=by_urgency(entries),
        counts=Counter(entry.label for entry in entries),
        first=first,
        classes=CLASSES,
        kept=KEPT,
        answers=label_counts(entry.record for entry in entries if entry.label == KEPT),
        figures=figures,
        disputed=sum(entry.decision.disputed for entry in entries),
        parsers=parsers,
        rules=rules,
        score=score,
        labels=LABELS,
        roles=analysis_table(entries[0].record.lang if entries else "zh").roles,
        types=TYPES,
        modified={
            name: [entry for entry in entries if entry.applied and entry.applied.modification.type == name]
            for name in TYPES
        },
        share=share,
        people={action: [entry for entry in entries if entry.action == action] for action in (*ACTIONS, FOLLOW)},
        converted=sum(entry.outcome == KEPT for entry in entries),
    )
