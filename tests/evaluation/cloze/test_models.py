"""Models made on the spot: known probabilities, other ways to the same figures, and models that are refused."""

import json
import math
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.errors import PipelineError
from pipeline.evaluation.cloze.items import ClozeItem, read_cloze_items
from pipeline.evaluation.cloze.models import load_model
from pipeline.evaluation.cloze.results import read_results
from pipeline.language.answers.choice import parse_answer
from tests.support.cloze import cloze_rows
from tests.support.commands import winoforge
from tests.support.masked_models import BERT, bert, gpt2, roberta, word_pieces
from tests.support.system_answers import write_rows

TEXTS = [row["text"].replace("___", row["pronoun"]) for row in cloze_rows()]
WORDS = [*re.findall(r"\w+|[^\w\s]", f"{' '.join(TEXTS)} der diese dies das und Er"), "##selbe", "##er"]
#: Probabilities of tokens, wherever the mask is; the others share the rest, 0.03.
CHANCES = {
    "er": 0.30, "sie": 0.12, "es": 0.08, "der": 0.10, "diese": 0.05, "die": 0.11, "das": 0.04, "dies": 0.03, "und": 0.02, "Sie": 0.06,
    "Es": 0.01, "##selbe": 0.05,
}  # fmt: skip


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_rows(tmp_path_factory.mktemp("items") / "items.jsonl", cloze_rows())


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bert(tmp_path_factory.mktemp("known") / "known-bert", WORDS, CHANCES)


@pytest.fixture(scope="module")
def causal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return gpt2(tmp_path_factory.mktemp("causal") / "tiny-gpt2", TEXTS)


def cloze_items(path: Path) -> tuple[ClozeItem, ...]:
    return read_cloze_items(path).items


def test_the_figures_of_a_model_with_known_probabilities(items: Path, known: Path, tmp_path: Path) -> None:
    out, figures = tmp_path / "rows.jsonl", tmp_path / "figures.json"
    run = winoforge("evaluate", "cloze", items, "--model", known, "--out", out, "--figures", figures)
    assert (run.returncode, run.stderr) == (0, "")
    assert "10 items in, 10 with a gap (er 3, es 3, sie 4), 0 with another target" in run.stdout
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in rows] == [row["id"] for row in cloze_rows()]
    # de-0-a, er in the gap: er 0.30, sie 0.12, es 0.08; together 0.50.
    pron = rows[0]["measures"]["pron"]
    assert (pron["prediction"], pron["correct"], pron["confidence"], pron["target"]) == ("masc", True, 0.3, 0.3)
    assert pron["shares"] == {"masc": 0.6, "fem": 0.24, "neut": 0.16}
    # The ten: er 0.30, sie 0.12, die 0.11, der 0.10, es 0.08, Sie 0.06, diese and ##selbe 0.05, das 0.04, dies 0.03.
    # masc er + der; fem sie + die + diese; neut es + das + dies; other Sie + ##selbe.
    assert rows[0]["measures"]["top10"]["classes"] == {"masc": 0.4, "fem": 0.28, "neut": 0.15, "other": 0.11}
    assert rows[0]["measures"]["top1"]["classes"] == {"masc": 0.3, "fem": 0, "neut": 0, "other": 0}
    # derselbe is der and ##selbe in place of two masks: log(0.10 * 0.05) = -5.298317.
    assert (rows[0]["words"]["derselbe"], rows[0]["pieces"]["derselbe"]) == (-5.298317, 2)
    assert rows[0]["scores"] == [round(math.log(0.30), 6), round(math.log(0.12), 6)]
    assert (rows[0]["answer"], rows[1]["answer"]) == ("Der Kater", "Der Kater")
    assert rows[0]["prompt"] == "Der Kater jagte die Maus durch den Garten, bis [MASK] aufgab."
    # At the beginning of a sentence Sie has 0.06, Es 0.01, and er and sie are no variants.
    assert rows[8]["measures"]["pron"]["prediction"] == rows[9]["measures"]["pron"]["prediction"] == "fem"
    assert [entry["class"] for entry in rows[8]["top"] if entry["token"] in ("er", "sie", "Sie")] == [
        "other",
        "other",
        "fem",
    ]
    measured = json.loads(figures.read_text(encoding="utf-8"))
    pron = next(run for run in measured["runs"] if run["measure"] == "pron")
    # er is predicted in the first eight items and right in three, sie in the last two and right in one.
    assert (pron["accuracy"]["right"], pron["accuracy"]["n"]) == (4, 10)
    assert pron["predictions"] == {"masc": 8, "fem": 2, "neut": 0, "other": 0}
    # er is the cat, the apprentice twice, the post twice, and nothing beside the vase and the shelf; sie is the trumpet.
    assert (pron["chosen"], pron["neither"], pron["same"]["pairs"]) == ({"first": 4, "second": 4}, 2, 5)
    # er 0.30 eight times, Sie 0.06 twice: 2.52 / 10. Gold: er 3 * 0.30, sie 3 * 0.12, es 2 * 0.08, Sie 0.06, Es 0.01: 1.49 / 10
    assert (pron["confidence"]["value"], pron["target"]["value"]) == (0.252, 0.149)
    by_pronoun = {pronoun: (part["right"], part["n"]) for pronoun, part in pron["by"]["pronoun"].items()}
    assert by_pronoun == {"er": (3, 3), "es": (0, 3), "sie": (1, 4)}
    assert {source: part["n"] for source, part in pron["by"]["source"].items()} == {
        "animals": 2,
        "people": 2,
        "things": 6,
    }
    assert {place: part["right"] for place, part in pron["by"]["place"].items()} == {"first": 2, "second": 2}


