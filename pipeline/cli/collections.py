"""Commands for a collection of one's own, in a folder anywhere: lay it out, build it, say what is left to do."""

import shlex
from collections import Counter
from pathlib import Path
from typing import Annotated

from ..cli import run
from ..core.errors import PipelineError, plural, shown
from ..core.files import lines_of, read_bytes, read_text, write_text
from ..core.records import read_rejected
from ..language.languages import language_of
from ..language.questions import is_language
from ..release.collection.drafts import draft_schemas
from ..release.collection.layout import (
    README,
    SCHEMAS,
    Collection,
    example_text,
    name_of_folder,
    new_files,
    read_collection,
)
from ..release.collection.open_points import open_points
from ..release.collection.stages import delete_others, is_built, is_current, prepare, record, stages
from ..release.sources import SOURCES
from ..winograd.exclusion.ledger import read_decisions
from ..winograd.readers import found_format, read_drafts
from ..winograd.readers.draft import assemble
from ..winograd.readers.formats import PLAIN
from ..winograd.readers.layouts import parse_columns
from .parameters import arg, opt, tracked
from .report import Quiet, Report

#: Number of rejected records that `build` names.
_SHOWN = 10
Folder = Annotated[Path, arg("DIR", "Folder of a collection that `init` laid out.")]


def init_command(
    folder: Annotated[Path, arg("DIR", "New folder, or an empty one; the collection is named after it.")],
    lang: Annotated[str, opt("Language of the texts (ISO 639-1), such as zh, de or en.")],
    table: Annotated[
        Path | None, opt("Table or JSON whose rows become drafts of schemas, in any format of `ingest`.", "--from")
    ] = None,
    columns: Annotated[
        str | None, opt("What the columns of a plain table hold: `text=Sentence,candidates=A+B,…`, as `ingest` has it.")
    ] = None,
) -> Report:
    """Lay out a new collection: schemas with an example, sources, a page about it.

    With --from, the rows of a table become the schemas: two rows that differ
    in some words are one entry, and the others stand as comments. Nothing
    that is there is overwritten.
    """
    if not is_language(lang):
        raise PipelineError(None, None, f"[lang] no code of a language; found {shown(lang)}, expected zh, de, en, …")
    if folder.is_dir() and any(folder.iterdir()):
        reason = f"found {shown(min(path.name for path in folder.iterdir()))} in it, expected an empty folder or none"
        raise PipelineError(folder, None, f"[dir] not empty; {reason}: nothing was written")
    name, report, entries, origin = name_of_folder(folder), Report(), example_text(name_of_folder(folder), lang), ""
    if table:
        data, parts = read_bytes(table), parse_columns(columns) if columns else None
        drafts = draft_schemas(
            assemble(read_drafts(data, table, PLAIN if parts else found_format(data, table), lang, None, parts))
        )
        entries, origin = drafts.text, table.name
        total = drafts.paired + drafts.lone + drafts.unreadable
        report.add(
            f"{table}: {plural(total, 'row')} = {drafts.paired} in {plural(drafts.paired // 2, 'schema')} + {drafts.lone} without a mate "
            f"+ {drafts.unreadable} skipped; the last two stand as comments, with what they lack",
            rows=total,
            paired=drafts.paired,
            lone=drafts.lone,
            skipped=drafts.unreadable,
        )
    for file, text in new_files(name, lang, entries, origin).items():
        write_text(folder / file, text)
    report.add(f"{folder}: a collection in {lang}: {SCHEMAS}, {SOURCES.name}, {README}", name=name, lang=lang)
    return report.add(f"next: write schemas in {folder / SCHEMAS}, then: winoforge build {_quoted(folder)}")


