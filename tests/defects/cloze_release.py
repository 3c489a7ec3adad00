"""Defects of the fillers of a cloze experiment, and of the release of cloze items."""

from collections.abc import Iterator

from pipeline.release.cloze import DERIVED

from .defect import ANY, Change, Damage, Defect, Rows, drop, in_row, put, replace, twice, without
from .derivation import altered
from .releases import CARD, edited, lost, of_rows, release_defect, row_defects, rows_defect, table_defects

DE = "release/de"
FILLERS = [
    Defect(f"filler-{name}", "fillers", expectation, in_row(change))
    for name, expectation, change in (
        ("without-register", "contract", without("register")),
        ("of-another-language", "contract", put(lang="fr")),
        ("with-an-empty-antecedent", "contract", put(antecedent=" ")),
        ("with-a-field-more", "contract", put(gender="masc")),
        ("without-a-gap", "one-gap", replace("text", "___", "er")),
        ("with-two-gaps", "one-gap", replace("text", "___", "___ ___")),
        ("with-a-short-gap", "one-gap", replace("text", "___", "__")),
        ("with-the-pronoun-of-another-gender", "answer-of-antecedent", put(answer="es")),
        ("with-a-noun-for-answer", "answer-of-antecedent", put(answer="Kapitän")),
        ("with-another-article", "answer-of-antecedent", put(antecedent=lambda row: f"das {row['antecedent'][4:]}")),
        ("of-another-noun", "antecedent-in-text", put(antecedent="der Heizlüfter")),
    )
]
FILLERS.append(Defect("filler-twice", "fillers", "unique-id", twice()))


def of_german(name: str, expectation: str, damage: Damage, file: str = CARD) -> Defect:
    """Return the defect of the German release, with the file that must be named."""
    return release_defect(f"german-{name}", expectation, damage, file, DE)


def in_file(name: str, expectation: str, file: str, change: Change, reported: str = "") -> Defect:
    """Return the defect of a row of a file of the German release."""
    return rows_defect(f"german-{name}", expectation, file, in_row(change), reported, DE)


def readings_lost(rows: Rows) -> Rows:
    """Remove all readings of an item but one."""
    name = rows[ANY]["item"]
    return [row for at, row in enumerate(rows) if row["item"] != name or at == ANY]


def _cloze() -> Iterator[Defect]:
    for field in ("text", "pronoun", "antecedents"):
        change = put(**{field: lambda row, field=field: altered(row[field])})
        yield in_file(f"cloze-{field}-changed", "cloze-rows", "data/cloze", change)
    exchange = put(genders=lambda row: row["genders"][::-1])
    yield in_file("winograd-genders-reversed", "cloze-rows", "data/winograd", exchange, "data/cloze.jsonl")
    yield in_file("winograd-without-role", "record-fields", "data/winograd", without("role"))
    yield in_file("winograd-with-a-field-more", "record-fields", "data/winograd", put(checked="yes"))


#: What the card says, and what it says instead.
_CARD = {
    "order-of-genders": ("| masc | fem | 1", "| masc | fem | 2"),
    "register": ("| nature |", "| culture |"),
    "number-of-items": (" items in ", "0 items in "),
    "rows-of-a-configuration": ("| fillers | ", "| fillers | more "),
    "figures-of-readings": (" sure, and found", "9 sure, and found"),
    "example": ('"gold": 1', '"gold": 0'),
    "task": ("| `winoforge_de_full` |", "| `winoforge_de_fill` |"),
}

GERMAN_RELEASES = [
    *_cloze(),
    *row_defects("german-cloze", "data/cloze", "cloze-rows", artifact=DE),
    *(defect for form in DERIVED for defect in row_defects(f"german-{form}", f"data/{form}", form, artifact=DE)),
    *table_defects(DE, {"readings": "remark"}),
    *(of_german(f"card-{name}", "card-follows-data", edited(CARD, *edit)) for name, edit in _CARD.items()),
    of_german("canary-changed", "card-follows-data", edited(CARD, "> Test data", "> Text data")),
    of_german("title-changed", "card-follows-data", edited(CARD, "Original German pairs", "Translated German pairs")),
    of_german("configuration-lost", "card-follows-data", lost("data/fillers.jsonl", "data/fillers.parquet")),
    *(
        of_german(f"without-{name}", "complete", lost(file), file)
        for name, file in (
            ("provenance", "provenance.jsonl"),
            ("options", "options.json"),
            ("cloze-table", "data/cloze.parquet"),
            ("items", "data/winograd.jsonl"),
            ("tasks", "lm_eval/utils.py"),
        )
    ),
    in_file("scoring-answer-changed", "tasks-follow-data", "lm_eval/scoring", put(correct=lambda row: not row["correct"])),
    of_german("task-row-lost", "tasks-follow-data", of_rows("lm_eval/scoring", drop()), "lm_eval/scoring.jsonl"),
    of_german("task-in-english", "tasks-follow-data", edited("lm_eval/choice.yaml", "Antwort", "Answer"), "lm_eval/choice.yaml"),
    in_file("provenance-of-another-file", "provenance", "provenance", put(file="raw/zh/schemas.yaml")),
    in_file("reading-of-another-text", "readings", "data/readings", put(digest="0123456789abcdef")),
    in_file("reading-with-another-pronoun", "readings", "data/readings", put(pronoun="wer")),
    in_file("reading-of-an-unsure-reader", "readings", "data/readings", put(sure=3)),
    in_file("reading-off-the-scale", "readings", "data/readings", put(natural=6)),
    in_file("reading-of-no-item", "readings", "data/readings", put(item="de-999-a")),
    of_german("readings-lost", "readings", of_rows("data/readings", readings_lost), "data/readings.jsonl"),
    of_german("reading-twice", "readings", of_rows("data/readings", twice()), "data/readings.jsonl"),
]  # fmt: skip
