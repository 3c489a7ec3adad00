"""The coding of explanations, from its design to Table 8: results as Label Studio exports them, agreement, reconciliation."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.tables import read_table, write_tsv
from pipeline.evaluation.diagnosis.table8 import disagreements, read_error_table
from pipeline.evaluation.diagnosis.table8 import table8 as figures_of
from pipeline.evaluation.diagnosis.traces import read_traces
from pipeline.release.gate import plan
from pipeline.studies.design.build import make_study
from pipeline.studies.labelstudio.pull import read_result
from pipeline.studies.model.design import Design, read_design
from pipeline.studies.model.judgements import write_judgements
from pipeline.studies.model.study import write_study
from tests.conftest import ROOT
from tests.support.agreement import judge
from tests.support.annotators import results
from tests.support.commands import printed as run
from tests.support.simulated_systems import simulated_items
from tests.support.studies import kites
from tests.support.system_answers import answers, write_release, write_rows
from tests.support.traces import trace_rows, write_traces


def design(traces: Path) -> Design:
    return replace(read_design(ROOT / "annotation" / "designs" / "error-coding.yaml"), records=traces)


@pytest.fixture(scope="module")
def coded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Traces of two systems about eight sentences, four errors and four controls of each, and what two coders submitted.

    The first coder finds a surface cue in each trace of x and nothing in those of y, controls among them. The second agrees on x, adds a
    semantic role to its first sentence, and finds a surface cue in the errors of y too.
    """
    folder = tmp_path_factory.mktemp("coded")
    traces = write_traces(folder / "traces.jsonl", map(kites, range(8)))
    rows = {row["id"]: row for row in trace_rows(map(kites, range(8)))}
    layout = make_study(design(traces))
    write_study(folder / "study", layout.study, layout.tasks)
    judgements = []
    for task in layout.tasks:
        for rater in ("r-1", "r-2"):
            (item,) = task.items
            codes = "none" if task.phase == "practice" else coded_by(rater, rows[item])
            (answers,) = read_result(layout.study, task, {}, results(layout.study, task, [{"types": codes}]))
            judgements.append(judge(task, rater, 30.0, **answers))
    write_judgements(folder / "judgements.jsonl", judgements)
    return folder


def coded_by(rater: str, row: Mapping[str, Any]) -> str:
    if row["model"] == "x":
        more = rater == "r-2" and row["id"] == "kite-000-a/1"
        return "surface-cue semantic-role" if more else "surface-cue"
    return "surface-cue" if rater == "r-2" and row["condition"] == "error" else "none"


def table8(folder: Path, out: Path, *more: object) -> tuple[str, dict[str, Any], str]:
    given = (f"--study={folder / 'study'}", f"--judgements={folder / 'judgements.jsonl'}")
    output = run("evaluate", "codes", folder / "traces.jsonl", *given, f"--out={out}", "--resamples=9", *more)
    return output, json.loads((out / "figures.json").read_text()), (out / "table8.tex").read_text()


def test_a_task_names_neither_system_nor_condition(coded: Path) -> None:
    for line in (coded / "study" / "tasks.jsonl").read_text().splitlines():
        task = json.loads(line)
        assert list(task["data"]) == ["study", "task", "text", "candidates", "right", "trace", "explanation"]
        assert not {"x", "y", "error", "control"} & set(task["data"].values())
        assert "control" not in line
    validations = [suite.check(paths) for suite, paths in plan("study", [coded / "study"])]
    assert [line for validation in validations for line in validation.lines()] == []


def test_codes_of_both_and_of_either_make_table_8(coded: Path, tmp_path: Path) -> None:
    output, figures, latex = table8(coded, tmp_path)
    assert (figures["coded"], figures["taken"], figures["simulated"]) == (16, "both", False)
    assert figures["coders"] == ["r-1", "r-2"]
    both = {name: of["errors"]["counts"]["surface-cue"] for name, of in figures["systems"].items()}
    assert both == {"x": 4, "y": 0}
    assert (
        figures["systems"]["x"]["controls"] == figures["systems"]["x"]["errors"]
    )  # the codes say nothing about errors
    assert figures["systems"]["x"]["errors"]["counts"]["semantic-role"] == 0
    assert figures["shared"]["n"] == 4
    assert figures["shared"]["some"]["counts"]["surface-cue"] == 4
    assert figures["shared"]["all"]["counts"]["surface-cue"] == 0
    assert (
        "surface-cue: x 4 of 4, controls 4 of 4; y 0 of 4, controls 0 of 4; all systems 4 of 4, printed 16 of 19; kappa 0.500"
        in output
    )
    assert "Surface cue misguidance & 4 (100.0 \\%) & 0 (0.0 \\%) & 4 (100.0 \\%) & 16 (84.2 \\%) \\\\" in latex
    assert "imulated" not in latex + output
    assert "Printed: sentences of WSC-ZA, of other systems." in latex
    _, figures, latex = table8(coded, tmp_path, "--take=either")
    assert figures["systems"]["y"]["errors"]["counts"]["surface-cue"] == 4
    assert figures["systems"]["x"]["errors"]["counts"]["semantic-role"] == 1
    assert "either of two coders" in latex


