"""Prompts: the paper's words, examples that no release holds, solutions balanced over A and B, mistakes in their files."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.rules import RULES
from pipeline.core.yamlfile import load_yaml
from pipeline.evaluation import prompts as examples
from pipeline.evaluation.items import ReleasedItem
from pipeline.evaluation.predictions import FORMS, ORDERS
from pipeline.evaluation.prompts import ALL_MODES, Shown, prompt, variants
from pipeline.language.pronouns import pronoun_table
from pipeline.winograd.readers.schema_yaml import read_schema_yaml
from pipeline.winopron.instances import read_templates
from tests.support.items import marked
from tests.test_rules_folder import broken
from tools.overlap import MIN_WORDS, RUN, SHARE, Passage, shared_runs, shared_words

ROOT = RULES.parent
DEMONSTRATIONS = ROOT / "raw" / "evaluation" / "demonstrations.yaml"


def released(text: str, *, zero: bool = True, **fields: Any) -> ReleasedItem:
    """Return an item whose target is in 【】, with its zero form unless it shall have none."""
    item = marked(text, **{"candidates": ("李婶", "王婶")} | fields)
    dropped = f"{item.text[: item.target.start]}Ø{item.text[item.target.end :]}"
    return ReleasedItem(item, dropped if zero else "", {})


ITEM = released("李婶给王婶送去一坛咸菜，因为【她】腌得太多了。", question="谁腌得太多了？")


def test_a_prompt_has_the_lines_of_the_paper() -> None:
    """WSC-ZA, Appendix B, zero-shot and one-shot; the sentence ends with its question."""
    head, sentence = (
        "You are a coreference resolution expert.\n",
        "李婶给王婶送去一坛咸菜，因为Ø腌得太多了。谁腌得太多了？",
    )
    target = f"Sentence: {sentence}\nOptions:\nA. 李婶\nB. 王婶\n"
    end = "Answer only with the following format:\nAnswer: A or B"
    who = "Determine who the zero pronoun (Ø) refers to in the following sentence.\n"
    assert prompt(ITEM, Shown("zero-shot", "zero", "written")) == f"{head}{who}{target}{end}"
    shown = prompt(ITEM, Shown("one-shot", "zero", "written"), 1)
    first = f"{head}First, see one labeled example. Then resolve the target sentence.\n[One-shot Example]\nSentence: "
    assert shown.startswith(first)
    assert shown.endswith(f"\nA. 刘主任\nB. 小郑\nCorrect Answer: B. 小郑\n[Target Item]\n{target}{end}")
    few = prompt(ITEM, Shown("few-shot", "zero", "written"))
    assert [line for line in few.splitlines() if line.startswith(("[", "Answer: "))] == [
        *("[Example 1]", "Answer: A. 台灯", "[Example 2]", "Answer: B. 客队", "[Example 3]", "Answer: A. 刘主任"),
        *("[Target Item]", "Answer: A or B"),
    ]


def test_a_model_that_goes_on_with_texts_gets_the_beginning_of_an_answer() -> None:
    """In place of the format, which it would copy."""
    asked, begun = (prompt(ITEM, Shown("few-shot", "zero", "written"), cue=cue) for cue in (False, True))
    assert asked == begun.removesuffix("Answer:") + "Answer only with the following format:\nAnswer: A or B"
    assert prompt(ITEM, Shown("zero-shot-zh", "zero", "written"), cue=True).endswith("B. 王婶\n答案：")


def test_forms_orders_and_baselines_show_what_they_should() -> None:
    overt = prompt(ITEM, Shown("zero-shot-zh", "overt", "swapped"))
    assert "代词“她”的指代对象" in overt
    assert "因为她腌得太多了。谁腌得太多了？" in overt
    assert "A. 王婶\nB. 李婶" in overt
    clause = prompt(ITEM, Shown("clause-only", "zero", "written"))
    assert "因为Ø腌得太多了。" in clause
    assert "咸菜" not in clause
    names = prompt(ITEM, Shown("candidates-only", "zero", "written"))
    assert "谁腌得太多了？" in names
    assert "Ø" not in names
    for mode in ALL_MODES:
        text = prompt(ITEM, Shown(mode, "overt", "written"))
        assert "Ø" not in text, mode
        assert text.isascii() is False
        assert ("You are" in text) != mode.endswith("-zh")


def test_the_examples_of_a_release_are_balanced_and_the_same_for_a_pair() -> None:
    release = [
        released(
            f"李婶给王婶送去一坛咸菜，因为【她】腌了{n}坛。", name=f"s-{n}-{member}", question="谁？", answer=answer
        )
        for n in range(6)
        for answer, member in enumerate("ab")
    ]
    of = variants(release)
    for mode in ("one-shot", "few-shot"):
        for form in FORMS:
            for order in ORDERS:
                solutions: Counter[str] = Counter()
                for entry in release:
                    text = prompt(entry, Shown(mode, form, order), of[entry.cluster])
                    solutions.update(line.split(": ")[1][0] for line in text.splitlines()[:-1] if "Answer: " in line)
                assert solutions["A"] == solutions["B"] > 0
    written, swapped = (prompt(release[0], Shown("few-shot", "zero", order)) for order in ORDERS)
    letters = [
        [line[8] for line in text.splitlines()[:-1] if line.startswith("Answer: ")] for text in (written, swapped)
    ]
    assert letters == [["A", "B", "A"], ["B", "A", "B"]]
    assert (
        prompt(release[0], Shown("few-shot", "zero", "written"), 0).split("[Target")[0]
        == prompt(release[1], Shown("few-shot", "zero", "written"), of[release[1].cluster]).split("[Target")[0]
    )


def test_no_example_is_near_a_sentence_of_ours() -> None:
    schemas = ROOT / "raw" / "zh" / "schemas.yaml"
    ours = [Passage(draft.id, draft.text) for draft in read_schema_yaml(schemas.read_bytes(), schemas, None)]
    members = {
        lang: [Passage(entry.item.id, entry.item.text) for pair in pairs for entry in pair]
        for lang, pairs in examples.demonstrations().items()
    }
    assert shared_runs(members["zh"], ours, RUN - 3) == []
    path = ROOT / "raw" / "en" / "templates.yaml"
    english = [Passage(str(template.line), template.double) for template in read_templates(path, pronoun_table("en"))]
    assert shared_words(members["en"], english, SHARE, MIN_WORDS) == []


@pytest.mark.parametrize(
    ("entry", "shown_as", "message"),
    [
        (ITEM, Shown("five-shot", "zero", "written"), r"\[mode\] unknown mode; found 'five-shot'"),
        (
            released("因为【她】病了。", zero=False),
            Shown("zero-shot", "zero", "written"),
            r"\[form\] .* has no zero",
        ),
        (released("因为【】病了。"), Shown("zero-shot", "overt", "written"), r"\[form\] .* has no overt pronoun"),
        (
            released("因为【她】病了。"),
            Shown("candidates-only", "overt", "written"),
            r"\[mode\] candidates-only needs questions",
        ),
        (
            released("Er sagt, 【er】 kommt.", lang="de"),
            Shown("one-shot", "overt", "written"),
            r"\[mode\] no examples in 'de' for one-shot; expected a release in en or zh",
        ),
    ],
)
def test_what_cannot_be_shown_is_refused(entry: ReleasedItem, shown_as: Shown, message: str) -> None:
    with pytest.raises(PipelineError, match=message):
        prompt(entry, shown_as)


@pytest.fixture
def demonstrations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file that is read in place of the demonstrations; their templates are tried with the other tables of rules/."""
    path = tmp_path / DEMONSTRATIONS.name
    monkeypatch.setattr(examples, "FILE", path)
    return path


