"""Defects of zero forms."""

from dataclasses import replace

from pipeline.winograd.forms import FORMS
from pipeline.winograd.forms.zero_fields import TEXT_ZERO

from .defect import Change, Defect, Row, in_row, put, shift, without


def zero_moved(by: int) -> Change:
    """Return the change that moves the Ø and its span, as a wrong offset would."""

    def change(row: Row) -> None:
        text, start = row["text_dropped"], row["zero"]["start"] + by
        row["text_zero"] = f"{text[:start]}Ø{text[start:]}"
        shift("zero", by)(row)
        shift("dropped", by)(row)

    return change


def mention(index: int, **fields: object) -> Change:
    """Return the change of a mention."""
    return lambda row: row["mentions"][index].update(fields)


def mention_moved(field: str) -> Change:
    """Return the change that moves a mention's offsets in one of the texts."""
    return lambda row: shift(field, 1)(row["mentions"][1])


ZEROS = [
    Defect(
        "two-zero-signs",
        "zero",
        "one-zero-sign",
        in_row(put(text_zero=lambda row: row["text_zero"].replace("Ø", "ØØ"))),
    ),
    Defect("zero-sign-lost", "zero", "one-zero-sign", in_row(put(text_zero=lambda row: row["text_dropped"]))),
    Defect(
        "empty-set-for-zero",
        "zero",
        "one-zero-sign",
        in_row(put(text_zero=lambda row: row["text_zero"].replace("Ø", "∅"))),
    ),
    Defect(
        "small-letter-for-zero",
        "zero",
        "one-zero-sign",
        in_row(put(text_zero=lambda row: row["text_zero"].replace("Ø", "ø"))),
    ),
    Defect("zero-one-place-too-late", "zero", "zero-in-target-place", in_row(zero_moved(1))),
    Defect("zero-one-place-too-early", "zero", "zero-in-target-place", in_row(zero_moved(-1))),
    Defect(
        "zero-beside-the-pronoun",
        "zero",
        "zero-in-target-place",
        in_row(put(text_zero=lambda row: row["text"].replace("它", "Ø它", 1))),
    ),
    Defect(
        "zero-form-without-end-mark",
        "zero",
        "zero-in-target-place",
        in_row(put(text_zero=lambda row: row["text_zero"][:-1])),
    ),
    Defect("pronoun-not-dropped", "zero", "dropped-without-target", in_row(put(text_dropped=lambda row: row["text"]))),
    Defect(
        "zero-sign-not-dropped",
        "zero",
        "dropped-without-target",
        in_row(put(text_dropped=lambda row: row["text_zero"])),
    ),
    Defect(
        "one-character-dropped-too-many",
        "zero",
        "dropped-without-target",
        in_row(
            put(
                text_dropped=lambda row: (
                    row["text_dropped"][: row["dropped"]["start"]] + row["text_dropped"][row["dropped"]["start"] + 1 :]
                )
            )
        ),
    ),
    Defect("span-of-the-zero-shifted", "zero", "spans-at-the-zero", in_row(shift("zero", 1))),
    Defect("span-of-the-zero-missing", "zero", "spans-at-the-zero", in_row(put(zero=None))),
    Defect("span-where-nothing-is-left", "zero", "spans-at-the-zero", in_row(put(dropped=lambda row: row["target"]))),
    Defect("mention-shifted", "zero", "mentions-name-candidates", in_row(mention_moved("text"))),
    Defect("mention-shifted-in-the-zero-form", "zero", "mentions-name-candidates", in_row(mention_moved("text_zero"))),
    Defect("mention-shifted-where-dropped", "zero", "mentions-name-candidates", in_row(mention_moved("text_dropped"))),
    Defect("mention-of-the-other-candidate", "zero", "mentions-name-candidates", in_row(mention(0, candidate=1))),
    Defect("mention-of-a-third-candidate", "zero", "mentions-name-candidates", in_row(mention(1, candidate=2))),
    Defect("mention-not-listed", "zero", "every-mention-listed", in_row(lambda row: row["mentions"].pop())),
    Defect(
        "mention-listed-twice",
        "zero",
        "every-mention-listed",
        in_row(lambda row: row["mentions"].append(row["mentions"][0])),
    ),
    Defect(
        "mention-twice-for-one-left-out",
        "zero",
        "every-mention-listed",
        in_row(lambda row: row["mentions"].__setitem__(1, row["mentions"][0])),
    ),
    Defect("mentions-in-another-order", "zero", "every-mention-listed", in_row(lambda row: row["mentions"].reverse())),
    Defect("no-mentions", "zero", "every-mention-listed", in_row(put(mentions=[]))),
    Defect("mention-null-although-it-stays", "zero", "mentions-moved-with-text", in_row(mention(0, text_zero=None))),
    Defect("mention-null-where-dropped", "zero", "mentions-moved-with-text", in_row(mention(1, text_dropped=None))),
    Defect(
        "mentions-of-the-text-in-the-zero-form",
        "zero",
        "mentions-moved-with-text",
        in_row(
            put(
                mentions=lambda row: [
                    {**place, "text_dropped": {edge: place["text"][edge] + 1 for edge in ("start", "end")}}
                    for place in row["mentions"]
                ]
            )
        ),
    ),
]


