"""The suites `items` and `skipped`: what every item must meet, and that no record was skipped."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ...core.convert import Id, Text
from ...core.errors import PipelineError, shown
from ...core.model import Span
from ...core.records import KEYS, item_from_json
from ...core.validation.profiles import ProfileName, profile_of, with_profile
from ...core.validation.rows import candidates_of, lang_of, records, span_of, text_of, texts_of
from ...core.validation.rows import list_of as elements_of
from ...core.validation.suite import Check, Row, Suite, Value, contract, described
from ...language.pronouns import pronoun_table
from ...language.questions import QuestionTable, is_language, languages, question_table
from ...language.referents import gloss_misfit, misfit, speaker
from ...language.text_checks import CHINESE, check_personal_data, checks
from ..analysis import GenderPair
from ..readers.draft import GAP
from ..translation.draft import UNREVIEWED
from ..zero_forms import to_zero
from .candidates import candidates_are_nouns, candidates_in_text, candidates_whole, two_candidates
from .collection import (
    ADDED,
    GLOSS,
    candidates_in_order,
    collection,
    given,
    id_of_its_own,
    no_contradiction,
    no_copy,
    one_source,
)
from .questions import question_asks, question_hides_answer, question_of_member, question_of_text

#: Languages with a table of pronoun sets for occupation templates; the others have the pronouns of their questions only.
_TEMPLATES = ("en",)
#: Particles that form one word with a pronoun in a set phrase (Japanese それだけ).
_PARTICLES = {"ja": ("だけ", "まで", "ほど", "から")}
_NO_SPAN = Span(0, 0)
#: Fields that one stage adds together.
_TOGETHER = (
    ("case", "pronouns"),
    ("text_zero", "zero", "text_dropped", "dropped", "mentions"),
    ("kind", "role", "register"),
    ("pmi_candidates", "pmi_reference", "modification", "original_text"),
)


class _Mention(msgspec.Struct, frozen=True):
    candidate: Annotated[int, Meta(ge=0)]
    text: Span
    text_zero: Span | None
    text_dropped: Span | None


class _ItemRow(msgspec.Struct, frozen=True):
    """An item with what stages add to it: instantiate, zero, release."""

    id: Id
    schema: Id
    version: Annotated[str, Meta(pattern=r"\A[a-z]{1,2}\Z", description="a letter")]
    lang: Annotated[
        str,
        Meta(pattern=r"\A[a-z]{2,3}(-[A-Z][a-z]{3}(-[A-Z]{2})?)?\Z", description="a code such as zh or zh-Hant-TW"),
    ]
    text: Text
    target: Span
    candidates: Annotated[tuple[Text, ...], Meta(min_length=1, description="a list of texts")]
    answer: Annotated[int, Meta(ge=0, description="the number of a candidate, from 0")]
    question: str
    source: str
    note: str
    case: Text = ""
    pronouns: Text = ""
    text_zero: Text = ""
    zero: Span = _NO_SPAN
    text_dropped: Text = ""
    dropped: Span = _NO_SPAN
    mentions: tuple[_Mention, ...] = ()
    contrast: Literal["", "before", "after"] = ""
    gloss: str = ""
    kind: str = ""
    role: str = ""
    register: str = ""
    genders: GenderPair = ()
    pmi_candidates: tuple[Text, ...] = ()
    pmi_reference: str = ""
    modification: str = ""
    original_text: str = ""


def _item_contract() -> Check:
    """Return the contract of an item."""
    check = contract("An item", _ItemRow, ADDED)

    def checked(value: Value) -> str:
        for fields in _TOGETHER:
            missing = [field for field in fields if field not in value]
            if 0 < len(missing) < len(fields):
                return f"[{missing[0]}] missing field; found the others of {', '.join(fields)}"
        chosen = isinstance(value.get("profile"), ProfileName)
        return check({key: content for key, content in value.items() if key != "profile"} if chosen else value)

    return described(check.__doc__ or "", checked)


def id_of_schema(value: Value) -> str:
    """The id is the schema's with the version, a or b; by profile, a schema has other members."""
    expected = f"{value.get('schema')}-{value.get('version')}"
    versions = "abc"[: max(profile_of(value).members)]
    if value.get("version") not in tuple(versions):
        return f"found version {value.get('version')!r}, expected {' or '.join(map(repr, versions))}"
    return "" if value.get("id") == expected else f"found {value.get('id')!r}, expected {expected!r}"


