"""Every kind of page, unfolded: axe-core finds nothing, none is wider than a telephone, Chinese text says its language."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from pipeline.core.files import write_jsonl
from pipeline.core.pages import page_environment
from pipeline.evaluation.cloze.items import read_cloze_items
from pipeline.experiment.analysis.analysis import Criteria, analyse
from pipeline.experiment.analysis.drawings import draw
from pipeline.experiment.analysis.page import page as analysis_page
from pipeline.experiment.browser.results.tables import Results
from tests.conftest import ROOT
from tests.experiment.analysis.test_figures import model, person, responses
from tests.support.agreement import agree, simulated
from tests.support.browser import NARROW, browser  # noqa: F401 - a fixture
from tests.support.building import Built
from tests.support.cloze import cloze_rows
from tests.support.commands import printed, winoforge
from tests.support.needs import need
from tests.support.participant import AXE
from tests.support.simulated_systems import simulated_items, simulated_runs
from tests.support.system_answers import write_release, write_rows

#: The pages of the default build, by template.
BUILT = {
    "tools/front_page.html.j2": "index.html",
    "pipeline/core/validation/index.html.j2": "validation/index.html",
    "pipeline/core/validation/page.html.j2": "validation/*pairs*.html",
    "pipeline/corpus/page.html.j2": "zh/association/index.html",
    "pipeline/winograd/artefacts.html.j2": "zh/artefacts/index.html",
    "pipeline/winograd/audit/page.html.j2": "zh/audit/index.html",
    "pipeline/winograd/audit/index.html.j2": "zh/audit/items/index.html",
    "pipeline/winograd/audit/record.html.j2": "zh/audit/items/record.html",
    "pipeline/winograd/audit/causes.html.j2": "de/audit/index.html",
    "pipeline/zero_pronouns/report/page.html.j2": "zp/index.html",
}
#: The pages that `make_pages` makes.
MADE = (
    "pipeline/evaluation/report/page.html.j2",
    "pipeline/evaluation/contamination/page.html.j2",
    "pipeline/experiment/analysis/page.html.j2",
    "pipeline/experiment/browser/progress.html.j2",
    "pipeline/release/comparison.html.j2",
    "pipeline/winograd/licence.html.j2",
    "pipeline/studies/agreement/page.html.j2",
)
#: The frame of all pages, and a page that tests/experiment/browser/test_page.py goes through as people do.
ELSEWHERE = ("pipeline/core/pages/base.html.j2", "pipeline/experiment/browser/page/index.html.j2")
#: What is held against WCAG 2.2, levels A and AA, and against what axe-core calls best practice; in the dark only colours differ.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LIGHT, DARK = {"type": "tag", "values": RULES}, {"type": "rule", "values": ["color-contrast"]}
_AXE = "rules => axe.run(document, {runOnly: rules, resultTypes: ['violations'], elementRef: false})"
#: Mostly Chinese texts whose element, or one around it, has no Chinese `lang`; drawings name systems and values of traits.
_WITHOUT_LANGUAGE = """() => {
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim(), Chinese = (text.match(/[\\u4e00-\\u9fff]/g) ?? []).length;
    if (2 * Chinese > text.length && !walker.currentNode.parentElement.closest("svg, script, style, code, [lang^=zh]")) found.push(text);
  }
  return found;
}"""
#: Leaves the first folded parts, open, and the first rows of each table: the others are alike, and axe-core takes seconds for thousands.
_SHORTENED = """() => {
  [...document.querySelectorAll("details")].forEach((part, place) => { if (place < 12) part.open = true; else part.remove(); });
  for (const body of document.querySelectorAll("tbody")) [...body.rows].slice(25).forEach(row => row.remove());
}"""


def make_pages(folder: Path) -> dict[str, Path]:
    """Write a small page of each template in `MADE`, and return their files."""
    items = simulated_items(4)
    release = write_release(folder / "zh", items)
    rows: list[Mapping[str, Any]] = [
        {"id": item_id, **asdict(run), "answer": response.answer, "prompt": f"Ø指谁？{item_id}", "prompt_tokens": 9}
        for name in ("one", "other")
        for run, of_run in simulated_runs(
            items, dict.fromkeys((entry.item.id for entry in items), 0.7), Random(name), model=name
        ).items()
        for item_id, response in of_run.items()
    ]
    scored = {"model": "one", "mode": "full-score", "answer": items[0].item.candidates[0], "scores": [-1, -2.5]}
    write_rows(folder / "p.jsonl", [*rows, *(scored | {"id": entry.item.id} for entry in items)])
    printed(
        "evaluate",
        "report",
        release,
        "--predictions",
        folder / "p.jsonl",
        "--permutations=9",
        "--out",
        folder / "evaluation",
    )
    (folder / "corpus.txt").write_text(items[0].item.text, encoding="utf-8")
    winoforge(
        "evaluate",
        "contamination",
        release,
        "--corpus",
        folder / "corpus.txt",
        "--n=5",
        "--out",
        folder / "contamination",
    )
    write_jsonl(folder / "cloze.jsonl", cloze_rows())
    cloze = read_cloze_items(folder / "cloze.jsonl").items
    people = Results(tuple(responses()), {f"p{number}": person(number, number > 0) for number in range(4)})
    analysis = analyse(people, cloze, model(cloze), Criteria(fast_ms=0), {}, seed=1, folder=folder)
    (folder / "analysis.html").write_text(analysis_page(analysis, draw(analysis), {}), encoding="utf-8")
    counts = {
        "begun": 2,
        "completed": 1,
        "withdrawn": 0,
        "records": 9,
        "lists": [{"list": 1, "completed": 1, "running": 0}],
    }
    progress = page_environment().get_template("experiment/browser/progress.html.j2").render(counts)
    (folder / "progress.html").write_text(progress, encoding="utf-8")
    changed = [entry.item for entry in items[1:]]
    write_jsonl(folder / "old" / "zero.jsonl", [asdict(entry.item) for entry in items[:-1]])
    write_jsonl(folder / "new" / "zero.jsonl", [asdict(item) | {"question": "谁怕淋雨？"} for item in changed])
    winoforge("diff", folder / "old", folder / "new", "--out", folder / "comparison.html")
    (folder / "text.txt").write_text("小明看见他，他就跑。她的书丢了。", encoding="utf-8")
    printed("licence", folder / "text.txt", "--page", folder / "licence.html")
    agree(folder / "agreement", *simulated((0, 2, 4), pairs=12))
    files = [folder / f"{name}.html" for name in ("analysis", "progress", "comparison", "licence")]
    folders = [folder / name / "index.html" for name in ("evaluation", "contamination", "agreement/report")]
    return dict(zip(MADE, [*folders[:2], *files, folders[2]], strict=True))


@pytest.fixture(scope="module")
def pages(built: Built, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page of each template."""
    build = built.folder / "build"
    of_build = {template: next(build.glob(pattern)) for template, pattern in BUILT.items()}
    return of_build | make_pages(tmp_path_factory.mktemp("pages"))


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:  # noqa: F811
    need("accessible pages", "" if AXE.exists() else "no axe-core; run npm ci in tools/jspsych")
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        yield context.new_page()


