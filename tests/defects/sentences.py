"""Defects of sentences made from occupation templates, in tables and as items."""

from collections.abc import Callable
from typing import Any

from .defect import ANY, Change, Damage, Defect, Row, Rows, drop, from_row, in_row, put, shift, twice, without
from .templates import NAMES, TYPOS

EN_SINGLE = "en/single.tsv"


def sentence(make: Callable[[Row], str]) -> Damage:
    """Return the damage that changes a sentence of the second group, whose first line is not the file's."""
    return in_row(put(sentence=make), start=8 + ANY)


def other_entity(row: Row) -> str:
    other = row["participant"] if row["answer"] == row["occupation"] else row["occupation"]
    return str(row["sentence"]).replace(row["answer"], other)


INSTANTIATIONS = [
    Defect("sentence-lost", "instantiations", "every-pronoun-twice", drop(8 + ANY)),
    Defect("sentence-line-twice", "instantiations", "every-pronoun-twice", twice()),
    Defect(
        "answer-of-every-sentence-the-same",
        "instantiations",
        "every-pronoun-twice",
        lambda rows: [{**row, "answer": row["occupation"]} for row in rows[:8]] + rows[8:],
    ),
    Defect("answer-outside-the-sentence", "instantiations", "answer-is-an-entity", in_row(put(answer="bystander"))),
    Defect("answer-as-number", "instantiations", "answer-is-an-entity", in_row(put(answer="0"))),
    Defect(
        "pronoun-of-another-case",
        "instantiations",
        "pronoun-matches-type",
        in_row(put(pronoun="them", sentence=lambda row: row["sentence"].replace(" they ", " them "))),
    ),
    Defect(
        "pronoun-type-of-another-case",
        "instantiations",
        "pronoun-matches-type",
        lambda rows: [{**row, "pronoun_type": "$REFL_PRONOUN"} for row in rows[:8]] + rows[8:],
    ),
    Defect(
        "extra-pronoun-stuck-to-a-mark",
        "instantiations",
        "pronoun-once",
        sentence(lambda row: row["sentence"].removesuffix(".") + " near her."),
    ),
    Defect(
        "two-pronouns",
        "instantiations",
        "pronoun-once",
        sentence(lambda row: f"{row['sentence'].removesuffix('.')}, and they knew."),
    ),
    Defect(
        "extra-pronoun-with-an-apostrophe",
        "instantiations",
        "pronoun-once",
        sentence(lambda row: row["sentence"].removesuffix(".") + ", and she's gone."),
    ),
    Defect(
        "pronoun-replaced-by-a-name",
        "instantiations",
        "pronoun-once",
        sentence(lambda row: row["sentence"].replace(f" {row['pronoun']} ", " Kim ")),
    ),
    Defect(
        "pronoun-of-another-set",
        "instantiations",
        "pronoun-once",
        sentence(lambda row: row["sentence"].replace(f" {row['pronoun']} ", " xem ")),
    ),
    Defect(
        "entity-not-filled-in",
        "instantiations",
        "no-placeholder",
        sentence(lambda row: row["sentence"].replace(row["participant"], "$PARTICIPANT")),
    ),
    Defect(
        "pronoun-not-filled-in",
        "instantiations",
        "no-placeholder",
        sentence(lambda row: row["sentence"].replace(f" {row['pronoun']} ", " $ACC_PRONOUN ")),
    ),
    Defect(
        "answer-misspelt-in-the-sentence",
        "instantiations",
        "answer-named",
        sentence(lambda row: row["sentence"].replace(row["answer"], row["answer"][:-1])),
    ),
    Defect(
        "answer-in-the-plural",
        "instantiations",
        "answer-named",
        sentence(lambda row: row["sentence"].replace(row["answer"], row["answer"] + "s")),
    ),
    Defect("single-entity-swapped", "instantiations", "answer-named", sentence(other_entity), EN_SINGLE),
    Defect(
        "sentence-with-a-zero-width-space",
        "instantiations",
        "no-invisible-character",
        sentence(lambda row: row["sentence"].replace(".", "\u200b.")),
    ),
    Defect(
        "sentence-with-a-doubled-blank",
        "instantiations",
        "single-blanks",
        sentence(lambda row: row["sentence"].replace(" ", "  ", 1)),
    ),
    Defect("sentence-of-another-line", "instantiations", "unique-sentences", from_row("sentence", 1)),
    Defect(
        "formula-with-other-words",
        "instantiations",
        "one-template",
        sentence(lambda row: "'=" + row["sentence"]),
    ),
    Defect(
        "sentence-in-quotation-marks", "instantiations", "plain-cells", sentence(lambda row: f'"{row["sentence"]}"')
    ),
    Defect("answer-in-quotation-marks", "instantiations", "plain-cells", in_row(put(answer='"customer"'))),
    Defect(
        "quotation-marks-doubled",
        "instantiations",
        "plain-cells",
        sentence(lambda row: row["sentence"].replace("The ", 'The ""')),
    ),
    Defect("column-too-many", "instantiations", "plain-cells", lambda rows: [{**row, "note": ""} for row in rows]),
]


