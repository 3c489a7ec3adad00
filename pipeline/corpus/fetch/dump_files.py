"""What Wikimedia calls the files of a dump."""

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ...core.errors import PipelineError
from ...core.files import lines_of

ORIGIN = "https://dumps.wikimedia.org"
_WIKI = re.compile(r"[a-z][a-z0-9_]{1,62}")
_DATE = re.compile(r"[0-9]{8}")
_SUM = re.compile(r"([0-9a-f]{40}) [ *](\S+)")
_SHA1 = re.compile(r"[0-9a-fA-F]{40}")


@dataclass(frozen=True, slots=True)
class Dump:
    """A dump by its wiki and its date: every name of a file comes from these two, none from a server.

    Raises:
        PipelineError: no name of a wiki as Wikimedia has them, or no date.
    """

    wiki: str
    date: str

    def __post_init__(self) -> None:
        if not _WIKI.fullmatch(self.wiki):
            reason = (
                f"[wiki] no wiki's name; found {self.wiki!r}, expected small letters, digits, underscores, as in zhwiki"
            )
            raise PipelineError(None, None, reason)
        try:
            # "latest" is refused too: what it names changes, so nobody could cite it.
            if not _DATE.fullmatch(self.date):
                raise ValueError(self.date)
            datetime.strptime(self.date, "%Y%m%d")
        except ValueError:
            reason = f"[date] no day; found {self.date!r}, expected YYYYMMDD as the dump's folder has it"
            raise PipelineError(None, None, reason) from None

    def _name(self, rest: str) -> str:
        return f"{self.wiki}-{self.date}-{rest}"

    @property
    def articles(self) -> str:
        """The dump itself: the articles in many bzip2 streams."""
        return self._name("pages-articles-multistream.xml.bz2")

    @property
    def index(self) -> str:
        """The index of its streams."""
        return self._name("pages-articles-multistream-index.txt.bz2")

    @property
    def sums(self) -> str:
        """The SHA-1 digests of all files of that day."""
        return self._name("sha1sums.txt")

    @property
    def record(self) -> str:
        """Our own file: what was fetched."""
        return self._name("fetched.jsonl")

    def url(self, base: str, name: str) -> str:
        """Return where a server that is laid out as Wikimedia's keeps a file."""
        return f"{base}/{self.wiki}/{self.date}/{name}"


def sha1_of(text: str, option: str) -> str:
    """Return a digest that a user gave, in small letters.

    Raises:
        PipelineError: it has not 40 hexadecimal digits.
    """
    if not _SHA1.fullmatch(text):
        raise PipelineError(None, None, f"[{option}] no SHA-1; found {text!r}, expected 40 hexadecimal digits")
    return text.lower()


def parse_sums(text: str, path: Path) -> dict[str, str]:
    """Return digest by name of a list as coreutils' ``sha1sum`` writes it.

    Raises:
        PipelineError: at the first line that is none, or that gives a name a second digest.
    """
    sums: dict[str, str] = {}
    for number, line in enumerate(lines_of(text), 1):
        if not line:
            continue
        match = _SUM.fullmatch(line)
        if match is None:
            raise PipelineError(
                path, number, f"[sha1] malformed; found {line[:80]!r}, expected a SHA-1, two blanks, a name"
            )
        if sums.setdefault(match[2], match[1]) != match[1]:
            raise PipelineError(path, number, f"[sha1] {match[2]} again; found {match[1]}, expected {sums[match[2]]}")
    return sums
