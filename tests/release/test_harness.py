"""Tasks for lm-evaluation-harness: the requests that it makes, what it counts, and its figures beside ours, with a real model."""

import json
import math
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pipeline.core.convert import to_object
from pipeline.core.model import Item
from pipeline.language.pronouns import pronoun_table
from pipeline.release.harness import helper
from pipeline.release.harness.tasks import file_names, files_of_collection, files_of_templates, unscored
from pipeline.release.tables import json_lines
from pipeline.winograd.forms import FormOptions, variants
from pipeline.winograd.forms.substitution import disambiguated, scoring
from pipeline.winograd.zero_forms import to_zero
from pipeline.winopron.instances import instance_to_json, instances, read_templates
from tests.conftest import ROOT
from tests.support.artifacts import write
from tests.support.commands import app, winoforge
from tests.support.items import marked
from tests.support.models import read_gguf_once, smollm

PEOPLE = ("老汤", "小柳")
ZH = [
    marked("老汤给小柳送伞，因为【他】怕淋雨。", "t-1-a", answer=1, candidates=PEOPLE, question="谁怕淋雨？"),
    marked("老汤给小柳送伞，因为【他】有两把伞。", "t-1-b", candidates=PEOPLE, question="谁有两把伞？"),
    # Nothing follows the target but a mark.
    marked("老汤骂了小柳，大家都怪【他】。", "t-2-a", candidates=PEOPLE),
    marked("老汤骂了小柳，大家都帮【他】。", "t-2-b", answer=1, candidates=PEOPLE),
]
#: The items of a task that are run, by their places; all of the others. A prompt takes a tenth of a second.
FEW = {
    "winoforge_t_zero_swapped": [0, 1, 2],
    "winoforge_t_overt": [2],
    "winoforge_t_overt_swapped": [0],
    "winoforge_en_double": [0],
    "winoforge_en_partial": [0, 1],
}


#: The tasks that score the same options after both forms of an item.
PAIRED = ("zero_answer", "overt_answer", "zero_nli", "overt_nli")


@dataclass(frozen=True)
class Evaluated:
    """A run of lm_eval: the folder of the releases, its results by task, and the folder of its samples."""

    releases: Path
    results: dict[str, dict[str, Any]]
    samples: Path

    def rows(self, task: str) -> list[dict[str, Any]]:
        (log,) = self.samples.glob(f"**/samples_{task}_2*.jsonl")
        return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]

    def requests(self, task: str) -> list[tuple[str, str]]:
        rows = (row["arguments"].values() for row in self.rows(task))
        return [(request["arg_0"], request["arg_1"]) for requests in rows for request in requests]


