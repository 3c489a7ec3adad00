"""WinoPron's tables: by hand, and for simulated models whose errors are known."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.tables import tsv_text
from pipeline.winopron import tables as figures
from pipeline.winopron.instances import Instance
from pipeline.winopron.measures import Choice, Entity, Response, disambiguation_consistency, pronoun_consistency
from pipeline.winopron.predictions import read_predictions
from pipeline.winopron.prompting import COLUMNS, ModelAnswer, Prompt, answer_rows, draw, prompt_table, prompts_of
from pipeline.winopron.tables import option_order, printed_values, weighted_f1
from tests.support.commands import Run, winoforge
from tests.support.winopron import TABLE, answers
from tests.winopron.test_prompting import DOUBLE, SINGLE

Model = Callable[[Instance, Prompt], str]
SAMPLE = draw(DOUBLE, 6, 1)
CASES = {"nominative": {"WS": 89.0}, "accusative": {"WS": 4.0}, "possessive": {"WS": 27.0}}


def response(antecedent: Entity, choice: Choice, prompt: str, first: Entity | None, name: str = "he") -> Response:
    return Response("baker", "guest", "nominative", name, antecedent, choice, prompt, first)


# --- by hand ----------------------------------------------------------------------------------------------------------


def test_f1_by_the_cases_of_winogender_by_hand() -> None:
    right = answers("baker", "occupation", "participant", "occupation", "participant")
    wrong = answers("baker", "participant", "occupation", "participant", "occupation", case="accusative")
    half = answers("baker", "occupation", "neither", "neither", "participant", case="possessive")
    # recall 1, 0, 0.5 and attempted 1, 1, 0.5: 2 (89 + 27 / 2) / (89 * 2 + 4 * 2 + 27 * 1.5) = 205 / 226.5
    assert weighted_f1([*right, *wrong, *half], CASES) == pytest.approx(205 / 226.5)
    assert weighted_f1([*right, *wrong], CASES) is None
    silent = [answers("baker", *["neither"] * 4, case=case) for case in CASES]  # type: ignore[arg-type]
    assert weighted_f1([row for rows in silent for row in rows], CASES) is None


def test_the_order_of_options_by_hand() -> None:
    rows = [
        response("occupation", "occupation", "0 0", "occupation"),  # first
        response("occupation", "participant", "0 1", "participant"),  # first again: another answer in the other order
        response("occupation", "participant", "1 0", "occupation"),  # second
        response("occupation", "participant", "1 1", "participant"),  # first: the same answer in both orders
        response("occupation", "neither", "2 0", "occupation"),  # no attempt
        response("occupation", "participant", "2 1", "participant"),  # first, without an answer in the other order
        response("occupation", "participant", "0 2", None),  # no options
    ]
    order = option_order(rows)
    assert order is not None
    assert (order.attempted, order.first, order.both_orders, order.same) == (5, 4, 2, 1)
    assert (order.first_share, order.same_share) == (0.8, 0.5)
    assert order.interval is None, "one pair of templates says nothing of others"
    assert option_order([]) is None


def test_consistency_within_a_prompt_by_hand() -> None:
    rows = [
        response("occupation", "occupation", "0", None, "he"),  # the first prompt is right with both
        response("occupation", "occupation", "0", None, "she"),
        response("occupation", "occupation", "1", None, "he"),  # the second with one
        response("occupation", "both", "1", None, "she"),
    ]
    whole, parts = pronoun_consistency(rows), pronoun_consistency(rows, by_prompt=True)
    assert (whole.groups, whole.consistent, whole.chance) == (1, 0, 0.5**4)
    assert (parts.groups, parts.consistent, parts.chance) == (2, 1, 0.5**2)
    assert [disambiguation_consistency(rows, by_prompt=value).groups for value in (False, True)] == [2, 4]


def test_printed_values_are_those_of_the_paper() -> None:
    printed = printed_values()
    # the text of section 4.2 says that F1 falls by 10 points on average
    assert round(sum(row["WS"] - row["WP"] for row in printed["2"].values()) / 9) == 10
    assert len(printed["2"]) == len(printed["3"]) == 9
    assert [sum(row[column] for row in printed["1"].values()) for column in ("WS", "WP")] == [120, 360]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("\t85.5", "\tmuch", "[value] not a number; found 'much'"),
        ("\t85.5", "\t-1", "[value] not a number"),
        ("2\tLingMess\tWS\t85.5\n", "", "[table] incomplete table 2; expected WS, WP"),
        ("CAW-coref\tWS", "LingMess\tWS", "[value] "),
        ("1\tnominative\tWS\t89\n", "", "[table] incomplete table 1"),
    ],
)
def test_a_broken_table_of_printed_values_is_refused(
    old: str, new: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (figures.RULES / "evaluation" / "winopron.tsv").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "evaluation").mkdir()
    (tmp_path / "evaluation" / "winopron.tsv").write_text(text.replace(old, new, 1), encoding="utf-8")
    monkeypatch.setattr(figures, "RULES", tmp_path)
    with pytest.raises(PipelineError) as caught:
        printed_values.__wrapped__()
    assert reason in str(caught.value)


# --- simulated models -------------------------------------------------------------------------------------------------


def answered(path: Path, model: Model, sentences: list[Instance] | None = None) -> Path:
    table = [
        ModelAnswer(sentence, prompt, model(sentence, prompt), None, None)
        for sentence in sentences or SAMPLE
        for prompt in prompts_of(sentence, prompt_table(), TABLE)
    ]
    path.parent.mkdir(exist_ok=True)
    path.write_text(tsv_text(COLUMNS, answer_rows(table, TABLE, model="m", settings="s")), encoding="utf-8")
    return path


def first_option(sentence: Instance, prompt: Prompt) -> str:
    """Name the first option, and the occupation without options."""
    return sentence.participant if prompt.variant == 1 else sentence.occupation


def right(sentence: Instance, _: Prompt) -> str:
    return f"- {sentence.antecedent}\nThe"


def first_mention(sentence: Instance, _: Prompt) -> str:
    return min(sentence.item.candidates, key=sentence.item.text.lower().index)


def repeated_options(sentence: Instance, prompt: Prompt) -> str:
    return "\n".join(f"- {name}" for name in sentence.item.candidates[:: -1 if prompt.variant == 1 else 1])


def with_commas(sentence: Instance, prompt: Prompt) -> str:
    """Name the right person, before a comma in one of ten templates."""
    return f"The {sentence.antecedent}" + "," * (prompt.template == 0)


def mixed() -> Model:
    """Name with probability 0.8 the first option, without options the occupation, and else the right person."""
    random = Random(5)
    return lambda sentence, prompt: (first_option if random.random() < 0.8 else right)(sentence, prompt)


def tables(out: Path, *arguments: object) -> Run:
    return winoforge("winopron", "tables", *arguments, "--out", out)


def figures_of(out: Path) -> dict[str, Any]:
    return dict(json.loads((out / "figures.json").read_text(encoding="utf-8"))["systems"])


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of simulated models, with sentences of one person for the one that is right."""
    folder = tmp_path_factory.mktemp("models")
    models = {
        "first": first_option, "right": right, "place": first_mention, "list": repeated_options, "commas": with_commas, "mixed": mixed(),
    }  # fmt: skip
    paths = [answered(folder / f"{name}.tsv", model) for name, model in models.items()]
    single = answered(folder / "single" / "right.tsv", right, draw(SINGLE, 6, 1))
    assert {row.first_mention for row in read_predictions(single, TABLE).responses} == {None}
    run = tables(folder / "out", *paths, "--single", single)
    assert run.returncode == 0, run.stderr
    page = (folder / "out" / "tables.md").read_text(encoding="utf-8")
    assert run.stdout.startswith(page.partition("## Table 8")[0].rstrip("\n"))
    return folder / "out"


