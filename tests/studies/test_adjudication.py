"""The judgements of a study become rows of the table of decisions."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pipeline.core.errors import PipelineError
from pipeline.core.model import Item
from pipeline.core.records import write_items, write_rejected
from pipeline.studies.adjudication import Ballot, read_ballot, update_table
from pipeline.studies.model.design import Control
from pipeline.studies.model.judgements import Answer, read_judgements, write_judgements
from pipeline.studies.model.study import Study, Task, read_study, write_study
from pipeline.winograd.adjudication.apply import RecordState
from pipeline.winograd.adjudication.table import COLUMNS, judged_text, read_adjudications
from pipeline.winograd.modifications import Modification, modify, write_applied
from pipeline.winograd.zero_forms import to_zero
from tests.conftest import Refused
from tests.support.adjudication import HURRY, KEPT, RECORDS, REJECTED, row
from tests.support.agreement import judge
from tests.support.commands import app
from tests.support.items import marked

# --- one ballot -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "code", "answers", "expected"),
    [
        ("p-1-a", "keep", {}, Ballot("keep")),
        ("p-1-a", "drop", {}, Ballot("drop", "defect")),
        ("p-1-a", "agree", {}, Ballot("keep")),
        ("p-3-a", "agree", {}, Ballot("drop", "direct-object")),
        ("p-3-a", "drop", {}, Ballot("drop", "direct-object")),
        ("p-3-a", "keep", {}, Ballot("keep")),
        ("p-3-a", "other", {"class": "already-zero"}, Ballot("drop", "already-zero")),
        ("p-3-a", "other", {}, None),
        ("p-4-b", "drop", {}, Ballot("drop", "defect")),
        ("p-1-a", "relabel", {"reference": 1}, Ballot("relabel", "小柳")),
        ("p-1-a", "relabel", {"reference": 0}, None),  # is the answer already
        ("p-1-a", "relabel", {"reference": 2}, None),
        ("p-1-a", "relabel", {}, None),
        ("p-1-a", "modify", {"modified": " 老汤催[他]。\n"}, Ballot("modify", "老汤催[他]。")),
        (
            "p-1-a",
            "modify",
            {"modified": "老汤催[他]。", "question": " 老汤催谁？"},
            Ballot("modify", "老汤催[他]。", "老汤催谁？"),
        ),
        ("p-1-a", "modify", {"modified": "老汤催[他]。", "question": "老汤催\u202e谁？"}, None),
        ("p-1-a", "modify", {"modified": "老汤催【他】。"}, Ballot("modify", "老汤催[他]。")),
        ("p-1-a", "modify", {"modified": "老汤［他］。"}, Ballot("modify", "老汤[他]。")),
        ("p-1-a", "modify", {"modified": "老汤\u202e催[他]。"}, None),  # an invisible character
        ("p-1-a", "modify", {}, None),
        ("p-1-a", None, {"reference": 1}, None),
    ],
)
def test_answers_are_a_ballot_or_invalid(
    name: str, code: str | None, answers: Mapping[str, Answer], expected: Ballot | None
) -> None:
    findings = next((entry.findings for entry in REJECTED if entry.record.id == name), ())
    assert read_ballot(code, answers, RecordState(RECORDS[name], findings)) == expected


# --- a study ----------------------------------------------------------------------------------------------------------

CONSENSUS = (
    Control("decision", "choice", choices=("keep", "drop", "relabel", "modify")),
    Control("reference", "candidate", required=False),
    Control("modified", "text", required=False),
    Control("comment", "text", required=False),
)
AUDIT = (
    Control("verdict", "choice", choices=("agree", "keep", "other")),
    Control("class", "choice", required=False, choices=("ba-object", "direct-object", "already-zero")),
    Control("comment", "text", required=False),
)
Answers = Mapping[str, list[dict[str, Answer] | None]]


def study_of(
    folder: Path, name: str, controls: tuple[Control, ...], items: Answers, records: Mapping[str, Item] = RECORDS
) -> list[str]:
    """Write a study, its export and the records; return the arguments of the command. None is a skipped task."""
    study = Study(name, name, "zh", 1, controls, ("all",), "", "<View/>")
    tasks, judgements = [], []
    for position, (item, answers) in enumerate(items.items(), 1):
        key, record = f"{name}/all/{position:03}", records[item]
        shows = {"study": name, "task": key, "text_zero": to_zero(record)["text_zero"]}
        tasks.append(Task(key, "all", position, "main", (item,), ((1, 0),), (record.answer,), shows))
        judgements += [
            judge(tasks[-1], f"r-{number}", 9.0, skipped=answered is None, **answered or {})
            for number, answered in enumerate(answers)
        ]
    write_study(folder / name, study, tasks)
    write_judgements(folder / f"{name}.jsonl", judgements)
    write_items(folder / "modified.jsonl", KEPT)
    write_rejected(folder / "modified-rejected.jsonl", REJECTED)
    return [
        "annotate", "adjudicate", str(folder / name), f"--judgements={folder / name}.jsonl",
        f"--records={folder / 'modified.jsonl'}", f"--rejected={folder / 'modified-rejected.jsonl'}",
        f"--decisions={folder / 'decisions.tsv'}",
    ]  # fmt: skip


def run(arguments: Iterable[str]) -> Result:
    return CliRunner().invoke(app, list(arguments))


KEEP: dict[str, Answer] = {"decision": "keep"}
DROP: dict[str, Answer] = {"decision": "drop"}
OTHER: dict[str, Answer] = {"decision": "relabel", "reference": 0}
NEW = "阿强替阿明值了夜班，[他]在家睡得正香。"
MODIFY: dict[str, Answer] = {"decision": "modify", "modified": NEW}
#: Decided are p-1-a (2 of 3 keep), p-1-b (2 of 3 for the first candidate), p-2-b (3 of 4 for the very same text; who passed it over
#: is no rater); p-2-a is split 2 to 2.
ROUND: Answers = {
    "p-1-a": [{**KEEP, "comment": "没\t问题\u202e"}, KEEP, DROP],
    "p-1-b": [OTHER, {**OTHER, "comment": "=老汤也会磨蹭"}, KEEP],
    "p-2-a": [KEEP, DROP, DROP, KEEP],
    "p-2-b": [MODIFY, {**MODIFY, "modified": NEW.replace("正", "可")}, MODIFY, MODIFY, None],
}


def test_a_strict_majority_decides_and_the_rest_is_open(tmp_path: Path) -> None:
    result = run(study_of(tmp_path, "consensus", CONSENSUS, ROUND))
    assert result.exit_code == 1  # something is open
    assert result.stderr == "p-2-a: open; no majority; found 2 drop defect, 2 keep\n"
    assert result.stdout.splitlines() == [
        "consensus: 4 items: 3 decided + 1 open + 0 settled otherwise",
        "consensus: keep 1, drop 0, relabel 1, modify 1",
        "consensus: relabelled, but the other member keeps the same answer, so that the build rejects the pair: p-1-b",
        f"{tmp_path / 'decisions.tsv'}: 3 rows; 3 added, 0 changed, 0 withdrawn, 0 in conflict with another study",
    ]
    assert (tmp_path / "decisions.tsv").read_text(encoding="utf-8").splitlines() == [
        "\t".join(COLUMNS),
        "p-1-a\tkeep\t\tkept\t老汤催小柳快走，因为[他]赶时间。\t老汤\tconsensus\t2 of 3\t没 问题\t\t",
        "p-1-b\trelabel\t老汤\tkept\t老汤催小柳快走，因为[他]磨磨蹭蹭。\t小柳\tconsensus\t2 of 3\t'=老汤也会磨蹭\t\t",
        f"p-2-b\tmodify\t{NEW}\tkept\t阿强替阿明值了夜班，[他]在家睡得很香。\t阿明\tconsensus\t3 of 4\t\t\t",
    ]


def test_the_same_judgements_change_nothing_and_new_ones_replace_their_own_rows(tmp_path: Path) -> None:
    arguments = study_of(tmp_path, "consensus", CONSENSUS, ROUND)
    run(arguments)
    before = (tmp_path / "decisions.tsv").read_bytes()
    again = run(arguments)
    assert (tmp_path / "decisions.tsv").read_bytes() == before
    assert "3 rows; 0 added, 0 changed, 0 withdrawn" in again.stdout
    run(study_of(tmp_path, "consensus", CONSENSUS, {**ROUND, "p-1-b": [OTHER, KEEP], "p-2-a": [KEEP, KEEP]}))
    rows = read_adjudications(tmp_path / "decisions.tsv")
    assert [(row.item, row.action) for row in rows] == [("p-1-a", "keep"), ("p-2-a", "keep"), ("p-2-b", "modify")]


def test_an_audit_keeps_confirms_and_reclassifies_what_the_rules_rejected(tmp_path: Path) -> None:
    agree: dict[str, Answer] = {"verdict": "agree"}
    zero: dict[str, Answer] = {"verdict": "other", "class": "already-zero"}
    answers: Answers = {
        "p-3-a": [{"verdict": "keep"}, {"verdict": "keep"}, agree],
        "p-3-b": [zero, {"verdict": "other", "class": "ba-object"}, zero],
        "p-4-a": [agree, agree],
        "p-4-b": [agree, agree],  # goes with p-4-a: no row
        "p-1-a": [agree, agree],  # kept, but the parsers disagreed
    }
    result = run(study_of(tmp_path, "audit", AUDIT, answers))
    assert result.exit_code == 0, result.output
    assert "5 items: 4 decided + 0 open + 1 settled otherwise" in result.stdout
    rows = read_adjudications(tmp_path / "decisions.tsv")
    assert [(row.item, row.action, row.value, row.state) for row in rows] == [
        ("p-1-a", "keep", "", "kept"),
        ("p-3-a", "keep", "", "direct-object"),
        ("p-3-b", "drop", "already-zero", "direct-object"),
        ("p-4-a", "drop", "ba-object", "ba-object"),
    ]


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ({"p-1-a": [KEEP]}, "too few raters; found 1, expected 2 or more"),
        ({"p-1-a": [KEEP, None]}, "too few raters; found 1, expected 2 or more"),
        ({"p-1-a": [KEEP, DROP]}, "no majority; found 1 drop defect, 1 keep"),
        # Two of four is no strict majority, though nothing else has as many votes.
        (
            {"p-1-a": [KEEP, KEEP, DROP, {**OTHER, "reference": 1}]},
            "no majority; found 2 keep, 1 drop defect, 1 relabel 小柳",
        ),
        ({"p-1-a": [{**OTHER, "reference": 0}] * 2}, "no majority; found 2 invalid"),
        ({"p-1-a": [{**MODIFY, "modified": "老汤走了"}] * 2}, "[value] one target is needed; found 0 in brackets"),
        ({"p-1-a": [{**MODIFY, "modified": "老汤催人，[他]急。"}] * 2}, "[value] a candidate is lost"),
        ({"p-1-a": [{**MODIFY, "modified": judged_text(HURRY[0])}] * 2}, "[value] nothing changes"),
    ],
)
def test_open_items_are_listed_with_their_reason(tmp_path: Path, answers: Answers, why: str) -> None:
    result = run(study_of(tmp_path, "consensus", CONSENSUS, answers))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"p-1-a: open; {why}")
    assert read_adjudications(tmp_path / "decisions.tsv") == []


def modified(name: str, old: str, new: str) -> dict[str, Answer]:
    return {"decision": "modify", "modified": judged_text(RECORDS[name]).replace(old, new)}


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        # The frame changes: 很香！ and 不开眼。 share their end no more; 在家睡得很香！ has seven characters where six differed.
        (
            "。",
            "！",
            "[value] no longer a minimal pair with p-2-a; found a difference of 7 characters, expected 1 to 6",
        ),
        ("得很香", "，，香", "[items/"),  # minimal, but not well written
        (
            "在家睡得很香",
            "困得睁不开眼",
            "[value] no longer a minimal pair with p-2-a; found a difference of 0 characters",
        ),
    ],
)
def test_what_the_build_would_refuse_is_open_and_never_written(tmp_path: Path, old: str, new: str, why: str) -> None:
    change = modified("p-2-b", old, new)
    arguments = study_of(tmp_path, "consensus", CONSENSUS, {"p-1-a": [KEEP, KEEP], "p-2-b": [change, change, KEEP]})
    for _ in range(2):
        result = run(arguments)
        assert result.exit_code == 1
        assert result.stderr.startswith("p-2-b: open; 2 of 3 decide modify, which the build would refuse: ")
        assert why in result.stderr
        assert "2 items: 1 decided + 1 open + 0 settled otherwise" in result.stdout
        assert [row.item for row in read_adjudications(tmp_path / "decisions.tsv")] == ["p-1-a"]


def test_a_change_of_the_frame_is_written_where_both_members_have_it(tmp_path: Path) -> None:
    changes: Answers = {name: [modified(name, "。", "！")] * 2 for name in ("p-2-a", "p-2-b")}
    assert run(study_of(tmp_path, "consensus", CONSENSUS, changes)).exit_code == 0
    assert [row.action for row in read_adjudications(tmp_path / "decisions.tsv")] == ["modify", "modify"]
    # Another study has decided about the other member before: only this study's decision can be refused.
    assert run(study_of(tmp_path, "second", CONSENSUS, {"p-1-a": [modified("p-1-a", "。", "！")] * 2})).exit_code == 1
    assert [row.item for row in read_adjudications(tmp_path / "decisions.tsv")] == ["p-2-a", "p-2-b"]


def test_items_that_nobody_judged_are_one_line(tmp_path: Path) -> None:
    answers: Answers = {"p-1-a": [KEEP, DROP], "p-1-b": [], "p-2-a": [], "p-2-b": [None, None]}
    result = run(study_of(tmp_path, "consensus", CONSENSUS, answers))
    assert result.stderr.splitlines() == [
        "p-1-a: open; no majority; found 1 drop defect, 1 keep",
        "3 items open that nobody has judged: p-1-b, p-2-a, p-2-b",
    ]
    assert "4 items: 0 decided + 4 open + 0 settled otherwise" in result.stdout


def test_a_pair_whose_members_both_get_the_other_answer_stays(tmp_path: Path) -> None:
    swapped: Answers = {"p-1-a": [{**OTHER, "reference": 1}] * 2, "p-1-b": [OTHER, OTHER]}
    result = run(study_of(tmp_path, "consensus", CONSENSUS, swapped))
    assert (result.exit_code, "relabel 2" in result.stdout, "rejects the pair" in result.stdout) == (0, True, False)


def test_an_export_without_judgements_withdraws_no_decision(tmp_path: Path) -> None:
    assert run(study_of(tmp_path, "consensus", CONSENSUS, {"p-1-a": [KEEP, KEEP]})).exit_code == 0
    before = (tmp_path / "decisions.tsv").read_bytes()
    result = run(study_of(tmp_path, "consensus", CONSENSUS, {"p-1-a": []}))
    assert isinstance(result.exception, PipelineError)
    assert "[phase] no judgements of items of consensus" in str(result.exception)
    assert (tmp_path / "decisions.tsv").read_bytes() == before


def test_comments_of_the_table_stay(tmp_path: Path) -> None:
    assert run(study_of(tmp_path, "consensus", CONSENSUS, {"p-1-a": [KEEP, KEEP]})).exit_code == 0
    table = tmp_path / "decisions.tsv"
    header, row = table.read_text(encoding="utf-8").splitlines()
    table.write_text(f"# what the committee decided\n{header}\n# of the first schema\n{row}\n", encoding="utf-8")
    assert run(study_of(tmp_path, "consensus", CONSENSUS, {"p-1-a": [KEEP, KEEP]})).exit_code == 0
    assert table.read_text(encoding="utf-8").splitlines() == [
        "# what the committee decided",
        "# of the first schema",
        header,
        row,
    ]


def test_one_rater_is_enough_with_least_1(tmp_path: Path) -> None:
    result = run([*study_of(tmp_path, "consensus", CONSENSUS, {"p-1-a": [KEEP]}), "--least=1"])
    assert result.exit_code == 0, result.output
    assert [row.share for row in read_adjudications(tmp_path / "decisions.tsv")] == ["1 of 1"]


def test_an_item_that_changed_since_it_was_judged_is_open(tmp_path: Path) -> None:
    older = {"p-1-a": replace(HURRY[0], text=HURRY[0].text.replace("快走", "快些"))}
    result = run(study_of(tmp_path, "consensus", CONSENSUS, {"p-1-a": [KEEP, KEEP]}, older))
    assert (result.exit_code, "text or answer changed since it was judged" in result.stderr) == (1, True)
    turned = {"p-1-a": replace(HURRY[0], answer=1)}
    result = run(study_of(tmp_path, "consensus", CONSENSUS, {"p-1-a": [KEEP, KEEP]}, turned))
    assert (result.exit_code, "text or answer changed since it was judged" in result.stderr) == (1, True)


def test_a_rejected_text_that_was_modified_since_needs_no_decision(tmp_path: Path) -> None:
    arguments = study_of(tmp_path, "audit", AUDIT, {"p-3-a": [{"verdict": "keep"}] * 2})
    change = Modification("p-3-a", "predicate", "大家都去责备[他]", "[他]被大家责备", "because")
    modified = modify(KEPT, [entry for entry in REJECTED if entry.record.id != "p-3-b"], [change], None)
    write_items(tmp_path / "modified.jsonl", modified.kept)
    write_rejected(tmp_path / "modified-rejected.jsonl", modified.rejected)
    write_applied(tmp_path / "modifications.jsonl", modified.ledger)
    unexplained = run(arguments)
    assert (unexplained.exit_code, "text or answer changed since it was judged" in unexplained.stderr) == (1, True)
    result = run([*arguments, f"--modifications={tmp_path / 'modifications.jsonl'}"])
    assert result.exit_code == 0, result.output
    assert "1 item: 0 decided + 0 open + 1 settled otherwise" in result.stdout


def test_practice_does_not_vote_and_each_rater_has_one_vote(tmp_path: Path) -> None:
    arguments = study_of(tmp_path, "consensus", CONSENSUS, {"p-1-a": [KEEP, KEEP, DROP]})
    study, (task,) = read_study(tmp_path / "consensus")
    practice = replace(task, key="consensus/all/000", phase="practice", items=("warm-up",), gold=(0,))
    second = replace(task, key="consensus/more/001", list="more")
    write_study(tmp_path / "consensus", replace(study, lists=("all", "more")), [practice, task, second])
    judgements = read_judgements(tmp_path / "consensus.jsonl")
    trials = [
        replace(judgement, task=practice.key, phase="practice", item="warm-up", answers=DROP)
        for judgement in judgements
    ]
    write_judgements(tmp_path / "consensus.jsonl", [*judgements, *trials])
    assert run(arguments).exit_code == 0
    assert [row.share for row in read_adjudications(tmp_path / "decisions.tsv")] == ["2 of 3"]
    # In another list, a rater who kept the item drops it: of three raters one keeps it, one drops it, one says both.
    again = replace(judgements[0], task=second.key, list="more", answers=DROP)
    write_judgements(tmp_path / "consensus.jsonl", [*judgements, again])
    result = run(arguments)
    assert result.stderr.startswith(
        "p-1-a: open; no majority; found 1 drop defect, 1 invalid, 1 keep (invalid: two different votes"
    )


def test_a_study_without_a_decision_is_refused(tmp_path: Path, refused: Refused) -> None:
    withdraw = (Control("verdict", "choice", choices=("withdraw", "explain")),)
    arguments = study_of(tmp_path, "verification", withdraw, {"p-1-a": [{"verdict": "explain"}]})
    result = run(arguments)
    assert isinstance(result.exception, PipelineError)
    assert "[controls] verification decides nothing" in str(result.exception)
    gone = {"p-9-a": marked("老汤打盹，【他】累了。", "p-9-a", candidates=("老汤", "小柳"))}
    result = run(study_of(tmp_path, "consensus", CONSENSUS, {"p-9-a": [KEEP, KEEP]}, gone))
    assert "[item] unknown record in consensus/all/001; found 'p-9-a'" in str(result.exception)
    assert not (tmp_path / "decisions.tsv").exists()


def test_rows_of_another_study_are_never_overwritten() -> None:
    audit = row("p-1-a", "keep", study="audit")
    result = update_table([audit], "consensus", [row("p-1-a", "drop", "defect"), row("p-2-a", "keep")])
    assert [(row.item, row.study) for row in result.rows] == [("p-1-a", "audit"), ("p-2-a", "consensus")]
    assert [conflict.item for conflict in result.conflicts] == ["p-1-a"]
    agreed = update_table([audit], "consensus", [row("p-1-a", "keep")])
    assert (agreed.rows, agreed.conflicts) == ((audit,), ())


def test_remarks_are_anonymous_and_visible(tmp_path: Path) -> None:
    remarks = ["<b>怪</b>\x07", "怪\u2028了", "'=SUM(A1)", "长" * 10_000, "问 wang@uni.example.edu 吧"]
    answers: Answers = {"p-1-a": [{**KEEP, "comment": remark} for remark in remarks]}
    assert run(study_of(tmp_path, "consensus", CONSENSUS, answers)).exit_code == 0
    (decision,) = read_adjudications(tmp_path / "decisions.tsv")
    assert decision.reason == "; ".join(["'=SUM(A1)", "<b>怪</b>", "怪 了", "长" * 300, "问 ‹e-mail address› 吧"])
    assert "r-0" not in (tmp_path / "decisions.tsv").read_text(encoding="utf-8")
