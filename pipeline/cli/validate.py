"""Validate artifacts with Great Expectations suites."""

from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import plural
from ..core.files import write_text
from ..core.validation.documents import PATTERNS, documents, outdated
from ..core.validation.engine import validate
from ..core.validation.profiles import profiles
from ..core.validation.suite import Severity, severity_of
from ..release.gate import BUILD, SUITES, plan
from .output import tracked
from .parameters import arg, opt, output
from .report import Quiet, Report, Writes


def _list_suites(wanted: bool) -> None:
    if wanted:
        for suite in SUITES.values():
            typer.echo(f"{suite.name}: {suite.what}")
            for name, what in suite.expectations.items():
                severity = severity_of(name)
                typer.echo(f"  {name:<26} {what}{'' if severity is Severity.CRITICAL else f' ({severity})'}")
        typer.echo("profiles:")
        for profile in profiles().values():
            typer.echo(f"  {profile.name:<26} {profile.what}")
        raise typer.Exit


def command(
    suite: Annotated[
        str,
        arg("SUITE", f"{BUILD} to check build folders, or names of suites separated by commas: {', '.join(SUITES)}."),
    ],
    files: Annotated[list[Path], arg("FILE", "Files to check; folders for build, study and releases.")],
    docs: Annotated[
        Path | None,
        output("folder of HTML pages, failing rows (TSV), and suites and results for Great Expectations (JSON)."),
        Writes(PATTERNS),
    ] = None,
    profile: Annotated[
        str,
        opt(
            "Profile of the collection, as --list shows them. Default: the one that the items or templates tell.",
            metavar="NAME",
        ),
    ] = "",
    timings: Annotated[bool, opt("Print how many seconds each suite took.", "--timings")] = False,
    _: Annotated[
        bool,
        opt(
            "List all suites with their expectations, and all profiles, and exit.",
            "--list",
            callback=_list_suites,
            is_eager=True,
        ),
    ] = False,
    quiet: Quiet = False,
) -> Report:
    """Check data files against suites of expectations; exit 1 if one fails.

    Prints one line per failed expectation, with the ids of the failing rows.
    """
    report = Report()
    steps = list(plan(suite, files, profile))
    validations = [(validate(entry, paths), paths) for entry, paths in tracked(steps, "suites", quiet=quiet)]
    for validation, paths in validations:
        report.findings += validation.lines()
        expectations = len(validation.suite.expectations)
        seconds = f"; {validation.seconds:.2f} s" if timings else ""
        report.add(
            f"{', '.join(map(str, paths))}: {validation.suite.name}: {expectations - len(validation.failed())} of "
            f"{expectations} expectations met by {plural(validation.rows, 'row')}{seconds}"
        )
    if docs is not None:
        texts = documents(SUITES.values(), validations)
        for name, text in texts.items():
            write_text(docs / name, text)
        for path in outdated(docs, texts, SUITES.values()):
            path.unlink()
        report.add(f"{docs / 'index.html'}: {plural(len(validations), 'validation')}")
    report.figures["suites"] = [
        {
            "suite": validation.suite.name,
            "files": [str(path) for path in paths],
            "rows": validation.rows,
            "expectations": len(validation.suite.expectations),
            "failed": {
                check: [failure.row.id for failure in failures] for check, failures in validation.failed().items()
            },
            "severities": {check: severity_of(check).value for check in validation.failed()},
        }
        for validation, paths in validations
    ]
    return report
