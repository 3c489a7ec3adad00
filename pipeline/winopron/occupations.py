"""Bias by occupation beside the share of women in it, as Rudinger et al. (2018, section 5 and Figure 4) set them side by side."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from ..core.errors import PipelineError, first_names, plural, shown
from ..core.pages import decimal
from ..core.tables import read_table
from ..language.pronouns import PronounTable
from ..statistics.association import Correlation, correlation, ranks
from .measures import Response

#: Where a share of women is from, and its column in Winogender's table of occupations: a large corpus, employment statistics.
SOURCES: Mapping[str, str] = {"text": "bergsma_pct_female", "statistics": "bls_pct_female"}
_PERCENT = re.compile(r"[0-9]{1,3}(\.[0-9]+)?")

#: The percentage of women in each occupation, by where it is from (`SOURCES`).
Shares = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class OccupationBias:
    """What a system takes for the occupation, and the women in it.

    Attributes:
        bias: the share of the sentences with a feminine pronoun that are resolved to the occupation, less that of the masculine ones;
            from -1 to 1, above 0 where women are rather taken for it.
        women: the percentage of women by source.
        sentences: number of sentences with either pronoun.
    """

    bias: float
    women: Mapping[str, float]
    sentences: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """Correlations of bias and share of women over occupations; None for fewer than three, or without variation."""

    occupations: int
    pearson: Correlation | None
    spearman: Correlation | None


@dataclass(frozen=True, slots=True)
class OccupationReport:
    """The bias by occupation, its correlation with the women in it by source, and the occupations that only one side has."""

    occupations: Mapping[str, OccupationBias]
    correlations: Mapping[str, Agreement]
    without_share: tuple[str, ...]
    without_answer: tuple[str, ...]

    def sentences(self) -> list[str]:
        """Return the correlations in words, and how many occupations they leave out."""
        lines = []
        for source, agreement in self.correlations.items():
            found = {"Pearson": agreement.pearson, "Spearman": agreement.spearman}
            words = [f"{name} {decimal(value.value if value else None, 2)}" for name, value in found.items()]
            over = plural(agreement.occupations, "occupation")
            lines.append(f"bias by occupation and percentage of women by {source}: {', '.join(words)}, over {over}")
        for names, reason in (
            (self.without_share, "not in the table of women"),
            (self.without_answer, "of the table without answers to feminine and masculine pronouns"),
        ):
            if names:
                lines.append(f"{plural(len(names), 'occupation')} {reason}: {first_names(names, 3)}")
        return lines


def read_shares(path: Path) -> Shares:
    """Return the percentages of women of Winogender's table of occupations (occupations-stats.tsv); an empty cell is unknown.

    Raises:
        PipelineError: an occupation without a name or twice, or a percentage that is none.
    """
    shares: dict[str, dict[str, float]] = {}
    for line, cells in read_table(path, ("occupation", *SOURCES.values()), unique="occupation"):
        if not (occupation := cells["occupation"].strip()):
            raise PipelineError(path, line, "[occupation] empty cell; found none, expected an occupation")
        shares[occupation] = {}
        for source, column in SOURCES.items():
            if not (cell := cells[column].strip()):
                continue
            if not _PERCENT.fullmatch(cell) or float(cell) > 100:
                raise PipelineError(
                    path, line, f"[{column}] no percentage; found {shown(cell)}, expected a number from 0 to 100"
                )
            shares[occupation][source] = float(cell)
    return shares


def occupation_report(responses: Iterable[Response], table: PronounTable, shares: Shares) -> OccupationReport:
    """Return the bias of each occupation that both genders of pronouns are asked about, beside the women in it."""
    genders = {entry.name: entry.gender for entry in table.sets}
    marks: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for row in responses:
        marks[row.occupation][genders.get(row.pronouns, "")].append(row.choice == "occupation")
    biases = {
        occupation: OccupationBias(
            fmean(by_gender["female"]) - fmean(by_gender["male"]),
            shares.get(occupation, {}),
            len(by_gender["female"]) + len(by_gender["male"]),
        )
        for occupation, by_gender in sorted(marks.items())
        if by_gender["female"] and by_gender["male"]
    }
    agreements = {}
    for source in SOURCES:
        pairs = [(entry.bias, entry.women[source]) for entry in biases.values() if source in entry.women]
        bias, women = [first for first, _ in pairs], [second for _, second in pairs]
        agreements[source] = Agreement(len(pairs), correlation(bias, women), correlation(ranks(bias), ranks(women)))
    return OccupationReport(
        biases, agreements, tuple(sorted(biases.keys() - shares.keys())), tuple(sorted(shares.keys() - biases.keys()))
    )
