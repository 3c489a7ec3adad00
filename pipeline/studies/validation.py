"""The suite `study`: a study folder is what its design lays out, and raters read nothing that they should not.

What raters read says something, comes once and tells no answers. These checks find what is wrong with a design, its guideline, its practice
and its records, so they read the study as its design lays it out.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

from ..core.convert import to_object
from ..core.errors import PipelineError, plural, shown
from ..core.files import from_json, read_text
from ..core.validation.derivation import Derived, compare, difference
from ..core.validation.rows import text_of
from ..core.validation.suite import Check, Row, Suite, Value, described, rows_with
from ..language.pronoun_classes import GAP
from ..language.text_checks import (
    TextCheck,
    check_blanks,
    check_composed,
    check_invisible,
    check_marks,
    check_placeholders,
    check_quotations,
    check_script,
    has_words,
)
from ..winograd.zero_forms import ZERO
from .design.build import read_snapshot
from .design.fields import BLANK, FORM_PARTS
from .design.layout import Layout, check_design, checksum, lay_out
from .model.answers import read_answers
from .model.design import Design, shows_answers
from .model.judgements import PSEUDONYM, REMARKS, clear_remarks, numbered_judgements, read_remarks
from .model.study import Task, read_study

# --- what raters read -------------------------------------------------------------------------------------------------

#: The fields of a record that show its sentence.
_SENTENCES = ("text", "text_zero", "text_dropped", "marked", "blanked", "gap", "oracle")
#: The fields of a record that a task must not leave empty.
_FILLED = (*_SENTENCES, "question", "reference", "translation")
#: Those of them that a record without a target leaves empty.
_OF_TARGET = ("text_zero", "text_dropped", "marked", "blanked", "gap", "question")
#: The fields that two records may share although their sentences differ, or that only practice has.
_BESIDES = ("explanation", "right", "wrong", "own", "doubt", "rule", "class", "message")
#: The fields of a record that are in the language of the study, and may have no marks of ours.
_PLAIN = (
    *("text", "text_zero", "text_dropped", "question", "entity", "hypothesis", "candidates", "explanation"),
    *("right", "wrong", "own"),
    *FORM_PARTS,
)
#: The fields in the language of the study.
_IN_LANGUAGE = (*_PLAIN, "marked", "blanked", "gap", "pronoun", "context", "oracle")
#: Line feeds and tabs lay out a guideline, a config and what a system wrote.
_LAYOUT = str.maketrans("\n\t", "  ")
#: Minimum length of a text that counts as a sentence in the instruction.
_SENTENCE = 6
#: Minimum number of main records in which something must go with the answer: in fewer it may be chance.
_TELLING = 20
#: Maximum number of values that something which tells the answer has.
_FEW = 4
#: Minimum number of main records of which all right candidates must be marked.
_MARKED = 10


def _records(design: Design, task: Task) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the place of each record on the screen of a task, and what is shown of it by the names of the design."""
    for place in range(len(task.items)):
        end = "" if design.screen == 1 else f"_{place + 1}"
        yield place, {name: task.data[f"{name}{end}"] for name in design.show}


def _main(value: Value) -> Iterator[tuple[Task, int, dict[str, Any]]]:
    """Yield each main record: its task, its place there, and what is shown of it."""
    for task in value["layout"].tasks:
        if task.phase == "main":
            yield from ((task, place, content) for place, content in _records(value["design"], task))


def _texts(value: Value, content: Mapping[str, Any], fields: tuple[str, ...]) -> Iterator[str]:
    """Yield the texts in what is shown of a record that are such fields, those of options among them."""
    show = value["design"].show
    for name, text in content.items():
        if show[name] in fields:
            yield from [text] if isinstance(text, str) else (option["value"] for option in text)


def instruction_present(value: Value) -> str:
    """The study has an instruction for annotators."""
    return "" if has_words(value["layout"].study.instruction) else "found no instruction"


def sentence_shown(value: Value) -> str:
    """A task shows a sentence, its target as designed (as Ø, in brackets, as a blank), and in main tasks its question."""
    task, design = value["task"], value["design"]
    for place, content in _records(design, task):
        untargeted = task.items[place].partition("/")[0] in value["untargeted"]
        for name, field in design.show.items():
            without_target = untargeted and field in _OF_TARGET
            if field not in _FILLED or without_target or (field == "question" and task.phase != "main"):
                continue
            text, marks = content[name], _marks(design, field)
            if not has_words(text) or not all(mark in text for mark in marks):
                return f"found {shown(text)} in {name}, expected {' and '.join(['words', *marks])}"
    return ""


