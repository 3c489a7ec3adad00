"""Commands that show a collection: the audit of its decisions, the pages of its records, artefacts, a change of the rules."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from ..core.errors import PipelineError, plural, shown
from ..core.files import write_text
from ..core.model import item_of
from ..core.outputs import remove
from ..core.pages import FRONT_PAGE, write_page
from ..core.records import read_collection, read_items
from ..core.rules import languages_with_zeros, rules_digest
from ..core.tables import write_tsv
from ..language.parsing.lock import read_locks
from ..winograd.adjudication.table import KEPT
from ..winograd.analysis import analysis_table, read_analyses
from ..winograd.audit.gold import confusion_rows, gold_of, read_gold, score, share
from ..winograd.audit.item_pages import FILES, write_item_pages
from ..winograd.audit.page import JUDGED, RECORDS, TABLE_HEADER, page, read_study_results, table
from ..winograd.audit.views import Supplements, final_record, read_forms, read_reader_tables, record_views
from ..winograd.build import RecordHistory, read_histories
from ..winograd.exclusion.exclude import Partition, exclude
from ..winograd.exclusion.ledger import (
    Decision,
    count_disputed,
    decision_changes,
    disputed_line,
    read_decisions,
    require_parsers,
)
from ..winograd.forms import FORMS
from ..winograd.zero_forms import zero_form
from .parameters import arg, opt, output
from .report import Report, Writes

Forms = Annotated[Path | None, opt("Folder of the derived forms that `variants` wrote.", metavar="<path>")]
Readings = Annotated[
    list[Path] | None, opt("Table of readings with id and reader (TSV); may be repeated.", metavar="<path>")
]
Predictions = Annotated[
    list[Path] | None, opt("What systems answered to the items (JSON Lines); may be repeated.", metavar="<path>")
]
Name = Annotated[str | None, opt("Name of the collection; default: name of the folder of the items.")]


def _supplements(
    histories: Sequence[RecordHistory],
    judged: Mapping[str, Sequence[str]] | None,
    forms: Path | None,
    readings: Sequence[Path] | None,
    predictions: Sequence[Path] | None,
) -> Supplements:
    """Return what other commands know of the records; raises `PipelineError` if forms or readings are of other records."""
    ids = {history.record.id for history in histories}
    made, unmade = read_forms(forms, FORMS) if forms else ({}, {})
    by_reader = read_reader_tables(readings or (), _forms_to_read(histories))
    in_forms = {item_id for rows in made.values() for item_id in rows}
    in_forms |= {item_id for reasons in unmade.values() for item_id in reasons}
    for path, found in ((forms, in_forms), (readings[0] if readings else None, by_reader.keys())):
        if found and ids.isdisjoint(found):
            reason = f"[id] of other records; found {shown(min(found))}, expected ids of the items"
            raise PipelineError(path, None, reason)
    return Supplements(judged or {}, made, unmade, by_reader, _answers(histories, predictions or ()))


def _forms_to_read(histories: Sequence[RecordHistory]) -> dict[str, list[str]]:
    """Return the texts of items as they are now, each with its zero form where its language has one, by id."""
    languages = languages_with_zeros()
    return {
        item.id: [
            item.text,
            *([zero_form(item.text, item.target, item.lang).text_dropped] if item.lang in languages else []),
        ]
        for history in histories
        if (item := item_of(final_record(history)))
    }


def _answers(histories: Sequence[RecordHistory], paths: Sequence[Path]) -> dict[str, list[tuple[str, str, bool]]]:
    """Return what systems answered to items, also to items that the rules reject, by id: run, answer, and whether it is right."""
    answers: dict[str, list[tuple[str, str, bool]]] = {}
    if not paths:
        return answers
    from ..evaluation.items import ReleasedItem
    from ..evaluation.predictions import read_predictions

    items = [item for history in histories if (item := item_of(final_record(history)))]
    languages = languages_with_zeros()
    released = [
        ReleasedItem(item, zero_form(item.text, item.target, item.lang).text_zero if item.lang in languages else "", {})
        for item in items
    ]
    for run, responses in read_predictions(paths, released).items():
        for item_id, response in responses.items():
            answers.setdefault(item_id, []).append((str(run), response.answer, response.right))
    return answers


def audit_command(
    items: Annotated[Path, opt("Items that `ingest` read (JSON Lines).")],
    skipped: Annotated[Path, opt("Records that `ingest` skipped.")],
    rejected: Annotated[Path, opt("Records that `exclude` rejected.")],
    decisions: Annotated[Path, opt("Ledger of decisions that `exclude` wrote.")],
    parses: Annotated[list[Path], opt("Parse lock; repeat in the order given to `exclude`.", metavar="<path>")],
    out: Annotated[
        Path,
        output("folder of index.html, audit.tsv, and items/ with a page for each record."),
        Writes(("index.html", "audit.tsv", "confusion.tsv", *(f"{RECORDS}/{file}" for file in FILES))),
    ],
    gold: Annotated[
        list[Path] | None,
        opt(
            "Answer key with id, class, start, end (TSV); repeat for a table that replaces rows of those before it.",
            metavar="<path>",
        ),
    ] = None,
    analysis: Annotated[
        Path | None, opt("The authors' analyses; without --gold, their roles are the answer key.")
    ] = None,
    modifications: Annotated[Path | None, opt("Ledger that `modify` wrote.")] = None,
    adjudications: Annotated[Path | None, opt("Ledger that `annotate apply` wrote.")] = None,
    people: Annotated[
        list[Path] | None,
        opt("items.tsv that `annotate agree` wrote of a study; repeat it for several.", metavar="<path>"),
    ] = None,
    forms: Forms = None,
    readings: Readings = None,
    predictions: Predictions = None,
    name: Name = None,
) -> Report:
    """Report why each record was kept or rejected, as pages and a table.

    With an answer key, prints how many decisions of the rules are right.
    """
    report = Report()
    from ..winograd.exclusion.ruleset import load_rules  # spaCy takes a second to import

    judged = read_study_results(people) if people else None
    by_id = read_histories(items, skipped, rejected, decisions, analysis, modifications, adjudications)
    histories = list(by_id.values())
    ledger = {record_id: history.decision for record_id, history in by_id.items()}
    locks = read_locks(parses)
    parsers = [parser for lock in locks for parser in lock.parsers]
    require_parsers(ledger.values(), parsers, decisions)
    lang = histories[0].record.lang if histories else "zh"
    analyses = [history.analysis for history in histories if history.analysis]
    expected = read_gold(*gold) if gold else gold_of(analyses, analysis_table(lang))
    records = [history.record for history in histories]
    result = score(expected, records, ledger) if expected else None
    title = name or items.parent.name or "collection"
    supplements = _supplements(histories, judged, forms, readings, predictions)
    facts = {"Parsers": ", ".join(parsers), "Rules": rules_digest()}
    views = record_views(histories, locks, load_rules, supplements)
    html = page(title, histories, parsers=parsers, rules=facts["Rules"], score=result, judged=judged)
    write_item_pages(out / RECORDS, title, views, facts, up=("Audit", "../index.html"))
    write_page(out / "index.html", html)
    header = TABLE_HEADER if judged is None else (*TABLE_HEADER, JUDGED)
    write_tsv(out / "audit.tsv", header, table(histories, judged))
    kept = sum(history.label == KEPT for history in histories)
    disputed = count_disputed((history.decision for history in histories), len(locks))
    separator = "," if disputed is not None else ";"
    report.add(
        f"{len(histories)} records: {kept} kept + {len(histories) - kept} rejected{separator} {disputed_line(disputed)}",
        records=len(histories),
        kept=kept,
        rejected=len(histories) - kept,
        disputed=disputed,
    )
    if applied := sum(history.applied is not None for history in histories):
        report.add(
            f"{applied} modified, {sum(history.rescued for history in histories)} of them rescued",
            modified=applied,
            rescued=sum(history.rescued for history in histories),
        )
    if judged is not None:
        known = sum(history.record.id in judged for history in histories)
        report.add(f"{known} of {len(histories)} judged by raters", judged=known)
    if changes := [history.change for history in histories if history.change]:
        moves = Counter((change.before == KEPT, change.after == KEPT) for change in changes)
        report.add(
            f"{len(changes)} changed or confirmed by people: {moves[False, True]} restored, "
            f"{moves[True, False]} rejected; {moves[False, True] + moves[True, True]} converted",
            decided_by_people=len(changes),
        )
    if result is None:
        remove(out / "confusion.tsv")  # of a run with a gold
        return report
    write_tsv(out / "confusion.tsv", *confusion_rows(result))
    count = len(result.verdicts)
    shares = (
        f"decisions right: {share(result.decisions_right, count)}",
        f"classes right: {share(result.classes_right, count)}",
        f"targets right: {share(result.targets_right, result.targets)}",
        f"{result.unscored} unscored",
    )
    report.add(
        "; ".join(shares),
        scored=count,
        decisions_right=result.decisions_right,
        classes_right=result.classes_right,
        targets=result.targets,
        targets_right=result.targets_right,
        unscored=result.unscored,
    )
    return report


def browse_command(
    items: Annotated[list[Path], arg("ITEMS", "Items (JSON Lines): of a build, of templates, of a release.")],
    out: Annotated[Path, output("folder of index.html and record.html."), Writes(FILES)],
    analysis: Annotated[Path | None, opt("The authors' analyses (analysis.jsonl).")] = None,
    forms: Forms = None,
    readings: Readings = None,
    predictions: Predictions = None,
    name: Name = None,
) -> Report:
    """Write a page for each item, and an index that searches and filters them.

    The pages open from a disk, also those of a hundred thousand items. `audit`
    writes them with the decisions of the rules.
    """
    collection = {}
    for path in items:
        for item in read_items(path, zero_forms=True):
            if item.id in collection:
                raise PipelineError(path, None, f"[id] not unique; found {shown(item.id)} in two files")
            collection[item.id] = item
    analyses = read_analyses(analysis) if analysis else {}
    histories = [
        RecordHistory(item, Decision(item_id, None, already_zero=item.already_zero), analysis=analyses.get(item_id))
        for item_id, item in sorted(collection.items())
    ]
    title = name or items[0].parent.name or "collection"
    supplements = _supplements(histories, None, forms, readings, predictions)
    write_item_pages(out, title, record_views(histories, supplements=supplements, decided=False))
    return Report().add(f"{out / 'index.html'}: {plural(len(histories), 'item')}", items=len(histories))


def artefacts_command(
    items: Annotated[Path, arg("ITEMS", "Items (JSON Lines): of a build, of a release, of any collection.")],
    out: Annotated[
        Path | None, output("folder of index.html, with the items that each artefact solves."), Writes((FRONT_PAGE,))
    ] = None,
    too_easy: Annotated[
        Path | None,
        output("ids of the items that AFLite leaves out, one a line; for collections of a thousand items or more."),
    ] = None,
    records: Annotated[
        str, opt("Address of the page of the records, from index.html; each item is then linked to its record.")
    ] = "",
    seed: Annotated[int, opt("Seed of the random halves of AFLite.")] = 0,
) -> Report:
    """Look for what tells the answers to somebody who did not understand them.

    Cues, such as a word or the order of the candidates, are tested against a fair
    coin; classifiers see a part of each item. `validate artefacts` fails if one
    of them tells.
    """
    from ..winograd.artefacts import LEAST_SCHEMAS, cues, filter_easy, page, parts, sentences, two_way
    from ..winograd.variety import items_by_register

    every = read_items(items, zero_forms=True)
    chosen = two_way(every)
    if (schemas := len({item.schema for item in chosen})) < LEAST_SCHEMAS:
        reason = f"too few schemas with two candidates; found {schemas}, expected {LEAST_SCHEMAS} or more"
        raise PipelineError(items, None, f"[schema] {reason}")
    found, seen = cues(chosen, items_by_register(items)[1]), parts(chosen)
    report = Report(list(sentences(chosen, found, seen)))
    report.figures |= {"items": len(chosen), "left_out": len(every) - len(chosen)}
    if len(every) > len(chosen):
        report.add(f"{plural(len(every) - len(chosen), 'item')} with other than two candidates left out")
    for part in seen:
        report.figures.setdefault("parts", {})[part.name] = {"share": part.share, "interval": part.interval}
    report.figures["cues"] = {
        cue.name: {"items": cue.items, "share": cue.share, "p": cue.p} for cue in found if cue.tells
    }
    if out is not None:
        write_page(out / FRONT_PAGE, page(items.parent.name or "collection", chosen, found, seen, records))
        report.add(f"{out / FRONT_PAGE}: the items that each of them solves")
    if too_easy is not None:
        ids = filter_easy(chosen, seed=seed)
        write_text(too_easy, "".join(f"{item_id}\n" for item_id in ids))
        report.add(f"{too_easy}: {len(ids)} of {plural(len(chosen), 'item')} are too easy", too_easy=len(ids))
    return report


def diff_command(
    old: Annotated[
        Path, arg("OLD", "The earlier rules: a folder such as rules/, or decisions.jsonl of an earlier run.")
    ],
    new: Annotated[Path, arg("NEW", "The later rules, likewise.")],
    items: Annotated[Path, opt("Items that `ingest` read (JSON Lines).")],
    parses: Annotated[
        list[Path] | None,
        opt("Parse lock, for folders of rules; repeat for several. The first one decides.", metavar="<path>"),
    ] = None,
    skipped: Annotated[Path | None, opt("Records that `ingest` skipped; they count as rejected.")] = None,
    by_sentence: Annotated[
        bool, opt("Keep an item even if the other member of its pair is rejected.", "--by-sentence")
    ] = False,
    out: Annotated[
        Path | None, output("folder of pages of the records that are decided otherwise."), Writes(FILES)
    ] = None,
) -> Report:
    """Show which records a change of the rules decides otherwise.

    Prints a line for each: what was decided before and after, and the rules
    that match. Then how many there are of each kind.
    """
    report = Report()
    rows, before = read_collection(items, skipped)
    locks = read_locks(parses or [])
    partitions = []
    for path in (old, new):
        if path.is_file():
            partitions.append(Partition((), (), tuple(read_decisions(path))))
        elif not locks:
            reason = "rules need trees; found no parse lock, expected --parses, or decisions.jsonl in place of a folder"
            raise PipelineError(path, None, f"[parses] {reason}")
        else:
            from ..winograd.exclusion.ruleset import rules_in  # spaCy takes a second to import

            rules = rules_in(path, rows[0].lang if rows else "zh")
            partitions.append(exclude(rows, locks, rules, skipped=before, by_sentence=by_sentence))
    records = {entry.id: entry for entry in (*rows, *(entry.record for entry in before))}
    changes = decision_changes(*(partition.decisions for partition in partitions))
    for change in changes:
        if change.id not in records:
            raise PipelineError(
                items, None, f"[id] no such record; found decisions on {shown(change.id)}, expected its item"
            )
        report.add(f"{change.id}: {change.states}; {change.rules}; {records[change.id].text}")
    counts = Counter(change.states for change in changes)
    moved = sum(change.moves for change in changes)
    total = len(partitions[1].decisions)
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()))
    total_line = (
        f"{plural(total, 'record')}: {moved} decided otherwise, {len(changes) - moved} by other rules, "
        f"{total - len(changes)} alike{f'; {kinds}' if kinds else ''}"
    )
    if out is not None:
        findings = {entry.record.id: entry.findings for entry in partitions[1].rejected}
        histories = [RecordHistory(records[change.id], change.after, findings.get(change.id, ())) for change in changes]
        supplements = Supplements(changes={change.id: (change.states, change.rules) for change in changes})
        views = record_views(histories, locks, supplements=supplements)
        title, facts = f"{items.parent.name or 'collection'}: rules changed", {"Old": str(old), "New": str(new)}
        write_item_pages(out, title, views, facts, lead=total_line)
        report.add(f"{out / 'index.html'}: {plural(len(changes), 'record')} to look at")
    report.add(
        total_line,
        records=total,
        changed=moved,
        by_other_rules=len(changes) - moved,
        changes=[{"id": change.id, "change": change.states, "rules": change.rules} for change in changes],
    )
    return report
