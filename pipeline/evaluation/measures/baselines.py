"""Answers without understanding, to compare systems with."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError, shown
from ...core.files import parse_jsonl, read_text, require_unique
from ...core.model import Item
from ...core.records import field_of, text_field
from ...corpus.baseline import coin
from ...winograd.mentions import own_mentions
from ..answers import ParsedAnswer
from ..items import ReleasedItem
from ..predictions import Response

#: The mode of all baselines.
MODE = "baseline"


def read_associations(path: Path) -> dict[str, dict[str, Any]]:
    """Return the answers of ``winoforge pmi`` by item: ``counts`` of both terms, ``choice`` and ``decided``; empty without terms.

    Raises:
        PipelineError: a line is malformed, an id is used twice, or there is no line.
    """
    rows: dict[str, dict[str, Any]] = {}
    lines: dict[str, int | None] = {}
    for line, row in parse_jsonl(read_text(path), path):
        try:
            name, answer = text_field(row, "id"), _association(row)
        except ValueError as error:
            raise PipelineError(path, line, str(error)) from error
        require_unique(lines, name, path, line)
        rows[name] = answer
    if not rows:
        raise PipelineError(path, None, "[file] no answer; found an empty file, expected pmi.jsonl, which pmi writes")
    return rows


def _association(row: Mapping[str, Any]) -> dict[str, Any]:
    if "choice" not in row:
        if "answer" not in row:
            raise ValueError("[choice] no answer by association; expected pmi.jsonl, which winoforge pmi writes")
        return {}
    counts = field_of(row, "counts", list, "two counts")
    if len(counts) != 2 or not all(isinstance(count, int) and not isinstance(count, bool) for count in counts):
        raise ValueError(f"[counts] no counts; found {shown(counts)}, expected two whole numbers")
    choice = field_of(row, "choice", int, "0 or 1")
    if choice not in (0, 1):
        raise ValueError(f"[choice] no such candidate; found {choice}, expected 0 or 1")
    return {"counts": counts, "choice": choice, "decided": field_of(row, "decided", bool, "true or false")}


def baselines(
    items: Sequence[ReleasedItem], associations: Mapping[str, Mapping[str, Any]], seed: int
) -> dict[str, dict[str, Response]]:
    """Return the answers of each baseline to the items.

    ``random`` is a coin for each item. ``first`` and ``last`` choose by the first mention in the text. With answers by association,
    ``frequent`` chooses the candidate whose word is more frequent in the corpus, ``association`` the one with the greater PMI; the same
    coin answers where they do not decide. A model that sees only the target's clause, or only candidates and question, is a language
    model: give its answers as predictions with a mode of that name.

    Args:
        associations: see `read_associations`; empty without them.
    """
    rules: dict[str, Callable[[Item], int]] = {
        "random": lambda item: _coin(item, seed),
        "first": lambda item: _by_mention(item, last=False),
        "last": lambda item: _by_mention(item, last=True),
    }
    if associations:
        rules["frequent"] = lambda item: _frequent(associations.get(item.id, {}), item, seed)
        rules["association"] = lambda item: _associated(associations.get(item.id, {}), item, seed)
    return {
        name: {entry.item.id: _response(rule(entry.item), entry.item) for entry in items}
        for name, rule in rules.items()
    }


def _response(choice: int, item: Item) -> Response:
    return Response(item.candidates[choice], ParsedAnswer("name", choice), choice == item.answer)


def _coin(item: Item, seed: int) -> int:
    """Return a candidate at random, each with the same probability, by the item's id and the seed."""
    if len(item.candidates) == 2:
        return coin(item.id, seed)
    return int.from_bytes(sha256(f"{seed}\0{item.id}".encode()).digest()[:8]) % len(item.candidates)


def _by_mention(item: Item, *, last: bool) -> int:
    firsts = [min((span.start for span in spans), default=len(item.text)) for spans in own_mentions(item)]
    return firsts.index(max(firsts)) if last else firsts.index(min(firsts))


def _frequent(answer: Mapping[str, Any], item: Item, seed: int) -> int:
    first, second = answer.get("counts", (0, 0))
    return _coin(item, seed) if first == second else int(second > first)


def _associated(answer: Mapping[str, Any], item: Item, seed: int) -> int:
    return int(answer["choice"]) if answer.get("decided") else _coin(item, seed)