# --- defects of both ----------------------------------------------------------------------------------------------------

#: The field of the sentence, and the start of defects' names, by suite.
TEXT = {"instantiations": ("sentence", "table"), "sentences": ("text", "items")}


def other_text(suite: str, change: Callable[[str], str]) -> Damage:
    """Return the damage that changes a sentence behind its pronoun, whose span stays."""
    field = TEXT[suite][0]

    def changed(row: Row) -> str:
        return change(str(row[field]))

    return in_row(put(**{field: changed}), start=8 + ANY)


def names(row: Row) -> list[str]:
    """Return the occupation and the participant."""
    return list(row["candidates"]) if "candidates" in row else [row["occupation"], row["participant"]]


def without_the_other(suite: str) -> Damage:
    """Return the damage that replaces the entity that is not the answer."""
    field = TEXT[suite][0]

    def change(row: Row) -> None:
        occupation, participant = names(row)
        answer = row["answer"] if isinstance(row["answer"], str) else names(row)[row["answer"]]
        row[field] = row[field].replace(participant if answer == occupation else occupation, "janitor")

    return in_row(change, start=8 + ANY)


def same_group(rows: Rows, suite: str) -> Callable[[Row], bool]:
    """Return whether a row is of the case of the ninth row, and of its entities."""
    field = "pronoun_type" if suite == "instantiations" else "case"
    return lambda row: (names(row), row[field]) == (names(rows[8]), rows[8][field])


def case_lost(suite: str) -> Damage:
    """Return the damage that loses one case of one pair of entities."""
    return lambda rows: [row for row in rows if not same_group(rows, suite)(row)]


def in_two_cases(suite: str) -> Damage:
    """Return the damage that gives a sentence of one case and one of another the same text."""
    field = TEXT[suite][0]
    text = "The technician called the customer because they had left."

    def damage(rows: Rows) -> Rows:
        return [{**row, field: text} if at in (ANY, ANY + 8) else row for at, row in enumerate(rows)]

    return damage


def later(suite: str) -> Damage:
    """Return the damage that puts a word before a sentence, and moves its target along."""

    def change(row: Row) -> None:
        row[TEXT[suite][0]] = "Today, " + row[TEXT[suite][0]]
        if "target" in row:
            shift("target", 7)(row)

    return in_row(change, start=8 + ANY)


def of(suite: str, name: str, expectation: str, damage: Damage, reported_id: str = "") -> Defect:
    artifact, word = ("double.tsv", "table") if suite == "instantiations" else ("double.jsonl", "items")
    return Defect(
        f"{word}-{name}", suite, expectation, damage, reported_id=f"{artifact} {reported_id}" * bool(reported_id)
    )


BOTH = [
    defect
    for suite in TEXT
    for defect in (
        *(of(suite, f"sentence-with-{name}", "typography", other_text(suite, change)) for name, change in TYPOS),
        of(suite, "word-of-one-pronoun-only", "one-template", other_text(suite, lambda text: " that ".join(text.rsplit(" ", 1)))),
        of(suite, "ending-of-one-pronoun-only", "one-template", other_text(suite, lambda text: text.removesuffix(".") + " again.")),
        of(suite, "beginning-of-one-pronoun-only", "same-beginning", later(suite)),
        of(suite, "other-entity-not-named", "entities-named", without_the_other(suite)),
        of(suite, "case-lost", "every-case", case_lost(suite), "technician-customer-$NOM_PRONOUN"),
        of(suite, "sentence-of-two-cases", "unique-sentences", in_two_cases(suite)),
        of(suite, "pronouns-exchanged", "in-order", lambda rows: [*rows[:ANY], rows[ANY + 1], rows[ANY], *rows[ANY + 2 :]]),
        of(suite, "pronoun-set-lost", "every-pronoun-twice", lambda rows: [row for at, row in enumerate(rows) if at not in (ANY, ANY + 4)]),
        of(suite, "answer-lost", "every-pronoun-twice", lambda rows: rows[:4] + rows[8:]),
    )
]  # fmt: skip

# --- defects of items -----------------------------------------------------------------------------------------------------


def field(**fields: Any) -> Damage:
    return in_row(put(**fields))


