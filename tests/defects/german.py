"""Defects of questions about German items."""

from .defect import Change, Defect, Row, in_row, put, replace


def of_the_fox(row: Row) -> bool:
    """Tell whether a row is the item of the fox that heard dogs bark."""
    return bool(row["id"] == "de-010-a")


#: What may be wrong with a question, by the expectation that reports it.
_OF_A_QUESTION: tuple[tuple[str, str, Change], ...] = (
    ("in-the-accusative", "question-asks", put(question="Wen hörte Hunde bellen?")),
    ("for-a-reason", "question-asks", put(question="Warum hörte jemand Hunde bellen?")),
    ("for-a-place", "question-asks", put(question="Wo hörte jemand Hunde bellen?")),
    ("for-both", "question-asks", put(question="Wer hörte bei wem Hunde bellen?")),
    ("without-question-mark", "question-asks", replace("question", "?", ".")),
    ("twice", "question-asks", put(question=lambda row: f"{row['question']} {row['question']}")),
    ("with-a-candidate", "question-hides-answer", put(question="Wer hörte bei der Gans Hunde bellen?")),
    ("with-a-gender", "question-hides-answer", put(question="Wer hörte in ihrem Bau Hunde bellen?")),
    ("of-another-text", "question-of-text", put(question="Wer verpasste gestern beinahe den letzten Zug?")),
    ("with-the-text", "question-of-text", put(question=lambda row: f"Wer? {row['text'].rstrip('.')}?")),
    ("of-the-other-member", "question-of-member", put(question="Wer schlug wild mit den Flügeln?")),
)
GERMAN = [
    Defect(
        f"german-question-{name}", "items", expectation, in_row(change, of_the_fox, start=0), artifact="de/items.jsonl"
    )
    for name, expectation, change in _OF_A_QUESTION
]
