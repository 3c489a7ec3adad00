"""`schema-yaml`: our own format in raw/, one factored entry a schema, as the literature writes them.

``奖杯放不进箱子，因为[它]太{大|小}了。`` holds two members: braces hold the alternatives, one for each member, and brackets the
target (empty brackets where it is a zero already). Where the pronoun agrees with the answer, the brackets hold braces:
``Der Fuchs ließ die Gans fallen, als [{er|sie}] {Hunde bellen hörte|mit den Flügeln schlug}.`` A backslash takes a bracket, brace or
bar literally. An entry also holds the author's analysis: a gloss, the kind of common sense, the role of the target, the terms to
count, the grammatical genders of the candidates, the register.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import chain, pairwise
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta
from ruamel.yaml.comments import CommentedMap, CommentedSeq

from ...core.convert import convert_node, error_at
from ...core.errors import PipelineError, raise_first, shown
from ...core.files import decode, require_unique
from ...core.invisible import INVISIBLE, code_point
from ...core.model import PmiTerms
from ...core.notation import MEMBERS, FactorError, expand, unbracket
from ...core.yamlfile import kind_of, line_of, parse_yaml
from ...language.names import chinese_names, given_pinyin, person_of, pinyin_of
from ...language.pronoun_classes import Gender
from ...language.referents import gloss_misfit, misfit
from ...language.text_checks import check_doubled_words, check_personal_data
from ..analysis import Analysis, AnalysisTable, analysis_table, exchanged_term
from ..pairs import letters_of
from .draft import Draft, defect, member, require_chinese

#: The language of the texts where none is given.
LANG = "zh"
#: What a Chinese keyboard types between the texts of a list.
_WIDE_COMMA = re.compile("[，、；]")
#: An id names anchors, files and rows of tables: letters and digits of any script, and - . _ inside.
_ID = re.compile(r"[^\W_][\w.-]*")
_ALTERNATIVES = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")
_EMPTY_ALTERNATIVE = re.compile(r"(?<!\\)(?:\{\s*\||\|\s*\})")
_SAME_ALTERNATIVES = re.compile(r"(?<!\\)\{([^{}|]*)\|\1\}")
_HAN = re.compile("[\u3400-\u9fff]")
#: The pronouns of one person.
_PERSONAL = ("他", "她")
#: A word with a capital, such as a name.
_CAPITALISED = re.compile(r"[A-ZÄÖÜ][\w'’]+")
#: Surnames in pinyin that are also English words.
_ENGLISH = frozenset({"An", "He", "Long", "She", "You", "Song", "Yang", "Bai", "Tang", "Ming", "Man", "Can"})
#: Radicals that look like characters.
_RADICAL = re.compile("[\u2e80-\u2fdf]")
_QUESTION_WORD = re.compile("谁|什么|哪[个位只条家边里些]?|多少")
#: The fields of a schema by the part of its drafts, for the lines of defects.
_FIELDS = {
    "id": "id",
    "text": "text",
    "target": "text",
    "candidates": "candidates",
    "answer": "answers",
    "question": "question",
}
_Texts = Annotated[tuple[str, ...], Meta(description="a list of texts, such as [箱子, 奖杯]")]
#: The place of a fault in an entry, and the reason.
_Fault = tuple[tuple[str, ...], str]


@dataclass(frozen=True, slots=True)
class Terms:
    """The words to count for a schema: one for each candidate, and one reference for each member.

    The baseline of Mandarinograd (LREC 2020, section 4.2) answers by the association of the reference with the candidates.
    """

    candidates: _Texts
    references: _Texts


@dataclass(frozen=True, slots=True)
class Schema:
    """One entry of the file: `text`, `question` and `gloss` are factored, `answers` has the answer of each member.

    `kind` is the common sense that decides, `role` the grammatical role of the target as the author sees it; `pmi` is
    None where no words are meaningful; `genders` are the grammatical genders of the candidates, if given.
    """

    id: str
    text: str
    question: str
    candidates: _Texts
    answers: _Texts
    gloss: str = ""
    kind: str = ""
    role: str = ""
    pmi: Terms | None = None
    source: str = ""
    note: str = ""
    genders: tuple[Gender, ...] | None = None
    register: str = ""


def read_schema_yaml(data: bytes, path: Path, lang: str | None) -> list[Draft]:
    """Return two drafts a schema with the author's analysis, in file order.

    Raises:
        PipelineError: the file is not YAML or has no schema; a field is missing, unknown or of another kind; the notation is broken;
            a kind, role or register is not in rules/analysis; a text has no character of the language, or a fault that its author is
            told at once: an invisible character, an empty alternative, a gloss that is not in English, a word to count that is not in
            the text, and so on; two entries have the same text or gloss.
    """
    lang = lang or LANG
    table = analysis_table(lang)
    document = parse_yaml(decode(data, path), path)
    schemas = schemas_of(document, path)
    if not schemas:
        reason = "no schema; found an empty list, expected at least one entry that begins with '- id: …'"
        raise PipelineError(path, None, f"[yaml] {reason}")
    drafts, errors = [], []
    for schema, node in zip(schemas, document, strict=True):
        try:
            _refuse(_unknown_words(schema, table), node, path)
            if lang == LANG:
                require_chinese(schema.text, path, line_of(node, "text"))
            members = _drafts(schema, node, path, lang)
            drafts += members
            _refuse(_faults(schema, members, lang), node, path)
        except PipelineError as error:
            errors.append(error)
    raise_first(errors)
    _refuse_copies(schemas, document, path)
    return drafts


def schemas_of(document: Any, path: Path) -> list[Schema]:
    """Return the schemas of a document that `parse_yaml` gave; ids must be unique."""
    if not isinstance(document, CommentedSeq):
        expected = "expected a list of schemas (entries that begin with '- id: …')"
        reason = f"[yaml] wrong kind; found {kind_of(document)}, {expected}"
        raise PipelineError(path, line_of(document) or 1, reason)
    lines: dict[str, int | None] = {}
    schemas, errors = [], []
    for index, node in enumerate(document):
        try:
            if not isinstance(node, CommentedMap):
                reason = f"[yaml] wrong kind; found {kind_of(node)}, expected an entry that begins with '- id: …'"
                raise PipelineError(path, line_of(document, index), reason)
            schema = convert_node(node, Schema, path)
            _refuse(_wrong_numbers(schema), node, path)
            require_unique(lines, schema.id, path, line_of(node, "id"))
            schemas.append(schema)
        except PipelineError as error:
            errors.append(error)
    raise_first(errors)
    return schemas


def _refuse(faults: Iterator[_Fault], node: CommentedMap, path: Path) -> None:
    """Raise the first fault of an entry, if it has one."""
    for place, reason in faults:
        raise error_at(node, path, place, reason)


def _wrong_numbers(schema: Schema) -> Iterator[_Fault]:
    lists: dict[tuple[str, ...], tuple[str, ...]] = {
        ("candidates",): schema.candidates,
        ("answers",): schema.answers,
    }
    if schema.pmi:
        lists |= {("pmi", "candidates"): schema.pmi.candidates, ("pmi", "references"): schema.pmi.references}
    for place, texts in lists.items():
        if len(texts) == 1 and (mark := _WIDE_COMMA.search(texts[0])):
            yield place, f"full-width comma; found {mark[0]!r} in {shown(texts[0])}, expected ', ' between the texts"
    if not schema.id:
        yield ("id",), "empty; expected the id of the schema"
    candidates = len(schema.candidates)
    if len(schema.answers) != MEMBERS:
        yield ("answers",), f"wrong number; found {len(schema.answers)}, expected one for each of {MEMBERS} members"
    if schema.pmi:
        numbers, expected = (len(schema.pmi.candidates), len(schema.pmi.references)), (candidates, MEMBERS)
        if numbers != expected:
            yield ("pmi",), f"wrong number of candidates and references; found {numbers}, expected {expected}"
    if schema.genders is not None and len(schema.genders) != candidates:
        reason = f"no gender for each candidate; found {shown(list(schema.genders))}"
        yield ("genders",), f"{reason}, expected one for each candidate ({candidates})"


def _unknown_words(schema: Schema, table: AnalysisTable) -> Iterator[_Fault]:
    """Yield a kind, role or register that the table does not list; a table without entries, that of most languages, allows all."""
    for name, value, known in (
        ("kind", schema.kind, table.kinds),
        ("role", schema.role, table.roles),
        ("register", schema.register, table.registers),
    ):
        if value and known and value not in known:
            yield (name,), f"unknown {name}; found {shown(value)}, expected one of {', '.join(known)}"


def _drafts(schema: Schema, node: CommentedMap, path: Path, lang: str) -> list[Draft]:
    if not _ID.fullmatch(schema.id):
        reason = f"not a name; found {shown(schema.id)}, expected letters and digits, and '-', '.' or '_' between them"
        raise error_at(node, path, ("id",), reason)
    field, parts = "", []
    try:
        for field in ("text", "question", "gloss"):
            parts.append([unbracket(marked) for marked in expand(getattr(schema, field))])
    except FactorError as error:
        raise error_at(node, path, (field,), str(error)) from error
    drafts = []
    for index, ((text, targets), (question, _), (gloss, _)) in enumerate(zip(*parts, strict=True)):
        version = member(index)
        analysis = Analysis(
            id=f"{schema.id}-{version}",
            schema=schema.id,
            gloss=gloss,
            kind=schema.kind,
            role=schema.role,
            pmi=None if schema.pmi is None else PmiTerms(schema.pmi.candidates, schema.pmi.references[index]),
            genders=schema.genders or (),
            register=schema.register,
        )
        several = defect("text", f"one target is needed; found {len(targets)} in brackets")
        drafts.append(
            Draft(
                schema=schema.id,
                version=version,
                lang=lang,
                text=text,
                candidates=schema.candidates,
                gold=schema.answers[index],
                target=targets[0] if len(targets) == 1 else None,
                question=question,
                source=schema.source,
                note=schema.note,
                analysis=analysis,
                defects=() if len(targets) == 1 else (several,),
                lines={part: line for part, name in _FIELDS.items() if (line := line_of(node, name)) is not None},
            )
        )
    return drafts


def _faults(schema: Schema, members: Sequence[Draft], lang: str) -> Iterator[_Fault]:
    """Yield what is wrong with the texts of an entry, which may have any form, or with how they fit each other."""
    for field, value in ((part.name, getattr(schema, part.name)) for part in fields(schema)):
        for text in (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ():
            if reason := _odd_character(text):
                yield (field,), reason
    for field in ("text", "question", "gloss"):
        text = getattr(schema, field)
        if match := _EMPTY_ALTERNATIVE.search(text):
            reason = f"empty alternative; found {match[0]!r} in {shown(text)}, expected words for both members"
            yield (field,), reason
        if match := _SAME_ALTERNATIVES.search(text):
            yield (field,), f"alternatives are the same; found {shown(match[0])}, expected words that differ"
    yield from _gloss_faults(schema.gloss, [draft.analysis.gloss for draft in members if draft.analysis])
    yield from chain.from_iterable(map(_pronoun_faults, members))
    if lang == LANG:
        yield from _question_faults(schema, members)
    if schema.pmi:
        yield from _term_faults(schema.pmi)
        if lang == LANG:  # other languages inflect their words
            yield from _faults_of_places(schema.pmi, schema.candidates, [draft.text for draft in members])


def _gloss_faults(gloss: str, members: Sequence[str]) -> Iterator[_Fault]:
    if gloss and len(set(members)) < MEMBERS:
        expected = "expected {special|alternate} where they differ"
        yield ("gloss",), f"the same for both members; found {shown(gloss)}, {expected}"
    if letter := next((letter for letter in gloss if letter.isalpha() and not _is_latin(letter)), ""):
        yield ("gloss",), f"not in English; found {letter!r} in {shown(gloss)}, expected an English translation"
    if doubled := check_doubled_words(members, "en"):
        yield ("gloss",), f"a word twice; {doubled}"
    if personal := check_personal_data([gloss], ""):
        yield ("gloss",), f"not for print; {personal}"


def _pronoun_faults(draft: Draft) -> Iterator[_Fault]:
    """Yield a pronoun that cannot stand for the candidates, or for the right one, and what a gloss has instead of it and of the names."""
    pronoun, gloss = draft.target.of(draft.text) if draft.target else "", draft.analysis.gloss if draft.analysis else ""
    right = draft.candidates.index(draft.gold) if draft.gold in draft.candidates else None
    if right is not None and (reason := misfit(draft.lang, pronoun, draft.candidates, right, draft.text)):
        yield ("text",), f"a pronoun that does not fit; {reason}"
    if draft.lang != LANG:
        return
    if reason := gloss_misfit(pronoun, gloss, draft.text, draft.candidates):
        yield ("gloss",), f"another pronoun than in the text; {reason} in {shown(gloss)}"
    for name in draft.candidates if pronoun in _PERSONAL else ():
        if reason := _name_fault(name, draft.text, gloss):
            yield ("gloss",), f"another name than in the text; {reason}"


def _name_fault(name: str, text: str, gloss: str) -> str:
    """Return which Chinese name a gloss has in place of a candidate's; empty if it has its name, or calls it otherwise."""
    person, surnames = person_of(name), chinese_names().surnames
    words = _CAPITALISED.findall(gloss)
    if person is None:
        own = {*map(given_pinyin, text), *(pinyin for form, pinyin in surnames.items() if form in text)}
        strange = next((word for word in words if word in surnames.values() and word not in {*_ENGLISH, *own}), "")
        return f"found {strange!r} in {shown(gloss)}, expected no name that the text lacks" if strange else ""
    latin = pinyin_of(person)
    if letters_of("".join(latin)) in letters_of(gloss):
        return ""
    names = [
        f"{first} {second}"
        for first, second in pairwise(words)
        if latin[1:] and (first == latin[0]) != (second == latin[1])
    ]
    known = {*_ENGLISH, *(pinyin for form, pinyin in surnames.items() if form in text)}
    names = [name for name in names if name in gloss]
    if not names and not set(latin) & set(words):
        names = [word for word in words if word in surnames.values() and word not in known]
    return f"found {names[0]!r} in {shown(gloss)}, expected {' '.join(latin)!r} for {name}" if names else ""


