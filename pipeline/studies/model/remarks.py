"""Leave personal data out of the remarks of an export unless somebody confirms them: remarks.tsv."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.files import parse_tsv, read_text, require_unique, write_tsv
from ...language.personal_data import find_personal_data, without_parts
from .judgements import Judgement
from .study import Study, Task

REMARKS = "remarks.tsv"
COLUMNS = ("task", "item", "rater", "control", "kinds", "release")
#: What a person answers in the last column.
_RELEASE = {"yes": True, "no": False}
#: Task, item, rater, control.
Place = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Remark:
    """A text answer in which something looks like personal data: one row of remarks.tsv, which does not quote it.

    Attributes:
        place: task, item, rater and control.
        kinds: the kinds of personal data, separated by commas.
        release: whether a person has confirmed that the text may be released as it is.
    """

    place: Place
    kinds: str
    release: bool


@dataclass(frozen=True, slots=True)
class ClearedRemarks:
    """Judgements without personal data in their texts.

    Attributes:
        judgements: the judgements, in the order given.
        remarks: all texts with personal data, sorted.
        findings: a line for each text with personal data that remarks.tsv did not have.
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


def read_remarks(path: Path) -> dict[Place, bool]:
    """Return for each place of a table of remarks whether its text may be released; nothing if there is no table.

    Raises:
        PipelineError: a row is malformed, or a place has two.
    """
    if not path.exists():
        return {}
    lines: dict[Place, int | None] = {}
    known = {}
    for line, row in parse_tsv(read_text(path), path, COLUMNS):
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
            path, COLUMNS, [(*remark.place, remark.kinds, "yes" if remark.release else "no") for remark in remarks]
        )
    else:
        path.unlink(missing_ok=True)
