"""The tables of an analysis, with a row for each item, each person and each wrong majority; its page, and what it says in sentences."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.drawings import inline_svg
from ...core.errors import PipelineError, plural, shown
from ...core.pages import decimal, page_environment, percent
from ...core.tables import read_table, tsv_text
from ...evaluation.cloze.items import ClozeItem
from ...evaluation.cloze.results import MEASURES
from ...evaluation.measures.accuracy import Estimate
from .analysis import Analysis, GroupFigures
from .models import HUMAN, ModelFigures, main_measure
from .people import Accuracies, ItemFigures, accuracy_by_person
from .relations import LABELS, MEASURED, UNITS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: The files.
ITEMS, PEOPLE, ERRORS = "items.tsv", "people.tsv", "errors.tsv"
#: Columns of errors.tsv; people fill in the last.
ERROR_COLUMNS = ("item", "expected", "majority", "votes", "text", "cause")
#: The causes that the paper names (appendix B, Table 4).
CAUSES = ("perspective", "situation", "gender", "complexity", "unclear")
#: The sections of the page; those of models and of people left out only where there are some.
SECTIONS: Mapping[str, str] = {
    "accuracy": "Accuracy",
    "agreement": "Agreement",
    "errors": "Wrong majorities",
    "models": "Models",
    "relations": "Confidence and time",
    "regression": "Mixed model",
    "items": "Items",
    "people": "People left out",
}
#: What stands in the place of a majority that is tied.
TIE = "tie"


def pronoun(item: ClozeItem, gender: str | None) -> str:
    """Return the pronoun of a gender in the language of an item; a tie without one."""
    return (
        TIE if gender is None else next((word for key, word in item.classes.pronouns.items() if key == gender), gender)
    )


def votes(entry: ItemFigures) -> str:
    """Return the votes of an item, such as ``er 7, es 3``."""
    return ", ".join(f"{pronoun(entry.item, gender)} {count}" for gender, count in entry.votes.items() if count)


def items_table(analysis: Analysis) -> str:
    """Return items.tsv: the figures of each item, and each model's prediction and confidences by measure."""
    answers = {(result.model, result.item.id): result.answers for result in analysis.results}
    models = list(dict.fromkeys(result.model for result in analysis.results))
    used = [
        (model, measure)
        for model in models
        for measure in MEASURES
        if any(result.model == model and measure in result.answers for result in analysis.results)
    ]
    header = [
        "item", "schema", "source", "register", "place", "expected", "votes_masc", "votes_fem", "votes_neut", "answers", "majority",
        "right", "accuracy", "agreement", "confidence", "rt_mean_ms", "rt_median_ms",
        *(f"{model} {measure} {part}" for model, measure in used for part in ("answer", "confidence", "target")),
    ]  # fmt: skip
    rows = []
    for entry in analysis.items:
        item = entry.item
        row = [
            item.id, item.schema, item.source, item.register, item.place, pronoun(item, item.gender),
            *(str(count) for count in entry.votes.values()), str(entry.vote.raters), pronoun(item, entry.majority),
            {True: "yes", False: "no", None: TIE}[entry.right], _number(entry.accuracy), _number(entry.agreement),
            _number(entry.confidence), f"{entry.rt_mean:.1f}", f"{entry.rt_median:.1f}",
        ]  # fmt: skip
        for model, measure in used:
            answer = answers.get((model, item.id), {}).get(measure)
            given = pronoun(item, answer.prediction) if answer else ""
            row += [given, _number(answer.confidence), _number(answer.target)] if answer else ["", "", ""]
        rows.append(row)
    return tsv_text(header, rows)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def people_table(analysis: Analysis) -> str:
    """Return people.tsv: each participant's shares, whether the person is left out, and why."""
    accuracies = accuracy_by_person(analysis.answers)
    return tsv_text(
        ("participant", "answers", "accuracy", "attention", "fillers", "fast", "kept", "reasons"),
        (
            (name, str(person.answers), _number(accuracies.get(name)),
             _number(person.attention), _number(person.fillers), _number(person.fast), "no" if person.reasons else "yes",
             ", ".join(person.reasons))
            for name, person in analysis.people.items()
        ),
    )  # fmt: skip


def read_causes(path: Path) -> dict[str, str]:
    """Return the causes that people filled into an errors.tsv, by item; none if there is no such file.

    Raises:
        PipelineError: the file is malformed, or a cause is none of `CAUSES`.
    """
    if not path.exists():
        return {}
    causes = {}
    for line, row in read_table(path, ("item", "cause")):
        cause = row["cause"].strip()
        if cause and cause not in CAUSES:
            raise PipelineError(
                path, line, f"[cause] found {shown(cause)}, expected one of {', '.join(CAUSES)}, or none"
            )
        if cause:
            causes[row["item"]] = cause
    return causes


def errors_table(items: Sequence[ItemFigures], causes: Mapping[str, str]) -> str:
    """Return errors.tsv: the items with a wrong majority (the paper's Table 4), with the causes that people have filled in so far.

    An item with a cause stays though its majority has become right, so that no work is lost.
    """
    return tsv_text(
        ERROR_COLUMNS,
        (
            (entry.item.id, pronoun(entry.item, entry.item.gender), pronoun(entry.item, entry.majority), votes(entry),
             entry.item.text(), causes.get(entry.item.id, ""))
            for entry in items
            if entry.right is False or entry.item.id in causes
        ),
    )  # fmt: skip


