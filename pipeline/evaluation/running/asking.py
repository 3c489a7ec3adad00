"""Put questions to a language model through Inspect."""

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ...core.errors import PipelineError, shown
from ...core.packages import require_packages
from .failures import model_failure
from .llama_server import has_template
from .serving import fingerprint, require_gguf, served
from .store import ReplyStore, Settings, StoredReply

if TYPE_CHECKING:
    from inspect_ai.model import Model, ModelOutput

#: What the name of a model begins with if it is a GGUF file on this machine.
GGUF = "gguf:"
_T = TypeVar("_T")
#: Questions under way at the same time, unless the model is served here.
CONNECTIONS = 8
#: Times that Inspect repeats a request that failed in a way that another attempt may overcome.
RETRIES = 3
#: Seconds after which an attempt counts as failed.
ATTEMPT_TIMEOUT = 600


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt, and the name under which its reply comes back."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model wrote.

    Attributes:
        id: of the question.
        text: the reply as it came, empty if the model wrote nothing or its provider withheld it.
        prompt_tokens: length of the question in the model's tokens, with what its chat template adds; None if the server did not count.
        answer_tokens: length of the reply in tokens; None if the server did not count.
    """

    id: str
    text: str
    prompt_tokens: int | None
    answer_tokens: int | None


def _show_nothing(done: int, total: int) -> None:
    """Ignore progress."""


def ask(
    questions: Sequence[Question],
    model: str,
    cache: Path,
    *,
    base_url: str = "",
    max_tokens: int = 128,
    temperature: float = 0.0,
    top_p: float = 0.9,
    connections: int = CONNECTIONS,
    threads: int = 1,
    progress: Callable[[int, int], None] = _show_nothing,
) -> list[Reply]:
    """Return the reply of a model to each question, in the order of the questions.

    Every reply is stored in `cache` as soon as it comes, and a stored one is not asked for again: a run that was killed continues.
    Two models of the same name need two folders, as a server may move to another address; GGUF files are told apart by their content,
    and by what serves them.
    The defaults of tokens, temperature and top-p are those of WSC-ZA (Appendix A). Keys are read from the environment by the
    provider (``OPENAI_API_KEY`` …) and written nowhere. Questions with the same text are asked once.

    Args:
        questions: their ids differ.
        model: ``gguf:PATH`` for a file that is served here while questions are open, or a name of Inspect, such as
            ``openai/gpt-4o``, or ``openai-api/local/NAME`` with the address of its server.
        cache: folder of the replies, created if need be.
        base_url: address of the server, such as ``http://127.0.0.1:8000/v1``; empty for the provider's own.
        max_tokens: maximum length of a reply.
        temperature: 0 for the most probable token each time.
        top_p: mass of the probability that is sampled from.
        connections: questions under way at the same time; a GGUF file answers one at a time.
        threads: threads that compute, for a GGUF file.
        progress: called with the number of replies and of questions.

    Raises:
        PipelineError: the model cannot be reached, is unknown, refuses the key, or a package is missing; replies so far are kept.
        ValueError: two questions have the same id.
    """
    if repeated := [name for name, count in Counter(question.id for question in questions).items() if count > 1]:
        raise ValueError(f"two questions have the id {repeated[0]!r}")
    settings = Settings(model_identity(model), max_tokens, temperature, top_p)
    with ReplyStore(cache) as store:
        texts = dict.fromkeys(question.text for question in questions)
        open_texts = [text for text in texts if store.reply(settings, text) is None]
        if open_texts:
            with _address(model, base_url, threads) as (name, address):
                run = _Run(store, settings, len(texts), len(open_texts), progress)
                run.ask(open_texts, name, address, 1 if model.startswith(GGUF) else connections)
        replies = {text: store.reply(settings, text) for text in texts}
    return [
        Reply(question.id, reply.text, reply.prompt_tokens, reply.answer_tokens)
        for question in questions
        if (reply := replies[question.text])
    ]


def goes_on(model: str) -> bool:
    """Tell whether a model only goes on with texts: a GGUF file without a chat template.

    Raises:
        PipelineError: the file is not there, or is no GGUF file.
    """
    if not model.startswith(GGUF):
        return False
    path = Path(model.removeprefix(GGUF))
    require_gguf(path)
    return not has_template(path)


def model_label(model: str) -> str:
    """Return the name of a model for tables.

    >>> model_label("gguf:models/gemma-3-270m-q4_k_m.gguf"), model_label("openai/gpt-4o")
    ('gemma-3-270m-q4_k_m', 'openai/gpt-4o')
    """
    return Path(model.removeprefix(GGUF)).stem if model.startswith(GGUF) else model


def model_identity(model: str) -> str:
    """Return what says which model answers: its name; for a GGUF file that of `fingerprint`, which also says what it raises."""
    return fingerprint(Path(model.removeprefix(GGUF))) if model.startswith(GGUF) else model


@contextmanager
def _address(model: str, base_url: str, threads: int) -> Iterator[tuple[str, str]]:
    """Yield Inspect's name of a model and the address of its server, which runs as long as the block."""
    require_packages("evaluate", "inspect_ai", "openai")
    if not model.startswith(GGUF):
        yield model, base_url
        return
    if base_url:
        raise PipelineError(None, None, "[base-url] not for a GGUF file, which is served here; leave it out")
    path = Path(model.removeprefix(GGUF))
    with served(path, threads) as address:
        yield f"openai-api/local/{path.stem}", address


