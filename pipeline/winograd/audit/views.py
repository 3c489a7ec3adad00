"""A record as its page shows it: all that the stages, people and systems made of it, in one typed object."""

import codecs
import io
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeGuard

import msgspec

from ...core.checksums import is_of_other_words
from ...core.errors import PipelineError, errors_at
from ...core.files import decode, parse_jsonl, read_bytes, read_text
from ...core.model import Finding, Item, Record
from ...core.notation import unbracket
from ...core.records import text_field
from ...core.rules import languages_with_zeros
from ...core.tables import read_table
from ...language.parsing.lock import Lock, tree_of
from ...language.parsing.trees import Tree
from ..adjudication.table import KEPT
from ..build import FOLLOW, RecordHistory
from ..mentions import own_mentions
from ..modifications import TYPES

if TYPE_CHECKING:
    from ..exclusion.ruleset import RuleSet

#: Fields of the rows of a form that the page of a record leaves out: they repeat the record, or are places in a text.
_LEFT_OUT = frozenset({"id", "item", "schema", "version", "lang", "source", "note", "release", "canary", "gloss"})
#: What people can do with a record.
VERDICTS: Mapping[str, str] = {
    "keep": "people confirm it, or restore what the rules rejected",
    "drop": "people reject it",
    "relabel": "people choose another right answer",
    "modify": "people change its text",
    FOLLOW: "it follows its pair-mate, which people rejected or restored",
}


class Wording(msgspec.Struct, frozen=True, omit_defaults=True):
    """A text of a record: what it is, its target in code points, why it was made, the question if it has another one.

    `mentions` are the places that name a candidate: start, end, and which one.
    """

    what: str
    text: str
    target: tuple[int, int] | None = None
    why: str = ""
    question: str = ""
    mentions: tuple[tuple[int, int, int], ...] = ()


class ParserTree(msgspec.Struct, frozen=True, omit_defaults=True):
    """The tree of one parser: words as (form, tag, head or -1, relation), the target's place, the rules that match it."""

    parser: str
    words: tuple[tuple[str, str, int, str], ...]
    target: int
    rules: tuple[str, ...] = ()


