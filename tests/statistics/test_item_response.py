"""The item response model recovers what answers were made with, and agrees with another program on a published table."""

import math

import numpy
import pytest

from pipeline.statistics.item_response import FEWEST, Parameter, fit_item_response

#: How many of 1,000 people answered the five items of the LSAT, section 6, in each pattern, from 00000 to 11111 (Bock and Lieberman 1970).
LSAT = (
    3,
    6,
    2,
    11,
    1,
    1,
    3,
    4,
    1,
    8,
    0,
    16,
    0,
    3,
    2,
    15,
    10,
    29,
    14,
    81,
    3,
    28,
    15,
    80,
    16,
    56,
    21,
    173,
    11,
    61,
    28,
    298,
)
#: Difficulties and discriminations with their standard errors, as R's package ltm prints them (21 Gauss-Hermite nodes).
LTM = (
    ((-3.3597, 0.8669), (0.8254, 0.2581)),
    ((-1.3696, 0.3073), (0.7229, 0.1867)),
    ((-0.2799, 0.0997), (0.8905, 0.2326)),
    ((-1.8659, 0.4341), (0.6886, 0.1852)),
    ((-3.1236, 0.8700), (0.6575, 0.2100)),
)
#: Half the width of an interval of 95 % in standard errors.
Z = 1.959964


def simulated(respondents: int, items: int, seed: int) -> tuple[list[list[float]], dict[str, dict[str, bool]]]:
    """Return discriminations, difficulties and abilities, and the marks that were drawn with them."""
    draw = numpy.random.default_rng(seed)
    slopes, difficulties, abilities = (
        numpy.exp(draw.normal(0, 0.5, items)),
        draw.normal(0, 1.2, items),
        draw.normal(size=respondents),
    )
    right = draw.random((items, respondents)) < 1 / (1 + numpy.exp(-slopes * (abilities[:, None] - difficulties))).T
    marks = {
        f"i{item:03}": {f"r{number:03}": bool(mark) for number, mark in enumerate(row)}
        for item, row in enumerate(right)
    }
    return [list(map(float, values)) for values in (slopes, difficulties, abilities)], marks


def test_a_published_table_gives_what_another_program_prints() -> None:
    marks: dict[str, dict[str, bool]] = {f"item {number}": {} for number in range(5)}
    people = (pattern for pattern, count in enumerate(LSAT) for _ in range(count))
    for person, pattern in enumerate(people):
        for number, row in enumerate(marks.values()):
            row[str(person)] = bool(pattern >> (4 - number) & 1)
    model = fit_item_response(marks, priors=False)
    for item, (difficulty, discrimination) in zip(marks, LTM, strict=True):
        b, a = model.difficulty[item], model.discrimination[item]
        assert (b.value, (b.high - b.low) / 2 / Z) == pytest.approx(difficulty, abs=0.003)
        # the standard error of log a, by the delta method a times smaller
        assert (a.value, math.log(a.high / a.low) / 2 / Z * a.value) == pytest.approx(discrimination, abs=0.001)


@pytest.mark.parametrize(("respondents", "items", "least"), [(12, 80, (0.75, 0.3)), (60, 50, (0.9, 0.55))])
def test_known_parameters_are_recovered_and_lie_in_their_intervals(
    respondents: int, items: int, least: tuple[float, float]
) -> None:
    """Of 160 and 100 items, 95 % intervals hold 90 % or more: two standard deviations of a binomial count under 95 %."""
    held: dict[str, list[bool]] = {"slope": [], "difficulty": [], "ability": []}
    for seed in (1, 2):
        truth, marks = simulated(respondents, items, seed)
        model = fit_item_response(marks)
        slopes, difficulties, abilities = (
            list(of.values()) for of in (model.discrimination, model.difficulty, model.ability)
        )
        for name, values, estimates in zip(held, truth, (slopes, difficulties, abilities), strict=True):
            held[name] += [
                estimate.low <= value <= estimate.high for value, estimate in zip(values, estimates, strict=True)
            ]
        assert numpy.corrcoef(truth[1], [estimate.value for estimate in difficulties])[0, 1] > least[0]
        assert numpy.corrcoef(numpy.log(truth[0]), numpy.log([estimate.value for estimate in slopes]))[0, 1] > least[1]
    assert [len(of) for of in held.values()] == [2 * items, 2 * items, 2 * respondents]
    assert min(sum(held[name]) / len(held[name]) for name in ("slope", "difficulty")) >= 0.9
    assert sum(held["ability"]) / len(held["ability"]) >= 0.85


def test_what_few_answered_has_no_parameters_and_what_all_have_right_is_known_from_below() -> None:
    _, marks = simulated(20, 30, 3)
    marks["i000"] = dict(list(marks["i000"].items())[: FEWEST - 1])
    marks["i001"] = dict.fromkeys(marks["i001"], True)
    model = fit_item_response(marks)
    assert "i000" not in model.difficulty
    easy = model.difficulty["i001"]
    assert easy.high < 0
    assert easy.high - easy.low > 3  # nobody had it wrong: how easy it is, nothing says but the prior

    def upside_down(parameter: Parameter) -> Parameter:
        return Parameter(-parameter.value, -parameter.high, -parameter.low)

    # what is right called wrong: abilities and difficulties change their signs
    other = fit_item_response({item: {name: not mark for name, mark in row.items()} for item, row in marks.items()})
    for item, difficulty in other.difficulty.items():
        expected = upside_down(model.difficulty[item])
        assert (difficulty.value, difficulty.low, difficulty.high) == pytest.approx(
            (expected.value, expected.low, expected.high), abs=0.01
        )


def test_too_few_respondents_and_answers_that_are_all_alike_are_refused() -> None:
    _, marks = simulated(FEWEST - 1, 30, 4)
    with pytest.raises(ValueError, match="found at most 9 to an item, expected 10 or more to each of 3 items or more"):
        fit_item_response(marks)
    _, marks = simulated(20, 2, 4)
    with pytest.raises(ValueError, match="found 2 such items, expected 10 or more"):
        fit_item_response(marks)
    with pytest.raises(ValueError, match="found at most 0 to an item"):
        fit_item_response({})
    _, marks = simulated(20, 30, 4)
    with pytest.raises(ValueError, match="all answers are right, or all are wrong"):
        fit_item_response({item: dict.fromkeys(row, True) for item, row in marks.items()})
