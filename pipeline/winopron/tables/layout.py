"""The layouts of WinoPron's Tables 2, 3 and 8 to 10 as Markdown, with a table on the order of the options."""

from collections.abc import Iterable, Mapping, Sequence

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
    parts += [
        _scores(systems, *table) for table in ((8, "f1", "F1"), (9, "precision", "Precision"), (10, "recall", "Recall"))
    ]
    return "\n".join(filter(None, parts)).replace("\n\n\n", "\n\n")


def _sample(sample: Sample) -> str:
    return (
        f"{sample.sentences} sentences of {sample.pairs} pairs of templates with {sample.occupations} occupations, "
        f"{sample.prompts} prompts each, {sample.answers} answers"
    )


def _performance(systems: Systems, printed: Printed) -> str:
    rows = []
    for name, entry in systems.items():
        double, published = entry.sets["double"]["all"], entry.readings["published"]
        winogender = entry.sets["winogender"]["all"].f1 if "winogender" in entry.sets else None
        rows.append([
            name, _percent(winogender), _percent(entry.winogender_cases), _percent(double.f1),
            _percent(entry.difference, signed=True), _percent(published.f1),
            f"{_percent(entry.attempts.accuracy)}{_interval(entry.attempts.accuracy_interval)}",
            f"{_percent(_attempts(double))} ({_percent(_attempts(published))})",
        ])  # fmt: skip
    for name, row in printed["2"].items():
        difference = round(row["WP"] - row["WS"], 1)
        rows.append(
            [f"{name} ({_OTHER})", f"{row['WS']:.1f}", "", f"{row['WP']:.1f}", f"{difference:+.1f}", "", "", ""]
        )
    header = [
        "System",
        "WS",
        "WP by WS' cases",
        "WP",
        "WP - WS",
        "WP, authors' reading",
        "right of those that name one",
        "named one (authors' reading)",
    ]
    cases = ", ".join(f"{case} {row['WS']:.0f}" for case, row in printed["1"].items())
    note = (
        f"WS is Winogender, WP WinoPron. *WP by WS' cases* weighs our sentences as Winogender's templates are ({cases}): where it differs "
        "from WP, the mix of cases is the reason."
    )
    return _table("Table 2: F1 (%)", header, rows, note)


def _consistency(systems: Systems, printed: Printed) -> str:
    kinds = [f"{kind}{within}" for within in ("", " within a prompt") for kind in ("pronoun", "disambiguation")]
    rows = [[name, *(_share(entry.consistency[kind]) for kind in kinds)] for name, entry in systems.items()]
    rows += [
        [f"{name} ({_OTHER})", f"{row['PronounC']:.1f}", f"{row['DisambigC']:.1f}", "", ""]
        for name, row in printed["3"].items()
    ]
    header = ["System", "PronounC", "DisambigC", "PronounC within a prompt", "DisambigC within a prompt"]
    note = "A group is consistent if the answers to all prompts are right, as in the authors' program, or those to one prompt."
    return _table("Table 3: consistent groups (%)", header, rows, note)


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
    header = [
        "System",
        "first option",
        "same in both orders",
        "F1, occupation first",
        "F1, participant first",
        "F1, no options",
    ]
    note = (
        "Each sentence is asked in both orders, so that a system that decides by the sentence names the first option in half of its "
        "answers and the same person in both orders. An answer counts if it names one person; *by first name*, if it names any. In "
        "brackets after F1: answers that name one person."
    )
    return _table("Order of the options (%)", header, rows, note) if rows else ""


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


def _scores(systems: Systems, number: int, key: str, title: str) -> str:
    """Return Table 8, 9 or 10: a measure on sentences with two people and with one, by case and by pronoun set."""
    names = list(dict.fromkeys(name for entry in systems.values() for name in entry.sets))
    rows = []
    for data in names:
        parts = dict.fromkeys(part for entry in systems.values() for part in entry.sets.get(data, ()))
        rows += [
            [data, part, *(_percent(_measure(entry, data, part, key)) for entry in systems.values())] for part in parts
        ]
    return _table(f"Table {number}: {title} (%)", ["Sentences", "", *systems], rows, "")


def _measure(entry: SystemFigures, data: str, part: str, key: str) -> float | None:
    score = entry.sets.get(data, {}).get(part)
    return None if score is None else {"f1": score.f1, "precision": score.precision, "recall": score.recall}[key]


def _table(title: str, header: Sequence[str], rows: Iterable[Sequence[str]], note: str) -> str:
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    body = "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in lines)
    return f"\n## {title}\n\n{body}\n" + (f"\n{note}\n" if note else "")


def _percent(share: float | None, *, digits: int = 1, signed: bool = False) -> str:
    return "n/a" if share is None else f"{100 * share:{'+' if signed else ''}.{digits}f}"


def _interval(interval: Sequence[float] | None) -> str:
    return "" if interval is None else f" ({_percent(interval[0])} to {_percent(interval[1])})"
