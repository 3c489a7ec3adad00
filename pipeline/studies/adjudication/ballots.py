"""Read one rater's answers to an item as a vote for an action."""

from collections.abc import Mapping
from dataclasses import dataclass

from ...core.invisible import INVISIBLE
from ...winograd.adjudication.record import RecordState
from ...winograd.adjudication.table import KEPT, Action, fits_cell
from ..model.design import Control
from ..model.judgements import Answer
from ..model.study import Study

#: The codes of the choice that decides, in a consensus study (the first four) or an exclusion audit.
CODES = frozenset({"keep", "drop", "relabel", "modify", "agree", "other"})
#: Brackets of a Chinese keyboard, which raters may type around the target.
_BRACKETS = str.maketrans("【】［］", "[][]")


@dataclass(frozen=True, slots=True, order=True)
class Ballot:
    """One rater's vote for an action, with the value of the action, and of a modification its question (see `Adjudication`)."""

    action: Action
    value: str = ""
    question: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.action, self.value, self.question)))


def deciding_control(study: Study) -> Control:
    """Return the choice that decides: all its codes are in `CODES`, and ``keep`` is one of them.

    Raises:
        ValueError: the study has no such choice.
    """
    for control in study.controls:
        if control.kind == "choice" and "keep" in control.choices and CODES.issuperset(control.choices):
            return control
    raise ValueError(
        f"[controls] {study.id} decides nothing; expected a choice with keep among {', '.join(sorted(CODES))}"
    )


def read_ballot(code: Answer | None, answers: Mapping[str, Answer], before: RecordState) -> Ballot | None:
    """Return the vote of a rater; None if the answers are incomplete or contradictory.

    ``agree`` keeps what the rules keep, and drops what they reject under its class. ``other`` drops the item under the class
    chosen in the control ``class``. What the rules keep is dropped as a ``defect``: the other classes describe the position of
    the target, which the rules judge.

    Args:
        code: the answer to the choice that decides.
        answers: all answers, among them ``class``, ``reference`` (of a relabelling), ``modified`` and ``question`` (of a modification).
        before: the record as it is.
    """
    if code == "keep" or (code == "agree" and before.state == KEPT):
        return Ballot("keep")
    if code == "agree":
        return Ballot("drop", before.state)
    if code == "drop":
        return Ballot("drop", "defect" if before.state in (KEPT, "pair-mate") else before.state)
    if code == "other" and (exclusion := answers.get("class")):
        return Ballot("drop", str(exclusion))
    if code == "relabel":
        number, candidates = answers.get("reference"), before.record.candidates
        if isinstance(number, int) and number in range(len(candidates)) and number != before.record.answer:
            return Ballot("relabel", candidates[number])
    if code == "modify":
        text = str(answers.get("modified", "")).strip()
        text = text if "[" in text else text.translate(_BRACKETS)
        question = str(answers.get("question", "")).strip()
        return Ballot("modify", text, question) if text and not INVISIBLE.search(text + question) else None
    return None


def clean_remark(text: str) -> str:
    r"""Return a remark on one line, without invisible characters.

    >>> clean_remark("  odd\r\n\u202eword\x07 ")
    'odd word'
    """
    line = " ".join(INVISIBLE.sub(" ", text).split())
    return line if fits_cell(line) else line.lstrip("'")
