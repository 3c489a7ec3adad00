"""Defects between the files of a build: rows that no longer follow from what they were derived from.

One row that each file lost shows that the file is compared; tests/core/test_derivation.py tries the comparison itself, and
tests/release/test_planted.py damages random fields of random rows.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from pipeline.winograd.forms import FORMS

from .defect import ANY, Damage, Defect, Row, Rows, in_row, put
from .items import record

#: The first schema of which the form `names` is made.
NAMED = "zh-0009"
_STAGES = ("kept", "rejected", "decisions", "modified", "modified-rejected", "modifications", "adjudicated",
           "adjudicated-rejected", "analysis", "zero", "zero-before")  # fmt: skip
#: The expectation that reports what a file lost or has too many.
FILES: dict[str, str] = {
    **{f"zh/{name}.jsonl": name for name in _STAGES},
    **{f"{'zh' if form.is_of('zh') else 'de'}/variants/{name}.jsonl": name for name, form in FORMS.items()},
    "zh/variants/unmade.jsonl": "unmade",
    "zh/variants/differences.tsv": "differences",
    "zh/association/pmi.jsonl": "pmi",
    "de/cloze.jsonl": "cloze",
    **{
        f"en/{version}.{end}": name
        for version in ("double", "single")
        for end, name in (("jsonl", "sentences"), ("tsv", "tables"))
    },
}
#: Files of a build that another step needs, with nothing to derive in them.
_SOURCES = (
    "zh/items.jsonl",
    "zh/skipped.jsonl",
    "zh/adjudications.jsonl",
    "zh/terms.txt",
    "zh/association/counts.jsonl",
)


def altered(value: Any) -> Any:
    """Return another value of the same kind."""
    match value:
        case bool():
            return not value
        case int() | float():
            return 1 - value if value in (0, 1) else value + 1
        case str():
            return f"{value[:-1]}甲"
        case list():
            return value[1:] or ["甲"]
        case {"start": int(), "end": int()}:
            return {**value, "end": value["end"] + 1}
        case dict():
            return {} if value else {"甲": "乙"}
    return "甲"


def start_of(rows: Rows) -> int:
    """Return the place of the row to damage."""
    return min(ANY, len(rows) - 2)


def row_lost(rows: Rows) -> Rows:
    """Remove a row."""
    return [*rows[: start_of(rows)], *rows[start_of(rows) + 1 :]]


def moved(rows: Rows) -> Rows:
    """Exchange a row with the next one."""
    at = start_of(rows)
    return [*rows[:at], rows[at + 1], rows[at], *rows[at + 2 :]]


def reordered(rows: Rows) -> Rows:
    """Reverse the fields of all rows."""
    return [dict(reversed(row.items())) for row in rows]


def _seeds() -> Iterator[Defect]:
    for path, expectation in FILES.items():
        yield Defect(f"{_slug(path)}-row-lost", "derivation", expectation, row_lost, path)
    for path in (*FILES, *_SOURCES, "zh/variants/options.json"):
        if path != "zh/zero-before.jsonl":  # which only our own build has
            yield Defect(f"{_slug(path)}-deleted", "derivation", "complete", lambda _: None, path)


def _slug(path: str) -> str:
    return path.replace("/", "-").replace(".", "-")


def with_another_line(lines: Rows) -> Rows:
    """Change the end of a line."""
    at = start_of(lines)
    return [*lines[:at], f"{lines[at]}甲", *lines[at + 1 :]]  # type: ignore[list-item]  # lines, not rows


def _report() -> Iterator[Defect]:
    for kind, path, damage in (
        ("line-changed", "texts/talk.labelled.zh", with_another_line),
        ("line-lost", "texts/talk.oracle.context.zh", row_lost),
        ("lines-exchanged", "texts/talk.words.en", moved),
        ("page-changed", "index.html", with_another_line),
        ("number-changed", "figures.json", of_options('"zeros": 8', '"zeros": 9')),
    ):
        yield Defect(f"report-{kind}", "derivation", "report", damage, f"zp-report/{path}")


def first_row(path: str, expectation: str, name: str, change: Callable[[Row], object]) -> Defect:
    """Return the defect of a file from which others are derived: what follows from it is reported."""
    return Defect(name, "derivation", expectation, in_row(change), path)


def of_options(old: str, new: str) -> Damage:
    """Return the damage of a file of options, read as lines."""

    def damage(lines: Rows) -> Any:
        (line,) = map(str, lines)
        assert old in line, f"{old} is not in {line}"
        return [line.replace(old, new, 1)]

    return damage


def with_another_ending(rows: Rows) -> Rows:
    """Change the last word of all sentences of the first template."""
    copy = deepcopy(rows)
    for row in copy:
        if all(row[name] == rows[0][name] for name in ("candidates", "case", "answer")):
            row["text"] = f"{row['text'].rpartition(' ')[0]} evening."
    return copy


def with_words(**words: str) -> Callable[[Row], None]:
    """Return the change of the words that a rejected record has as evidence."""

    def change(row: Row) -> None:
        finding = next(finding for finding in row["findings"] if "words" in finding["evidence"])
        finding["evidence"]["words"].update(words)

    return change


def without_a_start(row: Row) -> None:
    """Let the sentence of the evidence begin nowhere."""
    finding = next(finding for finding in row["findings"] if "words" in finding["evidence"])
    finding["evidence"]["sentence"] = {"start": "x", "end": 5}


def zero_one_place_too_late(row: Row) -> None:
    """Move the Ø and its span, as a wrong offset would."""
    text, start = row["text_dropped"], row["zero"]["start"] + 1
    row["text_zero"] = f"{text[:start]}Ø{text[start:]}"
    row["zero"] = {"start": start, "end": start + 1}


DERIVATION: list[Defect] = [
    *_seeds(),
    first_row("zh/zero.jsonl", "zero", "zero-one-place-too-late", zero_one_place_too_late),
    *_report(),
    first_row("zh/items.jsonl", "kept", "derivation-items-answer-flipped", put(answer=lambda row: 1 - row["answer"])),
    first_row("zh/items.jsonl", "zero", "derivation-items-text-changed", put(text=lambda row: f"昨{row['text'][1:]}")),
    *(
        Defect(f"derivation-{name}", "derivation", expectation, damage, f"zh/{file}")
        for file, expectation, name, damage in (
            ("analysis.jsonl", "names", "gloss-changed", in_row(put(gloss="Another."), lambda row: row["schema"] == NAMED)),
            ("analysis.jsonl", "pmi", "reference-changed", in_row(put(pmi={"candidates": ["妹妹", "姐姐"], "reference": "看不清"}))),
            ("decisions.jsonl", "decisions", "votes-of-one-parser-only",
             in_row(lambda row: row["votes"].popitem(), lambda row: len(row["votes"]) > 1)),
            ("modifications.jsonl", "modifications", "modification-without-a-reason", in_row(put(reason=""), start=0)),
            ("modifications.jsonl", "modifications", "modification-of-an-unknown-type", in_row(put(type="passive"), start=0)),
            ("rejected.jsonl", "rejected", "evidence-without-a-start", in_row(without_a_start)),
            ("rejected.jsonl", "rejected", "evidence-of-another-target", in_row(with_words(target="它"))),
            ("terms.txt", "terms", "term-lost", lambda rows: rows[1:]),
            ("association/counts.jsonl", "pmi", "counts-of-another-window",
             lambda rows: [{**row, "count": row["count"] - 1} if "count" in row else row for row in rows]),
            ("association/counts.jsonl", "counts", "count-of-no-term", lambda rows: [*rows, {"terms": ["龥"], "count": 1}]),
            ("adjudications.jsonl", "adjudications", "adjudication-of-no-item",
             lambda _: [{"id": "zh-9999-a", "before": "kept", "after": "defect", "decision": None}]),
        )
    ),
    Defect(
        "derivation-skipped-record-of-an-item",
        "derivation",
        "skipped",
        lambda rows: [*rows, {**record(), "id": "zh-0001-a", "schema": "zh-0001"}],
        "zh/skipped.jsonl",
        "zh-0001-a",
    ),
    Defect("derivation-sentences-that-end-otherwise", "derivation", "parallel-single", with_another_ending, "en/single.jsonl"),
    *(
        Defect(f"derivation-options-of-other-{name}", "derivation", expectation, of_options(old, new), path)
        for name, expectation, old, new, path in (
            ("seeds", "names", '"seed": 0', '"seed": 1', "zh/variants/options.json"),
            ("glosses", "names", '"glosses": true', '"glosses": false', "zh/variants/options.json"),
            ("cuts", "one-cut", "船身 猛地", "船 身 猛地", "zh/variants/options.json"),
            ("corrections", "tokens", '"zh-0016-a"', '"zh-9999-a"', "zh/variants/options.json"),
            ("fields", "unmade", '"seed": 0', '"seed": 0, "sed": 1', "zh/variants/options.json"),
            ("thresholds", "pmi", '"threshold": 0.0', '"threshold": 9.0', "zh/association/options.json"),
        )
    ),
]  # fmt: skip
