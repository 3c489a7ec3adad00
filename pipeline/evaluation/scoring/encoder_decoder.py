"""Encoder-decoder models on this machine, such as FLAN-T5: what they write to a prompt, and the probability of what follows a context.

The encoder reads the context or the prompt, the decoder writes what follows, as in lm-evaluation-harness: the tokens that the tokenizer
puts around a text stand around the context only.
"""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ...core.errors import PipelineError, shown
from .local import read_model
from .scores import TextScore, Token

#: What the name of a model begins with if it is the folder of an encoder-decoder model that is asked.
SEQ2SEQ = "seq2seq:"


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
            pairs = list(zip(contexts, continuations, strict=True))[start : start + self._batch]
            before = self.tokenise([context for context, _ in pairs])
            after = [tuple(self._tokenizer(text, add_special_tokens=False)["input_ids"]) for _, text in pairs]
            for (context, text), tokens in zip(pairs, before, strict=True):
                self._require_tokens(context, tokens)
                self._require_tokens(text, after[len(scores) - start])
                scores.append(TextScore(f"{context}{text}", tokens, (None,) * len(tokens), None))
            for number, (ids, logprobs) in enumerate(zip(after, self._run(before, after), strict=True), start):
                whole = scores[number]
                scores[number] = TextScore(whole.text, whole.tokens + ids, whole.logprobs + logprobs, None)
        return scores

    def _require_tokens(self, text: str, tokens: Sequence[Token]) -> None:
        unknown = self._tokenizer.unk_token_id
        if unknown is not None and unknown in tokens:
            raise PipelineError(
                None, None, f"[model] the tokenizer of {self.name} has no token for a part of {shown(text)}"
            )

    def _run(
        self, before: Sequence[tuple[Token, ...]], after: Sequence[tuple[Token, ...]]
    ) -> Iterator[tuple[float, ...]]:
        """Yield the log-probabilities of the tokens behind each context of a batch."""
        import torch

        width, length = max(map(len, before)), max(1, *map(len, after))
        pad = self._tokenizer.pad_token_id or 0
        device = self._model.device
        ids = torch.tensor([[*row, *[pad] * (width - len(row))] for row in before], device=device)
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in before], device=device)
        labels = torch.tensor([[*row, *[-100] * (length - len(row))] for row in after], device=device)
        with torch.inference_mode():
            logits = self._model(input_ids=ids, attention_mask=mask, labels=labels).logits.float()
        for number, row in enumerate(after):
            of_row = logits[number, : len(row)]
            chosen = of_row.gather(1, labels[number, : len(row), None])[:, 0]
            values = (chosen - of_row.logsumexp(1)).double().tolist()
            if not all(-1e30 < value <= 0.001 for value in values):  # nan compares as false
                raise PipelineError(None, None, f"[model] {self.name} gives a log-probability that is not finite")
            yield tuple(min(value, 0.0) for value in values)


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
            output.usage = ModelUsage(
                input_tokens=written.prompt_tokens,
                output_tokens=written.answer_tokens,
                total_tokens=written.prompt_tokens + written.answer_tokens,
            )
            return output

    modelapi(name="seq2seq")(Provider)
    return f"seq2seq/{opened.name}"
