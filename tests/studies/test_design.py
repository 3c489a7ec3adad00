"""Designs become studies: what tasks show, what is selected, which configs fit, what the command prints."""

import os
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer import Typer
from typer.testing import CliRunner

from pipeline.cli.annotate import design as annotate_design
from pipeline.core.errors import PipelineError
from pipeline.core.files import write_text
from pipeline.core.model import Finding, Record, Rejected, Span
from pipeline.core.records import write_items, write_rejected
from pipeline.release.gate import SUITES
from pipeline.studies.design.build import StudyLayout, guideline_html, make_study
from pipeline.studies.design.config import check_config, render_config
from pipeline.studies.design.design import Control, read_design
from pipeline.studies.design.fields import FIELDS, StudyRecord, field_value
from pipeline.studies.design.practice import read_practice
from pipeline.studies.design.selection import disagreements, disputed_or_rejected, doubtful
from pipeline.studies.judgements import write_judgements
from pipeline.studies.study import read_study, write_study
from pipeline.winograd.exclusion.ledger import Decision, write_decisions
from pipeline.winopron.instances import Instance, write_instances
from tests.conftest import ROOT, Refused
from tests.support.items import marked
from tests.support.studies import CONFIG, DESIGN, PRACTICE, judgement, kites, skipped, write_design

SIXTEEN = [kites(number) for number in range(16)]


def made(folder: Path, design: str = DESIGN, number: int = 16, **files: str) -> StudyLayout:
    return make_study(read_design(write_design(folder, [kites(one) for one in range(number)], design, **files)))


# --- pieces -------------------------------------------------------------------------------------------------------------

BORROWED = StudyRecord(
    item=marked("阿菊把伞借给小舟，因为【她】没带。", candidates=("阿菊", "小舟"), answer=1, question="谁没带？"),
    finding=Finding("zh/made-up", "other", None, "不能省略", {}),
    own=0,
    doubt="阿菊 1 · 小舟 1",
    explanation="没带的人才借。",
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("text", "阿菊把伞借给小舟，因为她没带。"),
        ("text_zero", "阿菊把伞借给小舟，因为Ø没带。"),
        ("text_dropped", "阿菊把伞借给小舟，因为没带。"),
        ("marked", "阿菊把伞借给小舟，因为【她】没带。"),
        ("blanked", "阿菊把伞借给小舟，因为____没带。"),
        ("pronoun", "她"),
        ("pronouns", ""),
        ("candidates", [{"value": "小舟"}, {"value": "阿菊"}]),
        ("question", "谁没带？"),
        ("entity", ""),
        ("rule", "zh/made-up"),
        ("class", "other"),
        ("message", "不能省略"),
        ("own", "阿菊"),
        ("right", "小舟"),
        ("wrong", "阿菊"),
        ("doubt", "阿菊 1 · 小舟 1"),
        ("explanation", "没带的人才借。"),
    ],
)
def test_a_piece_shows_a_part_of_the_record(name: str, expected: object) -> None:
    assert field_value(name, BORROWED, (1, 0), show_answer=True) == expected


def test_every_piece_is_tried() -> None:
    (mark,) = test_a_piece_shows_a_part_of_the_record.pytestmark  # type: ignore[attr-defined]
    assert {name for name, _ in mark.args[1]} == FIELDS


def test_answers_are_told_only_to_those_who_may_know() -> None:
    shown = [field_value(name, BORROWED, (0, 1), show_answer=False) for name in ("right", "wrong")]
    assert shown == ["", ""]


def test_a_zero_is_marked_as_such_and_english_has_its_own_brackets() -> None:
    zero = StudyRecord(item=marked("小舟走了，【】没说再见。"))
    english = StudyRecord(item=marked("Ann thanked Sue because 【she】 had helped.", lang="en"), pronouns="she")
    assert field_value("marked", zero, (), show_answer=False) == "小舟走了，【Ø】没说再见。"
    assert field_value("marked", english, (), show_answer=False) == "Ann thanked Sue because [she] had helped."
    # The distinct forms of the set in rules/pronouns/en.yaml, by case: her is accusative and possessive.
    assert field_value("pronouns", english, (), show_answer=False) == "she / her / hers / herself"


