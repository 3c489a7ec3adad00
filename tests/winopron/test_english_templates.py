"""The English templates of raw/en: complete, sound and of the published pairs of entities."""

import re
from collections import Counter
from pathlib import Path

import pytest

from pipeline.core.files import parse_tsv, read_text
from pipeline.language.pronouns import pronoun_table
from pipeline.winopron.instances import VERSIONS, Instance, instances
from pipeline.winopron.template_checks import check_templates
from pipeline.winopron.templates import Template, read_templates
from tests.conftest import ROOT

TABLE = pronoun_table("en")


@pytest.fixture(scope="module")
def templates() -> list[Template]:
    return read_templates(ROOT / "raw" / "en" / "templates.yaml", TABLE)


def test_every_check_passes(templates: list[Template]) -> None:
    assert check_templates(templates, TABLE) == []


def test_there_are_two_members_in_three_cases_for_sixty_pairs(templates: list[Template]) -> None:
    assert Counter(template.placeholder for template in templates) == {
        "NOM_PRONOUN": 120,
        "ACC_PRONOUN": 120,
        "POSS_PRONOUN": 120,
    }
    assert len({(template.occupation, template.participant) for template in templates}) == 60


def test_the_pairs_are_winogenders_with_the_examiners_intern(templates: list[Template], shared_data: Path) -> None:
    path = shared_data / "winogender" / "templates.tsv"
    columns = ("occupation(0)", "other-participant(1)")
    published = {tuple(row[name] for name in columns) for _, row in parse_tsv(read_text(path), path, columns)}
    expected = published - {("examiner", "victim")} | {("examiner", "intern")}
    assert {(template.occupation, template.participant) for template in templates} == expected


@pytest.fixture(scope="module")
def sentences(templates: list[Template]) -> dict[str, list[Instance]]:
    return {
        version: instances(templates, TABLE, version, lang="en", source=Path("templates.yaml")) for version in VERSIONS
    }


def test_fourteen_hundred_and_forty_sentences_of_each_kind(sentences: dict[str, list[Instance]]) -> None:
    for group in sentences.values():
        texts = [sentence.item.text for sentence in group]
        assert len(texts) == 1440
        assert [text for text in texts if "$" in text or not re.fullmatch(r"[A-Z][ -~]+\.", text)] == []
    doubles = Counter(sentence.item.text for sentence in sentences["double"])
    assert [text for text, count in doubles.items() if count > 1] == []
    assert {len(text.split()) for text in doubles} <= set(range(7, 27))


def test_ids_are_unique_and_answers_and_cases_balanced(sentences: dict[str, list[Instance]]) -> None:
    assert len({sentence.item.id for group in sentences.values() for sentence in group}) == 2880
    for group in sentences.values():
        assert Counter(sentence.item.answer for sentence in group) == {0: 720, 1: 720}
        assert set(Counter((sentence.case, sentence.pronouns) for sentence in group).values()) == {120}
        assert set(Counter(sentence.item.schema for sentence in group).values()) == {2}


def test_the_target_is_the_pronoun_and_candidates_are_where_they_should(sentences: dict[str, list[Instance]]) -> None:
    forms = {(case, pronouns.name): pronouns.forms[case] for pronouns in TABLE.sets for case in pronouns.forms}
    for version, group in sentences.items():
        for sentence in group:
            item = sentence.item
            assert item.target.of(item.text).lower() == forms[sentence.case, sentence.pronouns]
            inside = [candidate for candidate in item.candidates if re.search(rf"\b{candidate}\b", item.text)]
            assert inside == (list(item.candidates) if version == "double" else [sentence.antecedent])


def test_neither_entity_comes_first_always(templates: list[Template]) -> None:
    first = Counter(
        template.double.index("$OCCUPATION") < template.double.index("$PARTICIPANT") for template in templates
    )
    assert min(first.values()) >= 90
