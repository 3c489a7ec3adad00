"""A study with made-up answers, and the command `annotate agree` run on it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from pipeline.studies.model.design import Control
from pipeline.studies.model.judgements import Answer, Judgement, write_judgements
from pipeline.studies.model.study import Study, Task, write_study
from tests.support.commands import app

REFERENCE = Control("reference", "candidate")
NATURALNESS = Control("naturalness", "rating")
COMMENT = Control("comment", "text", required=False)
VERDICT = Control("verdict", "choice", choices=("agree", "keep", "other"))
#: Pairs of original sentences with the candidates, the first of which is meant in the first member.
SENTENCES = (
    (("老李把伞借给了老王，因为Ø家就在附近。", "老李把伞借给了老王，因为Ø没带雨衣。"), ("老李", "老王")),
    (("小何给小苏打了电话，想Ø早点道歉。", "小何给小苏打了电话，问Ø几点下班。"), ("小何", "小苏")),
    (("店主劝客人别急，Ø马上就去取货。", "店主劝客人别急，Ø坐下喝杯茶吧。"), ("店主", "客人")),
)


def make_study(*controls: Control, lists: tuple[str, ...] = ("1",), screen: int = 1) -> Study:
    return Study("natural", "自然度", "zh", screen, controls, lists, "<p>请阅读句子。</p>", "<View/>")


def items(pairs: int) -> list[tuple[str, int, dict[str, Any]]]:
    """Ids with the number of the right candidate and the data of a task, without the order of its candidates."""
    result = []
    for pair in range(pairs):
        texts, candidates = SENTENCES[pair % len(SENTENCES)]
        for member in (0, 1):
            name = f"zh-{pair + 1:02}-{'ab'[member]}"
            result.append((name, member, {"text": texts[member], "names": candidates}))
    return result


def make_task(number: int, item: tuple[str, int, Mapping[str, Any]], *, name: str = "1", phase: str = "main") -> Task:
    """A task of one item. Every second pair of tasks shows the candidates in reverse order."""
    key, gold, shown = item
    options = (1, 0) if number % 4 in (2, 3) else (0, 1)
    shown_names = [{"value": shown["names"][number]} for number in options]
    data = {"study": "natural", "task": f"natural/{name}/{number:03}", "text": shown["text"], "options": shown_names}
    return Task(data["task"], name, number, phase, (key,), (options,), (gold,), data)


def judge(
    task: Task, rater: str, lead_time: float | None = None, place: int = 0, *, skipped: bool = False, **answers: Answer
) -> Judgement:
    """What a rater answered about the item at a place on the screen of a task."""
    study = task.key.partition("/")[0]
    return Judgement(study=study, list=task.list, task=task.key, item=task.items[place], phase=task.phase, rater=rater,
                     answers=answers, lead_time=lead_time, skipped=skipped)  # fmt: skip


def agree(folder: Path, study: Study, tasks: Sequence[Task], judgements: Iterable[Judgement], *options: str) -> Result:
    """Write a study with its export, and run the command on them."""
    write_study(folder / "study", study, tasks)
    write_judgements(folder / "judgements.jsonl", judgements)
    named = [f"--judgements={folder / 'judgements.jsonl'}", f"--out={folder / 'report'}", "--resamples=40"]
    return CliRunner().invoke(
        app, ["annotate", "agree", str(folder / "study"), *named, *options], catch_exceptions=False
    )


def measure(
    folder: Path, study: Study, tasks: Sequence[Task], judgements: Iterable[Judgement], *options: str
) -> dict[str, Any]:
    """Return the figures that the command writes without a finding."""
    run = agree(folder, study, tasks, judgements, *options)
    assert run.exit_code == 0, run.output
    return figures_of(folder)


def figures_of(folder: Path) -> dict[str, Any]:
    report = json.loads((folder / "report" / "figures.json").read_text(encoding="utf-8"))
    assert isinstance(report, dict)
    return report


def simulated(wrong: Sequence[int], pairs: int = 30) -> tuple[Study, list[Task], list[Judgement]]:
    """A study in one list in which the raters err on as many items as `wrong` says, all over the list."""
    tasks = [make_task(number, item) for number, item in enumerate(items(pairs), 1)]
    judgements = []
    for rater, errors in enumerate(wrong):
        for number, task in enumerate(tasks):
            gold = task.gold[0]
            assert gold is not None
            errs = (7 * number + 11 * rater) % len(tasks) < errors  # 7 has no factor in common with 60
            rating = 5 - (number + rater) % 2 - 2 * errs
            judgements.append(
                judge(task, f"r-{rater}", 5.0 + number, reference=1 - gold if errs else gold, naturalness=rating)
            )
    return make_study(REFERENCE, NATURALNESS, COMMENT), tasks, judgements
