"""What a Label Studio server holds of a study: projects, tasks, annotations; and the mark that says whose project it is."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from ... import __version__
from ...core.convert import convert_fields, to_object
from ...core.errors import shown
from ...core.files import from_json, to_json
from ..design.fields import ANSWER_FIELDS, JUDGED_FIELDS
from ..model.study import Study

#: Number of raters who may have a task. Anything this high never gives a rater the same task twice and refuses nobody.
OVERLAP = 1000
#: What main tasks do with right answers and earlier judgements: show them, keep them from raters, or have none.
Answers = Literal["shown", "hidden", "none"]
#: What raters read on the card of their project, by the language of the study. The card shows three lines: the mark after it is cut off.
_INVITATION = {
    "zh": "打开这个项目，点击“Label All Tasks”开始回答。可以随时停下，提交过的回答都会保留。请不要改动项目的设置。",
    "en": "Open this project and click “Label All Tasks” to begin. You can stop at any time: submitted answers are kept. "
    "Please leave the settings as they are.",
    "de": "Öffnen Sie dieses Projekt und klicken Sie auf „Label All Tasks“. Sie können jederzeit aufhören: Was Sie abgeschickt "
    "haben, bleibt erhalten. Bitte ändern Sie keine Einstellungen.",
}
_MARK = re.compile(r"winoforge (\{[^{}\n]*\})")


@dataclass(frozen=True, slots=True)
class Mark:
    """Whose project it is: the study and the list; what its screens show, in which language; the version that made it.

    A mark that says neither language nor answers, as early versions wrote it, is of a study that hides them, in any language.
    """

    study: str
    list: str
    lang: str = ""
    answers: Answers = "hidden"
    version: str = ""

    def reveals(self, other: "Mark") -> bool:
        """Return whether its screens show what raters of another study must not see; studies in two languages share no items."""
        shows = self.answers == "shown" and other.answers == "hidden"
        same_language = not (self.lang and other.lang) or self.lang == other.lang
        return shows and same_language and self.study != other.study


def answers_of(study: Study) -> Answers:
    """Return what the main tasks of a study show of right answers and earlier judgements, as its design says.

    A study without design hides them, unless its raters may know the answers.
    """
    design = study.design or {}
    shown = {field for field in _values(design.get("show")) if isinstance(field, str)}
    if shown & JUDGED_FIELDS or (study.shows_answers and (shown & ANSWER_FIELDS or not shown)):
        return "shown"
    lists = [records for records in _values(design.get("selected")) if isinstance(records, list)]
    items = [record.get("item") for records in lists for record in records if isinstance(record, dict)]
    without = [isinstance(item, dict) and item.get("answer") is None for item in items]
    return "none" if without and all(without) else "hidden"


def _values(value: object) -> list[object]:
    """Return the values of a JSON object; of anything else, as in a study.json that somebody edited, none."""
    return list(value.values()) if isinstance(value, dict) else []


def mark_of(study: Study, name: str) -> Mark:
    """Return the mark of the project of a list."""
    return Mark(study.id, name, study.lang, answers_of(study), __version__)


def project_description(study: Study, name: str) -> str:
    """Return the description of the project of a list: some sentences for raters, then the mark."""
    invitation = _INVITATION.get(study.lang.partition("-")[0], _INVITATION["en"])
    return f"{invitation}\n\n{project_mark(study, name)}"


def project_mark(study: Study, name: str) -> str:
    """Return the text in a project's description by which `push` and `pull` recognise the project of a list."""
    return f"winoforge {to_json(to_object(mark_of(study, name)))}"


def parse_mark(description: str) -> Mark | None:
    """Return the mark in a project's description, which any version may have written and people may edit; None without a valid one.

    >>> parse_mark('Ask Wei first. winoforge {"study": "upper-bound", "list": "1", "version": "0.1.0", "later": 1}')
    Mark(study='upper-bound', list='1', lang='', answers='hidden', version='0.1.0')
    >>> parse_mark("Pictures")
    """
    match = _MARK.search(description)
    try:
        return convert_fields(from_json(match[1]), Mark) if match else None
    except ValueError:
        return None


# --- projects, tasks, annotations -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RemoteAnnotation:
    """A submitted annotation.

    Attributes:
        completed_by: the account that it claims as author.
        updated_by: the account that sent it last.
        created_at: when it was first submitted, in UTC; None where an export does not say.
        updated_at: when it was last changed, in UTC; None where an export does not say.
        result: the submitted JSON value; the server does not check it.
        skipped: whether the rater skipped the task.
        lead_time: seconds as measured by the rater's browser.
    """

    id: int
    completed_by: int | None
    updated_by: int | None
    created_at: datetime | None
    updated_at: datetime | None
    result: Any
    skipped: bool
    lead_time: float | None


@dataclass(frozen=True, slots=True)
class RemoteTask:
    """A task on the server, with its annotations by number.

    Attributes:
        data: the values that its page shows.
        overlap: the number of raters who may have it.
        drafted: whether a rater has started it without submitting.
    """

    id: int
    data: Mapping[str, Any]
    overlap: int
    drafted: bool = False
    annotations: tuple[RemoteAnnotation, ...] = ()

    @property
    def key(self) -> str:
        """The key of the study's task in its data; empty if there is none."""
        key = self.data.get("task")
        return key if isinstance(key, str) else ""

    @property
    def touched(self) -> bool:
        """Whether a rater has worked on it."""
        return self.drafted or bool(self.annotations)


@dataclass(frozen=True, slots=True)
class RemoteProject:
    """A project on the server, with the settings that `push` manages."""

    id: int
    settings: Mapping[str, Any]

    @property
    def title(self) -> str:
        """Its title."""
        return str(self.settings["title"])

    @property
    def mark(self) -> Mark | None:
        """The mark in its description; None if it has none."""
        return parse_mark(str(self.settings["description"] or ""))


def annotation_from(
    row: Mapping[str, Any], account_of: Callable[[Any], int | None] = lambda author: author
) -> RemoteAnnotation:
    """Return the annotation of a JSON object of the server or of an export; raises KeyError, TypeError or ValueError if it is malformed.

    `account_of` returns the number of the account that the row names, a negative one where it has none; None for a deleted account.
    """
    author, sender, lead_time = account_of(row.get("completed_by")), row.get("updated_by"), row.get("lead_time")
    return RemoteAnnotation(
        id=int(row["id"]),
        completed_by=author,
        updated_by=None if author is None or author < 0 or sender is None else account_of(sender),
        created_at=_utc(row.get("created_at")),
        updated_at=_utc(row.get("updated_at") or row.get("created_at")),
        result=row.get("result"),
        skipped=bool(row.get("was_cancelled") or row.get("skipped")),
        lead_time=None if lead_time in (None, "") else float(lead_time),
    )


def _utc(time: Any) -> datetime | None:
    """Return a time in UTC: ISO 8601, in UTC where it names no zone, or seconds, as old exports have it; None without one."""
    if not time:
        return None
    try:
        moment = (
            datetime.fromtimestamp(time, UTC) if isinstance(time, int | float) else datetime.fromisoformat(str(time))
        )
    except (OverflowError, OSError, ValueError) as error:
        raise ValueError(f"no time; found {shown(time)}, expected seconds since 1970, or ISO 8601") from error
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def same_json(left: object, right: object) -> bool:
    """Tell whether two JSON values are equal, in any order of keys.

    >>> same_json({"a": 1, "b": "x"}, {"b": "x", "a": 1}), same_json({"a": 1}, {"a": True})
    (True, False)
    """
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)
