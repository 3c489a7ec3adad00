"""The HTML report of an evaluation: tables, drawings, the answers to each item."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...core.pages import page_environment
from ..items import ReleasedItem
from ..predictions import MAX_ANSWER, Response, Run
from .drawings import HEIGHT, ROW, State, bar_chart, heatmap, upset
from .figures import TRAITS, Evaluation

#: Maximum length of an answer on the page; longer ones are cut.
SHOWN = 300
#: What each outcome of an answer means.
OUTCOMES: Mapping[str, str] = {
    "letter": "a letter",
    "name": "a name",
    "both": "names both",
    "neither": "names neither",
    "contradiction": "letter and name differ",
    "refusal": "refusal",
    "unclear": "no choice found",
    "empty": "empty",
}
#: The baselines, with what each does.
BASELINES: Mapping[str, str] = {
    "random": "a coin for each item",
    "first": "the candidate mentioned first",
    "last": "the candidate mentioned last",
    "frequent": "the candidate whose word is more frequent in the corpus",
    "association": "the candidate with the greater PMI",
}


@dataclass(frozen=True, slots=True)
class ItemCard:
    """What the page shows of an item: the share of right answers in the main form and order (None without one), and all answers."""

    entry: ReleasedItem
    share: float | None
    answers: tuple[tuple[Run, Response, str], ...]

    @property
    def sentence(self) -> tuple[str, str, str]:
        """The text before the target, the target, and the text after it: of the zero form if there is one."""
        item = self.entry.item
        start, end = item.target.start, item.target.end
        if self.entry.text_zero:
            rest = len(item.text) - end
            return self.entry.text_zero[:start], "Ø", self.entry.text_zero[len(self.entry.text_zero) - rest :]
        return item.text[:start], item.text[start:end], item.text[end:]


def page(evaluation: Evaluation, figures: Mapping[str, Any]) -> str:
    """Return the page as HTML that needs no other file and no network; its script only sorts tables.

    Args:
        evaluation: what was evaluated.
        figures: the result of `figures.figures` for it.
    """
    shares = figures["item_accuracy"]
    order = {entry.item.id: number for number, entry in enumerate(evaluation.items)}
    ranked = sorted(order, key=lambda name: (shares.get(name, 2.0), order[name]))
    cards = {entry.item.id: _card(evaluation, entry, shares.get(entry.item.id)) for entry in evaluation.items}
    rows = [
        (f"{run.model}, {run.mode}", {name: _state(given) for name, given in responses.items()})
        for run, responses in evaluation.runs.items()
        if (run.form, run.order) == evaluation.main
    ]
    return (
        page_environment()
        .get_template("evaluation/report/page.html.j2")
        .render(
            figures=figures,
            cards=[cards[name] for name in ranked],
            ids={name: f"item-{number}" for name, number in order.items()},
            charts={name: bar_chart(breakdown) for name, breakdown in figures["breakdowns"].items()},
            form_chart=bar_chart(figures["by_form"]),
            place_chart=bar_chart(figures["by_place"]),
            overlap=upset(figures["overlap"], figures["models"]),
            map=heatmap(rows, ranked),
            traits=TRAITS,
            baselines=BASELINES,
            outcomes=OUTCOMES,
            height=HEIGHT,
            row_height=ROW,
            max_answer=MAX_ANSWER,
        )
    )


def _card(evaluation: Evaluation, entry: ReleasedItem, share: float | None) -> ItemCard:
    name = entry.item.id
    answers = tuple(
        (run, responses[name], cut(responses[name].answer))
        for run, responses in evaluation.runs.items()
        if name in responses
    )
    return ItemCard(entry, share, answers)


def cut(answer: str) -> str:
    """Return an answer as the page shows it: its end counts, where a system states its choice.

    >>> cut("x" * 400 + "A")[-3:], len(cut("x" * 400 + "A"))
    ('xxA', 301)
    """
    return answer if len(answer) <= SHOWN else f"…{answer[-SHOWN:]}"


def _state(given: Response) -> State:
    if given.parsed.choice is None:
        return "unparsed"
    return "right" if given.right else "wrong"
