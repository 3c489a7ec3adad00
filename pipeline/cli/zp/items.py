"""Write the zeros of a labelled text for which two antecedents compete as items."""

from pathlib import Path
from typing import Annotated

import typer

from ...core.errors import plural
from ...core.files import write_jsonl
from ...core.records import record_to_json
from ...zero_pronouns.antecedents import read_references
from ...zero_pronouns.documents import read_parallel_text
from ...zero_pronouns.exports.competition import competing
from ...zero_pronouns.exports.links import name_of
from ..report import Report


def command(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="SOURCE", help="Chinese with labels such as <他>_S, a sentence a line.", show_default=False
        ),
    ],
    antecedents: Annotated[Path, typer.Option(help="Antecedent of each zero (TSV).", show_default=False)],
    out: Annotated[Path, typer.Option(help="Output: the items (JSON Lines).", show_default=False)],
) -> Report:
    """Write the zeros for which two antecedents compete as items, with the count of the others by reason.

    Both candidates are antecedents of zeros with the same pronoun. Read the items: two names may be of one person.
    """
    text = read_parallel_text(source, source)
    conversion = competing(text, name_of(source), read_references(antecedents, text))
    write_jsonl(out, map(record_to_json, conversion.items))
    report = Report()
    total = len(conversion.items) + sum(conversion.left_out.values())
    report.add(
        f"{out}: {plural(total, 'zero')} in, {plural(len(conversion.items), 'item')} out",
        zeros=total,
        items=len(conversion.items),
        left_out=dict(conversion.left_out),
    )
    for reason, count in conversion.left_out.items():
        report.add(f"{count} left out: {reason}")
    return report
