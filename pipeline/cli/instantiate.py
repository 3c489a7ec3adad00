"""Fill occupation templates with every pronoun set: WinoPron's into double.tsv and single.tsv, Winogender's into all_sentences.tsv."""

from pathlib import Path
from typing import Annotated

import typer

from ..core.files import write_tsv
from ..language.pronouns import pronoun_table
from ..winopron.instances import FORMS, HEADER, OLD_HEADER, instances, winogender_sentences, write_instances
from ..winopron.templates import read_templates


def command(
    templates: Annotated[
        Path, typer.Argument(help="Templates: TSV, our own YAML, or a zip archive of TSV.", show_default=False)
    ],
    out: Annotated[Path, typer.Option(help="The folder for the sentences.", show_default=False)],
    lang: Annotated[str, typer.Option(help="The language of the pronoun table.")] = "en",
) -> None:
    """Fill occupation templates with every pronoun set.

    Writes double.tsv and single.tsv, and the same sentences as items with ids in double.jsonl and single.jsonl; of
    templates without single versions (Winogender's) all_sentences.tsv.
    """
    table = pronoun_table(lang)
    found = read_templates(templates, table)
    if any(template.single is None for template in found):
        rows = winogender_sentences(found, table)
        write_tsv(out / "all_sentences.tsv", OLD_HEADER, rows)
        typer.echo(f"{out / 'all_sentences.tsv'}: {len(found)} templates in, {len(rows)} sentences out")
        return
    for form in FORMS:
        sentences = instances(found, table, form, lang=lang, source=templates)
        write_instances(out / f"{form}.jsonl", sentences)
        write_tsv(out / f"{form}.tsv", HEADER, (one.row(table) for one in sentences))
        typer.echo(f"{out / f'{form}.tsv'}: {len(found)} templates in, {len(sentences)} sentences out")
