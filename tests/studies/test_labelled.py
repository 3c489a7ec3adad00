"""Sentences that raters labelled: what is read of an answer, and the units on which they agree."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.statistics.agreement import mean_kappa, rater_pairs
from pipeline.studies.model.answers import (
    TaskJudgement,
    label_faults,
    labelled_sentence,
    labelled_sentences,
    labelled_units,
)
from pipeline.studies.model.design import Control
from pipeline.studies.model.judgements import Answer, Judgement
from pipeline.studies.model.study import Study, Task
from pipeline.zero_pronouns.agreement import QUESTIONS, UNITS, agreements
from pipeline.zero_pronouns.labels import Sentence, Zero, parse_sentence
from tests.support.agreement import judge

LABELLED = Control("labelled", "labelled", required=False)
STUDY = Study("labelling", "零代词标注", "zh", 1, (LABELLED,), ("news",), "<p>读。</p>", "<View/>")
TEXT = "下雨了，没带伞。"
#: Pronouns with forms that fit them.
LABELS = (("他", "S"), ("她们", "O"), ("我的", "Pa"), ("你们的", "P"), ("它自己", "R"), ("我", "UN"))


def task(text: object = TEXT, item: str = "news-1-002") -> Task:
    data = {"study": STUDY.id, "task": f"labelling/news/{item}", "text": text}
    return Task(f"labelling/news/{item}", "news", 1, "main", (item,), ((),), (None,), data)


def judgement(answer: str | None, rater: str = "r-1", item: str = "news-1-002", *, skipped: bool = False) -> Judgement:
    answers: dict[str, Answer] = {} if answer is None else {"labelled": answer}
    return judge(task(item=item), rater, skipped=skipped, **answers)


def read(answer: str | None, text: object = TEXT) -> Sentence:
    return labelled_sentence(STUDY, task(text), judgement(answer), LABELLED)


def test_a_labelled_sentence_is_read_and_no_answer_means_no_zero() -> None:
    # 下雨了， are four characters.
    assert read(" 下雨了，<他>_S没带伞。\n") == Sentence(TEXT, (Zero(4, "他", "S"),))
    assert read(None) == Sentence(TEXT)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (TEXT, r"^\[labelled\] no label; found the sentence as it was"),
        ("下雨了，<他>没带伞。", r"^\[labelled\] malformed label; \[label\] no form; found '<他>'"),
        ("下雨了，他<他>_S没带伞。", r"^\[labelled\] the sentence was changed; found '下雨了，他没带伞。'"),
        ("下雨了，<他>_S没带\n伞。", r"^\[labelled\] the sentence was changed"),
        ("", r"^\[labelled\] the sentence was changed; found ''"),
    ],
)
def test_a_malformed_answer_has_its_reason(answer: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read(answer)


def test_a_task_without_a_text_is_a_fault() -> None:
    with pytest.raises(ValueError, match=r"^\[labelled\] no text to label; found 7"):
        read("<他>_S", 7)


@given(data=st.data(), text=st.text("下雨了，没带伞。 3", min_size=1).map(str.strip).filter(bool))
def test_every_sentence_with_labels_is_read_as_written(data: st.DataObject, text: str) -> None:
    zero = st.builds(lambda place, label: Zero(place, *label), st.integers(0, len(text)), st.sampled_from(LABELS))
    zeros = data.draw(st.lists(zero, min_size=1, max_size=4))
    sentence = Sentence(text, tuple(sorted(zeros, key=lambda zero: zero.place)))
    assert labelled_sentence(STUDY, task(text), judgement(sentence.labelled), LABELLED) == sentence


def test_faults_name_the_item_and_skipped_tasks_have_none() -> None:
    wrong = judgement("下雨。")
    assert [line.split(" ")[0:2] for line in label_faults(STUDY, task(), [wrong])] == [["news-1-002:", "[labelled]"]]
    assert label_faults(STUDY, task(), [judgement(None, skipped=True), judgement(None)]) == []


def test_malformed_answers_are_listed_and_the_others_kept() -> None:
    rows = [
        TaskJudgement(judgement(answer, rater), task(), 0)
        for rater, answer in (("r-1", "下雨了，<他>_S没带伞。"), ("r-2", "下雨了，<他>没带伞。"), ("r-3", None))
    ]
    sentences, faults = labelled_sentences(STUDY, rows, LABELLED)
    assert {rater: sentence.labelled for rater, sentence in sentences["news-1-002"].items()} == {
        "r-1": "下雨了，<他>_S没带伞。",
        "r-3": TEXT,
    }
    (fault,) = faults
    assert fault.startswith("labelling/news/news-1-002: news-1-002: r-2: [labelled] malformed label; ")


def labelled(*sentences: str) -> dict[str, Sentence]:
    return {f"r-{number}": parse_sentence(sentence)[0] for number, sentence in enumerate(sentences, 1)}


def test_units_are_those_of_zp_agree() -> None:
    """Two raters who both labelled all sentences have the kappas of `zp agree`; a sentence of one rater has no units."""
    sentences = {
        "news-1-002": labelled("下雨了，<他>_S没带伞。", "下雨了，<她>_S没带伞。"),
        "news-1-003": labelled("<我>_S走了。", "<我>_S走了。"),
        "news-2-005": labelled("好。", "好。"),
    }
    ratings = [
        [tuple(sentences[item].values()) for item in group] for group in (["news-1-002", "news-1-003"], ["news-2-005"])
    ]
    expected = {
        (entry.unit, entry.question): (entry.units, entry.kappa) for entry in agreements(ratings, seed=0, resamples=2)
    }
    alone = {**sentences, "news-2-006": labelled("<他>_S来了。")}
    for unit in UNITS:
        for question in QUESTIONS:
            table = labelled_units(alone, unit, question)
            assert (len(table), mean_kappa(rater_pairs(list(table.values())))) == expected[unit, question]
    # By character: 9 + 4 + 3 positions. Labels differ at one: 15 of 16 agree. Chance: none 14/16 · 14/16 + 我 1/16 · 1/16 = 197/256.
    kappa = mean_kappa(rater_pairs(list(labelled_units(sentences, "characters", "labels").values())))
    assert kappa == pytest.approx((240 - 197) / (256 - 197))


def test_an_item_that_a_rater_met_twice_counts_once() -> None:
    first = TaskJudgement(judgement(None), task(), 0)
    again = replace(first, judgement=judgement("下雨了，<他>_S没带伞。"))
    sentences, _ = labelled_sentences(STUDY, [first, again], LABELLED)
    assert len(sentences["news-1-002"]) == 1