def test_a_record_without_target_has_no_zero_form() -> None:
    bare = StudyRecord(
        item=Record(
            id="x-a", schema="x", version="a", lang="zh", text="小舟走了。", target=None, candidates=(), answer=None
        )
    )
    assert [field_value(name, bare, (), show_answer=False) for name in ("text_zero", "text_dropped", "pronoun")] == [
        "",
        "",
        "",
    ]
    assert field_value("marked", bare, (), show_answer=False) == "小舟走了。"


# --- practice -----------------------------------------------------------------------------------------------------------


def test_practice_records_have_a_target_in_brackets_or_a_zero(tmp_path: Path) -> None:
    path = tmp_path / "kites.yaml"
    write_text(path, PRACTICE)
    pronoun, zero = read_practice(path, "zh")
    assert pronoun.item.target == Span(10, 11)
    assert field_value("text_zero", pronoun, (), show_answer=False) == "阿菊把风筝递给小舟，Ø正空着手。"
    assert zero.item.target == Span(10, 10)
    assert field_value("text_zero", zero, (), show_answer=False) == "小舟追着阿菊跑，因为Ø想要回风筝。"


@pytest.mark.parametrize(
    ("old", "new", "field", "line"),
    [
        ("[她]", "她", "text", 1),
        ("Ø想要", "Ø想Ø要", "text", 2),
        ("[她]", "[她", "text", 1),
        ("answer: 1", "answer: 2", "answer", 1),
        ("answer: 1", "answer: true", "answer", 1),
        ("[小舟, 阿菊]", "[小舟, 小舟]", "candidates", 2),
        ("[小舟, 阿菊]", "小舟", "candidates", 2),
        ("id: p-2", "id: p-1", "id", 2),
        ("explanation: 空手才接得住。", "explanation: ''", "explanation", 1),
    ],
)
def test_malformed_practice_is_refused(
    old: str, new: str, field: str, line: int, tmp_path: Path, refused: Refused
) -> None:
    path = tmp_path / "kites.yaml"
    assert old in PRACTICE
    write_text(path, PRACTICE.replace(old, new))
    refused(lambda: read_practice(path, "zh"), f"{path}:{line}", field)


def test_practice_that_is_no_list_is_refused(tmp_path: Path, refused: Refused) -> None:
    write_text(tmp_path / "x.yaml", "id: p-1\n")
    refused(lambda: read_practice(tmp_path / "x.yaml", "zh"), f"{tmp_path / 'x.yaml'}:1", "practice")


# --- selections ---------------------------------------------------------------------------------------------------------

ASKED = [StudyRecord(item=item) for item in SIXTEEN[:4]]  # right answers 0, 1, 1, 0


def test_raters_verify_what_they_disagreed_on() -> None:
    said = [
        judgement("kite-000-a", "ana", reference=0),
        judgement("kite-001-a", "ana", reference=0, naturalness=2),
        judgement("kite-000-b", "ana", answer=0),
        judgement("kite-001-b", "ben", reference=0),
        judgement("kite-000-a", "cyd", comment="?"),
        skipped("kite-000-b", "cyd"),
    ]
    found = disagreements(ASKED, said)
    assert {rater: [(one.id, one.own) for one in asked] for rater, asked in found.items()} == {
        "ana": [("kite-000-b", 0), ("kite-001-a", 0)]
    }


def test_doubtful_are_the_low_the_split_and_the_disputed() -> None:
    said = [
        *(
            judgement("kite-000-a", rater, reference=0, naturalness=3) for rater in ("ana", "ben")
        ),  # right, mean 3: fine
        judgement("kite-000-b", "ana", reference=1, naturalness=3),
        judgement("kite-000-b", "ben", reference=1, naturalness=2),  # mean 2.5, under 3
        judgement("kite-001-a", "ana", reference=1, naturalness=5),
        judgement("kite-001-a", "ben", reference=0, naturalness=5),  # split
    ]
    assert [(one.id, one.doubt) for one in doubtful(ASKED, said, {"kite-001-b"})] == [
        ("kite-000-b", "阿菊 0 · 小舟 2 · ★ 2.50"),
        ("kite-001-a", "阿菊 1 · 小舟 1 · ★ 5.00"),
        ("kite-001-b", ""),
    ]
    against = [judgement("kite-000-a", rater, reference=1) for rater in ("ana", "ben")]  # as one, and against the gold
    assert [one.id for one in doubtful(ASKED, against, ())] == ["kite-000-a"]


