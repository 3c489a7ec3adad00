"""A folder of labelled texts in several genres, with what readers, systems and aligners made of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import PipelineError, shown
from ..core.files import lines_of, read_text
from .antecedents import Reference, read_references
from .documents import BOUNDARY, ParallelText, read_parallel_text, require_aligned

#: The names of folders and files in the folder of a sample.
LABELS, ANTECEDENTS, SYSTEMS = "labels", "antecedents", "systems"
#: The name under which figures of all genres stand, so that no genre can have it.
ALL = "all"


@dataclass(frozen=True, slots=True)
class Genre:
    """The texts of a genre: with the labels that were agreed on, and with those of each reader; the translations of each system.

    `references` is what each zero refers to; None if nobody has said so.
    """

    name: str
    text: ParallelText
    readings: Mapping[str, ParallelText]
    references: Sequence[Reference] | None
    outputs: Mapping[str, Sequence[str]]


def read_sample(folder: Path) -> list[Genre]:
    """Return the genres of a folder in the order of their names.

    ``NAME.zh`` has the labelled sentences of a genre, ``NAME.en`` the translations. ``labels/READER/NAME.zh`` has the same sentences as a
    reader labelled them, ``antecedents/NAME.tsv`` what the zeros refer to, ``systems/SYSTEM/NAME.en`` a system's translations; all
    three may be missing.

    Raises:
        PipelineError: there is no text, a genre is called `ALL`, or a file is malformed or not aligned.
    """
    sources = sorted(folder.glob("*.zh"))
    if not sources:
        raise PipelineError(folder, None, "[text] none; found no file NAME.zh, expected labelled texts")
    refuse_reserved(sources)
    return [_genre(folder, source) for source in sources]


def refuse_reserved(sources: Iterable[Path]) -> None:
    """Raise `PipelineError` if the text of a genre is called `ALL`."""
    for source in sources:
        if source.stem == ALL:
            raise PipelineError(source, None, f"[text] reserved name; found {shown(source.name)}, expected another")


def _genre(folder: Path, source: Path) -> Genre:
    name, target = source.stem, source.with_suffix(".en")
    text = read_parallel_text(source, target)
    labelled = sorted((folder / LABELS).glob(f"*/{name}.zh"))
    table = folder / ANTECEDENTS / f"{name}.tsv"
    outputs = sorted((folder / SYSTEMS).glob(f"*/{name}.en"))
    return Genre(
        name,
        text,
        {path.parent.name: read_parallel_text(path, target) for path in labelled},
        read_references(table, text) if table.exists() else None,
        {path.parent.name: _read_output(path, text, source) for path in outputs},
    )


def _read_output(path: Path, text: ParallelText, source: Path) -> list[str]:
    """Return the translations of a system, a line for each sentence of the text; the lines of boundaries are left out."""
    lines = lines_of(read_text(path))
    require_aligned(path, len(lines), source, len(text.pairs) + text.boundaries)
    translations = []
    for pair in text.pairs:
        line = lines[pair.line - 1].strip()
        if line in ("", BOUNDARY):
            reason = f"[sentence] no translation; found {line or 'an empty line'}, expected one of line {pair.line} of {source}"
            raise PipelineError(path, pair.line, reason)
        translations.append(line)
    return translations
