"""Grammatical genders of German nouns in the lexicon of the package german-nouns."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import msgspec

from ...core.convert import Text, read_yaml
from ...core.errors import PipelineError, shown
from ...core.rules import RULES
from ..pronoun_classes import Gender

#: The table of the package, from Wiktionary (CC BY-SA 4.0), and its names of genders.
PACKAGE, TABLE = "german_nouns", "nouns.csv"
_GENDERS: Mapping[str, Gender] = {"m": "masc", "f": "fem", "n": "neut"}
#: Parts of speech that the table gives to names: of persons, of places, of brands.
_NAMES = ("Vorname", "Nachname", "Toponym", "Eigenname", "Abkürzung")
#: Fewest letters of the last part of a compound, and of what stands before it.
_PART, _BEFORE = 3, 2


@dataclass(frozen=True, slots=True)
class LexiconEntry:
    """A noun as the lexicon has it: the whole word or the last part of a compound, with its genders in the singular."""

    noun: str
    genders: frozenset[Gender]


@dataclass(frozen=True)
class GenderLexicon:
    """Genders of nouns: by lemma, and by the other forms of the singular."""

    lemmas: Mapping[str, frozenset[Gender]]
    forms: Mapping[str, frozenset[Gender]]

    def entry(self, word: str) -> LexiconEntry | None:
        """Return the entry of a word in any case of the singular; of a compound, that of its longest last part.

        A word that is a lemma is no form of another one. Nothing is returned for a word that is in the lexicon neither whole nor in part.

        >>> lexicon = GenderLexicon({"Lüfter": frozenset({"masc"})}, {"Lüfters": frozenset({"masc"})})
        >>> lexicon.entry("Heizlüfters").noun, lexicon.entry("Lüfte")
        ('Lüfters', None)
        """
        for start in (0, *range(_BEFORE, len(word) - _PART + 1)):
            part = word[start : start + 1].upper() + word[start + 1 :]
            for table in (self.lemmas, self.forms):
                if genders := table.get(part):
                    return LexiconEntry(part, genders)
        return None


@cache
def gender_lexicon() -> GenderLexicon:
    """Return the lexicon of the installed package, without names; raises `PipelineError` if it is not installed."""
    spec = find_spec(PACKAGE)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    if not folders:
        reason = f"[lexicon] {PACKAGE} not installed; run make .venv/lexicon, which installs its table only"
        raise PipelineError(None, None, reason)
    return read_lexicon(Path(folders[0]) / TABLE)


def read_lexicon(path: Path) -> GenderLexicon:
    """Return the lexicon of a table: comma-separated, with the columns ``lemma``, ``pos``, ``genus`` and those of the singular."""
    lemmas: dict[str, frozenset[Gender]] = {}
    forms: dict[str, frozenset[Gender]] = {}
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            for lemma, others, genders in _nouns(csv.reader(stream), path):
                lemmas[lemma] = lemmas.get(lemma, frozenset()) | genders
                for form in others:
                    forms[form] = forms.get(form, frozenset()) | genders
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise PipelineError(path, None, f"[lexicon] unreadable table; {error}") from error
    return GenderLexicon(lemmas, forms)


def _nouns(rows: Iterator[list[str]], path: Path) -> Iterator[tuple[str, list[str], frozenset[Gender]]]:
    """Yield lemma, other forms of the singular and genders of each noun that is no name."""
    header = next(rows, [])
    genus = [at for at, name in enumerate(header) if name.split(" ")[0] == "genus"]
    singular = [at for at, name in enumerate(header) if " singular" in name]
    if header[:2] != ["lemma", "pos"] or not genus or not singular:
        reason = (
            f"[lexicon] other columns; found {shown(','.join(header[:4]))}, expected lemma,pos,genus and the singular"
        )
        raise PipelineError(path, 1, reason)
    for row in rows:
        if len(row) == len(header) and not any(name in row[1] for name in _NAMES):
            genders = frozenset(_GENDERS[row[at]] for at in genus if row[at] in _GENDERS)
            if genders:
                yield row[0], [row[at] for at in singular if row[at]], genders


class _Judgement(msgspec.Struct, frozen=True):
    gender: Gender
    because: Text


class _Judgements(msgspec.Struct, frozen=True):
    nouns: Mapping[Text, _Judgement]


@cache
def judged_genders() -> Mapping[str, Gender]:
    """Return the gender of each noun that has several in the lexicon, from rules/grammar/de-genders.yaml."""
    table = read_yaml(RULES / "grammar" / "de-genders.yaml", _Judgements)
    return {noun: judgement.gender for noun, judgement in table.nouns.items()}
