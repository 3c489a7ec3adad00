"""The suite `genders`: whether a lexicon confirms the genders of the antecedents of German cloze items."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ...core.validation.rows import lang_of, list_of, records, text_of
from ...core.validation.suite import Row, Suite, Value
from ...language.grammar.gender_lexicon import LexiconEntry, gender_lexicon, judged_genders

#: Key that the reader of rows adds: what the lexicon has of the last word of each antecedent, in their order.
LEXICON = "@lexicon"


def antecedents(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each cloze item in German, with what the lexicon has of the nouns of its antecedents.

    Raises:
        PipelineError: the lexicon is not installed.
    """
    lexicon = gender_lexicon()
    rows = []
    for row in records(paths):
        if lang_of(row.value) == "de":
            nouns = [(text_of(entry).split() or [""])[-1] for entry in list_of(row.value, "antecedents", dict)]
            rows.append(replace(row, value={**row.value, LEXICON: [lexicon.entry(noun) for noun in nouns]}))
    return rows


def _nouns(value: Value) -> Iterator[tuple[str, str, LexiconEntry | None]]:
    """Yield phrase, gender and entry of the lexicon of each antecedent."""
    entries = list_of(value, "antecedents", dict)
    for entry, known in zip(entries, value[LEXICON], strict=False):
        yield text_of(entry), text_of(entry, "gender"), known


def noun_in_lexicon(value: Value) -> str:
    """The lexicon has the last word of each antecedent, or the last part of that compound; a name of a person is not checked."""
    phrase = next((phrase for phrase, _, known in _nouns(value) if known is None), None)
    return f"not checked; found {phrase!r}, which is not in the lexicon" if phrase is not None else ""


def gender_in_lexicon(value: Value) -> str:
    """The gender of each antecedent is one that the lexicon gives its noun."""
    for phrase, gender, known in _nouns(value):
        if known is not None and gender not in known.genders:
            return f"found {gender!r} of {phrase!r}, expected {' or '.join(sorted(known.genders))} of {known.noun!r}"
    return ""


def one_gender(value: Value) -> str:
    """The lexicon gives the noun of each antecedent one gender, or rules/grammar/de-genders.yaml says which one it is."""
    for phrase, gender, known in _nouns(value):
        if known is not None and len(known.genders) > 1 and judged_genders().get(known.noun) != gender:
            several = " and ".join(sorted(known.genders))
            return f"found {several} of {known.noun!r} in {phrase!r} ({gender}), expected one gender: take another noun"
    return ""


GENDERS_OF_NOUNS = Suite(
    "genders",
    "German cloze items, compared with the lexicon of the package german-nouns (JSON Lines)",
    antecedents,
    {"noun-in-lexicon": noun_in_lexicon, "gender-in-lexicon": gender_in_lexicon, "one-gender": one_gender},
)
