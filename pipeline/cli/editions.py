"""Commands on editions of data: compare two editions of a collection, fetch a published one."""

from pathlib import Path
from typing import Annotated

from ..core.files import write_text
from ..release.comparison import compare
from ..release.comparison_report import comparison_page, comparison_to_json, item_lines, summary_lines, version_fault
from ..release.editions import read_edition, read_reasons, require_one_kind
from .parameters import arg, opt, output
from .report import Report


def diff_command(
    old: Annotated[Path, arg("OLD", "The earlier edition: a release, a build, or a file of items (JSON Lines).")],
    new: Annotated[Path, arg("NEW", "The later edition, of the same kind.")],
    reasons: Annotated[
        list[Path] | None,
        opt("Table of why items or schemas left, with id and why (TSV); may be repeated.", metavar="<path>"),
    ] = None,
    out: Annotated[Path | None, output("page of all changes (HTML).")] = None,
) -> Report:
    """Compare two editions of a collection item by item, with the reason of each change.

    Prints a line for each item that is dropped (-), added (+) or changed (~):
    its answer, candidates, text, question, form or metadata. Then the counts,
    and the version that NEW should have after OLD: major if an answer changed
    or an item, its id, a field or a form is gone; minor if some were added;
    patch otherwise. Exit status 1 if NEW states a lower version than that.
    """
    editions = read_edition(old), read_edition(new)
    require_one_kind(*editions)
    result = compare(*editions, read_reasons(reasons or ()))
    summary = summary_lines(result)
    report = Report([*item_lines(result), *summary], comparison_to_json(result))
    if fault := version_fault(result):
        report.findings.append(fault)
    if out is not None:
        write_text(out, comparison_page(result))
    return report
