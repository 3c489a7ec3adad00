"""The prompts of WSC-ZA (Appendix B): their templates from rules/evaluation/prompts, their labelled examples from raw/evaluation.

Each example is a schema: of its two members, the first has the first candidate as its answer, the second the other one. So a prompt can
have an example with either letter as its solution.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, get_args

import msgspec

from ..core.convert import Text, convert_node, error_at, read_yaml, require_placeholders
from ..core.errors import PipelineError, shown
from ..core.files import require_unique
from ..core.model import Item, Span
from ..core.notation import FactorError, expand, unbracket
from ..core.rules import RULES
from ..core.yamlfile import line_of, load_yaml
from ..language.answers.mentions import letter
from ..language.languages import language_of
from ..winograd.zero_forms import ZERO
from .items import ReleasedItem
from .predictions import ORDER_WORDS, Form, Order

T = TypeVar("T")
#: The language of instructions.
Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
#: The modes, and those of them whose prompts show examples.
Mode = Literal["zero-shot", "one-shot", "few-shot", "clause-only", "candidates-only"]
ExampleMode = Literal["one-shot", "few-shot"]
#: What the templates of the modes must hold, and those of their examples.
MODES: Mapping[Mode, frozenset[str]] = {
    "zero-shot": frozenset({"reference", "sentence", "options"}),
    "one-shot": frozenset({"examples", "sentence", "options"}),
    "few-shot": frozenset({"examples", "sentence", "options"}),
    "clause-only": frozenset({"reference", "clause", "options"}),
    "candidates-only": frozenset({"question", "options"}),
}
EXAMPLES: Mapping[ExampleMode, frozenset[str]] = {
    "one-shot": frozenset({"sentence", "options", "answer"}),
    "few-shot": frozenset({"number", "sentence", "options", "answer"}),
}
_PLACEHOLDERS = {
    "option": frozenset({"letter", "name"}),
    "zero": frozenset[str](),
    "overt": frozenset({"pronoun"}),
    "format": frozenset({"letters"}),
    "cue": frozenset[str](),
    "modes": MODES,
    "examples": EXAMPLES,
}


class Templates(msgspec.Struct, frozen=True):
    """The templates in one language of instructions."""

    joint: tuple[Text, Text]  # what stands between the letters of the answer's format, and what before the last one
    option: Text  # an option, with its letter and its name
    zero: Text  # what is resolved in the zero form
    overt: Text  # what is resolved in the overt form, with its pronoun
    format: Text  # the end of every prompt: how to answer
    cue: Text  # the end in its place for a model that only goes on with texts: how an answer begins
    modes: Mapping[Mode, Text]  # a template for each of `MODES`
    examples: Mapping[ExampleMode, Text]  # the template of an example for each of `EXAMPLES`


def read_templates(name: str, kind: type[T], placeholders: Mapping[str, Any]) -> dict[Language, T]:
    """Return the templates in a file of rules/evaluation/prompts by the language of their instructions, each with its placeholders."""
    path = RULES / "evaluation" / "prompts" / name
    nodes = load_yaml(path)
    templates: dict[Language, T] = convert_node(nodes, dict[Language, kind], path)  # type: ignore[valid-type]
    require_placeholders(nodes, dict.fromkeys(LANGUAGES, placeholders), path)
    return templates


@cache
def prompt_templates() -> Mapping[Language, Templates]:
    """Return the templates of WSC-ZA's prompts by the language of their instructions."""
    return read_templates("wsc-za.yaml", Templates, _PLACEHOLDERS)


# --- examples -----------------------------------------------------------------------------------------------------------

#: Number of examples of a few-shot prompt (WSC-ZA 4.1.2).
FEW = 3
#: What asks for the paper's own examples by name; they are refused with the way to a file of them.
PUBLISHED = "published"
#: The file, in the repository or in an installed package.
FILE = RULES.parent / "raw" / "evaluation" / "demonstrations.yaml"


class _Schema(msgspec.Struct, frozen=True):
    text: Text
    question: Text
    candidates: tuple[Text, Text]
    answers: tuple[Text, Text]


class _Example(msgspec.Struct, frozen=True):
    id: Text
    zh: _Schema
    en: _Schema


#: The modes of a file of examples: with instructions in English, and in Chinese.
_FileMode = Literal[ExampleMode, "one-shot-zh", "few-shot-zh"]
#: An example in one language: its two members, by the index of the candidate that is right.
Demonstration = tuple[ReleasedItem, ReleasedItem]


