"""Encoder-decoder models on this machine, such as FLAN-T5: what they write to a prompt, and the probability of what follows a context.

The encoder reads the context or the prompt, the decoder writes what follows, as in lm-evaluation-harness: the tokens that the tokenizer
puts around a text stand around the context only.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ...core.errors import PipelineError, shown
from .local import read_model
from .scores import TextScore, Token

#: What the name of a model begins with if it is the folder of an encoder-decoder model that is asked.
SEQ2SEQ = "seq2seq:"
#: The label of what is no token; one stands behind every text, so that none is empty.
_NO_LABEL = -100


class Written(NamedTuple):
    """What a model wrote to a prompt, and the lengths of both in tokens."""

    text: str
    prompt_tokens: int
    answer_tokens: int


class EncoderDecoder:
    """An encoder-decoder model of transformers with its tokenizer, in single precision."""

    def __init__(self, name: str, model: Any, tokenizer: Any, batch: int = 8) -> None:
        self.name, self._batch = name, batch
        self._model, self._tokenizer = model.eval(), tokenizer

    def write(self, prompt: str, max_tokens: int) -> Written:
        """Return what the model writes to a prompt, the most probable token each time."""
        import torch

        encoded = self._tokenizer(prompt, return_tensors="pt").to(self._model.device)
        ids = encoded["input_ids"]
        with torch.inference_mode():
            (output,) = self._model.generate(
                input_ids=ids, attention_mask=encoded["attention_mask"], max_new_tokens=max_tokens, do_sample=False
            )
        text = self._tokenizer.decode(output, skip_special_tokens=True)
        return Written(text, ids.shape[1], len(output) - 1)  # the first token begins every answer

    def tokenise(self, texts: Sequence[str]) -> list[tuple[Token, ...]]:
        """Return the tokens of contexts, with those that the tokenizer puts around a text."""
        return [tuple(self._tokenizer(text)["input_ids"]) for text in texts]

    def score_after(self, contexts: Sequence[str], continuations: Sequence[str]) -> list[TextScore]:
        """Return the scores of texts, in their order: the tokens of a context have no probability.

        Raises:
            PipelineError: the tokenizer has no token for a part of a text, as that of FLAN-T5 has none for Chinese; or a
                log-probability is not finite.
        """
        scores: list[TextScore] = []
        for start in range(0, len(contexts), self._batch):
            batch = slice(start, start + self._batch)
            scores += self._batch_scores(contexts[batch], continuations[batch])
        return scores

    def _require_tokens(self, text: str, tokens: Sequence[Token]) -> None:
        unknown = self._tokenizer.unk_token_id
        if unknown is not None and unknown in tokens:
            raise PipelineError(
                None, None, f"[model] the tokenizer of {self.name} has no token for a part of {shown(text)}"
            )

    def _batch_scores(self, contexts: Sequence[str], continuations: Sequence[str]) -> Iterator[TextScore]:
        import torch
        from torch.nn.functional import cross_entropy
        from torch.nn.utils.rnn import pad_sequence

        before = self.tokenise(contexts)
        after = [tuple(self._tokenizer(text, add_special_tokens=False)["input_ids"]) for text in continuations]
        for text, tokens in zip([*contexts, *continuations], [*before, *after], strict=True):
            self._require_tokens(text, tokens)

        def padded(rows: Iterable[Sequence[Token]], padding: int) -> Any:
            return pad_sequence([torch.tensor(row, device=self._model.device) for row in rows], True, padding)

        mask = padded(([1] * len(row) for row in before), 0)
        labels = padded(([*row, _NO_LABEL] for row in after), _NO_LABEL)
        with torch.inference_mode():
            ids = padded(before, self._tokenizer.pad_token_id or 0)
            logits = self._model(input_ids=ids, attention_mask=mask, labels=labels).logits.float()
            losses = cross_entropy(logits.transpose(1, 2), labels, reduction="none", ignore_index=_NO_LABEL).tolist()
        for context, text, head, tail, row in zip(contexts, continuations, before, after, losses, strict=True):
            values = row[: len(tail)]
            if not all(-0.001 <= value < 1e30 for value in values):  # nan compares as false
                raise PipelineError(None, None, f"[model] {self.name} gives a log-probability that is not finite")
            logprobs = *(None,) * len(head), *(min(-value, 0.0) for value in values)
            yield TextScore(f"{context}{text}", head + tail, logprobs, None)


def fingerprint(folder: Path) -> str:
    """Return what decides the answers of a model: the SHA-256 of the files of its folder."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        with path.open("rb") as stream:
            digest.update(f"{path.relative_to(folder)} {hashlib.file_digest(stream, 'sha256').hexdigest()}\n".encode())
    return digest.hexdigest()


def inspect_name(folder: Path) -> str:
    """Load an encoder-decoder model, register it as a provider of Inspect, and return its name there.

    Raises:
        PipelineError: there is no such model, it is of another kind, or a package is missing (`read_model`).
    """
    loaded = read_model(str(folder), ("encoder-decoder",))
    opened = EncoderDecoder(loaded.name, loaded.model, loaded.tokenizer)
    from inspect_ai.model import GenerateConfig, ModelAPI, ModelOutput, ModelUsage, modelapi

    class Provider(ModelAPI):
        async def generate(self, input: Any, tools: Any, tool_choice: Any, config: GenerateConfig) -> ModelOutput:  # noqa: A002, ARG002
            written = opened.write("\n".join(message.text for message in input), config.max_tokens or 128)
            output = ModelOutput.from_content(self.model_name, written.text)
            lengths = written.prompt_tokens, written.answer_tokens
            output.usage = ModelUsage(input_tokens=lengths[0], output_tokens=lengths[1], total_tokens=sum(lengths))
            return output

    modelapi(name="seq2seq")(Provider)
    return f"seq2seq/{opened.name}"
