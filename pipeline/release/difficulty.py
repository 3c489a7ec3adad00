"""How hard the items of a release are: the tables of `evaluate difficulty`, made from the answers that the release has."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..evaluation.difficulty import FILES, Answers, DifficultyTable, Group, system_groups
from ..evaluation.items import ReleasedItem
from ..evaluation.predictions import default_form, read_predictions
from .people import STUDIES
from .systems import PREDICTIONS

#: The names of the tables in a release; only those with answers of systems have them.
TABLES = tuple(f"difficulty/{name}" for name in FILES)


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
