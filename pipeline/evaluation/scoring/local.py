"""Language models on this machine: a folder of transformers, or a GGUF file."""

import contextlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ...core.errors import PipelineError, shown
from ...core.packages import require_packages
from ..gguf import GGUF
from .scores import TextScore, Token

#: Kinds of language models: those that read from left to right, those that fill a mask, and those that write after they have read.
ModelKind = Literal["causal", "masked", "encoder-decoder"]
#: How the names of architectures end, which config.json gives, by kind.
_ENDINGS: dict[ModelKind, tuple[str, ...]] = {
    "causal": ("ForCausalLM", "LMHeadModel"),
    "masked": ("ForMaskedLM", "ForPreTraining"),
    "encoder-decoder": ("ForConditionalGeneration",),
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
        auto = {
            "causal": transformers.AutoModelForCausalLM,
            "masked": transformers.AutoModelForMaskedLM,
            "encoder-decoder": transformers.AutoModelForSeq2SeqLM,
        }[kind]
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


class LocalModel:
    """A causal language model of transformers with its tokenizer, in single precision; a fast tokenizer gives the places of tokens.

    A text begins with the tokenizer's sign for a beginning, or else with its sign for an end, as in lm-evaluation-harness
    (`prefix_token_id`); without either, the first token has no probability.
    """

    def __init__(self, name: str, model: Any, tokenizer: Any, batch: int = 8) -> None:
        self.name, self._batch = name, batch
        self._model, self._tokenizer = model.eval(), tokenizer
        sign = tokenizer.bos_token_id
        self._begin: int | None = tokenizer.eos_token_id if sign is None else sign
        self._limit: int | None = getattr(model.config, "max_position_embeddings", None)

    def tokenise(self, texts: Sequence[str]) -> list[tuple[Token, ...]]:
        """Return the tokens of texts, without the sign that begins a text."""
        return [tuple(self._tokenizer(text, add_special_tokens=False)["input_ids"]) for text in texts]

    def score(self, texts: Sequence[str]) -> list[TextScore]:
        """Return the scores of texts, in their order.

        Texts of like length are padded at their end to one batch. A token sees only those before it, so that the padding changes
        nothing but the last digits.

        Raises:
            PipelineError: a text is longer than the model allows, or a log-probability is not finite.
        """
        encoded = [self._encode(text) for text in texts]
        order = sorted(range(len(texts)), key=lambda number: len(encoded[number][0]))
        scores: dict[int, TextScore] = {}
        for start in range(0, len(order), self._batch):
            numbers = order[start : start + self._batch]
            rows = self._run([encoded[number][0] for number in numbers])
            for number, logprobs in zip(numbers, rows, strict=True):
                ids, ends = encoded[number]
                scores[number] = TextScore(texts[number], tuple(ids), logprobs, ends)
        return [scores[number] for number in range(len(texts))]

    def _encode(self, text: str) -> tuple[list[int], tuple[int, ...] | None]:
        """Return the tokens of a text and their ends, None without a fast tokenizer."""
        fast = bool(self._tokenizer.is_fast)
        encoding = self._tokenizer(text, add_special_tokens=False, return_offsets_mapping=fast)
        ids: list[int] = encoding["input_ids"]
        size = len(ids) + (self._begin is not None)
        if self._limit is not None and size > self._limit:
            reason = f"[model] text too long for {self.name}; found {size} tokens, expected at most {self._limit}"
            raise PipelineError(None, None, f"{reason}: {shown(text)}")
        if not ids:
            raise PipelineError(None, None, f"[model] the tokenizer of {self.name} makes no token of {shown(text)}")
        return ids, tuple(end for _, end in encoding["offset_mapping"]) if fast else None

    def _run(self, batch: Sequence[list[int]]) -> Iterator[tuple[float | None, ...]]:
        """Yield the log-probabilities of the tokens of each text of a batch."""
        import torch

        begin = [] if self._begin is None else [self._begin]
        rows = [begin + ids for ids in batch]
        width = max(map(len, rows))
        ids = torch.tensor([row + [row[-1]] * (width - len(row)) for row in rows], device=self._model.device)
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows], device=self._model.device)
        with torch.inference_mode():
            logits = self._model(input_ids=ids, attention_mask=mask, use_cache=False).logits
        for number, row in enumerate(rows):
            own = logits[number, : len(row) - 1].float()
            targets = ids[number, 1 : len(row)]
            chosen = own.gather(1, targets[:, None])[:, 0]
            values = (chosen - own.logsumexp(1)).double().tolist()
            if not all(-1e30 < value <= 0.001 for value in values):  # nan compares as false
                raise PipelineError(None, None, f"[model] {self.name} gives a log-probability that is not finite")
            first: list[None] = [] if begin else [None]
            yield (*first, *(min(value, 0.0) for value in values))
