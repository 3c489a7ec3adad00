"""The order of records in a list, of candidates on the screen, and of attention items among records: pseudo-random, with rules."""

from collections import Counter
from collections.abc import Hashable, Sequence
from random import Random

from ...core.errors import plural
from .fields import StudyRecord

#: Maximum restarts when the rules reach a dead end.
_MAX_ATTEMPTS = 200
#: The number of candidates of a record and its answer.
Kind = tuple[int, int]


def order_records(records: Sequence[StudyRecord], run: int, apart: int, rng: Random) -> list[StudyRecord]:
    """Return the records of one list in a random order that follows the rules.

    Records are drawn one by one from those that leave enough of each answer and schema to go on. Not every valid order is equally
    likely.

    Args:
        run: the maximum number of records in a row with the same answer; 0 for no maximum.
        apart: the minimum number of records between two members of a schema, or two questions about a record.

    Raises:
        ValueError: no order follows the rules, or none was found.
    """
    pool = sorted(records, key=lambda record: record.id)
    _require_possible(pool, run, apart)
    for attempt in range(_MAX_ATTEMPTS):
        # In the second half the largest schemas go first. That is best for the distance, but less random.
        order = _attempt(pool, run, apart, rng, largest_first=2 * attempt >= _MAX_ATTEMPTS)
        if order is not None:
            return order
    reason = f"found none for {plural(len(pool), 'record')} in {_MAX_ATTEMPTS} attempts"
    raise ValueError(f"[run] no order of the list; {reason}, expected one with run {run} and apart {apart}")


def candidate_orders(records: Sequence[StudyRecord], run: int, rng: Random) -> list[tuple[int, ...]]:
    """Return for each record, in the order of the list, the numbers of its candidates in random order.

    The right candidate stands at each place equally often, or once more, over the list and over the records with the same answer, so that
    neither a place nor a candidate is a good guess. It is at the same place in at most `run` records in a row (0 for no maximum); where
    both cannot be, such as with a run of 1 and answers that alternate, only this is kept. A record that asks about one entity shows no
    candidates; one without an answer has any order.
    """
    kinds = [_kind(record) for record in records]
    for attempt in range(_MAX_ATTEMPTS + 1):
        quota = _place_quota(kinds, rng) if attempt < _MAX_ATTEMPTS else None
        places = _places(kinds, quota, run, rng)
        if places is not None:
            break
    return [_with_right_at(record, place, rng) for record, place in zip(records, places or (), strict=True)]


def _kind(record: StudyRecord) -> Kind | None:
    """Return number of candidates and answer of a record that shows candidates and has an answer."""
    answer = record.item.answer
    return None if record.entity is not None or answer is None else (len(record.item.candidates), answer)


def _place_quota(kinds: Sequence[Kind | None], rng: Random) -> Counter[tuple[Kind, int]]:
    """Return how often the right candidate of each kind of record stands at each place."""
    quota: Counter[tuple[Kind, int]] = Counter()
    used: Counter[int] = Counter()
    for kind, number in sorted(Counter(kind for kind in kinds if kind).items()):
        share, rest = divmod(number, kind[0])
        order = sorted(rng.sample(range(kind[0]), kind[0]), key=lambda place: used[place])
        for rank, place in enumerate(order):
            quota[kind, place] = share + (rank < rest)
            used[place] += quota[kind, place]
    return quota


def _places(
    kinds: Sequence[Kind | None], quota: Counter[tuple[Kind, int]] | None, run: int, rng: Random
) -> list[int | None] | None:
    """Return the place of the right candidate of each record, None without one; or None if the draw reached a dead end."""
    left = None if quota is None else quota.copy()
    places: list[int | None] = []
    for kind in kinds:
        if kind is None:
            places.append(None)
            continue
        size = kind[0]
        weights = [1 if left is None else left[kind, place] for place in range(size)]
        if run and size > 1 and len(set(places[-run:])) == 1 and len(places) >= run and places[-1] is not None:
            weights = [0 if place == places[-1] else weight for place, weight in enumerate(weights)]
        if not any(weights):
            return None
        (place,) = rng.choices(range(size), weights)
        places.append(place)
        if left is not None:
            left[kind, place] -= 1
    return places


