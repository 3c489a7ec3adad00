"""Commands that reject, modify and rewrite items."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import PipelineError, first_names, plural
from ..core.files import json_lines, read_bytes, write_jsonl
from ..core.model import Item
from ..core.outputs import remove, written_together
from ..core.pages import write_page
from ..core.records import read_collection, read_items, write_items, write_rejected
from ..core.rules import languages_with_zeros
from ..core.tables import tsv_text
from ..language.languages import language_of
from ..language.parsing.backends import BackendName
from ..language.parsing.lock import read_locks
from ..winograd.adjudication.apply import read_changes
from ..winograd.analysis import read_analyses, unanalysed
from ..winograd.build import current_glosses
from ..winograd.exclusion.exclude import AlreadyZero, exclude
from ..winograd.exclusion.ledger import count_disputed, disputed_line, write_decisions
from ..winograd.forms import FORMS, FormOptions, variants, whole_schemas
from ..winograd.forms.form import OPTIONS, Correction, UnmadeItem, options_to_json, read_corrections, require_items
from ..winograd.forms.substitution import DIFFERENCES, differences
from ..winograd.forms.tokens import agreement_with
from ..winograd.licence import (
    Format,
    counts_line,
    installed_backends,
    license_pronouns,
    listing,
    notes,
    read_passages,
    rows,
)
from ..winograd.licence import (
    page as licence_page,
)
from ..winograd.modifications import TYPES, judge, modify, read_applied, read_modifications, write_applied
from ..winograd.zero_forms import require_language_with_zeros, to_zero
from .parameters import arg, balance, opt, output, tracked
from .report import Quiet, Report, Writes


def exclude_command(
    items: Annotated[Path, arg("ITEMS", "The items (JSON Lines).")],
    parses: Annotated[list[Path], opt("Parse lock; repeat for several. The first one decides.")],
    kept: Annotated[Path, output("the kept items.")],
    rejected: Annotated[Path, output("the rejected records with the reasons.")],
    skipped: Annotated[Path | None, opt("Records that `ingest` skipped; they count as rejected.")] = None,
    decisions: Annotated[Path | None, output("ledger with the decision on each record.")] = None,
    by_sentence: Annotated[
        bool, opt("Keep an item even if the other member of its pair is rejected.", "--by-sentence")
    ] = False,
    already_zero: Annotated[AlreadyZero, opt("What to do with items whose target is already left out.")] = "keep",
    quiet: Quiet = False,
) -> Report:
    """Reject the items whose target cannot be left out.

    Rules over dependency trees decide. If the trees of two parsers lead to
    different decisions, the item is marked as disputed.
    """
    report = Report()
    from ..winograd.exclusion.ruleset import load_rules  # spaCy takes a second to import

    rows, before = read_collection(items, skipped)
    locks = read_locks(parses)
    require_language_with_zeros(rows, items)
    languages = sorted({item.lang for item in rows}) or ["zh"]
    if len(languages) > 1:
        raise typer.BadParameter(f"items of several languages: {', '.join(languages)}", param_hint="ITEMS")
    result = exclude(
        rows,
        locks,
        load_rules(languages[0]),
        skipped=before,
        by_sentence=by_sentence,
        already_zero=already_zero,
        track=partial(tracked, label="judging", quiet=quiet),
    )
    write_items(kept, result.kept)
    write_rejected(rejected, result.rejected)
    if decisions:
        write_decisions(decisions, result.decisions)
    total = len(rows) + len(before)
    report.add(
        f"{items}: {len(result.kept)} kept + {len(result.rejected)} rejected = {total} records",
        kept=len(result.kept),
        rejected=len(result.rejected),
        records=total,
    )
    disputed = count_disputed(result.decisions, len(locks))
    report.add(f"{items}: {disputed_line(disputed)}; {balance(result.kept)}", disputed=disputed)
    uncertain = sum(bool(decision.uncertain) for decision in result.decisions)
    if uncertain:
        report.add(
            f"{items}: {uncertain} uncertain: another part of speech beside the target would change the decision",
            uncertain=uncertain,
        )
    if zeros := sum(decision.already_zero for decision in result.decisions if decision.exclusion is None):
        report.add(f"{items}: {zeros} of the kept are already zero in their source", already_zero=zeros)
    return report


def modify_command(
    kept: Annotated[Path, arg("ITEMS", "Items that `exclude` kept (JSON Lines).")],
    rejected: Annotated[Path, opt("Records that `exclude` rejected.")],
    parses: Annotated[
        list[Path], opt("Parse lock with the modified sentences; repeat for several. The first one decides.")
    ],
    out: Annotated[Path, output("the kept and the rescued items.")],
    rejected_out: Annotated[Path, output("the records that are still rejected.")],
    ledger: Annotated[Path, output("ledger of the applied modifications.")],
    modifications: Annotated[Path | None, opt("Modifications (YAML); without this option nothing changes.")] = None,
) -> Report:
    """Apply changes made by hand so that targets can be left out; some rescue rejected items.

    The exclusion rules judge each modified item again.
    The command stops if they still reject one.
    """
    report = Report()
    items, rejections = read_collection(kept, rejected, "kept.jsonl, which exclude writes")
    locks = read_locks(parses)  # also where no modification needs a tree: the paths may be wrong
    result = modify(items, rejections, read_modifications(modifications) if modifications else [], modifications)
    if result.ledger:
        from ..winograd.exclusion.ruleset import load_rules  # spaCy takes a second to import

        judge(result, locks, load_rules(result.kept[0].lang), modifications)
    write_items(out, result.kept)
    write_rejected(rejected_out, result.rejected)
    write_applied(ledger, result.ledger)
    counts = Counter(applied.modification.type for applied in result.ledger)
    report.add(
        f"{out}: {len(items)} kept + {result.rescued} rescued = {len(result.kept)} items; {balance(result.kept)}",
        items=len(result.kept),
        rescued=result.rescued,
    )
    report.add(
        f"{rejected_out}: {len(rejections)} rejected - {result.rescued} rescued = {len(result.rejected)} records",
        rejected=len(result.rejected),
    )
    report.add(
        f"{ledger}: {plural(len(result.ledger), 'item')} modified: {', '.join(f'{name} {counts[name]}' for name in TYPES)}",
        modified=len(result.ledger),
        types=dict(counts),
    )
    return report


def zero_command(
    kept: Annotated[Path, arg("ITEMS", "The kept items (JSON Lines).")],
    out: Annotated[Path, output("the items with their zero forms (JSON Lines).")],
) -> Report:
    """Write the zero forms of the kept items.

    In text_zero the target is written as Ø, in text_dropped it is left out.
    """
    items = read_items(kept, "kept.jsonl, which exclude writes")
    require_language_with_zeros(items, kept)
    rows = [to_zero(item) for item in items]
    write_jsonl(out, rows)
    return Report().add(f"{out}: {len(rows)} items in, {len(rows)} zero forms out", items=len(rows))


def _corrections(tokens: Path | None, items: Sequence[Item], collection: Path | None) -> dict[str, Correction]:
    """Return the corrections of a table except those of items that are in the collection but were not kept."""
    if tokens is None:
        return {}
    others = {item.id for item in read_items(collection)} if collection else set()
    others -= {item.id for item in items}
    return {name: correction for name, correction in read_corrections(tokens).items() if name not in others}


def variants_command(
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
        report.notes.append(
            f"{analysis}: [analysis] {len(missing)} of {plural(len(items), 'item')} without an analysis: {first_names(missing)}"
        )
    applied = read_applied(modifications) if modifications else {}
    changes = read_changes(adjudications) if adjudications else {}
    glosses = current_glosses(analyses, applied, changes)
    require_items(corrections, {item.id for item in items})
    options = FormOptions(corrections, seed, glosses)
    languages = {item.lang for item in items}
    paths = {name: out / f"{name}.jsonl" for name, form in FORMS.items() if form.is_of(*languages)}
    unmade: dict[str, list[UnmadeItem]] = {name: [] for name in paths}
    differing = []
    made, rows = Counter[str](), Counter[str]()
    others = [out / name for name in ("unmade.jsonl", "differences.tsv", OPTIONS)]
    with written_together([*paths.values(), *others]) as write:
        for part in tracked(list(whole_schemas(items)), "forms", quiet=quiet):
            forms = variants(part, options)
            differing += differences(part, forms["disambiguated"])
            for name, form in forms.items():
                write(paths[name], json_lines(form.rows))
                unmade[name] += form.unmade
                made[name] += form.items
                rows[name] += len(form.rows)
        nothing = [entries[0] for name, entries in unmade.items() if entries and not rows[name]]
        if len(nothing) == len(paths):
            reason = f"no form can be made; the first, {nothing[0].form}: {nothing[0].reason}"
            raise PipelineError(kept, None, f"[{nothing[0].item}] {reason}")
        write(others[0], json_lines(asdict(entry) for entries in unmade.values() for entry in entries))
        write(others[1], tsv_text(DIFFERENCES, differing).encode())
        write(others[2], options_to_json(options).encode())
    for name in FORMS.keys() - paths.keys():  # of a run on another language
        remove(out / f"{name}.jsonl")
    for name, path in paths.items():
        report.add(f"{path}: {made[name]} items made + {len(unmade[name])} unmade; {plural(rows[name], 'row')}")
    report.figures["forms"] = {
        name: {"items": made[name], "unmade": len(unmade[name]), "rows": rows[name]} for name in paths
    }
    if any(unmade.values()):
        report.add(f"{others[0]}: the reason for each unmade item")
    report.notes += [f"{others[0]}: [{entry.form}] made of no item; {entry.item}: {entry.reason}" for entry in nothing]
    counts = Counter(change for _, changes, _, _ in differing for change in changes.split(", "))
    reasons = ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none"
    report.add(
        f"{out / 'differences.tsv'}: {len(differing)} of {rows['disambiguated']} differ from mere substitution: {reasons}",
        differing=len(differing),
    )
    if corrections:
        report.add(f"{out / 'tokens.jsonl'}: {agreement_with(items, corrections)}")
    return report


def licence_command(
    file: Annotated[Path, arg("FILE", "A text, a treebank (CoNLL-U), or texts in JSON Lines with the key text.")],
    form: Annotated[
        Format | None, opt("Format of the file; by default what its first line looks like.", "--format")
    ] = None,
    lang: Annotated[str, opt("Language of the text, by its code; one with exclusion rules.")] = "zh",
    parser: Annotated[
        BackendName | None, opt("Parser. By default UDPipe for Chinese, else what is installed; none for a treebank.")
    ] = None,
    second: Annotated[BackendName | None, opt("Parser for a second opinion, which marks what is disputed.")] = None,
    out: Annotated[Path | None, output("the decision on each pronoun (JSON Lines).")] = None,
    page: Annotated[Path | None, output("page with the sentences and their marked pronouns (HTML).")] = None,
    quiet: Quiet = False,
) -> Report:
    """Show which pronouns of a text could be left out, and why the others must stay.

    The exclusion rules decide about each overt third-person pronoun. A treebank
    is judged by its own trees (Universal Dependencies), any other text by those
    of a parser. "May be left out" means that no rule forbids it at its place,
    not that a reader would still know whom it means. The sentences are listed
    unless --out or --page is there.
    """
    passages = read_passages(read_bytes(file), file, form, lang)
    by_parser = second and not any(passage.tree for passage in passages)
    default = language_of(lang).parsers[-1:] if by_parser and not parser else ()
    named: list[BackendName] = [name for name in (*default, parser, second) if name]  # type: ignore[misc]
    result = license_pronouns(
        passages,
        lang,
        backends=(lambda: installed_backends(lang, named)) if named else None,
        track=partial(tracked, label="judging", quiet=quiet),
    )
    report = Report().add(
        f"{file}: {counts_line(result)}",
        sentences=result.sentences,
        pronouns=len(result.pronouns),
        **{decision: result.count(decision) for decision in ("omissible", "overt", "undecided")},
        parsers=result.parsers,
        traditional=result.traditional,
    )
    for note in notes(result):
        report.add(note)
    if not result.pronouns:
        known = ", ".join(languages_with_zeros())
        report.add(f"read as {lang}; a text in another language needs --lang, and there are rules for {known}")
    report.figures["decisions"] = rows(result)
    if out:
        write_jsonl(out, rows(result))
    if page:
        write_page(page, licence_page(file.name, result, lang))
    if not (out or page):
        report.lines += listing(result)
    return report
