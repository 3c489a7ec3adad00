"""Drafts from rows by a layout.

How a file counts (offsets in characters or words, answers from 0 or 1) is told by all its rows together: one row may fit both ways.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, plural, shown
from ...core.files import UnreadableValue, from_json, require_unique
from ...core.model import Finding, Span
from ...language.languages import language_of
from ...language.questions import is_language, question_table
from .draft import GAP, Draft, collapse, defect, member
from .layouts import Layout
from .pairing import with_schemas
from .rows import Row

_GAP = re.compile(r"\[MASK\]|<mask>|\[BLANK\]|_+")
_MARK = re.compile(r"[\[［【]([^\[\]［］【】]+)[\]］】]")
#: Truth values in small letters, those of localised spreadsheets (WAHR, FAUX, 真) and the words for yes and no too.
TRUTHS = dict.fromkeys(
    ("true", "1", "yes", "wahr", "ja", "richtig", "vrai", "oui", "verdadero", "sí", "vero", "verdadeiro", "sim", "waar",
     "igaz", "igen", "истина", "да", "prawda", "是", "真", "对", "對"), True,
) | dict.fromkeys(
    ("false", "0", "no", "falsch", "nein", "faux", "non", "falso", "não", "onwaar", "nee", "hamis", "nem", "ложь", "нет",
     "fałsz", "否", "假", "错", "錯", "偽"), False,
)  # fmt: skip
#: A blank between two characters of Chinese or Japanese, or beside a mark there.
_IDLE_BLANK = re.compile("(?<=[\u3000-\u9fff\uff00-\uffef\\]])[ \u3000]+(?=[\u3000-\u9fff\uff00-\uffef\\[])")
_SUFFIX = re.compile(r"(.+)[-_.]([0-9]|[a-z])", re.DOTALL)
_NUMBER = re.compile("[0-9]{1,9}")
_FRACTION = re.compile("[0-9]*[.,]0*[1-9][0-9]*")
#: Offsets stay right if line ends become blanks.
_LINE_ENDS = str.maketrans("\r\n\t", "   ")
#: Maximum number of members of a schema whose ids differ in the last character only.
_MEMBERS = 3


@dataclass(frozen=True, slots=True)
class _Place:
    """The text of a row without marks, the target, the candidates that marks name, and what is wrong."""

    text: str
    target: Span | None
    marked: tuple[str, ...] = ()
    defects: tuple[Finding, ...] = ()


def read_rows(rows: Sequence[Row], layout: Layout, path: Path, *, lang: str, source: str) -> list[Draft]:
    """Return a draft for each row of a file.

    Args:
        layout: which fields have what an item needs.
        lang: the language of the texts, unless a row says its own.
        source: what the collection is called, for ids and sources, as "WinoGrande".

    Raises:
        PipelineError: no row; no row has a field of the layout; the rows fit two ways of counting; an id is there twice.
    """
    if not rows:
        raise PipelineError(path, None, "[file] no record; expected one a row")
    required = (layout.text, layout.target, layout.offset, *layout.candidates)
    for field in filter(None, required):
        if not any(field in row for _, row in rows):
            reason = f"[{field}] missing field; found {shown(', '.join(rows[0][1]))}"
            raise PipelineError(path, rows[0][0], reason)
    by_word, spans = counted_spans([_target(row, layout) for _, row in rows], path, layout.offset)
    langs = [_text(row, layout.lang) or lang for _, row in rows]
    if wrong := next(
        ((line, code) for (line, _), code in zip(rows, langs, strict=True) if not is_language(code)), None
    ):
        reason = f"[lang] no code of a language; found {shown(wrong[1])}, expected one of ISO 639, such as en"
        raise PipelineError(path, wrong[0], reason)
    places = [
        _place(row, layout, code, span, by_word=by_word)
        for (_, row), code, span in zip(rows, langs, spans, strict=True)
    ]
    names = [
        candidates_of(row, layout) if layout.candidates else place.marked
        for (_, row), place in zip(rows, places, strict=True)
    ]
    first = first_number(rows, names, layout, path)
    drafts = []
    for number, ((line, row), code, place, candidates) in enumerate(zip(rows, langs, places, names, strict=True), 1):
        gold, faults = _gold(row, candidates, layout, first)
        drafts.append(
            Draft(
                lang=code,
                text=place.text,
                candidates=tuple(filter(None, candidates)),
                gold=gold,
                target=place.target,
                question=collapse(_text(row, layout.question)),
                source=f"{source} {number}",
                note=collapse(_text(row, layout.id)),
                defects=(*place.defects, *faults),
                lines={"id": line},
            )
        )
    return _with_ids(drafts, rows, layout, path, source)


def _text(row: Mapping[str, Any], field: str) -> str:
    """Return the text of a field; empty without the field, and for null and NaN."""
    value = row.get(field) if field else None
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    is_missing = value is None or value != value or isinstance(value, UnreadableValue)
    return "" if is_missing else str(value)


# --- candidates -------------------------------------------------------------------------------------------------------


def candidates_of(row: Mapping[str, Any], layout: Layout) -> tuple[str, ...]:
    r"""Return the candidates of a row: one a field, or a field with a list, of JSON or Python, or with marks between them.

    A field without a candidate keeps its place before others.

    >>> candidates_of({"options": "['Tom', \"Bob's son\"]"}, Layout(text="text", candidates=("options",)))
    ('Tom', "Bob's son")
    """
    if len(layout.candidates) > 1:
        names = [collapse(_text(row, field)) for field in layout.candidates]
        return tuple(names[: max((place for place, name in enumerate(names, 1) if name), default=0)])
    cell = row.get(layout.candidates[0])
    if isinstance(cell, dict):  # {"label": ["A", "B"], "text": ["Tom", "Bob"]}, as benchmarks with choices have them
        cell = cell.get("text")
    parts = cell if isinstance(cell, list) else _listed(_text(row, layout.candidates[0]))
    names = [str(part.get("text", "") if isinstance(part, dict) else part) for part in parts]
    return tuple(collapse(name) for name in names if name.strip())


def _listed(cell: str) -> Sequence[object]:
    if cell.lstrip().startswith("["):
        try:
            value = from_json(cell)
        except ValueError:  # a list as Python or NumPy prints it
            pairs = re.findall(r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\"""", cell)
            return [re.sub(r"\\(.)", r"\1", single or double) for single, double in pairs]
        return value if isinstance(value, list) else [value]
    return re.split(r"[|;；\t/]" if re.search(r"[|;；\t/]", cell) else "[,，、]", cell)


