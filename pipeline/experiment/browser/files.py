"""The files of an experiment: the page, the trials, conditions for PsychoPy, a key."""

import csv
import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any

from ... import __version__
from ...core.errors import PipelineError, shown
from ...core.files import from_json, read_bytes, read_text, to_json, tsv_text
from ...core.pages import page_environment, render_card
from .build import Layout, Placed
from .materials import Design
from .trials import TRIALS

#: The version of jsPsych that the page is written for; tools/jspsych pins it.
JSPSYCH = "8.3.0"
#: The page of an experiment, its right answers, its options.
PAGE, KEY, OPTIONS = "index.html", "key.tsv", "options.json"
#: Folder of the conditions for PsychoPy.
PSYCHOPY = "psychopy"
KEY_COLUMNS = ("list", "position", "id", "part", "schema", "pronoun", "place", "register")
#: The scripts of the page, in the order in which they need each other.
_SCRIPTS = ("records.js", "screens.js", "experiment.js")
#: Seconds that a trial takes, and what comes before and after: for the duration that the consent gives.
_SECONDS_A_TRIAL, _SECONDS_BESIDES = 13, 150


@dataclass(frozen=True, slots=True)
class Setting:
    """What the person who builds an experiment decides.

    Attributes:
        seed: the seed of lists and orders.
        responsible: who answers for the experiment; empty for a demonstration.
        contact: whom participants can ask.
        leave: address that the last screen links to; may be empty.
    """

    seed: int = 0
    responsible: str = ""
    contact: str = ""
    leave: str = ""

    @property
    def demonstration(self) -> bool:
        """Whether nobody answers for the experiment, so that nobody may take part in earnest."""
        return not (self.responsible and self.contact)


def read_jspsych(folder: Path) -> str:
    """Return the script of jsPsych from the folder of its npm package.

    Raises:
        PipelineError: it is not there, or another version.
    """
    path = folder / "package.json"
    if not path.exists():
        reason = (
            "[jspsych] not installed; expected the npm package jspsych: run npm ci in tools/jspsych, or make experiment"
        )
        raise PipelineError(folder, None, reason)
    try:
        package = from_json(read_text(path))
    except ValueError as error:
        raise PipelineError(path, None, f"[json] not JSON ({error})") from error
    version = package.get("version") if isinstance(package, dict) else None
    if version != JSPSYCH:
        raise PipelineError(path, None, f"[version] another version; found {shown(version)}, expected {JSPSYCH}")
    return read_text(folder / "dist" / "index.browser.min.js")


def experiment_files(layout: Layout, setting: Setting, jspsych: str, inputs: Mapping[str, Path]) -> dict[str, bytes]:
    """Return the files of an experiment, by their names in its folder; the same arguments give the same bytes.

    Args:
        layout: what each list shows.
        setting: what else was decided.
        jspsych: the script of jsPsych.
        inputs: the files that the layout was made from, by the names under which their digests are noted.
    """
    rows = [trial_row(placed, layout.options) for placed in layout.placed]
    trials = "".join(f"{to_json(row)}\n" for row in rows)
    options = {
        "winoforge": __version__,
        "jspsych": JSPSYCH,
        "lang": layout.lang,
        **asdict(setting),
        "counts": layout.counts(),
        "inputs": {name: hashlib.sha256(read_bytes(path)).hexdigest() for name, path in inputs.items()},
        "trials": hashlib.sha256(trials.encode()).hexdigest(),
    }
    page = page_of(layout, setting, jspsych, hashlib.sha256(trials.encode()).hexdigest())
    texts = {
        PAGE: page,
        TRIALS: trials,
        KEY: tsv_text(KEY_COLUMNS, map(_key_row, layout.placed)),
        OPTIONS: f"{json.dumps(options, ensure_ascii=False, indent=2)}\n",
        "README.md": render_card(
            "experiment/browser/page/README.md.j2",
            texts=layout.design.texts,
            counts=layout.counts(),
            options=layout.options,
        ),
    }
    conditions = {f"{PSYCHOPY}/list-{number:02}.csv": conditions_of(layout, number) for number in sorted(layout.lists)}
    return {name: text.encode() for name, text in texts.items()} | conditions


