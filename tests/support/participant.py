"""Somebody who takes part in an experiment in a browser."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tests.conftest import ROOT

AXE = ROOT / "tools" / "jspsych" / "node_modules" / "axe-core" / "axe.min.js"
#: The page takes no answer sooner than 200 milliseconds after a screen came.
GUARD = 220
WIDE, NARROW = {"width": 1000, "height": 700}, {"width": 390, "height": 760}
#: Notes when the page last changed.
_CHANGES = "new MutationObserver(() => { window.changed = performance.now(); }).observe(document, {childList: true, subtree: true});"
#: Resolves when there is another question than before, and the page takes answers.
_NEXT = """async ([before, guard]) => {
    const state = () => [document.getElementById("question")?.textContent, document.getElementById("sentence")?.textContent,
        document.querySelector("#progress span").textContent].join("|");
    const began = performance.now();
    while (!document.getElementById("question") || state() === before) {
        if (performance.now() - began > 60000) { throw new Error(`no question after ${before}`); }
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, guard - (performance.now() - window.changed))));
    return state();
}"""


@dataclass
class Participant:
    """A person at the page of an experiment."""

    page: Page
    how: str  # keyboard, mouse or touch
    requests: list[str] = field(default_factory=list)  # method and address of all that the page asked for
    faults: list[str] = field(default_factory=list)  # errors in the console, and exceptions
    chosen: list[tuple[str, int]] = field(default_factory=list)  # answer and confidence of each trial
    _state: str = ""

    def settle(self) -> None:
        """Wait until another question is there and the page takes answers."""
        self._state = self.page.evaluate(_NEXT, [self._state, GUARD])

    def press(self, name: str) -> None:
        """Press a button by its name: click, tap, or go to it and press Enter."""
        button = self.page.get_by_role("button", name=name, exact=True)
        if self.how == "keyboard":
            button.press("Enter")
        elif self.how == "touch":
            button.tap()
        else:
            button.click()

    def agree(self) -> None:
        """Read the consent, tick both boxes, and take part."""
        for box in self.page.get_by_role("checkbox").all():
            box.check()
        self.press("Teilnehmen")

    def describe(self) -> None:
        """Answer the questions on the background: all but the first one with no answer."""
        self.page.locator("select").first.wait_for()
        for number, select in enumerate(self.page.locator("select").all()):
            select.select_option("not-stated" if number else "german")
        self.press("Weiter")

    def answer(self, number: int) -> str:
        """Choose a pronoun by its number, from 1, and return it."""
        return self._choose(".choice .word", number, ["er", "sie", "es"][number - 1])

    def rate(self, number: int) -> None:
        """Say how sure you are."""
        self._choose(".choice .word", number, str(number))

    def _choose(self, selector: str, number: int, word: str) -> str:
        if self.how == "keyboard":
            self.page.keyboard.press(str(number))
        else:
            button = self.page.locator(selector).get_by_text(word, exact=True)
            button.tap() if self.how == "touch" else button.click()
        return word

    def reload(self) -> None:
        """Reload the page."""
        self.page.reload()
        self._state = ""

    @property
    def stored(self) -> Any:
        """What the browser keeps of the session; None if nothing."""
        text = self.page.evaluate("localStorage.getItem(Object.keys(localStorage)[0] ?? '')")
        return json.loads(text) if text else None

    def accessibility_faults(self) -> list[str]:
        """Return what axe-core finds wrong with the page as it is."""
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        outcome = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [f"{fault['id']}: {fault['nodes'][0]['html']}" for fault in outcome["violations"]]


@contextmanager
def participant(
    browser: Browser, address: str, how: str = "keyboard", downloads: Path | None = None
) -> Iterator[Participant]:
    """Yield somebody who has opened a page in a browser of their own; with touch, on a small screen."""
    touch = how == "touch"
    with browser.new_context(
        viewport=NARROW if touch else WIDE, has_touch=touch, accept_downloads=downloads is not None
    ) as context:
        page = context.new_page()
        page.set_default_timeout(60_000)
        person = Participant(page, how)
        page.on("request", lambda request: person.requests.append(f"{request.method} {request.url}"))
        page.on("console", lambda message: person.faults.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: person.faults.append(str(error)))
        page.add_init_script(_CHANGES)
        page.goto(address)
        yield person
