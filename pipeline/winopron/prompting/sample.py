"""A sample of pairs of templates, balanced over cases and occupations."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from random import Random

from ...core.errors import PipelineError
from ..instances import Instance

#: Occupation, participant and case: the two templates that consistency and bias compare, with all their pronouns.
Pair = tuple[str, str, str]


def pair_of(instance: Instance) -> Pair:
    """Return the pair of templates that a sentence was made from."""
    return instance.occupation, instance.participant, instance.case


def draw(sentences: Sequence[Instance], pairs: int, seed: int) -> list[Instance]:
    """Return the sentences of some pairs of templates, in their order.

    A pair comes whole, so that each pronoun set and each entity is as frequent as in all sentences, and consistency is defined. Pairs are
    drawn one by one from the case with the fewest so far, and there from the occupation with the fewest; a seeded order decides ties.
    Sentences with two entities and with one give the same pairs, and a larger sample contains a smaller one.

    Raises:
        PipelineError: more pairs than the sentences have, or fewer than none.
    """
    drawn = set(_drawn(sorted({pair_of(sentence) for sentence in sentences}), pairs, seed))
    return [sentence for sentence in sentences if pair_of(sentence) in drawn]


def _drawn(population: list[Pair], pairs: int, seed: int) -> list[Pair]:
    if not 0 <= pairs <= len(population):
        reason = (
            f"[sample] wrong number of pairs of templates; found {pairs}, expected 1 to {len(population)}, or 0 for all"
        )
        raise PipelineError(None, None, reason)
    if not pairs:
        return population
    Random(seed).shuffle(population)  # noqa: S311 - no secret depends on it
    by_case: dict[str, list[Pair]] = defaultdict(list)
    for pair in population:
        by_case[pair[2]].append(pair)
    order = sorted(by_case)
    cases: Counter[str] = Counter()
    occupations: Counter[str] = Counter()
    drawn = []
    for _ in range(pairs):
        case = min((case for case in order if by_case[case]), key=lambda case: cases[case])
        pair = min(by_case[case], key=lambda pair: occupations[pair[0]])
        by_case[case].remove(pair)
        cases[case] += 1
        occupations[pair[0]] += 1
        drawn.append(pair)
    return drawn
