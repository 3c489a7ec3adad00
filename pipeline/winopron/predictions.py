"""Read a system's predictions for WinoPron's sentences, a table of sentences or answers by item id, and which entity each answer names."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated, Literal, get_args

from msgspec import Meta

from ..core.convert import convert_fields
from ..core.errors import PipelineError, errors_at, plural, shown
from ..core.files import parse_jsonl, read_bytes
from ..core.hints import separator_fault
from ..core.tables import columns_of, parse_table, table_text
from ..language.answers.choice import parse_answer
from ..language.answers.final import final_text, plain, without_thought
from ..language.answers.mentions import named
from ..language.pronouns import PronounTable
from .instances import Instance, read_instances
from .measures import Choice, Entity, Response

_LABELS: Mapping[str, Choice] = {
    "occupation": "occupation", "participant": "participant", "both": "both", "neither": "neither", "": "neither",
    "0": "occupation", "1": "participant",
}  # fmt: skip
#: Stands for the end of a line in a table of answers.
LINE_END = "⏎"


def choice_of(generation: str, occupation: str, participant: str) -> Choice:
    """Return which entity a system's output names and does not deny, by its word in free text, by one of the four labels or by its index.

    `language.answers` reads the text as for every evaluation, but that no letter stands for an entity. Who neither names one nor denies
    the other names neither.

    >>> choice_of("The technician, I think.", "technician", "customer"), choice_of("both", "technician", "customer")
    ('occupation', 'both')
    >>> choice_of("1", "technician", "customer"), choice_of("the customer, not the technician", "technician", "customer")
    ('participant', 'participant')
    >>> choice_of("- customer⏎The technician called", "technician", "customer"), choice_of("- a cook⏎- a baker", "cook", "baker")
    ('participant', 'both')
    """
    label = _LABELS.get(final_text(generation).strip(" .!\"'\n").casefold())
    if label is not None:
        return label
    parsed = parse_answer(generation.replace(LINE_END, "\n"), (occupation, participant), lettered=False)
    if parsed.choice is None:
        return "both" if parsed.outcome == "both" else "neither"
    return "participant" if parsed.choice else "occupation"


def published_choice(generation: str, occupation: str, participant: str) -> Choice:
    """Return which entity an output names, as in the authors' program: by whole words between blanks, without quotes and full stops.

    A comma, a possessive or a line of a list hides a name, and so does a name of two words.

    >>> published_choice('The "Technician".', "technician", "customer"), published_choice("customer,", "technician", "customer")
    ('occupation', 'neither')
    """
    words = {word.lower().replace('"', "").replace(".", "") for word in without_thought(generation).split()}
    if {occupation, participant} <= words:
        return "both"
    return "occupation" if occupation in words else "participant" if participant in words else "neither"


def first_choice(generation: str, occupation: str, participant: str) -> Choice:
    """Return which entity an output names first, whatever follows: a model that was trained on texts alone repeats the options without end.

    >>> first_choice("- customer⏎- technician⏎- customer", "technician", "customer"), first_choice("both", "technician", "customer")
    ('participant', 'neither')
    """
    names = [
        mention.index
        for mention in named(plain(final_text(generation)), (occupation, participant))
        if not mention.denied
    ]
    if not names:
        return "neither"
    return "participant" if names[0] else "occupation"


#: What gives the choice of an output, from the output, the occupation and the participant.
Reading = Callable[[str, str, str], Choice]
#: The ways to read an answer, by name: ours, that of the authors' program, and the first name alone.
ReadingName = Literal["words", "published", "first"]
READINGS: Mapping[ReadingName, Reading] = {"words": choice_of, "published": published_choice, "first": first_choice}


#: Columns of a table of sentences.
COLUMNS = ("occupation", "participant", "pronoun", "pronoun_type", "answer", "generation")
#: Columns of a table with several answers to a sentence: the number of the prompt, and how it lists the options (appendix D).
PROMPT_COLUMNS = ("prompt", "options")
#: Columns, or JSON keys, of answers by item id, and what they hold.
BY_ID = {"id": "the id of an item", "answer": "text, 0 for the occupation or 1 for the participant"}
#: The mode of answers to one of the paper's prompts, as `evaluate import` names it: its number and that of its options.
_PROMPT = re.compile(r"prompt-\d+-options-(\d)")
_DECIMAL = re.compile(r"[01]\.0+")
#: A number in place of an index.
_INTEGER = re.compile(r"[+-]?[0-9]+")
#: Least number of pairs with a participant that is no occupation too, such as a customer.
_MANY = 4
#: Which entity the authors' prompts list first, by the column `options`; 2 is without options.
_FIRST_OPTIONS: Mapping[str, Entity] = {"0": "occupation", "1": "participant"}


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer by id."""

    id: Annotated[str, Meta(description=BY_ID["id"])]
    answer: Annotated[str | Literal[0, 1], Meta(description=BY_ID["answer"])]
    mode: str | None = None

    @property
    def prompt(self) -> str:
        """Its prompt where a sentence was asked with several, else empty."""
        return self.mode if self.mode and _PROMPT.fullmatch(self.mode) else ""


