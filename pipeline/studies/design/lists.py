"""Lists: which records each rater gets.

Balanced lists share the members and the answers of schemas; subsets draw a member of each schema for each rater; sections have a genre each
with common sentences of the others, and rotated lists a sample of all genres. `make_lists` makes those that a design asks for.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random

from ...core.errors import plural
from ...statistics.swaps import Draft, Group, balance, share_limits
from ..model.design import Lists
from .fields import StudyRecord

#: The schemes whose lists can have mirrored twins: every order of a list is as good as its reverse.
MIRRORED_SCHEMES = ("all", "balanced")
#: Number of random groups of raters of a schema of which the most balanced is taken.
_SHARINGS = 24
#: Maximum number of fresh deals before the lists are refused. In the second half cells may be one off their share, and records that
#: are left over may be exchanged.
_MAX_DEALS = 24
#: Maximum number of swaps after one deal, besides two for each schema with two members in one list.
_MAX_SWAPS = 60

#: The member (a, b) and the answer of a record.
Cell = tuple[str, int | None]


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

    `size` is the number of records of each, at most that of schemas; None for one record of each schema.
    """
    schemas = group_by_schema(records)
    if size is not None and size > len(schemas):
        reason = f"[size] found {size}, expected at most {len(schemas)}: a rater gets one member of each schema"
        raise ValueError(reason)
    subsets: list[list[StudyRecord]] = [[] for _ in range(count)]
    numbers: Counter[tuple[object, ...]] = Counter()
    for name, raters in _raters_of_schemas(list(schemas), count, len(schemas) if size is None else size, rng):
        sharings = [_sharing(schemas[name], raters, rng) for _ in range(_SHARINGS)]
        chosen = min(sharings, key=lambda sharing: sum(numbers[group] for group in _sharing_groups(sharing)))
        numbers.update(_sharing_groups(chosen))
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


def _sharing_groups(sharing: Mapping[int, StudyRecord]) -> Iterator[tuple[object, ...]]:
    """Yield what raters should have equally often: shared records by pair, members, answers, and members by all raters."""
    for rater, record in sharing.items():
        yield "member", rater, record.item.version
        yield "answer", rater, record.item.answer
        yield "all", record.item.version
    for first, second in combinations(sorted(sharing), 2):
        if sharing[first] is sharing[second]:
            yield "shared", first, second


# --- balanced lists ---------------------------------------------------------------------------------------------------


def balanced_lists(
    schemas: Sequence[Sequence[StudyRecord]], count: int, size: int | None, rng: Random
) -> list[list[StudyRecord]]:
    """Return `count` lists; each record is in one list at most, and pair-mates are in different lists.

    Each list has its share of the records, of each member (a, b) and of each answer: its part of all records, rounded up or down.
    Where that leaves a choice, it has its share of each member with an answer too (a with the answer 0); else that share may be
    one off. WSC-ZA's lists (section 3.3): 240 records in 4 lists of 60.

    The same arguments give the same lists. Lists that are returned keep every promise; lists that are refused may still exist. Of
    3,982 random collections of up to 80 records for which an integer programme found lists, none was refused.

    `size` is the number of records in each; None to put all records in lists that differ by one at most. Left over are whole schemas where
    such lists are found.

    Raises:
        ValueError: the lists are impossible, or none were found.
    """
    total = sum(map(len, schemas))
    most = max(map(len, schemas), default=0)
    if size is None and count < most:
        raise ValueError(
            f"[count] too few lists; found {count}, expected at least {most}: one for each member of a schema"
        )
    if size is not None and count * size > total:
        raise ValueError(
            f"[size] too many records; found {count} lists of {size}, expected at most {total} records in all"
        )
    records = [record for members in schemas for record in members]
    above, below = (1, count) if size is None else (size, total)

    def draft(deal: int) -> Draft[StudyRecord]:
        strict = 2 * deal < _MAX_DEALS
        left_over = [] if size is None else _left_over(schemas, total - count * size, rng, by_kind=deal % 2 == 0)
        lists = _deal(records, left_over, count, rng)
        limits = share_limits(records, _groups, above, below, {"cell": int(not strict)})
        return Draft(lists, [] if strict else left_over, limits, _groups, lambda record: record.item.schema)

    if lists := balance(draft, _MAX_DEALS, _MAX_SWAPS, rng):
        return lists
    raise ValueError(_refusal(schemas, count, size))


def _cell(record: StudyRecord) -> Cell:
    return record.item.version, record.item.answer


def _groups(record: StudyRecord) -> tuple[Group, ...]:
    """Return the groups of which a list has its share: the records of a member, those with an answer, those of a cell."""
    version, answer = cell = _cell(record)
    return ("member", version), ("answer", answer), ("cell", cell)


def _left_over(
    schemas: Sequence[Sequence[StudyRecord]], number: int, rng: Random, *, by_kind: bool
) -> list[StudyRecord]:
    """Return `number` records to leave over, whole schemas as far as possible; `by_kind` of each kind its share."""
    total = sum(map(len, schemas))
    ordered = rng.sample(schemas, len(schemas))
    if by_kind:
        ordered.sort(key=lambda members: repr([_cell(record) for record in members]))
    chosen: list[StudyRecord] = []
    rest = []
    due = rng.random()
    for members in ordered:
        due += number / total
        if due >= 1 and len(chosen) + len(members) <= number:
            chosen += members
            due -= 1
        else:
            rest.append(members)
    for members in rng.sample(rest, len(rest)):
        chosen += members[: number - len(chosen)]
    return chosen


