"""A small server that speaks DeepL's interface, counts what it translates, and fails on demand."""

import contextlib
import json
import socket
from collections import Counter
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from tests.support.gated_server import GatedServer, QuietHandler, serving

KEY = "0123abcd-not-a-key-of-deepl:fx"


@dataclass
class DeepLFault:
    """What happens to the next `times` translation requests in place of an answer."""

    status: int = 0  # of the answer; 0 to cut the connection in the middle of it
    headers: dict[str, str] = field(default_factory=dict)
    times: int = 1
    skip: int = 0  # number of requests that are answered first


class DeepLServer(GatedServer):
    """Translates a text by putting the language before it, in capitals with a glossary entry applied."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.answered: Counter[tuple[str, str]] = Counter()  # how often each text was translated in each context
        self.glossaries: dict[str, dict[str, Any]] = {}  # by id
        self.paid = 0  # the characters counted so far
        self.character_limit: int | None = 500_000  # None for an account without one
        self.faults: list[DeepLFault] = []  # those to come
        self.garbage: Any = None  # what it answers in place of a translation


class _Handler(QuietHandler):
    server: DeepLServer

    def do_GET(self) -> None:  # noqa: N802 - the name in the standard library
        server = self.server
        if not self._allowed():
            return
        if self.path == "/v2/usage":
            limit = {} if server.character_limit is None else {"character_limit": server.character_limit}
            self._send(200, {"character_count": server.paid, **limit})
        elif self.path == "/v2/glossaries":
            self._send(200, {"glossaries": list(server.glossaries.values())})
        else:
            self._send(404, {"message": "Not found"})

    def do_POST(self) -> None:  # noqa: N802 - the name in the standard library
        data = self.rfile.read(int(self.headers["Content-Length"]))
        body = json.loads(data)
        if not self._allowed():
            return
        if self.path == "/v2/translate":
            self._translate(body, len(data))
        elif self.path == "/v2/glossaries":
            name = f"glossary-{len(self.server.glossaries)}"
            languages = {key: body[key].lower() for key in ("source_lang", "target_lang")}
            made = {"glossary_id": name, "name": body["name"], "ready": True, **languages}
            made |= {"creation_time": "2026-11-22T00:00:00.000000Z", "entry_count": body["entries"].count("\n") + 1}
            self.server.glossaries[name] = made | {"entries": body["entries"]}
            self._send(201, made)
        else:
            self._send(404, {"message": "Not found"})

    def _allowed(self) -> bool:
        given = self.headers["Authorization"]
        if given == f"DeepL-Auth-Key {KEY}":
            return True
        self._send(403, {"message": f"refused {given}"})  # a message that quotes the key
        return False

    def _translate(self, body: dict[str, Any], size: int) -> None:
        server = self.server
        with server.lock:
            server.requests.append(body)
            fault = next((fault for fault in server.faults if fault.times), None)
            if fault and fault.skip:
                fault.skip -= 1
                fault = None
            if fault:
                fault.times -= 1
            waits = not fault and server.answered.total() >= server.limit
        if waits:
            server.wait()
            return
        if fault and fault.status:
            self._send(fault.status, {"message": f"no: {self.headers['Authorization']}"}, fault.headers)
            return
        texts, context = body["text"], body.get("context", "")
        is_large = size > 128 * 1024
        if is_large or len(texts) > 50 or body.get("glossary_id") not in {None, *server.glossaries}:
            self._send(413 if is_large else 400, {"message": "Bad request"})
            return
        terms = self._terms(body.get("glossary_id"))
        answer = {"translations": [self._answer(text, body["target_lang"], terms) for text in texts]}
        if fault:
            self._cut(json.dumps(answer).encode())
            return
        with server.lock:
            server.paid += sum(map(len, texts))
            server.answered.update((text, context) for text in texts)
        self._send(200, answer if server.garbage is None else server.garbage)

    def _terms(self, name: str | None) -> dict[str, str]:
        entries = self.server.glossaries[name]["entries"] if name else ""
        return dict(line.split("\t") for line in entries.splitlines())

    def _answer(self, text: str, language: str, terms: dict[str, str]) -> dict[str, Any]:
        translation = f"{language}: {text}"
        for term, wanted in terms.items():
            translation = translation.replace(term, wanted)
        return {"text": translation, "detected_source_language": "EN", "billed_characters": len(text)}

    def _send(self, status: int, value: Any, headers: dict[str, str] | None = None) -> None:
        data = json.dumps(value).encode() if not isinstance(value, bytes) else value
        with contextlib.suppress(OSError):
            self.send_json(status, data, headers)

    def _cut(self, data: bytes) -> None:
        """Send half of an answer, and end the connection."""
        self.send_json_head(200, len(data))
        self.wfile.write(data[: len(data) // 2])
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)


def deepl_server() -> AbstractContextManager[DeepLServer]:
    return serving(DeepLServer())
