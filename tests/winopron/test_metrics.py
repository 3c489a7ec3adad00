"""WinoPron's measures: by hand, over all answer patterns, and against a second implementation that is naive on purpose."""

import dataclasses
import itertools
import json
import random
from pathlib import Path

import pandas as pd
import pytest

from pipeline.core.convert import to_object
from pipeline.core.errors import PipelineError
from pipeline.winopron.measures import (
    Bias,
    Consistency,
    Response,
    bias_by_form,
    comparison_report,
    disambiguation_consistency,
    jaccard,
    performance,
    pronoun_consistency,
    score_report,
)
from pipeline.winopron.predictions import table_responses
from tests.support.commands import winoforge
from tests.support.winopron import CHOICES, SETS, TABLE, answers, table_of


def counts(consistency: Consistency) -> tuple[int, int, float | None]:
    return consistency.groups, consistency.consistent, consistency.chance


# --- by hand ----------------------------------------------------------------------------------------------------------


def test_a_pair_of_templates_by_hand() -> None:
    # he: occupation, occupation - the second is wrong; she: both right
    rows = answers("baker", "occupation", "occupation", "occupation", "participant")
    score = performance(rows)
    assert (score.sentences, score.attempted, score.correct) == (4, 4, 3)
    assert score.recall == score.precision == score.accuracy == score.f1 == 0.75
    # the occupation's template is right with he and she, the participant's only with she
    assert counts(pronoun_consistency(rows)) == (2, 1, 0.25)
    # she tells the two templates apart, he does not
    assert counts(disambiguation_consistency(rows)) == (2, 1, 0.25)
    # she shows that the pair can be told apart; he goes to the baker both times
    assert bias_by_form(rows) == {
        ("nominative", "he"): Bias.of(1, 1, ("baker",), ()),
        ("nominative", "she"): Bias.of(1, 1, (), ()),
    }


def test_precision_leaves_out_what_names_no_one_entity() -> None:
    rows = answers("baker", "occupation", "neither", "both", "occupation")
    score = performance(rows)
    # attempted: the first and the last; right: the first. P = 1/2, R = 1/4, F1 = 2 * 1 / (2 + 4) = 1/3
    assert (score.precision, score.recall, score.f1) == (0.5, 0.25, pytest.approx(1 / 3))


def test_what_is_undefined_is_none() -> None:
    nothing = performance([])
    assert (nothing.recall, nothing.precision, nothing.f1, nothing.accuracy) == (None, None, None, None)
    silent = performance(answers("baker", *["neither"] * 4))  # type: ignore[arg-type]
    assert (silent.recall, silent.precision, silent.f1) == (0.0, None, None)
    wrong = performance(answers("baker", "participant", "occupation", "participant", "occupation"))
    assert (wrong.recall, wrong.precision, wrong.f1) == (0.0, 0.0, 0.0)
    assert counts(pronoun_consistency([])) == (0, 0, None)
    assert pronoun_consistency([]).share is None
    assert Bias.of(0, 0, (), ()).share is None
    assert jaccard([], []) is None


def test_bias_needs_an_attempt_and_one_form_that_works() -> None:
    unsolved = answers("baker", "occupation", "occupation", "participant", "participant")  # nobody tells the pair apart
    silent = answers("chef", "neither", "participant", "occupation", "participant")  # he is not attempted
    crossed = answers(
        "cook", "participant", "occupation", "occupation", "participant"
    )  # he is wrong both ways: no bias
    against = answers("host", "participant", "participant", "occupation", "participant")
    biases = bias_by_form([*unsolved, *silent, *crossed, *against])
    # he: baker, cook and host are attempted, cook and host can be told apart by she; host goes to the participant
    assert biases["nominative", "he"] == Bias.of(3, 2, (), ("host",))
    assert biases["nominative", "he"].negative_share == biases["nominative", "he"].share == 0.5
    assert biases["nominative", "she"] == Bias.of(4, 3, (), ())
    assert jaccard(biases["nominative", "he"].biased, [("host", "-"), ("chef", "+")]) == 0.5


