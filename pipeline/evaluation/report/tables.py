"""The figures of an evaluation in words and in tables: the layouts of WSC-ZA's Tables 5 to 7, with the paper's printed rows, also in LaTeX.

The printed figures (Symmetry 2026, 18(1), 47) are of the paper's own systems on its own 240 items.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...core.errors import plural
from ...core.invisible import one_line
from ...core.pages import percent
from ...language.answers.choice import CHOSEN
from ...language.answers.mentions import letter
from ..measures.accuracy import Interval
from ..measures.comparisons import Comparison
from ..predictions import ORDER_WORDS
from .figures import Figures, RunFigures

#: Number of choices from which it is no chance that all are one letter.
FEW = 10
#: Stands in a cell without a value.
NOTHING = "–"
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
}


class PrintedScores(NamedTuple):
    """Accuracy (Table 5) with macro-averaged precision, recall and F1 (Table 6)."""

    accuracy: float
    precision: float
    recall: float
    f1: float


class PrintedTest(NamedTuple):
    """A paired t test (Table 7); the table has each row in both directions."""

    models: tuple[str, str]
    t: float
    p: float


#: The modes of the paper, in its order.
PRINTED_MODES = ("zero-shot", "one-shot", "few-shot")
#: Tables 5 and 6. Where a key is balanced, macro recall equals accuracy; in five of these rows it does not.
PRINTED_SCORES: Mapping[tuple[str, str], PrintedScores] = {
    ("GPT-4", "zero-shot"): PrintedScores(0.883, 0.883, 0.883, 0.883),
    ("GPT-4", "one-shot"): PrintedScores(0.892, 0.892, 0.892, 0.892),
    ("GPT-4", "few-shot"): PrintedScores(0.883, 0.883, 0.883, 0.883),
    ("ChatGLM-4", "zero-shot"): PrintedScores(0.921, 0.913, 0.913, 0.912),
    ("ChatGLM-4", "one-shot"): PrintedScores(0.929, 0.933, 0.933, 0.933),
    ("ChatGLM-4", "few-shot"): PrintedScores(0.929, 0.929, 0.929, 0.929),
    ("LLaMA-3", "zero-shot"): PrintedScores(0.849, 0.850, 0.846, 0.845),
    ("LLaMA-3", "one-shot"): PrintedScores(0.792, 0.779, 0.779, 0.779),
    ("LLaMA-3", "few-shot"): PrintedScores(0.824, 0.826, 0.821, 0.820),
}
#: Table 7; its exponent of the last p is printed as -0.6, which we read as -6.
PRINTED_TESTS = (
    PrintedTest(("GPT-4", "ChatGLM-4"), -2.20, 0.029),
    PrintedTest(("GPT-4", "LLaMA-3"), 2.73, 0.007),
    PrintedTest(("ChatGLM-4", "LLaMA-3"), 4.65, 5.61e-6),
)
#: Greatest length of a name that is shown whole.
_NAME = 60
#: Greatest widths of the columns of a table for terminals.
_WIDTHS = (20, 12, 5, 7, 4, 7, 11, 7, 4)
#: Tokens per prompt, about, of a sentence of 40 characters, "using a standard tokenizer" (section 4.1.2).
PRINTED_TOKENS: Mapping[str, int] = {"zero-shot": 190, "one-shot": 280, "few-shot": 400}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of texts; `printed` of one that the paper prints."""

    cells: tuple[str, ...]
    printed: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its name, its title, its header, how many of its columns are text, its blocks of rows."""

    name: str
    title: str
    header: tuple[str, ...]
    text: int
    blocks: tuple[tuple[Row, ...], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The header as the kit of pages has it: > before numbers."""
        return tuple(f"{'>' if place >= self.text else ''}{title}" for place, title in enumerate(self.header))

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows of all blocks."""
        return tuple(row for block in self.blocks for row in block)


def tables(figures: Figures) -> list[Table]:
    """Return the tables of the systems' own answers in the main form and order.

    The paper's rows are there where the main form is zero, as in its items.
    """
    form, order = figures.main.form, figures.main.order
    main = [run for run in figures.runs if (run.form, run.order) == (form, order)]
    own = {(run.model, run.mode): run for run in main if run.own}
    beside = form == "zero"
    baselines = [(f"{run.model}, {run.mode}", run) for run in main if not run.own]
    baselines += [(run.model, run) for run in figures.baselines]
    drawn = [_accuracy(own, baselines, beside), _scores(own, beside)]
    return [*drawn, _tests(figures.comparisons, beside)] if figures.comparisons else drawn


def _accuracy(
    own: Mapping[tuple[str, str], RunFigures], baselines: Sequence[tuple[str, RunFigures]], beside: bool
) -> Table:
    modes = list(dict.fromkeys([*(PRINTED_MODES if beside else ()), *(mode for _, mode in own)]))

    def values(model: str) -> list[str]:
        return [decimal(own[model, mode].accuracy.value) if (model, mode) in own else NOTHING for mode in modes]

    def of_paper(model: str) -> list[str]:
        known = {mode: scores.accuracy for (name, mode), scores in PRINTED_SCORES.items() if name == model}
        return [decimal(known.get(mode)) for mode in modes]

    systems = dict.fromkeys(model for model, _ in own)
    blocks = [
        tuple(Row((model, *values(model))) for model in systems),
        tuple(Row((name, *[decimal(run.accuracy.value)] * len(modes))) for name, run in baselines),
        tuple(Row((model, *of_paper(model)), True) for model in dict.fromkeys(name for name, _ in PRINTED_SCORES)),
    ]
    return Table("accuracy", "Overall model performance", ("Model", *modes), 1, tuple(blocks[: 3 if beside else 2]))


def _scores(own: Mapping[tuple[str, str], RunFigures], beside: bool) -> Table:
    ours = []
    models = list(dict.fromkeys(model for model, _ in own))
    for (model, mode), run in sorted(own.items(), key=lambda entry: models.index(entry[0][0])):
        scores = (run.macro.precision, run.macro.recall, run.macro.f1_of_labels) if run.macro else (None,) * 3
        ours.append(Row((model, mode, *map(decimal, scores))))
    theirs = (
        Row((model, mode, *map(decimal, (scores.precision, scores.recall, scores.f1))), True)
        for (model, mode), scores in PRINTED_SCORES.items()
    )
    title = "Macro-averaged precision, recall and F1; F1 is the mean over labels"
    header = ("Model", "Mode", "Precision", "Recall", "F1")
    return Table("macro", title, header, 2, (tuple(ours), tuple(theirs) if beside else ()))


def _tests(comparisons: Sequence[Comparison], beside: bool) -> Table:
    ours = [
        Row(
            (
                " vs. ".join(row.models),
                f"{row.t.t:.2f}" if row.t else NOTHING,
                *map(small, (row.t.p if row.t else None, row.t_holm, row.permutation, row.permutation_holm)),
            )
        )
        for row in comparisons
    ]
    theirs = [
        Row((" vs. ".join(test.models), f"{test.t:.2f}", small(test.p), *[NOTHING] * 3), True) for test in PRINTED_TESTS
    ]
    header = ("Comparison", "t", "p", "p (Holm)", "permutation p", "p (Holm)")
    title = "Paired tests of model comparisons, with Holm’s correction"
    return Table("comparisons", title, header, 1, (tuple(ours), tuple(theirs) if beside else ()))


def decimal(value: float | None) -> str:
    """Return a share with three decimals, as the paper has it.

    >>> decimal(0.9), decimal(None)
    ('0.900', '–')
    """
    return NOTHING if value is None else f"{value:.3f}"


def small(p: float | None) -> str:
    """Return a p value with three decimals, a small one with three digits and its power of ten, as the paper has it.

    >>> small(5.61e-6), small(0.029), small(0.0)
    ('5.61e-06', '0.029', '< 1e-300')
    """
    if p is None:
        return NOTHING
    return f"{p:.3f}" if p >= 0.001 else f"{p:.2e}" if p >= 1e-300 else "< 1e-300"


def latex_tables(figures: Figures) -> str:
    r"""Return Tables 5 to 7 as one LaTeX file, for a preamble with ``\usepackage{booktabs}`` (and ctex for Chinese names)."""
    form, order = figures.main.form, figures.main.order
    what = f"{items_words(figures)} of {figures.release}, {form} forms, options {ORDER_WORDS[order]}"
    if any(run.missing for run in figures.runs):
        what += "; items without an answer are not scored"
    drawn = [latex_table(table, _caption(table, what)) for table in tables(figures)]
    return "% Written by winoforge evaluate report; needs \\usepackage{booktabs}.\n" + "\n".join(drawn)


def _caption(table: Table, what: str) -> str:
    caption = f"{table.title} ({what})."
    if any(row.printed for row in table.rows):
        caption += " Rows in italics are printed in WSC-ZA, of other systems on its own 240 items."
    return caption


def latex_table(table: Table, caption: str) -> str:
    """Return a table in LaTeX with its caption, a plain text, and its label."""
    columns = f"{'l' * table.text}{'r' * (len(table.header) - table.text)}"
    body = "\n\\midrule\n".join(_block(block, table.text) for block in table.blocks if block)
    return (
        f"\\begin{{table}}\n\\caption{{{escaped(caption)}}}\n\\label{{tab:{table.name}}}\n\\centering\n"
        f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n"
        f"{' & '.join(map(escaped, table.header))} \\\\\n\\midrule\n{body}\n"
        "\\bottomrule\n\\end{tabular}\n\\end{table}\n"
    )


def _block(rows: Sequence[Row], text: int) -> str:
    lines, before = [], ""
    for row in rows:
        name, *values = row.cells
        shown = "" if name == before and text > 1 else escaped(name)
        names = [shown, *map(escaped, values[: text - 1])]
        names = [f"\\textit{{{cell}}}" if row.printed and cell else cell for cell in names]
        lines.append(f"{' & '.join([*names, *map(_number, values[text - 1 :])])} \\\\")
        before = name
    return "\n".join(lines)


def _number(text: str) -> str:
    if text == NOTHING:
        return "--"
    return f"${text}$" if text.startswith(("-", "<")) else escaped(text)


def escaped(text: str) -> str:
    """Return a text as LaTeX shows it, on one line."""
    return "".join(_SPECIAL.get(character, character) for character in one_line(text))


def interval_words(interval: Interval | None) -> str:
    """Return the limits of an interval of shares in per cent.

    >>> interval_words((0.25, 0.5)), interval_words(None)
    ('25.0 to 50.0', 'no interval')
    """
    return f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f}" if interval else "no interval"


def points(difference: float) -> str:
    """Return a difference of shares in points.

    >>> points(0.125), points(-0.0301)
    ('12.5', '−3.0')
    """
    return f"{100 * difference:.1f}".replace("-", "−")


def items_words(figures: Figures) -> str:
    """Return how many items were evaluated, and of how many they are a sample: a sample of 12 of 256 items."""
    items, population = figures.items, figures.sample_of
    return plural(items, "item") if population is None else f"a sample of {items} of {plural(population, 'item')}"


def caution(run: RunFigures) -> str:
    """Return why the accuracy of a run measures something else than the system, empty if nothing speaks against it.

    Most answers choose nothing, so that their form was not understood, or all choices are one letter, of at least `FEW`.
    """
    n = run.accuracy.n
    if 2 * run.unparsed > n:
        reasons = ", ".join(f"{name} {count}" for name, count in run.outcomes.items() if count and name not in CHOSEN)
        return f"{run.unparsed} of {n} answers choose nothing ({reasons}): look at them before its accuracy"
    chosen = [sum(row[place] for row in run.places.matrix) for place in range(len(run.places.matrix))]
    if run.options and run.places.n >= FEW and max(chosen) == run.places.n and sum(map(any, run.places.matrix)) > 1:
        return f"all {run.places.n} choices are {letter(chosen.index(max(chosen)))}: it goes by place alone"
    return ""


def short(name: str, most: int = _NAME) -> str:
    """Return a name on one line, without its middle if it has more characters than `most`.

    >>> len(short("x" * 90)), short("gpt-4"), short("abcdefgh", 6)
    (60, 'gpt-4', 'abc…gh')
    """
    line = one_line(name)
    return line if len(line) <= most else f"{line[: most // 2]}…{line[-(most // 2 - 1) :]}"


def run_table(runs: Sequence[RunFigures]) -> list[str]:
    """Return a line for each run, with a head, for a terminal of 80 columns; a long name loses its middle."""
    head = ("system", "mode", "form", "order", "n", "right", "95 %", "pairs", "none")
    rows = [
        (
            *(run.model, run.mode, run.form, run.order, str(run.accuracy.n)),
            *(percent(run.accuracy.value), interval_words(run.accuracy.interval).replace(" to ", "-")),
            *(percent(run.pairs.value), str(run.unparsed)),
        )
        for run in runs
    ]
    widths = [min(most, max(len(row[place]) for row in (head, *rows))) for place, most in enumerate(_WIDTHS)]
    lines = [
        " ".join(
            cell.rjust(width) if place > 3 else short(cell, width).ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in (head, *rows)
    ]
    return [
        *lines,
        "right and pairs: shares; none: answers without a choice, which count as wrong. The page says more.",
    ]
