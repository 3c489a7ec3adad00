"""Readers of public formats: bytes in, drafts out; a table of names instead of a registry."""

from collections.abc import Callable
from pathlib import Path

from ...core.errors import PipelineError
from ...core.model import IngestResult
from .cluewsc import read_cluewsc
from .draft import Draft, assemble
from .overrides import override_targets
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


def ingest(data: bytes, path: Path, form: str, lang: str | None = None, targets: Path | None = None) -> IngestResult:
    """Return the items of `data` and the records that are none; together they are all records read.

    Args:
        data: the content of the source.
        path: its name, for messages.
        form: a name in `READERS`.
        lang: the language wanted of a source that has several.
        targets: a table of targets set by hand (see `override_targets`).
    """
    if form not in READERS:
        raise PipelineError(
            None, None, f"[format] unknown format; found {form!r}, expected one of {', '.join(READERS)}"
        )
    drafts = READERS[form](data, path, lang)
    return assemble(drafts if targets is None else override_targets(drafts, targets))
