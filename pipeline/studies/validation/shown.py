"""Checks of what the tasks of a list, or of all lists, show together: no sentence twice, and nothing that tells the answers."""

from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any

from ...core.errors import plural, shown
from ...core.validation.rows import list_of, text_of
from ...core.validation.suite import Check, Value, rows_with
from ..design.fields import FIELDS
from ..design.layout import RESERVED
from .lists import expected_answer
from .rows import data_name, data_of, layout_of, names_of, screen_of, shows_of

#: The fields of a record that show its sentence.
_SENTENCES = ("text", "text_zero", "text_dropped", "marked", "blanked", "gap", "oracle")
#: The fields that two records may share although their sentences differ, or that only practice has.
_BESIDES = ("explanation", "right", "wrong", "own", "doubt", "rule", "class", "message")
#: Minimum length of a text that counts as a sentence in the instruction.
_SENTENCE = 6
#: Minimum number of main tasks in which something must go with the answer: in fewer it may be chance.
_TELLING = 20
#: The same for a field that was not designed.
_TELLING_IF_STRAY = 4
#: Minimum number of main records of which all right candidates must be marked.
_MARKED = 10
#: Stands for the order of the fields among what may tell the answer.
_ORDER = "the order of the fields"
#: Maximum number of values that something which tells the answer has.
_FEW = 4