def test_overlaps_by_hand() -> None:
    rows = [
        # he goes to the baker and to the host's guest, she is right both times; him goes to the baker only
        *answers("baker", "occupation", "occupation", "occupation", "participant"),
        *answers("host", "participant", "participant", "occupation", "participant"),
        *answers("baker", "occupation", "occupation", "occupation", "participant", case="accusative"),
        *answers("host", "occupation", "participant", "occupation", "participant", case="accusative"),
    ]
    biases = bias_by_form(rows)
    # he {baker+, host-}, him {baker+}: 1 of 2; she and her have none, which leaves the index undefined
    overlaps = score_report(rows).jaccard
    assert overlaps.between_cases == {"nominative-accusative": {"he": 0.5, "she": None}}
    # he and she: none of 2 in common, none of 1 in the accusative
    assert overlaps.between_sets == {"he-she": {"nominative": 0.0, "accusative": 0.0}}
    other = bias_by_form(answers("baker", "participant", "participant", "occupation", "participant"))
    # the other system takes the baker's guest for he: the same occupation, the other direction
    compared = comparison_report({"first": biases, "other": other, "same": biases})
    assert compared["first/other"] == {"nominative": {"he": 0.0, "she": None}}
    assert compared["first/same"]["nominative"]["he"] == 1.0


def test_chance_is_the_mean_over_all_ways_to_answer() -> None:
    """A random system's consistency: of the 2^8 ways to answer one pair with four sets."""
    ways = [answers("baker", *way, sets=tuple(SETS)) for way in itertools.product(CHOICES[:2], repeat=8)]
    for measure, chance in ((pronoun_consistency, 0.0625), (disambiguation_consistency, 0.25)):
        scores = [measure(rows) for rows in ways]
        assert sum(score.consistent for score in scores) / sum(score.groups for score in scores) == chance
        assert {score.chance for score in scores} == {chance}


def by_pandas(rows: list[Response]) -> dict[str, object]:
    """The same measures from one table of all responses."""
    table = pd.DataFrame(map(dataclasses.asdict, rows))
    table["right"] = table["choice"] == table["antecedent"]
    pair = ["occupation", "participant", "case"]
    robust, apart = (table.groupby([*pair, key])["right"].all() for key in ("antecedent", "pronouns"))
    named = table[table["choice"].isin(CHOICES[:2])]
    both = named.pivot(index=[*pair, "pronouns"], columns="antecedent", values="choice").reindex(columns=CHOICES[:2])
    both = both.dropna().reset_index(names=["baker", "guest", "case", "pronouns"])
    able = both[(both["occupation"] == "occupation") & (both["participant"] == "participant")]
    both["able"] = [
        any((able[["baker", "guest", "case"]] == row).all(axis=1)) for row in both[["baker", "guest", "case"]].values
    ]
    biased = {}
    for case, name in table[["case", "pronouns"]].drop_duplicates().itertuples(index=False):
        form = both[(both["case"] == case) & (both["pronouns"] == name)]
        same = {
            choice: form[form["able"] & (form[list(CHOICES[:2])] == choice).all(axis=1)]["baker"]
            for choice in CHOICES[:2]
        }
        biased[case, name] = (len(form), form["able"].sum(), *(tuple(sorted(names)) for names in same.values()))
    return {
        "counts": (len(named), table["right"].sum()),
        "robust": (len(robust), robust.sum()),
        "apart": (len(apart), apart.sum()),
        "bias": biased,
    }


