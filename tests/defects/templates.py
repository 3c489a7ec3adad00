"""Defects of occupation templates and of the sentences made from them."""

from collections.abc import Callable
from copy import deepcopy

from .defect import ANY, Change, Damage, Defect, Row, Rows, drop, from_row, in_row, put, twice

DOUBLE, SINGLE = "template", "single_version"


def second(change: Change) -> Damage:
    """Return the damage that changes the second template of the first pair."""
    return in_row(change, start=1)


def edit(field: str, old: str, new: str) -> Change:
    """Return the change that replaces the last occurrence of a text; the text must occur."""

    def change(row: Row) -> None:
        before, match, after = row[field].rpartition(old)
        assert match, f"{old!r} is not in {row[field]!r}"
        row[field] = before + new + after

    return change


def other_double(rows: Rows) -> Rows:
    """Copy the text of the first template to the second."""
    copy = deepcopy(rows)
    copy[1][DOUBLE] = rows[0][DOUBLE]
    return copy


PRONOUN = "$NOM_PRONOUN"
TEMPLATES = [
    Defect("template-missing", "templates", "complete", drop(0)),
    Defect("case-missing", "templates", "complete", lambda rows: rows[2:]),
    Defect("template-answer-swapped", "templates", "answers-differ", second(put(answer="0"))),
    Defect(
        "prefix-differs-by-one-blank", "templates", "identical-prefix", second(edit(DOUBLE, PRONOUN, f" {PRONOUN}"))
    ),
    Defect("prefix-differs-by-one-word", "templates", "identical-prefix", second(edit(DOUBLE, "because", "since"))),
    Defect(
        "prefix-with-entities-swapped",
        "templates",
        "identical-prefix",
        second(
            lambda row: row.update(
                template=row[DOUBLE]
                .replace("$OCC", "$X")
                .replace("$PARTICIPANT", "$OCCUPATION")
                .replace("$XUPATION", "$PARTICIPANT")
            )
        ),
    ),
    Defect("template-text-twice", "templates", "different-endings", other_double),
    Defect("entity-with-another-article", "templates", "entities-named", second(edit(DOUBLE, "the $OCC", "an $OCC"))),
    Defect(
        "entity-behind-the-pronoun", "templates", "entities-named", second(edit(DOUBLE, ".", " for the $PARTICIPANT."))
    ),
    Defect("entity-spelt-out", "templates", "entities-named", second(edit(DOUBLE, "$OCCUPATION", "technician"))),
    Defect("extra-pronoun-with-a-full-stop", "templates", "single-pronoun", second(edit(DOUBLE, ".", " near her."))),
    Defect(
        "extra-pronoun-with-a-capital",
        "templates",
        "single-pronoun",
        second(lambda row: row.update(template="They say: " + row[DOUBLE])),
    ),
    Defect("extra-pronoun-reflexive", "templates", "single-pronoun", second(edit(SINGLE, ".", " by themself."))),
    Defect("extra-pronoun-in-quotation-marks", "templates", "single-pronoun", second(edit(SINGLE, ".", ' for "him".'))),
    Defect(
        "single-version-of-the-other-entity",
        "templates",
        "parallel-single",
        second(edit(SINGLE, "$PARTICIPANT", "$OCCUPATION")),
    ),
    Defect(
        "single-version-with-both-entities",
        "templates",
        "parallel-single",
        second(edit(SINGLE, ".", " for the $OCCUPATION.")),
    ),
    Defect("verb-that-agrees", "templates", "singular-they", second(edit(DOUBLE, f"{PRONOUN} had", f"{PRONOUN} was"))),
    Defect(
        "verb-in-the-present",
        "templates",
        "singular-they",
        second(edit(SINGLE, f"{PRONOUN} had discovered", f"{PRONOUN} sees")),
    ),
    Defect("template-word-twice", "templates", "typography", second(edit(SINGLE, "because", "because because"))),
    Defect("template-doubled-blank", "templates", "typography", second(edit(SINGLE, " because", "  because"))),
    Defect("template-blank-before-the-mark", "templates", "typography", second(edit(SINGLE, ".", " ."))),
    Defect("template-without-end-mark", "templates", "typography", second(edit(SINGLE, ".", ""))),
    Defect("template-zero-width-space", "templates", "typography", second(edit(SINGLE, " because", "\u200b because"))),
    Defect("template-curly-apostrophe", "templates", "typography", second(edit(SINGLE, ".", " o’clock."))),
]

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
]
