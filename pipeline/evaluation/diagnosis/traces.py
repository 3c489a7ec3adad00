"""The diagnostic prompt of WSC-ZA (Appendix C), and traces: what a system explained after it was called wrong, and answered then."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from ...core.convert import Text, read_by_id, to_object
from ...core.errors import PipelineError, shown
from ...core.model import Item
from ...language.answers.choice import MAX_ANSWER, ParsedAnswer, parse_answer
from ...language.answers.final import without_thought
from ...language.languages import language_of
from ..items import ReleasedItem
from ..measures.accuracy import accuracy
from ..predictions import Form
from ..prompts import Language, read_templates
from .errors import Case, Condition, Rule

_PLACEHOLDERS: Mapping[str, frozenset[str]] = {
    "zero": frozenset(),
    "overt": frozenset({"pronoun"}),
    "prompt": frozenset({"sentence", "first", "second", "reference"}),
}
_SECTION = re.compile(r"^[\s*#_]*[(（]?([123])[)）.、．:：]", re.MULTILINE)
#: The heading of the second section, which the answer follows or stands under.
_HEADING = re.compile(
    r"(?:correct\s+answer|answer|正确答案|答案)[\s*_]*(?:[(（][\s*_]*A\s*/\s*B[\s*_]*[)）])?[\s*_:：]*", re.IGNORECASE
)


class Template(msgspec.Struct, frozen=True):
    """The prompt in one language, with the words for the target in each form."""

    zero: Text
    overt: Text
    prompt: Text


@cache
def templates() -> Mapping[Language, Template]:
    """Return the templates of rules/evaluation/prompts/diagnosis.yaml by the language of their instructions."""
    return read_templates("diagnosis.yaml", Template, _PLACEHOLDERS)


def diagnostic_prompt(entry: ReleasedItem, form: Form, lang: Language = "en") -> str:
    """Return the prompt about an item of two candidates, which says that the model was wrong before.

    Raises `ValueError` if the template does not fit the item, or it has no zero form although that is asked for.
    """
    item, template = entry.item, templates()[lang]
    if len(item.candidates) != 2:
        raise ValueError(f"[candidates] the prompt has two; found {len(item.candidates)} of {item.id}, expected two")
    if form == "zero" and not entry.text_zero:
        raise ValueError(f"[form] no zero form of {item.id}, expected one or the form overt")
    text = entry.text_zero if form == "zero" else item.text
    reference = template.zero if form == "zero" else template.overt.format(pronoun=item.target.of(item.text))
    blank = " " if item.question and language_of(item.lang).spaced else ""
    first, second = item.candidates
    sentence = f"{text}{blank}{item.question}"
    return template.prompt.rstrip("\n").format(sentence=sentence, first=first, second=second, reference=reference)


def parse_diagnosis(trace: str, candidates: tuple[str, ...]) -> ParsedAnswer:
    r"""Return the answer of a trace: what its last section with the number 2 says.

    A section that begins with "correct answer" goes before others. Without sections, what follows the last "correct answer" counts. The
    reasoning names both candidates as a rule, so that it gives no answer by itself.

    >>> parse_diagnosis("1. A or B?\n2. Correct answer (A/B): B\n3. Not A.", ("老汤", "小柳"))
    ParsedAnswer(outcome='letter', choice=1)
    >>> parse_diagnosis("I think that 老汤 has", ("老汤", "小柳")).outcome
    'unclear'
    """
    text = without_thought(trace)[-MAX_ANSWER:]
    if not text.strip():
        return ParsedAnswer("empty")
    seconds = list(_second_sections(text))
    with_heading = [section for section in seconds if _HEADING.match(section)]
    if seconds:
        answer = _HEADING.sub("", (with_heading or seconds)[-1], count=1)
    elif headings := list(_HEADING.finditer(text)):
        answer = text[headings[-1].end() :]
    else:
        return ParsedAnswer("unclear")
    return parse_answer(answer.strip(), candidates) if answer.strip() else ParsedAnswer("unclear")


def _second_sections(text: str) -> Iterator[str]:
    """Yield what stands in each section with the number 2; steps of the reasoning may be numbered too."""
    sections = list(_SECTION.finditer(text))
    ends = [*(section.start() for section in sections), len(text)][1:]
    for section, end in zip(sections, ends, strict=False):
        if section[1] == "2":
            yield text[section.end() : end].strip(" *_#\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What a system explained about one item."""

    id: str  # the id of the item, a slash and a number; it names neither system nor condition
    model: str
    form: Form
    condition: Condition  # whether its first answer was wrong (error) or right (control)
    rule: Rule  # the rule by which errors were chosen
    previous: int | None  # the candidate that it chose first; None without a choice
    language: Language
    prompt: str
    trace: str  # the whole text that it wrote
    outcome: str  # what its new answer is (`Outcome` of `language.answers`)
    choice: int | None  # the candidate that it chooses now; None without a choice
    item: Item

    def __post_init__(self) -> None:
        for name, choice in (("previous", self.previous), ("choice", self.choice)):
            if choice is not None and not 0 <= choice < len(self.item.candidates):
                raise ValueError(f"[{name}] found {choice}, expected the number of a candidate of {self.item.id}")