class RecordView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the page of a record shows; what nobody said of it is empty.

    Attributes:
        label: ``kept``, or the class under which the rules reject the record; empty if nobody decides.
        outcome: ``kept``, or its class after the last stage; likewise.
        marks: what makes it worth reading: disputed, uncertain, modified, …
        uncertain: the words whose part of speech decides.
        wordings: its texts, the first one as it was read.
        answer: the place of the right candidate in the end.
        near: rules that nearly match, each with the reason why they do not.
        people: what people decided and judged, each with its kind.
        forms: the rows of each derived form, and the reason for each that cannot be made.
        readings: the columns of each reading, with the file that it is from.
        answers: what systems answered: run, answer, and whether it is right.
        mates: the other records of its schema.
        change: how a decision differs from an earlier one: both classes, and the rules of both.
        zero: whether its target is left out in the end.
    """

    id: str
    schema: str
    version: str
    lang: str
    label: str
    outcome: str
    wordings: tuple[Wording, ...]
    candidates: tuple[str, ...] = ()
    answer: int | None = None
    question: str = ""
    gloss: str = ""
    source: str = ""
    note: str = ""
    kind: str = ""
    role: str = ""
    register: str = ""
    marks: tuple[str, ...] = ()
    uncertain: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    near: tuple[tuple[str, str], ...] = ()
    trees: tuple[ParserTree, ...] = ()
    people: tuple[tuple[str, str], ...] = ()
    forms: Mapping[str, tuple[Mapping[str, Any], ...]] = {}
    unmade: Mapping[str, str] = {}
    readings: tuple[Mapping[str, str], ...] = ()
    answers: tuple[tuple[str, str, bool], ...] = ()
    mates: tuple[str, ...] = ()
    change: tuple[str, str] | None = None
    zero: bool = False

    @property
    def final(self) -> Wording:
        """The last text that was made of the record."""
        return self.wordings[-1]

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules and stages that reject the record."""
        return tuple(finding.rule for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Supplements:
    """What other commands know of the records, each by record id.

    Attributes:
        judged: what raters said in studies, a line for each.
        forms: the rows of derived forms, by form.
        unmade: why a form cannot be made, by form.
        readings: the columns of each reading.
        answers: what systems answered: run, answer, and whether it is right.
        changes: how a decision differs from an earlier one: both classes, and the rules of both.
    """

    judged: Mapping[str, Sequence[str]] = field(default_factory=dict)
    forms: Mapping[str, Mapping[str, tuple[Mapping[str, Any], ...]]] = field(default_factory=dict)
    unmade: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    readings: Mapping[str, Sequence[Mapping[str, str]]] = field(default_factory=dict)
    answers: Mapping[str, Sequence[tuple[str, str, bool]]] = field(default_factory=dict)
    changes: Mapping[str, tuple[str, str]] = field(default_factory=dict)


# --- views ----------------------------------------------------------------------------------------------------------------


def record_views(
    histories: Sequence[RecordHistory],
    locks: Sequence[Lock] = (),
    rules: "Callable[[str], RuleSet] | None" = None,
    supplements: Supplements | None = None,
    *,
    decided: bool = True,
) -> Iterator[RecordView]:
    """Yield the view of each record, in the order of the histories, one at a time.

    Args:
        locks: the parses by which `exclude` decided; trees are shown of records on which they voted.
        rules: returns the rules of a language, to say which nearly match; without it none are named.
        decided: whether the histories hold decisions, not items alone.

    Raises:
        PipelineError: a parse has no tree of a record that it voted on.
    """
    supplements = supplements or Supplements()
    for history in histories:  # before the first view, so that a command writes all or nothing
        _require_trees(history, locks)
    members: dict[str, list[str]] = {}
    for history in histories:
        members.setdefault(history.record.schema, []).append(history.record.id)
    languages = languages_with_zeros()
    for history in histories:
        record, analysis = history.record, history.analysis
        final = final_record(history)
        trees = [tree_of(record, lock) for lock in locks] if _is_parsed(record, history) else []
        near = rules(record.lang).near_matches(*trees[0]) if rules and trees else {}
        yield RecordView(
            id=record.id,
            schema=record.schema,
            version=record.version,
            lang=record.lang,
            label=history.label if decided else "",
            outcome=history.outcome if decided else "",
            wordings=tuple(_wordings(history, final)),
            candidates=record.candidates,
            answer=final.answer,
            question=final.question,
            gloss=history.gloss,
            source=record.source,
            note=record.note,
            kind=analysis.kind if analysis else "",
            role=analysis.role if analysis else "",
            register=analysis.register if analysis else "",
            marks=tuple(_marks(history, supplements)),
            uncertain=history.decision.uncertain,
            findings=history.findings,
            near=tuple(near.items()),
            trees=tuple(_tree(tree, target, history.decision.votes[tree.parser]) for tree, target in trees),
            people=tuple(people_lines(history, supplements.judged.get(record.id, ()))),
            forms={name: found for name, rows in supplements.forms.items() if (found := rows.get(record.id))},
            unmade={name: reasons[record.id] for name, reasons in supplements.unmade.items() if record.id in reasons},
            readings=tuple(supplements.readings.get(record.id, ())),
            answers=tuple(supplements.answers.get(record.id, ())),
            mates=tuple(other for other in members[record.schema] if other != record.id),
            change=supplements.changes.get(record.id),
            zero=history.outcome == KEPT and record.lang in languages,
        )


def _require_trees(history: RecordHistory, locks: Iterable[Lock]) -> None:
    record, votes = history.record, history.decision.votes
    if not _is_parsed(record, history):
        return
    for lock in locks:
        parser = tree_of(record, lock)[0].parser
        if parser not in votes:
            reason = f"[{record.id}] no vote of {parser}; run winoforge exclude with the same parses"
            raise PipelineError(lock.path, None, reason)


def _is_parsed(record: Record, history: RecordHistory) -> TypeGuard[Item]:
    return bool(history.decision.votes) and isinstance(record, Item)


def final_record(history: RecordHistory) -> Record:
    """Return a record as modifications and people leave it."""
    record, row = history.modified, history.change.decision if history.change else None
    if row is not None and row.action == "modify":
        text, (target,) = unbracket(row.value)
        return replace(record, text=text, target=target, question=row.question or record.question)
    if row is not None and row.action == "relabel" and row.value in record.candidates:
        return replace(record, answer=record.candidates.index(row.value))
    return record


def _wordings(history: RecordHistory, final: Record) -> Iterator[Wording]:
    record, applied = history.record, history.applied
    yield _wording("as it was read", record)
    if applied is not None:
        change = applied.modification
        what = f"modified: {TYPES.get(change.type, change.type)}"
        yield _wording(what, history.modified, change.reason, change.question)
    if history.action == "modify":
        yield _wording("changed by people", final, question=final.question)


def _wording(what: str, record: Record, why: str = "", question: str = "") -> Wording:
    target = (record.target.start, record.target.end) if record.target else None
    places = enumerate(own_mentions(record))
    mentions = tuple((span.start, span.end, candidate) for candidate, spans in places for span in spans)
    return Wording(what, record.text, target, why, question, mentions)


def _marks(history: RecordHistory, supplements: Supplements) -> Iterator[str]:
    """Yield what makes a record worth reading, in the order in which a maintainer should."""
    decision = history.decision
    conditions = {
        "disputed": decision.disputed,
        "uncertain": bool(decision.uncertain),
        "modified": history.applied is not None,
        "rescued": history.rescued,
        f"people: {history.action}": history.change is not None,
        "already zero": decision.already_zero,
        "judged by raters": history.record.id in supplements.judged,
        "answered wrongly": any(not right for *_, right in supplements.answers.get(history.record.id, ())),
    }
    return (mark for mark, holds in conditions.items() if holds)


def people_lines(history: RecordHistory, judged: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield what people decided about a record, and what raters said of it in studies, each with its kind: decided, judged."""
    change = history.change
    if change is not None:
        row = change.decision
        state = "" if change.after == change.before else f" ({change.before} → {change.after})"
        if row is None:
            yield "decided", f"{VERDICTS[FOLLOW]}{state}"
        else:
            value = {
                "drop": f" as {row.value}",
                "relabel": f": right is {row.value}, not {row.answer}",
            }.get(row.action, "")
            reason = f": {row.reason}" if row.reason else ""
            yield "decided", f"{row.action}{value}, by {row.share} raters in {row.study}{reason}{state}"
    yield from (("judged", line) for line in judged)


def _tree(tree: Tree, target: int, rules: Sequence[str]) -> ParserTree:
    words = tuple(
        (token.form, token.upos, -1 if token.head is None else token.head, token.relation) for token in tree.tokens
    )
    return ParserTree(tree.parser, words, target, tuple(rules))


# --- what other commands know ---------------------------------------------------------------------------------------------


class FormRows(Mapping[str, tuple[Mapping[str, Any], ...]]):
    """The rows of a derived form by record, without places in texts and what repeats the record.

    They are read from their file when they are asked for: memory holds where they are. Raises `PipelineError` if it is malformed.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._places = path, dict[str, list[int]]()
        place = 0
        for number, line in enumerate(io.BytesIO(read_bytes(path)), 1):
            try:
                for _, row in parse_jsonl(decode(line, path), path):
                    with errors_at(path, number):
                        self._places.setdefault(sys.intern(text_field(row, "item")), []).append(place)
            except PipelineError as error:
                list(parse_jsonl(read_text(path), path))  # fails if the line does, and knows the whole file
                raise PipelineError(path, number, error.reason) from error
            place += len(line)

    def __getitem__(self, record_id: str) -> tuple[Mapping[str, Any], ...]:
        places = self._places[record_id]
        with self._path.open("rb") as file:
            return tuple(_readable(file, place) for place in places)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _readable(file: BinaryIO, place: int) -> dict[str, Any]:
    """Return what a person reads of the row at a place of a file."""
    file.seek(place)
    row = msgspec.json.decode(file.readline().removeprefix(codecs.BOM_UTF8))
    return {key: value for key, value in row.items() if key not in _LEFT_OUT and _is_readable(value)}


def read_forms(folder: Path, forms: Iterable[str]) -> tuple[dict[str, FormRows], dict[str, dict[str, str]]]:
    """Return the rows of derived forms that `variants` wrote, by form and record, and why a form cannot be made, likewise.

    Raises `PipelineError` if a file is malformed.
    """
    paths = {form: folder / f"{form}.jsonl" for form in forms}
    made = {form: FormRows(path) for form, path in paths.items() if path.exists()}
    unmade: dict[str, dict[str, str]] = {}
    path = folder / "unmade.jsonl"
    for line, row in parse_jsonl(read_text(path), path):
        with errors_at(path, line):
            form, item, reason = (text_field(row, field) for field in ("form", "item", "reason"))
        unmade.setdefault(form, {})[item] = reason
    return made, unmade


def _is_readable(value: object) -> bool:
    """Tell whether a person reads a value of a row: text, words, yes or no."""
    parts = value if isinstance(value, list) else value.values() if isinstance(value, dict) else [value]
    return value not in ("", [], {}) and all(isinstance(part, str | bool) for part in parts)


def read_reader_tables(paths: Iterable[Path], forms: Mapping[str, Collection[str]]) -> dict[str, list[dict[str, str]]]:
    """Return the readings of tables by record id: each cell that is not empty by column, and the forms that were read.

    Digests are left out. The first table has the readings that count, a later one earlier readings, as its name says
    (``reading-before.tsv``); readings of other words than a record has now are left out.

    Args:
        paths: the tables.
        forms: by record id the forms that a reader may have seen, as they are now: the text and, where there is one, the zero form.
    """
    readings: dict[str, list[dict[str, str]]] = {}
    for path in paths:
        earlier = {"round": "earlier"} if path.stem.endswith("-before") else {}
        for _, cells in read_table(path, ("id", "reader")):
            if cells["id"] in forms and is_of_other_words(cells, forms[cells["id"]]):
                continue
            seen = [column for column in ("text", "zero") if cells.get(column)]
            shown = {column: cell for column, cell in cells.items() if cell and column not in ("id", *seen)}
            readings.setdefault(cells["id"], []).append({"read": " and ".join(seen)} | shown | earlier)
    return readings
