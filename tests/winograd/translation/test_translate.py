"""`winoforge translate` against a server that speaks DeepL's interface: what is sent, what is paid, what a failure leaves behind."""

import json
import logging
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.core.records import write_items
from pipeline.winograd.translation.deepl import CACHE
from pipeline.winograd.translation.draft import DRAFT, read_draft
from tests.support.commands import Run, winoforge
from tests.support.deepl_server import DeepLFault, DeepLServer

from .conftest import KEY, english_items

#: Of the collection: 4 texts, 4 questions, 4 candidates; 4 texts in one request, then one request for each text as context.
TEXTS, REQUESTS = 12, 5


def translate(file: Path, out: Path, server: DeepLServer | None, *more: object) -> Run:
    return winoforge("translate", file, "--out", out, *(("--server", server.address) if server else ()), *more)


def everything_in(folder: Path) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let DeepL's client wait for nothing before it tries again."""
    monkeypatch.setattr("deepl.http_client._BackoffTimer.BACKOFF_INITIAL", 0.0)


def test_a_draft_has_the_source_the_machine_s_text_and_nothing_of_a_person(
    collection: Path, server: DeepLServer, tmp_path: Path
) -> None:
    run = translate(collection, tmp_path / "out", server)
    assert run.returncode == 0, run.stderr
    items = english_items()
    # By hand: the 4 texts, the 4 questions, and each of the 4 candidates once.
    count = sum(len(item.text) + len(item.question) for item in items)
    count += sum(map(len, {name for item in items for name in item.candidates}))
    assert run.stdout.splitlines() == [
        f"{collection}: 4 items + 0 skipped = 4 records read",
        f"16 rows, {TEXTS} different texts, {count} characters",
        f"translated before: 0; to send: {TEXTS} texts in {REQUESTS} requests, {count} characters",
        f"sent: DeepL counted {count} characters",
        f"{tmp_path / 'out' / DRAFT}: 16 rows, 0 reviewed",
    ]
    rows = read_draft(tmp_path / "out" / DRAFT)
    assert [row.machine for row in rows[:4]] == [
        f"DE: {text}" for text in (items[0].text, items[0].question, *items[0].candidates)
    ]
    assert [row.right for row in rows[:4]] == [False, False, True, False]
    assert not any(row.reviewed or row.gender for row in rows)
    assert server.paid == count
    first = server.requests[0]
    assert (first["split_sentences"], first["source_lang"], first["target_lang"]) == ("0", "EN", "DE")
    assert "context" not in first
    assert [request["context"] for request in server.requests[1:]] == [item.text for item in items]
    before = (tmp_path / "out" / DRAFT).read_bytes()
    assert f"translated before: {TEXTS}; to send: 0 texts" in translate(collection, tmp_path / "out", None).stdout
    assert server.paid == count, "nothing is paid twice, and no server is needed"
    assert (tmp_path / "out" / DRAFT).read_bytes() == before


def test_a_dry_run_needs_no_key_and_writes_nothing(
    collection: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DEEPL_AUTH_KEY")
    run = translate(collection, tmp_path / "out", None, "--dry-run")
    assert run.returncode == 0, run.stderr
    assert run.stdout.endswith("nothing was sent (--dry-run)\n")
    assert not (tmp_path / "out").exists()
    refused = translate(collection, tmp_path / "out", None)
    assert (refused.returncode, refused.stderr[:30]) == (2, "[DEEPL_AUTH_KEY] secret not se")


def test_a_budget_refuses_before_anything_is_sent(collection: Path, server: DeepLServer, tmp_path: Path) -> None:
    needed = json.loads(translate(collection, tmp_path / "out", None, "--dry-run", "--json").stdout)["characters"]
    run = translate(collection, tmp_path / "out", server, "--budget", needed - 1)
    assert run.returncode == 2
    assert run.stderr.startswith(f"[budget] too many characters; found {needed} to send, expected at most {needed - 1}")
    assert server.requests == []
    assert translate(collection, tmp_path / "out", server, "--budget", needed).returncode == 0


def test_the_quota_is_asked_for_before_anything_is_sent(collection: Path, server: DeepLServer, tmp_path: Path) -> None:
    server.paid, server.character_limit = 400, 500
    run = translate(collection, tmp_path / "out", server)
    assert run.returncode == 2
    assert "expected at most the 100 that the account has left" in run.stderr
    assert server.requests == []
    server.character_limit = None
    assert translate(collection, tmp_path / "out", server).returncode == 0


def test_a_used_up_quota_keeps_what_is_paid(collection: Path, server: DeepLServer, tmp_path: Path) -> None:
    server.faults = [DeepLFault(456, skip=2)]
    run = translate(collection, tmp_path / "out", server)
    assert (run.returncode, run.stderr.count("\n")) == (2, 1)
    assert run.stderr.startswith("[quota] the account has no characters left; found HTTP status 456")
    assert not (tmp_path / "out" / DRAFT).exists()
    assert translate(collection, tmp_path / "out", server).returncode == 0
    assert set(server.answered.values()) == {1}


@pytest.mark.usefixtures("impatient")
def test_a_failure_that_passes_is_tried_again(collection: Path, server: DeepLServer, tmp_path: Path) -> None:
    server.faults = [DeepLFault(429, skip=1), DeepLFault(503), DeepLFault(500)]
    run = translate(collection, tmp_path / "out", server)
    assert (run.returncode, run.stderr) == (0, "")
    assert set(server.answered.values()) == {1}


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("status", "message"),
    [(500, "[server] fails too often; found HTTP status 500"), (0, "[server] no answer from DeepL, or half of one")],
)
def test_a_server_that_fails_too_often_ends_the_run(
    status: int, message: str, collection: Path, server: DeepLServer, tmp_path: Path
) -> None:
    """What came before is kept; the request without an answer is sent again by the same command."""
    server.faults = [DeepLFault(status, times=9, skip=2)]
    run = translate(collection, tmp_path / "out", server)
    assert (run.returncode, run.stderr[: len(message)]) == (2, message)
    stored = [json.loads(line)["text"] for line in (tmp_path / "out" / CACHE).read_text(encoding="utf-8").splitlines()]
    assert len(stored) == 4 + 3, "the texts, then the question and both candidates of the first"
    server.faults = []
    assert translate(collection, tmp_path / "out", server).returncode == 0
    assert set(server.answered.values()) == {1}
    assert len(server.answered) == TEXTS


