"""The tables of an evaluation in LaTeX, in the layouts of WSC-ZA's Tables 5 to 7."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...core.invisible import one_line

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
}


def latex_tables(figures: Mapping[str, Any]) -> str:
    r"""Return Tables 5 to 7 as one LaTeX file, for a preamble with ``\usepackage{booktabs}`` (and ctex for Chinese names).

    Args:
        figures: the result of `figures.figures`.
    """
    form, order = figures["main"]["form"], figures["main"]["order"]
    what = f"{figures['items']} items of {figures['release']}, {form} forms, options {order}"
    runs = {(run["model"], run["mode"]): run for run in figures["runs"] if (run["form"], run["order"]) == (form, order)}
    models = [model for model in figures["models"] if any(name == model for name, _ in runs)]
    modes = [mode for mode in figures["modes"] if any(name == mode for _, name in runs)]
    tables = (
        _accuracy(runs, models, modes, figures["baselines"], f"Overall model performance ({what})."),
        _scores(runs, f"Macro-averaged precision, recall and F1 ({what}). F1 is the mean over labels."),
        _comparisons(figures["comparisons"], f"Paired tests of model comparisons ({what}), with Holm's correction."),
    )
    return "% Written by winoforge evaluate report; needs \\usepackage{booktabs}.\n" + "\n".join(filter(None, tables))


def _accuracy(
    runs: Mapping[tuple[str, str], Mapping[str, Any]],
    models: Sequence[str],
    modes: Sequence[str],
    baselines: Sequence[Mapping[str, Any]],
    caption: str,
) -> str:
    def value(model: str, mode: str) -> str:
        return _decimal(runs[model, mode]["accuracy"]["value"]) if (model, mode) in runs else "--"

    rows = [[_escaped(model), *(value(model, mode) for mode in modes)] for model in models]
    own = [[_escaped(run["model"]), *[_decimal(run["accuracy"]["value"])] * len(modes)] for run in baselines]
    return _table("accuracy", caption, ["Model", *map(_escaped, modes)], [rows, own])


def _scores(runs: Mapping[tuple[str, str], Mapping[str, Any]], caption: str) -> str:
    rows, before = [], ""
    models = list(dict.fromkeys(model for model, _ in runs))
    for (model, mode), run in sorted(runs.items(), key=lambda entry: models.index(entry[0][0])):
        macro = run["macro"]
        scores = [_decimal(macro[name]) for name in ("precision", "recall", "f1_of_labels")]
        rows.append([_escaped(model) if model != before else "", _escaped(mode), *scores])
        before = model
    return _table("macro", caption, ["Model", "Mode", "Precision", "Recall", "F1"], [rows])


def _comparisons(comparisons: Iterable[Mapping[str, Any]], caption: str) -> str:
    rows = [
        [
            f"{_escaped(row['models'][0])} vs. {_escaped(row['models'][1])}",
            _signed(row["t"]["t"]) if row["t"] else "--",
            *(
                _small(p)
                for p in (row["t"] and row["t"]["p"], row["t_holm"], row["permutation"], row["permutation_holm"])
            ),
        ]
        for row in comparisons
    ]
    if not rows:
        return ""
    header = ["Comparison", "$t$", "$p$", "$p$ (Holm)", "permutation $p$", "$p$ (Holm)"]
    return _table("comparisons", caption, header, [rows])


def _table(label: str, caption: str, header: Sequence[str], blocks: Sequence[Sequence[Sequence[str]]]) -> str:
    body = "\n\\midrule\n".join("\n".join(f"{' & '.join(row)} \\\\" for row in block) for block in blocks if block)
    return (
        f"\\begin{{table}}\n\\caption{{{_escaped(caption)}}}\n\\label{{tab:{label}}}\n\\centering\n"
        f"\\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}\n\\toprule\n{' & '.join(header)} \\\\\n\\midrule\n{body}\n"
        f"\\bottomrule\n\\end{{tabular}}\n\\end{{table}}\n"
    )


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(character, character) for character in one_line(text))


def _decimal(value: float | None) -> str:
    return "--" if value is None else f"{value:.3f}"


def _signed(value: float) -> str:
    return f"${value:.2f}$"


def _small(p: float | None) -> str:
    if p is None:
        return "--"
    return f"{p:.3f}" if p >= 0.001 else "$<$0.001"
