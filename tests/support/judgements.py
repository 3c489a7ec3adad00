"""Judgements for tests: random ones, and invented ones with the totals that WSC-ZA publishes."""

from collections.abc import Iterable

from hypothesis import strategies as st

from pipeline.statistics.ratings import Row

RATERS = ("ana", "ben", "cyd", "dag")


def sparse_rows(categories: Iterable[str | int]) -> st.SearchStrategy[list[dict[str, str | int]]]:
    """Items that some of the raters judged, or none."""
    row = st.dictionaries(st.sampled_from(RATERS), st.sampled_from(tuple(categories)))
    return st.lists(row, max_size=12)


def full_rows(categories: Iterable[str | int], most: int = 12) -> st.SearchStrategy[list[dict[str, str | int]]]:
    """Items that two to four raters judged, the same ones throughout."""
    category = st.sampled_from(tuple(categories))
    return st.integers(2, 4).flatmap(
        lambda raters: st.lists(st.fixed_dictionaries(dict.fromkeys(RATERS[:raters], category)), max_size=most)
    )


def from_counts(counts: Iterable[Iterable[int]]) -> list[Row]:
    """Rows in which each category (A, B, ...) has the given number of raters."""
    rows = []
    for row in counts:
        answers = [chr(ord("A") + column) for column, count in enumerate(row) for _ in range(count)]
        rows.append({f"r{place}": category for place, category in enumerate(answers)})
    return rows


#: The number of items of WSC-ZA by the number of people, of the six who saw it, who were wrong. Figure 1 of the paper gives each
#: model's share of right answers among easy, moderate and hard items, with three answers for each item: of 240 items only 181, 47 and 12
#: have such shares that also add up to Table 5 for GPT-4 and ChatGLM-4 (LLaMA-3's 0.849 there is no share of 240).
#: Table 4 gives 1,334 right answers (0.926, the interval centred on 0.9264), so 106 wrong ones; the standard deviation of items
#: with its interval leaves 281 or 282 for the sum of squares, which is even because 106 is. These counts meet all of this; others
#: would too.
WRONG = {5: 3, 4: 7, 3: 2, 2: 10, 1: 37, 0: 181}
#: The number of wrong answers of each of the six people of each list. Table 4's standard deviation of subjects leaves 584 for the
#: sum of squares.
WRONG_BY_SUBJECT = ((10, 5, 5, 4, 2, 2), (7, 6, 5, 4, 3, 3), (8, 7, 4, 4, 3, 0), (7, 5, 4, 3, 3, 2))


def like_wsc_za() -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """Return judgements by 24 people of 60 items each, and the right answers, with the totals of WSC-ZA's Table 4.

    The real answers are not published. Items are dealt to four lists; in each the people with the most errors left err.
    """
    wrong = [count for count, items in WRONG.items() for _ in range(items)]
    answers, judgements = {}, {}
    for part, totals in enumerate(WRONG_BY_SUBJECT):
        left = {f"list{part}-{place}": total for place, total in enumerate(totals)}
        for place in range(part, 240, 4):
            item = f"item{place:03}"
            answers[item] = "AB"[place // 4 % 2]
            erring = sorted(left, key=lambda rater: -left[rater])[: wrong[place]]
            for rater in erring:
                left[rater] -= 1
            judgements[item] = {
                rater: answers[item] if rater not in erring else "BA"["AB".index(answers[item])] for rater in left
            }
        assert not any(left.values())
    return judgements, answers
