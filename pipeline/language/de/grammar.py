"""German: candidates in the target's place, questions as statements, articles, nominatives and genders of nouns."""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import msgspec

from ...core.convert import Text, Words, WordSet, WordTable, read_yaml
from ...core.errors import PipelineError, shown
from ...core.model import Item, Span
from ...core.rules import RULES
from ..grammar.base import Genders, GrammarError, Substitution, clause_at, mere_substitution
from ..pronoun_classes import GENDERS, ByGender, Gender
from ..questions import question_table
from ..text_checks import has_words

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


#: The pronoun that the question words for a subject stand for, and no other question word.
_SUBJECT = "er"
_SENTENCE = ".!?;:"
_SENTENCE_START = re.compile(r"(?:^|[.!?][\"“”’)]*\s+)[\"„»(]*$")


def substitute(item: Item, index: int, genders: Genders) -> Substitution:
    """Return the text with the candidate in the target's place, in the nominative.

    `changes` are those of `nominative` and: a sentence begins with a capital (``capital``). A pronoun and a noun phrase have
    the same place in a German clause, so that no other word moves.

    Raises:
        GrammarError: as `nominative`; the target is no subject.
    """
    subject_words(item)
    head, tail = item.text[: item.target.start], item.text[item.target.end :]
    expression, changes = nominative(item, index, genders)
    if _SENTENCE_START.search(head):
        expression, changes = capitalised(expression), (*changes, "capital")
    text = f"{head}{expression}{tail}"
    span = Span(len(head), len(head) + len(expression))
    return Substitution(text, span, span, () if text == mere_substitution(item, index) else changes)


def hypothesis(item: Item, index: int, genders: Genders) -> str:
    """Return the question as a statement: the candidate for the question word (LREC 2020, section 2.2, example 2).

    In a question for the subject the verb is the second constituent, as in a main clause, so that no word moves: Wer hatte
    Fieber? Der Schweißer hatte Fieber.

    Raises:
        GrammarError: as `nominative`; the question is not for the subject, or does not begin with its word; a word of the
            text leaves open whether the clause of the target is true, and the question does not say so.
    """
    rest = item.question.strip()[len(subject_words(item)) :].rstrip(" ?")
    if reason := _open_truth(item):
        raise GrammarError(reason)
    expression, _ = nominative(item, index, genders)
    return f"{capitalised(expression)}{rest}."


