"""The answers of a cloze study as the results of an experiment, which `experiment analyse` reads."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..core.errors import PipelineError, shown
from ..studies.model.answers import TaskJudgement
from ..studies.model.study import Study, Task
from .browser.results.tables import Participant, Response
from .browser.trials import PARTS, Part

#: Stands for what Label Studio does not ask.
NOT_STATED = "not-stated"
#: The controls of the design.
ANSWER, CONFIDENCE = "answer", "confidence"
#: Maximum time of a screen in seconds, a day; with a longer one somebody had left the page open.
_LONGEST = 86_400


@dataclass(frozen=True, slots=True)
class ClozeResults:
    """The results of a study."""

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
