"""Measure how validation time grows with the number of items.

Our collection is repeated under new ids, each time with another sentence at the end of its texts, so that no item is a copy.
"""

import json
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer

from pipeline.core.validation.documents import validate
from pipeline.release.gate import SUITES

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


def main(
    items: Annotated[Path, typer.Argument(help="Items of a build.")] = Path("build/zh/items.jsonl"),
    sizes: Annotated[str, typer.Option(help="Numbers of items, separated by commas.")] = "1000,10000,100000",
) -> None:
    """Print the seconds that the suites items and pairs take for each number of items."""
    validate(SUITES["items"], [items])  # load Great Expectations before timing
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
