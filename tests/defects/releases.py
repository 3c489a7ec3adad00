"""Defects of release folders."""

import json
from collections.abc import Callable, Mapping

from pipeline.core.checksums import CHECKSUMS, checksums_of
from pipeline.release.tables import json_lines, parquet

from .defect import ANY, Change, Damage, Defect, Files, Rows, one, put, twice, without

EN = "release/en"


def sealed(files: Mapping[str, bytes]) -> Files:
    """Return the files with checksums that hold, so that nothing but the damage is wrong."""
    rest = {name: data for name, data in files.items() if name != CHECKSUMS}
    return rest | {CHECKSUMS: checksums_of(rest).encode()}


def edited(name: str, old: str, new: str) -> Damage:
    """Return the damage that changes a text in a file, with checksums that hold."""

    def damage(files: Files) -> Files:
        assert old in files[name].decode(), f"{old!r} is not in {name}"
        return sealed(files | {name: files[name].decode().replace(old, new, 1).encode()})

    return damage


def rows_of(name: str, change: Callable[[Rows], Rows], *, tables: bool = True) -> Damage:
    """Return the damage of a data file's rows, in both formats or in JSON Lines alone."""

    def damage(files: Files) -> Files:
        rows = change([json.loads(line) for line in files[f"data/{name}.jsonl"].decode().splitlines()])
        changed = {f"data/{name}.jsonl": json_lines(rows)}
        return sealed(files | changed | ({f"data/{name}.parquet": parquet(rows)} if tables else {}))

    return damage


def lost(name: str, *, checked: bool = False) -> Damage:
    """Return the damage that loses a file; where it is `checked`, the checksums know of it."""

    def damage(files: Files) -> Files:
        rest = {one: data for one, data in files.items() if one != name}
        return rest if checked else sealed(rest)

    return damage


def wrong_checksum(files: Files) -> Files:
    """Change one digit of the first checksum."""
    text = files[CHECKSUMS].decode()
    return files | {CHECKSUMS: (("1" if text[0] == "0" else "0") + text[1:]).encode()}


def without_section(files: Files) -> Files:
    """Leave out of the card what no human has checked."""
    card = files["README.md"].decode()
    head, _, rest = card.partition("## What no human has checked")
    assert rest
    return sealed(files | {"README.md": head.encode()})


def same_text(rows: Rows) -> Rows:
    """Give a row the text and the target of another."""
    copy = [dict(row) for row in rows]
    copy[ANY + 3].update(text=rows[ANY]["text"], target=rows[ANY]["target"])
    return copy


def every(change: Change) -> Callable[[Rows], Rows]:
    """Return the change of all rows."""

    def damage(rows: Rows) -> Rows:
        copy = [dict(row) for row in rows]
        for row in copy:
            change(row)
        return copy

    return damage


RELEASES = [
    Defect("checksum-wrong", "releases", "checksums-hold", wrong_checksum, told="zh"),
    Defect(
        "file-changed-after-release",
        "releases",
        "checksums-hold",
        lambda files: files | {"provenance.jsonl": files["provenance.jsonl"] + b"\n"},
        told="zh",
    ),
    Defect("file-lost", "releases", "checksums-hold", lost("rejected.jsonl", checked=True), told="zh"),
    Defect(
        "file-left-over",
        "releases",
        "checksums-hold",
        lambda files: files | {"data/zh.jsonl~": files["data/zh.jsonl"]},
        told="zh",
    ),
    Defect("checksums-lost", "releases", "checksums-hold", lost(CHECKSUMS, checked=True), told="zh"),
    Defect(
        "card-names-a-file-that-is-not-there",
        "releases",
        "card-configures-data",
        edited("README.md", "data/nli.parquet", "data/NLI.parquet"),
        told="zh",
    ),
    Defect(
        "table-that-no-card-names",
        "releases",
        "card-configures-data",
        lambda files: sealed(files | {"data/old.parquet": files["data/nli.parquet"]}),
        told="zh",
    ),
    Defect("card-without-its-head", "releases", "card-configures-data", edited("README.md", "---\n", ""), told="zh"),
    Defect("licence-lost", "releases", "licence-included", lost("LICENSE"), told="zh"),
    Defect(
        "licence-empty", "releases", "licence-included", lambda files: sealed(files | {"LICENSE": b"\n"}), told="zh"
    ),
    Defect(
        "licence-not-in-the-card",
        "releases",
        "licence-included",
        edited("README.md", "license: cc-by-4.0\n", ""),
        told="zh",
    ),
    Defect("card-hides-what-is-unchecked", "releases", "limits-stated", without_section, told="zh"),
    Defect(
        "table-of-before-a-change",
        "releases",
        "formats-agree",
        rows_of("zh", one(put(note="mended")), tables=False),
        told="zh/zh",
    ),
    Defect(
        "rows-in-another-order",
        "releases",
        "formats-agree",
        rows_of("nli", lambda rows: rows[::-1], tables=False),
        told="zh/nli",
    ),
    Defect("table-lost", "releases", "formats-agree", lost("data/nli.parquet"), told="zh/nli"),
    Defect(
        "released-row-twice",
        "releases",
        "unique-rows",
        rows_of("zh", twice(put(text="小猫追小狗，它跑得快。"))),
        told="zh/zh",
    ),
    Defect("released-form-twice", "releases", "unique-rows", rows_of("tokens", twice()), told="zh/tokens"),
    Defect("two-items-with-one-text", "releases", "unique-texts", rows_of("zh", same_text), told="zh/zh"),
    Defect(
        "field-in-some-rows-only",
        "releases",
        "same-columns",
        rows_of("zh", one(without("gloss")), tables=False),
        told="zh/zh",
    ),
    Defect(
        "field-more-in-one-row",
        "releases",
        "same-columns",
        rows_of("nli", one(put(checked="yes")), tables=False),
        told="zh/nli",
    ),
    Defect(
        "canary-missing-in-one-row",
        "releases",
        "canary-in-rows",
        rows_of("double", one(put(canary=""))),
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
