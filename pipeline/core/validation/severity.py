"""How much the failure of an expectation matters, by its id: an id means the same in every suite."""

from enum import StrEnum


class Severity(StrEnum):
    """The levels of Great Expectations. A failure of any level ends `winoforge validate` with exit status 1."""

    CRITICAL = "critical"
    WARNING = "warning"
    INFO = "info"


#: Expectations on how texts are set and how answers are spread: data that fail one can be used with care.
WARNINGS = frozenset(
    {
        "balanced",
        "closed-quotations",
        "finished-sentence",
        "full-width-marks",
        "known-files",
        "lines-in-order",
        "no-doubled-mark",
        "no-doubled-word",
        "no-leading-mark",
        "single-blanks",
        "small-difference",
        "typography",
    }
)
#: Expectations on what describes data and changes no result.
NOTES = frozenset(
    {"gloss-given", "kind-given", "limits-stated", "noun-in-lexicon", "register-given", "role-given", "source-given"}
)


def severity_of(expectation: str) -> Severity:
    """Return the severity of an expectation: critical, unless it is listed here.

    >>> severity_of("target-is-anaphor").value, severity_of("balanced").value
    ('critical', 'warning')
    """
    if expectation in WARNINGS:
        return Severity.WARNING
    return Severity.INFO if expectation in NOTES else Severity.CRITICAL
