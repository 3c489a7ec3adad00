"""What WSC-ZA prints, from its own other figures: neither its sentences nor any answers are published."""

import functools
import math
from collections.abc import Iterator
from itertools import product

from replication.ledger import FOLDER, Between, printed_numbers

PATH = FOLDER / "wsc-za.yaml"
MODELS = ("GPT-4", "ChatGLM-4", "LLaMA-3")
MODES = ("zero-shot", "one-shot", "few-shot")
LEVELS = ("easy", "moderate", "hard")
SCORES = ("precision", "recall", "F1")
#: Sentences, those whose right answer is A (as many as B), people who judged each sentence, and right answers of 1,440.
ITEMS, ITEMS_A, JUDGES, RIGHT = 240, 120, 6, 1334
#: Right answers of the examples in the prompts (Appendix B).
EXAMPLES = {"one-shot": ("B",), "few-shot": ("B", "B", "B")}
#: Half a unit of the third digit, with room for binary noise.
_HALF = 0.0005 + 1e-12

#: Right answers among the sentences whose answer is A, and among the others.
Counts = tuple[int, int]


def macro_scores(counts: Counts) -> dict[str, float]:
    """Return macro precision and recall, and the mean of both labels' F1 (section 4.1.3), if each answer is A or B."""
    hits_a, hits_b = counts
    precision = [
        hits / (hits + ITEMS_A - misses) if hits else 0.0 for hits, misses in ((hits_a, hits_b), (hits_b, hits_a))
    ]
    recall = [hits / ITEMS_A for hits in counts]
    f1 = [2 * p * r / (p + r) if p + r else 0.0 for p, r in zip(precision, recall, strict=True)]
    return {"precision": sum(precision) / 2, "recall": sum(recall) / 2, "F1": sum(f1) / 2}


