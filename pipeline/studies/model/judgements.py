"""The export of a study: judgements.jsonl, remarks.tsv with what was left out of them, and what changes with another pull."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from ...core.convert import read_records, to_object
from ...core.errors import PipelineError, plural, shown
from ...core.files import read_text, require_unique, write_jsonl
from ...core.invisible import INVISIBLE
from ...core.servers import KEY
from ...core.tables import read_table, write_tsv
from ...language.personal_data import find_personal_data, without_parts
from .study import Study, Task, read_study

Answer = str | int
#: Maximum lead time in seconds, about three years; longer ones are errors of the server or the browser.
MAX_LEAD_TIME = 10**8
#: The pseudonyms that `annotate pull` makes; any other name might be that of a person.
PSEUDONYM = re.compile("r-[0-9a-f]+")
#: What may be a pseudonym: it has no signs of an address and no blanks.
Rater = Annotated[
    str,
    Meta(pattern=r"\A[A-Za-z0-9_-]{1,64}\Z", description="a pseudonym such as r-0a1b2c, no name or address"),
]
#: Fields that a line has only where they say something.
_OPTIONAL = ("submitted", "updated", "vanished")
#: How the names of Label Studio's tables end, and the keys that only its own exports have.
TABLES = (".csv", ".tsv")
_LABEL_STUDIO = frozenset(["annotations", "completions", "annotation_id", "completed_by"])
#: A time as an export holds it: in UTC, to the second.
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


@dataclass(frozen=True, slots=True, order=True, kw_only=True)
class Judgement:
    """What one rater answered about one item.

    Attributes:
        task: the key of the task, ``STUDY/LIST/POSITION``; a task with ten items on its screen has ten judgements.
        phase: ``practice``, ``main`` or ``filler``.
        rater: a pseudonym.
        answers: for each control the number of a candidate, a rating, the code of a choice, or a text; a control left open is absent.
        lead_time: seconds for which the rater had the task open, all its items together; None where the server does not say.
        skipped: whether the rater skipped the task; then there are no answers.
        submitted: when the rater first submitted the task, ISO 8601 in UTC to the second; None if unknown.
        updated: when the server last changed the submission; None if unknown.
        vanished: whether the server had it at an earlier pull, but not at the last one.
    """

    study: str
    list: str
    task: str
    item: str
    phase: str
    rater: Rater
    answers: Mapping[str, Answer]
    lead_time: int | float | None
    skipped: bool = False
    submitted: str | None = None
    updated: str | None = None
    vanished: bool = False

    def __post_init__(self) -> None:
        if self.skipped and self.answers:
            raise ValueError(f"[skipped] found answers {shown(dict(self.answers))} in a skipped task, expected none")
        for name in ("submitted", "updated"):
            time = getattr(self, name)
            if time is not None and not _TIME.fullmatch(time):
                raise ValueError(f"[{name}] malformed time; found {shown(time)}, expected such as 2026-11-21T10:00:00Z")


def judgement_to_json(judgement: Judgement) -> dict[str, Any]:
    """Return the object of one line of an export; times and `vanished` stand only where they say something."""
    row: dict[str, Any] = to_object(judgement)
    row["answers"] = dict(sorted(judgement.answers.items()))
    return {name: value for name, value in row.items() if value or name not in _OPTIONAL}


def is_export(text: str, path: Path) -> bool:
    """Return whether a file is an export of Label Studio, by its name or by the keys of its first object: no judgements.jsonl."""
    if path.suffix.lower() in TABLES or text.lstrip().startswith("["):
        return True
    for part in (text.lstrip().partition("\n")[0], text):
        try:
            value = json.loads(part)
        except (ValueError, RecursionError):
            continue
        return isinstance(value, dict) and not _LABEL_STUDIO.isdisjoint(value)
    return False


def numbered_judgements(path: Path) -> list[tuple[int, Judgement]]:
    """Return the judgements of an export with their line numbers, in its order. A rater judges an item of a task once.

    Raises:
        PipelineError: a line is malformed, a task, item and rater occur twice, two pseudonyms differ in capital letters only, or the
            file is an export of Label Studio.
    """
    if is_export(read_text(path), path):
        way = "`winoforge annotate pull STUDY --export FILE --out DIR` makes it from one"
        raise PipelineError(path, None, f"[file] an export of Label Studio; expected judgements.jsonl: {way}")
    lines: dict[tuple[str, str, str], int | None] = {}
    judgements = []
    names: dict[str, str] = {}
    for line, judgement in read_records(path, Judgement):
        require_unique(lines, (judgement.task, judgement.item, judgement.rater), path, line, "rater")
        if (known := names.setdefault(judgement.rater.casefold(), judgement.rater)) != judgement.rater:
            reason = f"[rater] two pseudonyms that differ in capital letters only; found {shown(judgement.rater)}"
            raise PipelineError(
                path, line, f"{reason}, expected {shown(known)} as before: one person has one pseudonym"
            )
        judgements.append((line, judgement))
    return judgements


def read_judgements(path: Path) -> list[Judgement]:
    """Return the judgements of an export; see `numbered_judgements` for its errors."""
    return [judgement for _, judgement in numbered_judgements(path)]


def write_judgements(path: Path, judgements: Iterable[Judgement]) -> None:
    """Write an export, sorted by task, item and rater, atomically."""
    write_jsonl(path, map(judgement_to_json, sorted(judgements, key=_place)))


# --- remarks with personal data: remarks.tsv --------------------------------------------------------------------------

REMARKS = "remarks.tsv"
REMARK_COLUMNS = ("task", "item", "rater", "control", "kinds", "release")
#: What a person answers in the last column.
_RELEASE = {"yes": True, "no": False}
#: Task, item, rater, control.
Place = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Remark:
    """A text answer in which something looks like personal data: one row of remarks.tsv, which does not quote it.

    `kinds` are the kinds of personal data, with commas between; `release` says that a person has confirmed the text as it is.
    """

    place: Place
    kinds: str
    release: bool


@dataclass(frozen=True, slots=True)
class ClearedRemarks:
    """Judgements without personal data in their texts, in the order given; all texts that have some, sorted.

    `findings` has a line for each text with personal data that remarks.tsv did not have.
    """

    judgements: tuple[Judgement, ...]
    remarks: tuple[Remark, ...]
    findings: tuple[str, ...]

    @property
    def withheld(self) -> int:
        """Number of texts from which something was left out."""
        return sum(not remark.release for remark in self.remarks)


def clear_remarks(
    study: Study,
    tasks: Iterable[Task],
    judgements: Iterable[Judgement],
    known: Mapping[Place, bool],
    before: Iterable[Judgement],
) -> ClearedRemarks:
    """Return judgements with the personal data in their texts replaced by their kind, unless somebody has confirmed the text.

    A confirmation is for the text that the earlier export has, with or without its personal data: a text that the rater has
    changed since needs another one. What a task shows to everybody is no personal data. Names are not found.

    `known` says for each place in remarks.tsv whether its text may be released; `before` has the judgements of the earlier export.
    """
    controls = [control.name for control in study.controls if control.kind == "text"]
    data = {task.key: "\n".join(_texts(task.data)) for task in tasks}
    earlier = dict(_answers(before, controls))
    cleared, remarks, findings = [], [], []
    for judgement in judgements:
        answers = dict(judgement.answers)
        for place, text in _answers([judgement], controls):
            shown_text = data.get(judgement.task, "")
            parts = [part for part in find_personal_data(text) if text[part.start : part.end] not in shown_text]
            if not parts:
                continue
            without = without_parts(text, parts)
            release = known.get(place, False) and earlier.get(place, text) in (text, without)
            kinds = ", ".join(sorted({part.kind for part in parts}))
            remarks.append(Remark(place, kinds, release))
            if not release:
                answers[place[3]] = without
            if place not in known or release != known[place]:
                findings.append(
                    f"{judgement.task}: {judgement.item}: {judgement.rater}: [{place[3]}] {kinds}; left out: read it on the "
                    f"server, and write yes into its row of {REMARKS} and pull again if it may be released"
                )
        cleared.append(replace(judgement, answers=answers))
    return ClearedRemarks(tuple(cleared), tuple(sorted(remarks, key=lambda remark: remark.place)), tuple(findings))


def _answers(judgements: Iterable[Judgement], controls: Sequence[str]) -> Iterator[tuple[Place, str]]:
    for judgement in judgements:
        for control in controls:
            if control in judgement.answers:
                place = (judgement.task, judgement.item, judgement.rater, control)
                yield place, str(judgement.answers[control])


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)


def clean_remark(text: str) -> str:
    r"""Return a remark on one line, without invisible characters.

    >>> clean_remark("  odd\r\n\u202eword\x07 ")
    'odd word'
    """
    return " ".join(INVISIBLE.sub(" ", text).split())


def read_remarks(path: Path) -> dict[Place, bool]:
    """Return for each place of a table of remarks whether its text may be released; nothing if there is no table.

    Raises:
        PipelineError: a row is malformed, or a place has two.
    """
    if not path.exists():
        return {}
    lines: dict[Place, int | None] = {}
    known = {}
    for line, row in read_table(path, REMARK_COLUMNS):
        place = (row["task"], row["item"], row["rater"], row["control"])
        require_unique(lines, place, path, line, "control")
        if row["release"] not in _RELEASE:
            raise PipelineError(
                path, line, f"[release] unknown answer; found {shown(row['release'])}, expected {' or '.join(_RELEASE)}"
            )
        known[place] = _RELEASE[row["release"]]
    return known


def write_remarks(path: Path, remarks: Sequence[Remark]) -> None:
    """Write the table of remarks; without remarks, none is written and an earlier one is deleted."""
    if remarks:
        write_tsv(
            path,
            REMARK_COLUMNS,
            [(*remark.place, remark.kinds, "yes" if remark.release else "no") for remark in remarks],
        )
    else:
        path.unlink(missing_ok=True)


# --- against what the server has now ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExportChanges:
    """How an export differs from the earlier one.

    Attributes:
        changed: number of judgements with other answers than in the earlier export.
        vanished: number of judgements that the server has no more, whether since the earlier export or before it.
        notes: a line for each list and rater with changed judgements.
        findings: a line for each list and rater with judgements that vanished since the earlier export.
    """

    added: int
    changed: int
    vanished: int
    notes: tuple[str, ...]
    findings: tuple[str, ...]


def with_vanished(before: Iterable[Judgement], after: Sequence[Judgement]) -> list[Judgement]:
    """Return the judgements on the server, and those of the earlier export that it has no more, marked as vanished."""
    there = {_place(judgement) for judgement in after}
    return [*after, *(replace(judgement, vanished=True) for judgement in before if _place(judgement) not in there)]


def changes_since(before: Iterable[Judgement], after: Sequence[Judgement]) -> ExportChanges:
    """Return how an export differs from the earlier one."""
    earlier = {_place(judgement): judgement for judgement in before}
    controls: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    changed: Counter[tuple[str, str]] = Counter()
    vanished = []
    for judgement in after:
        known = earlier.get(_place(judgement))
        if known is not None and (names := _changed_answers(known, judgement)):
            changed[judgement.list, judgement.rater] += 1
            controls[judgement.list, judgement.rater].update(names)
        if known is not None and judgement.vanished and not known.vanished:
            vanished.append(judgement)
    return ExportChanges(
        added=len({_place(judgement) for judgement in after} - earlier.keys()),
        changed=changed.total(),
        vanished=sum(judgement.vanished for judgement in after),
        notes=tuple(
            f"list {name}: {rater}: {plural(count, 'judgement')} changed since the earlier export ("
            + ", ".join(f"{control} {times}" for control, times in sorted(controls[name, rater].items()))
            + ")"
            for (name, rater), count in sorted(changed.items())
        ),
        findings=tuple(
            f"{line} no more on the server; kept, marked as vanished: --forget leaves out what vanished"
            for line in _by_rater(vanished)
        ),
    )


def left_out(judgements: Iterable[Judgement]) -> list[str]:
    """Return a line for each list and rater with judgements that an export leaves out."""
    return [f"{line} no more on the server; left out" for line in _by_rater(judgements)]


def _by_rater(judgements: Iterable[Judgement]) -> list[str]:
    counts = Counter((judgement.list, judgement.rater) for judgement in judgements)
    return [
        f"list {name}: [rater] {plural(count, 'judgement')} of {rater}"
        for (name, rater), count in sorted(counts.items())
    ]


def _changed_answers(before: Judgement, after: Judgement) -> list[str]:
    """Return the names of the controls that have another answer now, with ``skipped`` for a task skipped or no longer so."""
    names = [
        name
        for name in before.answers.keys() | after.answers.keys()
        if before.answers.get(name) != after.answers.get(name)
    ]
    return [*names, "skipped"] if before.skipped != after.skipped else names


def _place(judgement: Judgement) -> tuple[str, str, str]:
    return judgement.task, judgement.item, judgement.rater


def require_same_study(out: Path, study: Study) -> None:
    """Raise `PipelineError` if the folder has an export of another study."""
    path = out / "study.json"
    if path.exists() and (earlier := read_study(out)[0]).id != study.id:
        reason = f"[id] the export of another study; found {shown(earlier.id)}, expected {shown(study.id)}"
        raise PipelineError(path, 1, f"{reason}: choose another --out")


def require_same_tasks(out: Path, tasks: Iterable[Task], before: Iterable[Judgement]) -> None:
    """Raise `PipelineError` if the study shows something else now than what was judged in an earlier export."""
    judged = {judgement.task for judgement in before}
    if not judged or not (out / "study.json").exists():
        return
    now = {task.key: (task.items, task.options, task.data) for task in tasks}
    earlier = {task.key: (task.items, task.options, task.data) for task in read_study(out)[1]}
    other = sorted(key for key in judged if earlier.get(key) != now.get(key))
    if other:
        reason = (
            f"[data] not the tasks that were judged in the earlier export; found {plural(len(other), 'task')} changed"
        )
        way = f"such as {other[0]}: pull the folder that was pushed, which is {out} itself, or choose another --out"
        raise PipelineError(out / "tasks.jsonl", None, f"{reason}, {way}")


def require_same_key(out: Path, before: Iterable[Judgement], pseudonyms: Collection[str]) -> None:
    """Raise `PipelineError` if none of the raters of an earlier export is among the accounts of the server."""
    raters = {judgement.rater for judgement in before}
    if raters and raters.isdisjoint(pseudonyms):
        reason = (
            f"[{KEY}] another key than for the earlier export, or another server; found none of its "
            f"{plural(len(raters), 'rater')} among {plural(len(pseudonyms), 'account')}, expected the same raters: use the key and "
            "the server of that export, or replace it with --forget"
        )
        raise PipelineError(out, None, reason)
