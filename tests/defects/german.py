"""Defects of German forms and of questions about German items."""

import unicodedata
from copy import deepcopy
from itertools import pairwise

from .defect import Change, Damage, Defect, Row, Rows, append, in_row, put, replace, shift, twice, without

FORMS = "de/variants"


def _in_form(name: str, suite: str, expectation: str, damage: Damage) -> Defect:
    return Defect(f"german-{name}", suite, expectation, damage, artifact=f"{FORMS}/{suite}.jsonl")


def _oblique_span(row: Row) -> None:
    """Put the article of the accusative before the noun in the span."""
    start = row["span"]["start"]
    row["text"] = row["text"][:start] + "den" + row["text"][start + 3 :]


def _is_masculine(row: Row) -> bool:
    """Return whether the expression at the span has the article der."""
    return bool(row["text"][row["span"]["start"] :].startswith("der "))


GERMAN = [
    _in_form(
        "hypothesis-in-the-accusative",
        "nli",
        "nominative",
        in_row(replace("hypothesis", "Der ", "Den "), lambda row: row["hypothesis"].startswith("Der ")),
    ),
    _in_form(
        "hypothesis-is-the-question", "nli", "statements", in_row(put(hypothesis="Wer hatte über Schwindel geklagt."))
    ),
    _in_form(
        "hypothesis-of-another-text",
        "nli",
        "hypothesis-of-premise",
        in_row(put(hypothesis="Der Schweißer verpasste gestern beinahe seinen letzten Zug.")),
    ),
    _in_form(
        "hypothesis-without-end-mark", "nli", "statements", in_row(put(hypothesis=lambda row: row["hypothesis"][:-1]))
    ),
    _in_form("expression-in-the-accusative", "disambiguated", "nominative", in_row(_oblique_span, _is_masculine)),
    _in_form("option-in-the-accusative", "winogrande", "nominative", in_row(put(option1="den Schweißer"))),
    _in_form("candidates-swapped", "disambiguated", "span-names-candidate", in_row(put(candidate="das Murmeltier"))),
    _in_form(
        "context-of-another-candidate",
        "scoring",
        "context-ends-with-candidate",
        in_row(put(candidate="das Murmeltier")),
    ),
    _in_form("blank-lost", "winogrande", "one-blank", in_row(replace("sentence", "_", "der"))),
    _in_form("sentence-doubled-mark", "winogrande", "no-doubled-mark", in_row(append("sentence", "."))),
]


def _of_last_member(change: Change) -> Damage:
    """Return the damage that changes the second member of the first schema that has both."""

    def damage(rows: Rows) -> Rows:
        copy = deepcopy(rows)
        change(next(after for before, after in pairwise(copy) if before["schema"] == after["schema"]))
        return copy

    return damage


def _text_of_mate(rows: Rows) -> Rows:
    """Copy the text of a member to the other."""
    copy = deepcopy(rows)
    first, second = next(pair for pair in pairwise(copy) if pair[0]["schema"] == pair[1]["schema"])
    second.update({field: deepcopy(first[field]) for field in ("text", "target", "pronoun", "demonstrative")})
    return copy


def _inside(text: str) -> Change:
    """Return the change that inserts something behind the first letter of the text."""
    return put(text=lambda row: row["text"][:1] + text + row["text"][1:])


def _beside_target(text: str) -> Change:
    """Return the change that inserts something directly behind the demonstrative."""
    return put(text=lambda row: row["text"][: row["target"]["end"]] + text + row["text"][row["target"]["end"] :])


