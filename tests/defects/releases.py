"""Defects of release folders. Checksums and Parquet files are made again, so that only the damage itself is wrong.

What neither the faults of `faults` nor random fields (tests/release/test_planted.py) try: a handful for each kind of file.
`reported_id` is the file of the release that must be named.
"""

import io
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pipeline.core.checksums import CHECKSUMS, checksums_of
from pipeline.evaluation.folder import CONTESTED, EARLIER
from pipeline.release.systems import PREDICTIONS, TABLES
from pipeline.release.tables import json_lines, parquet
from pipeline.winograd.forms import FORMS

from .defect import Change, Damage, Defect, Files, Rows, both_members, drop, every, in_row, put, without
from .derivation import altered, moved, reordered, with_words
from .items import other_answer

EN = "release/en"
CARD, LICENCE = "README.md", "LICENSE"
#: Fields of the main rows, which nothing is derived for, and the expectation and the file that report a change.
_FIELDS: dict[str, tuple[str, str]] = {
    "text": ("zero", "data/zh.jsonl"),
    "mentions": ("zero", "data/zh.jsonl"),
    "answer": ("nli", "data/nli.jsonl"),
    "question": ("nli", "data/nli.jsonl"),
    "source": ("provenance", "provenance.jsonl"),
    "kind": ("card-follows-data", CARD),
    "lang": ("card-follows-data", CARD),
}


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


def with_file(name: str, data: bytes) -> Damage:
    """Return the damage that writes a file, which the checksums list."""
    return lambda files: sealed(files | {name: data})


def of_rows(name: str, change: Callable[[Rows], Rows], *, tables: bool = True, lines: bool = True) -> Damage:
    """Return the damage that changes the rows of a file, of a data file in both formats or in one."""

    def damage(files: Files) -> Files:
        rows = change([json.loads(line) for line in files[f"{name}.jsonl"].decode().splitlines()])
        changed = {f"{name}.jsonl": json_lines(rows)} if lines else {}
        if tables and f"{name}.parquet" in files:
            changed[f"{name}.parquet"] = parquet(rows, Path(name))
        return sealed(files | changed)

    return damage


def lost(*names: str, checked: bool = False) -> Damage:
    """Return the damage that removes files; if `checked`, the checksums still list them."""

    def damage(files: Files) -> Files:
        rest = {name: data for name, data in files.items() if name not in names}
        return rest if checked else sealed(rest)

    return damage


def changed_after_release(name: str) -> Damage:
    """Return the damage that adds a blank line to a file, of which the checksums know nothing."""
    return lambda files: files | {name: files[name] + b"\n"}


def unlisted(name: str) -> Damage:
    """Return the damage that adds a file which the checksums do not list."""
    return lambda files: files | {name: b'{"id": "a"}\n'}


def wrong_checksum(files: Files) -> Files:
    """Change one digit of the first checksum."""
    text = files[CHECKSUMS].decode()
    return files | {CHECKSUMS: (("1" if text[0] == "0" else "0") + text[1:]).encode()}


def listed_twice(files: Files) -> Files:
    """List the first file again, with its checksum."""
    text = files[CHECKSUMS].decode()
    return files | {CHECKSUMS: (text + text[: text.index("\n") + 1]).encode()}


def with_answers(files: Files) -> Files:
    """Add a system's answers to the items, and tables of difficulty that do not follow from them."""
    rows = [json.loads(line) for line in files["data/zh.jsonl"].decode().splitlines()]
    answers = [{"id": row["id"], "model": "m", "mode": "zero-shot", "answer": "A"} for row in rows]
    return sealed(files | {PREDICTIONS: json_lines(answers)} | dict.fromkeys(TABLES, b"item\n"))


def finding(**fields: Any) -> Change:
    """Return the change of the first finding of a rejected record."""
    return lambda row: row["findings"][0].update(fields)


def stored_as(name: str, column: str, kind: str) -> Damage:
    """Return the damage that stores a column of a Parquet file as another type."""

    def damage(files: Files) -> Files:
        import pyarrow
        from pyarrow import parquet as reader

        table = reader.read_table(io.BytesIO(files[f"{name}.parquet"]))
        changed = table.set_column(
            table.schema.get_field_index(column), column, table[column].cast(getattr(pyarrow, kind)())
        )
        sink = io.BytesIO()
        reader.write_table(changed, sink)
        return sealed(files | {f"{name}.parquet": sink.getvalue()})

    return damage


def with_metadata(name: str, **metadata: str) -> Damage:
    """Return the damage that writes metadata into a Parquet file."""

    def damage(files: Files) -> Files:
        from pyarrow import parquet as reader

        table = reader.read_table(io.BytesIO(files[f"{name}.parquet"]))
        sink = io.BytesIO()
        reader.write_table(table.replace_schema_metadata(metadata), sink)
        return sealed(files | {f"{name}.parquet": sink.getvalue()})

    return damage