def known_language(value: Value) -> str:
    """The language has a table of pronouns, or another code of ISO 639; then nothing that needs its pronouns is looked at."""
    lang = value.get("lang")
    is_known = isinstance(lang, str) and is_language(lang)
    return "" if is_known else f"found {lang!r}, expected {', '.join(languages())} or another code of ISO 639"


def span_in_text(value: Value) -> str:
    """The target lies in the text."""
    span = span_of(value)
    if span is None:
        return f"found {value.get('target')!r}, expected start and end"
    return "" if span.end <= len(text_of(value)) else f"found end {span.end}, expected at most {len(text_of(value))}"


def target_is_anaphor(value: Value) -> str:
    """The target is a whole third-person pronoun of the language, a gap, or the place of a zero between two words."""
    span, text, lang = span_of(value), text_of(value), lang_of(value)
    if span is None or span.end > len(text) or lang not in languages():
        return ""
    form = span.of(text)
    if not form:
        if any(anaphor.start == span.start for anaphor in question_table(lang).anaphors(text)):
            return f"found a zero before the pronoun in {text[span.start :]!r}"
        if not text[span.end :].strip():
            return f"found a zero after the end of {text!r}"
        inside = question_table(lang).segmented and span.start > 0 and text[span.start - 1 : span.start + 1].isalpha()
        return f"found a zero inside a word of {text!r}" if inside else ""
    if form == GAP:
        return ""
    if form.lower() not in _pronouns(lang):
        return f"found {form!r}, expected a third-person pronoun"
    if question_table(lang).segmented:
        before, after = text[max(0, span.start - 1) : span.start], text[span.end : span.end + 1]
        if _attaches(question_table(lang), text[: span.start].split(" ")[-1], form):
            before = ""  # as the readers join it (comprarlo, שהוא)
        around = before if form[-1] in "'’" else before + after  # an elided pronoun touches its verb (l'a)
        inside = any(character.isalnum() for character in around)
        return f"found {form!r} inside a word of {text!r}" if inside else ""
    is_whole = span in question_table(lang).anaphors(text) or text.startswith(_PARTICLES.get(lang, ()), span.end)
    return "" if is_whole else f"found {form!r} as a part of another word in {text!r}"


def _attaches(table: QuestionTable, head: str, form: str) -> bool:
    word = f"{head} {form}"
    return bool(table.attaches.search(word) or table.may_attach.search(word))


def single_pronoun(value: Value) -> str:
    """The target is the only third-person pronoun of the text; templates, and by profile published texts, may have others."""
    span, text, lang = span_of(value), text_of(value), lang_of(value)
    if span is None or lang not in languages() or "case" in value or profile_of(value).allows("several-pronouns"):
        return ""
    table = question_table(lang)
    others = [
        other
        for other in table.anaphors(text)
        if (other.end <= span.start or other.start >= span.end) and other.of(text).casefold() not in table.articles
    ]
    return f"found {others[0].of(text)!r} besides the target in {text!r}, expected one pronoun" if others else ""


def pronoun_fits(value: Value) -> str:
    """The target may stand for its candidates (no 它 for persons, he for a sister, er for das Lokal, plural for one), as in its gloss."""
    span, text, answer = span_of(value), text_of(value), value.get("answer")
    if span is None or span.end > len(text) or type(answer) is not int:
        return ""
    pronoun, names = span.of(text), candidates_of(value)
    if not 0 <= answer < len(names) or "case" in value:
        return ""
    if reason := misfit(lang_of(value), pronoun, names, answer, text):
        return reason
    gloss = text_of(value, "gloss") or text_of(value, GLOSS)
    reason = gloss_misfit(pronoun, gloss, text, names) if lang_of(value) in CHINESE else ""
    return f"{reason} in the gloss {gloss!r}" if reason else ""


def target_not_quoted(value: Value) -> str:
    """A target in quotation marks is not said by one of two candidates, who would say "I" of herself and "you" to the other."""
    span, names = span_of(value), candidates_of(value)
    said_by = speaker(text_of(value), span, names) if span and len(names) == 2 else ""
    return f"found {said_by!r} as the speaker in {text_of(value)!r}, expected none of the candidates" if said_by else ""


