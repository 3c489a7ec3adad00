"""The HTML report of an evaluation: tables, drawings, the answers to each item."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.drawings import inline_svg
from ...core.pages import page_environment
from ...language.answers.choice import MAX_ANSWER
from ..items import ReleasedItem
from ..measures.bounds import MODE
from ..measures.calibration import BINS
from ..modes import description
from ..predictions import ORDER_WORDS, Response, Run
from .drawings import ranked
from .evaluation import TRAITS, Evaluation
from .figures import Figures
from .prompts import Prompt, shared_prompts
from .summary import sentences
from .tables import PRINTED_TOKENS, Table, caution, items_words, tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Maximum length of an answer on the page; longer ones are cut.
SHOWN = 300
#: A text with such a character is Chinese to a screen reader; the language of another answer is unknown.
_HAN = re.compile("[\u4e00-\u9fff]")
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
#: The sections of the page; those of `_WHERE` only with such figures.
SECTIONS: Mapping[str, str] = {
    "accuracy": "Accuracy",
    "forms": "Zero against overt",
    "places": "Position bias",
    "calibration": "Calibration",
    "breakdowns": "By trait",
    "comparisons": "Comparisons",
    "overlap": "Shared errors",
    "tokens": "Tokens",
    "printed": "WSC-ZA’s layouts",
    "map": "Heatmap",
    "items": "Items",
}
_WHERE = ("calibration", "comparisons", "tokens")
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
    """What the page shows of an item."""

    entry: ReleasedItem
    share: float | None  # share of right answers in the main form and order; None without one
    #: Each run with its response, the answer as the page shows it, and the number of its prompt from 1; 0 without one.
    answers: tuple[tuple[Run, Response, str, int], ...]
    prompts: tuple[Prompt, ...]

    @property
    def sentence(self) -> tuple[str, str, str]:
        """The text before the target, the target, and the text after it: of the zero form if there is one."""
        item = self.entry.item
        start, end = item.target.start, item.target.end
        if self.entry.text_zero:
            rest = len(item.text) - end
            return self.entry.text_zero[:start], "Ø", self.entry.text_zero[len(self.entry.text_zero) - rest :]
        return item.text[:start], item.text[start:end], item.text[end:]


def element_ids(evaluation: Evaluation) -> dict[str, str]:
    """Return the id of the element of the page that shows an item, by item."""
    return {entry.item.id: f"item-{number}" for number, entry in enumerate(evaluation.items)}


def page(
    evaluation: Evaluation, figures: Figures, drawings: "Mapping[str, Figure]", errors: Table | None = None
) -> str:
    """Return the page as HTML that needs no other file and no network; its script sorts tables and completes prompts."""
    shares, order = figures.item_accuracy, ranked(evaluation, figures)
    entries = {entry.item.id: entry for entry in evaluation.items}
    prompts = shared_prompts(evaluation.runs, order)
    # by system, its baselines after its own answers
    runs = sorted(figures.runs, key=lambda run: (figures.models.index(run.model), not run.own))
    chosen = [run for run in runs if run.options]
    ids = element_ids(evaluation)
    columns = {f"#{element}": item_id for item_id, element in ids.items()}
    return (
        page_environment()
        .get_template("evaluation/report/page.html.j2")
        .render(
            figures=figures,
            evaluated=items_words(figures),
            contents={
                name: title
                for name, title in SECTIONS.items()
                if (name not in _WHERE or getattr(figures, name)) and (name != "overlap" or name in drawings)
            },
            runs=runs,
            chosen=chosen,
            lang_of=lambda text: "zh" if _HAN.search(text) else "",
            facets=_facets(figures.runs),
            cautions=[(run, words) for run in runs if (words := caution(run))],
            came_out=sentences(evaluation, figures),
            cards=[
                _card(evaluation, entries[item_id], shares.get(item_id), prompts.of_item.get(item_id, ()))
                for item_id in order
            ],
            ids=ids,
            drawings={
                name: inline_svg(figure, name, columns if name == "heatmap" else None)
                for name, figure in drawings.items()
            },
            titles={name: figure.get_suptitle() for name, figure in drawings.items()},
            prompts=prompts,
            printed_tokens=PRINTED_TOKENS,
            tables=[*tables(figures), *([errors] if errors else [])],
            modes={run.mode: description(run.mode) for run in figures.runs if not run.own},
            traits=TRAITS,
            baselines=BASELINES,
            outcomes={name: f">{text}" for name, text in OUTCOMES.items() if any(name in run.outcomes for run in runs)},
            meanings=OUTCOMES,
            bins=BINS,
            max_answer=MAX_ANSWER,
        )
    )


def _facets(runs: Sequence[Run]) -> Callable[[Run], str]:
    """Return what names a run behind its system: those of mode, form and order in which the runs of the page differ."""
    names = [name for name in ("mode", "form", "order") if len({getattr(run, name) for run in runs}) > 1]

    def text(run: Run) -> str:
        words = {"mode": run.mode, "form": run.form, "order": ORDER_WORDS[run.order]}
        return "" if run.mode == MODE else "".join(f", {words[name]}" for name in names)

    return text


def _card(evaluation: Evaluation, entry: ReleasedItem, share: float | None, prompts: Sequence[Prompt]) -> ItemCard:
    name = entry.item.id
    number = {run: place for place, prompt in enumerate(prompts, 1) for run in prompt.runs}
    answers = tuple(
        (run, responses[name], cut(responses[name].answer), number.get(run, 0))
        for run, responses in evaluation.runs.items()
        if name in responses
    )
    return ItemCard(entry, share, answers, tuple(prompts))


def cut(answer: str) -> str:
    """Return an answer as the page shows it: its end counts, where a system states its choice.

    >>> cut("x" * 400 + "A")[-3:], len(cut("x" * 400 + "A"))
    ('xxA', 301)
    """
    return answer if len(answer) <= SHOWN else f"…{answer[-SHOWN:]}"
