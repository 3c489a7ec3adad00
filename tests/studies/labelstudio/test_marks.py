"""What a project's description says to raters and to `push`. No server is needed."""

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.studies.design.build import make_study
from pipeline.studies.labelstudio.remote import (
    Mark,
    answers_of,
    mark_of,
    parse_mark,
    project_description,
    project_mark,
)
from pipeline.studies.model.design import Design, read_design, shows_answers
from pipeline.studies.model.study import Study
from tests.conftest import ROOT
from tests.support.small_study import study

STUDY = study()
DESIGNS = [read_design(path) for path in sorted((ROOT / "annotation" / "designs").glob("*.yaml"))]


def of(design: Design, answer: int | None = 0) -> Study:
    """A study of a design with one record, of which the right answer is known or not."""
    snapshot = {"show": dict(design.show), "selected": {"": [{"item": {"answer": answer}}]}}
    return dataclasses.replace(
        STUDY, id=design.id, lang=design.lang, shows_answers=shows_answers(design), design=snapshot
    )


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_mark_is_read_wherever_it_stands(before: str, after: str) -> None:
    text = f"{before.replace('winoforge', '')} {project_mark(STUDY, '2')}{after}"
    assert parse_mark(text) == Mark("umbrellas", "2", "zh", "hidden") == mark_of(STUDY, "2")


@pytest.mark.parametrize(
    "text", ["", "winoforge", "winoforge {", "winoforge {}", 'winoforge {"study": 1, "list": "2"}', "winoforge {x}"]
)
def test_a_description_without_a_valid_mark_has_none(text: str) -> None:
    assert parse_mark(text) is None


@pytest.mark.parametrize("more", ["", ', "lang": 3, "answers": ["shown"]', ', "lang": null, "answers": "all"'])
def test_a_mark_that_says_nothing_of_answers_is_of_a_study_that_hides_them(more: str) -> None:
    assert parse_mark(f'winoforge {{"study": "s", "list": "1"{more}, "version": "0.1.0"}}') == Mark("s", "1")


@pytest.mark.parametrize(
    ("lang", "first"), [("zh", "打开这个项目"), ("zh-TW", "打开这个项目"), ("de", "Öffnen Sie"), ("ia", "Open this")]
)
def test_raters_read_what_to_do_before_the_mark(lang: str, first: str) -> None:
    invited = dataclasses.replace(STUDY, lang=lang)
    sentence, empty, mark = project_description(invited, "1").split("\n")
    assert sentence.startswith(first)
    assert "winoforge" not in sentence
    assert (empty, mark) == ("", project_mark(invited, "1"))


def test_the_designs_that_show_answers_or_judgements_are_known_by_their_fields() -> None:
    revealing = {design.id for design in DESIGNS if answers_of(of(design)) == "shown"}
    assert revealing == {"consensus", "error-coding", "exclusion-audit", "explanations", "verification"}
    assert {answers_of(of(design)) for design in DESIGNS if design.id not in revealing} == {"hidden"}


def test_a_study_without_right_answers_has_nothing_to_hide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    form = make_study(read_design(ROOT / "annotation" / "designs" / "background.yaml")).study
    assert answers_of(form) == "none"
    # Its only record has no answer. Of one with an answer, raters must not see it elsewhere.
    (upper_bound,) = [design for design in DESIGNS if design.id == "upper-bound"]
    assert (answers_of(of(upper_bound)), answers_of(of(upper_bound, None))) == ("hidden", "none")


@pytest.mark.parametrize("broken", [{}, {"show": 3, "selected": []}, {"show": {"a": []}, "selected": {"": [1, {}]}}])
def test_a_damaged_design_is_taken_as_one_that_hides(broken: dict[str, object]) -> None:
    assert answers_of(dataclasses.replace(STUDY, design=broken)) in ("hidden", "none")
    assert answers_of(dataclasses.replace(STUDY, design=None, shows_answers=True)) == "shown"


def test_only_what_is_shown_reveals_only_what_is_hidden_in_the_same_language() -> None:
    shown, hidden, none = Mark("c", "1", "zh", "shown"), Mark("u", "1", "zh", "hidden"), Mark("b", "1", "zh", "none")
    assert shown.reveals(hidden)
    assert not any(left.reveals(right) for left in (hidden, none) for right in (shown, hidden, none))
    assert not shown.reveals(none)
    assert not shown.reveals(dataclasses.replace(hidden, lang="en"))
    assert not shown.reveals(dataclasses.replace(hidden, study="c", list="2"))
    assert shown.reveals(Mark("old", "1"))  # an earlier version did not say