def test_a_wrong_key_is_named_and_shown_nowhere(
    collection: Path,
    server: DeepLServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    server.faults = [DeepLFault(456, skip=1)]  # its message quotes the key, as the refusal below does
    messages = translate(collection, tmp_path / "out", server).stderr
    assert KEY not in messages + everything_in(tmp_path / "out") + caplog.text
    wrong = "98765-wrong-key"
    monkeypatch.setenv("DEEPL_AUTH_KEY", wrong)
    monkeypatch.setenv("WINOFORGE_DEBUG", "1")
    run = translate(collection, tmp_path / "out", server)
    assert (run.returncode, run.stderr.count("\n")) == (2, 1)
    assert run.stderr.startswith("[DEEPL_AUTH_KEY] key refused; found HTTP status 403")
    assert wrong not in run.stdout + run.stderr + everything_in(tmp_path / "out") + caplog.text
    monkeypatch.setenv("DEEPL_AUTH_KEY", "two words")
    run = translate(collection, tmp_path / "out", server)
    assert run.stderr.startswith("[DEEPL_AUTH_KEY] malformed key")
    assert "two words" not in run.stderr


@pytest.mark.parametrize(
    "garbage",
    [
        b"<html>",
        b"[]",
        {},
        {"translations": []},
        {"translations": [None] * 4},
        {"translations": [{"text": 1, "billed_characters": 1}] * 4},
        {"translations": [{"text": "", "billed_characters": 1}] * 4},
        {"translations": [{"text": "ja", "billed_characters": None}] * 4},
        {"translations": [{"text": "\ud800", "billed_characters": 1}] * 4},
        {"translations": [{"text": "ja", "billed_characters": 1}] * 3},
    ],
)
def test_another_server_s_answers_are_refused(
    garbage: object, collection: Path, server: DeepLServer, tmp_path: Path
) -> None:
    server.garbage = garbage
    run = translate(collection, tmp_path / "out", server)
    assert (run.returncode, run.stderr.count("\n")) == (2, 1)
    assert run.stderr.startswith("[server] unexpected answer (")
    assert (tmp_path / "out" / CACHE).read_bytes() == b""


def test_a_glossary_is_made_once_and_belongs_to_the_key(collection: Path, server: DeepLServer, tmp_path: Path) -> None:
    terms = tmp_path / "terms.tsv"
    terms.write_text("trophy\tPokal\nsuitcase\tKoffer\n", encoding="utf-8")
    for _ in range(2):
        run = translate(collection, tmp_path / "out", server, "--glossary", terms)
        assert run.returncode == 0, run.stderr
    assert [glossary["entries"] for glossary in server.glossaries.values()] == ["trophy\tPokal\nsuitcase\tKoffer"]
    assert "Pokal" in read_draft(tmp_path / "out" / DRAFT)[0].machine
    translate(collection, tmp_path / "more", server, "--glossary", terms)
    assert len(server.glossaries) == 1, "found by its name"
    paid = server.paid
    translate(collection, tmp_path / "out", server, "--glossary-id", "glossary-0")
    assert server.paid > paid, "another option, another translation"
    run = translate(collection, tmp_path / "out", server, "--glossary-id", "no-such")
    assert run.stderr.startswith("[server] request refused")
    run = translate(collection, tmp_path / "out", server, "--glossary-id", "a", "--glossary", terms)
    assert run.stderr.startswith("[glossary] found --glossary and --glossary-id")


@pytest.mark.parametrize("text", ["", "trophy\n", "a\tb\tc\n", "a\t\n", "a\tb\na\tc\n", "a\tb\x07\n"])
def test_a_malformed_glossary_is_refused(text: str, collection: Path, tmp_path: Path) -> None:
    terms = tmp_path / "terms.tsv"
    terms.write_text(text, encoding="utf-8")
    run = translate(collection, tmp_path / "out", None, "--glossary", terms, "--dry-run")
    assert (run.returncode, run.stderr.startswith(f"{terms}:")) == (2, True)


def test_a_killed_run_sends_nothing_twice(server: DeepLServer, tmp_path: Path) -> None:
    write_items(tmp_path / "items.jsonl", english_items(30))  # 60 texts: the first request has 50, the second 10
    out = tmp_path / "out"
    server.limit = 55
    arguments = ["translate", str(tmp_path / "items.jsonl"), "--out", str(out), "--server", server.address]
    with subprocess.Popen([sys.executable, "-c", "from pipeline.cli import main; main()", *arguments]) as process:
        assert server.full.wait(60)
        os.kill(process.pid, signal.SIGKILL)
    assert not (out / DRAFT).exists()
    assert (out / CACHE).read_bytes().count(b"\n") == 60
    with (out / CACHE).open("ab") as stream:
        stream.write('{"key": "torn", "translation": "ä'.encode()[:-1])
    server.resume()
    run = winoforge(*arguments)
    assert run.returncode == 0, run.stderr
    assert "translated before: 60; " in run.stdout
    assert set(server.answered.values()) == {1}
    assert server.paid == json.loads(winoforge(*arguments, "--dry-run", "--json").stdout)["all_characters"]


def test_reviews_of_people_fill_the_draft(collection: Path, server: DeepLServer, tmp_path: Path) -> None:
    reviews = tmp_path / "judgements.jsonl"
    answers = {"verdict": "usable", "translation": "Weil [er] zu groß ist.", "question": "Was?", "first": "Der Pokal"}
    answers |= {"second": "den Koffer", "first-gender": "masc", "second-gender": "masc"}
    row = {"study": "translation", "list": "1", "phase": "main", "rater": "r-1", "lead_time": 1.0, "skipped": False}
    lines = [
        row | {"task": f"translation/1/{number}", "item": name, "answers": given}
        for number, (name, given) in enumerate({"en-000-a": answers, "en-000-b": {"verdict": "unusable"}}.items())
    ]
    reviews.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    run = translate(collection, tmp_path / "out", server, "--reviews", reviews)
    assert (run.returncode, run.stderr) == (1, f"{reviews}: en-000-b: r-1 found it unusable\n")
    assert "16 rows, 4 reviewed" in run.stdout
    assert "16 rows, 4 reviewed" in translate(collection, tmp_path / "out", None).stdout, "another run keeps them"


def test_other_languages_and_formats(collection: Path, server: DeepLServer, tmp_path: Path) -> None:
    run = translate(collection, tmp_path / "out", server, "--target-lang", "nl", "--formality", "prefer_less")
    assert run.returncode == 0, run.stderr
    assert (server.requests[0]["target_lang"], server.requests[0]["formality"]) == ("NL", "prefer_less")
    for options, message in (
        (("--target-lang", "EN"), "[target-lang] language without a country"),
        (("--target-lang", "German"), "[target-lang] not the code of a language"),
        (("--lang", "zh"), f"{collection}: [lang] another language"),
        (("--format", "translation-tsv"), "[format] unknown format"),
        (("--server", "ftp://a"), "[--server] not a server's address"),
    ):
        run = translate(collection, tmp_path / "out", None, *options, "--dry-run")
        assert run.stderr.startswith(message), run.stderr


def test_the_winograd_schema_collection_is_counted(shared_data: Path, tmp_path: Path) -> None:
    run = translate(shared_data / "wsc" / "WSCollection.xml", tmp_path, None, "--format", "wsc-xml", "--dry-run")
    assert "285 items + 0 skipped = 285 records read" in run.stdout
    assert "1140 rows, " in run.stdout, "four rows for each item"


def test_deepl_itself(collection: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.environ.get("WINOFORGE_TEST_DEEPL_AUTH_KEY", "")
    if not real:
        pytest.skip("DeepL itself: no key in WINOFORGE_TEST_DEEPL_AUTH_KEY (600 characters are paid)")
    monkeypatch.setenv("DEEPL_AUTH_KEY", real)
    run = translate(collection, tmp_path / "out", None, "--budget", 600)
    assert run.returncode == 0, run.stderr
    assert "passt" in read_draft(tmp_path / "out" / DRAFT)[0].machine
