"""The suite `documents`: labelled texts with their translations, and what readers made of them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..core.errors import PipelineError
from ..core.validation.rows import list_of, text_of
from ..core.validation.suite import Check, Row, Suite, Value, described
from ..language.text_checks import checks
from .documents import Genre, SentencePair, read_sample
from .labels import ENDINGS, translation_table
from .sample import sample_findings

#: Fewest characters of a sentence whose copy is suspicious: 好的。 comes twice in any conversation.
_LONG = 10
#: A full-width mark or letter.
_CHINESE_MARK = re.compile("[\u3000-\u303f\uff00-\uffef]")
_ENGLISH_WORD = re.compile(r"[a-z]+")


def documents(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each sentence of the texts in folders, see `read_sample`, and for each place of the files beside them with a fault.

    The id of a sentence is ``GENRE:line``, that of another place its file with its line, if it has one.
    """
    rows: list[Row] = []
    for path in paths:
        genres = read_sample(path)
        rows += [row for genre in genres for row in _rows(genre, path / f"{genre.name}.zh")]
        rows += _rows_beside(path, sample_findings(path, genres))
    return rows


def _rows_beside(folder: Path, findings: Iterable[PipelineError]) -> Iterator[Row]:
    places: dict[tuple[Path, int | None], list[str]] = {}
    for finding in findings:
        places.setdefault((Path(finding.path or folder), finding.line), []).append(finding.reason)
    for (path, line), reasons in places.items():
        name = path.relative_to(folder).as_posix()
        yield Row(f"{name}:{line}" if line else name, path, line or 1, {"faults": reasons})


def _rows(genre: Genre, source: Path) -> Iterator[Row]:
    faults: dict[int, list[str]] = {}
    for finding in genre.text.findings:
        faults.setdefault(finding.line or 0, []).append(finding.reason)
    readings = {reader: {pair.line: pair for pair in text.pairs} for reader, text in genre.readings.items()}
    values: dict[int, dict[str, object]] = {line: {} for line in sorted(faults)}
    lines_of_texts: dict[tuple[str, str], list[int]] = {}
    for pair in genre.text.pairs:
        lines = lines_of_texts.setdefault((pair.source.text, pair.target), [])
        lines.append(pair.line)
        values[pair.line] = _value(pair, readings) | {"copy_of": lines[0] if lines[1:] else None}
    for line, value in sorted(values.items()):
        yield Row(f"{genre.name}:{line}", source, line, value | {"faults": faults.get(line, [])})


def _value(pair: SentencePair, readings: Mapping[str, Mapping[int, SentencePair]]) -> dict[str, object]:
    return {
        "lang": "zh",
        "text": pair.source.text,
        "translation": pair.target,
        "zeros": [{"place": zero.place, "pronoun": zero.pronoun, "form": zero.form} for zero in pair.source.zeros],
        "readings": {reader: pairs[pair.line].source.text for reader, pairs in readings.items() if pair.line in pairs},
        "readers": sorted(readings),
    }


def _zeros(value: Value) -> list[tuple[int, str, str]]:
    return [(zero["place"], zero["pronoun"], zero["form"]) for zero in list_of(value, "zeros", dict)]


#: The fields of the findings that expectations name; what else is wrong with a file beside the texts is one of them too.
_LABELS, _LINES, _LINKS = "[label] [pronoun]", "[boundary] [sentence]", "[link] [lines] [digest]"
_FAULTS, _NAMES, _FILES, _ABOUT = "[system] [fault] [zero]", "[genre] [kind] [zh] [en]", "[file]", "[about]"
_NAMED = tuple(" ".join((_LABELS, _LINES, _LINKS, _FAULTS, _NAMES, _FILES, _ABOUT)).split())


def _without(fields: str, expectation: str) -> Check:
    """Return the check that a line has no fault of these fields."""
    starts = tuple(fields.split())
    return described(
        expectation,
        lambda value: "; ".join(fault for fault in list_of(value, "faults", str) if fault.startswith(starts)),
    )


def readable(value: Value) -> str:
    """Tables beside the texts can be read; trees are those of the sentences with their pronouns."""
    return (
        ""
        if "text" in value
        else "; ".join(fault for fault in list_of(value, "faults", str) if not fault.startswith(_NAMED))
    )


def form_given(value: Value) -> str:
    """Every zero has one of the five forms of the paper."""
    odd = [f"<{pronoun}>{form and f'_{form}'}" for _, pronoun, form in _zeros(value) if form not in ENDINGS]
    return f"found {', '.join(odd)}, expected one of {', '.join(f'_{form}' for form in ENDINGS)}" if odd else ""


