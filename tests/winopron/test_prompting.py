"""WinoPron's prompts are those of the authors, samples are balanced, and answers come back as they were written."""

import dataclasses
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.tables import tsv_text
from pipeline.winopron.instances import Instance, instances, read_templates, write_instances
from pipeline.winopron.predictions import READINGS, published_choice, read_predictions, table_responses
from pipeline.winopron.prompting import (
    COLUMNS,
    ModelAnswer,
    Prompt,
    answer_rows,
    draw,
    prompt_table,
    prompts_of,
)
from tests.conftest import ROOT, Refused
from tests.support.commands import Run, winoforge
from tests.support.models import smollm
from tests.support.winopron import TABLE

SOURCE = ROOT / "raw" / "en" / "templates.yaml"
TEMPLATES = read_templates(SOURCE, TABLE)
DOUBLE = instances(TEMPLATES, TABLE, "double", lang="en", source=SOURCE)
SINGLE = instances(TEMPLATES, TABLE, "single", lang="en", source=SOURCE)
(SENTENCE,) = (sentence for sentence in DOUBLE if sentence.item.id == "en-double-technician-customer-accusative-xe-b")
TEXT = SENTENCE.item.text


# --- prompts ----------------------------------------------------------------------------------------------------------


def prompt(template: int, variant: int) -> str:
    (text,) = (
        prompt.text
        for prompt in prompts_of(SENTENCE, prompt_table(), TABLE)
        if (prompt.template, prompt.variant) == (template, variant)
    )
    return text


def test_prompts_are_those_of_the_authors() -> None:
    # written out from table 7 and from the authors' prompt.py: OPTIONS, a line with a hyphen for each, nothing without options
    assert prompt(0, 0) == f"{TEXT}\n\nOPTIONS:\n- technician\n- customer\nWho is xem referring to?"
    assert prompt(9, 1) == f'{TEXT}\nWho is "xem"?\nOPTIONS:\n- customer\n- technician'
    assert prompt(5, 2) == f"Choose your answer: Who is xem in the following sentence?\n\n{TEXT}\n\n"


def test_a_sentence_has_thirty_prompts() -> None:
    prompts = prompts_of(SENTENCE, prompt_table(), TABLE)
    assert len({prompt.text for prompt in prompts}) == 30
    # the numbers in the order of the authors' table: ten templates, three variants each
    assert [(prompt.template, prompt.variant) for prompt in prompts] == [(a, b) for a in range(10) for b in range(3)]
    assert all(TEXT in prompt.text and "xem" in prompt.text.replace(TEXT, "") for prompt in prompts)
    assert [prompt.template for prompt in prompts_of(SENTENCE, prompt_table(), TABLE, [7, 2])] == [2] * 3 + [7] * 3


