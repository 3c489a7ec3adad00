"""Reviewing a machine translation on a real server: what a person left as it was is sent too, and the reviews fill the draft."""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pipeline.core.records import write_items
from pipeline.studies.model.judgements import read_judgements
from pipeline.winograd.translation.draft import read_draft
from tests.support.browser import SIZE, Person
from tests.support.browser import browser as browser
from tests.support.commands import winoforge as command
from tests.support.deepl_server import KEY, deepl_server
from tests.support.rounds import annotate, cut_down
from tests.winograd.translation.conftest import english_items
from tools.labelstudio import Server

STUDY = Path("build/annotation/translation")


def test_a_person_reviews_an_item(
    server: Server, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {"LABEL_STUDIO_TOKEN": server.token, "PSEUDONYM_KEY": "a gate by the river"}.items():
        monkeypatch.setenv(f"WINOFORGE_{name}", value)
    monkeypatch.setenv("DEEPL_AUTH_KEY", KEY)
    items = [replace(item, candidates=("The trophy", "the suitcase")) for item in english_items(1)[:1]]
    write_items(Path("items.jsonl"), items)
    with deepl_server() as deepl:
        made = command("translate", "items.jsonl", "--out", "build/translation", "--server", deepl.address)
    assert made.returncode == 0, made.stderr
    cut_down(tmp_path, {"translation": {"id": "review", "title": "Einen Satz prüfen"}})
    annotate("design", "annotation/designs/translation.yaml", "--out", STUDY)
    annotate("push", STUDY, "--url", server.url)
    account = server.add_account("translating@localhost.invalid")
    with browser.new_context(viewport=SIZE) as context:
        page = context.new_page()
        person = Person(page, server.url)
        assert "eckige Klammern" in person.open("Einen Satz prüfen · 1", account)
        person.shows("The trophy does not fit into the suitcase because [it] is too large.")
        page.get_by_text("ja, wie er jetzt unten steht").click()
        area = page.locator(".study textarea")
        assert area.nth(0).input_value() == f"DE: {items[0].text}"
        area.nth(0).fill("Der Pokal passt nicht in die Kiste, weil [er] zu groß ist.")
        page.get_by_text("Maskulinum").nth(0).click()
        area.nth(3).fill("die Kiste")
        page.get_by_text("Femininum").nth(1).click()
        page.screenshot(path=tmp_path / "review.png", full_page=True)
        person.send()
    annotate("pull", STUDY, "--url", server.url, "--out", "export")
    (judgement,) = read_judgements(Path("export/judgements.jsonl"))
    assert judgement.answers["first"] == "DE: The trophy", "left as it was"
    done = command("translate", "items.jsonl", "--out", "build/translation", "--reviews", "export/judgements.jsonl")
    assert done.returncode == 0, done.stderr
    assert [(row.reviewed, row.gender) for row in read_draft(Path("build/translation/draft.tsv"))] == [
        ("Der Pokal passt nicht in die Kiste, weil [er] zu groß ist.", None),
        ("DE: What is too large?", None),
        ("DE: The trophy", "masc"),
        ("die Kiste", "fem"),
    ]
