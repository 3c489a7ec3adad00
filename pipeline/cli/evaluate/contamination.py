"""Look for signs that a corpus, or what a model wrote, holds a release."""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

from ...core.errors import PipelineError, plural
from ...core.files import parse_jsonl, read_text, write_text
from ...core.pages import percent
from ...core.records import text_field
from ...corpus.formats.reading import FormatName, refuse
from ...corpus.formats.registry import documents, shards_of_corpus
from ...evaluation.contamination.search import (
    N_OF_WORDS,
    N_WITH_BLANKS,
    N_WITHOUT_BLANKS,
    Contamination,
    Findings,
    all_grams,
    gram_figures,
    search_documents,
)
from ...release.validation.folder import read_release
from ..output import Release
from ..parameters import opt, output
from ..report import Report, Writes

#: The files that the command writes.
FILES = ("figures.json", "index.html")
#: Size of the part of a corpus that is read at a time, in bytes.
_SHARD = 8 << 20
_LANGUAGES_WITHOUT_BLANKS = ("zh", "ja")


def command(
    release: Release,
    out: Annotated[Path, output("folder of figures.json and index.html."), Writes(FILES)],
    corpus: Annotated[
        list[Path] | None, opt("File of a corpus to search. Give it several times for several files.")
    ] = None,
    format_name: Annotated[FormatName, opt("Format of the corpus.", "--format")] = "text",
    outputs: Annotated[list[Path] | None, opt("Responses of models (JSON Lines), to search for the canary.")] = None,
    n: Annotated[
        int | None,
        opt(
            f"Characters in an n-gram; default: {N_WITHOUT_BLANKS} where words have no blanks between them, else {N_WITH_BLANKS}.",
            "--n",
            min=1,
        ),
    ] = None,
) -> Report:
    """Look for signs that a corpus, or what a model wrote, holds a release; exit 1 if there is one.

    A corpus is searched for the canary and for the items' n-grams of
    characters, outputs of models for the canary.
    """
    if not (corpus or outputs):
        raise PipelineError(None, None, "[contamination] nothing to search; expected --corpus or --outputs")
    from ...evaluation.contamination.search import page

    folder = read_release(release)
    items = folder.items
    without_blanks = items[0].item.lang.split("-")[0] in _LANGUAGES_WITHOUT_BLANKS
    size = n or (N_WITHOUT_BLANKS if without_blanks else N_WITH_BLANKS)
    canary = folder.stated.canary or folder.origin.canary
    grams = all_grams(items, size) if corpus else frozenset[str]()
    corpora = {path.as_posix(): _search(path, format_name, canary, grams, size) for path in corpus or ()}
    missing = {} if canary else {"canary": "the release has none"}
    figures = Contamination(
        folder.name,
        len(items),
        canary,
        corpora,
        gram_figures(items, set[str]().union(*(found.grams for found in corpora.values())), size) if corpus else None,
        {path.as_posix(): search_documents(_answers(path), canary, frozenset(), size) for path in outputs or ()},
        missing if corpus else missing | {"n-grams": "no corpus given"},
    )
    content = _to_json(figures)
    html = page(figures)
    write_text(out / FILES[0], json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n")
    write_text(out / FILES[1], html)
    return Report(lines=[*_lines(figures), str(out / FILES[1])], figures=content, findings=figures.signs)


def _search(path: Path, format_name: FormatName, canary: str, grams: frozenset[str], n: int) -> Findings:
    found = search_documents(_documents(path, format_name), canary, grams, n)
    if canary and format_name == "jsonl":  # it may stand in any field
        lines = search_documents(_documents(path, format_name, as_lines=True), canary, frozenset(), n)
        found.canaries, found.first = lines.canaries, lines.first
    return found


def _documents(path: Path, format_name: FormatName, *, as_lines: bool = False) -> Iterator[str]:
    """Yield the documents of a file, or its lines as they are."""
    for shard in shards_of_corpus([path], format_name, _SHARD):
        yield from documents(replace(shard, format="text") if as_lines else shard, refuse)


def _answers(path: Path) -> Iterator[str]:
    """Yield the answer of each line of a file of responses."""
    for line, row in parse_jsonl(read_text(path), path):
        try:
            yield text_field(row, "answer")
        except ValueError as error:
            raise PipelineError(path, line, str(error)) from error


def _to_json(figures: Contamination) -> dict[str, Any]:
    """Return the figures without what was not searched, and without the n-grams themselves."""
    content = {
        name: value for name, value in asdict(figures).items() if value or name not in ("corpora", "outputs", "n_grams")
    }
    for kind in ("corpora", "outputs"):
        for counts in content.get(kind, {}).values():
            del counts["grams"]
    return content


def _lines(figures: Contamination) -> Iterator[str]:
    yield f"{figures.release}: {plural(figures.items, 'item')}"
    for name, counts in (*figures.corpora.items(), *figures.outputs.items()):
        with_canary = f", {counts.canaries} with the canary" if figures.canary else ""
        yield f"{name}: {plural(counts.documents, 'document')}{with_canary}"
    if grams := figures.n_grams:
        yield (
            f"n-grams of {grams.n} characters: {percent(grams.mean)} of an item's occur on average, {len(grams.found)} of "
            f"{len(grams.items)} items found, {grams.short} too short; "
            f"cut at blanks, {grams.with_n_grams_of_words} items have {N_OF_WORDS} words"
        )
    yield from (f"not computed: {name}: {reason}" for name, reason in figures.not_computed.items())
