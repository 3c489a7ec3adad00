"""What systems answered to the items of a release, in so far as they were asked before it, and how hard the items are by that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.files import parse_jsonl, read_text
from ..evaluation.difficulty import FILES, Answers, DifficultyTable, Group, system_groups
from ..evaluation.items import ReleasedItem
from ..evaluation.measures.accuracy import Estimate, accuracy, against_chance
from ..evaluation.predictions import default_form, own_runs, read_predictions
from .people import STUDIES

#: The file of a release with the answers; only those of collections about which a system was asked have it.
PREDICTIONS = "predictions.jsonl"
#: The names of the tables of difficulty in a release; only those with answers of systems have them.
TABLES = tuple(f"difficulty/{name}" for name in FILES)
#: What is kept of an answer.
_FIELDS = ("id", "model", "mode", "form", "order", "answer")


@dataclass(frozen=True, slots=True)
class SystemAccuracy:
    """What a system answered in all its runs: the number of answers, the share of right ones among those that name a candidate.

    `chance` says where the interval of the share lies: above, includes or below.
    """

    model: str
    modes: str
    answers: int
    estimate: Estimate
    chance: str


def prediction_rows(path: Path) -> list[dict[str, Any]]:
    """Return the answers in a file, with the fields that a release keeps."""
    rows = [row for _, row in parse_jsonl(read_text(path), path)]
    return [{field: row[field] for field in _FIELDS if field in row} for row in rows]


def system_accuracies(path: Path, items: Sequence[ReleasedItem]) -> list[SystemAccuracy]:
    """Return the accuracy of each system whose answers to items are in a file, in the order of the file.

    The interval is clustered by schema. Raises `PipelineError` if the file is malformed.
    """
    runs = own_runs(read_predictions([path], items))
    clusters = {entry.item.id: entry.item.schema for entry in items}
    chance = sum(1 / len(entry.item.candidates) for entry in items) / len(items)
    systems = []
    for model in dict.fromkeys(run.model for run in runs):
        own = [run for run in runs if run.model == model]
        answers = [answer for run in own for answer in runs[run].items()]
        marks = [(item, answer.right) for item, answer in answers if answer.parsed.choice is not None]
        estimate = accuracy(marks, clusters)
        modes = ", ".join(dict.fromkeys(run.mode for run in own))
        systems.append(
            SystemAccuracy(model, modes, len(answers), estimate, against_chance(estimate.interval, chance) or "n/a")
        )
    return systems


def difficulty_files(items: Sequence[ReleasedItem], predictions: Path, people: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the tables by their names in a release, of the answers of systems in a file and of what people judged (`judged_items`)."""
    groups = system_groups(read_predictions([predictions], items), default_form(items), PREDICTIONS)
    item_ids = {entry.item.id for entry in items}
    studies: dict[str, dict[str, Answers]] = {}
    for row in people.get("by_item", ()):
        if row["item"] in item_ids and row["answers"]:
            studies.setdefault(row["study"], {})[row["item"]] = Answers(row["right"], row["answers"] - row["right"])
    groups += [Group("people", study, answers, source=STUDIES) for study, answers in studies.items()]
    texts = DifficultyTable(items, groups).texts()
    return {name: texts[file].encode() for name, file in zip(TABLES, FILES, strict=True)}
