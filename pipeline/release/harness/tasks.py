"""Make the files of a release for lm-evaluation-harness: a YAML file for each task, and the Python file that they name."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from ...core.convert import read_yaml
from ...core.files import json_lines, read_bytes, to_json
from ...core.model import Item
from ...core.pages import render_card
from ...evaluation.cloze.items import ClozeItem
from ...evaluation.folder import Kind
from ...language.text_checks import has_words
from ...winograd.forms.substitution import scoring

#: Folder of a release for lm-evaluation-harness, and the Python file in it.
FOLDER, HELPER = "lm_eval", "utils.py"
#: The scoring data of templates and of cloze items; those of a collection are one of its forms.
OWN_SCORING = "scoring.jsonl"
_LETTERS = '["A", "B"]'
_OPTIONS = "A. {{options[0]}}\nB. {{options[1]}}\n"
#: The same where items have more options than two, or not all as many.
_SOME_LETTERS = to_json("{{'ABCDEFGHIJ'[:options|length]|list}}")
_SOME_OPTIONS = "{% for option in options %}{{'ABCDEFGHIJ'[loop.index0]}}. {{option}}\n{% endfor %}"
#: The question of an item that has none names the anaphor.
_PRONOUN = "' ~ pronoun ~ '"


class _Task(msgspec.Struct, frozen=True):
    what: str
    loader: Literal["multiple_choice", "paired", "scoring"]
    arguments: Mapping[str, str | bool]
    fields: Mapping[str, str] = {}


class _Tables(msgspec.Struct, frozen=True):
    tasks: Mapping[str, Mapping[str, _Task]]
    prompts: Mapping[str, str]


@cache
def _tables() -> _Tables:
    return read_yaml(Path(__file__).with_name("tasks.yaml"), _Tables)


def tasks_of(kind: str) -> dict[str, str]:
    """Return the tasks of a kind of release, with what each measures; of items without genders those of ``sentences``."""
    tasks = {}
    for name, task in _tables().tasks.get(kind, {}).items():
        tasks[name] = task.what
        if task.loader == "multiple_choice":
            tasks[f"{name}_swapped"] = "the same with the options swapped"
    return tasks


def task_prefix(name: str) -> str:
    """Return what the names of a release's tasks begin with, which is also the tag of all of them.

    >>> task_prefix("zh"), task_prefix("our items")
    ('winoforge_zh', 'winoforge_our_items')
    """
    return "winoforge_" + re.sub(r"\W", "_", name)


def files_of_collection(name: str, language: str, options: int = 2) -> dict[str, bytes]:
    """Return the files for lm-evaluation-harness in a release of zero forms, by their names in the release.

    The prompts are Chinese for Chinese items, else English; `options` is the greatest number of candidates of an item.
    """
    return dict(_files(name, "collection", "zh" if language.split("-")[0] == "zh" else "en", options))


def files_of_templates(name: str, items: Iterable[Item], canary: str) -> dict[str, bytes]:
    """Return the files for lm-evaluation-harness in a release of sentences of templates, by their names in the release.

    Sentences that differ in their pronoun alone are the same with a candidate in its place: only the first of them is scored, and
    ``items`` of its rows names all.
    """
    rows: dict[str, list[Mapping[str, Any]]] = {}
    for row in scoring(items).rows:
        rows.setdefault(row["item"], []).append(row)
    names: dict[object, list[str]] = {}
    for item, group in rows.items():
        names.setdefault(tuple((row["context"], row["continuation"]) for row in group), []).append(item)
    distinct = [{**row, "items": items, "canary": canary} for items in names.values() for row in rows[items[0]]]
    return {**dict(_files(name, "templates", "en")), f"{FOLDER}/{OWN_SCORING}": json_lines(distinct)}


def files_of_cloze(name: str, items: Sequence[ClozeItem], canary: str) -> dict[str, bytes]:
    """Return the files for lm-evaluation-harness in a release of cloze items, by their names in the release.

    Each pronoun of the language is an option of the scoring tasks, with a capital if the right one has it: first those of the antecedents
    in their order, so that an option is the candidate of that place, then the one that names neither.
    """
    scored = []
    for item in items:
        pronouns = item.classes.pronouns
        of_antecedents = [pronouns[antecedent.gender] for antecedent in item.antecedents]
        for pronoun in dict.fromkeys([*of_antecedents, *pronouns.values()]):
            filler = item.as_written(pronoun)
            scored.append(
                {
                    "item": item.id,
                    "schema": item.schema,
                    "context": item.left + filler,
                    "continuation": item.right,
                    "correct": filler == item.pronoun,
                    "partial": has_words(item.right),
                    "canary": canary,
                }
            )
    return _own_tasks(name, {item.lang for item in items}, "cloze", scored)


def files_of_sentences(name: str, items: Sequence[Item], canary: str) -> dict[str, bytes]:
    """Return the files for lm-evaluation-harness in a release of items in a language without zeros, by their names in the release."""
    scored = [{**row, "canary": canary} for row in scoring(items).rows]
    return _own_tasks(name, {item.lang for item in items}, "sentences", scored)


def _own_tasks(name: str, languages: set[str], kind: str, scored: Sequence[Mapping[str, Any]]) -> dict[str, bytes]:
    """Return the tasks of items without zeros, which have their scoring data beside them."""
    files = dict(_files(name, kind, "de" if languages <= {"de"} else "en"))
    return {**files, f"{FOLDER}/{OWN_SCORING}": json_lines(scored)}


def file_names(kind: Kind) -> list[str]:
    """Return the names of the files for lm-evaluation-harness in a release."""
    if not tasks_of(kind):
        return []
    data = [] if kind == "collection" else [OWN_SCORING]
    return [f"{FOLDER}/{name}" for name in (*(f"{task}.yaml" for task in tasks_of(kind)), HELPER, *data)]


def unscored(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the items that the task ``partial`` leaves out, since nothing follows the target."""
    return list(dict.fromkeys(str(row.get("item")) for row in rows if not row.get("partial")))


