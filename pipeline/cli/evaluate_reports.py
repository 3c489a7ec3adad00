"""Commands that report what answers of systems show about the items of a release."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

from ..core.drawings import figure_files
from ..core.errors import PipelineError, errors_at, first_names, plural, shown
from ..core.files import parse_jsonl, read_text, write_json, write_text
from ..core.outputs import write_bytes
from ..core.pages import percent, write_page
from ..core.records import text_field
from ..core.tables import write_tsv
from ..corpus.formats.reading import FormatName, refuse
from ..corpus.formats.registry import documents, shards_of_corpus
from ..evaluation.contamination.search import (
    N_OF_WORDS,
    N_WITH_BLANKS,
    N_WITHOUT_BLANKS,
    Contamination,
    Findings,
    all_grams,
    gram_figures,
    search_documents,
)
from ..evaluation.diagnosis.errors import missing
from ..evaluation.difficulty import ItemRow, Measured, choose_schemas, people_shares, read_difficulty
from ..evaluation.folder import read_folder
from ..evaluation.items import ReleasedItem
from ..evaluation.measures.bounds import read_associations, read_people
from ..evaluation.modes import PARTIAL
from ..evaluation.predictions import answered_items, read_predictions
from ..evaluation.report.evaluation import Evaluation
from ..evaluation.report.figures import Figures, figures, report_object
from ..evaluation.report.summary import sentences
from ..evaluation.report.tables import caution, items_words, latex_tables, run_table
from ..evaluation.selection import ARTEFACTS, TRAITS, Entry, group_figures, worklist
from ..language.languages import language_of
from ..release.validation.folder import read_release
from ..statistics.human_accuracy import Level
from .parameters import Association, Difficulty, Modes, People, Release, Sample, opt, output
from .report import Report, Writes


def report_command(
    release: Release,
    predictions: Annotated[
        list[Path],
        opt(
            'Predictions (JSON Lines): a line has id, model, mode, answer, and form ("zero", "overt") and order '
            '("written", "swapped") where they vary. Give it several times for several files.'
        ),
    ],
    out: Annotated[
        Path,
        output("folder of index.html, report.json and tables.tex."),
        Writes(("report.json", "tables.tex", "index.html")),
    ],
    drawings: Annotated[
        Path | None, output("folder of the figures as SVG and PNG.", "--figures"), Writes(("*.svg", "*.png"))
    ] = None,
    people: People = None,
    pmi: Association = None,
    difficulty: Difficulty = None,
    codes: Annotated[
        Path | None, opt("figures.json that `evaluate codes` wrote: Table 8 stands on the page too.")
    ] = None,
    sample: Sample = False,
    seed: Annotated[int, opt("Seed for random answers and for permutations.", min=0)] = 0,
    permutations: Annotated[int, opt("Number of permutations drawn for a test.", min=1, max=1_000_000)] = 9999,
) -> Report:
    """Report how systems answered the items of a release: accuracy, bias, comparisons; exit 1 if answers are missing or prompts odd.

    The systems' answers come from files, so that no model is needed. An
    answer without one clear choice counts as wrong, and is counted apart.
    An item without an answer is not scored. With --sample, the items that no
    run answered are left out of everything, the baselines included.
    """
    from ..evaluation.diagnosis.table8 import read_error_table
    from ..evaluation.report.drawings import draw
    from ..evaluation.report.page import element_ids, page

    errors = read_error_table(codes) if codes else None
    folder = read_folder(release)
    items = folder.items
    notes: list[str] = []
    doubts: list[str] = []
    runs = read_predictions(predictions, items, notes, doubts)
    asked = answered_items(items, runs) if sample else items
    rows = read_difficulty(difficulty, {entry.item.id: entry.item.schema for entry in items}) if difficulty else {}
    evaluation = Evaluation(
        folder.name,
        asked,
        runs,
        read_people(people) if people else people_shares(rows),
        read_associations(pmi, items) if pmi else {},
        seed,
        permutations,
        len(items) if len(asked) < len(items) else None,
        rows,
    )
    if difficulty and "difficulty" not in evaluation.traits:
        notes.append(
            f"{difficulty}: no levels of items by other systems than those of this report; accuracy by difficulty left out"
        )
    known = {entry.item.id for entry in items}
    for path, column, given in ((people, "item", evaluation.people), (pmi, "id", evaluation.associations)):
        if path and not given.keys() & known:
            expected = f"found {shown(next(iter(given)))}, expected ids such as {items[0].item.id}"
            raise PipelineError(path, None, f"[{column}] no item of the release; {expected}")
    measured = figures(evaluation)
    drawn = draw(evaluation, measured, element_ids(evaluation))
    html = page(evaluation, measured, drawn, errors)
    content = report_object(measured)
    write_json(out / "report.json", content)
    write_text(out / "tables.tex", latex_tables(measured))
    write_page(out / "index.html", html)
    if drawings:  # last: the page needs no font
        for name, data in figure_files(drawn).items():
            write_bytes(drawings / name, data)
    report = _report(evaluation, measured, content, predictions, out, notes)
    report.findings += doubts
    lost = [entry.item.id for entry in asked if entry.item.id not in evaluation.associations]
    if pmi and lost and 2 * len(lost) < len(asked):  # fewer are answers to a sample, which are counted
        report.findings.append(f"{pmi}: [id] {plural(len(lost), 'item')} without a line: {first_names(lost, 3)}")
    return report


def _report(
    evaluation: Evaluation,
    measured: Figures,
    content: dict[str, Any],
    predictions: Sequence[Path],
    out: Path,
    notes: list[str],
) -> Report:
    report = Report(figures=content, notes=notes)
    files = ", ".join(map(str, predictions))
    for run in measured.runs:
        if doubt := caution(run):
            report.add(f"{run}: {doubt}")
    responses = sum(run.accuracy.n for run in measured.runs)
    report.add(f"{measured.release}: {items_words(measured)}, {plural(len(measured.runs), 'run')}, {responses} answers")
    report.lines += [*sentences(evaluation, measured), *run_table([*measured.runs, *measured.baselines])]
    for run in [*measured.runs, *measured.baselines]:
        name = str(run)
        if run.missing:
            answered = f"found {run.accuracy.n}, expected {measured.items}"
            if measured.sample_of is None:
                answered += "; with --sample, items that no run answered are left out"
            report.findings.append(
                f"{files}: [predictions] {name}: {plural(run.missing, 'item')} not answered; {answered}"
            )
        if run.disagreements:
            differ = f"differ in {plural(len(run.disagreements), 'item')}, such as {run.disagreements[0]}"
            expected = "expected the candidate with the greatest score as the answer"
            report.findings.append(f"{files}: [scores] {name}: answers and scores {differ}; {expected}")
    by_people = measured.people.items
    of_items = f", {by_people} of {plural(measured.items, 'item')}" if by_people else ""
    report.add(f"people: {percent(measured.people.value)} ({measured.people.source}{of_items})")
    if association := measured.association:
        report.add(f"association: decided {association.decided} of {plural(measured.items, 'item')}")
    report.add(str(out / "index.html"))
    return report


#: Minimum number of schemas of a group that is printed; smaller ones are in --json.
PRINTED = 5
#: The columns of the worklist.
HEADER = (
    *("schema", "action", "systems", "both", "one", "none", "chance", "same", *PARTIAL, "artefacts", "people"),
    *("systems_share", *TRAITS, "items", "texts"),
)


def select_command(
    release: Release,
    out: Annotated[Path, output("worklist, a row for each schema (TSV).")],
    predictions: Annotated[list[Path] | None, opt("Predictions or responses (JSON Lines); may be repeated.")] = None,
    mode: Modes = None,
    people: People = None,
    pmi: Association = None,
    difficulty: Difficulty = None,
    hardest: Annotated[int | None, opt("Take so many schemas, the hardest of --difficulty.", min=1)] = None,
    band: Annotated[Level | None, opt("Take the schemas with an item of this level of --difficulty.")] = None,
    by: Annotated[Measured, opt("Whose answers say how hard a schema is.")] = "systems",
) -> Report:
    """Turn the answers of several systems into a worklist for authors: easy schemas, and what gives them away.

    With --difficulty, the worklist can be of the hardest schemas, or of those
    of one level, and needs no predictions.
    """
    if not (predictions or difficulty) or ((hardest or band) and not difficulty):
        raise PipelineError(
            None,
            None,
            "[difficulty] found no table of difficulty, expected --difficulty, or --predictions without --hardest and --band",
        )
    folder = read_folder(release)
    items = folder.items
    rows = read_difficulty(difficulty, {entry.item.id: entry.item.schema for entry in items}) if difficulty else {}
    runs = read_predictions(predictions, items) if predictions else {}
    modes = mode or ()
    with errors_at(difficulty):
        taken = choose_schemas(rows, by, hardest=hardest, band=band) if hardest or band else None
    with errors_at(None):
        entries = worklist(
            items,
            runs,
            modes=modes,
            people=read_people(people) if people else people_shares(rows),
            associations=read_associations(pmi, items) if pmi else None,
        )
        groups = group_figures(items, runs, modes)
        unanswered = missing(items, runs, modes)
    if taken is not None:
        by_schema = {entry.schema: entry for entry in entries}
        entries = [by_schema[schema] for schema in taken]
    write_tsv(out, HEADER, (_row(entry, rows) for entry in entries))
    figures = {"schemas": len(entries), "groups": groups, "unanswered": unanswered, **_counts(entries)}
    large = [row for row in groups if row["schemas"] >= PRINTED]
    lines = [*_solved_lines(entries), *map(_group_line, large)]
    if rest := len(groups) - len(large):
        lines.append(f"{plural(rest, 'group')} of fewer than {PRINTED} schemas: see --json")
    lines.append(f"{out}: {plural(len(entries), 'schema')}" + ("" if taken is None else f", hardest for {by} first"))
    notes = [f"[predictions] {plural(unanswered, 'answer')} missing; a system counts where it answered all members"]
    return Report(lines=lines, figures=figures, notes=notes if unanswered else [])


def _row(entry: Entry, rows: Mapping[str, ItemRow]) -> Sequence[str]:
    members = [member.item for member in entry.members]
    return (
        entry.schema,
        entry.action if entry.both.systems or not rows else "",
        str(entry.both.systems),
        *map(str, entry.whole),
        f"{entry.both.chance:.3f}",
        str(entry.same),
        *(str(entry.partial[mode]) for mode in PARTIAL),
        ", ".join(entry.artefacts),
        percent(entry.people),
        " / ".join(percent(rows[item.id].share["systems"]) for item in members) if rows else "",
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


def _solved_lines(entries: Sequence[Entry]) -> Iterator[str]:
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


#: Size of the part of a corpus that is read at a time, in bytes.
_SHARD = 8 << 20


def contamination_command(
    release: Release,
    out: Annotated[Path, output("folder of figures.json and index.html."), Writes(("figures.json", "index.html"))],
    corpus: Annotated[
        list[Path] | None, opt("File of a corpus to search. Give it several times for several files.")
    ] = None,
    format_name: Annotated[FormatName, opt("Format of the corpus.", "--format")] = "text",
    outputs: Annotated[list[Path] | None, opt("Responses of models (JSON Lines), to search for the canary.")] = None,
    n: Annotated[
        int | None,
        opt(
            f"Characters in an n-gram; default: {N_WITHOUT_BLANKS} where words have no blanks between them, else {N_WITH_BLANKS}.",
            "--n",
            min=1,
        ),
    ] = None,
) -> Report:
    """Look for signs that a corpus, or what a model wrote, holds a release; exit 1 if there is one.

    A corpus is searched for the canary and for the items' n-grams of
    characters, outputs of models for the canary.
    """
    if not (corpus or outputs):
        raise PipelineError(None, None, "[contamination] nothing to search; expected --corpus or --outputs")
    from ..evaluation.contamination.search import page

    folder = read_release(release)
    items = folder.items
    size = n or (N_WITH_BLANKS if language_of(items[0].item.lang).spaced else N_WITHOUT_BLANKS)
    canary = folder.stated.canary or folder.origin.canary
    grams = all_grams(items, size) if corpus else frozenset[str]()
    corpora = {path.as_posix(): _search(path, format_name, canary, grams, size) for path in corpus or ()}
    missing = {} if canary else {"canary": "the release has none"}
    figures = Contamination(
        folder.name,
        len(items),
        canary,
        corpora,
        gram_figures(items, set[str]().union(*(found.grams for found in corpora.values())), size) if corpus else None,
        {path.as_posix(): search_documents(_answers(path), canary, frozenset(), size) for path in outputs or ()},
        missing if corpus else missing | {"n-grams": "no corpus given"},
    )
    content = _to_json(figures)
    html = page(figures)
    write_json(out / "figures.json", content)
    write_page(out / "index.html", html)
    return Report(
        lines=[*_contamination_lines(figures), str(out / "index.html")], figures=content, findings=figures.signs
    )


def _search(path: Path, format_name: FormatName, canary: str, grams: frozenset[str], n: int) -> Findings:
    found = search_documents(_documents(path, format_name), canary, grams, n)
    if canary and format_name == "jsonl":  # it may stand in any field
        lines = search_documents(_documents(path, format_name, as_lines=True), canary, frozenset(), n)
        found.canaries, found.first = lines.canaries, lines.first
    return found


def _documents(path: Path, format_name: FormatName, *, as_lines: bool = False) -> Iterator[str]:
    """Yield the documents of a file, or its lines as they are."""
    for shard in shards_of_corpus([path], format_name, _SHARD):
        yield from documents(replace(shard, format="text") if as_lines else shard, refuse)


def _answers(path: Path) -> Iterator[str]:
    """Yield the answer of each line of a file of responses."""
    for line, row in parse_jsonl(read_text(path), path, foreign=True):
        with errors_at(path, line):
            yield text_field(row, "answer")


def _to_json(figures: Contamination) -> dict[str, Any]:
    """Return the figures without what was not searched, and without the n-grams themselves."""
    content = {
        name: value for name, value in asdict(figures).items() if value or name not in ("corpora", "outputs", "n_grams")
    }
    for kind in ("corpora", "outputs"):
        for counts in content.get(kind, {}).values():
            del counts["grams"]
    return content


def _contamination_lines(figures: Contamination) -> Iterator[str]:
    yield f"{figures.release}: {plural(figures.items, 'item')}"
    for name, counts in (*figures.corpora.items(), *figures.outputs.items()):
        with_canary = f", {counts.canaries} with the canary" if figures.canary else ""
        yield f"{name}: {plural(counts.documents, 'document')}{with_canary}"
    if grams := figures.n_grams:
        yield (
            f"n-grams of {grams.n} characters: {percent(grams.mean)} of an item's occur on average, {len(grams.found)} of "
            f"{len(grams.items)} items found, {grams.short} too short; "
            f"cut at blanks, {grams.with_n_grams_of_words} items have {N_OF_WORDS} words"
        )
    yield from (f"not computed: {name}: {reason}" for name, reason in figures.not_computed.items())