def _with_right_at(record: StudyRecord, place: int | None, rng: Random) -> tuple[int, ...]:
    if record.entity is not None:
        return ()
    numbers = list(range(len(record.item.candidates)))
    rng.shuffle(numbers)
    if place is not None and record.item.answer is not None:
        numbers.remove(record.item.answer)
        numbers.insert(place, record.item.answer)
    return tuple(numbers)


def _require_possible(pool: Sequence[StudyRecord], run: int, apart: int) -> None:
    answers = Counter(record.expected for record in pool)
    for answer, number in answers.items():
        most = run * (len(pool) - number + 1)
        if run and number > most:
            reason = f"found {number} of {len(pool)} records with the answer {answer}, expected at most {most}"
            raise ValueError(f"[run] no order of the list; {reason} for runs of {run}")
    members = Counter(record.item.schema for record in pool)
    largest = max(members.values(), default=0)
    # The largest schemas, each in its own place of every block of apart + 1 places, and once more behind the last block.
    needed = (largest - 1) * (apart + 1) + list(members.values()).count(largest)
    if needed > len(pool):
        reason = f"found {plural(len(pool), 'record')}, expected {needed} for schemas of {largest} with {apart} others between"
        raise ValueError(f"[apart] no order of the list; {reason}")


def _attempt(
    pool: Sequence[StudyRecord], run: int, apart: int, rng: Random, *, largest_first: bool
) -> list[StudyRecord] | None:
    """Return an order, or None where the draw reached a dead end."""
    left = list(pool)
    members: Counter[Hashable] = Counter(record.item.schema for record in pool)
    answers: Counter[Hashable] = Counter(record.expected for record in pool)
    last: dict[str, int] = {}
    order: list[StudyRecord] = []
    length = 0

    def run_with(record: StudyRecord) -> int:
        return length + 1 if order and order[-1].expected == record.expected else 1

    def allowed(record: StudyRecord) -> bool:
        place = last.get(record.item.schema)
        if place is not None and len(order) - place <= apart:
            return False
        return not run or (run_with(record) <= run and _goes_on(answers, record.expected, run_with(record), run))

    while left:
        rng.shuffle(left)
        if largest_first:
            left.sort(key=lambda record: -members[record.item.schema])
        # one of a schema must come now where its members need all the places left
        due = [record for record in left if (members[record.item.schema] - 1) * (apart + 1) + 1 >= len(left)]
        chosen = next((record for record in (*due, *left) if allowed(record)), None)
        if chosen is None:
            return None
        length = run_with(chosen)
        last[chosen.item.schema] = len(order)
        members[chosen.item.schema] -= 1
        answers[chosen.expected] -= 1
        left.remove(chosen)
        order.append(chosen)
    return order


def _goes_on(answers: Counter[Hashable], answer: Hashable, length: int, run: int) -> bool:
    """Return whether the answers left can still be ordered after one more `answer`, the last of a run of `length`."""
    rest = sum(answers.values()) - 1
    for other, number in answers.items():
        left = number - (other == answer)
        begun = run - length if other == answer else run
        if left > begun + run * (rest - left):
            return False
    return True


def with_attention(
    records: Sequence[StudyRecord],
    orders: Sequence[tuple[int, ...]],
    attention: Sequence[StudyRecord],
    rng: Random,
) -> tuple[list[StudyRecord], list[tuple[int, ...]]]:
    """Return the main records of a list and the orders of their candidates, with attention items among them.

    The list is cut into as many parts of equal length as there are attention items; each part gets one, at a random place.
    Each list has all of them, in random order; without any, `rng` is not used.
    """
    items = list(attention)
    rng.shuffle(items)
    mixed, mixed_orders = list(records), list(orders)
    for number in reversed(range(len(items))):
        start, end = (len(records) * part // len(items) for part in (number, number + 1))
        place = rng.randint(start, max(start, end - 1))
        options = list(range(len(items[number].item.candidates)))
        rng.shuffle(options)
        mixed.insert(place, items[number])
        mixed_orders.insert(place, tuple(options))
    return mixed, mixed_orders
