"""The one exception that reports a user's mistake, and how its message quotes what was found."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .invisible import one_line

#: Maximum length of a quoted value; of longer ones the beginning is shown.
MAX_SHOWN = 60
#: Maximum length of a reason, in case that one quotes something long without `shown`.
MAX_REASON = 600


class PipelineError(Exception):
    """Wrong usage or malformed input, with its place.

    Args:
        path: the faulty file, or None if the fault is in no file.
        line: the 1-based line, or None if the fault is in no line.
        reason: ``[field-or-rule] what is wrong; found X, expected Y``.
    """

    #: Later errors of the same file, which were found at once.
    others: Sequence["PipelineError"] = ()

    def __init__(self, path: Path | str | None, line: int | None, reason: str) -> None:
        super().__init__(path, line, reason)
        self.path = None if path is None else Path(path)
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        place = [str(part) for part in (self.path, self.line) if part is not None]
        reason = self.reason if len(self.reason) <= MAX_REASON else f"{self.reason[:MAX_REASON]}…"
        return one_line(f"{':'.join(place)}: {reason}" if place else reason)


def raise_first(errors: Sequence[PipelineError]) -> None:
    """Raise the first of several errors, with the others in it; nothing if there is none."""
    if errors:
        errors[0].others = errors[1:]
        raise errors[0]


@contextmanager
def errors_at(path: Path | None, line: int | None = None) -> Iterator[None]:
    """Turn a `ValueError` of the block, whose message names the field, into a `PipelineError` at a place of a file."""
    try:
        yield
    except ValueError as error:
        raise PipelineError(path, line, str(error)) from error


def shown(value: object) -> str:
    """Return a value as a message quotes it: on one line, cut after `MAX_SHOWN` characters, constants as JSON and YAML write them.

    >>> shown("他"), shown(3), shown(None), shown("很" * 1000)[-22:]
    ("'他'", '3', 'null', "很很…' (1000 characters)")
    """
    if value is None or isinstance(value, bool):
        return {None: "null", False: "false", True: "true"}[value]
    if isinstance(value, str):
        cut = value if len(value) <= MAX_SHOWN else f"{value[:MAX_SHOWN]}…"
        return repr(cut) + (f" ({len(value)} characters)" if cut != value else "")
    text = repr(value)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def plural(count: int, noun: str) -> str:
    """Return a count with its noun.

    >>> plural(1, "list"), plural(2, "list")
    ('1 list', '2 lists')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def first_names(names: Sequence[str], most: int = 10) -> str:
    """Return names with commas between them, and dots in place of those after the first ones.

    >>> first_names(["a", "b", "c"], most=2), first_names(["a"])
    ('a, b, …', 'a')
    """
    return ", ".join(names[:most]) + ", …" * (len(names) > most)
