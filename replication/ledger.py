"""The ledger of a paper: every number that it prints, and whether our computation gives it.

replication/PAPER.yaml has ``title``, ``source``, ``about`` and ``rows``. A row has:

- ``id``, ``where`` (section or table), ``what`` (the paper prints);
- ``printed``: a text, a mapping (of mappings) of cells, or a TSV file beside the ledger, with the rows of the table in its first column;
- ``ours``: a Python expression over the names of replication/PAPER.py (hyphens become underscores), `Between`, `Ways`, ``printed``
  (`printed_numbers` of the paper) and ``data``, the folder of published collections; for cells it gives a mapping with their names.
  Empty if nothing can be computed;
- ``how`` (in words), ``verdict``, ``why``; ``except``: a list of ``cells`` (names, ``*`` for any text) with ``verdict`` and ``why``.
"""

import functools
import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, InvalidOperation
from fnmatch import fnmatchcase
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.core.errors import PipelineError
from pipeline.core.files import read_text
from pipeline.core.tables import columns_of, read_table
from pipeline.core.yamlfile import line_of, load_yaml, plain_value

FOLDER = Path(__file__).resolve().parent
AGREES, CUT, DIFFERS, CONTRADICTS, NONE = "agrees", "agrees-when-cut", "differs", "contradicts-itself", "cannot-be-had"
VERDICTS = (AGREES, CUT, DIFFERS, CONTRADICTS, NONE)
#: What a computation says of a value, besides `AGREES`, `CUT` and `NONE`.
BOUNDED, DISAGREES, NO_DATA = "within bounds", "disagrees", "not looked at: no data"
_FIELDS = ("id", "where", "what", "printed", "ours", "how", "verdict", "why", "except")


class Between(NamedTuple):
    """The least and the greatest figure that other printed figures allow; it agrees if one of them rounds to the printed one."""

    low: float
    high: float


class Ways(dict[str, Any]):
    """Figures by the way that gives them, where the paper does not say which it took; the first that agrees counts, else the closest."""


