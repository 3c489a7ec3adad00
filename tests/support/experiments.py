"""A small experiment, what its sessions send, and a server for it."""

import csv
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from pipeline.core.files import write_jsonl
from pipeline.experiment.browser.records import Experiment

PAGE = "<!doctype html><title>Lücken</title><script>document.title = 'bereit'</script>\n"
#: The parts of a list, in its order.
_PARTS = ("practice", "item", "filler", "item", "attention", "filler")
OPTIONS = ["er", "sie", "es"]


def write_experiment(folder: Path, lists: int = 3) -> Path:
    """Write an experiment with lists of six trials, and return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for number in range(1, lists + 1):
        for position, part in enumerate(_PARTS, 1):
            name = f"de-{number:03}-{position}" if part == "item" else f"{part}-{position}"
            row = {"list": number, "position": position, "id": name, "part": part}
            row |= {"text": f"Text {position}: ___.", "options": OPTIONS}
            rows.append(row | ({"expected": "sie"} if part == "attention" else {}))
    write_jsonl(folder / "trials.jsonl", rows)
    (folder / "index.html").write_text(PAGE, encoding="utf-8")
    return folder


def session_name(number: int) -> str:
    """Return the id of a session, of the length that a browser draws."""
    return f"5e551000-0000-4000-8000-{number:012}"


def session_records(session: str, number: int, experiment: Experiment) -> list[dict[str, Any]]:
    """Return what a session of a list sends from start to end: all answers are *sie*, so that attention trials are right."""
    background = {"language": "de", "region": "Hessen", "age": "25-34", "education": "university", "linguistics": "no"}
    data: list[tuple[str, Mapping[str, Any]]] = [("start", {}), ("background", background)]
    given = {"answer": "sie", "confidence": 4, "rt_answer_ms": 1200.5, "rt_confidence_ms": 640, "input": "keyboard"}
    data += [
        ("trial", {"position": trial.position, "id": trial.id, "part": trial.part, **given})
        for trial in experiment.lists[number].values()
    ]
    data.append(("end", {}))
    return [
        {"session": session, "list": number, "record": kind, "sequence": sequence, "data": dict(values)}
        for sequence, (kind, values) in enumerate(data)
    ]


#: The keys of the answers, one of them on the number pad.
KEYS = {"er": "1", "sie": "2", "es": "num_3"}


def psychopy_rows(experiment: Experiment, number: int) -> list[dict[str, str]]:
    """Return what PsychoPy writes of a list: a row of the instruction, then a row for each trial, each with the run."""
    run = {
        "participant": "Anna Muster",
        "session": "001",
        "date": "2026-11-22_10h00.00.000",
        "psychopyVersion": "2025.1",
    }
    rows = []
    for trial in experiment.lists[number].values():
        shown = {"list_number": str(number), "trial_position": str(trial.position), "trial_id": trial.id}
        answer = {"key_resp.keys": KEYS["es" if trial.position == 2 else "sie"], "key_resp.rt": "1.2346"}
        confidence = {"key_resp_2.keys": "5", "key_resp_2.rt": "0.5"}
        rows.append({**shown, **answer, **confidence, "instruction.rt": "", **run})
    return [{**dict.fromkeys(rows[0], ""), "instruction.rt": "3.2", **run}, *rows]


def write_csv(path: Path, rows: list[dict[str, str]], delimiter: str = ",") -> Path:
    """Write a table as PsychoPy does: with a byte order mark, and lines that end as on Windows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0], delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    return path


@dataclass
class Server:
    """A server of an experiment in a process of its own."""

    process: subprocess.Popen[str]
    address: str
    client: httpx.Client
    lines: list[str]

    def list_of(self, session: str) -> int:
        """Return the list that a session gets."""
        return int(self.client.get("/api/assignment", params={"session": session}).json()["list"])

    def send(self, record: object) -> httpx.Response:
        """Send a record, and return the answer."""
        return self.client.post("/api/records", json=record)

    def progress(self) -> Any:
        """Return the counts."""
        return self.client.get("/api/progress").json()

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str, str]:
        """Send a signal, and return exit status, standard output and standard error."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err


@contextmanager
def serving(folder: Path, data: Path, *options: str) -> Iterator[Server]:
    """Yield a server of an experiment on a free port; it is killed at the end if it still runs."""
    program = [sys.executable, "-c", "from pipeline.cli import main; main()", "experiment", "serve"]
    process = subprocess.Popen(
        [*program, str(folder), "--data", str(data), "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        lines = [process.stderr.readline()]
        while lines[-1] and not lines[-1].startswith("serving "):
            lines.append(process.stderr.readline())
        address = lines[-1].partition(" at ")[2].partition(";")[0]
        with httpx.Client(base_url=address, timeout=30, trust_env=False, verify=False) as client:
            yield Server(process, address, client, lines)
    finally:
        process.kill()
        process.communicate()
