"""Say in a few lines what a build made, what it rejected, and where to look; and make its front page.

    python -m tools.summary build/zh build/zh/summary.txt

Exit status 1, and no file, if nothing is left of the collection. Reads what the stages wrote, without their libraries, so that a build ends
at once.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.core.files import write_text
from pipeline.core.pages import FRONT_PAGE
from pipeline.winograd.doubts import doubts
from tools.front_page import classes, rows, tally, write_front_page


def counts(numbers: Mapping[str, int]) -> str:
    """Return names with their numbers, in their order."""
    return ", ".join(f"{name} {number}" for name, number in numbers.items())


def disputed(decisions: list[dict[str, Any]]) -> str:
    """Return how many decisions two parsers disagree about; one parser cannot disagree."""
    if max((len(decision["votes"]) for decision in decisions), default=0) < 2:
        return "disputed: n/a (one parser)"
    return f"{sum(decision['disputed'] for decision in decisions)} disputed"


def summary(build: Path) -> str:
    """Return the summary of a build folder; the releases are those of the default build.

    Raises:
        ValueError: nothing is left of the collection; the message says why.
    """
    made, rejected = rows(build / "adjudicated.jsonl"), rows(build / "adjudicated-rejected.jsonl")
    why = counts(classes(rejected)) or "none"
    page = build / "audit" / "index.html"
    if not made:
        defects = [entry["findings"][0] for entry in rejected if entry["findings"][0]["class"] == "defect"]
        reasons = counts(tally(finding["message"].split(";")[0] for finding in defects))
        raise ValueError(
            f"{build}: [build] nothing is kept; found {len(rejected)} records, all rejected: {why}"
            f"{f'; of the defects: {reasons}' if reasons else ''}; see {page}"
        )
    lines = [
        f"{build}: {len(made)} of {len(made) + len(rejected)} records made into items with a zero, {len(rejected)} rejected",
        f"rejected: {why}; {disputed(rows(build / 'decisions.jsonl'))}",
        f"why, for each record: {page}",
    ]
    if build.name == "zh":
        german = len(rows(build.parent / "de" / "cloze.jsonl"))
        english = sum(len(rows(build.parent / "en" / f"{form}.jsonl")) for form in ("double", "single"))
        lines += [
            f"releases: {build.parent}/release/zh and, with {english} English sentences, {build.parent}/release/en",
            f"German: {german} cloze items in {build.parent}/release/de, a checklist in {build.parent}/de/audit",
            f"zero pronouns in running text: {build.parent}/zp/index.html, released in {build.parent}/release/zp",
            f"checks of the data: {build.parent}/validation/index.html",
        ]
    else:
        lines += [
            *doubts([*made, *rejected]),
            f"the items: {build}/zero.jsonl; derived forms: {build}/variants/",
            f"to check the data: winoforge validate build {build} --docs pages",
        ]
    lines.append(f"all pages: {build.parent / FRONT_PAGE}")
    return "".join(f"{line}\n" for line in lines)


def main() -> int:
    """Write the summary of the folder named on the command line and the front page of the build; return the exit status."""
    build, out = map(Path, sys.argv[1:])
    try:
        lines = summary(build)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    write_front_page(build.parent)
    write_text(out, lines)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