def test_random_systems_score_as_by_pandas() -> None:
    chance = random.Random(20261121)
    for _ in range(30):
        rows = [
            row
            for name in chance.sample(["baker", "chef", "cook", "host"], chance.randint(1, 3))
            for case in chance.sample(["nominative", "accusative", "possessive"], chance.randint(1, 2))
            for row in answers(name, *chance.choices(CHOICES, (6, 6, 1, 1), k=8), case=case, sets=tuple(SETS))
        ]
        if chance.random() < 0.3:  # some sentences were not answered at all
            rows = chance.sample(rows, chance.randint(1, len(rows)))
        score, robust, apart = performance(rows), pronoun_consistency(rows), disambiguation_consistency(rows)
        assert by_pandas(rows) == {
            "counts": (score.attempted, score.correct),
            "robust": (robust.groups, robust.consistent),
            "apart": (apart.groups, apart.consistent),
            "bias": {
                form: (bias.attempted, bias.resolvable, bias.positive, bias.negative)
                for form, bias in bias_by_form(rows).items()
            },
        }


# --- the command ----------------------------------------------------------------------------------------------------


def prompted(rows: list[Response], *prompts: tuple[str, str]) -> str:
    """Return a table in which each response is the answer to each of some prompts."""
    header, *lines = table_of(rows).splitlines()
    cells = [f"{line}\t{prompt}\t{options}" for prompt, options in prompts for line in lines]
    return "\n".join([f"{header}\tprompt\toptions", *cells]) + "\n"


def test_several_answers_to_a_sentence_are_pooled() -> None:
    # two prompts; with the second he goes to the baker both times: 3 and 4 of 4 right
    right = answers("baker", "occupation", "participant", "occupation", "participant")
    first = prompted(right, ("0", "none")).splitlines(keepends=True)
    second = prompted(answers("baker", "occupation", "occupation", "occupation", "participant"), ("1", "none"))
    rows = table_responses("".join([*first, *second.splitlines(keepends=True)[1:]]), Path("t.tsv"), TABLE)
    score = to_object(score_report(rows))
    assert score["prompts"] == 2
    assert (score["overall"]["sentences"], score["overall"]["correct"]) == (8, 7)
    # of the two templates that of the occupation is right with both pronouns and prompts; its chance is 1/2^4, as in each group
    assert score["pronoun_consistency"] == {
        "groups": 2, "consistent": 1, "share": 0.5, "chance": 1 / 16, "interval": None,
    }  # fmt: skip
    assert score["disambiguation_consistency"] == {
        "groups": 2, "consistent": 1, "share": 0.5, "chance": 1 / 16, "interval": None,
    }  # fmt: skip
    # the pair counts once for each prompt, and is biased with one of them
    assert score["bias"]["nominative"]["he"]["attempted"] == 2
    assert score["bias"]["nominative"]["he"]["positive"] == ["baker"]


def test_a_prompt_answered_twice_is_refused_and_single_answers_have_no_prompt() -> None:
    rows = answers("baker", "occupation", "participant", "occupation", "participant")
    with pytest.raises(
        PipelineError, match=r"t\.tsv:6: \[answer\] duplicate sentence; found '.* 3 none' in line 2 too"
    ):
        table_responses(prompted(rows, ("3", "none"), ("3", "none")), Path("t.tsv"), TABLE)
    texts = table_responses(prompted(rows, ("Who is he?", "A or B")), Path("t.tsv"), TABLE)
    assert texts == rows


def test_the_command_prints_json_and_words(tmp_path: Path) -> None:
    path = tmp_path / "predictions.tsv"
    rows = answers("baker", "occupation", "occupation", "occupation", "participant")
    path.write_text(table_of(rows), encoding="utf-8")
    report = json.loads(winoforge("winopron", "score", path, "--json").stdout)
    assert report == to_object(score_report(rows))
    assert report["overall"]["f1"] == 0.75
    words = winoforge("winopron", "score", path).stdout
    assert "overall: precision 75.0 %, recall 75.0 %, f1 75.0 % of 4" in words
    assert "bias, nominative he: positive 100.0 %, negative 0.0 % of 1 pair" in words
    assert "pronoun consistency: 50.0 % of 2 groups (chance 25.00 %)" in words
