"""Bring a parse lock up to date: parse the sentences that it lacks, drop those that no item needs."""

from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import PipelineError
from ..core.files import write_text
from ..core.records import read_items
from ..language.parsing import BACKENDS
from ..language.parsing.lock import Update, read_lock, update
from ..language.parsing.trees import trees_to_conllu
from ..winograd.modifications import modified_versions


def parse(
    items_path: Path,
    backend: str,
    lock: Path,
    *,
    modifications: Path | None = None,
    model: Path | None = None,
    afresh: bool = False,
) -> Update:
    """Return the lock as it should be for the items of a file.

    Args:
        items_path: the items, JSON Lines.
        backend: a name in `BACKENDS`.
        lock: the trees of before; it need not exist.
        modifications: a file of modifications, whose sentences are needed too.
        model: the parser's model; None for the one that comes with it.
        afresh: parse every sentence again.
    """
    if backend not in BACKENDS:
        raise PipelineError(None, None, f"[backend] unknown; found {backend!r}, expected one of {', '.join(BACKENDS)}")
    items = read_items(items_path)
    for item in items:
        if item.lang != "zh":
            raise PipelineError(items_path, None, f"[lang] {item.id}: no parser for {item.lang!r}, expected 'zh'")
    if modifications is not None:
        items += modified_versions(items, modifications)
    return update(items, read_lock(lock).trees if lock.exists() else {}, BACKENDS[backend](model), afresh=afresh)


def command(
    items: Annotated[Path, typer.Argument(help="The items (JSON Lines).", show_default=False)],
    backend: Annotated[str, typer.Option(help=f"One of {', '.join(BACKENDS)}.", show_default=False)],
    lock: Annotated[Path, typer.Option(help="The parse lock (CoNLL-U), made if missing.", show_default=False)],
    modifications: Annotated[
        Path | None, typer.Option(help="Modifications, whose sentences are parsed too (YAML).", show_default=False)
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="A model other than the back end's own.", show_default=False)
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit 1 unless the lock is what the parser gives today.")
    ] = False,
) -> None:
    """Parse the sentences that the lock lacks, drop those that no item needs."""
    result = parse(items, backend, lock, modifications=modifications, model=model, afresh=check)
    text = trees_to_conllu(result.trees)
    if check:
        current = trees_to_conllu(read_lock(lock).trees.values()) if lock.exists() else ""
        differing = set(text.split("\n\n")) ^ set(current.split("\n\n"))
        keys = sorted(
            {line.split(" = ")[1] for block in differing for line in block.split("\n") if line.startswith("# sent_id")}
        )
        for key in keys:
            typer.echo(f"{lock}: [{key[:12]}] the tree is not what {backend} gives today", err=True)
        typer.echo(
            f"{lock}: {len(result.trees) - len(keys)} of {len(result.trees)} trees are what {backend} gives today"
        )
        if keys:
            raise typer.Exit(1)
        return
    write_text(lock, text)
    typer.echo(
        f"{lock}: {result.kept} trees kept + {result.parsed} parsed = {len(result.trees)}; {result.dropped} dropped"
    )
