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
#: The fields and the languages of pws.tsv in the order of its columns, which begin behind idx and orig_id.
_PWS_FIELDS = ("sentence", "snippet", "answer1", "answer2", "correct_answer")
_PWS_LANGUAGES = ("en", "hu", "fr", "por", "por2", "man", "jap", "jap2", "rus")
#: The columns of the other tables by field, from 1.
_COLUMNS = {
    "xwinograd": {"sentence": 4, "pronoun": 6, "solution": 7},
    "winogender": {"sentence": 4},
    "winopron": {"template": 5},
}
#: The command before `sed`, and the file that it reads.
_FILES = {
    "pws": "pws.tsv",
    "wsc": "WSCollection.xml",
    "xwinograd": "dataset.tsv",
    "winogender": "templates.tsv",
    "winopron": "<(unzip -p -P PASSWORD data.zip new_templates.tsv)",
}
_HEAD = "| line | rows | field | found | expected | how | see it |"
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

    @property
    def lines(self) -> str:
        """The lines of the file, as people write them."""
        return ", ".join(f"{first}–{last}" if last > first else str(first) for first, last in self._ranges)

    @property
    def command(self) -> str:
        """The command for bash that prints the fields at fault, in the folder of the file; PASSWORD stands for WinoPron's."""
        collection, _, lang = self.collection.partition("-")
        lines = ";".join(f"{first},{last}p" if last > first else f"{first}p" for first, last in self._ranges)
        if self.instances:
            return f"winoforge instantiate data.zip --out out && sed -n '{lines}' out/double.jsonl"
        shown_lines = f"sed -n '{lines}' {_FILES[collection]}"
        columns = ",".join(map(str, _columns(self, collection, lang)))
        return f"{shown_lines} | cut -f{columns}" if columns else shown_lines

    @property
    def instances(self) -> bool:
        """Whether the rows are of a file that `instantiate` makes."""
        return ".jsonl " in self.rows

    @property
    def _ranges(self) -> list[tuple[int, int]]:
        """The first and the last line of each run of lines.

        Rows of pws.tsv count from 0, behind its header; of an XML file `rows` has the lines in parentheses.
        """
        ranges: list[tuple[int, int]] = []
        lines = [number + 2 * self.collection.startswith("pws-") for number in self.numbers]
        if self.collection == "wsc":
            lines = [int(line) for line in re.findall(r"\(line (\d+)\)", self.rows)]
        for line in sorted(set(lines)):
            if ranges and ranges[-1][1] == line - 1:
                ranges[-1] = (ranges[-1][0], line)
            else:
                ranges.append((line, line))
        return ranges


def _columns(defect: Defect, collection: str, lang: str) -> list[int]:
    """Return the columns of the fields that a defect names; of PWS, idx comes first."""
    if collection != "pws":
        return [_COLUMNS[collection][defect.field]] if collection in _COLUMNS else []
    words = defect.field.replace("answers", "answer1, answer2, correct_answer").replace("an option", "answer1, answer2")
    named = _PWS_FIELDS if words == "all" else [field for field in _PWS_FIELDS if field in re.findall(r"\w+", words)]
    places = (_PWS_FIELDS.index(field) for field in named)
    return [1, *(3 + len(_PWS_LANGUAGES) * place + _PWS_LANGUAGES.index(lang) for place in places)]


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


def _cells(defect: Defect) -> tuple[str, ...]:
    how = f"{defect.how}: {defect.finding}" if defect.how == SUITE else defect.how
    command = defect.command.replace("|", r"\|")  # a bar would end the cell
    lines = "" if defect.instances else defect.lines
    return lines, defect.rows, defect.field, defect.found, defect.expected, how, f"`{command}`"


def page(text: str, defects: Iterable[Defect]) -> str:
    """Return the text of the page with its tables written again."""
    by_collection: dict[str, list[Defect]] = defaultdict(list)
    for defect in defects:
        by_collection[defect.collection].append(defect)

    def block(match: re.Match[str]) -> str:
        listed = by_collection.pop(match[2])
        # the lines of a file that `instantiate` makes repeat defects of templates
        count = len({number for defect in listed if not defect.instances for number in defect.numbers})
        head = f"{plural(count, 'record')} with a defect:\n\n{_HEAD}\n{'|---' * 7}|\n"
        rows = "".join(f"| {' | '.join(_cells(defect))} |\n" for defect in listed)
        return f"{match[1]}{head}{rows}{match[3]}"

    written = _BLOCK.sub(block, text)
    if by_collection:
        raise PipelineError(PAGE, None, f"[page] no place for the defects of {', '.join(by_collection)}")
    return written


if __name__ == "__main__":
    PAGE.write_text(page(read_text(PAGE), read_defects()), encoding="utf-8")
