"""Log-probabilities of texts: hand-worked ones, the end of a context, batches, servers, the command."""

import json
import math
import threading
from collections.abc import Callable, Iterator
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.evaluation.gguf import served
from pipeline.evaluation.predictions import read_predictions
from pipeline.evaluation.scoring.local import LocalModel
from pipeline.evaluation.scoring.responses import ScoringItem, answer_items, right_in_forms, score_items, scoring_items
from pipeline.evaluation.scoring.scores import TextScore, full_score, partial_score
from pipeline.evaluation.scoring.server import echoed_score, open_model
from pipeline.winograd.forms.substitution import scoring
from tests.conftest import Refused
from tests.support.commands import printed
from tests.support.models import read_gguf_once, smollm
from tests.support.simulated_systems import NAMES, simulated_items
from tests.support.system_answers import write_release, write_rows
from tests.support.tiny_models import BEGIN, bigram_model, character_tokenizer, random_model

CHARACTERS = "老汤给小柳送伞，因为他怕淋雨。"
ITEMS = simulated_items(3)


def texts() -> list[ScoringItem]:
    return scoring_items([], Path("scoring.jsonl"), ITEMS)


def zero_answers(*arguments: Any) -> list[ScoringItem]:
    return answer_items(*arguments, form="zero")


@cache
def scorer(batch: int) -> LocalModel:
    return random_model(character_tokenizer(CHARACTERS), batch=batch)


# --- hand-worked probabilities ----------------------------------------------------------------------------------------


def test_scores_of_a_bigram_model() -> None:
    """Four tokens: the sign, 甲, 乙, 丙. Of the logits one is ln 5, the others 0: after 甲, 乙 has 5/8, the others 1/8 each."""
    model = bigram_model(character_tokenizer("甲乙丙"), {("甲", "乙"): math.log(5)})
    (score,) = model.score(["甲乙丙"])
    # p(甲) after the sign and p(丙) after 乙: 1/4, as all logits are 0.
    assert score.logprobs == pytest.approx([math.log(1 / 4), math.log(5 / 8), math.log(1 / 4)], abs=1e-5)
    assert score.ends == (1, 2, 3)
    full = full_score(score)
    assert full.value == pytest.approx(math.log(5 / 128), abs=1e-5)
    assert full.normalised("tokens") == pytest.approx(math.log(5 / 128) / 3, abs=1e-5)
    partial = partial_score(score, "甲", model.tokenise(["甲"])[0])
    assert partial is not None
    assert (partial.tokens, partial.characters, partial.boundary) == (2, 2, "prefix")
    assert partial.value == pytest.approx(math.log(5 / 32), abs=1e-5)


def test_a_uniform_model_chooses_nothing() -> None:
    scored = score_items(texts(), bigram_model(character_tokenizer(CHARACTERS), {}), ["full-score", "partial-score"])
    assert {row["answer"] for row in scored.rows} == {""}
    assert scored.ties == {"full-score": 6, "partial-score": 6}
    # 老汤给小柳送伞，因为 and a name of two and 怕淋雨。are 16 tokens, each 1 of the 15 characters and the sign.
    assert scored.rows[0]["scores"] == pytest.approx([16 * math.log(1 / 16)] * 2, abs=1e-4)


def test_the_candidate_before_what_it_makes_probable_is_the_answer() -> None:
    """After 柳, 怕 is e times as probable as any other: partial scores favour the second candidate by 1 - ln((15 + e) / 16)."""
    model = bigram_model(character_tokenizer(CHARACTERS), {("柳", "怕"): 1.0})
    scored = score_items(texts(), model, ["partial-score"], form="zero")
    assert {row["answer"] for row in scored.rows} == {"B"}
    first, second = scored.rows[0]["scores"]
    assert second - first == pytest.approx(1 - math.log((15 + math.e) / 16), abs=2e-4)
    assert scored.rows[0]["form"] == "zero"
    per_token = score_items(texts(), model, ["partial-score"], "tokens").rows[0]
    assert per_token["mode"] == "partial-score-per-token"
    assert per_token["scores"] == pytest.approx([first / 4, second / 4], abs=1e-4)  # 怕淋雨。


# --- the end of a context ---------------------------------------------------------------------------------------------