def test_judgements_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^\[item\] unknown record; found a judgement of 'kite-099-a'"):
        doubtful(ASKED, [judgement("kite-099-a", "ana", reference=0)], ())
    for answer in ("阿菊", 2, -1):
        with pytest.raises(ValueError, match=r"^\[reference\] found"):
            disagreements(ASKED, [judgement("kite-000-a", "ana", reference=answer)])
    with pytest.raises(ValueError, match=r"^\[naturalness\] found 'five'"):
        doubtful(ASKED, [judgement("kite-000-a", "ana", naturalness="five")], ())


def test_the_audit_has_the_rejected_and_the_disputed() -> None:
    found = disputed_or_rejected(ASKED[2:3], ASKED[:2], {"kite-000-b", "kite-001-a"})
    assert [one.id for one in found] == ["kite-000-b", "kite-001-a"]


# --- configs ------------------------------------------------------------------------------------------------------------

CONTROLS = {
    "reference": Control("reference", "candidate"),
    "naturalness": Control("naturalness", "rating"),
    "comment": Control("comment", "text", required=False),
}
DATA = ("study", "task", "text", "options")


def check(tmp_path: Path, config: str, screen: int = 1) -> None:
    path = tmp_path / "kites.xml"
    write_text(path, config)
    check_config(render_config(path, screen), path, CONTROLS, DATA)


def test_a_config_is_rendered_for_its_screen(tmp_path: Path) -> None:
    check(tmp_path, CONFIG)
    names = [one.get("name") for one in fromstring(render_config(tmp_path / "kites.xml", 2)).iter("Choices")]
    assert names == ["reference-1", "reference-2"]


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("</View>", "", "config"),
        ("screen + 1", "screens + 1", "config"),
        ("screen + 1", "().__class__.__base__", "config"),
        ("<View>", "<!DOCTYPE View [<!ENTITY x 'y'>]><View>", "config"),
        ('<TextArea name="comment{{ of }}" toName="text{{ on }}"/>', "", "comment"),
        ('name="comment{{ of }}"', 'name="remark"', "TextArea"),
        ('name="comment{{ of }}"', 'name="naturalness"', "TextArea"),
        ("TextArea", "Choices", "comment"),
        ('maxRating="5"', 'maxRating="7"', "naturalness"),
        ('maxRating="5"', 'maxRating="many"', "naturalness"),
        ('maxRating="5" required="true"', 'maxRating="5"', "naturalness"),
        ('<TextArea name="comment{{ of }}"', '<TextArea required="true" name="comment{{ of }}"', "comment"),
        ('choice="single"', 'choice="multiple"', "reference"),
        ('value="$options{{ on }}"', "", "reference"),
        ('toName="text{{ on }}" value', 'toName="sentence" value', "reference"),
        ('value="$text{{ on }}"', 'value="$sentence"', "Text"),
        ('<Text name="text{{ on }}"', '<HyperText name="text{{ on }}"', "HyperText"),
        ("<View>", '<View><Header value="Is $name right?"/>', "Header"),
        ('<Rating name="naturalness{{ of }}" toName="text{{ on }}" maxRating="5" required="true"/>',
         '<View visibleWhen="choice-selected"><Rating name="naturalness" toName="text" required="true"/></View>', "naturalness"),
    ],
)  # fmt: skip
def test_a_config_that_does_not_fit_is_refused(
    old: str, new: str, field: str, tmp_path: Path, refused: Refused
) -> None:
    assert old in CONFIG
    refused(lambda: check(tmp_path, CONFIG.replace(old, new)), str(tmp_path / "kites.xml"), field)


