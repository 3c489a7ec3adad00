"""Fill occupation templates with every pronoun set."""

from pathlib import Path
from typing import Annotated

from ..core.files import write_tsv
from ..language.pronouns import pronoun_table
from ..winopron.instances import (
    COLUMNS,
    VERSIONS,
    WINOGENDER_COLUMNS,
    instances,
    winogender_sentences,
    write_instances,
)
from ..winopron.templates import read_templates
from .parameters import arg, opt, output
from .report import Report, Writes


def command(
    templates: Annotated[Path, arg("TEMPLATES", "Templates: TSV, our YAML, or a zip archive of TSV.")],
    out: Annotated[
        Path,
        output("folder of the sentences."),
        Writes((*(f"{name}.{suffix}" for name in VERSIONS for suffix in ("jsonl", "tsv")), "all_sentences.tsv")),
    ],
    lang: Annotated[str, opt("Language of the pronoun table.")] = "en",
) -> Report:
    """Fill occupation templates with the pronoun sets of a language.

    Writes double.tsv and single.tsv (sentences with two people and with one),
    and the same sentences as items: double.jsonl and single.jsonl.
    For Winogender's templates it writes no sentences with one person, but
    all_sentences.tsv, with three genders.
    """
    report = Report()
    table = pronoun_table(lang)
    entries = read_templates(templates, table)
    winogender = any(template.single is None for template in entries)
    if winogender:
        rows = winogender_sentences(entries, table)
        write_tsv(out / "all_sentences.tsv", WINOGENDER_COLUMNS, rows)
        report.add(
            f"{out / 'all_sentences.tsv'}: {len(entries)} templates in, {len(rows)} sentences out",
            templates=len(entries),
            sentences=len(rows),
        )
    for version in VERSIONS:
        if version == "single" and winogender:
            continue
        sentences = instances(entries, table, version, lang=lang, source=templates)
        write_instances(out / f"{version}.jsonl", sentences)
        write_tsv(out / f"{version}.tsv", COLUMNS, (sentence.row(table) for sentence in sentences))
        report.add(
            f"{out / f'{version}.tsv'}: {len(entries)} templates in, {len(sentences)} sentences out",
            templates=len(entries),
        )
        report.figures |= {version: len(sentences)}
    return report
