"""Defects of the fillers of a cloze experiment, and of the release of cloze items: its cloze rows and readings."""

from .defect import ANY, Change, Defect, Rows, in_row, put, replace, twice, without
from .releases import rows_defect

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
        ("with-two-pronouns-of-one-gender", "answer-of-antecedent", put(answer="er|er")),
        ("with-several-pronouns-of-an-article", "answer-of-antecedent", put(answer="er|es")),
        ("with-a-noun-for-answer", "answer-of-antecedent", put(answer="Kapitän")),
        ("with-another-article", "answer-of-antecedent", put(antecedent=lambda row: f"das {row['antecedent'][4:]}")),
        ("of-another-noun", "antecedent-in-text", put(antecedent="der Heizlüfter")),
    )
]
FILLERS.append(Defect("filler-twice", "fillers", "unique-id", twice()))


def in_file(name: str, expectation: str, file: str, change: Change, reported: str = "") -> Defect:
    """Return the defect of a row of a file of the German release."""
    return rows_defect(f"german-{name}", expectation, file, in_row(change), reported, DE)


def readings_lost(rows: Rows) -> Rows:
    """Remove all readings of an item but one."""
    name = rows[ANY]["item"]
    return [row for at, row in enumerate(rows) if row["item"] != name or at == ANY]


_EXCHANGED = put(genders=lambda row: row["genders"][::-1])
GERMAN_RELEASES = [
    in_file("genders-reversed", "cloze-rows", "data/winograd", _EXCHANGED, "data/cloze.jsonl"),
    in_file("winograd-without-role", "record-fields", "data/winograd", without("role")),
    in_file("reading-of-another-text", "readings", "data/readings", put(digest="0123456789abcdef")),
    in_file("reading-with-another-pronoun", "readings", "data/readings", put(pronoun="wer")),
    in_file("reading-of-an-unsure-reader", "readings", "data/readings", put(sure=3)),
    in_file("reading-off-the-scale", "readings", "data/readings", put(natural=6)),
    in_file("reading-of-no-item", "readings", "data/readings", put(item="de-999-a")),
    rows_defect("german-readings-lost", "readings", "data/readings", readings_lost, artifact=DE),
    rows_defect("german-reading-twice", "readings", "data/readings", twice(), artifact=DE),
]
