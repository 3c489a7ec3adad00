"""Stanza, with our compact model from the repository or with a model that Stanza publishes."""

import hashlib
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError
from ...core.files import from_json, read_text
from ...core.packages import require_packages
from .backend import Backend, Word

COMPACT = Path(__file__).resolve().parents[3] / "raw" / "parser-model"
_LANGUAGE = "zh-hans"
_FILES = ("pos.pt", "lexicon.pt", "depparse.pt")


def load_stanza(model: Path | None) -> Backend:
    """Return the Stanza back end with our own model, or with the published one in a folder; it never downloads anything."""
    require_packages("stanza", "stanza")
    name, options = _compact() if model is None else _published(model)
    import stanza  # an optional dependency that imports torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch and stanza warn about their own internals
        try:
            pipeline: Any = stanza.Pipeline(
                lang=_LANGUAGE,
                download_method=None,
                tokenize_pretokenized=True,
                use_gpu=False,
                logging_level="CRITICAL",
                **options,
            )
        except Exception as error:  # of torch or stanza: what they raise for a damaged file depends on the damage
            repair = "run make parser-model" if model is None else f"run {_download(model)}"
            reason = f"[stanza] model cannot be loaded ({type(error).__name__}: {error}); {repair}"
            raise PipelineError(model or COMPACT, None, reason) from error

    def parse(sentences: Sequence[Sequence[str]]) -> Iterator[list[Word]]:
        if not sentences:
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            document = pipeline([list(words) for words in sentences])
        for sentence in document.sentences:
            yield [Word(word.upos, word.head or None, word.deprel) for word in sentence.words]

    return Backend(name="stanza", model=name, parse=parse)


def _compact() -> tuple[str, dict[str, Any]]:
    digest = hashlib.sha256()
    for file in _FILES:
        if not (COMPACT / file).is_file():
            raise PipelineError(COMPACT / file, None, "[stanza] missing compact model; run make parser-model")
        digest.update((COMPACT / file).read_bytes())
    return f"winoforge-{digest.hexdigest()[:12]}", {
        "dir": str(COMPACT),
        "allow_unknown_language": True,  # the folder has no list of resources
        "processors": dict.fromkeys(("tokenize", "pos", "lemma", "depparse"), "default"),
        "lemma_use_identity": True,
        "pos_model_path": str(COMPACT / "pos.pt"),
        "pos_pretrain_path": str(COMPACT / "lexicon.pt"),
        "depparse_model_path": str(COMPACT / "depparse.pt"),
    }


def _published(folder: Path) -> tuple[str, dict[str, Any]]:
    from importlib.metadata import version  # takes as long as a tenth of a command's start

    resources = folder / "resources.json"
    if not (folder / _LANGUAGE / "depparse").is_dir() or not resources.is_file():
        raise PipelineError(folder, None, f"[stanza] missing model for {_LANGUAGE}; run {_download(folder)}")
    try:
        package = from_json(read_text(resources))[_LANGUAGE]["default_processors"]["depparse"]
    except (KeyError, TypeError, ValueError) as error:
        reason = f"[stanza] not a list of models with one for {_LANGUAGE}; run {_download(folder)}"
        raise PipelineError(resources, None, reason) from error
    return f"{version('stanza')}-{package}", {"dir": str(folder), "processors": "tokenize,pos,lemma,depparse"}


def _download(folder: Path) -> str:
    """Return the command that downloads the published model."""
    return f'''python -c "import stanza; stanza.download('{_LANGUAGE}', model_dir='{folder}')"'''
