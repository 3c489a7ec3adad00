"""Apply the exclusion rules to a collection."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ...core.model import Finding, Item, Rejected
from ...language.parsing.lock import Lock, locate_sentence, tree_of
from ..pairs import pair_mates
from .ledger import Decision
from .margin import tipping_words

if TYPE_CHECKING:
    from .ruleset import RuleMatch, RuleSet


AlreadyZero = Literal["reject", "keep"]


@dataclass(frozen=True, slots=True)
class Partition:
    """A collection after exclusion: every record is kept or rejected, and `decisions` is the ledger of all of them."""

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
    already_zero: AlreadyZero = "keep",
    track: Callable[[Sequence[Item]], Iterable[Item]] = iter,
) -> Partition:
    """Divide the items into those that the rules keep and those that they reject, with reasons.

    Args:
        items: the items as they were read.
        locks: the parses; the parser of the first lock decides.
        rules: the exclusion rules of the items' language.
        skipped: records rejected by the reader; they count as rejected members of their schemas.
        by_sentence: keep an item whose pair-mate was rejected.
        already_zero: what to do with an item whose anaphor is left out in the source.
        track: passes the items through as they are judged, to show how far it is.

    Returns:
        ``len(kept) + len(rejected) == len(items) + len(skipped)``; kept in the order of the items, rejected by id.
    """
    rejected = {entry.record.id: entry for entry in skipped}
    decisions = {entry.record.id: Decision(entry.record.id, entry.exclusion) for entry in skipped}
    for item in track(items):
        matches: dict[str, list[RuleMatch]] = {}
        uncertain: tuple[str, ...] = ()
        if item.already_zero:
            findings = [nothing_to_convert(item)] if already_zero == "reject" else []
        else:
            for lock in locks:
                tree, index = tree_of(item, lock)
                if not matches:
                    uncertain = tipping_words(rules, tree, index)
                matches[tree.parser] = rules.judge(tree, index)
            findings = _findings(item, matches)
        if findings:
            rejected[item.id] = Rejected(item, tuple(findings))
        decisions[item.id] = Decision(
            item.id,
            findings[0].exclusion if findings else None,
            disputed=len({bool(matched) for matched in matches.values()}) > 1,
            votes={parser: tuple(match.rule.id for match in matched) for parser, matched in matches.items()},
            uncertain=uncertain,
            already_zero=item.already_zero and not findings,
        )
    if not by_sentence:
        for mate in pair_mates([item for item in items if item.id not in rejected], rejected.values()):
            rejected[mate.record.id] = mate
            decisions[mate.record.id] = replace(decisions[mate.record.id], exclusion=mate.exclusion)
    return Partition(
        kept=tuple(item for item in items if item.id not in rejected),
        rejected=tuple(rejected[name] for name in sorted(rejected)),
        decisions=tuple(decisions[name] for name in sorted(decisions)),
    )


def nothing_to_convert(item: Item) -> Finding:
    """Return the finding on an item whose target is left out already."""
    message = "the source text leaves the anaphor unexpressed already"
    return Finding("exclude/already-zero", "already-zero", item.target, message)


def _findings(item: Item, matches: "Mapping[str, Sequence[RuleMatch]]") -> list[Finding]:
    """Return the findings of the deciding parser, with the other parsers' votes as evidence."""
    parser, deciding = next(iter(matches.items()))
    place = locate_sentence(item)
    others = {name: [match.rule.id for match in matched] for name, matched in matches.items() if name != parser}
    return [
        Finding(
            rule=match.rule.id,
            exclusion=match.rule.exclusion,
            span=item.target,
            message=match.rule.because,
            evidence={
                "parser": parser,
                "pattern": match.pattern,
                "words": dict(match.words),
                "sentence": {"start": place.span.start, "end": place.span.end},
                "other_parsers": others,
                "disputed": any(not rules for rules in others.values()),
            },
        )
        for match in deciding
    ]