@functools.cache
def scores_of_all_counts() -> list[tuple[Counts, dict[str, float]]]:
    """Return the macro scores of all counts of right answers of which at least half are right for each label."""
    half = range(ITEMS_A // 2, ITEMS_A + 1)
    return [(counts, macro_scores(counts)) for counts in product(half, half)]


def fitting_counts(model: str, mode: str, scores: tuple[str, ...] = SCORES) -> list[tuple[Counts, dict[str, float]]]:
    """Return the counts, with their scores, that round to the given scores of a row of Table 6."""
    table = printed_numbers(PATH, "table-6")
    return [
        (counts, figures)
        for counts, figures in scores_of_all_counts()
        if all(abs(figures[score] - table[f"{model}, {mode}, {score}"]) <= _HALF for score in scores)
    ]


def accuracies() -> dict[tuple[str, str], float]:
    """Return the accuracy that the three scores of each row of Table 6 leave; it is one for each row."""
    found = {}
    for model, mode in product(MODELS, MODES):
        (right,) = {sum(counts) for counts, _ in fitting_counts(model, mode)}
        found[model, mode] = right / ITEMS
    return found


def score_ranges() -> dict[tuple[str, str, str], Between]:
    """Return, for each score of Table 6, the least and greatest that the two other scores of its row allow."""
    found = {}
    for model, mode, score in product(MODELS, MODES, SCORES):
        others = tuple(other for other in SCORES if other != score)
        figures = [figures[score] for _, figures in fitting_counts(model, mode, others)]
        found[model, mode, score] = Between(min(figures), max(figures))
    return found


def differ_first_at(model: str, mode: str, place: int) -> bool:
    """Return whether counts fit a row of Table 6 whose scores are equal to one digit less than a place, and not to that place."""
    return any(
        len({round(figure, place - 1) for figure in figures.values()}) == 1
        and len({round(figure, place) for figure in figures.values()}) > 1
        for _, figures in fitting_counts(model, mode)
    )


def score_bounds() -> dict[tuple[str, str, str], float]:
    """Return the least and greatest scores of Table 6, of which section 5.1 prints all but the F1 of GPT-4 and LLaMA-3."""
    table = printed_numbers(PATH, "table-6")
    bounds = (("least", min), ("greatest", max))
    return {
        (model, score, bound): choose(table[f"{model}, {mode}, {score}"] for mode in MODES)
        for model, score, (bound, choose) in product(MODELS, SCORES, bounds)
        if model == "ChatGLM-4" or score != "F1"
    }


def _shares(answers: int, printed: float) -> range:
    """Return the numbers of answers whose share rounds to a printed one."""
    return range(math.ceil(answers * (printed - _HALF)), math.floor(answers * (printed + _HALF)) + 1)


def level_sizes(left_out: tuple[str, str] | None = None) -> list[tuple[int, int, int]]:
    """Return the numbers of easy, moderate and hard sentences that Figure 1 allows, if Table 5 has its totals.

    Each accuracy is a share of three answers for each sentence of the level. GPT-4 and ChatGLM-4 have the right answers of Table 5;
    LLaMA-3, whose accuracies there are no shares of 240, has them within one.

    Args:
        left_out: a model and a level whose accuracy is not looked at.
    """
    return list(_counts_by_sizes(left_out))


@functools.cache
def _counts_by_sizes(left_out: tuple[str, str] | None) -> dict[tuple[int, int, int], dict[str, list[tuple[int, ...]]]]:
    """Return the right answers by level of each model that fit, for each choice of sizes for which there are some."""
    figure = printed_numbers(PATH, "figure-1")
    table = printed_numbers(PATH, "table-5")
    totals = {model: ITEMS * sum(table[f"{model}, {mode}"] for mode in MODES) for model in MODELS}

    def shares(model: str, level: str, size: int) -> range:
        answers = len(MODES) * size
        return range(answers + 1) if (model, level) == left_out else _shares(answers, figure[f"{model}, {level}"])

    def is_possible(level: str, size: int) -> bool:
        return all(shares(model, level, size) for model in MODELS)

    found = {}
    possible = {level: [size for size in range(1, ITEMS) if is_possible(level, size)] for level in LEVELS}
    for moderate, hard in product(possible["moderate"], possible["hard"]):
        sizes = (ITEMS - moderate - hard, moderate, hard)
        if sizes[0] not in possible["easy"]:
            continue
        fitting = {
            model: [
                counts
                for counts in product(*(shares(model, level, size) for level, size in zip(LEVELS, sizes, strict=True)))
                if abs(sum(counts) - totals[model]) <= (1 if model == "LLaMA-3" else 0.5)
            ]
            for model in MODELS
        }
        if all(fitting.values()):
            found[sizes] = fitting
    return found


def level_accuracies() -> dict[tuple[str, str], Between]:
    """Return, for each accuracy of Figure 1, the least and greatest that the others and Table 5 allow."""
    found = {}
    for model, (place, level) in product(MODELS, enumerate(LEVELS)):
        shares = [
            counts[place] / (len(MODES) * sizes[place])
            for sizes, fitting in _counts_by_sizes((model, level)).items()
            for counts in fitting[model]
        ]
        found[model, level] = Between(min(shares), max(shares))
    return found


def highest(level: str) -> str:
    """Return the model with the highest accuracy of a level in Figure 1."""
    figure = printed_numbers(PATH, "figure-1")
    return max(MODELS, key=lambda model: figure[f"{model}, {level}"])


# --- people -----------------------------------------------------------------------------------------------------------


def half_interval(deviation: float, count: int) -> float:
    """Return half of the 95 % interval of Student's t of a mean."""
    from scipy.special import stdtrit

    return float(stdtrit(count - 1, 0.975)) * deviation / math.sqrt(count)


def table_4() -> dict[tuple[str, str], float | Between]:
    """Return the cells of Table 4 that its other cells give."""
    table = printed_numbers(PATH, "table-4")
    found: dict[tuple[str, str], float | Between] = {}
    for row, count in (("subjects", 1440 // 60), ("items", 1440 // JUDGES)):
        half = (table[f"{row}, upper"] - table[f"{row}, lower"]) / 2
        found[row, "mean"] = middle(row)
        found[row, "SD"] = half / half_interval(1, count)
        found[row, "N"] = count
        halves = [half_interval(table[f"{row}, SD"] + error, count) for error in (-_HALF, _HALF)]
        found[row, "lower"] = Between(*(RIGHT / (ITEMS * JUDGES) - half for half in reversed(halves)))
        found[row, "upper"] = Between(*(RIGHT / (ITEMS * JUDGES) + half for half in halves))
    return found


def middle(row: str) -> float:
    """Return the middle of an interval of Table 4."""
    table = printed_numbers(PATH, "table-4")
    return (table[f"{row}, lower"] + table[f"{row}, upper"]) / 2


def two_values(low: float, high: float, mean: float) -> Between:
    """Return the least and greatest standard deviation of a variable with two values, whose mean rounds to hundredths."""
    spreads = [math.sqrt((mean + error - low) * (high - mean - error)) for error in (-0.005, 0.005)]
    return Between(min(spreads), max(spreads))


def fleiss() -> Between:
    """Return Fleiss' kappa from the mean and the deviation of item accuracies, if A and B are chosen equally often.

    Of six answers to an item, of which a share x is right, 1 - 12 x (1 - x) / 5 of the pairs agree, and half do by chance.
    """
    mean = RIGHT / (ITEMS * JUDGES)
    kappas = []
    for deviation in (0.1645, 0.1655):
        spread = mean * (1 - mean) - deviation**2 * (ITEMS - 1) / ITEMS
        kappas.append(1 - 2 * JUDGES / (JUDGES - 1) * 2 * spread)
    return Between(min(kappas), max(kappas))


def people_by_level() -> dict[str, Between]:
    """Return the accuracy of people on moderate and hard items that Table 4 and the sizes of Figure 1 allow.

    With six answers easy items (0.85 or more) have six right ones, moderate items (0.60 or more) five or four, hard items fewer.
    """
    ((easy, moderate, hard),) = level_sizes()
    found = []
    for fives in range(moderate + 1):
        counts = [JUDGES] * easy + [5] * fives + [4] * (moderate - fives)
        for rest in _distributions(hard, RIGHT - sum(counts)):
            squares = sum((count / JUDGES) ** 2 for count in counts + rest)
            deviation = math.sqrt((squares - ITEMS * (RIGHT / ITEMS / JUDGES) ** 2) / (ITEMS - 1))
            if abs(deviation - 0.165) <= _HALF:
                found.append((sum(counts[easy:]) / JUDGES / moderate, sum(rest) / JUDGES / hard))
    return {
        level: Between(min(pair[place] for pair in found), max(pair[place] for pair in found))
        for place, level in enumerate(("moderate", "hard"))
    }


def _distributions(items: int, right: int) -> Iterator[list[int]]:
    """Yield the ways in which items with at most three right answers have so many together."""
    for threes, twos in product(range(items + 1), repeat=2):
        ones = right - 3 * threes - 2 * twos
        if 0 <= ones <= items - threes - twos:
            yield [3] * threes + [2] * twos + [1] * ones + [0] * (items - threes - twos - ones)


# --- tests ------------------------------------------------------------------------------------------------------------


def t_probabilities() -> dict[str, Between | str]:
    """Return the two-sided p of the t of Table 7, 240 pairs; for a p that is printed as a power, the value of that power."""
    from scipy.special import stdtr

    found: dict[str, Between | str] = {}
    for pair, t in printed_numbers(PATH, "table-7-t").items():
        ends = [2 * float(stdtr(ITEMS - 1, -abs(t) + error)) for error in (-0.005, 0.005)]
        found[pair] = Between(min(ends), max(ends)) if ends[0] > 0.001 else f"{5.61 * 10**-0.6:.2f} > 1"
    return found


def third_t() -> dict[str, float | Between]:
    """Return what the rows of Table 7 leave for each other.

    The first row of two models has the t that their mean difference and the two t with the third model allow: the deviation of a
    difference is at most the sum of those of both from the third, and at least their difference. The second row has its negative.
    """
    table, accuracy = printed_numbers(PATH, "table-7-t"), printed_numbers(PATH, "table-5")
    mean = {model: sum(accuracy[f"{model}, {mode}"] for mode in MODES) / len(MODES) for model in MODELS}
    found: dict[str, float | Between] = {}
    for first, second in ((MODELS[0], MODELS[1]), (MODELS[0], MODELS[2]), (MODELS[1], MODELS[2])):
        (third,) = set(MODELS) - {first, second}
        spreads = [
            (mean[model] - mean[third]) * math.sqrt(ITEMS) / table[f"{model} vs. {third}"] for model in (first, second)
        ]
        difference = (mean[first] - mean[second]) * math.sqrt(ITEMS)
        ends = sorted((difference / sum(spreads), difference / abs(spreads[0] - spreads[1])))
        found[f"{first} vs. {second}"] = Between(ends[0], ends[1])
        found[f"{second} vs. {first}"] = -table[f"{first} vs. {second}"]
    return found


def shares_of_errors() -> dict[str, float | Between]:
    """Return the number of sentences of each type of Table 8 from its percentage, and the percentage from the number."""
    table = printed_numbers(PATH, "table-8")
    found: dict[str, float | Between] = {}
    for cell, printed in table.items():
        kind, column = cell.rsplit(", ", 1)
        if column == "share":
            found[cell] = 100 * table[f"{kind}, number"] / 19
            found[f"{kind}, number"] = Between(19 * (printed - 0.05) / 100, 19 * (printed + 0.05) / 100)
    return found


def errors(model: str, rule: str) -> int:
    """Return the greatest number of sentences that a model has wrong in any, most or all of its three modes, by Table 5.

    LLaMA-3's accuracies there are no shares of 240; its errors are counted up.
    """
    table = printed_numbers(PATH, "table-5")
    wrong = [math.ceil(ITEMS * (1 - table[f"{model}, {mode}"]) - 0.5) for mode in MODES]
    return {"any": sum(wrong), "most": sum(wrong) // 2, "all": min(wrong)}[rule]
