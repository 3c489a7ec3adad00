"""Forms of German items: rows written by hand, which items of raw/de are unmade and why, and what every row must meet."""

import pytest

from pipeline.core.model import Item
from pipeline.winograd.forms import FormOptions, variants
from pipeline.winograd.forms.form import DerivedForm, Row
from pipeline.winograd.forms.substitution import nli
from tests.support.collections import items_of

GERMAN = ("nli", "disambiguated", "scoring", "winogrande", "tokens")


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return list(items_of("de"))


@pytest.fixture(scope="module")
def made(items: list[Item]) -> dict[str, DerivedForm]:
    return variants(items, FormOptions())


def row(made: DerivedForm, name: str) -> Row:
    return next(row for row in made.rows if row["id"] == name)


@pytest.mark.parametrize(
    ("name", "hypothesis", "label"),
    [
        ("de-001-a-0", "Der Heizlüfter war einfach zu groß.", "NO ENTAILMENT"),
        ("de-001-a-1", "Die Werkstatt war einfach zu groß.", "ENTAILMENT"),
        ("de-002-b-1", "Der Schweißer hatte über Schwindel geklagt.", "ENTAILMENT"),
        ("de-003-b-1", "Das Motorrad sollte sich leichter reparieren lassen.", "ENTAILMENT"),
        ("de-005-b-1", "Der Fahrer hatte sich offensichtlich bei der Adresse vertippt.", "ENTAILMENT"),
        ("de-009-a-0", "Die Pumpe lief heiß.", "ENTAILMENT"),
        ("de-019-b-1", "Der Graf glaubte nicht an Geister.", "ENTAILMENT"),
        ("de-032-b-0", "Das Türschloss war offenbar zugefroren.", "ENTAILMENT"),
        ("de-046-b-1", "Das entlaufene Känguru war immer wieder davongesprungen.", "ENTAILMENT"),
        ("de-072-a-0", "Die Füchsin rollte sich zusammen.", "NO ENTAILMENT"),
    ],
)
def test_hypotheses(made: dict[str, DerivedForm], name: str, hypothesis: str, label: str) -> None:
    actual = row(made["nli"], name)
    assert (actual["hypothesis"], actual["label"]) == (hypothesis, label)


@pytest.mark.parametrize(
    ("name", "text", "changes"),
    [
        ("de-019-b-1", "Das Gespenst konnte den Grafen nicht erschrecken, weil [der Graf] nicht an Geister glaubte.", ["nominative"]),
        ("de-022-a-0", "Die Gazelle kam dem Krokodil am Ufer gefährlich nahe. Offenbar war [die Gazelle] halb verdurstet.", ["lower-case"]),
        ("de-066-b-1", "Das Küken läuft sofort zur Henne, wenn [die Henne] laut gluckt.", ["determiner"]),
        ("de-060-b-1", "Das Chamäleon erwischte die Fliege, obwohl [die Fliege] schon losgeflogen war.", []),
    ],
)  # fmt: skip
def test_disambiguated_texts(made: dict[str, DerivedForm], name: str, text: str, changes: list[str]) -> None:
    actual = row(made["disambiguated"], name)
    assert actual["text"] == text.replace("[", "").replace("]", "")
    assert (actual["span"]["start"], actual["span"]["end"]) == (text.index("["), text.index("]") - 1)
    assert (actual["changes"], actual["correct"]) == (changes, True)
    scored = row(made["scoring"], name)
    assert scored["context"] == text.partition("]")[0].replace("[", "")
    assert scored["continuation"] == text.partition("]")[2]


def test_a_sentence_with_options(made: dict[str, DerivedForm]) -> None:
    assert row(made["winogrande"], "de-028-a") == {
        "id": "de-028-a",
        "item": "de-028-a",
        "schema": "de-028",
        "sentence": "Die Fürstin ließ den Boten bis zum Abend vor dem Tor warten, obwohl _ wichtige Nachrichten brachte.",
        "option1": "die Fürstin",
        "option2": "der Bote",
        "answer": "2",
    }


def test_what_is_unmade_has_its_reason(made: dict[str, DerivedForm]) -> None:
    """The statements under *wenn* are those of two schemas."""
    assert [unmade.item for unmade in made["nli"].unmade] == ["de-031-a", "de-031-b", "de-066-a", "de-066-b"]


def test_no_gender_of_a_candidate_is_guessed(items: list[Item]) -> None:
    """An item without the other member of its pair has the gender of its answer only."""
    (unmade,) = nli(items[:1]).unmade
    assert unmade.reason.startswith("[candidates] gender not known; found 'Der Heizlüfter', expected a pair")
