"""Write the derived forms of items: NLI, disambiguated, scoring, WinoGrande, names, tokens, traditional script."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

from ..core.errors import PipelineError, plural
from ..core.files import write_jsonl, write_text, write_tsv
from ..core.model import Item
from ..core.records import read_items
from ..winograd.adjudication.ledger import read_changes
from ..winograd.analysis import read_analyses, unanalysed
from ..winograd.forms import FORMS, FormOptions, variants
from ..winograd.forms.disambiguated import DIFFERENCES, differences
from ..winograd.forms.options import OPTIONS, Correction, options_to_json, read_corrections
from ..winograd.forms.tokens import agreement_with
from ..winograd.modifications import read_applied
from ..winograd.provenance import current_glosses
from .output import tracked
from .parameters import arg, opt, output
from .report import Quiet, Report, Writes

#: Maximum number of items without an analysis that are named.
_NAMED = 10


def _corrections(tokens: Path | None, items: Sequence[Item], collection: Path | None) -> dict[str, Correction]:
    """Return the corrections of a table except those of items that are in the collection but were not kept."""
    if tokens is None:
        return {}
    others = {item.id for item in read_items(collection)} if collection else set()
    others -= {item.id for item in items}
    return {name: correction for name, correction in read_corrections(tokens).items() if name not in others}


def command(
    kept: Annotated[Path, arg("ITEMS", "The items (JSON Lines).")],
    out: Annotated[
        Path,
        output("folder of the forms."),
        Writes((*(f"{name}.jsonl" for name in FORMS), "unmade.jsonl", "differences.tsv", OPTIONS)),
    ],
    seed: Annotated[int, opt("Seed for the choice of new personal names.")] = 0,
    tokens: Annotated[Path | None, opt("Word segmentations corrected by hand (tokens.tsv).")] = None,
    collection: Annotated[
        Path | None, opt("All items of the collection; corrections of items that were not kept are then ignored.")
    ] = None,
    analysis: Annotated[Path | None, opt("The authors' analyses; names in their glosses are replaced too.")] = None,
    modifications: Annotated[
        Path | None, opt("Ledger of modifications; their glosses replace those of the analyses.")
    ] = None,
    adjudications: Annotated[
        Path | None, opt("Ledger of decisions of people; their glosses replace the others.")
    ] = None,
    quiet: Quiet = False,
) -> Report:
    """Derive forms of the items for NLI, WinoGrande and other tasks, one JSON Lines file each.

    unmade.jsonl: items that a form cannot be made of, with the reason.
    differences.tsv: disambiguated texts that needed more than replacing the
    pronoun by the candidate.
    options.json: the options, with which `validate build` derives the forms again.
    """
    report = Report()
    items = read_items(kept, "kept.jsonl, which exclude writes", zero_forms=True)
    corrections = _corrections(tokens, items, collection)
    analyses = read_analyses(analysis) if analysis else {}
    if analysis and (missing := unanalysed(items, analyses, analysis)):
        named = ", ".join(missing[:_NAMED]) + ", …" * (len(missing) > _NAMED)
        report.notes.append(
            f"{analysis}: [analysis] {len(missing)} of {plural(len(items), 'item')} without an analysis: {named}"
        )
    applied = read_applied(modifications) if modifications else {}
    changes = read_changes(adjudications) if adjudications else {}
    glosses = current_glosses(analyses, applied, changes)
    track = partial(tracked, label="forms", quiet=quiet)
    options = FormOptions(corrections, seed, glosses)
    made = variants(items, options, track)
    nothing = [form.unmade[0] for form in made.values() if form.unmade and not form.rows]
    if len(nothing) == len(made):
        raise PipelineError(
            kept, None, f"[{nothing[0].item}] no form can be made; the first, {nothing[0].form}: {nothing[0].reason}"
        )
    differing = differences(items, made["disambiguated"])
    for name, form in made.items():
        path = out / f"{name}.jsonl"
        write_jsonl(path, form.rows)
        report.add(f"{path}: {form.items} items made + {len(form.unmade)} unmade; {plural(len(form.rows), 'row')}")
    report.figures["forms"] = {
        name: {"items": form.items, "unmade": len(form.unmade), "rows": len(form.rows)} for name, form in made.items()
    }
    write_jsonl(out / "unmade.jsonl", [asdict(unmade) for form in made.values() for unmade in form.unmade])
    report.notes += [
        f"{out / 'unmade.jsonl'}: [{unmade.form}] made of no item; {unmade.item}: {unmade.reason}" for unmade in nothing
    ]
    write_tsv(out / "differences.tsv", DIFFERENCES, differing)
    write_text(out / OPTIONS, options_to_json(options))
    counts = Counter(change for _, changes, _, _ in differing for change in changes.split(", "))
    reasons = ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none"
    total = len(made["disambiguated"].rows)
    report.add(
        f"{out / 'differences.tsv'}: {len(differing)} of {total} differ from mere substitution: {reasons}",
        differing=len(differing),
    )
    if corrections:
        report.add(f"{out / 'tokens.jsonl'}: {agreement_with(items, corrections)}")
    return report
