"""Who is left out, by criteria written before the data were seen."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from ...core.convert import read_yaml
from ...core.tables import read_table
from ...winograd.cloze import OR
from ..browser.files import KEY, KEY_COLUMNS
from ..browser.results.tables import Results

Share = Annotated[float, Meta(ge=0, le=1, description="a share from 0 to 1")]


@dataclass(frozen=True, slots=True)
class Criteria:
    """What a person must satisfy; the defaults are ours, the paper prints none.

    Attributes:
        attention: least share of attention items right, from 0 to 1; a person who was asked none satisfies it.
        fillers: least share of fillers right; a person without scored fillers satisfies it.
        fast_ms: an answer sooner than this, in milliseconds, is too fast to have read the text.
        fast_share: greatest share of answers to items and fillers that are too fast.
    """

    completed: bool = True
    attention: Share = 0.75
    fillers: Share = 0.75
    fast_ms: Annotated[int, Meta(ge=0, le=60000, description="milliseconds from 0 to 60000")] = 700
    fast_share: Share = 0.25


def read_criteria(path: Path) -> Criteria:
    """Return the criteria of a YAML file, a mapping; a field that is not given keeps its default."""
    return read_yaml(path, Criteria)


def read_filler_answers(folder: Path) -> dict[str, str]:
    """Return the right pronoun of each filler, or several with `OR` between them, from the key in the folder of an experiment."""
    rows = read_table(folder / KEY, KEY_COLUMNS)
    return {row["id"]: row["pronoun"] for _, row in rows if row["part"] == "filler"}


@dataclass(frozen=True, slots=True)
class Person:
    """What the criteria look at: a person's shares of attention items and fillers right and of answers that are too fast, and the reasons.

    A share is None where nothing is counted. Without reasons the person is kept.
    """

    attention: float | None
    fillers: float | None
    fast: float | None
    answers: int
    reasons: tuple[str, ...]


def people(results: Results, criteria: Criteria, fillers: Mapping[str, str]) -> dict[str, Person]:
    """Return each participant with the reasons for leaving out, by name, in the order of the file.

    `fillers` has the right pronoun of each filler, of several with `OR` between them each is right; those not in it are not scored.
    """
    marks: dict[str, list[bool]] = defaultdict(list)
    times: dict[str, list[int]] = defaultdict(list)
    for row in results.responses:
        if row.part == "filler" and row.id in fillers:
            marks[row.participant].append(row.answer.casefold() in fillers[row.id].casefold().split(OR))
        if row.part in ("item", "filler"):
            times[row.participant].append(row.rt_answer_ms)
    judged = {}
    for name, person in results.participants.items():
        attention = person.attention_right / person.attention_asked if person.attention_asked else None
        right, fast = _share(marks[name]), _share([time < criteria.fast_ms for time in times[name]])
        reasons = {
            "not completed": criteria.completed and not person.completed,
            "attention": attention is not None and attention < criteria.attention,
            "fillers": right is not None and right < criteria.fillers,
            "too fast": fast is not None and fast > criteria.fast_share,
        }
        judged[name] = Person(
            attention, right, fast, len(times[name]), tuple(reason for reason, holds in reasons.items() if holds)
        )
    return judged


def _share(marks: Sequence[bool]) -> float | None:
    return sum(marks) / len(marks) if marks else None
