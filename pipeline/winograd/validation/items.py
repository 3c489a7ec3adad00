"""The suites `items` and `skipped`: what every item must meet, and that no record was skipped."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ...core.records import KEYS, item_from_json
from ...core.validation.profiles import profile_of, with_profile
from ...core.validation.rows import candidates_of, lang_of, list_of, records, span_of, text_of
from ...core.validation.suite import Check, Row, Suite, Value
from ...language.pronouns import pronoun_table
from ...language.questions import languages, question_table
from ...language.segmentation import cut, tag_of
from ...language.text_checks import checks
from ..mentions import mentioned

#: Languages with a table of pronoun sets for occupation templates; the others have the pronouns of their questions only.
_TEMPLATES = ("en",)
#: Particles that form one word with a pronoun in a set phrase (Japanese それだけ).
_PARTICLES = {"ja": ("だけ", "まで", "ほど", "から")}
#: What a question with 什么 may ask for besides a candidate: why, when, where, how.
_CIRCUMSTANCE = re.compile("为什么|什么时候|什么地方|什么样")
#: The head of a Chinese candidate: a word of at least two Chinese characters.
_HEAD = re.compile("[\u3400-\u9fff]{2,}")


def contract(value: Value) -> str:
    """The keys of the contract come first, in its order, and make an item."""
    keys = tuple(value)[: len(KEYS)]
    if keys != KEYS:
        return f"found the keys {', '.join(keys)}, expected {', '.join(KEYS)}"
    if "findings" in value:
        return "found the findings of a rejected record, expected an item"
    try:
        item_from_json(value)
    except ValueError as error:
        return str(error)
    return ""


def id_of_schema(value: Value) -> str:
    """The id is the schema's with the version, a or b; by profile, a schema has other members."""
    expected = f"{value.get('schema')}-{value.get('version')}"
    versions = "abc"[: max(profile_of(value).members)]
    if value.get("version") not in tuple(versions):
        return f"found version {value.get('version')!r}, expected {' or '.join(map(repr, versions))}"
    return "" if value.get("id") == expected else f"found {value.get('id')!r}, expected {expected!r}"


def known_language(value: Value) -> str:
    """The pronouns of the language are known."""
    lang = value.get("lang")
    return "" if lang in languages() else f"found {lang!r}, expected one of {', '.join(languages())}"


def span_in_text(value: Value) -> str:
    """The target lies in the text."""
    span = span_of(value)
    if span is None:
        return f"found {value.get('target')!r}, expected start and end"
    return "" if span.end <= len(text_of(value)) else f"found end {span.end}, expected at most {len(text_of(value))}"


def target_is_anaphor(value: Value) -> str:
    """The target is a whole third-person pronoun of the language, or the place of a zero between two words."""
    span, text, lang = span_of(value), text_of(value), lang_of(value)
    if span is None or span.end > len(text) or lang not in languages():
        return ""
    form = span.of(text)
    if not form:
        inside = question_table(lang).segmented and span.start > 0 and text[span.start - 1 : span.start + 1].isalpha()
        return f"found a zero inside a word of {text!r}" if inside else ""
    if form.lower() not in _pronouns(lang):
        return f"found {form!r}, expected a third-person pronoun"
    if question_table(lang).segmented:
        before, after = text[max(0, span.start - 1) : span.start], text[span.end : span.end + 1]
        around = before if form[-1] in "'’" else before + after  # an elided pronoun touches its verb (l'a)
        inside = any(character.isalnum() for character in around)
        return f"found {form!r} inside a word of {text!r}" if inside else ""
    is_whole = span in question_table(lang).anaphors(text) or text.startswith(_PARTICLES.get(lang, ()), span.end)
    return "" if is_whole else f"found {form!r} as a part of another word in {text!r}"


@cache
def _pronouns(lang: str) -> frozenset[str]:
    in_questions = question_table(lang).pronouns if lang in languages() else frozenset()
    sets = pronoun_table(lang).sets if lang in _TEMPLATES else ()
    return in_questions | {form for pronoun_set in sets for form in pronoun_set.forms.values()}


def two_candidates(value: Value) -> str:
    """There are two candidates; neither is empty, and they differ."""
    names = candidates_of(value)
    if len(names) != 2 or not all(name.strip() for name in names):
        return f"found {value.get('candidates')!r}, expected two candidates"
    return "" if names[0].casefold() != names[1].casefold() else f"found {names[0]!r} twice"


