"""Defects of German forms and of questions about German items."""

from .defect import Damage, Defect, Row, append, in_row, put, replace

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
