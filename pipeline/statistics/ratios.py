"""Shares that are undefined where there is nothing to share."""


def ratio(part: int, whole: int) -> float | None:
    """Return part / whole; of nothing it is undefined."""
    return part / whole if whole else None
