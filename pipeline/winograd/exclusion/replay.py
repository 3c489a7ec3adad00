"""Exclude again, from the votes in the ledger instead of the trees."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from ...core.errors import shown
from ...core.model import Finding, Item, Rejected, item_of
from ...core.rules import languages_with_zeros
from ...language.parsing.lock import locate_sentence
from ..pairs import pair_mates
from .exclude import Partition, nothing_to_convert
from .ledger import Decision
from .rule_files import Rule, read_rules


def exclude_again(
    items: Sequence[Item],
    skipped: Iterable[Rejected],
    ledger: Mapping[str, Decision],
    rejected: Mapping[str, Rejected],
) -> Partition:
    """Return the partition that follows from the votes of the parsers, which the ledger has.

    Only trees tell which pattern of a rule matched, and which words: these are taken from the rejected records. An item without a
    decision is taken as kept. If nothing was rejected as a pair-mate, `exclude` was run by sentence.

    Args:
        items: the items as they were read.
        skipped: the records that the reader skipped.
        ledger: the decisions by id.
        rejected: the rejected records by id.
    """
    by_sentence = not any(decision.exclusion == "pair-mate" for decision in ledger.values())
    reject_zeros = any(decision.exclusion == "already-zero" for decision in ledger.values())
    rules = {rule.id: rule for lang in {item.lang for item in items} for rule in _rules(lang)}
    leaving = {entry.record.id: entry for entry in skipped}
    decisions = {name: Decision(name, entry.exclusion) for name, entry in leaving.items()}
    for item in items:
        votes = {} if item.already_zero else ledger[item.id].votes if item.id in ledger else {}
        evidence = {finding.rule: finding.evidence for finding in _findings_of(rejected.get(item.id))}
        findings = [
            _finding(item, rules[name], votes, evidence.get(name, {}))
            for name in next(iter(votes.values()), ())
            if name in rules
        ]
        if item.already_zero and reject_zeros:
            findings = [nothing_to_convert(item)]
        if findings:
            leaving[item.id] = Rejected(item, tuple(findings))
        decisions[item.id] = Decision(
            item.id,
            findings[0].exclusion if findings else None,
            disputed=len({bool(names) for names in votes.values()}) > 1,
            votes=votes,
            uncertain=ledger[item.id].uncertain if item.id in ledger else (),
            already_zero=item.already_zero and not findings,
        )
    if not by_sentence:
        for mate in pair_mates([item for item in items if item.id not in leaving], leaving.values()):
            leaving[mate.record.id] = mate
            decisions[mate.record.id] = replace(decisions[mate.record.id], exclusion=mate.exclusion)
    return Partition(
        tuple(item for item in items if item.id not in leaving),
        tuple(leaving[name] for name in sorted(leaving)),
        tuple(decisions[name] for name in sorted(decisions)),
    )


def findings_again(entry: Rejected) -> tuple[Finding, ...]:
    """Return the findings of a rejected record as the rules give them, with the votes, pattern and words that they name.

    A finding of something else than a rule stays as it is: of a reader, of people, of the pair-mate.
    """
    item, lang = item_of(entry.record), entry.record.lang
    if item is None or lang not in languages_with_zeros():
        return entry.findings
    rules = {rule.id: rule for rule in _rules(lang)}
    own = [finding.rule for finding in entry.findings if finding.rule in rules]
    again = []
    for finding in entry.findings:
        parser, others = finding.evidence.get("parser"), finding.evidence.get("other_parsers")
        if finding.rule in rules and isinstance(parser, str) and isinstance(others, dict):
            votes = {parser: own, **{name: names for name, names in others.items() if name != parser}}
            finding = _finding(item, rules[finding.rule], votes, finding.evidence)
        again.append(finding)
    return tuple(again)


def evidence_fault(entry: Rejected) -> str:
    """Return which word of the evidence is not in its sentence, or is not the target that it should be; empty if none is."""
    record = entry.record
    for finding in entry.findings:
        words, sentence = finding.evidence.get("words"), finding.evidence.get("sentence")
        if not isinstance(words, dict) or not isinstance(sentence, dict):
            continue
        start, end = sentence.get("start"), sentence.get("end")
        if type(start) is not int or type(end) is not int:
            return f"findings.evidence.sentence; found {shown(sentence)}, expected the whole numbers start and end"
        text = record.text[start:end]
        for name, word in words.items():
            if not isinstance(word, str) or not word or word not in text:
                return f"findings.evidence.words.{name}; found {shown(word)}, expected a word of {shown(text)}"
        target = record.target.of(record.text) if record.target else ""
        if target and words.get("target", target) != target:
            return (
                f"findings.evidence.words.target; found {shown(words['target'])}, expected the target {shown(target)}"
            )
    return ""


@cache
def _rules(lang: str) -> list[Rule]:
    return read_rules(lang, cases=False)


def _findings_of(entry: Rejected | None) -> Iterable[Finding]:
    return entry.findings if entry else ()


def _finding(item: Item, rule: Rule, votes: Mapping[str, Sequence[str]], evidence: Mapping[str, Any]) -> Finding:
    """Return the finding of a rule as `exclude` writes it, with the pattern and the words of `evidence`."""
    deciding = next(iter(votes))
    place = locate_sentence(item)
    others = {parser: list(names) for parser, names in votes.items() if parser != deciding}
    return Finding(
        rule.id,
        rule.exclusion,
        item.target,
        rule.because,
        {
            "parser": deciding,
            **{name: evidence.get(name) for name in ("pattern", "words")},
            "sentence": {"start": place.span.start, "end": place.span.end},
            "other_parsers": others,
            "disputed": any(not names for names in others.values()),
        },
    )
