"""How models announce, deny and doubt an option, in Chinese, English and German: the phrases of rules/answers/phrases.yaml."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import msgspec

from ...core.convert import Text, Words, convert_node, error_at, keys_of
from ...core.rules import RULES
from ...core.yamlfile import expression_at, line_of, load_yaml

#: How many words that begin a conclusion are tried.
_CONCLUSIONS = 20
#: Maximum length of a denial or an announcement with the blanks after it.
REACH = 40


@dataclass(frozen=True, slots=True)
class Phrases:
    """The patterns of the table, which explains each."""

    announced: re.Pattern[str]
    marker: re.Pattern[str]
    reference: re.Pattern[str]
    identity: re.Pattern[str]
    identity_verb: re.Pattern[str]
    conclusion: re.Pattern[str]
    turn: re.Pattern[str]
    denied: re.Pattern[str]
    excepted: re.Pattern[str]
    affirms_excepted: re.Pattern[str]
    ruled_out: re.Pattern[str]
    doubted: re.Pattern[str]
    wrong_letter: re.Pattern[str]
    wrong_name: re.Pattern[str]
    confirmed: re.Pattern[str]
    turn_to: re.Pattern[str]
    preferred: re.Pattern[str]
    correction: re.Pattern[str]
    withdrawal: re.Pattern[str]
    next_question: re.Pattern[str]
    aloud: re.Pattern[str]
    hanging: re.Pattern[str]
    right: re.Pattern[str]
    wrong: re.Pattern[str]
    neither: re.Pattern[str]
    both: re.Pattern[str]
    refusal: re.Pattern[str]
    after_letter: re.Pattern[str]
    german_article: re.Pattern[str]
    numbered: re.Pattern[str]
    bare_number: re.Pattern[str]
    article: re.Pattern[str]
    postmodifier: re.Pattern[str]
    option_words: re.Pattern[str]
    said: re.Pattern[str]
    joint: re.Pattern[str]
    only_letters: re.Pattern[str]
    as_topic: re.Pattern[str]
    as_subject: re.Pattern[str]
    compared: re.Pattern[str]
    ranking: re.Pattern[str]


class _Phrase(msgspec.Struct, frozen=True):
    words: Words
    before: str = ""
    after: str = ""


@cache
def phrases() -> Phrases:
    """Return the patterns; raises `PipelineError` if an entry is missing or malformed."""
    path = RULES / "answers" / "phrases.yaml"
    node = load_yaml(path)
    patterns: dict[str, re.Pattern[str]] = {}
    for name, phrase in convert_node(node, dict[Text, _Phrase], path).items():
        text = f"{phrase.before}(?:{'|'.join(phrase.words)}){phrase.after}"
        for part in re.findall(r"\{([a-z][a-z-]*)\}", text):
            if part not in patterns:
                raise error_at(
                    node, path, (name,), f"no entry above; found {{{part}}}, expected one of {', '.join(patterns)}"
                )
            text = text.replace(f"{{{part}}}", f"(?:{patterns[part].pattern})")
        patterns[name] = expression_at(text, path, line_of(node, name), name, re.IGNORECASE)
    keys = {name: name.replace("_", "-") for name in keys_of(Phrases)}
    if missing := [key for key in keys.values() if key not in patterns]:
        raise error_at(node, path, (missing[0],), "missing field; expected a mapping with words")
    return Phrases(**{name: patterns[key] for name, key in keys.items()})


def is_denied(text: str, start: int, end: int, *, letter: bool) -> bool:
    """Return whether a text denies the letter or the name at a place, before it or after it."""
    before = text[max(0, start - REACH) : start]
    if before.endswith("非") and text.startswith(("莫属", "不可"), end):
        return False
    if phrases().excepted.search(before):
        sentence = re.split(r"[.!。\n]", before)[-1] + re.split(r"[.!。\n]", text[end : end + REACH])[0]
        return not phrases().affirms_excepted.search(sentence)
    wrong = phrases().wrong_letter if letter else phrases().wrong_name
    return phrases().denied.search(before) is not None or wrong.match(text, end) is not None


def are_ruled_out(text: str, start: int) -> bool:
    """Return whether a text begins a list of options that it rules out before the option at a place."""
    return phrases().ruled_out.search(text[max(0, start - REACH) : start]) is not None


def turns_to(text: str, start: int) -> bool:
    """Return whether a text turns from another option to the one at a place."""
    return phrases().turn_to.search(text[max(0, start - REACH) : start]) is not None


def is_cut_off(text: str) -> bool:
    """Tell whether a text of some length is a thought aloud without its end, or ends in a word that asks for more."""
    return len(text) > REACH and bool(
        re.search(r"[^\W\d_]\Z", text) and (phrases().aloud.match(text) or phrases().hanging.match(text))
    )


def is_doubted(text: str, start: int) -> bool:
    """Return whether a text asks only whether an option is meant, or concedes it: although A."""
    return phrases().doubted.search(text[max(0, start - REACH) : start]) is not None


def conclusions(text: str, *, turns: bool = True) -> Iterator[str]:
    """Yield what follows each of the last words that begin a conclusion, the last first; with `turns`, those of but and however too."""
    words = [*phrases().conclusion.finditer(text), *(phrases().turn.finditer(text) if turns else ())]
    for match in sorted(words, key=lambda match: -match.start())[:_CONCLUSIONS]:
        yield text[match.end() :].strip(" ,:，、\n")
