"""Reject the items whose target stands where Chinese licenses no zero, by the rules over each parser's trees.

Policy where parsers lead to different decisions: the parser of the first lock decides, and the item is marked disputed,
to be read by a person first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ..core.files import require_apart
from ..core.model import Finding, Item, Rejected, label_counts
from ..core.records import read_items, read_rejected, write_items, write_rejected
from ..language.parsing.lock import Lock, locate_sentence, read_lock, tree_of
from ..winograd.exclusion.ledger import Decision, write_decisions

if TYPE_CHECKING:
    from ..winograd.exclusion.ruleset import Firing, RuleSet

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
            firings: dict[str, list[Firing]] = {}
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


def _findings(item: Item, firings: "Mapping[str, Sequence[Firing]]") -> list[Finding]:
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


def command(
    items: Annotated[Path, typer.Argument(help="The items (JSON Lines).", show_default=False)],
    parses: Annotated[
        list[Path],
        typer.Option(help="A parse lock; the first one's parser decides, others may dispute.", show_default=False),
    ],
    kept: Annotated[Path, typer.Option(help="Where the kept items go.", show_default=False)],
    rejected: Annotated[
        Path, typer.Option(help="Where the rejected records go, with their findings.", show_default=False)
    ],
    skipped: Annotated[
        Path | None, typer.Option(help="What `ingest` skipped: rejected too.", show_default=False)
    ] = None,
    decisions: Annotated[
        Path | None, typer.Option(help="Where the ledger of all decisions goes.", show_default=False)
    ] = None,
    by_sentence: Annotated[
        bool, typer.Option("--by-sentence", help="Keep an item whose pair-mate is rejected.")
    ] = False,
    already_zero: Annotated[
        AlreadyZero, typer.Option(help="What becomes of items with nothing to convert.")
    ] = "reject",
) -> None:
    """Reject the items whose target stands where no zero is licensed."""
    from ..winograd.exclusion.ruleset import load_rules  # spaCy takes a second to import

    require_apart({"--kept": kept, "--rejected": rejected, "--decisions": decisions})
    rows = read_items(items)
    before = read_rejected(skipped) if skipped else []
    locks = [read_lock(path) for path in parses]
    languages = sorted({item.lang for item in rows}) or ["zh"]
    if len(languages) > 1:
        raise typer.BadParameter(f"items of several languages: {', '.join(languages)}", param_hint="ITEMS")
    result = exclude(
        rows, locks, load_rules(languages[0]), skipped=before, by_sentence=by_sentence, already_zero=already_zero
    )
    write_items(kept, result.kept)
    write_rejected(rejected, result.rejected)
    if decisions:
        write_decisions(decisions, result.decisions)
    total = len(rows) + len(before)
    typer.echo(f"{items}: {len(result.kept)} kept + {len(result.rejected)} rejected = {total} records")
    disputed = sum(decision.disputed for decision in result.decisions)
    labels = label_counts(result.kept)
    balance = "balanced" if len(set(labels.values())) == 1 else "not balanced"
    typer.echo(
        f"{items}: {disputed} disputed; right answers {', '.join(f'{k} {v}' for k, v in labels.items())} ({balance})"
    )
