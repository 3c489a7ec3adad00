"""The lists of a study as documents for INCEpTION, which link an anaphor to its antecedent instead of asking for a candidate.

A document is a UIMA CAS with the types of DKPro Core, which INCEpTION has built in: each sentence, its words, and the anaphor and each
mention of a candidate as a link of its own chain of coreference. The right answers are not in it.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import PipelineError, shown
from ..core.files import from_json, read_text
from ..core.model import Item, Span, item_of
from ..core.packages import require_packages
from ..language.segmentation import cut
from ..winograd.mentions import own_mentions
from ..winograd.zero_forms import ZERO, shift_span, zero_form
from .design.snapshot import snapshot_from_json
from .model.study import Study, Task

if TYPE_CHECKING:
    from cassis import TypeSystem

#: The file of the types; INCEpTION needs it for no type, but other programs that read a CAS do.
TYPES = "TypeSystem.xml"
#: What a link may be: the anaphor, or a mention of a candidate.
ANAPHOR, CANDIDATE = "anaphor", "candidate"
_SEGMENTATION = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type"
_COREFERENCE = "de.tudarmstadt.ukp.dkpro.core.api.coref.type"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a document.

    Attributes:
        id: the id of the item.
        text: the form of its text that the study shows.
        anaphor: the place of its target in that text.
        candidates: the places that name a candidate, in the order of the text.
    """

    id: str
    text: str
    anaphor: Span
    candidates: Sequence[Span]


def documents(study: Study, tasks: Sequence[Task], path: Path) -> Iterator[tuple[str, list[Sentence]]]:
    """Yield the name of each list of a study with its sentences, in the order in which raters see them, without practice.

    Args:
        study: the study, of items.
        tasks: its tasks.
        path: its study.json, for messages.

    Raises:
        PipelineError: the study asks about something else than items, was laid out by an earlier version, or has a task about an item
            that study.json does not have.
    """
    try:
        design, material = snapshot_from_json(from_json(read_text(path)), path)
    except ValueError as error:
        raise PipelineError(path, 1, f"[study] malformed; {error}") from error
    if design.source != "items":
        reason = f"not a study of items; found {shown(design.source)}, expected items, whose anaphor has an antecedent"
        raise PipelineError(path, 1, f"[source] {reason}")
    with_zero = not {"text_zero", "text_dropped"}.isdisjoint(design.show.values())
    items = {record.id: item_of(record.item) for records in material.selected.values() for record in records}
    for name in study.lists:
        main = [task for task in tasks if task.list == name and task.phase == "main"]
        in_order = [(item, items.get(item)) for task in main for item in task.items]
        if lacking := [item for item, known in in_order if known is None]:
            reason = f"unknown item; found {shown(lacking[0])}, expected one of study.json: run annotate design again"
            raise PipelineError(path.with_name("tasks.jsonl"), None, f"[items] {reason}")
        yield name, [sentence(item, with_zero=with_zero) for _, item in in_order if item is not None]


def sentence(item: Item, *, with_zero: bool) -> Sentence:
    """Return the sentence of an item: with Ø in place of its target, or as it stands.

    A mention that overlaps the target is left out: 她 is not a mention of a candidate called 她.
    """
    places = sorted({span for spans in own_mentions(item) for span in spans}, key=lambda span: (span.start, span.end))
    if not (with_zero or item.already_zero):
        free = [span for span in places if span.end <= item.target.start or item.target.end <= span.start]
        return Sentence(item.id, item.text, item.target, free)
    form = zero_form(item.text, item.target)
    shifted = [span for place in places if (span := shift_span(place, item.target, len(ZERO)))]
    return Sentence(item.id, form.text_zero, form.zero, shifted)


def words(text: str, edges: Iterable[int], lang: str) -> list[Span]:
    """Return the words of a text: every mention begins and ends with a word, so that it can be selected in INCEpTION.

    Args:
        text: the text.
        edges: where its mentions begin and end.
        lang: its language; Chinese is cut by Jieba.
    """
    marks = sorted({0, *edges, len(text)})
    spans = []
    for start, end in itertools.pairwise(marks):
        piece = text[start:end]
        at = start
        for word in cut(piece) if lang.startswith("zh") else re.findall(r"\w+|[^\w\s]", piece):
            at = text.index(word, at)
            spans.append(Span(at, at + len(word)))
            at += len(word)
    return spans


def type_system() -> "TypeSystem":
    """Return the types of DKPro Core.

    Raises:
        PipelineError: the package that writes a CAS is not installed.
    """
    require_packages("annotate", "cassis")
    from cassis import load_dkpro_core_typesystem

    return load_dkpro_core_typesystem()


def document(sentences: Sequence[Sentence], lang: str, types: "TypeSystem") -> str:
    """Return the CAS of a document as XMI: one sentence a line.

    Args:
        sentences: its sentences.
        lang: their language.
        types: the types of DKPro Core (`type_system`).

    Raises:
        PipelineError: a text has a character that XML does not allow.
    """
    from cassis import Cas

    text = "\n".join(row.text for row in sentences)
    cas = Cas(typesystem=types, sofa_string=text, document_language=lang)
    cas.select("uima.tcas.DocumentAnnotation")[0].end = len(text)  # the package leaves it at 0
    of_type = _types(types)
    start = 0
    for row in sentences:
        cas.add(of_type["Sentence"](begin=start, end=start + len(row.text), id=row.id))
        links = [(row.anaphor, ANAPHOR), *((span, CANDIDATE) for span in row.candidates)]
        edges = [edge for span, _ in links for edge in (span.start, span.end)]
        for word in words(row.text, edges, lang):
            cas.add(of_type["Token"](begin=start + word.start, end=start + word.end))
        for span, kind in sorted(links, key=lambda link: (link[0].start, link[0].end)):
            link = of_type["CoreferenceLink"](begin=start + span.start, end=start + span.end, referenceType=kind)
            cas.add_all([link, of_type["CoreferenceChain"](first=link)])
        start += len(row.text) + 1
    try:
        return str(cas.to_xmi(pretty_print=True))
    except ValueError as error:  # from lxml
        raise PipelineError(None, None, f"[text] cannot be written as XML; {error}") from error


def _types(types: "TypeSystem") -> Mapping[str, type]:
    """Return the types of a document by their short names."""
    names = {"Sentence": _SEGMENTATION, "Token": _SEGMENTATION}
    names |= {"CoreferenceLink": _COREFERENCE, "CoreferenceChain": _COREFERENCE}
    return {name: types.get_type(f"{room}.{name}") for name, room in names.items()}
