"""What WinoPron prints, from its released templates and from its other figures; made systems show what the rest can tell."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pipeline.core.tables import read_table
from pipeline.core.validation.profiles import STRICT
from pipeline.language.pronouns import pronoun_table
from pipeline.winopron.instances import Template, read_templates
from pipeline.winopron.measures import pronoun_consistency
from pipeline.winopron.prompting import prompt_table
from pipeline.winopron.template_checks import check_templates
from replication.ledger import FOLDER, Between, Ways, read_cells
from replication.made_systems import SYSTEMS, chance_overlap, responses, single_sentences

CASES = ("Nominative", "Accusative", "Possessive")
SETS = ("he/him/his", "she/her/her", "they/them/their", "xe/xem/xyr")
#: Systems that answer each sentence once, with mentions in it; FLAN-T5 answers each sentence thirty times.
EXTRACTIVE = ("LingMess", "CAW-coref", "SpanBERT-base", "SpanBERT-large")
FLAN = tuple(f"FLAN-T5-{size}" for size in ("small", "base", "large", "xl", "xxl"))
VERSIONS = ("double", "single")
#: Number of sentences of a row of Tables 8 to 10: 360 templates with four pronoun sets, by case and by set.
SENTENCES = {"All": 1440} | dict.fromkeys(CASES, 480) | dict.fromkeys(SETS, 360)
#: Tables 8, 9 and 10.
F1, PRECISION, RECALL = 8, 9, 10
#: The greatest error of a printed percentage.
ERROR = 0.05
_SMALL = 1e-9  # for figures halfway between two printed ones


@cache
def printed(table: int) -> Mapping[str, float]:
    """Return the figures of a table by cell."""
    return {cell: float(value) for cell, value in read_cells(FOLDER / "winopron" / f"table_{table}.tsv").items()}


# --- the data ---------------------------------------------------------------------------------------------------------


@cache
def templates(data: Path, collection: str) -> Sequence[Template]:
    """Return the templates of WS (Winogender) or WP (WinoPron)."""
    path = data / ("winogender/templates.tsv" if collection == "WS" else "winopron/data.zip")
    return read_templates(path, pronoun_table("en"))


def table_1(data: Path) -> dict[str, int]:
    """Return the number of templates by case."""
    cases = pronoun_table("en").placeholders
    return {
        f"{case}, {collection}": count
        for collection in ("WS", "WP")
        for case, count in Counter(
            cases[template.placeholder].capitalize() for template in templates(data, collection)
        ).items()
    }


def participants(data: Path, collection: str) -> dict[str, str]:
    """Return the participant of each occupation; several are joined by a slash."""
    pairs: dict[str, dict[str, None]] = {}
    for template in templates(data, collection):
        pairs.setdefault(template.occupation, {})[template.participant] = None
    return {occupation: "/".join(words) for occupation, words in pairs.items()}


def genders(data: Path) -> int:
    """Return the number of pronoun sets in Winogender's sentences."""
    path = data / "winogender" / "all_sentences.tsv"
    return len({row["sentid"].split(".")[-2] for _, row in read_table(path, ("sentid", "sentence"))})


def verbs_that_agree(data: Path) -> Ways:
    """Return the share of Winogender's templates, in percent, whose verb has another form after they."""
    found = templates(data, "WS")
    findings = check_templates(found, pronoun_table("en"), STRICT)
    count = sum(finding.check == "singular-they" for finding in findings)
    nominative = sum(template.placeholder == "NOM_PRONOUN" for template in found)
    return Ways({"of all templates": 100 * count / len(found), "of those with a nominative": 100 * count / nominative})


def prompts() -> dict[str, int]:
    """Return the number of prompt templates of Table 7, and of their variants in the order of the options."""
    table = prompt_table()
    return {"templates": len(table.templates), "variants": len(table.variants)}


# --- Tables 2, 3 and 8 to 10 ------------------------------------------------------------------------------------------


class Answers(NamedTuple):
    """Number of right answers, and of answers that name one of the two entities."""

    right: int
    attempted: int


