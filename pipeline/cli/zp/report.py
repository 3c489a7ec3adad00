"""Write the report on a sample of labelled texts."""

from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError, plural
from ...core.files import write_text
from ...zero_pronouns.report.files import FIGURES, FOLDERS, OPTIONS, PAGE, options_text, report_files
from ...zero_pronouns.sample import SYSTEMS
from ..parameters import arg, opt, output
from ..report import Report, Writes


def command(
    sample: Annotated[
        Path, arg("SAMPLE", "Folder of labelled texts: GENRE.zh and GENRE.en, labels, systems, alignment.")
    ],
    out: Annotated[
        Path,
        output("folder of the page, figures, texts and verdicts."),
        Writes((PAGE, FIGURES, OPTIONS, *(f"{folder}/**/*.*" for folder in FOLDERS))),
    ],
    baseline: Annotated[str, opt("System that the others are tested against.")] = "literal",
) -> Report:
    """Write a page on labelled texts, and the texts as systems read them; exit 1 if a label is malformed.

    The page has counts, the agreement of readers, AZPT and other metrics of the systems.
    """
    systems = sorted(path.name for path in (sample / SYSTEMS).glob("*") if any(path.glob("*.en")))
    if systems and baseline not in systems:
        raise PipelineError(
            None, None, f"[--baseline] no such system; found {baseline!r}, expected one of {', '.join(systems)}"
        )
    files, findings = report_files(sample, baseline)
    files[OPTIONS] = options_text(sample, out, baseline)
    for name, text in files.items():
        write_text(out / name, text)
    report = Report(findings=findings)
    report.add(f"{out / PAGE}: {plural(len(files), 'file')}, figures in {FIGURES}", files=len(files), systems=systems)
    return report
