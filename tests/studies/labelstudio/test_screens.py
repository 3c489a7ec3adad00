"""Screens in a browser: a person clicks, and what is pulled is what was clicked; every design is answered with the keys that it shows."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from pipeline.core.files import write_jsonl
from pipeline.core.model import Finding
from pipeline.studies.design.build import snapshot_of
from pipeline.studies.design.fields import Passage, StudyRecord
from pipeline.studies.design.layout import lay_out
from pipeline.studies.design.sources import read_practice
from pipeline.studies.labelstudio.pull import option_fields, read_result
from pipeline.studies.labelstudio.push import project_settings
from pipeline.studies.model.answers import NONE, joined_codes
from pipeline.studies.model.design import Control, Design, Lists, read_design
from pipeline.studies.model.judgements import Answer, read_judgements
from pipeline.studies.model.study import Study, Task
from pipeline.winograd.zero_forms import to_zero
from tests.conftest import ROOT
from tests.support.browser import NARROW, SIZE, Person
from tests.support.browser import browser as browser
from tests.support.rounds import annotate, cut_down
from tests.support.rounds import lay_out as lay_out_by_command
from tests.support.studies import kites
from tools.labelstudio import Server

# --- by clicking ------------------------------------------------------------------------------------------------------

TITLE = "点着做"
REMARK = "读着有点绕。"


def names(task: Task) -> list[str]:
    """The candidates as they are shown, from the top."""
    return [option["value"] for option in task.data["options"]]


def test_what_is_clicked_is_what_is_pulled(
    server: Server, browser: Browser, secrets: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The study is the demo, under a name of its own."""
    monkeypatch.chdir(tmp_path)
    cut_down(tmp_path, {"demo": {"id": "clicked", "title": TITLE}})
    write_jsonl(Path("build/zh/zero.jsonl"), (to_zero(kites(number)) for number in range(20)))
    folder, _, tasks = lay_out_by_command("demo")
    annotate("push", folder, "--url", server.url)
    began = time.monotonic()
    account = server.add_account("clicking@localhost.invalid")
    first, second, third = tasks[:3]
    with browser.new_context(viewport=SIZE) as context:
        person = Person(context.new_page(), server.url)
        instructions = person.open(f"{TITLE} · 1", account)
        assert "在列出的两个里选一个" in instructions
        assert "代号" in instructions

        person.shows(first.data["text"])
        assert "Ø" in first.data["text"]
        assert person.names() == names(first)
        expect(person.submit).to_be_disabled()
        person.point(4).click()
        person.submit.click()
        expect(person.warning).to_contain_text("请选择 Ø 最可能指谁。")
        person.close_warning()
        person.candidate(names(first)[1]).click()
        person.comment(REMARK)
        expect(person.point(4).locator("input")).to_be_checked()
        person.send()

        person.shows(second.data["text"])
        expect(context.pages[0].get_by_text(f"2 / {len(tasks)}", exact=True)).to_be_visible()
        person.candidate(names(second)[0]).click()
        person.submit.click()
        expect(person.warning).to_contain_text("请给这句话的自然程度打分。")
        person.close_warning()
        person.point(2).click()
        person.send()

        person.shows(third.data["text"])
        with person.saved("choices"):
            person.candidate(names(third)[1]).click()
            person.point(3).click()
        context.pages[0].reload()
        person.read_instructions()
        person.shows(third.data["text"])
        expect(person.candidate(names(third)[1]).locator("input")).to_be_checked()
        expect(person.candidate(names(third)[0]).locator("input")).not_to_be_checked()
        expect(person.point(3).locator("input")).to_be_checked()
        # Two Submits, and none of the two that were blocked, reached the server; nobody else was asked anything.
        assert sum(bool(re.match(r"POST \S+/annotations", request)) for request in person.asked) == 2
        assert [
            request
            for request in person.asked
            if not request.split(" ")[1].startswith((f"{server.url}/", "data:", "blob:"))
        ] == []

    printed = annotate("pull", folder, "--url", server.url, "--out", "out")
    assert "2 taken, 0 superseded, 0 refused, 1 begun and not submitted" in printed
    judgements = read_judgements(Path("out/judgements.jsonl"))
    assert [
        (judgement.task, judgement.item, dict(judgement.answers), judgement.skipped) for judgement in judgements
    ] == [
        (
            first.key,
            first.items[0],
            {"reference": first.options[0][1], "naturalness": 4, "comment": REMARK},
            False,
        ),
        (second.key, second.items[0], {"reference": second.options[0][0], "naturalness": 2}, False),
    ]
    assert all(
        judgement.lead_time is not None and 0 < judgement.lead_time < time.monotonic() - began
        for judgement in judgements
    )
    assert len({judgement.rater for judgement in judgements}) == 1


# --- with keys --------------------------------------------------------------------------------------------------------

