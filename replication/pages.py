"""The pages of the ledgers: docs/papers.md, and HTML with every value."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jinja2 import ChoiceLoader, FileSystemLoader

from pipeline.core.errors import plural
from pipeline.core.pages import page_environment
from replication.ledger import (
    AGREES,
    BOUNDED,
    CONTRADICTS,
    CUT,
    DIFFERS,
    FOLDER,
    NO_DATA,
    NONE,
    VERDICTS,
    Finding,
    Paper,
    Row,
)

#: The badge of a verdict, as the pages of validation have them.
BADGES = {DIFFERS: "warning", CONTRADICTS: "critical"}
#: Headings of docs/papers.md; what agrees is a list, the others are tables.
HEADINGS = {
    CONTRADICTS: "Contradicts other numbers of the paper",
    DIFFERS: "Differs from public data or from what is known elsewhere",
    CUT: "Agrees only if our figure is cut instead of rounded",
    AGREES: "Agrees",
    NONE: "Cannot be had here",
}
#: Number of cells that a line of docs/papers.md shows; the HTML page has all.
SHOWN = 12
_INTRODUCTION = """# What the papers print, recomputed

<!-- Written by `make replicate` from the ledgers in replication/; do not edit. -->

Every number that the five papers print for their own data, people and systems is a row of a ledger in `replication/`, with the place
where it stands, a verdict, and how ours was computed: from the published collections, from other numbers of the paper, or by a formula.
`make replicate` computes all again and writes the same with every value to `build/replication/index.html`; the collections are looked
for where WINOFORGE_DATA says.

- **agrees**: ours rounds to the printed digits, half up; half to even is said. Where other printed figures only bound a value, it lies
  within the bounds, which other values would do too: the last column counts these. Where the paper leaves open what it took, the way
  that comes closest is named, with the others.
- **agrees-when-cut**: ours is the printed one if its further digits are cut off.
- **differs**: public data, or what is known outside the paper, give another value.
- **contradicts-itself**: other numbers of the paper exclude it. Which of them is meant we do not know.
- **cannot-be-had**: nothing that is public determines it. This says nothing against a number.

Most numbers that can be checked agree. One that does not may be a slip of typing or rounding that leaves what the paper concludes as it
is; where it does not, the reason says so. Corrections are welcome: a row of a ledger is a few lines.
"""


@dataclass(frozen=True, slots=True)
class Result:
    """A paper with its values beside ours."""

    paper: Paper
    findings: tuple[Finding, ...]

    @property
    def counts(self) -> dict[str, int]:
        """The number of values by verdict."""
        counts = Counter(finding.value.verdict for finding in self.findings)
        return {verdict: counts[verdict] for verdict in VERDICTS}

    @property
    def bounded(self) -> int:
        """The number of values that agree because the others only bound them."""
        return sum(finding.outcome == BOUNDED for finding in self.findings)

    @property
    def not_looked_at(self) -> int:
        """The number of values whose computation needs published collections that are not there."""
        return sum(finding.outcome == NO_DATA for finding in self.findings)

    @property
    def refuted(self) -> list[Row]:
        """The rows with a value that differs, contradicts others or agrees only when cut."""
        return [row for row, found in self.rows if {finding.value.verdict for finding in found} - {AGREES, NONE}]

    @property
    def rows(self) -> list[tuple[Row, list[Finding]]]:
        """The rows of the ledger with their findings."""
        by_row: dict[str, list[Finding]] = {}
        for finding in self.findings:
            by_row.setdefault(finding.row.row_id, []).append(finding)
        return [(row, by_row[row.row_id]) for row in self.paper.rows]


def html_pages(results: Sequence[Result]) -> dict[str, str]:
    """Return the pages by their names: index.html, and one for each paper."""
    environment = page_environment()
    loader = ChoiceLoader([FileSystemLoader(FOLDER), environment.loader]) if environment.loader else None
    templates = environment.overlay(loader=loader)
    values = {"verdicts": VERDICTS, "badges": BADGES}
    pages = {"index.html": templates.get_template("index.html.j2").render(results=results, **values)}
    page = templates.get_template("page.html.j2")
    return pages | {f"{result.paper.name}.html": page.render(result=result, **values) for result in results}


def document(results: Sequence[Result]) -> str:
    """Return docs/papers.md."""
    head = ("paper", "values", *VERDICTS, "agrees within bounds")
    rows = [(f"[{_cell(result.paper.title)}](#{_anchor(result.paper.title)})", result) for result in results]
    lines = [
        *(" | ".join(("", *cells, "")).strip() for cells in (head, ("---", *["--:"] * (len(head) - 1)))),
        *(f"| {title} | {len(result.findings)} | {_counts(result)} | {result.bounded} |" for title, result in rows),
    ]
    return "\n".join([_INTRODUCTION, *lines, *(line for result in results for line in _paper(result))]) + "\n"


def _anchor(title: str) -> str:
    """Return the address of a heading, as GitHub and the site of `make docs` make it."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def _counts(result: Result) -> str:
    return " | ".join(str(count) for count in result.counts.values())


def _paper(result: Result) -> Iterator[str]:
    """Yield the lines of a paper."""
    paper = result.paper
    yield from ("", f"## {paper.title}", "", f"{paper.source} {paper.about}")
    for verdict, heading in HEADINGS.items():
        groups = list(_groups(result, verdict))
        if not groups:
            continue
        yield from ("", f"### {heading}: {plural(result.counts[verdict], 'value')}", "")
        if verdict == AGREES:
            for row, why, found in groups:
                count = f"{len(found)} values" if len(found) > 1 else _listed(found, "printed")
                bounded = sum(finding.outcome == BOUNDED for finding in found)
                within = (
                    f", {'within bounds' if bounded == len(found) else f'{bounded} within bounds'}" if bounded else ""
                )
                yield f"- {row.where}: {row.what} ({count}{within}). Ours: {row.how}.{f' {why}' if why else ''}"
            continue
        ours = () if verdict == NONE else ("ours",)
        header = ("where", "what", "printed", *ours, "why")
        yield from (f"| {' | '.join(cells)} |" for cells in (header, ["---"] * len(header)))
        for row, why, found in groups:
            computed = () if verdict == NONE else (_listed(found, "ours"),)
            printed = _listed(found, "printed")
            yield f"| {' | '.join(_cell(text) for text in (row.where, row.what, printed, *computed, why))} |"


def _groups(result: Result, verdict: str) -> Iterator[tuple[Row, str, list[Finding]]]:
    """Yield the values of a verdict, those of a row with the same reason together."""
    for row, found in result.rows:
        by_reason: dict[str, list[Finding]] = {}
        for finding in found:
            if finding.value.verdict == verdict:
                by_reason.setdefault(finding.value.why, []).append(finding)
        yield from ((row, why, group) for why, group in by_reason.items())


def _listed(found: Sequence[Finding], column: str) -> str:
    """Return the printed figures, or ours, of a few cells."""
    texts = [finding.value.printed if column == "printed" else finding.ours for finding in found]
    if len(found) == 1 and not found[0].value.cell:
        return texts[0]
    cells = [f"{finding.value.cell}: {text}" for finding, text in zip(found, texts, strict=True)]
    return "; ".join(cells[:SHOWN]) + (f"; … ({len(cells)} values)" if len(cells) > SHOWN else "")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