def _marks(design: Design, field: str) -> tuple[str, ...]:
    """Return what shows the target in a field."""
    brackets = ("【", "】") if design.lang.startswith("zh") else ("[", "]")
    return {"text_zero": (ZERO,), "blanked": (BLANK,), "gap": (GAP,), "marked": brackets}.get(field, ())


def shown_once(value: Value) -> str:
    """No two records of a list look the same; only translations of one sentence on a screen may."""
    design = value["design"]
    places: dict[object, tuple[str, str]] = {}
    for task in value["layout"].tasks:
        for place, content in _records(value["design"], task):
            same = frozenset(
                (name, repr(text if isinstance(text, str) else sorted(option["value"] for option in text)))
                for name, text in content.items()
                if design.show[name] not in _BESIDES
            )
            before, key = places.setdefault((task.list, same), (task.items[place], task.key))
            together = design.lists.scheme == "rotated" and key == task.key
            if before != task.items[place] and not together:
                return (
                    f"found {task.items[place]} with the texts of {before} in list {task.list}, expected different ones"
                )
    return ""


def practice_apart(value: Value) -> str:
    """No sentence of practice is in a main task."""
    practice = {
        text: task.key
        for task in value["layout"].tasks
        if task.phase == "practice"
        for _, content in _records(value["design"], task)
        for text in _texts(value, content, _SENTENCES)
    }
    for task, _, content in _main(value):
        for text in _texts(value, content, _SENTENCES):
            if text in practice:
                return f"found the sentence of {practice[text]} in {task.key}, expected another one"
    return ""


def examples_apart(value: Value) -> str:
    """The instruction has no sentence of a main task."""
    instruction = unescape(value["layout"].study.instruction)
    for task, _, content in _main(value):
        for text in _texts(value, content, _SENTENCES):
            if len(text) >= _SENTENCE and text in instruction:
                return f"found the sentence of {task.key}, expected other examples"
    return ""


def gold_not_inferable(value: Value) -> str:
    """Nothing goes with the right answer in all main tasks: no text with a few values, no place of the right candidate."""
    if shows_answers(value["design"]):
        return ""
    answers: dict[str, list[tuple[str, str, str]]] = {}
    places = []
    for task, place, content in _main(value):
        gold, order, entity = task.gold[place], task.options[place], task.items[place].partition("/")[2]
        expected = str(gold) == entity if entity else gold
        for name, feature in content.items():
            answers.setdefault(name, []).append((repr(feature), repr(gold), repr(expected)))
        if gold in order and len(order) > 1:
            places.append(order.index(gold))
    for name, rows in answers.items():
        if len(rows) >= _TELLING and any(_tells({(feature, row[kind]) for feature, *row in rows}) for kind in (0, 1)):
            return f"found that {name} tells the answer in {plural(len(rows), 'record')}"
    if len(places) >= _TELLING and len(set(places)) == 1:
        return f"found the right candidate at place {places[0] + 1} in all {plural(len(places), 'record')}"
    return ""


def _tells(pairs: set[tuple[str, str]]) -> bool:
    """Return whether each of a few values goes with one answer, and not all with the same."""
    values, answers = {value for value, _ in pairs}, {answer for _, answer in pairs}
    return len(pairs) == len(values) <= _FEW and len(answers) > 1


def gold_unmarked(value: Value) -> str:
    """Nothing marks the right candidates of main tasks: no character that only they have, no sentence that names them again."""
    records = [] if shows_answers(value["design"]) else list(_choices(value))
    if len(records) < _MARKED:
        return ""
    common = set(records[0][0]).intersection(*(right for right, _, _ in records))
    common -= {character for _, wrong, _ in records for text in wrong for character in text}
    if common:
        return f"found {shown(min(common))} in all {plural(len(records), 'right candidate')} and in no other"
    if all(text.count(right) > max(map(text.count, wrong)) for right, wrong, text in records):
        return f"found the right candidate more often than others in all {plural(len(records), 'sentence')}"
    return ""


def _choices(value: Value) -> Iterator[tuple[str, list[str], str]]:
    """Yield of each main record that shows its candidates the right one, the others, and the sentence."""
    for task, place, content in _main(value):
        gold, order = task.gold[place], task.options[place]
        texts = list(_texts(value, content, ("candidates",)))
        if gold in order and len(texts) == len(order) > 1:
            right = texts.pop(order.index(gold))
            yield right, texts, " ".join(_texts(value, content, _SENTENCES))


