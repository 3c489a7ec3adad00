"""Sentences changed by hand so that their zero form is natural (WSC-ZA 3.1, examples 7 to 10)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from heapq import merge
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from ..core.convert import Text, convert, convert_node, read_values_by_id, to_object
from ..core.errors import PipelineError, plural, shown
from ..core.files import require_unique, write_jsonl
from ..core.invisible import INVISIBLE, code_point
from ..core.model import ExclusionClass, Item, Rejected, Span, item_of
from ..core.notation import FactorError, marked, unbracket
from ..core.yamlfile import line_of, load_yaml
from ..language.parsing.lock import Lock, tree_of
from ..language.questions import question_table
from ..language.referents import gloss_misfit
from ..language.text_checks import check_letters, check_personal_data, check_reminders
from .pairs import minimal_pair_fault
from .question_words import words_lost

if TYPE_CHECKING:
    from .exclusion.ruleset import RuleSet

#: The types of WSC-ZA's Table 2 in its order, each with what it does.
TYPES: Mapping[str, str] = {
    "stance-adverbial": "adding stance adverbials",
    "copula": "inserting copular elements",
    "predicate": "rephrasing predicates",
    "possessor": "turning possessors into bare nouns",
}


#: The keys of a file that are words of Python.
_KEYS = {"before": "from", "after": "to"}


class _Entry(msgspec.Struct, frozen=True, rename=_KEYS):
    id: Text
    type: Text
    before: Text
    after: Text
    reason: Text
    question: Text = ""
    gloss: Text = ""


#: The keys of an entry by attribute.
_NAMES = {field.name: field.encode_name for field in structs.fields(_Entry)}


class Modification(_Entry, frozen=True, rename=_KEYS):
    """One entry of the file: in the text of item `id`, `before` becomes `after`.

    Both are in the notation of schemas: the target stands in brackets, which are empty if it is left out. `question` and `gloss` are
    those of the new text; empty where those of the item still fit. `lines` has the line of each field.
    """

    lines: Mapping[str, int | None] = {}

    @property
    def line(self) -> int | None:
        """The first line of the entry."""
        return self.lines.get("id")

    @contextmanager
    def errors_at(self, path: Path | None) -> Iterator[None]:
        """Raise a `ValueError`, as of `modify_item`, as `PipelineError` with the line of the field at fault."""
        try:
            yield
        except ValueError as error:
            name = str(error).removeprefix("[").partition("]")[0]
            raise PipelineError(path, self.lines.get(name, self.line), str(error)) from error


@dataclass(frozen=True, slots=True)
class AppliedModification:
    """A modification that was applied, with the text and target before and after.

    `exclusion` is the class under which the rules had rejected the item, None if they had kept it. Modifying a rejected item
    rescues it.
    """

    modification: Modification
    original: str
    original_target: Span
    modified: str
    modified_target: Span
    exclusion: ExclusionClass | None


@dataclass(frozen=True, slots=True)
class _Version:
    text: str
    target: Span

    def __post_init__(self) -> None:
        if self.target.end > len(self.text):
            reason = f"found end {self.target.end}, expected at most {len(self.text)}"
            raise ValueError(f"[target] span outside the text; {reason}")


def read_modifications(path: Path) -> list[Modification]:
    """Return the entries of a file in its order, at most one for each item.

    Raises:
        PipelineError: not YAML, a missing, empty or unknown field, an unknown type, a repeated id.
    """
    document = load_yaml(path)
    lines: dict[str, int | None] = {}
    modifications = []
    for node, entry in zip(document, convert_node(document, tuple[_Entry, ...], path), strict=True):
        require_unique(lines, entry.id, path, line_of(node, "id"))
        modification = Modification(**structs.asdict(entry), lines={key: line_of(node, key) for key in node})
        with modification.errors_at(path):
            _check_entry(modification)
        modifications.append(modification)
    return modifications


def _check_entry(modification: Modification) -> None:
    """Raise `ValueError` with the field that has an unknown type, an invisible character, or what is not for print."""
    if modification.type not in TYPES:
        raise ValueError(f"[type] unknown type; found {shown(modification.type)}, expected one of {', '.join(TYPES)}")
    for key, name in _NAMES.items():
        text = getattr(modification, key)
        if match := INVISIBLE.search(text):
            raise ValueError(
                f"[{name}] invisible character; found {code_point(match[0])} in {shown(text)}, expected text that a reader sees"
            )
        if fault := check_reminders([text], "") or check_personal_data([text], ""):
            raise ValueError(f"[{name}] not for print; {fault}")
    if fault := check_letters([modification.gloss], "en"):
        raise ValueError(f"[gloss] not in English; {fault}")
    pronoun = next((target.of(text) for text, targets in [unbracket(modification.after)] for target in targets), "")
    if fault := gloss_misfit(pronoun, modification.gloss):
        raise ValueError(f"[gloss] another pronoun than in the text; {fault} in {shown(modification.gloss)}")


def modify_item(item: Item, modification: Modification) -> Item:
    """Return the item with its text changed, and its question if the modification gives one.

    Raises:
        ValueError: with the field at fault. `from` must occur exactly once; the result must differ from the item, hold each
            candidate that the item held, and have one target, which is a pronoun or left out. Its question must not ask with
            words that only the text before had.
    """
    text = marked(item.text, item.target)
    count = len(re.findall(f"(?={re.escape(modification.before)})", text))
    if count != 1:
        occurrences = f"{modification.before!r} {plural(count, 'time')} in {text!r}"
        raise ValueError(
            f"[from] must occur exactly once; found {occurrences}, expected it once; the target is in brackets"
        )
    try:
        plain, targets = unbracket(text.replace(modification.before, modification.after))
    except FactorError as error:
        raise ValueError(f"[to] {error}") from error
    if len(targets) != 1:
        raise ValueError(
            f"[to] one target is needed; found {len(targets)} in brackets, expected one, such as [他], or [] if it is left out"
        )
    form = targets[0].of(plain)
    if form and not question_table(item.lang).is_pronoun(form):
        raise ValueError(
            f"[to] the target is no third-person pronoun; found {form!r}, expected a pronoun or nothing in the brackets"
        )
    if lost := [name for name in item.candidates if name in item.text and name not in plain]:
        raise ValueError(f"[to] a candidate is lost; found {plain!r}, expected {lost[0]!r} in it")
    if (plain, targets[0]) == (item.text, item.target):
        raise ValueError(f"[to] nothing changes; found {modification.after!r} again, expected another text")
    if fault := gloss_misfit(form, modification.gloss, plain, item.candidates):
        raise ValueError(f"[gloss] another pronoun than in the text; {fault} in {shown(modification.gloss)}")
    question = modification.question or item.question
    if lost_words := words_lost(question, item.text, plain):
        expected = f"expected a question about {plain!r}"
        raise ValueError(
            f"[question] asks with words that the text no longer has; found {lost_words[0]!r} in {question!r}, {expected}"
        )
    return replace(item, text=plain, target=targets[0], question=question)


def modified_versions(items: Iterable[Item], path: Path) -> list[Item]:
    """Return the modified version of each item that the file at `path` names, in the order of the file.

    Raises:
        PipelineError: a modification names no item, or does not fit its item.
    """
    by_id = {item.id: item for item in items}
    versions = []
    for modification in read_modifications(path):
        item = by_id.get(modification.id)
        if item is None:
            reason = f"[id] the modification no longer applies; found no item {shown(modification.id)}, expected one of the items"
            raise PipelineError(path, modification.line, reason)
        with modification.errors_at(path):
            versions.append(modify_item(item, modification))
    return versions


class _AppliedLine(_Entry, frozen=True, rename=_KEYS | {"exclusion": "class"}, kw_only=True):
    question: str = ""
    gloss: str = ""
    exclusion: ExclusionClass | None
    original: _Version
    modified: _Version

    def applied(self) -> AppliedModification:
        modification = Modification(**{key: getattr(self, key) for key in _NAMES})
        _check_entry(modification)
        before, after = self.original, self.modified
        return AppliedModification(modification, before.text, before.target, after.text, after.target, self.exclusion)


def applied_to_json(applied: AppliedModification) -> dict[str, Any]:
    """Return the JSON object of one line of the ledger."""
    line = _AppliedLine(
        **{key: getattr(applied.modification, key) for key in _NAMES},
        exclusion=applied.exclusion,
        original=_Version(applied.original, applied.original_target),
        modified=_Version(applied.modified, applied.modified_target),
    )
    return dict(to_object(line))


def write_applied(path: Path, ledger: Iterable[AppliedModification]) -> None:
    """Write the ledger of modifications as JSON Lines, atomically."""
    write_jsonl(path, map(applied_to_json, ledger))


def read_applied(path: Path) -> dict[str, AppliedModification]:
    """Return the ledger of modifications by item id."""
    return read_values_by_id(path, _AppliedLine, _AppliedLine.applied, "modifications.jsonl, which modify writes")


def applied_from_json(row: Mapping[str, Any]) -> AppliedModification:
    """Return what `applied_to_json` was given; raises `ValueError` with the field that is malformed."""
    return convert(row, _AppliedLine).applied()


# --- a whole collection ---------------------------------------------------------------------------------------------------


#: The classes that a modification can mend: they concern the place of the target, or the loss of the pair-mate.
MENDABLE: tuple[ExclusionClass, ...] = ("ba-object", "prenominal-possessor", "direct-object", "other", "pair-mate")


@dataclass(frozen=True, slots=True)
class Modified:
    """A collection after its modifications: every record is kept or rejected, `ledger` has what changed."""

    kept: tuple[Item, ...]
    rejected: tuple[Rejected, ...]
    ledger: tuple[AppliedModification, ...]

    @property
    def rescued(self) -> int:
        """The number of items that the rules had rejected."""
        return sum(applied.exclusion is not None for applied in self.ledger)


def modify(
    kept: Sequence[Item], rejected: Sequence[Rejected], modifications: Iterable[Modification], path: Path | None
) -> Modified:
    """Modify kept items, and rescue rejected ones by modifying them.

    Returns:
        The kept items in their order, rescued ones inserted by id; the records still rejected in their order; the ledger by id.

    Raises:
        PipelineError: a modification does not fit its item, its item cannot be mended, it rescues half a pair, or the
            members of its pair differ in more than before.
    """
    before = {item.id: item for item in kept}
    reasons = {entry.record.id: entry for entry in rejected}
    after = dict(before)
    ledger: dict[str, AppliedModification] = {}
    for modification in modifications:
        original, exclusion = _original(modification, before, reasons, path)
        with modification.errors_at(path):
            item = modify_item(original, modification)
        before[item.id], after[item.id] = original, item
        ledger[item.id] = AppliedModification(
            modification, original.text, original.target, item.text, item.target, exclusion
        )
    for applied in ledger.values():
        _require_whole(applied, after, rejected, path)
        _require_minimal(applied, before, after, path)
    rescued = sorted(after.keys() & reasons.keys())
    return Modified(
        tuple(merge((after[item.id] for item in kept), (after[name] for name in rescued), key=lambda item: item.id)),
        tuple(entry for entry in rejected if entry.record.id not in after),
        tuple(ledger[name] for name in sorted(ledger)),
    )


def _original(
    modification: Modification, kept: Mapping[str, Item], rejected: Mapping[str, Rejected], path: Path | None
) -> tuple[Item, ExclusionClass | None]:
    """Return the item to modify, and the class under which it was rejected, if it was."""
    if modification.id in kept:
        return kept[modification.id], None
    if modification.id not in rejected:
        reason = f"[id] the modification no longer applies; found no item {modification.id!r}, expected one of the collection"
        raise PipelineError(path, modification.line, reason)
    entry = rejected[modification.id]
    item = item_of(entry.record)
    if entry.exclusion not in MENDABLE or item is None:
        reason = f"[id] nothing to mend; found {modification.id} rejected as {entry.exclusion}"
        raise PipelineError(path, modification.line, f"{reason}, expected one of {', '.join(MENDABLE)}")
    return item, entry.exclusion


def _require_whole(
    applied: AppliedModification, after: Mapping[str, Item], rejected: Iterable[Rejected], path: Path | None
) -> None:
    """Refuse a rescue that leaves another member of the pair rejected."""
    schema = after[applied.modification.id].schema
    left = sorted(
        (entry for entry in rejected if entry.record.schema == schema and entry.record.id not in after),
        key=lambda entry: entry.record.id,
    )
    if applied.exclusion is not None and left:
        reason = f"found no modification of {left[0].record.id}, rejected as {left[0].exclusion}"
        raise PipelineError(
            path, applied.modification.line, f"[id] rescues half a pair; {reason}, expected one for it too"
        )


def _require_minimal(
    applied: AppliedModification, before: Mapping[str, Item], after: Mapping[str, Item], path: Path | None
) -> None:
    """Refuse a pair whose members differ in more than before they were modified, or in nothing."""
    item = after[applied.modification.id]
    for mate in after.values():
        if mate.schema == item.schema and mate.id != item.id:
            fault = minimal_pair_fault(item, mate, before[item.id], before[mate.id])
            if fault:
                raise PipelineError(path, applied.modification.line, f"[{item.id}] {fault}")


def judge(result: Modified, locks: Sequence[Lock], rules: "RuleSet", path: Path | None) -> None:
    """Refuse a modified item that the rules still reject, by the tree of the deciding parser.

    A modification that leaves the target out needs no tree: its author vouches for the zero.
    """
    by_id = {item.id: item for item in result.kept}
    for applied in result.ledger:
        item = by_id[applied.modification.id]
        if item.already_zero:
            continue
        tree, index = tree_of(item, locks[0])
        for match in rules.judge(tree, index):
            reason = f"[{item.id}] the modified target licenses no zero; found {match.rule.id} in {item.text!r}"
            raise PipelineError(path, applied.modification.line, reason)
