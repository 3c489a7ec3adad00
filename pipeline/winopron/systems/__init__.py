"""The files that coreference systems read and write: one small module a format, texts in, clusters of mentions out."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from . import caw_coref, lingmess, spanbert
from .clusters import Cluster

#: By format: what a system is given for a sentence, by its item id. SpanBERT's word pieces need its vocabulary.
WRITERS: Mapping[str, Callable[[Path | None], Callable[[str, str], dict[str, Any]]]] = {
    "caw-coref": caw_coref.writer,
    "lingmess": lingmess.writer,
    "spanbert": spanbert.writer,
}
#: By format: the clusters that a system found in a sentence, as spans of its text; a `ValueError` tells what is wrong.
READERS: Mapping[str, Callable[[Mapping[str, Any], str, str], list[Cluster]]] = {
    "caw-coref": caw_coref.clusters,
    "lingmess": lingmess.clusters,
    "spanbert": spanbert.clusters,
}