def test_a_template_that_is_none_is_refused_at_its_line(tmp_path: Path, refused: Refused) -> None:
    broken = CONFIG.replace("{%- endfor %}", "{% end %}")  # in the ninth line
    refused(lambda: check(tmp_path, broken), f"{tmp_path / 'kites.xml'}:9", "config")


def test_an_optional_control_may_be_required_once_it_is_seen(tmp_path: Path) -> None:
    plain = '<TextArea name="comment{{ of }}" toName="text{{ on }}"/>'
    required = plain.replace("/>", ' required="true"/>')
    seen = f'<View visibleWhen="choice-selected">{required}</View>'
    check(tmp_path, CONFIG.replace(plain, seen))


def test_choices_are_known_by_their_codes(tmp_path: Path) -> None:
    xml = (
        '<View><Text name="t" value="$text"/><Choices name="v" toName="t" required="true">'
        '<Choice value="对" alias="yes"/><Choice value="no"/></Choices></View>'
    )
    check_config(xml, tmp_path, {"v": Control("v", "choice", choices=("yes", "no"))}, DATA)
    with pytest.raises(PipelineError, match=r"\[v\] found the choices yes, no, expected yes, maybe"):
        check_config(xml, tmp_path, {"v": Control("v", "choice", choices=("yes", "maybe"))}, DATA)


def test_guidelines_run_no_markup_and_load_nothing() -> None:
    html = guideline_html(
        "**零** <img src=x onerror=y> ![p](https://example.org/p.png) [l](javascript:z)\n\n|a|\n|-|\n|b|"
    )
    assert "<strong>零</strong>" in html
    assert "<table>" in html
    assert "<img" not in html  # what is written as a picture is a link, which nothing loads by itself
    assert 'href="javascript' not in html


# --- making -------------------------------------------------------------------------------------------------------------


def test_a_study_is_laid_out(tmp_path: Path) -> None:
    # Eight pairs, both answers in each, in two lists: a list has eight records, four of each member and four of each answer,
    # behind two records of practice.
    found = made(tmp_path)
    assert found.study.lists == ("1", "2")
    assert found.study.instruction == "<h1>风筝</h1>\n<p>选出 <strong>Ø</strong> 指谁。</p>\n"
    assert found.laid_out == 16
    assert found.left_over == ()
    assert [task.key for task in found.tasks] == [f"kites/{name}/{place:03}" for name in "12" for place in range(1, 11)]
    for name in "12":
        tasks = [task for task in found.tasks if task.list == name]
        assert [task.phase for task in tasks] == ["practice"] * 2 + ["main"] * 8
        assert [task.items for task in tasks[:2]] == [("p-1",), ("p-2",)]
        assert sorted(task.gold[0] or 0 for task in tasks[2:]) == [0] * 4 + [1] * 4
        assert sorted(task.items[0][-1] for task in tasks[2:]) == list("aaaabbbb")


def test_practice_explains_and_the_rest_tells_nothing(tmp_path: Path) -> None:
    tasks = made(tmp_path).tasks
    assert {key: value for key, value in tasks[0].data.items() if key != "options"} == {
        "study": "kites",
        "task": "kites/1/001",
        "text": "阿菊把风筝递给小舟，Ø正空着手。",
        "right": "小舟",
        "wrong": "阿菊",
        "why": "空手才接得住。",
    }
    for task in tasks:
        if task.phase == "main":
            assert (task.data["right"], task.data["wrong"], task.data["why"]) == ("", "", "")
            names = [("阿菊", "小舟")[number] for number in task.options[0]]
            assert [one["value"] for one in task.data["options"]] == names


SCREENS = DESIGN.replace("seed: 7", "seed: 7\nscreen: 2")


def test_a_screen_shows_several_records(tmp_path: Path) -> None:
    found = made(tmp_path, SCREENS)
    task = found.tasks[0]
    assert task.items == ("p-1", "p-2")
    assert (task.data["text_1"], task.data["text_2"]) == (
        "阿菊把风筝递给小舟，Ø正空着手。",
        "小舟追着阿菊跑，因为Ø想要回风筝。",
    )
    assert [len(task.items) for task in found.tasks] == [2] * 10