def _odd_character(text: str) -> str:
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


def _question_faults(schema: Schema, members: Sequence[Draft]) -> Iterator[_Fault]:
    """Yield candidates out of order, and a question that cannot be about its Chinese sentence."""
    texts, questions = [draft.text for draft in members], [draft.question for draft in members]
    text = texts[0]
    places = [text.find(name) for name in schema.candidates]
    if -1 not in places and places != sorted(places):
        reason = f"not in the order of the text; found {shown(list(schema.candidates))}"
        yield ("candidates",), f"{reason}, expected the order in {shown(text)}"
    if not questions[0].strip():
        yield ("question",), "empty; expected a question that asks for a candidate"
    for question, member_text in zip(questions, texts, strict=True):
        words = _HAN.findall(_QUESTION_WORD.sub("", question))
        if sum(word in member_text for word in words) < len(words) / 2:
            yield ("question",), f"not about this text; found {shown(question)}, expected words of {shown(member_text)}"
    asked = _ALTERNATIVES.search(schema.question)
    for part, member_text in zip(asked.groups() if asked else (), texts, strict=False):
        if len(words := _HAN.findall(part)) > 1 and not any(word in member_text for word in words):
            yield ("question",), f"not about this text; found {shown(part)}, expected words of {shown(member_text)}"
    braces = _ALTERNATIVES.search(schema.text)
    if not braces:
        return
    special, alternate = braces.groups()
    marked = f"{schema.text[: braces.start()]}{{}}{schema.text[braces.end() :]}"
    clause = next((part for part in re.split("[，。！？；：]", marked) if "{}" in part), "")
    # What differs before the target (追问|解释[他]为什么晚到) is no part of what is asked.
    if "[" in clause.split("{}")[0] and questions[0] == questions[1]:
        reason = f"one question for both members; found {shown(questions[0])}"
        yield ("question",), f"{reason}, expected {braces[0]} in it as in the text"
    in_place = special in questions[0] or alternate in questions[1]
    if not in_place and special in questions[1] and alternate in questions[0]:
        yield (
            ("question",),
            f"alternatives exchanged; found {shown(schema.question)}, expected {braces[0]} as in the text",
        )


