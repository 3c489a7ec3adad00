"""Defects of built experiments, which the layout of their inputs finds."""

import json

from tests.conftest import ROOT

from .defect import Damage, Defect, Files

ELSEWHERE = b'<script src="https://example.org/jspsych.js"></script>'
FILLERS = ROOT / "raw" / "de" / "fillers.yaml"
CONDITIONS = "psychopy/list-02.csv"


def swap(file: str, old: bytes, new: bytes) -> Damage:
    """Return the damage that replaces the first occurrence of a text in a file, which must have it."""

    def damage(files: Files) -> Files:
        assert old in files[file], old
        return files | {file: files[file].replace(old, new, 1)}

    return damage


def without_line(file: str, number: int) -> Damage:
    """Return the damage that takes a line out of a file."""

    def damage(files: Files) -> Files:
        lines = files[file].splitlines(keepends=True)
        return files | {file: b"".join(lines[: number - 1] + lines[number:])}

    return damage


def other_input(files: Files) -> Files:
    """Note another digest of the fillers than theirs."""
    options = json.loads(files["options.json"])
    options["inputs"]["fillers"]["sha256"] = "0" * 64
    return files | {"options.json": json.dumps(options).encode()}


#: Name of the defect, expectation, damage, the row that reports it, and its place if that is not where a file first differs.
_DEFECTS: list[tuple[str, str, Damage, str]] = [
    ("built-from-other-fillers", "built-again", other_input, f"fillers.yaml {FILLERS} 1"),
    ("trial-lost", "trials", without_line("trials.jsonl", 5), "list 1, position 5 trials.jsonl 4"),
    ("practice-differs", "trials", swap("trials.jsonl", b"practice", b"filler"), "list 1, position 1 trials.jsonl 1"),
    ("key-lost", "key", without_line("key.tsv", 6), "list 1, position 5 key.tsv 5"),
    (
        "key-with-carriage-returns",
        "key",
        lambda files: files | {"key.tsv": files["key.tsv"].replace(b"\n", b"\r\n")},
        "key.tsv key.tsv 1",
    ),
    ("key-of-another-part", "key", swap("key.tsv", b"filler", b"item"), "list 1, position 5 key.tsv 6"),
    ("conditions-cut-off", "files", without_line(CONDITIONS, 5), CONDITIONS),
    ("conditions-with-gold", "files", swap(CONDITIONS, b",feedback\n", b",gold\n"), CONDITIONS),
    ("conditions-of-no-list", "files", lambda files: files | {"psychopy/list-99.csv": b""}, "psychopy/list-99.csv"),
    ("answers-of-nobody", "files", lambda files: files | {"answers.tsv": b""}, "answers.tsv"),
    ("page-with-gold", "files", swap("index.html", b'"part": "filler"', b'"part": "filler", "gold": 0'), "index.html"),
    ("script-from-elsewhere", "files", swap("index.html", b"</head>", ELSEWHERE + b"</head>"), "index.html"),
    ("any-address-allowed", "files", swap("index.html", b"connect-src 'self'", b"connect-src *"), "index.html"),
]
EXPERIMENTS = [
    Defect(f"experiment-{name}", "experiment", expectation, damage, reported_id=reported)
    for name, expectation, damage, reported in _DEFECTS
]