#: The design of each config that has its name; of the two forms, which differ in their words alone, the Chinese one.
DESIGNS = [
    path
    for path in sorted((ROOT / "annotation" / "designs").glob("*.yaml"))
    if path.stem == read_design(path).config.stem and path.stem != "background-en"
]
#: What is on the screen: the groups of choices and the boxes in their order, hidden ones too; where they stand below the top.
STATE = """async () => {
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    const study = document.querySelector(".study");
    const place = (element) => {
        const seen = element.checkVisibility({visibilityProperty: true});
        return seen ? Math.round(element.getBoundingClientRect().top - study.getBoundingClientRect().top) : null;
    };
    return {
        groups: [...study.querySelectorAll(".lsf-choices")].map((group) => ({
            place: place(group),
            keys: [...group.querySelectorAll(".lsf-choice__item")].map((item) => item.querySelector(".lsf-hint")?.innerText),
            chosen: [...group.querySelectorAll("input")].flatMap((input, number) => input.checked ? [number] : []),
        })),
        boxes: [...study.querySelectorAll("[data-testid=textarea-control]")].map(place),
        feedback: [...study.querySelectorAll(".after")].filter((view) => place(view) !== null).map((view) => view.textContent),
        right: Math.max(...[...study.querySelectorAll("*")].map((element) => element.getBoundingClientRect().right)),
    };
}"""


def screens_of(design: Design) -> tuple[Study, list[Task]]:
    """Return the study of a design with one screen of its practice, if it has some, and one of invented records."""
    passage = Passage(
        genre="新闻", context="下雨了。", oracle="【她】没带。", reference="She had none.", systems=("x", "y")
    )
    records = [
        StudyRecord(
            item=kites(2 * number),
            finding=Finding("zh/made-up", "other", None, "made up", {}),
            own=0,
            doubt="阿菊 1 · 小舟 1",
            trace="1. The kite is lent.\n2. B",
            original=("Aju lent the kite.", "Who?", "Aju", "Xiaozhou", "", "", "")[
                : 7 if design.source == "form" else 4
            ],
            passage=passage,
        )
        for number in range(design.screen)
    ]
    selected, lists = {"": records}, Lists("all")
    if design.lists.scheme == "rotated":
        item = replace(records[0].item, candidates=("She had none.", "He had none.", "Had none."))
        three = replace(passage, systems=("x", "y", "z"))
        selected, lists = {"": [replace(records[0], item=item, passage=three)]}, Lists("rotated", size=1)
    practice = read_practice(design.practice, design.lang)[: design.screen] if design.practice else []
    snapshot = replace(snapshot_of(design, selected), practice=tuple(practice), attention=())
    layout = lay_out(replace(design, lists=lists, id=f"screen-{design.id}", title=f"Screen: {design.id}"), snapshot)
    return layout.study, list(layout.tasks)


@pytest.fixture(scope="module")
def page(server: Server, browser: Browser) -> Iterator[Page]:
    """A page on which somebody is logged in."""
    with browser.new_context(viewport=SIZE) as context:
        person = Person(context.new_page(), server.url)
        person.log_in(server.add_account("screens@localhost.invalid"))
        yield person.page


@pytest.mark.parametrize("path", DESIGNS, ids=lambda path: path.stem)
def test_keys_answer_what_they_say_and_nothing_moves(path: Path, server: Server, page: Page) -> None:
    design = read_design(path)
    study, tasks = screens_of(design)
    with httpx.Client(
        base_url=server.url, trust_env=False, timeout=60, headers={"Authorization": f"Token {server.token}"}
    ) as client:
        settings = project_settings(study, "1") | {"show_instruction": False}
        project = client.post("/api/projects", json=settings).raise_for_status().json()["id"]
        data = [{"data": dict(task.data)} for task in tasks]
        client.post(f"/api/projects/{project}/import", json=data).raise_for_status()
        page.goto(f"{server.url}/projects/{project}/data?labeling=1", wait_until="commit")
        expected = []
        for task in tasks:
            page.wait_for_function("key => window.Htx?.task?.dataObj?.task === key", arg=task.key)
            expected.append(answered(page, study, task))
            with page.expect_response(lambda response: "/annotations" in response.url, timeout=20_000) as sent:
                page.keyboard.press("Control+Enter")
            assert sent.value.status == 201
        export = client.get(f"/api/projects/{project}/export?exportType=JSON").raise_for_status().json()
    results = {entry["data"]["task"]: entry["annotations"][0]["result"] for entry in export}
    fields = option_fields(study)
    assert [read_result(study, task, fields, results[task.key]) for task in tasks] == expected


