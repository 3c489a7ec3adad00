"""Wikimedia's names for the files of a dump, and its lists of digests."""

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ..core.errors import PipelineError
from ..core.files import lines_of

ORIGIN = "https://dumps.wikimedia.org"
_WIKI = re.compile(r"[a-z][a-z0-9_]{1,62}")
_DATE = re.compile(r"[0-9]{8}")
_SUM = re.compile(r"([0-9a-f]{40}) [ *](\S+)")
_SHA1 = re.compile(r"[0-9a-fA-F]{40}")


@dataclass(frozen=True, slots=True)
class Dump:
    """A dump by its wiki and its date. All file names are made from these two; none comes from a server.

    Raises:
        PipelineError: the wiki is not a name as Wikimedia has them, or the date is not a day. "latest" is not: it names another dump every
            month, so nobody could cite it.
    """

    wiki: str
    date: str

    def __post_init__(self) -> None:
        if not _WIKI.fullmatch(self.wiki):
            expected = "lower-case letters, digits and underscores, as in zhwiki"
            raise PipelineError(None, None, f"[wiki] not the name of a wiki; found {self.wiki!r}, expected {expected}")
        try:
            if not _DATE.fullmatch(self.date):
                raise ValueError(self.date)
            datetime.strptime(self.date, "%Y%m%d")
        except ValueError:
            reason = f"[date] not a day; found {self.date!r}, expected YYYYMMDD as in the name of the dump's folder"
            raise PipelineError(None, None, reason) from None

    def _file(self, ending: str) -> str:
        return f"{self.wiki}-{self.date}-{ending}"

    @property
    def articles(self) -> str:
        """The dump itself: the articles in many bzip2 streams."""
        return self._file("pages-articles-multistream.xml.bz2")

    @property
    def index(self) -> str:
        """The index of its streams."""
        return self._file("pages-articles-multistream-index.txt.bz2")

    @property
    def sums(self) -> str:
        """The list of the SHA-1 digests of all files of that day."""
        return self._file("sha1sums.txt")

    @property
    def record(self) -> str:
        """Our own record of the files fetched."""
        return self._file("fetched.jsonl")

    def url(self, server: str, file: str) -> str:
        """Return the address of a file on a server with Wikimedia's layout."""
        return f"{server}/{self.wiki}/{self.date}/{file}"


def sha1_of(text: str, option: str) -> str:
    """Return a digest given by the user, in lower case.

    Raises:
        PipelineError: it does not have 40 hexadecimal digits.
    """
    if not _SHA1.fullmatch(text):
        raise PipelineError(None, None, f"[{option}] not a SHA-1; found {text!r}, expected 40 hexadecimal digits")
    return text.lower()


def parse_sums(text: str, path: Path) -> dict[str, str]:
    """Return digests by file name, from a list as coreutils' ``sha1sum`` writes it.

    Raises:
        PipelineError: a line is malformed, or gives a file a second digest.
    """
    sums: dict[str, str] = {}
    for number, line in enumerate(lines_of(text), 1):
        if not line:
            continue
        match = _SUM.fullmatch(line)
        if match is None:
            reason = f"[sha1] malformed line; found {line[:80]!r}, expected a SHA-1, two blanks, a name"
            raise PipelineError(path, number, reason)
        if sums.setdefault(match[2], match[1]) != match[1]:
            reason = f"[sha1] second digest of {match[2]}; found {match[1]}, expected {sums[match[2]]}"
            raise PipelineError(path, number, reason)
    return sums
