"""Make the files of a release for lm-evaluation-harness: a YAML file for each task, and the Python file that they name."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

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


class _Tables(msgspec.Struct, frozen=True):
    tasks: Mapping[str, Mapping[str, str]]
    prompts: Mapping[str, str]


@cache
def _tables() -> _Tables:
    return read_yaml(Path(__file__).with_name("tasks.yaml"), _Tables)


def tasks_of(kind: str) -> Mapping[str, str]:
    """Return the tasks of a kind of release, with what each measures; of items without genders those of ``sentences``."""
    return _tables().tasks.get(kind, {})


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
    language, data = "zh" if language.split("-")[0] == "zh" else "en", f"../data/{name}.jsonl"
    tasks = {}
    for task in ("zero", "overt"):
        prompt = _prompt(language, zero=task == "zero")
        for order, suffix in (("as written", ""), ("swapped", "_swapped")):
            field = "text_zero" if task == "zero" else "text"
            tasks[task + suffix] = _choice(prompt, data, field, task, order)
            if options > 2:
                text = to_json(prompt["text"].replace(_OPTIONS, _SOME_OPTIONS))
                tasks[task + suffix] |= {"text": text, "choice": _SOME_LETTERS}
    tasks |= _paired(chinese=language == "zh")
    tasks |= _scoring("../data/scoring.jsonl")
    return dict(_files(name, tasks, tasks_of("collection")))


def files_of_templates(name: str, items: Iterable[Item], canary: str) -> dict[str, bytes]:
    """Return the files for lm-evaluation-harness in a release of sentences of templates, by their names in the release.

    Sentences that differ in their pronoun alone are the same with a candidate in its place: only the first of them is scored, and
    ``items`` of its rows names all.
    """
    tasks, prompt = {}, _prompt("en", zero=False)
    for task in ("double", "single"):
        for order, suffix in (("as written", ""), ("swapped", "_swapped")):
            tasks[task + suffix] = _choice(prompt, f"../data/{task}.jsonl", "text", "overt", order)
    tasks |= _scoring(OWN_SCORING)
    rows: dict[str, list[Mapping[str, Any]]] = {}
    for row in scoring(items).rows:
        rows.setdefault(row["item"], []).append(row)
    names: dict[object, list[str]] = {}
    for item, group in rows.items():
        names.setdefault(tuple((row["context"], row["continuation"]) for row in group), []).append(item)
    distinct = [{**row, "items": items, "canary": canary} for items in names.values() for row in rows[items[0]]]
    data = json_lines(distinct)
    return {**dict(_files(name, tasks, tasks_of("templates"))), f"{FOLDER}/{OWN_SCORING}": data}


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
    prompt = _prompt("de" if languages <= {"de"} else "en", zero=False)
    tasks = _scoring(OWN_SCORING) | {
        f"choice{suffix}": _choice(prompt, "../data/winograd.jsonl", "text", "overt", order)
        for order, suffix in (("as written", ""), ("swapped", "_swapped"))
    }
    return {**dict(_files(name, tasks, tasks_of(kind))), f"{FOLDER}/{OWN_SCORING}": json_lines(scored)}


def file_names(kind: Kind) -> list[str]:
    """Return the names of the files for lm-evaluation-harness in a release."""
    if not tasks_of(kind):
        return []
    data = [] if kind == "collection" else [OWN_SCORING]
    return [f"{FOLDER}/{name}" for name in (*(f"{task}.yaml" for task in tasks_of(kind)), HELPER, *data)]


def unscored(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the items that the task ``partial`` leaves out, since nothing follows the target."""
    return list(dict.fromkeys(str(row.get("item")) for row in rows if not row.get("partial")))


def _prompt(language: str, *, zero: bool) -> dict[str, str]:
    """Return the text that the model reads, and what stands between it and the letter of an option."""
    note = (
        ("句中的Ø是省略的成分。" if language == "zh" else "Ø stands for what is left out of the sentence.\n")
        if zero
        else ""
    )
    text = _tables().prompts[language] % (note, "Ø" if zero else _PRONOUN)
    return {"text": text, "delimiter": "" if language == "zh" else " "}


def _choice(prompt: Mapping[str, str], file: str, field: str, form: str, order: str) -> dict[str, Any]:
    """Return the values of a multiple-choice task."""
    return {
        "loader": "multiple_choice",
        "arguments": {"file": file, "field": field, "form": form, "order": order, "mode": "multiple-choice"},
        "text": to_json(prompt["text"]),
        "choice": _LETTERS,
        "target": "answer",
        "delimiter": to_json(prompt["delimiter"]),
    }


#: The scored tasks that a collection has in both forms: the data, the field of the context, and that of an option.
_PAIRED = {"answer": ("scoring", "context", "candidate"), "nli": ("nli", "premise", "hypothesis")}


def _paired(*, chinese: bool) -> dict[str, dict[str, Any]]:
    """Return the values of the tasks that score the same options after the zero form and after the source text."""
    tasks = {}
    for task, (data, context, option) in _PAIRED.items():
        overt = "premise" if context == "premise" else "context_overt"
        for form, field in (("zero", f"{context}_zero"), ("overt", overt)):
            fields = {"file": f"../data/{data}.jsonl", "overt": overt, "field": field, "option": option}
            tasks[f"{form}_{task}"] = {
                "loader": "paired",
                "arguments": {**fields, "form": form, "mode": f"{task}-score"},
                "text": "context",
                "choice": "options",
                "target": "answer",
                "delimiter": to_json("" if chinese else " "),
            }
    return tasks


def _scoring(file: str) -> dict[str, dict[str, Any]]:
    """Return the values of the tasks that score texts; lm_eval takes the answer from `text` where the contexts differ."""
    tasks = {
        "partial": {"text": "answer", "choice": "contexts", "target": "continuation"},
        "full": {"text": '""', "choice": "texts", "target": "answer"},
    }
    return {
        task: {
            **fields,
            "loader": "scoring",
            "arguments": {"file": file, "whole": task == "full", "mode": f"{task}-score"},
            "delimiter": '""',
        }
        for task, fields in tasks.items()
    }


def _files(
    name: str, tasks: Mapping[str, Mapping[str, Any]], meanings: Mapping[str, str]
) -> Iterator[tuple[str, bytes]]:
    prefix = task_prefix(name)
    for task, values in tasks.items():
        arguments = {argument: to_json(value) for argument, value in values["arguments"].items()}
        what = meanings[task.removesuffix("_swapped")] + (", options swapped" if task.endswith("_swapped") else "")
        text = render_card(
            "release/harness/task.yaml.j2",
            **{**values, "arguments": arguments, "name": f"{prefix}_{task}", "tag": prefix},
            what=what[0].upper() + what[1:] + ".",
        )
        yield f"{FOLDER}/{task}.yaml", text.encode()
    yield f"{FOLDER}/{HELPER}", read_bytes(Path(__file__).parent / "helper.py")
