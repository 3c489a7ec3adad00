"""The order of the records in a list, pseudo-random with rules."""

from collections import Counter
from collections.abc import Hashable, Sequence
from random import Random

from .fields import StudyRecord

#: So many times an order is begun anew where the rules left no record to go on with.
_TRIES = 200


def arranged(records: Sequence[StudyRecord], run: int, apart: int, rng: Random) -> list[StudyRecord]:
    """Return the records in a random order that follows the rules.

    Records are drawn one after another, of those that leave a way to go on as far as their counts tell. Not every order that
    follows the rules is equally likely.

    Args:
        records: those of one list; their order does not matter.
        run: no more than so many in a row have the same answer; 0 for any.
        apart: between two members of a schema, or two questions about a record, stand at least so many others.
        rng: what draws.

    Raises:
        ValueError: no order follows the rules, or none was found.
    """
    pool = sorted(records, key=lambda one: one.id)
    _possible(pool, run, apart)
    for attempt in range(_TRIES):
        # Where chance fails, the schemas with the most left to come go first, which is best for the distance alone.
        order = _attempt(pool, run, apart, rng, urgent=2 * attempt >= _TRIES)
        if order is not None:
            return order
    reason = f"found none in {_TRIES} tries for {len(pool)} records"
    raise ValueError(f"[run] no order of the list; {reason}, expected one with run {run} and apart {apart}")


def _possible(pool: Sequence[StudyRecord], run: int, apart: int) -> None:
    answers = Counter(asked.expected for asked in pool)
    for answer, number in answers.items():
        most = run * (len(pool) - number + 1)
        if run and number > most:
            reason = f"found {number} of {len(pool)} records with the answer {answer}, expected at most {most}"
            raise ValueError(f"[run] no order of the list; {reason} for runs of {run}")
    members = Counter(asked.record.schema for asked in pool)
    largest = max(members.values(), default=0)
    # The largest schemas, each in its own place of every block of apart + 1 places, and once more behind the last block.
    needed = (largest - 1) * (apart + 1) + list(members.values()).count(largest)
    if needed > len(pool):
        reason = f"found {len(pool)} records, expected {needed} for schemas of {largest} with {apart} others between"
        raise ValueError(f"[apart] no order of the list; {reason}")


def _attempt(
    pool: Sequence[StudyRecord], run: int, apart: int, rng: Random, *, urgent: bool
) -> list[StudyRecord] | None:
    left = list(pool)
    members: Counter[Hashable] = Counter(asked.record.schema for asked in pool)
    answers: Counter[Hashable] = Counter(asked.expected for asked in pool)
    last: dict[str, int] = {}
    order: list[StudyRecord] = []
    same = 0

    def allowed(asked: StudyRecord) -> bool:
        place = last.get(asked.record.schema)
        if place is not None and len(order) - place <= apart:
            return False
        if not run:
            return True
        length = same + 1 if order and order[-1].expected == asked.expected else 1
        return length <= run and _goes_on(answers, asked.expected, length, run)

    while left:
        rng.shuffle(left)
        if urgent:
            left.sort(key=lambda asked: -members[asked.record.schema])
        due = [asked for asked in left if _due(members[asked.record.schema], len(left), apart)]
        chosen = next((asked for asked in (*due, *left) if allowed(asked)), None)
        if chosen is None:
            return None
        same = same + 1 if order and order[-1].expected == chosen.expected else 1
        last[chosen.record.schema] = len(order)
        members[chosen.record.schema] -= 1
        answers[chosen.expected] -= 1
        left.remove(chosen)
        order.append(chosen)
    return order


def _due(members: int, places: int, apart: int) -> bool:
    """Tell whether so many members of a schema fill the places left, so that one of them must come now."""
    return (members - 1) * (apart + 1) + 1 >= places


def _goes_on(answers: Counter[Hashable], answer: Hashable, length: int, run: int) -> bool:
    """Tell whether the answers left can be ordered after one more `answer`, the last of a run of `length`."""
    rest = sum(answers.values()) - 1
    for other, number in answers.items():
        left = number - (other == answer)
        begun = run - length if other == answer else run
        if left > begun + run * (rest - left):
            return False
    return True


def shown_orders(records: Sequence[StudyRecord], run: int, rng: Random) -> list[tuple[int, ...]]:
    """Return for each record of a list, in its order, the numbers of its candidates as they are shown, at random.

    The right answer does not stand at the same place in more than `run` records in a row (0 for any); a rater who sees it there
    again and again would guess. A record that asks about one entity shows no candidates.
    """
    orders: list[tuple[int, ...]] = []
    places: list[int | None] = []
    for asked in records:
        if asked.entity is not None:
            orders.append(())
            continue
        numbers = list(range(len(asked.record.candidates)))
        rng.shuffle(numbers)
        answer = asked.record.answer
        place = None if answer is None else numbers.index(answer)
        if run and len(numbers) > 1 and place is not None and places[-run:] == [place] * run:
            numbers = numbers[1:] + numbers[:1]
            place = numbers.index(answer)  # type: ignore[arg-type]
        orders.append(tuple(numbers))
        places.append(place)
    return orders
