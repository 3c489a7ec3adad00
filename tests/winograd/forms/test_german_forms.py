"""Forms of German items: rows written by hand; what every row must meet, and how many are unmade, is in test_forms.py."""

import pytest

from pipeline.winograd.forms import FormOptions, variants
from pipeline.winograd.forms.form import DerivedForm, Row
from tests.support.collections import items_of


@pytest.fixture(scope="module")
def made() -> dict[str, DerivedForm]:
    return variants(items_of("de"), FormOptions())


def row(made: DerivedForm, name: str) -> Row:
    return next(row for row in made.rows if row["id"] == name)


@pytest.mark.parametrize(
    ("name", "text", "changes"),
    [
        ("de-027-b-1", "Mitten in der Nacht rüttelte das Enkelkind den Großvater wach, weil "
         "[der Großvater] so laut schnarchte.", ["nominative"]),
        ("de-068-a-0", "Das Einhorn entkam der Zauberin, obwohl [das Einhorn] am Bein verletzt war.", ["lower-case"]),
        ("de-067-a-1", "Das Restaurant beschwerte sich beim Fischhändler, weil [der Fischhändler] zwei Kisten Lachs zu wenig "
         "geliefert hatte.", ["determiner"]),
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
