"""Defects of the authors' analyses."""

from .defect import Defect, in_row, put, twice, without

ANALYSES = [
    Defect("analysis-without-terms", "analyses", "contract", in_row(without("pmi"))),
    Defect("analysis-with-terms-in-a-text", "analyses", "contract", in_row(put(pmi="大"))),
    Defect("gloss-missing", "analyses", "gloss-given", in_row(put(gloss=""))),
    Defect("kind-missing", "analyses", "kind-given", in_row(put(kind=""))),
    Defect("role-missing", "analyses", "role-given", in_row(put(role=""))),
    Defect("analysis-twice", "analyses", "unique-id", twice()),
]