# --- the page ---------------------------------------------------------------------------------------------------------

#: The script in R that fits the same model with lme4.
SCRIPT = Path(__file__).with_name("analysis.R")


def page(analysis: Analysis, drawings: Mapping[str, "Figure"], causes: Mapping[str, str]) -> str:
    """Return the page as HTML that needs no other file and no network; `causes` are those of wrong majorities, by item."""
    kept, everyone = analysis.figures.kept, analysis.figures.everyone
    groups = [("kept", kept), ("everyone", everyone)] if everyone else [("everyone", kept)]
    return (
        page_environment()
        .get_template("experiment/analysis/page.html.j2")
        .render(
            figures=analysis.figures,
            kept=kept,
            groups=groups,
            items=sorted(analysis.items, key=lambda entry: (entry.accuracy, entry.item.id)),
            errors=[entry for entry in analysis.items if entry.right is False],
            models=list(dict.fromkeys(entry.model for entry in kept.models)),
            people={name: person for name, person in analysis.people.items() if person.reasons},
            came_out=sentences(kept),
            contents={
                name: title
                for name, title in SECTIONS.items()
                if name not in ("models", "people")
                or (kept.models if name == "models" else analysis.figures.people.excluded)
            },
            drawings={name: inline_svg(figure, name) for name, figure in drawings.items()},
            titles={name: figure.get_suptitle() for name, figure in drawings.items()},
            pronoun=pronoun,
            votes=votes,
            units=UNITS,
            measured=MEASURED,
            human=HUMAN,
            effects=LABELS,
            causes=causes,
            known_causes=CAUSES,
        )
    )


# --- what it says, in the sentences with which the page and the command begin ------------------------------------------


def sentences(kept: GroupFigures) -> list[str]:
    """Return how often people are right, how far they agree, where they are wrong, and the best model."""
    accuracy, agreement = kept.accuracy, kept.agreement
    majority, wrong = accuracy.majority, plural(len(kept.errors), "item")
    people = "1 person" if kept.counts.people == 1 else f"{kept.counts.people} people"
    right = f"{percent(accuracy.individual.value)} of {plural(kept.counts.answers, 'answer')} by {people} are right"
    tied = f"; {accuracy.tied} tied" if accuracy.tied else ""
    kappa, alpha = agreement.fleiss.value, agreement.alpha.value
    coefficient = f"Krippendorff’s α {decimal(alpha)}" if kappa is None else f"Fleiss’ κ {decimal(kappa)}"
    agree = (
        f"People agree: all of them in {agreement.unanimous} of {plural(agreement.items, 'item')}, seven of ten or more in "
        f"{agreement.high} ({coefficient.replace('-', '−')}); in {wrong} the majority is wrong."
    )
    found = [
        f"{right} ({_limits(accuracy.individual)}), and the majority in {majority.right} of {plural(majority.n, 'decided item')}{tied}.",
        agree if agreement.items else "",  # of one person nothing is said
        _hardest(kept.by),
        _model(kept.models),
        _least_difference(kept.counts.items, accuracy.individual),
    ]
    return [text for text in found if text]


def _limits(estimate: Estimate) -> str:
    if estimate.interval is None:
        return "no interval"
    low, high = estimate.interval
    return f"95 % interval {percent(low)} to {percent(high)}"


def _least_difference(items: int, estimate: Estimate) -> str:
    if estimate.interval is None:
        return ""
    half = 50 * (estimate.interval[1] - estimate.interval[0])
    return f"With {plural(items, 'item')}, differences of fewer than {half:.1f} points say nothing."


def _hardest(by: Mapping[str, Mapping[str, Accuracies]]) -> str:
    """Return the trait whose values differ most, of those whose lowest and highest interval do not meet."""
    found = []
    for trait, values in by.items():
        known = [(of.individual.value or 0.0, value, of.individual) for value, of in values.items() if of.individual.n]
        if not known:
            continue
        (low, low_value, of_low), (high, high_value, of_high) = min(known), max(known)
        if of_low.interval and of_high.interval and of_low.interval[1] < of_high.interval[0]:
            words = (
                f"Least often right are answers to items with {trait} {low_value}: {percent(low)} ({_limits(of_low)})"
            )
            found.append((high - low, f"{words}; most often with {high_value}: {percent(high)}."))
    return max(found, default=(0.0, ""))[1]


def _model(figures: Sequence[ModelFigures]) -> str:
    """Return how the best model does beside people, by the measure of the pictures."""
    models = [entry for entry in figures if entry.measure == main_measure(figures)]
    if not models:
        return ""
    best = max(models, key=lambda entry: entry.accuracy.value or 0.0)
    name = (
        f"{best.model} ({best.measure})"
        if len(models) == 1
        else f"The best of {len(models)} models, {best.model} ({best.measure}),"
    )
    right = (
        f"{name} is right in {percent(best.accuracy.value)} of {plural(best.items, 'item')} ({_limits(best.accuracy)})"
    )
    return f"{right}, and answers as the majority does in {percent(best.accuracy_of_majority.value)}."
