"""Readers of public formats: bytes in, drafts out; a table of names instead of a registry."""

from collections.abc import Callable
from pathlib import Path

from .cluewsc import read_cluewsc
from .draft import Draft
from .pws import pws_segmentation, read_pws
from .schema_yaml import read_schema_yaml
from .wsc import read_wsc
from .xwinograd import read_xwinograd

Reader = Callable[[bytes, Path, str | None], list[Draft]]

READERS: dict[str, Reader] = {
    "pws-tsv": read_pws,
    "wsc-xml": read_wsc,
    "xwinograd-tsv": read_xwinograd,
    "cluewsc-jsonl": read_cluewsc,
    "schema-yaml": read_schema_yaml,
}

#: The words of each sentence by item id, where a format prints its sentences in words.
SEGMENTATIONS: dict[str, Callable[[bytes, Path, str | None], dict[str, list[str]]]] = {"pws-tsv": pws_segmentation}
