"""Measure builds in seconds of processor time, cold, after an edited schema and with nothing to do, and the stages on many items.

    python -m tools.bench_build [--before COMMIT] [--items 10000]

With --before, the same builds of an earlier commit are measured in the same run, beside them and as a ratio. The many items are our own,
repeated under new ids with another sentence after each text, as in `bench_validate`; the trees of their sentences are those in our locks.
"""

import json
import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from tests.support.building import ROOT, SCHEMAS, VENV, command, inputs
from tools.bench_validate import repeated
from tools.one_process import TIMES

_OWN = ("build/zh/zero.jsonl", "build/zh/variants/options.json")
_STAGES = (
    "ingest made.jsonl --format plain --out items.jsonl --skipped skipped.jsonl",
    "exclude items.jsonl {parses} --kept kept.jsonl --rejected rejected.jsonl --decisions decisions.jsonl",
    "zero kept.jsonl --out zero.jsonl",
    "variants kept.jsonl --out variants",
    "audit --items items.jsonl --skipped skipped.jsonl --rejected rejected.jsonl --decisions decisions.jsonl {parses} "
    "--forms variants --out audit",
    "validate items,pairs items.jsonl",
)


def measure(words: list[str], folder: Path) -> tuple[float, float]:
    """Run a command in a folder, with the modules that are there, if any; return its seconds and its greatest memory in MiB.

    The seconds are of all processes together, with the one that the commands of a make share.
    """
    times = folder / "times"
    times.unlink(missing_ok=True)
    modules = folder if (folder / "pipeline").is_dir() else ROOT
    process = subprocess.Popen(
        words, cwd=folder, env=os.environ | {TIMES: str(times), "PYTHONPATH": str(modules)}, stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(words)}: exit status {os.waitstatus_to_exitcode(status)}")
    shared = times.read_text(encoding="utf-8").splitlines() if times.exists() else []
    seconds = usage.ru_utime + usage.ru_stime + sum(float(line.split("\t")[0]) for line in shared)
    return seconds, usage.ru_maxrss / 1024


def made_table(items: Path, count: int, out: Path) -> None:
    """Write many items as other people would have them: a table with the form and the place of each target."""
    repeated(items, count, out)
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    with out.open("w", encoding="utf-8") as lines:
        for row in rows:
            start, end = row["target"]["start"], row["target"]["end"]
            fields = {name: row[name] for name in ("id", "schema", "lang", "text", "candidates", "answer", "question")}
            lines.write(
                json.dumps(fields | {"target": row["text"][start:end], "offset": start}, ensure_ascii=False) + "\n"
            )


def builds(folder: Path) -> dict[str, float]:
    """Return the seconds of builds in a copy of the repository in which nothing is built."""
    seconds = {}

    def build(name: str, *goals: str) -> None:
        seconds[name], _ = measure(command(folder, *goals), folder)

    build("cold", "build")
    build("nothing changed", "build")
    schemas = folder / SCHEMAS
    text, edited = schemas.read_text(encoding="utf-8"), r"\g<0> Edited, says the benchmark."
    schemas.write_text(re.sub("^  gloss: .*[.]$", edited, text, count=1, flags=re.MULTILINE), encoding="utf-8")
    build("edited schema: its own outputs", *_OWN)
    build("edited schema: the rest", "build")
    return seconds


def main(
    before: Annotated[str, typer.Option(help="Commit to compare with.")] = "",
    items: Annotated[int, typer.Option(help="Number of items of the made collection; 0 for none.")] = 10_000,
) -> None:
    """Print the seconds of builds, then those of stages on many items."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        today = builds(inputs(folder / "today"))
        earlier = {}
        if before:
            (folder / "before").mkdir()
            archive = subprocess.run(["git", "archive", before], cwd=ROOT, capture_output=True, check=True).stdout
            subprocess.run(["tar", "-x", "-C", folder / "before"], input=archive, check=True)
            (folder / "before" / "winoforge").symlink_to("pipeline")  # as which the environment's program imports it
            earlier = builds(folder / "before")
        typer.echo(f"| build | s |{f' {before}, s | ratio |' if before else ''}")
        typer.echo(f"|---|---|{'---|---|' if before else ''}")
        for build, seconds in today.items():
            more = f" {earlier[build]:.1f} | {seconds / earlier[build]:.2f} |" if build in earlier else ""
            typer.echo(f"| {build} | {seconds:.1f} |{more}")
        if items:
            made_table(folder / "today" / "build" / "zh" / "items.jsonl", items, folder / "made.jsonl")
            typer.echo(f"\n| {items} items | s | ms an item | MiB |\n|---|---|---|---|")
            parses = " ".join(f"--parses {ROOT}/raw/zh/parses/{parser}.conllu" for parser in ("stanza", "udpipe"))
            total = 0.0
            for stage in _STAGES:
                seconds, memory = measure(
                    [
                        f"{VENV}/bin/python",
                        "-c",
                        "from pipeline.cli import main; main()",
                        *stage.format(parses=parses).split(),
                    ],
                    folder,
                )
                total += seconds
                typer.echo(f"| {stage.split()[0]} | {seconds:.1f} | {1000 * seconds / items:.2f} | {memory:.0f} |")
            typer.echo(f"| together | {total:.1f} | {1000 * total / items:.2f} | |")


if __name__ == "__main__":
    typer.run(main)
