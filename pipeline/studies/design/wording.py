"""Compare what a task showed of an item with the item as it is now."""

from ..model.answers import shown_fields
from ..model.study import Study, Task
from .fields import StudyRecord, field_value, record_texts

#: The fields that raters answer about: the text in each of its forms, the question.
WORDS = frozenset({"text", "text_zero", "text_dropped", "marked", "blanked", "gap", "question"})


def shows_as_is(study: Study, task: Task, place: int, record: StudyRecord) -> bool:
    """Return whether a task shows the text and the question of a record as they are now.

    Args:
        study: the study of the task.
        task: the task.
        place: the place of the record on its screen, from 0.
        record: the record as it is now.
    """
    shown = shown_fields(study, task, place)
    show = (study.design or {}).get("show")
    words = {name: field for name, field in show.items() if field in WORDS} if isinstance(show, dict) else {}
    if words:
        return all(
            shown.get(name) == field_value(field, record, (), show_answer=False) for name, field in words.items()
        )
    return not record_texts(record.item).isdisjoint(value for value in shown.values() if isinstance(value, str))
