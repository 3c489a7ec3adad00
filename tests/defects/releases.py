"""Defects of release folders. Checksums and Parquet files are made again, so that only the damage itself is wrong.

A handful for each file: a changed field, rows lost and moved, files lost, emptied and strange, and other statements of the card.
tests/release/test_planted.py damages random fields of random rows. `reported_id` is the file of the release that
must be named.
"""

import io
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pipeline.core.checksums import CHECKSUMS, checksums_of
from pipeline.release.difficulty import TABLES
from pipeline.release.systems import PREDICTIONS
from pipeline.release.tables import json_lines, parquet
from pipeline.winograd.forms import FORMS

from .defect import Change, Damage, Defect, Files, Rows, both_members, drop, every, in_row, put, twice, without
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


def without_section(files: Files) -> Files:
    """Remove the card's section on what no human has checked."""
    card = files[CARD].decode()
    head, _, rest = card.partition("## What no human has checked")
    assert rest
    return sealed(files | {CARD: head.encode()})


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


def _slug(*parts: str) -> str:
    words = "-".join(parts).replace("data/", "").replace(".", "-").replace("/", "-").replace("_", "-")
    words = words.replace("sha256", "sha")
    return words.replace("1", "-one").replace("2", "-two").lower().strip("-")


def _changed() -> Iterator[Defect]:
    """Yield a defect of each field of the main rows."""
    for field, (expectation, where) in _FIELDS.items():
        change = in_row(put(**{field: lambda row, field=field: altered(row[field])}))
        yield rows_defect(f"zh-{field}-changed", expectation, "data/zh", change, where)


def row_defects(
    name: str, file: str, expectation: str, where: str = "", artifact: str = "release/zh"
) -> Iterator[Defect]:
    """Yield the defects of a file whose rows are derived again: rows lost, moved."""
    for kind, damage in {"row-lost": drop(), "rows-exchanged": moved, "half": _half}.items():
        yield rows_defect(_slug(name, kind), expectation, file, damage, where, artifact)