# --- target -----------------------------------------------------------------------------------------------------------


def _place(row: Mapping[str, Any], layout: Layout, lang: str, span: Span | None, *, by_word: bool) -> _Place:
    text, form = _text(row, layout.text).translate(_LINE_ENDS), _text(row, layout.target).strip()
    if not text.strip():
        return _Place("", None, (), (defect("text", "the text is missing"),))
    if layout.offset and not _GAP.fullmatch(form):
        counted = "words" if by_word else "characters"
        reason = (
            f"the target is not at its offset in {counted}; found {shown(row.get(layout.offset))} for {shown(form)}"
        )
        return _Place(text, span, (), () if span else (defect("target", reason),))
    if not language_of(lang).spaced:
        text = _IDLE_BLANK.sub("", text)
    if not layout.candidates and len(_MARK.findall(text)) > 1:
        return _all_marked(text, form, lang)
    if not form or _GAP.fullmatch(form) or any(mark[1] == form for mark in _MARK.finditer(text)):
        if not form and _text(row, layout.question) and not _GAP.search(text) and not _MARK.search(text):
            return _Place(text, None)  # the question tells it
        return marked(text)
    spans = [Span(match.start(), match.end()) for match in _word(form).finditer(text)]
    if len(spans) == 1:
        return _Place(text, spans[0])
    if spans and _text(row, layout.question):
        return _Place(text, None)
    reason = f"the target occurs {len(spans)} times and has no offset; found {shown(form)}, expected it once"
    return _Place(text, None, (), (defect("target", reason),))


