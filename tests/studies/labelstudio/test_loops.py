"""The loops of Mandarinograd and of WSC-ZA, each to its last step on a real server: what people mend is asked again."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipeline.core.files import write_jsonl
from pipeline.core.records import read_items, write_items
from pipeline.release.people import judged_items
from pipeline.studies.judgements import Answer, read_judgements
from pipeline.studies.study import Task, read_study
from pipeline.winograd.adjudication.table import judged_text, read_adjudications
from pipeline.winograd.zero_forms import to_zero
from tests.conftest import ROOT
from tests.support.adjudication import HURRY, SHIFT
from tests.support.annotators import Annotator, results
from tests.support.commands import app
from tests.support.labelstudio import delete_projects
from tools.labelstudio import Account, Server

#: The item that raters doubt, and what they make of it.
DOUBTED = HURRY[0]
MENDED = judged_text(DOUBTED).replace("赶时间", "赶火车")
ITEMS = [*HURRY, *SHIFT]
#: How the designs are cut down: two lists or more, two practice sentences, one sentence on a screen.
LISTS = {
    "questionnaire": "{scheme: balanced, count: 2}",
    "naturalness": "{scheme: subsets, count: 3}",
    "questionnaire-again": "{scheme: subsets, count: 2}",
    "naturalness-again": "{scheme: subsets, count: 2}",
    **dict.fromkeys(("consensus", "explanations"), "{scheme: all}"),
    "verification": "{scheme: raters}",
}
#: What a rater answers: the task and the number of the rater, from 0.
Answers = Callable[[Task, int], dict[str, Answer]]


def winoforge(*arguments: object, status: int = 0) -> str:
    result = CliRunner().invoke(app, list(map(str, arguments)))
    assert result.exit_code == status, (result.output, result.stderr, result.exception)
    return result.output


@pytest.fixture
def room(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The small designs, a collection of two pairs before people decide, and what the commands need."""
    designs = tmp_path / "annotation" / "designs"
    designs.mkdir(parents=True)
    for name in ("configs", "guidelines"):
        (tmp_path / "annotation" / name).symlink_to(ROOT / "annotation" / name)
    (tmp_path / "annotation" / "practice").mkdir()
    for path in (ROOT / "annotation" / "practice").glob("zh*.yaml"):
        few = path.read_text(encoding="utf-8").split("\n- ")[:3]
        (tmp_path / "annotation" / "practice" / path.name).write_text("\n- ".join(few) + "\n", encoding="utf-8")
    for name, lists in LISTS.items():
        text = (ROOT / "annotation" / "designs" / f"{name}.yaml").read_text(encoding="utf-8")
        text = re.sub("^(screen|attention|criteria): .*\n", "", text, flags=re.M)
        (designs / f"{name}.yaml").write_text(
            re.sub("^lists: .*$", f"lists: {lists}", text, flags=re.M), encoding="utf-8"
        )
    zh = tmp_path / "build" / "zh"
    for name in ("items", "modified"):
        write_items(zh / f"{name}.jsonl", ITEMS)
    write_jsonl(zh / "zero-before.jsonl", map(to_zero, ITEMS))
    for name in ("decisions", "modified-rejected"):
        write_jsonl(zh / f"{name}.jsonl", [])
    delete_projects(server, lambda mark: mark.study in LISTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WINOFORGE_LABEL_STUDIO_TOKEN", server.token)
    monkeypatch.setenv("WINOFORGE_PSEUDONYM_KEY", "a lantern in the fog")
    yield tmp_path


@pytest.fixture(scope="module")
def people(server: Server) -> list[Account]:
    return [server.add_account(f"loop{number}@localhost.invalid") for number in range(3)]


def judged(server: Server, people: list[Account], name: str, answers: Answers, *after: object) -> str:
    """Lay out, push, judge and pull a study; return what `design` printed. A subset, and a list named after a rater, is of one rater."""
    folder = Path("build/annotation") / name
    printed = winoforge("annotate", "design", f"annotation/designs/{name}.yaml", *after, "--out", folder)
    winoforge("annotate", "push", folder, "--url", server.url)
    study, tasks = read_study(folder)
    owners = RATERS if study.layout.scheme == "raters" else study.lists if study.layout.scheme == "subsets" else ()
    own = {name: (number,) for number, name in enumerate(owners)} or dict.fromkeys(study.lists, range(len(people)))
    for number, account in enumerate(people):
        with Annotator(server, account) as annotator:
            for name_of_list in [name for name in study.lists if number in own[name]]:
                posted = annotator.tasks(f"{study.title} · {name_of_list}")
                for task in (task for task in tasks if task.list == name_of_list):
                    annotator.submit(posted[task.key], results(study, task, [answers(task, number)]), 5.0)
    winoforge("annotate", "pull", folder, "--url", server.url, "--out", Path("annotation/exports") / name)
    return printed


#: The pseudonyms of the raters, by their numbers; `know` fills it.
RATERS: list[str] = []


def know(name: str, control: str) -> None:
    """Order the raters' pseudonyms as the raters, who answer the practice sentences each in another way."""
    RATERS[:] = sorted(
        {judgement.rater for judgement in read_judgements(export(name))}, key=lambda rater: marks(name, control, rater)
    )


def marks(name: str, control: str, rater: str) -> list[str]:
    return [
        f"{judgement.task} {judgement.answers[control]}"
        for judgement in read_judgements(export(name))
        if judgement.rater == rater and judgement.phase == "practice"
    ]


def export(name: str) -> Path:
    return Path("annotation/exports") / name / "judgements.jsonl"


def decide(study: str) -> None:
    """Take the decisions of a study over, as `make build` does."""
    zh = Path("build/zh")
    printed = winoforge(
        "annotate", "adjudicate", f"annotation/exports/{study}", "--judgements", export(study),
        "--records", zh / "modified.jsonl", "--decisions", "annotation/decisions.tsv",
    )  # fmt: skip
    assert f"{study}: 1 item: 1 decided + 0 open + 0 settled otherwise" in printed
    assert [(row.item, row.action, row.value) for row in read_adjudications(Path("annotation/decisions.tsv"))] == [
        (DOUBTED.id, "modify", MENDED)
    ]
    winoforge(
        "annotate", "apply", zh / "modified.jsonl", "--rejected", zh / "modified-rejected.jsonl",
        "--decisions", "annotation/decisions.tsv", "--out", zh / "adjudicated.jsonl",
        "--rejected-out", zh / "adjudicated-rejected.jsonl", "--ledger", zh / "adjudications.jsonl",
    )  # fmt: skip
    winoforge("zero", zh / "adjudicated.jsonl", "--out", zh / "zero.jsonl")


def agreed(name: str, *more: object) -> str:
    return winoforge(
        "annotate", "agree", f"annotation/exports/{name}", "--judgements", export(name), "--out", f"build/report/{name}",
        "--resamples", 20, *more,
    )  # fmt: skip


def asked(name: str) -> list[str]:
    _, tasks = read_study(Path("build/annotation") / name)
    return sorted({item for task in tasks if task.phase == "main" for item in task.items})


def people_on_the_card() -> dict[str, int]:
    people = judged_items(Path("annotation/exports"), read_items(Path("build/zh/zero.jsonl"), zero_forms=True))
    return {name: people[name] for name in ("items", "judged", "changed")}


def right(task: Task, control: str) -> dict[str, Answer]:
    return {control: task.gold[0] or 0}


def test_mandarinograd_from_the_questionnaire_to_the_mended_item(
    server: Server, people: list[Account], room: Path
) -> None:
    def first(task: Task, rater: int) -> dict[str, Answer]:
        # In practice the answers tell the raters apart; later the raters 0 and 1 doubt an item, and the rater 0 slips at another.
        doubts = {DOUBTED.id: (0, 1), SHIFT[0].id: (0,)}.get(task.items[0], ())
        if task.phase == "practice":
            return {"answer": int(rater > (task.position - 1) % 2)}
        return {"answer": 1 - (task.gold[0] or 0)} if rater in doubts else right(task, "answer")

    judged(server, people, "questionnaire", first)
    know("questionnaire", "answer")
    slips = {"verdict": "withdraw"}, {"verdict": "explain", "reason": "赶时间的人也会被催"}
    judged(
        server, people, "verification", lambda task, _: dict(slips[task.items[0] == DOUBTED.id]),
        "--judgements", export("questionnaire"),
    )  # fmt: skip
    # Three raters and four items are 12 answers: 9 expected before, 10 after; two explanations are left.
    printed = agreed("questionnaire", "--verification", "annotation/exports/verification")
    assert "expected answers: 9 of 12 (75.0 %) before and 10 of 12 (83.3 %) after reconsideration" in printed
    assert "3 disagreements = 1 withdrawn + 2 explained + 0 open" in printed
    page = Path("build/report/questionnaire/index.html").read_text(encoding="utf-8")
    assert "Before and after reconsideration" in page
    figures = json.loads(Path("build/report/questionnaire/figures.json").read_text(encoding="utf-8"))
    (row,) = [row for row in figures["published"] if row["what"].endswith("after reconsideration")]
    assert (row["printed"], row["ours"]) == ("0.97", "0.833")
    printed = judged(
        server, people, "explanations", lambda *_: {"decision": "modify", "modified": MENDED},
        "--judgements", export("verification"),
    )  # fmt: skip
    _, (task,) = read_study(Path("build/annotation/explanations"))
    assert (task.data["doubt"], task.data["mate_right"], task.data["editable"]) == (
        "赶时间的人也会被催", "小柳", judged_text(DOUBTED),
    )  # fmt: skip
    decide("explanations")
    assert people_on_the_card() == {"items": 4, "judged": 3, "changed": 1}
    judged(
        server,
        people,
        "questionnaire-again",
        lambda task, _: right(task, "answer"),
        "--judgements",
        export("questionnaire"),
    )
    assert asked("questionnaire-again") == [DOUBTED.id]
    assert "micro 1.000" in agreed("questionnaire-again")
    assert people_on_the_card() == {"items": 4, "judged": 4, "changed": 0}


def test_wsc_za_from_the_ratings_to_the_mended_item(server: Server, people: list[Account], room: Path) -> None:
    def rated(stars: int) -> Answers:
        return lambda task, _: {**right(task, "reference"), "naturalness": stars if task.items[0] == DOUBTED.id else 5}

    judged(server, people, "naturalness", rated(2))
    judged(
        server, people, "consensus", lambda *_: {"decision": "modify", "modified": MENDED},
        "--judgements", export("naturalness"),
    )  # fmt: skip
    assert asked("consensus") == [DOUBTED.id]
    decide("consensus")
    judged(server, people, "naturalness-again", rated(5), "--judgements", export("naturalness"))
    assert asked("naturalness-again") == [DOUBTED.id]
    figures = agreed("naturalness-again")
    assert "0 items to review first" in figures
    assert people_on_the_card() == {"items": 4, "judged": 4, "changed": 0}
