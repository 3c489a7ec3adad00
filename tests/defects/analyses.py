"""Defects of the authors' analyses."""

from .defect import Change, Damage, Defect, from_row, in_row, put, twice, without
from .general import IN_GLOSS, in_text


def pmi(**fields: object) -> Change:
    """Return the change of the words to count, where there are some."""
    return put(pmi=lambda row: {**row["pmi"], **fields})


def with_terms(row: dict[str, object]) -> bool:
    return row["pmi"] is not None


def term(text: str) -> Damage:
    """Return the damage of the word for the first candidate."""
    return in_row(lambda row: pmi(candidates=[text, row["pmi"]["candidates"][1]])(row), with_terms)


#: The words of the first schema to count.
TERMS = {"candidates": ["妹妹", "姐姐"], "reference": "看不清"}
#: Analyses with genders and registers.
DE = "de/analysis.jsonl"

ANALYSES = [
    Defect("analysis-without-terms", "analyses", "contract", in_row(without("pmi"))),
    Defect("analysis-with-terms-in-a-text", "analyses", "contract", in_row(put(pmi="大"))),
    Defect("analysis-with-one-term", "analyses", "contract", in_row(pmi(candidates=["妹妹"]), with_terms)),
    Defect("analysis-with-an-empty-reference", "analyses", "contract", in_row(pmi(reference=""), with_terms)),
    Defect("gloss-missing", "analyses", "gloss-given", in_row(put(gloss=""))),
    Defect("kind-missing", "analyses", "kind-given", in_row(put(kind=""))),
    Defect("role-missing", "analyses", "role-given", in_row(put(role=""))),
    Defect("kind-misspelt", "analyses", "kind-known", in_row(put(kind="phisical"))),
    Defect("role-of-another-table", "analyses", "role-known", in_row(put(role="agent"))),
    Defect("kind-of-one-member", "analyses", "same-in-schema", in_row(put(kind="temporal"))),
    Defect("terms-of-one-member", "analyses", "same-in-schema", in_row(put(pmi=None), with_terms)),
    Defect("role-of-one-member", "analyses", "same-in-schema", in_row(put(role="pivot"))),
    Defect("register-missing", "analyses", "register-given", in_row(put(register="")), DE),
    Defect("register-misspelt", "analyses", "register-known", in_row(put(register="natur")), DE),
    Defect("register-of-one-member", "analyses", "same-in-schema", in_row(put(register="technology")), DE),
    Defect("analysis-with-an-unknown-gender", "analyses", "contract", in_row(put(genders=["masc", "mask"])), DE),
    Defect("gloss-of-another-schema", "analyses", "gloss-of-one-item", from_row(-2, "gloss")),
    Defect("gloss-of-the-item-before", "analyses", "gloss-of-one-item", from_row(-1, "gloss")),
    Defect("analysis-of-another-schema", "analyses", "id-of-schema", in_row(put(schema="zh-0001"))),
    Defect("reference-is-a-candidate", "analyses", "terms-differ", in_row(put(pmi=TERMS | {"reference": "妹妹"}))),
    Defect("one-term-for-both", "analyses", "terms-differ", in_row(pmi(candidates=["妹妹", "妹妹"]), with_terms)),
    Defect("term-with-a-mark", "analyses", "terms-differ", in_row(pmi(reference="看，"), with_terms)),
    Defect("term-with-a-blank", "analyses", "terms-differ", in_row(pmi(reference="看 书"), with_terms)),
    Defect("term-in-traditional-script", "analyses", "simplified-script", term("黃牛")),
    Defect("gloss-with-a-zero", "analyses", "gloss-is-sentence", in_row(put(gloss="Ann saw Ø."))),
    Defect("gloss-with-a-full-width-comma", "analyses", "gloss-is-sentence", in_row(put(gloss="Ann，who saw Bo."))),
    Defect("gloss-cut-short", "analyses", "gloss-is-sentence", in_row(put(gloss="Ann saw"))),
    Defect("term-with-a-half-width-mark", "analyses", "full-width-marks", term("牛,")),
    Defect("analysis-twice", "analyses", "unique-id", twice()),
    *(
        Defect(f"analyses-gloss-{name}", "analyses", expectation, in_row(in_text("gloss", change)))
        for name, expectation, change in IN_GLOSS
    ),
]