@dataclass(frozen=True, slots=True)
class Value:
    """A printed value."""

    cell: str  # empty if it is the only one of its row
    printed: str
    verdict: str
    why: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a ledger."""

    row_id: str
    where: str
    what: str
    ours: str
    how: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Paper:
    """The ledger of a paper."""

    path: Path
    title: str
    source: str
    about: str
    rows: tuple[Row, ...]

    @property
    def name(self) -> str:
        """The name of its files."""
        return self.path.stem


@dataclass(frozen=True, slots=True)
class Finding:
    """A printed value beside ours."""

    row: Row
    value: Value
    ours: str  # empty if nothing was computed
    outcome: str  # AGREES, BOUNDED if it agrees but others would too, CUT, DISAGREES, NO_DATA, or NONE if there is no computation

    @property
    def is_consistent(self) -> bool:
        """Whether the verdict of the ledger is what the computation says."""
        if self.outcome == NO_DATA:
            return self.value.verdict != NONE
        expected = {DISAGREES: (DIFFERS, CONTRADICTS), BOUNDED: (AGREES,)}
        return self.value.verdict in expected.get(self.outcome, (self.outcome,))


def ledgers(folder: Path = FOLDER) -> list[Paper]:
    """Return the ledgers of a folder by name."""
    return [read_ledger(path) for path in sorted(folder.glob("*.yaml"))]


def read_ledger(path: Path) -> Paper:
    """Return the ledger of a paper.

    Raises:
        PipelineError: it is malformed, an id is there twice, a verdict is unknown or has no reason, an exception has no cell.
    """
    node = load_yaml(path)
    rows: dict[str, Row] = {}
    for entry in node["rows"]:
        row = _row(entry, path)
        if row.row_id in rows:
            raise PipelineError(path, line_of(entry), f"[id] {row.row_id} is there twice")
        rows[row.row_id] = row
    return Paper(path, node["title"], node["source"], " ".join(node["about"].split()), tuple(rows.values()))


def _row(entry: Any, path: Path) -> Row:
    line = line_of(entry)
    fields = {"ours": "", "how": "", "why": "", "except": [], **plain_value(entry)}
    if set(fields) != set(_FIELDS):
        raise PipelineError(path, line, f"[row] found {', '.join(fields)}; expected {', '.join(_FIELDS)}")
    if bool(fields["ours"]) is not bool(fields["how"]):
        raise PipelineError(path, line, "[how] a computation needs its description in words, and only a computation")
    printed = fields["printed"]
    cells = read_cells(path.parent / printed) if str(printed).endswith(".tsv") else flat(printed)
    exceptions = fields["except"]
    used: set[str] = set()
    values = []
    for cell, text in cells.items():
        fitting = [rule for rule in exceptions if any(fnmatchcase(cell, pattern) for pattern in rule["cells"])]
        used.update(pattern for rule in fitting for pattern in rule["cells"] if fnmatchcase(cell, pattern))
        if len(fitting) > 1:
            raise PipelineError(path, line, f"[except] {cell} has several exceptions")
        verdict, why = (rule := fitting[0] if fitting else fields)["verdict"], " ".join(rule.get("why", "").split())
        if verdict not in VERDICTS or not (why or verdict == AGREES) or not isinstance(text, str):
            found = f"{cell or 'the value'}: found {verdict!r} of {text!r}"
            raise PipelineError(
                path, line, f"[verdict] {found}, expected one of {', '.join(VERDICTS)}, with a reason, of a text"
            )
        values.append(Value(cell, text, verdict, why))
    if unused := [pattern for rule in exceptions for pattern in rule["cells"] if pattern not in used]:
        raise PipelineError(path, line, f"[except] no cell is called {', '.join(unused)}")
    row_id, where, what, ours, how = (" ".join(fields[name].split()) for name in ("id", "where", "what", "ours", "how"))
    return Row(row_id, where, what, ours, how, tuple(values))


def read_cells(path: Path) -> dict[str, str]:
    """Return the cells of a table: with columns row, column and value, else with the rows in its first column; an empty cell is none."""
    columns = columns_of(read_text(path))
    if "value" in columns:
        return {f"{row['row']}, {row['column']}": row["value"] for _, row in read_table(path, tuple(columns))}
    return {
        f"{row[columns[0]]}, {column}": row[column]
        for _, row in read_table(path, tuple(columns))
        for column in columns[1:]
        if row[column]
    }


def flat(cells: Any) -> dict[str, Any]:
    """Return cells by their names: the keys of nested mappings, joined by commas; empty for a single value.

    >>> flat({"GPT-4": {"zero-shot": 1, "one-shot": 2}, ("a", "b"): 3})
    {'GPT-4, zero-shot': 1, 'GPT-4, one-shot': 2, 'a, b': 3}
    >>> flat("0.87")
    {'': '0.87'}
    """
    if not isinstance(cells, Mapping) or isinstance(cells, Ways):
        return {"": cells}
    return {
        ", ".join(filter(None, (", ".join(key) if isinstance(key, tuple) else str(key), name))): value
        for key, inner in cells.items()
        for name, value in flat(inner).items()
    }


@functools.cache
def printed_numbers(path: Path, row_id: str) -> dict[str, float]:
    """Return the printed numbers of a row by cell, for computations of others; a percentage is in percent, other texts are left out."""
    row = next(row for row in read_ledger(path).rows if row.row_id == row_id)
    numbers = {value.cell: _number(value.printed)[1] for value in row.values}
    return {cell: float(number) for cell, number in numbers.items() if number is not None}


def findings(paper: Paper, data: Path | None) -> Iterator[Finding]:
    """Yield every printed value of a paper beside ours, computed in this process.

    Args:
        paper: its ledger.
        data: the folder of the published collections; None leaves out what needs it.

    Raises:
        PipelineError: a computation fails, or gives cells that the paper does not print.
    """
    module = paper.name.replace("-", "_")
    names = {"Between": Between, "Ways": Ways, "printed": functools.partial(printed_numbers, paper.path)}
    if (FOLDER / f"{module}.py").exists():
        names |= vars(importlib.import_module(f"replication.{module}"))
    for row in paper.rows:
        code = compile(row.ours or "None", f"{paper.name} {row.row_id}", "eval")
        if data is None and "data" in code.co_names:
            yield from (Finding(row, value, "", NONE if value.verdict == NONE else NO_DATA) for value in row.values)
            continue
        try:
            figures = flat(eval(code, {**names, "data": data}))  # noqa: S307 - an expression of our own ledgers
            if row.ours and (more := set(figures) - {value.cell for value in row.values}):
                raise ValueError(f"it computes cells that are not printed: {', '.join(sorted(more))}")
            yield from [Finding(row, value, *compare(value.printed, figures.get(value.cell))) for value in row.values]
        except (ArithmeticError, ImportError, LookupError, NameError, TypeError, ValueError) as error:
            raise PipelineError(paper.path, None, f"[{row.row_id}] cannot be computed; {error}") from error


def compare(printed: str, ours: Any) -> tuple[str, str]:
    """Return how our figure is shown, and whether it is the printed one.

    A number agrees if it rounds to the digits of the printed one, half up or (said beside it) half to even. A percentage is printed with
    its sign and computed in percent, and millions with M and in millions. ``<`` or ``>`` before it is tested as it says. A truth value says
    whether a claim holds. Other texts must be equal.

    >>> compare("0.926", 1334 / 1440), compare("52.4", 52.46), compare("< .001", 0.0531)
    (('0.92639', 'agrees'), ('52.460', 'agrees-when-cut'), ('0.05310', 'disagrees'))
    >>> compare("0.017", Between(0.0154, 0.0158)), compare("5.1", Ways(first=7, second=5.06)), compare("19", None)
    (('0.01540 to 0.01580', 'disagrees'), ('5.060 (second; first: 7)', 'agrees'), ('', 'cannot-be-had'))
    """
    if ours is None:
        return "", NONE
    if isinstance(ours, Ways):
        return _closest(printed, ours)
    if isinstance(ours, bool):
        return ("holds" if ours else "does not hold"), AGREES if ours else DISAGREES
    if isinstance(ours, str):
        return ours, AGREES if ours == printed else DISAGREES
    sign, number = _number(printed)
    if number is None:
        raise ValueError(f"the figure {ours!r} has no number beside it: {printed!r}")
    quantum = Decimal(1).scaleb(int(number.as_tuple().exponent))
    if isinstance(ours, Between):
        return _within(number, quantum, ours)
    figure = _decimal(ours)
    text = _shown(figure, quantum)
    if sign:
        return text, AGREES if (figure < number if sign == "<" else figure > number) else DISAGREES
    if figure.quantize(quantum, ROUND_HALF_UP) == number:
        return text, AGREES
    if figure.quantize(quantum, ROUND_HALF_EVEN) == number:
        return f"{text} (half to even)", AGREES
    return text, CUT if figure.quantize(quantum, ROUND_DOWN) == number else DISAGREES


def _within(number: Decimal, quantum: Decimal, ours: Between) -> tuple[str, str]:
    """Compare a printed number with bounds: it agrees outright if all that lies between them rounds to it."""
    low, high = (_decimal(bound) for bound in ours)
    text = f"{_shown(low, quantum)} to {_shown(high, quantum)}"
    if not low - quantum / 2 <= number <= high + quantum / 2:
        return text, DISAGREES
    return text, AGREES if all(abs(bound - number) <= quantum / 2 for bound in (low, high)) else BOUNDED


def _closest(printed: str, ways: Ways) -> tuple[str, str]:
    """Return the way that agrees, else agrees when cut, else is closest, with the others in parentheses."""
    compared = {way: compare(printed, figure) for way, figure in ways.items()}
    order = (AGREES, BOUNDED, CUT, DISAGREES)
    number = _number(printed)[1] or Decimal(0)
    chosen = min(ways, key=lambda way: (order.index(compared[way][1]), abs(_decimal(ways[way]) - number)))
    others = [f"{way}: {text}" for way, (text, _) in compared.items() if way != chosen]
    return f"{compared[chosen][0]} ({'; '.join([chosen, *others])})", compared[chosen][1]


def _number(printed: str) -> tuple[str, Decimal | None]:
    """Return the sign of comparison and the number of a printed text; None if it is no number."""
    text = printed.replace("−", "-").replace(",", "").removesuffix("%").removesuffix("M").strip()
    sign = text[:1] if text[:1] in ("<", ">") else ""
    try:
        return sign, Decimal(text.removeprefix(sign).strip())
    except InvalidOperation:
        return sign, None


def _decimal(figure: float | Fraction) -> Decimal:
    return Decimal(f"{float(figure):.12g}")  # without the noise of binary fractions


def _shown(figure: Decimal, quantum: Decimal) -> str:
    """Return a figure with two digits more than are printed; a whole number, or one with fewer digits, as it is."""
    rounded = figure.quantize(quantum / 100) if figure != figure.to_integral_value() else figure.quantize(Decimal(1))
    return f"{rounded:.3g}" if abs(rounded) < Decimal("0.0001") and rounded else str(rounded)
