"""Read a system's predictions for WinoPron's sentences: a table of sentences, or answers by item id."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import PipelineError
from ..core.files import parse_jsonl, parse_tsv, read_text
from ..language.pronouns import PronounTable
from .instances import Instance, read_instances
from .performance import Choice, Response

#: Columns of a table of sentences.
COLUMNS = ("occupation", "participant", "pronoun", "pronoun_type", "answer", "generation")
#: Columns, or JSON keys, of answers by item id.
BY_ID = ("id", "answer")
_LABELS: Mapping[str, Choice] = {
    "occupation": "occupation", "participant": "participant", "both": "both", "neither": "neither", "": "neither",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Predictions:
    """A system's responses; `unanswered` of them have no answer in the file and count as not attempted."""

    responses: tuple[Response, ...]
    unanswered: int = 0


def read_predictions(path: Path, table: PronounTable, items: Path | None = None) -> Predictions:
    """Return the predictions of a file: a table with `COLUMNS`, or a table or JSON Lines with `BY_ID`.

    Args:
        path: JSON Lines if its name ends in .jsonl or .jsonlines, else a table.
        table: the pronoun sets.
        items: the sentences that answers by id refer to (JSON Lines of items).

    Raises:
        PipelineError: answers by id without `items`, or a file that `table_responses` or `id_responses` rejects.
    """
    text = read_text(path)
    if path.suffix in (".jsonl", ".jsonlines"):
        answers = list(_json_answers(text, path))
    elif set(BY_ID) <= set(text.split("\n", 1)[0].rstrip("\r").split("\t")):
        answers = [(line, row["id"], row["answer"]) for line, row in parse_tsv(text, path, BY_ID)]
    else:
        return Predictions(tuple(table_responses(text, path, table)))
    if items is None:
        raise PipelineError(path, None, "[id] answers by id need their sentences; expected --items double.jsonl")
    return id_responses(answers, path, read_instances(items))


def read_systems(
    paths: Sequence[Path], table: PronounTable, items: Path | None = None
) -> dict[str, tuple[Response, ...]]:
    """Return the responses of systems by name, which is the file's name without its suffix.

    Raises:
        PipelineError: two files with the same name, or a file that `read_predictions` rejects.
    """
    names = [path.stem for path in paths]
    if len(set(names)) < len(names):
        reason = f"[predictions] duplicate system name; found {', '.join(names)}, expected each name once"
        raise PipelineError(None, None, reason)
    return {path.stem: read_predictions(path, table, items).responses for path in paths}


def table_responses(text: str, path: Path, table: PronounTable) -> list[Response]:
    """Return the responses of a table with `COLUMNS`, in its order; other columns are ignored.

    Raises:
        PipelineError: a missing column, an unknown pronoun, an answer that is neither entity, or a duplicate sentence.
    """
    responses = []
    lines: dict[tuple[str, ...], int] = {}
    for line, row in parse_tsv(text, path, COLUMNS):
        case = table.placeholders.get(row["pronoun_type"].removeprefix("$"))
        if case is None:
            known = ", ".join(f"${name}" for name in table.placeholders)
            reason = f"[pronoun_type] unknown placeholder; found {row['pronoun_type']!r}, expected one of {known}"
            raise PipelineError(path, line, reason)
        pronouns = next((entry for entry in table.sets if entry.forms[case] == row["pronoun"]), None)
        if pronouns is None:
            known = ", ".join(entry.forms[case] for entry in table.sets)
            reason = f"[pronoun] unknown {case} pronoun; found {row['pronoun']!r}, expected one of {known}"
            raise PipelineError(path, line, reason)
        if row["answer"] not in (row["occupation"], row["participant"]):
            expected = f"{row['occupation']!r} or {row['participant']!r}"
            reason = f"[answer] not an entity of the sentence; found {row['answer']!r}, expected {expected}"
            raise PipelineError(path, line, reason)
        key = (row["occupation"], row["participant"], case, pronouns.name, row["answer"])
        if key in lines:
            reason = f"[answer] duplicate sentence; found {' '.join(key)!r} in line {lines[key]} too"
            raise PipelineError(path, line, reason)
        lines[key] = line
        responses.append(
            Response(
                occupation=row["occupation"],
                participant=row["participant"],
                case=case,
                pronouns=pronouns.name,
                antecedent="occupation" if row["answer"] == row["occupation"] else "participant",
                choice=choice_of(row["generation"], row["occupation"], row["participant"]),
            )
        )
    return responses


def id_responses(answers: Sequence[tuple[int, str, str]], path: Path, sentences: Sequence[Instance]) -> Predictions:
    """Return a response for each sentence, in their order; a sentence without an answer is not attempted.

    Args:
        answers: line, item id and answer.
        path: file of the answers, for errors.
        sentences: all sentences of the task.

    Raises:
        PipelineError: an unknown id, or an id with two answers.
    """
    known = {sentence.item.id for sentence in sentences}
    lines: dict[str, int] = {}
    by_id: dict[str, str] = {}
    for line, name, answer in answers:
        if name not in known:
            raise PipelineError(path, line, f"[id] unknown id; found {name!r}, expected one of the {len(known)} items")
        if name in by_id:
            raise PipelineError(path, line, f"[id] answered twice; found {name!r} in line {lines[name]} too")
        lines[name], by_id[name] = line, answer
    responses = tuple(
        Response(
            occupation=sentence.occupation,
            participant=sentence.participant,
            case=sentence.case,
            pronouns=sentence.pronouns,
            antecedent="participant" if sentence.item.answer else "occupation",
            choice=choice_of(by_id.get(sentence.item.id, ""), sentence.occupation, sentence.participant),
        )
        for sentence in sentences
    )
    return Predictions(responses, len(known) - len(by_id))


def choice_of(generation: str, occupation: str, participant: str) -> Choice:
    """Return which entity a system's output names, by its word in free text or by one of the four labels.

    >>> choice_of("The technician, I think.", "technician", "customer"), choice_of("both", "technician", "customer")
    ('occupation', 'both')
    """
    text = generation.strip().casefold()
    named = [bool(re.search(rf"(?<!\w){re.escape(word.casefold())}(?!\w)", text)) for word in (occupation, participant)]
    if all(named):
        return "both"
    if any(named):
        return "occupation" if named[0] else "participant"
    return _LABELS.get(text.strip(" .!\"'"), "neither")


def _json_answers(text: str, path: Path) -> Iterator[tuple[int, str, str]]:
    for line, value in parse_jsonl(text, path):
        for field in BY_ID:
            if not isinstance(value.get(field), str):
                raise PipelineError(path, line, f"[{field}] missing field; found {value.get(field)!r}, expected text")
        yield line, value["id"], value["answer"]
