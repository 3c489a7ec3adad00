"""Shares."""


def ratio(part: int, whole: int) -> float | None:
    """Return part / whole, or None where `whole` is 0."""
    return part / whole if whole else None
