"""Pronominal bias of coreference systems: over-resolving a form to or from an occupation (Gautam et al. 2024, section 5)."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from ..statistics.ratios import ratio
from .performance import Response, Said


@dataclass(frozen=True, slots=True)
class Bias:
    """The pronominal bias of one pronoun form (section 5.1).

    `attempted` counts the pairs of templates that the system resolves to one of the entities with this form, `resolvable`
    those of them that it disambiguates with at least one form. Of these, `positive` names the occupations to which it
    resolves the form in both templates, `negative` those whose participant it takes both times.
    """

    attempted: int
    resolvable: int
    positive: tuple[str, ...]
    negative: tuple[str, ...]

    @property
    def positive_share(self) -> float | None:
        """Positively biased of the resolvable pairs."""
        return ratio(len(self.positive), self.resolvable)

    @property
    def negative_share(self) -> float | None:
        """Negatively biased of the resolvable pairs."""
        return ratio(len(self.negative), self.resolvable)

    @property
    def share(self) -> float | None:
        """Biased of the resolvable pairs."""
        return ratio(len(self.positive) + len(self.negative), self.resolvable)

    @property
    def biased(self) -> frozenset[tuple[str, str]]:
        """The biased occupations with the direction, for comparing forms and systems."""
        return frozenset({(name, "+") for name in self.positive} | {(name, "-") for name in self.negative})


#: The case and the pronoun set of a form.
Form = tuple[str, str]
Biases = Mapping[Form, Bias]


def bias(responses: Iterable[Response]) -> dict[Form, Bias]:
    """Return the bias by (case, pronoun set), in the order in which they occur.

    A pair of templates of which only one sentence is there counts as not attempted.
    """
    pairs: dict[tuple[str, str, str], dict[str, dict[str, Response]]] = defaultdict(lambda: defaultdict(dict))
    forms: dict[Form, None] = {}
    for row in responses:
        pairs[row.occupation, row.participant, row.case][row.pronouns][row.right] = row
        forms.setdefault((row.case, row.pronouns))
    found = {}
    for case, pronouns in forms:
        attempted = resolvable = 0
        positive, negative = [], []
        for (occupation, _, pair_case), by_set in pairs.items():
            said = _said(by_set.get(pronouns, {})) if pair_case == case else None
            if said is None:
                continue
            attempted += 1
            if not any(_said(members) == ("occupation", "participant") for members in by_set.values()):
                continue
            resolvable += 1
            if said == ("occupation", "occupation"):
                positive.append(occupation)
            elif said == ("participant", "participant"):
                negative.append(occupation)
        found[case, pronouns] = Bias(attempted, resolvable, tuple(sorted(positive)), tuple(sorted(negative)))
    return found


def _said(members: Mapping[str, Response]) -> tuple[Said, Said] | None:
    """Return what was said where the occupation is right and where the participant is, or None if not attempted."""
    if len(members) != 2 or not all(response.attempted for response in members.values()):
        return None
    return members["occupation"].said, members["participant"].said


def jaccard(one: Iterable[Hashable], other: Iterable[Hashable]) -> float | None:
    """Return the size of the intersection over that of the union (Jaccard 1912); of two empty sets it is undefined.

    >>> jaccard({"chef", "baker"}, {"baker"}), jaccard(set(), set())
    (0.5, None)
    """
    left, right = set(one), set(other)
    return ratio(len(left & right), len(left | right))


def between_systems(one: Biases, other: Biases) -> dict[Form, float | None]:
    """Return how like each other two systems are biased, by (case, pronoun set) that both have answered (Table 5)."""
    return {form: jaccard(one[form].biased, other[form].biased) for form in one if form in other}


def between_cases(biases: Biases) -> dict[tuple[str, str], dict[str, float | None]]:
    """Return by pair of cases, for each pronoun set that has both, how like each other its two forms are biased (Table 6)."""
    return _overlaps(biases, lambda form: form)


def between_sets(biases: Biases) -> dict[tuple[str, str], dict[str, float | None]]:
    """Return by pair of pronoun sets, for each case that both have, how like each other their forms are biased."""
    return _overlaps(biases, lambda form: (form[1], form[0]))


def _overlaps(
    biases: Biases, turned: Callable[[Form], tuple[str, str]]
) -> dict[tuple[str, str], dict[str, float | None]]:
    """Compare the biases that differ in the first part of their turned key and share the second."""
    by_key = {turned(form): found.biased for form, found in biases.items()}
    firsts = list(dict.fromkeys(first for first, _ in by_key))
    seconds = list(dict.fromkeys(second for _, second in by_key))
    return {
        (one, other): {
            second: jaccard(by_key[one, second], by_key[other, second])
            for second in seconds
            if (one, second) in by_key and (other, second) in by_key
        }
        for one, other in combinations(firsts, 2)
    }
