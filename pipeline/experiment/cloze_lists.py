"""The lists of the cloze experiment as records of a study, for those who have no web server."""

from ..core.errors import PipelineError
from ..core.model import Record, Span
from ..evaluation.cloze.items import ClozeItem, read_cloze_items
from ..language.pronoun_classes import GAP, pronoun_classes
from ..studies.design.fields import StudyRecord
from ..studies.model.design import Design
from .browser.build import Placed, lay_out
from .browser.materials import read_design, read_fillers, read_items


def read_cloze_lists(design: Design) -> dict[str, list[StudyRecord]]:
    """Return the records of each list of an experiment, in their order: items, fillers and attention trials, without practice.

    They are the lists that `winoforge experiment build` makes of the same files and seed. The candidates are the pronouns of the
    language, the answer is the right one.

    `design` has the source ``cloze``.
    """
    if design.fillers is None or design.experiment is None:
        raise ValueError("a design of cloze items names fillers and the experiment")
    lang, items = read_items(design.records)
    pronouns = tuple(pronoun_classes(lang).pronouns.values())
    sources = {item.id: item for item in read_cloze_items(design.records).items}
    experiment = read_design(design.experiment, lang)
    try:
        layout = lay_out(lang, pronouns, items, read_fillers(design.fillers, lang), experiment, design.seed)
    except ValueError as error:
        raise PipelineError(design.path, design.lines.get("lists"), str(error)) from error
    if len(layout.lists) != design.lists.count:
        reason = f"[count] found {design.lists.count}, expected {len(layout.lists)}: the lists of {len(items)} items"
        raise PipelineError(design.path, design.lines.get("lists"), reason)
    width = len(str(len(layout.lists)))
    return {
        f"{number:0{width}}": [
            _record(place, lang, pronouns, sources.get(place.sentence.id))
            for place in placed
            if place.part != "practice"
        ]
        for number, placed in layout.lists.items()
    }


def _record(placed: Placed, lang: str, pronouns: tuple[str, ...], item: ClozeItem | None) -> StudyRecord:
    sentence = placed.sentence
    start = sentence.text.index(GAP)
    answer = pronouns.index(sentence.pronoun)
    return StudyRecord(
        item=Record(
            id=sentence.id,
            schema=item.schema if item else sentence.id,
            version=sentence.id.rpartition("-")[2] if item else placed.part,
            lang=lang,
            text=sentence.text,
            target=Span(start, start + len(GAP)),
            candidates=pronouns,
            answer=answer,
            source=item.source if item else placed.part,
        ),
        part=placed.part,
    )