def _words_of_target_left(row: Row) -> None:
    """Leave the pronoun where nothing should be: in the words, not in the text."""
    at = row["dropped"]["start"]
    row["tokens_dropped"].insert(at, row["tokens"][row["target"]["start"]])


def of_text(suite: str) -> list[Defect]:
    """Return the defects of the zero form beside an item of a form: those of a zero form, and one that is gone."""
    fields = ("text_zero", "zero", "text_dropped", "dropped", "mentions")
    return [
        *(
            replace(defect, name=f"{suite}-{defect.name}", suite=suite)
            for defect in ZEROS
            if defect.name != "zero-beside-the-pronoun"
        ),
        Defect(
            f"{suite}-zero-form-lost", suite, "zero-beside", in_row(lambda row: [row.pop(field) for field in fields])
        ),
    ]


ZEROS_OF_FORMS = [
    *(defect for name, form in FORMS.items() if form.zero is TEXT_ZERO for defect in of_text(name)),
    Defect("nli-zero-premise-lost", "nli", "zero-beside", in_row(without("premise_zero"))),
    Defect(
        "nli-pronoun-left-in-the-zero-premise",
        "nli",
        "zero-of-overt",
        in_row(put(premise_zero=lambda row: row["premise"])),
    ),
    Defect(
        "nli-zero-sign-left-in-the-dropped-premise",
        "nli",
        "zero-of-overt",
        in_row(put(premise_dropped=lambda row: row["premise_zero"])),
    ),
    Defect(
        "nli-zero-premise-of-another-text",
        "nli",
        "zero-of-overt",
        in_row(
            put(
                premise_zero=lambda row: row["premise_zero"].replace("，", "；", 1),
                premise_dropped=lambda row: row["premise_dropped"].replace("，", "；", 1),
            )
        ),
    ),
    Defect(
        "scoring-question-lost-from-a-context",
        "scoring",
        "zero-of-overt",
        in_row(put(context_zero=lambda row: row["context_zero"].rpartition("。")[0])),
    ),
    Defect("scoring-context-of-the-zero-lost", "scoring", "asked-alike", in_row(without("context_zero"))),
    Defect(
        "scoring-another-question-for-a-candidate",
        "scoring",
        "asked-alike",
        in_row(put(context_overt=lambda row: row["context_overt"].replace("谁", "哪个"))),
    ),
    Defect("tokens-zero-form-lost", "tokens", "zero-beside", in_row(without("tokens_zero"))),
    Defect("tokens-target-left-in-the-words", "tokens", "words-of-zero", in_row(_words_of_target_left)),
    Defect("tokens-range-of-the-zero-shifted", "tokens", "words-of-zero", in_row(shift("zero", 1))),
    Defect(
        "tokens-mention-of-the-text-in-the-zero-form",
        "tokens",
        "words-of-zero",
        in_row(put(candidates_dropped=[[[0, 1]], [[2, 3]]])),
    ),
]
