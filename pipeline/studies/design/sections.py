"""Lists of sentences by genre: one genre for each rater with common sentences, or a sample of all in rotated orders."""

from collections.abc import Sequence
from random import Random

from ...core.errors import plural
from .fields import StudyRecord


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

    Raises:
        ValueError: there are not `count` genres, or a genre has too few records to share.
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
    """Return for each record the order of its candidates in one list.

    In as many records one after another as there are candidates, and for each record in as many lists, each candidate is at each
    place once (a Latin square). Each such block begins with another random order, so that neighbours change.

    Args:
        records: the number of records.
        candidates: the number of candidates of each.
        number: the number of the list.
        rng: the source of randomness, in the same state for all lists.
    """
    orders = []
    for start in range(0, records, candidates):
        first = rng.sample(range(candidates), candidates)
        for turn in range(min(candidates, records - start)):
            shift = (turn + number) % candidates
            orders.append(first[shift:] + first[:shift])
    return orders
