"""Checks of sentences made from templates: those of one pair of entities and one case, in any file.

Each takes a value with ``members``, the sentences as cells of `COLUMNS`, and facts of their file (`with_file`).
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from ..core.errors import plural, shown
from ..core.validation.rows import list_of, members_of, text_of
from ..core.validation.suite import Check, Value, described
from ..language import text_checks as texts
from ..language.pronouns import pronoun_table
from .templates import fill_with_span
from .wording import OTHER_PRONOUNS, misplaced_pronoun, name_error, typing_error

_LANG = "en"
#: The pronoun of a sentence stands here while the sentences of a template are compared.
_GAP = "\N{WHITE SQUARE}"


def with_file(groups: Sequence[Sequence[Value]]) -> list[Value]:
    """Return a value for each group of sentences, with what their file says.

    That is ``names``: how many of the entities most of its sentences name; ``missing``: the pronoun types that nearly all
    pairs of entities have and this pair has not, in its first group only; ``elsewhere``: its sentences that another group has too;
    ``answers``: 1 if its entities have two templates in all, as most entities of the file do, and each in another case, as Winogender's
    may; else 2.
    """
    sentences = Counter(sentence for group in groups for sentence in {text_of(row, "sentence") for row in group})
    names = Counter(sum(map(bool, _named(row))) for group in groups for row in group).most_common(1)
    types: dict[tuple[str, str], set[str]] = {}
    templates: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for group in groups:
        types.setdefault(_entities(group[0]), set()).add(text_of(group[0], "pronoun_type"))
        keys = {(text_of(row, "pronoun_type"), text_of(row, "answer")) for row in group}
        templates.setdefault(_entities(group[0]), set()).update(keys)
    sizes = Counter(map(len, templates.values())).most_common(1)
    halves = {
        names for names, keys in templates.items() if sizes[0][0] == 2 == len(keys) == len({kind for kind, _ in keys})
    }
    usual = Counter(name for names in types.values() for name in names)
    common = {name for name, count in usual.items() if count >= len(types) - max(1, len(types) // 20)}
    values: list[Value] = []
    for group in groups:
        missing = common - types[_entities(group[0])]
        types[_entities(group[0])] = common
        elsewhere = [text for row in group if sentences[text := text_of(row, "sentence")] > 1]
        values.append(
            {
                "members": list(group),
                "names": names[0][0] if names else 0,
                "missing": sorted(missing),
                "elsewhere": elsewhere,
                "answers": 1 if _entities(group[0]) in halves else 2,
            }
        )
    return values


def _entities(row: Value) -> tuple[str, str]:
    return text_of(row, "occupation"), text_of(row, "participant")


def _named(row: Value) -> list[list[str]]:
    """Return where a sentence names its occupation and its participant."""
    sentence = text_of(row, "sentence")
    return [re.findall(rf"\b{re.escape(name)}\b", sentence, re.IGNORECASE) if name else [] for name in _entities(row)]


def _case(row: Value) -> str:
    return pronoun_table(_LANG).placeholders.get(text_of(row, "pronoun_type").removeprefix("$"), "")


def _around(row: Value) -> tuple[str, str] | None:
    """Return the text before and after the pronoun; None if it is not there once."""
    pronoun = text_of(row, "pronoun")
    parts = re.split(rf"(?<![\w'-]){re.escape(pronoun)}(?![\w'-])", text_of(row, "sentence"), flags=re.IGNORECASE)
    return (parts[0], parts[1]) if pronoun and len(parts) == 2 else None


def _each(expectation: str, check: Check) -> Check:
    """Return the check of all members by a check of one."""

    def first_problem(value: Value) -> str:
        return next(filter(None, map(check, members_of(value))), "")

    return described(expectation, first_problem)


# --- a sentence by itself ---------------------------------------------------------------------------------------------


def _answer(row: Value) -> str:
    answer, entities = text_of(row, "answer"), _entities(row)
    return "" if answer in entities else f"found {shown(answer)}, expected {entities[0]!r} or {entities[1]!r}"


def _form(row: Value) -> str:
    if text_of(row, "pronoun") in [entry.forms.get(_case(row)) for entry in pronoun_table(_LANG).sets]:
        return ""
    return f"found {text_of(row, 'pronoun')!r} for {text_of(row, 'pronoun_type')!r}"


def _pronouns(row: Value) -> str:
    forms = {form for entry in pronoun_table(_LANG).sets for form in entry.forms.values()} | OTHER_PRONOUNS
    sentence = text_of(row, "sentence")
    words = [word for word in re.findall(r"[A-Za-z]+", sentence.lower()) if word in forms]
    if words == [text_of(row, "pronoun").lower()]:
        return ""
    return f"found {', '.join(words) or 'none'} in {shown(sentence)}, expected {text_of(row, 'pronoun')!r}"


def _placeholder(row: Value) -> str:
    return f"found {shown(text_of(row, 'sentence'))}" if "$" in text_of(row, "sentence") else ""


def _answer_named(row: Value) -> str:
    answer, sentence = text_of(row, "answer"), text_of(row, "sentence")
    named = re.search(rf"\b{re.escape(answer)}\b", sentence, re.IGNORECASE)
    return "" if named else f"found no {shown(answer)} in {shown(sentence)}"


def _typing(row: Value) -> str:
    return typing_error(text_of(row, "sentence"), pronoun_table(_LANG))


def _names(row: Value) -> str:
    return name_error(*_entities(row), pronoun_table(_LANG))


def _place(row: Value) -> str:
    around = _around(row)
    return misplaced_pronoun(*around, _case(row)) if around else ""


# --- the sentences of a group, and of a file --------------------------------------------------------------------------


def every_pronoun_twice(value: Value) -> str:
    """Each pronoun set has two sentences, one for each answer; of two templates in all that differ in case, one for its answer."""
    answers = 1 if value.get("answers") == 1 else 2
    expected = answers * len(pronoun_table(_LANG).sets)
    keys = [(text_of(row, "pronoun"), text_of(row, "answer")) for row in members_of(value)]
    if len(keys) == expected == len(set(keys)) and len({answer for _, answer in keys}) == answers:
        return ""
    return f"found {plural(len(keys), 'sentence')} with {len(set(keys))} pronouns and answers, expected {expected}"


def every_case(value: Value) -> str:
    """A pair of entities has each pronoun type that nearly all pairs of the file have."""
    missing = list_of(value, "missing", str)
    return f"found no sentence with {', '.join(missing)}, expected them as for the other pairs" if missing else ""


def entities_named(value: Value) -> str:
    """A sentence of two people names each once; a sentence of one person names the answer and nobody else."""
    for row in members_of(value):
        counts = [len(names) for names in _named(row)]
        others = [name for name, count in zip(_entities(row), counts, strict=True) if count]
        wrong = counts != [1, 1] if value.get("names") == 2 else len(others) > 1 or text_of(row, "answer") not in others
        if wrong:
            expected = "each of both once" if value.get("names") == 2 else f"only {text_of(row, 'answer')!r}"
            return f"found {', '.join(others) or 'none'} in {shown(text_of(row, 'sentence'))}, expected {expected}"
    return ""


def one_template(value: Value) -> str:
    """The sentences of an answer differ in the pronoun only, and in the verb that agrees with it."""
    table = pronoun_table(_LANG)
    frames: dict[str, Counter[str]] = {}
    for row in members_of(value):
        if (around := _around(row)) and not _is_plural(row):
            frames.setdefault(text_of(row, "answer"), Counter())[_GAP.join(around)] += 1
    for row in members_of(value):
        around, usual = _around(row), frames.get(text_of(row, "answer"))
        case = _case(row)
        entry = next((entry for entry in table.sets if entry.forms.get(case) == text_of(row, "pronoun")), None)
        if not around or not usual or not entry or case not in table.placeholders.values():
            continue
        name = next(name for name, known in table.placeholders.items() if known == case)
        frame = usual.most_common(1)[0][0].replace("$", "").replace(_GAP, f"${name}", 1)
        expected, _ = fill_with_span(frame, name, {name: entry.forms[case]}, entry, table)
        if text_of(row, "sentence") != expected:
            return f"found {shown(text_of(row, 'sentence'))}, expected {expected!r} as with the other pronouns"
    return ""


def _is_plural(row: Value) -> bool:
    sets = [entry for entry in pronoun_table(_LANG).sets if entry.forms.get(_case(row)) == text_of(row, "pronoun")]
    return any(entry.plural for entry in sets)


def same_beginning(value: Value) -> str:
    """The sentences of two people are the same up to the pronoun."""
    beginnings = [around[0] for row in members_of(value) if (around := _around(row))]
    for first, second in pairwise(beginnings):
        if first != second and value.get("names") == 2:
            return f"found {shown(second)}, expected {shown(first)} before the pronoun"
    return ""


def in_order(value: Value) -> str:
    """The sentences of an answer follow each other, in the order of the pronoun sets."""
    forms = [entry.forms.get(_case(members_of(value)[0]), "") for entry in pronoun_table(_LANG).sets]
    answers = list(dict.fromkeys(text_of(row, "answer") for row in members_of(value)))
    places = [
        (answers.index(text_of(row, "answer")), forms.index(text_of(row, "pronoun")))
        for row in members_of(value)
        if text_of(row, "pronoun") in forms
    ]
    for first, second in pairwise(places):
        if first > second:
            return f"found {forms[second[1]]!r} ({answers[second[0]]}) after {forms[first[1]]!r} ({answers[first[0]]}), expected it before"
    return ""


def unique_sentences(value: Value) -> str:
    """No sentence stands twice, among these or elsewhere in the file."""
    sentences = [text_of(row, "sentence") for row in members_of(value)]
    twice = next((sentence for sentence in sentences if sentences.count(sentence) > 1), "")
    twice = twice or next(iter(list_of(value, "elsewhere", str)), "")
    return f"found {shown(twice)} twice" if twice else ""


def _of_texts(check: Callable[[list[str]], str]) -> Check:
    return lambda value: check([text_of(row, field) for row in members_of(value) for field in ("sentence", "answer")])


#: The checks of any file of sentences, by expectation id.
CHECKS: dict[str, Check] = {
    "every-pronoun-twice": every_pronoun_twice,
    "every-case": every_case,
    "in-order": in_order,
    "answer-is-an-entity": _each("The answer is the occupation or the participant.", _answer),
    "pronoun-matches-type": _each("The pronoun is a form of the case that its pronoun type names.", _form),
    "pronoun-once": _each("The sentence has its pronoun once and no other, also not next to punctuation.", _pronouns),
    "pronoun-in-place": _each("The pronoun has the case of its place.", _place),
    "no-placeholder": _each("No placeholder is left.", _placeholder),
    "answer-named": _each("The sentence names its answer.", _answer_named),
    "entities-named": entities_named,
    "one-template": one_template,
    "same-beginning": same_beginning,
    "unique-sentences": unique_sentences,
    "plain-names": _each(
        "The names of the entities are English nouns in small letters, none inside the other.", _names
    ),
    "typography": _each(
        "English in ASCII without typing errors: blanks, marks, capitals, a or an, no word twice.", _typing
    ),
    "no-invisible-character": described("No invisible character.", _of_texts(texts.check_invisible)),
    "single-blanks": described(
        "Single blanks, none at the ends.", _of_texts(lambda sentences: texts.check_blanks(sentences, _LANG))
    ),
}
