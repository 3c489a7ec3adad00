"""What an entry of a file of schemas must meet besides its format, so that an author is told at the line of the field."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ...core.invisible import INVISIBLE, code_point
from ...core.notation import expand, unbracket
from ...core.yamlfile import line_of
from ...language.text_checks import check_doubled_words
from ..analysis import exchanged_term

#: The texts and the lists of texts of an entry.
_FIELDS = (
    "id",
    "text",
    "question",
    "candidates",
    "answers",
    "register",
    "gloss",
    "kind",
    "role",
    "source",
    "note",
)
_EMPTY_ALTERNATIVE = re.compile(r"(?<!\\)(?:\{\s*\||\|\s*\})")
_SAME_ALTERNATIVES = re.compile(r"(?<!\\)\{([^{}|]*)\|\1\}")
_HAN = re.compile("[\u3400-\u9fff]")
#: Radicals that look like characters.
_RADICAL = re.compile("[\u2e80-\u2fdf]")
_QUESTION_WORD = re.compile("谁|什么|哪[个位只条家边里些]?|多少")


def check_entry(entry: Mapping[str, Any], path: Path, lang: str) -> None:
    """Refuse an entry with a fault in one of its texts, or whose texts do not fit each other.

    Raises:
        PipelineError: an invisible character, a letter that is not composed, a blank too many, a gloss that is not in English, an
            empty alternative, words to count that are not in the Chinese text.
    """
    for field in _FIELDS:
        for text in _texts(entry.get(field)):
            if reason := _fault(text):
                raise PipelineError(path, line_of(entry, field), f"[{field}] {reason}")
    for field in ("text", "question", "gloss"):
        text = entry.get(field, "")
        if match := _EMPTY_ALTERNATIVE.search(text):
            reason = f"empty alternative; found {match[0]!r} in {shown(text)}, expected words for both members"
            raise PipelineError(path, line_of(entry, field), f"[{field}] {reason}")
        if match := _SAME_ALTERNATIVES.search(text):
            reason = f"alternatives are the same; found {shown(match[0])}, expected words that differ"
            raise PipelineError(path, line_of(entry, field), f"[{field}] {reason}")
    _check_gloss(entry, path)
    members = [unbracket(member)[0] for member in expand(entry["text"])]
    if lang == "zh":
        _check_question(entry, members, path)
    if terms := entry.get("pmi"):
        _check_terms(terms, entry["candidates"], members, path, lang)


def _check_gloss(entry: Mapping[str, Any], path: Path) -> None:
    """Refuse a gloss that is not in English, or has a word twice in a row."""
    gloss = entry.get("gloss", "")
    if letter := next((letter for letter in gloss if letter.isalpha() and not _is_latin(letter)), ""):
        reason = f"not in English; found {letter!r} in {shown(gloss)}, expected an English translation"
    elif doubled := check_doubled_words(expand(gloss), "en"):
        reason = f"a word twice; {doubled}"
    else:
        return
    raise PipelineError(path, line_of(entry, "gloss"), f"[gloss] {reason}")


def _texts(value: object) -> Iterator[str]:
    """Yield a text, or the texts of a list."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (text for text in value if isinstance(text, str))


def _fault(text: str) -> str:
    """Return which character or blank of a text is wrong, or an empty string."""
    if match := INVISIBLE.search(text):
        return f"invisible character; found {code_point(match[0])} in {shown(text)}, expected visible characters on one line"
    if odd := next((sign for sign in text if unicodedata.category(sign) == "Cn"), ""):
        return f"unassigned character; found {code_point(odd)} in {shown(text)}, expected characters of Unicode"
    if match := _RADICAL.search(text):
        return f"a radical, not a character; found {code_point(match[0])} in {shown(text)}, expected the character"
    if unicodedata.normalize("NFC", text) != text:
        return f"not composed; found {shown(text)}, expected Unicode form NFC"
    if text != text.strip() or re.search(r"\s\s|[^\S ]", text):
        return (
            f"a blank too many, or of another kind; found {shown(text)}, expected single blanks, and none at the ends"
        )
    return ""