def _deal(
    records: Sequence[StudyRecord], left_over: Sequence[StudyRecord], count: int, rng: Random
) -> list[list[StudyRecord]]:
    """Deal the records to the lists in turn, cell after cell.

    Neighbouring cells share the member or the answer (a 0, a 1, b 1, b 0). So the records of a member or an answer come one after
    another, and each list gets its share of them.
    """
    answers = sorted({record.item.answer for record in records}, key=repr)
    members = sorted({record.item.version for record in records})

    def place(record: StudyRecord) -> tuple[int, int]:
        member, answer = members.index(record.item.version), answers.index(record.item.answer)
        return member, -answer if member % 2 else answer

    out = {record.id for record in left_over}
    used = [record for record in records if record.id not in out]
    rng.shuffle(used)
    used.sort(key=place)
    return [used[number::count] for number in rng.sample(range(count), count)]


def _refusal(schemas: Sequence[Sequence[StudyRecord]], count: int, size: int | None) -> str:
    cells = Counter(_cell(record) for members in schemas for record in members)
    present = ", ".join(
        f"{number} {member} with answer {answer}" for (member, answer), number in sorted(cells.items(), key=repr)
    )
    wanted = f"{count} lists of {size}" if size is not None else f"{count} lists with all"
    return (
        f"[lists] no balanced lists in {_MAX_DEALS} attempts; found {present} in {len(schemas)} schemas, expected {wanted}, each with "
        "its share of members and answers and no two members of a schema: try another count or a smaller size"
    )


# --- sentences by genre -----------------------------------------------------------------------------------------------


def by_genre(records: Sequence[StudyRecord]) -> dict[str, list[StudyRecord]]:
    """Return the records of each genre, genres by name, records in the order given; others are of the genre ``""``."""
    genres: dict[str, list[StudyRecord]] = {}
    for record in records:
        genres.setdefault(record.passage.genre if record.passage else "", []).append(record)
    return dict(sorted(genres.items()))


def section_lists(records: Sequence[StudyRecord], count: int, common: int, rng: Random) -> dict[str, list[StudyRecord]]:
    """Return a list for each genre: all its records, then `common` records of the other genres (EMNLP 2022, section 3.2).

    Records of a genre are drawn in one order for all lists, so that the other raters get the same ones: with five genres and fifty
    common records, of each genre twelve are in all lists, and a thirteenth is in some. Both parts are in the order given.
    """
    genres = by_genre(records)
    if len(genres) != count:
        raise ValueError(f"[count] found {count}, expected {len(genres)}: a list for each of {', '.join(genres)}")
    if common and count < 2:
        raise ValueError(f"[common] found {common}, expected 0: there is no other genre")
    drawn = {name: rng.sample(range(len(members)), len(members)) for name, members in genres.items()}
    lists = {}
    for number, (name, members) in enumerate(genres.items()):
        others = [*genres][number + 1 :] + [*genres][:number]
        shares = dict(zip(others, equal_shares(common, len(others)), strict=True)) if others else {}
        lists[name] = list(members)
        for other in (other for other in genres if other in shares):
            lists[name] += _first(genres[other], drawn[other], shares[other], other)
    return lists


def sampled(records: Sequence[StudyRecord], size: int | None, rng: Random) -> list[StudyRecord]:
    """Return `size` random records, equally many of each genre, in the order given; all records if it is None.

    Raises:
        ValueError: a genre has too few records.
    """
    if size is None:
        return list(records)
    genres = by_genre(records)
    chosen = []
    for share, (name, members) in zip(equal_shares(size, len(genres)), genres.items(), strict=True):
        chosen += _first(members, rng.sample(range(len(members)), len(members)), share, name)
    return chosen


def _first(members: Sequence[StudyRecord], drawn: Sequence[int], number: int, genre: str) -> list[StudyRecord]:
    """Return the first `number` records that were drawn, in the order of `members`."""
    if number > len(members):
        reason = f"found {plural(len(members), 'record')} of {genre or 'no genre'}, expected at least {number}"
        raise ValueError(f"[lists] too few records; {reason}")
    return [members[place] for place in sorted(drawn[:number])]


def equal_shares(total: int, parts: int) -> list[int]:
    """Return whole numbers that differ by one at most and add up to `total`, the larger ones first.

    >>> equal_shares(50, 4)
    [13, 13, 12, 12]
    """
    share, rest = divmod(total, parts)
    return [share + (part < rest) for part in range(parts)]


def rotated_orders(records: int, candidates: int, number: int, rng: Random) -> list[list[int]]:
    """Return for each record the order of its candidates in the list `number`.

    In as many records one after another as there are candidates, and for each record in as many lists, each candidate is at each
    place once (a Latin square), if `rng` is in the same state for all lists. Each such block begins with another random order, so that
    neighbours change.
    """
    orders = []
    for start in range(0, records, candidates):
        first = rng.sample(range(candidates), candidates)
        for turn in range(min(candidates, records - start)):
            shift = (turn + number) % candidates
            orders.append(first[shift:] + first[:shift])
    return orders
