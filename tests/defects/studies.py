"""Defects of study folders."""

import json
from collections.abc import Callable

from pipeline.core.files import to_json

from .defect import Change, Damage, Defect, Files, Row, Rows, drop, put, without

#: The first list of the artifact: ten tasks of practice, then ten main ones; the second begins behind them.
FIRST, SECOND = slice(10, 20), slice(30, 40)
LIST, TASK = "upper-bound/1", "upper-bound/1/013"
#: The row of `TASK`.
AT = 12


def tasks(change: Callable[[Rows], Rows]) -> Damage:
    """Return the damage of the tasks."""

    def damage(files: Files) -> Files:
        rows = change([json.loads(line) for line in files["tasks.jsonl"].decode().splitlines()])
        return files | {"tasks.jsonl": "".join(f"{to_json(row)}\n" for row in rows).encode()}

    return damage


def task(*changes: Change) -> Damage:
    """Return the damage of one main task."""

    def changed(rows: Rows) -> Rows:
        for change in changes:
            change(rows[AT])
        return rows

    return tasks(changed)


def study(change: Change) -> Damage:
    """Return the damage of what tasks share."""

    def damage(files: Files) -> Files:
        told = json.loads(files["study.json"])
        change(told)
        return files | {"study.json": f"{to_json(told)}\n".encode()}

    return damage


def both(one: Damage, other: Damage) -> Damage:
    """Return the damage of both."""
    return lambda files: other(one(files))


def told(**fields: object) -> Change:
    """Return the change of what the server is told."""
    return lambda row: put(**fields)(row["data"])


def config(old: str, new: str) -> Damage:
    """Return the damage of the labelling config."""

    def change(row: Row) -> None:
        assert old in row["config"]
        row["config"] = row["config"].replace(old, new)

    return study(change)


def of_list(place: slice, change: Callable[[Rows], object]) -> Damage:
    """Return the damage of the main tasks of a list."""

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
    """Ask in the second list about a record of the first."""
    rows[SECOND.start + 2]["items"] = rows[AT]["items"]
    return rows


def answer_told(row: Row) -> None:
    """Tell the right candidate in a field that explains it only in practice."""
    row["data"]["explanation"] = row["data"]["options"][row["options"][0].index(row["gold"][0])]["value"]


def one_option_twice(row: Row) -> None:
    """Show one candidate as both."""
    row["data"]["options"] = row["data"]["options"][:1] * 2


def practice_last(rows: Rows) -> Rows:
    """Let the first list end with a task of practice."""
    rows[FIRST.stop - 1]["phase"] = "practice"
    return rows


def all_the_same(rows: Rows) -> None:
    """Let the first candidate be right throughout."""
    for row in rows:
        row["gold"] = [0]


def found(name: str, expectation: str, damage: Damage, where: str) -> Defect:
    """Return a defect of a study that is reported under the id of the study, a list or a task."""
    return Defect(name, "study", expectation, damage, told=where)


STUDIES: tuple[Defect, ...] = (
    found("study-without-instruction", "instruction-present", study(put(instruction=" \n")), "upper-bound"),
    found("study-that-lacks-a-list", "lists-match-tasks", study(put(lists=["1", "2", "3"])), "upper-bound"),
    found("config-with-another-control", "config-fits", config('name="reference"', 'name="referent"'), "upper-bound"),
    found(
        "config-that-shows-what-is-not-there", "config-fits", config('value="$text', 'value="$sentence'), "upper-bound"
    ),
    found("config-cut-short", "config-fits", config("</View>", ""), "upper-bound"),
    found("tasks-out-of-order", "in-order", of_list(FIRST, lambda rows: rows.reverse()), LIST),
    found("practice-at-the-end", "in-order", tasks(practice_last), LIST),
    found(
        "record-asked-about-twice",
        "asked-once",
        of_list(FIRST, lambda rows: put(items=rows[3]["items"])(rows[2])),
        LIST,
    ),
    found("members-in-one-list", "pairs-apart", of_list(FIRST, mate_beside), LIST),
    found(
        "members-side-by-side",
        "members-spaced",
        both(study(lambda row: row["layout"].update(scheme="all", apart=2)), of_list(FIRST, mate_beside)),
        LIST,
    ),
    found("ten-right-answers-alike", "short-runs", of_list(FIRST, all_the_same), LIST),
    found("list-one-short", "list-size", tasks(drop(FIRST.stop - 1)), LIST),
    found("list-with-one-answer", "equal-shares", of_list(FIRST, all_the_same), "upper-bound"),
    found("record-in-two-lists", "in-one-list", tasks(same_record), "upper-bound"),
    found("task-with-another-field", "contract", task(put(note="")), TASK),
    found("task-without-phase", "contract", task(without("phase")), TASK),
    found("task-moved", "key-matches-place", task(put(position=14)), TASK),
    found("task-under-another-key", "key-matches-place", task(told(task="upper-bound/1/014")), TASK),
    found("task-of-another-study", "key-matches-place", task(told(study="naturalness")), TASK),
    found("task-with-two-answers", "full-screen", task(put(gold=[0, 1])), TASK),
    found("task-without-record", "full-screen", task(put(items=[])), TASK),
    found("candidate-shown-twice", "options-are-candidates", task(put(options=[[0, 0]])), TASK),
    found("answer-that-is-not-shown", "options-are-candidates", task(put(gold=[2])), TASK),
    found("options-that-read-the-same", "options-shown", task(one_option_twice), TASK),
    found("option-without-text", "options-shown", task(told(options=[{"value": ""}, {"value": "她"}])), TASK),
    found("answer-told-to-the-rater", "gold-hidden", task(answer_told), TASK),
    found("field-that-one-task-lacks", "same-fields", task(lambda row: row["data"].pop("explanation")), TASK),
    found("field-that-is-a-number", "same-fields", task(told(text=5)), TASK),
    found("task-twice", "unique-id", tasks(lambda rows: [*rows, rows[AT]]), TASK),
)
