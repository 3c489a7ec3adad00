"""The English templates of raw/en: complete, sound and of the published pairs of entities."""

import re
from collections import Counter
from pathlib import Path

import pytest

from pipeline.core.files import parse_tsv, read_text
from pipeline.language.pronouns import pronoun_table
from pipeline.winopron.instances import FORMS, Instance, instances
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
    return {form: instances(templates, TABLE, form, lang="en", source=Path("templates.yaml")) for form in FORMS}


def test_fourteen_hundred_and_forty_sentences_of_each_kind(sentences: dict[str, list[Instance]]) -> None:
    for found in sentences.values():
        texts = [one.item.text for one in found]
        assert len(texts) == 1440
        assert [text for text in texts if "$" in text or not re.fullmatch(r"[A-Z][ -~]+\.", text)] == []
    doubles = Counter(one.item.text for one in sentences["double"])
    assert [text for text, count in doubles.items() if count > 1] == []
    assert {len(text.split()) for text in doubles} <= set(range(7, 27))


def test_ids_are_unique_and_answers_and_cases_balanced(sentences: dict[str, list[Instance]]) -> None:
    assert len({one.item.id for found in sentences.values() for one in found}) == 2880
    for found in sentences.values():
        assert Counter(one.item.answer for one in found) == {0: 720, 1: 720}
        assert set(Counter((one.case, one.pronouns) for one in found).values()) == {120}
        assert set(Counter(one.item.schema for one in found).values()) == {2}


def test_the_target_is_the_pronoun_and_candidates_are_where_they_should(sentences: dict[str, list[Instance]]) -> None:
    forms = {(case, one.name): one.forms[case] for one in TABLE.sets for case in one.forms}
    for form, found in sentences.items():
        for one in found:
            item = one.item
            assert item.target.of(item.text).lower() == forms[one.case, one.pronouns]
            inside = [candidate for candidate in item.candidates if re.search(rf"\b{candidate}\b", item.text)]
            assert inside == (list(item.candidates) if form == "double" else [one.right])


def test_neither_entity_comes_first_always(templates: list[Template]) -> None:
    first = Counter(
        template.double.index("$OCCUPATION") < template.double.index("$PARTICIPANT") for template in templates
    )
    assert min(first.values()) >= 90
