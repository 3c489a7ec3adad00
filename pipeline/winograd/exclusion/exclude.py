"""Apply the exclusion rules to a collection."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ...core.model import Finding, Item, Rejected
from ...language.parsing.lock import Lock, locate_sentence, tree_of
from .ledger import Decision

if TYPE_CHECKING:
    from .ruleset import RuleMatch, RuleSet


AlreadyZero = Literal["reject", "keep"]


@dataclass(frozen=True, slots=True)
class Partition:
    """Kept and rejected items, and the ledger of all of them; every item is in exactly one of the two."""

    kept: tuple[Item, ...]
    rejected: tuple[Rejected, ...]
    decisions: tuple[Decision, ...]


def exclude(
    items: Sequence[Item],
    locks: Sequence[Lock],
    rules: "RuleSet",
    *,
    skipped: Sequence[Rejected] = (),
    by_sentence: bool = False,
    already_zero: AlreadyZero = "reject",
) -> Partition:
    """Return which items the rules keep and which they reject, and why.

    Args:
        items: what was read.
        locks: the parses, the deciding parser's first.
        rules: the exclusion rules of the items' language.
        skipped: records that were rejected on reading; they count as rejected members of their schemas.
        by_sentence: keep an item whose pair-mate was rejected.
        already_zero: what becomes of an item that has nothing to convert.

    Returns:
        ``len(kept) + len(rejected) == len(items) + len(skipped)``; kept in the order of the items, rejected by id.
    """
    rejected = {entry.record.id: entry for entry in skipped}
    decisions = {entry.record.id: Decision(entry.record.id, entry.exclusion) for entry in skipped}
    for item in items:
        if item.already_zero:
            firings: dict[str, list[RuleMatch]] = {}
            findings = [_nothing_to_convert(item)] if already_zero == "reject" else []
        else:
            firings = {}
            for lock in locks:
                tree, index = tree_of(item, lock)
                firings[tree.parser] = rules.judge(tree, index)
            findings = _findings(item, firings)
        disputed = len({bool(fired) for fired in firings.values()}) > 1
        votes = {parser: tuple(firing.rule.id for firing in fired) for parser, fired in firings.items()}
        if findings:
            rejected[item.id] = Rejected(item, tuple(findings))
        decisions[item.id] = Decision(item.id, findings[0].exclusion if findings else None, disputed, votes)
    if not by_sentence:
        for mate in _pair_mates(items, rejected):
            rejected[mate.record.id] = mate
            before = decisions[mate.record.id]
            decisions[mate.record.id] = Decision(before.id, mate.exclusion, before.disputed, before.votes)
    return Partition(
        kept=tuple(item for item in items if item.id not in rejected),
        rejected=tuple(rejected[key] for key in sorted(rejected)),
        decisions=tuple(decisions[key] for key in sorted(decisions)),
    )


def _nothing_to_convert(item: Item) -> Finding:
    return Finding(
        "exclude/already-zero", "already-zero", item.target, "the source text leaves the anaphor unexpressed already"
    )


def _findings(item: Item, firings: "Mapping[str, Sequence[RuleMatch]]") -> list[Finding]:
    """Return the findings of the deciding parser, with the other parsers' votes as evidence."""
    parser, fired = next(iter(firings.items()))
    place = locate_sentence(item)
    others = {name: [firing.rule.id for firing in rest] for name, rest in firings.items() if name != parser}
    return [
        Finding(
            rule=firing.rule.id,
            exclusion=firing.rule.exclusion,
            span=item.target,
            message=firing.rule.because,
            evidence={
                "parser": parser,
                "pattern": firing.pattern,
                "words": dict(firing.words),
                "sentence": {"start": place.span.start, "end": place.span.end},
                "other_parsers": others,
                "disputed": any(not rest for rest in others.values()),
            },
        )
        for firing in fired
    ]


def _pair_mates(items: Iterable[Item], rejected: Mapping[str, Rejected]) -> list[Rejected]:
    """Return the items that lose their schema because another member was rejected."""
    fallen: dict[str, list[Rejected]] = {}
    for entry in rejected.values():
        fallen.setdefault(entry.record.schema, []).append(entry)
    mates = []
    for item in items:
        if item.id not in rejected and item.schema in fallen:
            first = min(fallen[item.schema], key=lambda entry: entry.record.id)
            message = f"{first.record.id} of the same schema was rejected as {first.exclusion}"
            evidence = {"mate": first.record.id, "class": first.exclusion, "rule": first.findings[0].rule}
            mates.append(Rejected(item, (Finding("exclude/pair-mate", "pair-mate", None, message, evidence),)))
    return mates
