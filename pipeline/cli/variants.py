"""Write the forms of items that solvers use: NLI, disambiguated, renamed, tokenised, traditional, for scoring, WinoGrande's."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import PipelineError
from ..core.files import write_jsonl, write_tsv
from ..core.model import Item
from ..core.records import read_items
from ..language.grammar.base import mere_substitution
from ..winograd.analysis import read_analyses
from ..winograd.forms.corrections import Correction, read_corrections
from ..winograd.forms.derived import Derived
from ..winograd.forms.disambiguated import disambiguated
from ..winograd.forms.names.form import DIRECTIONS, Direction, renamed
from ..winograd.forms.nli import nli
from ..winograd.forms.scoring import scoring
from ..winograd.forms.tokens import agreement_with, tokenised
from ..winograd.forms.traditional import traditional
from ..winograd.forms.winogrande import winogrande

DIFFERENCES = ("id", "changes", "mere substitution", "text")


def variants(
    items: Sequence[Item],
    *,
    corrections: Mapping[str, Correction] | None = None,
    names: Direction = "chinese",
    seed: int = 0,
    glosses: Mapping[str, str] | None = None,
) -> dict[str, Derived]:
    """Return the items in each form by its name; traditional script is a form of Chinese only.

    Args:
        items: a kept collection, in one language or several.
        corrections: segmentations of some of the items that go before the tokenizer's.
        names: what the names of persons become.
        seed: the seed of the choice of names.
        glosses: English translations by item id, in which names change too.
    """
    chinese = [item for item in items if item.lang == "zh"]
    return {
        "nli": nli(items),
        "disambiguated": disambiguated(items),
        "scoring": scoring(items),
        "winogrande": winogrande(items),
        "names": renamed(items, to=names, seed=seed, glosses=glosses),
        "tokens": tokenised(items, corrections or {}),
    } | ({"traditional": traditional(chinese)} if chinese else {})


def differences(items: Sequence[Item], made: Derived) -> list[tuple[str, str, str, str]]:
    """Return the cells of `DIFFERENCES` for each disambiguated text that mere substitution does not give."""
    by_id = {item.id: item for item in items}
    found = []
    for row in made.rows:
        if row["changes"]:
            item = by_id[row["item"]]
            mere = mere_substitution(item, item.candidates.index(row["candidate"]))
            found.append((row["id"], ", ".join(row["changes"]), mere, row["text"]))
    return found


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
