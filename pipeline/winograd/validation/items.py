"""Items: what must hold of each one."""

import re
from functools import cache

from ...core.records import item_from_json
from ...core.validation.rows import candidates_of, lang_of, list_of, records, span_of, text_of, texts_of
from ...core.validation.suite import Check, Suite, Value
from ...language import text_checks as texts
from ...language.pronouns import pronoun_table
from ...language.questions import languages, question_table
from ...language.segmentation import cut, tag_of
from ..readers.draft import mentioned

KEYS = ("id", "schema", "version", "lang", "text", "target", "candidates", "answer", "question", "source", "note")
_TEXTS = ("text", "question")
#: Where templates take their pronouns from; a language without a table has those of its questions only.
_TEMPLATES = ("en",)
#: What may follow a Japanese pronoun within a set phrase (それだけ): pronoun and particle as often as one word.
_PARTICLES = {"ja": ("だけ", "まで", "ほど", "から")}
#: The head of a Chinese candidate: a word of its own, and no name in Latin letters.
_HEAD = re.compile("[\u3400-\u9fff]{2,}")


def contract(value: Value) -> str:
    """The keys of the contract come first, in its order, and make an item."""
    found = tuple(value)[: len(KEYS)]
    if found != KEYS:
        return f"found the keys {', '.join(found)}, expected {', '.join(KEYS)}"
    try:
        item_from_json(value)
    except ValueError as error:
        return str(error)
    return ""


def named(value: Value) -> str:
    """The id is the schema's with the version, a or b."""
    expected = f"{value.get('schema')}-{value.get('version')}"
    if value.get("version") not in ("a", "b"):
        return f"found version {value.get('version')!r}, expected 'a' or 'b'"
    return "" if value.get("id") == expected else f"found {value.get('id')!r}, expected {expected!r}"


def known_language(value: Value) -> str:
    """The language is one whose pronouns we know."""
    lang = value.get("lang")
    return "" if lang in languages() else f"found {lang!r}, expected one of {', '.join(languages())}"


def _texts(value: Value) -> list[str]:
    return [*texts_of(value, *_TEXTS), *candidates_of(value)]


def span_in_text(value: Value) -> str:
    """The target lies in the text."""
    span = span_of(value)
    if span is None:
        return f"found {value.get('target')!r}, expected start and end"
    return "" if span.end <= len(text_of(value)) else f"found end {span.end}, expected at most {len(text_of(value))}"


@cache
def _forms(lang: str) -> frozenset[str]:
    own = question_table(lang).pronouns if lang in languages() else frozenset()
    table = pronoun_table(lang) if lang in _TEMPLATES else None
    return own | {form for one in (table.sets if table else ()) for form in one.forms.values()}


def target_is_anaphor(value: Value) -> str:
    """The target is a third-person pronoun of the language and the whole of it, or the place of a zero between two words."""
    span, text, lang = span_of(value), text_of(value), lang_of(value)
    if span is None or span.end > len(text) or lang not in languages():
        return ""
    form = span.of(text)
    if not form:
        inside = question_table(lang).segmented and span.start > 0 and text[span.start - 1 : span.start + 1].isalpha()
        return f"found a zero inside a word of {text!r}" if inside else ""
    if form.lower() not in _forms(lang):
        return f"found {form!r}, expected a third-person pronoun"
    if question_table(lang).segmented:
        before, after = text[max(0, span.start - 1) : span.start], text[span.end : span.end + 1]
        around = before if form[-1] in "'’" else before + after  # an elided pronoun touches its verb (l'a)
        return f"found {form!r} inside a word of {text!r}" if any(one.isalnum() for one in around) else ""
    whole = [one for one in question_table(lang).anaphors(text) if one.start <= span.start and span.end <= one.end]
    is_whole = span in whole or text.startswith(_PARTICLES.get(lang, ()), span.end)
    return "" if is_whole else f"found {form!r} as a part of another word in {text!r}"


