"""Commands that read and translate collections and parse their sentences."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from ..core.convert import to_object
from ..core.errors import PipelineError, plural, shown
from ..core.files import read_bytes, write_jsonl, write_text
from ..core.model import IngestResult, Item
from ..core.outputs import is_stdin, require_writable
from ..core.records import read_items, write_items, write_rejected
from ..core.servers import deepl_key, server_address
from ..core.tables import write_tsv
from ..language.parsing.backends import BackendName
from ..language.parsing.lock import parse, read_lock
from ..language.parsing.trees import trees_to_conllu
from ..release.readings import orphaned_readings
from ..studies.design.sources import with_judgements
from ..studies.model.judgements import read_judgements
from ..winograd.analysis import analysis_table, count_kinds, write_analyses, write_terms
from ..winograd.cloze import cloze_items
from ..winograd.doubts import doubts
from ..winograd.forms.form import COLUMNS
from ..winograd.modifications import modified_versions
from ..winograd.readers import READERS, found_format, ingest, patched, read_drafts, reader_of
from ..winograd.readers.draft import Draft, assemble, skipped_lines, with_source
from ..winograd.readers.draft import merge_mentions as merged_mentions
from ..winograd.readers.formats import FORMATS as ROW_FORMATS
from ..winograd.readers.formats import PLAIN, shown_layout
from ..winograd.readers.layouts import parse_columns
from ..winograd.readers.schema_yaml import LANG
from ..winograd.translation.deepl import (
    CACHE,
    connected,
    open_store,
    require_quota,
    source_language,
    stored_translations,
    target_language,
    translate,
)
from ..winograd.translation.draft import (
    DRAFT,
    Glossary,
    ItemPart,
    Options,
    SourceText,
    batches,
    characters,
    draft_rows,
    item_parts,
    read_draft,
    read_glossary,
    translated,
    with_reviews,
    write_draft,
)
from .parameters import arg, counted, opt, output, tracked
from .report import Quiet, Report, Updates, Writes

#: What people write of a collection of ours: its schemas, and beside them what readers found.
SCHEMAS, READING = "schemas.yaml", "reading.tsv"
#: Maximum number of defects shown; the file of the skipped records has all of them.
_SHOWN = 20
#: The formats that print their texts in words, that hold the authors' analyses, and that can be patched.
SEGMENTED = tuple(name for name, reader in READERS.items() if reader.segmented)
ANALYSED = tuple(name for name, reader in READERS.items() if reader.analysed)
PATCHED = tuple(name for name, reader in READERS.items() if reader.patch)


def ingest_command(
    file: Annotated[Path, arg("FILE", "File of the collection.")],
    out: Annotated[Path, output("the items (JSON Lines).")],
    skipped: Annotated[Path, output("the skipped records with the reasons (JSON Lines).")],
    format_name: Annotated[
        str | None, opt(f"Format of the file (default: known by its content): {', '.join(READERS)}.", "--format")
    ] = None,
    columns: Annotated[
        str | None,
        opt(
            "What the columns of a plain table hold, where their names do not tell it: "
            "`text=Sentence,candidates=A+B,answer=gold,…`."
        ),
    ] = None,
    lang: Annotated[
        str | None,
        opt(
            "Language to read (default: Mandarin for pws-tsv, all for xwinograd-tsv) or, for files in one language, the "
            "language of the items (default: zh for cluewsc-jsonl and schema-yaml, else that of the published file)."
        ),
    ] = None,
    source: Annotated[str, opt("Name of the collection, with which the source of each item begins.")] = "",
    one_candidate: Annotated[
        bool,
        opt("Keep records with one candidate, enough to ask whether their zero is licensed.", "--one-candidate"),
    ] = False,
    merge_mentions: Annotated[
        bool,
        opt("Make all right mentions of a record one candidate, also where their words differ.", "--merge-mentions"),
    ] = False,
    targets: Annotated[Path | None, opt("Positions of targets, set by hand (TSV).")] = None,
    patches: Annotated[
        Path | None,
        opt(
            f"Corrections of single fields (TSV), such as `rules/patches/pws-man.tsv`; only with {', '.join(PATCHED)}."
        ),
    ] = None,
    tokens: Annotated[
        Path | None, output(f"the word segmentation given in the file (TSV); only with {', '.join(SEGMENTED)}.")
    ] = None,
    analysis: Annotated[
        Path | None, output(f"the authors' analyses of the items (JSON Lines); only with {', '.join(ANALYSED)}.")
    ] = None,
    cloze: Annotated[
        Path | None,
        output(
            "the items with a gap for the pronoun and the genders of both candidates, for `evaluate cloze` (JSON Lines); "
            f"only with {', '.join(ANALYSED)}."
        ),
    ] = None,
    terms: Annotated[
        Path | None, output(f"the terms for `corpus count`, one per line; only with {', '.join(ANALYSED)}.")
    ] = None,
) -> Report:
    """Read a collection into items; list the records that are skipped, with the reasons."""
    report = Report()
    parts = None if columns is None else parse_columns(columns)
    data = read_bytes(file)
    format_name = format_name or _found_format(data, file, report, is_plain=bool(parts))
    _require_outputs(format_name, tokens=tokens, analysis=analysis, terms=terms, cloze=cloze)
    changed = 0
    if patches:
        data, changed = patched(data, file, format_name, lang, patches)
    drafts = read_drafts(data, file, format_name, lang, targets, parts)
    _add_layout(report, data, file, lang, format_name, parts)
    drafts = merged_mentions(drafts) if merge_mentions else drafts
    drafts = with_source(drafts, source, file)
    result = assemble(drafts, least=1 if one_candidate else 2)
    words = {draft.id: draft.words for draft in drafts}
    analyses = [draft.analysis for draft in drafts if draft.analysis]
    if tokens and drafts[0].lang not in (languages := reader_of(format_name).segmented):
        reason = f"language not printed in words; found {shown(lang)}, expected {' or '.join(languages)}"
        raise PipelineError(file, None, f"[lang] {reason}")
    gaps = cloze_items(result.items, {entry.id: entry for entry in analyses}) if cloze else []
    write_items(out, result.items)
    write_rejected(skipped, result.skipped)
    defects = skipped_lines(result.skipped, file)
    more = [f"and {len(defects) - _SHOWN} more in {skipped}"] if len(defects) > _SHOWN else []
    report.notes += [*defects[:_SHOWN], *more]
    report.add(
        f"{file}: {len(result.items)} items + {len(result.skipped)} skipped = {result.read} records read",
        items=len(result.items),
        skipped=len(result.skipped),
        read=result.read,
    )
    report.notes += [*_counts(result, drafts, file), *doubts(to_object(result.items))]
    if patches:
        report.add(f"{patches}: {changed} of {result.read} records patched", patched=changed)
    readings = file.with_name(READING)
    if (
        file.name == SCHEMAS
        and readings.is_file()
        and (lost := orphaned_readings(readings, {draft.id for draft in drafts}))
    ):
        report.findings.append(lost)
    if not result.items:
        report.findings.append(f"{file}: [file] no item; all {result.read} records are skipped, see {skipped}")
    if tokens:
        rows = [(item.id, " ".join(words[item.id]), file.name) for item in result.items]
        write_tsv(tokens, COLUMNS, rows)
    if cloze:
        write_jsonl(cloze, gaps)
    if terms:
        write_terms(terms, analyses)
    if analysis:
        write_analyses(analysis, analyses)
        report.add(
            f"{analysis}: {plural(len(analyses), 'item')}; {count_kinds(analyses, analysis_table(lang or LANG))}"
        )
    return report


def _found_format(data: bytes, file: Path, report: Report, *, is_plain: bool) -> str:
    """Return the format of a file for which the user gives none, and report it."""
    name = PLAIN if is_plain else found_format(data, file)
    report.add(f"{file}: format {name}", format=name)
    return name


def _add_layout(
    report: Report, data: bytes, file: Path, lang: str | None, format_name: str, columns: Mapping[str, str] | None
) -> None:
    """Report which columns a file of rows was read by."""
    if format_name == PLAIN or format_name in ROW_FORMATS:
        report.add(f"{file}: {shown_layout(data, file, lang, name=format_name, columns=columns)}")


def _counts(result: IngestResult, drafts: Sequence[Draft], file: Path) -> list[str]:
    """Return how many items have another number of candidates than two, and in how many records mentions became one candidate."""
    notes, items = [], result.items
    if more := [len(item.candidates) for item in items if len(item.candidates) > 2]:
        notes.append(
            f"{file}: [candidates] {len(more)} of {plural(len(items), 'item')} with three or more (up to {max(more)}): no form winogrande"
        )
    few = sum(
        len(entry.findings) == 1 and len(set(entry.record.candidates)) == 1 and entry.record.answer is not None
        for entry in result.skipped
    )
    if few:
        notes.append(
            f"{file}: [candidates] {plural(few, 'record')} skipped for having one; --one-candidate asks whether their zeros are licensed"
        )
    if several := sum(any("right" in finding.evidence for finding in entry.findings) for entry in result.skipped):
        notes.append(
            f"{file}: [answer] {plural(several, 'record')} skipped for several right answers; --merge-mentions makes each one candidate"
        )
    if lone := sum(len(item.candidates) == 1 for item in items):
        notes.append(
            f"{file}: [candidates] {lone} of {plural(len(items), 'item')} with one, enough for exclude and zero only"
        )
    if merged := sum(bool(draft.merged) for draft in drafts):
        notes.append(
            f"{file}: [candidates] {plural(merged, 'record')} with several right mentions, made one candidate (see their note)"
        )
    return notes


def _require_outputs(format_name: str, **outputs: Path | None) -> None:
    """Refuse an output of what the format does not contain."""
    reader_of(format_name)
    for option, path in outputs.items():
        formats = SEGMENTED if option == "tokens" else ANALYSED
        if path is not None and format_name not in formats:
            reason = f"format does not contain {option}; found {format_name!r}, expected {' or '.join(formats)}"
            raise PipelineError(None, None, f"[{option}] {reason}")


#: The format of a file that `ingest` wrote.
ITEMS = "items"
#: The formats of collections that can be translated.
FORMATS = (ITEMS, *(name for name in READERS if name != "translation-tsv"))


def translate_command(
    file: Annotated[Path, arg("COLLECTION", "File of the collection.")],
    out: Annotated[Path, output(f"folder of {DRAFT}."), Writes((DRAFT,))],
    format_name: Annotated[str, opt(f"Format of the file: {', '.join(FORMATS)}.", "--format")] = ITEMS,
    lang: Annotated[str, opt("Language of the collection.")] = "en",
    target_lang: Annotated[str, opt("Language to translate into, as DeepL names it.")] = "DE",
    formality: Annotated[
        Literal["default", "more", "less", "prefer_more", "prefer_less"], opt("Formal or informal address.")
    ] = "default",
    glossary: Annotated[Path | None, opt("Terms with their translations (TSV without a header).")] = None,
    glossary_id: Annotated[str, opt("Id of a glossary that DeepL has, in place of --glossary.")] = "",
    cache: Annotated[
        Path | None,
        output("folder that keeps all translations, so that nothing is paid twice; default: that of --out."),
        Writes((CACHE,)),
    ] = None,
    reviews: Annotated[
        Path | None,
        opt("Judgements of the study `translation` (JSON Lines), which fill the draft; exit 1 if items stay open."),
    ] = None,
    budget: Annotated[int | None, opt("Refuse to send more characters than this.", min=0)] = None,
    dry_run: Annotated[bool, opt("Count the characters, send and write nothing.", "--dry-run")] = False,
    server: Annotated[str, opt("Address of the server; default: DeepL's own.")] = "",
    quiet: Quiet = False,
) -> Report:
    """Translate a collection by DeepL into a draft, in which people review each text.

    Reads the key from DEEPL_AUTH_KEY or the keyring. Translations are kept as
    they come, and the same command continues a run that was stopped: nothing
    is paid twice. `ingest --format translation-tsv` reads the items of the
    draft that people have reviewed, and no others.
    """
    address = server_address(server, "--server") if server else ""
    if glossary and glossary_id:
        raise PipelineError(None, None, "[glossary] found --glossary and --glossary-id, expected one of them")
    terms = read_glossary(glossary) if glossary else Glossary(f"id:{glossary_id}" if glossary_id else "")
    options = Options(source_language(lang), target_language(target_lang), formality, terms.identity)
    report = Report()
    parts = item_parts(_items(file, format_name, lang, report))
    draft, folder = out / DRAFT, cache or out
    before = read_draft(draft) if draft.exists() else []
    stored = stored_translations(folder)
    requests = batches([part.source for part in parts if options.key(part.source) not in stored])
    _count(report, parts, requests)
    needed = report.figures["characters"]
    if budget is not None and needed > budget:
        reason = f"[budget] too many characters; found {needed} to send, expected at most {budget}; nothing was sent"
        raise PipelineError(None, None, reason)
    if dry_run:
        report.add("nothing was sent (--dry-run)")
        return report
    with_reviews(draft_rows(parts, [""] * len(parts)), before, draft)  # refuse before anything is paid
    with open_store(folder) as store:
        if requests:
            with connected(deepl_key(), address) as deepl, counted("translating", quiet=quiet) as show:
                require_quota(needed, deepl.characters_left())
                billed = translate(requests, options, terms, deepl, store, show)
            report.add(f"sent: DeepL counted {plural(billed, 'character')}", billed=billed)
        rows = with_reviews(draft_rows(parts, translated(parts, options, store.translations)), before, draft)
    if reviews:
        rows, open_items = with_judgements(rows, read_judgements(reviews))
        report.findings += [f"{reviews}: {line}" for line in open_items]
    write_draft(draft, rows)
    reviewed = sum(bool(row.reviewed) for row in rows)
    report.add(f"{draft}: {plural(len(rows), 'row')}, {reviewed} reviewed", rows=len(rows), reviewed=reviewed)
    return report


def _items(file: Path, format_name: str, lang: str, report: Report) -> Sequence[Item]:
    """Return the items of a collection, and report how many records are none."""
    if format_name == ITEMS and file.suffix not in ("", ".json", ".jsonl") and not is_stdin(file):
        reason = f"found a file named {shown(file.suffix)}, expected items (JSON Lines), or its --format: {', '.join(FORMATS)}"
        raise PipelineError(file, None, f"[format] not items; {reason}")
    if format_name == ITEMS:
        items: Sequence[Item] = read_items(file)
        skipped = 0
    elif format_name in FORMATS:
        result = ingest(read_bytes(file), file, format_name, lang)
        items, skipped = result.items, len(result.skipped)
    else:
        reason = f"[format] unknown format; found {shown(format_name)}, expected one of {', '.join(FORMATS)}"
        raise PipelineError(None, None, reason)
    for item in items:
        if item.lang != lang:
            reason = f"[lang] another language; found {shown(item.lang)} in {shown(item.id)}, expected {shown(lang)}"
            raise PipelineError(file, None, f"{reason}, or another --lang")
        if item.id != f"{item.schema}-{item.version}":
            reason = f"[id] found {shown(item.id)}, expected {shown(f'{item.schema}-{item.version}')}"
            raise PipelineError(file, None, f"{reason}: the schema and the version")
    report.add(
        f"{file}: {len(items)} items + {skipped} skipped = {len(items) + skipped} records read",
        items=len(items),
        skipped=skipped,
    )
    if not items:
        raise PipelineError(file, None, "[file] no item to translate")
    return items


def _count(report: Report, parts: Sequence[ItemPart], requests: Sequence[Sequence[SourceText]]) -> None:
    """Report how much there is to translate, and how much of it is to be sent."""
    sources = dict.fromkeys(part.source for part in parts)
    sent = [source for request in requests for source in request]
    kept = len(sources) - len(sent)
    report.add(
        f"{plural(len(parts), 'row')}, {plural(len(sources), 'different text')}, {plural(characters(sources), 'character')}",
        texts=len(sources),
        all_characters=characters(sources),
    )
    report.add(
        f"translated before: {kept}; to send: {plural(len(sent), 'text')} in {plural(len(requests), 'request')}, "
        f"{plural(characters(sent), 'character')}",
        cached=kept,
        requests=len(requests),
        characters=characters(sent),
    )


def parse_command(
    items_path: Annotated[Path, arg("ITEMS", "The items (JSON Lines).")],
    backend: Annotated[BackendName, opt("Parser.")],
    lock: Annotated[Path, opt("Parse lock to update (CoNLL-U); created if missing."), Updates],
    modifications: Annotated[Path | None, opt("Modifications (YAML); modified sentences are parsed too.")] = None,
    model: Annotated[Path | None, opt("Model to use instead of the parser's default.")] = None,
    check: Annotated[bool, opt("Change nothing; exit 1 if the parser gives other trees today.", "--check")] = False,
    quiet: Quiet = False,
) -> Report:
    """Update a parse lock: parse new sentences, drop unused ones.

    A parse lock is a CoNLL-U file with a dependency tree for each sentence.
    """
    report = Report()
    if not check:
        require_writable(lock)
    elif not lock.exists():
        raise PipelineError(lock, None, "[file] no such lock; nothing to check: run without --check to make it")
    items = read_items(items_path)
    if modifications is not None:
        items += modified_versions(items, modifications)
    track = partial(tracked, label="parsing", quiet=quiet)
    result = parse(items, backend, lock, model=model, afresh=check, track=track)
    text = trees_to_conllu(result.trees)
    if check:
        current = trees_to_conllu(read_lock(lock).trees.values())
        differing = set(text.split("\n\n")) ^ set(current.split("\n\n"))
        keys = sorted(
            {line.split(" = ")[1] for block in differing for line in block.split("\n") if line.startswith("# sent_id")}
        )
        report.findings += [f"{lock}: [{key[:12]}] the tree is not what {backend} gives today" for key in keys]
        report.add(
            f"{lock}: {len(result.trees) - len(keys)} of {len(result.trees)} trees are what {backend} gives today",
            trees=len(result.trees),
            changed=len(keys),
        )
        return report
    write_text(lock, text)
    report.add(
        f"{lock}: {result.kept} trees kept + {result.parsed} parsed = {len(result.trees)}; {result.dropped} dropped",
        kept=result.kept,
        parsed=result.parsed,
        trees=len(result.trees),
        dropped=result.dropped,
    )
    return report
