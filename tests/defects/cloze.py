"""Defects of cloze items and of their balance."""

from .defect import (
    Change,
    Defect,
    Row,
    append,
    both_members,
    every,
    from_row,
    in_row,
    of,
    put,
    replace,
    twice,
    without,
)


def antecedent(place: int, **fields: object) -> Change:
    """Return the change of one antecedent."""

    def change(row: Row) -> None:
        row["antecedents"][place] = row["antecedents"][place] | fields

    return change


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


def without_article(row: Row) -> None:
    """Leave the article of the first antecedent out."""
    antecedent(0, text=row["antecedents"][0]["text"].split()[1])(row)


def first_named_again(row: Row) -> None:
    """Add a sentence that names the first antecedent."""
    append("text", f" {row['antecedents'][0]['text']} lachte.")(row)


CLOZE = [
    *(
        Defect(name, "cloze", expectation, damage)
        for name, expectation, damage in (
            ("cloze-without-gold", "contract", in_row(without("gold"))),
            ("cloze-gender-unknown", "contract", in_row(antecedent(0, gender="common"))),
            ("cloze-with-a-third-antecedent", "contract", in_row(put(antecedents=[{"text": "a", "gender": "fem"}] * 3))),
            ("cloze-gap-filled", "one-gap", in_row(replace("text", "___", "er"))),
            ("cloze-gap-twice", "one-gap", in_row(replace("text", "___", "___ ___"))),
            ("cloze-gap-too-short", "one-gap", in_row(replace("text", "___", "__"))),
            ("cloze-same-gender-twice", "genders-differ", both_members(same_gender)),
            ("cloze-pronoun-of-the-other-gender", "pronoun-of-gender", in_row(other_answer)),
            ("cloze-pronoun-in-another-case", "pronoun-of-gender", in_row(put(pronoun="ihn"))),
            ("cloze-pronoun-a-demonstrative", "pronoun-of-gender", in_row(put(pronoun="dieser"))),
            ("cloze-genders-exchanged", "article-of-gender", every(genders_exchanged, of(schema="de-010"))),
            ("cloze-antecedent-without-an-article", "article-of-gender", in_row(without_article)),
            ("cloze-antecedent-misspelt", "antecedents-named-once", in_row(antecedent(1, text="die Ganz"))),
            ("cloze-antecedents-in-another-order", "antecedents-named-once",
             both_members(lambda row: row["antecedents"].reverse())),
            ("cloze-antecedent-named-twice", "antecedents-named-once", in_row(first_named_again)),
            ("cloze-second-pronoun", "one-pronoun", in_row(append("text", " Und es regnete."))),
            ("cloze-same-text-twice", "minimal-pair", from_row(1, "text")),
            ("cloze-antecedents-of-one-member", "minimal-pair", in_row(antecedent(0, text="Der Dachs"))),
            ("cloze-sentence-added-to-one-member", "minimal-pair",
             in_row(append("text", " Damit war der Arbeitstag für alle Beteiligten beendet."))),
            ("cloze-same-answer-twice", "answers-flip", in_row(other_answer)),
            ("cloze-item-twice", "unique-id", twice()),
        )
    ),
    Defect("cloze-mate-missing", "cloze", "minimal-pair", lambda rows: [row for row in rows if row["id"] != "de-010-b"],
           reported_id="de-010-a"),
]  # fmt: skip


def order(row: Row) -> list[str]:
    return [antecedent["gender"] for antecedent in row["antecedents"]]


BALANCE = [
    Defect(f"balance-{name}", "balance", "balanced", damage, reported_id=reported)
    for name, reported, damage in (
        ("neuter-before-masculine-only", "genders", every(genders_exchanged, lambda row: order(row) == ["masc", "neut"])),
        ("one-register-lost", "register", every(put(register="news"), of(register="work"))),
        ("first-always-right", "place", every(put(gold=0))),
        ("few-neuters", "pronoun", lambda rows: [row for row in rows if row["pronoun"] != "es" or row["gold"] == 0]),
        ("pronouns-with-a-place", "pronoun place",
         lambda rows: [row for row in rows if (row["pronoun"] == "er") == (row["gold"] == 0)]),
    )
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