def _term_faults(terms: Terms) -> Iterator[_Fault]:
    """Yield words to count that are the same, or no words."""
    for field, words in (("candidates", terms.candidates), ("references", terms.references)):
        for word in words:
            if reason := _odd_character(word):
                yield ("pmi", field), reason
            if not word or any(not (sign.isalnum() or sign in "-'’·") for sign in word):
                yield ("pmi", field), f"not a word; found {shown(word)}, expected a word"
        if len(set(words)) < len(words):
            yield ("pmi", field), f"not unique; found {shown(list(words))}, expected different words"
    if shared := set(terms.candidates) & set(terms.references):
        reason = f"a word of a candidate; found {shown(min(shared))}, expected another word to count it with"
        yield ("pmi", "references"), reason


def _faults_of_places(terms: Terms, names: Sequence[str], texts: Sequence[str]) -> Iterator[_Fault]:
    """Yield words to count that a Chinese text does not have, or that are of the other candidate."""
    if (place := exchanged_term(terms.candidates, names)) is not None:
        word, name = terms.candidates[place], names[place]
        reason = f"not in the order of the candidates; found {shown(word)}, expected a word for {shown(name)}"
        yield ("pmi", "candidates"), reason
    for text, reference in zip(texts, terms.references, strict=True):
        for field, words in (("candidates", terms.candidates), ("references", (reference,))):
            for word in words:
                if word not in text:
                    yield ("pmi", field), f"not in the text; found {shown(word)}, expected a word of {shown(text)}"


