"""The cloze experiment as a study, for those who have no web server: its lists as records, its answers as results."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..core.errors import PipelineError, errors_at, shown
from ..core.model import Record, Span
from ..evaluation.cloze.items import ClozeItem, read_cloze_items
from ..language.pronoun_classes import GAP, pronoun_classes
from ..studies.design.fields import StudyRecord
from ..studies.model.answers import TaskJudgement
from ..studies.model.design import Design
from ..studies.model.study import Study, Task
from ..winograd.cloze import OR
from .browser.lists import Placed, lay_out
from .browser.materials import read_design, read_fillers, read_items
from .browser.records import PARTS, Part
from .browser.results.tables import Participant, Response


def read_cloze_lists(design: Design) -> dict[str, list[StudyRecord]]:
    """Return the records of each list of an experiment, in their order: items, fillers and attention trials, without practice.

    They are the lists that `winoforge experiment build` makes of the same files and seed. The candidates are the pronouns of the
    language, the answer is the right one; a filler with several has none, and is not scored.

    `design` has the source ``cloze``.
    """
    if design.fillers is None or design.experiment is None:
        raise ValueError("a design of cloze items names fillers and the experiment")
    lang, items = read_items(design.records)
    pronouns = tuple(pronoun_classes(lang).pronouns.values())
    sources = {item.id: item for item in read_cloze_items(design.records).items}
    experiment = read_design(design.experiment, lang)
    with errors_at(design.path, design.lines.get("lists")):
        layout = lay_out(lang, pronouns, items, read_fillers(design.fillers, lang), experiment, design.seed)
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
    answer = None if OR in sentence.pronoun else pronouns.index(sentence.pronoun)
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


#: Stands for what Label Studio does not ask.
NOT_STATED = "not-stated"
#: The controls of the design.
ANSWER, CONFIDENCE = "answer", "confidence"
#: Maximum time of a screen in seconds, a day; with a longer one somebody had left the page open.
_LONGEST = 86_400


@dataclass(frozen=True, slots=True)
class ClozeResults:
    """The results of a study; `left_out` judgements were skipped, have no time or one above a day, or are in a rater's second list."""

    responses: tuple[Response, ...]
    participants: tuple[Participant, ...]
    left_out: int


def cloze_results(study: Study, tasks: Sequence[Task], judgements: Sequence[TaskJudgement]) -> ClozeResults:
    """Return the results of a study with the source ``cloze``.

    Participants are p001, p002 … in the order of their pseudonyms; of a rater with several lists, the first counts. One screen has both
    questions: its time is the response time of the answer, and that of the confidence is 0. What else a participant might say of
    themselves is `NOT_STATED`.

    `judgements` are what raters submitted, with the tasks.
    """
    parts = _parts(study)
    by_rater: dict[str, list[TaskJudgement]] = {}
    for judgement in sorted(judgements, key=lambda row: (row.rater, row.task.list, row.task.position)):
        by_rater.setdefault(judgement.rater, []).append(judgement)
    responses: list[Response] = []
    participants = []
    for number, given in enumerate(by_rater.values(), 1):
        name, of_list = f"p{number:03}", given[0].task.list
        used = [row for row in given if row.task.list == of_list and _is_response(row)]
        responses += [_response(name, row, parts) for row in used]
        own = [task for task in tasks if task.list == of_list and task.phase != "practice"]
        participants.append(_participant(name, of_list, used, own, parts))
    return ClozeResults(tuple(responses), tuple(participants), len(judgements) - len(responses))


def _parts(study: Study) -> dict[str, Part]:
    """Return the part of each record of the lists: item, filler or attention."""
    design = study.design or {}
    if design.get("source") != "cloze" or not {ANSWER, CONFIDENCE} <= {control.name for control in study.controls}:
        reason = f"found the study {study.id}, expected the source cloze and the controls {ANSWER} and {CONFIDENCE}"
        raise PipelineError(None, None, f"[responses] not a cloze study; {reason}")
    if odd := [name for name in study.lists if not (name.isascii() and name.isdecimal() and len(name) < 10)]:
        raise PipelineError(
            None, None, f"[lists] not a number in the study {study.id}; found {shown(odd[0])}, expected 1, 2 …"
        )
    try:
        parts = {record["item"]["id"]: record["part"] for records in design["selected"].values() for record in records}
    except (AttributeError, KeyError, TypeError) as error:
        reason = f"found {shown(str(error))}, expected an id and a part for each; run winoforge annotate design again"
        raise PipelineError(None, None, f"[selected] malformed records in the study {study.id}; {reason}") from error
    if malformed := [part for part in parts.values() if part not in PARTS]:
        reason = f"found {shown(malformed[0])}, expected one of {', '.join(PARTS)}"
        raise PipelineError(None, None, f"[selected] unknown part in the study {study.id}; {reason}")
    return parts


def _is_response(row: TaskJudgement) -> bool:
    seconds = row.judgement.lead_time
    return not row.skipped and seconds is not None and seconds <= _LONGEST


def _response(name: str, row: TaskJudgement, parts: Mapping[str, Part]) -> Response:
    number = row.task.options[row.place].index(int(row.answers[ANSWER]))
    try:
        answer = row.task.data["options"][number]["value"]
    except (IndexError, KeyError, TypeError):
        answer = None
    if not isinstance(answer, str) or not answer:
        reason = f"found {shown(row.task.data.get('options'))}, expected a value for each; run winoforge annotate design again"
        raise PipelineError(None, None, f"[options] malformed pronouns in the task {row.task.key}; {reason}")
    return Response(
        participant=name,
        list=int(row.task.list),
        position=row.task.position,
        id=row.item,
        part=parts.get(row.item, "practice"),
        answer=answer,
        confidence=int(row.answers[CONFIDENCE]),
        rt_answer_ms=round(1000 * (row.judgement.lead_time or 0)),
        rt_confidence_ms=0,
    )


def _participant(
    name: str, of_list: str, used: Sequence[TaskJudgement], own: Iterable[Task], parts: Mapping[str, Part]
) -> Participant:
    answered = {row.task.key for row in used}
    marks = [row.answers[ANSWER] == row.gold for row in used if parts.get(row.item) == "attention"]
    return Participant(
        participant=name,
        list=int(of_list),
        completed=all(task.key in answered for task in own),
        attention_right=sum(marks),
        attention_asked=len(marks),
        language=NOT_STATED,
        region=NOT_STATED,
        age=NOT_STATED,
        education=NOT_STATED,
        linguistics=NOT_STATED,
    )
