"""Write the zeros of a labelled text for which two antecedents compete as items."""

from pathlib import Path
from typing import Annotated

from ...core.errors import plural
from ...core.files import write_jsonl
from ...core.records import record_to_json
from ...zero_pronouns.antecedents import read_references
from ...zero_pronouns.documents import read_parallel_text
from ...zero_pronouns.exports.competition import competing_items
from ...zero_pronouns.exports.links import name_of
from ..parameters import arg, opt, output
from ..report import Report


def command(
    source: Annotated[Path, arg("SOURCE", "Chinese with labels such as <他>_S, a sentence a line.")],
    antecedents: Annotated[Path, opt("Antecedent of each zero (TSV).")],
    out: Annotated[Path, output("the items (JSON Lines).")],
) -> Report:
    """Write the zeros for which two antecedents compete as items, with the count of the others by reason.

    Both candidates are antecedents of zeros with the same pronoun. Read the items: two names may be of one person.
    """
    text = read_parallel_text(source, source)
    conversion = competing_items(text, name_of(source), read_references(antecedents, text))
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