def answered(page: Page, study: Study, task: Task) -> list[dict[str, Any]]:
    """Answer a screen with the keys that it shows, and return what `read_result` should make of it."""
    tags = [tag for tag in fromstring(study.config).iter() if tag.get("toName")]
    groups = [tag.get("name", "") for tag in tags if tag.tag == "Choices"]
    boxes = [tag.get("name", "") for tag in tags if tag.tag == "TextArea"]
    expect(page.locator(".study .lsf-choices")).to_have_count(len(groups))
    numbers = range(study.screen)
    controls = {study.control_name(control, place): (control, place) for place in numbers for control in study.controls}
    answers: list[dict[str, Any]] = [{} for _ in task.items]
    marks: list[str] = []
    state = page.evaluate(STATE)
    shown = [key for group in state["groups"] for key in group["keys"]]
    assert len(set(shown)) == len(shown), "each key once"
    for group, name in enumerate(groups):
        if state["groups"][group]["place"] is not None:
            control, place = controls[name]
            answers[place][control.name], state = pressed(page, task, control, place, group, marks, state)
    for box, name in enumerate(boxes):
        if state["boxes"][box] is not None:
            control, place = controls[name]
            answers[place][control.name] = typed(page, box, last=not groups)
    page.set_viewport_size(NARROW)
    expect(page.get_by_test_id("bottombar-submit-button")).to_be_in_viewport(ratio=1)
    assert page.evaluate(STATE)["right"] <= NARROW["width"]
    page.set_viewport_size(SIZE)
    return answers


def pressed(
    page: Page, task: Task, control: Control, place: int, group: int, marks: list[str], before: Any
) -> tuple[Answer, Any]:
    """Press the key of each option of a group: it chooses this option, changes no other group, and moves nothing.

    If an option brings further questions, it is pressed again in the end.

    Returns:
        The answer of the last option, and the state of the screen.
    """
    points = range(control.low, control.high + 1)
    codes = [str(point) for point in points] if control.kind == "rating" else control.choices
    keys = [key.strip("[]") for key in before["groups"][group]["keys"]]
    if control.kind == "rating" and len(task.items) == 1:
        assert keys == codes, "digits rate"
    chosen: list[int] = []
    answer: Answer = ""
    visible: dict[int, int] = {}
    options = [option for option in range(len(keys)) if control.kind != "choices" or codes[option] != NONE]
    while options:
        option, key = options[0], keys[options[0]]
        chosen = [*chosen, option] if control.kind == "choices" else [option]
        answer = task.options[place][option] if control.kind == "candidate" else codes[option]
        if task.phase == "practice" and (mark := mark_of(task, control, place, answer)) is not None:
            marks[place:] = [mark]
        page.keyboard.press(key)
        expected = [row["chosen"] for row in before["groups"]]
        expected[group] = chosen
        after = state_with(page, expected, marks)
        for was, stands in zip(places(before), places(after), strict=True):
            assert None in (was, stands) or was == stands, key
        before = after
        visible[option] = sum(stands is not None for stands in places(after))
        # In the end the option that asks most further questions.
        most = max(visible, key=lambda number: (visible[number], number))
        options = options[1:] or ([most] if visible[most] > visible[option] else [])
    if control.kind == "choices":
        return joined_codes([codes[option] for option in chosen], control.choices), before
    return int(answer) if control.kind == "rating" else answer, before


def mark_of(task: Task, control: Control, place: int, answer: Answer) -> str | None:
    """Return how practice marks an answer: right, wrong, or explained alone; None for a question without a right answer."""
    if control.kind == "candidate":
        return "✓" if answer == task.gold[place] else "✗"
    if {"yes", "no"} <= set(control.choices) and control.name != "grammatical":
        right = "yes" if task.items[place].endswith(f"/{task.gold[place]}") else "no"
        return "" if answer == "not-sure" else "✓" if answer == right else "✗"
    return "" if control.kind == "choices" else None


def state_with(page: Page, chosen: list[list[int]], marks: list[str]) -> Any:
    """Wait until these options of the groups are chosen and answers are marked like this, and return what is on the screen."""
    give_up = time.monotonic() + 10
    while True:
        state = page.evaluate(STATE)
        seen = (
            [group["chosen"] for group in state["groups"]],
            [text[0] if text[0] in "✓✗" else "" for text in state["feedback"]],
        )
        if seen == (chosen, marks):
            return state
        assert time.monotonic() < give_up, (seen, chosen, marks)


def places(state: Any) -> list[int | None]:
    """Where everything stands; None for what is hidden."""
    return [*(group["place"] for group in state["groups"]), *state["boxes"]]


def typed(page: Page, number: int, *, last: bool) -> str:
    """Type into a box that is empty, and return what it holds. Enter ends a line that is the only answer."""
    box = page.locator(".study [data-testid=textarea-control]").nth(number).locator("textarea, input")
    if not box.input_value():
        box.press_sequentially("her")
    text = box.input_value()
    if last:
        box.press("Enter")
    else:
        box.blur()
    return text