@pytest.fixture(scope="module")
def systems(out: Path) -> dict[str, Any]:
    return figures_of(out)


def test_models_by_place_and_by_sense(out: Path, systems: dict[str, Any]) -> None:
    first, sense = systems["first"], systems["right"]
    assert first["sample"] == {"pairs": 6, "occupations": 6, "sentences": 48, "prompts": 30, "answers": 1440}
    # the first option is the right one in half of the sentences, and so is the occupation
    assert [first["sets"]["double"][name]["f1"] for name in ("all", "nominative", "xe")] == [0.5] * 3
    assert first["winogender_cases"] == 0.5
    assert (first["options"]["first_share"], first["options"]["same_share"]) == (1, 0)
    # within a prompt it names the same person for all pronouns and for both templates
    consistency = {name: score["share"] for name, score in first["consistency"].items()}
    assert consistency == {
        "pronoun": 0, "disambiguation": 0, "pronoun within a prompt": 0.5, "disambiguation within a prompt": 0,
    }  # fmt: skip
    assert {score["share"] for score in sense["consistency"].values()} == {1}
    assert (sense["options"]["first_share"], sense["options"]["same_share"]) == (0.5, 1)
    assert sense["sets"]["single"]["all"]["f1"] == 1
    page = (out / "tables.md").read_text(encoding="utf-8")
    assert "| first | n/a | 50.0 | 50.0 | n/a | 50.0 | 50.0 (" in page
    assert "| FLAN-T5-xl (printed, other sentences) | 97.4 |  | 89.0 | -8.4 |" in page