# --- sample -----------------------------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(size=st.integers(1, 180), seed=st.integers(0, 3))
def test_a_sample_is_balanced(size: int, seed: int) -> None:
    sample = draw(DOUBLE, size, seed)
    pairs = {sentence.pair for sentence in sample}
    assert len(pairs) == size
    # whole pairs: two templates with four pronoun sets, in the order of the file
    assert len(sample) == 8 * size
    ids = {sentence.item.id for sentence in sample}
    assert sample == [sentence for sentence in DOUBLE if sentence.item.id in ids]
    assert set(Counter((s.pronouns, s.item.answer) for s in sample).values()) == {size}
    # 3 cases, as even as whole numbers can be; 60 occupations, none twice before all have one
    assert set(Counter(case for _, _, case in pairs).values()) <= {size // 3, -(-size // 3)}
    occupations = Counter(occupation for occupation, _, _ in pairs)
    assert len(occupations) == min(size, 60)
    assert max(occupations.values()) - min(occupations.values()) <= 2
    assert {sentence.pair for sentence in draw(SINGLE, size, seed)} == pairs
    assert pairs <= {sentence.pair for sentence in draw(DOUBLE, min(180, size + 1), seed)}


def test_another_seed_is_another_sample() -> None:
    assert draw(DOUBLE, 6, 1) != draw(DOUBLE, 6, 2)
    assert draw(DOUBLE, 0, 1) == draw(DOUBLE, 180, 2) == DOUBLE


def test_a_collection_without_balance_is_drawn_as_even_as_it_can_be() -> None:
    # 5 nominative pairs and 1 accusative: of four drawn, three must be nominative
    few = [s for s in DOUBLE if s.case == "nominative"][: 5 * 8] + [s for s in DOUBLE if s.case == "accusative"][:8]
    assert Counter(case for _, _, case in {s.pair for s in draw(few, 4, 1)}) == {"nominative": 3, "accusative": 1}


def test_more_pairs_than_there_are_is_refused(refused: Refused) -> None:
    assert "expected 1 to 180" in refused(lambda: draw(DOUBLE, 181, 1), "", "sample")


# --- answers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("generation", ["0", "1", " 1. "])
def test_a_number_chooses_nothing_in_free_text(generation: str) -> None:
    answers = [ModelAnswer(SENTENCE, Prompt(0, variant, "?"), generation, None, None) for variant in range(2)]
    text = tsv_text(COLUMNS, answer_rows(answers, TABLE, model="m", settings="s"))
    assert {response.choice for response in table_responses(text, Path("a.tsv"), TABLE)} == {"neither"}


def authors_answer(generation: str, occupation: str, participant: str) -> str | None:
    """Follow the authors' compute_performance.py in words: words without quotes and stops, met with the two names."""
    words = {w.lower().replace('"', "").replace(".", "") for w in str(generation).split()}
    named = list(words & {occupation, participant})
    return named[0] if len(named) == 1 else None


@given(
    st.text(alphabet="acehiknorstu .\"',-\n", max_size=40),
    st.sampled_from(["", "technician", '"Customer."', "customer's"]),
)
def test_the_published_reading_is_that_of_the_authors(noise: str, name: str) -> None:
    for generation in (noise + name, name + noise, f"{noise} {name} {noise}", f"{name} technician"):
        choice = published_choice(generation, "technician", "customer")
        answer = authors_answer(generation, "technician", "customer")
        named = {"technician": "occupation", "customer": "participant", None: None}[answer]
        assert (choice if choice in ("occupation", "participant") else None) == named


def test_readings_differ_where_a_mark_hides_a_name() -> None:
    choices = {name: read("The customer, I think", "technician", "customer") for name, read in READINGS.items()}
    assert choices == {"words": "participant", "published": "neither", "first": "participant"}


# --- the command ------------------------------------------------------------------------------------------------------


def test_a_real_model_answers_six_prompts(tmp_path: Path) -> None:
    sentences = [s for s in DOUBLE if s.pair == SENTENCE.pair and s.pronouns == "xe"]
    write_instances(tmp_path / "double.jsonl", sentences)
    arguments = ("winopron", "ask", tmp_path / "double.jsonl", "--model", f"gguf:{smollm()}", "--sample", 1, "--prompts", "9",
                 "--cache", tmp_path / "cache", "--out", tmp_path / "smollm.tsv")  # fmt: skip
    run = winoforge(*arguments, "--json")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == {"pairs": 1, "sentences": 2, "prompts": 6, "answers": 6}
    predictions = read_predictions(tmp_path / "smollm.tsv", TABLE)
    assert len(predictions.responses) == 6
    assert predictions.gaps == ()
    first = (tmp_path / "smollm.tsv").read_bytes()
    assert winoforge(*arguments).stdout == (
        f"{tmp_path / 'double.jsonl'}: 1 of 1 pair of templates (accusative 1), 1 occupation, seed 1; 2 sentences, "
        f"3 prompts each: 6 prompts\n{tmp_path / 'smollm.tsv'}: 6 prompts in, 6 answers out\n"
    )
    assert (tmp_path / "smollm.tsv").read_bytes() == first


def ask(folder: Path, sentence: Instance, *words: str) -> Run:
    """Ask a model that is not there about one sentence."""
    write_instances(folder / "double.jsonl", [sentence])
    return winoforge("winopron", "ask", folder / "double.jsonl", "--model", "a/b", "--sample", 1, *words,
                     "--cache", folder / "cache", "--out", folder / "a.tsv")  # fmt: skip


@pytest.mark.parametrize(("words", "reason"), [
    *(("--prompts " + prompts, "[prompts] wrong numbers; found ") for prompts in ("10", "0,0", "a", "0;1", "-1", ",")),
    ("--base-url ftp://x", "[base-url] not a server's address; found 'ftp://x'"),
])  # fmt: skip
def test_wrong_usage_is_refused(words: str, reason: str, tmp_path: Path) -> None:
    run = ask(tmp_path, SENTENCE, *words.split())
    assert run.returncode == 2
    assert run.stderr.startswith(reason)
    assert not (tmp_path / "a.tsv").exists()


def test_an_unknown_pronoun_set_is_refused(tmp_path: Path) -> None:
    run = ask(tmp_path, dataclasses.replace(SENTENCE, pronouns="ze"))
    assert run.returncode == 2
    assert run.stderr == (
        f"{tmp_path / 'double.jsonl'}: [pronouns] unknown set; found accusative 'ze' in {SENTENCE.item.id}, "
        "expected one of he, she, they, xe\n"
    )
