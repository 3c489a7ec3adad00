"""The files of an experiment: the page, the trials, conditions for PsychoPy, a study for JATOS, a key."""

import csv
import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from importlib.resources import files as package_files
from pathlib import Path
from typing import Annotated, Any
from uuid import NAMESPACE_OID, uuid5
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from msgspec import Meta

from ... import __version__
from ...core.convert import convert, to_object
from ...core.errors import PipelineError, errors_at, shown
from ...core.files import from_json, read_bytes, read_text, to_json
from ...core.pages import page_environment, render_card
from ...core.tables import tsv_text
from ...language.pronoun_classes import pronoun_classes
from .lists import Layout, Placed, lay_out
from .materials import read_design, read_fillers, read_items
from .records import ATTENTION, TRIALS, Trial

#: The version of jsPsych that the page is written for; tools/jspsych pins it.
JSPSYCH = "8.3.0"
#: The page of an experiment, its right answers, its options.
PAGE, KEY, OPTIONS = "index.html", "key.tsv", "options.json"
#: The script in the npm package jspsych.
_JSPSYCH_SCRIPT = Path("dist", "index.browser.min.js")
#: Folder of the conditions for PsychoPy.
PSYCHOPY = "psychopy"
KEY_COLUMNS = ("list", "position", "id", "part", "schema", "pronoun", "place", "register")
#: Scripts, style and notice of the page, and a study of JATOS without its titles and ids.
_ASSETS = package_files(__package__) / "page"
#: The scripts of the page, in the order in which they need each other.
_SCRIPTS = ("records.js", "screens.js", "experiment.js")
#: Seconds that a trial takes, and what comes before and after: for the duration that the consent gives.
_SECONDS_A_TRIAL, _SECONDS_BESIDES = 13, 150
#: The earliest time that a zip archive can hold; the same for all entries, so that none has a time of its own.
_NO_TIME = (1980, 1, 1, 0, 0, 0)


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


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files that an experiment is built from, and the folder of the npm package jspsych."""

    items: Path
    fillers: Path
    design: Path
    jspsych: Path

    def noted(self) -> "InputFiles":
        """Return the path and the SHA-256 of each file; of jspsych, the digest is that of its script."""
        return InputFiles(
            _noted(self.items, self.items),
            _noted(self.fillers, self.fillers),
            _noted(self.design, self.design),
            _noted(self.jspsych, self.jspsych / _JSPSYCH_SCRIPT),
        )


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that an experiment was built from: its path as it was given, and its SHA-256."""

    file: Annotated[str, Meta(pattern=r"\A(?!-\Z)[^\x00]+\Z", description="the path of a file")]
    sha256: str


@dataclass(frozen=True, slots=True)
class InputFiles:
    """The files that an experiment was built from, by their names in `Inputs`."""

    items: InputFile
    fillers: InputFile
    design: InputFile
    jspsych: InputFile


@dataclass(frozen=True, slots=True)
class Options:
    """The options.json of an experiment: versions, the fields of `Setting`, what there is, what it was built from."""

    winoforge: str
    jspsych: str
    lang: str
    seed: int
    responsible: str
    contact: str
    leave: str
    counts: Mapping[str, int]
    inputs: InputFiles
    trials: str


def _noted(path: Path, content: Path) -> InputFile:
    return InputFile(str(path), hashlib.sha256(read_bytes(content)).hexdigest())


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
    return read_text(folder / _JSPSYCH_SCRIPT)


def build_experiment(inputs: Inputs, setting: Setting) -> tuple[Layout, dict[str, bytes]]:
    """Return the layout of an experiment, and its files by their names in its folder; the same inputs give the same bytes."""
    lang, items = read_items(inputs.items)
    jspsych = read_jspsych(inputs.jspsych)
    options = tuple(pronoun_classes(lang).pronouns.values())
    fillers, design = read_fillers(inputs.fillers, lang), read_design(inputs.design, lang)
    with errors_at(inputs.items):
        layout = lay_out(lang, options, items, fillers, design, setting.seed)
    trials = "".join(f"{to_json(to_object(trial_of(placed, options)))}\n" for placed in layout.placed)
    digest = hashlib.sha256(trials.encode()).hexdigest()
    noted = Options(
        winoforge=__version__,
        jspsych=JSPSYCH,
        lang=lang,
        **asdict(setting),
        counts=layout.counts(),
        inputs=inputs.noted(),
        trials=digest,
    )
    texts = {
        PAGE: page_of(layout, setting, jspsych, digest),
        TRIALS: trials,
        KEY: tsv_text(KEY_COLUMNS, map(key_row, layout.placed)),
        OPTIONS: f"{json.dumps(asdict(noted), ensure_ascii=False, indent=2)}\n",
        "README.md": render_card(
            "experiment/browser/page/README.md.j2", texts=design.texts, counts=layout.counts(), options=options
        ),
    }
    conditions = {f"{PSYCHOPY}/list-{number:02}.csv": conditions_of(layout, number) for number in sorted(layout.lists)}
    return layout, {name: text.encode() for name, text in texts.items()} | conditions


