"""Table 8 of WSC-ZA from the codes of people: how often each error type occurs, by system; the types, and the printed numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Literal

import msgspec

from ...core.convert import Count, convert_fields
from ...core.errors import PipelineError, shown
from ...core.files import from_json, read_text
from ...core.rules import RULES
from ...core.tables import read_table
from ...winograd.zero_forms import zero_form
from ..predictions import Form
from ..report.tables import NOTHING, Row, Table, latex_table
from .errors import Condition
from .traces import Trace

COLUMNS = ("code", "name", "printed", "percent")
#: The number of sentences of Table 8, which all three systems misread (section 5.4).
SENTENCES = 19
#: The systems of the paper.
SYSTEMS = 3
#: Which types of two coders count: those that both gave, those that one gave at least, or those on which they agreed afterwards.
Taken = Literal["both", "either", "reconciled"]
#: Whose codes they are, for titles.
CODES_OF: Mapping[Taken, str] = {
    "both": "both of two coders",
    "either": "either of two coders",
    "reconciled": "two coders after reconciliation",
}
#: The code that says that no type applies.
NONE = "none"
#: How the names of simulated coders begin.
SIMULATED = "simulated-"
#: Probability that a simulated coder sees a type that is there.
_SEEN = 0.85
#: The codes of each trace by coder.
Codes = Mapping[str, Mapping[str, frozenset[str]]]
#: What the title of a table says of codes that nobody gave.
UNCODED = "SIMULATED codes: nobody coded these explanations"


@dataclass(frozen=True, slots=True)
class ErrorType:
    """A type: its code in our studies, the paper's name, the printed number of sentences and its printed percentage."""

    code: str
    name: str
    printed: int
    percent: float


@cache
def error_types() -> tuple[ErrorType, ...]:
    """Return the types in the order of Table 8, from rules/evaluation."""
    path = RULES / "evaluation" / "error-types.tsv"
    types = []
    for line, row in read_table(path, COLUMNS, unique="code"):
        try:
            types.append(ErrorType(row["code"], row["name"], int(row["printed"]), float(row["percent"])))
        except ValueError as error:
            raise PipelineError(path, line, f"[printed] no number; found {shown(row)}, expected numbers") from error
    return tuple(types)


def printed_checks(types: Sequence[ErrorType]) -> Mapping[str, object]:
    """Return what the printed table says about itself.

    ``wrong_percentages`` names the types whose percentage is not that of their number of `SENTENCES`; ``sum`` is the sum of the numbers,
    ``per_sentence`` the types of a sentence on average; ``traces`` is how many explanations three systems gave about these sentences,
    ``per_trace`` the types of each if all had been counted. The numbers are of sentences: how three explanations of one sentence became
    one set of types is not printed, and neither are numbers by system.
    """
    total = sum(entry.printed for entry in types)
    return {
        "wrong_percentages": [
            entry.code for entry in types if round(100 * entry.printed / SENTENCES, 1) != entry.percent
        ],
        "sum": total,
        "per_sentence": total / SENTENCES,
        "traces": SYSTEMS * SENTENCES,
        "per_trace": total / (SYSTEMS * SENTENCES),
    }


def decide_types(
    codes: Codes, taken: Taken, reconciled: Mapping[str, frozenset[str]] | None = None
) -> dict[str, frozenset[str]]:
    """Return the types of each trace that two coders coded, without `NONE`.

    Args:
        reconciled: the codes on which the coders agreed afterwards, of each trace on which they differed.

    Raises:
        ValueError: a trace has more than two coders, or coders differ on one that is not reconciled.
    """
    types = {}
    for name, by_coder in codes.items():
        if len(by_coder) > 2:
            raise ValueError(f"[rater] found {len(by_coder)} coders of {name}, expected two")
        if len(by_coder) < 2:
            continue
        first, second = by_coder.values()
        if taken == "reconciled" and first != second:
            if name not in (reconciled or {}):
                raise ValueError(f"[codes] coders differ on {name}; expected its codes in --reconciled")
            types[name] = (reconciled or {})[name] - {NONE}
        else:
            types[name] = (first | second if taken == "either" else first & second) - {NONE}
    return types


class TypeCounts(msgspec.Struct, frozen=True, omit_defaults=True):
    """How many of `n` traces, or sentences, have each type; those in the paper come with what its table says about itself."""

    n: Count
    counts: Mapping[str, Count]
    without: Count | None = None  # how many have no type; None of those in the paper
    checks: Mapping[str, Any] | None = None  # see `printed_checks`

    def __post_init__(self) -> None:
        for code in (entry.code for entry in error_types()):
            if not 0 <= self.counts.get(code, -1) <= self.n:
                found = self.counts.get(code, "nothing")
                raise ValueError(f"[{code}] found {found}, expected a number from 0 to {self.n}")


@dataclass(frozen=True, slots=True)
class SystemCounts:
    """The types of the traces of a system: of its errors, and of its right answers that were called wrong."""

    errors: TypeCounts
    controls: TypeCounts


@dataclass(frozen=True, slots=True)
class SharedCounts:
    """The types of the sentences, each in one form, that all systems got wrong, as the paper's 19 are."""

    n: Count
    some: TypeCounts  # a type counts if the trace of any system has it
    all: TypeCounts  # only if the traces of all systems have it


@dataclass(frozen=True, slots=True)
class Table8:
    """The figures of Table 8; figures.json of `evaluate codes` has the coders' agreement besides."""

    taken: Taken
    simulated: bool
    coders: Sequence[str]
    traces: Count
    coded: Count
    systems: Mapping[str, SystemCounts]
    shared: SharedCounts
    printed: TypeCounts


