"""Apply the exclusion rules to a collection: `judge` asks the rules about trees, `partition` divides the items by the answers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from ...core.errors import shown
from ...core.model import Finding, Item, Rejected, item_of
from ...core.rules import languages_with_zeros
from ...language.parsing.lock import Lock, locate_sentence, tree_of
from ..pairs import pair_mates
from .ledger import Decision
from .rule_files import Rule, RuleMatch, rules_by_id

if TYPE_CHECKING:
    from .ruleset import RuleSet


AlreadyZero = Literal["reject", "keep"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the rules say of one item.

    Attributes:
        votes: the ids of the rules that match the tree of each parser; the first parser decides.
        matches: the matches in the tree of the first parser.
        uncertain: the words whose part of speech decides (see `RuleSet.tipping_words`).
    """

    votes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    matches: tuple[RuleMatch, ...] = ()
    uncertain: tuple[str, ...] = ()


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
        locks: the parses; the parser of the first lock decides.
        skipped: records rejected by the reader; they count as rejected members of their schemas.
        by_sentence: keep an item whose pair-mate was rejected.
        already_zero: what to do with an item whose anaphor is left out in the source.
        track: passes the items through as they are judged, to show how far it is.

    Returns:
        See `partition`.
    """
    judgements = {item.id: judge(item, locks, rules) for item in track(items) if not item.already_zero}
    return partition(items, judgements, skipped=skipped, by_sentence=by_sentence, already_zero=already_zero)


def judge(item: Item, locks: Sequence[Lock], rules: "RuleSet") -> Judgement:
    """Return what the rules say of the trees that the parsers give an item."""
    trees = [tree_of(item, lock) for lock in locks]
    matches = {tree.parser: tuple(rules.judge(tree, target)) for tree, target in trees}
    votes = {parser: tuple(match.rule.id for match in matched) for parser, matched in matches.items()}
    return Judgement(votes, next(iter(matches.values())), rules.tipping_words(*trees[0]))


def partition(
    items: Sequence[Item],
    judgements: Mapping[str, Judgement],
    *,
    skipped: Iterable[Rejected],
    by_sentence: bool,
    already_zero: AlreadyZero,
) -> Partition:
    """Divide the items into those that are kept and those that are rejected; an item without a judgement has nothing against it.

    Returns:
        ``len(kept) + len(rejected) == len(items) + len(skipped)``; kept in the order of the items, rejected by id.
    """
    rejected = {entry.record.id: entry for entry in skipped}
    decisions = {record_id: Decision(record_id, entry.exclusion) for record_id, entry in rejected.items()}
    for item in items:
        judgement = Judgement() if item.already_zero else judgements.get(item.id, Judgement())
        if item.already_zero:
            findings = [_nothing_to_convert(item)] if already_zero == "reject" else []
        else:
            findings = [_finding(item, match, judgement.votes) for match in judgement.matches]
        if findings:
            rejected[item.id] = Rejected(item, tuple(findings))
        decisions[item.id] = Decision(
            item.id,
            findings[0].exclusion if findings else None,
            disputed=len({bool(rules) for rules in judgement.votes.values()}) > 1,
            votes=judgement.votes,
            uncertain=judgement.uncertain,
            already_zero=item.already_zero and not findings,
        )
    if not by_sentence:
        for mate in pair_mates([item for item in items if item.id not in rejected], rejected.values()):
            rejected[mate.record.id] = mate
            decisions[mate.record.id] = replace(decisions[mate.record.id], exclusion=mate.exclusion)
    return Partition(
        kept=tuple(item for item in items if item.id not in rejected),
        rejected=tuple(rejected[record_id] for record_id in sorted(rejected)),
        decisions=tuple(decisions[record_id] for record_id in sorted(decisions)),
    )


def _nothing_to_convert(item: Item) -> Finding:
    """Return the finding on an item whose target is left out already."""
    message = "the source text leaves the anaphor unexpressed already"
    return Finding("exclude/already-zero", "already-zero", item.target, message)


def _finding(item: Item, match: RuleMatch, votes: Mapping[str, Sequence[str]]) -> Finding:
    """Return the finding of a rule that matches for the deciding parser, with the other parsers' votes as evidence."""
    deciding = next(iter(votes))
    place = locate_sentence(item)
    others = {parser: list(rules) for parser, rules in votes.items() if parser != deciding}
    return Finding(
        rule=match.rule.id,
        exclusion=match.rule.exclusion,
        span=item.target,
        message=match.rule.because,
        evidence={
            "parser": deciding,
            "pattern": match.pattern,
            "words": dict(match.words),
            "sentence": {"start": place.span.start, "end": place.span.end},
            "other_parsers": others,
            "disputed": any(not rules for rules in others.values()),
        },
    )