def _refuse_copies(schemas: Sequence[Schema], nodes: Sequence[CommentedMap], path: Path) -> None:
    """Refuse an entry with the text or the gloss of an earlier one, also with other marks or other candidates, or without a source.

    A source may be missing if most entries have none.
    """
    for field in ("text", "gloss"):
        lines: dict[str, int | None] = {}
        for schema, node in zip(schemas, nodes, strict=True):
            texts, line = expand(getattr(schema, field)), line_of(node, field)
            masked = [_masked(text, schema.candidates) for text in texts] if field == "text" else []
            for letters in filter(None, dict.fromkeys([*map(letters_of, texts), *masked])):
                if lines.setdefault(letters, line) != line:
                    reason = f"not unique; found {shown(getattr(schema, field))} in line {lines[letters]} too"
                    raise error_at(node, path, (field,), f"{reason}, expected another {field}")
    without = [node for schema, node in zip(schemas, nodes, strict=True) if not schema.source]
    if without and len(without) < len(schemas) / 2:
        raise error_at(without[0], path, ("source",), "no source; expected one, as most entries have")


def _masked(text: str, candidates: Sequence[str]) -> str:
    """Return the letters of a text with marks for its candidates, longer ones first."""
    for name in sorted(filter(None, candidates), key=len, reverse=True):
        text = text.replace(name, f"0candidate{candidates.index(name)}0")
    return letters_of(text)