def test_a_known_error_model_is_recovered(systems: dict[str, Any]) -> None:
    # the first option in 0.8 + 0.2 / 2 of the answers, right in 0.8 / 2 + 0.2
    low, high = systems["mixed"]["options"]["interval"]
    assert low < 0.9 < high < 0.95
    low, high = systems["mixed"]["sets"]["double"]["all"]["accuracy_interval"]
    assert low < 0.6 < high < 0.75


def test_both_readings_are_counted(systems: dict[str, Any]) -> None:
    readings = systems["commas"]["readings"]
    # the authors' program misses a name before a comma: one of ten templates; F1 = 2 * 0.9 / 1.9
    assert (readings["words"]["f1"], readings["published"]["f1"]) == (1, pytest.approx(1.8 / 1.9))


def test_a_model_that_repeats_the_options_is_seen_by_its_first_name(systems: dict[str, Any]) -> None:
    system = systems["list"]
    assert (system["options"]["attempted"], system["options"]["first_share"]) == (0, None)
    by_name = system["options_by_first_name"]
    assert (by_name["attempted"], by_name["first_share"], by_name["same_share"]) == (48 * 20, 1, 0)
    assert system["sets"]["double"]["all"]["f1"] is None


def test_a_model_that_names_the_first_mention_is_seen(systems: dict[str, Any]) -> None:
    # 6 pairs, 4 pronoun sets and 30 prompts make 720 pairs of answers; the right person is mentioned first in half of the sentences
    counts = {"attempted": 1440, "pairs": 720}
    same = {"first": 1440, "same": 720, "first_share": 1, "same_share": 1}
    half = {"first": 720, "same": 0, "first_share": 0.5, "same_share": 0}
    assert (systems["place"]["mentions"], systems["right"]["mentions"]) == (counts | same, counts | half)
    assert systems["place"]["attempts"]["precision"] == 0.5


def test_winogender_stands_beside_winopron(tmp_path: Path) -> None:
    path = answered(tmp_path / "m.tsv", right)
    other = answered(tmp_path / "winogender" / "m.tsv", first_option)
    assert tables(tmp_path / "out", path, "--winogender", other).returncode == 0
    assert figures_of(tmp_path / "out")["m"]["difference"] == 0.5
    assert "| m | 50.0 | 100.0 | 100.0 | +50.0 |" in (tmp_path / "out" / "tables.md").read_text(encoding="utf-8")


def test_answers_of_an_unknown_system_are_refused(tmp_path: Path) -> None:
    path, other = (answered(tmp_path / f"{name}.tsv", right, SAMPLE[:8]) for name in "ab")
    run = tables(tmp_path / "out", path, "--single", other)
    assert (run.returncode, run.stderr) == (2, "[single] no such system; found b, expected one of a\n")
    assert not (tmp_path / "out").exists()


def test_a_name_cannot_break_the_table(tmp_path: Path) -> None:
    path = answered(tmp_path / "a|b.tsv", right, SAMPLE[:8])
    assert tables(tmp_path / "out", path).returncode == 0
    rows = [
        line for line in (tmp_path / "out" / "tables.md").read_text(encoding="utf-8").splitlines() if "a\\|b" in line
    ]
    assert len(rows) > 5
