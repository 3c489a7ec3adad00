"""Serve a GGUF file on loopback until standard input ends.

The parent process starts it with ``python -m`` and reads one line from standard output: the address. Standard input is a pipe from
the parent; when the parent ends, however it ends, the pipe does too, and so does the server.
"""

import mmap
import os
import sys
from pathlib import Path

#: What a base model is given: the text alone. Its file has no template, and llama.cpp would take one with marks that it never saw.
#: It ends a line, unless the text ends with the beginning of an answer.
PLAIN = (
    "{% for message in messages %}{{ message['content'] }}"
    "{% if not message['content'].endswith(':') and not message['content'].endswith('：') %}\n{% endif %}{% endfor %}"
)
#: Bytes of a GGUF file in which its template is sought: its metadata come first.
METADATA = 64_000_000


def has_template(path: Path) -> bool:
    """Tell whether a GGUF file has a chat template of its own."""
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return data.find(b"tokenizer.chat_template", 0, METADATA) >= 0


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