def _records(study: Mapping[str, Any], task: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the id of each record on the screen, with what is shown of it by name; of an unknown design all of a task."""
    screen, data = screen_of(study), data_of(task)
    for number, item in enumerate(list_of(task, "items", str)[:screen]):
        names = shows_of(study) or [name for name in data if name not in RESERVED]
        yield item, {name: data.get(data_name(name, number, screen)) for name in names}


def _sentences(study: Mapping[str, Any], task: Mapping[str, Any]) -> Iterator[str]:
    """Yield the sentences that a task shows."""
    shows = shows_of(study)
    for _, content in _records(study, task):
        yield from (text for name, text in content.items() if shows.get(name) in _SENTENCES and isinstance(text, str))


def _same_when_equal(study: Mapping[str, Any], content: Mapping[str, Any]) -> object:
    """Return what is equal for two records that look the same to a rater, in whatever order the candidates are."""
    shows = shows_of(study)
    return frozenset(
        (name, repr(sorted(repr(_text_shown(option)) for option in seen) if isinstance(seen, list) else seen))
        for name, seen in content.items()
        if shows.get(name) not in _BESIDES
    )


def _text_shown(option: object) -> object:
    """Return the text of an option, without its key and its mark."""
    return option.get("value") if isinstance(option, dict) else option


def shown_once(value: Value) -> str:
    """No two records of a list look the same; only translations of one sentence on a screen may."""
    places: dict[object, tuple[str, int]] = {}
    together = layout_of(value["study"]).get("scheme") == "rotated"
    for screen, task in enumerate(value["list"]):
        for item, content in _records(value["study"], task):
            before, number = places.setdefault(_same_when_equal(value["study"], content), (item, screen))
            if content and before != item and not (together and number == screen):
                return f"found {item} with the texts of {before}, expected different ones"
    return ""


def practice_apart(value: Value) -> str:
    """No sentence of practice is in a main task."""
    study = value["study"]
    phases: dict[str, list[tuple[str, str]]] = {"practice": [], "main": []}
    for task in value["list"]:
        for text in _sentences(study, task):
            phases.setdefault("practice" if task.get("phase") == "practice" else "main", []).append(
                (text, text_of(task, "key"))
            )
    practice = dict(phases["practice"])
    for text, key in phases["main"]:
        if text in practice:
            return f"found the sentence of {practice[text]} in {key}, expected another one"
    return ""


def right_option_moves(value: Value) -> str:
    """The right candidate is at the same place in no more main records in a row than the design allows."""
    run = layout_of(value["study"]).get("run")
    length, before = 0, None
    for item, order, gold in _main_orders(value["list"]):
        place = order.index(gold) if gold in order else None
        length = length + 1 if place is not None and place == before else 1
        before = place
        if isinstance(run, int) and len(order) > 1 and 0 < run < length:
            return f"found {plural(length, 'record')} in a row up to {item}, expected {run} at most"
    return ""


def examples_apart(value: Value) -> str:
    """The instruction has no sentence of a main task."""
    instruction = unescape(text_of(value["study"], "instruction"))
    for task in _main_tasks(value):
        for text in _sentences(value["study"], task):
            if len(text) >= _SENTENCE and text in instruction:
                return f"found the sentence of {text_of(task, 'key')}, expected other examples"
    return ""


def gold_not_inferable(value: Value) -> str:
    """Nothing goes with the right answer in all main tasks: no text with a few values, no order of fields, no place."""
    if value["study"].get("told") is True:
        return ""
    designed = (*names_of(value["study"], *FIELDS), *shows_of(value["study"]), _ORDER)
    answers: dict[str, list[tuple[str, str, str]]] = {}
    places = []
    for task in _main_tasks(value):
        golds = list_of(task, "gold", object)
        stray = {name: text for name, text in data_of(task).items() if name not in (*RESERVED, *designed)}
        for (item, content), gold in zip(_records(value["study"], task), golds, strict=False):
            for name, feature in {**content, **stray, _ORDER: tuple(data_of(task))}.items():
                row = repr(feature), repr(gold), repr(expected_answer(item, gold))
                answers.setdefault(name, []).append(row)
        places += [order.index(gold) for _, order, gold in _main_orders([task]) if gold in order and len(order) > 1]
    for name, rows in answers.items():
        enough = len(rows) >= (_TELLING if name in designed else _TELLING_IF_STRAY)
        if enough and any(_tells({(feature, row[kind]) for feature, *row in rows}) for kind in (0, 1)):
            return f"found that {name} tells the answer in {plural(len(rows), 'record')}"
    if len(places) >= _TELLING and len(set(places)) == 1:
        return f"found the right candidate at place {places[0] + 1} in all {plural(len(places), 'record')}"
    return ""


def gold_unmarked(value: Value) -> str:
    """Nothing marks the right candidates of main tasks: no character that only they have, no sentence that names them again."""
    records = [] if value["study"].get("told") is True else list(_choices(value))
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
    study = value["study"]
    for task in _main_tasks(value):
        for (_, content), (_, order, gold) in zip(_records(study, task), _main_orders([task]), strict=False):
            for options in (name for name, field in shows_of(study).items() if field == "candidates"):
                texts = [text_of(option, "value") for option in list_of(content, options, dict)]
                if len(texts) == len(order) > 1 and gold in order:
                    right = texts.pop(order.index(gold))
                    names = [name for name, field in shows_of(study).items() if field in _SENTENCES]
                    yield right, texts, " ".join(text_of(content, name) for name in names)


def _tells(pairs: set[tuple[str, str]]) -> bool:
    """Return whether each of a few values goes with one answer, and not all with the same."""
    values, answers = {value for value, _ in pairs}, {answer for _, answer in pairs}
    return len(pairs) == len(values) <= _FEW and len(answers) > 1


def _main_tasks(value: Value) -> list[Mapping[str, Any]]:
    return [task for tasks in value["lists"].values() for task in tasks if task.get("phase") == "main"]


def _main_orders(tasks: list[Mapping[str, Any]]) -> Iterator[tuple[str, list[Any], Any]]:
    """Yield for each main record its id, the order of its candidates, and the right one."""
    for task in tasks:
        if task.get("phase") == "main":
            columns = (list_of(task, "items", str), list_of(task, "options", list), list_of(task, "gold", object))
            yield from zip(*columns, strict=False)


#: The checks of what is shown together.
SHOWN: Mapping[str, Check] = {
    "shown-once": rows_with("list", shown_once),
    "practice-apart": rows_with("list", practice_apart),
    "right-option-moves": rows_with("list", right_option_moves),
    "examples-apart": rows_with("lists", examples_apart),
    "gold-not-inferable": rows_with("lists", gold_not_inferable),
    "gold-unmarked": rows_with("lists", gold_unmarked),
}
