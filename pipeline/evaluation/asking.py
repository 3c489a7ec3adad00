"""Put questions to a language model through Inspect, which asks, caches and logs."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import PipelineError, shown
from ..core.packages import require_packages
from .gguf import GGUF, fingerprint, has_template, require_gguf, served
from .scoring.encoder_decoder import SEQ2SEQ, inspect_name
from .scoring.encoder_decoder import fingerprint as fingerprint_of_folder

if TYPE_CHECKING:
    from inspect_ai.model import CachePolicy, Model, ModelOutput
    from inspect_ai.solver import Solver

#: What a run writes into its folder: Inspect's cache of replies, and its logs.
FILES = ("generate/*/*/*/*", "logs/*.eval")
#: Questions under way at the same time, unless the model is served here.
CONNECTIONS = 8
#: Times that Inspect repeats a request that failed in a way that another attempt may overcome.
RETRIES = 3
#: Seconds after which an attempt counts as failed.
ATTEMPT_TIMEOUT = 600
#: Inspect keeps this refusal too, so that another folder is needed once the model takes longer prompts.
_TOO_LONG = "a prompt is too long for it, with its reply; for a larger context give another folder of replies"
#: Style tags of rich, in which Inspect writes its messages.
_STYLE = re.compile(r"\[/?(?:bold|blue|red|italic)\]")
#: What a status of a server means.
_STATUSES = {
    400: "request refused; does the model exist, is the prompt too long for it?",
    401: "key refused; set the right one in the environment",
    402: "nothing paid for; the account has no credit",
    403: "not permitted for this key",
    404: "no such model, or no such address; expected an address that ends in /v1",
    422: "request refused; is this a server with an OpenAI interface?",
    429: "too many requests, or the quota is used up",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model wrote."""

    text: str  # the reply as it came, empty if the model wrote nothing or its provider withheld it
    #: Length of the prompt in the model's tokens, with what its chat template adds; None if the server did not count.
    prompt_tokens: int | None
    answer_tokens: int | None  # length of the reply in tokens; None if the server did not count