ITEM_FIELDS: list[tuple[str, str, Damage]] = [
    ("case-of-another-form", "pronoun-of-its-set", field(case="accusative")),
    ("pronouns-of-another-form", "pronoun-of-its-set", field(pronouns="xe")),
    ("pronouns-of-an-equal-form", "pronoun-of-its-set", field(pronouns="she")),
    ("set-unknown", "contract", field(pronouns="ze")),
    ("set-of-a-form", "contract", field(pronouns="him")),
    ("set-empty", "contract", field(pronouns="")),
    ("set-with-a-capital", "contract", field(pronouns="They")),
    *((f"set-as-{name}", "contract", field(pronouns=value)) for name, value in (("number", 1), ("list", ["they"]), ("null", None))),
    ("set-missing", "contract", in_row(without("pronouns"))),
    ("key-too-many", "contract", field(gender="male")),
    ("question-in-a-sentence", "contract", field(question="Who had left?")),
    ("note-in-a-sentence", "contract", field(note="draft")),
    ("answer-as-a-letter", "contract", field(answer="A")),
    ("text-as-list", "contract", field(text=lambda row: [row["text"]])),
    ("id-of-another-set", "id-of-fields", field(id="en-double-technician-customer-nominative-xe-a")),
    ("id-of-another-case", "id-of-fields", field(id="en-double-technician-customer-possessive-they-a")),
    ("id-of-another-version", "id-of-fields", field(id="en-single-technician-customer-nominative-they-a")),
    ("id-of-no-version", "id-of-fields", field(id="en-triple-technician-customer-nominative-they-a")),
    ("id-without-language", "id-of-fields", field(id="double-technician-customer-nominative-they-a")),
    ("id-of-other-entities", "id-of-fields", field(id="en-double-nurse-customer-nominative-they-a")),
    ("schema-of-another-set", "id-of-fields", field(schema="en-double-technician-customer-nominative-xe")),
    ("schema-empty", "id-of-fields", field(schema="")),
    ("version-of-the-other", "id-of-fields", field(version="b")),
    ("answer-of-the-other", "id-of-fields", field(answer=1)),
    ("candidates-exchanged", "id-of-fields", in_row(lambda row: row["candidates"].reverse())),
    ("language-of-another", "id-of-fields", field(lang="de")),
    ("source-of-another-file", "one-source", field(source="winopron.tsv")),
    ("source-empty-in-one", "one-source", field(source="")),
    ("version-of-another-file", "one-source", field(id="en-single-technician-customer-nominative-they-a")),
    ("target-on-another-word", "pronoun-once", in_row(shift("target", -4))),
    ("target-empty", "pronoun-of-its-set", in_row(lambda row: row["target"].update(end=row["target"]["start"]))),
    ("target-null", "pronoun-of-its-set", field(target=None)),
    ("target-one-off", "pronoun-matches-type", in_row(shift("target", 1))),
    ("answer-missing", "answer-is-an-entity", field(answer=None)),
    ("sentence-as-placeholder", "no-placeholder", field(text=lambda row: row["text"].replace("The", "$X", 1))),
    ("answer-not-named", "answer-named", field(text=lambda row: row["text"].replace("technician", "technicist"))),
    ("zero-width-space", "no-invisible-character", other_text("sentences", lambda text: text.replace(".", "\u200b."))),
    ("blank-at-the-end", "single-blanks", other_text("sentences", lambda text: text + " ")),
]  # fmt: skip
SENTENCES = [
    *(defect for defect in BOTH if defect.suite == "sentences"),
    *(of("sentences", name, expectation, damage) for name, expectation, damage in ITEM_FIELDS),
]
INSTANTIATIONS += [defect for defect in BOTH if defect.suite == "instantiations"]


def renamed(suite: str, name: str) -> Change:
    """Return the change that gives the occupation another name, in the fields only."""
    if suite == "sentences":
        return put(candidates=lambda row: [name, row["candidates"][1]])
    return put(occupation=name)


def wrong_case(suite: str) -> Damage:
    """Return the damage that writes a possessive before a verb in all sentences of a case."""
    forms = {"he": "his", "she": "her", "they": "their", "xe": "xyr"}

    def change(row: Row) -> Row:
        if suite == "instantiations":
            form = forms[row["pronoun"]]
            text = row["sentence"].replace(f" {row['pronoun']} ", f" {form} ")
            return {**row, "sentence": text, "pronoun": form, "pronoun_type": "$POSS_PRONOUN"}
        start, end = row["target"]["start"], row["target"]["end"]
        form = forms[row["text"][start:end]]
        target = {"start": start, "end": start + len(form)}
        return {**row, "text": row["text"][:start] + form + row["text"][end:], "target": target, "case": "possessive"}

    return lambda rows: [*map(change, rows[:8]), *rows[8:]]


def wrong_names(suite: str) -> list[Defect]:
    return [
        *(of(suite, f"name-{name}", "plain-names", in_row(renamed(suite, word))) for name, word in NAMES.items()),
        of(suite, "pronoun-of-another-place", "pronoun-in-place", wrong_case(suite)),
    ]


SENTENCES += wrong_names("sentences")
INSTANTIATIONS += wrong_names("instantiations")
