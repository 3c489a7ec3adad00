"""The targets: commands and suites, each with the files that it reads.

No reader is forgotten: every file that winoforge reads is named by an argument or an option of a command, lies in a folder that
one names, comes from a server, or lies in rules/. A test (tests/test_fuzz.py) fails if a command, an input of a command, a format, a
suite or a table of rules/ is in no target and is not in `NOT_FUZZED`.
"""

import contextlib
import io
import json
import shlex
import shutil
import signal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn

import typer

from pipeline.cli import application
from pipeline.core.errors import PipelineError
from pipeline.core.outputs import is_temporary
from pipeline.release.gate import ARTIFACTS, plan
from pipeline.winopron.systems import SYSTEMS

from .readers import READERS
from .servers import serving

#: Maximum number of seconds of computing time of one run; a longer one counts as a crash.
LIMIT = 20
#: Maximum number of seconds on the clock, for a run that waits; a machine may have much else to do.
_WAITING = 20 * LIMIT
#: The folder of what a target writes.
OUT = "out"
#: Stands for the address of a server.
SERVER = "{server}"
#: What is in no target, with the reason.
NOT_FUZZED: Mapping[str, str] = {
    "parse --model": "a model is a program of another package, which crashes in C++ if its bytes are changed",
    "stanza": "loads for half a minute and reads the same files as udpipe",
}
#: The first word of the command of a target that is a reader.
_READ = "read"
_DUMP = "dumps/zhwiki-20261101-pages-articles-multistream"
_GERMAN = "german/cloze.jsonl --experiment german/experiment"
_STUDY = "study --judgements judgements.jsonl"
_LOCKS = "--parses parses/udpipe.conllu --parses parses/stanza.conllu"
_LEDGERS = "--modifications zh/modifications.jsonl --adjudications zh/adjudications.jsonl"
_INGEST = f"--out {OUT}/items.jsonl --skipped {OUT}/skipped.jsonl"
_COLLECTION = f"--rejected-out {OUT}/rejected.jsonl --ledger {OUT}/ledger.jsonl"
_COUNT = f"--terms words.txt --window 10 --workers 1 --out {OUT}/counts.jsonl"


class TooSlowError(Exception):
    """A run took more than its seconds."""


@dataclass(frozen=True)
class Target:
    """A command whose files are changed.

    Attributes:
        name: its name.
        command: the words of the command; files and folders of `seeds` among them are its inputs.
        also: more inputs, which the command finds by itself.
        server: the folder with the answers of the server that the command talks to; none if it talks to no server.
    """

    name: str
    command: str
    also: tuple[str, ...] = ()
    server: str = ""

    def inputs(self, folder: Path) -> list[str]:
        """Return the names of the files in a folder that the command reads."""
        paths = [folder / word for word in (*shlex.split(self.command), *self.also) if word != OUT]
        files = {file for path in paths for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file()}
        return sorted(file.relative_to(folder).as_posix() for file in files)