def two_candidates(value: Value) -> str:
    """There are two candidates, neither empty, and not the same."""
    found = candidates_of(value)
    if len(found) != 2 or not all(one.strip() for one in found):
        return f"found {value.get('candidates')!r}, expected two candidates"
    return "" if found[0].casefold() != found[1].casefold() else f"found {found[0]!r} twice"


def candidates_in_text(value: Value) -> str:
    """The text names both candidates outside the target, a described one by its head; a single-entity text the answer alone."""
    span, text = span_of(value), text_of(value)
    rest = text[: span.start] + "\n" + text[span.end :] if span and span.end <= len(text) else text
    named = candidates_of(value)
    if text_of(value, "id").startswith(f"{lang_of(value)}-single-"):
        named = named[value["answer"] :][:1] if value.get("answer") in (0, 1) else []
    for one in named:
        if not mentioned(one, rest) and not _by_head(one, rest, lang_of(value)):
            return f"found no {one!r} in {text!r}"
    return ""


def _by_head(candidate: str, text: str, lang: str) -> bool:
    """Tell whether a described candidate is named by its last word: 抛接西瓜的人 by 人, 这段乐谱 by 乐谱, a clause by none."""
    if lang != "zh":
        return False
    *described, head = candidate.split("的")
    if not described:
        *described, head = cut(candidate) or [""]
        if not _HEAD.fullmatch(head) or any(tag_of(word) == "v" for word in described):
            return False
    return bool(described and head) and head in text


def gold_among_candidates(value: Value) -> str:
    """The answer is the index of a candidate."""
    found = value.get("answer")
    expected = range(len(candidates_of(value)))
    return "" if type(found) is int and found in expected else f"found {found!r}, expected 0 or 1"


def question_asks(value: Value) -> str:
    """A Chinese question asks with a question word and ends in a question mark."""
    question = text_of(value, "question")
    if lang_of(value) != "zh" or not question:
        return ""
    if not question.endswith("？"):
        return f"found {question!r}, expected a question mark at its end"
    askers = question_table("zh").askers
    return "" if any(one.words.search(question) for one in askers) else f"found no question word in {question!r}"


def question_is_not_the_text(value: Value) -> str:
    """The question does not name a candidate alone: it would give the answer away."""
    question = text_of(value, "question")
    given = [one for one in candidates_of(value) if one and one in question]
    if len(given) != 1 or lang_of(value) != "zh":
        return ""
    other = next((one for one in candidates_of(value) if one != given[0]), "")
    told = re.search(f"{re.escape(given[0])}[说讲问]|^(?:[这那][位个名])?{re.escape(given[0])}", question)
    return "" if other in question or told else f"found {given[0]!r} in {question!r}, expected neither candidate"


def no_zero_sign(value: Value) -> str:
    """A source text has no sign for a zero."""
    return f"found Ø in {text_of(value)!r}" if "Ø" in text_of(value) + text_of(value, "question") else ""


ITEM: dict[str, Check] = {
    "contract": contract,
    "id-of-schema": named,
    "known-language": known_language,
    "span-in-text": span_in_text,
    "target-is-anaphor": target_is_anaphor,
    "two-candidates": two_candidates,
    "candidates-in-text": candidates_in_text,
    "gold-among-candidates": gold_among_candidates,
    "question-asks": question_asks,
    "question-keeps-the-secret": question_is_not_the_text,
    "no-zero-sign": no_zero_sign,
    **texts.checks(*_TEXTS, "candidates", finished="text"),
}

ITEMS = Suite("items", "items of a collection (JSON Lines)", records, ITEM)


def no_defect(value: Value) -> str:
    """A record that was read is an item."""
    reasons = [text_of(finding, "message") for finding in list_of(value, "findings", dict)]
    return "; ".join(reasons) or "found it among the skipped records without a reason"


SKIPPED = Suite("skipped", "records that are no items (skipped.jsonl)", records, {"no-defect": no_defect})