def shuffled_columns(name: str) -> Damage:
    """Return the damage that writes the columns of a Parquet file in another order."""

    def damage(files: Files) -> Files:
        rows = [json.loads(line) for line in files[f"{name}.jsonl"].decode().splitlines()]
        return sealed(files | {f"{name}.parquet": parquet([dict(reversed(row.items())) for row in rows], Path(name))})

    return damage


def release_defect(
    name: str, expectation: str, damage: Damage, file: str = CARD, artifact: str = "release/zh"
) -> Defect:
    """Return the defect of a release, with the file that must be named."""
    return Defect(f"release-{name}", "releases", expectation, damage, artifact, file)


def rows_defect(
    name: str, expectation: str, file: str, change: Damage, where: str = "", artifact: str = "release/zh"
) -> Defect:
    """Return the defect of the rows of a file, which is named if no other is."""
    return release_defect(name, expectation, of_rows(file, change), where or f"{file}.jsonl", artifact)


def _changed() -> Iterator[Defect]:
    """Yield a defect of each field of the main rows."""
    for field, (expectation, where) in _FIELDS.items():
        change = in_row(put(**{field: lambda row, field=field: altered(row[field])}))
        yield rows_defect(f"zh-{field}-changed", expectation, "data/zh", change, where)


def _files() -> Iterator[Defect]:
    """Yield the defects of files that are lost, that nobody lists, or that no release has."""
    for kind, name in {"card": CARD, "table": "data/nli.parquet"}.items():
        yield release_defect(f"without-{kind}", "complete", lost(name), name)
        yield release_defect(f"listed-without-{kind}", "checksums-hold", lost(name, checked=True), name)
    for kind, name in {
        "environment": ".env",
        "backup": "data/zh.jsonl~",
        "lines": "data/old.jsonl",
        "other-versions": "data/triple.jsonl",
    }.items():
        yield release_defect(f"stray-{kind}", "known-files", with_file(name, b'{"id": "a"}\n'), name)
        yield release_defect(f"unlisted-{kind}", "checksums-hold", unlisted(name), name)