def marked(text: str) -> _Place:
    """Return a text without the mark of its target: brackets around a word, or a gap, which becomes `GAP`.

    >>> place = marked("Anna rief Eva, weil [sie] fror.")
    >>> place.text, place.target
    ('Anna rief Eva, weil sie fror.', Span(start=20, end=23))
    """
    gaps = list(_GAP.finditer(text))
    marks = gaps or list(_MARK.finditer(text))
    if len(marks) != 1:
        reason = f"the target is not marked once; found {plural(len(marks), 'mark')} in {shown(text)}"
        return _Place(text, None, (), (defect("target", f"{reason}, expected one word in brackets, or one gap"),))
    start, end = marks[0].span()
    form = GAP if gaps else marks[0][1]
    return _Place(f"{text[:start]}{form}{text[end:]}", Span(start, start + len(form)))


def _all_marked(text: str, form: str, lang: str) -> _Place:
    """Return a text without its marks: the one with the form of the target, or the only pronoun, is the target, the others candidates."""
    plain, spans, done = "", [], 0
    for mark in _MARK.finditer(text):
        plain += text[done : mark.start()]
        spans.append(Span(len(plain), len(plain) + len(mark[1])))
        plain, done = plain + mark[1], mark.end()
    plain += text[done:]
    is_pronoun = question_table(lang).is_pronoun
    targets = [span for span in spans if (span.of(plain) == form if form else is_pronoun(span.of(plain)))]
    names = tuple(span.of(plain) for span in spans if span not in targets)
    if len(targets) == 1:
        return _Place(plain, targets[0], names)
    reason = f"one mark is not the target; found {shown(text)}, expected one pronoun in brackets among the candidates"
    return _Place(plain, None, names, (defect("target", reason),))


def _word(form: str) -> re.Pattern[str]:
    boundary = not "\u2e80" <= form[:1] <= "\uffef"  # Chinese and Japanese have no blanks
    return re.compile(rf"(?<!\w){re.escape(form)}(?!\w)" if boundary else re.escape(form))


def counted_spans(
    targets: Sequence[tuple[str, str, int | None]], path: Path, field: str
) -> tuple[bool, list[Span | None]]:
    """Return whether offsets count words, and the place of each target, None where it is not at its offset.

    Args:
        targets: the text, the form of the target, and its offset from 0: of its first character, or of its first word between blanks.
        field: what holds the offsets.

    Raises:
        PipelineError: as many targets fit one way as the other, at different places.
    """
    ways = [
        [None if offset is None else span_at(text, form, offset) for text, form, offset in targets]
        for span_at in (character_span, word_span)
    ]
    characters, words = (sum(span is not None for span in way) for way in ways)
    if characters == words and ways[0] != ways[1]:
        reason = f"offsets fit as characters and as words in {plural(words, 'problem')} each"
        raise PipelineError(path, None, f"[{field}] {reason}; expected one way to fit more of them")
    return words > characters, ways[words > characters]


def _target(row: Mapping[str, Any], layout: Layout) -> tuple[str, str, int | None]:
    """Return the text of a row, the form of its target, and the offset; None if it is none."""
    text, form, written = (_text(row, name) for name in (layout.text, layout.target, layout.offset))
    number = whole_number(written.strip())
    return text, form, int(number) if form.strip() and _NUMBER.fullmatch(number) else None


def character_span(text: str, form: str, start: int) -> Span | None:
    """Return the place of a form that begins at an offset in characters; None if it does not stand there."""
    return Span(start, start + len(form)) if start >= 0 and text.startswith(form, start) else None


