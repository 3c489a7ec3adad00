"""A small server with the OpenAI interface, which counts what it is asked and fails on demand."""

import json
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager

from tests.support.gated_server import GatedServer, QuietHandler, serving


class OpenAIServer(GatedServer):
    """Answers each prompt with ``Answer: A``, unless a test sets `answer`."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.answered: Counter[str] = Counter()  # number of answers sent for each prompt
        self.key = ""  # the key that it accepts; any if empty
        self.status, self.code = 200, "error"  # 200 for answers; else the status and the code of an error
        self.answer: Callable[[str], str] = lambda _: "Answer: A"

    @property
    def address(self) -> str:
        return f"{super().address}/v1"


class _Handler(QuietHandler):
    server: OpenAIServer

    def do_POST(self) -> None:  # noqa: N802 - the name in the standard library
        server = self.server
        body = self.body()
        prompt = body["messages"][-1]["content"]
        status = 401 if server.key and self.headers["Authorization"] != f"Bearer {server.key}" else server.status
        with server.lock:
            server.requests.append(body)
            waits = status == 200 and server.answered.total() >= server.limit
            if status == 200 and not waits:
                server.answered[prompt] += 1
        if waits:
            server.wait()
            return
        text = server.answer(prompt)
        message = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        usage = {"prompt_tokens": len(prompt), "completion_tokens": len(text), "total_tokens": len(prompt) + len(text)}
        # As OpenAI does, a refusal quotes the key.
        error = {"error": {"message": f"refused {self.headers['Authorization']}", "type": "error", "code": server.code}}
        reply = {"id": "x", "object": "chat.completion", "created": 0, "model": body["model"], "choices": [message]}
        data = json.dumps(error if status != 200 else reply | {"usage": usage}).encode()
        self.send_json(status, data)


def openai_server() -> AbstractContextManager[OpenAIServer]:
    return serving(OpenAIServer())