def table8(traces: Sequence[Trace], codes: Codes, types: Mapping[str, frozenset[str]], taken: Taken) -> Table8:
    """Return the figures of Table 8 from the codes of traces, and the types that count (`decide_types`)."""
    coders = sorted({coder for by_coder in codes.values() for coder in by_coder})
    known = [trace for trace in traces if trace.id in types]
    systems = list(dict.fromkeys(trace.model for trace in traces))

    def counts_of(model: str, condition: Condition) -> TypeCounts:
        return _counts([types[trace.id] for trace in known if (trace.model, trace.condition) == (model, condition)])

    return Table8(
        taken=taken,
        simulated=any(coder.startswith(SIMULATED) for coder in coders),
        coders=coders,
        traces=len(traces),
        coded=len(known),
        systems={name: SystemCounts(counts_of(name, "error"), counts_of(name, "control")) for name in systems},
        shared=_shared(known, types, systems),
        printed=TypeCounts(
            SENTENCES, {entry.code: entry.printed for entry in error_types()}, checks=printed_checks(error_types())
        ),
    )


def _counts(sets: Sequence[frozenset[str]]) -> TypeCounts:
    counts = {entry.code: sum(entry.code in types for types in sets) for entry in error_types()}
    return TypeCounts(len(sets), counts, sum(not types for types in sets))


def _shared(known: Sequence[Trace], types: Mapping[str, frozenset[str]], systems: Sequence[str]) -> SharedCounts:
    by_sentence: dict[tuple[str, Form], dict[str, frozenset[str]]] = {}
    for trace in known:
        if trace.condition == "error":
            by_sentence.setdefault((trace.item.id, trace.form), {})[trace.model] = types[trace.id]
    sets = [list(by_system.values()) for by_system in by_sentence.values() if len(by_system) == len(systems)]
    return SharedCounts(
        len(sets), _counts([frozenset().union(*of) for of in sets]), _counts([of[0].intersection(*of) for of in sets])
    )


def disagreements(traces: Sequence[Trace], codes: Codes) -> list[tuple[str, ...]]:
    """Return a row for each trace on which two coders differ: id, both codes, an empty cell for what they agree on, sentence, trace.

    The sentence is in the form that the system saw.
    """
    rows: list[tuple[str, ...]] = []
    for trace in traces:
        given = list(codes.get(trace.id, {}).values())
        if len(given) == 2 and given[0] != given[1]:
            first, second = (" ".join(sorted(of)) for of in given)
            item = trace.item
            sentence = zero_form(item.text, item.target, item.lang).text_zero if trace.form == "zero" else item.text
            rows.append((trace.id, first, second, "", sentence, trace.trace))
    return rows


def simulated_codes(traces: Sequence[Trace], seed: int) -> dict[str, dict[str, frozenset[str]]]:
    """Return codes of two coders that do not exist, to try the way from traces to Table 8.

    Each error has each type with the probability printed in Table 8, a control with a tenth of it; a coder sees what is there in 85 %
    of the cases, each by themselves.
    """
    codes: dict[str, dict[str, frozenset[str]]] = {}
    for trace in traces:
        random = Random(f"{seed}/{trace.id}")  # noqa: S311 - no secret depends on it
        weight = 1.0 if trace.condition == "error" else 0.1
        there = [entry.code for entry in error_types() if random.random() < weight * entry.printed / SENTENCES]
        codes[trace.id] = {
            f"{SIMULATED}{number}": frozenset(code for code in there if random.random() < _SEEN) or frozenset({NONE})
            for number in (1, 2)
        }
    return codes


def table8_latex(figures: Table8) -> str:
    """Return the table in LaTeX, for a preamble with booktabs: a column for each system, one for the shared sentences, the printed one."""
    label = "Simulated codes: nobody coded these traces. " if figures.simulated else ""
    caption = (
        f"{label}Error types, from the codes of {CODES_OF[figures.taken]}. Several types may apply to a trace. All systems: "
        "sentences that all of them have wrong, with the types of any of their traces. Printed: sentences of WSC-ZA, of other systems."
    )
    columns = [(name, of.errors) for name, of in figures.systems.items()]
    columns += [("All systems", figures.shared.some), ("Printed", figures.printed)]
    return latex_table(_table("error-types", caption, columns), caption)


def read_error_table(path: Path) -> Table:
    """Return the layout of WSC-ZA's Table 8 from figures.json of `evaluate codes`.

    It shows how many explanations of errors, and of right answers called wrong, have each error type.
    """
    try:
        value = from_json(read_text(path))
        if not isinstance(value, dict):
            raise ValueError(f"[json] wrong kind; found {shown(value)}, expected the figures of `evaluate codes`")
        figures = convert_fields(value, Table8)
    except ValueError as error:
        reason = str(error) if str(error).startswith("[") else f"[json] {error}"
        raise PipelineError(path, None, reason) from error
    title = f"Error types of explanations, from the codes of {CODES_OF[figures.taken]}"
    columns = [
        column for name, of in figures.systems.items() for column in ((name, of.errors), ("its controls", of.controls))
    ]
    columns += [("all systems", figures.shared.some), ("printed", figures.printed)]
    return _table("errors", f"{title}. {UNCODED}" if figures.simulated else title, columns)


def _table(name: str, title: str, columns: Sequence[tuple[str, TypeCounts]]) -> Table:
    """Return a table with a row for each type, and a column with numbers and percentages for each set of counts."""
    header = ("Error type", *(f"{column} (N = {of.n})" for column, of in columns))
    rows = (Row((entry.name, *(_share(of.counts[entry.code], of.n) for _, of in columns))) for entry in error_types())
    return Table(name, title, header, 1, (tuple(rows),))


def _share(count: int, n: int) -> str:
    return f"{count} ({100 * count / n:.1f} %)" if n else NOTHING
