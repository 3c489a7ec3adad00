"""What raters see is what was designed: the study and its tasks, against those that the design in study.json gives."""

from collections.abc import Collection, Mapping
from typing import Any

from ...core.errors import shown
from ...core.validation.derivation import difference
from ...core.validation.suite import Check, Value, described, rows_with
from ..design.snapshot import checksum

#: The fields of a task that have an expectation of their own.
_OWN = ("data", "options", "gold")
#: The fields of a study that have no expectation of their own.
_OF_STUDY = ("id", "title", "lang", "screen", "controls", "lists", "layout", "told", "criteria")


def laid_out_again(value: Value) -> str:
    """The design in study.json gives a study."""
    fault = value.get("fault", "")
    return f"cannot be laid out again; {fault}: run annotate design" if fault else ""


def unedited(value: Value) -> str:
    """Nobody edited study.json: it has the checksum that annotate design wrote."""
    study = value["study"]
    design = study.get("design")
    written, expected = design.get("sha256") if isinstance(design, dict) else None, checksum(study)
    reason = f"found {shown(written)}, expected {shown(expected)} of what the file holds"
    return "" if written == expected else f"edited by hand; {reason}: edit the design and run annotate design"


def study_differs(value: Value, *fields: str) -> str:
    """Return how a study differs in some fields from the designed one."""
    derived = value.get("laid_out")
    return difference({side: _only(row, fields) for side, row in derived.items()}) if derived else ""


def task_differs(value: Value, *fields: str) -> str:
    """Return how a task differs in some fields from the designed one; without fields, in all that have no other check."""
    derived = value["derived"]
    if derived.get("found") is None or derived.get("expected") is None:  # the same, missing, or not to be there
        return "" if fields else difference(derived)
    others = [name for name in {**derived["found"], **derived["expected"]} if name not in _OWN]
    return difference({side: _only(derived[side], fields or others) for side in ("found", "expected")})


def _only(row: Mapping[str, Any], fields: Collection[str]) -> dict[str, Any]:
    return {name: content for name, content in row.items() if name in fields}


#: The checks against the design.
DESIGNED: Mapping[str, Check] = {
    "laid-out-again": rows_with("lists", laid_out_again),
    "unedited": rows_with("lists", unedited),
    "config-as-designed": rows_with("lists", described(
        "The labelling config is that of the design.", lambda value: study_differs(value, "config")
    )),
    "instruction-as-designed": rows_with("lists", described(
        "The instruction is that of the design.", lambda value: study_differs(value, "instruction")
    )),
    "study-as-designed": rows_with("lists", described(
        "Lists, controls, criteria for raters and whether answers are shown follow from the design.",
        lambda value: study_differs(value, *_OF_STUDY),
    )),
    "task-as-designed": rows_with("derived", described(
        "The lists have the designed tasks, in their order, each with its records.",
        task_differs,
    )),
    "text-as-designed": rows_with("derived", described(
        "A task shows what was designed of its records, and nothing else.", lambda value: task_differs(value, "data")
    )),
    "options-as-designed": rows_with("derived", described(
        "The candidates are in the designed order.", lambda value: task_differs(value, "options")
    )),
    "gold-as-designed": rows_with("derived", described(
        "The right answers are those of the designed records.", lambda value: task_differs(value, "gold")
    )),
}  # fmt: skip
