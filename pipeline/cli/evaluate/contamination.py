"""Look for signs that a corpus or a language model has read a release."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from ...core.errors import PipelineError, plural
from ...core.files import parse_jsonl, read_text, write_text
from ...core.records import text_field
from ...core.servers.addresses import server_address
from ...corpus.formats.reading import FormatName, refuse
from ...corpus.formats.registry import documents, shards_of_corpus
from ...evaluation.contamination.figures import Settings, model_figures, signs
from ...evaluation.contamination.search import (
    N_OF_WORDS,
    N_WITH_BLANKS,
    N_WITHOUT_BLANKS,
    Findings,
    all_grams,
    gram_figures,
    search_documents,
)
from ...evaluation.contamination.texts import PARAPHRASES, Paraphrase, probe_texts
from ...evaluation.scoring.open import open_model
from ...release.validation.card import source_of
from ...release.validation.folder import read_release
from ..output import BaseUrl, Release, decimal, percent
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
    model: Annotated[str, opt("Folder of a model, gguf:PATH, or with --base-url a name at a server.")] = "",
    base_url: BaseUrl = "",
    reference: Annotated[str, opt("Folder or gguf:PATH of a model that cannot have read the release.")] = "",
    paraphrase: Annotated[Paraphrase, opt("Form of the release that says the same in other words.")] = PARAPHRASES[0],
    items: Annotated[int | None, opt("Ask the model about the first items only, this many.", min=1)] = None,
    permutations: Annotated[int, opt("Number of permutations and of other canaries.", min=1)] = 99,
    shard_size: Annotated[int, opt("Number of schemas that the model reads in one text.", min=2)] = 5,
    batch_size: Annotated[int, opt("Number of texts scored at once.", min=1)] = 8,
    seed: Annotated[int, opt("Seed for permutations and other canaries.", min=0)] = 0,
) -> Report:
    """Look for signs that a corpus or a language model has read a release; exit 1 if there is one.

    A corpus is searched for the canary and for the items' n-grams of
    characters, outputs for the canary. A model is tested for the order of
    the data file, the canary, items against paraphrases, and completion.
    """
    if not (corpus or outputs or model):
        raise PipelineError(None, None, "[contamination] nothing to search; expected --corpus, --outputs or --model")
    if (reference or base_url) and not model:
        given = "--reference" if reference else "--base-url"
        raise PipelineError(None, None, f"[model] no model to test; found {given}, expected --model with it")
    from ...evaluation.contamination.page import page

    address = server_address(base_url, "--base-url") if base_url else ""
    folder = read_release(release)
    data = release / "data"
    entries = folder.items
    texts = probe_texts(entries, paraphrase, folder.lines(paraphrase), data / f"{paraphrase}.jsonl")
    without_blanks = entries[0].item.lang.split("-")[0] in _LANGUAGES_WITHOUT_BLANKS
    size = n or (N_WITHOUT_BLANKS if without_blanks else N_WITH_BLANKS)
    canary = source_of(folder).canary or (folder.source.canary if folder.source else "")
    figures: dict[str, Any] = {"release": folder.name, "items": len(texts), "canary": canary}
    missing: dict[str, str] = {} if canary else {"canary": "the release has none"}
    if corpus:
        grams, occurring = all_grams(texts, size), set[str]()
        figures["corpora"] = {}
        for path in corpus:
            matches = search_documents(_documents(path, format_name), canary, grams, size)
            if canary and format_name == "jsonl":  # it may stand in any field
                lines_of_file = search_documents(
                    _documents(path, format_name, as_lines=True), canary, frozenset(), size
                )
                matches.canaries, matches.first = lines_of_file.canaries, lines_of_file.first
            figures["corpora"][path.as_posix()] = _counts(matches)
            occurring |= matches.grams
        figures["n_grams"] = gram_figures(texts, occurring, size)
    else:
        missing["n-grams"] = "no corpus given"
    if outputs:
        by_file = {path.as_posix(): search_documents(_answers(path), canary, frozenset(), size) for path in outputs}
        figures["outputs"] = {name: _counts(matches) for name, matches in by_file.items()}
    if model:
        settings = Settings(canary, folder.of_templates, permutations, shard_size, seed)
        known = open_model(reference, batch=batch_size) if reference else None
        computed, lacking = model_figures(texts[:items], open_model(model, address, batch=batch_size), known, settings)
        figures |= {"paraphrase_form": paraphrase, "model": computed}
        missing |= lacking
    else:
        missing["order, paraphrases, completion"] = "no model given"
    figures["not_computed"] = missing
    lines = signs(figures)
    html = page(figures, lines)
    write_text(out / FILES[0], json.dumps(figures, ensure_ascii=False, allow_nan=False, indent=1) + "\n")
    write_text(out / FILES[1], html)
    report = Report(figures=figures, findings=lines)
    _add_lines(report, figures)
    report.add(str(out / FILES[1]))
    return report


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


def _counts(searched: Findings) -> dict[str, int]:
    counts = {"documents": searched.documents, "characters": searched.characters}
    return counts | {"canaries": searched.canaries, "first": searched.first}


def _add_lines(report: Report, figures: dict[str, Any]) -> None:
    report.add(f"{figures['release']}: {plural(figures['items'], 'item')}")
    for kind in ("corpora", "outputs"):
        for name, counts in figures.get(kind, {}).items():
            with_canary = f", {counts['canaries']} with the canary" if figures["canary"] else ""
            report.add(f"{name}: {plural(counts['documents'], 'document')}{with_canary}")
    if grams := figures.get("n_grams"):
        report.add(
            f"n-grams of {grams['n']} characters: {percent(grams['mean'])} of an item's occur on average, {len(grams['found'])} of "
            f"{len(grams['items'])} items found, {grams['short']} too short; "
            f"cut at blanks, {grams['with_n_grams_of_words']} items have {N_OF_WORDS} words"
        )
    model = figures.get("model", {})
    if order := model.get("order"):
        higher = f"{percent(order['higher'])} of {plural(order['shards'], 'shard')}"
        report.add(
            f"order: p = {decimal(order['p'])} of {order['permutations']} permutations; {higher} prefer the file's"
        )
    if rank := model.get("canary"):
        report.add(f"canary: rank {rank['rank']} of {rank['lines']} lines, p = {decimal(rank['p'])}")
    if gap := model.get("paraphrase"):
        against = f", p = {decimal(gap['p'])} against {model['reference']}" if "p" in gap else ", no reference"
        report.add(
            f"paraphrases: gap {decimal(gap['gap'])} nats a character, items preferred {percent(gap['preferred'])}{against}"
        )
    if done := model.get("completion"):
        report.add(
            f"completion: {done['items']['completed']} of {plural(done['items']['texts'], 'item')} word for word"
        )
    report.lines += [f"not computed: {name}: {reason}" for name, reason in figures["not_computed"].items()]
