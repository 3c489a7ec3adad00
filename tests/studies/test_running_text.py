"""The studies of running text, from their designs to figures and a page."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.convert import to_object
from pipeline.core.errors import PipelineError
from pipeline.studies.design.build import make_study, read_snapshot
from pipeline.studies.model.design import Design, read_design
from pipeline.studies.model.judgements import Answer
from pipeline.zero_pronouns.documents import read_parallel_text
from tests.conftest import ROOT
from tests.support.agreement import agree, figures_of, judge
from tests.support.passages import write_passages


@pytest.fixture(scope="module")
def passages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_passages(tmp_path_factory.mktemp("passages"), genres=2)


def design(name: str, passages: Path, **size: Any) -> Design:
    whole = read_design(ROOT / "annotation" / "designs" / f"{name}.yaml")
    return replace(whole, records=passages, lists=replace(whole.lists, **size))


def test_labels_are_compared_on_the_common_sentences(passages: Path, tmp_path: Path) -> None:
    """Two raters, a genre each, and two sentences of the other: four sentences have two raters."""
    layout = make_study(design("zero-labelling", passages, count=2, common=2))
    labelled = {
        f"{genre}-{number}-{pair.line:03}": pair.source
        for genre in ("fiction", "news")
        for number, document in enumerate(
            read_parallel_text(passages / f"{genre}.zh", passages / f"{genre}.en").documents, 1
        )
        for pair in document
    }
    shared = {record.id for records in layout.lists.values() for record in records[6:]}
    assert len(shared) == 4
    malformed = min(labelled)  # of the first rater's own genre

    def answers(rater: str, item: str) -> dict[str, Answer]:
        sentence = labelled[item]
        if (rater, item) == ("r-1", malformed):
            return {"zeros": "some", "labelled": sentence.text + "！"}
        return {"zeros": "some", "labelled": sentence.labelled} if sentence.zeros else {"zeros": "none"}

    judgements = [
        judge(task, rater, 3.0, **answers(rater, task.items[0]))
        for rater, name in (("r-1", "fiction"), ("r-2", "news"))
        for task in layout.tasks
        if task.list == name
    ]
    run = agree(tmp_path, layout.study, layout.tasks, judgements)
    assert run.exit_code == 1, run.output
    entry = figures_of(tmp_path)["controls"]["labelled"]
    common = len(shared - {malformed})
    assert (entry["shared"], entry["alike"]) == (common, common)
    assert "labelled: 15 answers" in run.stdout  # two lists of 6 + 2, without the malformed one
    assert "  characters, labels: mean pairwise cohen 1.000 over" in run.stdout
    place = f"{tmp_path / 'judgements.jsonl'}: zero-labelling/fiction/001: {malformed}: r-1"
    assert f"{place}: [labelled] the sentence was" in run.stderr
    assert "Malformed answers, excluded: 1." in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert {part["unit"] for part in entry["units"]} == {"characters", "words", "sentences"}


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        (
            "zero-labelling",
            {"show": {"reference": "reference", "text": "oracle"}},
            r"\[show\] found no text, expected text: text",
        ),
        ("human-evaluation", {"show": {"text": "oracle", "context": "context"}}, r"\[show\] found no translation"),
        ("human-evaluation", {"screen": 2}, r"\[screen\] found a screen of 2, expected 3"),
        ("human-evaluation", {"source": "sentences"}, r"\[screen\] found a screen of 3, expected 0"),
        ("zero-labelling", {"source": "items"}, r"\[file\] a folder; expected a file"),
    ],
)
def test_a_design_that_does_not_fit_is_refused(name: str, change: dict[str, Any], message: str, passages: Path) -> None:
    sizes = {"count": 2, "common": 2} if name == "zero-labelling" else {"size": 4}
    with pytest.raises(PipelineError, match=message):
        make_study(replace(design(name, passages, **sizes), **change))


def test_systems_of_a_snapshot_without_their_translations_are_refused(passages: Path) -> None:
    row = to_object(make_study(design("human-evaluation", passages, size=5)).study)
    row["design"]["selected"][""][0]["passage"]["systems"] = ["a"]
    with pytest.raises(ValueError, match=r"^\[systems\] "):
        read_snapshot(row, Path("study.json"))
