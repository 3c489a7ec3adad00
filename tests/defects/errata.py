"""Defects of errata, as lines of their file."""

from collections.abc import Callable

from .defect import Damage, Defect


def in_erratum(number: int, change: Callable[[str], str]) -> Damage:
    """Return the damage that changes the text of the nth erratum."""

    def damage(lines: list[str]) -> list[str]:
        head, *entries = "\n".join(lines).split("\n- ")
        changed = change(entries[number])
        assert changed != entries[number]
        return "\n- ".join([head, *entries[:number], changed, *entries[number + 1 :]]).split("\n")

    return damage


#: Name, expectation, number of the erratum, the words that are replaced, and those in their place.
_REPLACED: tuple[tuple[str, str, int, str, str], ...] = (
    ("of-nobody", "contract", 0, "by: reader", "by: Miss Li"),
    ("undecided", "contract", 0, "action: corrected", "action: later"),
    ("without-fault", "contract", 1, "  found: clumsy\n", ""),
    ("of-no-field", "contract", 1, "field: text", "field: voice"),
    ("of-another-item", "item-known", 0, "    zh-", "    zx-"),
    ("dropped-yet-there", "item-known", 1, "action: kept", "action: dropped"),
    ("corrected-yet-the-same", "action-taken", 1, "action: kept", "action: corrected"),
    ("kept-in-other-words", "action-taken", 0, "action: corrected", "action: kept"),
    ("kept-for-no-reason", "action-taken", 1, "\n  reason: the rules must find it", ""),
    ("with-a-number", "no-personal-data", 1, "clumsy", "clumsy, ask 13812345678"),
    ("twice", "unique-id", 2, "id: e-3", "id: e-2"),
)


def _replacing(old: str, new: str) -> Callable[[str], str]:
    return lambda entry: entry.replace(old, new, 1)


ERRATA = [
    Defect(
        f"erratum-{name}",
        "errata",
        expectation,
        in_erratum(number, _replacing(old, new)),
        reported_id=f"e-{min(number + 1, 2)}",
    )
    for name, expectation, number, old, new in _REPLACED
]