def _is_latin(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith("LATIN")


def _check_question(entry: Mapping[str, Any], members: Sequence[str], path: Path) -> None:
    """Refuse candidates out of order, and a question that cannot be about its Chinese sentence."""
    names = entry["candidates"]
    places = [members[0].find(name) for name in names]
    if -1 not in places and places != sorted(places):
        reason = f"not in the order of the text; found {shown(list(names))}, expected the order in {shown(members[0])}"
        raise PipelineError(path, line_of(entry, "candidates"), f"[candidates] {reason}")
    line = line_of(entry, "question")
    questions = [unbracket(question)[0] for question in expand(entry["question"])]
    if not questions[0].strip():
        raise PipelineError(path, line, "[question] empty; expected a question that asks for a candidate")
    for question, member in zip(questions, members, strict=True):
        words = _HAN.findall(_QUESTION_WORD.sub("", question))
        if sum(word in member for word in words) < len(words) / 2:
            reason = f"not about this text; found {shown(question)}, expected words of {shown(member)}"
            raise PipelineError(path, line, f"[question] {reason}")
    braces = re.search(r"\{([^{}|]*)\|([^{}|]*)\}", entry["text"])
    if not braces:
        return
    marked = entry["text"][: braces.start()] + "{}" + entry["text"][braces.end() :]
    clause = next((part for part in re.split("[，。！？；：]", marked) if "{}" in part), "")
    # What differs before the target (追问|解释[他]为什么晚到) is no part of what is asked.
    if "[" in clause.split("{}")[0] and questions[0] == questions[1]:
        reason = (
            f"one question for both members; found {shown(questions[0])}, expected {braces[0]} in it as in the text"
        )
        raise PipelineError(path, line, f"[question] {reason}")
    first, second = (braces[1] in questions[0], braces[2] in questions[1])
    if not first and not second and braces[1] in questions[1] and braces[2] in questions[0]:
        reason = f"alternatives exchanged; found {shown(entry['question'])}, expected {braces[0]} as in the text"
        raise PipelineError(path, line, f"[question] {reason}")


def _check_terms(terms: Mapping[str, Any], names: Sequence[str], members: Sequence[str], path: Path, lang: str) -> None:
    """Refuse words to count that are the same, or that a Chinese text does not have; other languages inflect theirs."""
    for field in ("candidates", "references"):
        words = terms[field]
        for word in words:
            sign = next((sign for sign in word if not (sign.isalnum() or sign in "-'’·")), "")
            if reason := _fault(word) or (
                "" if word and not sign else f"not a word; found {shown(word)}, expected a word"
            ):
                raise PipelineError(path, line_of(terms, field), f"[{field}] {reason}")
        if len(set(words)) < len(words):
            reason = f"not unique; found {shown(list(words))}, expected different words"
            raise PipelineError(path, line_of(terms, field), f"[{field}] {reason}")
    if shared := set(terms["candidates"]) & set(terms["references"]):
        reason = f"a word of a candidate; found {shown(min(shared))}, expected another word to count it with"
        raise PipelineError(path, line_of(terms, "references"), f"[references] {reason}")
    if lang == "zh":
        _check_places(terms, names, members, path)


def _check_places(terms: Mapping[str, Any], names: Sequence[str], members: Sequence[str], path: Path) -> None:
    """Refuse words to count that a Chinese text does not have, or that are of the other candidate."""
    if (place := exchanged_term(terms["candidates"], names)) is not None:
        word, name = terms["candidates"][place], names[place]
        reason = f"not in the order of the candidates; found {shown(word)}, expected a word for {shown(name)}"
        raise PipelineError(path, line_of(terms, "candidates"), f"[candidates] {reason}")
    for index, member in enumerate(members):
        for field, words in (
            ("candidates", terms["candidates"]),
            ("references", terms["references"][index : index + 1]),
        ):
            if missing := next((word for word in words if word not in member), ""):
                reason = f"not in the text; found {shown(missing)}, expected a word of {shown(member)}"
                raise PipelineError(path, line_of(terms, field), f"[{field}] {reason}")


def check_copies(entries: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Refuse an entry with the text or the gloss of an earlier one, also with other marks or other candidates.

    Raises:
        PipelineError: with the line of the copy; or an entry has no source, although most have one.
    """
    for field in ("text", "gloss"):
        lines: dict[str, int | None] = {}
        for entry in entries:
            texts = expand(entry.get(field, ""))
            masked = [_masked(text, entry["candidates"]) for text in texts] if field == "text" else []
            for member in dict.fromkeys([*map(_letters, texts), *masked]):
                line = line_of(entry, field)
                if not member:
                    continue
                if lines.setdefault(member, line) != line:
                    reason = (
                        f"not unique; found {shown(entry[field])} in line {lines[member]} too, expected another {field}"
                    )
                    raise PipelineError(path, line, f"[{field}] {reason}")
    without = [entry for entry in entries if not entry.get("source")]
    if without and len(without) < len(entries) / 2:
        line = line_of(without[0], "source") if "source" in without[0] else line_of(without[0])
        raise PipelineError(path, line, "[source] no source; expected one, as most entries have")


def _masked(text: str, candidates: Sequence[str]) -> str:
    """Return the letters of a text with marks for its candidates, longer ones first."""
    for name in sorted(candidates, key=len, reverse=True):
        text = text.replace(name, f"0candidate{list(candidates).index(name)}0") if name else text
    return _letters(text)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
