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
    Defect("cloze-without-gold", "cloze", "contract", in_row(without("gold"))),
    Defect("cloze-gender-unknown", "cloze", "contract", in_row(antecedent(0, gender="common"))),
    Defect(
        "cloze-with-a-third-antecedent",
        "cloze",
        "contract",
        in_row(put(antecedents=[{"text": "a", "gender": "fem"}] * 3)),
    ),
    Defect("cloze-gap-filled", "cloze", "one-gap", in_row(replace("text", "___", "er"))),
    Defect("cloze-gap-twice", "cloze", "one-gap", in_row(replace("text", "___", "___ ___"))),
    Defect("cloze-gap-too-short", "cloze", "one-gap", in_row(replace("text", "___", "__"))),
    Defect("cloze-same-gender-twice", "cloze", "genders-differ", both_members(same_gender)),
    Defect("cloze-pronoun-of-the-other-gender", "cloze", "pronoun-of-gender", in_row(other_answer)),
    Defect("cloze-pronoun-in-another-case", "cloze", "pronoun-of-gender", in_row(put(pronoun="ihn"))),
    Defect("cloze-pronoun-a-demonstrative", "cloze", "pronoun-of-gender", in_row(put(pronoun="dieser"))),
    Defect("cloze-genders-exchanged", "cloze", "article-of-gender", both_members(genders_exchanged)),
    Defect(
        "cloze-antecedent-without-an-article",
        "cloze",
        "article-of-gender",
        in_row(lambda row: antecedent(0, text=row["antecedents"][0]["text"].split()[1])(row)),
    ),
    Defect("cloze-antecedent-misspelt", "cloze", "antecedents-named-once", in_row(antecedent(1, text="den Schweizer"))),
    Defect(
        "cloze-antecedents-in-another-order",
        "cloze",
        "antecedents-named-once",
        both_members(put(antecedents=lambda row: row["antecedents"][::-1])),
    ),
    Defect(
        "cloze-antecedent-named-twice",
        "cloze",
        "antecedents-named-once",
        in_row(put(text=lambda row: f"{row['text']} {row['antecedents'][0]['text']} lachte.")),
    ),
    Defect(
        "cloze-second-pronoun", "cloze", "one-pronoun", in_row(put(text=lambda row: f"{row['text']} Und es regnete."))
    ),
    Defect("cloze-mate-missing", "cloze", "minimal-pair", drop(ANY + 1), reported_id="de-002-a"),
    Defect("cloze-same-text-twice", "cloze", "minimal-pair", text_of_mate),
    Defect("cloze-antecedents-of-one-member", "cloze", "minimal-pair", in_row(antecedent(0, text="Die Ärztin"))),
    Defect(
        "cloze-sentence-added-to-one-member",
        "cloze",
        "minimal-pair",
        in_row(put(text=lambda row: f"{row['text']} Damit war der Arbeitstag für alle Beteiligten beendet.")),
    ),
    Defect("cloze-same-answer-twice", "cloze", "answers-flip", in_row(other_answer)),
    Defect("cloze-item-twice", "cloze", "unique-id", twice()),
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
    Defect("genders-of-nouns-exchanged", "genders", "gender-in-lexicon", in_row(genders_exchanged)),
    Defect("genders-of-a-neuter-person", "genders", "gender-in-lexicon", in_row(antecedent(1, gender="neut"))),
    Defect(
        "genders-of-an-unknown-noun", "genders", "noun-in-lexicon", in_row(antecedent(0, text="Die Brumpfelschnorx"))
    ),
    Defect(
        "genders-of-a-noun-with-two",
        "genders",
        "one-gender",
        in_row(antecedent(0, text="Der Waldsee", gender="masc")),
    ),
    Defect("genders-of-a-judged-noun", "genders", "one-gender", in_row(antecedent(1, text="das Efeu", gender="neut"))),
    Defect("genders-of-an-item-twice", "genders", "unique-id", twice()),
]