def build_again(folder: Path) -> tuple[Layout, dict[str, bytes]]:
    """Return what `build_experiment` makes of the inputs and the setting in the options.json of a folder.

    Raises:
        PipelineError: options.json or an input is missing or malformed, or an input is another file than it was.
    """
    path = folder / OPTIONS
    try:
        noted = convert(from_json(read_text(path)), Options)
    except ValueError as error:
        raise PipelineError(path, None, str(error) if str(error).startswith("[") else f"[json] {error}") from error
    files = noted.inputs
    inputs = Inputs(*(Path(entry.file) for entry in (files.items, files.fillers, files.design, files.jspsych)))
    found = inputs.noted()
    for field in fields(files):
        actual, expected = getattr(found, field.name), getattr(files, field.name)
        if actual.sha256 != expected.sha256:
            reason = (
                f"another file than the experiment was built from; found {actual.sha256}, expected {expected.sha256}"
            )
            raise PipelineError(Path(expected.file), None, f"[{field.name}] {reason}")
    return build_experiment(inputs, Setting(noted.seed, noted.responsible, noted.contact, noted.leave))


def trial_of(placed: Placed, options: tuple[str, ...]) -> Trial:
    """Return the trial of a sentence; it has no right answer, unless it is an attention trial."""
    sentence = placed.sentence
    expected = sentence.pronoun if placed.part == ATTENTION else ""
    return Trial(placed.list, placed.position, sentence.id, placed.part, sentence.text, options, expected)


def key_row(placed: Placed) -> list[str]:
    """Return the line of key.tsv for a sentence; a field that it lacks is empty."""
    sentence = placed.sentence
    values = {"schema": "", "place": "", "register": "", **asdict(sentence), **asdict(placed)}
    return [str(values[column]) for column in KEY_COLUMNS]


def conditions_of(layout: Layout, number: int) -> bytes:
    """Return the conditions file of a list for PsychoPy: CSV in UTF-8 with a byte order mark.

    PsychoPy reads it as `utf-8-sig`; without the mark, PsychoJS and spreadsheets take it for another encoding. Names of columns are
    variables there, so none is that of a function of Python, such as list.
    """
    rows = []
    for placed in layout.lists[number]:
        trial = trial_of(placed, layout.options)
        rows.append(
            {
                "list_number": number,
                "trial_position": trial.position,
                "trial_id": trial.id,
                "part": trial.part,
                "sentence": trial.text,
                **{f"option_{place}": option for place, option in enumerate(trial.options, 1)},
                "expected": trial.expected,
                "feedback": getattr(placed.sentence, "feedback", ""),
            }
        )
    stream = io.StringIO()
    writer = csv.DictWriter(stream, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue().encode("utf-8-sig")


def page_of(layout: Layout, setting: Setting, jspsych: str, digest: str) -> str:
    """Return the page, one file of HTML with its scripts and styles inside."""
    from markupsafe import Markup

    design = layout.design
    # Neither the JSON nor a script may hold the end of the script in which it stands.
    study = to_json(_shown(layout, setting, digest)).replace("<", "\\u003c")
    scripts = [
        script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
        for script in (jspsych, *((_ASSETS / name).read_text(encoding="utf-8") for name in _SCRIPTS))
    ]
    notice = (_ASSETS / "NOTICE.txt").read_text(encoding="utf-8").replace("{version}", JSPSYCH).strip()
    return (
        page_environment()
        .get_template("experiment/browser/page/index.html.j2")
        .render(
            lang=layout.lang,
            texts=design.texts,
            demonstration=setting.demonstration,
            study=Markup(study),  # noqa: S704 - no end of a script in it
            scripts=[Markup(f"\n{script}") for script in scripts],  # noqa: S704 - our own and jsPsych's
            style=Markup((_ASSETS / "style.css").read_text(encoding="utf-8").strip()),  # noqa: S704 - our own
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
        "background": [
            {
                "name": name,
                "text": question.question,
                "answers": {**question.answers, "not-stated": design.texts["not-stated"]},
            }
            for name, question in design.background.items()
        ],
        "feedback": {practice.id: practice.feedback for practice in design.practice},
        "texts": dict(design.texts),
        "lists": {
            str(number): [to_object(trial_of(placed, layout.options)) for placed in trials]
            for number, trials in layout.lists.items()
        },
    }


def study_archive(title: str, page: bytes, digest: str) -> bytes:
    """Return a study with one component, the page, as JATOS imports it (jatos.org, "JATOS Study Archive (JZIP)").

    The page alone is in it: trials and key stay with the experimenter. The same arguments give the same bytes; nothing is compressed,
    for the bytes would depend on the version of zlib.

    JATOS knows a study by an id that is made from `digest`, that of the trials: another experiment is another study. Who may take part
    are the experimenter, to try it out, and people with a link that works once, their own or everybody's.
    """
    folder = f"winoforge-{digest[:16]}"
    study = json.loads((_ASSETS / "jatos.json").read_text(encoding="utf-8"))
    data = study["data"]
    (component,), (batch,) = data["componentList"], data["batchList"]
    data |= {"title": title, "dirName": folder}
    component["title"] = title
    for name, part in (("study", data), ("component", component), ("batch", batch)):
        part["uuid"] = str(uuid5(NAMESPACE_OID, f"winoforge {digest} {name}"))
    files = {f"{folder}/{PAGE}": page, f"{folder}.jas": json.dumps(study, ensure_ascii=False, indent=1).encode()}
    sink = io.BytesIO()
    with ZipFile(sink, "w", ZIP_STORED) as archive:
        for name, data in files.items():
            archive.writestr(ZipInfo(name, _NO_TIME), data)
    return sink.getvalue()
