"""Defects of cloze items and of their balance."""

from collections.abc import Callable
from copy import deepcopy

from .defect import ANY, Change, Damage, Defect, Row, Rows, drop, in_row, put, replace, twice, without


def antecedent(place: int, **fields: object) -> Change:
    """Return the change of one antecedent."""

    def change(row: Row) -> None:
        row["antecedents"][place] = row["antecedents"][place] | fields

    return change


def both_members(change: Change) -> Damage:
    """Return the damage that changes both members of a pair."""

    def damage(rows: Rows) -> Rows:
        copy = deepcopy(rows)
        for row in copy[ANY : ANY + 2]:
            change(row)
        return copy

    return damage


def same_gender(row: Row) -> None:
    """Give the second antecedent the gender of the first."""
    row["antecedents"][1]["gender"] = row["antecedents"][0]["gender"]


def genders_exchanged(row: Row) -> None:
    """Exchange the genders of the antecedents."""
    first, second = row["antecedents"]
    first["gender"], second["gender"] = second["gender"], first["gender"]


def other_answer(row: Row) -> None:
    """Turn the answer round."""
    row["gold"] = 1 - row["gold"]


def every(change: Change, where: Callable[[Row], object] = lambda _: True) -> Damage:
    """Return the damage that changes each row for which `where` holds."""

    def damage(rows: Rows) -> Rows:
        copy = deepcopy(rows)
        for row in filter(where, copy):
            change(row)
        return copy

    return damage


def text_of_mate(rows: Rows) -> Rows:
    """Copy the text of one member to the other."""
    copy = deepcopy(rows)
    copy[ANY]["text"] = copy[ANY + 1]["text"]
    return copy


CLOZE = [
    *(
        Defect(name, "cloze", expectation, damage)
        for name, expectation, damage in (
            ("cloze-without-gold", "contract", in_row(without("gold"))),
            ("cloze-gender-unknown", "contract", in_row(antecedent(0, gender="common"))),
            (
                "cloze-with-a-third-antecedent",
                "contract",
                in_row(put(antecedents=[{"text": "a", "gender": "fem"}] * 3)),
            ),
            ("cloze-gap-filled", "one-gap", in_row(replace("text", "___", "er"))),
            ("cloze-gap-twice", "one-gap", in_row(replace("text", "___", "___ ___"))),
            ("cloze-gap-too-short", "one-gap", in_row(replace("text", "___", "__"))),
            ("cloze-same-gender-twice", "genders-differ", both_members(same_gender)),
            ("cloze-pronoun-of-the-other-gender", "pronoun-of-gender", in_row(other_answer)),
            ("cloze-pronoun-in-another-case", "pronoun-of-gender", in_row(put(pronoun="ihn"))),
            ("cloze-pronoun-a-demonstrative", "pronoun-of-gender", in_row(put(pronoun="dieser"))),
            ("cloze-genders-exchanged", "article-of-gender", both_members(genders_exchanged)),
            (
                "cloze-antecedent-without-an-article",
                "article-of-gender",
                in_row(lambda row: antecedent(0, text=row["antecedents"][0]["text"].split()[1])(row)),
            ),
            ("cloze-antecedent-misspelt", "antecedents-named-once", in_row(antecedent(1, text="den Schweizer"))),
            (
                "cloze-antecedents-in-another-order",
                "antecedents-named-once",
                both_members(put(antecedents=lambda row: row["antecedents"][::-1])),
            ),
            (
                "cloze-antecedent-named-twice",
                "antecedents-named-once",
                in_row(put(text=lambda row: f"{row['text']} {row['antecedents'][0]['text']} lachte.")),
            ),
            ("cloze-second-pronoun", "one-pronoun", in_row(put(text=lambda row: f"{row['text']} Und es regnete."))),
            ("cloze-same-text-twice", "minimal-pair", text_of_mate),
            ("cloze-antecedents-of-one-member", "minimal-pair", in_row(antecedent(0, text="Die Ärztin"))),
            (
                "cloze-sentence-added-to-one-member",
                "minimal-pair",
                in_row(put(text=lambda row: f"{row['text']} Damit war der Arbeitstag für alle Beteiligten beendet.")),
            ),
            ("cloze-same-answer-twice", "answers-flip", in_row(other_answer)),
            ("cloze-item-twice", "unique-id", twice()),
        )
    ),
    Defect("cloze-mate-missing", "cloze", "minimal-pair", drop(ANY + 1), reported_id="de-002-a"),
]


def order(row: Row) -> list[str]:
    return [antecedent["gender"] for antecedent in row["antecedents"]]


BALANCE = [
    Defect(
        "balance-neuter-before-masculine-only",
        "balance",
        "balanced",
        every(genders_exchanged, lambda row: order(row) == ["masc", "neut"]),
        reported_id="genders",
    ),
    Defect("balance-one-register-lost", "balance", "balanced", every(put(register="news"), lambda row: row["register"] == "work"),
           reported_id="register"),
    Defect("balance-first-always-right", "balance", "balanced", every(put(gold=0)), reported_id="place"),
    Defect(
        "balance-few-neuters",
        "balance",
        "balanced",
        lambda rows: [row for row in rows if row["pronoun"] != "es" or row["gold"] == 0],
        reported_id="pronoun",
    ),
    Defect(
        "balance-pronouns-with-a-place",
        "balance",
        "balanced",
        lambda rows: [row for row in rows if (row["pronoun"] == "er") == (row["gold"] == 0)],
        reported_id="pronoun place",
    ),
]  # fmt: skip

GENDERS = [
    Defect(name, "genders", expectation, damage)
    for name, expectation, damage in (
        ("genders-of-nouns-exchanged", "gender-in-lexicon", in_row(genders_exchanged)),
        ("genders-of-a-neuter-person", "gender-in-lexicon", in_row(antecedent(1, gender="neut"))),
        ("genders-of-an-unknown-noun", "noun-in-lexicon", in_row(antecedent(0, text="Die Brumpfelschnorx"))),
        ("genders-of-a-noun-with-two", "one-gender", in_row(antecedent(0, text="Der Waldsee", gender="masc"))),
        ("genders-of-a-judged-noun", "one-gender", in_row(antecedent(1, text="das Efeu", gender="neut"))),
        ("genders-of-an-item-twice", "unique-id", twice()),
    )
]
