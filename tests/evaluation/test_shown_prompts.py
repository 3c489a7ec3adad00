"""Prompts on the page: what they share is stored once, and nothing is lost."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.predictions import Response, Run
from pipeline.evaluation.report import page as module
from pipeline.evaluation.report.page import Prompts, shared_prompts
from pipeline.language.answers.choice import ParsedAnswer


def run(order: str = "written", model: str = "m") -> Run:
    return Run(model, "x", "zero", order)  # type: ignore[arg-type]  # an order from the tests


def responses(**prompts: str) -> dict[str, Response]:
    return {item: Response("A", ParsedAnswer("letter", 0), True, text) for item, text in prompts.items()}


def whole(prompts: Prompts, item: str) -> list[str]:
    return [
        prompts.frames[prompt.frame].before + prompt.part + prompts.frames[prompt.frame].after
        for prompt in prompts.of_item[item]
    ]


@given(
    st.dictionaries(st.sampled_from("abc"), st.text("xyz", min_size=1, max_size=6), min_size=1),
    st.text("xy", max_size=3),
)
def test_frame_and_part_make_the_prompt(texts: dict[str, str], shared: str) -> None:
    texts = {item: shared + text + shared for item, text in texts.items()}
    prompts = shared_prompts({run(): responses(**texts)}, list(texts))
    assert {item: whole(prompts, item) for item in texts} == {item: [text] for item, text in texts.items()}
    assert prompts.characters == sum(map(len, texts.values()))


def test_runs_with_the_same_prompts_share_them() -> None:
    same = responses(a="句子：甲打乙。答案：", b="句子：乙打甲。答案：")
    swapped = responses(a="Sentence: 甲打乙。", b="Sentence: 乙打甲。")
    prompts = shared_prompts({run(): same, run(model="n"): same, run("swapped"): swapped}, ["a", "b"])
    assert [(frame.before, frame.after, len(frame.runs)) for frame in prompts.frames] == [
        ("句子：", "。答案：", 2), ("Sentence: ", "。", 1),
    ]  # fmt: skip
    assert [(prompt.part, len(prompt.runs)) for prompt in prompts.of_item["a"]] == [("甲打乙", 2), ("甲打乙", 1)]
    # six prompts: 10 characters four times, 14 twice; stored 12 of parts, 3 + 4 and 10 + 1 of frames
    assert (prompts.count, prompts.characters, prompts.stored) == (6, 4 * 10 + 2 * 14, 12 + 7 + 11)


def test_two_sets_of_examples_are_two_frames() -> None:
    examples = ("例一：" + "甲" * 50, "例二：" + "乙" * 50)
    texts = {f"{number}": f"指示。{examples[number % 2]}句子{number * 7}。答案：" for number in range(12)}
    prompts = shared_prompts({run(): responses(**texts)}, list(texts))
    assert {item: whole(prompts, item) for item in texts} == {item: [text] for item, text in texts.items()}
    assert [frame.before.count("句子") for frame in prompts.frames] == [1, 1]
    assert prompts.stored < 2 * 70 + 12 * 2 + 10


def test_the_page_stays_small(monkeypatch) -> None:  # type: ignore[no-untyped-def]  # a fixture
    monkeypatch.setattr(module, "MAX_TOTAL", 25)
    texts = {"a": "x" * 10, "b": "y" * 10, "c": "z" * 10}
    prompts = shared_prompts({run(): responses(**texts)}, ["c", "a", "b"])
    assert (list(prompts.of_item), prompts.omitted) == (["c", "a"], 1)
    long = shared_prompts({run(): responses(a="1" * 9000, b="2" * 9000)}, ["a", "b"])
    assert long.of_item == {}
    monkeypatch.setattr(module, "MAX_TOTAL", 10**6)
    long = shared_prompts({run(): responses(a="1" * 9000, b="2" * 9000)}, ["a", "b"])
    assert [len(prompt.part) for prompt in long.of_item["a"]] == [module.MAX_PART + 1]