def test_a_token_over_the_end_of_the_context_counts_whole() -> None:
    """With 柳怕 one token, the text of the second candidate is cut elsewhere than its context; that of the first is not."""
    model = bigram_model(character_tokenizer(CHARACTERS, [("柳", "怕")]), {})
    rows = score_items(texts(), model, ["partial-score"]).rows
    assert rows[0]["boundary"] == ["prefix", "offsets"]
    # 怕淋雨。are four tokens, 柳怕·淋·雨·。 too; each 1 of 17.
    assert rows[0]["scores"] == pytest.approx([4 * math.log(1 / 17)] * 2, abs=1e-4)


def test_pieces_of_a_character() -> None:
    """甲 is E7 94 B2, 乙 is E4 B9 99, 电 is E7 94 B5. The last byte of 甲 and the first of 乙 make one token, which straddles."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    bytes_of = sorted(pre_tokenizers.ByteLevel.alphabet())
    ((last, _),) = pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str("甲")
    ((first, _),) = pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str("乙")
    merge = (last[2], first[0])
    vocabulary = {word: number for number, word in enumerate([BEGIN, *bytes_of, "".join(merge)])}
    raw = Tokenizer(models.BPE(vocab=vocabulary, merges=[merge]))
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    model = bigram_model(PreTrainedTokenizerFast(tokenizer_object=raw, bos_token=BEGIN), {})
    together, apart = model.score(["甲乙", "甲电"])
    assert together.ends == (1, 1, 2, 2, 2)
    assert apart.ends == (1, 1, 1, 2, 2, 2)
    context = model.tokenise(["甲"])[0]
    straddling, whole = partial_score(together, "甲", context), partial_score(apart, "甲", context)
    assert straddling is not None and whole is not None
    assert (straddling.tokens, straddling.boundary) == (3, "offsets")  # of five tokens, two end within 甲
    assert (whole.tokens, whole.boundary) == (3, "prefix")  # the three bytes of 电


@given(st.text("老汤给小柳，", min_size=1, max_size=6), st.text("送伞因为。", min_size=1, max_size=6))
@settings(max_examples=20)
def test_a_partial_score_is_the_difference_of_two_full_ones(context: str, continuation: str) -> None:
    model = scorer(2)
    whole, alone = model.score([context + continuation, context])
    partial = partial_score(whole, context, alone.tokens)
    assert partial is not None
    assert partial.value == pytest.approx(whole.total - alone.total, abs=1e-4)


@given(st.lists(st.text(CHARACTERS, min_size=1, max_size=30), min_size=1, max_size=9))
@settings(max_examples=20)
def test_a_batch_changes_nothing(given_texts: list[str]) -> None:
    for alone, batched in zip(scorer(1).score(given_texts), scorer(9).score(given_texts), strict=True):
        assert alone.tokens == batched.tokens
        assert alone.logprobs == pytest.approx(batched.logprobs, abs=1e-4)


def test_without_a_sign_the_first_token_has_no_probability() -> None:
    model = bigram_model(character_tokenizer(CHARACTERS, begin=False), {})
    (score,) = model.score(["老汤"])
    assert score.logprobs == (None, pytest.approx(math.log(1 / 16), abs=1e-5))
    assert full_score(score).tokens == 1
    assert len(score_items(texts(), model, ["full-score"]).rows) == 6  # both texts begin with 老
    item = texts()[0]
    fronted = ScoringItem(item.entry, NAMES, ("怕淋雨。",) * 2, True)  # 老 and 小 would go for nothing
    assert score_items([fronted], model, ["full-score"]).unscored == {"full-score": [item.entry.item.id]}
    assert partial_score(score, "", ()) is None


def test_a_text_that_is_too_long(refused: Refused) -> None:
    message = refused(lambda: bigram_model(character_tokenizer("老"), {}).score(["老" * 64]), "", "model")
    assert "found 65 tokens, expected at most 64" in message


def test_weights_that_are_no_numbers(refused: Refused) -> None:
    model = bigram_model(character_tokenizer("老"), {("老", "老"): math.nan})
    refused(lambda: model.score(["老老老"]), "", "model")


# --- servers ----------------------------------------------------------------------------------------------------------


class _Completions(BaseHTTPRequestHandler):
    """Answers as vLLM's server does for the model of the class: prompt tokens first, None for what begins the text."""

    model: LocalModel
    echoes = True

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert (asked["max_tokens"], asked["echo"], asked["logprobs"], asked["temperature"]) == (1, True, 1, 0.0)
        choices = []
        for index, score in enumerate(self.model.score(asked["prompt"])):
            values = [None, *score.logprobs, -0.5] if self.echoes else [-0.5]
            tokens = [BEGIN, *score.text, "x"] if self.echoes else ["x"]
            logprobs = {"tokens": tokens, "token_logprobs": values, "text_offset": [0] * len(tokens)}
            choices.insert(0, {"index": index, "text": "", "finish_reason": "length", "logprobs": logprobs})
        body = {"id": "1", "object": "text_completion", "created": 0, "model": asked["model"], "choices": choices}
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the name of the base class
        """Print nothing."""


