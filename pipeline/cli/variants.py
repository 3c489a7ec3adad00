"""Write the forms of items that solvers use: NLI, disambiguated, renamed, tokenised, traditional, for scoring, WinoGrande's."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import PipelineError
from ..core.files import write_jsonl, write_tsv
from ..core.model import Item
from ..core.records import read_items
from ..winograd.analysis import read_analyses
from ..winograd.forms.make import DIFFERENCES, differences, variants
from ..winograd.forms.names.form import DIRECTIONS
from ..winograd.forms.tokens import Correction, agreement_with, read_corrections


def _corrections(tokens: Path | None, items: Sequence[Item], collection: Path | None) -> dict[str, Correction]:
    """Return the corrections of the items; those of other items of the collection are passed over."""
    if tokens is None:
        return {}
    others = {item.id for item in read_items(collection)} if collection else set()
    others -= {item.id for item in items}
    return {name: one for name, one in read_corrections(tokens).items() if name not in others}


def command(
    kept: Annotated[Path, typer.Argument(help="The items (JSON Lines).", show_default=False)],
    out: Annotated[Path, typer.Option(help="The folder for the forms.", show_default=False)],
    names: Annotated[str, typer.Option(help=f"What names become: {', '.join(DIRECTIONS)}.")] = "chinese",
    seed: Annotated[int, typer.Option(help="The seed of the choice of names.")] = 0,
    tokens: Annotated[
        Path | None, typer.Option(help="Segmentations corrected by hand (tokens.tsv).", show_default=False)
    ] = None,
    collection: Annotated[
        Path | None, typer.Option(help="All items, of which some may be corrected and not kept.", show_default=False)
    ] = None,
    analysis: Annotated[
        Path | None, typer.Option(help="The authors' analysis, whose glosses are renamed too.", show_default=False)
    ] = None,
) -> None:
    """Write the forms of the items that solvers use, and which items a form cannot be made of.

    Each form is a file of JSON Lines; unmade.jsonl has the reasons, differences.tsv the disambiguated texts that replacing
    the pronoun by the candidate does not give.
    """
    if names not in DIRECTIONS:
        raise PipelineError(None, None, f"[names] unknown; found {names!r}, expected one of {', '.join(DIRECTIONS)}")
    items = read_items(kept)
    corrections = _corrections(tokens, items, collection)
    glosses = {name: one.gloss for name, one in read_analyses(analysis).items()} if analysis else None
    made = variants(items, corrections=corrections, names=names, seed=seed, glosses=glosses)
    differing = differences(items, made["disambiguated"])
    for form, derived in made.items():
        path = out / f"{form}.jsonl"
        write_jsonl(path, derived.rows)
        typer.echo(f"{path}: {derived.items} items made + {len(derived.unmade)} unmade; {len(derived.rows)} rows")
    write_jsonl(out / "unmade.jsonl", [asdict(one) for derived in made.values() for one in derived.unmade])
    write_tsv(out / "differences.tsv", DIFFERENCES, differing)
    counts = Counter(change for _, changes, _, _ in differing for change in changes.split(", "))
    reasons = ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none"
    total = len(made["disambiguated"].rows)
    typer.echo(f"{out / 'differences.tsv'}: {len(differing)} of {total} differ from mere substitution: {reasons}")
    if corrections:
        typer.echo(f"{out / 'tokens.jsonl'}: {agreement_with(items, corrections)}")
