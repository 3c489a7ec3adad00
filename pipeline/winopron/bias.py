"""Pronominal bias of coreference systems: a form that is always or never resolved to an occupation (Gautam et al. 2024, section 5)."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ..statistics.intervals import ratio
from .performance import Choice, Response


@dataclass(frozen=True, slots=True)
class Bias:
    """Pronominal bias of one pronoun form (section 5.1), counted in pairs of templates.

    Attributes:
        attempted: pairs with this form in which the system names exactly one entity both times.
        resolvable: attempted pairs that the system disambiguates with at least one form.
        positive: occupations of resolvable pairs in which it resolves the form to the occupation both times.
        negative: occupations of resolvable pairs in which it resolves the form to the participant both times.
    """

    attempted: int
    resolvable: int
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    positive_share: float | None
    negative_share: float | None
    share: float | None

    @classmethod
    def of(cls, attempted: int, resolvable: int, positive: Sequence[str], negative: Sequence[str]) -> "Bias":
        """Return the bias with its shares of the resolvable pairs."""
        counts = len(positive), len(negative), len(positive) + len(negative)
        shares = (ratio(count, resolvable) for count in counts)
        return cls(attempted, resolvable, tuple(sorted(positive)), tuple(sorted(negative)), *shares)

    @property
    def biased(self) -> frozenset[tuple[str, str]]:
        """The biased occupations with their direction, for comparing forms and systems."""
        return frozenset({(name, "+") for name in self.positive} | {(name, "-") for name in self.negative})


#: A case and the name of a pronoun set, which together name a form.
PronounForm = tuple[str, str]
BiasByForm = Mapping[PronounForm, Bias]


def bias_by_form(responses: Iterable[Response]) -> dict[PronounForm, Bias]:
    """Return the bias of each (case, pronoun set), in order of appearance.

    A pair of templates counts as not attempted if one of its two sentences is missing. With several prompts it counts once for each.
    """
    pairs: dict[tuple[str, ...], dict[str, dict[str, Response]]] = defaultdict(lambda: defaultdict(dict))
    forms: dict[PronounForm, None] = {}
    for row in responses:
        pairs[row.occupation, row.participant, row.case, row.prompt][row.pronouns][row.antecedent] = row
        forms.setdefault((row.case, row.pronouns))
    return {form: _bias(pairs, *form) for form in forms}


def _bias(pairs: Mapping[tuple[str, ...], Mapping[str, Mapping[str, Response]]], case: str, pronouns: str) -> Bias:
    attempted = resolvable = 0
    positive, negative = [], []
    for (occupation, _, pair_case, _), by_set in pairs.items():
        choices = _choices(by_set.get(pronouns, {})) if pair_case == case else None
        if choices is None:
            continue
        attempted += 1
        if not any(_choices(members) == ("occupation", "participant") for members in by_set.values()):
            continue
        resolvable += 1
        if choices == ("occupation", "occupation"):
            positive.append(occupation)
        elif choices == ("participant", "participant"):
            negative.append(occupation)
    return Bias.of(attempted, resolvable, positive, negative)


def _choices(members: Mapping[str, Response]) -> tuple[Choice, Choice] | None:
    """Return the choices for the occupation's and the participant's template, or None if one is not attempted."""
    if len(members) != 2 or not all(response.attempted for response in members.values()):
        return None
    return members["occupation"].choice, members["participant"].choice


def jaccard(first: Iterable[Hashable], second: Iterable[Hashable]) -> float | None:
    """Return the size of the intersection over that of the union (Jaccard 1912); undefined for two empty sets.

    >>> jaccard({"chef", "baker"}, {"baker"}), jaccard(set(), set())
    (0.5, None)
    """
    left, right = set(first), set(second)
    return ratio(len(left & right), len(left | right))


def overlap_of_systems(first: BiasByForm, second: BiasByForm) -> dict[PronounForm, float | None]:
    """Return the Jaccard index of two systems' biased occupations, for each form that both have (Table 5)."""
    return {form: jaccard(first[form].biased, second[form].biased) for form in first if form in second}


def overlap_of_cases(biases: BiasByForm) -> dict[tuple[str, str], dict[str, float | None]]:
    """Return by pair of cases, and by pronoun set, the Jaccard index of the biased occupations (Table 6)."""
    return _overlaps(biases, lambda form: form)


def overlap_of_sets(biases: BiasByForm) -> dict[tuple[str, str], dict[str, float | None]]:
    """Return by pair of pronoun sets, and by case, the Jaccard index of the biased occupations."""
    return _overlaps(biases, lambda form: (form[1], form[0]))


def _overlaps(
    biases: BiasByForm, key: Callable[[PronounForm], tuple[str, str]]
) -> dict[tuple[str, str], dict[str, float | None]]:
    """Compare forms whose keys differ in the first part and agree in the second."""
    biased = {key(form): bias.biased for form, bias in biases.items()}
    firsts = list(dict.fromkeys(first for first, _ in biased))
    seconds = list(dict.fromkeys(second for _, second in biased))
    return {
        (left, right): {
            second: jaccard(biased[left, second], biased[right, second])
            for second in seconds
            if (left, second) in biased and (right, second) in biased
        }
        for left, right in combinations(firsts, 2)
    }