@pytest.fixture(params=[True, False], ids=["with echo", "without echo"])
def address(request: pytest.FixtureRequest) -> Iterator[tuple[str, bool]]:
    handler = type("Handler", (_Completions,), {"model": scorer(8), "echoes": request.param})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1", request.param
    server.shutdown()
    server.server_close()


def test_a_server_gives_the_same_answers(address: tuple[str, bool], refused: Refused) -> None:
    url, echoes = address
    remote = open_model("tiny", url, "random", batch=5)
    if not echoes:
        assert "vLLM" in refused(lambda: remote.score(["老汤"]), "", "server")
        return
    here, there = (score_items(texts(), model, ["full-score", "partial-score"]) for model in (scorer(8), remote))
    for ours, theirs in zip(here.rows, there.rows, strict=True):
        assert theirs["scores"] == pytest.approx(ours["scores"], abs=1e-3)
    assert [row["answer"] for row in here.rows] == [row["answer"] for row in there.rows]
    assert there.boundaries == {"prefix": 12, "offsets": 0}


def test_llama_cpp_gives_no_log_probabilities_of_the_prompt(refused: Refused) -> None:
    """It ignores echo, and answers with the log-probability of the generated token."""
    with served(smollm()) as address:
        message = refused(lambda: open_model("smollm", address).score(["The capital"]), "", "server")
    assert "no log-probabilities of the prompt" in message


@pytest.mark.parametrize(
    ("tokens", "values", "expected"),
    [
        # The sign that begins the text is dropped; without one, the first token has no probability.
        (["<s>", "老汤", "x"], [None, -1, -2], TextScore("老汤", ("老汤",), (-1,), (2,))),
        (["老", "汤", "x"], [None, -1, -2], TextScore("老汤", ("老", "汤"), (None, -1), (1, 2))),
        # Parts of a character: no place is known.
        (["\ufffd", "\ufffd", "汤", "x"], [None, -1, -1, -2],
         TextScore("老汤", ("\ufffd", "\ufffd", "汤"), (None, -1, -1), None)),
    ],
)  # fmt: skip
def test_echoes(tokens: list[str], values: list[float | None], expected: TextScore) -> None:
    assert echoed_score("老汤", {"logprobs": {"tokens": tokens, "token_logprobs": values}}) == expected


@pytest.mark.parametrize(
    "choice",
    [
        None,
        {},
        {"logprobs": {"tokens": ["a"], "token_logprobs": [-1]}},
        {"logprobs": {"tokens": ["a", "b"], "token_logprobs": [-1]}},
        {"logprobs": {"tokens": ["a", 1], "token_logprobs": [-1, -1]}},
        {"logprobs": {"tokens": ["a", "b", "c"], "token_logprobs": [None, None, -1]}},
        {"logprobs": {"tokens": ["a", "b"], "token_logprobs": [None, math.nan]}},
        {"logprobs": {"tokens": ["a", "b"], "token_logprobs": [None, 2.0]}},
    ],
)
def test_hostile_echoes(choice: Any, refused: Refused) -> None:
    refused(lambda: echoed_score("ab", choice), "", "server")


def test_parts_of_a_character_are_cut_by_the_tokens_of_the_context() -> None:
    choice = {"logprobs": {"tokens": ["\ufffd", "\ufffd", "汤", "x"], "token_logprobs": [-1, -2, -4, -8]}}
    score = echoed_score("老汤", choice)
    partial = partial_score(score, "老", ("\ufffd", "\ufffd"))
    assert partial is not None
    assert partial.value == -4
    assert partial_score(score, "老", ("\ufffd",) * 3) is None  # neither a prefix nor places