#: The targets: each reader, each stage that reads a file, each suite.
TARGETS = {
    target.name: target
    for target in (
        Target(
            "schema-yaml",
            f"ingest schemas.yaml --format schema-yaml {_INGEST} --analysis {OUT}/analysis.jsonl --terms {OUT}/terms.txt",
        ),
        Target(
            "schema-yaml-german",
            f"ingest german.yaml --format schema-yaml --lang=de {_INGEST} --analysis {OUT}/analysis.jsonl --cloze {OUT}/cloze.jsonl",
        ),
        Target("targets", f"ingest schemas.yaml --format schema-yaml {_INGEST} --targets targets.tsv"),
        Target("pws", f"ingest pws.tsv --format pws-tsv --tokens {OUT}/words.tsv {_INGEST}"),
        Target("pws-patches", f"ingest pws.tsv --format pws-tsv --patches patches.tsv {_INGEST}"),
        Target("wsc", f"ingest wsc.xml --format wsc-xml {_INGEST}"),
        Target("xwinograd", f"ingest xwinograd.tsv --format xwinograd-tsv --lang=en {_INGEST}"),
        Target("cluewsc", f"ingest cluewsc.jsonl --format cluewsc-jsonl {_INGEST}"),
        Target("translation", f"ingest reviewed.tsv --format translation-tsv {_INGEST} --cloze {OUT}/cloze.jsonl"),
        Target("translate", f"translate english.jsonl --out {OUT} --cache translated --glossary terms.tsv"),
        Target("translate-reviews", f"translate english.jsonl --out {OUT} --cache translated --glossary terms.tsv --reviews reviews.jsonl"),
        Target("design-drafts", f"annotate design annotation/designs/drafts.yaml --out {OUT}", ("annotation", "reviewed.tsv")),
        Target(
            "translate-again",
            f"translate english.jsonl --out draft --glossary terms.tsv --server {SERVER} --cache {OUT}",
            ("deepl",),
            "deepl",
        ),
        Target(
            "parse",
            "parse zh/items.jsonl --backend udpipe --lock parses/udpipe.conllu --modifications modifications.yaml",
        ),
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
        Target("variants-german", f"variants de/items.jsonl --out {OUT}"),
        Target(
            "variants",
            f"variants zh/adjudicated.jsonl --out {OUT} --tokens tokens.tsv --collection zh/items.jsonl "
            f"--analysis zh/analysis.jsonl {_LEDGERS}",
        ),
        Target(
            "audit",
            f"audit --items zh/items.jsonl --skipped zh/skipped.jsonl --rejected zh/rejected.jsonl --decisions zh/decisions.jsonl "
            f"{_LOCKS} --analysis zh/analysis.jsonl {_LEDGERS} --people judged/items.tsv --out {OUT}",
        ),
        Target(
            "gold",
            f"audit --items zh/items.jsonl --skipped zh/skipped.jsonl --rejected zh/rejected.jsonl "
            f"--decisions zh/decisions.jsonl {_LOCKS} --gold gold.tsv --gold gold-patched.tsv --out {OUT}",
        ),
        Target(
            "release",
            f"release zh en --out {OUT} --sources SOURCES.toml --licences licences --exports exports",
            ("schemas.yaml", "templates.yaml", "reading.tsv"),
        ),
        Target(
            "release-german",
            f"release de --out {OUT} --sources SOURCES.toml --licences licences",
            ("german.yaml", "german.tsv", "fillers.yaml"),
        ),
        Target("validate-german", "validate releases german/de"),
        Target("verify", "verify release/zh", ("release/zh", "MANIFEST.json")),
        Target("archive", "verify release.zip"),
        Target("manifest", f"manifest release {_LOCKS} --out {OUT}/MANIFEST.json"),
        Target("counts", f"corpus count prose.txt --format text {_COUNT} --resume {OUT}/state"),
        Target("counts-characters", f"corpus count prose.txt --format text {_COUNT} --characters"),
        Target("counts-passages", f"corpus count prose.txt --format text {_COUNT} --passages"),
        Target("corpus-jsonl", f"corpus count prose.jsonl --format jsonl {_COUNT}"),
        Target("corpus-parquet", f"corpus count prose.parquet --format parquet {_COUNT}"),
        Target("corpus-dump", f"corpus count dump.xml --format wikimedia-xml {_COUNT}"),
        Target("corpus-packed", f"corpus count dump.xml.bz2 --format wikimedia-xml --skip-damaged {_COUNT}"),
        Target(
            "corpus-multistream",
            f"corpus count {_DUMP}.xml.bz2 --format wikimedia-xml --index {_DUMP}-index.txt.bz2 {_COUNT}",
        ),
        Target("fetch", f"corpus fetch zhwiki 20261101 --mirror {SERVER} --sums {SERVER} --out {OUT}", ("dumps",), "dumps"),
        Target("fetched", f"corpus fetch zhwiki 20261101 --mirror {SERVER} --sums {SERVER} --out fetched", ("dumps",), "dumps"),
        Target(
            "pmi",
            f"pmi zh/items.jsonl --terms zh/analysis.jsonl --counts zh/association/counts.jsonl --out {OUT}/pmi.jsonl "
            f"--report {OUT}/index.html --options {OUT}/options.json --released zh/zero.jsonl",
        ),
        Target("instantiate", f"instantiate templates.yaml --out {OUT}"),
        Target("instantiate-tsv", f"instantiate templates.tsv --out {OUT}"),
        Target("instantiate-zip", f"instantiate templates.zip --out {OUT}"),
        Target("check", "winopron check templates.yaml"),
        Target("score", "winopron score answers.jsonl --items en/double.jsonl"),
        Target("score-tsv", "winopron score predictions.tsv"),
        Target(
            "ask",
            f"winopron ask en/few.jsonl --model openai-api/a/b --base-url {SERVER}/v1 --sample 0 --prompts 0 --cache {OUT} "
            f"--out {OUT}/answers.tsv",
            ("chat",),
            "chat",
        ),
        Target("figures", f"winopron figures answers.jsonl answers2.tsv --items en/double.jsonl --out {OUT}"),
        Target("tables", f"winopron tables asked.tsv --single single/asked.tsv --winogender winogender/asked.tsv --out {OUT}"),
        Target("compare", "winopron compare answers.jsonl answers2.tsv --items en/double.jsonl"),
        *(
            Target(f"import-{system}", f"winopron import {system}.jsonl --format {system} --items en/single.jsonl --out {OUT}/a.jsonl")
            for system in SYSTEMS
        ),
        *(
            Target(f"export-{system}", f"winopron export en/few.jsonl --format {system} {vocabulary} --out {OUT}/in.jsonl")
            for system in SYSTEMS
            for vocabulary in ["--vocabulary vocabulary.txt" if system == "spanbert" else ""]
        ),
        Target(
            "evaluate",
            "evaluate report release/zh --predictions systems.jsonl --people people.tsv --pmi zh/association/pmi.jsonl "
            f"--codes table8/figures.json --permutations 9 --out {OUT}",
        ),
        Target(
            "evaluate-run",
            f"evaluate run release/zh --model openai-api/a/b --base-url {SERVER}/v1 --mode zero-shot --items 2 --out {OUT}",
            ("chat",),
            "chat",
        ),
        Target(
            "evaluate-score",
            f"evaluate score release/zh --model a --base-url {SERVER}/v1 --mode full-score --items 2 --out {OUT}",
            ("completions",),
            "completions",
        ),
        Target(
            "evaluate-contamination",
            f"evaluate contamination release/zh --corpus prose.txt --outputs systems.jsonl --out {OUT}",
        ),
        Target("evaluate-lm-eval", f"evaluate import samples.jsonl --format lm-eval --model a --mode b --out {OUT}/p.jsonl"),
        Target("evaluate-inspect", f"evaluate import inspect.json --format inspect --out {OUT}/p.jsonl"),
        Target(
            "evaluate-errors", f"evaluate errors release/zh --predictions systems.jsonl --rule any --out {OUT}/errors.jsonl"
        ),
        Target(
            "evaluate-diagnose",
            f"evaluate diagnose release/zh --errors errors.jsonl --system a --model openai-api/a/b --base-url {SERVER}/v1 --limit 2 "
            f"--cache {OUT} --out {OUT}/traces.jsonl",
            ("chat",),
            "chat",
        ),
        Target(
            "evaluate-diagnosed",
            f"evaluate diagnose release/zh --errors errors.jsonl --system a --replies diagnoses.jsonl --limit 2 --out {OUT}/traces.jsonl",
        ),
        Target(
            "evaluate-codes",
            "evaluate codes traces.jsonl --study coding --judgements coding.jsonl --take reconciled --reconciled reconcile.tsv "
            f"--resamples 5 --out {OUT}",
        ),
        Target(
            "evaluate-select",
            "evaluate select release/zh --predictions systems.jsonl --people people.tsv --pmi zh/association/pmi.jsonl "
            f"--out {OUT}/worklist.tsv",
        ),
        Target("evaluate-cloze", f"evaluate cloze cloze.jsonl --results cloze-results.jsonl --out {OUT}/r.jsonl --figures {OUT}/f.json"),
        Target(
            "experiment-analyse",
            f"experiment analyse answers --items cloze.jsonl --models cloze-results.jsonl --criteria criteria.yaml "
            f"--experiment german/experiment --out {OUT}/analysis",
        ),
        Target("evaluate-en", f"evaluate report release/en --predictions pronouns.jsonl --permutations 9 --out {OUT}"),
        Target("zp-genres", "zp stats texts"),
        Target("zp-stats", "zp stats labelled.zh labelled.en"),
        Target(
            "zp-anonymise",
            f"zp anonymise profile.zh profile.en --names names.tsv --seed 1 --out {OUT} --report {OUT}/replaced.tsv",
        ),
        Target("zp-agree", "zp agree texts/talk.zh texts/labels/a/talk.zh --resamples 5"),
        Target("zp-export", f"zp export labelled.zh labelled.en --as labelled --words --context --out {OUT}/a.zh --dictionary {OUT}/d.txt"),
        Target("zp-metrics", "zp metrics labelled.zh labelled.en labelled.en mt.en --baseline mt.en --samples 3"),
        Target("zp-parse", "zp parse texts/talk.zh --antecedents texts/antecedents --items zh/zero.jsonl --lock zp.conllu"),
        Target(
            "zp-conllu",
            "zp conllu texts/talk.zh texts/talk.en --antecedents texts/antecedents/talk.tsv --parses zp.conllu "
            f"--out {OUT}/a.conllu",
        ),
        Target("zp-coref", f"zp coref zh/zero.jsonl --parses zp.conllu --out {OUT}/a.conllu"),
        Target("zp-items", f"zp items texts/talk.zh --antecedents texts/antecedents/talk.tsv --out {OUT}/items.jsonl"),
        Target("zp-report", f"zp report texts --baseline old --out {OUT}"),
        Target("zp-azpt", f"zp azpt --from-details system.details --mode corrected --out {OUT}/system.score"),
        Target("zp-align", f"zp align tokens.zh tokens.en --out {OUT}/system.align"),
        Target("zp-aer", "zp aer gold.align tokens.align"),
        Target("zp-recover", "zp recover labelled.zh recovered.zh"),
        Target(
            "zp-azpt-aligned",
            f"zp azpt tokens.zh tokens.en --alignment tokens.align --mode corrected --out {OUT}/system.score "
            f"--details {OUT}/system.details --tagged {OUT}/system.tagged",
        ),
        Target("experiment-serve", "experiment serve experiment --data laboratory --check"),
        Target(
            "experiment-import",
            f"experiment import laboratory sessions.jsonl sessions.zip --experiment experiment --out {OUT}",
        ),
        Target("experiment-psychopy", f"experiment import psychopy --format psychopy --experiment experiment --out {OUT}"),
        Target("design", f"annotate design annotation/designs/kites.yaml --out {OUT}", ("annotation", "zh/zero.jsonl")),
        Target("design-hypotheses", f"annotate design annotation/designs/follows.yaml --out {OUT}", ("annotation", "zh/zero.jsonl")),
        Target(
            "design-again",
            f"annotate design annotation/designs/again.yaml --judgements judgements.jsonl --out {OUT}",
            ("annotation", "zh/zero.jsonl"),
        ),
        Target(
            "design-explained",
            f"annotate design annotation/designs/explained.yaml --judgements verified/judgements.jsonl --out {OUT}",
            ("annotation", "zh/zero.jsonl", "verified"),
        ),
        *(
            Target(f"design-{name}", f"annotate design passages/annotation/designs/{name}.yaml --out {OUT}", ("passages",))
            for name in ("labelling", "rating")
        ),
        Target(
            "design-coding",
            f"annotate design coders/annotation/designs/coding.yaml --out {OUT}",
            ("coders/annotation", "traces.jsonl"),
        ),
        Target(
            "experiment-build",
            "experiment build german/cloze.jsonl --fillers german/fillers.yaml --design german/design.yaml "
            f"--jspsych german/jspsych --out {OUT}",
        ),
        Target("design-cloze", f"annotate design gaps/annotation/designs/cloze.yaml --out {OUT}", ("gaps",)),
        Target(
            "plan",
            "annotate plan annotation/designs/kites.yaml --raters 3 --items 8 --runs 2",
            ("annotation", "zh/zero.jsonl"),
        ),
        Target("checklist", f"annotate checklist de/cloze.jsonl --out {OUT}"),
        Target("push", f"annotate push study --url {SERVER}", ("server",), "server"),
        Target("pull", f"annotate pull study --url {SERVER} --out {OUT}", ("server",), "server"),
        Target("pull-again", f"annotate pull study --url {SERVER} --out export", ("server",), "server"),
        Target("agree", f"annotate agree {_STUDY} --resamples 5 --out {OUT}"),
        *(
            Target(f"agree-{name}", f"annotate agree {name} --judgements {name}.jsonl --resamples 5 --out {OUT}")
            for name in ("labelling", "rating")
        ),
        Target("design-form", f"annotate design form/annotation/designs/background.yaml --out {OUT}", ("form",)),
        Target("agree-background", f"annotate agree {_STUDY} --background background --resamples 5 --out {OUT}"),
        Target("agree-verified", f"annotate agree {_STUDY} --verification verified --resamples 5 --out {OUT}"),
        Target("agree-coding", f"annotate agree coding --judgements coding.jsonl --resamples 5 --out {OUT}"),
        Target(
            "agree-cloze",
            f"annotate agree gap-study --judgements gaps.jsonl --resamples 5 --out {OUT}/report --responses {OUT}/results",
        ),
        Target(
            "adjudicate",
            f"annotate adjudicate {_STUDY} --records zh/modified.jsonl --rejected zh/modified-rejected.jsonl "
            "--decisions decisions.tsv --modifications zh/modifications.jsonl",
        ),
        Target(
            "validate-experiment",
            "validate experiment german/experiment",
            tuple(f"german/{name}" for name in ("cloze.jsonl", "fillers.yaml", "design.yaml", "jspsych")),
        ),
        *(
            Target(f"validate-{suite}", f"validate {suite} {files}")
            for suite, files in {
                # Each suite of a file of a build has a target; those of other files follow.
                **{suite.name: f"zh/{file}" for file, suites in reversed(list(ARTIFACTS.items())) for suite in suites},
                "skipped": "zh/skipped.jsonl",
                "fillers": "de/fillers.jsonl",
                "genders": "de/cloze.jsonl",
                "templates": "templates.yaml",
                "documents": "texts",
                "study": "study",
                "responses": "responses",
                "releases": "release/zh",
                **dict.fromkeys(("cloze", "balance"), "cloze.jsonl"),
                "derivation": "zh",
                "build": "zh en",
            }.items()
        ),
        *(
            Target(f"read-{name}", f"{_READ} {name}", files)
            for name, (files, _) in READERS.items()
        ),
    )
}  # fmt: skip


