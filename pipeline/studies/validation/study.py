"""The suite `study`: a study folder is what its design lays out, and the design asks nothing that it should not."""

from collections.abc import Mapping

from ...core.errors import shown
from ...core.validation.derivation import difference
from ...core.validation.suite import Check, Suite, Value, described, rows_with
from ..design.snapshot import checksum
from ..model.remarks import REMARKS
from .rows import JUDGEMENTS, studies
from .shown import SHOWN

#: What the commands of `annotate` write into the folder of a study or of an export.
_FILES = (
    *("study.json", "tasks.jsonl", JUDGEMENTS, REMARKS),
    *("figures.json", "items.tsv", "index.html", "report", "export"),
)


def known_files(value: Value) -> str:
    """The folder has no other files than those that design, pull and agree write."""
    unknown = [name for name in value["files"] if name not in _FILES]
    return f"found {shown(unknown[0])}, expected only {', '.join(_FILES)}" if unknown else ""


def unedited(value: Value) -> str:
    """Nobody edited study.json: it has the checksum that annotate design wrote."""
    design = value["study"].get("design")
    written = design.get("sha256") if isinstance(design, dict) else None
    expected = checksum(value["study"])
    reason = f"found {shown(written)}, expected {shown(expected)} of what the file holds"
    return "" if written == expected else f"edited by hand; {reason}: edit the design and run annotate design"


def laid_out_again(value: Value) -> str:
    """The design in study.json gives a study."""
    return f"cannot be laid out again; {value['reason']}: run annotate design" if "reason" in value else ""


def study_as_designed(value: Value) -> str:
    """What all tasks share follows from the design: title, instruction, config, controls, lists, criteria for raters."""
    if "layout" not in value:
        return ""
    return difference(
        {
            side: {name: content for name, content in value[side].items() if name != "design"}
            for side in ("found", "expected")
        }
    )


def judgements_fit(value: Value) -> str:
    """Judgements in the folder are answers to its tasks, under pseudonyms and without personal data."""
    return str(value["judgements"])


#: The checks of the folder against its design.
_DESIGNED: Mapping[str, Check] = {
    "known-files": rows_with("files", known_files),
    "unedited": rows_with("files", unedited),
    "laid-out-again": rows_with("files", laid_out_again),
    "study-as-designed": rows_with("files", study_as_designed),
    "task-as-designed": rows_with("task", described(
        "The lists have the designed tasks, in their order, each with what was designed of its records.", difference
    )),
    "judgements-fit": rows_with("judgements", judgements_fit),
}  # fmt: skip

STUDY = Suite(
    "study",
    "studies to be pushed (build/annotation/STUDY)",
    studies,
    {**_DESIGNED, **SHOWN},
    may_be_empty=True,
)
