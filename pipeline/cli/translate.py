"""Translate a collection by machine into a draft that people review."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from ..core.errors import PipelineError, plural, shown
from ..core.files import read_bytes
from ..core.model import Item
from ..core.records import read_items
from ..core.servers.addresses import server_address
from ..core.servers.secrets import deepl_key
from ..studies.design.sources import with_judgements
from ..studies.model.judgements import read_judgements
from ..winograd.readers import READERS, ingest, reader_of
from ..winograd.translation.deepl import (
    CACHE,
    TranslationStore,
    connected,
    require_quota,
    source_language,
    stored_translations,
    target_language,
    translate,
)
from ..winograd.translation.draft import DRAFT, draft_rows, read_draft, with_reviews, write_draft
from ..winograd.translation.texts import (
    Batch,
    Glossary,
    ItemPart,
    Options,
    batches,
    characters,
    item_parts,
    read_glossary,
    translated,
)
from .output import counted
from .parameters import arg, opt, output
from .report import Quiet, Report, Writes

#: The format of a file that `ingest` wrote.
ITEMS = "items"
#: The formats of collections that can be translated.
FORMATS = (ITEMS, *(name for name in READERS if name != "translation-tsv"))


def command(
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
    requests = _open_requests(parts, options, stored_translations(folder))
    _count(report, parts, requests)
    needed = report.figures["characters"]
    if budget is not None and needed > budget:
        reason = f"[budget] too many characters; found {needed} to send, expected at most {budget}; nothing was sent"
        raise PipelineError(None, None, reason)
    if dry_run:
        report.add("nothing was sent (--dry-run)")
        return report
    with_reviews(draft_rows(parts, [""] * len(parts)), before, draft)  # refuse before anything is paid
    with TranslationStore(folder) as store:
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
    if format_name == ITEMS:
        items: Sequence[Item] = read_items(file)
        skipped = 0
    elif format_name in FORMATS:
        reader_of(format_name)
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


def _open_requests(parts: Sequence[ItemPart], options: Options, known: Mapping[str, str]) -> list[Batch]:
    """Return the requests for the texts that have no translation yet."""
    return batches([part.source for part in parts if options.key(part.source) not in known])


def _count(report: Report, parts: Sequence[ItemPart], requests: Sequence[Batch]) -> None:
    """Report how much there is to translate, and how much of it is to be sent."""
    sources = dict.fromkeys(part.source for part in parts)
    sent = [source for batch in requests for source in batch.sources]
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
