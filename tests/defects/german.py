"""Defects of questions about German items."""

from .defect import Change, Defect, in_row, put, replace

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
GERMAN = [
    Defect(f"german-question-{name}", "items", expectation, in_row(change), artifact="de/items.jsonl")
    for name, expectation, change in _OF_A_QUESTION
]
