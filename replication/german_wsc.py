"""What the German WSC dataset prints, from its own other figures: neither responses nor predictions are published."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pipeline.core.files import read_bytes
from pipeline.winograd.readers.wsc import read_wsc
from replication.ledger import FOLDER, Between, printed_numbers

PATH = FOLDER / "german-wsc.yaml"
ITEMS, ANSWERS, RIGHT = 100, 1000, 729
PRONOUNS: dict[str, float] = {"er": 39, "sie": 42, "es": 19}
MODELS = ("XLM-RoBERTa", "GBERT-large", "BERT-base-german")


class Wrong(NamedTuple):
    """An item of Table 4."""

    pair: str
    expected: str
    majority: str
    other: str  # the pronoun of the other antecedent, which the other item of the pair expects


TABLE_4 = (
    Wrong("shell", "es", "sie", "sie"),
    Wrong("oven", "er", "es", "sie"),
    Wrong("oven", "sie", "es", "er"),
    Wrong("pot", "es", "er", "er"),
    Wrong("jacket", "sie", "es", "er"),
    Wrong("monologue", "sie", "er", "er"),
    Wrong("country", "sie", "es", "es"),
    Wrong("fork", "sie", "es", "es"),
    Wrong("beach", "er", "es", "es"),
    Wrong("greenhouse", "er", "es", "es"),
    Wrong("park", "er", "es", "es"),
    Wrong("steering wheel", "er", "es", "es"),
    Wrong("carport", "er", "es", "sie"),
)


def wsc_pairs(data: Path) -> int:
    """Return the number of pairs among the first 273 items of the Winograd Schema Collection: neighbours with the same candidates."""
    path = data / "wsc" / "WSCollection.xml"
    candidates = [draft.candidates for draft in read_wsc(read_bytes(path), path, None)[:273]]
    pairs, place = 0, 1
    while place < len(candidates):
        is_pair = candidates[place] == candidates[place - 1]
        pairs += is_pair
        place += 2 if is_pair else 1
    return pairs


def greatest_kappa() -> float:
    """Return the greatest Fleiss' kappa of the printed counts: of ten answers, at most so many pairs are equal.

    28 items are unanimous. Of 54 others with at least seven equal answers three, and all 18 without, have three pronouns, 21 in all,
    as this costs least. By chance at least a third of the pairs are equal.
    """
    counts = ((28, (10,)), (51, (9, 1)), (3, (8, 1, 1)), (18, (6, 3, 1)))
    equal = sum(items * sum(count * (count - 1) for count in answers) for items, answers in counts) / ITEMS / 90
    return (equal - 1 / 3) / (1 - 1 / 3)


def wrong_es() -> int:
    """Return the number of items whose majority is es and wrong."""
    return sum(item.majority == "es" for item in TABLE_4)


def identical_majorities() -> int:
    """Return the number of pairs with the same majority twice: all others have the expected majority, which differs in a pair."""
    pairs: dict[str, list[Wrong]] = {}
    for item in TABLE_4:
        pairs.setdefault(item.pair, []).append(item)
    same = 0
    for items in pairs.values():
        mate = items[1].majority if len(items) == 2 else items[0].other
        same += items[0].majority == mate
    return same


def rest(total: float, parts: dict[str, float], weights: dict[str, float]) -> dict[str, Between]:
    """Return, for each part of a weighted mean, the least and greatest that the mean and the others, rounded to hundredths, leave."""
    found = {}
    for name in parts:
        others = [other for other in parts if other != name]
        left = total * sum(weights.values()) - sum(parts[other] * weights[other] for other in others)
        error = 0.005 * sum(weights[other] for other in others)
        found[name] = Between((left - error) / weights[name], (left + error) / weights[name])
    return found


def by_source() -> dict[str, dict[str, Between]]:
    """Return the accuracies of people and of pron on each source that the whole and the other source leave, 50 items each."""
    printed = printed_numbers(PATH, "by-source")
    half: dict[str, float] = {"WSC273": 50, "Wino-X": 50}
    totals = {"individual": RIGHT / ANSWERS, "pron": 0.55}
    return {row: rest(total, {name: printed[f"{row}, {name}"] for name in half}, half) for row, total in totals.items()}


def by_pronoun() -> dict[str, dict[str, Between]]:
    """Return the accuracies of people and of pron on each pronoun that the whole and the other pronouns leave."""
    printed = printed_numbers(PATH, "by-pronoun")
    totals = {"people": RIGHT / ANSWERS, "pron": 0.55}
    return {
        row: rest(total, {name: printed[f"{row}, {name}"] for name in PRONOUNS}, PRONOUNS)
        for row, total in totals.items()
    }


def from_majority(first: str, second: str) -> dict[str, Between]:
    """Return what the accuracies of Table 1 and 5 leave for each other: gold answer and majority differ in 13 of 100 items.

    Args:
        first: the row of the ledger to compute.
        second: the row that is known.
    """
    known = printed_numbers(PATH, second)
    return {
        cell: Between(known[cell] - 0.13, known[cell] + 0.13) for cell in printed_numbers(PATH, first) if cell in known
    }


def p_of_correlation(r: float, pairs: int) -> float:
    """Return the two-sided p of a correlation by Student's t."""
    from scipy.special import stdtr

    return 2 * float(stdtr(pairs - 2, -abs(r) * math.sqrt((pairs - 2) / (1 - r * r))))


def corrected_v(v: float, answers: int, categories: int = 3) -> float:
    """Return Cramér's V after Bergsma's correction, with as many categories on both sides."""
    spread = (categories - 1) ** 2 / (answers - 1)
    return math.sqrt((v * v * (categories - 1) - spread) / (categories - spread - 1))


def first_choices() -> Between:
    """Return the answers that choose the first antecedent if the accuracies by place are those of items, without 61 answers.

    The accuracies are 0.74 where the first antecedent is right and 0.81 where the second is, 500 answers each.
    """
    counts = range(62)
    least = min(0.735 * (500 - neither) + 0.185 * (439 + neither) for neither in counts)
    most = max(0.745 * (500 - neither) + 0.195 * (439 + neither) for neither in counts)
    return Between(least, most)


def right_of_choices(shares: Sequence[float], choices: Sequence[int]) -> tuple[int, int]:
    """Return the least and greatest number of right answers whose shares of the choices round to hundredths."""
    least = sum(math.ceil((share - 0.005) * count) for share, count in zip(shares, choices, strict=True))
    return least, sum(math.floor((share + 0.005) * count) for share, count in zip(shares, choices, strict=True))


def gold_correlation(row: str, column: str) -> float:
    """Return a correlation of confidence in the gold answer (Table 2)."""
    return printed_numbers(PATH, "table-2-gold")[f"{row}, {column}"]


def table_3(row: str, column: str) -> float:
    """Return Cramér's V of a configuration (Table 3)."""
    return printed_numbers(PATH, "table-3")[f"{row}, {column}"]
