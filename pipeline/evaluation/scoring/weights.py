"""Models of transformers on this machine, from a folder or a GGUF file."""

import contextlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ...core.errors import PipelineError, shown
from ...core.packages import require_packages

#: What a model in a GGUF file is called by: this and its path.
GGUF = "gguf:"
#: Kinds of language models: those that read from left to right, and those that fill a mask.
ModelKind = Literal["causal", "masked"]
#: How the names of architectures end, which config.json gives, by kind.
_ENDINGS: dict[ModelKind, tuple[str, ...]] = {
    "causal": ("ForCausalLM", "LMHeadModel"),
    "masked": ("ForMaskedLM", "ForPreTraining"),
}


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model in single precision with its tokenizer, its kind, and the name of its folder or file."""

    name: str
    kind: ModelKind
    model: Any
    tokenizer: Any


def read_model(source: str, kinds: Sequence[ModelKind] = ("causal",)) -> LoadedModel:
    """Return a model from this machine; nothing is fetched, and no code of a model's folder runs.

    Args:
        source: a folder that transformers saved, or ``gguf:`` and the path of a GGUF file, which holds a causal model.

    Raises:
        PipelineError: transformers or torch is missing, or there is no such model; or it is of another kind, its tokenizer is another
            model's, or weights of its output are missing, without which it would answer at random.
    """
    gguf = source.startswith(GGUF)
    path = Path(source.removeprefix(GGUF))
    if not (path.is_file() if gguf else (path / "config.json").is_file()):
        wanted = "the path of a GGUF file after gguf:" if gguf else "a folder with config.json, or gguf:PATH"
        raise PipelineError(None, None, f"[model] no model there; found {shown(source)}, expected {wanted}")
    require_packages("local", "torch", "transformers")
    import torch
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    place = path.parent if gguf else path
    options: dict[str, Any] = {"local_files_only": True} | ({"gguf_file": path.name} if gguf else {})
    try:
        kind = (
            "causal"
            if gguf
            else _kind(path, transformers.AutoConfig.from_pretrained(place, **options).architectures or [])
        )
        auto = transformers.AutoModelForMaskedLM if kind == "masked" else transformers.AutoModelForCausalLM
        with contextlib.redirect_stderr(io.StringIO()):  # progress bars of GGUF files, which nothing else turns off
            tokenizer = transformers.AutoTokenizer.from_pretrained(place, **options)
            model, loading = auto.from_pretrained(place, dtype=torch.float32, output_loading_info=True, **options)
    except (PipelineError, MemoryError):
        raise
    except Exception as error:  # transformers raises whatever its readers raise
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise PipelineError(path, None, f"[model] cannot be loaded; {shown(lines[0])}") from error
    if kind not in kinds:
        raise PipelineError(path, None, f"[model] wrong kind; found a {kind} model, expected {' or '.join(kinds)}")
    if missing := sorted(loading["missing_keys"]):
        raise PipelineError(
            path, None, f"[model] weights missing; found none for {shown(missing[0])}, expected all of them"
        )
    known = model.get_input_embeddings().weight.shape[0]
    if len(tokenizer) > known:
        reason = f"found {len(tokenizer)} tokens, expected at most {known}: is it another model's?"
        raise PipelineError(path, None, f"[model] tokenizer does not fit the model; {reason}")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    name = path.stem if gguf else path.resolve().name
    return LoadedModel(name, kind, model.eval().to(device), tokenizer)


def _kind(path: Path, architectures: Sequence[str]) -> ModelKind:
    """Return the kind of a model by the names of its architectures, or raise `PipelineError`."""
    kinds: list[ModelKind] = [
        kind for kind, ends in _ENDINGS.items() if any(name.endswith(ends) for name in architectures)
    ]
    if len(kinds) != 1:
        expected = ", ".join(end for ends in _ENDINGS.values() for end in ends)
        reason = f"found architectures {shown(list(architectures))}, expected one that ends in {expected}"
        raise PipelineError(path, None, f"[model] no language model; {reason}")
    return kinds[0]
