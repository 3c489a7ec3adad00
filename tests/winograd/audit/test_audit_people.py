"""The audit tells what people decided: beside what the rules say, not instead of it."""

from dataclasses import replace
from pathlib import Path

from pipeline.core.files import read_text
from pipeline.core.tables import read_table
from pipeline.winograd.adjudication.apply import Change, write_changes
from pipeline.winograd.adjudication.table import Adjudication
from pipeline.winograd.audit.page import TABLE_HEADER, by_urgency, read_study_results, table
from pipeline.winograd.build import RecordHistory
from tests.conftest import Refused
from tests.support.commands import printed
from tests.support.items import marked
from tests.support.pages import Page
from tests.winograd.audit.test_audit import HOSTILE, build, entry, rendered


def adjudicated(name: str, action: str, value: str = "", **columns: object) -> Adjudication:
    """Return a decision that five of six raters came to."""
    about = {
        "state": "kept",
        "text": "甲说[他]累。",
        "answer": "甲",
        "study": "consensus",
        "reason": "because",
    } | columns
    return Adjudication(item=name, action=action, value=value, votes=5, raters=6, **about)  # type: ignore[arg-type]


def judged(history: RecordHistory, after: str, decision: Adjudication | None) -> RecordHistory:
    """Return an entry of whose record, or of its pair-mate, people decided."""
    return replace(history, change=Change(history.record.id, history.outcome, after, decision))


def decided() -> list[RecordHistory]:
    """Return a record for each thing that people can do, the pair-mate of one, and one that they did not see."""
    sentence = "甲说【他】累。"
    return [
        judged(entry(marked(sentence, "d-1-a")), "other", adjudicated("d-1-a", "drop", "other")),
        judged(entry(marked(sentence, "d-1-b")), "pair-mate", None),
        judged(entry(marked(sentence, "k-1-a"), "ba-object"), "kept", adjudicated("k-1-a", "keep", state="ba-object")),
        judged(entry(marked(sentence, "m-1-a")), "kept", adjudicated("m-1-a", "modify", "甲说[]真累。")),
        judged(entry(marked(sentence, "r-1-a")), "kept", adjudicated("r-1-a", "relabel", "乙")),
        entry(marked(sentence, "u-1-a")),
    ]


def test_the_table_says_by_how_many_and_why() -> None:
    assert [history.record.id for history in by_urgency(decided())] == ["k-1-a", "d-1-a", "d-1-b", "m-1-a", "r-1-a"]
    rows = {row[0]: dict(zip(TABLE_HEADER, row, strict=True)) for row in table(decided())}
    columns = ("decision", "outcome", "people", "value", "raters", "study", "reason")
    assert [rows["d-1-a"][name] for name in columns] == [
        "kept", "other", "drop", "other", "5 of 6", "consensus", "because",
    ]  # fmt: skip
    assert [rows["d-1-b"][name] for name in columns] == ["kept", "pair-mate", "follow", "", "", "", ""]
    assert [rows["u-1-a"][name] for name in columns] == ["kept", "kept", "", "", "", "", ""]


def test_the_page_counts_and_tells_each() -> None:
    html = rendered(decided())
    elements = Page(html)
    rows = {" ".join(row.split()[:2]): row for row in elements.texts["tr"][1:]}
    numbers = {name: [int(word) for word in row.split() if word.isdecimal()] for name, row in rows.items()}
    for action in ("keep", "drop", "relabel", "modify", "follow"):
        assert numbers[f"people: {action}"] == [1]
    assert numbers["judged by"] == [5]
    assert numbers["converted as"] == [4, 240]  # six, less the dropped one and its pair-mate; the restored one is back
    assert "5 kept + 1 rejected = 6 records" in html  # which is what the rules say
    assert "are converted" in html
    listed = {
        row.split()[0]: " ".join(row.split()) for row in elements.texts["tr"] if row.split()[0].endswith(("-a", "-b"))
    }
    assert len(listed) == 5
    assert "people: drop → other" in listed["d-1-a"]
    assert "drop as other, by 5 of 6 raters in consensus: because" in listed["d-1-a"]
    assert "people: follow → pair-mate" in listed["d-1-b"]
    assert "kept → pair-mate" in listed["d-1-b"]
    assert "people: keep → kept" in listed["k-1-a"]
    assert "→ 甲说Ø真累。" in listed["m-1-a"]
    assert "relabel: right is 乙, not 甲, by 5 of 6" in listed["r-1-a"]


