"""The records of a study that are no items of a collection: what people write, running text, drafts, explanations of systems."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from msgspec import Struct

from ...core.convert import Count, Text, convert_fields, convert_node
from ...core.errors import PipelineError, errors_at, plural, shown
from ...core.files import parse_jsonl, read_text, require_unique
from ...core.model import Record, Span
from ...core.notation import FactorError, unbracket
from ...core.yamlfile import line_of, load_yaml
from ...language.pronoun_classes import is_gender
from ...winograd.translation.draft import CANDIDATE, QUESTION, TEXT, UNREVIEWED, DraftRow, by_item, read_draft
from ...winograd.zero_forms import ZERO
from ...zero_pronouns.documents import Document, ParallelText, read_parallel_text
from ...zero_pronouns.labels import Sentence
from ..model.judgements import Judgement
from .fields import FORM_PARTS, Passage, StudyRecord

# --- what people write for a study ------------------------------------------------------------------------------------

#: The part of an attention item in a list.
ATTENTION = "attention"
_HAN = re.compile(r"[\u4e00-\u9fff]")
#: Whether texts of a language have Chinese characters; a practice file does not name its language.
_HAS_HAN: Mapping[str, bool] = {"zh": True, "en": False, "de": False}


class _Practice(Struct):
    """A practice record as it is written; `answer` is the number of a candidate, from 0."""

    id: Text
    text: Text
    candidates: tuple[Text, ...]
    answer: Count
    explanation: Text = ""
    question: Text = ""
    pronouns: Text = ""
    trace: Text = ""


def read_practice(path: Path, lang: str, *, explained: bool = True) -> list[StudyRecord]:
    """Return the practice records of a file, in its order.

    It is a YAML list of records with id, text, candidates, answer (the number of a candidate, from 0) and, if they are `explained`,
    explanation; question, pronouns and trace are optional. The target is in brackets in the text, or is Ø where it is a zero.

    Raises:
        PipelineError: the file is not YAML; a field is missing, unknown or malformed; a text has no target or several; an id is used
            twice; a Chinese text in a study in English, or the reverse.
    """
    document = load_yaml(path)
    if not isinstance(document, list) or not document:
        raise PipelineError(path, line_of(document) or 1, "[practice] found no list, expected practice records")
    records: list[StudyRecord] = []
    lines: dict[str, int | None] = {}
    for index, node in enumerate(document):
        written = convert_node(node, _Practice, path)
        try:
            records.append(_practice_record(written, path, lang, explained=explained))
        except ValueError as error:
            field = str(error)[1:].partition("]")[0]
            raise PipelineError(path, line_of(node, field) or line_of(node), str(error)) from error
        require_unique(lines, written.id, path, line_of(document, index))
    return records


def _practice_record(written: _Practice, path: Path, lang: str, *, explained: bool) -> StudyRecord:
    """Return a practice record; raises `ValueError` with the field and the reason."""
    if bool(written.explanation) != explained:
        expected = "one" if explained else "none"
        raise ValueError(f"[explanation] found {shown(written.explanation)}, expected {expected}")
    if len(set(written.candidates)) < 2:
        raise ValueError(f"[candidates] found {shown(list(written.candidates))}, expected two or more different ones")
    if written.answer >= len(written.candidates):
        raise ValueError(f"[answer] found {written.answer}, expected 0 to {len(written.candidates) - 1}")
    try:
        text, target = _split_target(written.text)
    except FactorError as problem:
        expected = f"expected one target in brackets, or one {ZERO}; {problem}"
        raise ValueError(f"[text] found {shown(written.text)}, {expected}") from problem
    if lang in _HAS_HAN and bool(_HAN.search(text)) != _HAS_HAN[lang]:
        reason = f"not in the language of the study; found {shown(text)}, expected {lang!r}"
        raise ValueError(f"[text] {reason}: name another file in the design's practice")
    item = Record(
        id=written.id,
        schema=written.id,
        version="a",
        lang=lang,
        text=text,
        target=target,
        candidates=written.candidates,
        answer=written.answer,
        question=written.question,
        source=path.name,
    )
    return StudyRecord(item=item, pronouns=written.pronouns, explanation=written.explanation, trace=written.trace)


def _split_target(written: str) -> tuple[str, Span]:
    """Return the text without brackets or Ø, and its target."""
    text, spans = unbracket(written)
    if not spans and text.count(ZERO) == 1:
        start = text.index(ZERO)
        spans = [Span(start, start + len(ZERO))]
    if len(spans) != 1:
        raise FactorError(f"found {plural(len(spans), 'target')}")
    (target,) = spans
    if target.of(text) == ZERO:
        return text[: target.start] + text[target.end :], Span(target.start, target.start)
    return text, target


def read_attention(path: Path, lang: str) -> list[StudyRecord]:
    """Return the attention items of a file, in its order; the file has the form of practice, without explanations."""
    return [replace(record, part=ATTENTION) for record in read_practice(path, lang, explained=False)]


def read_form(path: Path, lang: str) -> list[StudyRecord]:
    """Return the one record of a form: its parts, without target, candidates or answer.

    `path` is a YAML mapping of `FORM_PARTS` to texts.

    Raises:
        PipelineError: the file is not YAML; a part is missing, unknown or no text.
    """
    node = load_yaml(path)
    written = convert_node(node, dict[str, Text], path)
    for name in {**dict.fromkeys(FORM_PARTS), **written}:
        if name not in written or name not in FORM_PARTS:
            problem = "unknown" if name in written else "missing"
            expected = f"expected {', '.join(FORM_PARTS)}"
            raise PipelineError(path, line_of(node, name) or line_of(node), f"[{name}] {problem} field; {expected}")
    parts = tuple(" ".join(written[name].split()) for name in FORM_PARTS)
    item = Record(
        id="form",
        schema="form",
        version="a",
        lang=lang,
        text=parts[0],
        target=None,
        candidates=(),
        answer=None,
        source=path.name,
    )
    return [StudyRecord(item=item, original=parts)]


# --- sentences of running text ----------------------------------------------------------------------------------------

#: The folder of the translations by systems, in the folder of the sentences.
SYSTEMS = "systems"
#: The name of a genre or a system: it is part of ids, after a hyphen or a slash, and names a list.
_NAME = re.compile(r"\w+")


def read_passages(folder: Path, *, translated: bool = False) -> list[StudyRecord]:
    """Return a record for each sentence, genre by genre in the order of their names, each in the order of its file.

    Its id has the genre, the number of the document (from 1) and the line: ``news-2-017``. Its schema is the document.

    Args:
        folder: GENRE.zh with labels and GENRE.en, aligned line by line (`read_parallel_text`), for each genre.
        translated: whether the translations in ``systems/SYSTEM/GENRE.en``, aligned in the same way, are the candidates.

    Raises:
        PipelineError: there is no genre or no system, a name has a hyphen, or a file is missing, malformed or not aligned.
    """
    genres = _names([path.stem for path in folder.glob("*.zh")], folder, "genre", "GENRE.zh")
    folders = {path.parent.name for path in (folder / SYSTEMS).glob("*/*.en")} if translated else ()
    systems = _names(sorted(folders), folder / SYSTEMS, "system", "SYSTEM/GENRE.en") if translated else ()
    return [record for genre in genres for record in _records(folder, genre, systems)]


def _records(folder: Path, genre: str, systems: Sequence[str]) -> list[StudyRecord]:
    source = folder / f"{genre}.zh"
    text = _read(source, folder / f"{genre}.en")
    translations = {
        name: {pair.line: pair.target for pair in _read(source, folder / SYSTEMS / name / f"{genre}.en").pairs}
        for name in systems
    }
    return [
        record
        for number, document in enumerate(text.documents, 1)
        for record in _of_document(document, genre, f"{genre}-{number}", translations)
    ]


def _of_document(
    document: Document, genre: str, name: str, translations: Mapping[str, Mapping[int, str]]
) -> list[StudyRecord]:
    contexts = ["", *(before.source.text for before, _ in pairwise(document))]
    return [
        StudyRecord(
            item=Record(
                id=f"{name}-{pair.line:03}",
                schema=name,
                version=f"{pair.line:03}",
                lang="zh",
                text=pair.source.text,
                target=None,
                candidates=tuple(targets[pair.line] for targets in translations.values()),
                answer=None,
            ),
            passage=Passage(
                genre=genre,
                context=context,
                oracle=restored(pair.source),
                reference=pair.target,
                systems=tuple(translations),
            ),
        )
        for context, pair in zip(contexts, document, strict=True)
    ]


def restored(sentence: Sentence) -> str:
    """Return a sentence with its zeros restored, each in brackets.

    >>> from ...zero_pronouns.labels import parse_sentence
    >>> restored(parse_sentence("因为<他>_S<他的>_Pa书没了")[0])
    '因为【他】【他的】书没了'
    """
    zeros = tuple(replace(zero, pronoun=f"【{zero.pronoun}】") for zero in sentence.zeros)
    return Sentence(sentence.text, zeros).oracle


def _read(source: Path, target: Path) -> ParallelText:
    """Return two aligned files; what `zp stats` reports about them is an error here, because people would see it."""
    text = read_parallel_text(source, target)
    if text.findings:
        raise text.findings[0]
    return text


def _names(names: Sequence[str], folder: Path, what: str, files: str) -> tuple[str, ...]:
    if not names:
        raise PipelineError(folder, None, f"[{what}] no {what}; expected files {files}")
    for name in names:
        if not _NAME.fullmatch(name):
            raise PipelineError(folder, None, f"[{what}] found {shown(name)}, expected letters, digits and low lines")
    return tuple(sorted(names))


# --- drafts of a translation ------------------------------------------------------------------------------------------

#: The controls of the design that hold what a person accepts, and the fields of the draft.
FIELDS = {"translation": TEXT, "question": QUESTION, "first": f"{CANDIDATE}1", "second": f"{CANDIDATE}2"}
#: The controls with the gender of a candidate.
GENDER_OF = {"first-gender": f"{CANDIDATE}1", "second-gender": f"{CANDIDATE}2"}
#: The control that says whether the item can be used.
VERDICT, USABLE = "verdict", "usable"


def read_draft_records(path: Path, lang: str) -> list[StudyRecord]:
    """Return a record for each item of a draft: the machine's texts, and the original ones beside them.

    Raises:
        PipelineError: the draft is malformed, or an item has no text, or not two candidates.
    """
    records = []
    for name, rows in by_item(read_draft(path)).items():
        first = next(iter(rows.values()))
        candidates = [rows.get(field) for field in GENDER_OF.values()]
        number = sum(field.startswith(CANDIDATE) for field in rows)
        if TEXT not in rows or number != len(candidates) or not all(candidates):
            reason = f"[field] no text or not two candidates; found {', '.join(rows)} of {name}"
            raise PipelineError(path, first.line, f"{reason}, expected {TEXT}, {', '.join(GENDER_OF.values())}")
        given = [row for row in candidates if row]
        answers = [place for place, row in enumerate(given) if row.right]
        question = rows.get(QUESTION, DraftRow(name, QUESTION, False, "", ""))
        schema, _, version = name.rpartition("-")
        records.append(
            StudyRecord(
                item=Record(
                    id=name,
                    schema=schema,
                    version=version,
                    lang=lang,
                    text=rows[TEXT].machine,
                    target=None,
                    candidates=tuple(row.machine for row in given),
                    answer=answers[0] if len(answers) == 1 else None,
                    question=question.machine,
                    source=path.name,
                    note=UNREVIEWED,
                ),
                original=(rows[TEXT].source, question.source, *(row.source for row in given)),
            )
        )
    return records


def with_judgements(rows: Sequence[DraftRow], judgements: Iterable[Judgement]) -> tuple[list[DraftRow], list[str]]:
    """Return a draft with what people accepted in the study ``translation``, and a line for each item that stays open.

    What the draft has already stays. An item stays open if somebody skipped it or found it unusable, or two people wrote
    different things.
    """
    reviews: dict[tuple[str, str], set[tuple[str, str]]] = {}
    open_items: dict[str, str] = {}
    for judgement in judgements:
        if judgement.skipped or judgement.answers.get(VERDICT) != USABLE:
            open_items[judgement.item] = (
                f"{judgement.rater} {'skipped it' if judgement.skipped else 'found it unusable'}"
            )
            continue
        for control, field in FIELDS.items():
            gender = next((judgement.answers.get(name, "") for name, of in GENDER_OF.items() if of == field), "")
            review = str(judgement.answers.get(control, "")), str(gender)
            reviews.setdefault((judgement.item, field), set()).add(review)
    for (item, field), given in reviews.items():
        if len(given) > 1:
            open_items.setdefault(item, f"people wrote different things into {field}")
    filled = []
    for row in rows:
        given = reviews.get((row.id, row.field), set())
        if len(given) == 1 and row.id not in open_items and not row.reviewed:
            ((text, gender),) = given
            row = replace(row, reviewed=" ".join(text.split()), gender=gender if is_gender(gender) else None)
        filled.append(row)
    return filled, [f"{item}: {reason}" for item, reason in sorted(open_items.items())]


# --- explanations of systems ------------------------------------------------------------------------------------------

#: The form of an item that the system saw.
ZERO_FORM, OVERT_FORM = "zero", "overt"


def read_traces(path: Path, *, zero_forms: bool) -> list[StudyRecord]:
    """Return a record for each trace, under the id of the trace, which names neither system nor condition.

    With `zero_forms` the design shows zero forms, so that the systems must have seen them too.

    Raises:
        PipelineError: a line is malformed, an id is used twice, or the system saw another form.
    """
    records = []
    lines: dict[str, int | None] = {}
    for line, row in parse_jsonl(read_text(path), path):
        with errors_at(path, line):
            record = _trace_record(row, zero_forms=zero_forms)
        require_unique(lines, record.id, path, line)
        records.append(record)
    return records


@dataclass(frozen=True)
class _TraceRow:
    item: dict[str, Any]
    id: str
    form: str
    trace: str


def _trace_record(row: Mapping[str, Any], *, zero_forms: bool) -> StudyRecord:
    trace = convert_fields(row, _TraceRow)
    item = convert_fields(trace.item, Record)
    if trace.id.rpartition("/")[0] != item.id:
        raise ValueError(f"[id] found {shown(trace.id)}, expected {item.id}, a slash and a number")
    if zero_forms and trace.form != ZERO_FORM:
        raise ValueError(f"[form] found {shown(trace.form)}, expected {ZERO_FORM}: the design shows zero forms")
    if trace.form not in (ZERO_FORM, OVERT_FORM):
        raise ValueError(f"[form] unknown form; found {shown(trace.form)}, expected {ZERO_FORM} or {OVERT_FORM}")
    return StudyRecord(item=replace(item, id=trace.id), trace=trace.trace, overt=trace.form == OVERT_FORM)