@cache
def answers(version: str, row: str, system: str) -> Answers | None:
    """Return the only counts that print the three figures of an extractive system in a row; None if none or several do."""
    sentences = SENTENCES[row]
    figures = [printed(table)[f"{version}: {row}, {system}"] for table in (F1, PRECISION, RECALL)]
    found = [
        Answers(right, attempted)
        for right in _counts(sentences, figures[2])
        for attempted in range(right, sentences + 1)
        if all(
            abs(score - figure) <= ERROR + _SMALL
            for score, figure in zip(percentages(Answers(right, attempted), sentences).values(), figures, strict=True)
        )
    ]
    return found[0] if len(found) == 1 else None


def _counts(total: int, percentage: float) -> Iterator[int]:
    return (count for count in range(1, total + 1) if abs(100 * count / total - percentage) <= ERROR + _SMALL)


def percentages(counts: Answers, sentences: int) -> dict[int, float]:
    """Return F1, precision and recall, by the table that prints them."""
    return {
        F1: 200 * counts.right / (counts.attempted + sentences),
        PRECISION: 100 * counts.right / counts.attempted,
        RECALL: 100 * counts.right / sentences,
    }


def scores(table: int) -> dict[str, float | Between]:
    """Return the figures of Table 8, 9 or 10 as the other rows and tables give them.

    Those of an extractive system come from the counts of the other rows: the cases and the pronoun sets divide the same sentences. Those
    of FLAN-T5 are bounded by the other two tables, and by the means over cases and sets.
    """
    figures: dict[str, float | Between] = {}
    for version in VERSIONS:
        for row, sentences in SENTENCES.items():
            for system in EXTRACTIVE:
                if counts := _answers_elsewhere(version, row, system):
                    figures[f"{version}: {row}, {system}"] = percentages(counts, sentences)[table]
            for system in FLAN:
                bounds = list(_bounds(table, version, row, system))
                figures[f"{version}: {row}, {system}"] = Between(
                    max(low for low, _ in bounds), min(high for _, high in bounds)
                )
    return figures


def single_precision(figures: Mapping[str, float | Between]) -> dict[str, float | Between]:
    """Return the figures of Table 9 with 100 for SpanBERT on sentences with one entity: an answer is a mention in the sentence."""
    return {
        cell: 100 if cell.startswith("single") and "SpanBERT" in cell else figure for cell, figure in figures.items()
    }


def _answers_elsewhere(version: str, row: str, system: str) -> Answers | None:
    """Return the counts of a row from the other rows: those of the other division less its neighbours."""
    whole, neighbours = (SETS, CASES) if row in CASES else (CASES, SETS)
    parts = [(answers(version, name, system), 1) for name in whole]
    if row != "All":
        parts += [(answers(version, name, system), -1) for name in neighbours if name != row]
    known = [(counts, sign) for counts, sign in parts if counts]
    if len(known) != len(parts):
        return None
    return Answers(*(sum(sign * counts[place] for counts, sign in known) for place in (0, 1)))


def _bounds(table: int, version: str, row: str, system: str) -> Iterator[Between]:
    """Yield what bounds a figure of FLAN-T5."""

    def figure(other: int, name: str = row) -> float:
        return printed(other)[f"{version}: {name}, {system}"]

    def span(figures: Iterable[float]) -> Between:
        values = list(figures)
        return Between(min(values), max(values))

    first, second = (figure(other) for other in (F1, PRECISION, RECALL) if other != table)
    corners = [(first + one, second + two) for one in (-ERROR, ERROR) for two in (-ERROR, ERROR)]
    if table == F1:
        yield span(2 * precision * recall / (precision + recall) for precision, recall in corners)
    else:  # F1 and one of precision and recall give the other
        yield span(f1 * other / (2 * other - f1) for f1, other in corners)
    for whole, neighbours in ((SETS, CASES), (CASES, SETS)):
        if table == RECALL and row == "All":
            mean = sum(figure(RECALL, name) for name in whole) / len(whole)
            yield Between(mean - ERROR, mean + ERROR)
        if table == RECALL and row in neighbours:
            total = len(neighbours) * sum(figure(RECALL, name) for name in whole) / len(whole)
            rest = sum(figure(RECALL, name) for name in neighbours if name != row)
            error = (2 * len(neighbours) - 1) * ERROR
            yield Between(total - rest - error, total - rest + error)
        if table == PRECISION and row == "All":
            yield span(_pooled_precision(figure, whole, error) for error in (-ERROR, ERROR))


def _pooled_precision(figure: Callable[[int, str], float], names: Iterable[str], error: float) -> float:
    """Return the precision over parts with as many sentences each, all of whose figures err in the same direction."""
    parts = [(figure(RECALL, name), figure(PRECISION, name) + error) for name in names]
    return sum(recall for recall, _ in parts) / sum(recall / precision for recall, precision in parts)


