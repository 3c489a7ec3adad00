"""German: candidates in the place of a subject, questions as statements; on our own sentences and on raw/de."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.model import Item
from pipeline.language.de import grammar as de
from pipeline.language.de.grammar import german_words
from pipeline.language.grammar.base import Genders, GrammarError, mere_substitution
from pipeline.language.pronoun_classes import GENDERS, Gender, pronoun_classes
from pipeline.winograd.forms.substitution import candidate_genders
from pipeline.winograd.readers import ingest
from tests.conftest import ROOT
from tests.support.items import marked

SCHEMAS = ROOT / "raw" / "de" / "schemas.yaml"


def item(text: str, question: str, *candidates: str) -> Item:
    """Return an item whose target stands in brackets."""
    return marked(text.translate({91: "【", 93: "】"}), question=question, candidates=candidates, lang="de")


def collection() -> tuple[Item, ...]:
    return ingest(SCHEMAS.read_bytes(), SCHEMAS, "schema-yaml", "de").items


# --- the nominative ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "candidate", "gender", "expected", "changes"),
    [
        ("Den", "den Bäcker", "masc", "der Bäcker", ("nominative",)),
        ("Mit", "dem Bäcker", "masc", "der Bäcker", ("nominative",)),
        ("Mit", "der Bäckerin", "fem", "die Bäckerin", ("nominative",)),
        ("Mit", "dem Kind", "neut", "das Kind", ("nominative",)),
        ("Ohne", "das Kind", "neut", "das Kind", ()),
        ("Ohne", "die Bäckerin", "fem", "die Bäckerin", ()),
        ("", "Der Bäcker", "masc", "der Bäcker", ("lower-case",)),
        ("", "Den Bäcker", "masc", "der Bäcker", ("nominative",)),
        ("Beim", "Bäcker", "masc", "der Bäcker", ("determiner",)),
        ("Zur", "Bäckerin", "fem", "die Bäckerin", ("determiner",)),
        ("Vom", "Nachbarn", "masc", "der Nachbar", ("determiner", "nominative")),
        ("Ohne", "den Neffen", "masc", "der Neffe", ("nominative",)),
        ("Ohne", "den Wagen", "masc", "der Wagen", ("nominative",)),
        ("Mit", "dem Mädchen", "neut", "das Mädchen", ("nominative",)),
        ("Mit", "dem alten Bäcker", "masc", "der alte Bäcker", ("nominative",)),
        ("", "Ein alter Bäcker", "masc", "der alte Bäcker", ("definite",)),
        ("Mit", "einer jungen Bäckerin aus Köln", "fem", "die junge Bäckerin aus Köln", ("definite",)),
        ("", "Anna", "fem", "Anna", ()),
    ],
)
def test_the_nominative_of_a_candidate(
    before: str, candidate: str, gender: Gender, expected: str, changes: tuple[str, ...]
) -> None:
    asked = item(f"{before} {candidate} ging es schlecht, weil [er] fror.".strip(), "Wer fror?", candidate, "x")
    made = de.substitute(asked, 0, (gender, None))
    assert made.text == asked.text.replace("weil er", f"weil {expected}")
    assert made.name.of(made.text) == made.span.of(made.text) == expected
    assert made.changes == changes


@pytest.mark.parametrize(
    ("candidate", "gender", "reason"),
    [
        ("den Bäcker", None, "[candidates] gender not known; found 'den Bäcker', expected a pair with"),
        ("der Bäcker", "neut", "[candidates] article of another gender; found 'der Bäcker', expected that of the"),
        ("den Kraken", "masc", "[candidates] nominative not known; found 'Kraken', expected a noun of rules/grammar"),
        ("dem Manne", "masc", "[candidates] nominative not known; found 'Manne'"),
        ("des Bäckers", "masc", "[candidates] nominative not known; found 'Bäckers'"),
        ("der Kranken", "fem", "[candidates] nominative not known; found 'Kranken'"),
        ("seinen Bäcker", "masc", "[candidates] another determiner than an article; found 'seinen Bäcker'"),
        ("den sehr alten Bäcker", "masc", "[candidates] no noun behind the article, or behind one adjective; found"),
        ("den gut", "masc", "[candidates] no noun behind the article, or behind one adjective; found 'den gut'"),
    ],
)
def test_no_nominative_is_guessed(candidate: str, gender: Gender | None, reason: str) -> None:
    asked = item(f"Sah er {candidate}? Nein, weil [er] fror.", "Wer fror?", candidate, "x")
    with pytest.raises(GrammarError, match="^" + re.escape(reason)):
        de.substitute(asked, 0, (gender, None))


def test_a_sentence_begins_with_a_capital() -> None:
    asked = item("Den Bäcker sah niemand. [Er] fror.", "Wer fror?", "Den Bäcker", "x")
    made = de.substitute(asked, 0, ("masc", None))
    assert (made.text, made.changes) == ("Den Bäcker sah niemand. Der Bäcker fror.", ("nominative", "capital"))
    unmoved = item("Die Bäckerin kam. [Sie] fror.", "Wer fror?", "Die Bäckerin", "x")
    made = de.substitute(unmoved, 0, ("fem", None))
    assert (made.text, made.changes) == (mere_substitution(unmoved, 0), ())


# --- statements -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "question", "statement"),
    [
        ("weil [er] laut gesungen hatte", "Wer hatte laut gesungen?", "Der Bäcker hatte laut gesungen."),
        ("dafür war [er] zu schwach", "Wer oder was war zu schwach?", "Der Bäcker war zu schwach."),
        ("bis [er] einschlief", "Wer schlief ein?", "Der Bäcker schlief ein."),
        ("so dass [er] fror", "Wer fror?", "Der Bäcker fror."),
        ("damit [er] nicht fror", "Wer sollte nicht frieren?", "Der Bäcker sollte nicht frieren."),
        ("vermutlich fror [er]", "Wer fror vermutlich?", "Der Bäcker fror vermutlich."),
    ],
)
def test_a_question_becomes_a_statement(clause: str, question: str, statement: str) -> None:
    asked = item(f"Die Köchin weckte den Bäcker, {clause}.", question, "Die Köchin", "den Bäcker")
    assert de.hypothesis(asked, 1, ("fem", "masc")) == statement
    assert de.hypothesis(asked, 0, ("fem", "masc")) == statement.replace("Der Bäcker", "Die Köchin")


@pytest.mark.parametrize(
    ("clause", "question", "reason"),
    [
        ("wenn [er] fror", "Wer fror?", "[text] the clause is not said to be true; found 'wenn', expected a clause"),
        ("als ob [er] fröre", "Wer fror?", "[text] the clause is not said to be true; found 'als ob'"),
        ("ohne dass [er] fror", "Wer fror?", "[text] the clause is not said to be true; found 'ohne dass'"),
        ("denn sie glaubte, dass [er] fror", "Wer fror?", "[text] the clause is not said to be true; found 'dass'"),
        ("sonst wäre [er] erfroren", "Wer wäre erfroren?", "[text] the clause is not said to be true; found 'sonst'"),
        ("damit [er] nicht fror", "Wer fror nicht?", "[question] a purpose becomes a fact; found 'damit' in the text"),
        ("offenbar fror [er]", "Wer fror?", "[question] a guess becomes a fact; found 'offenbar' in the text only"),
        ("weil [er] fror", "Wen weckte sie?", "[question] no question for the subject; found 'Wen weckte sie?'"),
        ("weil [er] fror", "Warum fror er?", "[question] no question for the subject"),
        ("weil [er] fror", "Wer fror", "[question] no question for the subject"),
        ("weil [er] fror", "Wer?", "[question] no question for the subject"),
        ("weil [er] fror", "Wer weckte wen?", "[question] not only for the subject; found 'Wer weckte wen?'"),
        ("weil [es] kalt war", "Was hatte er gesehen?", "[question] not only for the subject"),
        ("weil sie [ihn] sah", "Wen sah sie?", "[target] no pronoun in the nominative singular; found 'ihn', expected"),
    ],
)
def test_no_statement_is_guessed(clause: str, question: str, reason: str) -> None:
    asked = item(f"Die Köchin weckte den Bäcker, {clause}.", question, "Die Köchin", "den Bäcker")
    with pytest.raises(GrammarError, match="^" + re.escape(reason)):
        de.hypothesis(asked, 1, ("fem", "masc"))


# --- properties on raw/de ---------------------------------------------------------------------------------------------


def test_genders_come_from_the_pair() -> None:
    items = collection()
    genders = candidate_genders(items)
    for entry in items:
        own = genders[entry.id]
        assert len(set(own)) == 2
        assert None not in own
        assert pronoun_classes("de").gender_of(entry.target.of(entry.text)) == own[entry.answer]
    alone = candidate_genders([items[0]])[items[0].id]
    assert [gender is None for gender in alone] == [index != items[0].answer for index in range(2)]
    other = replace(items[1], answer=items[0].answer)
    assert candidate_genders([items[0], other])[items[0].id][items[0].answer] is None


def test_a_subject_is_in_the_nominative_and_the_verb_second() -> None:
    genders = candidate_genders(collection())
    statements, conditional = 0, 0
    for entry in collection():
        own: Genders = genders[entry.id]
        for index, gender in enumerate(own):
            assert gender
            made = de.substitute(entry, index, own)
            subject = made.name.of(made.text)
            assert subject.split()[0] == german_words().nominative[gender]
            assert subject.split()[-1][:3] == entry.candidates[index].split()[-1][:3]
            rest = made.text[: made.span.start] + entry.target.of(entry.text) + made.text[made.span.end :]
            assert rest == entry.text
            try:
                statement = de.hypothesis(entry, index, own)
            except GrammarError as error:
                assert re.search("found '(wenn|dass)'", str(error))
                conditional += 1
                continue
            statements += 1
            verb = re.sub("^(Wer oder was|Wer|Was) ", "", entry.question).rstrip("?")
            assert statement == f"{subject[0].upper()}{subject[1:]} {verb}."
            assert verb[0].islower()
    after_if = [entry for entry in collection() if re.search(r"\b(wenn|dass) $", entry.text[: entry.target.start])]
    assert conditional == 2 * len(after_if) > 0, "both candidates"
    assert statements == 2 * len(genders) - conditional


@given(
    st.sampled_from(GENDERS),
    st.sampled_from(["den", "dem", "der", "des", "ein", "Beim", "sein", "", "alten"]),
    st.text(st.characters(exclude_categories=("C", "Z")) | st.just(" "), max_size=12),
)
def test_any_candidate_has_a_nominative_or_a_reason(gender: Gender, article: str, noun: str) -> None:
    name = " ".join(f"{article} {noun}".split()) or "x"
    asked = replace(item("Fror man? Nein, weil [er] fror.", "Wer fror?", name, "y"))
    try:
        made = de.substitute(asked, 0, (gender, None))
    except GrammarError as error:
        assert re.fullmatch(r"(?s)\[\w+\] [^;]+; found .*", str(error))
    else:
        assert made.span.of(made.text)
        assert bool(made.changes) == (made.text != mere_substitution(asked, 0))