def test_table_8_stands_on_the_page_of_a_report(coded: Path, tmp_path: Path) -> None:
    table8(coded, tmp_path)
    table = read_error_table(tmp_path / "figures.json")
    assert table.header[:3] == ("Error type", "x (N = 4)", "its controls (N = 4)")
    shares = ("4 (100.0 %)", "4 (100.0 %)", "0 (0.0 %)", "0 (0.0 %)", "4 (100.0 %)", "16 (84.2 %)")
    assert table.rows[0].cells == ("Surface cue misguidance", *shares)
    assert "SIMULATED" not in table.title
    run("evaluate", "codes", coded / "traces.jsonl", "--simulate=0", "--resamples=9", f"--out={tmp_path}")
    items = simulated_items(2)
    release = write_release(tmp_path / "zh", items)
    answered = write_rows(tmp_path / "p.jsonl", answers("x", "zero-shot", "ABAB"))
    files = (f"--predictions={answered}", f"--codes={tmp_path / 'figures.json'}", f"--out={tmp_path / 'page'}")
    run("evaluate", "report", release, "--permutations=9", *files)
    page = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    assert "SIMULATED codes: nobody coded these explanations" in page


def test_the_two_forms_of_a_sentence_are_two_shared_sentences(coded: Path) -> None:
    zero = [trace for trace in read_traces(coded / "traces.jsonl") if trace.item.id == "kite-000-a"]
    overt = [replace(trace, id=f"{trace.id}-overt", form="overt") for trace in zero if trace.model == "x"]
    types = {trace.id: frozenset({"surface-cue"}) for trace in zero}
    codes = {trace.id: {"r-1": types.get(trace.id, frozenset()), "r-2": frozenset[str]()} for trace in [*zero, *overt]}
    shared = figures_of([*zero, *overt], codes, types | {trace.id: frozenset() for trace in overt}, "either").shared
    assert shared.n == 1, "only x has the overt form wrong"
    assert shared.all.counts["surface-cue"] == 1, "its types there are not those of the zero form"


def test_agreement_by_hand(coded: Path, tmp_path: Path) -> None:
    """16 traces; a surface cue: both 8, second only 4, none 4. p_o = 12/16; shares 8/16 and 12/16, p_e = 6/16 + 2/16 = 1/2; kappa = 1/2."""
    _, figures, _ = table8(coded, tmp_path)
    rows = {row["code"]: row for row in figures["agreement"]["codes"]}
    assert rows["surface-cue"]["cohen"] == pytest.approx(1 / 2)
    assert [rows["surface-cue"][name] for name in ("answers", "items", "both", "some")] == [20, 16, 8, 12]
    assert rows["surface-cue"]["percent"]["value"] == 12 / 16
    assert rows["connective"]["cohen"] is None, "nobody gave it"
    # Sets {s} 7 times with {s}, once with {s, r} at distance 1 - 1/2 * 2/3 = 2/3; {n} 4 times with {n}, 4 times with {s} at distance 1.
    # D_o = 2 (2/3 + 4) / 32 = 7/24. Of the 32 sets 19 are {s}, 1 is {s, r}, 12 are {n}: D_e = 2 (19 * 2/3 + 12 + 19 * 12) / (32 * 31).
    observed, expected = 2 * (2 / 3 + 4) / 32, 2 * (19 * 2 / 3 + 12 + 19 * 12) / (32 * 31)
    assert figures["agreement"]["alpha_masi"]["value"] == pytest.approx(1 - observed / expected)
    out = tmp_path / "agree"
    exported = (coded / "study", f"--judgements={coded / 'judgements.jsonl'}")
    run("annotate", "agree", *exported, f"--out={out}", "--resamples=9")
    control = json.loads((out / "figures.json").read_text())["controls"]["types"]
    assert control["agreement"]["alpha_masi"]["value"] == figures["agreement"]["alpha_masi"]["value"]
    page = (out / "index.html").read_text()
    assert "MASI distance" in page
    assert "Codes one by one" in page


