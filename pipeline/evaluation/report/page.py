"""The HTML report of an evaluation: tables, drawings, the answers to each item."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os.path import commonprefix
from typing import TYPE_CHECKING

from ...core.drawings import inline_svg
from ...core.pages import page_environment
from ...language.answers.choice import MAX_ANSWER
from ..items import ReleasedItem
from ..measures.bounds import MODE
from ..measures.calibration import BINS
from ..modes import description
from ..predictions import ORDER_WORDS, Response, Run, Runs
from .drawings import ranked
from .evaluation import TRAITS, Evaluation
from .figures import Figures
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


# --- prompts, where what all prompts of a run share is stored once -----------------------------------------------------

#: Maximum length of an item's own part of a prompt; longer ones lose their middle.
MAX_PART = 4_000
#: Maximum length of each side of a frame; longer ones lose their middle.
MAX_FRAME = 20_000
#: Maximum length of all own parts together; items beyond it are shown without prompts.
MAX_TOTAL = 2_000_000
#: How often the prompts of a run are divided into groups with frames of their own.
_DEPTH = 3


@dataclass(frozen=True, slots=True)
class Frame:
    """What all prompts of some runs have in common: the text before and after the part of the item; the runs."""

    before: str
    after: str
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt of an item: the number of its frame, from 0, the part of the item, and the runs whose systems read it."""

    frame: int
    part: str
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Prompts:
    """The prompts of an evaluation."""

    frames: Sequence[Frame]  # what prompts share
    of_item: Mapping[str, Sequence[Prompt]]  # the prompts of each item that the page shows
    count: int  # number of prompts that were read
    characters: int  # their characters
    stored: int  # characters that the page stores for them
    omitted: int  # number of items whose prompts are left out


def shared_prompts(runs: Runs, order: Sequence[str]) -> Prompts:
    """Return the prompts of runs, each cut into the frame of its run and the part of its item.

    The most interesting items come first in `order`; those at its end lose their prompts if there are too many.
    """
    keys: dict[tuple[str, str], list[Run]] = {}
    parts: dict[str, dict[tuple[int, str], list[Run]]] = {}
    count = characters = 0
    for run, responses in runs.items():
        texts = {item: given.prompt for item, given in responses.items() if given.prompt}
        if not texts:
            continue
        for before, after, members in _frames(sorted(set(texts.values()))):
            keys.setdefault((before, after), []).append(run)
            frame = list(keys).index((before, after))
            for item, text in texts.items():
                if text in members:
                    part = text[len(before) : len(text) - len(after)]
                    parts.setdefault(item, {}).setdefault((frame, part), []).append(run)
        count, characters = count + len(texts), characters + sum(map(len, texts.values()))
    frames = [
        Frame(without_middle(before, MAX_FRAME), without_middle(after, MAX_FRAME), tuple(names))
        for (before, after), names in keys.items()
    ]
    shown: dict[str, Sequence[Prompt]] = {}
    stored = 0
    for item in (item for item in order if item in parts):
        own = [
            Prompt(frame, without_middle(part, MAX_PART), tuple(names)) for (frame, part), names in parts[item].items()
        ]
        size = sum(len(prompt.part) for prompt in own)
        if stored + size > MAX_TOTAL:
            break
        shown[item], stored = own, stored + size
    stored += sum(len(frame.before) + len(frame.after) for frame in frames)
    return Prompts(frames, shown, count, characters, stored, len(parts) - len(shown))


def _frames(texts: Sequence[str], depth: int = 0) -> list[tuple[str, str, set[str]]]:
    """Return beginning, end and members of groups of texts that share them.

    A group is divided by the first character in which its texts differ if that stores fewer characters, as where half of the prompts
    have one set of examples and half another.
    """
    before = commonprefix(texts)  # noqa: RUF071 - by characters, as is meant
    after = commonprefix([text[len(before) :][::-1] for text in texts])[::-1]  # noqa: RUF071
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(text[len(before) : len(before) + 1], []).append(text)
    whole = [(before, after, set(texts))]
    if len(groups) == 1 or depth == _DEPTH:
        return whole
    divided = [frame for members in groups.values() for frame in _frames(members, depth + 1)]
    return divided if _stored(divided) < _stored(whole) else whole


def _stored(frames: Sequence[tuple[str, str, set[str]]]) -> int:
    """Return the characters of frames and of the parts of their members."""
    return sum(
        len(before) + len(after) + sum(len(text) - len(before) - len(after) for text in members)
        for before, after, members in frames
    )


def without_middle(text: str, size: int) -> str:
    """Return a text without its middle if it is longer than `size`.

    >>> without_middle("abcdef", 4), without_middle("abc", 4)
    ('ab…ef', 'abc')
    """
    return text if len(text) <= size else f"{text[: size // 2]}…{text[-(size // 2) :]}"


# --- the page -----------------------------------------------------------------------------------------------------------


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
