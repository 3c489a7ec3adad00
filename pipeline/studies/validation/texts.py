"""Checks of the texts of a study: those of any text that a person reads."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...core.validation.rows import list_of, text_of
from ...core.validation.suite import Check, Value, described
from ...language.text_checks import (
    check_blanks,
    check_composed,
    check_invisible,
    check_marks,
    check_placeholders,
    check_quotations,
    check_script,
)
from ..design.fields import FORM_PARTS
from .rows import data_of, names_of

#: The fields of a record that are in the language of the study, and may have no marks of ours.
_PLAIN = (
    "text",
    "text_zero",
    "text_dropped",
    "question",
    "entity",
    "hypothesis",
    "candidates",
    "explanation",
    "right",
    "wrong",
    "own",
    *FORM_PARTS,
)
#: The fields in the language of the study.
_IN_LANGUAGE = (*_PLAIN, "marked", "blanked", "gap", "pronoun", "context", "oracle")


def _all_texts(value: Value) -> Iterator[str]:
    """Yield all texts of a task, or of study.json; lines of a guideline and a config end visibly."""
    if "task" in value:
        task = value["task"]
        yield from (text_of(task, "key"), text_of(task, "list"), *list_of(task, "items", str))
        yield from data_of(task)
        traces = set(names_of(value["study"], "trace"))
        yield from _texts(task, *(name for name in data_of(task) if name not in traces))
        yield from (text.translate(_LAYOUT) for text in _texts(task, *traces))
    elif "lists" in value:
        study = value["study"]
        yield from (text_of(study, "title"), *list_of(study, "lists", str))
        yield from (text_of(study, name).translate(_LAYOUT) for name in ("instruction", "config"))


#: Line feeds and tabs lay out a guideline, a config and what a system wrote.
_LAYOUT = str.maketrans("\n\t", "  ")


def _texts(task: Mapping[str, Any], *names: str) -> Iterator[str]:
    """Yield the texts in some data of a task, those of options among them."""
    for name in names:
        if text := text_of(data_of(task), name):
            yield text
        yield from (text_of(option, "value") for option in list_of(data_of(task), name, dict))


def _in_language(fields: tuple[str, ...], check: Callable[[Iterator[str], str], str]) -> Check:
    """Return the check of the texts of a task that show these fields, in the language of the study."""

    def check_task(value: Value) -> str:
        if "task" not in value:
            return ""
        texts = _texts(value["task"], *names_of(value["study"], *fields))
        return check(texts, text_of(value["study"], "lang"))

    return check_task


#: The checks of texts.
TEXTS: Mapping[str, Check] = {
    "no-invisible-character": described("No invisible character.", lambda value: check_invisible(_all_texts(value))),
    "composed-unicode": described("Unicode's composed form (NFC).", lambda value: check_composed(_all_texts(value))),
    "single-blanks": described("Single blanks, none at the ends.", _in_language(_IN_LANGUAGE, check_blanks)),
    "full-width-marks": described(
        "Chinese has full-width marks and half-width letters.", _in_language(_IN_LANGUAGE, check_marks)
    ),
    "simplified-script": described("Chinese is in simplified script.", _in_language(_IN_LANGUAGE, check_script)),
    "closed-quotations": described(
        "Quotation marks and brackets close.", _in_language(_IN_LANGUAGE, lambda texts, _: check_quotations(texts))
    ),
    "no-placeholder": described(
        "No placeholder is left.", _in_language(_PLAIN, lambda texts, _: check_placeholders(texts))
    ),
}
