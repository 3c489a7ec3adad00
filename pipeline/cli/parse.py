"""Bring a parse lock up to date: parse the sentences that it lacks, drop those that no item needs."""

from functools import partial
from pathlib import Path
from typing import Annotated

from ..core.errors import PipelineError
from ..core.files import write_text
from ..core.outputs import require_writable
from ..core.records import read_items
from ..language.parsing import BackendName
from ..language.parsing.lock import parse, read_lock
from ..language.parsing.trees import trees_to_conllu
from ..winograd.modifications import modified_versions
from .output import tracked
from .parameters import arg, opt
from .report import Quiet, Report


def command(
    items_path: Annotated[Path, arg("ITEMS", "The items (JSON Lines).")],
    backend: Annotated[BackendName, opt("Parser.")],
    lock: Annotated[Path, opt("Parse lock to update (CoNLL-U); created if missing.")],
    modifications: Annotated[Path | None, opt("Modifications (YAML); modified sentences are parsed too.")] = None,
    model: Annotated[Path | None, opt("Model to use instead of the parser's default.")] = None,
    check: Annotated[bool, opt("Change nothing; exit 1 if the parser gives other trees today.", "--check")] = False,
    quiet: Quiet = False,
) -> Report:
    """Update a parse lock: parse new sentences, drop unused ones.

    A parse lock is a CoNLL-U file with a dependency tree for each sentence.
    """
    report = Report()
    if not check:
        require_writable(lock)
    elif not lock.exists():
        raise PipelineError(lock, None, "[file] no such lock; nothing to check: run without --check to make it")
    items = read_items(items_path)
    if modifications is not None:
        items += modified_versions(items, modifications)
    track = partial(tracked, label="parsing", quiet=quiet)
    result = parse(items, backend, lock, model=model, afresh=check, track=track)
    text = trees_to_conllu(result.trees)
    if check:
        current = trees_to_conllu(read_lock(lock).trees.values())
        differing = set(text.split("\n\n")) ^ set(current.split("\n\n"))
        keys = sorted(
            {line.split(" = ")[1] for block in differing for line in block.split("\n") if line.startswith("# sent_id")}
        )
        report.findings += [f"{lock}: [{key[:12]}] the tree is not what {backend} gives today" for key in keys]
        report.add(
            f"{lock}: {len(result.trees) - len(keys)} of {len(result.trees)} trees are what {backend} gives today",
            trees=len(result.trees),
            changed=len(keys),
        )
        return report
    write_text(lock, text)
    report.add(
        f"{lock}: {result.kept} trees kept + {result.parsed} parsed = {len(result.trees)}; {result.dropped} dropped",
        kept=result.kept,
        parsed=result.parsed,
        trees=len(result.trees),
        dropped=result.dropped,
    )
    return report
