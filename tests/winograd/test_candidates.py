"""What a candidate may be: names and other noun phrases, no phrases with a preposition."""

import pytest

from pipeline.winograd.validation.candidates import candidates_are_nouns


@pytest.mark.parametrize(
    ("name", "is_noun"), [("向老师", True), ("给马悦", False), ("向门口", False), ("张医生", True)]
)
def test_a_surname_that_is_a_preposition_too_is_a_name_before_a_title(name: str, is_noun: bool) -> None:
    value = {"lang": "zh", "text": f"{name}见了老李，因为他有事。", "candidates": [name, "老李"]}
    assert candidates_are_nouns(value) == ("" if is_noun else f"found {name!r}, expected a noun phrase")
