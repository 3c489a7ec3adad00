"""Changes of a text at given places, with the zeros of a sentence kept where they are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..sentence import Sentence, Zero


@dataclass(frozen=True, slots=True)
class Edit:
    """A piece of a text, by its offsets, and what takes its place."""

    start: int
    end: int
    text: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return a text with edits that do not overlap.

    >>> edited("Li and Wu", [Edit(0, 2, "Person-B"), Edit(7, 9, "Person-A")])
    'Person-B and Person-A'
    """
    for edit in sorted(edits, key=lambda edit: -edit.start):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def apart(text: str, start: int, end: int, code: str) -> Edit:
    """Return the edit that puts a code in a place, with blanks where Latin letters would make it part of a word.

    >>> apart("和Li王明", 3, 5, "Person-A"), apart("王明x", 0, 2, "Person-A")
    (Edit(start=3, end=5, text=' Person-A'), Edit(start=0, end=2, text='Person-A '))
    """
    before, after = text[:start][-1:], text[end:][:1]
    return Edit(start, end, f"{_blank(before)}{code}{_blank(after)}")


def _blank(neighbour: str) -> str:
    return " " if neighbour.isascii() and neighbour.isalnum() else ""


def edited_sentence(sentence: Sentence, edits: Sequence[Edit]) -> Sentence:
    """Return a sentence with edits of its text; a zero within a replaced piece stands before it."""
    zeros = tuple(Zero(_moved(zero.place, edits), zero.pronoun, zero.form) for zero in sentence.zeros)
    return Sentence(edited(sentence.text, edits), zeros)


def _moved(place: int, edits: Iterable[Edit]) -> int:
    """Return a place of a text in the edited text."""
    shift = sum(len(edit.text) - (edit.end - edit.start) for edit in edits if edit.end <= place)
    inside = next((edit.start for edit in edits if edit.start < place < edit.end), place)
    return inside + shift
