"""What people decide of items becomes data, which the next build applies or refuses."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from pipeline.cli.annotate import adjudicate as annotate_adjudicate
from pipeline.cli.annotate import apply as annotate_apply
from pipeline.core.errors import PipelineError
from pipeline.core.model import CLASSES, ExclusionClass, Finding, Item, Record, Rejected
from pipeline.core.records import item_from_json, read_items, write_items, write_rejected
from pipeline.release.sources import Source
from pipeline.release.winograd import release_files
from pipeline.studies.adjudication.ballots import Ballot, ballot
from pipeline.studies.adjudication.outcomes import merged
from pipeline.studies.design.design import Control
from pipeline.studies.judgements import Answer, Judgement, read_judgements, write_judgements
from pipeline.studies.study import Study, Task, read_study, write_study
from pipeline.winograd.adjudication.apply import Adjudicated, adjudicate
from pipeline.winograd.adjudication.ledger import change_to_json, read_changes, write_changes
from pipeline.winograd.adjudication.record import RecordState
from pipeline.winograd.adjudication.table import (
    ACTIONS,
    COLUMNS,
    Adjudication,
    judged_answer,
    judged_text,
    read_adjudications,
    write_adjudications,
)
from pipeline.winograd.zero_forms import to_zero
from tests.conftest import Refused
from tests.support import artifacts
from tests.support.items import marked

TABLE = Path("decisions.tsv")
app = typer.Typer()
app.command("adjudicate")(annotate_adjudicate.command)
app.command("apply")(annotate_apply.command)


def pair(name: str, one: str, other: str, *candidates: str) -> list[Item]:
    return [
        marked(one, f"{name}-a", candidates=candidates),
        marked(other, f"{name}-b", candidates=candidates, answer=1),
    ]


def fallen(item: Item, exclusion: ExclusionClass, rule: str = "zh/x", **evidence: object) -> Rejected:
    return Rejected(item, (Finding(rule, exclusion, item.target, "because", evidence),))


HURRY = pair("p-1", "老汤催小柳快走，因为【他】赶时间。", "老汤催小柳快走，因为【他】磨磨蹭蹭。", "老汤", "小柳")
SHIFT = pair(
    "p-2", "阿强替阿明值了夜班，【他】困得睁不开眼。", "阿强替阿明值了夜班，【他】在家睡得很香。", "阿强", "阿明"
)
#: Both members are rejected on their own account.
BLAME = pair("p-3", "小孙绊倒了小郑，大家都去责备【他】。", "小孙绊倒了小郑，大家都去安慰【他】。", "小孙", "小郑")
#: The first member is rejected, the second only goes with it.
CARRY = pair("p-4", "老胡背老秦下山，可把【他】累坏了。", "老胡背老秦下山，可【他】还嫌不稳。", "老胡", "老秦")
KEPT = [*HURRY, *SHIFT]
MATE = Finding(
    "exclude/pair-mate",
    "pair-mate",
    None,
    "p-4-a of the same schema was rejected as ba-object",
    {"mate": "p-4-a", "class": "ba-object", "rule": "zh/x"},
)
REJECTED = [
    fallen(BLAME[0], "direct-object"),
    fallen(BLAME[1], "direct-object"),
    fallen(CARRY[0], "ba-object"),
    Rejected(CARRY[1], (MATE,)),
]
STATES = {item.id: "kept" for item in KEPT} | {entry.record.id: entry.exclusion for entry in REJECTED}
RECORDS: dict[str, Item] = {item.id: item for item in (*KEPT, *BLAME, *CARRY)}


def row(name: str, action: str, value: str = "", **fields: object) -> Adjudication:
    """Return a decision by two of three that fits the record as it is here."""
    told = {
        "state": STATES.get(name, "kept"),
        "text": judged_text(RECORDS[name]) if name in RECORDS else "【他】来了。",
        "answer": judged_answer(RECORDS[name]) if name in RECORDS else "",
        "study": "consensus",
        "votes": 2,
        "raters": 3,
        "line": 2,
    }
    return Adjudication(item=name, action=action, value=value, **{**told, **fields})  # type: ignore[arg-type]


def applied(*rows: Adjudication, by_sentence: bool = False) -> Adjudicated:
    return adjudicate(KEPT, REJECTED, rows, TABLE, by_sentence=by_sentence)


def ids(records: Iterable[Record]) -> list[str]:
    return [record.id for record in records]


def classes(result: Adjudicated) -> dict[str, str]:
    return {entry.record.id: entry.exclusion for entry in result.rejected}


# --- the table --------------------------------------------------------------------------------------------------------


def test_the_committed_table_is_well_formed(root: Path) -> None:
    path = root / "annotation" / "decisions.tsv"
    read_adjudications(path)
    assert path.read_text(encoding="utf-8").splitlines()[0].split("\t") == list(COLUMNS)


def test_the_table_is_sorted_and_safe_in_a_spreadsheet(tmp_path: Path) -> None:
    path = tmp_path / "decisions.tsv"
    write_adjudications(path, [row("p-2-a", "keep", reason="=1+1"), row("p-1-b", "relabel", "老汤", reason="- 不确定")])
    assert path.read_text(encoding="utf-8").splitlines()[1:] == [
        "p-1-b\trelabel\t老汤\tkept\t老汤催小柳快走，因为[他]磨磨蹭蹭。\t小柳\tconsensus\t2 of 3\t'- 不确定",
        "p-2-a\tkeep\t\tkept\t阿强替阿明值了夜班，[他]困得睁不开眼。\t阿强\tconsensus\t2 of 3\t'=1+1",
    ]
    assert [(one.item, one.reason, one.line) for one in read_adjudications(path)] == [
        ("p-1-b", "- 不确定", 2),
        ("p-2-a", "=1+1", 3),
    ]


texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0") | st.sampled_from("'=-+@ \t\r\n"), max_size=8
)


@given(texts, texts)
def test_a_table_gives_back_what_it_was_given(
    tmp_path_factory: pytest.TempPathFactory, value: str, reason: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "round-trip.tsv"
    try:
        told = row("p-1-a", "modify", value, reason=reason)
    except ValueError as error:
        # What no cell can hold is refused before anything is written.
        assert "cannot stand in a table" in str(error) or not value
        hard = [
            one for one in (value, reason) if one.startswith("'") or re.search(r"[\t-\r\x1c-\x1e\x85\u2028\u2029]", one)
        ]
        assert not value or hard
        return
    write_adjudications(path, [told])
    assert read_adjudications(path) == [told]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("p-1-a\tpraise\t\tkept\t甲[他]\t甲\ts\t2 of 3\t", "action"),
        ("p-1-a\tkeep\tyes\tkept\t甲[他]\t甲\ts\t2 of 3\t", "value"),
        ("p-1-a\trelabel\t\tkept\t甲[他]\t甲\ts\t2 of 3\t", "value"),
        ("p-1-a\tdrop\tpair-mate\tkept\t甲[他]\t甲\ts\t2 of 3\t", "value"),
        ("p-1-a\tdrop\tboring\tkept\t甲[他]\t甲\ts\t2 of 3\t", "value"),
        ("p-1-a\tkeep\t\tlost\t甲[他]\t甲\ts\t2 of 3\t", "state"),
        ("p-1-a\tkeep\t\tkept\t甲[他\t甲\ts\t2 of 3\t", "text"),
        ("p-1-a\tkeep\t\tkept\t甲[他]\t甲\t\t2 of 3\t", "study"),
        ("p-1-a\tkeep\t\tkept\t甲[他]\t甲\ts\t2/3\t", "votes"),
        ("p-1-a\tkeep\t\tkept\t甲[他]\t甲\ts\t1 of 2\t", "votes"),
        ("p-1-a\tkeep\t\tkept\t甲[他]\t甲\ts\t4 of 3\t", "votes"),
        ("\tkeep\t\tkept\t甲[他]\t甲\ts\t2 of 3\t", "item"),
        ("p-1-a\tkeep\t\tkept", "row"),
    ],
)
def test_a_malformed_row_is_named_by_its_line(tmp_path: Path, refused: Refused, line: str, field: str) -> None:
    path = tmp_path / "decisions.tsv"
    good = "p-0-a\tkeep\t\tkept\t甲[他]\t甲\ts\t2 of 3\t"
    path.write_text("\n".join(["\t".join(COLUMNS), good, line, ""]), encoding="utf-8")
    refused(lambda: read_adjudications(path), f"{path}:3", field)


def test_an_item_has_one_row(tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "decisions.tsv"
    write_adjudications(path, [row("p-1-a", "keep"), row("p-1-a", "drop", "defect")])
    assert "in line 2 too" in refused(lambda: read_adjudications(path), f"{path}:3", "item")


# --- one vote ---------------------------------------------------------------------------------------------------------


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
        ("p-1-a", "modify", {"modified": "老汤催【他】。"}, Ballot("modify", "老汤催[他]。")),
        ("p-1-a", "modify", {"modified": "老汤［他］。"}, Ballot("modify", "老汤[他]。")),
        ("p-1-a", "modify", {"modified": "老汤\u202e催[他]。"}, None),  # something nobody sees
        ("p-1-a", "modify", {}, None),
        ("p-1-a", None, {"reference": 1}, None),
    ],
)
def test_answers_are_a_vote_or_nothing(
    name: str, code: str | None, answers: Mapping[str, Answer], expected: Ballot | None
) -> None:
    findings = next((entry.findings for entry in REJECTED if entry.record.id == name), ())
    assert ballot(code, answers, RecordState(RECORDS[name], findings)) == expected


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
Said = Mapping[str, list[dict[str, Answer] | None]]


def study_of(
    folder: Path, name: str, controls: tuple[Control, ...], said: Said, records: Mapping[str, Item] = RECORDS
) -> list[str]:
    """Write a study, its export and the records; return the arguments of the command. None is a task passed over."""
    study = Study(name, name, "zh", 1, controls, ("all",), "", "<View/>")
    tasks, judgements = [], []
    for position, (item, answers) in enumerate(said.items(), 1):
        key, record = f"{name}/all/{position:03}", records[item]
        shows = {"study": name, "task": key, "text_zero": to_zero(record)["text_zero"]}
        tasks.append(Task(key, "all", position, "main", (item,), ((1, 0),), (record.answer,), shows))
        for number, one in enumerate(answers):
            judgements.append(
                Judgement(
                    study=name,
                    list="all",
                    task=key,
                    item=item,
                    phase="main",
                    rater=f"r-{number}",
                    answers=one or {},
                    lead_time=9.0,
                    skipped=one is None,
                )
            )
    write_study(folder / name, study, tasks)
    write_judgements(folder / f"{name}.jsonl", judgements)
    write_items(folder / "modified.jsonl", KEPT)
    write_rejected(folder / "rejected.jsonl", REJECTED)
    options = {
        "judgements": f"{name}.jsonl",
        "records": "modified.jsonl",
        "rejected": "rejected.jsonl",
        "decisions": "decisions.tsv",
    }
    return ["adjudicate", str(folder / name), *(f"--{key}={folder / value}" for key, value in options.items())]


def run(arguments: Iterable[str]) -> Result:
    return CliRunner().invoke(app, list(arguments))


KEEP: dict[str, Answer] = {"decision": "keep"}
DROP: dict[str, Answer] = {"decision": "drop"}
OTHER: dict[str, Answer] = {"decision": "relabel", "reference": 0}
NEW = "阿强替阿明值了夜班，[他]在家倒是睡得很香。"
MODIFY: dict[str, Answer] = {"decision": "modify", "modified": NEW}
#: Decided are p-1-a (2 of 3 keep), p-1-b (2 of 3 for the first candidate), p-2-b (3 of 4 for the very same text; who passed it over
#: is no rater); p-2-a is split 2 to 2.
ROUND: Said = {
    "p-1-a": [{**KEEP, "comment": "没\t问题\u202e"}, KEEP, DROP],
    "p-1-b": [OTHER, {**OTHER, "comment": "=老汤也会磨蹭"}, KEEP],
    "p-2-a": [KEEP, DROP, DROP, KEEP],
    "p-2-b": [MODIFY, {**MODIFY, "modified": NEW.replace("倒是", "可")}, MODIFY, MODIFY, None],
}


def test_a_strict_majority_decides_and_the_rest_is_open(tmp_path: Path) -> None:
    result = run(study_of(tmp_path, "consensus", CONSENSUS, ROUND))
    assert result.exit_code == 1  # something is open
    assert result.stderr == "p-2-a: open; no majority: 2 drop defect, 2 keep\n"
    assert result.stdout.splitlines() == [
        "consensus: 4 items: 3 decided + 1 open + 0 settled otherwise",
        "consensus: keep 1, drop 0, relabel 1, modify 1",
        f"{tmp_path / 'decisions.tsv'}: 3 rows; 3 added, 0 changed, 0 withdrawn, 0 in conflict with another study",
    ]
    assert (tmp_path / "decisions.tsv").read_text(encoding="utf-8").splitlines() == [
        "\t".join(COLUMNS),
        "p-1-a\tkeep\t\tkept\t老汤催小柳快走，因为[他]赶时间。\t老汤\tconsensus\t2 of 3\t没 问题",
        "p-1-b\trelabel\t老汤\tkept\t老汤催小柳快走，因为[他]磨磨蹭蹭。\t小柳\tconsensus\t2 of 3\t'=老汤也会磨蹭",
        f"p-2-b\tmodify\t{NEW}\tkept\t阿强替阿明值了夜班，[他]在家睡得很香。\t阿明\tconsensus\t3 of 4\t",
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
    assert [(one.item, one.action) for one in rows] == [("p-1-a", "keep"), ("p-2-a", "keep"), ("p-2-b", "modify")]


def test_an_audit_keeps_confirms_and_reclassifies_what_the_rules_rejected(tmp_path: Path) -> None:
    agree: dict[str, Answer] = {"verdict": "agree"}
    zero: dict[str, Answer] = {"verdict": "other", "class": "already-zero"}
    said: Said = {
        "p-3-a": [{"verdict": "keep"}, {"verdict": "keep"}, agree],
        "p-3-b": [zero, {"verdict": "other", "class": "ba-object"}, zero],
        "p-4-a": [agree, agree],
        "p-4-b": [agree, agree],  # goes with p-4-a: no row
        "p-1-a": [agree, agree],  # kept, but the parsers disagreed
    }
    result = run(study_of(tmp_path, "audit", AUDIT, said))
    assert result.exit_code == 0, result.output
    assert "5 items: 4 decided + 0 open + 1 settled otherwise" in result.stdout
    rows = read_adjudications(tmp_path / "decisions.tsv")
    assert [(one.item, one.action, one.value, one.state) for one in rows] == [
        ("p-1-a", "keep", "", "kept"),
        ("p-3-a", "keep", "", "direct-object"),
        ("p-3-b", "drop", "already-zero", "direct-object"),
        ("p-4-a", "drop", "ba-object", "ba-object"),
    ]
    # And the build takes them: p-3-a is free of its own reason, but p-3-b is not.
    arguments = [
        "apply", str(tmp_path / "modified.jsonl"), f"--rejected={tmp_path / 'rejected.jsonl'}",
        f"--decisions={tmp_path / 'decisions.tsv'}", f"--out={tmp_path / 'out.jsonl'}",
        f"--rejected-out={tmp_path / 'gone.jsonl'}", f"--ledger={tmp_path / 'ledger.jsonl'}",
    ]  # fmt: skip
    done = run(arguments)
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines() == [
        f"{tmp_path / 'out.jsonl'}: 4 in + 0 restored - 0 rejected = 4 items; right answers A 2, B 2 (balanced)",
        f"{tmp_path / 'ledger.jsonl'}: 4 decisions: keep 2, drop 2, relabel 0, modify 0; 0 records followed their pair-mates",
    ]
    gone = [json.loads(line) for line in (tmp_path / "gone.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [one["findings"][0]["class"] for one in gone] == ["pair-mate", "already-zero", "ba-object", "pair-mate"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"p-1-a": [KEEP]}, "1 raters, 2 are needed"),
        ({"p-1-a": [KEEP, None]}, "1 raters, 2 are needed"),
        ({"p-1-a": [KEEP, DROP]}, "no majority: 1 drop defect, 1 keep"),
        # Two of four is no strict majority, though nothing else has as many votes.
        (
            {"p-1-a": [KEEP, KEEP, DROP, {**OTHER, "reference": 1}]},
            "no majority: 2 keep, 1 drop defect, 1 relabel 小柳",
        ),
        ({"p-1-a": [{**OTHER, "reference": 0}] * 2}, "no majority: 2 nothing"),
        ({"p-1-a": [{**MODIFY, "modified": "老汤走了"}] * 2}, "[value] one target is needed; found 0 in brackets"),
        ({"p-1-a": [{**MODIFY, "modified": "老汤催小柳，[小柳]急。"}] * 2}, "[value] the target is no third-person"),
        ({"p-1-a": [{**MODIFY, "modified": "老汤催人，[他]急。"}] * 2}, "[value] a candidate is lost"),
        ({"p-1-a": [{**MODIFY, "modified": judged_text(HURRY[0])}] * 2}, "[value] nothing changes"),
    ],
)
def test_what_is_not_decided_is_listed_with_its_reason(tmp_path: Path, said: Said, why: str) -> None:
    result = run(study_of(tmp_path, "consensus", CONSENSUS, said))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"p-1-a: open; {why}")
    assert read_adjudications(tmp_path / "decisions.tsv") == []


def test_an_export_in_which_nobody_judged_takes_no_decision_back(tmp_path: Path) -> None:
    assert run(study_of(tmp_path, "consensus", CONSENSUS, {"p-1-a": [KEEP, KEEP]})).exit_code == 0
    before = (tmp_path / "decisions.tsv").read_bytes()
    result = run(study_of(tmp_path, "consensus", CONSENSUS, {"p-1-a": []}))
    assert isinstance(result.exception, PipelineError)
    assert "[phase] nobody judged an item of consensus" in str(result.exception)
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


def test_one_rater_is_enough_where_it_is_said(tmp_path: Path) -> None:
    result = run([*study_of(tmp_path, "consensus", CONSENSUS, {"p-1-a": [KEEP]}), "--least=1"])
    assert result.exit_code == 0, result.output
    assert [one.share for one in read_adjudications(tmp_path / "decisions.tsv")] == ["1 of 1"]


def test_an_item_that_changed_since_it_was_judged_is_open(tmp_path: Path) -> None:
    older = {"p-1-a": replace(HURRY[0], text=HURRY[0].text.replace("快走", "快些"))}
    result = run(study_of(tmp_path, "consensus", CONSENSUS, {"p-1-a": [KEEP, KEEP]}, older))
    assert (result.exit_code, "another text or answer was judged" in result.stderr) == (1, True)
    turned = {"p-1-a": replace(HURRY[0], answer=1)}
    result = run(study_of(tmp_path, "consensus", CONSENSUS, {"p-1-a": [KEEP, KEEP]}, turned))
    assert (result.exit_code, "another text or answer was judged" in result.stderr) == (1, True)


def test_a_rejected_text_that_was_modified_since_needs_no_decision(tmp_path: Path) -> None:
    arguments = study_of(tmp_path, "audit", AUDIT, {"p-3-a": [{"verdict": "keep"}] * 2})
    mended = marked("小孙绊倒了小郑，【他】被大家责备。", "p-3-a", candidates=("小孙", "小郑"))
    write_items(tmp_path / "modified.jsonl", [*KEPT, mended])
    result = run(arguments)
    assert result.exit_code == 0, result.output
    assert "1 items: 0 decided + 0 open + 1 settled otherwise" in result.stdout


def test_practice_is_no_vote_and_one_rater_has_one(tmp_path: Path) -> None:
    arguments = study_of(tmp_path, "consensus", CONSENSUS, {"p-1-a": [KEEP, KEEP, DROP]})
    study, (task,) = read_study(tmp_path / "consensus")
    practice = replace(task, key="consensus/all/000", phase="practice", items=("warm-up",), gold=(0,))
    second = replace(task, key="consensus/more/001", list="more")
    write_study(tmp_path / "consensus", replace(study, lists=("all", "more")), [practice, task, second])
    said = read_judgements(tmp_path / "consensus.jsonl")
    trials = [replace(one, task=practice.key, phase="practice", item="warm-up", answers=DROP) for one in said]
    write_judgements(tmp_path / "consensus.jsonl", [*said, *trials])
    assert run(arguments).exit_code == 0
    assert [one.share for one in read_adjudications(tmp_path / "decisions.tsv")] == ["2 of 3"]
    # Met again in another list, one who kept it drops it: then one of three keeps it, one drops it, one said both.
    again = replace(said[0], task=second.key, list="more", answers=DROP)
    write_judgements(tmp_path / "consensus.jsonl", [*said, again])
    result = run(arguments)
    assert result.stderr == "p-1-a: open; no majority: 1 drop defect, 1 keep, 1 nothing\n"


def test_a_study_of_something_else_is_refused(tmp_path: Path, refused: Refused) -> None:
    withdraw = (Control("verdict", "choice", choices=("withdraw", "explain")),)
    arguments = study_of(tmp_path, "verification", withdraw, {"p-1-a": [{"verdict": "explain"}]})
    result = run(arguments)
    assert isinstance(result.exception, PipelineError)
    assert "[controls] verification decides nothing" in str(result.exception)
    gone = {"p-9-a": marked("老汤打盹，【他】累了。", "p-9-a", candidates=("老汤", "小柳"))}
    result = run(study_of(tmp_path, "consensus", CONSENSUS, {"p-9-a": [KEEP, KEEP]}, gone))
    assert "[item] consensus/all/001 shows no record; found 'p-9-a'" in str(result.exception)
    assert not (tmp_path / "decisions.tsv").exists()


def test_no_study_overwrites_what_another_decided() -> None:
    audit = row("p-1-a", "keep", study="audit")
    result = merged([audit], "consensus", [row("p-1-a", "drop", "defect"), row("p-2-a", "keep")])
    assert [(one.item, one.study) for one in result.rows] == [("p-1-a", "audit"), ("p-2-a", "consensus")]
    assert [one.item for one in result.conflicts] == ["p-1-a"]
    agreed = merged([audit], "consensus", [row("p-1-a", "keep")])
    assert (agreed.rows, agreed.conflicts) == ((audit,), ())


def test_a_remark_names_nobody_and_hides_nothing(tmp_path: Path) -> None:
    remarks = ["<b>怪</b>\x07", "怪\u2028了", "'=SUM(A1)", "长" * 10_000]
    said: Said = {"p-1-a": [{**KEEP, "comment": remark} for remark in remarks]}
    assert run(study_of(tmp_path, "consensus", CONSENSUS, said)).exit_code == 0
    (told,) = read_adjudications(tmp_path / "decisions.tsv")
    assert told.reason == "; ".join(["<b>怪</b>", "=SUM(A1)", "怪 了", "长" * 300])
    assert "r-0" not in (tmp_path / "decisions.tsv").read_text(encoding="utf-8")


# --- the collection ---------------------------------------------------------------------------------------------------


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
    assert [(one.id, one.before, one.after, one.decision is None) for one in result.ledger] == [
        ("p-1-a", "kept", "pair-mate", True),
        ("p-1-b", "kept", "defect", False),
    ]
    alone = applied(row("p-1-b", "drop", "defect"), by_sentence=True)
    assert ids(alone.kept) == ["p-1-a", "p-2-a", "p-2-b"]


def test_a_rejection_that_people_overrule_comes_back_with_its_mate() -> None:
    result = applied(row("p-4-a", "keep"))
    assert ids(result.kept) == ["p-1-a", "p-1-b", "p-2-a", "p-2-b", "p-4-a", "p-4-b"]
    assert classes(result) == {"p-3-a": "direct-object", "p-3-b": "direct-object"}
    assert [(one.id, one.before, one.after) for one in result.ledger] == [
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
    findings = {entry.record.id: [(one.rule, one.exclusion) for one in entry.findings] for entry in result.rejected}
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
    one, other = (judged_text(item).replace("因为[他]", "因为[他]实在") for item in HURRY)
    result = applied(row("p-1-a", "modify", one), row("p-1-b", "modify", other))
    assert result.kept[0].text == "老汤催小柳快走，因为他实在赶时间。"
    assert result.kept[0].target.of(result.kept[0].text) == "他"
    rescued = "小孙绊倒了小郑，[他]被大家{}了一顿。"
    back = applied(row("p-3-a", "modify", rescued.format("责备")), row("p-3-b", "modify", rescued.format("安慰")))
    assert ids(back.kept)[-2:] == ["p-3-a", "p-3-b"]


def test_a_modification_that_unmakes_the_pair_is_refused(refused: Refused) -> None:
    longer = judged_text(HURRY[0]).replace("因为[他]", "因为[他]实在")
    message = refused(lambda: applied(row("p-1-a", "modify", longer, line=7)), "decisions.tsv:7", "value")
    # 实在赶时间 and 磨磨蹭蹭: five characters in the longer one where there were four.
    assert "no minimal pair with p-1-b any more; found a difference of 5 characters, expected 1 to 4" in message
    same = judged_text(HURRY[1])
    message = refused(lambda: applied(row("p-1-a", "modify", same, line=7)), "decisions.tsv:7", "value")
    assert "a difference of 0 characters" in message


def test_what_a_modification_rescued_is_dropped_as_it_is_now() -> None:
    mended = marked("小孙绊倒了小郑，【他】被大家责备。", "p-3-a", candidates=("小孙", "小郑"))
    mate = marked("小孙绊倒了小郑，【他】被大家安慰。", "p-3-b", candidates=("小孙", "小郑"), answer=1)
    told = row("p-3-a", "drop", "defect", state="kept", text=judged_text(mended), line=2)
    result = adjudicate([*KEPT, mended, mate], REJECTED, [told], TABLE)
    assert result.kept == tuple(KEPT)
    assert [(one.record.text, one.exclusion) for one in result.rejected[:2]] == [
        (mended.text, "defect"),
        (mate.text, "pair-mate"),
    ]
    # Until then the list tells why they had been rejected.
    kept = replace(told, action="keep", value="")
    assert adjudicate([*KEPT, mended, mate], REJECTED, [kept], TABLE).rejected == tuple(REJECTED)
    assert adjudicate([*KEPT, mended, mate], REJECTED, [], TABLE).rejected == tuple(REJECTED)


@pytest.mark.parametrize(
    ("told", "field"),
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
def test_a_decision_that_does_not_apply_fails_the_build(refused: Refused, told: Adjudication, field: str) -> None:
    refused(lambda: applied(row("p-2-a", "keep"), replace(told, line=9)), "decisions.tsv:9", field)


def test_a_record_that_is_no_item_cannot_be_kept(refused: Refused) -> None:
    record = Record(**{name: getattr(HURRY[0], name) for name in Record.__slots__} | {"id": "p-8-a", "answer": None})
    broken = Rejected(record, (Finding("assemble/answer", "defect", None, "no answer"),))
    told = row("p-8-a", "keep", state="defect", text=judged_text(record), answer="")
    refused(lambda: adjudicate([], [broken], [told], TABLE), "decisions.tsv:2", "action")
    # Whole as it looks, a reader found something wrong with it.
    refused(
        lambda: adjudicate([], [fallen(HURRY[0], "defect")], [row("p-1-a", "keep", state="defect")], TABLE),
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
            "drop": draw(st.sampled_from([one for one in CLASSES if one != "pair-mate"])),
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
    changed = {one.id for one in result.ledger}
    assert changed >= {one.item for one in rows}
    states = {item.id: "kept" for item in result.kept} | classes(result)
    assert changed >= {name for name, state in states.items() if state != STATES[name]}
    if not by_sentence:
        # No half pair stays, and no pair with one answer.
        for one, other in (HURRY, SHIFT, BLAME, CARRY):
            both = [item for item in result.kept if item.id in (one.id, other.id)]
            assert len(both) in (0, 2)
            assert len({item.answer for item in both}) == len(both)


def test_the_ledger_comes_back_as_it_was_written(tmp_path: Path, refused: Refused) -> None:
    ledger = applied(row("p-1-b", "drop", "defect", reason="太绕", line=None)).ledger
    path = tmp_path / "adjudications.jsonl"
    write_changes(path, ledger)
    assert list(read_changes(path).values()) == list(ledger)
    path.write_text(json.dumps({**change_to_json(ledger[1]), "decision": {"action": "keep"}}), encoding="utf-8")
    refused(lambda: read_changes(path), f"{path}:1", "adjudication")


# --- the real collection ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def zh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The items of raw/zh as the real stages leave them before people decide."""
    folder = tmp_path_factory.mktemp("build") / "zh"
    source, changes = artifacts.ZH / "schemas.yaml", f"--modifications={artifacts.ZH / 'modifications.yaml'}"
    gone, skipped = f"--rejected={folder / 'rejected.jsonl'}", f"--skipped={folder / 'skipped.jsonl'}"
    artifacts.run("ingest", source, "--format=schema-yaml", f"--out={folder / 'items.jsonl'}", skipped)
    ledger = f"--decisions={folder / 'decisions.jsonl'}"
    artifacts.run(
        "exclude", folder / "items.jsonl", skipped, *artifacts.LOCKS, f"--kept={folder / 'kept.jsonl'}", gone, ledger
    )
    modified = (f"--out={folder / 'modified.jsonl'}", f"--ledger={folder / 'modifications.jsonl'}")
    artifacts.run("modify", folder / "kept.jsonl", gone, changes, *artifacts.LOCKS, *modified)
    return folder


