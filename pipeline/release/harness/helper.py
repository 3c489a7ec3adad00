"""Tasks of this release for lm-evaluation-harness (lm_eval): read the data, score items, count whole pairs.

lm_eval imports this file for the YAML files beside it, from wherever the release is. It reads the release, and writes nothing.
"""

import json
import logging
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
#: A sample of lm_eval.
Doc = dict[str, Any]


def multiple_choice(file: str, field: str, form: str, order: str, mode: str, **_: object) -> dict[str, Any]:
    """Return the items of a data file, with their options as written or swapped.

    An item whose source leaves the anaphor out has no overt form: it is left out there, and named in the log.

    Args:
        file: the data file, as seen from here.
        field: which of an item's texts the model reads.
        form: zero or overt, for `winoforge evaluate import`.
        order: "as written", or "swapped": then option A is the last candidate.
        mode: how the model is asked, for `winoforge evaluate import`.
    """
    docs = []
    rows = list(_rows(file))
    never_overt = [row["id"] for row in rows if form == "overt" and _is_empty(row["target"])]
    _log_left_out(never_overt, len(rows), "were never overt")
    for row in rows:
        if row["id"] in never_overt:
            continue
        options, answer, target = row["candidates"], row["answer"], row["target"]
        if order == "swapped":
            options, answer = options[::-1], len(options) - 1 - answer
        shown = {"text": row[field], "question": row["question"], "options": options, "answer": answer}
        pronoun = row["text"][target["start"] : target["end"]]
        names = {"id": row["id"], "schema": row["schema"], "form": form, "order": order, "mode": mode}
        docs.append(names | shown | {"pronoun": pronoun})
    return _test_split(docs)


def scoring(file: str, whole: bool, mode: str, **_: object) -> dict[str, Any]:
    """Return the items of a scoring file: the contexts of all candidates, the continuation they share, and the whole texts.

    An item with nothing to score after the candidate is left out, and named in the log, unless whole texts are scored. Items with the
    same texts are scored once.

    Args:
        file: the scoring file, as seen from here.
        whole: whether whole texts are scored.
        mode: how the model is asked, for `winoforge evaluate import`.
    """
    members = defaultdict(list)
    for row in _rows(file):
        members[row["item"]].append(row)
    empty = [item for item, rows in members.items() if not rows[0]["partial"]]
    if not whole:
        _log_left_out(empty, len(members), "have nothing to score after the candidate")
    return _test_split(
        {
            "id": item,
            "items": rows[0].get("items", [item]),
            "schema": rows[0]["schema"],
            "form": "overt",
            "order": "as written",
            "mode": mode,
            "contexts": [row["context"] for row in rows],
            "continuation": rows[0]["continuation"],
            "texts": [row["context"] + row["continuation"] for row in rows],
            "answer": [row["correct"] for row in rows].index(True),
        }
        for item, rows in members.items()
        if whole or item not in empty
    )


def paired(file: str, overt: str, field: str, option: str, form: str, mode: str, **_: object) -> dict[str, Any]:
    """Return the items of a form with a row for each option, after a context that has the anaphor, Ø or nothing.

    The options of an item are the same in all forms, and so are the items: those that were never overt are left out, and named in the
    log, so that the scores of two forms can be subtracted item by item.

    Args:
        file: the file of the form, as seen from here.
        overt: the field of the context with the anaphor.
        field: the field of the context that the model reads.
        option: the field of the option that is scored.
        form: zero or overt, for `winoforge evaluate import`.
        mode: how the model is asked, for `winoforge evaluate import`.
    """
    members = defaultdict(list)
    for row in _rows(file):
        members[row["item"]].append(row)
    dropped = field.partition("_")[0] + "_dropped"
    unasked = [item for item, rows in members.items() if field not in rows[0] or not rows[0][field]]
    never_overt = [item for item, rows in members.items() if item not in unasked and rows[0][overt] == rows[0][dropped]]
    _log_left_out(unasked, len(members), "have no question")
    _log_left_out(never_overt, len(members), "were never overt")
    return _test_split(
        {
            "id": item,
            "schema": rows[0]["schema"],
            "form": form,
            "order": "as written",
            "mode": mode,
            "context": rows[0][field],
            "options": [row[option] for row in rows],
            "answer": [row.get("correct", row.get("label") == "ENTAILMENT") for row in rows].index(True),
        }
        for item, rows in members.items()
        if item not in unasked and item not in never_overt
    )


def score(doc: Doc, results: Sequence[tuple[float, bool]]) -> dict[str, Any]:
    """Return whether the most probable option is the right one; no option is if several are equally probable."""
    scores = [log_probability for log_probability, _ in results]
    best = [option for option, log_probability in enumerate(scores) if log_probability == max(scores)]
    right = best == [doc["answer"]]
    return {"acc": float(right), "pair_acc": (doc["schema"], right)}


def pair_accuracy(marks: Iterable[tuple[str, bool]]) -> float:
    """Return the share of schemas with two or more items that are right in all of them; not a number if there is none."""
    members = defaultdict(list)
    for schema, right in marks:
        members[schema].append(right)
    pairs = [all(answers) for answers in members.values() if len(answers) > 1]
    return sum(pairs) / len(pairs) if pairs else math.nan


def _is_empty(span: Doc) -> bool:
    return bool(span["start"] == span["end"])


def _log_left_out(items: Sequence[str], count: int, reason: str) -> None:
    if items:
        message = "%d of %d items %s and are left out: %s"
        logging.getLogger("lm_eval").warning(message, len(items), count, reason, ", ".join(items))


def _rows(file: str) -> list[Doc]:
    with (HERE / file).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _test_split(docs: Iterable[Doc]) -> dict[str, Any]:
    from datasets import Dataset

    return {"test": Dataset.from_list(list(docs))}


def _delete_bytecode() -> None:
    """Delete what Python has cached of this file: a release has no other files than those in its SHA256SUMS."""
    cached = __spec__.cached if __spec__ else None
    if cached:
        with suppress(OSError):
            Path(cached).unlink()
            Path(cached).parent.rmdir()


_delete_bytecode()
