"""Designs become studies, by the function and by the command."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.core.records import write_items
from pipeline.release.gate import SUITES
from pipeline.studies.design.build import make_study
from pipeline.studies.design.config import guideline_html, with_numbers
from pipeline.studies.design.layout import Layout
from pipeline.studies.model.design import read_design
from pipeline.studies.model.judgements import write_judgements
from pipeline.studies.model.study import Task, read_study, write_study
from pipeline.winograd.exclusion.ledger import write_decisions
from tests.conftest import ROOT, Refused
from tests.support.commands import printed
from tests.support.studies import CONFIG, DESIGN, judgement, kites, write_design

SIXTEEN = [kites(number) for number in range(16)]


def made(folder: Path, design: str = DESIGN, number: int = 16, **files: str) -> Layout:
    return make_study(read_design(write_design(folder, [kites(place) for place in range(number)], design, **files)))


# --- the study ----------------------------------------------------------------------------------------------------------


def test_a_study_is_laid_out(tmp_path: Path) -> None:
    # Eight pairs, both answers in each, in two lists: a list has eight records, four of each member and four of each answer,
    # behind two records of practice.
    layout = made(tmp_path)
    assert layout.study.lists == ("1", "2")
    assert layout.study.instruction == "<h1>风筝</h1>\n<p>选出 <strong>Ø</strong> 指谁。</p>\n"
    assert layout.laid_out == 16
    assert layout.left_over == ()
    assert [task.key for task in layout.tasks] == [
        f"kites/{name}/{place:03}" for name in "12" for place in range(1, 11)
    ]
    for name in "12":
        tasks = [task for task in layout.tasks if task.list == name]
        assert [task.phase for task in tasks] == ["practice"] * 2 + ["main"] * 8
        assert [task.items for task in tasks[:2]] == [("p-1",), ("p-2",)]
        assert sorted(task.gold[0] or 0 for task in tasks[2:]) == [0] * 4 + [1] * 4
        assert sorted(task.items[0][-1] for task in tasks[2:]) == list("aaaabbbb")


def test_only_practice_shows_answers_and_explanations(tmp_path: Path) -> None:
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
            assert [option["value"] for option in task.data["options"]] == names


def test_a_screen_that_would_be_short_is_refused(tmp_path: Path, refused: Refused) -> None:
    # Four pairs in two lists are four records a list, which three do not divide; practice is checked first: two records.
    design = DESIGN.replace("seed: 7", "screen: 3")
    path = tmp_path / "annotation" / "designs" / "kites.yaml"
    message = refused(lambda: made(tmp_path, design.replace("seed", "s") + "seed: 1\n", 8), f"{path}:9", "screen")
    assert "found 2 practice records in list 1, expected a multiple of 3" in message


def test_practice_asks_about_one_entity_of_a_sentence(tmp_path: Path) -> None:
    design = DESIGN.replace("options: candidates", "who: entity").replace("reference: {{kind: candidate}}\n  ", "")
    config = "\n".join(line for line in CONFIG.splitlines() if "reference" not in line)
    layout = made(tmp_path, design, config=config)
    # p-1 is asked about its right candidate (1), p-2 about its wrong one (1).
    assert [(task.items[0], task.data["who"]) for task in layout.tasks[:2]] == [("p-1/1", "小舟"), ("p-2/1", "阿菊")]
    assert all(task.options == ((),) for task in layout.tasks)


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
        ("scheme: balanced", "scheme: subsets, size: 9", 15, "size"),
        ("scheme: balanced", "scheme: raters", 15, "lists"),
        ("run: 3", "size: 9", 15, "size"),
        ("scheme: balanced, count: 2", "scheme: all, apart: 8", 15, "apart"),
        ("seed: 7", "seed: 7\nselect: doubtful", 10, "select"),
        ("seed: 7", "seed: 7\nselect: rejected", 10, "select"),
        ("seed: 7", "seed: 7\nselect: disputed-or-rejected", 10, "select"),
        ("seed: 7", "seed: 7\ncriteria: careful", 10, "criteria"),
        ("seed: 7", "seed: 7\ncriteria: {{practise: 0.8}}", 10, "criteria.practise"),
        ("seed: 7", "seed: 7\ncriteria: {{practice: 8}}", 10, "criteria.practice"),
        ("seed: 7", "seed: 7\ncriteria: {{attention: -0.1}}", 10, "criteria.attention"),
        ("seed: 7", "seed: 7\ncriteria: {{place: true}}", 10, "criteria.place"),
        ("seed: 7", "seed: 7\ncriteria: {{fast_s: 601}}", 10, "criteria.fast_s"),
    ],
)
def test_an_impossible_design_is_refused_at_its_line(
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
def test_every_layout_passes_its_suite(pairs: int, count: int, seed: int, scheme: str, tmp_path: Path) -> None:
    lists = {"balanced": f"count: {count}", "subsets": f"count: {count}, size: {pairs}", "all": "apart: 0"}[scheme]
    design = DESIGN.replace("scheme: balanced, count: 2, run: 3", f"scheme: {scheme}, {lists}")
    try:
        layout = made(tmp_path, design.replace("seed: 7", f"seed: {seed}"), 2 * pairs)
    except PipelineError as error:
        # odd numbers of pairs that lists cannot share, or fewer records than lists
        assert error.reason.startswith(("[lists] no balanced lists", "[lists] too few records"))
        return
    write_study(tmp_path / "study", layout.study, layout.tasks)
    assert read_study(tmp_path / "study") == (layout.study, list(layout.tasks))
    suite = SUITES["study"]
    problems = [
        (row.id, name, check(row.value))
        for row in suite.rows([tmp_path / "study"])
        for name, check in suite.checks.items()
    ]
    assert [problem for problem in problems if problem[2]] == []
    assert layout.laid_out + len(layout.left_over) == 2 * pairs


def test_a_guideline_says_how_much_there_is_in_the_longest_list() -> None:
    """Two screens of two for practice; then one in the list 1, three in the list 2, the last for attention."""
    phases = {"1": ["practice", "practice", "main"], "2": ["practice", "practice", "main", "main", "filler"]}
    tasks = [
        Task(f"x/{name}/{place}", name, place, phase, ("a", "b"), ((), ()), (0, 0), {})
        for name, screens in phases.items()
        for place, phase in enumerate(screens, 1)
    ]
    # Ten records of 15 seconds are 2.5 minutes.
    filled = with_numbers("{items} on {tasks}, {minutes:15}; {items} {minutes} {minutes:x} {other}", tasks)
    assert filled == "6 on 3, 3; 6 {minutes} {minutes:x} {other}"


def test_guidelines_run_no_markup_and_load_nothing() -> None:
    html = guideline_html(
        "**零** <img src=x onerror=y> ![p](https://example.org/p.png) [l](javascript:z)\n\n|a|\n|-|\n|b|"
    )
    assert "<strong>零</strong>" in html
    assert "<table>" in html
    assert "<img" not in html  # what is written as a picture is a link, which nothing loads by itself
    assert 'href="javascript' not in html


# --- the command --------------------------------------------------------------------------------------------------------


def design_study(*arguments: str | Path) -> str:
    return printed("annotate", "design", *arguments)


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
    code = "import typer; from pipeline.cli.annotate_studies import design_command; typer.run(design_command)"
    here, there = tmp_path / "here", tmp_path / "there"
    design_study(path, f"--out={here}")
    command = [sys.executable, "-c", code, str(path), f"--out={there}"]
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "1"})
    for name in ("study.json", "tasks.jsonl"):
        assert (here / name).read_bytes() == (there / name).read_bytes()


def validated(folder: Path) -> list[str]:
    return list(SUITES["study"].check([folder]).lines())


def test_what_was_explained_and_is_no_record_is_counted(tmp_path: Path) -> None:
    design = DESIGN.replace("scheme: balanced, count: 2, run: 3", "scheme: all")
    design_study(write_design(tmp_path, SIXTEEN, design), f"--out={tmp_path / 'export'}")
    export = tmp_path / "export" / "judgements.jsonl"
    reasons = {"verdict": "explain", "reason": "两可"}
    write_judgements(export, [judgement(f"kite-{name}", "r-1", **reasons) for name in ("000-a", "007-b")])
    explained = design.replace("id: kites", "id: explained").replace("seed: 7", "seed: 7\nselect: explained")
    path = write_design(tmp_path, SIXTEEN[:14], explained)  # the last pair was rejected since
    output = design_study(path, f"--judgements={export}", f"--out={tmp_path / 'out'}")
    assert output.startswith("14 records = 1 laid out in 1 list + 13 left over\n")
    assert "1 item left out, rejected or reworded since: kite-007-b\n" in output


def test_a_selection_by_wording_needs_the_earlier_study(tmp_path: Path, refused: Refused) -> None:
    path = write_design(tmp_path, SIXTEEN, DESIGN.replace("seed: 7", "seed: 7\nselect: changed"))
    write_judgements(tmp_path / "judgements.jsonl", [judgement("kite-000-a", "r-1", reference=1)])
    arguments = (path, f"--judgements={tmp_path / 'judgements.jsonl'}", f"--out={tmp_path / 'out'}")
    refused(lambda: design_study(*arguments), str(tmp_path / "study.json"), "file")


def test_a_judgement_of_an_unknown_record_is_refused_at_its_line(tmp_path: Path, refused: Refused) -> None:
    design = DESIGN.replace("scheme: balanced, count: 2, run: 3", "scheme: all")
    path = write_design(tmp_path, SIXTEEN, design.replace("seed: 7", "seed: 7\nselect: doubtful"))
    write_decisions(tmp_path / "build" / "decisions.jsonl", [])
    export = tmp_path / "judgements.jsonl"
    write_judgements(export, [judgement(f"kite-{name}-a", "r-1", reference=1) for name in ("000", "099")])
    message = refused(
        lambda: design_study(path, f"--judgements={export}", f"--out={tmp_path / 'out'}"), f"{export}:2", "item"
    )
    assert message.endswith("unknown record; found 'kite-099-a', expected one of the study's records")


@pytest.mark.parametrize(
    ("old", "new", "field", "words"),
    [
        ("lang: zh", "lang: en", "lang", "not the language of the records; found 'en', expected 'zh'"),
        ("practice: kites", "practice: english", "text", "not in the language of the study; found 'The baker"),
        (
            "zero.jsonl",
            "items.jsonl",
            "text_zero",
            "no zero form, which the design shows; found 'kite-000-a' without one",
        ),
    ],
)
def test_records_and_practice_that_do_not_fit_the_design_are_refused(
    old: str, new: str, field: str, words: str, tmp_path: Path
) -> None:
    path = write_design(tmp_path, SIXTEEN)
    write_items(tmp_path / "build" / "items.jsonl", SIXTEEN)
    text = "- {id: p-1, text: 'The baker nodded because [xe] agreed.', candidates: [baker, guest], answer: 0, explanation: e}\n"
    (tmp_path / "annotation" / "practice" / "english.yaml").write_text(text, encoding="utf-8")
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(PipelineError) as caught:
        make_study(read_design(path))
    assert caught.value.reason.startswith(f"[{field}] ")
    assert words in caught.value.reason


def test_candidates_that_read_the_same_are_refused(tmp_path: Path, refused: Refused) -> None:
    items = [*SIXTEEN[1:], replace(SIXTEEN[0], candidates=("阿菊", "阿菊"))]
    path = write_design(tmp_path, items)
    refused(lambda: make_study(read_design(path)), str(tmp_path / "build" / "zero.jsonl"), "candidates")


def test_a_rater_whose_name_cannot_name_a_list_is_refused(tmp_path: Path, refused: Refused) -> None:
    design = DESIGN.replace("lists: {{scheme: balanced, count: 2, run: 3}}", "lists: {{scheme: raters}}")
    path = write_design(tmp_path, SIXTEEN, design.replace("seed: 7", "seed: 7\nselect: disagreements"))
    judgements = [judgement("kite-000-a", "../ana", reference=1)]
    refused(lambda: make_study(read_design(path), judgements), f"{path}:16", "rater")


def test_nothing_to_ask_about_is_refused(tmp_path: Path, refused: Refused) -> None:
    message = refused(lambda: made(tmp_path, number=0), str(tmp_path / "build" / "zero.jsonl"), "file")
    assert "no item; found an empty file" in message


def test_seeds_differ_by_list(tmp_path: Path) -> None:
    # Each list draws its own order of candidates: of two lists of 40 records the chance of the same is 1 in 2 ** 40.
    layout = made(tmp_path, number=80)
    orders = [[task.options for task in layout.tasks if task.list == name and task.phase == "main"] for name in "12"]
    assert len(orders[0]) == 40
    assert orders[0] != orders[1]
