"""The answers of a system to WinoPron's sentences, as a table of sentences or by item id."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import PipelineError
from ..core.files import parse_jsonl, parse_tsv, read_text
from ..language.pronouns import PronounTable
from .instances import Instance, read_instances
from .performance import Response, Said

COLUMNS = ("occupation", "participant", "pronoun", "pronoun_type", "answer", "generation")
BY_ID = ("id", "answer")
_WORDS: Mapping[str, Said] = {
    "occupation": "occupation", "participant": "participant", "both": "both", "neither": "neither", "": "neither",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Predictions:
    """A system's responses, and how many of them are sentences that it gave no answer to, counted as not attempted."""

    responses: tuple[Response, ...]
    unanswered: int = 0


def said(generation: str, occupation: str, participant: str) -> Said:
    """Return which entity a system's output names: by its word in free text, or as one of the four labels.

    >>> said("The technician, I think.", "technician", "customer"), said("both", "technician", "customer")
    ('occupation', 'both')
    """
    text = generation.strip().casefold()
    named = [bool(re.search(rf"(?<!\w){re.escape(word.casefold())}(?!\w)", text)) for word in (occupation, participant)]
    if all(named):
        return "both"
    if any(named):
        return "occupation" if named[0] else "participant"
    return _WORDS.get(text.strip(" .!\"'"), "neither")


def read_predictions(path: Path, table: PronounTable, items: Path | None = None) -> Predictions:
    """Return the predictions of a file: JSON Lines or a table of `BY_ID`, whose sentences are in `items`, or of `COLUMNS`.

    Raises:
        PipelineError: answers by id without `items`, and what `responses_of` and `responses_by_id` refuse.
    """
    text = read_text(path)
    if path.suffix in (".jsonl", ".jsonlines"):
        answers = list(_answers(text, path))
    elif set(BY_ID) <= set(text.split("\n", 1)[0].rstrip("\r").split("\t")):
        answers = [(line, row["id"], row["answer"]) for line, row in parse_tsv(text, path, BY_ID)]
    else:
        return Predictions(tuple(responses_of(text, path, table)))
    if items is None:
        raise PipelineError(path, None, "[id] answers by id; found no sentences, expected --items double.jsonl")
    return responses_by_id(answers, path, read_instances(items))


def _answers(text: str, path: Path) -> Iterator[tuple[int, str, str]]:
    for line, value in parse_jsonl(text, path):
        for field in BY_ID:
            if not isinstance(value.get(field), str):
                raise PipelineError(path, line, f"[{field}] missing field; found {value.get(field)!r}, expected text")
        yield line, value["id"], value["answer"]


def responses_by_id(answers: Sequence[tuple[int, str, str]], path: Path, sentences: Sequence[Instance]) -> Predictions:
    """Return a response to each of the sentences, in their order; one without an answer is not attempted.

    Args:
        answers: line, item id and what was answered.
        path: their file, for errors.
        sentences: all that were to be answered.

    Raises:
        PipelineError: an unknown id, or one answered twice.
    """
    known = {one.item.id for one in sentences}
    told: dict[str, tuple[int, str]] = {}
    for line, name, answer in answers:
        if name not in known:
            raise PipelineError(path, line, f"[id] unknown; found {name!r}, expected an id of the {len(known)} items")
        if name in told:
            raise PipelineError(path, line, f"[id] answered twice; found {name!r} in line {told[name][0]} too")
        told[name] = line, answer
    responses = tuple(
        Response(
            occupation=one.occupation,
            participant=one.participant,
            case=one.case,
            pronouns=one.pronouns,
            right="participant" if one.item.answer else "occupation",
            said=said(told.get(one.item.id, (0, ""))[1], one.occupation, one.participant),
        )
        for one in sentences
    )
    return Predictions(responses, len(known) - len(told))


def responses_of(text: str, path: Path, table: PronounTable) -> list[Response]:
    """Return the responses of a table with the columns `COLUMNS`, in its order; other columns are passed over.

    Raises:
        PipelineError: a missing column, an unknown pronoun, an answer that is neither entity, a sentence twice.
    """
    found = []
    keys: dict[tuple[str, ...], int] = {}
    for line, row in parse_tsv(text, path, COLUMNS):
        case = table.placeholders.get(row["pronoun_type"].removeprefix("$"))
        if case is None:
            known = ", ".join(f"${name}" for name in table.placeholders)
            raise PipelineError(
                path, line, f"[pronoun_type] unknown; found {row['pronoun_type']!r}, expected one of {known}"
            )
        pronouns = next((one for one in table.sets if one.forms[case] == row["pronoun"]), None)
        if pronouns is None:
            known = ", ".join(one.forms[case] for one in table.sets)
            raise PipelineError(path, line, f"[pronoun] unknown; found {row['pronoun']!r}, expected one of {known}")
        if row["answer"] not in (row["occupation"], row["participant"]):
            expected = f"{row['occupation']!r} or {row['participant']!r}"
            raise PipelineError(
                path, line, f"[answer] no entity of the sentence; found {row['answer']!r}, expected {expected}"
            )
        key = (row["occupation"], row["participant"], case, pronouns.name, row["answer"])
        if key in keys:
            raise PipelineError(
                path, line, f"[answer] the same sentence as in line {keys[key]}; found {' '.join(key)!r}"
            )
        keys[key] = line
        found.append(
            Response(
                occupation=row["occupation"],
                participant=row["participant"],
                case=case,
                pronouns=pronouns.name,
                right="occupation" if row["answer"] == row["occupation"] else "participant",
                said=said(row["generation"], row["occupation"], row["participant"]),
            )
        )
    return found