def _finished(run: Callable[[], _T]) -> _T:
    """Return the result of a run that needs a loop of its own: in another thread where one is running, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return run()
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


class _Run:
    """The questions of one call that have no reply yet."""

    def __init__(
        self, store: ReplyStore, settings: Settings, total: int, missing: int, progress: Callable[[int, int], None]
    ) -> None:
        self._store, self._settings, self._progress = store, settings, progress
        self._total, self._done = total, total - missing

    def ask(self, texts: Sequence[str], name: str, address: str, connections: int) -> None:
        """Ask, and store each reply; raises `PipelineError` after the first failure."""
        try:
            failures = _finished(lambda: asyncio.run(self._ask_all(texts, name, address, connections)))
        except Exception as error:
            failures = [error]
        for failure in failures:
            raise model_failure(failure, name, address) from failure

    async def _ask_all(self, texts: Sequence[str], name: str, address: str, connections: int) -> list[Exception]:
        """Return the failures after which no further question was asked; what was under way is still stored."""
        from inspect_ai.model import get_model

        failures: list[Exception] = []
        waiting = iter(texts[1:])

        async def work(model: "Model") -> None:
            for text in waiting:
                if failures:
                    return
                try:
                    await self._ask_one(text, model)
                except Exception as error:
                    failures.append(error)

        async with get_model(name, base_url=address or None, memoize=False, **_own_key(name, address)) as model:
            # The first question alone: what cannot work is refused before many are under way.
            await self._ask_one(texts[0], model)
            await asyncio.gather(*(work(model) for _ in range(connections)))
        return failures

    async def _ask_one(self, text: str, model: "Model") -> None:
        from inspect_ai.model import GenerateConfig

        settings = self._settings
        config = GenerateConfig(
            max_tokens=settings.max_tokens,
            temperature=settings.temperature,
            top_p=settings.top_p,
            max_retries=RETRIES,
            attempt_timeout=ATTEMPT_TIMEOUT,
            max_connections=1_000,  # the number of workers decides
        )
        output = await model.generate(text, config=config)
        if output.usage is None and output.stop_reason == "model_length":
            # Inspect makes the server's words a reply; as an answer they would be kept for ever.
            raise PipelineError(None, None, f"[model] {shown(model.name)}: a prompt is too long for it, with its reply")
        self._store.add(settings, text, _stored(output))
        self._done += 1
        self._progress(self._done, self._total)


def _own_key(name: str, address: str) -> dict[str, Any]:
    """Return the argument that lets a server without a key be asked: Inspect wants one to be set."""
    provider, _, rest = name.partition("/")
    variable = f"{rest.partition('/')[0].upper().replace('-', '_')}_API_KEY"
    return {"api_key": "none"} if provider == "openai-api" and address and not os.environ.get(variable) else {}


def _stored(output: "ModelOutput") -> StoredReply:
    usage = output.usage
    counts = (usage.input_tokens, usage.output_tokens) if usage else (None, None)
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0) if usage else 0
    prompt = None if counts[0] is None else counts[0] + cached
    withheld = usage is None and output.stop_reason == "content_filter"  # its text is the provider's message
    text = (
        "" if withheld else output.completion.encode("utf-8", "replace").decode()
    )  # half a character cannot be stored
    return StoredReply(text, prompt, counts[1], output.stop_reason if output.choices else "")
