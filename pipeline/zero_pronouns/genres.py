"""The texts of a folder by genre."""

from pathlib import Path

from ..core.errors import PipelineError, shown
from ..core.files import parse_tsv, read_text, require_unique
from .documents import ParallelText, read_parallel_text

#: The columns of a table that gives texts their genres.
COLUMNS = ("genre", "text")
#: How the files of a text end: the labelled Chinese, its translation.
_ENDINGS = (".zh", ".en")


def read_genres(folder: Path, names: Path | None = None) -> dict[str, list[ParallelText]]:
    """Read the texts of a folder, each a pair of files ``NAME.zh`` and ``NAME.en``.

    Args:
        folder: the folder.
        names: a table with the columns `COLUMNS`: the texts to read, each with its genre. Without it each text is a genre.

    Returns:
        the texts of each genre, in the order of the table, else by name.

    Raises:
        PipelineError: the folder has no text, or not a text of the table; a text is malformed.
    """
    genres = _genres(names) if names else {path.stem: path.stem for path in sorted(folder.glob(f"*{_ENDINGS[0]}"))}
    if not genres:
        raise PipelineError(
            names or folder, None, f"[text] no text; expected files NAME{_ENDINGS[0]} and NAME{_ENDINGS[1]}"
        )
    texts: dict[str, list[ParallelText]] = {}
    for name, genre in genres.items():
        source, target = (folder / f"{name}{ending}" for ending in _ENDINGS)
        texts.setdefault(genre, []).append(read_parallel_text(source, target))
    return texts


def _genres(path: Path) -> dict[str, str]:
    """Return the genre of each text of a table."""
    genres: dict[str, str] = {}
    lines: dict[str, int | None] = {}
    for number, row in parse_tsv(read_text(path), path, COLUMNS):
        name, genre = row["text"], row["genre"]
        require_unique(lines, name, path, number, "text")
        if not genre.strip():
            raise PipelineError(path, number, f"[genre] empty; found {shown(genre)}, expected a genre")
        if not name.strip() or Path(name).name != name:
            raise PipelineError(path, number, f"[text] not a name; found {shown(name)}, expected one without a folder")
        genres[name] = genre
    return genres