def apply(folder: Path, table: Path) -> Result:
    return run(
        [
            "apply", str(folder / "modified.jsonl"), f"--rejected={folder / 'rejected.jsonl'}", f"--decisions={table}",
            f"--out={folder / 'adjudicated.jsonl'}", f"--rejected-out={folder / 'adjudicated-rejected.jsonl'}",
            f"--ledger={folder / 'adjudications.jsonl'}",
        ]
    )  # fmt: skip


def released(folder: Path) -> dict[str, bytes]:
    artifacts.run("zero", folder / "adjudicated.jsonl", f"--out={folder / 'zero.jsonl'}")
    return release_files(folder, Source("Sentences", "ours", "CC-BY-4.0", "raw/zh/schemas.yaml", "0" * 64), "licence\n")


def test_a_table_without_rows_changes_no_byte_of_a_build(zh: Path, tmp_path: Path) -> None:
    table = tmp_path / "decisions.tsv"
    write_adjudications(table, [])
    assert apply(zh, table).exit_code == 0
    for name in ("adjudicated", "adjudicated-rejected", "adjudications"):
        before = {"adjudicated": "modified", "adjudicated-rejected": "rejected"}.get(name)
        expected = (zh / f"{before}.jsonl").read_bytes() if before else b""
        assert (zh / f"{name}.jsonl").read_bytes() == expected
    with_ledger = released(zh)
    for name in ("adjudicated-rejected", "adjudications"):
        (zh / f"{name}.jsonl").unlink()
    assert released(zh) == with_ledger