def run(target: Target, folder: Path) -> str:
    """Run a target on the files of a folder.

    Returns:
        what it refuses, or else what it finds; empty if it is content.

    Raises:
        Exception: it ends neither in success nor in findings nor in a refusal of one line, or leaves a file half written.
    """
    with contextlib.chdir(folder), server_of(target, Path()) as address, captured(), _limit():
        shutil.rmtree(OUT, ignore_errors=True)
        Path(OUT).mkdir()
        try:
            result = _run(shlex.split(target.command.replace(SERVER, address)))
        except (OSError, MemoryError, typer.TyperException) as error:  # `main` makes a line of them
            result = repr(error)
        except PipelineError as error:
            _require_printable(error)
            result = str(error)
        _require_whole(Path(OUT))
        return result


def _run(words: list[str]) -> str:
    if words[0] == _READ:
        _, read = READERS[words[1]]
        read()
        return ""
    if words[0] == "validate":  # without Great Expectations, which takes longer than all checks
        validations = [suite.check(paths) for suite, paths in plan(words[1], [Path(word) for word in words[2:]])]
        return "".join(line for validation in validations for line in validation.lines())
    status = application(words)(words, prog_name="winoforge", standalone_mode=False)
    return f"exit status {status}" if status else ""


def server_of(target: Target, folder: Path) -> contextlib.AbstractContextManager[str]:
    """Return the server that a target talks to, as a context that yields its address; without a server, an empty text."""
    return serving(folder / target.server) if target.server else contextlib.nullcontext("")


def _require_whole(folder: Path) -> None:
    """Raise `ValueError` if a file that was written is half written or a temporary one."""
    for path in folder.rglob("*"):
        if is_temporary(path):
            raise ValueError(f"temporary file left: {path}")
        if path.suffix == ".jsonl" and (data := path.read_bytes()):
            if not data.endswith(b"\n"):
                raise ValueError(f"half written: {path}")
            json.loads(data.splitlines()[-1])
        elif path.suffix == ".json":
            json.loads(path.read_bytes())


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
    def stop(number: int, _: FrameType | None) -> NoReturn:
        raise TooSlowError(f"more than {LIMIT if number == signal.SIGPROF else _WAITING} seconds")

    timers = ((signal.SIGPROF, signal.ITIMER_PROF, LIMIT), (signal.SIGALRM, signal.ITIMER_REAL, _WAITING))
    before = {number: signal.signal(number, stop) for number, _, _ in timers}
    for _, timer, seconds in timers:
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for number, timer, _ in timers:
            signal.setitimer(timer, 0)
            signal.signal(number, before[number])
