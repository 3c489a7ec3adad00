"""Lists: which records each rater gets."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random

from ..model.design import Lists
from .balanced_lists import balanced_lists
from .fields import StudyRecord
from .sections import sampled, section_lists

#: The schemes whose lists can have mirrored twins: every order of a list is as good as its reverse.
MIRRORED_SCHEMES = ("all", "balanced")
#: Number of random groups of raters of a schema of which the most balanced is taken.
_SHARINGS = 24


def group_by_schema(records: Sequence[StudyRecord]) -> dict[str, list[StudyRecord]]:
    """Return the members of each schema; schemas and members are ordered by id, whatever the order of `records`."""
    schemas: dict[str, list[StudyRecord]] = {}
    for record in sorted(records, key=lambda record: record.id):
        schemas.setdefault(record.item.schema, []).append(record)
    return dict(sorted(schemas.items()))


def random_subsets(
    records: Sequence[StudyRecord], count: int, size: int | None, rng: Random
) -> list[list[StudyRecord]]:
    """Return for each of `count` raters `size` random records, no two of a schema (WSC-ZA, section 3.2, stage 1).

    Each schema has raters, whom its members share as equally as their number allows, in ever different groups: of five raters two get one
    member and three the other. So every two raters share records, with three raters or more and one record of each schema for each rater;
    coefficients for two raters need that. Of the possible groups the one is taken that keeps raters most alike in what they share with
    each other, and in how many records of each member and with each answer they have. If all schemas have the same number of members,
    the numbers of raters of any two records differ by one at most; else the only member of a schema may have more raters.

    Args:
        records: all records.
        count: the number of raters.
        size: the number of records of each; None for one record of each schema.
        rng: the source of randomness.

    Raises:
        ValueError: there are fewer schemas than `size`.
    """
    schemas = group_by_schema(records)
    if size is not None and size > len(schemas):
        reason = f"[size] found {size}, expected at most {len(schemas)}: a rater gets one member of each schema"
        raise ValueError(reason)
    subsets: list[list[StudyRecord]] = [[] for _ in range(count)]
    numbers: Counter[tuple[object, ...]] = Counter()
    for name, raters in _raters_of_schemas(list(schemas), count, len(schemas) if size is None else size, rng):
        sharings = [_sharing(schemas[name], raters, rng) for _ in range(_SHARINGS)]
        chosen = min(sharings, key=lambda sharing: sum(numbers[group] for group in _groups(sharing)))
        numbers.update(_groups(chosen))
        for rater, record in chosen.items():
            subsets[rater].append(record)
    return subsets


def _raters_of_schemas(names: Sequence[str], count: int, size: int, rng: Random) -> list[tuple[str, list[int]]]:
    """Return the schemas in random order, each with the numbers of its raters, which differ by one at most."""
    raters: dict[str, list[int]] = {name: [] for name in rng.sample(names, len(names))}
    for rater in range(count):
        order = {name: (len(of_schema), rng.random()) for name, of_schema in raters.items()}
        for name in sorted(raters, key=order.__getitem__)[:size]:
            raters[name].append(rater)
    return list(raters.items())


def _sharing(members: Sequence[StudyRecord], raters: Sequence[int], rng: Random) -> dict[int, StudyRecord]:
    """Return a random member for each rater, each member for as many raters as the others or one more."""
    order = rng.sample(members, len(members))
    return {rater: order[place % len(order)] for place, rater in enumerate(rng.sample(raters, len(raters)))}


def _groups(sharing: Mapping[int, StudyRecord]) -> Iterator[tuple[object, ...]]:
    """Yield what raters should have equally often: shared records by pair, members, answers, and members by all raters."""
    for rater, record in sharing.items():
        yield "member", rater, record.item.version
        yield "answer", rater, record.item.answer
        yield "all", record.item.version
    for first, second in combinations(sorted(sharing), 2):
        if sharing[first] is sharing[second]:
            yield "shared", first, second


def make_lists(lists: Lists, records: Sequence[StudyRecord], rng: Random) -> dict[str, list[StudyRecord]]:
    """Return the records of each list by its name, for all schemes but ``raters``: a number, of ``sections`` the genre.

    Raises:
        ValueError: such lists are impossible, or an option does not belong to the scheme.
    """
    if lists.common and lists.scheme != "sections":
        raise ValueError(
            f"[common] found {lists.common} with the scheme {lists.scheme}, expected it with sections alone"
        )
    if lists.mirrored and lists.scheme not in MIRRORED_SCHEMES:
        raise ValueError(
            f"[mirrored] found it with the scheme {lists.scheme}, expected it with {' or '.join(MIRRORED_SCHEMES)} alone"
        )
    if lists.scheme == "all":
        if lists.count != 1 or lists.size is not None:
            raise ValueError(
                "[lists] found count or size, expected neither: the scheme `all` has one list of all records"
            )
        return {"1": [record for members in group_by_schema(records).values() for record in members]}
    if lists.scheme == "sections":
        return section_lists(records, lists.count, lists.common, rng)
    if lists.scheme == "rotated":
        chosen = sampled(records, lists.size, rng)
        return {str(number): chosen for number in range(1, lists.count + 1)}
    if lists.scheme == "subsets":
        made = random_subsets(records, lists.count, lists.size, rng)
    else:
        made = balanced_lists(list(group_by_schema(records).values()), lists.count, lists.size, rng)
    return {str(number): part for number, part in enumerate(made, 1)}