def test_decisions_go_through_the_build_into_the_release(zh: Path, tmp_path: Path) -> None:
    items = {item.id: item for item in read_items(zh / "modified.jsonl")}
    lines = (zh / "rejected.jsonl").read_text(encoding="utf-8").splitlines()
    gone = {value["id"]: value for value in map(json.loads, lines)}
    back = [name for name, value in gone.items() if value["schema"] not in {item.schema for item in items.values()}][:2]
    first = sorted(items)[0]

    def judged(name: str, action: str, value: str = "", study: str = "consensus") -> Adjudication:
        item = items.get(name) or item_from_json(gone[name])
        state = "kept" if name in items else gone[name]["findings"][0]["class"]
        told = {"state": state, "text": judged_text(item), "answer": judged_answer(item), "study": study}
        return Adjudication(item=name, action=action, value=value, **told, votes=5, raters=6, reason="念着别扭")  # type: ignore[arg-type]

    third = sorted(items)[2]
    changes = {
        name: judged_text(items[name]).replace("。", "！").replace("，", "，却", 1)
        for name in (third, sorted(items)[3])
    }
    rows = [
        judged(first, "drop", "defect"),
        *(judged(name, "keep", study="audit") for name in back),
        *(judged(name, "modify", value) for name, value in changes.items()),
    ]
    table = tmp_path / "decisions.tsv"
    write_adjudications(table, rows)
    done = apply(zh, table)
    assert done.exit_code == 0, done.output
    # Two come back, and two go: the dropped one and its mate.
    assert f"{len(items)} in + 2 restored - 2 rejected = {len(items)} items" in done.stdout
    artifacts.run("validate", "items,pairs", zh / "adjudicated.jsonl")
    files = released(zh)
    origins = {value["id"]: value for value in map(json.loads, files["provenance.jsonl"].decode().splitlines())}
    assert first not in origins
    assert origins[back[0]]["adjudication"] == {
        "before": gone[back[0]]["findings"][0]["class"],
        "action": "keep",
        "study": "audit",
        "votes": "5 of 6",
        "reason": "念着别扭",
    }
    assert sum("adjudication" in value for value in origins.values()) == 4
    released_rows = {value["id"]: value for value in map(json.loads, files["data/zh.jsonl"].decode().splitlines())}
    assert released_rows[third]["modification"] == "adjudicated"
    assert released_rows[third]["original_text"] == items[third].text
    assert released_rows[third]["text"] != items[third].text
    left = {
        value["id"]: value["findings"][0] for value in map(json.loads, files["rejected.jsonl"].decode().splitlines())
    }
    assert (left[first]["rule"], left[first]["evidence"]["votes"]) == ("annotation/consensus", 5)
    card = files["README.md"].decode()
    assert "What people decided of items, in audit, consensus;" in card
    assert "| modify | 2 |" in card
    # The next build refuses a decision of an item that was rewritten.
    moved = [
        replace(item, text=item.text.replace("。", "！")) if item.id == back[0] else item for item in items.values()
    ]
    other = tmp_path / "zh"
    write_items(other / "modified.jsonl", [one for one in moved if one.id != first])
    (other / "rejected.jsonl").write_bytes((zh / "rejected.jsonl").read_bytes())
    assert f"{table}:2: [item] the decision no longer applies" in str(apply(other, table).exception)
    assert not (other / "adjudicated.jsonl").exists()