# --- from what is on record, without trees ----------------------------------------------------------------------------------


def partition_again(
    items: Sequence[Item],
    skipped: Iterable[Rejected],
    ledger: Mapping[str, Decision],
    rejected: Mapping[str, Rejected],
) -> Partition:
    """Return the partition that follows from the votes in the ledger.

    Only trees tell which pattern of a rule matched, and which words: these are taken from the rejected records. The options of the
    run follow from the classes that occur.
    """
    classes = {decision.exclusion for decision in ledger.values()}
    judgements = {
        item.id: _judgement(item, ledger[item.id].votes, ledger[item.id].uncertain, rejected.get(item.id))
        for item in items
        if item.id in ledger
    }
    already_zero: AlreadyZero = "reject" if "already-zero" in classes else "keep"
    return partition(
        items, judgements, skipped=skipped, by_sentence="pair-mate" not in classes, already_zero=already_zero
    )


def findings_again(entry: Rejected) -> tuple[Finding, ...]:
    """Return the findings of a rejected record as the rules give them, with the votes, pattern and words that they name.

    A finding of something else than a rule stays as it is: of a reader, of people, of the pair-mate.
    """
    item = item_of(entry.record)
    if item is None or item.lang not in languages_with_zeros():
        return entry.findings
    rules = rules_by_id(item.lang)
    matched = tuple(finding.rule for finding in entry.findings if finding.rule in rules)
    again = []
    for finding in entry.findings:
        parser, others = finding.evidence.get("parser"), finding.evidence.get("other_parsers")
        if finding.rule in rules and isinstance(parser, str) and isinstance(others, dict):
            votes = {parser: matched, **{name: names for name, names in others.items() if name != parser}}
            finding = _finding(item, _match(item, finding.rule, finding.evidence), votes)
        again.append(finding)
    return tuple(again)


def _judgement(
    item: Item, votes: Mapping[str, tuple[str, ...]], uncertain: tuple[str, ...], entry: Rejected | None
) -> Judgement:
    """Return what the rules said of an item, by its line in the ledger and by its findings if it was rejected."""
    evidence = {finding.rule: finding.evidence for finding in entry.findings} if entry else {}
    known = rules_by_id(item.lang)
    matched = [rule for rule in next(iter(votes.values()), ()) if rule in known]
    return Judgement(votes, tuple(_match(item, rule, evidence.get(rule, {})) for rule in matched), uncertain)


def _match(item: Item, rule: str, evidence: Mapping[str, Any]) -> RuleMatch:
    """Return the match of a rule that evidence describes; what it lacks, such as after damage, becomes 0 and nothing."""
    words = evidence.get("words")
    return RuleMatch(rules_by_id(item.lang)[rule], evidence.get("pattern", 0), words if isinstance(words, dict) else {})


def evidence_fault(entry: Rejected) -> str:
    """Return what is wrong with the evidence of a rejected record, of which only trees tell more; empty for nothing.

    Its pattern is one of the rule, and has the nodes whose words are named; each word is in the sentence, the target is that of the
    record.
    """
    record = entry.record
    rules = rules_by_id(record.lang) if record.lang in languages_with_zeros() else {}
    for finding in entry.findings:
        words, sentence = finding.evidence.get("words"), finding.evidence.get("sentence")
        if not isinstance(words, dict) or not isinstance(sentence, dict):
            continue
        start, end = sentence.get("start"), sentence.get("end")
        if type(start) is not int or type(end) is not int:
            return f"findings.evidence.sentence; found {shown(sentence)}, expected the whole numbers start and end"
        if (rule := rules.get(finding.rule)) and (
            reason := _pattern_fault(rule, finding.evidence.get("pattern"), words)
        ):
            return f"findings.evidence.{reason}"
        text = record.text[start:end]
        for node, word in words.items():
            if not isinstance(word, str) or not word or word not in text:
                return f"findings.evidence.words.{node}; found {shown(word)}, expected a word of {shown(text)}"
        target = record.target.of(record.text) if record.target else ""
        if target and words.get("target", target) != target:
            return (
                f"findings.evidence.words.target; found {shown(words['target'])}, expected the target {shown(target)}"
            )
    return ""


def _pattern_fault(rule: Rule, pattern: object, words: Mapping[str, Any]) -> str:
    if type(pattern) is not int or not 1 <= pattern <= len(rule.patterns):
        return f"pattern; found {shown(pattern)}, expected a number from 1 to {len(rule.patterns)}, one of {rule.id}"
    nodes = [node["RIGHT_ID"] for node in rule.patterns[pattern - 1]]
    if list(words) != nodes:
        return f"words; found those of {', '.join(words)}, expected those of pattern {pattern}: {', '.join(nodes)}"
    return ""
