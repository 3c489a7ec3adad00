"""The suite `pairs`: what the members of a schema must meet."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from ...core.errors import plural
from ...core.model import Span
from ...core.validation.profiles import profile_of, same_pronoun, with_profile
from ...core.validation.rows import (
    candidates_of,
    lang_of,
    list_of,
    members_of,
    records,
    records_grouped_by,
    span_of,
    text_of,
)
from ...core.validation.suite import Row, Suite, Value
from ...language.questions import languages, question_table
from ...language.text_checks import CHINESE, has_words
from ..mentions import mentioned
from ..pairs import DIFFERENCE, difference, letters_of, shared_length
from .candidates import without_target

#: How many characters may differ between the members in other languages than Chinese.
_OTHER_DIFFERENCE = 40
_NUMBER = re.compile(r"\d+")
#: Key of the schemas of one member that ask a text for one of several pronouns.
ONE_TEXT = "@one text"
#: Number of members to compare with each other: no collection has more, so that a broken file costs no square of its length.
_MOST = 3


def two_members(value: Value) -> str:
    """A schema has two members, a and b, or one of several problems of a text; by profile, one or three, and skipped records count."""
    if value.get(ONE_TEXT):
        return ""
    versions = sorted(text_of(member, "version") for member in members_of(value))
    skipped = list_of(value, "skipped", str)
    if profile_of(value).allows("lone-member") and [*versions, *skipped] in (["a"], ["b"]):
        return ""
    for number in profile_of(value).members:
        if sorted([*versions, *skipped]) == list("abc"[:number]):
            return ""
    expected = {1: "a", 2: "a and b", 3: "a, b and c"}
    wanted = ", or ".join(expected[number] for number in profile_of(value).members)
    return f"found {', '.join(versions) or 'none'}, expected {wanted}"


def different_texts(value: Value) -> str:
    """The texts of the members differ."""
    for first, second in _pairs(value):
        if text_of(first) == text_of(second):
            return f"found {text_of(first)!r} twice"
    return ""


def same_language(value: Value) -> str:
    """The members are in the same language."""
    same = all(lang_of(first) == lang_of(second) for first, second in _pairs(value))
    return "" if same else f"found {', '.join(map(lang_of, members_of(value)))}"


def same_source(value: Value) -> str:
    """The members are from one source; only numbers in it, such as lines, may differ."""
    for pair in _pairs(value):
        sources = [text_of(member, "source") for member in pair]
        if _NUMBER.sub("", sources[0]) != _NUMBER.sub("", sources[1]):
            return f"found {sources[0]!r} and {sources[1]!r}"
    return ""


def same_candidates(value: Value) -> str:
    """The members have the same candidates in the same order; by profile, one may be the special word, or in another case."""
    profile = profile_of(value)
    for pair in _pairs(value):
        names = [candidates_of(member) for member in pair]
        same = len(names[0]) == len(names[1]) and all(
            first == second
            or (profile.allows("inflected-candidate") and _inflected(first, second))
            or (profile.allows("special-word-in-candidate") and _each_its_own(first, second, pair))
            for first, second in zip(*names, strict=True)
        )
        if not same:
            return f"found {names[0]} and {names[1]}"
    return ""


def _inflected(first: str, second: str) -> bool:
    """Return whether two names have one stem: they differ in the last two characters, and begin with the same two at least.

    >>> _inflected("рюкзак", "рюкзаком"), _inflected("Женя", "Джейн")
    (True, False)
    """
    stem = shared_length(first, second)
    return stem >= 2 and max(len(first), len(second)) - stem <= 2


def _each_its_own(first: str, second: str, pair: tuple[Value, Value]) -> bool:
    """Return whether each member names its own candidate, and neither names the other one's."""
    texts = [text_of(member) for member in pair]
    own = mentioned(first, texts[0]) and mentioned(second, texts[1])
    return own and not (mentioned(first, texts[1]) or mentioned(second, texts[0]))


def answers_flip(value: Value) -> str:
    """The members have different answers; of three, both answers occur; of more than two candidates, two different ones are right."""
    answers = [member.get("answer") for member in members_of(value)]
    most = max((len(candidates_of(member)) for member in members_of(value)), default=2)
    flip = all(type(answer) is int for answer in answers) and (
        {*answers} == {0, 1} or (most > 2 and len({*answers}) > 1)
    )
    if len(answers) < 2 or flip:
        return ""
    return f"found {' and '.join(map(str, answers))}, expected 0 and 1"


def small_difference(value: Value) -> str:
    """The members differ in one short stretch, besides German er, sie and es; template endings, and by profile clauses, may differ."""
    clauses = profile_of(value).allows("clause-ending")
    for first, second in _pairs(value):
        parts = difference(*_texts_compared(first, second))
        allowed = DIFFERENCE if lang_of(first) == "zh" else _OTHER_DIFFERENCE
        if max(map(len, parts)) <= allowed or "case" in first:
            continue
        if not clauses:
            return f"found {parts[0]!r} and {parts[1]!r}, expected at most {plural(allowed, 'character')}"
        beginning = text_of(first)[: shared_length(text_of(first), text_of(second))]
        if not all(mentioned(name, beginning) for name in candidates_of(first)):
            return f"found {parts[0]!r} and {parts[1]!r}, expected the same words up to the second candidate"
    return ""


