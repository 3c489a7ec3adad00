"""Dependency parses: the back ends in one table of names, trees in CoNLL-U, and the parse lock that a build reads."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from .backend import Backend
from .stanza import load_stanza
from .udpipe import load_udpipe

BackendName = Literal["udpipe", "stanza"]
#: Each function loads a back end with the model at a path, or with its own model.
BACKENDS: dict[BackendName, Callable[[Path | None], Backend]] = {"udpipe": load_udpipe, "stanza": load_stanza}