@dataclass(frozen=True, slots=True)
class Predictions:
    """A system's responses.

    Attributes:
        unanswered: how many of them have no answer in the file; they count as not attempted.
        gaps: what the file lacks: the ids of the unanswered, or the sentences of incomplete templates of a table, in their order.
    """

    responses: tuple[Response, ...]
    unanswered: int = 0
    gaps: tuple[str, ...] = ()


def read_predictions(
    path: Path, table: PronounTable, items: Path | None = None, reading: Reading = choice_of
) -> Predictions:
    """Return the predictions of a file: a table with `COLUMNS`, or a table or JSON Lines with `BY_ID`.

    Args:
        path: JSON Lines if its name ends in .jsonl or .jsonlines or its text begins with a brace or bracket, else a table.

    Raises:
        PipelineError: answers by id without `items`, or a file that `table_responses` or `id_responses` rejects.
    """
    text = table_text(read_bytes(path), path)
    if not text.strip():
        raise PipelineError(path, None, "[file] empty file; expected an answer to each sentence")
    header = columns_of(text)
    if path.suffix in (".jsonl", ".jsonlines") or text.lstrip().startswith(("{", "[")):
        answers = []
        for line, value in parse_jsonl(text, path, foreign=True):
            with errors_at(path, line):
                answers.append((line, convert_fields(value, _Answer)))
    elif BY_ID.keys() <= set(header):
        rows = parse_table(text, path, tuple(BY_ID), free=("answer",), has_comments=False)
        answers = [(line, _Answer(row["id"], row["answer"])) for line, row in rows]
    elif set(COLUMNS) & set(header):
        responses = tuple(table_responses(text, path, table, reading))
        _require_answers(responses, path)
        return Predictions(responses, gaps=tuple(_missing_pronouns(responses)))
    else:
        reason = f"[header] unknown columns; found {shown(', '.join(header))}, expected {', '.join(BY_ID)}, or {', '.join(COLUMNS)}"
        if path.suffix in (".yaml", ".yml"):
            reason = (
                f"[file] YAML, such as templates; found {shown(path.name)}, expected a table or JSON Lines of answers"
            )
            raise PipelineError(path, None, reason)
        raise PipelineError(path, 1, separator_fault(header) or reason)
    _require_answers(answers, path)
    if items is None:
        raise PipelineError(path, None, "[id] answers by id need their sentences; expected --items double.jsonl")
    return id_responses(answers, path, read_instances(items), reading)


def _require_answers(answers: Sequence[object], path: Path) -> None:
    """Refuse a table that is a header alone: every figure would be 0 or undefined."""
    if not answers:
        raise PipelineError(path, None, "[file] no answer; found a header alone, expected an answer to each sentence")


def _missing_pronouns(responses: Sequence[Response]) -> Iterator[str]:
    """Yield the sentences that a table lacks: of each template, and of both of a pair if nearly all have two, with each pronoun set."""
    sets = dict.fromkeys(response.pronouns for response in responses)
    templates = dict.fromkeys((*response.pair, response.antecedent, response.prompt) for response in responses)
    pairs = dict.fromkeys((*response.pair, response.prompt) for response in responses)
    whole = [(*pair[:-1], antecedent, pair[-1]) for pair in pairs for antecedent in get_args(Entity)]
    if len(whole) - len(templates) <= len(pairs) // 20:  # in other data a pair may have one template
        templates = dict.fromkeys(whole)
    present = {(*response.pair, response.antecedent, response.prompt, response.pronouns) for response in responses}
    for template, name in product(templates, sets):
        if (*template, name) not in present:
            occupation, participant, case, antecedent, prompt = template
            yield f"{occupation}/{participant} {case} {name} of the {antecedent}{prompt and f', prompt {prompt}'}"


def _require_word(answer: str, path: Path, line: int, field: str) -> None:
    """Refuse an index with a decimal point, as spreadsheets write it: it would count as no answer."""
    if _DECIMAL.fullmatch(answer.strip()):
        raise PipelineError(path, line, f"[{field}] wrong kind; found {shown(answer)}, expected {BY_ID['answer']}")


