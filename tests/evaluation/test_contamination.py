"""Contamination that is planted is found, and none is found without it."""

import json
import math
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from pipeline.core.model import Item, Span
from pipeline.core.records import record_to_json
from pipeline.evaluation.contamination.figures import Settings, model_figures, signs
from pipeline.evaluation.contamination.memory import canary_rank, completion, paraphrase_gap
from pipeline.evaluation.contamination.order import order_test
from pipeline.evaluation.contamination.search import all_grams, gram_figures, grams_of, search_documents
from pipeline.evaluation.contamination.texts import ProbeText, probe_texts
from pipeline.evaluation.scoring.local import LocalModel
from pipeline.evaluation.scoring.model import TextScore
from tests.conftest import Refused
from tests.support.commands import app
from tests.support.tiny_models import bigram_model, character_tokenizer, random_model, trained

LETTERS = "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏"
CANARY = "Not for training: 6a898382-edbe-42e1-b1ed-4f477147875a"


def made_up(seed: int, schemas: int = 10) -> list[ProbeText]:
    """Return pairs of texts of random characters, each with a paraphrase that shares their beginning."""
    random, texts = Random(seed), []
    for schema in range(schemas):
        frame = "".join(random.choices(LETTERS, k=6))
        for version in "ab":
            end, other = ("".join(random.choices(LETTERS, k=6)) for _ in range(2))
            name = f"s-{schema:04}"
            texts.append(
                ProbeText(f"{name}-{version}", name, f"{frame}他{end}。", f"{frame}{end}。", f"{frame}他{other}。")
            )
    return texts


TEXTS = made_up(1)


def read_by(texts: list[ProbeText], canary: str) -> LocalModel:
    """Return a model that knows a release: its file, its items, its canary."""
    shards = ["\n".join(text.text for text in texts[start : start + 10]) for start in range(0, len(texts), 10)]
    model = random_model(character_tokenizer(f"{LETTERS}他。\n{CANARY}0123456789abcdef-"), name="reader")
    return trained(model, [*shards, *(text.text for text in texts), canary])


@cache
def reader() -> LocalModel:
    return read_by(TEXTS, CANARY)


@cache
def stranger() -> LocalModel:
    """Return a model that read another release of the same kind."""
    return read_by(made_up(2), "Not for training: 3f2b7c10-9d54-4e6a-8c21-70f95ab8d3e4")


# --- documents --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("documents", "canaries", "first"),
    [
        (["a", f"x {CANARY} y", CANARY.upper()], 2, 2),
        (["6a898382-edbe-42e1-b1ed-4f477147875a"], 1, 1),
        (["Not for training: 6a898382-edbe-42e1-b1ed-4f477147875b", ""], 0, 0),
        ([], 0, 0),
    ],
)
def test_the_canary(documents: list[str], canaries: int, first: int) -> None:
    searched = search_documents(documents, CANARY, frozenset(), 13)
    assert (searched.documents, searched.canaries, searched.first) == (len(documents), canaries, first)


def test_without_a_canary_none_is_found() -> None:
    assert search_documents(["", "anything"], "", frozenset(), 13).canaries == 0


def test_shares_of_n_grams() -> None:
    """天地玄黄宇宙 has five 2-grams; of the corpus 天地玄。x黄宇 they are 天地, 地玄 and 黄宇, and 玄x and x黄 of no item."""
    texts = [ProbeText("a", "s", "天地，玄黄宇宙。"), ProbeText("b", "s", "日。"), ProbeText("c", "t", "月日", "地玄")]
    searched = search_documents(["天地 玄。x黄宇"], "", all_grams(texts, 2), 2)
    figures = gram_figures(texts, searched.grams, 2)
    assert figures["items"] == {"a": 3 / 5, "c": 1.0}  # c: in its other form
    assert (figures["short"], figures["mean"], figures["found"]) == (1, 0.8, ["c"])