def test_the_same_command_writes_the_same_bytes_and_goes_on_from_results(
    items: Path, known: Path, tmp_path: Path
) -> None:
    first, second, third = (tmp_path / f"{number}.jsonl" for number in range(3))
    for out in (first, second):
        assert winoforge("evaluate", "cloze", items, "--model", known, "--out", out, "-q").returncode == 0
    joined = winoforge("evaluate", "cloze", items, "--results", first, "--out", third, "--figures", tmp_path / "f.json")
    assert joined.returncode == 0
    assert first.read_bytes() == second.read_bytes() == third.read_bytes()
    again = winoforge("evaluate", "cloze", items, "--results", first, "--model", known, "--out", third)
    assert again.stderr.startswith("[model] name not unique; found 'known-bert' twice")
    again = winoforge("evaluate", "cloze", items, "--results", first, "--results", second, "--out", third)
    assert again.stderr.startswith(f"{second}:1: [id] answered twice; found 'de-0-a' of 'known-bert' in {first}:1 too")


def test_a_row_answers_an_item_of_a_release(items: Path, known: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    assert winoforge("evaluate", "cloze", items, "--model", known, "--measure", "top1", "--out", out).returncode == 0
    for line, row in zip(out.read_text(encoding="utf-8").splitlines(), cloze_rows(), strict=True):
        answer = json.loads(line)
        candidates = [antecedent["text"] for antecedent in row["antecedents"]]
        prediction = answer["measures"]["top1"]["prediction"]
        genders = [antecedent["gender"] for antecedent in row["antecedents"]]
        expected = genders.index(prediction) if prediction in genders else None
        assert parse_answer(answer["answer"], candidates).choice == expected, answer


@pytest.mark.parametrize(
    "make", [lambda folder: bert(folder, WORDS), lambda folder: roberta(folder, TEXTS)], ids=["bert", "roberta"]
)
def test_a_mask_written_into_the_text_gives_the_same(make: Callable[[Path], Path], items: Path, tmp_path: Path) -> None:
    """Which is what the fill-mask pipeline of transformers does: each mask is text, and its place is found among the tokens."""
    import torch

    loaded = load_model(str(make(tmp_path / "model")))
    model, tokenizer = loaded.model, loaded.tokenizer
    compared = 0
    for item in cloze_items(items)[::4]:
        scores = loaded.scores(item)
        tokens = tokenizer(item.text(tokenizer.mask_token))["input_ids"]
        place = tokens.index(tokenizer.mask_token_id)
        with torch.inference_mode():
            chances = torch.softmax(model(torch.tensor([tokens])).logits[0, place], -1)
        assert [math.exp(token.log) for token in scores.top] == pytest.approx(
            chances.topk(10).values.tolist(), rel=1e-4
        )
        for word, size in scores.pieces.items():
            blank = " " if item.left.endswith(" ") else ""  # the mask of RoBERTa takes the blank before it
            pieces = tokenizer(f"{blank}{item.as_written(word)}", add_special_tokens=False)["input_ids"]
            assert len(pieces) == size
            if size == 1:
                assert math.exp(scores.words[word]) == pytest.approx(float(chances[pieces[0]]), rel=1e-4)
            elif size == 2:
                both = [*tokens[:place], *[tokenizer.mask_token_id] * 2, *tokens[place + 1 :]]
                then = [*tokens[:place], pieces[0], tokenizer.mask_token_id, *tokens[place + 1 :]]
                with torch.inference_mode():
                    first = torch.log_softmax(model(torch.tensor([both])).logits[0, place], -1)[pieces[0]]
                    second = torch.log_softmax(model(torch.tensor([then])).logits[0, place + 1], -1)[pieces[1]]
                assert scores.words[word] == pytest.approx(float(first + second), rel=1e-4)
                compared += 1
    assert compared > 2


def test_the_score_of_a_causal_model_is_that_of_the_whole_text(items: Path, causal: Path) -> None:
    import torch

    loaded = load_model(str(causal))
    for item in cloze_items(items)[::4]:
        scores = loaded.scores(item)
        for word in ("er", "sie", "es", "derselbe"):
            tokens = torch.tensor([loaded.tokenizer("<|endoftext|>" + item.text(item.as_written(word)))["input_ids"]])
            with torch.inference_mode():
                loss = loaded.model(tokens, labels=tokens).loss  # the mean over all tokens but the first
            assert scores.words[word] == pytest.approx(-float(loss) * (tokens.shape[1] - 1), rel=1e-4)
        left = torch.tensor([loaded.tokenizer("<|endoftext|>" + item.left.rstrip())["input_ids"]])
        with torch.inference_mode():
            chances = torch.softmax(loaded.model(left).logits[0, -1], -1)
        assert [math.exp(token.log) for token in scores.top] == pytest.approx(
            chances.topk(10).values.tolist(), rel=1e-4
        )


def _config(folder: Path, **fields: Any) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | fields), encoding="utf-8")


