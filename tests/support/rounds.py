"""Rounds of our designs: laid out small, sent to a real server, answered by raters whose errors are known, pulled and reported."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.core.convert import convert
from pipeline.core.model import Record
from pipeline.release.people import judged_items
from pipeline.studies.agreement.items import COLUMNS, ItemRow, item_cells
from pipeline.studies.model.design import Control
from pipeline.studies.model.judgements import Answer, Judgement, read_judgements
from pipeline.studies.model.study import Study, Task, read_study
from tests.conftest import ROOT
from tests.support.annotators import Annotator, results
from tests.support.commands import printed as run
from tools.labelstudio import Account, Server

ANNOTATION = ROOT / "annotation"
#: Each rater errs at every tenth, every fifth or every second item of a study. So of ten items, three raters answer 9 + 8 + 5 = 22 of
#: 30 rightly (0.7333). At the items 2, 4, 5, 6 and 8 one of them errs, so that one of three pairs of raters agrees; at 10 all err, at
#: the others nobody does, so that all pairs agree: (5 / 3 + 5) / 10 = 0.6667.
ERRS_AT = (10, 5, 2)
RIGHT, AGREEMENT = 0.7333, 0.6667
#: A rating is 5, by a rater who errs 2: (22 * 5 + 8 * 2) / 30.
MEAN = 4.2
#: Of 60 answers with two codes 44 are right. A third of the pairs of raters disagree, by chance 2 * 44 * 16 / (60 * 59) would: 0.3977.
#: 1 - 0.3333 / 0.3977.
ALPHA = 0.1619
#: Three raters of each list, and three of the lists that mirror others.
RATERS = 2 * len(ERRS_AT)
#: Seconds that the first rater takes for a task; each of the others takes one more, which tells their pseudonyms apart.
SECONDS = 5.0
#: What a rater answers to an item: the study, the task, the place on its screen, whether the rater errs, and the number of the rater.
Answers = Callable[[Study, Task, int, bool, int], Mapping[str, Answer]]


def annotate(*arguments: object, status: int = 0) -> str:
    """Run a command of `winoforge annotate` in this process, and return what it prints."""
    return run("annotate", *arguments, status=status)


def cut_down(folder: Path, designs: Mapping[str, Mapping[str, str]]) -> None:
    """Write designs of ours into a folder, with one sentence of practice (of Chinese two: a small screen) and one attention item.

    Args:
        designs: for each design the keys that are other than in ours.
    """
    annotation = folder / "annotation"
    for name in ("designs", "practice", "attention"):
        (annotation / name).mkdir(parents=True)
    for name in ("configs", "guidelines", "forms"):
        (annotation / name).symlink_to(ANNOTATION / name)
    for path in (*(ANNOTATION / "practice").glob("*.yaml"), *(ANNOTATION / "attention").glob("*.yaml")):
        number = 2 if path.parts[-2:] == ("practice", "zh.yaml") else 1
        entries = path.read_text(encoding="utf-8").split("\n- ")[: number + 1]
        (annotation / path.parent.name / path.name).write_text("\n- ".join(entries) + "\n", encoding="utf-8")
    for name, keys in designs.items():
        text = (ANNOTATION / "designs" / f"{name}.yaml").read_text(encoding="utf-8")
        for key, value in keys.items():
            text, replaced = re.subn(f"^{key}: .*$", f"{key}: {value}", text, flags=re.M)
            assert replaced == 1, (name, key)
        (annotation / "designs" / f"{name}.yaml").write_text(text, encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Round:
    """A study that raters have answered."""

    study: Study
    tasks: Sequence[Task]
    judgements: Sequence[Judgement]  # what was pulled
    raters: Sequence[str]  # the pseudonyms of the raters, in the order of their accounts
    printed: str  # what `agree` printed
    figures: Mapping[str, Any]  # what `agree` wrote into figures.json

    @property
    def items(self) -> list[str]:
        """The ids of the items of the main tasks."""
        return main_items(self.tasks)


def main_items(tasks: Iterable[Task]) -> list[str]:
    """Return the ids of the items of main tasks, in order."""
    return sorted({item for task in tasks if task.phase == "main" for item in task.items})


def export_of(name: str) -> Path:
    return Path("annotation/exports") / name


def judgements_of(name: str) -> Path:
    return export_of(name) / "judgements.jsonl"


def lay_out(name: str, *after: object) -> tuple[Path, Study, list[Task]]:
    """Lay a design out with the command, and return its folder and what it wrote."""
    folder = Path("build/annotation") / name
    annotate("design", f"annotation/designs/{name}.yaml", *after, "--out", folder)
    return folder, *read_study(folder)


def carry(
    server: Server, accounts: Sequence[Account], name: str, answers: Answers, *after: object, owners: Sequence[str] = ()
) -> Round:
    """Lay out a design, push it, let raters answer it, pull and report it.

    Args:
        after: more arguments of `annotate design`.
        owners: the pseudonyms of the raters, in the order of their accounts, if lists are named after them.
    """
    folder, study, tasks = lay_out(name, *after)
    annotate("push", folder, "--url", server.url)
    submitted = work(server, accounts, study, tasks, answers, owners)
    export, path = export_of(name), judgements_of(name)
    annotate("pull", folder, "--url", server.url, "--out", export)
    assert read_study(export) == (study, tasks)
    judgements = read_judgements(path)
    raters = check_pulled(judgements, submitted)
    printed = annotate("agree", export, "--judgements", path, "--out", export, "--resamples", 20)
    figures = json.loads((export / "figures.json").read_text(encoding="utf-8"))
    return Round(study, tasks, judgements, raters, printed, figures)


#: What raters submitted: task, item and number of the rater.
Submitted = Mapping[tuple[str, str, int], Mapping[str, Answer]]


def work(
    server: Server,
    accounts: Sequence[Account],
    study: Study,
    tasks: Sequence[Task],
    answers: Answers,
    owners: Sequence[str] = (),
) -> Submitted:
    """Let raters answer their lists: three answer each list, or the one rater after whom it is named; return what they submit.

    Each submits the first task as the page does, the others together.
    """
    ranks = {item: rank for rank, item in enumerate(main_items(tasks), 1)}
    submitted: dict[tuple[str, str, int], Mapping[str, Answer]] = {}
    with Annotator(server, accounts[0]) as annotator:
        projects = {name: annotator.project(f"{study.title} · {name}") for name in study.lists}
        posted = {key: number for project in projects.values() for key, number in annotator.tasks_of(project).items()}
    for number, account in enumerate(accounts):
        sent: dict[int, list[dict[str, Any]]] = {}
        lists = [name for name in study.lists if number in raters_of(study, name, owners)]
        for task in (task for task in tasks if task.list in lists):
            screen = []
            for place, item in enumerate(task.items):
                wrong = task.phase == "main" and ranks[item] % ERRS_AT[number % len(ERRS_AT)] == 0
                screen.append(dict(answers(study, task, place, wrong, number)))
                submitted[task.key, item, number] = screen[-1]
            sent[posted[task.key]] = results(study, task, screen)
        with Annotator(server, account) as annotator:
            for name in lists:
                first, *others = [posted[task.key] for task in tasks if task.list == name]
                if name == lists[0]:
                    annotator.submit(first, sent[first], SECONDS + number)
                else:
                    others = [first, *others]
                if others:
                    annotator.submit_together(projects[name], {key: sent[key] for key in others})
    return submitted


def raters_of(study: Study, name: str, owners: Sequence[str]) -> Sequence[int]:
    """Return the numbers of the raters of a list."""
    if study.layout.scheme == "raters":
        return [owners.index(name)]
    first = len(ERRS_AT) if study.layout.mirrored and name.endswith("m") else 0
    return range(first, first + len(ERRS_AT))


def check_pulled(judgements: Sequence[Judgement], submitted: Submitted) -> list[str]:
    """Check that the pulled judgements are those that were submitted; return the pseudonym of each rater, in order."""
    numbers = {row.rater: round(row.lead_time - SECONDS) for row in judgements if row.lead_time is not None}
    assert len(set(numbers.values())) == len(numbers)
    pulled = {(row.task, row.item, numbers[row.rater]): dict(row.answers) for row in judgements}
    assert pulled == submitted
    assert len(judgements) == len(submitted)
    return sorted(numbers, key=numbers.__getitem__)


def usual(
    study: Study, task: Task, place: int, wrong: bool, _: int, forms: Mapping[str, str] | None = None
) -> dict[str, Answer]:
    """Return what raters answer if nothing else is agreed; `forms`: the words that fill the blank of an item."""
    return {
        control.name: _answer(control, task, place, wrong, forms or {})
        for control in study.controls
        if control.required or (control.kind == "labelled" and wrong)
    }


def _answer(control: Control, task: Task, place: int, wrong: bool, forms: Mapping[str, str]) -> Answer:
    item, gold = task.items[place], task.gold[place]
    if control.kind == "candidate":
        return ((gold or 0) + wrong) % len(task.options[place])
    if control.kind == "rating":
        return 2 if wrong else 5
    if control.name in ("refers", "follows"):  # about one entity, whose number ends the id
        return "yes" if item.endswith(f"/{gold}") != wrong else "no"
    if control.kind in ("choice", "choices"):
        return control.choices[wrong]
    if control.kind == "labelled":
        return f"<他>_S{task.data['text']}"
    return "wrong" if wrong else forms.get(item, f"a text for {control.name}")


def released(name: str, items: Iterable[Record], others: Iterable[str] = ()) -> dict[str, tuple[Any, ...]]:
    """Return what a release says about a study; check that its items have the values of items.tsv.

    Args:
        items: the released items.
        others: the ids of rejected records.

    Returns:
        For each question raters, items, answers, agreement, share of right answers and mean, as on the card; and, without a name, the
        number of items that were judged as they are released. Nothing if the release does not have the study.
    """
    people = judged_items(export_of(name).parent, items, set(others))
    of_study = [row for row in people.get("by_item", ()) if row["study"] == name]
    rows = [item_cells(convert({key: row[key] for key in COLUMNS}, ItemRow)) for row in of_study]
    table = (export_of(name) / "items.tsv").read_text(encoding="utf-8").splitlines()
    assert {"\t".join(cells) for cells in rows} <= set(table)
    columns = ("raters", "items", "answers", "agreement", "right", "mean")
    shown = {
        row["question"]: tuple(row[key] for key in columns) for row in people.get("studies", ()) if row["study"] == name
    }
    return shown | ({"": (len(rows),)} if shown or rows else {})
