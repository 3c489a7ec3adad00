"""Contamination that is planted is found, and none is found without it."""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.convert import to_object
from pipeline.core.files import write_jsonl
from pipeline.evaluation.contamination.search import all_grams, gram_figures, grams_of, search_documents
from pipeline.evaluation.items import ReleasedItem
from tests.conftest import Refused
from tests.support.commands import printed
from tests.support.items import marked

LETTERS = "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏"
CANARY = "Not for training: 6a898382-edbe-42e1-b1ed-4f477147875a"


def released(item_id: str, text: str, zero: str = "") -> ReleasedItem:
    return ReleasedItem(marked(text, item_id, candidates=("甲", "乙")), zero, {})


def made_up(seed: int, schemas: int = 10) -> list[ReleasedItem]:
    """Return pairs of texts of random characters."""
    random, items = Random(seed), []
    for schema in range(schemas):
        frame = "".join(random.choices(LETTERS, k=6))
        for version in "ab":
            end = "".join(random.choices(LETTERS, k=6))
            items.append(released(f"s-{schema:04}-{version}", f"{frame}【他】{end}。", f"{frame}Ø{end}。"))
    return items


ITEMS = made_up(1)


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
    texts = [released("s-a", "天地，玄黄宇【宙】。"), released("s-b", "【日】。"), released("t-a", "月【日】", "地玄")]
    searched = search_documents(["天地 玄。x黄宇"], "", all_grams(texts, 2), 2)
    figures = gram_figures(texts, searched.grams, 2)
    assert figures.items == {"s-a": 3 / 5, "t-a": 1.0}  # t-a: in its other form
    assert (figures.short, figures.mean, figures.found) == (1, 0.8, ["t-a"])


def test_a_corpus_with_the_items_in_it() -> None:
    planted = [f"某页：{entry.item.text}（完）" for entry in ITEMS[:4]]
    other = [entry.item.text for entry in made_up(2)]
    grams = all_grams(ITEMS, 8)
    for documents, expected in ((planted + other, [entry.item.id for entry in ITEMS[:4]]), (other, [])):
        figures = gram_figures(ITEMS, search_documents(documents, "", grams, 8).grams, 8)
        assert figures.found == expected
    assert figures.mean == 0


def test_chinese_has_no_n_grams_of_words() -> None:
    english = "The customer called the technician back because 【he】 had left a toolbox behind the door."
    assert gram_figures([*ITEMS, released("e-a", english)], [], 13).with_n_grams_of_words == 1


@given(st.text("天地玄黄，。 ab", max_size=20), st.integers(1, 6), st.text("天地，", max_size=5))
@settings(max_examples=50)
def test_what_is_in_a_document_is_found_whole(text: str, n: int, around: str) -> None:
    grams = grams_of(text, n)
    assert search_documents([around + text + around], "", grams, n).grams == grams


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("releases") / "zh"
    (folder / "data").mkdir(parents=True)
    rows = [to_object(entry.item) | {"text_zero": entry.text_zero, "canary": CANARY} for entry in ITEMS]
    write_jsonl(folder / "data" / "zh.jsonl", rows)
    (folder / "README.md").write_text("# winoforge zh\n", encoding="utf-8")
    (folder / "croissant.json").write_text(json.dumps({"disambiguatingDescription": CANARY}), encoding="utf-8")
    return folder


def run(*arguments: object, status: int) -> str:
    return printed("evaluate", "contamination", *arguments, status=status)


def test_the_command_on_documents(release: Path, tmp_path: Path) -> None:
    clean, planted, outputs = (tmp_path / name for name in ("clean.txt", "planted.txt", "responses.jsonl"))
    clean.write_text("\n".join(entry.item.text for entry in made_up(2)), encoding="utf-8")
    planted.write_text(f"{CANARY}\n<script>alert(1)</script>\n{ITEMS[0].item.text}\n", encoding="utf-8")
    outputs.write_text(json.dumps({"id": "a", "answer": f"… {CANARY}"}) + "\n", encoding="utf-8")
    none = run(release, "--corpus", clean, "--n", 8, "--out", tmp_path / "out", status=0)
    assert "0 of 20 items found, 0 too short; cut at blanks, 0 items have 13 words" in none
    assert "No sign was found" in (tmp_path / "out" / "index.html").read_text("utf-8")
    arguments = ("--corpus", clean, "--corpus", planted, "--outputs", outputs, "--n", 8, "--out", tmp_path / "out")
    output = run(release, *arguments, status=1)
    assert f"{planted}: [canary] the canary stands in 1 of 3 documents, first in number 1" in output
    assert f"{outputs}: [canary] the canary stands in 1 of 1 documents" in output
    assert "[n-grams] 1 of 20 items are in the corpora: s-0000-a" in output
    figures = json.loads((tmp_path / "out" / "figures.json").read_text("utf-8"))
    assert list(figures) == ["release", "items", "canary", "corpora", "n_grams", "outputs", "not_computed"]
    first = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    run(release, *arguments, "--quiet", status=1)
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == first


def test_the_canary_of_a_copied_data_file(release: Path, tmp_path: Path) -> None:
    """It stands in the field canary, while documents are the field text."""
    arguments = ("--corpus", release / "data" / "zh.jsonl", "--format", "jsonl", "--out", tmp_path)
    output = run(release, *arguments, status=1)
    assert "the canary stands in 20 of 20 documents, first in number 1" in output
    assert "[n-grams] 20 of 20 items" in output


def test_nothing_to_search(release: Path, tmp_path: Path, refused: Refused) -> None:
    refused(lambda: run(release, "--out", tmp_path, status=2), "", "contamination")
