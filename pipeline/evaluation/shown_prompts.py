"""Prompts that systems saw: each is of its own item, and those of a run are alike apart from their items."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..core.errors import plural, shown
from .items import ReleasedItem

#: Fewest prompts of a run, or with one frame, that tell how the others look; share of them that have such a frame.
_MANY, _SEVERAL, _NEARLY_ALL = 20, 8, 0.9
#: Number of characters of a prompt that a message shows.
_EXCERPT = 40
#: An option on a line of its own, behind its letter.
_OPTION_LINE = re.compile(r"(?m)(?<=[A-J][.):] ).+$")


class ShownPrompt(NamedTuple):
    """A prompt, empty if unknown, and the options in the order in which it has them."""

    text: str
    options: Sequence[str]


def _plain(text: str) -> str:
    return "".join(text.split())


#: The texts of a release without blanks, each with the id of its item, by their first characters and the number of these.
_TextsByStart = Mapping[int, Mapping[str, Mapping[str, str]]]
#: Number of characters at the start of a text by which it is looked up.
_START = 16


def by_start(items: Iterable[ReleasedItem]) -> _TextsByStart:
    """Return the overt and zero texts of a release, ready for `require_own_prompt`."""
    texts: dict[int, dict[str, dict[str, str]]] = {}
    for entry in items:
        for text in map(_plain, (entry.item.text, entry.text_zero)):
            if start := text[:_START]:
                texts.setdefault(len(start), {}).setdefault(start, {})[text] = entry.item.id
    return texts


def _shown_item(prompt: str, texts: _TextsByStart) -> tuple[str, str] | None:
    """Return the first text of a release in a prompt with the id of its item, None without one; the size of the release costs nothing."""
    for place in range(len(prompt)):
        for length, by_start in texts.items():
            for text, item_id in by_start.get(prompt[place : place + length], {}).items():
                if prompt.startswith(text, place):
                    return text, item_id
    return None


def require_own_prompt(prompt: str, form: str, entry: ReleasedItem, released: _TextsByStart) -> None:
    """Raise `ValueError` for a prompt that shows another item of the release, or the item in the other form, and not as it should.

    An empty one passes.
    """
    prompt = _plain(prompt)
    item, target = entry.item, entry.item.target
    before, after = item.text[: target.start], item.text[target.end :]
    filled = [_plain(f"{before}{words}{after}") for words in ("", *item.candidates)]
    texts = {"zero": _plain(entry.text_zero), "overt": _plain(item.text)}
    if not prompt or any(text in prompt for text in (*filled, texts[form]) if text):
        return
    if (other := texts["overt" if form == "zero" else "zero"]) and other in prompt:
        raise ValueError(f"[prompt] of the other form; found {shown(other)}, expected {shown(texts[form])}")
    if shown_item := _shown_item(prompt, released):
        other, item_id = shown_item
        raise ValueError(f"[prompt] of another item; found {shown(other)} of {item_id}, expected {shown(texts[form])}")


def odd_prompt(prompts: Mapping[str, ShownPrompt], items: Mapping[str, ReleasedItem]) -> tuple[str, str] | None:
    """Return the item whose prompt is unlike nearly all others, or tells its answer, and the reason; None without one.

    Prompts with as many options are compared, apart from what they show of their items. They tell the answer if they begin or end in
    several ways, each for items with the right answer at one place.
    """
    by_count: dict[int, dict[str, ShownPrompt]] = {}
    for item_id, prompt in prompts.items():
        by_count.setdefault(len(prompt.options), {})[item_id] = prompt
    for alike in by_count.values():
        with_text = sum(bool(prompt.text) for prompt in alike.values())
        if with_text < max(_MANY, _NEARLY_ALL * len(alike)):
            continue
        if missing := [item_id for item_id, prompt in alike.items() if not prompt.text]:
            return missing[0], f"missing; found none, expected one as in {plural(with_text, 'other line')}"
        frames = {item_id: _frame(prompt, items[item_id]) for item_id, prompt in alike.items()}
        for side in range(2):
            places = {item_id: _right_place(prompt, items[item_id]) for item_id, prompt in alike.items()}
            if odd := _odd_frame({item_id: frame[side] for item_id, frame in frames.items()}, places):
                return odd
    return None


def _frame(prompt: ShownPrompt, entry: ReleasedItem) -> tuple[list[str], list[str]]:
    """Return what a prompt has before its sentence and behind it, each with a sign for its question and for each option.

    Behind it, options are found anywhere, or on lines of their own: one of both readings must be like the others.
    """
    texts = [text for text in (entry.item.text, entry.text_zero) if text]
    place, text = max((prompt.text.rfind(text), text) for text in texts)
    before, behind = (prompt.text[:place], prompt.text[place + len(text) :]) if place >= 0 else ("", prompt.text)
    if question := entry.item.question:
        before, behind = before.replace(question, "\0"), behind.replace(question, "\0")
    signs = {name: chr(number) for number, name in enumerate(prompt.options, 1)}
    alone = _OPTION_LINE.sub(lambda line: signs.get(line[0], line[0]), behind)
    for name in sorted(signs, key=len, reverse=True):
        behind = behind.replace(name, signs[name])
    return [before], [behind, alone]


def _right_place(prompt: ShownPrompt, entry: ReleasedItem) -> int | None:
    right = entry.item.candidates[entry.item.answer]
    return prompt.options.index(right) if right in prompt.options else None


def _odd_frame(frames: Mapping[str, list[str]], right: Mapping[str, int | None]) -> tuple[str, str] | None:
    counts = Counter(readings[0] for readings in frames.values())
    common = {frame for frame, count in counts.items() if count >= max(_SEVERAL, len(frames) / _MANY)}
    if sum(counts[frame] for frame in common) < _NEARLY_ALL * len(frames):
        return None
    places: dict[str, set[int | None]] = {}
    for item_id, readings in frames.items():
        if not common.intersection(readings):
            same, usual = max((_same_start(frame, readings[0]), frame) for frame in common)
            found, expected = (shown(frame[same:][:_EXCERPT]) for frame in (readings[0], usual))
            return item_id, f"unlike the others of its run; found {found}, expected {expected}"
        places.setdefault(readings[0], set()).add(right[item_id])
    if all(len(places[frame]) == 1 for frame in common) and len(set().union(*(places[frame] for frame in common))) > 1:
        reason = f"found {plural(len(common), 'kind')} of prompts, each with one right answer"
        return next(iter(frames)), f"tells the right answer; {reason}, expected one kind"
    return None


def _same_start(one: str, other: str) -> int:
    """Return the number of characters with which both texts begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, pair in pairs if pair[0] != pair[1]), min(len(one), len(other)))
