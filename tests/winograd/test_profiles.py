"""The suites of pairs and labels follow the profile of a collection, and still find what is wrong in it."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.core.convert import to_object
from pipeline.release.gate import plan
from pipeline.winograd.validation.items import single_pronoun
from pipeline.winograd.validation.labels import groups
from pipeline.winograd.validation.pairs import (
    answers_flip,
    difference_in_words,
    same_anaphor,
    same_candidates,
    schemas,
    small_difference,
    two_members,
)
from tests.support.commands import winoforge
from tests.support.items import marked
from tests.support.validation import validate_command, write_rows

WSC, PWS, DPR, SUPERGLUE = "WSC 7, X", "PWS idx 7, X", "XWINO line 7, wsc_naive.test", "XWINO line 7, superglue.val"


def schema(source: str, *texts: str, lang: str = "en", candidates: list[list[str]] | None = None) -> dict[str, Any]:
    """Return the value of a schema whose members have these texts, with their targets in 【】; answers alternate."""
    members = [
        to_object(marked(text, f"t-1-{'abcd'[number]}", source=source, lang=lang, answer=number % 2))
        for number, text in enumerate(texts)
    ]
    for number, row in enumerate(members):
        row["candidates"] = candidates[number] if candidates else ["the cat", "the mouse"]
    return {"members": members}


CAT = [f"The cat saw the mouse, and 【it】 was {word}." for word in ("fast", "slow", "sad", "old")]


@pytest.mark.parametrize(
    ("source", "accepted"),
    [("winoforge", {2}), (WSC, {2, 3}), (PWS, {2, 3}), (DPR, {2, 3}), (SUPERGLUE, {1, 2}), ("CLUEWSC line 2", {1})],
)
def test_how_many_members_a_schema_has(source: str, accepted: set[int]) -> None:
    assert {number for number in (1, 2, 3, 4) if not two_members(schema(source, *CAT[:number]))} == accepted


def test_a_missing_member_is_named_with_what_is_expected() -> None:
    assert two_members(schema("winoforge", CAT[0])) == "found a, expected a and b"
    assert two_members(schema(WSC, CAT[0])) == "found a, expected a and b, or a, b and c"
    rest = schema(SUPERGLUE, *CAT[:2])
    del rest["members"][0]
    assert two_members(rest) == "found b, expected a, or a and b"


def test_either_member_may_be_alone_in_winogender() -> None:
    """Its two templates of a pair of entities may differ in case: their sentences are then of two schemas."""
    pair = schema("Winogender templates.tsv", *CAT[:2])["members"]
    assert [two_members({"members": members}) for members in (pair, pair[:1], pair[1:])] == ["", "", ""]
    assert two_members(schema("Winogender templates.tsv", *CAT[:3])) == "found a, b, c, expected a and b"
    assert two_members({"members": [pair[0], pair[0]]}) == "found a, a, expected a and b"


def test_a_skipped_record_counts_as_a_member_where_a_reader_skips_some(tmp_path: Path) -> None:
    items = write_rows(tmp_path / "fr.jsonl", schema(PWS, *CAT[:2])["members"][:1])
    assert [two_members(row.value) for row in schemas([items])] == ["found a, expected a and b, or a, b and c"]
    for name in ("skipped.jsonl", "fr.skipped.jsonl"):
        skipped = write_rows(tmp_path / name, [{"id": "t-1-b", "schema": "t-1", "version": "b"}])
        assert [two_members(row.value) for row in schemas([items])] == [""]
        assert [two_members(row.value) for row in schemas([items], "strict")] == ["found a, expected a and b"]
        skipped.unlink()


MINNOW = ["A minnow swims below the duck, so 【it】 hides.", "A shark swims below the duck, so 【it】 hides."]
OWN = [["a minnow", "the duck"], ["a shark", "the duck"]]


@pytest.mark.parametrize(
    ("source", "candidates", "accepted"),
    [
        (WSC, OWN, True),
        ("winoforge", OWN, False),
        (WSC, [OWN[0], OWN[0][::-1]], False),
        (WSC, [OWN[0], ["the duck", "a shark"]], False),
        (WSC, [OWN[0], ["a pike", "the duck"]], False),
        (WSC, [OWN[0], [*OWN[1], "the pond"]], False),
        (WSC, [["the duck", "the duck"], OWN[1]], False),
    ],
)
def test_the_special_word_in_a_candidate(source: str, candidates: list[list[str]], accepted: bool) -> None:
    assert (same_candidates(schema(source, *MINNOW, candidates=candidates)) == "") is accepted


@pytest.mark.parametrize(
    ("source", "names", "accepted"),
    [(PWS, ("рюкзак", "рюкзаком"), True), (WSC, ("рюкзак", "рюкзаком"), False), (PWS, ("рюкзак", "пакет"), False)],
)
def test_a_candidate_in_another_case(source: str, names: tuple[str, str], accepted: bool) -> None:
    texts = [f"Он накрыл рюкзак рюкзаком и пакет, 【он】 {word}." for word in ("мал", "велик")]
    pair = schema(source, *texts, lang="ru", candidates=[[names[0], "пакет"], [names[1], "пакет"]])
    assert (same_candidates(pair) == "") is accepted


@pytest.mark.parametrize(
    ("source", "lang", "forms", "accepted"),
    [
        (PWS, "ru", ("ей", "она"), True),
        (SUPERGLUE, "ru", ("ей", "она"), True),
        (WSC, "ru", ("ей", "она"), False),
        ("winoforge", "ru", ("ей", "она"), False),
        (PWS, "ru", ("ей", "его"), False),
        (PWS, "ja", ("", "彼女"), True),
        (SUPERGLUE, "ja", ("", "彼女"), False),
        (PWS, "ja", ("それら", "彼ら"), False),
        ("winoforge", "de", ("er", "sie"), True),
        ("winoforge", "de", ("es", "Er"), True),
        ("winoforge", "de", ("er", "ihn"), False),
        ("winoforge", "de", ("", "sie"), False),
        ("winoforge", "de", ("er", "der"), False),
        ("winoforge", "en", ("he", "she"), False),
        ("winoforge", "zh", ("他", "它"), False),
    ],
)
def test_forms_of_the_anaphor(source: str, lang: str, forms: tuple[str, str], accepted: bool) -> None:
    texts = [f"A B 【{form}】 {word}" for form, word in zip(forms, ("C", "D"), strict=True)]
    assert (same_anaphor(schema(source, *texts, lang=lang)) == "") is accepted


def test_the_pronouns_of_german_members_are_no_part_of_their_difference() -> None:
    words = "erst am nächsten Tag und ganz allein"  # 36 characters
    texts = [f"Der Bär sah die Kuh, denn 【{form}】 {words} {verb}." for form, verb in (("er", "kam"), ("sie", "floh"))]
    assert small_difference(schema("winoforge", *texts, lang="de")) == ""
    assert "expected at most 40" in small_difference(schema("winoforge", *texts, lang="fr"))
    same = [f"Der Bär sah die Kuh, denn 【{form}】 kam{mark}" for form, mark in (("er", "."), ("sie", "!"))]
    assert difference_in_words(schema("winoforge", *same, lang="de")) == "found '.' and '!', expected words"


LONG = [
    "The cat saw the mouse, and 【it】 slept for many hours in the sun that day.",
    "The cat saw the mouse, because 【it】 was grey and quick but not careful enough.",
]


def test_endings_that_are_clauses() -> None:
    assert small_difference(schema(DPR, *LONG)) == ""
    assert "expected at most 40" in small_difference(schema("winoforge", *LONG))
    changed = small_difference(schema(DPR, LONG[0], LONG[1].replace("saw", "heard")))
    assert changed.endswith("expected the same words up to the second candidate")


def test_a_triple_is_compared_in_pairs() -> None:
    triple = schema(WSC, *CAT[:3])
    assert answers_flip(triple) == ""
    assert same_anaphor(triple) == ""
    triple["members"][2]["target"] = {"start": 0, "end": 3}
    assert same_anaphor(triple) == "found 'it' and 'The'"
    for row in triple["members"]:
        row["answer"] = 1
    assert answers_flip(triple) == "found 1 and 1 and 1, expected 0 and 1"


def test_members_may_be_one_sided(tmp_path: Path) -> None:
    def names(source: str, profile: str = "") -> list[str]:
        return [
            row.id for row in groups([write_rows(tmp_path / "x.jsonl", schema(source, *CAT[:2])["members"])], profile)
        ]

    assert names(WSC) == ["all"]
    assert names("winoforge") == ["all", "version a", "version b"]
    assert names("winoforge", "wsc") == ["all"]
    assert names(WSC, "strict") == ["all", "version a", "version b"]


def test_a_profile_is_chosen_on_the_command_line(tmp_path: Path) -> None:
    rows = schema("winoforge", *CAT[:3])["members"]
    for row in rows:
        row["question"] = ""
    path = write_rows(tmp_path / "items.jsonl", rows)
    code, _, errors = validate_command("items,pairs", path)
    assert code == 1
    assert [line.split(" [")[1].split("]")[0] for line in errors] == ["items/id-of-schema", "pairs/two-members"]
    assert validate_command("items,pairs", path, "--profile", "wsc")[0] == 0
    refusal = winoforge("validate", "items", path, "--profile", "wcs")
    assert refusal.returncode == 2
    assert "[profile] unknown profile; found 'wcs', expected one of strict, wsc" in refusal.stderr


def test_a_profile_changes_no_suite_that_does_not_follow_it() -> None:
    (step,) = plan("analyses", [Path("analysis.jsonl")], "wsc")
    (plain,) = plan("analyses", [Path("analysis.jsonl")])
    assert step == plain


@pytest.mark.parametrize(
    ("lang", "text", "second"),
    [
        ("fr", "Le chat a vu la souris, puis 【il】 est parti.", ""),
        ("fr", "Le chat a vu la souris, car 【elle】 bougeait et il avait faim.", "il"),
        ("es", "El gato vio a las ratas cuando 【él】 salió de la casa.", ""),
        ("it", "Il gatto ha visto la lepre, e 【lui】 è scappato con gli altri.", ""),
        ("pt", "O gato viu as ratas quando 【ele】 saiu com os filhotes.", ""),
        ("pt", "O gato viu as ratas quando 【ele】 saiu, e elas riram.", "elas"),
    ],
)
def test_an_article_is_no_second_pronoun(lang: str, text: str, second: str) -> None:
    found = single_pronoun(to_object(marked(text, lang=lang)))
    assert found.startswith(f"found '{second}' besides the target") if second else found == ""