def _half(rows: Rows) -> Rows:
    return rows[: len(rows) // 2]


def _files(artifact: str, names: tuple[str, ...]) -> Iterator[Defect]:
    """Yield the defects of files that are lost, that nobody lists, or that no release has."""
    short = artifact.removeprefix("release/")
    for name in names:
        yield release_defect(_slug(short, "without", name), "complete", lost(name), name, artifact)
        damage = lost(name, checked=True)
        yield release_defect(_slug(short, "listed-without", name), "checksums-hold", damage, name, artifact)
        if not name.endswith(".parquet"):  # which would be unreadable
            damage = changed_after_release(name)
            yield release_defect(_slug(short, "changed-after-release", name), "checksums-hold", damage, name, artifact)
    for kind, name in {
        "environment": ".env",
        "backup": "data/zh.jsonl~",
        "notes": "NOTES.txt",
        "lines": "data/old.jsonl",
        "other-versions": "data/triple.jsonl",
    }.items():
        yield release_defect(
            _slug(short, "stray", kind), "known-files", with_file(name, b'{"id": "a"}\n'), name, artifact
        )
        damage = unlisted(name)
        yield release_defect(_slug(short, "unlisted", kind), "checksums-hold", damage, name, artifact)


def table_defects(artifact: str, columns: Mapping[str, str]) -> Iterator[Defect]:
    """Yield the defects of which one format alone is wrong, and of data that are empty in both."""
    for name, column in columns.items():
        file, slug = f"data/{name}", f"{artifact.removeprefix('release/')}-{name}"
        other = put(**{column: lambda row, column=column: f"{row[column]}甲"})
        for kind, damage in {
            "table-of-before-a-change": of_rows(file, in_row(other), tables=False),
            "lines-of-before-a-change": of_rows(file, in_row(other), lines=False),
            "rows-in-another-order": of_rows(file, lambda rows: rows[::-1], tables=False),
            "half-of-the-table": of_rows(file, lambda rows: rows[: len(rows) // 2], lines=False),
            "table-with-a-field-more": of_rows(file, every(put(checked="yes")), lines=False),
            "columns-in-another-order": shuffled_columns(file),
        }.items():
            yield release_defect(f"{slug}-{kind}", "formats-agree", damage, f"{file}.jsonl", artifact)
        empty = of_rows(file, lambda _: [])
        yield release_defect(f"{slug}-empty", "configuration-not-empty", empty, f"{file}.jsonl", artifact)


#: What the card says, and what it says instead.
_CARD_EDITS = {
    "number-of-items": (" items", "0 items"),
    "rejected-class": ("| ba-object |", "| bei-object |"),
    "name": ("pretty_name: winoforge zh", "pretty_name: winoforge zhang"),
    "tag": ("- zero-anaphora\n", ""),
    "rules": ("Rules: `sha256:", "Rules: `sha256:0"),
    "example": ('"answer": 0', '"answer": 1'),
    "line-too-many": ("## Fields\n", "## Fields\n\nAll answers were verified by three linguists.\n"),
    "study": ("no validation study", "a validation study"),
    "origin": ("written by the winoforge developers, who are language models, 2026", "collected from the web"),
    "checksum-of-the-source": ("sha256 `", "sha256 `0"),
    "language-too-many": ("language:\n- zh\n", "language:\n- zh\n- en\n"),
    "file-twice": ("data/nli.parquet", "data/scoring.parquet"),
    "another-split": ("split: test", "split: train"),
    "one-configuration-less": ("- config_name: nli\n  data_files:\n  - split: test\n    path: data/nli.parquet\n", ""),
    "no-header": ("---\n", ""),
}
_LICENCES = {
    "todo": "TODO\n",
    "empty": "\n",
    "mit": "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software"
    * 2,
    "share-alike": "Creative Commons Attribution-ShareAlike 4.0 International (CC BY-SA 4.0)\n" * 4,
    "older": "Creative Commons Attribution 3.0 Unported (CC BY 3.0)\n" * 4,
    "shortened": "Creative Commons Attribution 4.0 International (CC BY 4.0)\n",
}
#: What is added to our licence or exchanged in it.
_LICENCE_EDITS = {
    "line-too-many": ("winoforge.\n", "winoforge.\nFor research only.\n"),
    "sentence-too-many": ("\nThis notice", "\nNot for companies.\n\nThis notice"),
    "homoglyph": ("share", "sh\u0430re"),
}
_ANSWER = {"before": "kept", "action": "keep", "study": "upper-bound", "votes": "3 of 4", "reason": ""}


RELEASES = [
    # files
    Defect("checksum-wrong", "releases", "checksums-hold", wrong_checksum, reported_id="CHANGES.md"),
    Defect("file-listed-twice", "releases", "checksums-hold", listed_twice, reported_id="CHANGES.md"),
    *_files(
        "release/zh",
        (LICENCE, CARD, "provenance.jsonl", "rejected.jsonl", "options.json", "data/zh.jsonl", "data/nli.parquet"),
    ),
    *_files(EN, (LICENCE, CARD, "data/double.jsonl", "data/single.jsonl", "data/single.parquet", "lm_eval/utils.py")),
    # tasks for lm-evaluation-harness
    *(
        release_defect(f"task-{name}", "tasks-follow-data", edited(f"lm_eval/{file}", old, new), f"lm_eval/{file}")
        for name, file, old, new in (
            ("with-a-blank", "partial.yaml", 'target_delimiter: ""', 'target_delimiter: " "'),
            ("of-another-text", "zero.yaml", 'field: "text_zero"', 'field: "text"'),
            ("with-demonstrations", "overt.yaml", "num_fewshot: 0", "num_fewshot: 3"),
            ("with-other-code", "utils.py", "import json\n", "import json\nimport os\n"),
            ("that-is-always-right", "utils.py", "right = best == ", "right = True or best == "),
        )
    ),
    *(
        rows_defect(f"scoring-of-templates-{name}", "tasks-follow-data", "lm_eval/scoring", change, artifact=EN)
        for name, change in {
            "row-lost": drop(),
            "answer-changed": in_row(put(correct=lambda row: not row["correct"])),
        }.items()
    ),
    release_defect("without-checksums", "complete", lost(CHECKSUMS, checked=True), CHECKSUMS),
    release_defect("without-a-form", "complete", lost("data/nli.jsonl", "data/nli.parquet"), "data/nli.jsonl"),
    release_defect("without-data", "complete", lost("data/zh.jsonl", "data/zh.parquet"), "data/zh.jsonl"),
    # licence and card
    *(
        release_defect(f"licence-{name}", "licence-included", with_file(LICENCE, text.encode()), LICENCE, artifact)
        for artifact, ending in (("release/zh", ""), (EN, "-of-templates"))
        for name, text in ((f"{name}{ending}", text) for name, text in _LICENCES.items())
    ),
    *(
        release_defect(f"licence-with-a-{name}", "licence-included", edited(LICENCE, *edit), LICENCE, EN)
        for name, edit in _LICENCE_EDITS.items()
    ),
    *(
        release_defect(f"licence-named-{name}", "licence-known", edited(CARD, "license: cc-by-4.0", new), LICENCE)
        for name, new in {
            "unknown": "license: wtf-1.0",
            "another": "license: mit",
            "older": "license: cc-by-3.0",
            "none": "license:",
            "list": "license: [cc-by-4.0]",
            "lost": "tasks: cc-by-4.0",
        }.items()
    ),
    *(release_defect(f"card-{name}", "card-follows-data", edited(CARD, *edit)) for name, edit in _CARD_EDITS.items()),
    release_defect("card-hides-what-is-unchecked", "card-follows-data", without_section),
    release_defect(
        "canary-of-another", "card-follows-data", edited(CARD, "winoforge en 6", "winoforge de 7"), CARD, EN
    ),
    *(
        rows_defect(f"canary-{name}", "canary-in-rows", f"data/{file}", change, artifact=EN)
        for name, file, change in (
            ("missing-in-one-row", "double", in_row(put(canary=""))),
            ("null-in-one-row", "double", in_row(put(canary=None))),
            ("of-another-row", "single", in_row(put(canary="Test data: another one"))),
            ("of-another-release-in-rows", "single", every(put(canary="Test data: another one"))),
            ("not-written", "single", every(without("canary"))),
        )
    ),
    release_defect(
        "version-of-another", "metadata-follow-data", edited("croissant.json", '"0.3.0"', '"0.4.0"'), "croissant.json"
    ),
    rows_defect(
        "earlier-reading-of-other-words", "earlier-readings", "data/earlier-readings", in_row(put(digest="0" * 16))
    ),
    # tables
    *table_defects("release/zh", {"zh": "text", "nli": "hypothesis"}),
    *table_defects(EN, {"double": "text"}),
    release_defect(
        "zh-answer-stored-as-text", "formats-agree", stored_as("data/zh", "answer", "string"), "data/zh.jsonl"
    ),
    release_defect(
        "names-answer-stored-as-byte", "formats-agree", stored_as("data/names", "answer", "int8"), "data/names.jsonl"
    ),
    release_defect(
        "path-in-a-table", "formats-agree", with_metadata("data/nli", file="/home/li/nli.csv"), "data/nli.jsonl"
    ),
    *(
        release_defect(f"lines-with-{name}", "formats-agree", edited("data/nli.jsonl", old, new), "data/nli.jsonl")
        for name, old, new in (
            ("a-carriage-return", "\n", "\r\n"),
            ("a-blank", ":", " :"),
        )
    ),
    *(
        release_defect(f"{_slug(file)}-{name}", "written-plainly", edited(file, old, new), file)
        for file in ("provenance.jsonl", "rejected.jsonl", "options.json")
        for name, old, new in (
            ("with-a-carriage-return", "\n", "\r\n"),
            ("with-a-blank", ":", " :"),
        )
    ),
    release_defect("difficulty-of-other-answers", "difficulty-follows-answers", with_answers, TABLES[0]),
    release_defect(
        "options-with-a-byte-order-mark", "written-plainly", edited("options.json", "{", "\ufeff{"), "options.json"
    ),
    release_defect(
        "task-with-a-byte-order-mark",
        "written-plainly",
        edited("lm_eval/zero.yaml", "#", "\ufeff#"),
        "lm_eval/zero.yaml",
    ),
    release_defect(
        "card-with-a-path", "written-plainly", edited(CARD, "\n## ", "\nMade in /home/li/own.\n\n## "), CARD
    ),
    release_defect(
        "telephone-in-a-note",
        "no-personal-data",
        of_rows("rejected", in_row(put(note="13812345678"))),
        "rejected.jsonl",
    ),
    release_defect(
        "parser-of-no-provenance",
        "provenance",
        of_rows("rejected", in_row(finding(evidence={"parser": "stanza/other"}))),
        "rejected.jsonl",
    ),
    # rows that follow from others
    *_changed(),
    *row_defects("zh", "data/zh", "provenance", "provenance.jsonl"),
    # each member has the answer of the other, and all facts of items and pairs hold
    rows_defect("both-answers-flipped", "winogrande", "data/zh", both_members(other_answer), "data/winogrande.jsonl"),
    *(defect for name, form in FORMS.items() if form.is_of("zh") for defect in row_defects(name, f"data/{name}", name)),
    *(
        defect
        for version in ("double", "single")
        for defect in row_defects(version, f"data/{version}", "sentences", artifact=EN)
    ),
    rows_defect("sentence-of-another-answer", "sentences", "data/double", in_row(other_answer), artifact=EN),
    *(
        release_defect(f"options-{name}", expectation, edited("options.json", old, new), where)
        for name, expectation, old, new, where in (
            ("of-another-seed", "names", '"seed": 0', '"seed": 1', "data/names.jsonl"),
            ("without-glosses", "names", '"glosses": true', '"glosses": false', "data/names.jsonl"),
            ("of-another-item", "tokens", '"zh-0016-a"', '"zh-9999-a"', "data/tokens.jsonl"),
            ("of-no-seed", "names", '"seed": 0', '"seed": "x"', "options.json"),
        )
    ),
    # fields of released rows
    *(
        rows_defect(_slug(file, name), expectation, f"data/{file}", change, artifact=artifact)
        for artifact, file, expectation, field in (
            ("release/zh", "zh", "zero", "gloss"),
            (EN, "double", "fields", "case"),
        )
        for name, change in {
            "with-a-field-more": every(put(checked="yes")),
            f"without-{field}": every(without(field)),
            "with-fields-reversed": reordered,
        }.items()
    ),
    release_defect("row-of-no-kind", "zero", of_rows("data/zh", in_row(put(kind=None)), tables=False), "data/zh.jsonl"),
    # provenance
    *row_defects("provenance", "provenance", "provenance"),
    *(
        rows_defect(f"provenance-{name}", "provenance", "provenance", change)
        for name, change in {
            "emptied": lambda _: [],
            "twice": twice(),
            "of-another-file": in_row(put(file="raw/zh/others.yaml")),
            "of-other-rules": in_row(put(rules="md5:0123")),
            "disputed-as-text": in_row(put(disputed="false")),
            "with-a-field-more": in_row(put(checked="yes")),
            "without-source": every(without("source")),
            "adjudication-without-votes": in_row(put(adjudication={**_ANSWER, "votes": ""})),
            "adjudication-of-unknown-state": in_row(put(adjudication={**_ANSWER, "before": "unknown"})),
            "adjudication-shortened": in_row(put(adjudication={"before": "kept"})),
            "with-an-unknown-erratum": in_row(put(errata=["zh-e999"])),
        }.items()
    ),
    # errata
    *(
        Defect(f"erratum-{name}", "releases", expectation, edited(file, old, new), reported_id=reported)
        for name, expectation, file, old, new, reported in (
            ("told-otherwise", "card-follows-data", "CHANGES.md", "It was: ", "It was ", "CHANGES.md"),
            ("under-another-id", "card-follows-data", "errata.jsonl", "zh-e001", "zh-e007", "CHANGES.md"),
            ("not-as-the-item", "provenance", "errata.jsonl", '"after": "哪棵树', '"after": "哪株树', "errata.jsonl"),
        )
    ),
    # rejected records
    *(
        rows_defect(f"rejected-{name}", "rejected", "rejected", change)
        for name, change in {
            "as-another-class": in_row(finding(**{"class": "direct-object"}), start=0),
            "for-another-reason": in_row(finding(message="because")),
            "at-another-place": in_row(finding(span={"start": 0, "end": 1})),
            "in-another-order": moved,
            "with-an-answer-of-text": in_row(put(answer="a")),
            "without-a-finding": in_row(put(findings=[])),
            "for-words-of-another-sentence": in_row(with_words(target="龥")),
            "and-released": in_row(put(id="zh-0001-a"), start=0),
            "without-a-note": in_row(without("note")),
        }.items()
    ),
    *(
        rows_defect(f"rejected-{name}", "card-follows-data", "rejected", change, CARD)
        for name, change in {"lost": drop(), "emptied": lambda _: []}.items()
    ),
]