@cache
def demonstrations() -> Mapping[str, tuple[Demonstration, ...]]:
    """Return the examples of each language, in the order in which few-shot prompts show them; a one-shot prompt shows the last.

    Each is a schema: one target, two candidates before it, each the answer of one member.
    """
    nodes = load_yaml(FILE)
    examples = convert_node(nodes, tuple[_Example, _Example, _Example], FILE)
    ids: dict[str, int | None] = {}
    for node, example in zip(nodes, examples, strict=True):
        require_unique(ids, example.id, FILE, line_of(node, "id"))
    return {
        lang: tuple(
            _demonstration(getattr(example, lang), node[lang], f"{example.id}-{lang}", lang)
            for node, example in zip(nodes, examples, strict=True)
        )
        for lang in ("en", "zh")
    }


def read_demonstrations(path: Path) -> Mapping[str, str]:
    """Return the examples of a user's file (YAML), such as those that a paper prints: for each mode their text, as the prompts show it.

    The text takes the place of our examples, the same in each prompt of the mode, whatever the item, its form or the order of its options.
    """
    if path.name == PUBLISHED and not path.exists():
        reason = "the paper's examples are sentences of its benchmark, which winoforge may not ship"
        raise PipelineError(
            None, None, f"[demonstrations] {reason}; expected a file with them: docs/evaluation_models.md"
        )
    texts: dict[_FileMode, str] = read_yaml(path, dict[_FileMode, Text])
    if not texts:
        expected = ", ".join(get_args(_FileMode))
        raise PipelineError(path, None, f"[demonstrations] no examples; expected some of {expected}")
    return {mode: text.rstrip("\n") for mode, text in texts.items()}


def _demonstration(schema: _Schema, node: Any, schema_id: str, lang: str) -> Demonstration:
    if schema.answers != schema.candidates:
        reason = f"found {shown(list(schema.answers))}, expected {shown(list(schema.candidates))}"
        raise error_at(node, FILE, ("answers",), f"{reason}: each candidate is right once")
    texts, questions = (_members(getattr(schema, key), node, key) for key in ("text", "question"))
    try:
        first, second = (
            _item(schema, text, question, answer, schema_id, lang)
            for answer, (text, question) in enumerate(zip(texts, questions, strict=True))
        )
    except ValueError as error:
        raise error_at(node, FILE, ("text",), str(error)) from error
    return first, second


def _members(text: str, node: Any, key: str) -> tuple[str, str]:
    """Return the members of a factored text, which differ."""
    try:
        first, second = expand(text)
    except FactorError as error:
        raise error_at(node, FILE, (key,), str(error)) from error
    if first == second:
        raise error_at(node, FILE, (key,), f"members alike; found {shown(text)}, expected {{a|b}} in it")
    return first, second


def _item(schema: _Schema, marked: str, question: str, answer: int, schema_id: str, lang: str) -> ReleasedItem:
    text, spans = unbracket(marked)
    if len(spans) != 1 or not spans[0].length:
        raise ValueError(f"found {len(spans)} targets in brackets, expected one")
    (target,) = spans
    for candidate in schema.candidates:
        if candidate not in text[: target.start]:
            raise ValueError(f"no mention before the target; expected {shown(candidate)} there")
    version = "ab"[answer]
    item = Item(
        id=f"{schema_id}-{version}",
        schema=schema_id,
        version=version,
        lang=lang,
        text=text,
        target=target,
        candidates=schema.candidates,
        answer=answer,
        question=question,
        source=FILE.name,
        note="",
    )
    zero = f"{text[: target.start]}{ZERO}{text[target.end :]}" if lang == "zh" else ""
    return ReleasedItem(item, zero, {})


# --- an item as a prompt -------------------------------------------------------------------------------------------------

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
    lang: Language = "zh" if shown_as.mode.endswith(CHINESE) else "en"
    mode: Any = shown_as.mode.removesuffix(CHINESE)  # one of `MODES`
    templates = prompt_templates()[lang]
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
    between, last = templates.joint
    *letters, end = (letter(place) for place in range(len(entry.item.candidates)))
    letters_in_words = f"{between.join(letters)}{last}{end}"
    ending = templates.cue if cue else templates.format.format(letters=letters_in_words).rstrip("\n")
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


def _examples(entry: ReleasedItem, shown_as: Shown, templates: Templates, mode: ExampleMode, variant: int) -> list[str]:
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