#: What may be wrong with a row, by the expectation that reports it.
_OF_A_ROW: tuple[tuple[str, str, Damage], ...] = (
    ("unknown-field", "contract", in_row(put(remark=""))),
    ("moved-as-text", "contract", in_row(put(moved="true"))),
    ("answer-counted-from-one", "contract", in_row(put(answer=2))),
    *(
        (f"{field}-missing", "contract", in_row(without(field)))
        for field in ("text", "target", "pronoun", "candidates")
    ),
    ("id-of-another-item", "id-of-item", in_row(put(id="de-001-a"))),
    ("schema-of-another-item", "schema-of-item", in_row(put(schema="de-009"))),
    ("target-one-to-the-right", "demonstrative-at-target", in_row(shift("target", 1))),
    ("target-of-half-a-word", "demonstrative-at-target", in_row(_beside_target("en"))),
    ("of-another-gender", "demonstrative-of-pronoun", in_row(put(pronoun="es"), lambda row: row["pronoun"] != "es")),
    ("dative", "demonstrative-of-pronoun", in_row(put(demonstrative="dem"))),
    ("pronoun-left", "no-pronoun-left", in_row(_beside_target(" er"))),
    ("candidate-not-in-the-text", "candidates-in-text", in_row(put(candidates=["der Mond", "die Sonne"]))),
    ("answer-turned-round", "answers-flip", _of_last_member(put(answer=lambda row: 1 - row["answer"]))),
    ("candidates-exchanged", "same-candidates", _of_last_member(lambda row: row["candidates"].reverse())),
    ("text-of-the-other-member", "small-difference", _text_of_mate),
    ("row-twice", "unique-id", twice()),
    ("zero-width-space", "no-invisible-character", in_row(_inside("\u200b"))),
    ("unassigned-character", "no-unassigned-character", in_row(_inside("\u0378"))),
    ("decomposed-letter", "composed-unicode", in_row(_inside(unicodedata.normalize("NFD", "ä")))),
    ("cyrillic-letter", "script-of-language", in_row(_inside("о"))),
    ("misread-encoding", "script-of-language", in_row(_inside("Ã¤"))),
    ("doubled-blank", "single-blanks", in_row(_inside("  "))),
    ("quotation-turned-round", "closed-quotations", in_row(_inside("”o“"))),
    ("doubled-mark", "no-doubled-mark", in_row(append("text", "."))),
    ("leading-comma", "no-leading-mark", in_row(put(text=lambda row: "," + row["text"]))),
    ("emoji", "no-symbol", in_row(_inside("😀"))),
    ("placeholder", "no-placeholder", in_row(_inside("$NAME"))),
    ("end-mark-lost", "finished-sentence", in_row(put(text=lambda row: row["text"].removesuffix(".")))),
)
GERMAN += [
    Defect(f"demonstrative-{name}", "demonstrative", expectation, damage) for name, expectation, damage in _OF_A_ROW
]

#: What may be wrong with a question, by the expectation that reports it.
_OF_A_QUESTION: tuple[tuple[str, str, Change], ...] = (
    ("in-the-accusative", "question-asks", put(question="Wen hatte hohes Fieber festgestellt?")),
    ("for-a-reason", "question-asks", put(question="Warum hatte jemand hohes Fieber festgestellt?")),
    ("for-a-place", "question-asks", put(question="Wo wurde hohes Fieber festgestellt?")),
    ("for-both", "question-asks", put(question="Wer hatte bei wem hohes Fieber festgestellt?")),
    ("without-question-mark", "question-asks", replace("question", "?", ".")),
    ("twice", "question-asks", put(question=lambda row: f"{row['question']} {row['question']}")),
    ("with-a-candidate", "question-hides-answer", put(question="Wer hatte beim Schweißer hohes Fieber festgestellt?")),
    ("with-a-gender", "question-hides-answer", put(question="Wer hatte in ihrer Praxis hohes Fieber festgestellt?")),
    ("of-another-text", "question-of-text", put(question="Wer verpasste gestern beinahe den letzten Zug?")),
    ("with-the-text", "question-of-text", put(question=lambda row: f"Wer? {row['text'].rstrip('.')}?")),
    ("of-the-other-member", "question-of-member", put(question="Wer hatte über Schwindel geklagt?")),
)
GERMAN += [
    Defect(f"german-question-{name}", "items", expectation, in_row(change), artifact="de/items.jsonl")
    for name, expectation, change in _OF_A_QUESTION
]
