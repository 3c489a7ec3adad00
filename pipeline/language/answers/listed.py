"""Options that an answer repeats in a list, and its verdict on each."""

import re
from collections.abc import Sequence
from functools import lru_cache

from .mentions import begins_with, letter
from .words import RIGHT, RIGHT_SIGN, WRONG, WRONG_SIGN

_SIGN = rf"(?:{RIGHT_SIGN.pattern}|{WRONG_SIGN.pattern})"
#: What may stand before an option in a list, such as a sign, and its letter or number.
_LABEL = re.compile(
    rf"\s*\|?\s*(?:首先|其次|第[一二三]|[-•+]|→)?\s*(?P<sign>{_SIGN})?\s*\(?"
    r"(?:(?:选项)?(?P<letter>[A-J])(?![A-Za-z])|(?P<number>[1-6])(?=[.:、)]))?[.:、)]*\s*\(?"
)
#: A weight behind an option, and the words that prefer it to the next one.
_WEIGHT = (
    r"\)?\s*+(?:选项|项)?的?(?:可能性|概率|几率|probability|likelihood|with|mit)?\s*+(?:约|大约|is|of|about)?\s*+(?:为|是|有|[:=(,])?\s*+(?:约|大约)?"
    r"(\d{1,3}(?=\s*%)(?:\.\d+)?|\d{1,2}\.\d+(?=\s*%)|0?\.\d+)\s*(%)?"
)
#: What a text without weights and preferences lacks.
_COMPARED = re.compile(r"\d\s*%|\.\d|≻|大于|高于|胜过")
_PREFERRED = r"(?:\s*≻\s*|的?(?:可能性|概率|合理性)(?:远|要|更|明显)?(?:大于|高于|胜过))"


def verdict(text: str, names: Sequence[str]) -> int | None:
    """Return the option that a list of verdicts approves alone, None without one: "A. 警察 ❌ B. 小偷 ✅".

    Each option stands at the beginning of a line or a clause, by its letter or number with a sign or a word, by its name with a sign (what
    words say after a name is as often what the sentence tells); another one must be disapproved.
    """
    approved, disapproved = set(), set()
    for part in re.split(
        r"[\n;；,。]|(?:(?<=[?])|(?<=\w\s[\u2600-\u27bf]))\s*(?=[A-J1-6][.:、)])|\.\s+(?=[A-J1-6][.:、)])", text
    ):
        label = _LABEL.match(part)
        rest = part[label.end() :] if label else part
        ends = [begins_with(rest, index, names) for index in range(len(names))]
        index = next((index for index, end in enumerate(ends) if end), None)
        if label and label["letter"]:
            index = ord(label["letter"]) - ord("A")
        elif label and label["number"]:
            index = int(label["number"]) - 1
        if index is None or index >= len(names):
            continue
        said = (label["sign"] or "" if label else "") + rest[ends[index] or 0 :]
        in_words = bool(label and (label["letter"] or label["number"]))
        if WRONG_SIGN.search(said) or (in_words and WRONG.search(said)):
            disapproved.add(index)
        elif RIGHT_SIGN.search(said) or (in_words and RIGHT.search(said)):
            approved.add(index)
    return approved.pop() if len(approved) == 1 and disapproved and not approved & disapproved else None


def without_options(text: str, names: Sequence[str]) -> str:
    """Return a text without the options that it repeats, each on a line of its own, if all of them are there.

    The last one may be cut off, where a model that repeats them without end reached the maximum length.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    options = [(letter(index).casefold(), name.casefold()) for index, name in enumerate(names)]
    if all((str(index + 1), name.casefold()) in map(_option_parts, lines) for index, name in enumerate(names)):
        options = [(str(index + 1), name) for index, (_, name) in enumerate(options)]
    read = [_option_parts(line) for line in lines]
    places = [options.index(parts) if parts in options else None for parts in read]
    if len(lines) > 1 and places[-1] is None and (before := places[-2]) is not None:
        after = (before + 1) % len(options)
        if _is_cut(read[-1], options[after], alone=after > 0):
            places[-1] = after
    if not set(places) >= set(range(len(names))):
        return text
    return "\n".join(line for line, place in zip(lines, places, strict=True) if place is None).strip()


def weighed(text: str, names: Sequence[str]) -> list[int]:
    """Return the options that a text gives the greatest weight, none without weights: "A: 30 %, B: 70 %", "妹妹 ≻ 姐姐", "B的可能性大于A".

    A weight is a percentage or a decimal below 1 right after the letter or the name; each option must have one. The sign ≻ stands for
    a preference.
    """
    if not _COMPARED.search(text):
        return []
    options = _option_patterns(tuple(names))
    weights: dict[int, float] = {}
    for index, option in enumerate(options):
        found = [float(match[1]) * (1 if match[2] else 100) for match in re.finditer(rf"{option}{_WEIGHT}", text)]
        if len(found) == 1:
            weights[index] = found[0]
    best = [index for index, weight in weights.items() if weight == max(weights.values())]
    if len(weights) == len(names):
        return best
    preferred = [
        (index, other)
        for index, option in enumerate(options)
        for other, worse in enumerate(options)
        if other != index and re.search(rf"{option}{_PREFERRED}{worse}", text)
    ]
    tops = {index for index, _ in preferred} - {other for _, other in preferred}
    return list(tops) if len(tops) == 1 else []


@lru_cache(maxsize=4096)
def _option_patterns(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return a pattern for each option, by its letter or its name, with the other one in brackets behind it."""
    return tuple(
        rf"(?:(?<![A-Za-z]){letter(index)}(?![A-Za-z])|(?i:{re.escape(name)}))(?:\s*\([^()\d]*\))?"
        for index, name in enumerate(names)
    )


@lru_cache(maxsize=4096)
def options_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of all options in a row: A:老生,B:新生; "A is the technician; B is the customer"."""
    options = (
        rf"(?:选项\s*|\boption\s+)?\(?(?<![A-Za-z]){letter(index)}(?:\s*[.:、)]\s*|\s*是|\s+is\s+|\s+)(?:the\s+)?{re.escape(name)}(?![A-Za-z])"
        for index, name in enumerate(names)
    )
    return re.compile(r"[\s,;.。、]*(?:(?:而|和|\band\b)\s*)?".join(options), re.IGNORECASE)


def _is_cut(read: tuple[str, str], option: tuple[str, str], *, alone: bool) -> bool:
    """Tell whether a line is the beginning of an option; its letter alone counts only if asked for, as it may be an answer."""
    return read[0] == option[0] and option[1].startswith(read[1]) and (bool(read[1]) or alone)


def _option_parts(line: str) -> tuple[str, str]:
    bare = line.strip().removeprefix("(").casefold()
    return bare[:1], bare[1:].lstrip(").:、 ").rstrip(".")