def test_a_corpus_with_the_items_in_it() -> None:
    planted = [f"某页：{text.text}（完）" for text in TEXTS[:4]]
    other = [text.text for text in made_up(2)]
    grams = all_grams(TEXTS, 8)
    for documents, expected in ((planted + other, [text.id for text in TEXTS[:4]]), (other, [])):
        figures = gram_figures(TEXTS, search_documents(documents, "", grams, 8).grams, 8)
        assert figures["found"] == expected
    assert figures["mean"] == 0


def test_chinese_has_no_n_grams_of_words() -> None:
    english = ProbeText(
        "e", "s", "The customer called the technician back because he had left a toolbox behind the door."
    )
    assert gram_figures([*TEXTS, english], [], 13)["with_n_grams_of_words"] == 1


@given(st.text("天地玄黄，。 ab", max_size=20), st.integers(1, 6), st.text("天地，", max_size=5))
@settings(max_examples=50)
def test_what_is_in_a_document_is_found_whole(text: str, n: int, around: str) -> None:
    grams = grams_of(text, n)
    assert search_documents([around + text + around], "", grams, n).grams == grams


# --- models -----------------------------------------------------------------------------------------------------------


def test_every_test_finds_a_model_that_read_the_release() -> None:
    figures, missing = model_figures(TEXTS, reader(), stranger(), Settings(CANARY, of_templates=False, permutations=99))
    assert not missing
    assert figures["order"]["p"] <= 0.02
    assert figures["canary"] == {"rank": 1, "lines": 100, "p": 0.01, "exposure": math.log2(100), "seed": 0}
    assert figures["paraphrase"]["gap"] > 0.5 > abs(figures["paraphrase"]["reference_gap"])
    assert figures["paraphrase"]["p"] < 0.01
    # The members of a pair have the same first half, after which one end only can be the most probable.
    assert figures["completion"]["items"]["completed"] == 10
    assert figures["completion"]["paraphrases"]["completed"] == 0
    assert len(signs({"model": figures})) == 4


def test_no_test_finds_a_model_that_did_not() -> None:
    figures, _ = model_figures(TEXTS, stranger(), reader(), Settings(CANARY, of_templates=False, permutations=99))
    assert signs({"model": figures}) == []
    assert figures["order"]["p"] > 0.05
    assert figures["paraphrase"]["p"] > 0.95  # the reference is the one that read it
    assert figures["completion"]["items"]["completed"] == 0


def test_p_is_uniform_for_a_model_that_read_nothing() -> None:
    """With 9 permutations p is 0.1, 0.2, … 1.0, on average 0.55; the standard error of 20 of them is 0.287 / sqrt(20) = 0.064."""
    model = random_model(character_tokenizer(f"{LETTERS}他。\n{CANARY}0123456789abcdef-"))
    random = Random(5)
    orders = [order_test(made_up(seed, 6), model, shard=3, permutations=9, seed=seed) for seed in range(20)]
    canaries = [f"{random.getrandbits(128):032x}" for _ in orders]
    lines = [f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}" for digits in canaries]
    ranks = [canary_rank(line, model, permutations=9, seed=seed) for seed, line in enumerate(lines)]
    for tests in (orders, ranks):
        assert 0.35 < sum(test["p"] for test in tests if test) / 20 < 0.75


def test_equal_orders_show_nothing() -> None:
    """To a uniform model all orders, and all lines of one length, are alike: each counts as not smaller."""
    model = bigram_model(character_tokenizer(f"{LETTERS}他。\n{CANARY}0123456789"), {})
    order = order_test(TEXTS, model, shard=2, permutations=9)
    assert order is not None
    assert (order["p"], order["shards"], order["schemas"]) == (1.0, 5, 10)
    assert order["canonical"] == pytest.approx(order["shuffled"])
    rank = canary_rank(CANARY, model, permutations=7)
    assert rank is not None
    assert (rank["rank"], rank["p"], rank["exposure"]) == (8, 1.0, 0.0)
    assert order_test(TEXTS[:2], model) is None  # one schema has one order
    assert canary_rank("a line without a number", model) is None


