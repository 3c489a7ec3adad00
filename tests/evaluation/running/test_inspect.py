"""A task of a release in Inspect, asked of a real small model: its log gives our figures, and holds no key."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.evaluation.gguf import served
from pipeline.evaluation.questions import item_questions
from tests.evaluation.running.test_run import entries_of
from tests.support.commands import winoforge
from tests.support.models import smollm

KEY = "sk-not-a-real-key-0123456789"


def test_a_real_log_becomes_predictions_with_the_same_figures(release: Path, tmp_path: Path) -> None:
    """A pair in both orders; Inspect's accuracy, pairs, unparsed answers and consistency are counted again from the predictions."""
    from pipeline.evaluation.predictions import read_predictions

    task = ["-T", f"release={release}", "-T", "mode=zero-shot", "-T", "order=both", "-T", "items=2"]
    limits = ["--max-connections", "1", "--max-tokens", "12", "--display", "none", "--log-dir", str(tmp_path / "logs")]
    with served(smollm()) as address:
        own = {
            "LOCAL_API_KEY": KEY,
            "LOCAL_BASE_URL": address,
            "INSPECT_LOG_FORMAT": "json",
            "XDG_DATA_HOME": str(tmp_path),
        }
        program = Path(sys.executable).with_name("inspect")
        model = ["--model", "openai-api/local/small"]
        command = [program, "eval", "winoforge/wsc_za", *model, *task, *limits]
        subprocess.run(command, env=os.environ | own, check=True, capture_output=True)
        # The same questions by our own command, at the same server.
        arguments = ["--mode", "zero-shot", "--order", "both", "--items", 2, "--max-tokens", 12]
        ours = winoforge(
            "evaluate", "run", release, *model, "--base-url", address, *arguments, "--out", tmp_path / "run"
        )
        assert ours.returncode == 0, ours.stderr
    (log,) = (tmp_path / "logs").glob("*.json")
    text = log.read_text(encoding="utf-8")
    assert KEY not in text
    converted = winoforge("evaluate", "import", log, "--format", "inspect", "--out", tmp_path / "p.jsonl")
    assert "4 samples in, 4 predictions out" in converted.stdout
    entries = entries_of(release)
    runs = read_predictions([tmp_path / "p.jsonl"], entries)
    assert [(run.mode, run.form, run.order) for run in runs] == [
        ("zero-shot", "zero", "written"),
        ("zero-shot", "zero", "swapped"),
    ]
    answers = [answer for run in runs.values() for answer in run.values()]
    whole = [all(given.right for given in run.values()) for run in runs.values()]
    first, second = ([given.parsed.choice for given in run.values()] for run in runs.values())
    (scores,) = json.loads(text)["results"]["scores"]
    assert {name: round(metric["value"], 6) for name, metric in scores["metrics"].items()} == {
        "accuracy": round(sum(given.right for given in answers) / 4, 6),
        "pair_accuracy": sum(whole) / 2,
        "unparsed": sum(given.parsed.choice is None for given in answers) / 4,
        "order_consistency": sum(a == b is not None for a, b in zip(first, second, strict=True)) / 2,
    }
    again = read_predictions([tmp_path / "run" / "responses.jsonl"], entries)
    assert {
        str(run): {name: given.answer for name, given in run_answers.items()} for run, run_answers in again.items()
    } == {str(run): {name: given.answer for name, given in run_answers.items()} for run, run_answers in runs.items()}


def test_a_task_asks_about_items_that_have_the_form(release: Path) -> None:
    from pipeline.evaluation.inspect_registry import wsc_za

    assert len(wsc_za(str(release), form="overt", order="both", items=6).dataset) == 12


def test_a_cue_begins_the_answer_of_a_model_that_goes_on_with_texts(release: Path) -> None:
    from pipeline.evaluation.inspect_registry import wsc_za

    entries = entries_of(release)
    (asked, *_) = item_questions(entries, entries, ["zero-shot"], ["zero"], ["written"], cue=True)
    assert wsc_za(str(release), cue=True).dataset[0].input == asked.prompt
    assert wsc_za(str(release)).dataset[0].input != asked.prompt


@pytest.mark.parametrize(
    ("argument", "value", "message"),
    [
        ("release", "/nowhere", "/nowhere: [release] not a folder; expected build/release/NAME"),
        ("release", "", "[release] found '', expected a folder such as build/release/zh"),
        ("form", "zeros", "[form] found 'zeros', expected one of 'zero', 'overt'"),
        ("order", [], "[order] found [], expected one of 'written', 'swapped', 'as written', 'both'"),
        ("mode", 5, "[mode] unknown mode; found 5, expected one of zero-shot, "),
        ("items", "many", "[items] found 'many', expected a whole number from 0"),
        ("seed", True, "[seed] found true, expected a whole number from 0"),
        ("items", 1, "[items] no item to ask about; found 40 items in this form, expected whole pairs"),
    ],
)
def test_a_mistake_in_an_argument_is_one_line_of_inspect(
    argument: str, value: object, message: str, release: Path
) -> None:
    from click import ClickException

    from pipeline.evaluation.inspect_registry import wsc_za

    with pytest.raises(ClickException) as raised:
        wsc_za(**{"release": str(release), argument: value})
    assert message in raised.value.format_message()
