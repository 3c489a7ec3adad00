"""What came out of a study, in sentences: the head of its page."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ....core.errors import plural
from ...model.study import Study
from ..measures import letter
from .questions import questions

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


def outcomes(study: Study, figures: Mapping[str, Any]) -> list[Outcome]:
    """Return what raters answered to each question that has figures, in the order of the screen.

    Args:
        study: the study.
        figures: the result of `figures.figures` with at least one answer to a main task.
    """
    words = questions(study)
    return [
        Outcome(words.get(name, name), " ".join(_sentences(control)))
        for name, control in figures["controls"].items()
        if "agreement" in control and control["judgements"]
    ]


def several_raters(control: Mapping[str, Any]) -> bool:
    """Return whether two raters answered the same item, without which agreement is undefined."""
    return bool(control["agreement"]["pairs"])


def _sentences(control: Mapping[str, Any]) -> list[str]:
    """Return sentences on the answers to a control, and on the agreement of its raters."""
    sentences = [_answers(control)]
    if not several_raters(control):
        return sentences
    if "accuracy" in control and (vote := control["accuracy"]["majority"])["n"]:
        sentences.append(f"The majority of raters is right for {vote['right']} of {plural(vote['n'], 'item')}.")
    if (same := control["agreement"]["percent"]["value"]) is not None:
        sentences.append(f"Of the pairs of raters of an item, {same:.0%} give the same answer.")
    return sentences


def _answers(control: Mapping[str, Any]) -> str:
    """Return a sentence on the answers to a control, at least one: how many are right, their mean, or the most frequent."""
    if "accuracy" in control and (all_answers := control["accuracy"]["micro"])["n"]:
        return f"{all_answers['right']} of {plural(all_answers['n'], 'answer')} right ({all_answers['value']:.0%})."
    match control["kind"]:
        case "rating":
            ends = " to ".join(list(control["histogram"])[:: len(control["histogram"]) - 1])
            of_all = control["ratings"]
            mean = f"{plural(of_all['n'], 'rating')} on the scale from {ends}, on average {of_all['mean']:.2f}"
            if not control.get("difficulty"):
                return f"{mean}."
            return f"{mean}; {plural(control['difficulty']['hard']['n'], 'item')} below 3."
        case "labelled":
            return f"{plural(control['judgements'], 'sentence')} labelled."
    given = sorted(control["answers"].items(), key=lambda entry: (-entry[1], entry[0]))
    shown = (f"{letter(int(answer)) if control['kind'] == 'candidate' else answer}: {count}" for answer, count in given)
    return "; ".join(islice(shown, MOST)) + (f"; {len(given) - MOST} others." if len(given) > MOST else ".")
