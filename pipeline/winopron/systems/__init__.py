"""The files that coreference systems read and write: one small module a format, texts in, clusters of mentions out."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..instances import Instance
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


def answer(sentence: Instance, clusters: Sequence[Cluster]) -> str:
    """Return the other mentions of the cluster that holds the pronoun, in text order, or nothing if there is none.

    WinoPron's authors take the first of these mentions; with all of them a cluster that holds both entities is no answer.
    """
    target = sentence.item.target
    mentions = {span for cluster in clusters if target in cluster for span in cluster if span != target}
    return "; ".join(span.of(sentence.item.text) for span in sorted(mentions))
