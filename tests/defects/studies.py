"""Defects of study folders."""

import json
from collections.abc import Callable

from pipeline.core.files import to_json

from .defect import Change, Damage, Defect, Files, Row, Rows, drop, put, without

#: Main tasks of the first and the second list; each list starts with ten practice tasks.
FIRST, SECOND = slice(10, 20), slice(30, 40)
LIST, TASK = "upper-bound/1", "upper-bound/1/013"
#: The row of `TASK`.
AT = 12


def tasks(change: Callable[[Rows], Rows]) -> Damage:
    """Return the damage that changes the tasks."""

    def damage(files: Files) -> Files:
        rows = change([json.loads(line) for line in files["tasks.jsonl"].decode().splitlines()])
        return files | {"tasks.jsonl": "".join(f"{to_json(row)}\n" for row in rows).encode()}

    return damage


def task(*changes: Change) -> Damage:
    """Return the damage that changes one main task."""

    def changed(rows: Rows) -> Rows:
        for change in changes:
            change(rows[AT])
        return rows

    return tasks(changed)


def study(change: Change) -> Damage:
    """Return the damage that changes study.json."""

    def damage(files: Files) -> Files:
        content = json.loads(files["study.json"])
        change(content)
        return files | {"study.json": f"{to_json(content)}\n".encode()}

    return damage


def both(first: Damage, second: Damage) -> Damage:
    """Return the two damages combined."""
    return lambda files: second(first(files))


def data(**fields: object) -> Change:
    """Return the change that sets fields of a task's data."""
    return lambda row: put(**fields)(row["data"])


def config(old: str, new: str) -> Damage:
    """Return the damage that edits the labelling config."""

    def change(row: Row) -> None:
        assert old in row["config"]
        row["config"] = row["config"].replace(old, new)

    return study(change)


def of_list(place: slice, change: Callable[[Rows], object]) -> Damage:
    """Return the damage that changes the main tasks of a list."""

    def changed(rows: Rows) -> Rows:
        part = rows[place]
        change(part)
        return [*rows[: place.start], *part, *rows[place.stop :]]

    return tasks(changed)


def mate_beside(rows: Rows) -> None:
    """Ask about the other member of the next task's schema."""
    name = rows[3]["items"][0]
    rows[2]["items"] = [name[:-1] + {"a": "b", "b": "a"}[name[-1]]]


def same_record(rows: Rows) -> Rows:
    """Ask in the third list about a record of the first; the second is the mirrored twin of that."""
    rows[SECOND.start + 22]["items"] = rows[AT]["items"]
    return rows


def answer_shown(row: Row) -> None:
    """Name the answer in a field that only practice tasks fill."""
    row["data"]["explanation"] = row["data"]["options"][row["options"][0].index(row["gold"][0])]["value"]


def one_option_twice(row: Row) -> None:
    """Show one candidate twice."""
    row["data"]["options"] = row["data"]["options"][:1] * 2


def practice_last(rows: Rows) -> Rows:
    """Let the first list end with a practice task."""
    rows[FIRST.stop - 1]["phase"] = "practice"
    return rows


def all_the_same(rows: Rows) -> None:
    """Let the first candidate be the answer of every task."""
    for row in rows:
        row["gold"] = [0]


def study_defect(name: str, expectation: str, damage: Damage, reported_id: str) -> Defect:
    """Return a defect that is reported under the id of the study, a list or a task."""
    return Defect(name, "study", expectation, damage, reported_id=reported_id)


STUDIES: tuple[Defect, ...] = (
    study_defect("study-without-instruction", "instruction-present", study(put(instruction=" \n")), "upper-bound"),
    study_defect("study-that-lacks-a-list", "lists-match-tasks", study(put(lists=["1", "2", "3"])), "upper-bound"),
    study_defect(
        "config-with-another-control", "config-fits", config('name="reference"', 'name="referent"'), "upper-bound"
    ),
    study_defect(
        "config-that-shows-what-is-not-there", "config-fits", config('value="$text', 'value="$sentence'), "upper-bound"
    ),
    study_defect("config-cut-short", "config-fits", config("</View>", ""), "upper-bound"),
    study_defect("tasks-out-of-order", "in-order", of_list(FIRST, lambda rows: rows.reverse()), LIST),
    study_defect("practice-at-the-end", "in-order", tasks(practice_last), LIST),
    study_defect(
        "record-asked-about-twice",
        "asked-once",
        of_list(FIRST, lambda rows: put(items=rows[3]["items"])(rows[2])),
        LIST,
    ),
    study_defect("members-in-one-list", "pairs-apart", of_list(FIRST, mate_beside), LIST),
    study_defect(
        "members-side-by-side",
        "members-spaced",
        both(study(lambda row: row["layout"].update(scheme="all", apart=2)), of_list(FIRST, mate_beside)),
        LIST,
    ),
    study_defect("ten-right-answers-alike", "short-runs", of_list(FIRST, all_the_same), LIST),
    study_defect("list-one-short", "list-size", tasks(drop(FIRST.stop - 1)), LIST),
    study_defect("list-with-one-answer", "equal-shares", of_list(FIRST, all_the_same), "upper-bound"),
    study_defect("record-in-two-lists", "in-one-list", tasks(same_record), "upper-bound"),
    study_defect("task-with-another-field", "contract", task(put(note="")), TASK),
    study_defect("task-without-phase", "contract", task(without("phase")), TASK),
    study_defect("task-moved", "key-matches-place", task(put(position=14)), TASK),
    study_defect("task-under-another-key", "key-matches-place", task(data(task="upper-bound/1/014")), TASK),
    study_defect("task-of-another-study", "key-matches-place", task(data(study="naturalness")), TASK),
    study_defect("task-with-two-answers", "full-screen", task(put(gold=[0, 1])), TASK),
    study_defect("task-without-record", "full-screen", task(put(items=[])), TASK),
    study_defect("candidate-shown-twice", "options-are-candidates", task(put(options=[[0, 0]])), TASK),
    study_defect("answer-that-is-not-shown", "options-are-candidates", task(put(gold=[2])), TASK),
    study_defect("options-that-read-the-same", "options-shown", task(one_option_twice), TASK),
    study_defect("option-without-text", "options-shown", task(data(options=[{"value": ""}, {"value": "她"}])), TASK),
    study_defect("answer-told-to-the-rater", "gold-hidden", task(answer_shown), TASK),
    study_defect("field-that-one-task-lacks", "same-fields", task(lambda row: row["data"].pop("explanation")), TASK),
    study_defect("field-that-is-a-number", "plain-data", task(data(text=5)), TASK),
    study_defect("task-twice", "unique-id", tasks(lambda rows: [*rows, rows[AT]]), TASK),
)
