"""Language models behind a server with an OpenAI interface whose completions give log-probabilities of the prompt."""

import os
from collections.abc import Sequence
from math import isfinite
from typing import Any

from ...core.errors import PipelineError
from ...core.packages import install_command
from .encoder_decoder import EncoderDecoder
from .local import LocalModel, read_model
from .scores import LanguageModel, TextScore, Token

#: The key of the server comes from this environment variable; servers of one's own need none.
KEY = "OPENAI_API_KEY"
#: Number of seconds after which a request has failed, and the number of times that it is then repeated.
TIMEOUT, RETRIES = 120.0, 3
#: What a server writes for bytes that are no whole character.
_REPLACEMENT = "\ufffd"


class ServerModel:
    """A model behind a server.

    Each text is sent to ``/completions`` with ``echo`` and ``logprobs``, which gives the tokens of the text with their
    log-probabilities, and one token more, which is dropped. vLLM's server answers so. llama.cpp's (tried with xllamacpp 2026) ignores
    ``echo`` and gives the log-probability of what it generates only, which is refused: its GGUF files are read by `local`. A server
    writes tokens as texts, and a part of a character as U+FFFD, so that two such tokens count as the same where contexts are compared.

    Args:
        url: the address of the server up to and with ``/v1``.
        name: the name under which its answers are reported; empty for that at the server.
    """

    def __init__(self, model: str, url: str, name: str = "", batch: int = 8) -> None:
        try:
            import openai
        except ImportError as error:
            raise PipelineError(None, None, f"[model] openai is missing; run {install_command('evaluate')}") from error
        self._model, self.name, self._batch = model, name or model, batch
        self._errors = openai.OpenAIError
        self._client = openai.OpenAI(
            base_url=url, api_key=os.environ.get(KEY) or "none", timeout=TIMEOUT, max_retries=RETRIES
        )

    def tokenise(self, texts: Sequence[str]) -> list[tuple[Token, ...]]:
        """Return the tokens of texts, without the sign that begins a text."""
        return [score.tokens for score in self.score(texts)]

    def score(self, texts: Sequence[str]) -> list[TextScore]:
        """Return the scores of texts, in their order.

        Raises:
            PipelineError: the server does not answer, or gives no log-probabilities of the prompt.
        """
        scores: list[TextScore] = []
        for start in range(0, len(texts), self._batch):
            part = list(texts[start : start + self._batch])
            scores += [echoed_score(text, choice) for text, choice in zip(part, self._complete(part), strict=True)]
        return scores

    def _complete(self, texts: list[str]) -> list[Any]:
        try:
            answer = self._client.completions.create(
                model=self._model, prompt=texts, max_tokens=1, temperature=0.0, echo=True, logprobs=1
            )
            choices = sorted(answer.model_dump()["choices"], key=lambda choice: choice["index"])
        except self._errors as error:
            # Not the server's own words, which may quote the key.
            status = getattr(error, "status_code", None)
            reason = (
                f"request refused; found HTTP status {status}"
                if status
                else "no answer; does it run, with this address?"
            )
            raise PipelineError(None, None, f"[server] {reason}, {_EXPECTED}") from error
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise PipelineError(None, None, f"[server] unexpected response, {_EXPECTED}") from error
        if len(choices) != len(texts):
            mismatch = f"found {len(choices)} completions of {len(texts)} texts"
            raise PipelineError(None, None, f"[server] {mismatch}, {_EXPECTED}")
        return choices


_EXPECTED = "expected completions with log-probabilities of the prompt (echo and logprobs, as vLLM gives them)"


def echoed_score(text: str, choice: Any) -> TextScore:
    """Return the score of a text from a choice of a completion that echoes it.

    The places of tokens are taken from their texts, not from ``text_offset``: servers write a part of a character as U+FFFD, and
    their offsets then run wrong. Where a token's text is no part of the text, the places are unknown.

    Args:
        choice: the choice, as JSON: ``logprobs`` with ``tokens`` and ``token_logprobs``. One generated token follows those of the text.

    Raises:
        PipelineError: the choice is malformed, or has log-probabilities of what was generated only.
    """
    logprobs = choice.get("logprobs") if isinstance(choice, dict) else None
    given: dict[str, Any] = logprobs if isinstance(logprobs, dict) else {}
    tokens, values = given.get("tokens"), given.get("token_logprobs")
    if not (isinstance(tokens, list) and isinstance(values, list) and len(tokens) == len(values) > 1):
        raise PipelineError(None, None, f"[server] no log-probabilities of the prompt, {_EXPECTED}")
    if not all(isinstance(token, str) for token in tokens) or not all(map(_is_logprob, values[1:])):
        raise PipelineError(None, None, f"[server] unexpected log-probabilities, {_EXPECTED}")
    if not (values[0] is None or _is_logprob(values[0])):
        raise PipelineError(None, None, f"[server] unexpected log-probabilities, {_EXPECTED}")
    # The sign that begins the text has no place in it.
    in_text = text.startswith(tokens[0]) or _REPLACEMENT in tokens[0]
    begin = 1 if values[0] is None and len(tokens) > 2 and not in_text else 0
    tokens, values = tokens[begin:-1], values[begin:-1]
    return TextScore(text, tuple(tokens), tuple(values), _ends(text, tokens))


def _ends(text: str, tokens: Sequence[str]) -> tuple[int, ...] | None:
    """Return the character behind each token; None if the tokens are not the text."""
    ends, end = list[int](), 0
    for token in tokens:
        if not text.startswith(token, end):
            return None
        end += len(token)
        ends.append(end)
    return tuple(ends) if end == len(text) else None


def _is_logprob(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and value <= 0.001


def open_model(source: str, base_url: str = "", name: str = "", batch: int = 8) -> LanguageModel | EncoderDecoder:
    """Return a model on this machine: a folder of transformers, or ``gguf:`` and a path; with an address, the model of that name there.

    Its answers are reported under `name`, or under its own where that is empty. A model on this machine scores `batch` texts at once.
    Raises `PipelineError` if there is no such model, or a package is missing.
    """
    if base_url:
        return ServerModel(source, base_url, name, batch)
    loaded = read_model(source, ("causal", "encoder-decoder"))
    kind = EncoderDecoder if loaded.kind == "encoder-decoder" else LocalModel
    return kind(name or loaded.name, loaded.model, loaded.tokenizer, batch)
