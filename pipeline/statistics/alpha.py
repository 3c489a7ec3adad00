"""Krippendorff's alpha, which takes missing judgements."""

from collections.abc import Iterable
from typing import Literal

from .ratings import Row, category_counts, require_numbers

#: What the categories are: labels, ranks, or numbers whose differences count.
Measurement = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(rows: Iterable[Row], measurement: Measurement = "nominal") -> float | None:
    """Return Krippendorff's alpha, 1 - D_o / D_e over the coincidences of values within items.

    Krippendorff (2019, Content Analysis, 4th edition, section 12.3), computed by the package krippendorff. Items may have been
    judged by different raters and unequal numbers of them; one that was judged once has nothing to coincide with and is left
    out, with its value. The package takes intervals unless told otherwise, raises where nothing coincides and gives NaN for a
    single category that has company in its domain; so it is asked only where alpha is defined.

    Args:
        rows: what was said of each item.
        measurement: ordinal distances count the values between two ranks, interval ones are squared differences.

    Returns:
        At most 1; None where no item was judged twice, and where those that were hold one same category.

    Raises:
        ValueError: ranks or intervals of categories that are no whole numbers.
    """
    used, counts = category_counts(row for row in rows if len(row) > 1)
    if measurement != "nominal":
        require_numbers(used)
    if len(used) < 2:
        return None
    from krippendorff import alpha

    domain = range(len(used)) if measurement == "nominal" else used
    return float(alpha(value_counts=counts, value_domain=list(domain), level_of_measurement=measurement))
