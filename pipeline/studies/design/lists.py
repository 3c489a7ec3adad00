"""How records are laid out in lists."""

from collections.abc import Mapping, Sequence
from random import Random

from .balanced_lists import balanced
from .design import Lists
from .fields import StudyRecord


def by_schema(records: Sequence[StudyRecord]) -> dict[str, list[StudyRecord]]:
    """Return the members of each schema, schemas and members in the order of their ids, whatever the order of `records`."""
    schemas: dict[str, list[StudyRecord]] = {}
    for asked in sorted(records, key=lambda one: one.id):
        schemas.setdefault(asked.record.schema, []).append(asked)
    return dict(sorted(schemas.items()))


def subsets(records: Sequence[StudyRecord], count: int, size: int, rng: Random) -> list[list[StudyRecord]]:
    """Return for each of `count` raters `size` records drawn at random, no two of a schema (WSC-ZA, section 3.2, stage 1).

    Records that fewer raters have got are drawn first. So the numbers of raters that two records get differ by one at most,
    if all schemas have as many members; of others the rule that members are kept apart may let lone members get more.

    Raises:
        ValueError: there are fewer schemas than `size`.
    """
    schemas = by_schema(records)
    if size > len(schemas):
        reason = f"[size] found {size}, expected at most {len(schemas)}: a rater gets one member of each schema"
        raise ValueError(reason)
    seen = dict.fromkeys((asked.id for asked in records), 0)
    drawn = []
    for _ in range(count):
        urgency = {name: (_urgency(members, seen), rng.random()) for name, members in schemas.items()}
        subset = []
        for name in sorted(schemas, key=urgency.__getitem__)[:size]:
            least = min(seen[asked.id] for asked in schemas[name])
            subset.append(rng.choice([asked for asked in schemas[name] if seen[asked.id] == least]))
        for asked in subset:
            seen[asked.id] += 1
        drawn.append(subset)
    return drawn


def _urgency(members: Sequence[StudyRecord], seen: Mapping[str, int]) -> tuple[int, int]:
    """Return a key that is the lower, the longer a schema should have been drawn: by its least seen members and their number."""
    counts = [seen[asked.id] for asked in members]
    return min(counts), -counts.count(min(counts))


def lay_out(lists: Lists, records: Sequence[StudyRecord], rng: Random) -> dict[str, list[StudyRecord]]:
    """Return the records of each list by its name, a number; the scheme ``raters`` is laid out by what `disagreements` finds.

    Raises:
        ValueError: what is asked for cannot be, or has no meaning in this scheme.
    """
    if lists.scheme == "all":
        if lists.count != 1 or lists.size is not None:
            raise ValueError("[lists] found count or size, expected neither: the scheme `all` has one list with all")
        return {"1": [asked for members in by_schema(records).values() for asked in members]}
    if lists.scheme == "subsets":
        if lists.size is None:
            raise ValueError("[size] missing; expected how many records a rater gets")
        found = subsets(records, lists.count, lists.size, rng)
    else:
        found = balanced(list(by_schema(records).values()), lists.count, lists.size, rng)
    return {str(number): one for number, one in enumerate(found, 1)}