def _require_indices(answers: Sequence[tuple[int, str]], path: Path, field: str) -> None:
    """Refuse a number that is no index where most answers, each with its line, are indices: it would count as no answer."""
    numbers = [(line, answer.strip()) for line, answer in answers if _INTEGER.fullmatch(answer.strip())]
    odd = [(line, answer) for line, answer in numbers if answer not in ("0", "1")]
    if odd and 2 * len(numbers) > len(answers):
        reason = f"[{field}] out of range; found {shown(odd[0][1])}, expected {BY_ID['answer']}"
        raise PipelineError(path, odd[0][0], reason)


def read_systems(
    paths: Sequence[Path],
    table: PronounTable,
    items: Path | None = None,
    reading: Reading = choice_of,
    notes: list[str] | None = None,
) -> dict[str, tuple[Response, ...]]:
    """Return the responses of systems by name, which is the file's name without its suffix, and must differ.

    A line on sentences that a file lacks is added to `notes`.
    """
    names = [path.stem for path in paths]
    if len(set(names)) < len(names):
        reason = f"[predictions] duplicate system name; found {', '.join(names)}, expected each name once"
        raise PipelineError(None, None, reason)
    systems = {path: read_predictions(path, table, items, reading) for path in paths}
    for path, system in systems.items():
        if system.gaps and notes is not None:
            notes.append(f"{path}: {plural(len(system.gaps), 'sentence')} without an answer, such as {system.gaps[0]}")
    return {path.stem: system.responses for path, system in systems.items()}


def table_responses(text: str, path: Path, table: PronounTable, reading: Reading = choice_of) -> list[Response]:
    """Return the responses of a table with `COLUMNS`, in its order; other columns are ignored.

    With `PROMPT_COLUMNS`, or one of them, a sentence may have several answers, one for each prompt, as in the authors' own output for
    FLAN-T5. Where no sentence has several, these columns are ignored too: they may hold the text of the prompt.

    Raises:
        PipelineError: a missing column, an unknown pronoun, an answer that is neither entity, or a duplicate sentence.
    """
    responses = []
    lines: dict[tuple[str, ...], int] = {}
    rows = list(parse_table(text, path, COLUMNS, free=("generation",), has_comments=False))
    _require_roles(rows, path)
    _require_own_sentences(rows, path)
    _require_indices([(line, row["generation"]) for line, row in rows], path, "generation")
    sentences = {tuple(row[column] for column in COLUMNS[:-1]) for _, row in rows}
    columns = PROMPT_COLUMNS if len(sentences) < len(rows) else ()
    for line, row in rows:
        case = table.placeholders.get(row["pronoun_type"].removeprefix("$"))
        if case is None:
            known = ", ".join(f"${name}" for name in table.placeholders)
            reason = f"[pronoun_type] unknown placeholder; found {shown(row['pronoun_type'])}, expected one of {known}"
            raise PipelineError(path, line, reason)
        pronouns = next((entry for entry in table.sets if entry.forms[case] == row["pronoun"]), None)
        if pronouns is None:
            known = ", ".join(entry.forms[case] for entry in table.sets)
            reason = f"[pronoun] unknown {case} pronoun; found {shown(row['pronoun'])}, expected one of {known}"
            raise PipelineError(path, line, reason)
        if row["answer"] not in (row["occupation"], row["participant"]):
            expected = f"{shown(row['occupation'])} or {shown(row['participant'])}"
            reason = f"[answer] not an entity of the sentence; found {shown(row['answer'])}, expected {expected}"
            raise PipelineError(path, line, reason)
        _require_word(row["generation"], path, line, "generation")
        prompt = " ".join(row[column] for column in columns if column in row)
        key = (row["occupation"], row["participant"], case, pronouns.name, row["answer"], prompt)
        if key in lines:
            reason = f"[answer] duplicate sentence; found {shown(' '.join(key).strip())} in line {lines[key]} too"
            raise PipelineError(path, line, reason)
        lines[key] = line
        responses.append(
            Response(
                occupation=row["occupation"],
                participant=row["participant"],
                case=case,
                pronouns=pronouns.name,
                antecedent="occupation" if row["answer"] == row["occupation"] else "participant",
                choice=_chosen(row["generation"], row["occupation"], row["participant"], reading, free=bool(columns)),
                prompt=prompt,
                first_mention=_first_mention(row),
                first_option=_FIRST_OPTIONS.get(row.get("options", "")) if columns else None,
            )
        )
    return responses


