"""Build an experiment from cloze items."""

import hashlib
from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError, plural
from ...core.outputs import remove, require_writable, write_bytes
from ...experiment.browser.files import (
    KEY,
    OPTIONS,
    PAGE,
    PSYCHOPY,
    Inputs,
    Setting,
    build_experiment,
    study_archive,
)
from ...experiment.browser.trials import TRIALS
from ..parameters import arg, opt, output
from ..report import Report, Writes

_CONDITIONS = f"{PSYCHOPY}/list-*.csv"
#: The files of an experiment.
PATTERNS = (PAGE, TRIALS, KEY, OPTIONS, "README.md", _CONDITIONS)


def command(
    items: Annotated[Path, arg("CLOZE", "Cloze items with registers (JSON Lines).")],
    fillers: Annotated[Path, opt("Sentences with one antecedent (YAML).")],
    design: Annotated[Path, opt("Length of the lists, practice and attention trials, texts of the page (YAML).")],
    out: Annotated[Path, output("folder of the experiment."), Writes(PATTERNS)],
    seed: Annotated[int, opt("Seed of lists and orders.", min=0)] = 0,
    responsible: Annotated[
        str, opt("Who answers for the experiment; without it, the page is a demonstration.", metavar="NAME")
    ] = "",
    contact: Annotated[str, opt("Whom participants can ask: name and address.", metavar="TEXT")] = "",
    leave: Annotated[str, opt("Address that the last screen links to, as of a platform.", metavar="URL")] = "",
    jatos: Annotated[Path | None, output("the page as a study that JATOS imports (.jzip).")] = None,
    jspsych: Annotated[Path, opt("Folder of the npm package jspsych.")] = Path("tools/jspsych/node_modules/jspsych"),
) -> Report:
    """Build an experiment: lists of items and fillers, a page with jsPsych, conditions for PsychoPy.

    Each item is in one list, and a list has no two members of a pair. The page
    is one file without requests to other hosts.
    """
    if leave and not leave.startswith("https://"):
        raise PipelineError(None, None, f"[leave] not an address; found {leave[:60]}, expected one with https://")
    require_writable(out, folder=True)
    setting = Setting(seed, responsible.strip(), contact.strip(), leave)
    layout, texts = build_experiment(Inputs(items, fillers, design, jspsych), setting)
    for name, data in texts.items():
        write_bytes(out / name, data)
    for path in sorted(out.glob(_CONDITIONS)):
        if str(path.relative_to(out)) not in texts:
            remove(path)
    if jatos is not None:
        digest = hashlib.sha256(texts[TRIALS]).hexdigest()
        write_bytes(jatos, study_archive(layout.design.texts["title"], texts[PAGE], digest))
    counts = layout.counts()
    report = Report(figures=counts)
    report.add(f"{items}: {plural(counts['item'], 'item')} in {plural(counts['lists'], 'list')}")
    report.add(
        f"{out}: {plural(counts['trials'], 'trial')}; {plural(counts['filler'], 'filler')}, {counts.get('attention', 0)} attention "
        f"and {counts['practice']} practice sentences"
    )
    if setting.demonstration:
        report.notes.append(
            "a demonstration: --responsible and --contact make an experiment that people may take part in"
        )
    return report