def _formats() -> Iterator[Defect]:
    """Yield the defects of which one format alone is wrong, and of data that are empty in both."""
    file = "data/nli"
    other = put(hypothesis=lambda row: f"{row['hypothesis']}甲")
    for kind, damage in {
        "table-of-before-a-change": of_rows(file, in_row(other), tables=False),
        "lines-of-before-a-change": of_rows(file, in_row(other), lines=False),
        "half-of-the-table": of_rows(file, lambda rows: rows[: len(rows) // 2], lines=False),
        "table-with-a-field-more": of_rows(file, every(put(checked="yes")), lines=False),
        "columns-in-another-order": shuffled_columns(file),
        "path-in-a-table": with_metadata(file, file="/home/li/nli.csv"),
        "lines-with-a-blank": edited(f"{file}.jsonl", ":", " :"),
    }.items():
        yield release_defect(kind, "formats-agree", damage, f"{file}.jsonl")
    yield release_defect("empty", "configuration-not-empty", of_rows(file, lambda _: []), f"{file}.jsonl")
    as_text = stored_as("data/zh", "answer", "string")
    yield release_defect("answer-stored-as-text", "formats-agree", as_text, "data/zh.jsonl")


_ANSWER = {"before": "kept", "action": "keep", "study": "upper-bound", "votes": "3 of 4", "reason": ""}


RELEASES = [
    # files
    Defect("checksum-wrong", "releases", "checksums-hold", wrong_checksum, reported_id="CHANGES.md"),
    *_files(),
    release_defect("without-checksums", "complete", lost(CHECKSUMS, checked=True), CHECKSUMS),
    release_defect("without-a-form", "complete", lost("data/nli.jsonl", "data/nli.parquet"), "data/nli.jsonl"),
    release_defect("without-data", "complete", lost("data/zh.jsonl", "data/zh.parquet"), "data/zh.jsonl"),
    *_formats(),
    release_defect("difficulty-of-other-answers", "difficulty-follows-answers", with_answers, TABLES[0]),
    # licence and card
    release_defect("licence-of-a-placeholder", "licence-included", with_file(LICENCE, b"TODO\n"), LICENCE),
    *(
        release_defect(f"licence-named-{name}", "licence-known", edited(CARD, "license: cc-by-4.0", new), LICENCE)
        for name, new in {"none": "license:", "list": "license: [cc-by-4.0]", "lost": "tasks: cc-by-4.0"}.items()
    ),
    *(
        release_defect(f"card-{name}", "card-follows-data", edited(CARD, *edit))
        for name, edit in {
            "line-too-many": ("## Fields\n", "## Fields\n\nAll answers were verified by three linguists.\n"),
            "no-header": ("---\n", ""),
        }.items()
    ),
    # plain files
    *(
        release_defect(name, "written-plainly", edited(file, old, new), file)
        for name, file, old, new in (
            ("rejected-with-a-carriage-return", "rejected.jsonl", "\n", "\r\n"),
            ("provenance-with-a-blank", "provenance.jsonl", ":", " :"),
            ("options-with-a-blank", "options.json", ":", " :"),
            ("options-over-two-lines", "options.json", ":", ":\n"),
            ("options-with-a-byte-order-mark", "options.json", "{", "\ufeff{"),
            ("card-with-a-path", CARD, "\n## ", "\nMade in /home/li/own.\n\n## "),
        )
    ),
    rows_defect("telephone-in-a-note", "no-personal-data", "rejected", in_row(put(note="13812345678"))),
    # rows that follow from others
    *_changed(),
    rows_defect("both-answers-flipped", "winogrande", "data/zh", both_members(other_answer), "data/winogrande.jsonl"),
    *(
        rows_defect(f"{name}-row-lost", name, f"data/{name}", drop())
        for name, form in FORMS.items()
        if form.is_of("zh")
    ),
    *(
        release_defect(f"options-{name}", expectation, edited("options.json", old, new), where)
        for name, expectation, old, new, where in (
            ("of-another-seed", "names", '"seed": 0', '"seed": 1', "data/names.jsonl"),
            ("without-glosses", "names", '"glosses": true', '"glosses": false', "data/names.jsonl"),
            ("of-another-item", "tokens", '"zh-0016-a"', '"zh-9999-a"', "data/tokens.jsonl"),
            ("of-no-seed", "names", '"seed": 0', '"seed": "x"', "options.json"),
        )
    ),
    *(
        rows_defect(f"contested-{name}", CONTESTED, f"data/{CONTESTED}", in_row(put(**fields), start=0))
        for name, fields in {
            "with-one-answer": {"answers": ["彭老师"]},
            "of-a-released-item": {"id": "zh-0016-a"},
            "without-readers": {"readers": [2, 0], "readers_zero": [2, 0]},
            "of-another-zero-form": {"text_dropped": "谁？"},
            "with-an-answer-outside-the-text": {"answers": ["彭老师", "别人"]},
        }.items()
    ),
    rows_defect("earlier-reading-of-other-words", EARLIER, f"data/{EARLIER}", in_row(put(digest="0" * 16))),
    # fields of released rows
    *(
        rows_defect(f"rows-{name}", "zero", "data/zh", change)
        for name, change in {
            "with-a-field-more": every(put(checked="yes")),
            "without-gloss": every(without("gloss")),
            "with-fields-reversed": reordered,
        }.items()
    ),
    rows_defect("sentences-without-case", "fields", "data/double", every(without("case")), artifact=EN),
    rows_defect("canary-null-in-one-row", "canary-in-rows", "data/double", in_row(put(canary=None)), artifact=EN),
    rows_defect("canary-not-written", "canary-in-rows", "data/single", every(without("canary")), artifact=EN),
    release_defect("row-of-no-kind", "zero", of_rows("data/zh", in_row(put(kind=None)), tables=False), "data/zh.jsonl"),
    # provenance
    *(
        rows_defect(f"provenance-{name}", "provenance", "provenance", change)
        for name, change in {
            "disputed-as-text": in_row(put(disputed="false")),
            "adjudication-without-votes": in_row(put(adjudication={**_ANSWER, "votes": ""})),
            "adjudication-of-unknown-state": in_row(put(adjudication={**_ANSWER, "before": "unknown"})),
            "adjudication-shortened": in_row(put(adjudication={"before": "kept"})),
            "with-an-unknown-erratum": in_row(put(errata=["zh-e999"])),
        }.items()
    ),
    rows_defect(
        "parser-of-no-provenance", "provenance", "rejected", in_row(finding(evidence={"parser": "stanza/other"}))
    ),
    # errata
    *(
        Defect(f"erratum-{name}", "releases", expectation, edited(file, old, new), reported_id=reported)
        for name, expectation, file, old, new, reported in (
            ("told-otherwise", "card-follows-data", "CHANGES.md", "It was: ", "It was ", "CHANGES.md"),
            ("under-another-id", "card-follows-data", "errata.jsonl", "zh-e001", "zh-e007", "CHANGES.md"),
            (
                "not-as-the-item",
                "provenance",
                "errata.jsonl",
                '"after": "晚上写作业，只有一盏台灯',
                '"after": "晚上写作业，只有一盏油灯',
                "errata.jsonl",
            ),
        )
    ),
    # rejected records
    *(
        rows_defect(f"rejected-{name}", "rejected", "rejected", change)
        for name, change in {
            "as-another-class": in_row(finding(**{"class": "direct-object"}), start=0),
            "for-another-reason": in_row(finding(message="because")),
            "in-another-order": moved,
            "with-an-answer-of-text": in_row(put(answer="a")),
            "without-a-finding": in_row(put(findings=[])),
            "for-words-of-another-sentence": in_row(with_words(target="龥")),
            "and-released": in_row(put(id="zh-0001-a"), start=0),
        }.items()
    ),
]
