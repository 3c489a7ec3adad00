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

    Args:
        file: the data file, as seen from here.
        field: which of an item's texts the model reads.
        form: zero or overt, for `winoforge evaluate import`.
        order: "as written", or "swapped": then option A is the last candidate.
        mode: how the model is asked, for `winoforge evaluate import`.
    """
    docs = []
    for row in _rows(file):
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
    if empty and not whole:
        message = "%d of %d items have nothing to score after the candidate and are left out: %s"
        logging.getLogger("lm_eval").warning(message, len(empty), len(members), ", ".join(empty))
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


def _rows(file: str) -> list[Doc]:
    with (HERE / file).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _test_split(docs: Iterable[Doc]) -> dict[str, Any]:
    from datasets import Dataset  # type: ignore[import-untyped]  # the package has no types

    return {"test": Dataset.from_list(list(docs))}


def _delete_bytecode() -> None:
    """Delete what Python has cached of this file: a release has no other files than those in its SHA256SUMS."""
    cached = __spec__.cached if __spec__ else None
    if cached:
        with suppress(OSError):
            Path(cached).unlink()
            Path(cached).parent.rmdir()


_delete_bytecode()
