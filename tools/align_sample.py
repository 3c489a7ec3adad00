"""Align our sample of zero pronouns with its translations: `python -m tools.align_sample` writes raw/zp/alignment.

All translations of all genres are aligned at once, since each is too small to learn from. Like the locks of parses, the alignments are
committed, so that a build needs no aligner. Links count words; `texts.sha256` holds the checksums of the texts whose words these are, and
of the links.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pipeline.core.files import write_text
from pipeline.zero_pronouns.documents import read_sample
from pipeline.zero_pronouns.sample import ALIGNMENT, CHECKSUMS, REFERENCE, Words, checksums, words_of
from pipeline.zero_pronouns.translation.alignment import align, to_pharaoh

SAMPLE = Path(__file__).resolve().parent.parent / "raw" / "zp"
FOLDER = SAMPLE / ALIGNMENT
GENRES = ("subtitles", "questions", "news", "fiction", "profiles")
#: The reference translation and the invented systems.
SYSTEMS = (REFERENCE, "careful", "literal", "mixed")


@cache
def sentences(sample: Path = SAMPLE) -> dict[str, Words]:
    """Return the words of the sentences and of their translations by ``SYSTEM/GENRE``, as `zp export --as labelled --words` writes them."""
    genres = {genre.name: genre for genre in read_sample(sample)}
    return {f"{system}/{name}": words_of(genres[name], system) for system in SYSTEMS for name in GENRES}


def alignment_files(texts: Mapping[str, Words]) -> dict[str, str]:
    """Return the files of the folder of alignments by name, those by hand apart."""
    alignment = iter(align([pair for pairs in texts.values() for pair in pairs]))
    files = {name: to_pharaoh(next(alignment) for _ in pairs) for name, pairs in texts.items()}
    lines = []
    for name, links in files.items():
        system, genre = name.split("/")
        sums = checksums(system, genre, texts[name], links)
        lines += [f"{digest}  {text}\n" for text, digest in sums.items()]
    return {f"{name}.align": links for name, links in files.items()} | {CHECKSUMS: "".join(lines)}


def main() -> None:
    """Write the alignments."""
    for name, text in alignment_files(sentences()).items():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        write_text(FOLDER / name, text)
        print(FOLDER / name)


if __name__ == "__main__":
    main()
