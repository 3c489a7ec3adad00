"""Encoder-decoder models: asked as any model, scored by what follows a context."""

import json
from math import exp
from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.evaluation.scoring.encoder_decoder import EncoderDecoder
from pipeline.evaluation.scoring.server import open_model
from tests.support.commands import printed, winoforge
from tests.support.small_release import small_release
from tests.support.tiny_models import encoder_decoder

TEXTS = "The cat sat on the mat because it was tired."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return encoder_decoder(tmp_path_factory.mktemp("t5") / "tiny-t5", [TEXTS])


@pytest.fixture(scope="module")
def model(folder: Path) -> EncoderDecoder:
    opened = open_model(str(folder), batch=2)
    assert isinstance(opened, EncoderDecoder)
    return opened


def test_a_batch_gives_what_the_model_gives_for_each_text_alone(model: EncoderDecoder) -> None:
    import torch

    contexts, after = ["The cat", "The mat because it", "T"], [" was tired.", " sat", ""]
    for context, text, score in zip(contexts, after, model.score_after(contexts, after), strict=True):
        encoded = model._tokenizer(context, return_tensors="pt")
        ids = model._tokenizer(text, add_special_tokens=False)["input_ids"]
        size = len(encoded["input_ids"][0])
        assert score.text == context + text and score.tokens[:size] == model.tokenise([context])[0]
        assert score.logprobs[:size] == (None,) * size and len(score.logprobs) == size + len(text)
        if not ids:
            continue
        # The decoder reads its start and what it has written so far; each step is a whole distribution.
        begin = [0, *ids[:-1]]
        logits = model._model(input_ids=encoded["input_ids"], decoder_input_ids=torch.tensor([begin])).logits[0]
        expected = logits.log_softmax(1)[range(len(ids)), ids].tolist()
        assert [value for value in score.logprobs if value is not None] == pytest.approx(expected, abs=1e-4)


def test_the_probabilities_of_one_token_sum_to_one(model: EncoderDecoder) -> None:
    letters = sorted(set(TEXTS))
    scores = model.score_after(["The cat"] * len(letters), letters)
    special = 1 - sum(exp(score.total) for score in scores)
    assert 0 < special < 1  # what is left is for the three tokens that are no characters


def test_a_text_without_tokens_is_refused(model: EncoderDecoder) -> None:
    with pytest.raises(PipelineError, match=r"the tokenizer of tiny-t5 has no token for a part of '小柳'"):
        model.score_after(["The cat"], ["小柳"])


def test_the_commands_score_and_ask(tmp_path: Path) -> None:
    release = small_release(tmp_path / "zh", 2)
    lines = (release / "data" / "zh.jsonl").read_text(encoding="utf-8")
    prompts = tmp_path / "prompts.jsonl"
    printed("evaluate", "prompts", release, "--as", "jsonl", "--mode", "zero-shot", "--out", prompts)
    folder = encoder_decoder(tmp_path / "t5", [lines, prompts.read_text(encoding="utf-8"), " \n"])
    run = winoforge("evaluate", "score", release, "--model", folder, "--out", tmp_path / "scores")
    assert run.returncode == 0, run.stderr
    assert "t5: has an encoder, and no full-score, which is left out" in run.stderr
    scored = (tmp_path / "scores" / "responses.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in scored.splitlines()]
    assert [(row["mode"], len(row["scores"])) for row in rows] == [("partial-score", 2)] * 4
    whole = winoforge("evaluate", "score", release, "--model", folder, "--mode", "full-score", "--out", tmp_path / "no")
    assert whole.returncode == 2 and "[mode] full-score needs a model that reads from left to right" in whole.stderr
    arguments = ("evaluate", "run", release, "--mode", "zero-shot", "--max-tokens", 6, "--out", tmp_path / "run")
    assert "4 questions in, 4 answers out" in printed(*arguments, "--model", f"seq2seq:{folder}")
    answers = (tmp_path / "run" / "responses.jsonl").read_text(encoding="utf-8")
    assert '"model": "t5"' in answers and '"answer_tokens": ' in answers
    wrong = winoforge("evaluate", "run", release, "--model", f"seq2seq:{tmp_path}", "--out", tmp_path / "run2")
    assert wrong.returncode == 2 and "[model] no model there" in wrong.stderr