def case_ids(cases: Sequence[Case]) -> list[str]:
    """Return the id of the trace of each case: the item's id with the number of the case among those of the item."""
    numbers: Counter[str] = Counter()
    ids = []
    for case in cases:
        numbers[case.id] += 1
        ids.append(f"{case.id}/{numbers[case.id]}")
    return ids


def traces(
    cases: Mapping[str, Case],
    items: Mapping[str, ReleasedItem],
    language: Language,
    ask: Callable[[Mapping[str, str]], Mapping[str, str]],
) -> list[Trace]:
    """Return the traces of the cases of one system, by the ids of their traces; `ask` returns the reply to each prompt by id.

    Raises `ValueError` if a reply is missing, or a prompt does not fit (`diagnostic_prompt`).
    """
    prompts = {name: diagnostic_prompt(items[case.id], case.form, language) for name, case in cases.items()}
    replies = ask(prompts)
    made = []
    for name, case in cases.items():
        if name not in replies:
            raise ValueError(f"[id] no reply to {shown(name)}; expected one to each of {len(cases)} prompts")
        item = items[case.id].item
        parsed = parse_diagnosis(replies[name], item.candidates)
        made.append(
            Trace(
                id=name,
                model=case.model,
                form=case.form,
                condition=case.condition,
                rule=case.rule,
                previous=case.previous,
                language=language,
                prompt=prompts[name],
                trace=replies[name],
                outcome=parsed.outcome,
                choice=parsed.choice,
                item=item,
            )
        )
    return made


def read_traces(path: Path) -> list[Trace]:
    """Return the traces of a file that `evaluate diagnose` wrote; at least one, each with an id of its own."""
    traces_by_id = read_by_id(path, Trace, "the traces that winoforge evaluate diagnose writes")
    if not traces_by_id:
        raise PipelineError(path, None, "[file] no trace; expected those that winoforge evaluate diagnose writes")
    return list(traces_by_id.values())


def change_figures(made: Sequence[Trace]) -> list[dict[str, Any]]:
    """Return for each system, form and condition how often its answer changed after it was called wrong.

    A row has ``traces``, ``changed`` (the answer is another candidate than before; of an error without a choice before, any), ``kept``
    (the same), ``without`` (no choice now), ``right`` (right now), and ``share``, that of changes among the traces with a choice, with its
    95 % interval clustered by schema.
    """
    groups: dict[tuple[str, Form, Condition], list[Trace]] = {}
    for trace in made:
        groups.setdefault((trace.model, trace.form, trace.condition), []).append(trace)
    return [
        {"model": model, "form": form, "condition": condition, **_changes(group)}
        for (model, form, condition), group in groups.items()
    ]


def _changes(group: Sequence[Trace]) -> dict[str, Any]:
    chosen = [(trace.id, trace.choice != trace.previous) for trace in group if trace.choice is not None]
    changes = accuracy(chosen, {trace.id: trace.item.schema for trace in group})
    return {
        "traces": len(group),
        "changed": changes.right,
        "kept": changes.n - changes.right,
        "without": len(group) - changes.n,
        "right": sum(trace.choice == trace.item.answer for trace in group),
        "share": changes.value,
        "interval": to_object(changes.interval),
    }
