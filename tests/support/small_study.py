"""A study of two small lists, and what raters submit."""

from typing import Any

from pipeline.studies.model.design import Control
from pipeline.studies.model.study import Study, Task

CONFIG = """<View>
  <Text name="text" value="$text"/>
  <Choices name="reference" toName="text" value="$options" choice="single" required="true"/>
  <Choices name="naturalness" toName="text" choice="single" required="true">
    <Choice value="1"/><Choice value="2"/><Choice value="3"/><Choice value="4"/><Choice value="5"/>
  </Choices>
  <Choices name="verdict" toName="text" choice="single">
    <Choice value="留下" alias="keep"/><Choice value="删去" alias="drop"/>
  </Choices>
  <TextArea name="comment" toName="text"/>
</View>
"""
CONTROLS = (
    Control("reference", "candidate"),
    Control("naturalness", "rating"),
    Control("verdict", "choice", required=False, choices=("keep", "drop")),
    Control("comment", "text", required=False),
)
PEOPLE = (("老周", "小何"), ("奶奶", "孙女"), ("站长", "邮差"))


def study(name: str = "umbrellas", lists: tuple[str, ...] = ("1", "2")) -> Study:
    return Study(name, "伞与雨", "zh", 1, CONTROLS, lists, "<p>请读每一句，再选 Ø 指谁。</p>", CONFIG)


def tasks_of(shared: Study, size: int = 4) -> list[Task]:
    """`size` tasks for each list, the first for practice; every second task shows its candidates in the other order."""
    return [_task(shared, name, position) for name in shared.lists for position in range(1, size + 1)]


def _task(shared: Study, name: str, position: int) -> Task:
    key = f"{shared.id}/{name}/{position:03}"
    options = (0, 1) if position % 2 else (1, 0)
    people = PEOPLE[position % len(PEOPLE)]
    data: dict[str, Any] = {
        "study": shared.id,
        "task": key,
        "text": f"{people[0]}把伞交给{people[1]}，因为Ø要出门  <b>第 {position} 次</b>。",
        "options": [{"value": people[number]} for number in options],
    }
    phase = "practice" if position == 1 else "main"
    return Task(key, name, position, phase, (f"{name}-{position:03}",), (options,), (0,), data)


def choices(name: str, value: str) -> dict[str, Any]:
    return {"id": name, "from_name": name, "to_name": "text", "type": "choices", "value": {"choices": [value]}}


def rating(value: Any, name: str = "naturalness") -> dict[str, Any]:
    return choices(name, str(value))


def comment(*values: str) -> dict[str, Any]:
    of_box = {"id": "c", "from_name": "comment", "to_name": "text", "type": "textarea"}
    return of_box | {"value": {"text": list(values)}}


def sent(task: Task, candidate: int, stars: int) -> list[dict[str, Any]]:
    """What the page submits for a candidate, by its text, and a rating."""
    shown = task.data["options"][task.options[0].index(candidate)]["value"]
    return [choices("reference", shown), rating(stars)]
