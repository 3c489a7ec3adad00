"""Turn the answers of several systems into a worklist for authors."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from ...core.errors import PipelineError, plural
from ...core.files import write_tsv
from ...core.pages import percent
from ...evaluation.diagnosis.errors import missing
from ...evaluation.folder import read_folder
from ...evaluation.items import ReleasedItem
from ...evaluation.measures.baselines import read_associations
from ...evaluation.measures.people import read_people
from ...evaluation.modes import PARTIAL
from ...evaluation.predictions import read_predictions
from ...evaluation.selection import ARTEFACTS, TRAITS, Entry, group_figures, worklist
from ..output import Association, Modes, People, Predictions, Release
from ..parameters import output
from ..report import Report

#: Minimum number of schemas of a group that is printed; smaller ones are in --json.
PRINTED = 5
#: The columns of the worklist.
HEADER = (
    *("schema", "action", "systems", "both", "one", "none", "chance", "same", *PARTIAL, "artefacts", "people"),
    *(*TRAITS, "items", "texts"),
)


def command(
    release: Release,
    predictions: Predictions,
    out: Annotated[Path, output("worklist, a row for each schema (TSV).")],
    mode: Modes = None,
    people: People = None,
    pmi: Association = None,
) -> Report:
    """Turn the answers of several systems into a worklist for authors: easy schemas, and what gives them away."""
    folder = read_folder(release)
    items = folder.items
    runs = read_predictions(predictions, items)
    modes = mode or ()
    try:
        entries = worklist(
            items,
            runs,
            modes=modes,
            people=read_people(people) if people else None,
            associations=read_associations(pmi) if pmi else None,
        )
        groups = group_figures(items, runs, modes)
        unanswered = missing(items, runs, modes)
    except ValueError as error:
        raise PipelineError(None, None, str(error)) from error
    write_tsv(out, HEADER, map(_row, entries))
    figures = {"schemas": len(entries), "groups": groups, "unanswered": unanswered, **_counts(entries)}
    large = [row for row in groups if row["schemas"] >= PRINTED]
    lines = [*_lines(entries), *map(_group_line, large)]
    if rest := len(groups) - len(large):
        lines.append(f"{plural(rest, 'group')} of fewer than {PRINTED} schemas: see --json")
    lines.append(f"{out}: {plural(len(entries), 'schema')}")
    notes = [f"[predictions] {plural(unanswered, 'answer')} missing; a system counts where it answered all members"]
    return Report(lines=lines, figures=figures, notes=notes if unanswered else [])


def _row(entry: Entry) -> Sequence[str]:
    members = [member.item for member in entry.members]
    return (
        entry.schema,
        entry.action,
        str(entry.both.systems),
        *map(str, entry.whole),
        f"{entry.both.chance:.3f}",
        str(entry.same),
        *(str(entry.partial[mode]) for mode in PARTIAL),
        ", ".join(entry.artefacts),
        percent(entry.people),
        *(_trait(entry.members, trait) for trait in TRAITS),
        " ".join(item.id for item in members),
        " / ".join(item.text for item in members),
    )


def _trait(members: Sequence[ReleasedItem], trait: str) -> str:
    return ", ".join(dict.fromkeys(member.traits[trait] for member in members if trait in member.traits))


def _counts(entries: Sequence[Entry]) -> dict[str, Any]:
    """Return how many schemas are solved by all systems in each way, and how many guessing would give."""
    ways = {"whole": [entry.both for entry in entries]} | {
        mode: [entry.partial[mode] for entry in entries] for mode in PARTIAL
    }
    solved = {}
    for way, solvers in ways.items():
        answered = [of for of in solvers if of.systems]
        solved[way] = {
            "schemas": len(answered),
            "by_all": sum(of.solved == of.systems for of in answered),
            "by_none": sum(not of.solved for of in answered),
            "expected_by_all": sum(of.guess**of.systems for of in answered),
        }
    artefacts = Counter(name for entry in entries for name in entry.artefacts)
    return {"solved": solved, "artefacts": {name: artefacts[name] for name in ARTEFACTS}}


def _lines(entries: Sequence[Entry]) -> Iterator[str]:
    counts = _counts(entries)
    for way, solved in counts["solved"].items():
        if solved["schemas"]:
            name = "whole items" if way == "whole" else PARTIAL[way]
            yield (
                f"{name}: {solved['by_all']} of {plural(solved['schemas'], 'schema')} solved by all systems that answered "
                f"(at most {solved['expected_by_all']:.1f} if each guessed), {solved['by_none']} by none"
            )
    for name, number in counts["artefacts"].items():
        if number:
            yield f"{ARTEFACTS[name]}: right for all members of {plural(number, 'schema')}"


def _group_line(row: dict[str, Any]) -> str:
    low, high = row["interval"] or (None, None)
    share = f"{percent(row['accuracy'])} ({percent(low)} to {percent(high)}) of {plural(row['answers'], 'answer')}"
    verdict = f": {row['verdict']} than the rest" if row["verdict"] else ""
    return f"{row['trait']} {row['value']}: {share} in {plural(row['schemas'], 'schema')}, chance {percent(row['chance'])}{verdict}"
