"""Japanese: sentences and words, zeros with their particles, statements, the committed trees, the rules on our own schemas."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.model import Item, Span
from pipeline.core.yamlfile import load_yaml
from pipeline.language.grammar import GrammarError
from pipeline.language.ja import JAPANESE, grammar, words
from pipeline.language.languages import LANGUAGES, language_of
from pipeline.language.parsing.backends import BACKENDS, Backend, load_ginza
from pipeline.language.parsing.lock import read_lock, update
from pipeline.winograd.analysis import analysis_table
from pipeline.winograd.exclusion.exclude import exclude
from pipeline.winograd.exclusion.ruleset import load_rules
from pipeline.winograd.readers import ingest
from pipeline.winograd.zero_forms import to_zero, zero_form
from tests.conftest import ROOT
from tests.support.items import marked

TEXT = st.text("彼女らそれがはをにの太郎来た、。「」？\n", max_size=30)
SCHEMAS = ROOT / "raw" / "ja" / "schemas.yaml"
LOCK = ROOT / "raw" / "ja" / "parses" / "ginza.conllu"


@pytest.fixture(scope="module")
def ginza() -> Backend:
    return load_ginza(None)


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return list(ingest(SCHEMAS.read_bytes(), SCHEMAS, "schema-yaml", "ja").items)


@given(TEXT)
def test_sentences_cover_a_text(text: str) -> None:
    assert "".join("".join(span.of(text).split()) for span in JAPANESE.sentences(text)) == "".join(text.split())


def test_a_sentence_goes_on_behind_what_it_quotes() -> None:
    text = "「もう帰る。」と彼女は言った。外は雨だった。"
    assert [span.of(text) for span in JAPANESE.sentences(text)] == ["「もう帰る。」と彼女は言った。", "外は雨だった。"]


def test_a_pronoun_is_one_word() -> None:
    # Sudachi divides 彼女 and たち; それぞれ holds no pronoun
    assert words("彼女たちはそれぞれ帰った。") == ["彼女たち", "は", "それぞれ", "帰っ", "た", "。"]


@pytest.mark.parametrize(
    ("text", "dropped", "zero"),
    [
        ("彼が来た。", "来た。", "Ø来た。"),
        ("次郎は、彼女は、帰った。", "次郎は、帰った。", "次郎は、Ø帰った。"),
        ("彼も来た。", "も来た。", "Øも来た。"),  # a rule rejects it before
        ("彼来た。", "来た。", "Ø来た。"),
    ],
)
def test_a_zero_takes_its_particle_along(text: str, dropped: str, zero: str) -> None:
    start = text.index("彼")
    form = zero_form(text, Span(start, start + (2 if "彼女" in text else 1)), "ja")
    assert (form.text_dropped, form.text_zero) == (dropped, zero)


def test_a_mention_behind_a_zero_moves_by_pronoun_and_particle() -> None:
    item = marked("太郎が呼ぶと、【彼】は次郎を見た。", candidates=("太郎", "次郎"), lang="ja")
    row = to_zero(item)
    for mention in row["mentions"]:
        place = mention["text_dropped"]
        assert row["text_dropped"][place["start"] : place["end"]] == item.candidates[mention["candidate"]]


def asked(question: str) -> Item:
    return marked("太郎は次郎を待った。【彼】は遅れた。", candidates=("太郎", "次郎"), question=question, lang="ja")


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("誰が遅れたか。", "次郎が遅れた。"),
        ("誰が遅れましたか？", "次郎が遅れました。"),
        ("雨の日に誰が遅れたのか。", "雨の日に次郎が遅れた。"),
        ("誰の車が遅れたのですか。", "次郎の車が遅れた。"),
        ("遅れたのは誰か。", "遅れたのは次郎だ。"),
        ("遅れたのは誰でしょうか。", "遅れたのは次郎です。"),
    ],
)
def test_a_question_becomes_a_statement(question: str, statement: str) -> None:
    assert grammar.hypothesis(asked(question), 1) == statement


@pytest.mark.parametrize("question", ["遅れたか。", "誰が誰を待ったか。", "誰が遅れた。"])
def test_another_question_is_refused(question: str) -> None:
    with pytest.raises(GrammarError, match=r"\[question\]"):
        grammar.hypothesis(asked(question), 1)


def test_a_candidate_takes_the_particle_of_the_pronoun() -> None:
    made = grammar.substitute(asked(""), 1)
    assert (made.text, made.span.of(made.text)) == ("太郎は次郎を待った。次郎は遅れた。", "次郎")


def test_the_lock_is_what_ginza_gives(items: list[Item], ginza: Backend) -> None:
    before = read_lock(LOCK).trees
    result = update(items, before, ginza, afresh=True)
    assert {tree.key: tree for tree in result.trees} == before


def test_the_rules_decide_as_the_authors_expect(items: list[Item]) -> None:
    result = exclude(items, [read_lock(LOCK)], load_rules("ja"), by_sentence=True)
    roles, expected = {entry["id"]: entry["role"] for entry in load_yaml(SCHEMAS)}, analysis_table("ja").expected
    assert len(result.decisions) == 2 * len(roles)
    for decision in result.decisions:
        assert decision.exclusion == expected[roles[decision.id[:-2]]], decision.id


def test_each_language_of_the_table_has_its_rules_and_its_parser() -> None:
    for code, language in LANGUAGES.items():
        assert language.code == code
        assert set(language.parsers) <= BACKENDS.keys()
        assert bool(language.parsers) == (Path(ROOT, "rules", "shared", f"{code}.yaml").is_file())
    assert language_of("fr").sentences("Il est venu.") == [Span(0, 12)]