def word_span(text: str, form: str, index: int) -> Span | None:
    """Return the place of a form whose first word has an index among the words between blanks; None if it does not stand there.

    >>> word_span('"Is it?", she asked.', "she", 2)
    Span(start=10, end=13)
    """
    words = list(re.finditer(r"\S+", text))
    if not 0 <= index < len(words):
        return None
    form = form.strip().rstrip(".,;:!?")
    match = re.compile(re.escape(form), re.IGNORECASE).search(text, words[index].start())
    return Span(*match.span()) if match and match.start() < words[index].end() else None


def whole_number(text: str) -> str:
    """Return a text without the decimal places that a spreadsheet gave a whole number; another text as it is.

    >>> whole_number("2.0"), whole_number("2,0"), whole_number("Vision 2.0")
    ('2', '2', 'Vision 2.0')
    """
    match = re.fullmatch("([0-9]+)[.,]00?", text)
    return match[1] if match else text


# --- answer -----------------------------------------------------------------------------------------------------------


def answer_of(row: Mapping[str, Any], layout: Layout) -> str:
    """Return the answer of a row as it is written; empty if there is none."""
    written = whole_number(collapse(_text(row, layout.answer[0])))
    return "" if written == "-1" else written  # so benchmarks write that there is none


def first_number(
    rows: Sequence[Row], names: Sequence[tuple[str, ...]], layout: Layout, path: Path, usual: str = ""
) -> int:
    """Return the number that stands for the first candidate, 0 or 1.

    Args:
        names: the candidates of each row.
        usual: what stands for it in the published files of a format, for answers that fit both ways.

    Raises:
        PipelineError: the rows do not tell it, or contradict each other, or an answer is a fraction.
    """
    if len(layout.answer) > 1:
        return int(layout.first or 0)
    for (line, row), candidates in zip(rows, names, strict=True):
        if _FRACTION.fullmatch(answer := answer_of(row, layout)) and answer not in candidates:
            reason = f"a fraction is no number of a candidate; found {shown(answer)}, expected the right answer"
            raise PipelineError(path, line, f"[{layout.answer[0]}] {reason}")
    if layout.first:
        return int(layout.first)
    numbers = [
        (int(answer), len(candidates))
        for (_, row), candidates in zip(rows, names, strict=True)
        if _NUMBER.fullmatch(answer := answer_of(row, layout)) and answer not in candidates
    ]
    has_zero = any(number == 0 for number, _ in numbers)
    has_last = any(number == count > 0 for number, count in numbers)
    if numbers and has_zero == has_last and (has_zero or not usual):
        found = ", ".join(map(str, sorted({number for number, _ in numbers})))
        reason = f"answers may count from 0 or from 1; found {shown(found)}, expected --columns first=0 or first=1"
        raise PipelineError(path, None, f"[{layout.answer[0]}] {reason}")
    return int(has_last or (usual == "1" and not has_zero))


def _gold(
    row: Mapping[str, Any], names: tuple[str, ...], layout: Layout, first: int
) -> tuple[str | None, list[Finding]]:
    """Return the right candidate, None without one, and what is wrong with the answer."""
    if len(layout.answer) > 1:
        return _true_name(row, names, layout)
    if layout.answer == ("accept",) and row.get("answer") in ("reject", "ignore"):  # the verdict on a task of Prodigy
        return None, [defect("answer", f"not accepted by its reader; found {shown(row['answer'])}, expected 'accept'")]
    answer = answer_of(row, layout)
    if not answer:
        return None, []
    if answer.casefold() in TRUTHS.keys() - {"0", "1"} and answer not in names:
        reason = f"a truth value does not say which candidate is right; found {shown(answer)}"
        return None, [defect("answer", reason)]
    folded = [name.casefold() for name in names]
    readings = {index for index, name in enumerate(names) if name == answer} or {
        index for index, name in enumerate(folded) if name == answer.casefold()
    }
    letter = re.fullmatch(r"\(?([A-Ja-j])[).]*", answer)
    if _NUMBER.fullmatch(answer):
        readings.add(int(answer) - first)
    elif letter:
        readings.add(ord(letter[1].upper()) - ord("A"))
    elif len(layout.candidates) > 1 and answer in layout.candidates:
        readings.add(layout.candidates.index(answer))
    right = {names[index] if 0 <= index < len(names) else "" for index in readings}
    if len(right) == 1 and "" not in right:
        return right.pop(), []
    known = ", ".join(filter(None, names))
    expected = f"expected one of {known}, or its number or letter" if known else "but no candidate is there"
    return None, [defect("answer", f"unknown right answer; found {shown(answer)}, {expected}")]