def english(version: str) -> list[Any]:
    table = pronoun_table("en")
    templates = read_templates(ROOT / "raw" / "en" / "templates.yaml", table)[:2]
    return instances(templates, table, version, lang="en", source=Path("templates.yaml"))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two small releases, in a folder that nobody has planned for."""
    folder = tmp_path_factory.mktemp("moved") / "Ø 数据"
    made = variants(ZH, FormOptions())
    forms = {f"data/{name}.jsonl": json_lines(made[name].rows) for name in ("scoring", "nli")}
    data = {"data/t.jsonl": json_lines(list(map(to_zero, ZH))), **forms}
    write(folder / "t", {"README.md": b"# winoforge t\n", **data, **files_of_collection("t", "zh")})
    sentences = {version: english(version) for version in ("double", "single")}
    rows = {f"data/{name}.jsonl": json_lines(list(map(instance_to_json, group))) for name, group in sentences.items()}
    write(folder / "en", rows | files_of_templates("en", [entry.item for entry in sentences["double"]], "canary"))
    return folder


@pytest.fixture(scope="module")
def evaluated(releases: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evaluated]:
    """Return a run of all tasks with a real model, which must reach no network."""
    model, out = smollm(), tmp_path_factory.mktemp("lm_eval")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setattr(socket.socket, "connect", lambda *_: pytest.fail("lm_eval opens a connection"))
        patch.chdir(out)
        read_gguf_once(patch)

        import torch
        from lm_eval import simple_evaluate
        from lm_eval.loggers import EvaluationTracker
        from lm_eval.tasks import TaskManager

        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        run = simple_evaluate(
            model="hf",
            model_args=f"pretrained={model.parent},gguf_file={model.name},dtype=float32",
            tasks=["winoforge_t", "winoforge_en_double", "winoforge_en_partial"],
            task_manager=TaskManager(include_path=str(releases), include_defaults=False),
            samples=FEW,
            batch_size=8,
            device="cpu",
            bootstrap_iters=0,
        )
        torch.set_num_threads(threads)
        assert run is not None
        tracker = EvaluationTracker(output_path=str(out))
        samples = run.pop("samples")
        tracker.save_results_aggregated(results=run, samples=samples)
        for task, rows in samples.items():
            tracker.save_results_samples(task, rows)
        yield Evaluated(releases, run["results"], out)


def disambiguated_texts(items: list[Item]) -> list[str]:
    return [row["text"] for row in disambiguated(items).rows]


def test_the_requests_are_the_texts_and_no_blank_is_put_in(evaluated: Evaluated) -> None:
    texts = disambiguated_texts(ZH)
    assert texts[0] == "老汤给小柳送伞，因为老汤怕淋雨。"
    partial = evaluated.requests("winoforge_t_partial")
    assert partial[0] == ("老汤给小柳送伞，因为老汤", "怕淋雨。")
    assert [context + continuation for context, continuation in partial] == texts[:4]
    assert evaluated.requests("winoforge_t_full") == [("", text) for text in texts]
    # In English the blank is that of the text.
    context, continuation = evaluated.requests("winoforge_en_partial")[0]
    assert (context[-16:], continuation[:5]) == ("e the technician", " had ")
    assert context + continuation in disambiguated_texts([entry.item for entry in english("double")])


def test_the_task_of_lm_eval_itself_puts_a_blank_in() -> None:
    """If this fails, xwinograd_zh was mended: mend docs/evaluation_harness.md."""
    import lm_eval
    from datasets import Dataset
    from lm_eval.api.task import ConfigurableTask
    from lm_eval.tasks._yaml_loader import load_yaml

    row = {"sentence": "老汤给小柳送伞，因为_怕淋雨。", "option1": "老汤", "option2": "小柳", "answer": "2"}
    config = load_yaml(Path(lm_eval.__path__[0]) / "tasks" / "xwinograd" / "xwinograd_zh.yaml")
    task = ConfigurableTask(config=config | {"custom_dataset": lambda **_: {"test": Dataset.from_list([row])}})
    contexts = task.fewshot_context(row, 0)
    requests = [request.args for request in task.construct_requests(row, contexts)]
    assert requests == [("老汤给小柳送伞，因为老汤", " 怕淋雨。"), ("老汤给小柳送伞，因为小柳", " 怕淋雨。")]


def test_a_choice_has_a_letter_for_each_of_many_candidates(tmp_path: Path) -> None:
    from lm_eval.api.task import ConfigurableTask
    from lm_eval.tasks._yaml_loader import load_yaml

    people = (*PEOPLE, "老马", "小何")
    items = [marked("老汤、小柳、老马和小何走了，【他】怕雨。", "t-1-a", answer=3, candidates=people), ZH[0]]
    rows = [to_object(item) | {"text_zero": ""} for item in items]
    write(tmp_path, {"data/t.jsonl": json_lines(rows), **files_of_collection("t", "zh", 4)})
    task = ConfigurableTask(config=load_yaml(tmp_path / "lm_eval" / "overt_swapped.yaml"))
    four, two = ((task.doc_to_text(doc), task.doc_to_choice(doc), task.doc_to_target(doc)) for doc in task.test_docs())
    assert four[0].endswith("？\nA. 小何\nB. 老马\nC. 小柳\nD. 老汤\n答案：") and four[1:] == (["A", "B", "C", "D"], 0)
    assert two[0].endswith("？\nA. 小柳\nB. 老汤\n答案：") and two[1:] == (["A", "B"], 0)


def test_a_choice_is_between_letters(evaluated: Evaluated) -> None:
    umbrella = "阅读句子，回答问题。句中的Ø是省略的成分。\n句子：老汤给小柳送伞，因为Ø怕淋雨。\n问题：谁怕淋雨？\n"
    first = f"{umbrella}A. 老汤\nB. 小柳\n答案："
    assert evaluated.requests("winoforge_t_zero")[:2] == [(first, "A"), (first, "B")]
    swapped = f"{umbrella}A. 小柳\nB. 老汤\n答案："
    assert evaluated.requests("winoforge_t_zero_swapped")[:2] == [(swapped, "A"), (swapped, "B")]
    # An item without a question is asked about its anaphor.
    scolded = "阅读句子，回答问题。\n句子：老汤骂了小柳，大家都怪他。\n问题：“他”指的是谁或什么？\n"
    assert evaluated.requests("winoforge_t_overt")[0] == (f"{scolded}A. 老汤\nB. 小柳\n答案：", "A")
    assert "问题：“Ø”指的是谁或什么？" in evaluated.requests("winoforge_t_zero")[4][0]
    context, continuation = evaluated.requests("winoforge_en_double")[0]
    assert context.endswith('\nQuestion: Who or what does "he" refer to?\nA. technician\nB. customer\nAnswer:')
    assert continuation == " A"


def test_the_same_options_are_scored_after_the_zero_and_after_the_pronoun(evaluated: Evaluated) -> None:
    overt, zero = "老汤给小柳送伞，因为他怕淋雨。", "老汤给小柳送伞，因为Ø怕淋雨。"
    assert evaluated.requests("winoforge_t_overt_answer")[:2] == [(f"{overt}谁怕淋雨？", name) for name in PEOPLE]
    assert evaluated.requests("winoforge_t_zero_answer")[:2] == [(f"{zero}谁怕淋雨？", name) for name in PEOPLE]
    hypotheses = [f"{name}怕淋雨。" for name in PEOPLE]
    assert evaluated.requests("winoforge_t_overt_nli")[:2] == [(overt, hypothesis) for hypothesis in hypotheses]
    assert evaluated.requests("winoforge_t_zero_nli")[:2] == [(zero, hypothesis) for hypothesis in hypotheses]
    # The items without a question have no answer and no hypothesis.
    assert [row["doc"]["id"] for row in evaluated.rows("winoforge_t_zero_answer")] == ["t-1-a", "t-1-b"]


def test_what_was_never_overt_is_in_no_task_of_the_pair(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Else the accuracy with the pronoun would be that of zeros too."""
    zero = marked("老汤给小柳送伞，因为【】怕淋雨。", "t-1-a", answer=1, candidates=PEOPLE, question="谁怕淋雨？")
    items = [zero, ZH[1]]
    file, scored = tmp_path / "t.jsonl", tmp_path / "scoring.jsonl"
    file.write_bytes(json_lines(list(map(to_zero, items))))
    scored.write_bytes(json_lines(variants(items, FormOptions())["scoring"].rows))
    shown_as = {"form": "overt", "order": "as written", "mode": "multiple-choice"}
    assert [doc["id"] for doc in helper.multiple_choice(str(file), field="text", **shown_as)["test"]] == ["t-1-b"]
    fields = {"overt": "context_overt", "option": "candidate", "mode": "answer-score"}
    for form in ("overt", "zero"):
        docs = helper.paired(str(scored), field=f"context_{form}", form=form, **fields)["test"]
        assert [doc["id"] for doc in docs] == ["t-1-b"]
    assert caplog.messages == ["1 of 2 items were never overt and are left out: t-1-a"] * 3
    assert len(helper.multiple_choice(str(file), field="text_zero", **shown_as | {"form": "zero"})["test"]) == 2


