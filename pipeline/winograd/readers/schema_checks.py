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

#: The texts and the lists of texts of an entry.
_FIELDS = ("id", "text", "question", "candidates", "answers", "gloss", "kind", "role", "source", "note")
_EMPTY_ALTERNATIVE = re.compile(r"(?<!\\)(?:\{\s*\||\|\s*\})")
_SAME_ALTERNATIVES = re.compile(r"(?<!\\)\{([^{}|]*)\|\1\}")


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
    letter = next((letter for letter in entry.get("gloss", "") if letter.isalpha() and not _is_latin(letter)), "")
    if letter:
        reason = f"not in English; found {letter!r} in {shown(entry['gloss'])}, expected an English translation"
        raise PipelineError(path, line_of(entry, "gloss"), f"[gloss] {reason}")
    if terms := entry.get("pmi"):
        _check_terms(terms, [unbracket(member)[0] for member in expand(entry["text"])], path, lang)


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
    if unicodedata.normalize("NFC", text) != text:
        return f"not composed; found {shown(text)}, expected Unicode form NFC"
    if text != text.strip() or re.search(r"\s\s|[^\S ]", text):
        return (
            f"a blank too many, or of another kind; found {shown(text)}, expected single blanks, and none at the ends"
        )
    return ""


def _is_latin(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith("LATIN")


def _check_terms(terms: Mapping[str, Any], members: Sequence[str], path: Path, lang: str) -> None:
    """Refuse words to count that are the same, or that a Chinese text does not have; other languages inflect theirs."""
    for field in ("candidates", "references"):
        words = terms[field]
        for word in words:
            if reason := _fault(word) or ("" if word else "empty; expected a word"):
                raise PipelineError(path, line_of(terms, field), f"[{field}] {reason}")
        if len(set(words)) < len(words):
            reason = f"not unique; found {shown(list(words))}, expected different words"
            raise PipelineError(path, line_of(terms, field), f"[{field}] {reason}")
    if lang != "zh":
        return
    for index, member in enumerate(members):
        for field, words in (
            ("candidates", terms["candidates"]),
            ("references", terms["references"][index : index + 1]),
        ):
            if missing := next((word for word in words if word not in member), ""):
                reason = f"not in the text; found {shown(missing)}, expected a word of {shown(member)}"
                raise PipelineError(path, line_of(terms, field), f"[{field}] {reason}")


def check_copies(entries: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Refuse an entry with the text or the gloss of an earlier one, also with other marks.

    Raises:
        PipelineError: with the line of the copy.
    """
    for field in ("text", "gloss"):
        lines: dict[str, int | None] = {}
        for entry in entries:
            for member in dict.fromkeys(map(_letters, expand(entry.get(field, "")))):
                line = line_of(entry, field)
                if not member:
                    continue
                if lines.setdefault(member, line) != line:
                    reason = (
                        f"not unique; found {shown(entry[field])} in line {lines[member]} too, expected another {field}"
                    )
                    raise PipelineError(path, line, f"[{field}] {reason}")


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
