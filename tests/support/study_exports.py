"""Exports of a study about two pairs."""

from collections.abc import Mapping
from pathlib import Path

from pipeline.studies.model.design import Control
from pipeline.studies.model.judgements import Answer, write_judgements
from pipeline.studies.model.study import Study, Task, write_study
from pipeline.winograd.zero_forms import to_zero
from tests.support.adjudication import BLAME, HURRY, SHIFT
from tests.support.agreement import judge

REFERENCE = Control("reference", "candidate")
STARS = Control("naturalness", "rating")
REMARK = Control("comment", "text", required=False)
ITEMS = [*HURRY, *SHIFT]


def export(
    folder: Path,
    answers: Mapping[str, list[dict[str, Answer]]],
    *,
    name: str = "naturalness",
    controls: tuple[Control, ...] = (REFERENCE, STARS, REMARK),
    lang: str = "zh",
) -> None:
    """Write the export of a study; the first answer to each item is that of the rater r-0."""
    by_id = {item.id: item for item in (*ITEMS, *BLAME)}
    study = Study(name, name, lang, 1, controls, ("1",), "", "<View/>")
    tasks, judgements = [], []
    for position, (item, rows) in enumerate(answers.items(), 1):
        key = f"{name}/1/{position:03}"
        data = {"study": name, "task": key, "text": to_zero(by_id[item])["text_zero"]}
        tasks.append(Task(key, "1", position, "main", (item,), ((0, 1),), (by_id[item].answer,), data))
        judgements += [judge(tasks[-1], f"r-{number}", 3.0, **row) for number, row in enumerate(rows)]
    write_study(folder / name, study, tasks)
    write_judgements(folder / name / "judgements.jsonl", judgements)


def given(reference: int, naturalness: int) -> dict[str, Answer]:
    return {"reference": reference, "naturalness": naturalness}
