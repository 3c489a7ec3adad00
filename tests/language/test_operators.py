"""Operators: each case of the tables becomes the statement that it shows, and what a text does not assert is never stated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.model import Span
from pipeline.language.grammar.operators import Operator, OperatorCase, clauses_of, governed, operators, sentence_at
from pipeline.language.languages import grammar_of
from tests.support.items import marked

CASES = [
    pytest.param(lang, operator, case, id=f"{lang}-{name}-{number}")
    for lang in ("en", "zh")
    for name, operator in operators(lang).items()
    for number, case in enumerate(operator.cases)
]
OTHERS = {"en": ("Nora", "Emil", "Ann", "the dog"), "zh": ("老汤", "小柳")}


@pytest.mark.parametrize(("lang", "operator", "case"), CASES)
def test_the_cases_of_an_operator(lang: str, operator: Operator, case: OperatorCase) -> None:
    others = [name for name in OTHERS[lang] if name != case.candidate]
    other = next((name for name in others if name in case.text), others[0])
    text = case.text.translate({ord("["): "【", ord("]"): "】"})
    item = marked(text, lang=lang, question=case.question, candidates=(case.candidate, other))
    assert grammar_of(lang).hypothesis(item, 0, ()) == case.statement


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_operator_has_a_case_that_it_governs(lang: str) -> None:
    for name, operator in operators(lang).items():
        governing: list[Operator | None] = []
        for case in operator.cases:
            item = marked(case.text.translate({ord("["): "【", ord("]"): "】"}), lang=lang)
            entry = governed(item.text, item.target, lang)
            governing.append(entry and entry.operator)
        assert operator in governing, name


def test_german_has_rules_of_its_own() -> None:
    assert operators("de") == {}


@given(st.text("老汤小柳他说好如果，。；！？ \n”Dr. x", max_size=30), st.data())
def test_what_is_kept_is_part_of_the_sentence_and_has_the_target(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    target = Span(start, data.draw(st.integers(start, len(text))))
    sentence = sentence_at(text, target)
    assert sentence.start <= target.start
    assert target.end <= sentence.end
    for clause in clauses_of(text, sentence):
        assert sentence.start <= clause.start <= clause.end <= sentence.end
    for lang in ("en", "zh"):
        entry = governed(text, target, lang)
        if entry is not None:
            assert sentence.start <= entry.kept.start <= entry.place.start
            assert text[entry.place.start : entry.place.end] == entry.word
