"""What came out of a study, in sentences: the head of its page; and the questions as its raters saw them."""

import re
from dataclasses import dataclass
from itertools import islice
from xml.etree.ElementTree import Element, ParseError  # no parser: defusedxml parses

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from ....core.errors import plural
from ...model.study import Study
from ..measures import letter
from ..records import ControlFigures, Figures

#: A field of the task's data in the words of a config.
_FIELD = re.compile(r"\$\w+")


def questions(study: Study) -> dict[str, str]:
    """Return the words above each control on the screen, by the control's name: of a screen of several records, those above the first.

    A field of the data is an ellipsis. A control that has no words of its own, and one of a config that cannot be read, has none.
    """
    try:
        root: Element = fromstring(study.config, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError):
        return {}
    names = {study.control_name(control, 0): control.name for control in study.controls}
    words = {}
    header = ""
    for element in root.iter():
        if element.tag == "Header":
            header = _FIELD.sub("…", element.get("value", "")).strip()
        elif (name := element.get("name", "")) in names:
            if header:
                words[names[name]] = header
            header = ""
    return words


# --- what came out ----------------------------------------------------------------------------------------------------

#: The number of different answers that a sentence lists.
MOST = 5


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question of a study with what raters answered.

    Attributes:
        question: its words on the screen; the name of the control if there are none.
        answer: what raters answered, in sentences.
    """

    question: str
    answer: str


def outcomes(study: Study, figures: Figures) -> list[Outcome]:
    """Return what raters answered to each question that has figures, in the order of the screen."""
    words = questions(study)
    return [
        Outcome(words.get(name, name), " ".join(_sentences(control)))
        for name, control in figures.controls.items()
        if control.agreement and control.judgements
    ]


def several_raters(control: ControlFigures) -> bool:
    """Return whether two raters answered the same item, without which agreement is undefined."""
    return bool(control.agreement and control.agreement.pairs)


def _sentences(control: ControlFigures) -> list[str]:
    """Return sentences on the answers to a control, and on the agreement of its raters."""
    sentences = [_answers(control)]
    if not (several_raters(control) and control.agreement):
        return sentences
    if control.accuracy and (vote := control.accuracy.majority).n:
        sentences.append(f"The majority of raters is right for {vote.right} of {plural(vote.n, 'item')}.")
    if (same := control.agreement.percent.value) is not None:
        sentences.append(f"Of the pairs of raters of an item, {same:.0%} give the same answer.")
    return sentences


def _answers(control: ControlFigures) -> str:
    """Return a sentence on the answers to a control, at least one: how many are right, their mean, or the most frequent."""
    if control.accuracy and (every := control.accuracy.micro).n:
        return f"{every.right} of {plural(every.n, 'answer')} right ({every.value:.0%})."
    if control.histogram and control.ratings:
        lowest, *_, highest = control.histogram
        ratings = f"{plural(control.ratings.n, 'rating')} on the scale from {lowest} to {highest}"
        mean = f"{ratings}, on average {control.ratings.mean:.2f}"
        return f"{mean}; {plural(control.difficulty['hard'].n, 'item')} below 3." if control.difficulty else f"{mean}."
    if control.kind == "labelled":
        return f"{plural(control.judgements, 'sentence')} labelled."
    given = sorted((control.answers or {}).items(), key=lambda entry: (-entry[1], entry[0]))
    shown = (f"{letter(int(answer)) if control.kind == 'candidate' else answer}: {count}" for answer, count in given)
    return "; ".join(islice(shown, MOST)) + (f"; {len(given) - MOST} others." if len(given) > MOST else ".")
