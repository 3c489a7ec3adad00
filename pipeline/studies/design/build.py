"""Studies: built from a design, its records, and for some designs the judgements of an earlier study."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.errors import shown
from ...core.files import read_text
from ..model.design import Design
from ..model.judgements import Judgement
from ..model.study import Study, Task
from .config import read_template
from .fields import StudyRecord
from .layout import Layout, Material, check_design, design_error, lay_out
from .selection import ClozeLists, select_records
from .snapshot import with_snapshot
from .written import read_attention, read_practice


@dataclass(frozen=True, slots=True)
class StudyLayout(Layout):
    """A study with its tasks and records.

    Attributes:
        study: what all tasks share.
        tasks: the tasks of all lists.
        lists: the records of each list.
        left_over: the records that are in no list.
        missing: the ids of items that raters of the earlier study left open and that are no records, or are in other words by now.
    """

    left_over: tuple[StudyRecord, ...]
    missing: tuple[str, ...] = ()

    @property
    def laid_out(self) -> int:
        """The number of different records in lists."""
        return len({record.item.id for records in self.lists.values() for record in records})


def make_study(
    design: Design,
    judgements: Sequence[Judgement] | None = None,
    asked: tuple[Study, Sequence[Task]] | None = None,
    cloze_lists: ClozeLists | None = None,
) -> StudyLayout:
    """Return the study of a design. The same files give the same study.

    Args:
        design: the design; the files that it names are read.
        judgements: the judgements of the earlier study, for a design that selects by them.
        asked: that study with its tasks, for a design that compares what it asked (`design.BY_WORDING`).
        cloze_lists: reads the lists of an experiment, for a design with the source ``cloze``.

    Raises:
        PipelineError: a file is missing or malformed, the design asks for something impossible, or the config does not fit.
        MisfitError: a judgement does not fit the records.
    """
    check_design(design)
    _check_attention(design)
    selection = select_records(design, judgements, asked, cloze_lists)
    records = selection.records
    _check_languages(design, records)
    practice = read_practice(design.practice, design.lang) if design.practice else []
    attention = read_attention(design.attention, design.lang) if design.attention else []
    material = Material(
        read_template(design.config), read_text(design.guideline), selection.selected, practice, attention
    )
    layout = lay_out(design, material)
    used = {record.item.id for members in layout.lists.values() for record in members}
    left_over = tuple(record for record in records if record.item.id not in used)
    study = with_snapshot(layout.study, design, material)
    return StudyLayout(study, layout.tasks, layout.lists, left_over, tuple(selection.missing))


def _check_attention(design: Design) -> None:
    """Refuse attention items on a screen of several records, or without a control that a right candidate answers."""
    if design.attention and (design.screen > 1 or not any(control.asks_for_candidate for control in design.controls)):
        reason = f"[attention] found attention items on a screen of {design.screen}"
        raise design_error(
            design, "attention", f"{reason}, expected a screen of 1 with a control that asks for a candidate"
        )


def _check_languages(design: Design, records: Sequence[StudyRecord]) -> None:
    """Refuse records of another language than the design's."""
    for record in records:
        if record.item.lang != design.lang:
            reason = f"[lang] not the language of the records; found {shown(design.lang)}, expected {shown(record.item.lang)}"
            raise design_error(design, "lang", f"{reason} as in {design.records}")