def test_a_screen_that_would_be_short_is_refused(tmp_path: Path, refused: Refused) -> None:
    # Four pairs in two lists are four records a list, which three do not divide; practice is checked first: two records.
    design = DESIGN.replace("seed: 7", "screen: 3")
    path = tmp_path / "annotation" / "designs" / "kites.yaml"
    message = refused(lambda: made(tmp_path, design.replace("seed", "s") + "seed: 1\n", 8), f"{path}:9", "screen")
    assert "found 2 practice records in list 1, expected a multiple of 3" in message


def test_an_entity_is_asked_about_for_each_candidate(tmp_path: Path) -> None:
    design = DESIGN.replace("options: candidates", "who: entity").replace("reference: {{kind: candidate}}\n  ", "")
    design = design.replace("run: 3", "apart: 1")
    config = "\n".join(line for line in CONFIG.splitlines() if "<Choices" not in line)
    found = made(tmp_path, design, config=config)
    practice, main = ([task for task in found.tasks if task.phase == phase] for phase in ("practice", "main"))
    # p-1 is asked about its right candidate (1), p-2 about its wrong one (1).
    assert [(task.items[0], task.data["who"]) for task in practice[:2]] == [("p-1/1", "小舟"), ("p-2/1", "阿菊")]
    assert sorted(task.items[0] for task in main) == sorted(f"{item.id}/{one}" for item in SIXTEEN for one in (0, 1))
    assert all(task.options == ((),) for task in found.tasks)
    for one, other in pairwise(main):
        assert one.list != other.list or one.items[0][:-2] != other.items[0][:-2]


@pytest.mark.parametrize(
    ("old", "new", "line", "field"),
    [
        ("id: kites", "id: ../kites", 1, "id"),
        ("title: 风筝", f"title: {'风' * 47}", 2, "title"),
        ("text: text_zero", "text: words", 10, "show"),
        ("text: text_zero", "task: text_zero", 10, "show"),
        ("text: text_zero", "a-b: text_zero", 10, "show"),
        ("options: candidates", "options: question", 10, "show"),
        ("count: 2", "count: 1", 15, "count"),
        ("scheme: balanced", "scheme: subsets", 15, "size"),
        ("scheme: balanced", "scheme: raters", 15, "lists"),
        ("run: 3", "size: 9", 15, "size"),
        ("scheme: balanced, count: 2", "scheme: all, apart: 8", 15, "apart"),
        ("seed: 7", "seed: 7\nselect: doubtful", 10, "select"),
        ("seed: 7", "seed: 7\nselect: rejected", 10, "select"),
        ("seed: 7", "seed: 7\nselect: disputed-or-rejected", 10, "select"),
    ],
)
def test_a_design_that_cannot_be_is_refused_at_its_line(
    old: str, new: str, line: int, field: str, tmp_path: Path, refused: Refused
) -> None:
    assert old in DESIGN
    path = tmp_path / "annotation" / "designs" / "kites.yaml"
    refused(lambda: made(tmp_path, DESIGN.replace(old, new)), f"{path}:{line}", field)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    pairs=st.integers(1, 12),
    count=st.integers(2, 5),
    seed=st.integers(0, 99),
    scheme=st.sampled_from(["balanced", "subsets", "all"]),
)
def test_whatever_is_laid_out_passes_its_suite(pairs: int, count: int, seed: int, scheme: str, tmp_path: Path) -> None:
    lists = {"balanced": f"count: {count}", "subsets": f"count: {count}, size: {pairs}", "all": "apart: 0"}[scheme]
    design = DESIGN.replace("scheme: balanced, count: 2, run: 3", f"scheme: {scheme}, {lists}")
    try:
        found = made(tmp_path, design.replace("seed: 7", f"seed: {seed}"), 2 * pairs)
    except PipelineError as error:
        # odd numbers of pairs that lists cannot share, or fewer records than lists
        assert error.reason.startswith(("[lists] no balanced lists", "[lists] too few records"))
        return
    write_study(tmp_path / "study", found.study, found.tasks)
    assert read_study(tmp_path / "study") == (found.study, list(found.tasks))
    suite = SUITES["study"]
    told = [
        (row.id, name, check(row.value))
        for row in suite.rows([tmp_path / "study"])
        for name, check in suite.checks.items()
    ]
    assert [one for one in told if one[2]] == []
    assert found.laid_out + len(found.left_over) == 2 * pairs


