"""The members of a schema after people decided of one of them."""

from collections.abc import Mapping
from pathlib import Path

from ..core.errors import PipelineError
from ..core.model import Finding, Item, Rejected
from .adjudication.record import RecordState, finding_of, item_of
from .adjudication.table import Adjudication
from .modifications import difference, marked


def whole(
    pair: Mapping[str, Item | Rejected], before: Mapping[str, RecordState], rows: Mapping[str, Adjudication]
) -> dict[str, Item | Rejected]:
    """Return the members of one schema all together: kept, or rejected.

    With one that is rejected on its own account the others go, as `exclude` has it; without any all stay. If a relabelling
    gives them all one answer, the pair turns on nothing, and the relabelled member is a defect.

    Args:
        pair: each member as its own row leaves it.
        before: the members as they were.
        rows: the decisions by item.
    """
    free: dict[str, Item] = {}
    fallen: dict[str, Rejected] = {}
    for name, one in pair.items():
        item = one if isinstance(one, Item) else item_of(one.record) if one.exclusion == "pair-mate" else None
        if item is not None:
            free[name] = item
        elif isinstance(one, Rejected):
            fallen[name] = one
    if len({before[name].record.answer for name in free}) > 1 and _one_answer(free):
        for name in [name for name in free if name in rows and rows[name].action == "relabel"]:
            message = f"people decided that the answer is {rows[name].value}, as it is of its pair-mate"
            fallen[name] = Rejected(free[name], (finding_of(free[name], rows[name], "defect", message),))
            del free[name]
    if not fallen:
        return dict(free)
    first = fallen[min(fallen)]
    # In the words of `exclude`: a mate whose reason stays is written as before.
    message = f"{first.record.id} of the same schema was rejected as {first.exclusion}"
    evidence = {"mate": first.record.id, "class": first.exclusion, "rule": first.findings[0].rule}
    mate = Finding("exclude/pair-mate", "pair-mate", None, message, evidence)
    return {**fallen, **{name: Rejected(item, (mate,)) for name, item in free.items()}}


def _one_answer(items: Mapping[str, Item]) -> bool:
    return len({item.answer for item in items.values()}) == 1


def require_minimal(
    pair: Mapping[str, Item | Rejected],
    before: Mapping[str, RecordState],
    rows: Mapping[str, Adjudication],
    path: Path,
) -> None:
    """Refuse a pair that stays and whose members differ in more than they did, or in nothing, as `modify` does.

    Raises:
        PipelineError: at the line of the row that changes a text.
    """
    stay = {name: one for name, one in pair.items() if isinstance(one, Item)}
    for name in [name for name in stay if name in rows and rows[name].action == "modify"]:
        for mate in [other for other in stay if other != name]:
            now = max(difference(*(marked(stay[one].text, stay[one].target) for one in (name, mate))))
            was = max(difference(*(_before(before[one]) for one in (name, mate))))
            if not 0 < now <= was:
                reason = f"[value] no minimal pair with {mate} any more; found a difference of {now} characters"
                raise PipelineError(path, rows[name].line, f"{reason}, expected 1 to {was}, as before")


def _before(standing: RecordState) -> str:
    item = item_of(standing.record)
    return marked(item.text, item.target) if item else ""
