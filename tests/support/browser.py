"""A headless Chromium, and a person at the pages of Label Studio in it."""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Response, expect, sync_playwright

from tests.support.needs import need
from tools.labelstudio import Account

CHROMIUM = Path("/usr/bin/chromium")
#: Without a sandbox, since CI runs as root; the rest keeps Chromium itself from the network.
SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
#: The screen of a small notebook.
SIZE = {"width": 960, "height": 620}
#: A telephone.
NARROW = {"width": 390, "height": 844}
#: Two busy cores take their time, in milliseconds.
PATIENCE = 60_000
#: Boxes that grow as they come are missed by a click that was aimed a frame earlier: they come at full size. Not in
#: no time at all, for the page waits for the end of what moves, and what lasts no time has none.
AT_REST = """
addEventListener("DOMContentLoaded", () => {
    const style = document.createElement("style");
    style.textContent = `*, ::before, ::after {
        animation-delay: 0s !important;
        animation-duration: 1ms !important;
        animation-iteration-count: 1 !important;
        animation-play-state: running !important;
        transition-delay: 0s !important;
        transition-duration: 1ms !important;
    }`;
    document.head.append(style);
});
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium for one module; where none is installed tests skip, and in CI that is a failure.

    Playwright runs a loop in the process as long as it lasts: a second Playwright, or any other loop, is refused beside it.
    """
    need(
        "pages in a browser",
        "" if CHROMIUM.exists() else f"no Chromium at {CHROMIUM}; install Debian's package chromium",
    )
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        expect.set_options(timeout=PATIENCE)
        yield started
        started.close()


class Person:
    """Somebody at the browser: logs in, opens a project, answers, submits."""

    def __init__(self, page: Page, url: str) -> None:
        page.set_default_timeout(PATIENCE)
        page.add_init_script(AT_REST)
        self.page = page
        self.url = url
        self.asked: list[str] = []
        page.on("request", lambda request: self.asked.append(f"{request.method} {request.url}"))

    def open(self, project: str, account: Account) -> str:
        """Log in, find a project by its title, begin, and return the instructions."""
        self.log_in(account)
        self.page.get_by_text(project, exact=True).click()
        self.page.get_by_text("Label All Tasks").click()
        return self.read_instructions()

    def log_in(self, account: Account) -> None:
        """Log in, and wait for the list of projects."""
        self.page.goto(f"{self.url}/projects")
        self.page.locator("[name=email]").fill(account.username)
        self.page.locator("[name=password]").fill(account.password)
        self.page.get_by_role("button", name="Log in").click()
        expect(self.page).to_have_title(re.compile("Projects|Home"))

    def read_instructions(self) -> str:
        """Return what the page tells before the first task, and close it."""
        message = self.page.locator(".lsf-modal-ls__body").inner_text()
        self.page.get_by_label("Close modal").click()
        expect(self.page.locator(".lsf-modal-ls")).to_have_count(0)
        return message

    @property
    def sentence(self) -> Locator:
        """The text of the task."""
        return self.page.locator(".study .lsf-richtext__container").first

    @property
    def submit(self) -> Locator:
        """The button."""
        return self.page.get_by_test_id("bottombar-submit-button")

    def shows(self, text: str) -> None:
        """Wait until the task with this text is there."""
        expect(self.sentence).to_have_text(text)

    def candidate(self, name: str) -> Locator:
        """The button of a candidate."""
        return self.page.locator(".study .lsf-choice__item").filter(
            has_text=re.compile(rf"^{re.escape(name)}\[[a-z]\]$")
        )

    def names(self) -> list[str]:
        """The candidates, from the top."""
        texts = self.page.locator(".study .lsf-choice__item").all_inner_texts()
        return [text[: -len("[a]")] for text in texts if re.search(r"\[[a-z]\]$", text)]

    def point(self, number: int) -> Locator:
        """The button of a point of the scale."""
        return self.page.locator(".study .lsf-choice__item").filter(has_text=re.compile(rf"^{number}\[{number}\]$"))

    def comment(self, text: str) -> None:
        """Type into the box."""
        self.page.locator(".study textarea").press_sequentially(text)

    @property
    def warning(self) -> Locator:
        """What the page says where Submit is blocked."""
        return self.page.locator(".ant-modal-content")

    def close_warning(self) -> None:
        """Take note of it; as people do, by a second click where the first had no effect."""
        button = self.warning.get_by_role("button", name="OK")
        button.click()
        try:
            expect(self.warning).to_be_hidden(timeout=10_000)
        except AssertionError:
            button.click()
            expect(self.warning).to_be_hidden()

    def send(self) -> None:
        """Submit, and wait until the server has it."""
        with self.page.expect_response(re.compile(r"/api/tasks/\d+/annotations")) as answer:
            self.submit.click()
        assert answer.value.status == 201

    @contextlib.contextmanager
    def saved(self, kind: str) -> Iterator[None]:
        """Wait until the page has kept a draft that has a result of this type, as the block does."""

        def kept(response: Response) -> bool:
            return "/drafts" in response.url and f'"type":"{kind}"' in (response.request.post_data or "")

        with self.page.expect_response(kept) as answer:
            yield
        assert answer.value.ok
