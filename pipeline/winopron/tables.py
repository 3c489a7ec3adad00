"""WinoPron's Tables 2, 3 and 8 to 10, filled for systems, beside the printed values of other systems on other sentences."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..core.convert import to_object
from ..core.errors import PipelineError, shown
from ..core.files import require_unique
from ..core.rules import RULES
from ..core.tables import read_table
from ..statistics.intervals import clustered_interval, ratio
from .measures import (
    Consistency,
    Entity,
    Performance,
    Response,
    disambiguation_consistency,
    performance,
    performance_by,
    pronoun_consistency,
)

_COLUMNS = ("table", "row", "column", "value")
#: Printed values by table, row and column.
Printed = Mapping[str, Mapping[str, Mapping[str, float]]]


@dataclass(frozen=True, slots=True)
class Sample:
    """Numbers of pairs of templates, their occupations, sentences, prompts for each of them, and answers."""

    pairs: int
    occupations: int
    sentences: int
    prompts: int
    answers: int


@dataclass(frozen=True, slots=True)
class OptionOrder:
    """Answers to prompts that list options.

    Every sentence is asked with each entity first, so that a model that decides by the sentence names the first option half of the time.

    Attributes:
        attempted: answers that name one entity.
        first: those that name the first option.
        interval: 95 % confidence interval of the share of `first`, with the answers to one pair of templates as a cluster.
        both_orders: prompts that were answered with one entity in both orders of the options.
        same: those that were answered with the same entity.
    """

    attempted: int
    first: int
    interval: tuple[float, float] | None
    both_orders: int
    same: int
    first_share: float | None  # first / attempted
    same_share: float | None  # same / both_orders
    variants: Mapping[str, Performance]  # with each entity first, and without options


@dataclass(frozen=True, slots=True)
class MentionOrder:
    """Answers to sentences that mention both entities; in a pair of templates each is right once, so that half are right by either place.

    Attributes:
        attempted: answers that name one entity.
        first: those that name the one that the sentence mentions first.
        pairs: pairs of templates that were answered with one entity each, by prompt and pronoun.
        same: those that were answered with the same entity, and thus not by what tells the templates apart.
    """

    attempted: int
    first: int
    pairs: int
    same: int
    first_share: float | None  # first / attempted
    same_share: float | None  # same / pairs


@dataclass(frozen=True, slots=True)
class SystemFigures:
    """What the tables hold of one system; shares lie between 0 and 1, undefined values are None.

    Attributes:
        sets: performance by sentences (double, single, winogender) and by part of them: all, each case, each pronoun set.
        difference: F1 on WinoPron's sentences less that on Winogender's.
        consistency: by kind, over all prompts and within a prompt.
        options: how answers follow the order of the options; None if no prompt lists any.
        options_by_first_name: the same for the first name in an answer.
        attempts: performance on answers that name one entity: its accuracy is precision, and its interval that of precision.
    """

    sample: Sample
    sets: Mapping[str, Mapping[str, Performance]]
    winogender_cases: float | None  # see `weighted_f1`
    difference: float | None
    consistency: Mapping[str, Consistency]
    readings: Mapping[str, Performance]  # by the way to read the answers
    options: OptionOrder | None
    options_by_first_name: OptionOrder | None
    mentions: MentionOrder  # how answers follow the order of the mentions in the sentence
    mentions_by_first_name: MentionOrder
    attempts: Performance


def system_figures(
    double: Sequence[Response],
    published: Sequence[Response],
    first: Sequence[Response],
    single: Sequence[Response] = (),
    winogender: Sequence[Response] = (),
) -> SystemFigures:
    """Return what the tables hold of a system.

    Args:
        double: its responses to WinoPron's sentences with two entities.
        published: the same answers, read as the authors' program reads them.
        first: the same answers, read by the first name in them.
        single: to sentences with one entity; empty if there are none.
        winogender: to Winogender's sentences; empty if there are none.
    """
    whole, other = performance(double), performance(winogender)
    sentences = {"double": double, "single": single, "winogender": winogender}
    return SystemFigures(
        sample=_sample(double),
        sets={name: _parts(rows) for name, rows in sentences.items() if rows},
        winogender_cases=weighted_f1(double, printed_values()["1"]),
        difference=None if whole.f1 is None or other.f1 is None else whole.f1 - other.f1,
        consistency={
            f"{name}{' within a prompt' if by_prompt else ''}": measure(double, by_prompt=by_prompt)
            for by_prompt in (False, True)
            for name, measure in (("pronoun", pronoun_consistency), ("disambiguation", disambiguation_consistency))
        },
        readings={"words": whole, "published": performance(published), "first": performance(first)},
        options=option_order(double),
        options_by_first_name=option_order(first),
        mentions=mention_order(double),
        mentions_by_first_name=mention_order(first),
        attempts=performance(row for row in double if row.attempted),
    )


def figures_to_json(systems: Mapping[str, SystemFigures]) -> dict[str, Any]:
    """Return the figures by system as a JSON value, with the printed values; an order of options that nobody saw is an empty object."""
    values = {name: to_object(figures) for name, figures in systems.items()}
    for value in values.values():
        value |= {key: value[key] or {} for key in ("options", "options_by_first_name")}
    return {"systems": values, "printed": printed_values()}


def _sample(responses: Sequence[Response]) -> Sample:
    pairs = {row.pair for row in responses}
    return Sample(
        pairs=len(pairs),
        occupations=len({occupation for occupation, _, _ in pairs}),
        sentences=len({(row.pair, row.pronouns, row.antecedent) for row in responses}),
        prompts=len({row.prompt for row in responses}),
        answers=len(responses),
    )


def _parts(responses: Sequence[Response]) -> dict[str, Performance]:
    """Return the performance on all sentences, by case and by pronoun set: the rows of Tables 8 to 10."""
    return {
        "all": performance(responses),
        **performance_by(responses, lambda row: row.case),
        **performance_by(responses, lambda row: row.pronouns),
    }


def weighted_f1(responses: Sequence[Response], cases: Mapping[str, Mapping[str, float]]) -> float | None:
    """Return F1 as if the sentences of each case were as frequent as Winogender's templates are (Table 1); undefined if a case is missing.

    2 Σ w recall / Σ w (1 + attempted share), with w the number of Winogender's templates of a case. Where it differs from F1 on the
    sentences as they are, the mix of cases is the reason, since the sentences are the same.
    """
    right = all_ = 0.0
    for case, counts in cases.items():
        score = performance(row for row in responses if row.case == case)
        if score.recall is None:
            return None
        right += 2 * counts["WS"] * score.recall
        all_ += counts["WS"] * (1 + score.attempted / score.sentences)
    return right / all_ if any(row.attempted for row in responses) else None


def mention_order(responses: Sequence[Response]) -> MentionOrder:
    """Return how the answers follow the order of the mentions; sentences without a known order do not count."""
    attempts = [row for row in responses if row.first_mention and row.attempted]
    pairs: dict[tuple[str, ...], dict[Entity, str]] = defaultdict(dict)
    for row in attempts:
        pairs[*row.pair, row.pronouns, row.prompt][row.antecedent] = row.choice
    both = [choices for choices in pairs.values() if len(choices) == 2]
    first = sum(row.choice == row.first_mention for row in attempts)
    same = sum(len(set(choices.values())) == 1 for choices in both)
    return MentionOrder(len(attempts), first, len(both), same, ratio(first, len(attempts)), ratio(same, len(both)))


def option_order(responses: Sequence[Response]) -> OptionOrder | None:
    """Return how the answers follow the order of the options; None if no prompt lists any."""
    listed = [row for row in responses if row.first_option]
    if not listed:
        return None
    clusters: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    orders: dict[tuple[str, ...], dict[Entity, str]] = defaultdict(dict)
    for row in listed:
        if row.first_option is None or not row.attempted:
            continue
        clusters[row.pair].append(row.choice == row.first_option)
        template = row.prompt.rpartition(" ")[0]  # the prompt is the template's number and that of the variant
        orders[*row.pair, row.pronouns, row.antecedent, template][row.first_option] = row.choice
    both = [choices for choices in orders.values() if len(choices) == 2]
    attempted, first = sum(map(len, clusters.values())), sum(map(sum, clusters.values()))
    same = sum(len(set(choices.values())) == 1 for choices in both)
    return OptionOrder(
        attempted=attempted,
        first=first,
        interval=clustered_interval((sum(marks), len(marks)) for marks in clusters.values()),
        both_orders=len(both),
        same=same,
        first_share=ratio(first, attempted),
        same_share=ratio(same, len(both)),
        variants={
            "occupation first": performance(row for row in listed if row.first_option == "occupation"),
            "participant first": performance(row for row in listed if row.first_option == "participant"),
            "none": performance(row for row in responses if not row.first_option),
        },
    )


@cache
def printed_values() -> Printed:
    """Return what the paper prints in Tables 1 to 3, from rules/evaluation/winopron.tsv.

    Raises:
        PipelineError: the table is malformed, has a cell twice, or lacks Winogender's number of templates by case.
    """
    path = RULES / "evaluation" / "winopron.tsv"
    values: dict[str, dict[str, dict[str, float]]] = {}
    lines: dict[tuple[str, ...], int | None] = {}
    for line, row in read_table(path, _COLUMNS):
        table, name, column, value = (row[column] for column in _COLUMNS)
        require_unique(lines, (table, name, column), path, line, "value")
        if not value.replace(".", "", 1).isdecimal() or not value.isascii():
            raise PipelineError(path, line, f"[value] not a number; found {shown(value)}, expected one such as 85.5")
        values.setdefault(table, {}).setdefault(name, {})[column] = float(value)
    for table, columns in {"1": ("WS",), "2": ("WS", "WP"), "3": ("PronounC", "DisambigC")}.items():
        rows = values.get(table, {})
        if not rows or any(column not in row for row in rows.values() for column in columns):
            raise PipelineError(
                path, None, f"[table] incomplete table {table}; expected {', '.join(columns)} in each row"
            )
    if not any(row["WS"] for row in values["1"].values()):
        raise PipelineError(path, None, "[table] no templates in table 1; expected one or more")
    return values


#: The figures of each system, by its name.
Systems = Mapping[str, SystemFigures]
_OTHER = "printed, other sentences"
_NOTE = "Chance is that of a system that names one of the two people at random. Intervals (95 %) have a pair of templates as a cluster."


def markdown_tables(systems: Systems) -> str:
    """Return all tables as one Markdown file."""
    printed = printed_values()
    parts = [
        "# Tables after WinoPron\n",
        *(
            f"{name}: {entry.sample.sentences} sentences of {entry.sample.pairs} pairs of templates with {entry.sample.occupations} "
            f"occupations, {entry.sample.prompts} prompts each, {entry.sample.answers} answers.  \n"
            for name, entry in systems.items()
        ),
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
    number = title[len("Table ") : title.index(":")]
    return _table(title, ["Sentences", "", *systems], rows, f"{_OTHER}: replication/winopron/table_{number}.tsv")


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