def test_a_field_of_another_kind_is_told_with_its_line(demonstrations: Path) -> None:
    first, *others = json.loads(json.dumps(load_yaml(DEMONSTRATIONS)))
    for mistake, damaged in broken(first):
        demonstrations.write_text(json.dumps([damaged, *others], ensure_ascii=False), encoding="utf-8")
        with pytest.raises(PipelineError) as caught:
            examples.demonstrations.__wrapped__()
            pytest.fail(f"{mistake} is taken")
        assert (caught.value.path, caught.value.line) == (demonstrations, 1), mistake


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("原来[它]", "原来它", "[text] found 0 targets in brackets, expected one"),
        ("原来[它]", "[原来]它]", "[text] unbalanced"),
        ("{灯泡早就烧坏了|自己都没插电}。", "灯泡坏了。", "[text] members alike; found"),
        ("{灯泡早就烧坏了|自己都没插电}。", "{灯泡坏了。", "[text] unclosed brace"),
        ("answers: [台灯, 插线板]", "answers: [插线板, 台灯]", "[answers] found ['插线板', '台灯'], expected"),
        ("candidates: [台灯, 插线板]", "candidates: [台灯, 插线板, 灯泡]", "[zh.candidates] wrong value; found"),
        ("接上插线板", "接上插座", "[text] no mention before the target; expected '插线板' there"),
        ("id: match", "id: lamp", "[id] not unique; found 'lamp'"),
    ],
)
def test_a_mistake_is_told_in_its_words(before: str, after: str, reason: str, demonstrations: Path) -> None:
    text = DEMONSTRATIONS.read_text(encoding="utf-8")
    assert before in text
    demonstrations.write_text(text.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(PipelineError) as caught:
        examples.demonstrations.__wrapped__()
    assert caught.value.reason.startswith(reason)
    assert caught.value.line is not None


def test_three_examples_are_expected(demonstrations: Path) -> None:
    for text in ("{}", "[1, 2]", "[1, 2, 3]"):
        demonstrations.write_text(text, encoding="utf-8")
        with pytest.raises(PipelineError, match=":1:"):
            examples.demonstrations.__wrapped__()
