"""The stages of a collection's build in their order, each as a command, and which of them are out of date.

For the collections in raw/ the Makefile has the same commands, and a test compares both. A stage runs again if its command, a file
that it reads, the code or the rules have changed, or if what it wrote is not there as it wrote it.
"""

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...core.files import from_json, read_bytes, read_text, to_json, write_text
from ...core.rules import RULES, languages_with_zeros
from ...language.languages import language_of
from ...winograd.forms.options import OPTIONS
from .layout import Collection

#: The folder, in that of a build, of what each stage was made from.
_RECORDS = ".stages"
_SUFFIXES = (".py", ".j2", ".js", ".css", ".yaml", ".tsv")


@dataclass(frozen=True, slots=True)
class Stage:
    """A command of winoforge as words; `reads` and `writes` are files or, for what it writes, folders."""

    name: str
    words: tuple[str, ...]
    reads: tuple[Path, ...]
    writes: tuple[Path, ...]


def stages(collection: Collection, parsers: Sequence[str] = ()) -> list[Stage]:
    """Return the stages of a build: with zeros in a language that has rules of exclusion, as cloze where pronouns agree, else as it is."""
    lang = collection.source.lang
    steps = _with_zeros(collection, parsers) if lang in languages_with_zeros() else _without_zeros(collection)
    made = list(steps)
    every = tuple(path for stage in made for path in stage.writes)
    return [*made, Stage("validate", ("validate", "build", str(collection.build)), every, ())]


def _options(build: Path, *names: str) -> list[str]:
    return [word for name in names for word in (f"--{name}", str(build / f"{name}.jsonl"))]


def _given(option: str, paths: Iterable[Path]) -> list[str]:
    return [word for path in paths for word in (f"--{option}", str(path))]


def _ingest(collection: Collection, *outputs: str) -> Stage:
    build, targets = collection.build, collection.tables("targets.tsv")
    written = [(name, build / f"{name}{'.txt' if name == 'terms' else '.jsonl'}") for name in (*outputs, "skipped")]
    words = ["ingest", str(collection.schemas), "--format", "schema-yaml", "--lang", collection.source.lang]
    words += [*_given("targets", targets), "--out", str(build / "items.jsonl")]
    words += [word for name, path in written for word in (f"--{name}", str(path))]
    paths = (build / "items.jsonl", *(path for _, path in written))
    return Stage("ingest", tuple(words), (collection.schemas, *targets), paths)


def _with_zeros(collection: Collection, parsers: Sequence[str]) -> Iterator[Stage]:
    build = collection.build
    yield _ingest(collection, "analysis", "terms")
    items, modifications = build / "items.jsonl", collection.tables("modifications.yaml")
    known = language_of(collection.source.lang).parsers
    locks = collection.tables(*(f"parses/{parser}.conllu" for parser in known))
    parsers = parsers or known[-1:]  # the last one is the smallest
    for parser in () if locks else parsers:
        lock = build / "parses" / f"{parser}.conllu"
        parse = ("parse", str(items), "--backend", parser, "--lock", str(lock), *_given("modifications", modifications))
        yield Stage(f"parse-{parser}", parse, (items, *modifications), (lock,))
    locks = locks or [build / "parses" / f"{parser}.conllu" for parser in parsers]
    trees = _given("parses", locks)

    def stage(name: str, words: Sequence[str], reads: Sequence[Path], *writes: str) -> Stage:
        return Stage(name, tuple(words), tuple(reads), tuple(build / name for name in writes))

    def rows(*names: str) -> list[Path]:
        return [build / f"{name}.jsonl" for name in names]

    words = ["exclude", str(items), *_options(build, "skipped", "kept", "rejected", "decisions"), *trees]
    yield stage(
        "exclude", words, [*rows("items", "skipped"), *locks], "kept.jsonl", "rejected.jsonl", "decisions.jsonl"
    )
    words = ["modify", str(build / "kept.jsonl"), *_options(build, "rejected"), *_given("modifications", modifications)]
    words += [*trees, "--out", str(build / "modified.jsonl"), "--rejected-out"]
    words += [str(build / "modified-rejected.jsonl"), "--ledger", str(build / "modifications.jsonl")]
    made = ("modified.jsonl", "modified-rejected.jsonl", "modifications.jsonl")
    yield stage("modify", words, [*rows("kept", "rejected"), *modifications, *locks], *made)
    decisions = collection.tables("decisions.tsv")
    words = ["annotate", "apply", str(build / "modified.jsonl"), "--rejected", str(build / "modified-rejected.jsonl")]
    words += [*_given("decisions", decisions), "--out", str(build / "adjudicated.jsonl"), "--rejected-out"]
    words += [str(build / "adjudicated-rejected.jsonl"), "--ledger", str(build / "adjudications.jsonl")]
    made = ("adjudicated.jsonl", "adjudicated-rejected.jsonl", "adjudications.jsonl")
    yield stage("apply", words, [*rows("modified", "modified-rejected"), *decisions], *made)
    kept, zeros = build / "adjudicated.jsonl", build / "zero.jsonl"
    yield stage("zero", ["zero", str(kept), "--out", str(zeros)], [kept], "zero.jsonl")
    tokens = collection.tables("tokens.tsv")
    words = ["variants", str(kept), "--out", str(build / "variants")]
    words += [*_given("tokens", tokens), *(["--collection", str(items)] if tokens else [])]
    words += _options(build, "analysis", "modifications", "adjudications")
    reads = [kept, items, *tokens, *rows("analysis", "modifications", "adjudications")]
    yield stage("variants", words, reads, "variants")
    readings, gold = collection.tables("reading.tsv", "reading-before.tsv"), collection.tables("gold.tsv")
    names = ("items", "skipped", "rejected", "decisions", "modifications", "adjudications")
    words = ["audit", "--name", collection.name, *_options(build, *names), *trees, *_given("gold", gold)]
    words += [*_options(build, "analysis"), "--forms", str(build / "variants"), *_given("readings", readings)]
    words += ["--out", str(build / "audit")]
    reads = [*rows(*names, "analysis"), build / "variants" / OPTIONS, *locks, *gold, *readings]
    yield stage("audit", words, reads, "audit")


