"""The layouts of WinoPron's Tables 2, 3 and 8 to 10 as Markdown, with a table on the order of the options."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from ..performance import Consistency, Performance
from .figures import OptionOrder, Printed, Sample, SystemFigures, printed_values

#: The figures of each system, by its name.
Systems = Mapping[str, SystemFigures]
_OTHER = "printed, other sentences"
_NOTE = "Chance is that of a system that names one of the two people at random. Intervals (95 %) have a pair of templates as a cluster."


def markdown_tables(systems: Systems) -> str:
    """Return all tables as one Markdown file."""
    printed = printed_values()
    parts = [
        "# Tables after WinoPron\n",
        *(f"{name}: {_sample(entry.sample)}.  \n" for name, entry in systems.items()),
    ]
    parts += [
        f"\n{_NOTE}\n",
        _performance(systems, printed),
        _consistency(systems, printed),
        _options(systems),
        _mentions(systems),
    ]
    parts += [_scores(systems, title, measure) for title, measure in _SCORES.items()]
    return "\n".join(filter(None, parts)).replace("\n\n\n", "\n\n")


def _sample(sample: Sample) -> str:
    return (
        f"{sample.sentences} sentences of {sample.pairs} pairs of templates with {sample.occupations} occupations, "
        f"{sample.prompts} prompts each, {sample.answers} answers"
    )


def _performance(systems: Systems, printed: Printed) -> str:
    rows = [[name, *(cell(entry) for cell in _PERFORMANCE.values())] for name, entry in systems.items()]
    for name, row in printed["2"].items():
        cells = {
            "WS": f"{row['WS']:.1f}",
            "WP": f"{row['WP']:.1f}",
            "WP - WS": f"{round(row['WP'] - row['WS'], 1):+.1f}",
        }
        rows.append([f"{name} ({_OTHER})", *(cells.get(column, "") for column in _PERFORMANCE)])
    cases = ", ".join(f"{case} {row['WS']:.0f}" for case, row in printed["1"].items())
    note = (
        f"WS is Winogender, WP WinoPron. *WP by WS' cases* weighs our sentences as Winogender's templates are ({cases}): where it differs "
        "from WP, the mix of cases is the reason."
    )
    return _table("Table 2: F1 (%)", ["System", *_PERFORMANCE], rows, note)


def _consistency(systems: Systems, printed: Printed) -> str:
    rows = [
        [name, *(_share(entry.consistency[kind]) for kind in _CONSISTENCY.values())] for name, entry in systems.items()
    ]
    for name, row in printed["3"].items():
        rows.append([f"{name} ({_OTHER})", *(f"{row[column]:.1f}" if column in row else "" for column in _CONSISTENCY)])
    note = "A group is consistent if the answers to all prompts are right, as in the authors' program, or those to one prompt."
    return _table("Table 3: consistent groups (%)", ["System", *_CONSISTENCY], rows, note)


def _share(score: Consistency) -> str:
    return f"{_percent(score.share)}{_interval(score.interval)}, chance {_percent(score.chance, digits=2)}"


def _options(systems: Systems) -> str:
    rows = []
    for name, entry in systems.items():
        if entry.options and entry.options_by_first_name:
            scores = [
                f"{_percent(score.f1)} ({_percent(_attempts(score))})" for score in entry.options.variants.values()
            ]
            rows.append([name, _first(entry.options), _same(entry.options), *scores])
            by_name = entry.options_by_first_name
            rows.append([f"{name}, by first name", _first(by_name), _same(by_name), "", "", ""])
    note = (
        "Each sentence is asked in both orders, so that a system that decides by the sentence names the first option in half of its "
        "answers and the same person in both orders. An answer counts if it names one person; *by first name*, if it names any. In "
        "brackets after F1: answers that name one person."
    )
    return _table("Order of the options (%)", _OPTIONS, rows, note) if rows else ""


def _mentions(systems: Systems) -> str:
    rows = []
    for name, entry in systems.items():
        for label, order in ((name, entry.mentions), (f"{name}, by first name", entry.mentions_by_first_name)):
            if order.attempted:
                first = f"{_percent(order.first_share)} of {order.attempted}"
                rows.append([label, first, f"{_percent(order.same_share)} of {order.pairs}"])
    note = (
        "The two templates of a pair mention both people in the same order, and only the end tells who is meant: a system that decides by "
        "it never gives the same answer to both, and one that answers by place, or by the words before, always does."
    )
    return (
        _table("Order of the mentions (%)", ["System", "first in the sentence", "same for both templates"], rows, note)
        if rows
        else ""
    )


def _first(order: OptionOrder) -> str:
    return f"{_percent(order.first_share)}{_interval(order.interval)} of {order.attempted}"


def _same(order: OptionOrder) -> str:
    return f"{_percent(order.same_share)} of {order.both_orders}"


def _attempts(score: Performance) -> float | None:
    return score.attempted / score.sentences if score.sentences else None


def _scores(systems: Systems, title: str, measure: Callable[[Performance], float | None]) -> str:
    """Return Table 8, 9 or 10: a measure on sentences with two people and with one, by case and by pronoun set."""
    rows = []
    for data in dict.fromkeys(data for entry in systems.values() for data in entry.sets):
        scores_of = [entry.sets.get(data, {}) for entry in systems.values()]
        for part in dict.fromkeys(part for scores in scores_of for part in scores):
            cells = [_percent(measure(scores[part])) if part in scores else "n/a" for scores in scores_of]
            rows.append([data, part, *cells])
    return _table(title, ["Sentences", "", *systems], rows, "")


def _table(title: str, header: Sequence[str], rows: Iterable[Sequence[str]], note: str) -> str:
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    body = "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in lines)
    return f"\n## {title}\n\n{body}\n" + (f"\n{note}\n" if note else "")


def _percent(share: float | None, *, digits: int = 1, signed: bool = False) -> str:
    return "n/a" if share is None else f"{100 * share:{'+' if signed else ''}.{digits}f}"


def _interval(interval: Sequence[float] | None) -> str:
    return "" if interval is None else f" ({_percent(interval[0])} to {_percent(interval[1])})"


def _set_f1(entry: SystemFigures, data: str) -> str:
    return _percent(entry.sets[data]["all"].f1) if data in entry.sets else "n/a"


#: The columns of Table 2, by their heads.
_PERFORMANCE: Mapping[str, Callable[[SystemFigures], str]] = {
    "WS": lambda entry: _set_f1(entry, "winogender"),
    "WP by WS' cases": lambda entry: _percent(entry.winogender_cases),
    "WP": lambda entry: _set_f1(entry, "double"),
    "WP - WS": lambda entry: _percent(entry.difference, signed=True),
    "WP, authors' reading": lambda entry: _percent(entry.readings["published"].f1),
    "right of those that name one": lambda entry: (
        f"{_percent(entry.attempts.accuracy)}{_interval(entry.attempts.accuracy_interval)}"
    ),
    "named one (authors' reading)": lambda entry: (
        f"{_percent(_attempts(entry.readings['words']))} ({_percent(_attempts(entry.readings['published']))})"
    ),
}
#: The columns of Table 3, by their heads, and the kinds of consistency that they show.
_CONSISTENCY = {
    "PronounC": "pronoun",
    "DisambigC": "disambiguation",
    "PronounC within a prompt": "pronoun within a prompt",
    "DisambigC within a prompt": "disambiguation within a prompt",
}
#: The heads of the table on the order of the options.
_OPTIONS = (
    "System",
    "first option",
    "same in both orders",
    "F1, occupation first",
    "F1, participant first",
    "F1, no options",
)
#: The measures of Tables 8 to 10, by their titles.
_SCORES: Mapping[str, Callable[[Performance], float | None]] = {
    "Table 8: F1 (%)": lambda score: score.f1,
    "Table 9: Precision (%)": lambda score: score.precision,
    "Table 10: Recall (%)": lambda score: score.recall,
}