def test_where_nobody_decided_nothing_is_said_of_people() -> None:
    html = rendered([entry(marked("甲说【他】累。", "u-1-a")), entry(marked("把【他】叫醒。", "b-1-a"), "ba-object")])
    assert "people:" not in html
    assert "judged" not in html


def test_what_raters_write_stays_text() -> None:
    history = entry(marked("甲说【他】累。", "h-1-a"))
    seen = HOSTILE.replace("\u202e", "")  # a table of decisions with an invisible character is refused
    hostile = judged(history, "kept", adjudicated("h-1-a", "modify", f"{seen}[他]", reason=seen))
    html = rendered([hostile])
    elements = Page(html)
    assert elements.count("script") == 0
    assert elements.count("img") == 0


def test_the_command_takes_the_ledger(tmp_path: Path) -> None:
    arguments = build(tmp_path)
    ledger = tmp_path / "adjudications.jsonl"
    restored = Change("b-1-a", "ba-object", "kept", adjudicated("b-1-a", "keep", state="ba-object", reason="=1+1"))
    dropped = Change("k-1-a", "kept", "other", adjudicated("k-1-a", "drop", "other"))
    write_changes(ledger, [restored, dropped])
    output = printed(*arguments, "--adjudications", ledger)
    assert "2 changed or confirmed by people: 1 restored, 1 rejected; 1 converted" in output.splitlines()
    path = tmp_path / "audit" / "audit.tsv"
    rows = {row["id"]: row for _, row in read_table(path, TABLE_HEADER)}
    assert (rows["b-1-a"]["decision"], rows["b-1-a"]["outcome"]) == ("rejected", "kept")
    assert rows["b-1-a"]["reason"] == "=1+1"
    assert (rows["k-1-a"]["decision"], rows["k-1-a"]["outcome"], rows["k-1-a"]["people"]) == ("kept", "other", "drop")


ITEMS = """\
item\traters\tratings\tmean\trating_level\tanswers\tright\taccuracy_level
b-1-a\t3\t2 2 3\t2.3333\thard\t3\t1\thard
k-1-a/1\t1\t\t\t\t1\t1\teasy
k-1-a/0\t0\t\t\t\t\t\t
"""


def test_the_audit_shows_what_raters_said_of_each_item(tmp_path: Path) -> None:
    for study in ("naturalness", "upper-bound"):
        (tmp_path / study).mkdir()
        (tmp_path / study / "items.tsv").write_text(ITEMS, encoding="utf-8")
    arguments = [
        *build(tmp_path),
        *(f"--people={tmp_path / study / 'items.tsv'}" for study in ("naturalness", "upper-bound")),
    ]
    assert "2 of 3 judged by raters\n" in printed(*arguments)
    out = Path(arguments[arguments.index("--out") + 1])
    rows = {row["id"]: row["judged"] for _, row in read_table(out / "audit.tsv", ("id", "judged"))}
    rated = "3 raters; ratings 2 2 3, mean 2.3333 (hard); 1 of 3 right (hard)"
    assert rows == {
        "b-1-a": f"naturalness: {rated} | upper-bound: {rated}",
        "k-1-a": "naturalness, candidate 1: 1 rater; 1 of 1 right (easy) | upper-bound, candidate 1: 1 rater; 1 of 1 right (easy)",
        "d-1-a": "",
    }
    html = read_text(out / "index.html")
    assert all(f"judged by raters: {study}: {rated}" in html for study in ("naturalness", "upper-bound"))


def test_a_table_of_judged_items_with_a_text_for_a_number_is_refused(tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "items.tsv"
    path.write_text(ITEMS.replace("\t3\t1\t", "\tmany\t1\t"), encoding="utf-8")
    message = refused(lambda: read_study_results([path]), f"{path}:2", "answers")
    assert "found 'many', expected a number or nothing" in message
