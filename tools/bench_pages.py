"""Measure the pages of many records: how long they take to write, how much memory and disk, and how soon a browser shows them.

The records of a build are repeated under new ids, each time with another sentence at the end of their texts, which leaves their trees.
"""

import resource
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from playwright.sync_api import Page, expect, sync_playwright

from pipeline.language.parsing.lock import read_locks
from pipeline.winograd.audit.item_pages import write_item_pages
from pipeline.winograd.audit.views import record_views
from pipeline.winograd.build import RecordHistory, read_histories
from pipeline.winograd.exclusion.ruleset import load_rules
from tests.support.browser import CHROMIUM, SWITCHES

LEDGERS = ("items", "skipped", "rejected", "decisions", "analysis", "modifications", "adjudications")


def repeated(histories: list[RecordHistory], count: int) -> Iterator[RecordHistory]:
    """Yield `count` records in the order of their ids; modifications, which hold texts of their own, are left out."""
    for number in range(count):
        history, schema = histories[number % len(histories)], f"r-{number // 2:06}"
        record = history.record
        record = replace(
            record, id=f"{schema}-{'ab'[number % 2]}", schema=schema, text=f"{record.text}这是第{number // 2}遍。"
        )
        decision = replace(history.decision, id=record.id)
        yield replace(history, record=record, decision=decision, applied=None, change=None)


def milliseconds(page: Page, address: str, shown: str, text: str, typed: str = "") -> str:
    """Return the milliseconds by the clock until the page at an address shows a text; with `typed`, of the search alone."""
    page.goto("about:blank")
    began = time.perf_counter()
    page.goto(address)
    if typed:
        expect(page.locator("#records tbody tr").first).to_be_visible()
        began = time.perf_counter()
        page.get_by_label("Search").fill(typed)
    expect(page.locator(shown).first).to_contain_text(text, timeout=60_000)
    return f"{1000 * (time.perf_counter() - began):.0f}"


def opened(folder: Path, count: int, page: Page) -> list[str]:
    """Return the milliseconds until the index shows records, the rejected ones, the last one by a search, and that record's page."""
    index, last = (folder / "index.html").as_uri(), f"r-{(count - 1) // 2:06}-{'ab'[(count - 1) % 2]}"
    return [
        milliseconds(page, index, "#records .sentence", "。"),
        milliseconds(page, f"{index}#state=rejected", "#records .sentence", "。"),
        milliseconds(page, index, "#shown", "1 of", typed=last),
        milliseconds(page, f"{folder.as_uri()}/record.html#{last}", "#record .sentence", "。"),
    ]


def main(
    build: Annotated[Path, typer.Argument(help="A build of our collection.")] = Path("build/zh"),
    sizes: Annotated[str, typer.Option(help="Numbers of records, separated by commas.")] = "1000,10000,100000",
) -> None:
    """Print a row for each number of records."""
    histories = list(read_histories(*(build / f"{name}.jsonl" for name in LEDGERS)).values())
    locks = read_locks([Path(f"raw/zh/parses/{parser}.conllu") for parser in ("stanza", "udpipe")])
    typer.echo("| records | processor, s | memory, MB | disk, MB | index, ms | filter, ms | search, ms | record, ms |")
    typer.echo("|---|---|---|---|---|---|---|---|")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        for size in map(int, sizes.split(",")):
            with tempfile.TemporaryDirectory() as name:
                folder, began = Path(name), time.process_time()
                views = record_views(list(repeated(histories, size)), locks, load_rules)
                write_item_pages(folder, "many", views)
                seconds = time.process_time() - began
                memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                disk = sum(path.stat().st_size for path in folder.rglob("*.*")) / 1e6
                times = " | ".join(opened(folder, size, browser.new_page()))
            typer.echo(f"| {size} | {seconds:.1f} | {memory:.0f} | {disk:.0f} | {times} |")


if __name__ == "__main__":
    typer.run(main)