def _require_roles(rows: Sequence[tuple[int, Mapping[str, str]]], path: Path) -> None:
    """Refuse a sentence whose occupation and participant are exchanged; where many are, both are occupations, as in WinoBias.

    They are if more sentences have them the other way, or if many other pairs, and only they, have the occupation as participant.
    """
    counts = Counter((row["occupation"], row["participant"]) for _, row in rows)
    occupations, participants = (Counter(pair[role] for pair in counts) for role in (0, 1))
    exchanged = {
        (first, second)
        for (first, second), count in counts.items()
        if count < counts.get((second, first), 0)
        or (
            participants[first] >= _MANY
            and occupations[first] == 1
            and participants[second] == 1
            and not occupations[second]
        )
    }
    line, row = next(
        ((line, row) for line, row in rows if (row["occupation"], row["participant"]) in exchanged), (0, {})
    )
    if row and len(exchanged) <= max(1, len(counts) // 20):
        reason = f"found {shown(row['occupation'])}, which is the participant in other sentences"
        raise PipelineError(path, line, f"[occupation] roles exchanged; {reason}, expected {shown(row['participant'])}")


def _require_own_sentences(rows: Sequence[tuple[int, Mapping[str, str]]], path: Path) -> None:
    """Refuse a row whose sentence lacks the pronoun or the answer, if nearly all rows have both in a column `sentence`."""
    strange = [
        (line, row)
        for line, row in rows
        if row.get("sentence") and None in (_place(row, "answer"), _place(row, "pronoun"))
    ]
    if strange and len(strange) <= max(1, len(rows) // 20):
        line, row = strange[0]
        words = ", ".join(row[column] for column in ("answer", "pronoun"))
        raise PipelineError(
            path, line, f"[sentence] of another row; found {shown(row['sentence'])}, expected {words} in it"
        )


def _place(row: Mapping[str, str], name: str) -> int | None:
    """Return where the word in a column of a row stands in its column `sentence`; None without the column, or the word."""
    word = re.search(rf"(?<!\w){re.escape(row[name])}(?!\w)", row.get("sentence", ""), re.IGNORECASE)
    return word.start() if word else None


def _first_mention(row: Mapping[str, str]) -> Entity | None:
    """Return which entity the column `sentence` of a row names first; None without the column or one of both names."""
    occupation, participant = _place(row, "occupation"), _place(row, "participant")
    if occupation is None or participant is None:
        return None
    return "occupation" if occupation < participant else "participant"


def _chosen(text: str, occupation: str, participant: str, reading: Reading, *, free: bool) -> Choice:
    """Return the choice of an answer; a bare index in free text, which knows no index, is none."""
    if free and text.strip(" .") in ("0", "1"):
        return "neither"
    return reading(text, occupation, participant)


def id_responses(
    answers: Sequence[tuple[int, _Answer]],
    path: Path,
    sentences: Sequence[Instance],
    reading: Reading = choice_of,
) -> Predictions:
    """Return a response for each sentence and prompt, in the order of the sentences; one without an answer is not attempted.

    With the paper's prompts, which are asked about a sample, sentences are those of the pairs of templates that have an answer.

    Raises:
        PipelineError: an unknown id, an id with two answers to a prompt, or an index with a decimal point.
    """
    known = {sentence.item.id: sentence.pair for sentence in sentences}
    by_id: dict[tuple[str, str], str] = {}
    lines: dict[tuple[str, str], int] = {}
    for line, given in answers:
        key, answer = (given.id, given.prompt), str(given.answer)
        if given.id not in known:
            reason = f"[id] unknown id; found {shown(given.id)}, expected one of the {len(known)} items"
            raise PipelineError(path, line, reason)
        if lines.setdefault(key, line) != line:
            reason = f"[id] answered twice; found {shown(given.id)} in line {lines[key]} too"
            raise PipelineError(path, line, reason)
        _require_word(answer, path, line, "answer")
        by_id[key] = answer
    _require_indices([(line, str(given.answer)) for line, given in answers], path, "answer")
    prompts = list(dict.fromkeys(prompt for _, prompt in by_id))
    pairs = {known[item_id] for item_id, _ in by_id} if any(prompts) else set(known.values())
    asked = [(sentence, prompt) for sentence in sentences if sentence.pair in pairs for prompt in prompts]
    responses = []
    for sentence, prompt in asked:
        options = _PROMPT.fullmatch(prompt)
        responses.append(
            Response(
                occupation=sentence.occupation,
                participant=sentence.participant,
                case=sentence.case,
                pronouns=sentence.pronouns,
                antecedent="participant" if sentence.item.answer else "occupation",
                choice=_chosen(
                    by_id.get((sentence.item.id, prompt), ""),
                    sentence.occupation,
                    sentence.participant,
                    reading,
                    free=bool(options),
                ),
                prompt=prompt,
                first_option=_FIRST_OPTIONS.get(options[1]) if options else None,
            )
        )
    gaps = [
        f"{sentence.item.id}{prompt and f', {prompt}'}"
        for sentence, prompt in asked
        if (sentence.item.id, prompt) not in by_id
    ]
    return Predictions(tuple(responses), len(gaps), tuple(gaps))
