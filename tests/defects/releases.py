"""Defects of release folders."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from pipeline.core.checksums import CHECKSUMS, checksums_of
from pipeline.release.tables import json_lines, parquet

from .defect import ANY, Change, Damage, Defect, Files, Rows, in_row, put, twice, without

EN = "release/en"


def sealed(files: Mapping[str, bytes]) -> Files:
    """Return the files with matching checksums, so that only the damage is wrong."""
    rest = {name: data for name, data in files.items() if name != CHECKSUMS}
    return rest | {CHECKSUMS: checksums_of(rest).encode()}


def edited(name: str, old: str, new: str) -> Damage:
    """Return the damage that replaces a text in a file and updates the checksums."""

    def damage(files: Files) -> Files:
        assert old in files[name].decode(), f"{old!r} is not in {name}"
        return sealed(files | {name: files[name].decode().replace(old, new, 1).encode()})

    return damage


def rows_of(name: str, change: Callable[[Rows], Rows], *, tables: bool = True) -> Damage:
    """Return the damage that changes the rows of a data file, in both formats or only in JSON Lines."""

    def damage(files: Files) -> Files:
        rows = change([json.loads(line) for line in files[f"data/{name}.jsonl"].decode().splitlines()])
        changed = {f"data/{name}.jsonl": json_lines(rows)}
        return sealed(files | changed | ({f"data/{name}.parquet": parquet(rows, Path(name))} if tables else {}))

    return damage


def lost(name: str, *, checked: bool = False) -> Damage:
    """Return the damage that removes a file; if `checked`, the checksums still list it."""

    def damage(files: Files) -> Files:
        rest = {other: data for other, data in files.items() if other != name}
        return rest if checked else sealed(rest)

    return damage


def wrong_checksum(files: Files) -> Files:
    """Change one digit of the first checksum."""
    text = files[CHECKSUMS].decode()
    return files | {CHECKSUMS: (("1" if text[0] == "0" else "0") + text[1:]).encode()}


def without_section(files: Files) -> Files:
    """Remove the card's section on what no human has checked."""
    card = files["README.md"].decode()
    head, _, rest = card.partition("## What no human has checked")
    assert rest
    return sealed(files | {"README.md": head.encode()})


def same_text(rows: Rows) -> Rows:
    """Copy text and target of one row to another."""
    copy = [dict(row) for row in rows]
    copy[ANY + 3].update(text=rows[ANY]["text"], target=rows[ANY]["target"])
    return copy


def every(change: Change) -> Callable[[Rows], Rows]:
    """Return the damage that changes all rows."""

    def damage(rows: Rows) -> Rows:
        copy = [dict(row) for row in rows]
        for row in copy:
            change(row)
        return copy

    return damage


RELEASES = [
    Defect("checksum-wrong", "releases", "checksums-hold", wrong_checksum, reported_id="zh"),
    Defect(
        "file-changed-after-release",
        "releases",
        "checksums-hold",
        lambda files: files | {"provenance.jsonl": files["provenance.jsonl"] + b"\n"},
        reported_id="zh",
    ),
    Defect("file-lost", "releases", "checksums-hold", lost("rejected.jsonl", checked=True), reported_id="zh"),
    Defect(
        "file-left-over",
        "releases",
        "checksums-hold",
        lambda files: files | {"data/zh.jsonl~": files["data/zh.jsonl"]},
        reported_id="zh",
    ),
    Defect("checksums-lost", "releases", "checksums-hold", lost(CHECKSUMS, checked=True), reported_id="zh"),
    Defect(
        "card-names-a-file-that-is-not-there",
        "releases",
        "card-configures-data",
        edited("README.md", "data/nli.parquet", "data/NLI.parquet"),
        reported_id="zh",
    ),
    Defect(
        "table-that-no-card-names",
        "releases",
        "card-configures-data",
        lambda files: sealed(files | {"data/old.parquet": files["data/nli.parquet"]}),
        reported_id="zh",
    ),
    Defect(
        "card-without-its-head", "releases", "card-configures-data", edited("README.md", "---\n", ""), reported_id="zh"
    ),
    Defect("licence-lost", "releases", "licence-included", lost("LICENSE"), reported_id="zh"),
    Defect(
        "licence-empty",
        "releases",
        "licence-included",
        lambda files: sealed(files | {"LICENSE": b"\n"}),
        reported_id="zh",
    ),
    Defect(
        "licence-not-in-the-card",
        "releases",
        "licence-included",
        edited("README.md", "license: cc-by-4.0\n", ""),
        reported_id="zh",
    ),
    Defect("card-hides-what-is-unchecked", "releases", "limits-stated", without_section, reported_id="zh"),
    Defect(
        "table-of-before-a-change",
        "releases",
        "formats-agree",
        rows_of("zh", in_row(put(note="mended")), tables=False),
        reported_id="zh/zh",
    ),
    Defect(
        "rows-in-another-order",
        "releases",
        "formats-agree",
        rows_of("nli", lambda rows: rows[::-1], tables=False),
        reported_id="zh/nli",
    ),
    Defect("table-lost", "releases", "formats-agree", lost("data/nli.parquet"), reported_id="zh/nli"),
    Defect(
        "released-row-twice",
        "releases",
        "unique-rows",
        rows_of("zh", twice(put(text="小猫追小狗，它跑得快。"))),
        reported_id="zh/zh",
    ),
    Defect("released-form-twice", "releases", "unique-rows", rows_of("tokens", twice()), reported_id="zh/tokens"),
    Defect("two-items-with-one-text", "releases", "unique-texts", rows_of("zh", same_text), reported_id="zh/zh"),
    Defect(
        "field-in-some-rows-only",
        "releases",
        "same-columns",
        rows_of("zh", in_row(without("gloss")), tables=False),
        reported_id="zh/zh",
    ),
    Defect(
        "field-more-in-one-row",
        "releases",
        "same-columns",
        rows_of("nli", in_row(put(checked="yes")), tables=False),
        reported_id="zh/nli",
    ),
    Defect(
        "canary-missing-in-one-row",
        "releases",
        "canary-in-rows",
        rows_of("double", in_row(put(canary=""))),
        EN,
        "en/double",
    ),
    Defect(
        "canary-of-another-release",
        "releases",
        "canary-in-rows",
        rows_of("single", every(put(canary="Test data: another one"))),
        EN,
        "en/single",
    ),
    Defect(
        "canary-not-written", "releases", "canary-in-rows", rows_of("single", every(without("canary"))), EN, "en/single"
    ),
]