# --- the command ------------------------------------------------------------------------------------------------------


def released(folder: Path, **contexts: str) -> Path:
    """Write a release of the items, with their texts to score in an order of its own."""
    rows = [dict(row) | contexts for row in scoring(entry.item for entry in ITEMS).rows]
    write_rows(folder / "data" / "scoring.jsonl", rows[::-1])
    return write_release(folder, ITEMS)


def saved(folder: Path, model: LocalModel) -> Path:
    model._model.save_pretrained(folder)
    model._tokenizer.save_pretrained(folder)
    return folder


def run(*arguments: object, status: int = 0) -> str:
    return printed("evaluate", "score", *arguments, status=status)


def test_the_command_writes_responses_that_the_report_reads(tmp_path: Path) -> None:
    release = released(tmp_path / "zh")
    folder = saved(tmp_path / "tiny", bigram_model(character_tokenizer(CHARACTERS), {("柳", "怕"): 1.0}))
    printed = run(release, "--model", folder, "--items", 4, "--out", tmp_path / "out")
    # The second candidate is chosen always, and is right in every other item.
    assert "full-score: 2 of 4 right, 0 ties, 0 not scored" in printed
    assert "partial-score: the tokens of the context are a prefix in 8 of 8 texts; character offsets in 0" in printed
    runs = read_predictions([tmp_path / "out" / "responses.jsonl"], ITEMS)
    assert {(run.model, run.mode, run.form) for run in runs} == {
        ("tiny", "full-score", "overt"),
        ("tiny", "partial-score", "overt"),
    }
    rows = [json.loads(line) for line in (tmp_path / "out" / "responses.jsonl").read_text("utf-8").splitlines()]
    assert all(
        row["scores"][1] > row["scores"][0] for row in rows
    )  # in the item's own order, whatever that of the rows
    assert rows[0]["prompt"] == "老汤给小柳送伞，因为老汤怕淋雨。\n老汤给小柳送伞，因为小柳怕淋雨。"
    assert rows[0]["prompt_tokens"] == 32
    first = (tmp_path / "out" / "responses.jsonl").read_bytes()
    run(release, "--model", folder, "--items", 4, "--batch-size", 1, "--out", tmp_path / "out", "--quiet")
    assert (tmp_path / "out" / "responses.jsonl").read_bytes() == first


def test_an_answer_is_scored_after_the_zero_and_after_the_pronoun(tmp_path: Path) -> None:
    """After 他, 小 is e times as probable as any other of the 16 characters and the sign, after Ø 老: 小柳 and 老汤 are the answers."""
    release = released(tmp_path / "zh", context_overt="老汤怕他", context_zero="老汤怕Ø")
    model = bigram_model(character_tokenizer(f"{CHARACTERS}Ø"), {("他", "小"): 1.0, ("Ø", "老"): 1.0})
    folder = saved(tmp_path / "tiny", model)
    printed = run(release, "--model", folder, "--mode", "answer-score", "--out", tmp_path / "out").splitlines()
    # three pairs, in which 老汤 is right in a and 小柳 in b
    assert "answer-score, overt: 3 of 6 right, 0 ties, 0 not scored" in printed
    assert "answer-score, zero: 3 of 6 right, 0 ties, 0 not scored" in printed
    forms = "right with zero and pronoun 0, with the pronoun only {0}, with the zero only {0}, with neither {1}"
    assert f"answer-score, items: {forms.format(3, 0)}" in printed
    assert f"answer-score, pairs: {forms.format(0, 3)}" in printed
    rows = [json.loads(line) for line in (tmp_path / "out" / "responses.jsonl").read_text("utf-8").splitlines()]
    assert [(row["form"], row["answer"]) for row in rows] == [("zero", "A")] * 6 + [("overt", "B")] * 6
    # a name of two characters: the first after 他 or Ø, where all others share what e leaves; the second 1 of 17
    rest, liked = math.log(1 / (16 + math.e)), 1 - math.log(16 + math.e)
    assert rows[0]["scores"] == pytest.approx([liked - math.log(17), rest - math.log(17)], abs=1e-4)
    assert rows[6]["scores"] == pytest.approx([rest - math.log(17), liked - math.log(17)], abs=1e-4)
    runs = read_predictions([tmp_path / "out" / "responses.jsonl"], ITEMS)
    assert {(run.mode, run.form) for run in runs} == {("answer-score", "overt"), ("answer-score", "zero")}