def capitalised(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def subject_words(item: Item) -> str:
    """Return the words that ask for the subject at the beginning of the question: wer, was, wer oder was.

    Raises:
        GrammarError: there are none; the target is no nominative pronoun; the question has another subject.
    """
    table = question_table("de")
    form = item.target.of(item.text)
    if form.lower() not in table.by_gender:
        expected = ", ".join(sorted(table.by_gender))
        raise GrammarError(f"[target] no pronoun in the nominative singular; found {form!r}, expected {expected}")
    asks = next(kind.words for kind in table.question_words if _SUBJECT in kind.answered_by)
    question = item.question.strip()
    words = asks.match(question)
    if words is None or not question.endswith("?") or not has_words(question[words.end() :]):
        raise GrammarError(
            f"[question] no question for the subject; found {item.question!r}, expected Wer …? or Was …?"
        )
    rest = question[words.end() :]
    other = next((match for kind in table.question_words if (match := kind.words.search(rest))), None)
    if other or any(has_word(rest, word) for word in german_words().other_subjects):
        raise GrammarError(f"[question] not only for the subject; found {item.question!r}")
    return words[0]


def _open_truth(item: Item) -> str:
    """Return why a statement of the target's clause need not be true although the text is; empty if it must."""
    table = german_words()
    sentence = clause_at(item.text, item.target, _SENTENCE).of(item.text)
    for words in table.stated:
        sentence = re.sub(rf"\b{re.escape(words)}\b", "", sentence, flags=re.IGNORECASE)
    for word in sorted(table.unstated, key=lambda word: (-len(word), word)):
        if has_word(sentence, word):
            return f"[text] the clause is not said to be true; found {word!r}, expected a clause that the text asserts"
    for word in sorted(table.hedges):
        if has_word(sentence, word) and not has_word(item.question, word):
            return (
                f"[question] a guess becomes a fact; found {word!r} in the text only, expected it in the question too"
            )
    verbs = sorted(table.purpose_verbs)
    for word in sorted(table.purposes):
        if has_word(sentence, word) and not any(has_word(item.question, verb) for verb in verbs):
            return f"[question] a purpose becomes a fact; found {word!r} in the text, expected {' or '.join(verbs)} in the question"
    return ""


#: An inflected adjective, without the ending that the cases change: entlaufene in entlaufenen, entlaufener, entlaufenes.
_ADJECTIVE = re.compile(r"(\w+e)[mnrs]?")
_INDEFINITE = "ein"
#: Articles of the cases in which a noun has the form of the nominative; das and die are those of the accusative too.
_UNCHANGED: dict[Gender, tuple[str, ...]] = {"masc": ("der", "ein"), "fem": ("die", "eine"), "neut": ("das", "ein")}
_GENITIVE = ("des", "eines")


def nominative(item: Item, index: int, genders: Genders) -> tuple[str, tuple[str, ...]]:
    """Return a candidate as the subject of a clause, not at its beginning, and how that differs from the candidate as given.

    The changes are: an article that a preposition has taken up is written out (beim Arzt, der Arzt: ``determiner``), a
    definite article takes the place of an indefinite one (``definite``), article, adjective or noun get the nominative
    (den Neffen, der Neffe: ``nominative``), a capital is lost (Der Neffe, der Neffe: ``lower-case``). A name without an
    article stays as it is.

    Raises:
        GrammarError: the gender is not known, or not that of the article; another determiner than an article; more than one
            word between article and noun; a noun whose nominative its form does not tell.
    """
    table, name = german_words(), item.candidates[index]
    first, *others = name.split() or [""]
    article = first.casefold() if any(first.casefold() in table.articles[gender] for gender in GENDERS) else ""
    if not article and not _after_contraction(item.text, name):
        if first[:1].isupper():
            return name, ()
        raise GrammarError(f"[candidates] another determiner than an article; found {name!r}, expected der, die or das")
    gender = genders[index] if index < len(genders) else None
    if gender is None:
        raise GrammarError(
            f"[candidates] gender not known; found {name!r}, expected a pair with the pronouns of both candidates"
        )
    if article and article not in table.articles[gender]:
        raise GrammarError(
            f"[candidates] article of another gender; found {name!r}, expected that of the pronoun ({gender})"
        )
    words = others if article else [first, *others]
    changed = _nominative_words(words, article, gender, name)
    changes = []
    if not article:
        changes.append("determiner")
    if article.startswith(_INDEFINITE):
        changes.append("definite")
    elif changed != words or (article and article != table.nominative[gender]):
        changes.append("nominative")
    if article and first != article and not changes:
        changes.append("lower-case")
    return " ".join((table.nominative[gender], *changed)), tuple(changes)


def _after_contraction(text: str, name: str) -> bool:
    """Return whether a name stands after a preposition that contains an article: Arzt in beim Arzt."""
    contractions = frozenset().union(*german_words().contractions.values())
    before = re.finditer(rf"(\w+) {re.escape(name)}\b", text)
    return any(match[1].casefold() in contractions for match in before)


def _nominative_words(words: list[str], article: str, gender: Gender, name: str) -> list[str]:
    """Return the words after an article as they stand after the definite article in the nominative."""
    adjective = words[:1] if words and words[0][0].islower() else []
    noun, *rest = words[len(adjective) :] or [""]
    inflected = [_ADJECTIVE.fullmatch(word) for word in adjective]
    if not noun[:1].isupper() or None in inflected:
        raise GrammarError(f"[candidates] no noun behind the article, or behind one adjective; found {name!r}")
    return [*(match[1] for match in inflected if match), _noun(noun, article, gender), *rest]


def _noun(noun: str, article: str, gender: Gender) -> str:
    table = german_words()
    if article in _UNCHANGED[gender]:
        return noun
    if noun in table.weak:
        return table.weak[noun]
    strong = noun in table.strong or noun.endswith(table.strong_endings)
    if article in _GENITIVE or (noun.endswith("n") and not strong) or (noun.endswith("e") and gender != "fem"):
        raise GrammarError(
            f"[candidates] nominative not known; found {noun!r}, expected a noun of rules/grammar/de.yaml (weak, strong)"
        )
    return noun


class GermanWords(msgspec.Struct, frozen=True, rename="kebab"):
    """The tables of rules/grammar/de.yaml, which explains each; articles and contractions are in lower case."""

    articles: ByGender[WordSet]
    contractions: ByGender[WordSet]
    nominative: ByGender[Text]
    weak: WordTable
    strong: WordSet
    strong_endings: Words
    other_subjects: WordSet
    stated: WordSet
    unstated: WordSet
    hedges: WordSet
    purposes: WordSet
    purpose_verbs: WordSet


@cache
def german_words() -> GermanWords:
    """Load the tables of rules/grammar/de.yaml; raises `PipelineError` if one is missing or malformed."""
    return read_yaml(RULES / "grammar" / "de.yaml", GermanWords)


def has_word(text: str, word: str) -> bool:
    """Return whether a text has a word or a sequence of words, in upper or lower case.

    >>> has_word("Sodass es ging", "so dass"), has_word("So dass es ging", "so dass")
    (False, True)
    """
    return re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE) is not None


def article_fault(text: str, phrase: str, gender: Gender) -> str:
    """Return why a phrase of a text has no article of its gender (``found X, expected Y``), or an empty text.

    The article is the first word of the phrase, or is in the preposition before it. The case is not checked.

    >>> article_fault("Sie kündigte beim Altenheim.", "Altenheim", "neut")
    ''
    >>> article_fault("Sie sah das Hund.", "das Hund", "masc")
    "found 'das' in 'das Hund', expected an article of a masc noun"
    """
    first, *rest = phrase.casefold().split() or [""]
    if rest:
        fits = first in german_words().articles[gender]
        return "" if fits else f"found {first!r} in {phrase!r}, expected an article of a {gender} noun"
    before = [match[1].casefold() for match in re.finditer(rf"(\w+) {re.escape(phrase)}\b", text)]
    if any(word in german_words().contractions[gender] for word in before):
        return ""
    actual = repr(before[0]) if before else "nothing"
    return f"found {actual} before {phrase!r}, expected a preposition with the article of a {gender} noun (beim, zur)"
