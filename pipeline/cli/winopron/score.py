"""Score a system's answers."""

from pathlib import Path
from typing import Annotated

from ...core.convert import to_object
from ...core.errors import plural
from ...core.pages import percent
from ...language.pronouns import pronoun_table
from ...winopron.measures import score_report
from ...winopron.predictions import COLUMNS, READINGS, ReadingName, read_predictions
from ..parameters import arg, opt
from ..report import Report


def command(
    predictions: Annotated[
        Path,
        arg(
            "PREDICTIONS",
            f"Table with the columns {', '.join(COLUMNS)}; or answers by id: a table or JSON Lines (.jsonl, "
            ".jsonlines) with id and answer.",
        ),
    ],
    items: Annotated[Path | None, opt("Sentences (double.jsonl); required for answers by id.")] = None,
    reading: Annotated[
        ReadingName, opt("How to find names in an answer: our way, or that of the authors' program.")
    ] = "words",
    lang: Annotated[str, opt("Language of the pronoun table.")] = "en",
) -> Report:
    """Score a system's answers: performance, consistency, pronominal bias."""
    system = read_predictions(predictions, pronoun_table(lang), items, READINGS[reading])
    scored = score_report(system.responses, system.unanswered)
    report = Report(figures=to_object(scored))
    if scored.prompts > 1:
        report.add(f"{plural(scored.prompts, 'prompt')} for a sentence: all answers are pooled")
    for name, score in {"overall": scored.overall, **scored.by_case, **scored.by_pronouns}.items():
        shares = f"precision {percent(score.precision)}, recall {percent(score.recall)}, f1 {percent(score.f1)}"
        low, high = map(percent, score.accuracy_interval or (None, None))
        report.add(f"{name}: {shares} of {score.sentences}; accuracy between {low} and {high}")
    for name, consistency in (
        ("pronoun consistency", scored.pronoun_consistency),
        ("disambiguation consistency", scored.disambiguation_consistency),
    ):
        share, chance = percent(consistency.share), percent(consistency.chance, digits=2)
        report.add(f"{name}: {share} of {consistency.groups} groups (chance {chance})")
    for case, by_set in scored.bias.items():
        for name, bias in by_set.items():
            positive, negative = percent(bias.positive_share), percent(bias.negative_share)
            report.add(
                f"bias, {case} {name}: positive {positive}, negative {negative} of {plural(bias.resolvable, 'pair')}"
            )
    if system.gaps:
        first = ", ".join(system.gaps[:3]) + (", …" if len(system.gaps) > 3 else "")
        report.notes.append(f"{predictions}: {plural(len(system.gaps), 'sentence')} without an answer: {first}")
    if system.unanswered:
        report.add(
            f"{predictions}: {plural(system.unanswered, 'sentence')} without an answer, counted as not attempted"
        )
    return report
