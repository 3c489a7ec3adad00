"""Read a collection into items; skip defective records with their reasons, stop at a broken file."""

from pathlib import Path
from typing import Annotated

from ..core.errors import PipelineError, plural
from ..core.files import read_bytes, write_jsonl, write_tsv
from ..core.records import write_items, write_rejected
from ..winograd.analysis import analysis_table, count_kinds, write_analyses, write_terms
from ..winograd.cloze import cloze_items
from ..winograd.forms.options import COLUMNS
from ..winograd.readers import ANALYSED, PATCHED, READERS, SEGMENTED, ingest, patched, reader_of, skipped_lines
from ..winograd.readers.schema_yaml import LANG
from .parameters import arg, opt, output
from .report import Report

#: Maximum number of defects shown; the file of the skipped records has all of them.
_SHOWN = 20


def command(
    file: Annotated[Path, arg("FILE", "File of the collection.")],
    format_name: Annotated[str, opt(f"Format of the file: {', '.join(READERS)}.", "--format")],
    out: Annotated[Path, output("the items (JSON Lines).")],
    skipped: Annotated[Path, output("the skipped records with the reasons (JSON Lines).")],
    lang: Annotated[
        str | None,
        opt(
            "Language to read (default: Mandarin for pws-tsv, all for xwinograd-tsv) or, for files in one language, the "
            "language of the items (default: en for wsc-xml, zh for cluewsc-jsonl and schema-yaml)."
        ),
    ] = None,
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
    reader = reader_of(format_name)
    for option, path, formats in (
        ("tokens", tokens, SEGMENTED),
        ("analysis", analysis, ANALYSED),
        ("terms", terms, ANALYSED),
        ("cloze", cloze, ANALYSED),
    ):
        if path is not None and format_name not in formats:
            reason = (
                f"[{option}] format does not contain {option}; found {format_name!r}, expected {' or '.join(formats)}"
            )
            raise PipelineError(None, None, reason)
    data = read_bytes(file)
    changed = 0
    if patches:
        data, changed = patched(data, file, format_name, lang, patches)
    result = ingest(data, file, format_name, lang, targets)
    segmentation = reader.segmentation(data, file, lang) if reader.segmentation and tokens else {}
    analyses = reader.analyses(data, file, lang) if reader.analyses and (analysis or terms or cloze) else []
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
    if patches:
        report.add(f"{patches}: {changed} of {result.read} records patched", patched=changed)
    if not result.items:
        report.findings.append(f"{file}: [file] no item; all {result.read} records are skipped, see {skipped}")
    if tokens:
        rows = [(item.id, " ".join(segmentation[item.id]), file.name) for item in result.items]
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
