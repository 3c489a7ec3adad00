"""The command that measures how hard the items of a release are, from the answers of systems and people."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from ..core.errors import PipelineError, errors_at, plural, shown
from ..core.files import read_bytes, write_text
from ..core.pages import percent
from ..evaluation.difficulty import (
    FILES,
    DifficultyTable,
    Group,
    rater_group,
    read_counts,
    read_readings,
    require_released,
    system_groups,
)
from ..evaluation.folder import read_folder
from ..evaluation.items import ReleasedItem
from ..evaluation.measures.accuracy import against_chance
from ..evaluation.predictions import Form, default_form, read_predictions
from ..evaluation.report.tables import interval_words
from ..statistics.item_response import ItemResponseModel
from ..studies.agreement.items import right_marks
from ..studies.design.fields import StudyRecord, shows_as_is
from ..studies.model.answers import first_answers, join_tasks
from ..studies.model.judgements import numbered_judgements
from ..studies.model.study import read_study
from .parameters import Release, opt, output
from .report import Report, Writes


def difficulty_command(
    release: Release,
    out: Annotated[Path, output(f"folder of {', '.join(FILES)}."), Writes(FILES)],
    predictions: Annotated[list[Path] | None, opt("Predictions of systems (JSON Lines); may be repeated.")] = None,
    people: Annotated[
        list[Path] | None,
        opt(
            "Answers of people: items.tsv that `annotate agree` wrote, or the folder of an export, whose raters the model takes too; "
            "may be repeated."
        ),
    ] = None,
    readings: Annotated[
        list[Path] | None,
        opt(
            "Readings by which the items were chosen (TSV: id, reader, answer): counted, but no measurement; may be repeated."
        ),
    ] = None,
    form: Annotated[
        Form | None, opt("Form of the items that systems saw; default: zero if the release has zero forms.")
    ] = None,
) -> Report:
    """Write how hard each item is: a column for every system and group of people, shares and an item response model.

    What was not understood is neither right nor wrong, and a cell of what
    nobody answered is empty. The two-parameter model needs ten systems, or
    ten raters, to an item; without them the shares stand alone.
    """
    if not (predictions or people or readings):
        raise PipelineError(None, None, "[predictions] nobody answered; expected --predictions, --people or --readings")
    folder = read_folder(release)
    items = folder.items
    notes: list[str] = []
    report = Report(notes=notes)
    groups: list[Group] = []
    if predictions:
        runs = read_predictions(predictions, items, notes)
        shown_form = form or default_form(items)
        groups += system_groups(runs, shown_form, _source(predictions))
        if not groups:
            raise PipelineError(
                predictions[0],
                None,
                f"[form] no answer counts; found none to the {shown_form} forms, expected another --form",
            )
        answers = sum(map(len, runs.values()))
        counted = sum(group.total.understood + group.total.unclear for group in groups)
        report.add(
            f"{plural(answers, 'answer')} of systems in: {counted} to the {shown_form} forms counted + "
            f"{answers - counted} to other forms or by baselines (modes that see a part of the item, or score its texts)",
            answers=answers,
        )
    for path in people or ():
        groups.append(_people(path, items, [group.name for group in groups if group.kind == "people"], notes))
    if readings:
        of_readers, others = read_readings(readings, items, _source(readings))
        groups.append(of_readers)
        if others:
            left_out = plural(others, "row")
            notes.append(
                f"readings: {left_out} of items that are not in the release, or of other words than there, left out"
            )
    table = DifficultyTable(items, groups)
    for name, text in table.texts().items():
        write_text(out / name, text)
    report.lines += _lines(table)
    report.figures |= {
        "items": len(items),
        "groups": [{"kind": group.kind, "name": group.name, **asdict(group.total)} for group in groups],
        "models": {kind: model if isinstance(model, str) else "fitted" for kind, model in table.models.items()},
    }
    report.add(
        f"{out / FILES[0]}: {plural(len(items), 'item')} in, {len(items)} rows out, {plural(len(groups), 'group')}"
    )
    return report


def _source(paths: Sequence[Path]) -> str:
    return ", ".join(f"{path.name} sha256 {sha256(read_bytes(path)).hexdigest()}" for path in paths)


def _people(path: Path, items: Sequence[ReleasedItem], taken: Collection[str], notes: list[str]) -> Group:
    """Return the group of people of a table of counts, or of the folder of an export."""
    records = {entry.item.id: StudyRecord(item=entry.item) for entry in items}
    if not path.is_dir():
        name = next((part for part in reversed(path.resolve().parts[:-1]) if part != "report"), path.stem)
        group = read_counts(path, name, records, _source([path]))
    else:
        study, tasks = read_study(path)
        judgements = path / "judgements.jsonl"
        numbered = list(numbered_judgements(judgements))
        for line, judgement in numbered:
            with errors_at(judgements, line):
                if judgement.phase == "main":
                    require_released(judgement.item, records)
        answered = first_answers(join_tasks(numbered, judgements, study, tasks))
        as_is = [of for of in answered if shows_as_is(study, of.task, of.place, records[of.item])]
        if changed := len(answered) - len(as_is):
            notes.append(
                f"{judgements}: {plural(changed, 'answer')} to items in other words than the release has left out"
            )
        group = rater_group(study.id, right_marks(study, tasks, as_is), _source([judgements]))
    if group.name in taken:
        raise PipelineError(
            path,
            None,
            f"[people] two groups of one name; found {shown(group.name)} twice, expected folders that differ",
        )
    return group


def _lines(table: DifficultyTable) -> Iterator[str]:
    guesses = {entry.item.id: 1 / len(entry.item.candidates) for entry in table.items}
    for group in table.groups:
        total, share = group.total, group.accuracy(table.items)
        label = group.name if group.name == group.kind else f"{group.kind}: {group.name}"
        line = (
            f"{label}: {plural(len(group.answers), 'item')}, {plural(total.understood + total.unclear, 'answer')}: "
            f"{total.right} right + {total.wrong} wrong + {total.unclear} not understood"
        )
        if group.kind == "readings":
            line += ": no measurement, since an item was released only if its readers had it right"
        elif share.n:
            line += f"; {percent(share.value)} of those understood ({interval_words(share.interval)})"
            chance = sum(guesses[item] * of.understood for item, of in group.answers.items()) / share.n
            if against_chance(share.interval, chance) == "includes":
                line += f": the interval includes chance ({percent(chance)})"
        yield line
    for kind, model in table.models.items():
        if isinstance(model, ItemResponseModel):
            yield f"model of {kind}: {plural(len(model.difficulty), 'item')}, {plural(len(model.ability), 'respondent')}"
        else:
            yield f"model of {kind}: not fitted, only shares: {model}"