def zero_within_sentence(value: Value) -> str:
    """A zero stands before a word or a mark, and not inside a word or a number in other characters than Chinese."""
    text = text_of(value)
    for place, pronoun, _ in _zeros(value):
        if place == len(text):
            return f"found <{pronoun}> after the end of {text!r}"
        around = text[max(0, place - 1) : place + 1]
        if len(around) == 2 and around.isascii() and around.isalnum():
            return f"found <{pronoun}> inside a word, before {text[place:]!r}"
    return ""


def pronoun_once(value: Value) -> str:
    """A zero does not stand beside the pronoun that it restores, nor beside another zero of its form."""
    text, zeros = text_of(value), _zeros(value)
    for number, (place, pronoun, form) in enumerate(zeros):
        if pronoun and (text.startswith(pronoun, place) or text.endswith(pronoun, 0, place)):
            return f"found <{pronoun}> beside {pronoun} in {text!r}"
        if any(place == other and form == its for other, _, its in zeros[:number]):
            return f"found two zeros of the form {form or 'untyped'} before {text[place:]!r}, expected one"
    return ""


def pronoun_in_translation(value: Value) -> str:
    """The translation has the English pronoun of each zero."""
    words = _ENGLISH_WORD.findall(text_of(value, "translation").lower().replace("’", "'"))
    for _, pronoun, form in _zeros(value):
        expected = translation_table().translation(pronoun, form)
        if expected and expected not in words:
            return f"found no {expected!r} for <{pronoun}>_{form} in {text_of(value, 'translation')!r}"
    return ""


def latin_marks(value: Value) -> str:
    """The translation has no Chinese mark."""
    marks = _CHINESE_MARK.findall(text_of(value, "translation"))
    return f"found {', '.join(marks)} in {text_of(value, 'translation')!r}, expected English marks" if marks else ""


def readers_read_it(value: Value) -> str:
    """Each reader labelled this sentence, and changed nothing else in it."""
    readings = value.get("readings", {})
    for reader in list_of(value, "readers", str):
        if reader not in readings:
            return f"found no sentence of reader {reader}, expected {text_of(value)!r}"
        if readings[reader] != text_of(value):
            return f"found {readings[reader]!r} by reader {reader}, expected {text_of(value)!r}"
    return ""


def no_copy(value: Value) -> str:
    """No sentence of some length comes twice in its genre with the same translation."""
    line = value.get("copy_of")
    return f"found {text_of(value)!r} in line {line} too" if line and len(text_of(value)) >= _LONG else ""


def _of_sentences(check: Check) -> Check:
    """Return the check for lines with a sentence; for others, `lines-aligned` says what is wrong."""
    return described(check.__doc__ or "", lambda value: check(value) if value.get("text") else "")


#: Expectations on texts that hold of Chinese only.
_CHINESE = ("full-width-marks", "simplified-script")
_TEXT = checks("text", finished="text")
_TRANSLATION = {
    f"translation-{name}": check
    for name, check in checks("translation", finished="translation", lang=lambda _: "en").items()
    if name not in _CHINESE
}

DOCUMENTS = Suite(
    "documents",
    "labelled texts with translations (a folder of NAME.zh and NAME.en)",
    documents,
    {
        "well-formed-labels": _without(_LABELS, "A label is a pronoun of the table in angle brackets and its form."),
        "lines-aligned": _without(_LINES, "Both files have a boundary, or a sentence, in this line."),
        "alignments-fit": _without(
            _LINKS,
            "Links are between words of their sentences, once; those by hand link zeros to pronouns; automatic ones are as they were made.",
        ),
        "faults-shown": _without(_FAULTS, "A translation has the faults of its table, once, and no others."),
        "names-in-both": _without(_NAMES, "A name is given once, and stands in the same lines of both languages."),
        "files-complete": _without(
            _FILES,
            "Readers, systems, alignments and tables have a file for each genre; the files are those that README.md names.",
        ),
        "about-fit-to-print": _without(
            _ABOUT, "What the page says of the sample has words, and nothing that is not for readers."
        ),
        "files-readable": readable,
        "form-given": form_given,
        "form-of-pronoun": _without(
            "[form]", "A label has the pronoun that its form asks for: 他 for S and O, 他的 for Pa and P, 他自己 for R."
        ),
        "zero-within-sentence": zero_within_sentence,
        "pronoun-once": pronoun_once,
        "pronoun-in-translation": pronoun_in_translation,
        "translation-latin-marks": latin_marks,
        "readers-read-it": readers_read_it,
        "no-copy": no_copy,
        **{name: _of_sentences(check) for name, check in (_TEXT | _TRANSLATION).items()},
    },
    unique=False,
    may_be_empty=True,
)
