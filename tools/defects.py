"""Write the tables of docs/defects.md from rules/validation/defects.tsv: `python -m tools.defects`."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pipeline.core.errors import PipelineError, plural, shown
from pipeline.core.files import read_text
from pipeline.core.rules import RULES
from pipeline.core.tables import read_table

TABLE = RULES / "validation" / "defects.tsv"
PAGE = Path(__file__).resolve().parent.parent / "docs" / "defects.md"
COLUMNS = ("collection", "sha256", "rows", "field", "found", "expected", "how", "finding")
#: How a defect was found: by a suite, by the reader, by comparing answers, by eye. The first two have a finding.
SUITE, READER, COMPARISON, EYE = "S", "R", "C", "E"
_BLOCK = re.compile(r"(<!-- defects of ([\w-]+) -->\n).*?(<!-- end -->\n)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Defect:
    """A row of the table."""

    collection: str  # the collection, with the column if it has several
    sha256: str  # first digits of the digest of its file
    rows: str  # the numbers of the records, as people write them: ranges, with the ids of schemas in parentheses
    field: str  # the field of the record
    found: str  # what stands there; one word at most is quoted
    expected: str  # what should stand there
    how: str  # S, R, C or E
    finding: str  # suite and expectation (S), or ``ingest/`` and the field of the reader's finding (R); otherwise empty
    line: int  # its line in the table

    @property
    def numbers(self) -> list[int]:
        """The numbers of the records."""
        return numbers_of(self.rows)


def numbers_of(rows: str) -> list[int]:
    """Return the numbers in a text, without those in parentheses.

    >>> numbers_of("jp 7, 9–11 (4)")
    [7, 9, 10, 11]
    """
    ranges = re.findall(r"(\d+)(?:–(\d+))?", re.sub(r"\([^)]*\)", "", rows))
    return [number for first, last in ranges for number in range(int(first), int(last or first) + 1)]


def read_defects(path: Path = TABLE) -> list[Defect]:
    """Return the defects in the order of the table.

    Raises:
        PipelineError: the table is malformed, or a row has no number, an unknown letter, or no finding where it needs one.
    """
    defects = []
    for line, cells in read_table(path, COLUMNS):
        if not numbers_of(cells["rows"]):
            raise PipelineError(path, line, f"[rows] no number; found {shown(cells['rows'])}, expected such as 7, 9–11")
        if cells["how"] not in (SUITE, READER, COMPARISON, EYE):
            raise PipelineError(path, line, f"[how] unknown letter; found {shown(cells['how'])}, expected S, R, C or E")
        if bool(cells["finding"]) is not (cells["how"] in (SUITE, READER)):
            reason = f"[finding] found {shown(cells['finding'])} for {cells['how']}, expected one for S and R only"
            raise PipelineError(path, line, reason)
        defects.append(Defect(**cells, line=line))
    return defects


def page(text: str, defects: Iterable[Defect]) -> str:
    """Return the text of the page with its tables written again."""
    by_collection: dict[str, list[Defect]] = defaultdict(list)
    for defect in defects:
        by_collection[defect.collection].append(defect)

    def block(match: re.Match[str]) -> str:
        listed = by_collection.pop(match[2])
        # the lines of a file that `instantiate` makes repeat defects of templates
        count = len(
            {
                number
                for defect in listed
                if ".jsonl " not in defect.rows and ".tsv " not in defect.rows
                for number in defect.numbers
            }
        )
        rows = [
            f"| {defect.rows} | {defect.field} | {defect.found} | {defect.expected} | {defect.how}"
            f"{f': {defect.finding}' if defect.how == SUITE else ''} |\n"
            for defect in listed
        ]
        head = f"{plural(count, 'record')} with a defect:\n\n| rows | field | found | expected | how |\n|---|---|---|---|---|\n"
        return f"{match[1]}{head}{''.join(rows)}{match[3]}"

    written = _BLOCK.sub(block, text)
    if by_collection:
        raise PipelineError(PAGE, None, f"[page] no place for the defects of {', '.join(by_collection)}")
    return written


if __name__ == "__main__":
    PAGE.write_text(page(read_text(PAGE), read_defects()), encoding="utf-8")