def test_reconciled_codes_need_an_entry_for_each_disagreement(coded: Path, tmp_path: Path) -> None:
    table8(coded, tmp_path)
    path = tmp_path / "reconcile.tsv"
    rows = [row for _, row in read_table(path, ("id", "first", "second", "codes"))]
    differ = ("000-a/1", "000-a/2", "000-b/2", "002-a/2", "002-b/2")
    assert [row["id"] for row in rows] == [f"kite-{name}" for name in differ]
    assert all(row["codes"] == "" for row in rows)
    filled = tmp_path / "filled.tsv"
    write_tsv(
        filled, ("id", "codes"), [(row["id"], "none" if row["id"].endswith("2") else "semantic-role") for row in rows]
    )
    _, figures, _ = table8(coded, tmp_path, "--take=reconciled", f"--reconciled={filled}")
    assert figures["systems"]["x"]["errors"]["counts"]["surface-cue"] == 3
    assert figures["systems"]["x"]["errors"]["counts"]["semantic-role"] == 1
    assert figures["systems"]["y"]["errors"]["counts"]["surface-cue"] == 0
    with pytest.raises(PipelineError, match=r"reconcile.tsv:2: \[codes\] unknown choices"):
        table8(coded, tmp_path / "b", "--take=reconciled", f"--reconciled={path}")
    write_tsv(filled, ("id", "codes"), [("kite-000-a/1", "none")])
    with pytest.raises(PipelineError, match=r"filled.tsv: \[codes\] coders differ on kite-000-a/2"):
        table8(coded, tmp_path / "b", "--take=reconciled", f"--reconciled={filled}")
    with pytest.raises(PipelineError, match=r"\[reconciled\] expected --reconciled with --take reconciled"):
        table8(coded, tmp_path / "b", "--take=reconciled")
    assert not (tmp_path / "b").exists()


def test_simulated_codes_are_labelled_in_each_output(coded: Path, tmp_path: Path) -> None:
    words = ("evaluate", "codes", coded / "traces.jsonl", "--simulate=3", f"--out={tmp_path}", "--resamples=9")
    output = run(*words)
    assert output.startswith("SIMULATED codes: nobody coded these traces\n")
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert json.loads(files["figures.json"])["simulated"] is True
    assert b"Simulated codes: nobody coded these traces." in files["table8.tex"]
    assert run(*words) == output
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files
    with pytest.raises(PipelineError, match=r"\[judgements\] expected --study with --judgements, or --simulate alone"):
        run(*words, f"--judgements={coded / 'judgements.jsonl'}")


def test_a_third_coder_is_refused_and_one_alone_is_not_counted(coded: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in (coded / "judgements.jsonl").read_text().splitlines()]
    more = [*lines, *(line | {"rater": "r-3"} for line in lines if line["rater"] == "r-1")]
    path = write_rows(tmp_path / "three.jsonl", more)
    files = (f"--study={coded / 'study'}", f"--out={tmp_path / 'o'}")
    words = ("evaluate", "codes", coded / "traces.jsonl", *files, "--resamples=9")
    with pytest.raises(PipelineError, match=r"three.jsonl: \[rater\] found 3 coders of kite-"):
        run(*words, f"--judgements={path}")
    path = write_rows(tmp_path / "one.jsonl", [line for line in lines if line["rater"] == "r-1"])
    assert "0 of 16 traces coded by two" in run(*words, f"--judgements={path}")


def test_a_trace_is_coded_beside_the_form_that_its_system_saw(tmp_path: Path) -> None:
    rows = trace_rows(map(kites, range(2)))
    path = write_rows(tmp_path / "t.jsonl", [rows[0], rows[1] | {"form": "overt"}, *rows[2:]])
    layout = make_study(design(path))
    texts = {item: task.data["text"] for task in layout.tasks if task.phase == "main" for item in task.items}
    assert ("Ø" in texts[rows[0]["id"]], "【" in texts[rows[0]["id"]]) == (True, False)
    assert ("Ø" in texts[rows[1]["id"]], "【" in texts[rows[1]["id"]]) == (False, True)
    traces = read_traces(path)
    codes = {trace.id: {"r-1": frozenset({"none"}), "r-2": frozenset({"connective"})} for trace in traces}
    sentences = [row[4] for row in disagreements(traces, codes)]
    assert ["Ø" in sentence for sentence in sentences] == [trace.form == "zero" for trace in traces]


def test_traces_that_the_study_cannot_show_are_refused_or_left_over(tmp_path: Path) -> None:
    rows = trace_rows(map(kites, range(2)))
    empty = write_rows(tmp_path / "t.jsonl", [rows[0] | {"trace": " \n"}, *rows[1:]])
    layout = make_study(design(empty))
    assert [record.id for record in layout.left_over] == [rows[0]["id"]]
    for change, message in (
        ({"form": "both"}, r":1: \[form\] unknown form; found 'both', expected zero or overt"),
        ({"id": "kite-000-a"}, r":1: \[id\] found 'kite-000-a', expected kite-000-a, a slash"),
        ({"item": {}}, r":1: \[id\] missing field"),
    ):
        path = write_rows(tmp_path / "t.jsonl", [rows[0] | change, *rows[1:]])
        with pytest.raises(PipelineError, match=message):
            make_study(design(path))
