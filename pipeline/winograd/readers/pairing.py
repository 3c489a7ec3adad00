"""Which items of a source without schema ids belong together."""

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import combinations, groupby, pairwise

from ...language.text_checks import has_words
from ..pairs import difference
from .draft import Draft, member

#: Largest part of a text in which two members of a schema differ. In WSC and XWINO it is 0.34; neighbours that are no members differ
#: in 0.42 of their texts or more.
_PART = 0.35
#: Number of members that a schema has, unless a third one is left over.
_PAIR = 2


def with_schemas(drafts: Sequence[Draft], prefix: str, digits: int) -> list[Draft]:
    """Return the drafts of one language with schema and version.

    Neighbours with the same candidates are a schema, two at a time; what this leaves alone joins a neighbour that it resembles:

    - two items with different candidates and similar texts are a pair, whose special word is in a candidate;
    - a third item with the same candidates makes a triple if its text is similar and its target the same word; otherwise it takes
      the second member of the pair if that is more similar to it than to the first.

    Neighbours that ask one text for different pronouns are no pair; each pronoun is a schema of its own.

    A schema that another one took up leaves its number unused, and one of two problems of a text has a letter behind its number, so that
    all others keep theirs.
    """
    several = {
        id(draft)
        for neighbours in pairwise(drafts)
        if _same_words(*neighbours) and neighbours[0].target != neighbours[1].target
        for draft in neighbours
    }
    runs = [list(run) for _, run in groupby(drafts, key=_candidates)]
    blocks = [run[start : start + _PAIR] for run in runs for start in range(0, len(run), _PAIR)]
    for before, after in pairwise(blocks):
        if len(after) > 1 or not before:
            continue
        if len(before) == 1 and _similar(before[0], after[0]):
            before.append(after.pop())
        elif len(before) == _PAIR and _candidates(before[1]) == _candidates(after[0]):
            if all(_similar(draft, after[0]) and _form(draft) == _form(after[0]) for draft in before):
                before.append(after.pop())
            elif _distance(before[1], after[0]) < _distance(before[0], before[1]):
                after.insert(0, before.pop())
    return [
        replace(draft, schema=f"{prefix}-{number:0{digits}}{member(part) if part else ''}", version=member(index))
        for number, block in enumerate(blocks, 1)
        for part, schema in enumerate(_problems(block, several))
        for index, draft in enumerate(schema)
    ]


def _problems(block: list[Draft], several: Set[int]) -> list[list[Draft]]:
    """Return the members of a schema, apart if two ask one text for different targets, or one of `several` is beside quite another text."""
    apart = any(
        first.target != second.target if _same_words(first, second) else not _similar(first, second)
        for first, second in combinations(block, 2)
        if id(first) in several or id(second) in several
    )
    if not apart:
        return [block]
    problems: list[list[Draft]] = []
    for draft in block:
        same = (group for group in problems if group[0].target == draft.target and _same_words(group[0], draft))
        problems.append([draft]) if (group := next(same, None)) is None else group.append(draft)
    return problems


def _same_words(first: Draft, second: Draft) -> bool:
    return not any(map(has_words, difference(first.text, second.text)))


def _candidates(draft: Draft) -> Counter[str]:
    return Counter(candidate.casefold() for candidate in draft.candidates)


def _form(draft: Draft) -> str:
    return draft.target.of(draft.text) if draft.target else ""


def _distance(first: Draft, second: Draft) -> float:
    """Return the part of two texts in which they differ."""
    longest = max(len(first.text), len(second.text))
    return max(map(len, difference(first.text, second.text))) / longest if longest else 0.0


def _similar(first: Draft, second: Draft) -> bool:
    """Return whether two texts differ in a short stretch."""
    return 0 < _distance(first, second) <= _PART
