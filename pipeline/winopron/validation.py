"""Occupation templates, and the sentences made of them."""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from ..core.validation.rows import members_of, table, text_of
from ..core.validation.suite import Check, Row, Suite, Value, described
from ..language import text_checks as texts
from ..language.pronouns import pronoun_table
from .instances import HEADER
from .template_checks import CHECKS, check_templates
from .templates import read_templates

_LANG = "en"


def templates(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each template: its value has what each of `CHECKS` found, by the check."""
    pronouns = pronoun_table(_LANG)
    rows = []
    for path in paths:
        found = read_templates(path, pronouns)
        faults: dict[int, dict[str, str]] = {}
        for fault in check_templates(found, pronouns):
            faults.setdefault(fault.line, {}).setdefault(fault.check, fault.reason)
        told = set()
        for number, one in enumerate(found, 1):
            case = pronouns.placeholders[one.placeholder]
            first = one.line not in told
            told.add(one.line)  # in our YAML two members share a line, and what is found there is told once
            name = f"{one.occupation}-{one.participant}-{case}-{'ab'[one.answer]} ({number})"
            rows.append(Row(name, path, one.line, faults.get(one.line, {}) if first else {}))
    return rows


def _found(check: str, value: Value) -> str:
    return text_of(value, check)


TEMPLATES = Suite(
    "templates",
    "occupation templates (TSV, YAML or zip)",
    templates,
    {name: described(check.__doc__ or "", partial(_found, name)) for name, check in CHECKS.items()},
    unique=False,
)


def groups(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each pair of templates of a double.tsv or single.tsv: its ``members`` are the sentences."""
    found: dict[str, list[Row]] = {}
    for row in table(paths, HEADER):
        key = "-".join(text_of(row.value, field) for field in ("occupation", "participant", "pronoun_type"))
        found.setdefault(f"{row.path.name} {key}", []).append(row)
    return [Row(name, of[0].path, of[0].line, {"members": [one.value for one in of]}) for name, of in found.items()]


def _sentences(value: Value) -> list[str]:
    return [text_of(one, "sentence") for one in members_of(value)]


def every_pronoun_twice(value: Value) -> str:
    """Each pronoun set has two sentences, one for each answer."""
    sets = len(pronoun_table(_LANG).sets)
    keys = [(text_of(one, "pronoun"), text_of(one, "answer")) for one in members_of(value)]
    if len(keys) == 2 * sets == len(set(keys)) and len({answer for _, answer in keys}) == 2:
        return ""
    return f"found {len(keys)} sentences with {len(set(keys))} pronouns and answers, expected {2 * sets}"


def answer_is_an_entity(value: Value) -> str:
    """The answer is the occupation or the participant."""
    for one in members_of(value):
        if text_of(one, "answer") not in (text_of(one, "occupation"), text_of(one, "participant")):
            return f"found {text_of(one, 'answer')!r}, expected {text_of(one, 'occupation')!r} or {text_of(one, 'participant')!r}"
    return ""


def pronoun_of_its_case(value: Value) -> str:
    """The pronoun is a form of the case that its type names."""
    pronouns = pronoun_table(_LANG)
    for one in members_of(value):
        case = pronouns.placeholders.get(text_of(one, "pronoun_type").removeprefix("$"), "")
        if text_of(one, "pronoun") not in [each.forms.get(case) for each in pronouns.sets]:
            return f"found {text_of(one, 'pronoun')!r} for {text_of(one, 'pronoun_type')!r}"
    return ""


def pronoun_once(value: Value) -> str:
    """The sentence has its pronoun once and no other, whatever mark sticks to it."""
    forms = {form for one in pronoun_table(_LANG).sets for form in one.forms.values()}
    for one in members_of(value):
        found = [word for word in re.findall(r"[A-Za-z]+", text_of(one, "sentence").lower()) if word in forms]
        if found != [text_of(one, "pronoun").lower()]:
            return f"found {', '.join(found) or 'none'} in {text_of(one, 'sentence')!r}, expected {text_of(one, 'pronoun')!r}"
    return ""


def no_placeholder(value: Value) -> str:
    """Nothing is left to fill in."""
    left = next((text_of(one, "sentence") for one in members_of(value) if "$" in text_of(one, "sentence")), "")
    return f"found {left!r}" if left else ""


def answer_named(value: Value) -> str:
    """The sentence names its answer."""
    for one in members_of(value):
        if not re.search(rf"\b{re.escape(text_of(one, 'answer'))}\b", text_of(one, "sentence"), re.IGNORECASE):
            return f"found no {text_of(one, 'answer')!r} in {text_of(one, 'sentence')!r}"
    return ""


def sentences_differ(value: Value) -> str:
    """No sentence stands twice."""
    found = _sentences(value)
    twice = next((one for one in found if found.count(one) > 1), "")
    return f"found {twice!r} twice" if twice else ""


INSTANCE: dict[str, Check] = {
    "every-pronoun-twice": every_pronoun_twice,
    "answer-is-an-entity": answer_is_an_entity,
    "pronoun-of-its-case": pronoun_of_its_case,
    "pronoun-once": pronoun_once,
    "no-placeholder": no_placeholder,
    "answer-named": answer_named,
    "sentences-differ": sentences_differ,
    "no-invisible-character": described(
        "No invisible character.", lambda value: texts.check_invisible(_sentences(value))
    ),
    "single-blanks": described(
        "Single blanks, none at the ends.", lambda value: texts.check_blanks(_sentences(value), _LANG)
    ),
}

INSTANTIATIONS = Suite(
    "instantiations", "sentences made of templates (double.tsv, single.tsv)", groups, INSTANCE, unique=False
)