def candidates_in_text(value: Value) -> str:
    """The text outside the target names both candidates, a described one by its head; a single-entity text only the answer."""
    span, text = span_of(value), text_of(value)
    rest = text[: span.start] + "\n" + text[span.end :] if span and span.end <= len(text) else text
    names = candidates_of(value)
    if text_of(value, "id").startswith(f"{lang_of(value)}-single-"):
        names = names[value["answer"] :][:1] if value.get("answer") in (0, 1) else []
    for name in names:
        if not mentioned(name, rest) and not _named_by_head(name, rest, lang_of(value)):
            return f"found no {name!r} in {text!r}"
    return ""


def _named_by_head(candidate: str, text: str, lang: str) -> bool:
    """Return whether a text names a described Chinese candidate by its head: 抛接西瓜的人 by 人, 这段乐谱 by 乐谱, no clause."""
    if lang != "zh":
        return False
    *description, head = candidate.split("的")
    if not description:
        *description, head = cut(candidate) or [""]
        if not _HEAD.fullmatch(head) or any(tag_of(word) == "v" for word in description):
            return False
    return bool(description and head) and head in text


def gold_among_candidates(value: Value) -> str:
    """The answer is the index of a candidate."""
    answer = value.get("answer")
    is_index = type(answer) is int and answer in range(len(candidates_of(value)))
    return "" if is_index else f"found {answer!r}, expected 0 or 1"


def question_asks(value: Value) -> str:
    """A Chinese question has a word that asks for a candidate (谁, not 为什么) and ends in a question mark."""
    question = text_of(value, "question")
    if lang_of(value) != "zh" or not question:
        return ""
    if not question.endswith("？"):
        return f"found {question!r}, expected a question mark at its end"
    if _asks(question):
        return ""
    why = ": no form can turn alternatives into a statement" if "还是" in question else ""
    return f"found no question word for a candidate in {question!r}, expected one such as 谁{why}"


def _asks(question: str) -> bool:
    """Return whether a Chinese question, or a part of one, asks for a candidate."""
    rest = _CIRCUMSTANCE.sub("", question)
    return any(kind.words.search(rest) for kind in question_table("zh").question_words)


def question_hides_answer(value: Value) -> str:
    """A Chinese question does not name only one candidate, except who says something or stands before 谁的: that may be either."""
    question = text_of(value, "question")
    named = [name for name in candidates_of(value) if name and name in question]
    if len(named) != 1 or lang_of(value) != "zh":
        return ""
    other = next((name for name in candidates_of(value) if name != named[0]), "")
    name = re.escape(named[0])
    says = re.search(f"{name}[说讲问](.+)", question)
    possessor = re.match(f"(?:[这那][位个名])?{name}[^，]*谁的", question)
    if other in question or possessor or (says and _asks(says[1])):
        return ""
    return f"found {named[0]!r} in {question!r}, expected neither candidate"


def no_zero_sign(value: Value) -> str:
    """A source text has no Ø."""
    return f"found Ø in {text_of(value)!r}" if "Ø" in text_of(value) + text_of(value, "question") else ""


ITEM: dict[str, Check] = {
    "contract": contract,
    "id-of-schema": id_of_schema,
    "known-language": known_language,
    "span-in-text": span_in_text,
    "target-is-anaphor": target_is_anaphor,
    "two-candidates": two_candidates,
    "candidates-in-text": candidates_in_text,
    "gold-among-candidates": gold_among_candidates,
    "question-asks": question_asks,
    "question-hides-answer": question_hides_answer,
    "no-zero-sign": no_zero_sign,
    **checks("text", "question", "candidates", finished="text"),
}


def items(paths: Sequence[Path], profile: str = "") -> list[Row]:
    """Return a row for each item, with the name of the profile if one is chosen."""
    return with_profile(records(paths), profile)


ITEMS = Suite("items", "items of a collection (JSON Lines)", items, ITEM)


def no_defect(value: Value) -> str:
    """Every record of the source is an item; none was skipped."""
    reasons = [_reason(finding) for finding in list_of(value, "findings", dict)]
    return "; ".join(reasons) or "found a skipped record without a reason"


def _reason(finding: Value) -> str:
    """Return what is wrong with a skipped record, and the line of the file that it was read from."""
    evidence = finding.get("evidence")
    line = evidence.get("line") if isinstance(evidence, dict) else None
    return text_of(finding, "message") + (f" (line {line} of the source)" if line is not None else "")


SKIPPED = Suite(
    "skipped", "records that are no items (skipped.jsonl)", records, {"no-defect": no_defect}, may_be_empty=True
)