def test_the_case_of_a_canary_tells_nothing() -> None:
    """To a model that expects no small letter, a line in capitals is as probable as the others, since they are in capitals too."""
    characters = sorted({*CANARY.upper(), *"0123456789ABCDEFabcdef"})
    unlikely = {(before, letter): -5.0 for before in characters for letter in "abcdef"}
    rank = canary_rank(CANARY.upper(), bigram_model(character_tokenizer("".join(characters)), unlikely), permutations=7)
    assert rank is not None
    assert rank["rank"] == 8


def test_the_gap_of_items_and_paraphrases() -> None:
    """Per character: items -2, paraphrases -3, so the gap is 1; the reference has -1 and -1. Six schemas: p = 1 / 2^6."""

    def score(text: str, each: float) -> TextScore:
        size = len(text)
        return TextScore(text, (0,) * size, (each,) * size, tuple(range(1, size + 1)), (True,) * size)

    pairs = [(score("天地", -2.0), score("日月星", -3.0))] * 6
    reference = [(score("天地", -1.0), score("日月星", -1.0))] * 6
    figures = paraphrase_gap(pairs, list("abcdef"), reference)
    assert figures["perplexity"] == pytest.approx(math.e**2)
    assert figures["paraphrase_perplexity"] == pytest.approx(math.e**3)
    assert (figures["gap"], figures["preferred"]) == (1.0, 1.0)
    assert (figures["reference_gap"], figures["difference"]) == (0.0, 1.0)
    assert figures["p"] == pytest.approx(1 / 64)
    assert "p" not in paraphrase_gap(pairs, list("abcdef"))
    assert paraphrase_gap(reference, list("abcdef"), pairs)["p"] == pytest.approx(63 / 64)
    # Three schemas whose members do not stand together: p = 1 / 2^3.
    assert paraphrase_gap(pairs, list("abcabc"), reference)["p"] == pytest.approx(1 / 8)


def test_completion_by_characters_and_by_tokens() -> None:
    model = bigram_model(character_tokenizer("天地玄黄"), {})
    tokens, values = tuple("天地玄黄"), (-1.0,) * 4
    right = TextScore("天地玄黄", tokens, values, (1, 2, 3, 4), (False, False, True, True))
    wrong = TextScore("天地玄黄", tokens, values, (1, 2, 3, 4), (True, True, True, False))
    unknown = TextScore("天地玄黄", tokens, values, (1, 2, 3, 4), (None,) * 4)
    placeless = TextScore("天地玄黄", tokens, values, None, (False, False, True, True))
    assert completion([right, wrong, unknown], model) == {"texts": 2, "completed": 1, "tokens": 0.75}
    assert completion([placeless], model) == {"texts": 1, "completed": 1, "tokens": 1.0}
    assert completion([unknown], model) is None


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("releases") / "zh"
    (folder / "data").mkdir(parents=True)
    items, rows = [], []
    for text in TEXTS:
        item = Item(
            id=text.id, schema=text.unit, version=text.id[-1], lang="zh", text=text.text, target=Span(6, 7),
            candidates=("甲", "乙"), answer=0,
        )  # fmt: skip
        items.append(record_to_json(item) | {"text_zero": text.text.replace("他", "Ø"), "canary": CANARY})
        rows += [{"item": text.id, "text": text.paraphrase, "correct": right} for right in (True, False)]
    for name, lines in (("zh", items), ("disambiguated", rows)):
        text_ = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in lines)
        (folder / "data" / f"{name}.jsonl").write_text(text_, encoding="utf-8")
    (folder / "README.md").write_text("# winoforge zh\n", encoding="utf-8")
    return folder


