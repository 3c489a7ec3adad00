"""The part of a corpus file that one process reads by itself."""

from dataclasses import dataclass
from pathlib import Path

#: The formats, as the command line calls them.
FORMS = ("text", "jsonl", "parquet", "wikimedia-xml")


@dataclass(frozen=True, slots=True, order=True)
class Shard:
    """What lies in a file from `start` to before `end`: row groups of Parquet, else bytes.

    A line belongs to the shard in which it begins. Of a dump in several bzip2 streams `start` is where a stream begins.
    """

    path: Path
    form: str
    start: int
    end: int
