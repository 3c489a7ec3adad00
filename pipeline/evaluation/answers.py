"""Which candidate a system's free-text answer chooses.

The prompts of WSC-ZA (Appendix B) ask for ``Answer: A or B``. Systems answer with more and less: 答案：Ａ, "A. 老生", the name alone, the
options repeated, both, neither, an apology. An answer without one clear choice has an outcome that says why.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, get_args

#: What an answer is: one choice by its letter or by its name, or the reason why it has no choice.
Outcome = Literal["letter", "name", "both", "neither", "contradiction", "refusal", "unclear", "empty"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
#: The outcomes with a choice.
CHOSEN: tuple[Outcome, ...] = ("letter", "name")

_THOUGHT = re.compile(
    r"<(?:think|thinking|reasoning)>.*?(?:</(?:think|thinking|reasoning)>|\Z)", re.DOTALL | re.IGNORECASE
)
_THOUGHT_END = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_APOSTROPHE = re.compile(r"(?<=[A-Za-z])’(?=[a-z])")
_MARKUP = re.compile(r"[*`_#>\"“”‘’「」『』《》{}$]|(?<![A-Za-z])'|'(?![a-z])|\\(?:boxed|text)\b")
#: What announces the answer. The last one counts: earlier ones repeat the prompt or an example.
_MARKER = re.compile(
    r"(?:(?:正确|最终|最后的?)?(?:答案|选项|选择)(?:应该|应当)?(?:是|为)?\s*[:是为]"
    r"|\b(?:the\s+)?(?:correct\s+|final\s+|best\s+)*(?:answer|option|choice)\s*(?:is\s*:?|:|=))\s*",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"(?:不(?:是|指|选|能选|可能是)|而非|并非|(?:\bnot|n't(?: be)?|\brather than|\binstead of)\s+(?:the\s+)?)\s*$",
    re.IGNORECASE,
)
#: A denial after a letter: A不对, A是错的, "A is wrong". 不是 before another letter denies that one: A不是B.
_REJECTED = re.compile(
    r"[)\]]?\s*(?:是?错|也?不(?:对|是(?!\s*[A-J](?![A-Za-z]))|正确|合适|可能|符合|行)"
    r"|(?:is|was)(?:\s+(?:also\s+)?not|n't)\b|(?:is|was)\s+(?:also\s+)?(?:wrong|incorrect)\b)",
    re.IGNORECASE,
)
#: What announces the letter after it as the answer, rather than as the first of repeated options.
_ANNOUNCED = re.compile(r"(?:答案|选择?|应为|[是为]|\banswer|\bchoice|\bis|\bchoose)\s*:?\s*$", re.IGNORECASE)
#: Maximum length of a denial with the blanks after it.
_DENIAL = 24
_NEITHER = re.compile(
    r"都不(?:是|对|指)?|均不|皆非|以上皆非|无法(?:确定|判断|得知|区分)|不(?:能|可)确定|不确定|不清楚|不明确|没有(?:正确|合适)"
    r"|\bneither\b|\bnone\b|\bunclear\b|\bambiguous\b|\bcannot be determined\b|\bcan(?:not|'t)? (?:determine|tell)\b",
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"两(?:者|个|人|项)?都|(?<!不)都(?:是|对|可以|有可能)|均可|皆可|二者皆|\bboth\b|\beither\b", re.IGNORECASE
)
_REFUSAL = re.compile(
    r"抱歉|对不起|(?:无法|不能|不便)(?:回答|提供|完成|协助)|作为(?:一个|一名)?(?:AI|人工智能|语言模型)"
    r"|\bsorry\b|\bas an? (?:AI|language model)\b|\bI (?:cannot|can't|am unable|'m unable|won't)\b|\bunable to\b",
    re.IGNORECASE,
)
#: What may follow the article "A" in English, so that it is a letter after all.
_AFTER_LETTER = re.compile(r"\s+(?!(?:or|and|is|as|because|since|refers|means|seems|was|were|has|had|then)\b)[a-z]")


@dataclass(frozen=True, slots=True)
class ParsedAnswer:
    """The outcome of an answer, and the index of the candidate that it chooses, None without a choice."""

    outcome: Outcome
    choice: int | None = None


def parse_answer(answer: str, candidates: Sequence[str], *, swapped: bool = False) -> ParsedAnswer:
    """Return which candidate an answer chooses.

    A first line that is an answer and nothing else counts before all. Otherwise a letter that stands alone counts before a name, what
    follows the last "answer:" before the rest, and the beginning before the end. Options that are repeated, and what is
    denied (不是A, A不对), choose nothing. A letter whose name beside it is that of another candidate is a contradiction.

    Args:
        swapped: whether the options were shown in reverse, so that A was the last candidate. Names are the same in any order.

    >>> parse_answer("答案：Ｂ", ["老生", "新生"]), parse_answer("A", ["老生", "新生"], swapped=True)
    (ParsedAnswer(outcome='letter', choice=1), ParsedAnswer(outcome='letter', choice=1))
    >>> parse_answer("是老生。", ["老生", "新生"]), parse_answer("两者都有可能", ["老生", "新生"])
    (ParsedAnswer(outcome='name', choice=0), ParsedAnswer(outcome='both', choice=None))
    """
    shown = [_plain(name) for name in (reversed(candidates) if swapped else candidates)]
    text = _plain(without_thought(answer))
    rest = _without_options(text, shown)
    parsed = _parse(rest, shown) if rest or not text else ParsedAnswer("both")
    if parsed.choice is None or not swapped:
        return parsed
    return ParsedAnswer(parsed.outcome, len(candidates) - 1 - parsed.choice)


def without_thought(answer: str) -> str:
    """Return what an answer says after its last thought, or around it if nothing follows; the opening tag may be missing.

    >>> without_thought("A? No.</think>B"), without_thought("B <think>A?</think>"), without_thought("<think>A?")
    ('B', 'B  ', ' ')
    """
    *_, rest = _THOUGHT_END.split(answer)
    last = _THOUGHT.sub(" ", rest)
    if last.strip():
        return last
    *_, rest = _THOUGHT_END.split(_THOUGHT.sub(" ", answer))
    return rest


def _plain(text: str) -> str:
    """Return a text with half-width letters and marks, without markup, quotes and outer blanks."""
    return _MARKUP.sub("", _APOSTROPHE.sub("'", unicodedata.normalize("NFKC", text))).strip()


def _parse(text: str, names: Sequence[str]) -> ParsedAnswer:
    if not text:
        return ParsedAnswer("empty")
    if (first := _first_line(text, names)) is not None:
        return first
    options = _options_pattern(tuple(names)).search(text)
    if options and not _ANNOUNCED.search(text, max(0, options.start() - _DENIAL), options.start()):
        rest = text[: options.start()] + text[options.end() :]
        if not rest.strip(" \n,.;:。"):
            return ParsedAnswer("both")
        if (parsed := _announced(rest.strip(), names)).outcome != "unclear":
            return parsed
    return _announced(text, names)


def _announced(text: str, names: Sequence[str]) -> ParsedAnswer:
    """Return what follows the last "answer:", or what the whole text says."""
    markers = list(_MARKER.finditer(text))
    if markers and (rest := text[markers[-1].end() :].strip()):
        announced = _parse_part(rest, names)
        if announced.outcome != "unclear":
            return announced
    return _parse_part(text, names)


def _first_line(text: str, names: Sequence[str]) -> ParsedAnswer | None:
    """Return the choice of a first line that is an answer and nothing else: a model without a stop goes on with examples of its own."""
    line = text.splitlines()[0]
    marker = _MARKER.match(line)
    answer = line[marker.end() if marker else 0 :].strip(" .。()[]:")
    if answer in names:
        return ParsedAnswer("name", names.index(answer))
    rest = answer[1:].lstrip(").:、] ")
    for index, name in enumerate(names):
        if answer[:1] == letter(index) and (len(answer) == 1 or (rest == name and answer[1] in ").:、]")):
            return ParsedAnswer("letter", index)
    return None


def _parse_part(text: str, names: Sequence[str]) -> ParsedAnswer:
    letters = list(_letters(text, len(names)))
    if letters and letters[0][0] == 0 and not _joined(text, letters):
        return _with_name(text, letters[0], names)
    chosen = {index for _, _, index in letters}
    if len(chosen) == 1:
        return _with_name(text, letters[0], names)
    named = _named(text, names)
    if _clause_of(text) in names:
        return ParsedAnswer("name", names.index(_clause_of(text)))
    if _REFUSAL.search(text):
        return ParsedAnswer("refusal")
    if _NEITHER.search(text):
        return ParsedAnswer("neither")
    if _BOTH.search(text) or len(chosen) > 1:
        return ParsedAnswer("both")
    if len(named) == 1:
        return ParsedAnswer("name", named.pop())
    return ParsedAnswer("both" if named else "unclear")


def _letters(text: str, count: int) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, index) of each letter of an option that stands alone and is not denied.

    A lower-case letter counts only where it is the whole answer or stands in brackets or before one: "a" is an English word.
    """
    bare = text.strip(" .。()[]")
    for match in _letter_pattern(count).finditer(text):
        mark = match[1]
        bracketed = match[0] != mark or text.startswith((".", ":", "、"), match.end())
        if mark.islower() and not (bare == mark or (bracketed and not match.start())):
            continue
        if mark == "A" and not bracketed and _AFTER_LETTER.match(text, match.end()):
            continue
        if not _denied(text, match.start()) and not _REJECTED.match(text, match.end()):
            yield match.start(), match.end(), ord(mark.upper()) - ord("A")


