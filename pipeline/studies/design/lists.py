"""Lists: which records each rater gets."""

from collections.abc import Mapping, Sequence
from random import Random

from .balanced_lists import balanced_lists
from .design import Lists
from .fields import StudyRecord
from .sections import sampled, section_lists


def group_by_schema(records: Sequence[StudyRecord]) -> dict[str, list[StudyRecord]]:
    """Return the members of each schema; schemas and members are ordered by id, whatever the order of `records`."""
    schemas: dict[str, list[StudyRecord]] = {}
    for record in sorted(records, key=lambda record: record.id):
        schemas.setdefault(record.item.schema, []).append(record)
    return dict(sorted(schemas.items()))


def random_subsets(records: Sequence[StudyRecord], count: int, size: int, rng: Random) -> list[list[StudyRecord]]:
    """Return for each of `count` raters `size` random records, no two of a schema (WSC-ZA, section 3.2, stage 1).

    Records that fewer raters have are drawn first. If all schemas have the same number of members, the numbers of raters of any
    two records differ by one at most; else the only member of a schema may have more raters.

    Raises:
        ValueError: there are fewer schemas than `size`.
    """
    schemas = group_by_schema(records)
    if size > len(schemas):
        reason = f"[size] found {size}, expected at most {len(schemas)}: a rater gets one member of each schema"
        raise ValueError(reason)
    raters = dict.fromkeys((record.id for record in records), 0)
    subsets = []
    for _ in range(count):
        priority = {name: (_priority(members, raters), rng.random()) for name, members in schemas.items()}
        subset = []
        for name in sorted(schemas, key=priority.__getitem__)[:size]:
            fewest = min(raters[record.id] for record in schemas[name])
            subset.append(rng.choice([record for record in schemas[name] if raters[record.id] == fewest]))
        for record in subset:
            raters[record.id] += 1
        subsets.append(subset)
    return subsets


def _priority(members: Sequence[StudyRecord], raters: Mapping[str, int]) -> tuple[int, int]:
    """Return a key that sorts first the schema whose least seen members have the fewest raters and are the most."""
    counts = [raters[record.id] for record in members]
    return min(counts), -counts.count(min(counts))


def make_lists(lists: Lists, records: Sequence[StudyRecord], rng: Random) -> dict[str, list[StudyRecord]]:
    """Return the records of each list by its name, for all schemes but ``raters``: a number, of ``sections`` the genre.

    Raises:
        ValueError: such lists are impossible, or an option does not belong to the scheme.
    """
    if lists.common and lists.scheme != "sections":
        raise ValueError(
            f"[common] found {lists.common} with the scheme {lists.scheme}, expected it with sections alone"
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
        made = random_subsets(records, lists.count, lists.size or len(group_by_schema(records)), rng)
    else:
        made = balanced_lists(list(group_by_schema(records).values()), lists.count, lists.size, rng)
    return {str(number): part for number, part in enumerate(made, 1)}
