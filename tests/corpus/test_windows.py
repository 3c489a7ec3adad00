"""Windows are counted exactly: by hand, and against a naive reference on random documents."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.corpus.counting.counts import Counts, counts_to_rows
from pipeline.corpus.counting.script import simplify
from pipeline.corpus.counting.segmenters import BACKENDS, Backend
from pipeline.corpus.counting.terms import CODES, TermQuery
from pipeline.corpus.counting.windows import STOPS, Occurrences, alphanumeric, count_windows, occurrences, windows_of
from tests.support.corpus import count_windows_plainly

NAMES = list("abcdefghij")


def found_in(documents: list[list[str]], names: list[str]) -> Occurrences:
    """Return the occurrences in documents of words, where a hyphen stands for a word that is no term."""
    places = [
        (document, at, names.index(word))
        for document, words in enumerate(documents)
        for at, word in enumerate(words)
        if word in names
    ]
    lengths = np.array([len(words) for words in documents], dtype=np.int64)
    return Occurrences(lengths, *np.array(places, dtype=np.int64).reshape(-1, 3).T)


def test_by_hand() -> None:
    # windows of 3 over a - b - - a: (a-b) (-b-) (b--) (--a)
    counts = count_windows(found_in([list("a-b--a")], NAMES), NAMES, 3)
    assert counts == Counts(4, Counter(a=2, b=3), Counter({("a", "b"): 1}))
    # a document shorter than the window is one window, an empty one none; windows do not cross from one to the next
    both = count_windows(found_in([list("ab"), [], list("--a")], NAMES), NAMES, 3)
    assert both == Counts(2, Counter(a=2, b=1), Counter({("a", "b"): 1}))
    # a term twice in a window is in one window
    assert count_windows(found_in([list("aaa")], NAMES), NAMES, 3) == Counts(1, Counter(a=1), Counter())
    assert count_windows(found_in([], NAMES), NAMES, 3) == Counts()
    assert windows_of(np.array([0, 1, 9, 10, 11]), 10).tolist() == [0, 1, 1, 1, 2]


@pytest.mark.parametrize("size", [4, 10**18, 10**20])
def test_a_window_of_any_size_holds_a_whole_document(size: int) -> None:
    # four words, and two: one window each, however large it is
    counts = count_windows(found_in([list("a-b-"), list("-a")], NAMES), NAMES, size)
    assert counts == Counts(2, Counter(a=2, b=1), Counter({("a", "b"): 1}))


def test_letters_and_digits_are_those_of_python() -> None:
    assert alphanumeric().tolist() == [chr(code).isalnum() for code in range(CODES)]


# --- terms in texts ---------------------------------------------------------------------------------------------------

TERMS = ("妹妹", "光", "看不清", "大", "大哥", "北京大学", "3", "abc", "太", "，")
#: What texts are made of: terms, what holds them, other words, other scripts, marks inside and outside of what jieba cuts.
PIECES = (
    *TERMS, "大学", "光明", "妹", "哥", "姐姐看不清楚", "蘋果", "電腦", "他來到了", "网易杭研大厦", "的", "了", "3.5%", "abc-d", "C++", "#",
    "é", "𠮷", "Ж", "\n", "\r\n", "\t", " ", "\u3000", "\0", "。", "！", "……", "——", "“", "”", "·", "~", "-", "、", "（",
)  # fmt: skip
texts = st.lists(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), max_size=4)


def words_in(text: str, name: str) -> list[str]:
    """Return the words of a text in the plain way."""
    tools = BACKENDS[name]()
    return [token for token in tools.cut(simplify(text)) if any(map(str.isalnum, token))]


@pytest.mark.parametrize("name", list(BACKENDS))
def test_tokens_without_a_letter_or_digit_are_no_words(name: str) -> None:
    text = "他買了蘋果，3個；花了5,000元！——太，貴……"
    query = TermQuery(("苹果", "元", "，", "太"), 3)
    # 他 买 了 苹果 3 个 花 了 5 000 元 太 贵: thirteen words; the marks are none, and 蘋果 is converted
    places = occurrences([text], query, BACKENDS[name]())
    assert (places.lengths.tolist(), places.places.tolist(), places.terms.tolist()) == ([13], [3, 10, 11], [0, 1, 3])


@pytest.mark.parametrize("name", list(BACKENDS))
@pytest.mark.parametrize("passages", [False, True])
@given(documents=texts, size=st.integers(1, 12))
def test_documents_together_are_counted_as_each_in_the_plain_way(
    name: str, passages: bool, documents: list[str], size: int
) -> None:
    places = count_windows(
        occurrences(documents, TermQuery(TERMS, size), BACKENDS[name](), passages=passages), TERMS, size
    )
    expected = count_windows_plainly([words_in(text, name) for text in documents], list(TERMS), size)
    assert (places.terms, places.pairs) == (expected.terms, expected.pairs)
    assert passages or places.windows == expected.windows


@pytest.mark.parametrize("name", list(BACKENDS))
@given(
    st.lists(st.text(st.characters(codec="utf-8"), max_size=8) | st.text("中国人民大学生abc19.-%+#&_", max_size=8)),
    st.sampled_from(STOPS),
)
def test_what_a_mark_parts_is_cut_alike_alone_and_together(name: str, parts: list[str], mark: str) -> None:
    cut = BACKENDS[name]().cut
    together = [token for token in cut(mark.join(parts)) if any(map(str.isalnum, token))]
    assert together == [token for part in parts for token in cut(part) if any(map(str.isalnum, token))]


def test_passages_leave_most_of_a_text_uncut() -> None:
    """Of a thousand clauses between two terms only those near them are cut."""
    cut: list[str] = []
    tools = BACKENDS["reference"]()
    watched = Backend("watched", lambda text: cut.append(text) or tools.cut(text))
    text = "妹妹走了。" + "天气很好，" * 1000 + "光很亮。"
    counts = count_windows(occurrences([text], TermQuery(TERMS, 10), watched, passages=True), TERMS, 10)
    # 妹妹 is the first word, in the first window alone; 光 has one after it, 很亮, so it is in the last two
    assert counts.terms == Counter({"妹妹": 1, "光": 2})
    assert sum(map(len, cut)) < 100


def test_characters_are_words_in_the_other_mode() -> None:
    query = TermQuery(("哥哥", "哥", "高"), 4, characters=True)
    places = occurrences(["高", "哥哥哥，高！"], query, BACKENDS["reference"]())
    # 哥哥哥高: 哥哥 at 0 and 1, 哥 at 0, 1 and 2, 高 at 3
    assert places.lengths.tolist() == [1, 4]
    assert list(zip(places.documents.tolist(), places.places.tolist(), places.terms.tolist(), strict=True)) == [
        (0, 0, 2), (1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1), (1, 2, 1), (1, 3, 2),
    ]  # fmt: skip
    counts = count_windows(places, query.terms, 4)
    assert counts == Counts(
        2, Counter({"哥哥": 1, "哥": 1, "高": 2}), Counter({("哥", "哥哥"): 1, ("哥", "高"): 1, ("哥哥", "高"): 1})
    )


@pytest.mark.parametrize(
    ("text", "size", "windows", "counts"),
    [
        ("大苹果", 1, 3, {}),  # 大 苹 果: none holds both characters
        ("大苹果", 2, 2, {"苹果": 1, "大苹": 1}),  # 大苹 苹果
        ("大苹果", 3, 1, {"苹果": 1, "大苹": 1}),
        ("大苹果", 9, 1, {"苹果": 1, "大苹": 1}),  # one window, shorter than the rest
        ("大苹果了吗", 3, 3, {"苹果": 2, "大苹": 1}),  # 大苹果 苹果了 果了吗
        ("大苹，果", 3, 1, {"大苹": 1}),  # 苹 and 果 are next to each other in the window, not in the text
        ("苹\n果", 2, 1, {}),
        ("吃A·B吗", 2, 3, {"A·B": 1}),  # 吃A A·B B吗: the mark is passed over, and is in the term
        ("吃A·B吗", 1, 4, {}),
    ],
)
def test_a_window_of_characters_holds_a_term_if_it_holds_all_of_it(
    text: str, size: int, windows: int, counts: dict[str, int]
) -> None:
    query = TermQuery(("苹果", "大苹", "A·B"), size, characters=True)
    places = count_windows(occurrences([text], query, BACKENDS["reference"]()), query.terms, size)
    assert (places.windows, places.terms) == (windows, Counter(counts))


@given(st.lists(st.text("哥高人，。\n", max_size=30), max_size=3), st.integers(1, 6))
def test_substrings_as_the_naive_way(documents: list[str], size: int) -> None:
    terms = ("哥", "高", "哥高", "人", "高人哥", "哥哥", "人，哥", "，高", "人。")
    counts = count_windows(
        occurrences(documents, TermQuery(terms, size, characters=True), BACKENDS["reference"]()), terms, size
    )
    windows: list[set[str]] = []  # the terms in each: in the text from the letter before it to the letter behind it
    for text in documents:
        letters = [at for at, character in enumerate(text) if character.isalnum()]
        bounds = [-1, *letters, len(text)]
        for first in range(max(len(letters) - size + 1, 1) if letters else 0):
            seen = text[bounds[first] + 1 : bounds[min(first + size, len(letters)) + 1]]
            windows.append({term for term in terms if term in seen})
    assert counts.windows == len(windows)
    assert counts.terms == Counter(term for held in windows for term in held)
    assert counts.pairs == Counter(pair for held in windows for pair in combinations(sorted(held), 2))


@pytest.mark.parametrize(("terms", "size"), [(("a", "a"), 3), (("",), 3), (("a b",), 3), (("a",), 0), (("a",), 10**18)])
def test_an_impossible_query_is_refused(terms: tuple[str, ...], size: int) -> None:
    with pytest.raises(PipelineError):
        TermQuery(terms, size)


def test_rows_are_sorted_and_name_what_occurs() -> None:
    counts = Counts(4, Counter(b=3, a=2, c=0), Counter({("a", "b"): 1}))
    assert counts_to_rows(counts) == [
        {"windows": 4}, {"terms": ["a"], "count": 2}, {"terms": ["b"], "count": 3}, {"terms": ["a", "b"], "count": 1},
    ]  # fmt: skip
