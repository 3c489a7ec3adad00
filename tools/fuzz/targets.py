"""The targets: commands and suites, each with the files that it reads."""

import contextlib
import io
import shlex
import shutil
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn

import typer

from pipeline.cli import application
from pipeline.core.errors import PipelineError
from pipeline.release.gate import SUITES, plan

#: Maximum number of seconds of one run; a longer one counts as a crash.
LIMIT = 20
#: The folder of what a target writes.
OUT = "out"
_STUDY = "study --judgements judgements.jsonl"
_LOCKS = "--parses parses/udpipe.conllu --parses parses/stanza.conllu"
_LEDGERS = "--modifications zh/modifications.jsonl --adjudications zh/adjudications.jsonl"
_INGEST = f"--out {OUT}/items.jsonl --skipped {OUT}/skipped.jsonl"
_COLLECTION = f"--rejected-out {OUT}/rejected.jsonl --ledger {OUT}/ledger.jsonl"
_COUNT = f"--terms words.txt --window 10 --workers 1 --out {OUT}/counts.jsonl"


class TooSlowError(Exception):
    """A run took more than `LIMIT` seconds."""


@dataclass(frozen=True)
class Target:
    """A command whose files are changed.

    Attributes:
        name: its name.
        command: the words of the command; files and folders of `seeds` among them are its inputs.
        also: more inputs, which the command finds by itself.
    """

    name: str
    command: str
    also: tuple[str, ...] = ()

    def inputs(self, folder: Path) -> list[str]:
        """Return the names of the files in a folder that the command reads."""
        paths = [folder / word for word in (*shlex.split(self.command), *self.also) if word != OUT]
        files = {file for path in paths for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file()}
        return sorted(file.relative_to(folder).as_posix() for file in files)


