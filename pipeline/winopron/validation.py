"""Suites for occupation templates and for the sentences made from them."""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from ..core.errors import plural, shown
from ..core.validation.profiles import profiles
from ..core.validation.rows import members_of, table, text_of
from ..core.validation.suite import Check, Row, Suite, Value, described
from ..language import text_checks as texts
from ..language.pronouns import pronoun_table
from .instances import COLUMNS
from .template_checks import CHECKS, check_templates
from .templates import read_templates

_LANG = "en"

# --- templates --------------------------------------------------------------------------------------------------------


def template_rows(paths: Sequence[Path], profile: str = "") -> list[Row]:
    """Return a row for each template; its value maps each failed check of `CHECKS` to the reason.

    What the profile allows is no failure; by default it is that of the format.
    """
    pronouns = pronoun_table(_LANG)
    rows = []
    for path in paths:
        templates = read_templates(path, pronouns)
        reasons: dict[int, dict[str, str]] = {}
        for finding in check_templates(templates, pronouns, profiles()[profile] if profile else None):
            reasons.setdefault(finding.line, {}).setdefault(finding.check, finding.reason)
        for number, template in enumerate(templates, 1):
            case = pronouns.placeholders[template.placeholder]
            name = f"{template.occupation}-{template.participant}-{case}-{'ab'[template.answer]} ({number})"
            # in our YAML both members of a pair have one line, whose findings go to the first
            rows.append(Row(name, path, template.line, reasons.pop(template.line, {})))
    return rows


TEMPLATES = Suite(
    "templates",
    "occupation templates (TSV, YAML or zip)",
    template_rows,
    {
        name: described(check.__doc__ or "", partial(lambda check, value: text_of(value, check), name))
        for name, check in CHECKS.items()
    },
    unique=False,
)

# --- sentences --------------------------------------------------------------------------------------------------------


def instantiation_rows(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each pair of templates in a double.tsv or single.tsv; ``members`` are its sentences."""
    groups: dict[str, list[Row]] = {}
    for row in table(paths, COLUMNS):
        key = "-".join(text_of(row.value, field) for field in ("occupation", "participant", "pronoun_type"))
        groups.setdefault(f"{row.path.name} {key}", []).append(row)
    return [
        Row(name, rows[0].path, rows[0].line, {"members": [row.value for row in rows]}) for name, rows in groups.items()
    ]


def _sentences(value: Value) -> list[str]:
    return [text_of(row, "sentence") for row in members_of(value)]


def every_pronoun_twice(value: Value) -> str:
    """Each pronoun set has two sentences, one for each answer."""
    sets = len(pronoun_table(_LANG).sets)
    keys = [(text_of(row, "pronoun"), text_of(row, "answer")) for row in members_of(value)]
    if len(keys) == 2 * sets == len(set(keys)) and len({answer for _, answer in keys}) == 2:
        return ""
    return f"found {plural(len(keys), 'sentence')} with {len(set(keys))} pronouns and answers, expected {2 * sets}"


def answer_is_an_entity(value: Value) -> str:
    """The answer is the occupation or the participant."""
    for row in members_of(value):
        answer, entities = text_of(row, "answer"), (text_of(row, "occupation"), text_of(row, "participant"))
        if answer not in entities:
            return f"found {shown(answer)}, expected {entities[0]!r} or {entities[1]!r}"
    return ""


def pronoun_matches_type(value: Value) -> str:
    """The pronoun is a form of the case that its pronoun type names."""
    pronouns = pronoun_table(_LANG)
    for row in members_of(value):
        case = pronouns.placeholders.get(text_of(row, "pronoun_type").removeprefix("$"), "")
        if text_of(row, "pronoun") not in [entry.forms.get(case) for entry in pronouns.sets]:
            return f"found {text_of(row, 'pronoun')!r} for {text_of(row, 'pronoun_type')!r}"
    return ""


def pronoun_once(value: Value) -> str:
    """The sentence has its pronoun once and no other pronoun, also not one next to punctuation."""
    forms = {form for entry in pronoun_table(_LANG).sets for form in entry.forms.values()}
    for row in members_of(value):
        sentence = text_of(row, "sentence")
        words = [word for word in re.findall(r"[A-Za-z]+", sentence.lower()) if word in forms]
        if words != [text_of(row, "pronoun").lower()]:
            return f"found {', '.join(words) or 'none'} in {shown(sentence)}, expected {text_of(row, 'pronoun')!r}"
    return ""


def no_placeholder(value: Value) -> str:
    """No placeholder is left."""
    sentence = next((sentence for sentence in _sentences(value) if "$" in sentence), "")
    return f"found {shown(sentence)}" if sentence else ""


def answer_named(value: Value) -> str:
    """The sentence names its answer."""
    for row in members_of(value):
        answer, sentence = text_of(row, "answer"), text_of(row, "sentence")
        if not re.search(rf"\b{re.escape(answer)}\b", sentence, re.IGNORECASE):
            return f"found no {shown(answer)} in {shown(sentence)}"
    return ""


def unique_sentences(value: Value) -> str:
    """The sentences of a pair of templates are unique."""
    sentences = _sentences(value)
    twice = next((sentence for sentence in sentences if sentences.count(sentence) > 1), "")
    return f"found {shown(twice)} twice" if twice else ""


_CHECKS: dict[str, Check] = {
    "every-pronoun-twice": every_pronoun_twice,
    "answer-is-an-entity": answer_is_an_entity,
    "pronoun-matches-type": pronoun_matches_type,
    "pronoun-once": pronoun_once,
    "no-placeholder": no_placeholder,
    "answer-named": answer_named,
    "unique-sentences": unique_sentences,
    "no-invisible-character": described(
        "No invisible character.", lambda value: texts.check_invisible(_sentences(value))
    ),
    "single-blanks": described(
        "Single blanks, none at the ends.", lambda value: texts.check_blanks(_sentences(value), _LANG)
    ),
}

INSTANTIATIONS = Suite(
    "instantiations",
    "sentences made from templates (double.tsv, single.tsv)",
    instantiation_rows,
    _CHECKS,
    unique=False,
)