def trial_row(placed: Placed, options: tuple[str, ...]) -> dict[str, Any]:
    """Return the line of trials.jsonl for a sentence: no right answer, except that of an attention trial."""
    sentence = placed.sentence
    row = {
        "list": placed.list,
        "position": placed.position,
        "id": sentence.id,
        "part": placed.part,
        "text": sentence.text,
        "options": list(options),
    }
    return row | ({"expected": sentence.pronoun} if placed.part == "attention" else {})


def _key_row(placed: Placed) -> list[str]:
    """Return the line of key.tsv for a sentence; what it has not is empty."""
    sentence = placed.sentence
    values = {"schema": "", "place": "", "register": "", **asdict(sentence), **asdict(placed)}
    return [str(values[column]) for column in KEY_COLUMNS]


def conditions_of(layout: Layout, number: int) -> bytes:
    """Return the conditions file of a list for PsychoPy: CSV in UTF-8 with a byte order mark.

    PsychoPy reads it as `utf-8-sig`; without the mark, PsychoJS and spreadsheets take it for another encoding. Names of columns are
    variables there, so none is that of a function of Python, such as list.
    """
    options = {f"option_{place}": option for place, option in enumerate(layout.options, 1)}
    columns = ["list_number", "trial_position", "trial_id", "part", "sentence", *options, "expected", "feedback"]
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns, lineterminator="\n")
    writer.writeheader()
    for placed in layout.lists[number]:
        row = trial_row(placed, layout.options)
        writer.writerow(
            {
                "list_number": number,
                "trial_position": placed.position,
                "trial_id": row["id"],
                "part": row["part"],
                "sentence": row["text"],
                **options,
                "expected": row.get("expected", ""),
                "feedback": getattr(placed.sentence, "feedback", ""),
            }
        )
    return stream.getvalue().encode("utf-8-sig")


def page_of(layout: Layout, setting: Setting, jspsych: str, digest: str) -> str:
    """Return the page, one file of HTML with its scripts and styles inside.

    Args:
        layout: what each list shows.
        setting: what else was decided.
        jspsych: the script of jsPsych.
        digest: of the trials; the browser keeps the sessions of an experiment under it.
    """
    from markupsafe import Markup

    design = layout.design
    assets = package_files(__package__) / "page"
    scripts = [jspsych, *((assets / name).read_text(encoding="utf-8") for name in _SCRIPTS)]
    notice = (assets / "NOTICE.txt").read_text(encoding="utf-8").replace("{version}", JSPSYCH).strip()
    return (
        page_environment()
        .get_template("experiment/browser/page/index.html.j2")
        .render(
            lang=layout.lang,
            texts=design.texts,
            demonstration=setting.demonstration,
            study=Markup(_in_script(to_json(_shown(layout, setting, digest)))),  # noqa: S704 - no end of a script in it
            scripts=[Markup(f"\n{_closed(script)}") for script in scripts],  # noqa: S704 - our own and jsPsych's
            style=Markup((assets / "style.css").read_text(encoding="utf-8").strip()),  # noqa: S704 - our own
            notice=Markup(notice),  # noqa: S704 - our own
        )
        + "\n"
    )


def _shown(layout: Layout, setting: Setting, digest: str) -> dict[str, Any]:
    """Return what the scripts of the page show."""
    design = layout.design
    longest = max(map(len, layout.lists.values()))
    known = (
        design.texts["responsible"].replace("{responsible}", setting.responsible).replace("{contact}", setting.contact)
    )
    return {
        "id": digest[:16],
        "minutes": -(-(_SECONDS_BESIDES + _SECONDS_A_TRIAL * longest) // 60),
        "responsible": design.texts["demonstration"] if setting.demonstration else known,
        "leave": setting.leave,
        "background": [_question(design, place) for place in range(len(design.background))],
        "feedback": {practice.id: practice.feedback for practice in design.practice},
        "texts": dict(design.texts),
        "lists": {
            str(number): [trial_row(placed, layout.options) for placed in trials]
            for number, trials in layout.lists.items()
        },
    }


def _question(design: Design, place: int) -> dict[str, Any]:
    question = design.background[place]
    answers = {**question.answers, "not-stated": design.texts["not-stated"]}
    return {"name": question.name, "text": question.text, "answers": answers}


def _in_script(text: str) -> str:
    """Return JSON that cannot end the script in which it stands."""
    return text.replace("<", "\\u003c")


def _closed(script: str) -> str:
    """Return a script without the end of a script inside."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