def _all_texts(value: Value) -> Iterator[str]:
    """Yield all texts of a task, or those that all tasks share."""
    if "task" not in value:
        study = value["layout"].study
        yield from (study.title, *study.lists, study.instruction.translate(_LAYOUT), study.config.translate(_LAYOUT))
        return
    for _, content in _records(value["design"], value["task"]):
        for name, text in content.items():
            if not isinstance(text, str):
                yield from (option["value"] for option in text)
            else:
                yield text.translate(_LAYOUT) if value["design"].show[name] == "trace" else text


def _in_language(fields: tuple[str, ...], check: TextCheck) -> Check:
    """Return the check of the texts of a task that show these fields, in the language of the study."""

    def check_task(value: Value) -> str:
        texts = (
            text for _, content in _records(value["design"], value["task"]) for text in _texts(value, content, fields)
        )
        return check(texts, value["design"].lang)

    return check_task


def _of_task(check: Check) -> Check:
    """Return the check for the row of a designed task."""
    return described(check.__doc__ or "", lambda value: check(value) if value.get("task") else "")


def _of_texts(check: TextCheck, expectation: str) -> Check:
    """Return the check for all texts of a study or of a task."""
    return described(
        expectation, lambda value: check(_all_texts(value), "") if value.get("task") or "layout" in value else ""
    )


#: The checks of what raters read.
SHOWN: Mapping[str, Check] = {
    "instruction-present": rows_with("layout", instruction_present),
    "sentence-shown": _of_task(sentence_shown),
    "shown-once": rows_with("layout", shown_once),
    "practice-apart": rows_with("layout", practice_apart),
    "examples-apart": rows_with("layout", examples_apart),
    "gold-not-inferable": rows_with("layout", gold_not_inferable),
    "gold-unmarked": rows_with("layout", gold_unmarked),
    "no-invisible-character": _of_texts(check_invisible, "No invisible character."),
    "composed-unicode": _of_texts(check_composed, "Unicode's composed form (NFC)."),
    **{
        name: _of_task(described(expectation, _in_language(fields, check)))
        for name, expectation, fields, check in (
            ("single-blanks", "Single blanks, none at the ends.", _IN_LANGUAGE, check_blanks),
            ("full-width-marks", "Chinese has full-width marks and half-width letters.", _IN_LANGUAGE, check_marks),
            ("simplified-script", "Chinese is in simplified script.", _IN_LANGUAGE, check_script),
            ("closed-quotations", "Quotation marks and brackets close.", _IN_LANGUAGE, check_quotations),
            ("no-placeholder", "No placeholder is left.", _PLAIN, check_placeholders),
        )
    },
}


# --- the folder of a study --------------------------------------------------------------------------------------------

JUDGEMENTS = "judgements.jsonl"


def studies(paths: Sequence[Path]) -> list[Row]:
    """Return the rows of study folders.

    - The row of the study has the ``files`` of the folder, the object of study.json as ``study`` and, if its design can be laid out again,
      ``found`` and ``expected`` objects of study.json, the ``design`` and its ``layout``; else the ``reason``.
    - The row of a task has what `compare` finds, and the designed ``task`` (or None) with the ``design``, and the ids
      of the records without a target as ``untargeted``.
    - The row of the judgements, if the folder has some, has as ``judgements`` why they do not fit the study.

    Raises:
        PipelineError: a file is missing or is not JSON, or the study has no name.
    """
    return [row for path in paths for row in _study_rows(path)]


def _study_rows(folder: Path) -> Iterator[Row]:
    path, tasks = folder / "study.json", folder / "tasks.jsonl"
    study = _read_study(path)
    value: dict[str, Any] = {"study": study, "files": sorted(file.name for file in folder.iterdir())}
    rows: list[Row] = []
    try:
        design, layout = _laid_out_again(study, path)
    except (PipelineError, ValueError) as error:
        value["reason"] = error.reason if isinstance(error, PipelineError) else str(error)
    else:
        value |= {"design": design, "layout": layout}
        value |= {"found": study, "expected": to_object(layout.study)}
        rows = _task_rows(tasks, design, layout)
    yield Row(study["id"], path, 1, value)
    yield from rows
    yield from _judgements(folder)


def _read_study(path: Path) -> dict[str, Any]:
    try:
        study = from_json(read_text(path))
    except ValueError as error:
        raise PipelineError(path, 1, f"[json] not JSON; {error}") from error
    if not isinstance(study, dict) or not text_of(study, "id"):
        raise PipelineError(path, 1, "[id] missing field; expected the id of the study")
    return study