def test_nothing_to_score_is_refused_by_name_and_scored_as_a_whole(
    evaluated: Evaluated, caplog: pytest.LogCaptureFixture
) -> None:
    assert unscored(scoring(ZH).rows) == ["t-2-a", "t-2-b"]
    assert [row["doc"]["id"] for row in evaluated.rows("winoforge_t_partial")] == ["t-1-a", "t-1-b"]
    assert len(evaluated.rows("winoforge_t_full")) == 4
    file = str(evaluated.releases / "t" / "data" / "scoring.jsonl")
    helper.scoring(file, whole=False, mode="partial-score")
    (line,) = caplog.messages
    assert line == "2 of 4 items have nothing to score after the candidate and are left out: t-2-a, t-2-b"


def test_each_english_text_is_scored_once(releases: Path) -> None:
    rows = (releases / "en" / "lm_eval" / "scoring.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [(row["context"], row["continuation"]) for row in map(json.loads, rows)]
    # Two templates of a pair are two sentences, with two candidates each, whatever the pronoun.
    assert len(texts) == len(set(texts)) == 4
    assert all(json.loads(row)["canary"] == "canary" for row in rows)
    items = {tuple(row["items"]) for row in map(json.loads, rows)}
    assert sorted(name for names in items for name in names) == sorted(entry.item.id for entry in english("double"))


def test_lm_eval_leaves_no_file_in_a_release(evaluated: Evaluated) -> None:
    names = {path.name for path in (evaluated.releases / "t" / "lm_eval").iterdir()}
    assert names == {Path(name).name for name in file_names("collection")}


@pytest.mark.parametrize(
    ("scores", "right"), [((-1.0, -2.0), True), ((-2.0, -1.0), False), ((-1.0, -1.0), False), ((0.0, 0.0), False)]
)
def test_a_tie_is_wrong_as_in_the_report(scores: tuple[float, float], right: bool) -> None:
    results = [(score, False) for score in scores]
    assert helper.score({"answer": 0, "schema": "t-1"}, results) == {"acc": float(right), "pair_acc": ("t-1", right)}


def test_pairs_by_hand() -> None:
    # t-1 is right in both items, t-2 in one of two, and of t-3 only one item was run: 1 of 2.
    marks = [("t-1", True), ("t-2", False), ("t-1", True), ("t-3", True), ("t-2", True)]
    assert helper.pair_accuracy(marks) == 0.5
    assert helper.pair_accuracy(marks[:1]) != helper.pair_accuracy(marks[:1])  # not a number


def test_the_figures_of_lm_eval_are_ours(evaluated: Evaluated, tmp_path: Path) -> None:
    tasks = ("zero", "zero_swapped", "overt", "overt_swapped", *PAIRED, "partial", "full")
    predictions = []
    for task in tasks:
        (log,) = evaluated.samples.glob(f"**/samples_winoforge_t_{task}_2*.jsonl")
        predictions.append(tmp_path / f"{task}.jsonl")
        arguments = ["import", str(log), "--format", "lm-eval", "--model", "SmolLM2", "--out", str(predictions[-1])]
        result = CliRunner().invoke(app, ["evaluate", *arguments], catch_exceptions=False)
        assert result.exit_code == 0, result.output
    files = [argument for path in predictions for argument in ("--predictions", str(path))]
    folder = str(evaluated.releases / "t")
    arguments = ["report", folder, *files, "--out", str(tmp_path / "out"), "--permutations", "9"]
    result = CliRunner().invoke(app, ["evaluate", *arguments], catch_exceptions=False)
    assert result.exit_code == 1
    assert "SmolLM2, partial-score, overt, as written: 2 items not answered; found 2, expected 4" in result.output
    figures = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    ours = {
        (run["mode"], run["form"], run["order"]): (run["accuracy"]["value"], run["pairs"]["value"])
        for run in figures["runs"]
    }
    names = {
        "zero": ("multiple-choice", "zero", "written"),
        "zero_swapped": ("multiple-choice", "zero", "swapped"),
        "overt": ("multiple-choice", "overt", "written"),
        "overt_swapped": ("multiple-choice", "overt", "swapped"),
        **{task: (f"{task.partition('_')[2]}-score", task.partition("_")[0], "written") for task in PAIRED},
        "partial": ("partial-score", "overt", "written"),
        "full": ("full-score", "overt", "written"),
    }
    results = {task: evaluated.results[f"winoforge_t_{task}"] for task in tasks}
    theirs = {names[task]: (result["acc,none"], _number(result["pair_acc,none"])) for task, result in results.items()}
    assert ours == theirs
    assert len(set(theirs.values())) > 1  # else any figure would do


def test_the_score_of_an_english_text_is_that_of_all_its_pronouns(evaluated: Evaluated, tmp_path: Path) -> None:
    """Two texts are scored, and no sentence of the release is missing in the report."""
    (log,) = evaluated.samples.glob("**/samples_winoforge_en_partial_2*.jsonl")
    out = tmp_path / "partial.jsonl"
    run = winoforge("evaluate", "import", log, "--format", "lm-eval", "--model", "SmolLM2", "--out", out)
    sentences = english("double")
    assert f"2 samples in, {len(sentences)} predictions out; 0 without" in run.stdout
    report = winoforge(
        "evaluate", "report", evaluated.releases / "en", "--predictions", out, "--out", tmp_path, "--permutations", 9
    )
    assert (report.returncode, report.stderr) == (0, "")
    (figures,) = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["runs"]
    result = evaluated.results["winoforge_en_partial"]
    assert figures["accuracy"]["n"] == len(sentences) > 2
    assert (figures["accuracy"]["value"], figures["pairs"]["value"]) == (result["acc,none"], result["pair_acc,none"])


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
