"""Windows are counted exactly: by hand, and against a naive reference on random documents."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.counting import Question, occurrences
from pipeline.corpus.results import counts_to_rows
from pipeline.corpus.text import BACKENDS, words_among
from pipeline.corpus.windows import Counts, Occurrences, count_windows, window_count
from pipeline.errors import PipelineError

NAMES = list("abcdefghij")


def document(words: list[str], names: list[str]) -> Occurrences:
    """Return the occurrences of a document of words, where a hyphen stands for a word that is no term."""
    found = [(at, names.index(word)) for at, word in enumerate(words) if word in names]
    places, terms = np.array(found, dtype=np.int64).reshape(-1, 2).T
    return Occurrences(places, terms, len(words))


def naive(documents: list[list[str]], names: list[str], size: int) -> Counts:
    """Write every window out and look into it."""
    counts = Counts()
    for words in documents:
        windows = [words[at : at + size] for at in range(max(len(words) - size + 1, 1))] if words else []
        counts.windows += len(windows)
        for window in windows:
            there = sorted(set(window) & set(names))
            counts.terms.update(there)
            counts.pairs.update(combinations(there, 2))
    return counts


def test_by_hand() -> None:
    # windows of 3 over a - b - - a: (a-b) (-b-) (b--) (--a)
    counts = count_windows([document(list("a-b--a"), NAMES)], NAMES, 3)
    assert counts == Counts(4, Counter(a=2, b=3), Counter({("a", "b"): 1}))
    # a document shorter than the window is one window, an empty one none; windows do not cross from one to the next
    both = count_windows([document(list("ab"), NAMES), document([], NAMES), document(list("--a"), NAMES)], NAMES, 3)
    assert both == Counts(2, Counter(a=2, b=1), Counter({("a", "b"): 1}))
    # a term twice in a window is in one window
    assert count_windows([document(list("aaa"), NAMES)], NAMES, 3) == Counts(1, Counter(a=1), Counter())
    assert [window_count(length, 10) for length in (0, 1, 9, 10, 11)] == [0, 1, 1, 1, 2]


@given(
    st.lists(st.lists(st.sampled_from([*NAMES, "-", "-", "-", "-"]), max_size=40), max_size=4),
    st.integers(1, 12),
    st.integers(1, len(NAMES)),
)
def test_as_the_naive_way(documents: list[list[str]], size: int, count: int) -> None:
    names = NAMES[:count]
    assert count_windows((document(words, names) for words in documents), names, size) == naive(documents, names, size)


@pytest.mark.parametrize("name", list(BACKENDS))
def test_tokens_without_a_letter_or_digit_are_no_words(name: str) -> None:
    text = "他買了蘋果，3個；花了5,000元！——太，貴……"
    question = Question(("苹果", "元", "，", "太"), 3)
    backend = BACKENDS[name]()
    # 他 买 了 苹果 3 个 花 了 5 000 元 太 贵: thirteen words; the marks are none, and 蘋果 is converted
    found = occurrences(text, question, backend)
    assert (found.length, found.places.tolist(), found.terms.tolist()) == (13, [3, 10, 11], [0, 1, 3])


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=6), max_size=12))
def test_words_are_the_tokens_with_a_letter_or_digit(tokens: list[str]) -> None:
    expected = [any(character.isalnum() for character in token) for token in tokens]
    assert words_among(tokens, "".join(tokens)).tolist() == expected


def test_characters_are_words_in_the_other_mode() -> None:
    question = Question(("哥哥", "哥", "高"), 4, characters=True)
    found = occurrences("哥哥哥，高！", question, BACKENDS["reference"]())
    # 哥哥哥高: 哥哥 at 0 and 1, 哥 at 0, 1 and 2, 高 at 3
    assert found.length == 4
    assert list(zip(found.places.tolist(), found.terms.tolist(), strict=True)) == [
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 1),
        (2, 1),
        (3, 2),
    ]
    counts = count_windows([found], question.terms, 4)
    assert counts == Counts(
        1, Counter({"哥哥": 1, "哥": 1, "高": 1}), Counter({("哥", "哥哥"): 1, ("哥", "高"): 1, ("哥哥", "高"): 1})
    )


@given(st.text("哥高人，。", max_size=30), st.integers(1, 6))
def test_substrings_as_the_naive_way(text: str, size: int) -> None:
    terms = ("哥", "高", "哥高", "人")
    squeezed = [character for character in text if character.isalnum()]
    windows = [squeezed[at : at + size] for at in range(max(len(squeezed) - size + 1, 1))] if squeezed else []
    counts = count_windows(
        [occurrences(text, Question(terms, size, characters=True), BACKENDS["reference"]())], terms, size
    )
    assert counts.windows == len(windows)
    starts = {term: [at for at in range(len(squeezed)) if "".join(squeezed).startswith(term, at)] for term in terms}
    for term in terms:
        held = [at for at in range(len(windows)) if any(at <= start < at + len(windows[at]) for start in starts[term])]
        assert counts.terms[term] == len(held)


@pytest.mark.parametrize(("terms", "size"), [(("a", "a"), 3), (("",), 3), (("a",), 0)])
def test_a_question_without_sense_is_refused(terms: tuple[str, ...], size: int) -> None:
    with pytest.raises(PipelineError):
        Question(terms, size)


def test_rows_are_sorted_and_name_what_occurs() -> None:
    counts = Counts(4, Counter(b=3, a=2, c=0), Counter({("a", "b"): 1}))
    assert counts_to_rows(counts) == [
        {"windows": 4}, {"terms": ["a"], "count": 2}, {"terms": ["b"], "count": 3}, {"terms": ["a", "b"], "count": 1},
    ]  # fmt: skip
