"""Prompts through Inspect: a real server on loopback counts them, failures are one line without a key."""

import zipfile
from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.evaluation.asking import Reply, ask
from pipeline.evaluation.gguf import fingerprint
from tests.conftest import Refused
from tests.support.openai_server import OpenAIServer, openai_server

MODEL = "openai-api/local/small"
KEY = "sk-not-a-real-key-0123456789"


def prompts(count: int) -> list[str]:
    return [f"问题 {number}：谁？" for number in range(count)]


def kept(folder: Path) -> list[Path]:
    return list((folder / "generate" / MODEL).glob("*"))


def has_key(folder: Path) -> bool:
    """Tell whether the key stands in a file, or in a part of a log."""
    for path in (path for path in folder.rglob("*") if path.is_file()):
        parts = [path.read_bytes()]
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as log:
                parts = [log.read(name) for name in log.namelist()]
        if any(KEY.encode() in part for part in parts):
            return True
    return False


def test_replies_come_in_order_and_once(server: OpenAIServer, tmp_path: Path) -> None:
    server.answer = lambda prompt: f"答案：{prompt}"
    asked = [*prompts(12), "问题 3：谁？"]
    progress: list[tuple[int, int]] = []
    replies = ask(asked, MODEL, tmp_path, base_url=server.address, progress=lambda *done: progress.append(done))
    assert replies == [Reply(f"答案：{prompt}", len(prompt), len(prompt) + 3) for prompt in asked]
    assert set(server.answered.values()) == {1}
    assert progress == [(done, 12) for done in range(1, 13)]
    body = server.requests[0]
    assert (body["model"], body["max_tokens"], body["temperature"], body["top_p"]) == ("small", 128, 0, 0.9)
    assert ask(asked, MODEL, tmp_path, base_url=server.address) == replies
    assert server.answered.total() == len(kept(tmp_path)) == 12
    ask(asked[:1], MODEL, tmp_path, base_url=server.address, max_tokens=64)
    assert server.answered.total() == 13, "other settings are another question"


@pytest.mark.parametrize(("status", "words"), [(401, "key refused"), (404, "no such model"), (400, "request refused")])
def test_a_refusal_is_one_line_without_the_key(
    status: int, words: str, server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    monkeypatch.setenv("LOCAL_API_KEY", KEY)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    ask(prompts(1), MODEL, tmp_path, base_url=server.address)
    server.status = status
    message = refused(lambda: ask(prompts(3), MODEL, tmp_path, base_url=server.address), "", "model")
    assert words in message
    assert KEY not in message
    assert not has_key(tmp_path)
    assert len(kept(tmp_path)) == 1, "the reply from before is kept"


def test_the_words_of_a_server_are_no_reply(server: OpenAIServer, tmp_path: Path, refused: Refused) -> None:
    """Inspect turns two errors into texts: a prompt that is too long ends the run, and a reply that was withheld is empty."""
    server.status, server.code = 400, "context_length_exceeded"
    message = refused(lambda: ask(prompts(1), MODEL, tmp_path, base_url=server.address), "", "model")
    assert "too long" in message
    server.code = "content_filter"
    assert ask(prompts(2)[1:], MODEL, tmp_path, base_url=server.address) == [Reply("", None, None)]


def test_what_is_under_way_when_another_fails_is_kept(server: OpenAIServer, tmp_path: Path, refused: Refused) -> None:
    """The server refuses all after the fourth prompt: every answer that it gave is stored, and nothing more is asked."""

    def answer(prompt: str) -> str:
        if prompt == prompts(4)[3]:
            server.status = 400
        return "Answer: B"

    server.answer = answer
    refused(lambda: ask(prompts(40), MODEL, tmp_path, base_url=server.address), "", "model")
    assert len(kept(tmp_path)) == server.answered.total()
    assert len(server.requests) < 25
    server.status = 200
    server.answer = lambda _: "Answer: B"
    ask(prompts(40), MODEL, tmp_path, base_url=server.address)
    assert len(server.answered) == server.answered.total() == 40


def test_the_key_comes_from_the_environment(
    server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    server.key = KEY
    refused(lambda: ask(prompts(1), MODEL, tmp_path, base_url=server.address), "", "model")
    monkeypatch.setenv("LOCAL_API_KEY", KEY)
    assert ask(prompts(1), MODEL, tmp_path, base_url=server.address)[0].text == "Answer: A"
    assert not has_key(tmp_path)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("small", "unknown model"),
        ("nosuch/small", "unknown model"),
        ("openai/gpt-4o", "OPENAI_API_KEY"),
        ("openai-api/nowhere/small", "NOWHERE_API_KEY"),
        ("anthropic/claude", "pip install anthropic"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    model: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert words in refused(lambda: ask(prompts(1), model, tmp_path), "", "model")


def test_no_server_is_refused(tmp_path: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.evaluation.asking.RETRIES", 0)
    with openai_server() as server:
        address = server.address
    assert address in refused(lambda: ask(prompts(1), MODEL, tmp_path, base_url=address), "", "model")


def test_no_question_needs_no_model(tmp_path: Path) -> None:
    assert ask([], "nosuch/small", tmp_path) == []


def test_a_file_that_is_no_model_is_refused(tmp_path: Path, refused: Refused) -> None:
    file = tmp_path / "x.gguf"
    refused(lambda: ask(prompts(1), f"gguf:{file}", tmp_path), str(file), "model")
    file.write_bytes(b"PK\x03\x04")
    refused(lambda: ask(prompts(1), f"gguf:{file}", tmp_path), str(file), "model")
    file.write_bytes(b"GGUF" + bytes(100))
    assert "cannot load" in refused(lambda: ask(prompts(1), f"gguf:{file}", tmp_path), str(file), "model")
    with pytest.raises(PipelineError, match="base-url"):
        ask(prompts(1), f"gguf:{file}", tmp_path, base_url="http://127.0.0.1:1/v1")


def test_replies_of_another_way_of_serving_are_not_used_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, chat = tmp_path / "a" / "x.gguf", tmp_path / "b" / "x.gguf"
    for file, data in ((plain, b""), (chat, b"tokenizer.chat_template")):
        file.parent.mkdir()
        file.write_bytes(b"GGUF" + data)
    before = {file: fingerprint(file) for file in (plain, chat)}
    assert str(tmp_path) not in str(before.values())
    monkeypatch.setattr("pipeline.evaluation.gguf.PLAIN", "other")
    assert [fingerprint(file) == before[file] for file in (plain, chat)] == [False, True]
    monkeypatch.setattr("pipeline.evaluation.gguf.CONTEXT", 1)
    assert fingerprint(chat) != before[chat]
