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
from itertools import permutations, takewhile
from pathlib import Path

from ...core.files import read_bytes, to_json
from ...core.outputs import write_bytes
from ...core.rules import RULES, languages_with_zeros
from ...language.languages import language_of
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
    has_zeros = collection.source.lang in languages_with_zeros()
    made = list(_with_zeros(collection, parsers) if has_zeros else _without_zeros(collection, collection.has_genders))
    every = tuple(path for stage in made for path in stage.writes)
    return [*made, Stage("validate", ("validate", "build", str(collection.build)), every, ())]


def _stage(name: str, words: Sequence[str | Path], *writes: Path) -> Stage:
    """Return the stage of a command: it reads the paths among the words that it does not write."""
    reads = (word for word in words if isinstance(word, Path) and word not in writes)
    return Stage(name, tuple(map(str, words)), tuple(reads), writes)


def _options(paths: Iterable[Path], option: str = "") -> list[str | Path]:
    """Return an option for each file, by default the one that is named like it."""
    return [word for path in paths for word in (f"--{option or path.stem}", path)]


def _ingest(collection: Collection, *outputs: str) -> Stage:
    items, *others = (collection.build / name for name in ("items.jsonl", *outputs, "skipped.jsonl"))
    words: list[str | Path] = ["ingest", collection.schemas, "--format", "schema-yaml", "--lang"]
    words += [collection.source.lang, *_options(collection.tables("targets.tsv"))]
    return _stage("ingest", [*words, "--out", items, *_options(others)], items, *others)


def _with_zeros(collection: Collection, parsers: Sequence[str]) -> Iterator[Stage]:
    build, known = collection.build, language_of(collection.source.lang).parsers

    def rows(*names: str) -> list[Path]:
        return [build / f"{name}.jsonl" for name in names]

    yield _ingest(collection, "analysis.jsonl", "terms.txt")
    items, modifications = build / "items.jsonl", _options(collection.tables("modifications.yaml"))
    locks = collection.tables(*(f"parses/{parser}.conllu" for parser in known))
    for parser in () if locks else parsers or known[-1:]:  # the last one is the smallest
        lock = build / "parses" / f"{parser}.conllu"
        yield _stage(f"parse-{parser}", ["parse", items, "--backend", parser, "--lock", lock, *modifications], lock)
        locks.append(lock)
    trees = _options(locks, "parses")
    made = rows("kept", "rejected", "decisions")
    yield _stage("exclude", ["exclude", items, *_options([*rows("skipped"), *made]), *trees], *made)
    made = rows("modified", "modified-rejected", "modifications")
    words = ["modify", *rows("kept"), *_options(rows("rejected")), *modifications, *trees]
    yield _stage("modify", [*words, *_outputs(made)], *made)
    made = rows("adjudicated", "adjudicated-rejected", "adjudications")
    words = ["annotate", "apply", *rows("modified"), *_options(rows("modified-rejected"), "rejected")]
    words += _options(collection.tables("decisions.tsv"))
    yield _stage("apply", [*words, *_outputs(made)], *made)
    kept, zeros, variants, audit = made[0], build / "zero.jsonl", build / "variants", build / "audit"
    yield _stage("zero", ["zero", kept, "--out", zeros], zeros)
    tokens = collection.tables("tokens.tsv")
    words = ["variants", kept, "--out", variants, *_options(tokens), *_options([items] if tokens else [], "collection")]
    yield _stage("variants", [*words, *_options(rows("analysis", "modifications", "adjudications"))], variants)
    names = ("items", "skipped", "rejected", "decisions", "modifications", "adjudications", "analysis")
    words = ["audit", "--name", collection.name, "--forms", variants, *_options(rows(*names)), *trees]
    words += [*_options(collection.tables("gold.tsv")), "--out", audit]
    words += _options(collection.tables("reading.tsv", "reading-before.tsv"), "readings")
    yield _stage("audit", words, audit)


def _outputs(paths: Sequence[Path]) -> list[str | Path]:
    return [word for pair in zip(("--out", "--rejected-out", "--ledger"), paths, strict=True) for word in pair]


def _without_zeros(collection: Collection, has_genders: bool) -> Iterator[Stage]:
    build = collection.build
    yield _ingest(collection, "analysis.jsonl", *(["cloze.jsonl"] if has_genders else []))
    items, variants, pages = build / "items.jsonl", build / "variants", build / "items"
    analysis = _options([build / "analysis.jsonl"])
    yield _stage("variants", ["variants", items, "--out", variants, *analysis], variants)
    words = ["browse", items, *analysis, "--forms", variants, "--name", collection.name, "--out", pages]
    yield _stage("browse", [*words, *_options(collection.tables("reading.tsv"), "readings")], pages)


# --- what is out of date --------------------------------------------------------------------------------------------------


def is_built(collection: Collection, *, before: str = "") -> bool:
    """Return whether all stages that write, or those before one, have run on what they read today, with any of the parsers."""
    known = language_of(collection.source.lang).parsers
    orders = (order for count in range(len(known) + 1) for order in permutations(known, count))
    plans = (takewhile(lambda stage: stage.name != before, stages(collection, order)) for order in orders)
    return any(all(is_current(stage, collection.build) for stage in plan if stage.writes) for plan in plans)


def is_current(stage: Stage, build: Path) -> bool:
    """Return whether a stage has run on what it reads today, and what it wrote is there as it wrote it."""
    path = build / _RECORDS / stage.name
    return path.is_file() and read_bytes(path) == _record(stage, build)


def record(stage: Stage, build: Path) -> None:
    """Write down what a stage has read and written."""
    write_bytes(build / _RECORDS / stage.name, _record(stage, build))


def prepare(stage: Stage, build: Path) -> None:
    """Forget that a stage has run, and delete the folders that it wrote, so that nothing of an earlier build stays in them."""
    (build / _RECORDS / stage.name).unlink(missing_ok=True)
    for path in stage.writes:
        shutil.rmtree(path, ignore_errors=True)


def delete_others(collection: Collection) -> None:
    """Delete what only a build of another language, or of schemas with genders, writes."""
    written = {path for stage in stages(collection) for path in stage.writes}
    for stage in (*_with_zeros(collection, ()), *_without_zeros(collection, has_genders=True)):
        for path in {*stage.writes} - written:
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def _record(stage: Stage, build: Path) -> bytes:
    """Return the digests of what a stage reads and writes, and of its command with paths as the build sees them, as JSON."""
    folder = f"{build.parent.parent}/" if build.parent.parent != Path() else ""
    words = [word.removeprefix(folder) for word in stage.words]
    digests = {
        "command": hashlib.sha256(json.dumps([words, knowledge()]).encode()).hexdigest(),
        "read": [_digests(path) for path in stage.reads],
        "written": [_digests(path) for path in stage.writes],
    }
    return f"{to_json(digests)}\n".encode()


def _digests(path: Path) -> dict[str, str]:
    """Return the SHA-256 of a file, or of each file below a folder; none if it is not there."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return {
        str(file.relative_to(path.parent)): hashlib.sha256(read_bytes(file)).hexdigest()
        for file in files
        if file.is_file()
    }


@cache
def knowledge() -> str:
    """Return the SHA-256 of all code and rules: with others, a stage may write something else."""
    package = Path(__file__).parents[2]
    digest = hashlib.sha256()
    for path in sorted({*package.rglob("*"), *RULES.rglob("*")}):
        if path.suffix in _SUFFIXES and path.is_file():
            digest.update(f"{path.name} ".encode() + path.read_bytes())
    return digest.hexdigest()
