"""The prompts of runs: their lengths in tokens; as the page shows them, where what all prompts of a run share is stored once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os.path import commonprefix
from statistics import median

from ..predictions import Run, Runs

#: Maximum length of an item's own part of a prompt; longer ones lose their middle.
MAX_PART = 4_000
#: Maximum length of each side of a frame; longer ones lose their middle.
MAX_FRAME = 20_000
#: Maximum length of all own parts together; items beyond it are shown without prompts.
MAX_TOTAL = 2_000_000
#: How often the prompts of a run are divided into groups with frames of their own.
_DEPTH = 3


@dataclass(frozen=True, slots=True)
class Frame:
    """What all prompts of some runs have in common: the text before and after the part of the item; the runs."""

    before: str
    after: str
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt of an item: the number of its frame, from 0, the part of the item, and the runs whose systems read it."""

    frame: int
    part: str
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Prompts:
    """The prompts of an evaluation."""

    frames: Sequence[Frame]  # what prompts share
    of_item: Mapping[str, Sequence[Prompt]]  # the prompts of each item that the page shows
    count: int  # number of prompts that were read
    characters: int  # their characters
    stored: int  # characters that the page stores for them
    omitted: int  # number of items whose prompts are left out


def shared_prompts(runs: Runs, order: Sequence[str]) -> Prompts:
    """Return the prompts of runs, each cut into the frame of its run and the part of its item.

    The most interesting items come first in `order`; those at its end lose their prompts if there are too many.
    """
    keys: dict[tuple[str, str], list[Run]] = {}
    parts: dict[str, dict[tuple[int, str], list[Run]]] = {}
    count = characters = 0
    for run, responses in runs.items():
        texts = {item: given.prompt for item, given in responses.items() if given.prompt}
        if not texts:
            continue
        for before, after, members in _frames(sorted(set(texts.values()))):
            frame = _number(keys, (before, after), run)
            for item, text in texts.items():
                if text in members:
                    part = text[len(before) : len(text) - len(after)]
                    parts.setdefault(item, {}).setdefault((frame, part), []).append(run)
        count, characters = count + len(texts), characters + sum(map(len, texts.values()))
    frames = [
        Frame(cut(before, MAX_FRAME), cut(after, MAX_FRAME), tuple(names)) for (before, after), names in keys.items()
    ]
    shown: dict[str, Sequence[Prompt]] = {}
    stored = 0
    for item in (item for item in order if item in parts):
        own = [Prompt(frame, cut(part, MAX_PART), tuple(names)) for (frame, part), names in parts[item].items()]
        size = sum(len(prompt.part) for prompt in own)
        if stored + size > MAX_TOTAL:
            break
        shown[item], stored = own, stored + size
    stored += sum(len(frame.before) + len(frame.after) for frame in frames)
    return Prompts(frames, shown, count, characters, stored, len(parts) - len(shown))


def _number(keys: dict[tuple[str, str], list[Run]], key: tuple[str, str], run: Run) -> int:
    """Return the number of a frame, and note that a run has it."""
    keys.setdefault(key, []).append(run)
    return list(keys).index(key)


def _frames(texts: Sequence[str], depth: int = 0) -> list[tuple[str, str, set[str]]]:
    """Return beginning, end and members of groups of texts that share them.

    A group is divided by the first character in which its texts differ if that stores fewer characters, as where half of the prompts
    have one set of examples and half another.
    """
    before = commonprefix(texts)  # noqa: RUF071 - by characters, as is meant
    after = commonprefix([text[len(before) :][::-1] for text in texts])[::-1]  # noqa: RUF071
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(text[len(before) : len(before) + 1], []).append(text)
    whole = [(before, after, set(texts))]
    if len(groups) == 1 or depth == _DEPTH:
        return whole
    divided = [frame for members in groups.values() for frame in _frames(members, depth + 1)]
    return divided if _stored(divided) < _stored(whole) else whole


def _stored(frames: Sequence[tuple[str, str, set[str]]]) -> int:
    """Return the characters of frames and of the parts of their members."""
    return sum(
        len(before) + len(after) + sum(len(text) - len(before) - len(after) for text in members)
        for before, after, members in frames
    )


def cut(text: str, size: int) -> str:
    """Return a text without its middle if it is longer than `size`.

    >>> cut("abcdef", 4), cut("abc", 4)
    ('ab…ef', 'abc')
    """
    return text if len(text) <= size else f"{text[: size // 2]}…{text[-(size // 2) :]}"


@dataclass(frozen=True, slots=True)
class Lengths:
    """Number of texts whose length is known, and their least, median and greatest length in tokens by the system's own tokenizer."""

    n: int
    least: int
    median: float
    most: int


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """The lengths of prompts and answers of a system in one mode and form, over both orders; None where no length is known."""

    model: str
    mode: str
    form: str
    prompt: Lengths | None
    answer: Lengths | None


def token_counts(runs: Runs) -> list[TokenCounts]:
    """Return the lengths by model, mode and form, in the order of the runs; rows that know neither are left out."""
    groups: dict[tuple[str, str, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.model, run.mode, run.form), []).append(run)
    rows = []
    for (model, mode, form), members in groups.items():
        responses = [given for run in members for given in runs[run].values()]
        prompt = _lengths([given.prompt_tokens for given in responses])
        answer = _lengths([given.answer_tokens for given in responses])
        if prompt or answer:
            rows.append(TokenCounts(model, mode, form, prompt, answer))
    return rows


def _lengths(counts: Sequence[int | None]) -> Lengths | None:
    known = [count for count in counts if count is not None]
    if not known:
        return None
    return Lengths(len(known), min(known), median(known), max(known))
