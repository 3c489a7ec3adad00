"""A GGUF file served on loopback by llama.cpp, in a process of its own that ends with its parent.

`served` starts this module with ``python -m`` and reads one line from its standard output: the address. Standard input is a pipe from
the parent; when the parent ends, however it ends, the pipe does too, and so does the server.
"""

import hashlib
import mmap
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from ..core.errors import PipelineError, shown
from ..core.packages import require_packages

#: What the name of a model begins with if it is a GGUF file on this machine.
GGUF = "gguf:"
#: Tokens of prompt and reply together.
CONTEXT = 4096
#: Seconds that a server gets to end before it is killed.
GRACE = 5.0
#: What a base model is given: the text alone. Its file has no template, and llama.cpp would take one with marks that it never saw.
#: It ends a line, unless the text ends with the beginning of an answer.
PLAIN = (
    "{% for message in messages %}{{ message['content'] }}"
    "{% if not message['content'].endswith(':') and not message['content'].endswith('：') %}\n{% endif %}{% endfor %}"
)
#: Bytes of a GGUF file in which its template is sought: its metadata come first.
METADATA = 64_000_000
_MAGIC = b"GGUF"


def require_gguf(path: Path) -> None:
    """Raise `PipelineError` unless a file begins as a GGUF file does."""
    try:
        with path.open("rb") as stream:
            start = stream.read(len(_MAGIC))
    except OSError as error:
        raise PipelineError(path, None, f"[model] cannot be read; {error.strerror or error}") from error
    if start != _MAGIC:
        raise PipelineError(
            path, None, f"[model] not a GGUF file; found {shown(start)} at its start, expected {_MAGIC!r}"
        )


def has_template(path: Path) -> bool:
    """Tell whether a GGUF file has a chat template of its own."""
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return data.find(b"tokenizer.chat_template", 0, METADATA) >= 0


def fingerprint(path: Path) -> str:
    """Return what decides the replies of a GGUF file: its name and SHA-256, the version of llama.cpp's package, and how it is served."""
    require_gguf(path)
    require_packages("local", "xllamacpp")
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    served_as = "its own template" if has_template(path) else f"template {PLAIN}"
    return f"{path.name} sha256:{digest}, xllamacpp {version('xllamacpp')}, {served_as}, context {CONTEXT}"


@contextmanager
def served(path: Path, threads: int = 1) -> Iterator[str]:
    """Serve a GGUF file on loopback and yield the address of its OpenAI interface, such as ``http://127.0.0.1:34153/v1``.

    The server ends with the block. It also ends if this process is killed, because it reads from a pipe that then closes.

    Raises:
        PipelineError: the file is not GGUF or llama.cpp cannot read it, or xllamacpp is not installed.
    """
    require_gguf(path)
    require_packages("local", "xllamacpp")
    # Threads that wait for work would otherwise spin, and take the cores that others compute on.
    environment = os.environ | {"OMP_WAIT_POLICY": "PASSIVE"}
    command = [sys.executable, "-m", __name__, str(path), path.stem, str(threads), str(CONTEXT)]
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(  # noqa: S603 - our own module
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=environment, start_new_session=True
        ) as process,
    ):
        try:
            yield f"{_address(process, path)}/v1"
        finally:
            _end(process)


def _address(process: subprocess.Popen[bytes], path: Path) -> str:
    """Return the address that the server prints once its model is loaded."""
    for line in process.stdout or ():
        if line.startswith(b"http://"):
            return line.decode("ascii").strip()
    status = process.wait()
    reason = f"llama.cpp cannot load it; its server ended with status {status}; is the file complete?"
    raise PipelineError(path, None, f"[model] {reason}")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a server: close the pipe that it waits for, and kill it if that does not help."""
    if process.stdin:
        process.stdin.close()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()


def main(path: str, alias: str, threads: int, context: int) -> None:
    """Load a model, print the address of its server, and serve it until standard input ends."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = path
    params.model_alias = {alias}
    params.n_ctx = context
    params.n_parallel = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.warmup = False
    # With what earlier prompts left in memory, a reply would depend on what was asked before: sums are rounded in another order.
    params.cache_prompt = False
    params.cache_ram_mib = 0
    if not has_template(Path(path)):
        params.chat_template = PLAIN
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)  # noqa: T201 - the parent reads it
    sys.stdin.buffer.read()
    # The server's destructor joins a thread that may never end (xllamacpp 2026.10): the process would outlive its parent.
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
