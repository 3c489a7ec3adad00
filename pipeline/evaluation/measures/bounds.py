"""What systems are compared with: answers without understanding, and people's answers to the same items."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from typing import Literal

from ...core.convert import Count, convert_fields
from ...core.errors import PipelineError, errors_at, shown
from ...core.files import parse_jsonl, read_text, require_unique
from ...core.model import Item
from ...core.records import text_field
from ...core.tables import read_table
from ...corpus.baseline import coin
from ...language.answers.choice import ParsedAnswer
from ...statistics.human_accuracy import BY_ACCURACY, difficulty
from ...winograd.mentions import own_mentions
from ..items import ReleasedItem
from ..predictions import Response

#: The mode of all baselines.
MODE = "baseline"
#: Accuracy of people on WSC-ZA's 240 sentences (section 3.3, Table 4), printed. Other items have other bounds.
PRINTED = 0.926
COLUMNS = ("item", "accuracy")


@dataclass(frozen=True, slots=True)
class Association:
    """The answer of ``winoforge pmi`` to an item: how often both terms occur, the candidate chosen, whether their PMI decides it."""

    counts: tuple[Count, Count]
    choice: Literal[0, 1]
    decided: bool


#: The answers of ``winoforge pmi`` by item; None to an item without terms.
Associations = Mapping[str, Association | None]


def read_associations(path: Path, items: Iterable[ReleasedItem] = ()) -> dict[str, Association | None]:
    """Return the answers in pmi.jsonl by item, None to an item without terms; at least one, each with an id of its own.

    Their right answers are those of `items`.
    """
    key = {entry.item.id: entry.item.answer for entry in items}
    answers: dict[str, Association | None] = {}
    lines: dict[str, int | None] = {}
    for line, row in parse_jsonl(read_text(path), path):
        with errors_at(path, line):
            if not row.keys() & {"choice", "answer"}:
                raise ValueError("[choice] no answer by association; expected pmi.jsonl, which winoforge pmi writes")
            item_id = text_field(row, "id")
            right = key.get(item_id)
            if right is not None and row.get("answer", right) != right:
                reason = f"found {shown(row['answer'])}, expected {right} as in the release"
                raise ValueError(f"[answer] of another key; {reason}")
            answer = convert_fields(row, Association) if "choice" in row else None
            gap = _difference(row.get("difference"))
            if answer and answer.decided and gap and answer.choice != (gap < 0):
                reason = f"found {answer.choice}, expected {int(gap < 0)} for the difference {gap}"
                raise ValueError(f"[choice] not the greater association; {reason}")
        require_unique(lines, item_id, path, line)
        answers[item_id] = answer
    if not answers:
        raise PipelineError(path, None, "[file] no answer; found an empty file, expected pmi.jsonl, which pmi writes")
    return answers


def _difference(value: object) -> float:
    """Return the difference of two associations, infinite where two words never meet (``inf``); 0 for none."""
    if value in ("inf", "-inf") or (isinstance(value, int | float) and not isinstance(value, bool)):
        return float(value)
    if value is not None:
        raise ValueError(f"[difference] no number; found {shown(value)}, expected a number, inf, -inf or null")
    return 0.0


def baselines(items: Sequence[ReleasedItem], associations: Associations, seed: int) -> dict[str, dict[str, Response]]:
    """Return the answers of each baseline to the items.

    ``random`` is a coin for each item. ``first`` and ``last`` choose by the first mention in the text. With answers by association,
    ``frequent`` chooses the candidate whose word is more frequent in the corpus, ``association`` the one with the greater PMI; the same
    coin answers where they do not decide. A model that sees only the target's clause, or only candidates and question, is a language
    model: give its answers as predictions with a mode of that name.
    """
    rules: dict[str, Callable[[Item], int]] = {
        "random": lambda item: _coin(item, seed),
        "first": lambda item: _by_mention(item, last=False),
        "last": lambda item: _by_mention(item, last=True),
    }
    if associations:
        rules["frequent"] = lambda item: _frequent(associations.get(item.id), item, seed)
        rules["association"] = lambda item: _associated(associations.get(item.id), item, seed)
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


def _frequent(answer: Association | None, item: Item, seed: int) -> int:
    first, second = answer.counts if answer else (0, 0)
    return _coin(item, seed) if first == second else int(second > first)


def _associated(answer: Association | None, item: Item, seed: int) -> int:
    return answer.choice if answer and answer.decided else _coin(item, seed)


def read_people(path: Path) -> dict[str, float]:
    """Return people's share of right answers, from 0 to 1, by item, of a table with the columns item and accuracy; at least one.

    An empty cell is no answer. Raises `PipelineError` if a column is missing or an item stands twice.
    """
    shares: dict[str, float] = {}
    for line, row in read_table(path, COLUMNS, has_comments=False, unique="item"):
        if not row["accuracy"].strip():
            continue
        try:
            share = float(row["accuracy"].replace(",", "."))  # a share has no thousands: a comma is its decimal mark
        except ValueError:
            share = -1.0
        if not 0 <= share <= 1:
            reason = f"[accuracy] no share; found {shown(row['accuracy'])}, expected a number from 0 to 1"
            raise PipelineError(path, line, reason)
        shares[row["item"]] = share
    if not shares:
        raise PipelineError(path, None, "[accuracy] no item has one; expected people's share of right answers by item")
    return shares


def levels_of(shares: Mapping[str, float]) -> dict[str, str]:
    """Return the level of each item: easy from 0.85, moderate from 0.60, else hard (WSC-ZA, section 5.3)."""
    return {item: difficulty(share, BY_ACCURACY) for item, share in shares.items()}


def bound(shares: Mapping[str, float], items: Iterable[str]) -> float | None:
    """Return the mean accuracy of people over the items that they answered, None without one."""
    own = [shares[item] for item in items if item in shares]
    return fmean(own) if own else None