def _without_output_layer(folder: Path) -> None:
    from transformers import AutoModelForMaskedLM

    AutoModelForMaskedLM.from_pretrained(folder).bert.save_pretrained(folder)
    _config(folder, architectures=["BertForMaskedLM"])


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:1000])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda folder: (folder / "config.json").unlink(), "[model] no model there; found"),
        (lambda folder: (folder / "config.json").write_text("{"), "[model] cannot be loaded; "),
        (lambda folder: _config(folder, architectures=["BertForSequenceClassification"]), "[model] no language model; found architectures"),
        (lambda folder: _config(folder, architectures=None), "[model] no language model; found architectures"),
        (lambda folder: _config(folder, model_type="unheard-of"), "[model] cannot be loaded; "),
        (lambda folder: _config(folder, hidden_size=16), "[model] cannot be loaded; "),
        (_without_output_layer, "[model] weights missing; found none for 'cls.predictions"),
        (lambda folder: _cut(folder / "model.safetensors"), "[model] cannot be loaded; "),
        (lambda folder: _cut(folder / "tokenizer.json"), "[model] cannot be loaded; "),
        (lambda folder: word_pieces(folder, WORDS, BERT[:4]), "[tokenizer] no mask"),
        (lambda folder: word_pieces(folder, [*WORDS, "mehr"]), "[model] tokenizer does not fit the model; found"),
    ],
)  # fmt: skip
def test_a_model_that_cannot_answer_is_refused_in_a_line(
    change: Callable[[Path], object], reason: str, items: Path, known: Path, tmp_path: Path
) -> None:
    folder, out = tmp_path / "model", tmp_path / "rows.jsonl"
    shutil.copytree(known, folder)
    change(folder)
    run = winoforge("evaluate", "cloze", items, "--model", folder, "--out", out)
    assert (run.returncode, run.stderr.count("\n"), out.exists()) == (2, 1, False), run.stderr
    assert reason in run.stderr


def test_an_item_that_a_model_cannot_score_is_a_finding(items: Path, tmp_path: Path) -> None:
    folder = bert(tmp_path / "no-capital", [word for word in WORDS if word != "Es"], {"er": 0.5})
    long = cloze_rows()[0] | {
        "id": "long",
        "text": f"{'Die Maus entkam. ' * 20}Der Kater sah die Maus, weil ___ entkam.",
    }
    path, out = tmp_path / "items.jsonl", tmp_path / "rows.jsonl"
    path.write_text(items.read_text(encoding="utf-8") + json.dumps(long) + "\n", encoding="utf-8")
    run = winoforge("evaluate", "cloze", path, "--model", folder, "--out", out)
    assert run.returncode == 1
    assert (
        f"{path}: de-4-a: no-capital: [vocabulary] the model cannot write a pronoun; found no token for 'Es'"
        in run.stderr
    )
    assert f"{path}: long: no-capital: [text] too long for the model; found 9" in run.stderr
    assert f"{path}: [model] no-capital, pron: 3 items not answered; found 8, expected 11" in run.stderr
    assert len(out.read_text(encoding="utf-8").splitlines()) == 8


def test_damaged_weights_give_no_answer(items: Path, tmp_path: Path) -> None:
    folder = bert(tmp_path / "damaged", WORDS, {"er": 0.0})
    run = winoforge("evaluate", "cloze", items, "--model", folder, "--out", tmp_path / "rows.jsonl")
    assert run.returncode == 2
    assert "[model] no item could be scored; " in run.stderr
    assert "[model] output is no number; found nan" in run.stderr


PRON = {"prediction": "fem", "confidence": 1, "classes": {"masc": 0, "fem": 1, "neut": 0}}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"id": "other"}, "[id] unknown id; found 'other', expected one of the 10"),
        ({"measures": {}}, "[measures] found none"),
        (
            {"measures": {"pron": PRON | {"prediction": "they"}}},
            "[measures.pron.prediction] unknown value; found 'they'",
        ),
        ({"measures": {"pron": PRON | {"classes": {"fem": 1}}}}, "[classes] found ['fem']"),
    ],
)
def test_rows_of_another_file_are_refused(change: dict[str, Any], reason: str, items: Path, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", [{"id": "de-0-a", "model": "a", "measures": {"pron": PRON}} | change])
    with pytest.raises(PipelineError) as caught:
        read_results([path], cloze_items(items))
    assert str(caught.value).startswith(f"{path}:1: {reason}")


def test_nothing_to_measure(items: Path, tmp_path: Path) -> None:
    run = winoforge("evaluate", "cloze", items, "--out", tmp_path / "rows.jsonl")
    assert (run.returncode, run.stderr) == (2, "[model] nothing to measure; expected --model, --results, or both\n")
