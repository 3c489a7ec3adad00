"""Measure how validation time grows with the number of items.

Our collection is repeated under new ids, each time with another sentence at the end of its texts, so that no item is a copy.

With --build N, a whole build of N items is made and validated, and the ratio of the two computing times is printed.
"""

import json
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli import application
from pipeline.core.validation.engine import validate
from pipeline.release.gate import BUILD, SUITES, plan

#: What the last sentence of a repeated text is made of.
_LETTERS = "春夏秋冬东南西北山水花鸟云雨风雪"


def repeated(items: Path, count: int, out: Path) -> None:
    """Write `count` items: a collection, repeated with new schema ids and another sentence after each text."""
    rows = [json.loads(line) for line in items.read_text(encoding="utf-8").splitlines()]
    with out.open("w", encoding="utf-8") as stream:
        for number in range(count):
            row, round_ = dict(rows[number % len(rows)]), number // len(rows)
            row["schema"] = f"{row['schema']}.{round_}"
            row["id"] = f"{row['schema']}-{row['version']}"
            digest = sha256(str(round_).encode()).digest()[:8]
            row["text"] += "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest) + "。"
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def made(folder: Path, items: Path, size: int) -> float:
    """Make a build of `size` items in a folder with the commands of `make build`, and return the seconds of computing time that it took."""
    repeated(items, size, folder / "items.jsonl")
    (folder / "skipped.jsonl").touch()
    locks = "--parses raw/zh/parses/udpipe.conllu --parses raw/zh/parses/stanza.conllu"
    commands = (
        f"exclude {{0}}/items.jsonl --skipped {{0}}/skipped.jsonl {locks} --kept {{0}}/kept.jsonl "
        "--rejected {0}/rejected.jsonl --decisions {0}/decisions.jsonl",
        f"modify {{0}}/kept.jsonl --rejected {{0}}/rejected.jsonl {locks} --out {{0}}/modified.jsonl "
        "--rejected-out {0}/modified-rejected.jsonl --ledger {0}/modifications.jsonl",
        "annotate apply {0}/modified.jsonl --rejected {0}/modified-rejected.jsonl --out {0}/adjudicated.jsonl "
        "--rejected-out {0}/adjudicated-rejected.jsonl --ledger {0}/adjudications.jsonl",
        "zero {0}/adjudicated.jsonl --out {0}/zero.jsonl",
        "variants {0}/adjudicated.jsonl --out {0}/variants --names western",
    )
    app = application()
    began = time.process_time()
    for command in commands:
        app([word.format(folder) for word in command.split()], standalone_mode=False)
    return time.process_time() - began


def main(
    items: Annotated[Path, typer.Argument(help="Items of a build.")] = Path("build/zh/items.jsonl"),
    sizes: Annotated[str, typer.Option(help="Numbers of items, separated by commas.")] = "1000,10000,100000",
    build: Annotated[int, typer.Option(help="Make and validate a build of so many items instead.")] = 0,
) -> None:
    """Print the seconds that the suites items and pairs take for each number of items."""
    validate(SUITES["items"], [items])  # load Great Expectations before timing
    if build:
        with tempfile.TemporaryDirectory() as name:
            making = made(Path(name), items, build)
            began = time.process_time()
            results = [validate(suite, paths) for suite, paths in plan(BUILD, [Path(name)])]
            seconds = time.process_time() - began
        if lines := [line for result in results if result.suite.name == "derivation" for line in result.lines()]:
            raise SystemExit(lines[0])
        typer.echo(
            f"{build} items: {making:.1f} s of computing time to make, {seconds:.1f} s to validate; ratio {seconds / making:.2f}"
        )
        return
    typer.echo("| items | items suite, s | ms per item | pairs suite, s |")
    typer.echo("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for size in map(int, sizes.split(",")):
            path = Path(folder) / f"{size}.jsonl"
            repeated(items, size, path)
            began = time.perf_counter()
            items_result = validate(SUITES["items"], [path])
            middle = time.perf_counter()
            pairs_result = validate(SUITES["pairs"], [path])
            ended = time.perf_counter()
            if failures := items_result.failures + pairs_result.failures:
                raise SystemExit(str(failures[0]))
            typer.echo(
                f"| {size} | {middle - began:.2f} | {1000 * (middle - began) / size:.3f} | {ended - middle:.2f} |"
            )


if __name__ == "__main__":
    typer.run(main)
