"""The cloze study on a real server: a person answers a list with the keys, and the answers become the results of an experiment."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from pipeline.core.files import read_text, write_text
from pipeline.experiment.browser.results.tables import read_results
from pipeline.studies.model.study import Study, Task, read_study
from tests.conftest import ROOT
from tests.support.browser import SIZE, Person
from tests.support.browser import browser as browser
from tests.support.rounds import annotate
from tests.support.small_cloze import small_cloze
from tools.labelstudio import Server

STUDY = Path("build/annotation/cloze")
PRONOUNS = ["er", "sie", "es"]


@pytest.fixture(scope="module")
def study(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Study, list[Task]]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(small_cloze(tmp_path_factory.mktemp("cloze"), ROOT))
        # `test_roundtrip` has sent a study of this design to the same server.
        design = read_text(Path("annotation/designs/cloze.yaml"))
        own = re.sub(
            "^title: .*", "title: Wenige Lücken", re.sub("^id: .*", "id: few-gaps", design, flags=re.M), flags=re.M
        )
        write_text(Path("annotation/designs/cloze.yaml"), own)
        patch.setenv("WINOFORGE_LABEL_STUDIO_TOKEN", server.token)
        patch.setenv("WINOFORGE_PSEUDONYM_KEY", "a boat in the reeds")
        annotate("design", "annotation/designs/cloze.yaml", "--out", STUDY)
        annotate("push", STUDY, "--url", server.url)
        yield read_study(STUDY)


def test_a_list_is_answered_with_the_keys_and_analysed(
    server: Server, study: tuple[Study, list[Task]], browser: Browser
) -> None:
    account = server.add_account("gaps@localhost.invalid")
    tasks = [task for task in study[1] if task.list == "1"]
    assert [task.phase for task in tasks].count("main") == 2
    assert {task.phase for task in tasks} == {"practice", "main", "filler"}
    with browser.new_context(viewport=SIZE) as context:
        page = context.new_page()
        person = Person(page, server.url)
        instructions = person.open(f"{study[0].title} · 1", account)
        assert "Pseudonym" in instructions
        for number, task in enumerate(tasks):
            person.shows(task.data["text"])
            assert person.names() == PRONOUNS
            right = task.gold[0] or 0
            # The second item is answered wrongly.
            answer = (right + 1) % 3 if task.phase == "main" and number == max(_mains(tasks)) else right
            page.keyboard.press("abc"[answer])
            expect(person.candidate(PRONOUNS[answer]).locator("input")).to_be_checked()
            if task.phase == "practice":
                expect(page.get_by_text("✓ Richtig")).to_be_visible()
                person.submit.click()
                expect(person.warning).to_contain_text("Bitte geben Sie an, wie sicher Sie sich sind.")
                person.close_warning()
            else:
                expect(page.get_by_text("Hier passt")).to_have_count(0)
            page.keyboard.press("4" if number % 2 else "3")
            person.send()
        seen = " ".join(re.findall(r"<[^>]*>", page.content()))
        assert not any(word in seen for word in ("gold", "antecedents"))
    annotate("pull", STUDY, "--url", server.url, "--out", "export")
    arguments = ("export", "--judgements", "export/judgements.jsonl", "--resamples", 20)
    printed = annotate("agree", *arguments, "--out", "report", "--responses", "results")
    assert "2 answers" in printed
    assert "micro 0.500" in printed, "one of two items is right; fillers do not count"
    assert "fillers and attention trials, in no other figure: 4 of 4 right" in printed
    assert f"results: {len(tasks)} responses of 1 participant + 0 left out = {len(tasks)} judgements" in printed
    results = read_results(Path("results"))
    (someone,) = results.participants.values()
    assert (someone.completed, someone.attention_right, someone.attention_asked) == (True, 1, 1)
    assert [row.part for row in results.responses].count("item") == 2
    assert {row.confidence for row in results.responses} == {3, 4}
    assert all(row.rt_answer_ms > 0 == row.rt_confidence_ms for row in results.responses)
    given = {row.position: row.answer for row in results.responses if row.part != "item"}
    assert given == {task.position: PRONOUNS[task.gold[0] or 0] for task in tasks if task.phase != "main"}
    assert json.loads(Path("report/figures.json").read_text(encoding="utf-8"))["counts"]["judgements"] == 2


def _mains(tasks: list[Task]) -> list[int]:
    return [number for number, task in enumerate(tasks) if task.phase == "main"]
