"""Causes for which people fail a cloze item, and what a program can see of each."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import msgspec

from ...core.convert import Text, Words, WordSet, WordTable, convert_node, error_at
from ...core.errors import PipelineError, shown
from ...core.pages import page_environment
from ...core.rules import RULES
from ...core.yamlfile import expression_at, line_of, load_yaml
from ...language.de.grammar import german_words, judged_genders
from ...language.pronoun_classes import GAP, GENDERS, Gender

#: What a program says of a cause: it sees a sign, sees none, or leaves it to people.
State = Literal["seen", "not seen", "open"]
#: The columns of the table: one row for each item and cause; people fill the last two.
COLUMNS = ("item", "cause", "state", "evidence", "verdict", "remark")
#: Most noun phrases of a fitting gender before an item is complex.
_ANTECEDENTS = 2
#: A word in small letters between article and noun: an inflected adjective.
_ADJECTIVES = r"(?:[a-zäöüß]+e[mnrs]? ){0,2}"


class Causes(msgspec.Struct, frozen=True, rename={"what": "causes"}):
    """The table of a language: what each cause is, which ones only people see, and words of clauses with a situational es."""

    lang: Text
    what: WordTable
    people: Words
    copulas: WordSet
    adjectives: WordSet
    verbs: Words  # regular expressions, in any case


@dataclass(frozen=True, slots=True)
class Mark:
    """What a program sees of one cause in one item, with the words that it saw."""

    cause: str
    state: State
    evidence: str = ""


@cache
def causes(lang: str) -> Causes:
    """Return the table of a language; raises `PipelineError` if it has none."""
    path = RULES / "validation" / f"causes-{lang}.yaml"
    if not lang.isalpha() or not path.exists():
        raise PipelineError(None, None, f"[lang] no causes of this language; found {shown(lang)}, expected de")
    node = load_yaml(path)
    table = convert_node(node, Causes, path)
    if table.lang != lang:
        reason = f"language is not the file's name; found {shown(table.lang)}, expected {lang!r}"
        raise error_at(node, path, ("lang",), reason)
    if unknown := next((name for name in table.people if name not in table.what), None):
        raise error_at(node, path, ("people",), f"unknown cause; found {shown(unknown)}")
    for name in table.what:
        if name not in (*_SIGNS, *table.people):
            reason = f"no sign of it is known; found {shown(name)}, expected it in people, or {', '.join(_SIGNS)}"
            raise error_at(node, path, ("causes", name), reason)
    for at, text in enumerate(table.verbs):
        expression_at(text, path, line_of(node["verbs"], at), "verbs", re.IGNORECASE)
    return table


def checklist(row: Mapping[str, Any]) -> list[Mark]:
    """Return what a program sees of each cause in a cloze item, in the order of the table."""
    table = causes(row["lang"])
    marks = []
    for cause in table.what:
        if cause in table.people:
            marks.append(Mark(cause, "open"))
        else:
            evidence = _SIGNS[cause](row)
            marks.append(Mark(cause, "seen" if evidence else "not seen", evidence))
    return marks


def _situation(row: Mapping[str, Any]) -> str:
    """Return the words of a clause that a situational es could begin; nothing where es is right."""
    genders = _genders(row)
    if genders[row["gold"]] == "neut":
        return ""
    table, clause = causes(row["lang"]), _clause(row["text"])
    words = re.findall(r"\w+", clause)
    seen = [word for word in words if word in table.copulas | table.adjectives]
    if table.copulas.isdisjoint(seen) or table.adjectives.isdisjoint(seen):
        seen = [match[0] for verb in table.verbs for match in re.finditer(verb, clause, re.IGNORECASE)]
    if not seen:
        return ""
    named = "one antecedent is neuter" if "neut" in genders else "es names neither antecedent"
    return f"{' '.join(seen)} ({named})"


def _clause(text: str) -> str:
    """Return the part of a text between the marks around its gap, without the gap."""
    left, _, right = text.partition(GAP)
    return f"{re.split(r'[,;:.!?–]', left)[-1]}{re.split(r'[,;:.!?–]', right)[0]}".replace("  ", " ")


def _gender(row: Mapping[str, Any]) -> str:
    """Return the nouns of antecedents that have several genders in the lexicon."""
    nouns = [antecedent["text"].split()[-1] for antecedent in row["antecedents"]]
    return ", ".join(noun for noun in nouns if any(noun.endswith((name, name.lower())) for name in judged_genders()))


def _complexity(row: Mapping[str, Any]) -> str:
    """Return the noun phrases besides the antecedents whose article fits the gender of one of them, if there are any."""
    table, genders, text = german_words(), _genders(row), row["text"]
    fitting = {word for gender in genders for word in (*table.articles[gender], *table.contractions[gender])}
    words = "|".join(sorted(map(re.escape, fitting)))
    phrases = [match[0] for match in re.finditer(rf"\b(?i:{words}) {_ADJECTIVES}[A-ZÄÖÜ][\wäöüß-]+", text)]
    nouns = {antecedent["text"].split()[-1] for antecedent in row["antecedents"]}
    others = [phrase for phrase in phrases if phrase.split()[-1] not in nouns]
    return ", ".join(others) if len(others) + len(nouns) > _ANTECEDENTS else ""


def _genders(row: Mapping[str, Any]) -> list[Gender]:
    return [gender for antecedent in row["antecedents"] for gender in GENDERS if gender == antecedent["gender"]]


#: The signs of a cause in a cloze item: the words in which it is seen.
_SIGNS = {"situation": _situation, "gender": _gender, "complexity": _complexity}


def table(rows: Iterable[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """Return the cells of the table `COLUMNS`; verdict and remark are empty, for people."""
    return [(row["id"], mark.cause, mark.state, mark.evidence, "", "") for row in rows for mark in checklist(row)]


def page(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Render the checklist of cloze items as HTML that needs no other file, no script and no network."""
    lists = [(row, row["text"].index(GAP), checklist(row)) for row in rows]
    what = causes(rows[0]["lang"]).what if rows else {}
    counts = {
        cause: {state: sum(mark.state == state for *_, marks in lists for mark in marks if mark.cause == cause)
                for state in ("seen", "not seen", "open")}
        for cause in what
    }  # fmt: skip
    signed = [entry for entry in lists if any(mark.state == "seen" for mark in entry[2])]
    others = [entry for entry in lists if entry not in signed]
    template = page_environment().get_template("winograd/audit/causes.html.j2")
    return template.render(name=name, signed=signed, others=others, what=what, counts=counts, gap=len(GAP))
