"""What WinoPron's figures cannot tell apart, shown with made systems: `python -m replication.made_systems`.

The authors' converter of SpanBERT's output (scripts/convert_spanbert_output.py in their repository) sets the answer only where a
cluster has the pronoun, and never empties it: an unlinked pronoun takes the answer to the sentence before. It also begins the list of
mentions with the sentence instead of with the cluster. Their converters of CAW-coref and LingMess do neither. Sentences are in the order of
their files: template by template, each with he, she, they and xe, so that she, they and xe inherit from the same template.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from pipeline.language.pronouns import pronoun_table
from pipeline.winopron.instances import Instance, instances, read_templates
from pipeline.winopron.measures import Response, performance, pronoun_consistency
from pipeline.winopron.predictions import published_choice
from tools.published import data_folder

#: A pronoun, and the clusters of its sentence as the texts of their mentions.
Sentence = tuple[str, Sequence[Sequence[str]]]
#: Pronoun sets, and their number of occupations.
SETS, OCCUPATIONS = 4, 60


def converted(sentences: Iterable[Sentence], *, resets: bool) -> Iterator[str]:
    """Yield the answer to each sentence: the first other mention of the pronoun's cluster.

    Without `resets` answers and mentions are kept as in the converter of SpanBERT; it stops if the first pronoun is unlinked, here
    the answer is empty then.
    """
    answer = ""
    for pronoun, clusters in sentences:
        mentions: list[str] = []
        answer = "" if resets else answer
        for cluster in clusters:
            mentions = [*([] if resets else mentions), *cluster]
            if pronoun in mentions:
                mentions.remove(pronoun)
                answer = mentions[0]
        yield answer


def single_sentences(data: Path) -> list[Instance]:
    """Return the single-entity sentences of WinoPron in the order of the authors' file."""
    path, table = data / "winopron" / "data.zip", pronoun_table("en")
    return instances(read_templates(path, table), table, "single", lang="en", source=path)


def responses(sentences: Sequence[Instance], links: Callable[[Instance], bool], *, resets: bool) -> list[Response]:
    """Return the answers of a system that links a pronoun to the only entity of its sentence, or to nothing."""
    pronouns = [row.item.target.of(row.item.text) for row in sentences]
    clusters = [
        (pronoun, [[f"the {row.antecedent}", pronoun]] if links(row) else [])
        for row, pronoun in zip(sentences, pronouns, strict=True)
    ]
    return [
        Response(
            row.occupation,
            row.participant,
            row.case,
            row.pronouns,
            "participant" if row.item.answer else "occupation",
            published_choice(answer, row.occupation, row.participant),
        )
        for row, answer in zip(sentences, converted(clusters, resets=resets), strict=True)
    ]


def chance_overlap(*, right: float, seed: int, runs: int = 10_000) -> tuple[float, float, float]:
    """Return mean, 2.5 % and 97.5 % quantile of the Jaccard index of two made systems of which nothing is biased.

    Both answer each sentence right with the same probability, all independently. An occupation counts as biased, with its direction, by
    section 5.1: both templates of its pair are resolved to the same entity, and with another pronoun set both are right.

    Args:
        right: probability of a right answer.
        seed: of the random numbers.
        runs: number of pairs of systems.
    """
    draws = np.random.default_rng(seed).random((2, runs, OCCUPATIONS, SETS, 2)) < right
    resolvable = draws.all(axis=-1).any(axis=-1)
    first_set = draws[..., 0, :]  # the form whose biases are compared
    positive = resolvable & first_set[..., 0] & ~first_set[..., 1]
    negative = resolvable & ~first_set[..., 0] & first_set[..., 1]
    both = sum((side[0] & side[1]).sum(axis=-1) for side in (positive, negative))
    either = sum((side[0] | side[1]).sum(axis=-1) for side in (positive, negative))
    index = both / np.maximum(either, 1)
    low, high = np.quantile(index, (0.025, 0.975))
    return float(index.mean()), float(low), float(high)


#: Made systems by what they leave unlinked.
SYSTEMS: dict[str, Callable[[Instance], bool]] = {
    "nothing": lambda _: True,
    "xe/xem/xyr": lambda row: row.pronouns != "xe",
    "accusatives": lambda row: row.case != "accusative",
    "he/him/his": lambda row: row.pronouns != "he",
}


def main() -> None:
    """Print the effect of the converter on made systems, and the overlap by chance."""
    parser = argparse.ArgumentParser(prog="python -m replication.made_systems", description=__doc__)
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder of the published collections")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random answers")
    arguments = parser.parse_args()
    sentences = single_sentences(arguments.data)
    for unlinked, links in SYSTEMS.items():
        for resets in (True, False):
            rows = responses(sentences, links, resets=resets)
            scores, consistent = performance(rows), pronoun_consistency(rows)
            sys.stdout.write(
                f"unlinked: {unlinked}; answers {'are reset' if resets else 'are kept'}: precision {100 * (scores.precision or 0):.1f}, "
                f"recall {100 * (scores.recall or 0):.1f}, pronoun consistency {100 * (consistent.share or 0):.1f}\n"
            )
    for right in (0.5, 0.7):
        mean, low, high = chance_overlap(right=right, seed=arguments.seed)
        sys.stdout.write(
            f"Jaccard index by chance, {right:.0%} right: {mean:.2f}, in 95 % of runs {low:.2f} to {high:.2f}\n"
        )


if __name__ == "__main__":
    main()
