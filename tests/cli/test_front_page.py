"""The front page of a build: its counts add up, hostile names stay text, and the links of all pages lead somewhere."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from tests.support.building import Built
from tests.support.pages import Page
from tools.front_page import front_page, tally

HOSTILE = "<b>"


def write(folder: Path, **files: list[dict[str, Any]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in files.items():
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / f"{name.replace('_', '-')}.jsonl").write_text(text, encoding="utf-8")


def rejected(item_id: str, why: str) -> dict[str, Any]:
    return {"id": item_id, "findings": [{"class": why}]}


def zero(item_id: str, answer: int, first: int) -> dict[str, Any]:
    mentions = [{"candidate": number, "text": {"start": 5 * (number != first)}} for number in (0, 1)]
    return {
        "id": item_id, "lang": "zh", "text": f"他{HOSTILE}。", "text_zero": f"Ø{HOSTILE}。", "zero": {"start": 0, "end": 1},
        "target": {"start": 0, "end": 1}, "question": HOSTILE, "candidates": [HOSTILE, "乙"], "answer": answer, "mentions": mentions,
    }  # fmt: skip


def small_build(build: Path) -> Path:
    """Write a build of five records: one is skipped, two are rejected, one of these is modified, three become items."""
    mine = build / "mine<b>"
    items = [{"id": name} for name in "abcd"]
    write(mine, items=items, skipped=[{"id": "e"}], decisions=items, kept=items[:2])
    write(mine, rejected=[rejected("c", "other"), rejected("d", HOSTILE), rejected("e", "defect")])
    left = [rejected("d", HOSTILE), rejected("e", "defect")]
    write(
        mine,
        modifications=[{"id": "c"}],
        modified=items[:3],
        modified_rejected=left,
        adjudicated=items[:3],
        adjudicated_rejected=left,
    )
    write(
        mine,
        zero=[zero("a", 0, 0), zero("b", 1, 0), zero("c", 1, 1)],
        analysis=[{"id": "a", "kind": HOSTILE, "register": "news"}],
    )
    write(build / "release" / "mine<b>" / "data", **{"mine<b>": [{"id": "a"}, {"id": "b"}]})
    (build / "release" / "mine<b>" / "README.md").write_text("", encoding="utf-8")
    for folder, title in (
        (mine / "audit", "Audit of mine&lt;b&gt;"),
        (build / "x" / "y" / "z", HOSTILE),
        (build / "validation", "Validation"),
    ):
        folder.mkdir(parents=True)
        (folder / "index.html").write_text(f"<html><title>{title}</title>", encoding="utf-8")
    return build


def flow(html: str) -> list[tuple[str, int, int]]:
    """Return the steps of a page: what it is, the records that are kept and left out."""
    row = r'<th scope="row">([^<]*)</th>\s*<td><span class="bar".*?</td>\s*<td class="number">([\d,]+)</td><td class="number">([\d,]+)</td>'
    return [
        (what, int(kept.replace(",", "")), int(left.replace(",", ""))) for what, kept, left in re.findall(row, html)
    ]


def test_the_counts_of_each_step_add_up(tmp_path: Path) -> None:
    html = front_page(small_build(tmp_path))
    assert flow(html) == [
        ("read", 4, 1),
        ("kept by the rules", 2, 3),
        ("after 1 modified", 3, 2),
        ("after 0 decided by people", 3, 2),
        ("released", 2, 3),
    ]
    text = Page(html).text
    assert "mine<b> : 3 of 5 Chinese records became items with a zero (Ø) in place of a pronoun." in text
    assert "<b> 1, defect 1, other 1" in text
    assert "A 1 33.3 % " in text  # of three right answers, A is one
    assert "named first 2 66.7 %" in text  # a and c
    assert "<b> 1 100.0 %" in text  # the one kind


def test_hostile_names_are_text_and_links_stay_links(tmp_path: Path) -> None:
    html = front_page(small_build(tmp_path))
    page = Page(html)
    assert "b" not in {tag for tag, _ in page.elements} - {"bdi"}
    links = {unquote(link) for link in page.links if not link.startswith("#")}
    assert {"mine<b>/audit/index.html", "x/y/z/index.html", "validation/index.html"} <= links
    assert all((tmp_path / link).exists() for link in links)
    assert page.text.index("Audit of mine<b>") < page.text.index("All together") < page.text.index("Validation")
    assert html == front_page(tmp_path)


def test_a_build_folder_without_collections_says_so(tmp_path: Path) -> None:
    assert "No collection is built yet." in Page(front_page(tmp_path)).text


def test_values_are_told_by_how_often_they_occur() -> None:
    assert list(tally(["b", None, "a", "c", "c", ""]).items()) == [("c", 2), ("a", 1), ("b", 1)]


def test_the_links_of_the_default_build_lead_somewhere(built: Built) -> None:
    build = built.folder / "build"
    steps = flow((build / "index.html").read_text(encoding="utf-8"))
    assert ("read", 394, 0) in steps
    assert all(kept + left in (394, 140, 2880, 181) for _, kept, left in steps)
    pages = sorted(build.rglob("*.html"))
    assert len(pages) > 20
    for path in pages:
        links = {link.split("#")[0].split("?")[0] for link in Page(path.read_text(encoding="utf-8")).links}
        assert [link for link in links if link and not (path.parent / link).exists()] == [], path
        front = path.parent.joinpath(*[".."] * len(path.relative_to(build).parent.parts), "index.html").resolve()
        assert path == build / "index.html" or front in {(path.parent / link).resolve() for link in links}, path
