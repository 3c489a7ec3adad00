"""Table 8 of WSC-ZA from the codes of people: how often each error type occurs, by system."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Literal, get_args

from ..predictions import Form
from ..report.tables import escaped, latex_table
from .traces import Trace
from .types import SENTENCES, ErrorType, error_types, printed_checks

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


def decided(
    codes: Codes, taken: Taken, reconciled: Mapping[str, frozenset[str]] | None = None
) -> dict[str, frozenset[str]]:
    """Return the types of each trace that two coders coded, without `NONE`.

    Args:
        codes: the codes.
        taken: which count.
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

    Args:
        traces: the traces.
        codes: see `decided`.
        types: the result of `decided`.
        taken: which codes of two coders count.
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
