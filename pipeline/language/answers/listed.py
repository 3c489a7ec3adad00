"""Options that an answer repeats in a list, and its verdict on each."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from .mentions import begins_with, letter, name_patterns
from .words import phrases

#: Signs by which a list says that an option is right or wrong.
_RIGHT_SIGN, _WRONG_SIGN = re.compile(r"[✅✓√☑⭕✔👍]|\[[xX]\]"), re.compile(r"[❌✗×✘❎🚫👎]|\[ \]")
_SIGN = rf"(?:{_RIGHT_SIGN.pattern}|{_WRONG_SIGN.pattern})"
#: A list in which the signs stand before the options, the blanks before its signs, and those behind the signs of others.
_SIGN_FIRST = re.compile(rf"\s*(?:[-•+]\s*)?{_SIGN}\s*\w")
_BEFORE_SIGN, _AFTER_SIGN = re.compile(rf"\s+(?={_SIGN}\s*\w)"), re.compile(r"(?<=[✅✓√⭕✔👍❌✗×✘❎🚫👎])[ \t]+")
#: What may stand before an option in a list, such as a sign, and its letter or number.
_LABEL = re.compile(
    rf"\s*\|?\s*(?:首先|其次|第[一二三]|[-•+]|→)?\s*(?P<sign>{_SIGN})?\s*\(?"
    r"(?:(?:选项)?(?P<letter>[A-J])(?![A-Za-z])|(?P<number>[1-6])(?=[.:、)]))?[.:、)]*\s*\(?"
)
#: A weight behind an option, and the words that prefer it to the next one.
_WEIGHT = (
    r"\)?\s*+[(\[,:–—-]?\s*+(?:选项|项)?的?"
    r"(?:可能性|概率|几率|置信度|信心|把握|(?i:prob(?:ability|\.)?|likelihood|confidence|score|weight|wahrscheinlichkeit|konfidenz)|with|mit)?"
    r"\s*+(?:约|大约|is|of|about)?\s*+(?:为|是|有|[:=(,])?\s*+(?:约|大约)?"
    r"(\d{1,3}(?=\s*%)|\d{1,2}\.\d+(?=\s*%)|0?\.\d+)\s*%?"
)
#: A score of an option, alone in its line or part: A: 7, B: 3/10.
_SCORE = r"\s*[:=|–—-]\s*(\d{1,3}(?:\.\d+)?)(?:\s*/\s*\d+)?\s*\|?\s*(?=\Z|[\n,;])"
_QUALITY = r"[)\s]*的?(?:可能性|概率|合理性)?(?:远|要|更|明显)?"
#: What stands between two options of which the first is better, worse or as good: A ≻ B, P(A) ≺ P(B), A = B.
_BETTER, _WORSE, _EQUAL = (
    re.compile(rf"{before}(?:{sign}){after}\s*(?:P\s*\(|(?:the|der|die|das)\s)?\s*", re.IGNORECASE)
    for before, sign, after in (
        (_QUALITY, "≻|大于|高于|胜过|优于|beats|outweighs|schlägt", ""),
        (rf",?{_QUALITY}", "≺|小于|低于|不如|不及", "(?:说)?(?:是|选)?"),
        (_QUALITY, "==?|≈|等于", ""),
    )
)


def verdict(text: str, names: Sequence[str]) -> list[int]:
    """Return the option that a list of verdicts approves, or all that it ticks; empty without one: "A. 警察 ❌ B. 小偷 ✅".

    Each option stands at the beginning of a line or a clause, by its letter or number with a sign or a word, by its name with a sign (what
    words say after a name is as often what the sentence tells); another one must be disapproved, or ticked too.
    """
    approved, disapproved, ticked = set[int](), set[int](), set[int]()
    text = (_BEFORE_SIGN if _SIGN_FIRST.match(text) else _AFTER_SIGN).sub("\n", text)
    for part in re.split(
        r"[\n;；,。]|(?:(?<=[?])|(?<=\w\s[\u2600-\u27bf]))\s*(?=[A-J1-6][.:、)])|\.\s+(?=[A-J1-6][.:、)])|\s+(?=[A-J1-6][.)]\s*(?:yes|no|ja|nein|是|否|对|不))",
        text,
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
        if _WRONG_SIGN.search(said) or (in_words and phrases().wrong.search(said)):
            disapproved.add(index)
        elif _RIGHT_SIGN.search(said):
            ticked.add(index)
        elif in_words and phrases().right.search(said):
            approved.add(index)
    approved |= ticked
    is_clear = len(ticked) > 1 or (len(approved) == 1 and disapproved)
    return sorted(approved) if is_clear and not approved & disapproved else []


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
    """Return the options that a text gives the greatest weight, none without weights: "A: 30 %, B: 70 %", "妹妹 ≻ 姐姐", "A = B ≺ C".

    A weight is a percentage or a decimal below 1 right after the letter or the name, or a number that is all that is said; each option must
    have one. The signs ≻ and ≺ stand
    for a preference. In a ranking the first option is the best.
    """
    if not phrases().compared.search(text):
        return []
    options = _option_patterns(tuple(names))
    for number in (_WEIGHT, _SCORE):
        found = [[*re.finditer(rf"{option}{number}", text)] for option in options]
        if all(len(matches) == 1 for matches in found):
            weights = [float(match[1]) * (1 if "%" in match[0] else 100) for (match,) in found]
            if number == _SCORE and {float(match[1]) for (match,) in found} == {*range(1, len(names) + 1)}:
                return []  # ranks as well as scores
            return [index for index, weight in enumerate(weights) if weight == max(weights)]
    ranking = phrases().ranking.search(text)
    ranked = [_index(option) for option in _any_option(tuple(names)).finditer(text, ranking.end())] if ranking else []
    return ranked[:1] if len(set(ranked)) > 1 else _best(text, list(_any_option(tuple(names)).finditer(text)))


def _best(text: str, options: Sequence[re.Match[str]]) -> list[int]:
    """Return the options to which a text compares no better one: "A = B ≺ C"; none if it compares none, or in a circle."""
    equals: dict[int, set[int]] = {}
    worse, compared = set[int](), set[int]()
    for first, second in pairwise(options):
        between = text[first.end() : second.start()]
        pair = [_index(first), _index(second)]
        by_letter = [len(match[0].split("(")[0].strip()) == 1 for match in (first, second)]
        signs = [bool(sign.fullmatch(between)) for sign in (_BETTER, _WORSE, _EQUAL)]
        tells = not any(by_letter) and re.match(
            r"\w", text[second.end() :]
        )  # of what the names stand for: 老生不如新生熟悉
        if pair[0] == pair[1] or tells or not any(signs) or (signs[2] and by_letter[0] != by_letter[1]):
            continue
        compared.update(pair)
        if signs[2]:
            equals[pair[0]] = equals[pair[1]] = equals.get(pair[0], {pair[0]}) | equals.get(pair[1], {pair[1]})
        else:
            worse.add(pair[signs[0]])
    for index in list(worse):
        worse |= equals.get(index, set())
    return sorted(compared - worse)


@lru_cache(maxsize=4096)
def _option_patterns(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return a pattern for each option, by its letter, its letter and name, or its name, with the other one in brackets behind it."""
    return tuple(
        rf"(?:(?<![A-Za-z]){letter(index)}(?![A-Za-z])(?:\s*[.:、)]\s*{name})?|{name})(?:\s*\([^()\d]*\))?"
        for index, pattern in enumerate(name_patterns(names))
        for name in [f"(?i:{pattern.pattern if pattern else '(?!)'})"]
    )


@lru_cache(maxsize=4096)
def _any_option(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of every option, longer names first; the name of its group ends in the number of the option."""
    longest_first = sorted(enumerate(_option_patterns(names)), key=lambda option: -len(option[1]))
    return re.compile("|".join(f"(?P<option{index}>{pattern})" for index, pattern in longest_first))


def _index(option: re.Match[str]) -> int:
    return int((option.lastgroup or "").removeprefix("option"))


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
