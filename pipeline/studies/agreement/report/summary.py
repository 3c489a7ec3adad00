"""The main figures of a study in a few lines; undefined is n/a."""

from collections.abc import Iterator

from ....core.errors import plural
from ....core.pages import decimal, percent
from ..raters import BackgroundFigures, RightAnswers
from ..records import ControlFigures, Figures, PhaseFigures, RatersFigures, Without
from ..single_studies import AllSides, Reconsideration, ReconsideredShare


def summary(figures: Figures) -> Iterator[str]:
    """Yield the main figures of a study, a line for each."""
    counts = figures.counts
    answered = f"{plural(counts.judgements, 'judgement')} of {plural(counts.items, 'item')} by {plural(counts.raters, 'rater')}"
    practice = plural(figures.practice.judgements, "practice judgement")
    yield f"{figures.study}: {answered}, {counts.skipped} skipped; {practice} excluded"
    for name, control in figures.controls.items():
        yield control_line(name, control)
        if control.systems and control.sides:
            yield from _system_lines(control, control.sides)
        for part in control.units or ():
            yield f"  {part.unit}, {part.question}: mean pairwise cohen {decimal(part.cohen)} over {part.units}"
    if figures.fillers:
        yield _fillers_line(figures.fillers)
    if figures.raters:
        yield from _rater_lines(figures.raters, figures.without or None)
    if figures.background:
        yield from _background_lines(figures.background)
    yield from _validity_lines(figures)
    if figures.reconsidered:
        yield from reconsidered_lines(figures.reconsidered)
    if figures.published:
        yield f"{plural(len(figures.published), 'figure')} beside those of the paper: index.html#published"
    yield f"{plural(len(figures.look_first), 'item')} to review first"


def control_line(name: str, control: ControlFigures) -> str:
    """Return the number of answers to a control with its main figures."""
    estimates = {}
    if agreement := control.agreement:
        estimates = {"fleiss": agreement.fleiss, "alpha": agreement.alpha, "alpha ordinal": agreement.alpha_ordinal}
    if accuracy := control.accuracy:
        estimates |= {"micro": accuracy.micro, "majority": accuracy.majority}
    texts = [f"{title} {decimal(estimate.value)}" for title, estimate in estimates.items() if estimate]
    return ", ".join([f"{name}: {plural(control.judgements, 'answer')}", *texts])


def _system_lines(control: ControlFigures, sides: AllSides) -> Iterator[str]:
    """Yield a line for each system, with its score and the number of each error type, and one for the raters' agreement."""
    for name, system in (control.systems or {}).items():
        types = ", ".join(f"{number} × {count}" for number, count in system.types.items())
        yield f"  {name}: {decimal(system.score.value)} over {plural(system.score.n, 'sentence')} ({types})"
    shares = [
        f"{percent(part.share)} of {plural(part.translations, 'translation')}" for part in (sides, sides.without_middle)
    ]
    yield f"  raters on one side of 3: {shares[0]}; without ratings of 3: {shares[1]}"


def _validity_lines(figures: Figures) -> Iterator[str]:
    """Yield a line for sentences of templates, and one for each rule of an exclusion audit."""
    if sentences := figures.sentences:
        shares = f"{percent(sentences.grammatical.value)} grammatical, {percent(sentences.unique.value)} with a unique"
        yield f"{plural(sentences.sentences, 'sentence')}: {shares} and correct reference"
    for rule in figures.rules or ():
        share = f"{percent(rule.confirmed.value)} of {plural(rule.confirmed.n, 'answer')} agree"
        yield f"  {rule.rule or 'no rule'}: {plural(rule.items, 'item')}, {share}"


def _fillers_line(fillers: PhaseFigures) -> str:
    """Return how many fillers and attention trials were answered rightly."""
    marks = [marks for by_rater in fillers.right.values() for marks in by_rater.values()]
    right, asked = sum(entry.right for entry in marks), sum(entry.n for entry in marks)
    return f"fillers and attention trials, in no other figure: {right} of {asked} right"


def _rater_lines(raters: RatersFigures, without: Without | None) -> Iterator[str]:
    """Yield a line for each rater who misses a criterion or is left out by hand, and the main figures without them."""
    criteria = "criteria of the design" if raters.stated else "default criteria, the design states none"
    number = len(without.raters) if without else 0
    yield f"{plural(number, 'rater')} of {len(raters.raters)} to look at ({criteria})"
    if without:
        yield from (f"  {rater}: {'; '.join(reasons)}" for rater, reasons in without.raters.items())
        whom = "that rater" if number == 1 else "those raters"
        yield from (f"  without {whom}: {control_line(name, control)}" for name, control in without.controls.items())


def _background_lines(background: BackgroundFigures) -> Iterator[str]:
    """Yield a line for each group of raters, and one for the raters without a form."""
    for trait, groups in background.traits.items():
        for code, group in groups.items():
            shown = "too few raters to show figures"
            if group.controls is not None:
                estimates = {
                    name: entry.right if isinstance(entry, RightAnswers) else entry.mean
                    for name, entry in group.controls.items()
                }
                shown = ", ".join(f"{name} {decimal(estimate.value)}" for name, estimate in estimates.items())
            yield f"{trait} {code}: {plural(group.raters, 'rater')}" + (f": {shown}" if shown else "")
    missing = background.missing
    yield f"no form of {plural(len(missing), 'rater')}" + (f": {', '.join(missing)}" if missing else "")


def reconsidered_lines(figures: Reconsideration) -> list[str]:
    """Return the agreement before and after reconsideration in two lines."""

    def text(share: ReconsideredShare) -> str:
        return f"{share.right} of {share.n} ({'n/a' if share.value is None else f'{100 * share.value:.1f} %'})"

    parts = f"{figures.withdrawn} withdrawn + {figures.explained} explained + {figures.open} open"
    return [
        f"expected answers: {text(figures.before)} before and {text(figures.after)} after reconsideration",
        f"{plural(figures.disagreements, 'disagreement')} = {parts}",
    ]
