"""The page of the experiment in a browser: lists from consent to import, and what goes wrong on the way."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from pipeline.core.tables import read_table
from pipeline.experiment.browser.records import Experiment, read_experiment, session_record
from tests.support.artifacts import run
from tests.support.browser import browser as browser
from tests.support.built_experiment import build
from tests.support.built_experiment import cloze as cloze
from tests.support.experiments import Server, serving
from tests.support.participant import Participant, participant

INPUTS = ("keyboard", "mouse", "touch")
FINISHED = "Geschafft, vielen Dank!"


@pytest.fixture(scope="module")
def built(cloze: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The experiment with our German items."""
    named = ("--responsible=Institut für Beispiele", "--contact=frage@example.org", "--leave=https://example.org/done")
    return build(cloze, tmp_path_factory.mktemp("built") / "experiment", *named)


@pytest.fixture(scope="module")
def shown(built: Path) -> Experiment:
    """Its trials."""
    return read_experiment(built)


@pytest.fixture(scope="module")
def laboratory(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for it."""
    data = tmp_path_factory.mktemp("data")
    with serving(built, data) as server:
        yield server


def start(person: Participant) -> None:
    """Go from the consent to the first practice trial."""
    person.agree()
    person.describe()
    expect(person.page.get_by_role("heading", name="So geht es")).to_be_visible()
    person.press("Weiter")


def answer(person: Participant, number: int) -> None:
    """Choose a pronoun, and on the next screen remember which."""
    person.settle()
    person.chosen.append((person.answer(number % 3 + 1), number % 5 + 1))


def rate(person: Participant) -> None:
    """Say how sure you are."""
    person.settle()
    person.rate(person.chosen[-1][1])


def reload(person: Participant, number: int, screen: str) -> None:
    """Reload one of the two screens of a trial, which begins it anew."""
    if screen == "confidence":
        answer(person, number)
        person.settle()
        person.chosen.pop()
    else:
        person.settle()
    person.reload()


def take_part(people: Mapping[int, Participant], shown: Experiment) -> None:
    """Answer all trials of all lists side by side: while one page does not take answers yet, the others do."""
    practice = sum(trial.part == "practice" for trial in shown.lists[1].values())
    for position in range(1, max(map(len, shown.lists.values())) + 1):
        here = {number: person for number, person in people.items() if position <= len(shown.lists[number])}
        for number, person in here.items():
            if position == practice + 1:
                person.press("Anfangen")
            # One list in practice; none at the first trial behind it, before which the page says again that practice is over.
            if position == practice + (number if number > 1 else -1):
                reload(person, number, ("answer", "confidence")[number % 2])
        for number, person in here.items():
            answer(person, position + number)
        for person in here.values():
            rate(person)
        for person in here.values() if position <= practice else ():
            expect(person.page.locator(".feedback")).to_be_visible()
            person.press("Weiter")


def table(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table."""
    return [row for _, row in read_table(path, ())]


def test_lists_from_consent_to_import(built: Path, shown: Experiment, browser: Browser, tmp_path: Path) -> None:
    """A list for each way to answer, each in a browser of its own with one reload; what is imported is what was clicked."""
    with serving(built, tmp_path / "data") as server, ExitStack() as stack:
        opened = [stack.enter_context(participant(browser, server.address, way)) for way in INPUTS]
        for person in opened:
            start(person)
        people = {person.stored["list"]: person for person in opened}
        assert sorted(people) == sorted(shown.lists)[: len(opened)]
        take_part(people, shown)
        for person in people.values():
            expect(person.page.get_by_role("heading", name=FINISHED)).to_be_visible()
            leave = person.page.get_by_role("link", name="Zurück zur Plattform")
            assert leave.get_attribute("href") == "https://example.org/done"
            assert (person.stored["finished"], person.stored["records"], person.faults) == (True, [], [])
            assert [
                request
                for request in person.requests
                if not request.split(" ")[1].startswith((server.address, "data:,"))
            ] == []
        assert server.progress()["completed"] == len(people)
    run("experiment", "import", tmp_path / "data", "--experiment", built, "--out", tmp_path / "tables")
    rows = table(tmp_path / "tables" / "responses.tsv")
    assert len(rows) == sum(len(shown.lists[number]) for number in people)
    for number, person in people.items():
        own = [row for row in rows if row["list"] == str(number)]
        trials = shown.lists[number].values()
        assert [(int(row["position"]), row["id"], row["part"]) for row in own] == [
            (t.position, t.id, t.part) for t in trials
        ]
        assert [(row["answer"], int(row["confidence"])) for row in own] == person.chosen
        assert {row["input"] for row in own} == {person.how}
        assert all(float(row[f"rt_{screen}_ms"]) >= 100 for row in own for screen in ("answer", "confidence"))
    described = {
        (row["language"], row["region"], row["completed"], row["reloads"])
        for row in table(tmp_path / "tables" / "participants.tsv")
    }
    assert described == {("german", "not-stated", "yes", "1")}


# --- what goes wrong on the way ----------------------------------------------------------------------------------------


def simulated(person: Participant, number: int) -> list[dict[str, Any]]:
    """Return the records of a list that jsPsych simulates without drawing a screen."""
    records: list[dict[str, Any]] = person.page.evaluate("list => winoforge.simulate(list)", number)
    return records


def nearly_done(person: Participant, address: str, left: int, list_of: Callable[[str], int]) -> tuple[str, int]:
    """Open the page where a session has `left` trials to go, none of whose records was sent; return its id and its list."""
    person.page.goto(f"{address}?simulate")
    session = str(simulated(person, 1)[0]["session"])
    number = list_of(session)
    records = [{**record, "session": session} for record in simulated(person, number)[: -1 - left]]
    state = {"session": session, "list": number, "records": records, "acknowledged": 0, "sequence": len(records), "reloads": 0,
             "finished": False}  # fmt: skip
    person.page.evaluate(
        "state => localStorage.setItem(`winoforge-${winoforge.study.id}`, JSON.stringify(state))", state
    )
    person.page.goto(address)
    return session, number


def test_a_simulation_of_every_list_gives_what_the_server_takes(
    built: Path, shown: Experiment, browser: Browser
) -> None:
    with participant(browser, f"{(built / 'index.html').as_uri()}?simulate") as person:
        for number, trials in shown.lists.items():
            records = [session_record(value, shown) for value in simulated(person, number)]
            assert [record.kind for record in records] == ["start", "background", *["trial"] * len(trials), "end"]
            assert [record.sequence for record in records] == list(range(len(records)))
            assert [record.data["id"] for record in records[2:-1]] == [trial.id for trial in trials.values()]
            assert {record.list for record in records} == {number}
        assert person.page.evaluate("localStorage.length") == 0
        assert person.faults == []


def test_nothing_is_lost_while_the_server_is_away(laboratory: Server, shown: Experiment, browser: Browser) -> None:
    """Two trials without a server, one reload; the thanks, and the way back to a platform, come when everything has arrived.

    A list has a record for each trial, the start, the background, the end; another start comes each time that the page is loaded.
    """
    with participant(browser, f"{laboratory.address}?simulate") as person:
        page = person.page
        page.context.route("**/api/records", lambda route: route.abort())
        session, number = nearly_done(person, laboratory.address, 2, laboratory.list_of)
        number_of_records = len(shown.lists[number]) + 3
        for choice in (1, 2):
            answer(person, choice)
            rate(person)
        expect(page.get_by_text(f"Noch nicht auf dem Server angekommen: {number_of_records + 1}.")).to_be_visible()
        page.reload()
        expect(page.get_by_text(f"Noch nicht auf dem Server angekommen: {number_of_records + 2}.")).to_be_visible()
        assert page.get_by_role("link", name="Zurück zur Plattform").count() == 0
        completed = laboratory.progress()["completed"]
        page.context.unroute("**/api/records")
        expect(page.get_by_role("heading", name=FINISHED)).to_be_visible()
        assert page.get_by_role("link", name="Zurück zur Plattform").count() == 1
        assert laboratory.progress()["completed"] == completed + 1
        assert laboratory.list_of(session) == number


def test_who_withdraws_leaves_nothing(laboratory: Server, browser: Browser) -> None:
    with participant(browser, laboratory.address, "mouse") as person:
        start(person)
        answer(person, 1)
        before = laboratory.progress()
        assert before["records"] >= 2
        person.press("Abbrechen und Daten löschen")
        person.press("Weitermachen")
        person.press("Abbrechen und Daten löschen")
        person.press("Abbrechen und löschen")
        expect(person.page.get_by_text("Ihre Daten sind gelöscht.")).to_be_visible()
        assert person.stored is None
        after = laboratory.progress()
        assert (after["withdrawn"], after["records"]) == (before["withdrawn"] + 1, before["records"] - 2)
        person.page.keyboard.press("1")  # nobody listens any more
        person.page.reload()
        expect(person.page.get_by_role("heading", name="Willkommen")).to_be_visible()
        assert laboratory.progress() == after


def test_a_withdrawal_waits_for_the_server(laboratory: Server, browser: Browser) -> None:
    with participant(browser, laboratory.address) as person:
        start(person)
        person.settle()
        before = laboratory.progress()
        person.page.context.route("**/api/records", lambda route: route.abort())
        person.press("Abbrechen und Daten löschen")
        person.press("Abbrechen und löschen")
        expect(person.page.get_by_text("Auf diesem Gerät sind Ihre Daten gelöscht.")).to_be_visible()
        assert [record["record"] for record in person.stored["records"]] == ["withdrawn"]
        person.page.reload()
        expect(person.page.get_by_text("Auf diesem Gerät sind Ihre Daten gelöscht.")).to_be_visible()
        person.page.context.unroute("**/api/records")
        expect(person.page.get_by_text("Ihre Daten sind gelöscht. Vielen Dank")).to_be_visible()
        assert person.stored is None
        assert laboratory.progress()["withdrawn"] == before["withdrawn"] + 1


def test_without_a_server_the_answers_become_a_file(
    built: Path, shown: Experiment, browser: Browser, tmp_path: Path
) -> None:
    """From a file, as on a host that takes no records; the list that the address names."""
    with participant(browser, "about:blank", downloads=tmp_path) as person:
        nearly_done(person, (built / "index.html").as_uri(), 1, lambda _: 2)
        answer(person, 1)
        rate(person)
        expect(person.page.get_by_text("die Seite kann sie niemandem schicken")).to_be_visible()
        with person.page.expect_download() as download:
            person.press("Datei mit meinen Antworten speichern")
        download.value.save_as(tmp_path / "answers.jsonl")
        assert person.page.get_by_role("link").count() == 0
        person.press("Neue Teilnahme")  # Playwright says no to the question whether the file has arrived
        expect(person.page.get_by_text("die Seite kann sie niemandem schicken")).to_be_visible()
        assert person.stored is not None
        person.press("Datei mit meinen Antworten speichern")
        person.page.once("dialog", lambda dialog: dialog.accept())
        person.press("Neue Teilnahme")
        expect(person.page.get_by_role("heading", name="Willkommen")).to_be_visible()
        assert person.stored is None
    records = [
        session_record(json.loads(line), shown) for line in (tmp_path / "answers.jsonl").read_text().splitlines()
    ]
    assert [record.sequence for record in records] == list(range(len(records)))
    assert [record.data["id"] for record in records if record.kind == "trial"] == [
        trial.id for trial in shown.lists[2].values()
    ]
    assert (records[-1].kind, records[-1].data) == ("end", {"reloads": 1})


#: What JATOS puts beside the page, as far as the page uses it.
JATOS = """globalThis.jatos = {
    onLoad: (call) => call(),
    submitResultData: async (text) => { globalThis.submitted = text; },
    endStudyWithoutRedirect: async () => { globalThis.ended = true; },
};"""


def test_under_jatos_all_records_are_submitted(built: Path, shown: Experiment, browser: Browser) -> None:
    """JATOS itself is not here: a script with its functions stands for it."""
    address = "http://jatos.invalid/publix/abc/start"
    with participant(browser, "about:blank") as person:
        bodies = {"start": (built / "index.html").read_text(encoding="utf-8"), "jatos.js": JATOS}
        kinds = {"start": "text/html", "jatos.js": "text/javascript"}

        def fulfil(route: Route) -> None:
            name = route.request.url.partition("?")[0].rpartition("/")[2]
            route.fulfill(body=bodies[name], content_type=f"{kinds[name]}; charset=utf-8")

        person.page.context.route("http://jatos.invalid/**", fulfil)
        nearly_done(person, address, 1, lambda _: 2)
        answer(person, 1)
        rate(person)
        expect(person.page.get_by_role("heading", name=FINISHED)).to_be_visible()
        person.page.wait_for_function("globalThis.ended")
        lines = person.page.evaluate("submitted").split("\n")
        kinds_of_records = [session_record(json.loads(line), shown).kind for line in lines]
        trials = ["trial"] * (len(shown.lists[2]) - 1)
        assert kinds_of_records == ["start", "background", *trials, "start", "trial", "end"]
        assert person.faults == []


def test_keys_meant_for_the_screen_before_are_ignored(laboratory: Server, browser: Browser) -> None:
    """A key that is held down, or pressed within 200 milliseconds, answers no second question; neither does one with Ctrl."""
    with participant(browser, laboratory.address) as person:
        start(person)
        person.settle()
        person.page.keyboard.press("Control+1")
        person.page.keyboard.down("1")
        person.page.keyboard.down("1")
        person.settle()
        person.page.keyboard.down("1")
        expect(person.page.get_by_text("Wie sicher sind Sie sich?")).to_be_visible()
        person.page.keyboard.up("1")
        person.rate(4)
        expect(person.page.locator(".feedback")).to_be_visible()
        (trial,) = [record["data"] for record in person.stored["records"] if record["record"] == "trial"]
        assert (trial["answer"], trial["confidence"], trial["input"]) == ("er", 4, "keyboard")


def test_a_second_window_does_not_go_on(laboratory: Server, browser: Browser) -> None:
    with participant(browser, laboratory.address) as person:
        expect(person.page.get_by_role("heading", name="Willkommen")).to_be_visible()
        second = person.page.context.new_page()
        second.goto(laboratory.address)
        expect(second.get_by_text("schon in einem anderen Fenster geöffnet")).to_be_visible()


@pytest.mark.parametrize("how", ["mouse", "touch"])
def test_every_screen_is_accessible(how: str, laboratory: Server, browser: Browser) -> None:
    """By axe-core, wide and at 390 pixels, where no screen is wider than the window either."""
    with participant(browser, laboratory.address, how) as person:
        faults = []

        def look() -> None:
            width = person.page.evaluate("document.documentElement.scrollWidth - innerWidth")
            faults.extend([*person.accessibility_faults(), *([f"{width} pixels too wide"] if width > 0 else [])])

        expect(person.page.get_by_role("heading", name="Willkommen")).to_be_visible()
        person.press("Teilnehmen")
        expect(person.page.get_by_role("alert")).to_have_text(
            "Wenn Sie teilnehmen möchten, kreuzen Sie bitte beide Kästchen an."
        )
        look()
        person.agree()
        person.page.locator("select").first.wait_for()
        look()
        person.describe()
        person.press("Weiter")
        person.settle()
        look()
        person.answer(2)
        person.settle()
        look()
        person.press("Abbrechen und Daten löschen")
        look()
        person.press("Weitermachen")
        person.rate(4)
        expect(person.page.locator(".feedback")).to_be_visible()
        look()
        assert faults == []