def ask(
    prompts: Sequence[str],
    model: str,
    folder: Path,
    *,
    base_url: str = "",
    max_tokens: int = 128,
    temperature: float = 0.0,
    top_p: float = 0.9,
    connections: int = CONNECTIONS,
    threads: int = 1,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> list[Reply]:
    """Return the reply of a model to each prompt, in the order of the prompts.

    Inspect keeps every reply in `folder` as soon as it comes, and a stored one is not asked for again: a run that was killed continues.
    Its key is the prompt, the settings, and the model: its name with the address of its server, or the content of a GGUF file with
    what serves it. The log of a finished run stands in ``logs`` (``inspect view``). The defaults of tokens, temperature and top-p are
    those of WSC-ZA (Appendix A). Keys are read from the environment by the provider (``OPENAI_API_KEY`` …) and reach no file. Equal
    prompts are asked once.

    Args:
        model: ``gguf:PATH`` for a file that is served here, ``seq2seq:FOLDER`` for an encoder-decoder model, or a name of Inspect,
            such as ``openai/gpt-4o``, or
            ``openai-api/local/NAME`` with the address of its server.
        base_url: address of the server, such as ``http://127.0.0.1:8000/v1``; empty for the provider's own.
        temperature: 0 for the most probable token each time.
        top_p: the mass of probability that is sampled from, from 0 to 1.
        connections: prompts under way at the same time; a GGUF file answers one at a time.
        progress: called with the number of replies and of different prompts.

    Raises:
        PipelineError: the model cannot be reached, is unknown, refuses the key, or a package is missing; replies so far are kept.
    """
    local = model.startswith(GGUF)
    if base_url and model.startswith((GGUF, SEQ2SEQ)):
        raise PipelineError(None, None, "[base-url] not for a model on this machine; leave it out")
    require_packages("evaluate", "inspect_ai", "openai")
    texts = list(dict.fromkeys(prompts))
    if not texts:
        return []
    config = {"max_tokens": max_tokens, "temperature": temperature, "top_p": top_p}
    if model.startswith(SEQ2SEQ):
        place = Path(model.removeprefix(SEQ2SEQ))
        name = inspect_name(place)
        outputs = _outputs(texts, name, folder, "", fingerprint_of_folder(place), config, 1, progress)
    elif not local:
        outputs = _outputs(texts, model, folder, base_url, "", config, connections, progress)
    else:
        path = Path(model.removeprefix(GGUF))
        content = fingerprint(path)
        with served(path, threads) as address:
            outputs = _outputs(texts, f"openai-api/local/{path.stem}", folder, address, content, config, 1, progress)
    replies = {text: _reply(output) for text, output in zip(texts, outputs, strict=True)}
    return [replies[prompt] for prompt in prompts]


def goes_on(model: str) -> bool:
    """Tell whether a model only goes on with texts: a GGUF file without a chat template; raises `PipelineError` if it is no GGUF file."""
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
    if model.startswith(SEQ2SEQ):
        return Path(model.removeprefix(SEQ2SEQ)).resolve().name
    return Path(model.removeprefix(GGUF)).stem if model.startswith(GGUF) else model


def _outputs(
    texts: Sequence[str],
    name: str,
    folder: Path,
    address: str,
    content: str,
    config: dict[str, Any],
    connections: int,
    progress: Callable[[int, int], None],
) -> "list[ModelOutput]":
    """Return the output of a model for each text from the log of Inspect; raises `PipelineError` for the first failure."""
    from inspect_ai import Task, eval  # noqa: A004 - Inspect's name
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import CachePolicy, get_model

    failures: list[Exception] = []
    samples = MemoryDataset([Sample(text, id=number) for number, text in enumerate(texts)])
    policy = CachePolicy(expiry=None, per_epoch=False, scopes={"model": content} if content else {})
    try:
        with _cache_in(folder):
            asked = get_model(name, base_url=address or None, memoize=False, **_own_key(name, address))
            if content:  # the key of a stored reply has the content of the file, not the port of today's server
                asked.api.base_url = None
            logs = eval(
                Task(samples, solver=_careful_solver(asked, policy, failures, len(texts), progress), name="prompts"),
                asked,
                **config,
                display="none",
                log_dir=str(folder / "logs"),
                log_realtime=False,
                ctl_server=False,
                log_model_api=False,
                fail_on_error=False,
                max_samples=connections,
                max_connections=connections,
                max_retries=RETRIES,
                attempt_timeout=ATTEMPT_TIMEOUT,
            )
    except Exception as error:  # Inspect and its providers raise whatever their packages raise
        raise model_failure(error, name, address) from error
    if not logs or logs[0].status == "cancelled":  # Inspect takes Ctrl-C for an evaluation that ends early
        raise KeyboardInterrupt
    log = logs[0]
    if failures:
        Path(log.location).unlink()  # it may quote a key that the server wrote into its refusal
        raise model_failure(failures[0], name, address) from None
    return [sample.output for sample in sorted(log.samples or [], key=lambda sample: int(sample.id))]


def _careful_solver(
    model: "Model", policy: "CachePolicy", failures: list[Exception], total: int, progress: Callable[[int, int], None]
) -> "Solver":
    """Return a solver that asks nothing after the first failure, and closes the model after the last of all samples."""
    from inspect_ai.solver import Generate, TaskState, solver

    ended: list[bool] = []

    @solver
    def careful() -> "Solver":
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            try:
                if failures:
                    raise PipelineError(None, None, "[model] not asked after a failure")
                state = await generate(state, cache=policy)
                if state.output.usage is None and state.output.stop_reason == "model_length":
                    # Inspect makes the server's refusal a reply.
                    raise PipelineError(None, None, f"[model] {shown(model.name)}: {_TOO_LONG}")
            except Exception as error:
                failures.append(error)
                raise PipelineError(None, None, "[model] no reply") from None
            finally:
                ended.append(True)
                if len(ended) == total:
                    await model.api.aclose()
            progress(len(ended), total)
            return state

        return solve

    return careful()


@contextmanager
def _cache_in(folder: Path) -> Iterator[None]:
    """Let Inspect keep its cache in a folder, and trace no request in the user's home: a trace quotes what servers say."""
    settings = {"INSPECT_CACHE_DIR": str(folder.resolve()), "INSPECT_TRACE_LEVEL": "CRITICAL"}
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _own_key(name: str, address: str) -> dict[str, Any]:
    """Return the argument that lets a server without a key be asked: Inspect wants one to be set."""
    provider, _, rest = name.partition("/")
    variable = f"{rest.partition('/')[0].upper().replace('-', '_')}_API_KEY"
    return {"api_key": "none"} if provider == "openai-api" and address and not os.environ.get(variable) else {}


def _reply(output: "ModelOutput") -> Reply:
    usage = output.usage
    if usage is None and output.stop_reason == "content_filter":  # its text is the provider's message
        return Reply("", None, None)
    text = output.completion.encode("utf-8", "replace").decode()  # half a character cannot be stored
    if usage is None:
        return Reply(text, None, None)
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return Reply(text, usage.input_tokens + cached, usage.output_tokens)


def model_failure(error: BaseException, model: str, place: str) -> PipelineError:
    """Return what the user reads when a model at an address (empty: the provider's own) cannot answer: one line.

    It leaves out the server's own words, which may quote a key.
    """
    cause = error.__cause__ if type(error).__name__ == "RetryError" and error.__cause__ else error
    if isinstance(cause, PipelineError):
        return cause
    status = getattr(cause, "status_code", None)
    if isinstance(status, int):
        meaning = _STATUSES.get(status, "the server failed" if status >= 500 else "request refused")
        reason = f"{meaning}; found HTTP status {status}"
    elif type(cause).__name__ in ("APIConnectionError", "ConnectError", "ConnectTimeout", "APITimeoutError"):
        reason = f"no server answers at {place or 'its address'}; start it, or give another --base-url"
    elif type(cause).__name__ == "PrerequisiteError":
        message = _STYLE.sub("", str(getattr(cause, "message", "")))
        reason = " ".join(message.replace("ERROR: ", "").split())
    elif isinstance(cause, ValueError) and re.search(r"Model.*(?:not recognized|format)", str(cause), re.DOTALL):
        reason = "unknown model; expected gguf:PATH, or PROVIDER/NAME such as openai/gpt-4o or openai-api/local/NAME"
    else:
        reason = f"the model failed with {type(cause).__name__}"
    return PipelineError(None, None, f"[model] {shown(model)}: {reason}")