@cache
def _letter_pattern(count: int) -> re.Pattern[str]:
    last = letter(count - 1)
    return re.compile(rf"[(\[]?(?<![A-Za-z])([A-{last}a-{last.lower()}])(?![A-Za-z]|'\w)[)\]]?")


def letter(index: int) -> str:
    """Return the letter of an option: A of the first."""
    return chr(ord("A") + index)


def _joined(text: str, letters: Sequence[tuple[int, int, int]]) -> bool:
    """Return whether the first letter is joined to another one: "A or B", "A和B"."""
    (_, end, first), *others = letters
    joint = re.compile(r"\s*(?:or|and|和|或者?|与|、|/|&|,)\s*", re.IGNORECASE)
    return any(index != first and joint.fullmatch(text[end:start]) for start, _, index in others)


def _with_name(text: str, found: tuple[int, int, int], names: Sequence[str]) -> ParsedAnswer:
    """Return the choice of a letter, or a contradiction if the name beside it is another candidate's."""
    start, end, index = found
    beside = re.sub(r"^[\s.:、,()\]-]+", "", text[end:])
    others = [name for place, name in enumerate(names) if place != index and name]
    own = names[index]
    if any(_begins(beside, name) for name in others) and not _begins(beside, own):
        return ParsedAnswer("contradiction")
    if text[start] in "([" and not _ends(text[:start], own) and any(_ends(text[:start], name) for name in others):
        return ParsedAnswer("contradiction")
    return ParsedAnswer("letter", index)


