"""Profiles: the one that a source tells, the one that is chosen, and what no file can claim."""

from pathlib import Path
from typing import get_args

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.validation.profiles import (
    STRICT,
    Allowance,
    ProfileName,
    known_profile,
    profile_of,
    profile_of_format,
    profiles,
    same_pronoun,
    with_profile,
)
from pipeline.core.validation.suite import Row


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("WSC 173, Ernest Davis", "wsc"),
        ("PWS idx 268, David Bender", "pws"),
        ("XWINO line 2404, original", "xwino-pairs"),
        ("XWINO line 684, wsc_naive.test", "xwino-pairs"),
        ("XWINO line 301, superglue.train", "xwino-singles"),
        ("XWINO line 2520, test", "xwino-singles"),
        ("CLUEWSC line 4", "cluewsc"),
        ("winoforge", "strict"),
        ("after WSC 173", "strict"),
        ("", "strict"),
        (None, "strict"),
    ],
)
def test_the_source_tells_the_profile(source: object, name: str) -> None:
    assert profile_of({"source": source}) is profiles()[name]
    assert profile_of({"members": [{"source": source}, {"source": "winoforge"}]}) is profiles()[name]


def test_the_format_of_templates_tells_the_profile() -> None:
    assert profile_of_format("winogender") is profiles()["winogender"]
    assert profile_of_format("") is STRICT


def test_a_chosen_profile_comes_before_the_source_and_from_no_file() -> None:
    row = Row("t", Path("items.jsonl"), 1, {"source": "winoforge", "profile": "wsc"})
    assert profile_of(row.value) is STRICT
    (chosen,) = with_profile([row], "wsc")
    assert profile_of(chosen.value) is profiles()["wsc"]
    assert with_profile([row], "") == [row]
    assert profile_of({"source": "WSC 1", "profile": ProfileName("strict")}) is STRICT


def test_an_unknown_profile_is_named_with_the_known_ones() -> None:
    with pytest.raises(
        PipelineError, match=r"\[profile\] unknown profile; found 'wcs', expected one of strict, wsc, problems, pws"
    ):
        known_profile("wcs")


def test_every_allowance_is_used_and_explained() -> None:
    assert {name for profile in profiles().values() for name in profile.allow} == set(get_args(Allowance))
    head = (
        (Path(__file__).parents[2] / "rules" / "validation" / "profiles.yaml")
        .read_text(encoding="utf-8")
        .split("\nprofiles:")[0]
    )
    assert [line.split()[1] for line in head.splitlines() if line.startswith("#   ")] == list(get_args(Allowance))
    assert (STRICT.members, STRICT.allow) == ((2,), frozenset())


def test_forms_of_one_pronoun() -> None:
    assert same_pronoun("она", "Ней", "ru")
    assert same_pronoun("le", "l'", "fr")
    assert not same_pronoun("она", "его", "ru")
    assert not same_pronoun("la", "le", "fr")
    assert not same_pronoun("she", "her", "en")