def test_a_release_without_both_forms_has_no_answers_to_score(tmp_path: Path) -> None:
    release = released(tmp_path / "zh")
    with pytest.raises(PipelineError) as caught:
        run(release, "--model", "none", "--mode", "answer-score", "--out", tmp_path / "out")
    assert str(caught.value) == (
        f"{release}/data/scoring.jsonl: [answer-score] no texts in both forms; found a row without context_zero, "
        "expected questions, of a language with zeros"
    )


def test_forms_are_counted_by_items_and_by_pairs() -> None:
    """In the first pair both members are right with the pronoun, and b with the zero too; the second has no answer to one form."""
    given = {
        "s-0000-a": ("A", "B"),
        "s-0000-b": ("B", "B"),
        "s-0001-a": ("A", "A"),
        "s-0002-a": ("B", ""),
        "s-0002-b": ("", ""),
    }
    rows = [
        {"id": item, "form": form, "answer": answer}
        for item, answers in given.items()
        for form, answer in zip(("overt", "zero"), answers, strict=True)
    ]
    rows.append({"id": "s-0001-b", "form": "zero", "answer": "B"})
    counts = right_in_forms(rows, ITEMS)
    assert counts["items"] == {"both": 2, "overt": 1, "zero": 0, "neither": 2}
    assert counts["pairs"] == {"both": 0, "overt": 1, "zero": 0, "neither": 1}


@pytest.mark.parametrize(
    ("read", "change", "field"),
    [
        (scoring_items, {"item": "s-9"}, "item"),
        (scoring_items, {"candidate": "他"}, "candidate"),
        (scoring_items, {"continuation": "怕。"}, "continuation"),
        (scoring_items, {"partial": 1}, "partial"),
        (scoring_items, {"context": 3}, "context"),
        (zero_answers, {"context_zero": "柳"}, "context_zero"),
        (zero_answers, {"context_zero": 3}, "context_zero"),
        (zero_answers, {"context_zero": ""}, "context_zero"),
    ],
)
def test_rows_that_do_not_fit(
    read: Callable[..., list[ScoringItem]], change: dict[str, Any], field: str, refused: Refused
) -> None:
    rows = [dict(row) | {"context_zero": "汤"} for row in scoring(entry.item for entry in ITEMS).rows]
    rows[1] |= change
    refused(lambda: read(list(enumerate(rows, 1)), Path("s.jsonl"), ITEMS), "s.jsonl:2", field)


@pytest.mark.parametrize("source", ["gguf:none.gguf", "none", "Qwen/Qwen2.5-0.5B"])
def test_a_model_that_is_not_there(source: str, refused: Refused) -> None:
    refused(lambda: open_model(source), "", "model")


def test_a_folder_that_is_no_model(tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "config.json").write_text("{}")
    refused(lambda: open_model(str(tmp_path)), str(tmp_path), "model")
    (tmp_path / "a.gguf").write_bytes(b"GGUF")
    refused(lambda: open_model(f"gguf:{tmp_path}/a.gguf"), f"{tmp_path}/a.gguf", "model")


def test_a_real_model_prefers_what_it_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """SmolLM2 cuts rare characters into bytes; it knows English, and finds a known sentence more probable than the same words mixed."""
    read_gguf_once(monkeypatch)
    model = open_model(f"gguf:{smollm()}")
    known, mixed, chinese = model.score(
        ["The capital of France is Paris.", "Paris of is capital The France.", "小柳怕淋雨。"]
    )
    assert known.total > mixed.total + 5
    assert chinese.ends is not None
    assert len(chinese.ends) > len(chinese.text)  # pieces of characters
    partial = partial_score(chinese, "小柳", model.tokenise(["小柳"])[0])
    assert partial is not None
    assert partial.value == pytest.approx(chinese.total - model.score(["小柳"])[0].total, abs=1e-3)