def _begins(text: str, name: str) -> bool:
    article = re.match(r"(?:the|an?)\s+", text, re.IGNORECASE)
    bare = text[article.end() :] if article and not name.casefold().startswith(article[0].casefold()) else text
    return bare.casefold().startswith(name.casefold())


def _ends(text: str, name: str) -> bool:
    """Return whether a text ends with a name; a Latin one is not the end of a longer word."""
    before = text.rstrip()
    return bool(name) and any(match.end() == len(before) for match in _name_pattern(name).finditer(before))


def _clause_of(text: str) -> str:
    """Return the first clause without an article or a verb that says what the zero is."""
    clause = re.split(r"[,.;!?。;、\n(]", text, maxsplit=1)[0].strip()
    return re.sub(r"^(?:Ø|∅)?\s*(?:(?:应该)?(?:是|指的是|指代|指)|the\s+)", "", clause, flags=re.IGNORECASE).strip()


def _named(text: str, names: Sequence[str]) -> set[int]:
    """Return the candidates that a text names and does not deny; a name inside a longer one of another candidate does not count."""
    named, rest = set(), text
    for index in sorted(range(len(names)), key=lambda index: -len(names[index])):
        pattern = _name_pattern(names[index])
        if names[index] and any(not _denied(text, match.start()) for match in pattern.finditer(rest)):
            named.add(index)
        rest = pattern.sub(lambda match: "\0" * len(match[0]), rest)
    return named


@lru_cache(maxsize=4096)
def _name_pattern(name: str) -> re.Pattern[str]:
    escaped = re.escape(name)
    return re.compile(rf"(?<!\w){escaped}(?!\w)" if name[:1].isascii() else escaped, re.IGNORECASE)


def _denied(text: str, start: int) -> bool:
    """Return whether a denial ends right before a place."""
    return _NEGATED.search(text, max(0, start - _DENIAL), start) is not None


def _without_options(text: str, names: Sequence[str]) -> str:
    """Return a text without the options that it repeats, each on a line of its own, if all of them are there.

    The last one may be cut off, where a model that repeats them without end reached the maximum length.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    options = [(letter(index).casefold(), name.casefold()) for index, name in enumerate(names)]
    read = [_option_parts(line) for line in lines]
    places = [options.index(parts) if parts in options else None for parts in read]
    if len(lines) > 1 and places[-1] is None and (before := places[-2]) is not None:
        after = (before + 1) % len(options)
        if _is_cut(read[-1], options[after], alone=after > 0):
            places[-1] = after
    if not set(places) >= set(range(len(names))):
        return text
    return "\n".join(line for line, place in zip(lines, places, strict=True) if place is None).strip()


@lru_cache(maxsize=4096)
def _options_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of all options in a row: A:老生,B:新生; "A is the technician; B is the customer"."""
    options = (
        rf"(?:选项\s*|\boption\s+)?\(?(?<![A-Za-z]){letter(index)}(?:\s*[.:、)]\s*|\s*是|\s+is\s+)(?:the\s+)?{re.escape(name)}(?![A-Za-z])"
        for index, name in enumerate(names)
    )
    return re.compile(r"[\s,;.。、]*(?:(?:而|和|\band\b)\s*)?".join(options), re.IGNORECASE)


def _is_cut(read: tuple[str, str], option: tuple[str, str], *, alone: bool) -> bool:
    """Tell whether a line is the beginning of an option; its letter alone counts only if asked for, as it may be an answer."""
    return read[0] == option[0] and option[1].startswith(read[1]) and (bool(read[1]) or alone)


def _option_parts(line: str) -> tuple[str, str]:
    bare = line.strip().removeprefix("(").casefold()
    return bare[:1], bare[1:].lstrip(").:、 ").rstrip(".")
