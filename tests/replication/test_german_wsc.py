"""What follows from the German dataset's own figures, by hand."""

import pytest

from replication.german_wsc import (
    TABLE_4,
    corrected_v,
    first_choices,
    greatest_kappa,
    identical_majorities,
    p_of_correlation,
    rest,
    right_of_choices,
    wrong_es,
)


def test_table_4() -> None:
    assert (len(TABLE_4), wrong_es(), identical_majorities()) == (13, 10, 10)


def test_the_rest_of_a_mean() -> None:
    # 2 * 0.7 - 0.715, less or more the 0.005 by which 0.715 is rounded
    assert rest(0.7, {"a": 0.715, "b": 0.5}, {"a": 1, "b": 1})["b"] == pytest.approx((0.68, 0.69))
    # (10 * 0.5 - 8 * 0.5) / 2, less or more 8 * 0.005 / 2
    assert rest(0.5, {"a": 0.5, "b": 0.5}, {"a": 8, "b": 2})["b"] == pytest.approx((0.48, 0.52))


def test_what_the_reasons_say() -> None:
    assert right_of_choices((0.74, 0.81), (515, 424)) == (721, 728)
    assert right_of_choices((0.59, 0.54), (41, 57)) == (24 + 31, 24 + 31)
    assert [round(end) for end in first_choices()] == [415, 458]
    assert round(729 / 939, 3) == 0.776
    # pron, 50 items each: right 24 of the 41 that name the first antecedent, 31 of the 57 that name the second.
    assert (24 / 50, 31 / 50) == (0.48, 0.62)
    # t of r = 0.324 and 100 pairs is 0.324 sqrt(98 / (1 - 0.105)) = 3.39, whose p is 0.001.
    assert p_of_correlation(0.323, 100) > 0.001 > p_of_correlation(0.325, 100)
    assert (round(corrected_v(0.441, 1000), 3), round(corrected_v(0.503, 100), 3)) == (0.439, 0.487)
    # (28 * 90 + 51 * 72 + 3 * 56 + 18 * 36) / 9000 = 0.7787 of the pairs are equal.
    assert greatest_kappa() == pytest.approx((0.77867 - 1 / 3) * 1.5, abs=1e-4)
