"""Table 8 of WSC-ZA from the codes of people: how often each error type occurs, by system; the types, and the printed numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Literal, get_args

from ...core.errors import PipelineError, shown
from ...core.files import from_json, parse_tsv, read_text, require_unique
from ...core.records import field_of
from ...core.rules import RULES
from ..predictions import Form
from ..report.tables import NOTHING, Row, Table, escaped, latex_table
from .traces import Trace

COLUMNS = ("code", "name", "printed", "percent")
#: The number of sentences of Table 8, which all three systems misread (section 5.4).
SENTENCES = 19
#: The systems of the paper.
SYSTEMS = 3
#: Which types of two coders count: those that both gave, those that one gave at least, or those on which they agreed afterwards.
Taken = Literal["both", "either", "reconciled"]
TAKEN: tuple[Taken, ...] = get_args(Taken)
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
    lines: dict[str, int | None] = {}
    types = []
    for line, row in parse_tsv(read_text(path), path, COLUMNS):
        require_unique(lines, row["code"], path, line, "code")
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


def decided(
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


def table8(traces: Sequence[Trace], codes: Codes, types: Mapping[str, frozenset[str]], taken: Taken) -> dict[str, Any]:
    """Return the figures of Table 8.

    ``systems`` has for each system ``errors`` and ``controls``: the number of traces with codes (``n``) and, by type, how many have it
    (``counts``). ``shared`` has the sentences, each in one form, that all systems got wrong, as the paper's 19 are: how many have a type in
    ``some`` system's trace, and in ``all``. ``printed`` has the paper's numbers.
    """
    coders = sorted({coder for by_coder in codes.values() for coder in by_coder})
    known = [trace for trace in traces if trace.id in types]
    systems = list(dict.fromkeys(trace.model for trace in traces))
    return {
        "taken": taken,
        "simulated": any(coder.startswith(SIMULATED) for coder in coders),
        "coders": coders,
        "traces": len(traces),
        "coded": len(known),
        "systems": {
            name: {
                f"{condition}s": _counts([types[t.id] for t in known if (t.model, t.condition) == (name, condition)])
                for condition in ("error", "control")
            }
            for name in systems
        },
        "shared": _shared(known, types, systems),
        "printed": {
            "n": SENTENCES,
            "counts": {entry.code: entry.printed for entry in error_types()},
            "checks": printed_checks(error_types()),
        },
    }


def _counts(sets: Sequence[frozenset[str]]) -> dict[str, Any]:
    return {
        "n": len(sets),
        "counts": {entry.code: sum(entry.code in types for types in sets) for entry in error_types()},
        "without": sum(not types for types in sets),
    }


def _shared(known: Sequence[Trace], types: Mapping[str, frozenset[str]], systems: Sequence[str]) -> dict[str, Any]:
    by_sentence: dict[tuple[str, Form], dict[str, frozenset[str]]] = {}
    for trace in known:
        if trace.condition == "error":
            by_sentence.setdefault((trace.item.id, trace.form), {})[trace.model] = types[trace.id]
    sets = [list(by_system.values()) for by_system in by_sentence.values() if len(by_system) == len(systems)]
    return {
        "n": len(sets),
        "some": _counts([frozenset().union(*of) for of in sets]),
        "all": _counts([of[0].intersection(*of) for of in sets]),
    }


def disagreements(traces: Sequence[Trace], codes: Codes) -> list[tuple[str, ...]]:
    """Return a row for each trace on which two coders differ: id, both codes, an empty cell for what they agree on, sentence, trace."""
    rows: list[tuple[str, ...]] = []
    for trace in traces:
        given = list(codes.get(trace.id, {}).values())
        if len(given) == 2 and given[0] != given[1]:
            first, second = (" ".join(sorted(of)) for of in given)
            rows.append((trace.id, first, second, "", trace.item.text, trace.trace))
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


def table8_latex(figures: Mapping[str, Any]) -> str:
    """Return the table in LaTeX, for a preamble with booktabs: a column for each system, one for the shared sentences, the printed one."""
    systems, shared, printed = figures["systems"], figures["shared"], figures["printed"]
    columns = [*((name, of["errors"]) for name, of in systems.items()), ("All systems", shared["some"])]
    header = ["Error type", *(f"{name} (N = {of['n']})" for name, of in columns), f"Printed (N = {printed['n']})"]
    label = "Simulated codes: nobody coded these traces. " if figures["simulated"] else ""
    caption = (
        f"{label}Error types, from the codes of {CODES_OF[figures['taken']]}. Several types may apply to a trace. All systems: "
        "sentences that all of them have wrong, with the types of any of their traces. Printed: sentences of WSC-ZA, of other systems."
    )
    numbers = [*(of for _, of in columns), printed]
    rows = [
        " & ".join([escaped(entry.name), *(_cell(of, entry) for of in numbers)]) + r" \\" for entry in error_types()
    ]
    return latex_table("error-types", caption, 1, header, "\n".join(rows))


def _cell(of: Mapping[str, Any], entry: ErrorType) -> str:
    number, size = of["counts"][entry.code], of["n"]
    return f"{number} ({100 * number / size:.1f} \\%)" if size else "--"


def error_table(path: Path) -> Table:
    """Return the layout of WSC-ZA's Table 8: how many explanations of errors, and of right answers called wrong, have each error type.

    Args:
        path: figures.json of `evaluate codes`.
    """
    try:
        figures = from_json(read_text(path))
        if not isinstance(figures, dict):
            raise ValueError(f"[json] wrong kind; found {shown(figures)}, expected the figures of `evaluate codes`")
        taken = next((way for way in TAKEN if way == figures.get("taken")), None)
        if taken is None:
            raise ValueError(f"[taken] found {shown(figures.get('taken'))}, expected {', '.join(TAKEN)}")
        columns = []
        for name, of in field_of(figures, "systems", dict, "counts by system").items():
            columns += [(name, _read_counts(of, "errors")), ("its controls", _read_counts(of, "controls"))]
        shared = field_of(figures, "shared", dict, "counts of the sentences that all systems have wrong")
        columns.append(("all systems", _read_counts(shared, "some")))
        columns.append(("printed", _read_counts(figures, "printed")))
        simulated = field_of(figures, "simulated", bool, "true or false")
    except ValueError as error:
        reason = str(error) if str(error).startswith("[") else f"[json] {error}"
        raise PipelineError(path, None, reason) from error
    header = ("Error type", *(f"{name} (N = {n})" for name, (n, _) in columns))
    rows = (
        Row((entry.name, *(_share(counts[entry.code], n) for _, (n, counts) in columns))) for entry in error_types()
    )
    title = f"Error types of explanations, from the codes of {CODES_OF[taken]}"
    return Table("errors", f"{title}. {UNCODED}" if simulated else title, header, 1, (tuple(rows),))


def _read_counts(value: object, name: str) -> tuple[int, Mapping[str, Any]]:
    """Return how many explanations there are, and how many have each type; raises `ValueError` for others than such numbers."""
    if not isinstance(value, dict):
        raise ValueError(f"[systems] wrong kind; found {shown(value)}, expected counts")
    of = field_of(value, name, dict, "counts")
    n = field_of(of, "n", int, "a whole number")
    counts = field_of(of, "counts", dict, "a number for each error type")
    for entry in error_types():
        count = field_of(counts, entry.code, int, "a whole number")
        if not 0 <= count <= n:
            raise ValueError(f"[{entry.code}] found {shown(count)}, expected a number from 0 to {shown(n)}")
    return n, counts


def _share(count: int, n: int) -> str:
    return f"{count} ({100 * count / n:.1f} %)" if n else NOTHING
