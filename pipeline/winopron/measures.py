"""Performance, consistency and pronominal bias of coreference systems (Gautam et al. 2024, sections 4 and 5), and their reports."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from ..statistics.intervals import clustered_interval, ratio

Entity = Literal["occupation", "participant"]
Choice = Literal["occupation", "participant", "both", "neither"]

#: Number of answers from which it is no chance that all name the same entity.
FEW = 10


@dataclass(frozen=True, slots=True)
class Response:
    """A system's response to one sentence.

    Attributes:
        prompt: the prompt that it was asked with, if a sentence was asked with several.
        first_option: the entity that the prompt lists first; None if it lists none, or nothing is known of it.
        first_mention: the entity that the sentence names first; None if it names one only, or is not known.
    """

    occupation: str
    participant: str
    case: str
    pronouns: str
    antecedent: Entity
    choice: Choice
    prompt: str = ""
    first_option: Entity | None = None
    first_mention: Entity | None = None

    @property
    def pair(self) -> tuple[str, str, str]:
        """Occupation, participant and case: the pair of templates that the sentence was made from."""
        return self.occupation, self.participant, self.case

    @property
    def correct(self) -> bool:
        """Whether the system named the antecedent and nothing else."""
        return self.choice == self.antecedent

    @property
    def attempted(self) -> bool:
        """Whether the system named exactly one of the two entities."""
        return self.choice in ("occupation", "participant")


@dataclass(frozen=True, slots=True)
class Performance:
    """Performance over a set of sentences, or of answers if a sentence has several (section 4.2; Tables 8 to 10).

    Attributes:
        attempted: sentences for which the system names exactly one entity.
        correct: sentences for which it names the antecedent and nothing else.
        recall: correct over all sentences.
        precision: correct over attempted sentences; undefined without an attempt.
        f1: harmonic mean of precision and recall, 2c / (attempted + sentences); undefined without an attempt.
        accuracy: correct over all sentences as in Figure 3, which equals recall.
        accuracy_interval: its 95 % confidence interval, with the sentences of one pair of templates as a cluster.
    """

    sentences: int
    attempted: int
    correct: int
    recall: float | None
    precision: float | None
    f1: float | None
    accuracy: float | None
    accuracy_interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Consistency:
    """Share of groups of sentences in which every response is correct (section 4.3).

    With several prompts a group holds the answers to all of them, as in the authors' code.

    Attributes:
        consistent: groups in which every response is correct.
        interval: its 95 % confidence interval, with the groups of one pair of templates as a cluster.
        chance: expected share of a system that names one of the two entities at random for each answer; the printed 6.25 % and
            25 % are those of one prompt.
    """

    groups: int
    consistent: int
    share: float | None  # consistent / groups, from 0 to 1
    interval: tuple[float, float] | None
    chance: float | None


def performance(responses: Iterable[Response]) -> Performance:
    """Return the performance over all responses."""
    rows = list(responses)
    pairs: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for row in rows:
        pairs[row.pair].append(row.correct)
    sentences, attempted = len(rows), sum(row.attempted for row in rows)
    correct = sum(row.correct for row in rows)
    return Performance(
        sentences=sentences,
        attempted=attempted,
        correct=correct,
        recall=ratio(correct, sentences),
        precision=ratio(correct, attempted),
        f1=ratio(2 * correct, attempted + sentences) if attempted else None,
        accuracy=ratio(correct, sentences),
        accuracy_interval=clustered_interval((sum(marks), len(marks)) for marks in pairs.values()),
    )


def performance_by(responses: Sequence[Response], key: Callable[[Response], str]) -> dict[str, Performance]:
    """Return the performance over the responses of each value of a key, in order of appearance."""
    values = dict.fromkeys(map(key, responses))
    return {value: performance(row for row in responses if key(row) == value) for value in values}


def pronoun_consistency(responses: Iterable[Response], *, by_prompt: bool = False) -> Consistency:
    """Return the share of templates that are correct with every pronoun set; with four sets and one prompt chance is 6.25 %.

    With `by_prompt`, the answers to each prompt are a group of their own, rather than those to all prompts together.
    """
    return _consistency(responses, lambda row: (row.antecedent, row.prompt if by_prompt else ""))


def disambiguation_consistency(responses: Iterable[Response], *, by_prompt: bool = False) -> Consistency:
    """Return the share of pairs of templates of which both are correct with the same pronoun; with one prompt chance is 25 %.

    `by_prompt` is that of `pronoun_consistency`.
    """
    return _consistency(responses, lambda row: (row.pronouns, row.prompt if by_prompt else ""))


def _consistency(responses: Iterable[Response], key: Callable[[Response], Hashable]) -> Consistency:
    """Return the consistency of the groups that a key makes within each pair of templates."""
    pairs: dict[Hashable, dict[Hashable, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for response in responses:
        pairs[response.pair][key(response)].append(response.correct)
    groups = [marks for by_key in pairs.values() for marks in by_key.values()]
    consistent = sum(map(all, groups))
    return Consistency(
        groups=len(groups),
        consistent=consistent,
        share=ratio(consistent, len(groups)),
        interval=clustered_interval((sum(map(all, by_key.values())), len(by_key)) for by_key in pairs.values()),
        chance=sum(0.5 ** len(marks) for marks in groups) / len(groups) if groups else None,
    )


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
    positive_share: float | None  # of the resolvable pairs, as the other shares
    negative_share: float | None
    share: float | None  # both together

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
    """Return the bias of each (case, pronoun set), in the order in which their pairs of templates appear.

    A pair of templates counts as not attempted if one of its two sentences is missing. With several prompts it counts once for each.
    """
    pairs: dict[tuple[str, ...], dict[str, dict[str, Response]]] = defaultdict(lambda: defaultdict(dict))
    for row in responses:
        pairs[*row.pair, row.prompt][row.pronouns][row.antecedent] = row
    attempted: Counter[PronounForm] = Counter()
    solved: dict[PronounForm, list[tuple[str, tuple[Choice, Choice]]]] = {}
    for (occupation, _, case, _), by_set in pairs.items():
        choices = {name: _choices(members) for name, members in by_set.items()}
        for name, both in choices.items():
            resolvable = solved.setdefault((case, name), [])
            if both:
                attempted[case, name] += 1
                if ("occupation", "participant") in choices.values():
                    resolvable.append((occupation, both))
    return {
        form: Bias.of(
            attempted[form],
            len(resolvable),
            [occupation for occupation, both in resolvable if both == ("occupation", "occupation")],
            [occupation for occupation, both in resolvable if both == ("participant", "participant")],
        )
        for form, resolvable in solved.items()
    }


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


def overlaps(biases: Mapping[str, Mapping[str, Bias]]) -> "Overlap":
    """Return by pair of cases (Table 6) or pronoun sets, and by what both have, the Jaccard index of the biased occupations."""
    return {
        f"{left}-{right}": {
            form: jaccard(biases[left][form].biased, biases[right][form].biased)
            for form in biases[left]
            if form in biases[right]
        }
        for left, right in combinations(biases, 2)
    }


#: Jaccard indices by two keys, such as case and pronoun set.
Overlap = dict[str, dict[str, float | None]]


@dataclass(frozen=True, slots=True)
class Overlaps:
    """Jaccard indices of the biased occupations, by pair of cases and pronoun set, and by pair of pronoun sets and case."""

    between_cases: Overlap
    between_sets: Overlap


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """All measures of one system; shares lie between 0 and 1, undefined values are None, `unanswered` sentences are not attempted."""

    prompts: int
    overall: Performance
    by_case: dict[str, Performance]
    by_pronouns: dict[str, Performance]
    pronoun_consistency: Consistency
    disambiguation_consistency: Consistency
    bias: dict[str, dict[str, Bias]]
    jaccard: Overlaps
    unanswered: int


def caution(responses: Sequence[Response], unanswered: int = 0) -> str:
    """Return why scores may measure something else than the system, empty if nothing speaks against them.

    Most answers name nobody, or all that name somebody, ten or more, name the same entity although both are right in some.
    """
    answered = len(responses) - unanswered
    nobody = sum(response.choice == "neither" for response in responses) - unanswered
    if 2 * nobody > answered:
        return f"{nobody} of {answered} answers name neither entity: look at them before the scores"
    named = {response.choice for response in responses} - {"neither"}
    if len(named) == 1 and answered - nobody >= FEW and len({response.antecedent for response in responses}) > 1:
        return f"all {answered - nobody} answers that name somebody name the {named.pop()}".replace("the both", "both")
    return ""


def score_report(responses: Iterable[Response], unanswered: int = 0) -> ScoreReport:
    """Return all measures of one system; `unanswered` sentences have no answer."""
    rows = list(responses)
    by_case: dict[str, dict[str, Bias]] = defaultdict(dict)
    by_set: dict[str, dict[str, Bias]] = defaultdict(dict)
    for (case, name), bias in bias_by_form(rows).items():
        by_case[case][name] = by_set[name][case] = bias
    return ScoreReport(
        prompts=len({row.prompt for row in rows}),
        overall=performance(rows),
        by_case=performance_by(rows, lambda row: row.case),
        by_pronouns=performance_by(rows, lambda row: row.pronouns),
        pronoun_consistency=pronoun_consistency(rows),
        disambiguation_consistency=disambiguation_consistency(rows),
        bias=dict(by_case),
        jaccard=Overlaps(overlaps(by_case), overlaps(by_set)),
        unanswered=unanswered,
    )


def comparison_report(systems: Mapping[str, BiasByForm]) -> dict[str, Overlap]:
    """Return by pair of systems, case and pronoun set the Jaccard index of their biased occupations (Table 5)."""
    pairs: dict[str, Overlap] = {}
    for first, second in combinations(systems, 2):
        overlap: Overlap = defaultdict(dict)
        for form, bias in systems[first].items():
            if form in systems[second]:
                case, name = form
                overlap[case][name] = jaccard(bias.biased, systems[second][form].biased)
        pairs[f"{first}/{second}"] = dict(overlap)
    return pairs