def table_2() -> dict[str, float | Between]:
    """Return the scores on WinoPron from precision and recall, and the differences from those on Winogender."""
    figures: dict[str, float | Between] = {}
    for system in (*EXTRACTIVE, *FLAN):
        cell = f"double: All, {system}"
        figures[f"{system}, WP"] = scores(F1)[cell]
        figures[f"{system}, difference"] = printed(F1)[cell] - printed(2)[f"{system}, WS"]
    return figures


def mean_difference() -> float:
    """Return the mean of the nine differences of Table 2."""
    return sum(printed(2)[f"{system}, difference"] for system in (*EXTRACTIVE, *FLAN)) / 9


def excluded_consistency() -> dict[str, Between]:
    """Return the bounds of the shares of Table 3, where they exclude the printed one, if each sentence had one answer.

    By Table 10 at most so many templates are right with all sets as with the worst set, and at least all but those that are wrong with
    one. Of two templates, both are right at least in what exceeds a half.
    """
    figures = {}
    for system in (*EXTRACTIVE, *FLAN):
        by_set = [printed(RECALL)[f"double: {name}, {system}"] for name in SETS]
        whole = printed(RECALL)[f"double: All, {system}"]
        bounds = {
            "PronounC": Between(max(0, 100 - sum(100 - recall + ERROR for recall in by_set)), min(by_set) + ERROR),
            "DisambigC": Between(max(0, 2 * (whole - ERROR) - 100), whole + ERROR),
        }
        for column, (low, high) in bounds.items():
            if not low <= printed(3)[f"{system}, {column}"] <= high:
                figures[f"{system}, {column}"] = Between(low, high)
    return figures


# --- what the text says of the tables ---------------------------------------------------------------------------------


def order_of_cases(system: str) -> list[str]:
    """Return the cases from the highest score of a system to its lowest."""
    return sorted(CASES, key=lambda case: -printed(F1)[f"double: {case}, {system}"])


def accusative_is_hardest() -> bool:
    """Return whether every system has its lowest score on accusative pronouns."""
    return all(order_of_cases(system)[-1] == "Accusative" for system in (*EXTRACTIVE, *FLAN))


def spread_of_sets(system: str) -> float:
    """Return the greatest difference of recall between pronoun sets."""
    recalls = [printed(RECALL)[f"double: {name}, {system}"] for name in SETS]
    return max(recalls) - min(recalls)


def worse_on_single() -> list[str]:
    """Return the sizes of FLAN-T5 that score lower on single-entity sentences than on double-entity ones."""
    return [system for system in FLAN if printed(F1)[f"single: All, {system}"] < printed(F1)[f"double: All, {system}"]]


def keeps_answers_apart(data: Path) -> bool:
    """Return whether SpanBERT's converter and one that resets give a system that never links xe the same pronoun consistency."""
    sentences = single_sentences(data)
    shares = {
        pronoun_consistency(responses(sentences, SYSTEMS["xe/xem/xyr"], resets=resets)).share
        for resets in (True, False)
    }
    return len(shares) == 1


def biased_occupations() -> dict[str, set[str]]:
    """Return the occupations of Table 4 by cell."""
    return {cell: set(words.split()) for cell, words in read_cells(FOLDER / "winopron" / "table_4.tsv").items()}


def table_4_is_possible(data: Path) -> bool:
    """Return whether Table 4 fits section 5.1: occupations of the data, no form biased both ways, no occupation with all sets of a case."""
    cells = biased_occupations()
    occupations = participants(data, "WP").keys()
    for case in CASES:
        signs = [[cells.get(f"{name}, {case} {sign}", set()) for name in SETS] for sign in ("positive", "negative")]
        either = [positive | negative for positive, negative in zip(*signs, strict=True)]
        if any(positive & negative for positive, negative in zip(*signs, strict=True)) or set.intersection(*either):
            return False
    return all(words <= occupations for words in cells.values())


def overlaps_beyond_chance() -> int:
    """Return how many indices of Tables 5 and 6 are outside what 95 % of made systems without bias have."""
    _, low, high = chance_overlap(right=0.5, seed=1)
    return sum(not low <= round(index, 2) <= high for table in (5, 6) for index in printed(table).values())
