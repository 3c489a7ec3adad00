"""The decisions of people, which a build applies or refuses."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.model import CLASSES, Finding, Record, Rejected
from pipeline.core.records import read_items, write_items, write_rejected
from pipeline.winograd.adjudication.apply import Adjudicated, adjudicate
from pipeline.winograd.adjudication.table import ACTIONS, Adjudication, judged_text, write_adjudications
from tests.conftest import Refused
from tests.support import artifacts
from tests.support.adjudication import BLAME, CARRY, HURRY, KEPT, RECORDS, REJECTED, SHIFT, STATES, excluded, row
from tests.support.commands import printed
from tests.support.items import marked

TABLE = Path("decisions.tsv")


def applied(*rows: Adjudication, by_sentence: bool = False) -> Adjudicated:
    return adjudicate(KEPT, REJECTED, rows, TABLE, by_sentence=by_sentence)


def ids(records: Iterable[Record]) -> list[str]:
    return [record.id for record in records]


def classes(result: Adjudicated) -> dict[str, str]:
    return {entry.record.id: entry.exclusion for entry in result.rejected}


def test_without_decisions_nothing_changes() -> None:
    assert applied() == Adjudicated(tuple(KEPT), tuple(REJECTED), ())


def test_a_dropped_item_takes_its_pair_mate_along() -> None:
    result = applied(row("p-1-b", "drop", "defect", reason="太绕"))
    assert ids(result.kept) == ["p-2-a", "p-2-b"]
    assert ids(entry.record for entry in result.rejected)[:2] == ["p-1-a", "p-1-b"]
    mate, dropped = result.rejected[:2]
    (finding,) = dropped.findings
    assert (finding.rule, finding.exclusion) == ("annotation/consensus", "defect")
    assert finding.message == "people decided that it does not belong to the collection (2 of 3): 太绕"
    assert finding.evidence == {"study": "consensus", "action": "drop", "votes": 2, "raters": 3}
    assert (mate.exclusion, mate.findings[0].evidence["mate"]) == ("pair-mate", "p-1-b")
    assert [(change.id, change.before, change.after, change.decision is None) for change in result.ledger] == [
        ("p-1-a", "kept", "pair-mate", True),
        ("p-1-b", "kept", "defect", False),
    ]
    alone = applied(row("p-1-b", "drop", "defect"), by_sentence=True)
    assert ids(alone.kept) == ["p-1-a", "p-2-a", "p-2-b"]


def test_a_rejection_that_people_overrule_comes_back_with_its_mate() -> None:
    result = applied(row("p-4-a", "keep"))
    assert ids(result.kept) == ["p-1-a", "p-1-b", "p-2-a", "p-2-b", "p-4-a", "p-4-b"]
    assert classes(result) == {"p-3-a": "direct-object", "p-3-b": "direct-object"}
    assert [(change.id, change.before, change.after) for change in result.ledger] == [
        ("p-4-a", "ba-object", "kept"),
        ("p-4-b", "pair-mate", "kept"),
    ]


def test_half_a_pair_does_not_come_back() -> None:
    result = applied(row("p-3-a", "keep"))
    assert classes(result) | {"p-3-a": "pair-mate"} == classes(result)
    assert "p-3-a" not in ids(result.kept)
    both = applied(row("p-3-a", "keep"), row("p-3-b", "keep"))
    assert ids(both.kept)[-2:] == ["p-3-a", "p-3-b"]
    assert ids(applied(row("p-3-a", "keep"), by_sentence=True).kept)[-1] == "p-3-a"


def test_a_mate_is_not_restored_by_its_own_decision() -> None:
    result = applied(row("p-4-b", "keep"))
    assert result.kept == tuple(KEPT)
    assert result.rejected == tuple(REJECTED)  # its reason is told in the very words of `exclude`


def test_a_rejection_is_confirmed_or_gets_another_class() -> None:
    result = applied(
        row("p-3-a", "drop", "direct-object"), row("p-3-b", "drop", "other"), row("p-4-b", "drop", "other")
    )
    findings = {
        entry.record.id: [(finding.rule, finding.exclusion) for finding in entry.findings] for entry in result.rejected
    }
    assert findings["p-3-a"] == [("zh/x", "direct-object"), ("annotation/consensus", "direct-object")]
    assert findings["p-3-b"] == [("annotation/consensus", "other"), ("zh/x", "direct-object")]
    assert findings["p-4-b"] == [("annotation/consensus", "other")]  # no mate any more


def test_a_pair_with_one_answer_turns_on_nothing() -> None:
    result = applied(row("p-1-b", "relabel", "老汤"))
    assert ids(result.kept) == ["p-2-a", "p-2-b"]
    mate, relabelled = result.rejected[:2]
    assert (relabelled.exclusion, relabelled.record.answer, mate.exclusion) == ("defect", 0, "pair-mate")
    both = applied(row("p-1-a", "relabel", "小柳"), row("p-1-b", "relabel", "老汤"))
    assert [(item.id, item.answer) for item in both.kept[:2]] == [("p-1-a", 1), ("p-1-b", 0)]
    alone = applied(row("p-1-b", "relabel", "老汤"), by_sentence=True)
    assert [(item.id, item.answer) for item in alone.kept[:2]] == [("p-1-a", 0), ("p-1-b", 0)]


def test_relabelling_a_rejected_item_counts_its_returning_mate() -> None:
    # p-4-b comes back with p-4-a and has the answer 老秦, which p-4-a now has too.
    result = applied(row("p-4-a", "relabel", "老秦"))
    assert result.kept == tuple(KEPT)
    assert classes(result) | {"p-4-a": "defect", "p-4-b": "pair-mate"} == classes(result)


def test_a_modified_item_is_the_text_that_people_wrote() -> None:
    first, second = (judged_text(item).replace("因为[他]", "因为[他]实在") for item in HURRY)
    result = applied(row("p-1-a", "modify", first), row("p-1-b", "modify", second))
    assert result.kept[0].text == "老汤催小柳快走，因为他实在赶时间。"
    assert result.kept[0].target.of(result.kept[0].text) == "他"
    rescued = "小孙绊倒了小郑，[他]被大家{}了一顿。"
    back = applied(row("p-3-a", "modify", rescued.format("责备")), row("p-3-b", "modify", rescued.format("安慰")))
    assert ids(back.kept)[-2:] == ["p-3-a", "p-3-b"]


def test_a_modification_that_unmakes_the_pair_is_refused(refused: Refused) -> None:
    longer = judged_text(HURRY[0]).replace("因为[他]", "因为[他]实在")
    message = refused(lambda: applied(row("p-1-a", "modify", longer, line=7)), "decisions.tsv:7", "value")
    # 实在赶时间 and 磨磨蹭蹭: five characters in the longer one where there were four.
    assert "no longer a minimal pair with p-1-b; found a difference of 5 characters, expected 1 to 4" in message
    same = judged_text(HURRY[1])
    message = refused(lambda: applied(row("p-1-a", "modify", same, line=7)), "decisions.tsv:7", "value")
    assert "a difference of 0 characters" in message


def test_what_a_modification_rescued_is_dropped_as_it_is_now() -> None:
    """`modify` leaves the pair p-4 rejected; p-3 is kept with another text."""
    mended = marked("小孙绊倒了小郑，【他】被大家责备。", "p-3-a", candidates=("小孙", "小郑"))
    mate = marked("小孙绊倒了小郑，【他】被大家安慰。", "p-3-b", candidates=("小孙", "小郑"), answer=1)
    decision = row("p-3-a", "drop", "defect", state="kept", text=judged_text(mended), line=2)
    items, left = [*KEPT, mended, mate], REJECTED[2:]
    result = adjudicate(items, left, [decision], TABLE)
    assert result.kept == tuple(KEPT)
    assert [(entry.record.text, entry.exclusion) for entry in result.rejected[:2]] == [
        (mended.text, "defect"),
        (mate.text, "pair-mate"),
    ]
    kept = replace(decision, action="keep", value="")
    assert adjudicate(items, left, [kept], TABLE).rejected == tuple(left)
    assert adjudicate(items, left, [], None) == Adjudicated(tuple(items), tuple(left), ())


@pytest.mark.parametrize(
    ("decision", "field"),
    [
        (row("p-9-a", "keep", text="甲"), "item"),
        (row("p-1-a", "keep", text="老汤催小柳快些，因为[他]赶时间。"), "text"),
        (row("p-1-a", "keep", text="老汤催小柳快走，因为他[]赶时间。"), "text"),  # the same text, another target
        (row("p-1-a", "keep", answer="小柳"), "answer"),
        (row("p-1-a", "keep", state="direct-object"), "state"),  # the rules keep it by now
        (row("p-3-a", "drop", "other", state="kept"), "state"),  # the rules reject it by now
        (row("p-3-a", "keep", state="other"), "state"),
        (row("p-1-a", "relabel", "老汤"), "value"),
        (row("p-1-a", "relabel", "老周"), "value"),
        (row("p-1-a", "modify", "老汤催小柳快走。"), "value"),
        (row("p-1-a", "modify", "老汤催小柳快走，因为[他赶时间。"), "value"),
    ],
)
def test_a_decision_that_does_not_apply_fails_the_build(refused: Refused, decision: Adjudication, field: str) -> None:
    refused(lambda: applied(row("p-2-a", "keep"), replace(decision, line=9)), "decisions.tsv:9", field)


def test_a_record_that_is_no_item_cannot_be_kept(refused: Refused) -> None:
    record = Record(**{name: getattr(HURRY[0], name) for name in Record.__slots__} | {"id": "p-8-a", "answer": None})
    broken = Rejected(record, (Finding("assemble/answer", "defect", None, "no answer"),))
    decision = row("p-8-a", "keep", state="defect", text=judged_text(record), answer="")
    refused(lambda: adjudicate([], [broken], [decision], TABLE), "decisions.tsv:2", "action")
    # Whole as it looks, a reader found something wrong with it.
    refused(
        lambda: adjudicate([], [excluded(HURRY[0], "defect")], [row("p-1-a", "keep", state="defect")], TABLE),
        "decisions.tsv:2",
        "action",
    )


#: In the words that make the difference of the pair, so that one member may change without the other.
ANEW = {
    "p-1-a": ("赶时间", "赶火车"),
    "p-1-b": ("磨磨蹭蹭", "慢慢吞吞"),
    "p-2-a": ("困得睁不开眼", "困得直打哈欠"),
    "p-2-b": ("睡得很香", "睡得正香"),
    "p-3-a": ("责备", "数落"),
    "p-3-b": ("安慰", "宽慰"),
    "p-4-a": ("累坏了", "累惨了"),
    "p-4-b": ("不稳", "太慢"),
}


@st.composite
def decisions(draw: st.DrawFn) -> list[Adjudication]:
    """Draw decisions that apply to the records here, at most one for each."""
    rows = []
    for name in draw(st.lists(st.sampled_from(sorted(RECORDS)), unique=True)):
        item, action = RECORDS[name], draw(st.sampled_from(ACTIONS))
        value = {
            "keep": "",
            "drop": draw(st.sampled_from([name for name in CLASSES if name != "pair-mate"])),
            "relabel": item.candidates[1 - item.answer],
            "modify": judged_text(item).replace(*ANEW[name]),
        }[action]
        rows.append(row(name, action, value))
    return rows


@given(decisions(), st.booleans(), st.randoms())
def test_every_record_comes_out_once_whatever_people_decide(
    rows: list[Adjudication], by_sentence: bool, random: Random
) -> None:
    result = applied(*rows, by_sentence=by_sentence)
    assert sorted([*ids(result.kept), *classes(result)]) == sorted(RECORDS)
    assert ids(result.kept) == sorted(ids(result.kept))
    assert list(classes(result)) == sorted(classes(result))
    shuffled = random.sample(rows, len(rows))
    assert applied(*shuffled, by_sentence=by_sentence) == result
    changed = {change.id for change in result.ledger}
    assert changed >= {decision.item for decision in rows}
    states = {item.id: "kept" for item in result.kept} | classes(result)
    assert changed >= {name for name, state in states.items() if state != STATES[name]}
    if not by_sentence:
        # No half pair stays, and no pair with one answer.
        for first, second in (HURRY, SHIFT, BLAME, CARRY):
            both = [item for item in result.kept if item.id in (first.id, second.id)]
            assert len(both) in (0, 2)
            assert len({item.answer for item in both}) == len(both)


def test_the_command_says_what_came_back_and_what_went(tmp_path: Path) -> None:
    at = tmp_path.joinpath
    write_items(at("modified.jsonl"), KEPT)
    write_rejected(at("rejected.jsonl"), REJECTED)
    write_adjudications(at("decisions.tsv"), [row("p-1-a", "drop", "defect"), row("p-4-a", "keep")])
    out = artifacts.stage_outputs(tmp_path, "adjudicated", "adjudications")
    files = (at("modified.jsonl"), f"--rejected={at('rejected.jsonl')}", f"--decisions={at('decisions.tsv')}")
    assert "4 in + 2 restored - 2 rejected = 4 items" in printed("annotate", "apply", *files, *out)
    assert ids(read_items(at("adjudicated.jsonl"))) == ["p-2-a", "p-2-b", "p-4-a", "p-4-b"]
    left = [json.loads(line) for line in at("adjudicated-rejected.jsonl").read_text(encoding="utf-8").splitlines()]
    assert left[0]["findings"][0]["rule"] == "annotation/consensus"
    assert left[0]["findings"][0]["evidence"]["votes"] == 2
