"""What one rater's answers say should become of an item."""

from collections.abc import Mapping
from dataclasses import dataclass

from ...core.invisible import INVISIBLE
from ...winograd.adjudication.record import RecordState
from ...winograd.adjudication.table import KEPT, Action, fits_cell
from ..design.design import Control
from ..judgements import Answer
from ..study import Study

#: The codes of the choice that decides: those of a consensus study, then those of an exclusion audit.
CODES = frozenset({"keep", "drop", "relabel", "modify", "agree", "other"})

#: What a Chinese keyboard gives for the brackets around the target.
_BRACKETS = str.maketrans("【】［］", "[][]")


@dataclass(frozen=True, slots=True, order=True)
class Ballot:
    """A vote for an action with its value (see `Adjudication`)."""

    action: Action
    value: str = ""

    def __str__(self) -> str:
        return f"{self.action} {self.value}" if self.value else self.action


def deciding(study: Study) -> Control:
    """Return the choice that decides: all its codes are of `CODES`, and ``keep`` is one.

    Raises:
        ValueError: the study asks for no decision.
    """
    for control in study.controls:
        if control.kind == "choice" and "keep" in control.choices and CODES.issuperset(control.choices):
            return control
    raise ValueError(
        f"[controls] {study.id} decides nothing; expected a choice with keep among {', '.join(sorted(CODES))}"
    )


def ballot(code: Answer | None, answers: Mapping[str, Answer], standing: RecordState) -> Ballot | None:
    """Return the vote of a rater; None where the answers are incomplete or contradict themselves.

    ``agree`` keeps what the rules keep and drops what they reject, under its class; ``other`` drops it under that of the control
    ``class``. What is dropped although the rules keep it is a ``defect``: their classes are of the target's place alone.

    Args:
        code: the choice that decides.
        answers: all answers: to ``class``, ``reference`` (of a relabelling) and ``modified`` too.
        standing: the record as it is.
    """
    out = standing.state
    if code == "agree":
        return Ballot("keep") if out == KEPT else Ballot("drop", out)
    if code == "keep":
        return Ballot("keep")
    if code == "drop":
        return Ballot("drop", "defect" if out in (KEPT, "pair-mate") else out)
    if code == "other" and (named := answers.get("class")):
        return Ballot("drop", str(named))
    if code == "relabel":
        others = {
            place: name for place, name in enumerate(standing.record.candidates) if place != standing.record.answer
        }
        number = answers.get("reference")
        return Ballot("relabel", others[number]) if isinstance(number, int) and number in others else None
    if code == "modify":
        text = str(answers.get("modified", "")).strip()
        text = text if "[" in text else text.translate(_BRACKETS)
        return Ballot("modify", text) if text and not INVISIBLE.search(text) else None
    return None


def plain(text: str) -> str:
    r"""Return a remark on one line, without invisible characters.

    >>> plain("  odd\r\n\u202eword\x07 ")
    'odd word'
    """
    line = " ".join(INVISIBLE.sub(" ", text).split())
    return line if fits_cell(line) else line.lstrip("'")
