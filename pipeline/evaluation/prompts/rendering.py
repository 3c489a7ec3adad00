"""An item as a prompt of WSC-ZA (Appendix B)."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ...core.errors import PipelineError, shown
from ...core.model import Span
from ...language.answers.mentions import letter
from ...language.languages import language_of
from ...winograd.zero_forms import ZERO
from ..items import ReleasedItem
from ..predictions import ORDER_WORDS, Form, Order
from .demonstrations import FEW, demonstrations
from .templates import EXAMPLES, MODES, Templates, prompt_templates

#: The suffix of a mode whose instructions are in Chinese; those of the others are in English, as the paper's.
CHINESE = "-zh"
#: All modes: those of the templates, with instructions in English and in Chinese.
ALL_MODES = tuple(f"{mode}{suffix}" for suffix in ("", CHINESE) for mode in MODES)
#: The candidates that are right in the examples, by variant of the prompt: as many first as second ones over both variants.
ANSWERS = ((0, 1, 0), (1, 0, 1))
_MARK = re.compile(r"[，。；：！？、…“”‘’「」,.;:!?]+")


class Shown(NamedTuple):
    """How an item is shown."""

    mode: str  # one of `ALL_MODES`
    form: Form  # the item with its zero, or with its overt pronoun
    order: Order  # its candidates as they are written, or in reverse

    def __str__(self) -> str:
        return f"{self.mode}, {self.form}, {ORDER_WORDS[self.order]}"


def variants(entries: Iterable[ReleasedItem]) -> dict[str, int]:
    """Return the variant of the examples, 0 or 1, for each cluster of a whole release (`ReleasedItem.cluster`), also those not asked.

    The clusters take turns in the order of the release. So both members of a pair have the same examples, and as many prompts of a
    release have examples with solutions A, B, A as with B, A, B (one-shot: A as B). When options are swapped, so are those of the
    examples, and A becomes B.
    """
    clusters = dict.fromkeys(entry.cluster for entry in entries)
    return {cluster: place % 2 for place, cluster in enumerate(clusters)}


def prompt(
    entry: ReleasedItem,
    shown_as: Shown,
    variant: int = 0,
    *,
    cue: bool = False,
    examples: Mapping[str, str] | None = None,
) -> str:
    """Return the prompt of an item.

    Args:
        cue: whether the prompt ends with the beginning of an answer rather than its format, for models that only go on with texts.
        examples: texts in place of our examples, by mode (`read_demonstrations`).

    Raises:
        PipelineError: the mode is unknown, the item has no such form, candidates-only has no question, or there are no examples in
            the item's language, or for the mode.
    """
    if shown_as.mode not in ALL_MODES:
        raise PipelineError(
            None, None, f"[mode] unknown mode; found {shown(shown_as.mode)}, expected one of {', '.join(ALL_MODES)}"
        )
    lang = "zh" if shown_as.mode.endswith(CHINESE) else "en"
    mode, templates = shown_as.mode.removesuffix(CHINESE), prompt_templates()[lang]
    text, target = _text(entry, shown_as.form)
    fields = _fields(entry, shown_as, templates) | {
        "reference": getattr(templates, shown_as.form).format(pronoun=target.of(text)),
        "clause": clause(text, target),
        "question": entry.item.question,
    }
    if mode == "candidates-only" and not entry.item.question:
        raise PipelineError(None, None, f"[mode] {shown_as.mode} needs questions; {entry.item.id} has none")
    if mode in EXAMPLES:
        if examples is not None and shown_as.mode not in examples:
            expected = f"{', '.join(examples)}, or its text in the file"
            raise PipelineError(None, None, f"[demonstrations] no examples for {shown_as.mode}; expected {expected}")
        ours = () if examples else _examples(entry, shown_as, templates, mode, variant)
        fields["examples"] = examples[shown_as.mode] if examples else "\n".join(ours)
    letters = _letters(len(entry.item.candidates), templates)
    ending = templates.cue if cue else templates.format.format(letters=letters).rstrip("\n")
    return templates.modes[mode].rstrip("\n").format_map(fields) + f"\n{ending}"


def clause(text: str, target: Span) -> str:
    """Return the clause of a target: what stands between two marks, with the mark that ends it.

    >>> clause("妹妹叫姐姐坐过去，说Ø看不清字。", Span(10, 11))
    '说Ø看不清字。'
    """
    start = max((match.end() for match in _MARK.finditer(text, 0, target.start)), default=0)
    end = _MARK.search(text, target.end)
    return text[start : end.end() if end else len(text)].strip()


def has_form(entry: ReleasedItem, form: Form) -> bool:
    """Tell whether an item can be shown in a form: some have no zero, and some were never overt."""
    return bool(entry.text_zero) if form == "zero" else bool(entry.item.target.length)


def _text(entry: ReleasedItem, form: Form) -> tuple[str, Span]:
    if not has_form(entry, form):
        missing = "zero" if form == "zero" else "overt pronoun"
        raise PipelineError(None, None, f"[form] {entry.item.id} has no {missing}; expected the other form")
    if form == "overt":
        return entry.item.text, entry.item.target
    start = entry.text_zero.index(ZERO)
    return entry.text_zero, Span(start, start + len(ZERO))


def _fields(entry: ReleasedItem, shown_as: Shown, templates: Templates, *, question: bool = True) -> dict[str, str]:
    text, _ = _text(entry, shown_as.form)
    asked = entry.item.question if question else ""
    # A question in Chinese follows without a blank, whatever the language of the instructions.
    blank = " " if asked and language_of(entry.item.lang).spaced else ""
    names = list(entry.item.candidates[:: -1 if shown_as.order == "swapped" else 1])
    options = (templates.option.format(letter=letter(place), name=name) for place, name in enumerate(names))
    answer = templates.option.format(
        letter=letter(names.index(right := entry.item.candidates[entry.item.answer])), name=right
    )
    return {"sentence": f"{text}{blank}{asked}", "options": "\n".join(options), "answer": answer}


def _examples(entry: ReleasedItem, shown_as: Shown, templates: Templates, mode: str, variant: int) -> list[str]:
    lang = entry.item.lang.split("-")[0]
    if lang not in demonstrations():
        expected = " or ".join(sorted(demonstrations()))
        raise PipelineError(
            None, None, f"[mode] no examples in {shown(lang)} for {mode}; expected a release in {expected}"
        )
    members = [pair[answer] for pair, answer in zip(demonstrations()[lang], ANSWERS[variant], strict=True)]
    chosen = members if mode == "few-shot" else members[FEW - 1 :]
    return [
        templates.examples[mode]
        .rstrip("\n")
        .format_map(_fields(member, shown_as, templates, question=bool(entry.item.question)) | {"number": str(number)})
        for number, member in enumerate(chosen, 1)
    ]


def _letters(count: int, templates: Templates) -> str:
    letters = [letter(place) for place in range(count)]
    between, last = templates.joint
    return f"{between.join(letters[:-1])}{last}{letters[-1]}"