def _laid_out_again(study: Mapping[str, Any], path: Path) -> tuple[Design, Layout]:
    """Return the design in study.json and the layout that it gives.

    Raises:
        PipelineError, ValueError: the design is missing or malformed, or no study can be laid out from it.
    """
    design, snapshot = read_snapshot(study, path)
    check_design(design)
    lists = study.get("lists")
    number = len(snapshot.selected) if design.lists.scheme == "raters" else design.lists.projects
    if not isinstance(lists, list) or len(lists) != number:
        raise ValueError(f"[lists] found {shown(lists)}, expected {number} lists")
    return design, lay_out(design, snapshot)


def _task_rows(path: Path, design: Design, layout: Layout) -> list[Row]:
    designed = {task.key: task for task in layout.tasks}
    expected = [to_object(task) for task in layout.tasks]
    records = (record for members in layout.lists.values() for record in members)
    untargeted = {record.id for record in records if record.item.target is None}
    value = {"design": design, "untargeted": sorted(untargeted)}
    return [
        Row(row.id, path, row.line, {**row.value, **value, "task": designed.get(row.id)})
        for row in compare(Derived(path.name, path, expected, key=partial(text_of, field="key")))
    ]


def _judgements(folder: Path) -> Iterator[Row]:
    """Yield the row of the judgements that were pulled into the folder."""
    path = folder / JUDGEMENTS
    if not path.exists():
        return
    line, reason = 1, ""
    try:
        study, tasks = read_study(folder)
        read_answers(path, study, tasks)
        judgements = numbered_judgements(path)
        for line, judgement in judgements:
            if not PSEUDONYM.fullmatch(judgement.rater):
                expected = "expected a pseudonym such as r-0a1b2c, as annotate pull makes them"
                raise PipelineError(path, line, f"[rater] found {shown(judgement.rater)}, {expected}")
        before = [judgement for _, judgement in judgements]
        cleared = clear_remarks(study, tasks, before, read_remarks(folder / REMARKS), before)
        for (line, judgement), clear in zip(judgements, cleared.judgements, strict=True):
            if judgement.answers != clear.answers:
                expected = f"expected none, or a yes in {REMARKS}: run annotate pull again"
                raise PipelineError(path, line, f"[answers] found personal data in a remark, {expected}")
        line = 1
    except PipelineError as error:
        line, reason = (error.line or 1, error.reason) if error.path == path else (1, str(error))
    yield Row(JUDGEMENTS, path, line, {"judgements": reason})


# --- the folder against its design ------------------------------------------------------------------------------------

#: What the commands of `annotate` write into the folder of a study or of an export.
_FILES = (
    *("study.json", "tasks.jsonl", JUDGEMENTS, REMARKS),
    *("figures.json", "items.tsv", "index.html", "report", "export"),
)


def known_files(value: Value) -> str:
    """The folder has no other files than those that design, pull and agree write."""
    unknown = [name for name in value["files"] if name not in _FILES]
    return f"found {shown(unknown[0])}, expected only {', '.join(_FILES)}" if unknown else ""


def unedited(value: Value) -> str:
    """Nobody edited study.json: it has the checksum that annotate design wrote."""
    design = value["study"].get("design")
    written = design.get("sha256") if isinstance(design, dict) else None
    expected = checksum(value["study"])
    reason = f"found {shown(written)}, expected {shown(expected)} of what the file holds"
    return "" if written == expected else f"edited by hand; {reason}: edit the design and run annotate design"


def laid_out_again(value: Value) -> str:
    """The design in study.json gives a study."""
    return f"cannot be laid out again; {value['reason']}: run annotate design" if "reason" in value else ""


def study_as_designed(value: Value) -> str:
    """What all tasks share follows from the design: title, instruction, config, controls, lists, criteria for raters."""
    if "layout" not in value:
        return ""
    return difference(
        {
            side: {name: content for name, content in value[side].items() if name != "design"}
            for side in ("found", "expected")
        }
    )


def judgements_fit(value: Value) -> str:
    """Judgements in the folder are answers to its tasks, under pseudonyms and without personal data."""
    return str(value["judgements"])


#: The checks of the folder against its design.
_DESIGNED: Mapping[str, Check] = {
    "known-files": rows_with("files", known_files),
    "unedited": rows_with("files", unedited),
    "laid-out-again": rows_with("files", laid_out_again),
    "study-as-designed": rows_with("files", study_as_designed),
    "task-as-designed": rows_with("task", described(
        "The lists have the designed tasks, in their order, each with what was designed of its records.", difference
    )),
    "judgements-fit": rows_with("judgements", judgements_fit),
}  # fmt: skip

STUDY = Suite(
    "study",
    "studies to be pushed (build/annotation/STUDY)",
    studies,
    {**_DESIGNED, **SHOWN},
    may_be_empty=True,
)