def build_command(
    folder: Folder,
    parser: Annotated[
        list[str] | None,
        opt(
            "Parser; repeat for two: the first decides. Default: the last one of its language, or the trees in DIR/parses."
        ),
    ] = None,
    quiet: Quiet = False,
) -> Report:
    """Build a collection, as far as it is out of date; exit 1 if its data have faults.

    Runs the stages of `make build` in DIR/build: ingest, parse, exclude,
    modify, apply, zero, variants, audit, validate. A language without rules
    of exclusion has no zeros, one whose pronouns agree has gaps for them.
    """
    collection, report = read_collection(folder), Report()
    known = language_of(collection.source.lang).parsers
    if unknown := next((name for name in parser or () if name not in known), ""):
        expected = f"expected {' or '.join(known) or 'none for this language'}"
        raise PipelineError(None, None, f"[parser] unknown parser; found {shown(unknown)}, {expected}")
    build, made, again = collection.build, [], f"winoforge build {_quoted(folder)}"
    again += "".join(f" --parser {name}" for name in parser or ())
    delete_others(collection)
    for stage in tracked(stages(collection, parser or ()), "stages", quiet=quiet):
        if is_current(stage, build):
            continue
        prepare(stage, build)
        if stage.name == "zero" and not read_bytes(build / "adjudicated.jsonl"):
            rejected = build / "adjudicated-rejected.jsonl"
            reason = f"found {plural(_count(rejected), 'record')}, all rejected; it has the reason for each"
            report.findings.append(f"{rejected}: [build] nothing is kept; {reason}")
            report.lines += _rejections(build)
            return report.add(f"next: mend {collection.schemas}, then: {again}")
        try:
            failed = run([*stage.words, "--quiet"])
        except PipelineError as error:
            raise PipelineError(error.path, error.line, f"{error.reason}; mend it, then: {again}") from None
        if failed:
            report.findings.append(f"{build}: [{stage.name}] failed for the reasons above; mend them, then: {again}")
            break
        record(stage, build)
        made.append(stage.name)
    current = "nothing" if report.findings else "nothing, all is as the files of today have it"
    report.add(f"{build}: made: {', '.join(made) or current}", made=made)
    return _add_result(report, collection) if not report.findings or stage.name == "validate" else report


def _add_result(report: Report, collection: Collection) -> Report:
    """Add what a build holds: how many items there are of how many records, where to look, and the next command."""
    build = collection.build
    kept = build / "adjudicated.jsonl"
    items, left = (kept, "adjudicated-rejected.jsonl") if kept.is_file() else (build / "items.jsonl", "skipped.jsonl")
    numbers, verb = (_count(items), _count(build / left)), "rejected" if kept.is_file() else "skipped"
    classes = Counter(entry.exclusion for entry in read_rejected(build / left)) if verb == "rejected" else {}
    why = f" ({', '.join(f'{name} {number}' for name, number in sorted(classes.items()))})" if classes else ""
    report.add(
        f"{build}: {plural(sum(numbers), 'record')} = {numbers[0]} items + {numbers[1]} {verb}{why}",
        items=numbers[0],
        rejected=numbers[1],
    )
    report.lines += _rejections(build) if classes else []
    pages = [build / name / "index.html" for name in ("audit", "items") if (build / name / "index.html").is_file()]
    report.lines += [f"to look at: {page}" for page in pages]
    return report if report.findings else report.add(f"next: winoforge check {_quoted(collection.folder)}")


def _rejections(build: Path) -> list[str]:
    """Return a line for each of the first rejected records of a build: its class, its rule, what is in doubt; and how many more."""
    rejected = read_rejected(build / "adjudicated-rejected.jsonl")
    doubts = {decision.id: decision.uncertain for decision in read_decisions(build / "decisions.jsonl")}
    lines = []
    for entry in rejected[:_SHOWN]:
        first = entry.findings[0]
        words = first.evidence.get("words")
        why = f", matched {' '.join(words.values())}" if words else f": {first.message}"
        doubt = "; ".join(doubts.get(entry.record.id, ()))
        doubt = f"; uncertain: decided otherwise if {doubt}" if doubt else ""
        lines.append(f"rejected {entry.record.id}: {entry.exclusion} ({first.rule}){why}{doubt}")
    return [*lines, *([f"rejected: {len(rejected) - _SHOWN} more"] if len(rejected) > _SHOWN else [])]


def _count(path: Path) -> int:
    return len(lines_of(read_text(path))) if path.is_file() else 0


def _quoted(folder: Path) -> str:
    return shlex.quote(str(folder))


def check_command(folder: Folder) -> Report:
    """Say what is left to do before a release, in the order in which one does it; exit 1 if something is left.

    Each line has the place, what is to be done, and the next command.
    """
    collection = read_collection(folder)
    points = open_points(collection)
    report = Report(figures={"open": [{"what": point.what, "then": point.after} for point in points]})
    report.findings = list(map(str, points))
    rejected, page = collection.build / "adjudicated-rejected.jsonl", collection.build / "audit" / "index.html"
    if rejected.is_file() and is_built(collection) and (left := read_rejected(rejected)):
        of = plural(len({entry.record.schema for entry in left}), "schema")
        report.add(
            f"{folder}: {plural(len(left), 'record')} of {of} rejected; for the reasons, see {page}", rejected=len(left)
        )
    if points:
        return report.add(f"{folder}: {plural(len(points), 'thing')} left to do before a release, the first line first")
    return report.add(f"{folder}: ready; next: winoforge release {_quoted(folder)}")
