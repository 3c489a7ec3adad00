"""How a model's answers follow the order of the options, and that of the mentions in the sentence."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ...statistics.intervals import clustered_interval, ratio
from ..performance import Entity, Response


@dataclass(frozen=True, slots=True)
class OptionOrder:
    """Answers to prompts that list options.

    Every sentence is asked with each entity first, so that a model that decides by the sentence names the first option half of the time.

    Attributes:
        attempted: answers that name one entity.
        first: those that name the first option.
        interval: 95 % confidence interval of the share of `first`, with the answers to one pair of templates as a cluster.
        both_orders: prompts that were answered with one entity in both orders of the options.
        same: those that were answered with the same entity.
    """

    attempted: int
    first: int
    interval: tuple[float, float] | None
    both_orders: int
    same: int

    @property
    def first_share(self) -> float | None:
        """First option over attempted answers."""
        return ratio(self.first, self.attempted)

    @property
    def same_share(self) -> float | None:
        """Same entity over prompts answered in both orders."""
        return ratio(self.same, self.both_orders)


@dataclass(frozen=True, slots=True)
class MentionOrder:
    """Answers to sentences that mention both entities; in a pair of templates each is right once, so that half are right by either place.

    Attributes:
        attempted: answers that name one entity.
        first: those that name the one that the sentence mentions first.
        pairs: pairs of templates that were answered with one entity each, by prompt and pronoun.
        same: those that were answered with the same entity, and thus not by what tells the templates apart.
    """

    attempted: int
    first: int
    pairs: int
    same: int

    @property
    def first_share(self) -> float | None:
        """First mention over attempted answers."""
        return ratio(self.first, self.attempted)

    @property
    def same_share(self) -> float | None:
        """Same entity over answered pairs."""
        return ratio(self.same, self.pairs)


def mention_order(responses: Sequence[Response]) -> MentionOrder:
    """Return how the answers follow the order of the mentions; sentences without a known order do not count."""
    attempts = [row for row in responses if row.first_mention and row.attempted]
    pairs: dict[tuple[str, ...], dict[Entity, str]] = defaultdict(dict)
    for row in attempts:
        pairs[row.occupation, row.participant, row.case, row.pronouns, row.prompt][row.antecedent] = row.choice
    both = [choices for choices in pairs.values() if len(choices) == 2]
    return MentionOrder(
        attempted=len(attempts),
        first=sum(row.choice == row.first_mention for row in attempts),
        pairs=len(both),
        same=sum(len(set(choices.values())) == 1 for choices in both),
    )


def option_order(responses: Sequence[Response]) -> OptionOrder:
    """Return how the answers follow the order of the options; prompts without options do not count."""
    clusters: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    orders: dict[tuple[str, ...], dict[Entity, str]] = defaultdict(dict)
    for row in responses:
        if row.first_option is None or not row.attempted:
            continue
        pair = row.occupation, row.participant, row.case
        clusters[pair].append(row.choice == row.first_option)
        template = row.prompt.rpartition(" ")[0]  # the prompt is the template's number and that of the variant
        orders[*pair, row.pronouns, row.antecedent, template][row.first_option] = row.choice
    both = [choices for choices in orders.values() if len(choices) == 2]
    return OptionOrder(
        attempted=sum(map(len, clusters.values())),
        first=sum(map(sum, clusters.values())),
        interval=clustered_interval((sum(marks), len(marks)) for marks in clusters.values()),
        both_orders=len(both),
        same=sum(len(set(choices.values())) == 1 for choices in both),
    )
