"""Our own artifacts for tests, made by the commands that `make build` runs."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from pipeline.core.files import parse_tsv, read_text, to_json, write_tsv
from pipeline.language.pronouns import pronoun_table
from pipeline.studies.design.build import make_study
from pipeline.studies.design.design import read_design
from pipeline.studies.study import write_study
from pipeline.winograd.analysis import read_analyses, write_terms
from pipeline.winopron.templates import WINOPRON, read_templates
from tests.conftest import ROOT
from tests.support.commands import app

ZH, EN = ROOT / "raw" / "zh", ROOT / "raw" / "en"
LOCKS = [f"--parses={ZH / 'parses' / name}" for name in ("udpipe.conllu", "stanza.conllu")]


def run(*arguments: str | Path) -> None:
    """Run a command, which must succeed."""
    result = CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)
    assert result.exit_code == 0, result.output


def stage_outputs(folder: Path, name: str, ledger: str) -> list[str]:
    """Return the output options of a stage that changes a collection: kept, rejected and ledger."""
    files = {"out": name, "rejected-out": f"{name}-rejected", "ledger": ledger}
    return [f"--{option}={folder / f'{file}.jsonl'}" for option, file in files.items()]


def release(folder: Path) -> None:
    """Pack zh and en of a folder into its release."""
    lists = (f"--sources={ROOT / 'raw' / 'SOURCES.toml'}", f"--licences={ROOT / 'raw' / 'licences'}")
    run("release", folder / "zh", folder / "en", f"--out={folder / 'release'}", *lists)


def study(folder: Path, size: int | None = None) -> None:
    """Write the study of the human upper bound over the zero forms of a folder, with lists of `size` items if given."""
    design = read_design(ROOT / "annotation" / "designs" / "upper-bound.yaml")
    lists = design.lists if size is None else replace(design.lists, size=size)
    made = make_study(replace(design, records=folder / "zh" / "zero.jsonl", lists=lists))
    write_study(folder / "annotation" / design.id, made.study, made.tasks)


def as_table(templates: Path, out: Path) -> None:
    """Write templates as WinoPron's table, one per line; in our own format the members of a pair share a line."""
    table = pronoun_table("en")
    rows: list[Sequence[str]] = [
        (
            template.occupation,
            template.participant,
            str(template.answer),
            f"${template.placeholder}",
            template.double,
            str(template.single),
        )
        for template in read_templates(templates, table)
    ]
    write_tsv(out, WINOPRON, rows)


#: Number of rows to keep of each file: enough to damage one, and a multiple of pairs and of groups of eight sentences.
_ROWS = 48


def sample(folder: Path, out: Path) -> None:
    """Write a small copy of a folder: the records up to a zero form with all that is derived from them, a study, a release."""
    zero = (folder / "zh" / "zero.jsonl").read_text(encoding="utf-8").splitlines()
    last = json.loads(zero[_ROWS - 1])["id"]
    entries = read_analyses(folder / "zh" / "analysis.jsonl").values()
    write_terms(out / "zh" / "terms.txt", [entry for entry in entries if entry.id <= last])
    terms = set((out / "zh" / "terms.txt").read_text(encoding="utf-8").split())

    def is_sampled(line: str) -> bool:
        row = json.loads(line)
        return row.get("item", row.get("id", "")) <= last and terms.issuperset(row.get("terms", []))

    for path in sorted([*folder.glob("zh/**/*.*"), *folder.glob("en/*")]):
        if path.suffix not in (".jsonl", ".tsv", ".json") or path.parent.name == "audit":
            continue
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        if path.parent.name == "en":
            lines = lines[: _ROWS + (path.suffix == ".tsv")]
        elif path.suffix == ".jsonl":
            lines = [line for line in lines if is_sampled(line)]
        elif path.suffix == ".tsv":
            lines = [lines[0], *(line for line in lines[1:] if line.split("-")[0:2] <= last.split("-")[0:2])]
        target = out / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("".join(lines), encoding="utf-8")
    study(out, size=10)
    release(out)
    as_table(EN / "templates.yaml", out / "en" / "templates.tsv")
    table = out / "en" / "templates.tsv"
    table.write_text("".join(table.read_text(encoding="utf-8").splitlines(keepends=True)[:13]), encoding="utf-8")


def read(path: Path) -> Any:
    """Return the rows of a file, or the files of a folder by name."""
    if path.is_dir():
        return {file.relative_to(path).as_posix(): file.read_bytes() for file in path.rglob("*") if file.is_file()}
    text = read_text(path)
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    if path.suffix != ".tsv":
        return text.splitlines()
    return [row for _, row in parse_tsv(text, path, ())]


def write(path: Path, value: Any, like: Any = None) -> None:
    """Write what `read` returns; an empty table has the header of another, and None is no file."""
    if isinstance(value, dict):
        for name, data in value.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(data)
        return
    if value is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".jsonl":
        lines = [to_json(row) for row in value]
    elif path.suffix != ".tsv":
        lines = value
    else:
        lines = ["\t".join(cells) for cells in ((value or like)[0], *(row.values() for row in value))]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
