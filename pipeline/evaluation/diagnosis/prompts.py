"""The diagnostic prompt of WSC-ZA (Appendix C), in English as printed and in Chinese."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

import msgspec

from ...core.convert import Text
from ...language.answers.choice import MAX_ANSWER, ParsedAnswer, parse_answer
from ...language.answers.final import without_thought
from ...language.languages import language_of
from ..items import ReleasedItem
from ..predictions import Form
from ..prompts import Language, read_templates

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