def same_beginning(value: Value) -> str:
    """The members begin with the same words, which name both candidates; in Chinese one: 把 or 被, 替 or 托 between them may decide."""
    if profile_of(value).allows("early-difference"):
        return ""
    for first, second in _pairs(value):
        beginning = text_of(first)[: shared_length(text_of(first), text_of(second))]
        names = candidates_of(first)
        number = sum(mentioned(candidate, beginning) for candidate in names)
        expected = min(len(names), 1 if lang_of(first) in CHINESE else 2)
        if number < expected:
            return f"found {beginning!r}, expected it to name {plural(expected, 'candidate')}"
    return ""


def difference_in_words(value: Value) -> str:
    """The members differ in words, not only in marks or blanks; German er, sie and es do not count."""
    for first, second in _pairs(value):
        parts = difference(*_texts_compared(first, second))
        if any(parts) and not any(map(has_words, parts)):
            return f"found {parts[0]!r} and {parts[1]!r}, expected words"
    return ""


def same_anaphor(value: Value) -> str:
    """The target is the same word in all members, or in German er, sie or es; by profile, another form of the pronoun, or a zero."""
    profile = profile_of(value)
    for pair in _pairs(value):
        spans = [span_of(member) for member in pair]
        forms = [span.of(text_of(member)) for span, member in zip(spans, pair, strict=True) if span]
        if len(forms) < 2 or forms[0] == forms[1] or _differ_in_gender(*pair):
            continue
        is_zero = profile.allows("zero-anaphor") and not all(forms)
        is_form = profile.allows("inflected-anaphor") and same_pronoun(forms[0], forms[1], lang_of(pair[0]))
        if not (is_zero or is_form):
            return f"found {forms[0]!r} and {forms[1]!r}"
    return ""


def _texts_compared(first: Value, second: Value) -> tuple[str, str]:
    """Return the texts of two members, without their targets if these differ in gender."""
    if not _differ_in_gender(first, second):
        return text_of(first), text_of(second)
    return without_target(first), without_target(second)


def _differ_in_gender(first: Value, second: Value) -> bool:
    """Return whether the targets are different nominative pronouns in a language where the answer's gender decides (er, sie, es)."""
    forms = []
    for member in (first, second):
        span, lang = span_of(member), lang_of(member)
        if span is None or lang not in languages():
            return False
        forms.append(span.of(text_of(member)).lower())
        if forms[-1] not in question_table(lang).by_gender:
            return False
    return lang_of(first) == lang_of(second) and forms[0] != forms[1]


def _pairs(value: Value) -> Iterator[tuple[Value, Value]]:
    """Return each two of a schema's first members: of two, one pair; of three, three."""
    return combinations(members_of(value)[:_MOST], 2)


def schemas(paths: Sequence[Path], profile: str = "") -> list[Row]:
    """Return a row for each schema with its members, and as ``skipped`` the versions of those that the reader skipped.

    The row says too whether the schema is one of several problems of a text, each of which asks for another target.
    Skipped records are looked for beside the items, and only if the profile accepts them as members.
    """
    rows = with_profile(records_grouped_by(paths, "schema"), profile)
    asked: dict[str, set[Span | None]] = {}
    for row in rows:
        asked.setdefault(_words_of(row), set()).add(span_of(members_of(row.value)[0]))
    rows = [
        replace(row, value={**row.value, ONE_TEXT: len(members_of(row.value)) == 1 and len(asked[_words_of(row)]) > 1})
        for row in rows
    ]
    skipped: dict[Path, list[Value]] = {}
    for number, row in enumerate(rows):
        if len(members_of(row.value)) == 1 and profile_of(row.value).allows("skipped-member"):
            if row.path not in skipped:
                skipped[row.path] = _skipped_beside(row.path)
            versions = [text_of(other, "version") for other in skipped[row.path] if other.get("schema") == row.id]
            rows[number] = replace(row, value={**row.value, "skipped": versions})
    return rows


def _words_of(row: Row) -> str:
    return letters_of(text_of(members_of(row.value)[0]))


def _skipped_beside(path: Path) -> list[Value]:
    """Return the records of skipped.jsonl, or for NAME.jsonl of NAME.skipped.jsonl, in the folder of a file of items."""
    for name in (f"{path.stem}.skipped.jsonl", "skipped.jsonl"):
        if (path.parent / name).is_file():
            return [row.value for row in records([path.parent / name])]
    return []


PAIRS = Suite(
    "pairs",
    "the pairs of a collection's items (JSON Lines)",
    schemas,
    {
        "two-members": two_members,
        "different-texts": different_texts,
        "same-language": same_language,
        "same-source": same_source,
        "same-candidates": same_candidates,
        "answers-flip": answers_flip,
        "same-beginning": same_beginning,
        "small-difference": small_difference,
        "difference-in-words": difference_in_words,
        "same-anaphor": same_anaphor,
    },
    unique=False,
)