def test_no_kind_of_page_is_missing_here() -> None:
    templates = [
        path
        for folder in ("pipeline", "tools")
        for path in (ROOT / folder).rglob("*.j2")
        if "node_modules" not in path.parts
    ]
    whole = [
        path
        for path in templates
        if any(mark in path.read_text(encoding="utf-8") for mark in ("core/pages/base", "<html"))
    ]
    assert {path.relative_to(ROOT).as_posix() for path in whole} == {*BUILT, *MADE, *ELSEWHERE}


@pytest.mark.parametrize("template", [*BUILT, *MADE])
def test_a_page_is_accessible(template: str, pages: dict[str, Path], page: Page) -> None:
    page.goto(address(template, pages[template]))
    page.wait_for_load_state("networkidle")
    assert page.evaluate(_WITHOUT_LANGUAGE) == []
    page.evaluate(_SHORTENED)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert faults(page, LIGHT) == []
    page.emulate_media(color_scheme="dark")
    assert faults(page, DARK) == []
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


def address(template: str, path: Path) -> str:
    """Return the address of a page; that of a record names one."""
    return path.as_uri() + ("#zh-0001-a" if template.endswith("record.html.j2") else "")


def faults(page: Page, rules: Mapping[str, Any]) -> list[str]:
    """Return what axe-core finds wrong, each with its weight and the first element."""
    found = page.evaluate(_AXE, rules)["violations"]
    return [f"{fault['id']} ({fault['impact']}): {fault['nodes'][0]['html']}" for fault in found]
