"""The pages of records in a browser: found, filtered, shown whole, and no text of the data becomes markup."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from pipeline.core.checksums import digest_of
from pipeline.core.errors import PipelineError
from pipeline.core.model import Finding, Record, Span
from pipeline.core.records import write_items
from pipeline.language.parsing.lock import Lock
from pipeline.winograd.analysis import Analysis
from pipeline.winograd.audit.item_pages import write_item_pages
from pipeline.winograd.audit.views import Supplements, final_record, read_forms, read_reader_tables, record_views
from pipeline.winograd.build import RecordHistory
from pipeline.winograd.exclusion.ledger import Decision
from pipeline.winograd.exclusion.ruleset import load_rules
from tests.support.browser import browser  # noqa: F401 - a fixture
from tests.support.commands import printed, winoforge
from tests.support.items import marked
from tests.winograd.audit.test_audit import HOSTILE, entry, flat_tree, with_modification
from tests.winograd.audit.test_audit_people import adjudicated, judged


def pages(folder: Path, histories: Iterable[RecordHistory], locks: Iterable[Lock] = (), **supplements: object) -> Path:
    """Write the pages of records into a folder, and return it."""
    views = record_views(list(histories), list(locks), load_rules, Supplements(**supplements))  # type: ignore[arg-type]
    write_item_pages(folder, "mine", views, {"Rules": "sha256:0"})
    return folder


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:  # noqa: F811
    """A page on which a fault of the script fails the test."""
    opened = browser.new_page()
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    yield opened
    opened.close()
    assert faults == []


def collection() -> list[RecordHistory]:
    """Return 120 kept records in pairs, of which two are disputed, and a rejected one that a modification rescued."""
    kept = [
        entry(marked(f"甲对乙说【他】第{number}。", f"k-{number // 2:03}-{'ab'[number % 2]}")) for number in range(120)
    ]
    kept[:2] = [replace(history, decision=replace(history.decision, disputed=True)) for history in kept[:2]]
    kept[7] = replace(kept[7], analysis=Analysis("k-003-b", "k-003", "A rare gloss.", "social", "subject", None))
    return [*kept, with_modification("甲骂【他】。", "m-1-a", "direct-object")]


def test_the_index_searches_filters_and_turns_pages_and_its_address_keeps_the_view(page: Page, tmp_path: Path) -> None:
    address = (pages(tmp_path, collection()) / "index.html").as_uri()
    page.goto(address)
    shown, rows = page.locator("#shown"), page.locator("#records tbody tr")
    expect(shown).to_have_text("121 of 121 records")
    expect(rows).to_have_count(50)
    page.get_by_role("button", name="Next").click()
    expect(page.locator("#page")).to_have_text("page 2 of 3")
    expect(rows.first).to_contain_text("k-025-a")  # the 51st
    page.get_by_label("Marked").select_option("disputed")
    expect(shown).to_have_text("2 of 121 records")
    assert page.url == f"{address}#mark=disputed"  # and no page any more
    expect(page.get_by_label("By the rules").locator("option")).to_have_text(["all", "direct-object (0)", "kept (2)"])
    page.get_by_role("button", name="Show all").click()
    for text, found in {
        "rare GLOSS": "k-003-b",
        "K-011-b": "k-011-b",
        "zh/some-RULE": "m-1-a",
        "骂他": "m-1-a",
    }.items():
        page.get_by_label("Search").fill(text)
        expect(shown).to_have_text("1 of 121 records")
        expect(rows).to_contain_text([found])
    page.goto(f"{address}#find=%E8%AF%B4%E4%BB%96&page=3")  # 说他, in all kept records
    expect(shown).to_have_text("120 of 121 records")
    expect(rows).to_have_count(20)
    expect(page.get_by_label("Search")).to_have_value("说他")


def test_a_record_has_its_history_and_leads_to_its_neighbours(page: Page, tmp_path: Path) -> None:
    folder = pages(tmp_path, collection())
    page.goto((folder / "index.html").as_uri())
    page.get_by_label("By the rules").select_option("direct-object")
    page.get_by_role("link", name="m-1-a").click()
    record = page.locator("#record")
    expect(record.locator("h1")).to_have_text("m-1-a")
    expect(record).to_contain_text("by the rules: direct-object")
    expect(record.locator("mark.target")).to_have_text(["他", "他"])  # before and after
    expect(record.locator("mark.zero")).to_have_text(["Ø"])
    expect(record).to_contain_text("甲骂，Ø挨骂。")
    expect(record).to_contain_text("An object <licenses> no zero.")
    expect(record.locator("li.answer")).to_have_text("甲 ✓ right")
    expect(record.locator("bdi[lang=zh]").first).to_contain_text("甲")
    page.get_by_role("link", name="‹ k-059-b").click()
    page.get_by_role("link", name="pair: k-059-a").click()
    expect(record.locator("h1")).to_have_text("k-059-a")
    expect(record.locator("h1")).to_be_focused()
    expect(page).to_have_title("k-059-a · A record of mine")
    page.goto((folder / "record.html").as_uri() + "#gone")
    expect(record.locator("h1")).to_have_text("No record gone")


def test_a_record_that_comes_late_does_not_take_the_place_of_another(page: Page, tmp_path: Path) -> None:
    page.goto((pages(tmp_path, collection()) / "record.html").as_uri() + "#k-000-a")
    expect(page.locator("h1")).to_have_text("k-000-a")
    page.evaluate(
        """async () => {
            const changed = () => new Promise(resolve => addEventListener("hashchange", resolve, {once: true}));
            for (const id of ["m-1-a", "k-001-a"]) { location.hash = id; await changed(); }
            while (document.querySelector("head script[src*=records]")) await new Promise(resolve => setTimeout(resolve, 10));
        }"""
    )
    expect(page.locator("h1")).to_have_text("k-001-a")


def test_hostile_texts_stay_text(page: Page, tmp_path: Path) -> None:
    hostile = f"{HOSTILE}\u2028\u2029𠮷`${{alert(3)}}\\"
    texts = dict.fromkeys(("schema", "lang", "question", "source", "note"), hostile)
    item = replace(marked(f"𠮷【他】{hostile}", candidates=(hostile, "𠮷"), **texts), id=hostile)
    tree = flat_tree(item.text, "𠮷", "他", parser=hostile, tag=hostile, relation=hostile)
    reason = Finding(hostile, "other", None, hostile, {hostile: {hostile: [hostile]}, "plain": hostile})
    decision = Decision(item.id, "other", True, {hostile: (hostile,)}, (hostile,))
    answers = {hostile: [(hostile, hostile, False)]}
    remarks = {hostile: [{"reader": hostile, hostile: hostile}]}
    views = record_views(
        [RecordHistory(item, decision, (reason,), Analysis(hostile, hostile, hostile, hostile, hostile, None))],
        [Lock(Path("l"), {tree.key: tree})],
        supplements=Supplements(
            judged={hostile: [hostile]}, forms={hostile: {hostile: ({"text": hostile},)}},
            unmade={"f": {hostile: hostile}},
            answers=answers, readings=remarks, changes={hostile: (hostile, hostile)},
        ),
    )  # fmt: skip
    write_item_pages(tmp_path, hostile, views, {hostile: hostile})
    page.on("dialog", lambda dialog: pytest.fail(f"a script of the data ran: {dialog.message}"))
    seen = "<script>alert(1)</script></details>'\"><img src=x onerror=alert(2)>⟨U+202E⟩{{ 7 * 7 }}&amp;⟨U+2028⟩⟨U+2029⟩𠮷`${alert(3)}\\"
    page.goto((tmp_path / "index.html").as_uri())
    expect(page.locator("#records .sentence bdi")).to_have_text(f"𠮷他{seen}")
    expect(page.locator("#records mark")).to_have_text("他")  # in code points: 𠮷 is two units of JavaScript
    page.locator("#records a").click()
    expect(page.locator("#record h1")).to_have_text(seen)
    expect(page.locator("#record mark.target")).to_have_text("他")
    expect(page.locator("#record svg text.target").first).to_have_text("他")
    expect(page.locator("main :is(img, script)")).to_have_count(0)
    assert page.locator("main").inner_text().count("alert(1)") > 10


def test_a_tree_is_drawn_with_its_target_and_opens_where_the_rules_reject(page: Page, tmp_path: Path) -> None:
    trees = [flat_tree("把他叫醒。", "把", "他", "叫醒", "。", parser=parser) for parser in "pq"]
    locks = [Lock(Path(tree.parser), {tree.key: tree}) for tree in trees]
    history = entry(marked("把【他】叫醒。", "b-1-a"), "ba-object", p=("zh/ba-object",), q=())
    page.goto((pages(tmp_path, [history], locks) / "record.html").as_uri() + "#b-1-a")
    summaries = page.locator("summary")
    expect(summaries).to_have_text(["Tree by p: zh/ba-object", "Tree by q: no rule matches, keep"])
    expect(page.locator("svg:visible text.target").first).to_have_text("他")
    expect(page.locator("svg:visible .head")).to_have_count(3)  # no arc leads to the first word, the root
    label = page.locator("svg:visible").get_attribute("aria-label")
    assert label == "把 X, root; 他 X, dep of 把; 叫醒 X, dep of 把; 。 X, dep of 把"


def test_a_disputed_record_says_who_disputes_what_and_tabs_lead_to_its_neighbours(page: Page, tmp_path: Path) -> None:
    trees = [flat_tree("把他叫醒。", "把", "他", "叫醒", "。", parser=parser) for parser in "pq"]
    locks = [Lock(Path(tree.parser), {tree.key: tree}) for tree in trees]
    history = entry(marked("把【他】叫醒。", "b-1-a"), "ba-object", p=("zh/ba-object",), q=())
    disputed = replace(history, decision=replace(history.decision, disputed=True))
    page.goto((pages(tmp_path, [*collection(), disputed], locks) / "record.html").as_uri() + "#m-1-a")
    page.goto((tmp_path / "record.html").as_uri() + "#b-1-a")
    expect(page.locator("h1")).to_be_focused()
    expect(page.locator(".badge.warning")).to_have_text(["disputed"])
    words = "The parsers dispute it: p, which decides, rejects it by zh/ba-object; q keeps it."
    expect(page.locator("p.caution")).to_have_text(words)
    page.keyboard.press("Tab")
    expect(page.locator("nav.neighbours a").first).to_be_focused()


def test_items_that_nobody_decides_have_no_state_and_nothing_found_leaves_no_head(page: Page, tmp_path: Path) -> None:
    write_item_pages(tmp_path, "mine", record_views(collection()[:2], decided=False), lead="2 of 1,000")
    page.goto((tmp_path / "index.html").as_uri())
    expect(page.locator("p.lead")).to_have_text("2 of 1,000")
    expect(page.locator("thead th")).to_have_text(["Record", "Text", "Marks"])  # they are disputed
    expect(page.locator("main")).not_to_contain_text("kept")
    expect(page.get_by_label("Search")).to_have_attribute("placeholder", "text, gloss or id")
    page.get_by_label("Search").fill("nowhere")
    expect(page.locator("#shown")).to_have_text("0 of 2 records")
    expect(page.locator("thead")).to_be_hidden()
    page.goto((tmp_path / "record.html").as_uri() + "#k-000-a")
    expect(page.locator("h1")).to_have_text("k-000-a")
    expect(page.locator("main")).not_to_contain_text("kept")


@pytest.mark.parametrize("width", [390, 1280])
def test_state_and_whole_words_are_seen_on_a_telephone(width: int, page: Page, tmp_path: Path) -> None:
    histories = [replace(history, record=replace(history.record, lang="en")) for history in collection()[:3]]
    page.set_viewport_size({"width": width, "height": 800})
    page.goto((pages(tmp_path, histories) / "index.html").as_uri())
    badge = page.locator("#records .badge").first.bounding_box()
    assert badge is not None
    assert badge["x"] + badge["width"] <= width
    assert page.evaluate("(box => box.scrollWidth <= box.clientWidth)(document.querySelector('.scroll'))")


def test_a_record_without_target_or_answer_is_shown(page: Page, tmp_path: Path) -> None:
    broken = Record(
        id="d-1-a", schema="d-1", version="a", lang="zh", text="坏了", target=None, candidates=("甲",), answer=None
    )
    folder = pages(tmp_path, [entry(broken, "defect")])
    page.goto((folder / "record.html").as_uri() + "#d-1-a")
    expect(page.locator("#record")).to_contain_text("no right answer")
    expect(page.locator("mark")).to_have_count(0)


# --- what is shown --------------------------------------------------------------------------------------------------------


def test_people_change_text_and_answer_and_the_view_says_how() -> None:
    sentence = marked("甲说【他】累。", "m-1-a", question="谁？")
    modified = judged(entry(sentence), "kept", adjudicated("m-1-a", "modify", "甲说[]真累。", question="谁真累？"))
    assert final_record(modified) == replace(sentence, text="甲说真累。", target=Span(2, 2), question="谁真累？")
    relabelled = judged(entry(sentence), "kept", adjudicated("m-1-a", "relabel", "乙"))
    assert final_record(relabelled) == replace(sentence, answer=1)
    (view,) = record_views([relabelled], supplements=Supplements(judged={"m-1-a": ["study: 3 raters"]}))
    assert view.people == (
        ("decided", "relabel: right is 乙, not 甲, by 5 of 6 raters in consensus: because"),
        ("judged", "study: 3 raters"),
    )
    assert view.marks == ("people: relabel", "judged by raters")
    assert (view.answer, view.zero, view.wordings[0].mentions) == (1, True, ((0, 1, 0),))


def test_forms_keep_what_a_person_reads_and_readings_their_table(tmp_path: Path) -> None:
    row = '{"id": "%s-0", "item": "%s", "schema": "s", "premise": "甲。", "span": {"start": 0, "end": 1}, "correct": %s}\r\n'
    rows = "\ufeff" + row % ("a", "a", "false") + row % ("b", "b", "true") + "\n" + row % ("a", "a", "true")
    (tmp_path / "nli.jsonl").write_bytes(rows.encode())
    (tmp_path / "unmade.jsonl").write_text('{"form": "names", "item": "a", "reason": "no name"}\n', encoding="utf-8")
    forms, unmade = read_forms(tmp_path, ("nli", "names"))
    assert {form: dict(found) for form, found in forms.items()} == {
        "nli": {
            "a": ({"premise": "甲。", "correct": False}, {"premise": "甲。", "correct": True}),
            "b": ({"premise": "甲。", "correct": True},),
        }
    }
    assert unmade == {"names": {"a": "no name"}}
    for line, reason in ((b"{", "JSON"), (b"1", "kind"), (b"{}", "item"), (b"\xff", "UTF-8")):
        (tmp_path / "nli.jsonl").write_bytes(rows.encode() + line)
        with pytest.raises(PipelineError, match=rf"nli.jsonl:5: .*{reason}"):
            read_forms(tmp_path, ("nli",))
    (tmp_path / "nli.jsonl").write_text('[\n{"item": "a"}\n]\n')
    with pytest.raises(PipelineError, match="found one JSON array"):
        read_forms(tmp_path, ("nli",))
    table = tmp_path / "reading.tsv"
    rows = [
        f"a\t{digest_of('他来了。')}\t\treader-1\t5",
        f"a\t{digest_of('他去了。')}\t\treader-2\t3",
        "c\t\t\treader-1\t5",
    ]
    table.write_text("\n".join(["id\ttext\tzero\treader\tsure", *rows, ""]), encoding="utf-8")
    reading = {"read": "text", "reader": "reader-1", "sure": "5"}
    other, before = {"read": "", "reader": "reader-1", "sure": "5"}, {"round": "earlier"}
    forms = {"a": ["他来了。"], "b": []}
    assert read_reader_tables([table], forms) == {"a": [reading], "c": [other]}
    earlier = table.rename(table.with_name("reading-before.tsv"))
    assert read_reader_tables([earlier], forms) == {"a": [reading | before], "c": [other | before]}


def test_a_lock_that_did_not_vote_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    tree = flat_tree("他走。", "他", "走", "。", parser="other/9")
    history = entry(marked("【他】走。", "b-1-a"), "other", p=("r",))
    with pytest.raises(PipelineError, match=r"l\.conllu: \[b-1-a\] no vote of other/9"):
        pages(tmp_path, [*collection(), history], [Lock(Path("l.conllu"), {tree.key: tree})])
    assert list(tmp_path.iterdir()) == []


def test_fewer_records_leave_no_script_of_an_earlier_run(tmp_path: Path) -> None:
    names = lambda: sorted(path.name for path in (tmp_path / "data").iterdir())  # noqa: E731 - asked twice
    pages(tmp_path, collection())
    assert names() == ["index.js", "records-0.js", "records-1.js", "records-2.js", "rows-0.js"]  # 121 in fifties
    pages(tmp_path, collection()[:3])
    assert names() == ["index.js", "records-0.js", "rows-0.js"]


def test_the_command_takes_several_files_and_shows_forms_readings_and_answers(tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    write_items(first, [marked("甲说【他】累。", "a-1-a"), marked("甲说【他】忙。", "a-1-b", answer=1)])
    write_items(second, [marked("【他】走了。", "b-1-a")])
    forms = tmp_path / "forms"
    forms.mkdir()
    (forms / "unmade.jsonl").write_text('{"form": "nli", "item": "b-1-a", "reason": "no clause"}\n', encoding="utf-8")
    (tmp_path / "reading.tsv").write_text("id\treader\tanswer\na-1-a\tr\t甲\n", encoding="utf-8")
    answer = {"id": "a-1-b", "model": "m", "mode": "zero-shot", "answer": "A"}
    (tmp_path / "predictions.jsonl").write_text(json.dumps(answer) + "\n", encoding="utf-8")
    command = (
        "browse",
        first,
        second,
        "--out",
        tmp_path / "out",
        "--forms",
        forms,
        "--readings",
        tmp_path / "reading.tsv",
    )
    command += ("--predictions", tmp_path / "predictions.jsonl")
    assert printed(*command) == f"{tmp_path / 'out' / 'index.html'}: 3 items\n"
    script = (tmp_path / "out" / "data" / "records-0.js").read_text(encoding="utf-8")
    one, two, three = json.loads(script.partition(", 0, ")[2].removesuffix(");\n"))
    assert one["readings"] == [{"read": "", "reader": "r", "answer": "甲"}]
    assert two["answers"] == [["m, zero-shot, zero, as written", "A", False]]
    assert (two["mates"], two["marks"]) == (["a-1-a"], ["answered wrongly"])
    assert three["unmade"] == {"nli": "no clause"}
    run = winoforge("browse", second, "--readings", tmp_path / "reading.tsv", "--out", tmp_path / "out")
    assert (run.returncode, "reading.tsv: [id] of other records; found 'a-1-a'" in run.stderr) == (2, True)
    run = winoforge("browse", first, first, "--out", tmp_path / "out")
    assert (run.returncode, "[id] not unique; found 'a-1-a' in two files" in run.stderr) == (2, True)
