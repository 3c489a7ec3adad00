"""The command: its files, their figures, the page that a browser opens, the tables in LaTeX."""

import base64
import hashlib
import json
import re
from dataclasses import asdict
from html import unescape
from pathlib import Path
from random import Random

import pytest

from pipeline.core.errors import PipelineError
from tests.support.commands import printed
from tests.support.pages import Page
from tests.support.simulated_systems import simulated_items, simulated_runs
from tests.support.system_answers import write_release, write_rows

HOSTILE = '<script>alert(1)</script>&amp;\u202e"'


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_release(tmp_path_factory.mktemp("releases") / "zh", simulated_items(6))


@pytest.fixture(scope="module")
def predictions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    items, path = simulated_items(6), tmp_path_factory.mktemp("predictions") / "p.jsonl"
    right = {entry.item.id: 0.8 for entry in items}
    return write_rows(
        path,
        (
            {"id": item_id, **asdict(run), "answer": given.answer + HOSTILE}
            for model in ("x_1", HOSTILE)
            for run, responses in simulated_runs(items, right, Random(5), model=model, unparsed=0.1).items()
            for item_id, given in responses.items()
        ),
    )


@pytest.fixture(scope="module")
def report(release: Path, predictions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with what it printed as JSON; every item has an answer, so that --sample leaves none out."""
    out = tmp_path_factory.mktemp("report")
    (out / "printed.json").write_text(run(release, "--predictions", predictions, "--sample", "--out", out, "--json"))
    return out


def run(*arguments: object, status: int = 0) -> str:
    return printed("evaluate", "report", *arguments, status=status)


def test_the_page_needs_no_network_and_runs_no_foreign_script(report: Path) -> None:
    page = Page((report / "index.html").read_text(encoding="utf-8"))
    (script,) = page.scripts
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page.policy
    assert "default-src 'none'" in page.policy
    assert not {"img", "iframe", "object", "form"} & {tag for tag, _ in page.elements}
    assert all(not name.startswith("on") for _, values in page.elements for name in values)
    assert page.links >= {f"#item-{number}" for number in range(12)}
    assert page.links <= {f"#{values['id']}" for _, values in page.elements if "id" in values}
    assert "<script>alert(1)</script>&amp;" in page.text  # the model's name, as text
    assert "\u202e" not in page.text
    assert page.text.count("老汤给小柳送伞，因为") == 12


def test_the_same_inputs_give_the_same_bytes(release: Path, predictions: Path, report: Path, tmp_path: Path) -> None:
    run(release, "--predictions", predictions, "--out", tmp_path)
    files = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert files == {name: (report / name).read_bytes() for name in ("index.html", "report.json", "tables.tex")}


def test_figures_are_those_that_are_printed(report: Path) -> None:
    printed = json.loads((report / "printed.json").read_text(encoding="utf-8"))
    assert printed == json.loads((report / "report.json").read_text(encoding="utf-8"))
    assert (printed["items"], printed["sample_of"], printed["schemas"], len(printed["runs"])) == (12, None, 6, 8)
    assert printed["people"] == {"value": 0.926, "source": "WSC-ZA, Table 4, other items", "items": 0}
    for measured in printed["runs"]:
        assert sum(measured["outcomes"].values()) == 12
        printed_bound = 0.926 - measured["accuracy"]["right"] / 12  # of zero forms, which says nothing about overt ones
        assert measured["gap"]["value"] == (pytest.approx(printed_bound) if measured["form"] == "zero" else None)
    by_form = {row["value"]: row["models"]["x_1"]["right"] for row in printed["by_form"]}
    assert sum(by_form.values()) == sum(row["accuracy"]["right"] for row in printed["runs"] if row["model"] == "x_1")


def test_an_item_without_an_answer_is_a_finding_and_not_scored(
    release: Path, predictions: Path, tmp_path: Path
) -> None:
    lines = predictions.read_text(encoding="utf-8").splitlines(keepends=True)
    path = tmp_path / "part.jsonl"
    path.write_text("".join(lines[:9]), encoding="utf-8")
    output = run(release, "--predictions", path, "--out", tmp_path / "out", status=1)
    assert (
        f"{path}: [predictions] x_1, zero-shot, zero, as written: 3 items not answered; found 9, expected 12" in output
    )
    figures = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert (figures["runs"][0]["accuracy"]["n"], figures["runs"][0]["missing"]) == (9, 3)
    tables = (tmp_path / "out" / "tables.tex").read_text(encoding="utf-8")
    assert "12 items of zh, zero forms, options as written; items without an answer are not scored" in tables


def test_a_sample_is_reported_as_one_and_misses_only_what_another_run_answered(
    release: Path, predictions: Path, tmp_path: Path
) -> None:
    lines = predictions.read_text(encoding="utf-8").splitlines(keepends=True)
    items = [json.loads(line)["id"] for line in lines[:4]]
    drawn = [line for line in lines if json.loads(line)["id"] in items]
    path = tmp_path / "part.jsonl"
    path.write_text("".join(drawn), encoding="utf-8")
    output = run(release, "--predictions", path, "--sample", "--out", tmp_path / "out")
    assert "zh: a sample of 4 of 12 items, 8 runs, 32 answers" in output
    figures = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert (figures["items"], figures["sample_of"], figures["schemas"]) == (4, 12, 2)
    assert {measured["accuracy"]["n"] for measured in figures["runs"] + figures["baselines"]} == {4}
    assert "a sample of 4 of 12 items of zh" in (tmp_path / "out" / "tables.tex").read_text(encoding="utf-8")
    page = Page((tmp_path / "out" / "index.html").read_text(encoding="utf-8"))
    assert "A sample of 4 of 12 items in 2 schemas" in page.text
    assert page.text.count("老汤给小柳送伞，因为") == 4
    path.write_text("".join(drawn[1:]), encoding="utf-8")
    output = run(release, "--predictions", path, "--sample", "--out", tmp_path / "out", status=1)
    assert "1 item not answered; found 3, expected 4" in output


def test_people_of_other_items_are_refused(release: Path, predictions: Path, tmp_path: Path) -> None:
    people = tmp_path / "items.tsv"
    people.write_text("item\taccuracy\nother\t0.9\n", encoding="utf-8")
    with pytest.raises(
        PipelineError, match=r"\[item\] no item of the release; found 'other', expected ids such as s-0000-a"
    ):
        run(release, "--predictions", predictions, "--people", people, "--out", tmp_path / "o")
    assert not (tmp_path / "o").exists()


def test_association_with_other_items_is_refused_and_with_some_is_counted(
    release: Path, predictions: Path, tmp_path: Path
) -> None:
    pmi, people = tmp_path / "pmi.jsonl", tmp_path / "items.tsv"
    answer = {"id": "other", "counts": [1, 2], "choice": 1, "decided": True}
    arguments = [release, "--predictions", predictions, "--pmi", pmi, "--out", tmp_path / "o"]
    pmi.write_text(json.dumps(answer), encoding="utf-8")
    with pytest.raises(
        PipelineError, match=r"\[id\] no item of the release; found 'other', expected ids such as s-0000-a"
    ):
        run(*arguments)
    pmi.write_text(json.dumps(answer | {"id": "s-0000-a", "answer": 1}), encoding="utf-8")
    with pytest.raises(PipelineError, match=r":1: \[answer\] of another key; found 1, expected 0 as in the release"):
        run(*arguments)
    for gap, fault in {
        "2.5": r"\[choice\] not the greater association; found 1, expected 0 for the difference 2.5",
        '"inf"': r"\[choice\] not the greater association; found 1, expected 0 for the difference inf",
        **dict.fromkeys(
            ("true", "[1]", '"x"', '"nan"'), r"\[difference\] no number; found .*, expected a number, inf, -inf or null"
        ),
    }.items():
        pmi.write_text(json.dumps(answer | {"id": "s-0000-a", "difference": json.loads(gap)}), encoding="utf-8")
        with pytest.raises(PipelineError, match=f":1: {fault}"):
            run(*arguments)
    pmi.write_text(json.dumps(answer | {"id": "s-0000-a"}), encoding="utf-8")
    people.write_text("item\taccuracy\ns-0000-a\t0.5\n", encoding="utf-8")
    output = run(*arguments, "--people", people)
    assert "association: decided 1 of 12 items" in output
    assert "(people on these items, 1 of 12 items)" in output


def test_tables_in_latex_are_balanced_and_escaped(report: Path) -> None:
    tables = (report / "tables.tex").read_text(encoding="utf-8")
    assert tables.count("\\begin{tabular}") == tables.count("\\end{tabular}") == 3
    assert "x\\_1 & 0." in tables
    assert "\\textless{}script\\textgreater{}" in tables
    assert " & \\textit{few-shot} & 0.929 & 0.929 & 0.929 \\\\" in tables
    for block in re.findall(r"\\begin\{tabular\}\{(l*r*)\}(.*?)\\end", tables, re.DOTALL):
        rows = [line for line in block[1].splitlines() if line.endswith("\\\\")]
        assert {len(re.findall(r"(?<!\\)&", line)) + 1 for line in rows} == {len(block[0])}


def test_every_figure_of_the_page_becomes_a_file(release: Path, predictions: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in predictions.read_text(encoding="utf-8").splitlines()]
    path = tmp_path / "p.jsonl"
    write_rows(path, [line | {"model": "模型"} for line in lines if line["model"] == "x_1"])
    run(release, "--predictions", path, "--out", tmp_path / "o", "--figures", tmp_path / "f")
    names = {file.name for file in (tmp_path / "f").iterdir()}
    assert names >= {
        f"{name}.{suffix}" for name in ("forms", "places", "by-kind", "heatmap") for suffix in ("svg", "png")
    }
    page = Page((tmp_path / "o" / "index.html").read_text(encoding="utf-8"))
    assert len(names) == 2 * sum(tag == "svg" for tag, _ in page.elements)


def test_answers_that_their_scores_contradict_are_a_finding(release: Path, tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    names = [f"s-{number:04}-{version}" for number in range(6) for version in "ab"]
    rows = [{"id": name, "model": "m", "mode": "full-score", "answer": "老汤", "scores": [-1, -2.5]} for name in names]
    rows[3]["scores"] = [-2.5, -1]
    output = run(release, "--predictions", write_rows(path, rows), "--out", tmp_path / "out", status=1)
    message = "[scores] m, full-score, zero, as written: answers and scores differ in 1 item, such as s-0001-b"
    assert f"{path}: {message}; expected the candidate with the greatest score as the answer" in output
    figures = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert (figures["calibration"][0]["n"], figures["runs"][0]["disagreements"]) == (12, ["s-0001-b"])


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("Die Frage ist gut.", "12 of 12 answers choose nothing (unclear 12): look at them before its accuracy"),
        ("B", "all 12 choices are B: it goes by place alone"),
    ],
)
def test_what_speaks_against_a_figure_is_said_first(release: Path, tmp_path: Path, answer: str, words: str) -> None:
    names = [f"s-{number:04}-{version}" for number in range(6) for version in "ab"]
    rows = [{"id": name, "model": "m", "mode": "zero-shot", "answer": answer} for name in names]
    output = run(release, "--predictions", write_rows(tmp_path / "p.jsonl", rows), "--out", tmp_path / "out")
    assert output.startswith(f"m, zero-shot, zero, as written: {words}\n")
    assert "below chance" not in output
    assert words in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")


def test_a_prompt_is_whole_again_when_the_page_puts_frame_and_part_together(release: Path, tmp_path: Path) -> None:
    path = tmp_path / "prompts.jsonl"
    names = [f"s-{number:04}-{version}" for number in range(6) for version in "ab"]
    prompts = {name: f"Ø指谁？{HOSTILE}</script><b>\n{name}\n答案：" for name in names}
    asked = {"model": "m", "mode": "zero-shot", "answer": "A"}
    rows = [{"id": name, **asked, "prompt": prompts[name], "prompt_tokens": 40 + len(name)} for name in names]
    run(release, "--predictions", write_rows(path, rows), "--out", tmp_path / "out")
    html = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert html.count("Ø指谁？") == 1
    assert not re.search("<b>\n", html)
    frame = re.search(
        r'<span id="frame-0-before">(.*?)</span><mark>…</mark><span id="frame-0-after">(.*?)</span>', html, re.DOTALL
    )
    parts = re.findall(r'data-frame="frame-0-before" class="soft">…</span>(.*?)<span', html, re.DOTALL)
    assert frame is not None
    shown = [text.replace("\u202e", "⟨U+202E⟩") for text in prompts.values()]
    assert sorted(unescape(frame[1] + part + frame[2]) for part in parts) == sorted(shown)
    figures = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert figures["tokens"][0]["prompt"] == {"n": 12, "least": 48, "median": 48, "most": 48}
    assert "≈ 190" in html
