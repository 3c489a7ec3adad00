"""Recompute what the papers print: `python -m replication` writes build/replication/index.html and docs/papers.md.

Without the published collections the papers' own arithmetic runs, the rest is not looked at, and docs/papers.md stays as it is. Exit
status 1: a verdict of a ledger is not what the computation says.
"""

import argparse
import sys
from pathlib import Path

from pipeline.core.errors import PipelineError, plural
from pipeline.core.files import write_text
from pipeline.core.pages import write_page
from replication.ledger import Paper, findings, ledgers
from replication.pages import Result, document, html_pages
from tools.front_page import write_front_page
from tools.published import VARIABLE, data_folder

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "papers.md"


def results(data: Path | None, papers: list[Paper] | None = None) -> list[Result]:
    """Return the papers with every printed value beside ours; without a folder what needs it is not looked at."""
    return [Result(paper, tuple(findings(paper, data))) for paper in papers or ledgers()]


def main() -> int:
    """Write the pages, print the counts and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m replication", description=__doc__)
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder of the published collections")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "replication", help="folder of the pages")
    arguments = parser.parse_args()
    data = arguments.data if arguments.data.is_dir() else None
    computed = results(data)
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, text in html_pages(computed).items():
        write_page(arguments.out / name, text)
    if data:
        write_text(PAGE, document(computed))
    else:
        sys.stdout.write(
            f"no published collections at {arguments.data} (set {VARIABLE}): docs/papers.md is unchanged\n"
        )
    for result in computed:
        counts = ", ".join(f"{count} {verdict}" for verdict, count in result.counts.items() if count)
        sys.stdout.write(f"{result.paper.name}: {plural(len(result.findings), 'value')}: {counts}\n")
    if arguments.out.parent == ROOT / "build":
        write_front_page(arguments.out.parent)
    sys.stdout.write(f"{arguments.out / 'index.html'}\n")
    wrong = [(result, finding) for result in computed for finding in result.findings if not finding.is_consistent]
    for result, finding in wrong:
        place = f"{result.paper.path.name}: [{finding.row.row_id}] {finding.value.cell or 'the value'}"
        found = f"{finding.value.printed} against {finding.ours or 'nothing'}: {finding.outcome}"
        sys.stderr.write(f"{place} does not have its verdict; found {found}, expected {finding.value.verdict}\n")
    return int(bool(wrong))


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except PipelineError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from None