def _true_name(row: Mapping[str, Any], names: tuple[str, ...], layout: Layout) -> tuple[str | None, list[Finding]]:
    written = [whole_number(_text(row, field).strip().casefold()) for field in layout.answer]
    if unknown := [value for value in written if value not in TRUTHS]:
        return None, [defect("answer", f"not a truth value; found {shown(unknown[0])}, expected true or false")]
    padded = [*names, *[""] * len(written)]
    right = [name for name, value in zip(padded, written, strict=False) if TRUTHS[value]]
    if len(right) == 1 and right[0]:
        return right[0], []
    reason = f"more than one right answer; found {', '.join(right)}" if len(right) > 1 else "no candidate is right"
    return None, [defect("answer", reason)]


# --- ids --------------------------------------------------------------------------------------------------------------


def _with_ids(drafts: Sequence[Draft], rows: Sequence[Row], layout: Layout, path: Path, source: str) -> list[Draft]:
    """Return the drafts with schema and version.

    An id that is the schema with a letter is kept. Without a field of schemas, the id tells them if it says so (`_suffixed`), and else
    neighbours with the same candidates are a schema.
    """
    prefix = re.sub(r"\W+", "", source, flags=re.ASCII).casefold().strip("_") or "row"
    ids = [_text(row, layout.id) for _, row in rows]
    keys = [_text(row, layout.schema) for _, row in rows] if layout.schema else _suffixed(ids, drafts)
    if not any(keys):
        return with_schemas(drafts, prefix, 4)
    numbers: dict[str, int] = {}
    members: Counter[str] = Counter()
    lines: dict[str, int | None] = {}
    result = []
    for number, (draft, row_id, key) in enumerate(zip(drafts, ids, keys, strict=True), 1):
        schema = f"{prefix}-{numbers.setdefault(key or f'row {number}', len(numbers) + 1):04}"
        version = member(members[key or schema])
        if re.fullmatch(r"[0-9A-Za-z][\w.-]*-[a-z]", row_id, re.ASCII) and row_id[:-2] == key:
            schema, version = key, row_id[-1]
        require_unique(lines, f"{schema}-{version}", path, draft.lines["id"])
        members[key or schema] += 1
        result.append(replace(draft, schema=schema, version=version))
    return result


def _suffixed(ids: Sequence[str], drafts: Sequence[Draft]) -> list[str]:
    """Return the ids without the number or letter of the member, if most that share the rest share the candidates; else empty ones."""
    matches = [_SUFFIX.fullmatch(row_id) for row_id in ids]
    keys = [match[1] if match else "" for match in matches]
    groups: dict[str, list[frozenset[str]]] = {}
    for key, draft in zip(keys, drafts, strict=True):
        groups.setdefault(key, []).append(frozenset(name.casefold() for name in draft.candidates))
    several = [group for key, group in groups.items() if key and len(group) > 1]
    alike = sum(len(set(group)) == 1 for group in several)
    is_told = all(len(group) <= _MEMBERS for group in several) and 2 * alike > len(several)
    return keys if is_told else [""] * len(ids)
