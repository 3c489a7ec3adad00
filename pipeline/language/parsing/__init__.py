"""The parsers behind one table of names."""

from collections.abc import Callable
from pathlib import Path

from .backend import Backend
from .stanza import load_stanza
from .udpipe import load_udpipe

#: Each loads a back end with the model at a path, or with the one that comes with it.
BACKENDS: dict[str, Callable[[Path | None], Backend]] = {"udpipe": load_udpipe, "stanza": load_stanza}
