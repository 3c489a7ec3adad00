"""What people judged, on the card of a release."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.release.people import STUDIES, judged_items, studies_file, studies_from_json
from pipeline.studies.model.design import Control
from tests.support.adjudication import HURRY
from tests.support.study_exports import BLAME, ITEMS, export, given


def questions(people: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {row["question"]: row for row in people["studies"]}


def test_a_collection_nobody_judged_has_no_file(tmp_path: Path) -> None:
    assert judged_items(tmp_path / "none", ITEMS) == judged_items(None, ITEMS) == {}
    assert studies_file({}) == {}
    export(tmp_path, {BLAME[0].id: [given(0, 5)]})  # of another collection
    assert judged_items(tmp_path, ITEMS) == {}
    # An audit asks about what is rejected: nothing that is released was judged.
    people = judged_items(tmp_path, ITEMS, {BLAME[0].id})
    assert (people["items"], people["judged"], people["changed"]) == (4, 0, 0)


def test_raters_agreement_and_accuracy_follow_from_the_export(tmp_path: Path) -> None:
    # p-1-a (right 0): 0 and 0; p-1-b (right 1): 1 and 0; p-2-a (right 0): 0 alone. Five answers, four of them right. Two items have
    # two raters, who agree on one: 0.5. Alpha: of the four values in pairs three are 0, one is 1; coincidences of 0 and 1 observed 2 of
    # 4, expected 2 * 3 * 1 / 3 = 2 of 4: alpha = 1 - 2 / 2 = 0. Ratings 5, 4, 3, 2, 1: mean 3.
    export(
        tmp_path,
        {
            "p-1-a": [given(0, 5), given(0, 4)],
            "p-1-b": [given(1, 3), given(0, 2)],
            "p-2-a": [given(0, 1)],
        },
    )
    people = judged_items(tmp_path, ITEMS)
    assert (people["items"], people["judged"], people["changed"]) == (4, 3, 0)
    reference = questions(people)["reference"]
    assert {key: reference[key] for key in ("study", "raters", "items", "answers", "agreement", "right", "mean")} == {
        "study": "naturalness",
        "raters": 2,
        "items": 3,
        "answers": 5,
        "agreement": 0.5,
        "right": 0.8,
        "mean": None,
    }
    assert reference["alpha"] == pytest.approx(0, abs=1e-4)
    stars = questions(people)["naturalness"]
    assert (stars["mean"], stars["right"], stars["answers"]) == (3.0, None, 5)
    assert list(questions(people)) == ["reference", "naturalness"]  # a remark is no question


def test_a_release_has_ratings_accuracy_and_level_of_each_item(tmp_path: Path) -> None:
    """Of items that were judged as they are released: p-1-a reads otherwise now."""
    export(tmp_path, {"p-1-a": [given(0, 5)], "p-1-b": [given(1, 3), given(0, 2)], "p-2-a": [given(0, 1)]})
    reworded = [replace(HURRY[0], text=HURRY[0].text.replace("赶时间", "赶火车")), *ITEMS[1:]]
    rows = {row["item"]: row for row in judged_items(tmp_path, reworded)["by_item"]}
    assert list(rows) == ["p-1-b", "p-2-a"]
    row = rows["p-1-b"]
    assert (row["study"], row["raters"], row["ratings"], row["mean"], row["rating_level"]) == (
        "naturalness", 2, [2, 3], 2.5, "hard",
    )  # fmt: skip
    assert (row["right"], row["answers"], row["accuracy"], row["accuracy_level"]) == (1, 2, 0.5, "hard")


def test_an_item_judged_in_other_words_counts_apart(tmp_path: Path) -> None:
    export(tmp_path, {"p-1-a": [given(0, 5)], "p-1-b": [given(1, 5)]})
    reworded = [replace(HURRY[0], text=HURRY[0].text.replace("赶时间", "赶火车")), *ITEMS[1:]]
    people = judged_items(tmp_path, reworded)
    assert (people["judged"], people["changed"]) == (1, 1)
    # It was judged again as it is now, in a second study.
    export(tmp_path, {"p-1-a": [given(0, 5)]}, name="again")
    assert judged_items(tmp_path, reworded)["changed"] == 1
    assert judged_items(tmp_path, ITEMS)["changed"] == 0


def test_what_is_not_about_the_items_does_not_count_as_judging_them(tmp_path: Path) -> None:
    export(tmp_path, {"p-1-a": [given(0, 5)]})
    alone = judged_items(tmp_path, ITEMS)
    assert (alone["judged"], alone["changed"]) == (1, 0)
    # Codes of what systems said about the same sentences, and a review of their translation.
    codes = Control("types", "choices", choices=("syntactic", "none"))
    export(tmp_path, {"p-1-b": [{"types": "none"}]}, name="coding", controls=(codes,))
    verdict = Control("verdict", "choice", choices=("usable", "unusable"))
    export(tmp_path, {"p-2-a": [{"verdict": "usable"}]}, name="translation", controls=(verdict,), lang="de")
    assert judged_items(tmp_path, ITEMS) == alone


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", '{"items": 1}', '{"items":1,"judged":1,"changed":0,"studies":[{}]}']
)
def test_a_malformed_file_says_nothing(text: str) -> None:
    assert studies_from_json(text) == {}


def test_the_file_comes_back_as_it_was_written(tmp_path: Path) -> None:
    export(tmp_path, {"p-1-a": [given(0, 5)]})
    people = judged_items(tmp_path, ITEMS)
    assert studies_from_json(studies_file(people)[STUDIES].decode()) == people