def _without_zeros(collection: Collection) -> Iterator[Stage]:
    build = collection.build
    yield _ingest(collection, "analysis", *(["cloze"] if collection.has_genders else []))
    items, analysis, forms = build / "items.jsonl", build / "analysis.jsonl", build / "variants"
    words = ["variants", str(items), "--out", str(forms), *_options(build, "analysis")]
    yield Stage("variants", tuple(words), (items, analysis), (forms,))
    readings = collection.tables("reading.tsv")
    words = ["browse", str(items), *_options(build, "analysis"), "--forms", str(forms), *_given("readings", readings)]
    words += ["--name", collection.name, "--out", str(build / "items")]
    yield Stage("browse", tuple(words), (items, analysis, forms / OPTIONS, *readings), (build / "items",))


# --- what is out of date --------------------------------------------------------------------------------------------------


def is_current(stage: Stage, build: Path) -> bool:
    """Return whether a stage has run on what it reads today, and what it wrote is there as it wrote it."""
    path = build / _RECORDS / stage.name
    if not path.is_file():
        return False
    try:
        record = from_json(read_text(path))
        return bool(record == _record(stage, build))
    except ValueError:
        return False


def record(stage: Stage, build: Path) -> None:
    """Write down what a stage has read and written."""
    write_text(build / _RECORDS / stage.name, f"{to_json(_record(stage, build))}\n")


def prepare(stage: Stage, build: Path) -> None:
    """Forget that a stage has run, and delete the folder of forms, so that none of an earlier build stays."""
    (build / _RECORDS / stage.name).unlink(missing_ok=True)
    for path in stage.writes:
        if path == build / "variants":
            shutil.rmtree(path, ignore_errors=True)


def _record(stage: Stage, build: Path) -> dict[str, object]:
    """Return the digests of what a stage reads and writes, and of its command with paths as the build sees them."""
    folder = f"{build.parent.parent}/" if build.parent.parent != Path() else ""
    words = [word.removeprefix(folder) for word in stage.words]
    return {
        "command": hashlib.sha256(json.dumps([words, knowledge()]).encode()).hexdigest(),
        "read": [_digests(path) for path in stage.reads],
        "written": [_digests(path) for path in stage.writes],
    }


def _digests(path: Path) -> dict[str, str]:
    """Return the SHA-256 of a file, or of each file below a folder; none if it is not there."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return {file.name: hashlib.sha256(read_bytes(file)).hexdigest() for file in files if file.is_file()}


@cache
def knowledge() -> str:
    """Return the SHA-256 of all code and rules: with others, a stage may write something else."""
    package = Path(__file__).parents[2]
    digest = hashlib.sha256()
    for path in sorted({*package.rglob("*"), *RULES.rglob("*")}):
        if path.suffix in _SUFFIXES and path.is_file():
            digest.update(f"{path.name} ".encode() + path.read_bytes())
    return digest.hexdigest()