# --- the command --------------------------------------------------------------------------------------------------------

app = Typer()
app.command()(annotate_design.command)


def design_study(*arguments: str | Path) -> str:
    result = CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_command_counts_what_it_laid_out(tmp_path: Path) -> None:
    path = write_design(tmp_path, SIXTEEN, DESIGN.replace("run: 3", "size: 4"))
    assert design_study(path, f"--out={tmp_path / 'out'}").splitlines() == [
        "16 records = 8 laid out in 2 lists + 8 left over",
        "list 1: 4 records (a 2, b 2; A 2, B 2) in 6 tasks, 2 of them practice",
        "list 2: 4 records (a 2, b 2; A 2, B 2) in 6 tasks, 2 of them practice",
        f"{tmp_path / 'out'}: 12 tasks",
    ]
    study, tasks = read_study(tmp_path / "out")
    assert (study.id, len(tasks)) == ("kites", 12)


def test_the_same_files_give_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    path = write_design(tmp_path, SIXTEEN)
    code = "import sys, typer; from pipeline.cli.annotate import design as s; typer.run(s.command)"
    written = []
    for hashing in ("1", "2"):
        out = tmp_path / hashing
        command = [sys.executable, "-c", code, str(path), f"--out={out}"]
        subprocess.run(
            command, check=True, capture_output=True, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": hashing}
        )
        written.append([(out / name).read_bytes() for name in ("study.json", "tasks.jsonl")])
    assert written[0] == written[1]


def test_verification_shows_each_rater_their_own(tmp_path: Path) -> None:
    design = DESIGN.replace("lists: {{scheme: balanced, count: 2, run: 3}}", "lists: {{scheme: raters}}")
    design = design.replace("seed: 7", "seed: 7\nselect: disagreements").replace("why: explanation", "own: own")
    path = write_design(tmp_path, SIXTEEN, design.replace("practice: kites.yaml\n", ""))
    said = [
        judgement("kite-000-a", "r-0a1b2c", reference=1),
        judgement("kite-000-b", "r-0a1b2c", reference=1),
        judgement("kite-001-a", "r-9f8e7d", reference=0),
    ]
    write_judgements(tmp_path / "said.jsonl", said)
    printed = design_study(path, f"--judgements={tmp_path / 'said.jsonl'}", f"--out={tmp_path / 'out'}")
    assert "16 records = 2 laid out in 2 lists + 14 left over\n" in printed
    _, tasks = read_study(tmp_path / "out")
    assert [(task.list, task.items[0], task.data["own"], task.data["right"]) for task in tasks] == [
        ("r-0a1b2c", "kite-000-a", "小舟", "阿菊"),
        ("r-9f8e7d", "kite-001-a", "阿菊", "小舟"),
    ]


def test_what_a_rater_says_again_in_another_list_does_not_count_twice() -> None:
    first = judgement("kite-000-a", "ana", reference=0, naturalness=2)
    again = replace(first, list="2", task=first.task.replace("/1/", "/2/"))
    assert again.task != first.task
    other = judgement("kite-000-a", "bo", reference=0, naturalness=4)
    # The mean is (2 + 4) / 2 = 3, not (2 + 2 + 4) / 3: not under 3, and nothing else is doubtful.
    assert doubtful(ASKED, [first, again, other], ()) == []


def test_a_consensus_asks_about_the_doubtful(tmp_path: Path) -> None:
    design = DESIGN.replace("scheme: balanced, count: 2, run: 3", "scheme: all")
    design = design.replace("seed: 7", "seed: 7\nselect: doubtful").replace("why: explanation", "why: doubt")
    path = write_design(tmp_path, SIXTEEN, design)
    write_judgements(tmp_path / "said.jsonl", [judgement("kite-000-a", "r-0a1b2c", reference=1)])
    write_decisions(tmp_path / "build" / "decisions.jsonl", [Decision("kite-003-b", None, disputed=True)])
    design_study(path, f"--judgements={tmp_path / 'said.jsonl'}", f"--out={tmp_path / 'out'}")
    _, tasks = read_study(tmp_path / "out")
    found = {task.items[0]: task.data["why"] for task in tasks if task.phase == "main"}
    assert found == {"kite-000-a": "阿菊 0 · 小舟 1", "kite-003-b": ""}


