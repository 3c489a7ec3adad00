"""The studies of running text, from their designs to figures and a page."""

from collections.abc import Callable, Mapping
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


def reported(
    folder: Path, made: Design, raters: Mapping[str, str], answers: Callable[[str, str], dict[str, Answer]], status: int
) -> tuple[str, str, dict[str, Any], str]:
    """Return what `annotate agree` prints and writes where the raters of each list answer so."""
    layout = make_study(made)
    judgements = [
        judge(task, rater, 3.0, place, **answers(rater, item))
        for rater, name in raters.items()
        for task in layout.tasks
        for place, item in enumerate(task.items if task.list == name else ())
    ]
    run = agree(folder, layout.study, layout.tasks, judgements)
    assert run.exit_code == status, run.output
    return run.stdout, run.stderr, figures_of(folder), (folder / "report" / "index.html").read_text()


def test_labels_are_compared_on_the_common_sentences(passages: Path, tmp_path: Path) -> None:
    """Two raters, a genre each, and two sentences of the other: four sentences have two raters."""
    made = design("zero-labelling", passages, count=2, common=2)
    labelled = {
        f"{genre}-{number}-{pair.line:03}": pair.source
        for genre in ("fiction", "news")
        for number, document in enumerate(
            read_parallel_text(passages / f"{genre}.zh", passages / f"{genre}.en").documents, 1
        )
        for pair in document
    }
    shared = {item for items in make_study(made).lists.values() for item in [record.id for record in items[6:]]}
    assert len(shared) == 4

    def answers(rater: str, item: str) -> dict[str, Answer]:
        sentence = labelled[item]
        if rater == "r-1" and item == min(labelled):  # it is of her own genre
            return {"zeros": "some", "labelled": sentence.text + "！"}
        return {"zeros": "some", "labelled": sentence.labelled} if sentence.zeros else {"zeros": "none"}

    printed, findings, figures, page = reported(tmp_path, made, {"r-1": "fiction", "r-2": "news"}, answers, 1)
    entry = figures["controls"]["labelled"]
    common = len(shared - {min(labelled)})
    assert (entry["shared"], entry["alike"]) == (common, common)
    assert "labelled: 15 answers" in printed  # two lists of 6 + 2, without the malformed one
    assert "  characters, labels: mean pairwise cohen 1.000 over" in printed
    assert (
        f"{tmp_path / 'judgements.jsonl'}: zero-labelling/fiction/001: {min(labelled)}: r-1: [labelled] the sentence was"
        in findings
    )
    assert "Malformed answers, excluded: 1." in page
    assert {part["unit"] for part in entry["units"]} == {"characters", "words", "sentences"}


def test_translations_are_scored_by_system(passages: Path, tmp_path: Path) -> None:
    scores = {"careful": 5, "literal": 3, "mixed": 1}

    def answers(rater: str, item: str) -> dict[str, Answer]:
        system = item.partition("/")[2]
        return {"score": scores[system] + (rater == "r-2" and system == "mixed")}

    made = design("human-evaluation", passages, size=8)
    printed, _, figures, page = reported(tmp_path, made, {"r-1": "1", "r-2": "2", "r-3": "3"}, answers, 0)
    entry = figures["controls"]["score"]
    assert entry["systems"]["mixed"]["score"]["value"] == pytest.approx(4 / 3)  # 1, 2 and 1
    assert entry["systems"]["mixed"]["types"] == {"1": 16, "2": 8, "3": 0, "4": 0, "5": 0}
    assert entry["genres"] == {
        genre: {"careful": 5, "literal": 3, "mixed": pytest.approx(4 / 3)} for genre in ("fiction", "news")
    }
    # All 24 agree: 5 is good, 1 and 2 are bad, and all three give 3. Eight of them have a 3.
    assert (entry["sides"]["agreed"], entry["sides"]["translations"], entry["sides"]["share"]) == (24, 24, 1)
    assert entry["sides"]["without_middle"] == {"translations": 16, "agreed": 16, "share": 1}
    assert "  literal: 3.000 over 8 sentences (1 × 0, 2 × 0, 3 × 24, 4 × 0, 5 × 0)\n" in printed
    assert (
        "raters on one side of 3: 100.0 % of 24 translations; without ratings of 3: 100.0 % of 16 translations"
        in printed
    )
    assert "for 24 of 24 translations" in page


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
        ("zero-labelling", {"source": "items"}, "cannot be read"),
    ],
)
def test_a_design_that_does_not_fit_is_refused(name: str, change: dict[str, Any], message: str, passages: Path) -> None:
    sizes = {"count": 2, "common": 2} if name == "zero-labelling" else {"size": 4}
    with pytest.raises(PipelineError, match=message):
        make_study(replace(design(name, passages, **sizes), **change))


def test_a_damaged_passage_of_a_snapshot_is_refused(passages: Path) -> None:
    row = to_object(make_study(design("human-evaluation", passages, size=5)).study)
    record = row["design"]["selected"][""][0]
    systems = {**record["passage"], "systems": ["a"]}
    for field, passage in (
        ("selected..0.passage", []),
        ("selected..0.passage.context", {"genre": "news"}),
        ("systems", systems),
    ):
        damaged = {**row, "design": {**row["design"], "selected": {"": [{**record, "passage": passage}]}}}
        with pytest.raises(ValueError, match=rf"^\[{field}\] "):
            read_snapshot(damaged, Path("study.json"))


def test_translations_move_from_list_to_list(passages: Path) -> None:
    layout = make_study(design("human-evaluation", passages, size=6))
    places: dict[str, set[int]] = {}
    for task in layout.tasks:
        for place, item in enumerate(task.items):
            places.setdefault(item, set()).add(place)
    assert set(map(frozenset, places.values())) == {frozenset({0, 1, 2})}