def _files(name: str, kind: str, language: str, options: int = 2) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file; the prompts are in a language, for as many options."""
    for task, spec in _tables().tasks[kind].items():
        arguments = {
            field: value.replace("NAME", name) if isinstance(value, str) else value
            for field, value in spec.arguments.items()
        }
        values = {"loader": spec.loader, "target": "answer", "delimiter": to_json("" if language == "zh" else " ")}
        if spec.loader != "multiple_choice":
            yield _file(name, task, spec.what, arguments, {**values, **spec.fields})
            continue
        text = _prompt(language, zero=arguments["form"] == "zero")
        values |= {"text": to_json(text), "choice": _LETTERS}
        if options > 2:
            values |= {"text": to_json(text.replace(_OPTIONS, _SOME_OPTIONS)), "choice": _SOME_LETTERS}
        for order, suffix, what in (
            ("as written", "", spec.what),
            ("swapped", "_swapped", f"{spec.what}, options swapped"),
        ):
            shown = {**arguments, "order": order, "mode": "multiple-choice"}
            yield _file(name, f"{task}{suffix}", what, shown, values)
    yield f"{FOLDER}/{HELPER}", read_bytes(Path(__file__).parent / "helper.py")


def _prompt(language: str, *, zero: bool) -> str:
    """Return the text that the model reads before the letter of an option."""
    note = "句中的Ø是省略的成分。" if language == "zh" else "Ø stands for what is left out of the sentence.\n"
    return _tables().prompts[language] % (note if zero else "", "Ø" if zero else _PRONOUN)


def _file(
    name: str, task: str, what: str, arguments: Mapping[str, object], values: Mapping[str, str]
) -> tuple[str, bytes]:
    prefix = task_prefix(name)
    text = render_card(
        "release/harness/task.yaml.j2",
        **values,
        arguments={field: to_json(value) for field, value in arguments.items()},
        name=f"{prefix}_{task}",
        tag=prefix,
        what=f"{what[0].upper()}{what[1:]}.",
    )
    return f"{FOLDER}/{task}.yaml", text.encode()