def run(*arguments: object, status: int) -> str:
    result = CliRunner().invoke(app, ["evaluate", "contamination", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == status, result.output
    return result.output


def test_the_command_on_documents(release: Path, tmp_path: Path) -> None:
    clean, planted, outputs = (tmp_path / name for name in ("clean.txt", "planted.txt", "responses.jsonl"))
    clean.write_text("\n".join(text.text for text in made_up(2)), encoding="utf-8")
    planted.write_text(f"{CANARY}\n<script>alert(1)</script>\n{TEXTS[0].text}\n", encoding="utf-8")
    outputs.write_text(json.dumps({"id": "a", "answer": f"… {CANARY}"}) + "\n", encoding="utf-8")
    none = run(release, "--corpus", clean, "--n", 8, "--out", tmp_path / "out", status=0)
    assert "0 of 20 items found, 0 too short; cut at blanks, 0 items have 13 words" in none
    assert "Signs" in (tmp_path / "out" / "index.html").read_text("utf-8")
    arguments = ("--corpus", clean, "--corpus", planted, "--outputs", outputs, "--n", 8, "--out", tmp_path / "out")
    output = run(release, *arguments, status=1)
    assert f"{planted}: [canary] the canary stands in 1 of 3 documents, first in number 1" in output
    assert f"{outputs}: [canary] the canary stands in 1 of 1 documents" in output
    assert "[n-grams] 1 of 20 items are in the corpora: s-0000-a" in output
    figures = json.loads((tmp_path / "out" / "figures.json").read_text("utf-8"))
    assert "model" not in figures  # only what was computed
    first = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    run(release, *arguments, "--quiet", status=1)
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == first


def test_the_canary_of_a_copied_data_file(release: Path, tmp_path: Path) -> None:
    """It stands in the field canary, while documents are the field text."""
    arguments = ("--corpus", release / "data" / "zh.jsonl", "--format", "jsonl", "--out", tmp_path)
    output = run(release, *arguments, status=1)
    assert "the canary stands in 20 of 20 documents, first in number 1" in output
    assert "[n-grams] 20 of 20 items" in output


def test_the_command_on_a_model(release: Path, tmp_path: Path) -> None:
    for name, model in (("reader", reader()), ("stranger", stranger())):
        model._model.save_pretrained(tmp_path / name)
        model._tokenizer.save_pretrained(tmp_path / name)
    arguments = ("--permutations", 19, "--seed", 3, "--out", tmp_path / "out")
    printed = run(release, "--model", tmp_path / "reader", "--reference", tmp_path / "stranger", *arguments, status=1)
    assert "items word for word" in printed
    assert "canary: rank 1 of 20 lines, p = 0.050" in printed
    assert "p = 0.0" in printed.split("against stranger")[0].rsplit("paraphrases", 1)[1]
    page = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert "Oren et al. 2023" in page
    assert "n-grams: no corpus given" in page
    clean = run(release, "--model", tmp_path / "stranger", "--items", 8, *arguments, status=0)
    assert ", no reference" in clean


def test_nothing_to_search(release: Path, tmp_path: Path, refused: Refused) -> None:
    arguments = ["evaluate", "contamination", str(release), "--out", str(tmp_path)]
    refused(lambda: CliRunner().invoke(app, arguments, catch_exceptions=False), "", "contamination")


@pytest.mark.parametrize("option", ["--reference", "--base-url"])
def test_an_option_of_a_model_without_one(option: str, release: Path, tmp_path: Path, refused: Refused) -> None:
    arguments = ["evaluate", "contamination", str(release), "--outputs", "a.jsonl", option, "b", "--out", str(tmp_path)]
    refused(lambda: CliRunner().invoke(app, arguments, catch_exceptions=False), "", "model")


@pytest.mark.parametrize(
    ("row", "form", "field"),
    [
        ({"item": "a", "text": 3, "correct": True}, "disambiguated", "text"),
        ({"item": "a", "text": "b", "correct": "yes"}, "disambiguated", "correct"),
        ({"item": "a", "text": "b"}, "names", "names"),
    ],
)
def test_malformed_paraphrases(row: dict[str, Any], form: Any, field: str, refused: Refused) -> None:
    refused(lambda: probe_texts([], form, [(4, row)], Path("p.jsonl")), "p.jsonl:4", field)


def test_which_rows_are_paraphrases() -> None:
    items = probe_texts([], "names", [(1, {"item": "a", "text": "b", "names": []})], Path("p.jsonl"))
    assert items == []