def test_an_audit_asks_about_the_rejected(tmp_path: Path) -> None:
    design = DESIGN.replace("scheme: balanced, count: 2, run: 3", "scheme: all").replace(
        "why: explanation", "why: rule"
    )
    design = design.replace("seed: 7", "seed: 7\nselect: disputed-or-rejected").replace(
        "source: items", "source: rejected"
    )
    path = write_design(tmp_path, SIXTEEN, design)
    finding = Finding("zh/made-up", "other", None, "不能省略")
    write_rejected(tmp_path / "build" / "zero.jsonl", [Rejected(item, (finding,)) for item in SIXTEEN[:2]])
    write_items(tmp_path / "build" / "kept.jsonl", SIXTEEN[2:])
    write_decisions(tmp_path / "build" / "decisions.jsonl", [Decision("kite-003-b", None, disputed=True)])
    printed = design_study(path, f"--out={tmp_path / 'out'}")
    assert "16 records = 3 laid out in 1 list + 13 left over\n" in printed
    _, tasks = read_study(tmp_path / "out")
    found = {task.items[0]: task.data["why"] for task in tasks if task.phase == "main"}
    assert found == {"kite-000-a": "zh/made-up", "kite-000-b": "zh/made-up", "kite-003-b": ""}


def test_filled_templates_can_be_asked_about(tmp_path: Path) -> None:
    design = DESIGN.replace("source: items", "source: instances").replace("lang: zh", "lang: en")
    design = design.replace("scheme: balanced, count: 2, run: 3", "scheme: all").replace(
        "why: explanation", "why: pronouns"
    )
    path = write_design(tmp_path, [], design)
    text = "The baker waved at the customer because 【xe】 knew the way."
    item = marked(text, "en-bake-a", lang="en", candidates=("baker", "customer"), answer=0)
    write_instances(tmp_path / "build" / "zero.jsonl", [Instance(item, "nominative", "xe")])
    design_study(path, f"--out={tmp_path / 'out'}")
    _, tasks = read_study(tmp_path / "out")
    assert [task.data["why"] for task in tasks if task.phase == "main"] == ["xe / xem / xyr / xyrs / xemself"]


def test_candidates_that_read_the_same_are_refused(tmp_path: Path, refused: Refused) -> None:
    items = [*SIXTEEN[1:], replace(SIXTEEN[0], candidates=("阿菊", "阿菊"))]
    path = write_design(tmp_path, items)
    refused(lambda: make_study(read_design(path)), str(tmp_path / "build" / "zero.jsonl"), "candidates")


def test_a_rater_whose_name_is_no_name_of_a_list_is_refused(tmp_path: Path, refused: Refused) -> None:
    design = DESIGN.replace("lists: {{scheme: balanced, count: 2, run: 3}}", "lists: {{scheme: raters}}")
    path = write_design(tmp_path, SIXTEEN, design.replace("seed: 7", "seed: 7\nselect: disagreements"))
    said = [judgement("kite-000-a", "../ana", reference=1)]
    refused(lambda: make_study(read_design(path), said), f"{path}:16", "rater")


def test_nothing_to_ask_about_is_refused(tmp_path: Path, refused: Refused) -> None:
    refused(lambda: made(tmp_path, number=0), str(tmp_path / "annotation" / "designs" / "kites.yaml"), "select")


def test_seeds_differ_by_list(tmp_path: Path) -> None:
    # Each list draws its own order of candidates: of two lists of 40 records the chance of the same is one in 2 ** 40.
    found = made(tmp_path, number=80)
    orders = [[task.options for task in found.tasks if task.list == name and task.phase == "main"] for name in "12"]
    assert len(orders[0]) == 40
    assert orders[0] != orders[1]
