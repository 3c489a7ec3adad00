"""Read the translations that the authors' tool writes with the words that it looked at in angle brackets (``.tagged``)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ....core.errors import PipelineError, plural
from ....core.files import lines_of, read_text
from ..details import Verdict, read_details


def read_tagged(path: Path) -> list[str]:
    """Return the translations of a file, without the brackets.

    Raises:
        PipelineError: the file cannot be read, or is empty.
    """
    lines = [" ".join(map(_bare, line.split())) for line in lines_of(read_text(path))]
    if not lines:
        raise PipelineError(path, None, "[sentence] no sentence; expected a translation a line")
    return lines


def _bare(word: str) -> str:
    """Return a word without its brackets; two zeros that look at it give it two pairs.

    >>> _bare("<<it>>"), _bare("<"), _bare("a<b>")
    ('it', '<', 'a<b>')
    """
    while len(word) > 2 and word.startswith("<") and word.endswith(">"):
        word = word[1:-1]
    return word


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A translation of a sentence with zeros, and the verdict on each of them, in their order."""

    translation: str
    verdicts: tuple[Verdict, ...]


def read_scored(details: Path) -> Sequence[ScoredSentence]:
    """Return the sentences of a system that have a verdict, in their order.

    Args:
        details: the file of verdicts; the translations lie beside it (``.tagged``).

    Raises:
        PipelineError: a file cannot be read, or a verdict belongs to no translation.
    """
    translations = read_tagged(details.with_suffix(".tagged"))
    verdicts: dict[int, list[Verdict]] = {}
    for verdict in read_details(details):
        if verdict.sentence >= len(translations):
            reason = f"[Sent] no such sentence; found {verdict.sentence}, expected one of the {plural(len(translations), 'line')}"
            raise PipelineError(details, None, f"{reason} of {details.with_suffix('.tagged').name}")
        verdicts.setdefault(verdict.sentence, []).append(verdict)
    return [ScoredSentence(translations[number], tuple(verdicts[number])) for number in sorted(verdicts)]
