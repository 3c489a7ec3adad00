"""The table of a model's answers, in the columns of the authors' own output for FLAN-T5."""

from collections.abc import Iterable
from dataclasses import dataclass

from ...language.pronouns import PronounTable
from ..instances import Instance
from ..readings import LINE_END
from .prompts import Prompt

#: The authors' columns in their order, then ours: the id of the sentence, the model, how it was asked, and the lengths in tokens.
COLUMNS = (
    "sentence", "generation", "pronoun_type", "occupation", "participant", "pronoun", "answer", "prompt", "options",
    "item", "model", "settings", "prompt_tokens", "answer_tokens",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model wrote to a prompt for a sentence; lengths in tokens are None where the server did not count."""

    instance: Instance
    prompt: Prompt
    text: str
    prompt_tokens: int | None
    answer_tokens: int | None


def answer_rows(
    answers: Iterable[ModelAnswer], pronouns: PronounTable, *, model: str, settings: str
) -> list[tuple[str, ...]]:
    """Return the cells for `COLUMNS` of each answer, in their order; an answer's line ends become `LINE_END` between blanks."""
    rows = []
    for answer in answers:
        occupation, participant, sentence, placeholder, form, antecedent = answer.instance.row(pronouns)
        tokens = ("" if count is None else str(count) for count in (answer.prompt_tokens, answer.answer_tokens))
        rows.append(
            (
                sentence, f" {LINE_END} ".join(answer.text.strip().splitlines()), placeholder, occupation, participant, form, antecedent,
                str(answer.prompt.template), str(answer.prompt.variant), answer.instance.item.id, model, settings, *tokens,
            )
        )  # fmt: skip
    return rows