#: The targets: each reader, each stage that reads a file, each suite.
TARGETS = {
    target.name: target
    for target in (
        Target("schema-yaml", f"ingest schemas.yaml --format schema-yaml {_INGEST} --analysis {OUT}/analysis.jsonl"),
        Target("targets", f"ingest schemas.yaml --format schema-yaml {_INGEST} --targets targets.tsv"),
        Target("pws", f"ingest pws.tsv --format pws-tsv --tokens {OUT}/words.tsv {_INGEST}"),
        Target("wsc", f"ingest wsc.xml --format wsc-xml {_INGEST}"),
        Target("xwinograd", f"ingest xwinograd.tsv --format xwinograd-tsv --lang en {_INGEST}"),
        Target("cluewsc", f"ingest cluewsc.jsonl --format cluewsc-jsonl {_INGEST}"),
        Target(
            "exclude",
            f"exclude zh/items.jsonl --skipped zh/skipped.jsonl {_LOCKS} --kept {OUT}/kept.jsonl --rejected {OUT}/r.jsonl "
            f"--decisions {OUT}/decisions.jsonl",
        ),
        Target(
            "modify",
            f"modify zh/kept.jsonl --rejected zh/rejected.jsonl --modifications modifications.yaml {_LOCKS} --out {OUT}/k.jsonl "
            f"{_COLLECTION}",
        ),
        Target(
            "apply",
            f"annotate apply zh/modified.jsonl --rejected zh/modified-rejected.jsonl --decisions decisions.tsv --out {OUT}/k.jsonl "
            f"{_COLLECTION}",
        ),
        Target("zero", f"zero zh/adjudicated.jsonl --out {OUT}/zero.jsonl"),
        Target(
            "variants",
            f"variants zh/adjudicated.jsonl --out {OUT} --tokens tokens.tsv --collection zh/items.jsonl "
            "--analysis zh/analysis.jsonl",
        ),
        Target(
            "audit",
            f"audit --items zh/items.jsonl --skipped zh/skipped.jsonl --rejected zh/rejected.jsonl --decisions zh/decisions.jsonl "
            f"{_LOCKS} --analysis zh/analysis.jsonl {_LEDGERS} --out {OUT}",
        ),
        Target("gold", f"audit --items zh/items.jsonl --skipped zh/skipped.jsonl --rejected zh/rejected.jsonl "
            f"--decisions zh/decisions.jsonl {_LOCKS} --gold gold.tsv --out {OUT}"),
        Target(
            "release",
            f"release zh en --out {OUT} --sources SOURCES.toml --licences licences",
            ("schemas.yaml", "templates.yaml"),
        ),
        Target("verify", "verify release/zh", ("release/zh",)),
        Target("archive", "verify release.zip"),
        Target("manifest", f"manifest release {_LOCKS} --out {OUT}/MANIFEST.json"),
        Target("counts", f"corpus count prose.txt --format text {_COUNT}"),
        Target("corpus-jsonl", f"corpus count prose.jsonl --format jsonl {_COUNT}"),
        Target("corpus-parquet", f"corpus count prose.parquet --format parquet {_COUNT}"),
        Target("corpus-dump", f"corpus count dump.xml --format wikimedia-xml {_COUNT}"),
        Target("corpus-packed", f"corpus count dump.xml.bz2 --format wikimedia-xml --skip-damaged {_COUNT}"),
        Target(
            "pmi",
            f"pmi zh/items.jsonl --terms zh/analysis.jsonl --counts zh/association/counts.jsonl --out {OUT}/pmi.jsonl "
            f"--report {OUT}/index.html",
        ),
        Target("instantiate", f"instantiate templates.yaml --out {OUT}"),
        Target("instantiate-tsv", f"instantiate templates.tsv --out {OUT}"),
        Target("instantiate-zip", f"instantiate templates.zip --out {OUT}"),
        Target("check", "winopron check templates.yaml"),
        Target("score", "winopron score answers.jsonl --items en/double.jsonl"),
        Target("score-tsv", "winopron score predictions.tsv"),
        *(
            Target(f"import-{system}", f"winopron import {system}.jsonl --format {system} --items en/single.jsonl --out {OUT}/a.jsonl")
            for system in ("caw-coref", "lingmess")
        ),
        Target("export", f"winopron export en/double.jsonl --format caw-coref --out {OUT}/in.jsonl"),
        Target("compare", "winopron compare answers.jsonl answers2.tsv --items en/double.jsonl"),
        Target(
            "design",
            f"annotate design annotation/designs/kites.yaml --out {OUT}",
            ("annotation", "zh/zero.jsonl"),
        ),
        Target("agree", f"annotate agree {_STUDY} --resamples 5 --out {OUT}"),
        Target("adjudicate", f"annotate adjudicate {_STUDY} --records zh/modified.jsonl --decisions decisions.tsv"),
        *(
            Target(f"validate-{suite}", f"validate {suite} {file}")
            for suite, file in {
                **dict.fromkeys(("items", "pairs"), "zh/items.jsonl"),
                "labels": "zh/zero.jsonl",
                "skipped": "zh/rejected.jsonl",
                "zero": "zh/zero.jsonl",
                **{form: f"zh/variants/{form}.jsonl" for form in (
                    "nli", "disambiguated", "scoring", "winogrande", "names", "tokens", "traditional")},
                "counts": "zh/association/counts.jsonl",
                "pmi": "zh/association/pmi.jsonl",
                "instantiations": "en/double.tsv",
                "templates": "templates.yaml",
                "study": "study",
                "releases": "release/zh",
                "analyses": "zh/analysis.jsonl",
                "build": "zh",
            }.items()
            if suite in SUITES or suite == "build"
        ),
    )
}  # fmt: skip


def run(target: Target, folder: Path) -> str:
    """Run a target on the files of a folder.

    Returns:
        what it refuses, or else what it finds; empty if it is content.

    Raises:
        Exception: it ends neither in success nor in findings nor in a refusal of one line.
    """
    words = shlex.split(target.command)
    with contextlib.chdir(folder), captured(), _limit():
        shutil.rmtree(OUT, ignore_errors=True)
        Path(OUT).mkdir()
        try:
            if words[0] == "validate":  # without Great Expectations, which takes longer than all checks
                validations = [suite.check(paths) for suite, paths in plan(words[1], [Path(words[2])])]
                return "".join(line for validation in validations for line in validation.lines())
            status = application(words)(words, prog_name="winoforge", standalone_mode=False)
            return f"exit status {status}" if status else ""
        except (OSError, MemoryError, typer.TyperException) as error:  # `main` makes a line of them
            return repr(error)
        except PipelineError as error:
            _require_printable(error)
            return str(error)


def _require_printable(error: PipelineError) -> None:
    line = str(error)
    if len(line.splitlines()) != 1 or "Traceback" in line or "Error(" in line:
        raise ValueError(f"not one plain line: {line[:200]!r}")
    line.encode()


@contextlib.contextmanager
def captured() -> Iterator[None]:
    """Keep what is printed from the terminal."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")  # strict, as a terminal is
    with stream, contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        yield
        stream.flush()


@contextlib.contextmanager
def _limit() -> Iterator[None]:
    def stop(_: int, __: FrameType | None) -> NoReturn:
        raise TooSlowError(f"more than {LIMIT} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(LIMIT)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
