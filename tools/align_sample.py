"""Align our sample of zero pronouns with its translations: `python -m tools.align_sample` writes raw/zp/alignment.

All translations of all genres are aligned at once, since each is too small to learn from. Like the locks of parses, the alignments are
committed, so that a build needs no aligner. Links count words; `texts.sha256` holds the checksums of the texts whose words these are.
"""

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pipeline.core.files import write_text
from pipeline.zero_pronouns.documents import read_parallel_text
from pipeline.zero_pronouns.exports.texts import english_tokens, tokens
from pipeline.zero_pronouns.translation.alignment import WordPair, align, to_pharaoh

SAMPLE = Path(__file__).resolve().parent.parent / "raw" / "zp"
FOLDER = SAMPLE / "alignment"
GENRES = ("subtitles", "questions", "news", "fiction", "profiles")
#: The reference translation and the invented systems.
SYSTEMS = ("reference", "careful", "literal", "mixed")
#: The file of checksums.
TEXTS = "texts.sha256"


@cache
def sentences(sample: Path = SAMPLE) -> dict[str, list[WordPair]]:
    """Return the words of the sentences and of their translations by ``SYSTEM/GENRE``, as `zp export --as labelled --words` writes them."""
    texts: dict[str, list[WordPair]] = {}
    for system in SYSTEMS:
        for genre in GENRES:
            folder = sample if system == "reference" else sample / "systems" / system
            text = read_parallel_text(sample / f"{genre}.zh", folder / f"{genre}.en")
            texts[f"{system}/{genre}"] = [(tokens(pair.source), english_tokens(pair.target)) for pair in text.pairs]
    return texts


def alignment_files(texts: Mapping[str, list[WordPair]]) -> dict[str, str]:
    """Return the files of the folder of alignments by name, those by hand apart."""
    alignment = iter(align([pair for pairs in texts.values() for pair in pairs]))
    files = {f"{name}.align": to_pharaoh(next(alignment) for _ in pairs) for name, pairs in texts.items()}
    return files | {TEXTS: checksums(texts)}


def checksums(texts: Mapping[str, list[WordPair]]) -> str:
    """Return the checksums of the texts, a line ``sha256  SYSTEM/GENRE.zh`` or ``.en`` each."""
    lines = []
    for name, pairs in texts.items():
        for side, language in enumerate(("zh", "en")):
            text = "".join(f"{' '.join(pair[side])}\n" for pair in pairs)
            lines.append(f"{hashlib.sha256(text.encode()).hexdigest()}  {name}.{language}\n")
    return "".join(lines)


def main() -> None:
    """Write the alignments."""
    for name, text in alignment_files(sentences()).items():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        write_text(FOLDER / name, text)
        print(FOLDER / name)


if __name__ == "__main__":
    main()
