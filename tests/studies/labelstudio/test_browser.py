"""A person labels in a browser by clicking, and what is pulled is what was clicked."""

import re
import struct
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from pipeline.core.files import parse_jsonl, read_text, write_jsonl
from pipeline.studies.model.judgements import read_judgements
from pipeline.studies.model.study import Task, read_study
from pipeline.winograd.readers import ingest
from pipeline.winograd.zero_forms import to_zero
from tests.conftest import ROOT
from tests.support.browser import SIZE, Person
from tests.support.browser import browser as browser
from tests.support.rounds import annotate
from tools.labelstudio import Server

STUDY = Path("build/annotation/clicked")
RECORDS = Path("build/zh/zero.jsonl")
TITLE = "点着做"
REMARK = "读着有点绕。"


@pytest.fixture(scope="module")
def tasks(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Task]]:
    """The tasks of the demo's design, pushed under a name of their own."""
    folder = tmp_path_factory.mktemp("clicked")
    annotation = folder / "annotation"
    (annotation / "designs").mkdir(parents=True)
    for name in ("configs", "guidelines"):
        (annotation / name).symlink_to(ROOT / "annotation" / name)
    design = (ROOT / "annotation" / "designs" / "demo.yaml").read_text(encoding="utf-8")
    renamed = design.replace("id: demo\n", f"id: {STUDY.name}\n").replace("title: 试做十句\n", f"title: {TITLE}\n")
    (annotation / "designs" / "clicked.yaml").write_text(renamed, encoding="utf-8")
    schemas = ROOT / "raw" / "zh" / "schemas.yaml"
    items = ingest(schemas.read_bytes(), schemas, "schema-yaml").items
    # A pronoun after 说 or 原来 can mostly be omitted. The build finds all such pronouns, but its parse trees take too long here.
    zeros = [to_zero(item) for item in items if item.text[: item.target.start].endswith(("，说", "，原来"))]
    write_jsonl(folder / RECORDS, zeros)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("WINOFORGE_LABEL_STUDIO_TOKEN", server.token)
        patch.setenv("WINOFORGE_PSEUDONYM_KEY", "a kettle on the stove")
        annotate("design", "annotation/designs/clicked.yaml", "--out", STUDY)
        annotate("push", STUDY, "--url", server.url)
        yield read_study(STUDY)[1]


def names(task: Task) -> list[str]:
    """The candidates as they are shown, from the top."""
    return [option["value"] for option in task.data["options"]]


def number(task: Task, name: str) -> int:
    """The number of a candidate in the record, whatever the order on the page."""
    (record,) = (row for _, row in parse_jsonl(read_text(RECORDS), RECORDS) if row["id"] == task.items[0])
    return record["candidates"].index(name)


def png_size(path: Path) -> tuple[int, int]:
    """Width and height in pixels (PNG specification, 11.2.2: IHDR is the first chunk)."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert data[12:16] == b"IHDR"
    return struct.unpack(">II", data[16:24])


def test_what_is_clicked_is_what_is_pulled(server: Server, tasks: list[Task], browser: Browser, tmp_path: Path) -> None:
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
        screenshot = tmp_path / "browser.png"
        context.pages[0].screenshot(path=screenshot)
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

    assert png_size(screenshot) == (SIZE["width"], SIZE["height"])
    assert screenshot.stat().st_size > 10_000  # an empty page has 3 KB
    printed = annotate("pull", STUDY, "--url", server.url, "--out", tmp_path)
    assert "2 taken, 0 superseded, 0 refused, 1 begun and not submitted" in printed
    judgements = read_judgements(tmp_path / "judgements.jsonl")
    assert [
        (judgement.task, judgement.item, dict(judgement.answers), judgement.skipped) for judgement in judgements
    ] == [
        (
            first.key,
            first.items[0],
            {"reference": number(first, names(first)[1]), "naturalness": 4, "comment": REMARK},
            False,
        ),
        (second.key, second.items[0], {"reference": number(second, names(second)[0]), "naturalness": 2}, False),
    ]
    assert all(
        judgement.lead_time is not None and 0 < judgement.lead_time < time.monotonic() - began
        for judgement in judgements
    )
    assert len({judgement.rater for judgement in judgements}) == 1