@cache
def _pronouns(lang: str) -> frozenset[str]:
    in_questions = question_table(lang).pronouns if lang in languages() else frozenset()
    sets = pronoun_table(lang).sets if lang in _TEMPLATES else ()
    return in_questions | {form for pronoun_set in sets for form in pronoun_set.forms.values()}


def gold_among_candidates(value: Value) -> str:
    """The answer is the index of a candidate."""
    answer = value.get("answer")
    is_index = type(answer) is int and answer in range(len(candidates_of(value)))
    last = max(1, len(candidates_of(value)) - 1)
    return "" if is_index else f"found {answer!r}, expected {'0 or 1' if last == 1 else f'0 to {last}'}"


def no_zero_sign(value: Value) -> str:
    """A source text has no Ø."""
    return f"found Ø in {text_of(value)!r}" if "Ø" in text_of(value) + text_of(value, "question") else ""


def zero_of_text(value: Value) -> str:
    """The zero forms of a row, with the places of its candidates, are those of its text."""
    if "text_zero" not in value:
        return ""
    try:
        expected = to_zero(item_from_json({key: value[key] for key in KEYS}))
    except (PipelineError, ValueError):
        return ""  # another expectation reports it
    field = next((key for key in expected if value.get(key) != expected[key]), "")
    return f"[{field}] found {shown(value.get(field))}, expected {shown(expected[field])}" if field else ""


def no_personal_data(value: Value) -> str:
    """Source and note have no address, telephone number, identity number or folder of a person."""
    return check_personal_data(texts_of(value, "source", "note"), "")


def reviewed(value: Value) -> str:
    """The words are a person's: the note does not say that nobody has reviewed a machine translation."""
    return f"found {text_of(value, 'note')!r}, expected a reviewed text" if UNREVIEWED in text_of(value, "note") else ""


ITEM: dict[str, Check] = {
    "contract": _item_contract(),
    "id-of-schema": id_of_schema,
    "id-of-its-own": id_of_its_own,
    "known-language": known_language,
    "span-in-text": span_in_text,
    "target-is-anaphor": target_is_anaphor,
    "single-pronoun": single_pronoun,
    "pronoun-fits": pronoun_fits,
    "target-not-quoted": target_not_quoted,
    "two-candidates": two_candidates,
    "candidates-in-text": candidates_in_text,
    "candidates-are-nouns": candidates_are_nouns,
    "candidates-whole": candidates_whole,
    "candidates-in-order": candidates_in_order,
    "gold-among-candidates": gold_among_candidates,
    "question-given": given("question"),
    "question-asks": question_asks,
    "question-hides-answer": question_hides_answer,
    "question-of-text": question_of_text,
    "question-of-member": question_of_member,
    "source-given": given("source"),
    "one-source": one_source,
    "no-zero-sign": no_zero_sign,
    "zero-of-text": zero_of_text,
    "reviewed": reviewed,
    "no-personal-data": no_personal_data,
    "no-copy": no_copy,
    "no-contradicting-copy": no_contradiction,
    **checks("text", "question", finished="text", named=("candidates",), plain=("schema", "version", "source", "note")),
}


def items(paths: Sequence[Path], profile: str = "") -> list[Row]:
    """Return a row for each item beside the others of its collection, with the name of the profile if one is chosen."""
    return with_profile(collection(paths), profile)


ITEMS = Suite("items", "items of a collection (JSON Lines)", items, ITEM)


def no_defect(value: Value) -> str:
    """Every record of the source is an item; none was skipped."""
    reasons = [_reason(finding) for finding in elements_of(value, "findings", dict)]
    return "; ".join(reasons) or "found a skipped record without a reason"


def _reason(finding: Value) -> str:
    """Return what is wrong with a skipped record, and the line of the file that it was read from."""
    evidence = finding.get("evidence")
    line = evidence.get("line") if isinstance(evidence, dict) else None
    return text_of(finding, "message") + (f" (line {line} of the source)" if line is not None else "")


SKIPPED = Suite(
    "skipped", "records that are no items (skipped.jsonl)", records, {"no-defect": no_defect}, may_be_empty=True
)
