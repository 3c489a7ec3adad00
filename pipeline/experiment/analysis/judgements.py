"""Answers of people joined with their items."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...evaluation.cloze.items import PLACES, ClozeItem
from ...language.pronoun_classes import Gender
from ..browser.results.tables import Response

#: The place of an answer that takes up no antecedent.
NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The answer of a person to an item.

    Attributes:
        item: the item.
        response: the answer as the file has it.
        gender: gender of the pronoun chosen.
    """

    item: ClozeItem
    response: Response
    gender: Gender

    @property
    def participant(self) -> str:
        """The person."""
        return self.response.participant

    @property
    def right(self) -> bool:
        """Whether the pronoun is that of the right antecedent."""
        return self.gender == self.item.gender

    @property
    def place(self) -> str:
        """Place of the antecedent that the pronoun takes up: first or second; or `NEITHER`."""
        return place_of(self.item, self.gender)


def place_of(item: ClozeItem, gender: str) -> str:
    """Return the place of the antecedent with a gender, or `NEITHER`."""
    return next(
        (place for place, phrase in zip(PLACES, item.antecedents, strict=False) if phrase.gender == gender), NEITHER
    )


def judgements(responses: Iterable[Response], items: Sequence[ClozeItem], path: Path) -> list[Judgement]:
    """Return the answers to items, without fillers, practice and attention items.

    Args:
        responses: what people answered.
        items: the items.
        path: the file of the responses, for errors.

    Raises:
        PipelineError: an answer is to an unknown item, or no pronoun of its language.
    """
    by_id = {item.id: item for item in items}
    joined = []
    for response in responses:
        if response.part != "item":
            continue
        if response.id not in by_id:
            reason = (
                f"found {shown(response.id)} of {response.participant}, expected one of the {len(by_id)} cloze items"
            )
            raise PipelineError(path, None, f"[id] unknown item; {reason}")
        item = by_id[response.id]
        gender = item.classes.gender_of(response.answer)
        if gender is None:
            pronouns = ", ".join(item.classes.pronouns.values())
            reason = f"found {shown(response.answer)} of {response.participant} to {item.id}, expected {pronouns}"
            raise PipelineError(path, None, f"[answer] no pronoun; {reason}")
        joined.append(Judgement(item, response, gender))
    if not joined:
        raise PipelineError(path, None, "[part] no answer to an item; expected rows with part item")
    return joined
