"""Defects between the files of a build: rows that no longer follow from what they were derived from.

They are generated: for each file and each field a changed value and two values exchanged; for each file rows lost, doubled, moved or
of an item that does not belong there; and each file empty or deleted.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from pipeline.winograd.forms import FORMS
from pipeline.winopron.instances import COLUMNS

from .defect import ANY, Damage, Defect, Row, Rows, drop, in_row, put, twice
from .skipped import record

#: The first schema of which the form `names` is made.
NAMED = "zh-0009"

_RECORD = "id schema version lang text target candidates answer question source note"
_ZERO = f"{_RECORD} text_zero zero text_dropped dropped mentions"
_SENTENCE = f"{_RECORD} case pronouns"
#: The fields of the files that are derived again, by file and expectation.
FIELDS: dict[tuple[str, str], str] = {
    ("zh/kept.jsonl", "kept"): _RECORD,
    ("zh/rejected.jsonl", "rejected"): f"{_RECORD} findings",
    ("zh/decisions.jsonl", "decisions"): "id class disputed",
    ("zh/modified.jsonl", "modified"): _RECORD,
    ("zh/modified-rejected.jsonl", "modified-rejected"): f"{_RECORD} findings",
    ("zh/modifications.jsonl", "modifications"): "class original modified",
    ("zh/adjudicated.jsonl", "adjudicated"): _RECORD,
    ("zh/adjudicated-rejected.jsonl", "adjudicated-rejected"): f"{_RECORD} findings",
    ("zh/analysis.jsonl", "analysis"): "id schema",
    ("zh/zero.jsonl", "zero"): _ZERO,
    ("zh/zero-before.jsonl", "zero-before"): _ZERO,
    ("zh/variants/nli.jsonl", "nli"): "id item schema premise hypothesis label",
    ("zh/variants/disambiguated.jsonl", "disambiguated"): "id item schema text span candidate correct changes",
    ("zh/variants/scoring.jsonl", "scoring"): "id item schema context continuation partial candidate correct",
    ("zh/variants/winogrande.jsonl", "winogrande"): "id item schema sentence option1 option2 answer",
    ("zh/variants/names.jsonl", "names"): f"{_RECORD} item names gloss",
    ("zh/variants/tokens.jsonl", "tokens"): "item text tokens offsets target candidates corrected",
    ("zh/variants/traditional-tw.jsonl", "traditional-tw"): f"{_RECORD} item back",
    ("zh/variants/traditional-hk.jsonl", "traditional-hk"): f"{_RECORD} item back",
    (
        "zh/association/pmi.jsonl",
        "pmi",
    ): "id answer candidates reference counts reference_count joint_counts pmi difference decided choice right",
    (
        "de/cloze.jsonl",
        "cloze",
    ): "id schema text antecedents gold pronoun version register kind question gloss note",
    ("de/variants/nli.jsonl", "nli"): "premise hypothesis label",
    ("de/variants/disambiguated.jsonl", "disambiguated"): "text span candidate correct",
    ("en/double.jsonl", "sentences"): _SENTENCE,
    ("en/single.jsonl", "sentences"): _SENTENCE,
    ("en/double.tsv", "tables"): " ".join(COLUMNS),
    ("en/single.tsv", "tables"): " ".join(COLUMNS),
}
# Of a form that is not named above, the field that all forms have.
FIELDS = {**{(f"zh/variants/{name}.jsonl", name): "item" for name, form in FORMS.items() if form.is_of("zh")}, **FIELDS}
#: Further files, with the expectation that reports what they lose or have too many.
OTHERS = {
    "zh/variants/unmade.jsonl": "unmade",
    "zh/variants/differences.tsv": "differences",
}
#: Files of a report on labelled texts, read as lines.
_REPORT = ("texts/talk.labelled.zh", "texts/talk.oracle.context.zh", "texts/talk.words.en")
#: Fields that are the same in all rows of a small file, so that an exchange changes nothing.
_CONSTANT = {
    "lang",
    "source",
    "note",
    "question",
    "disputed",
    "changes",
    "partial",
    "class",
    "corrected",
    "back",
    "names",
}
#: Files of a build that another step needs, with nothing to derive in them.
_SOURCES = (
    "zh/items.jsonl",
    "zh/skipped.jsonl",
    "zh/adjudications.jsonl",
    "zh/terms.txt",
    "zh/association/counts.jsonl",
)
_FILES = (*(path for path, _ in FIELDS), *OTHERS, *_SOURCES, "zh/variants/options.json")


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


def exchanged(field: str) -> Damage:
    """Return the damage that exchanges a field of a row with the first other row that has another value there."""

    def damage(rows: Rows) -> Rows:
        copy, at = deepcopy(rows), start_of(rows)
        other = next(n for n, row in enumerate(copy) if n != at and repr(row.get(field)) != repr(copy[at].get(field)))
        copy[at][field], copy[other][field] = copy[other].get(field), copy[at].get(field)
        return copy

    return damage


def start_of(rows: Rows) -> int:
    """Return the place of the row to damage."""
    return min(ANY, len(rows) - 2)


def moved(rows: Rows) -> Rows:
    """Exchange a row with the next one."""
    at = start_of(rows)
    return [*rows[:at], rows[at + 1], rows[at], *rows[at + 2 :]]


def without_mate(rows: Rows) -> Rows:
    """Remove the rows of the second member of a pair."""
    at = start_of(rows)
    name = str(rows[at].get("item") or rows[at]["id"])
    mate = f"{name[:-1]}{'a' if name.endswith('b') else 'b'}"
    return [row for row in rows if (row.get("item") or row["id"]) != mate]


def reordered(rows: Rows) -> Rows:
    """Reverse the fields of all rows."""
    return [dict(reversed(row.items())) for row in rows]


def of_item(name: str) -> Callable[[Rows], Rows]:
    """Return the damage that appends a row of an item that does not belong there."""

    def damage(rows: Rows) -> Rows:
        copy = deepcopy(rows[start_of(rows)])
        for field in ("id", "item"):
            if field in copy:
                copy[field] = f"{name}-0" if field == "id" and "item" in copy and copy["id"] != copy["item"] else name
        return [*rows, copy]

    return damage


def _seeds() -> Iterator[Defect]:
    for (path, expectation), fields in FIELDS.items():
        name = path.replace("/variants", "").replace("/association", "").replace("/", "-").replace(".", "-")
        for field in fields.split():
            slug = field.replace("_", "-").replace("1", "-one").replace("2", "-two")
            change = in_row(put(**{field: lambda row, field=field: altered(row.get(field))}))
            yield Defect(f"{name}-{slug}-changed", "derivation", expectation, change, path)
            if field not in _CONSTANT and not (field == "target" and "rejected" in path):
                yield Defect(f"{name}-{slug}-exchanged", "derivation", expectation, exchanged(field), path)
        yield from _rows(name, path, expectation)
        if "/variants/" in path:
            yield Defect(f"{name}-fields-reversed", "derivation", expectation, reordered, path)
        if path.startswith("zh/") and expectation != "modifications":
            yield Defect(f"{name}-without-the-mate", "derivation", expectation, without_mate, path)
            yield Defect(f"{name}-of-no-item", "derivation", expectation, of_item("zh-9999-a"), path)
        if (
            path.startswith("zh/")
            and expectation not in ("modifications", "analysis", "pmi", "decisions")
            and "rejected" not in path
        ):
            yield Defect(f"{name}-of-a-rejected-item", "derivation", expectation, of_item("zh-0017-a"), path)
    for path, expectation in OTHERS.items():
        yield from _rows(expectation, path, expectation)
    for path in _FILES:
        if path == "zh/zero-before.jsonl":  # only our own build has it
            continue
        slug = path.replace("/", "-").replace(".", "-")
        yield Defect(f"{slug}-deleted", "derivation", "complete", lambda _: None, path)


def with_another_line(lines: Rows) -> Rows:
    """Change the end of a line."""
    at = start_of(lines)
    return [*lines[:at], f"{lines[at]}甲", *lines[at + 1 :]]  # type: ignore[list-item]  # lines, not rows


def _report() -> Iterator[Defect]:
    for name in _REPORT:
        path, slug = f"zp-report/{name}", name.replace("/", "-").replace(".", "-")
        for kind, damage in {
            "changed": with_another_line,
            "line-lost": lambda lines: drop(start_of(lines))(lines),
            "line-twice": lambda lines: [*lines, lines[start_of(lines)]],
            "lines-exchanged": moved,
            "half": lambda lines: lines[: len(lines) // 2],
            "empty": lambda _: [],
        }.items():
            yield Defect(f"report-{slug}-{kind}", "derivation", "report", damage, path)
    yield Defect("report-page-changed", "derivation", "report", with_another_line, "zp-report/index.html")
    for kind, old, new in (
        ("number-changed", '"zeros": 8', '"zeros": 9'),
        ("share-changed", '"entropy": 2.75', '"entropy": 2.5'),
    ):
        yield Defect(f"report-{kind}", "derivation", "report", of_options(old, new), "zp-report/figures.json")


def _rows(name: str, path: str, expectation: str) -> Iterator[Defect]:
    for kind, damage in {
        "row-lost": lambda rows: drop(start_of(rows))(rows),
        "first-row-lost": drop(0),
        "row-twice": lambda rows: twice(at=start_of(rows))(rows),
        "rows-exchanged": moved,
        "half": lambda rows: rows[: len(rows) // 4 * 2 or 1],  # whole pairs of modifications
        "empty": lambda _: [],
    }.items():
        reported = "modified" if expectation == "modifications" and kind in ("half", "empty") else expectation
        yield Defect(f"{name}-{kind}", "derivation", reported, damage, path)


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
    Defect(
        "derivation-gloss-changed",
        "derivation",
        "names",
        in_row(put(gloss="Another sentence."), lambda row: row["schema"] == NAMED),
        "zh/analysis.jsonl",
    ),
    first_row(
        "zh/analysis.jsonl",
        "pmi",
        "derivation-reference-changed",
        put(pmi={"candidates": ["妹妹", "姐姐"], "reference": "看不清"}),
    ),
    Defect(
        "derivation-skipped-record-of-an-item",
        "derivation",
        "skipped",
        lambda rows: [*rows, {**record(), "id": "zh-0001-a", "schema": "zh-0001"}],
        "zh/skipped.jsonl",
        "zh-0001-a",
    ),
    Defect(
        "derivation-votes-of-one-parser-only",
        "derivation",
        "decisions",
        in_row(lambda row: row["votes"].popitem(), lambda row: len(row["votes"]) > 1),
        "zh/decisions.jsonl",
    ),
    Defect(
        "derivation-modification-without-a-reason",
        "derivation",
        "modifications",
        in_row(put(reason=""), start=0),
        "zh/modifications.jsonl",
    ),
    *(
        Defect(f"derivation-modification-{name}", "derivation", "modifications", in_row(change, start=0), path)
        for path in ("zh/modifications.jsonl",)
        for name, change in (
            ("of-an-unknown-type", put(type="passive")),
            ("for-an-invisible-reason", put(reason=lambda row: f"{row['reason']}\u200b")),
            ("with-an-invisible-character", put(to=lambda row: f"{row['to']}\u200d")),
        )
    ),
    Defect(
        "derivation-evidence-without-a-start", "derivation", "rejected", in_row(without_a_start), "zh/rejected.jsonl"
    ),
    *(
        Defect(f"derivation-evidence-of-{name}", "derivation", "rejected", in_row(with_words(**words)), path)
        for path in ("zh/rejected.jsonl",)
        for name, words in (("another-target", {"target": "它"}), ("a-word-of-no-sentence", {"linker": "龥"}))
    ),
    Defect(
        "derivation-sentences-that-end-otherwise",
        "derivation",
        "parallel-single",
        with_another_ending,
        "en/single.jsonl",
    ),
    Defect("derivation-term-lost", "derivation", "terms", lambda rows: rows[1:], "zh/terms.txt"),
    Defect("derivation-term-twice", "derivation", "terms", lambda rows: [*rows, rows[0]], "zh/terms.txt"),
    Defect(
        "derivation-counts-of-another-window",
        "derivation",
        "pmi",
        lambda rows: [{**row, "count": row["count"] - 1} if "count" in row else row for row in rows],
        "zh/association/counts.jsonl",
    ),
    Defect(
        "derivation-count-of-no-term",
        "derivation",
        "counts",
        lambda rows: [*rows, {"terms": ["龥"], "count": 1}],
        "zh/association/counts.jsonl",
    ),
    Defect(
        "derivation-adjudication-of-no-item",
        "derivation",
        "adjudications",
        lambda _: [{"id": "zh-9999-a", "before": "kept", "after": "defect", "decision": None}],
        "zh/adjudications.jsonl",
    ),
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
]
