"""Free-text answers: what systems write instead of `Answer: A`, and what each means."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.language.answers.choice import CHOSEN, MAX_ANSWER, OUTCOMES, ParsedAnswer, parse_answer
from tests.support.hanging import stopped_when_hanging

ZH, EN = ("老生", "新生"), ("technician", "customer")
#: Answers on (老生, 新生), by what they are.
CHINESE = {
    "letter 0": [
        "A", "Ａ", "a", "(A)", "（Ａ）", "[A]", "A.", "A。", "A、老生", "A. 老生", "Ａ．老生", "A：老生", "A 老生", "A老生",
        "答案：A", "答案:Ａ。", "答案是A", "答案为 A。", "正确答案：（A）", "Answer: A", "answer：a", "**Answer:** A", "Answer: \\boxed{A}",
        "Answer: A. 老生", "Correct Answer: A", "The answer is A.", "选A", "我选择A。", "选项A", "应该是A，因为老生欺负了新生。",
        "A\n\n因为老生欺负新生，所以B不对。", "A. 老生\nB. 新生\n答案：A", "不是B，是A。", "Answer: A or B\nAnswer: A",
        "<think>先看B。</think>A", "B 是新生……\n最终答案：A", "答案：A，而不是B。", "无法完全确定，但A更可能。", "抱歉让您久等，答案：A",
        "A（老生）", "A\n\nSentence: 别的句子\nAnswer: B", "Answer: A. 老生\n\n[Target Item]\nA. 甲\nB. 乙\nAnswer: B. 乙",
        "先想一想：\nA. 老生\nB. 新生\n最终答案：A", "A. 老生\nB. 新生\nA", "Ø指的是A。", "Answer：A。理由：B是新生。", "「A」",
        "B是错的，A是对的", "答案：A不是B", "答案是A：老生。B是新生，B被欺负。", "A：老生，而不是B：新生", "老生（A）",
        "A <think>B?</think>",
    ],
    "letter 1": ["B", "Ｂ", "答案：Ｂ", "B. 新生", "Answer: B", "选项：B", "我认为是B。", "A. 老生\nB. 新生\n\nAnswer: B. 新生",
        "A不对，B对", "A错，B对", "A是错的，B是对的", "A不合适，所以选B。", "A：老生，B：新生。选B",
        "选项A是老生，选项B是新生，答案应为B", "我看A。</think>\n\nB", "<think>A？</Thinking>B", "A <think>A</think> A </reasoning>\nB",
    ],
    "name 0": [
        "老生", "老生。", "老生\n\n句子：另一句。答案：新生", "“老生”", "Ø指的是老生。", "是老生，因为新生受了欺负。",
        "老生，因为新生受了欺负。", "答案：老生",
        "不是新生，是老生", "不是新生，而是老生。", "A. 老生\nB. 新生\n老生", "Answer: 老生",
    ],
    "name 1": ["新生", "新生受了欺负，得到帮助。", "答案是新生。", "我觉得是新生吧"],
    "both": ["A和B", "A或B", "Answer: A or B", "A/B", "两者都有可能", "A和B都可以", "both", "老生和新生", "A, B", "AB都对",
             # Options repeated and nothing else, wherever the maximum length cut them off.
             "A. 老生\nB. 新生", "A. 老生\nB. 新", "A. 老生\nB.", "A. 老生\nB. 新生\nA. 老", "A. 老生\nB. 新生\nA. 老生\nB. 新",
             "A. 老生\nB. 新生\nA. 老生\nB.", "A. 老生 B. 新生"],
    "neither": ["都不是", "A和B都不是", "无法确定", "无法判断是A还是B。", "neither", "None of the above", "以上皆非",
                "不确定是老生还是新生"],
    "contradiction": ["A. 新生", "答案：B（老生）", "A：新生", "Answer: B. 老生", "老生（B）", "Option 1: 新生", "选项1：新生",
        "第一个：新生", "Answer: Option 2 (老生)"],
    "refusal": ["抱歉，我无法回答这个问题。", "作为一个AI语言模型，我没有观点。", "I'm sorry, I can't help with that.",
                "对不起，老生的事我不能回答。"],
    "unclear": ["C", "。", "得到了我们的帮助", "？？？", "42", "是他", "Answer:", "C. 我们"],
    "empty": ["", "  \n", "**", "<think>A还是B", "　"],
}  # fmt: skip
#: Answers on (technician, customer).
ENGLISH = {
    "letter 0": [
        "A", "A) technician", "Option A", "The correct answer is A: the technician.", "A because he left it", "Answer: (a)", "a.",
        "A\nB is wrong.", "A is right, not B.", "It isn't B; A.", "It isn’t B; A.", "'A'",
    ],
    "letter 1": [
        "A is wrong, B is correct", "A is not correct; B is.", "A is the technician; B is the customer. He refers to B.",
        "A isn't right. B.",
    ],
    "name 0": [
        "technician", "The technician.", "A technician", "the technician, not the customer", "It refers to the technician.",
        "Technician", "\"he\" is the technician rather than the customer",
    ],
    "name 1": ["customer", "It must be the customer", "not the technician but the customer"],
    "both": ["Either the technician or the customer", "A: technician, B: customer. Both are possible.", "both of them", "A and B"],
    "neither": ["N/A", "Answer: N/A.", "#N/A", "N/A (no answer)", "n.a.",
        "It is ambiguous.", "neither the technician nor the customer", "The referent cannot be determined."],
    "contradiction": ["A. customer", "Answer: B) the technician", "the technician (B)"],
    "refusal": ["I'm sorry, but I cannot say whether the technician did."],
    "unclear": ["N/B", "a person", "the technicians", "subcustomers", "A man"],
}  # fmt: skip


@pytest.mark.parametrize(("candidates", "table"), [(ZH, CHINESE), (EN, ENGLISH)], ids=["zh", "en"])
def test_answers_by_hand(candidates: tuple[str, str], table: dict[str, list[str]]) -> None:
    wrong = []
    for expected, answers in table.items():
        outcome, _, choice = expected.partition(" ")
        for answer in answers:
            parsed = parse_answer(answer, candidates)
            if parsed != ParsedAnswer(outcome, int(choice) if choice else None):  # type: ignore[arg-type]  # a word of OUTCOMES
                wrong.append((answer, parsed, expected))
    assert wrong == []
    assert {expected.split(" ")[0] for expected in (*CHINESE, *ENGLISH)} == set(OUTCOMES)


@pytest.mark.parametrize("name", ["first", "second", "third", "fourth", "fifth", "sixth"])
def test_answers_in_the_styles_of_sixteen_families_of_models(name: str) -> None:
    """Each set was written before the parser had read it; `expected` is the choice that a person reads, null without one.

    The fifth has shapes of rhetoric, the sixth prose that tells, denies, doubts and takes back: there an answer may stay unread, but is
    never read as another option.
    """
    text = (Path(__file__).parent.parent / "cases" / "answers" / f"{name}.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    choices = [(row["expected"], parse_answer(row["answer"], row["candidates"]).choice) for row in rows]
    assert len(rows) >= 100
    assert sum(expected == choice for expected, choice in choices) / len(rows) >= {"fifth": 0.95, "sixth": 0.75}.get(
        name, 0.99
    )
    assert not [pair for pair in choices if None not in pair and pair[0] != pair[1]]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("新生不可能打败老生，老生可以打败新生，所以选B", 1),
        ("A. 老生可能会欺负新生；B. 新生不可能欺负老生。所以选B。", 1),
        ("A：老生可能需要帮助。\nB：新生不可能需要帮助。\n答案：B", 1),
        ("A选项说老生需要帮助，但新生才是被欺负的，所以选B。", 1),
        ("新生不对老生发火，老生很可能生气，因此是新生。", 1),
        ("A. 老生 ❌\nB. 新生 ✅", 1),
        ("A. 老生 ❌ B. 新生 ✅", 1),
        ("✅ B\n❌ A", 1),
        ("✅ 老生\n❌ 新生", 0),
        ("A. 老生 (probability 0.2)\nB. 新生 (probability 0.8)", 1),
        ("A (confidence: 0.3), B (confidence: 0.7)", 1),
        ("A - 0.7\nB - 0.3", 0),
        ("老生（置信度：0.2）\n新生（置信度：0.8）", 1),
        ("A: 3/10\nB: 7/10", 1),
        ("A seems plausible, but on reflection B", 1),
        ("老生可以打败新生，新生不能。", None),
        ("新生不如老生熟悉环境，所以指代新生。", 1),
        ("如果是主语，选A；如果是宾语，选B。", None),
        ("选A还是选B？", None),
    ],
)
def test_what_a_text_concludes_goes_before_what_it_says_of_each_option(answer: str, expected: int | None) -> None:
    assert parse_answer(answer, ZH).choice == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The trophy is more bulky than the suitcase, so it is the suitcase that is too small.", 1),
        ("The suitcase is less big than the trophy, so it is the suitcase.", 1),
        ("The trophy wasn't as light as the suitcase: the trophy.", 0),
        ("Does the trophy fit? No. The trophy is too big.", 0),
        ("The suitcase is less plausible than the trophy.", 0),
        ("The suitcase is a better fit than the trophy.", 1),
        ("I do not think B is better than A.", None),
        ("I doubt that A is more plausible than B.", None),
        ("A is not better than B.", None),
        ("Ist A besser als B? Nein, B.", 1),
        ("Die Antwort A passt schlechter als B.", 1),
        ("I prefer A to B.", 0),
        ("It would be a mistake to choose B.", 0),
        ("Is it A? No doubt: A.", 0),
        ("A比B差。", 1),
        ("很多人会误选A。", 1),
    ],
)
def test_a_comparison_counts_where_it_judges_options_as_answers(answer: str, expected: int | None) -> None:
    assert parse_answer(answer, ("the trophy", "the suitcase")).choice in {expected, None}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("It refers to the trophy, since otherwise the sentence doesn't work.", 0),
        ("The suitcase doesn't fit because it is too big.", 1),
        ("The trophy was forced into the suitcase, so A.", 0),
        ("It's the suitcase that was wrongly blamed.", 1),
        ("Without a doubt, the trophy.", 0),
        ("There is little doubt it is the suitcase.", 1),
        ("A is the subject of the sentence and thus the antecedent.", 0),
        ("The suitcase, because the trophy would not take the suitcase.", 1),
        ("I doubt it is the trophy.", None),
        ("The trophy sounds forced.", None),
        ("“他”指老生，因为老生觉得自己的话很可笑。", 0),
        ("我选老生，因为他觉得不合适就拒绝了。", 0),
        ("“他”指新生，否则句子说不通。", 1),
        ("虽然可能有人怀疑，但上下文支持的是新生。", 1),
        ("新生，因为老生不相信新生。", 1),
        ("老生的机会小，所以他着急。", 0),
        ("老生勉强答应了新生的请求，所以他指老生。", 0),
        ("Es ist der Techniker, der die Jacke vergessen hat.", 0),
        ("Gemeint ist der Kunde, weil er seine Jacke vergessen hatte.", 1),
    ],
)
def test_a_word_of_doubt_that_the_text_tells_is_no_doubt_of_the_answer(answer: str, expected: int | None) -> None:
    options = (ZH, ("der Techniker", "der Kunde"))
    candidates = next(
        (names for names in options if any(name in answer for name in names)), ("the trophy", "the suitcase")
    )
    assert parse_answer(answer, candidates).choice == expected


def test_a_part_of_a_latin_name_is_no_name() -> None:
    assert parse_answer("ring", ("the string", "the bow")) == ParsedAnswer("unclear")
    assert parse_answer("schoolbus", ("the truck", "the school bus")) == ParsedAnswer("name", 1)


def test_swapped_options_change_letters_and_no_names() -> None:
    assert parse_answer("A", ZH, swapped=True) == ParsedAnswer("letter", 1)
    assert parse_answer("A. 新生", ZH, swapped=True) == ParsedAnswer("letter", 1)
    assert parse_answer("A. 老生", ZH, swapped=True) == ParsedAnswer("contradiction")
    assert parse_answer("老生", ZH, swapped=True) == ParsedAnswer("name", 0)


def test_a_name_inside_another_does_not_count() -> None:
    assert parse_answer("大妹妹。", ("妹妹", "大妹妹")) == ParsedAnswer("name", 1)
    assert parse_answer("妹妹", ("妹妹", "大妹妹")) == ParsedAnswer("name", 0)


def test_three_candidates_have_three_letters() -> None:
    assert parse_answer("C", ("甲", "乙", "丙")) == ParsedAnswer("letter", 2)
    assert parse_answer("C", ("甲", "乙", "丙"), swapped=True) == ParsedAnswer("letter", 0)


@pytest.mark.parametrize(
    "part",
    ["A ", "老生", "不是", "<think>", "答案：", "(", " ", "A.老生\n", "not ", "A和", "A,B", "**", "answer is ", "A:老生", "A:老生,B:新生",
     "A = ", "A < B ", "~~A~~", "❌ "],
)  # fmt: skip
def test_a_long_answer_is_read_to_its_end(part: str) -> None:
    with stopped_when_hanging():
        first = parse_answer("x" + part * (MAX_ANSWER // len(part)), ZH)
        second = parse_answer(part * (MAX_ANSWER // len(part)) + "x", EN)
    assert {first.outcome, second.outcome} <= set(OUTCOMES)


@given(st.text(alphabet="AＡaBbC老生新答案：:.。、,或和是不（）() \northetcsanw", max_size=40), st.booleans())
def test_any_text_has_one_outcome(text: str, swapped: bool) -> None:
    parsed = parse_answer(text, ZH, swapped=swapped)
    assert (parsed.choice is not None) == (parsed.outcome in CHOSEN)
    assert parsed.choice in (None, 0, 1)


@given(st.sampled_from([answer for answers in CHINESE.values() for answer in answers]))
def test_exchanged_candidates_and_order_agree(answer: str) -> None:
    """The candidates in reverse, shown in reverse, are the same options."""
    parsed, other = parse_answer(answer, ZH), parse_answer(answer, ZH[::-1], swapped=True)
    assert parsed.outcome == other.outcome
    assert (parsed.choice is None) == (other.choice is None)
    if parsed.choice is not None and other.choice is not None:
        assert ZH[parsed.choice] == ZH[::-1][other.choice]
