"""The file that keeps every reply of a model, so that a run that was stopped continues where it was."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...core.errors import shown
from ...core.files import to_json
from ...core.records import text_field
from ...core.servers.store import AnswerStore

#: Name of the file inside of the folder that the caller gives.
FILE = "replies.jsonl"


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides a reply besides the text of its question.

    Attributes:
        model: the model; of a GGUF file its name, its SHA-256 and what serves it.
        max_tokens: maximum length of a reply in tokens.
        temperature: 0 for the most probable token each time.
        top_p: mass of the probability that is sampled from.
    """

    model: str
    max_tokens: int
    temperature: float
    top_p: float

    def key(self, text: str) -> str:
        """Return the key of a question: SHA-256 of the settings and the text."""
        return hashlib.sha256(to_json([*asdict(self).values(), text]).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class StoredReply:
    """A reply as it came, and the tokens that the server counted; None where it did not."""

    text: str
    prompt_tokens: int | None
    answer_tokens: int | None
    stop: str = ""


class ReplyStore(AnswerStore[StoredReply]):
    """The replies of a folder, each written to the disk before the next one is awaited.

    The file is JSON Lines: the key, the settings, the question (``prompt``) and the reply as it came (``reply``).

    Args:
        folder: created if it does not exist.

    Raises:
        PipelineError: another process writes there, the folder cannot be written, or a line is not one of ours.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / FILE, _stored, "replies")

    def reply(self, settings: Settings, text: str) -> StoredReply | None:
        """Return the reply to a question, None if none is stored."""
        return self.get(settings.key(text))

    def add(self, settings: Settings, text: str, reply: StoredReply) -> None:
        """Store a reply; it is on the disk when this returns."""
        row = {**asdict(settings), "prompt": text, "reply": reply.text}
        row |= {"prompt_tokens": reply.prompt_tokens, "answer_tokens": reply.answer_tokens, "stop": reply.stop}
        self.put({settings.key(text): (row, reply)})


def _stored(row: Mapping[str, Any]) -> StoredReply:
    counts = [row.get(name) for name in ("prompt_tokens", "answer_tokens")]
    for name, count in zip(("prompt_tokens", "answer_tokens"), counts, strict=True):
        if count is not None and (not isinstance(count, int) or isinstance(count, bool) or count < 0):
            raise ValueError(f"[{name}] not a count; found {shown(count)}, expected a whole number or null")
    return StoredReply(text_field(row, "reply"), counts[0], counts[1], text_field(row, "stop"))
