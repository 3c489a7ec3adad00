"""What tells the answers of a collection to somebody who did not understand them: cues, parts of the items; their page and suite.

Cues are single properties that may tell which answer is right, each tested against a fair coin.

Gardner et al. (2021, Competency problems, section 3) call a property an artefact if the share of a label among the items that have it is
farther from a half than a fair coin would bring it. A cue guesses an answer wherever it is there: the candidate that has the property, or,
for a property of the whole item, the candidate that the text mentions first. That one is itself right more often than not in some
collections; what an item's properties are tested against is this share, so that they tell only what they add to it. A cue that is nearly
always wrong tells as much as one that is nearly always right.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

from ..core.errors import plural
from ..core.model import Item
from ..core.pages import page_environment, percent
from ..core.validation.rows import text_of
from ..core.validation.suite import Row, Suite, Value
from ..statistics.intervals import clustered_interval, ratio
from ..statistics.significance import holm
from .mentions import before_target, own_mentions
from .variety import NONE, connective, items_by_register

#: The chance that one or more cues of a collection without artefacts are reported.
ALPHA = 0.05
#: Characters of scripts that write no blanks between words: Chinese characters and kana.
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]+")
_WORDS = re.compile(r"[^\W\d_\u3040-\u30ff\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Cue:
    """A property with how often its guess is right.

    Attributes:
        solved: the ids of the items in which the guess is right.
        wrong: the ids of those in which it is not.
        chance: the share that is expected of it: 0.5, or for a property of whole items that of the first mention.
        p: two-sided exact p of that chance, corrected for the number of cues; None where it is too rare for any. For a property of whole
            items it is too large, since its own items are part of the share: for one of half of the items, z is up to a factor of
            sqrt(2) too small. A test that allows for it (Fisher's) gives false alarms where a pair's other member lacks the property.
    """

    name: str
    solved: tuple[str, ...]
    wrong: tuple[str, ...]
    chance: float
    p: float | None

    @property
    def items(self) -> int:
        """The number of items in which the cue guesses."""
        return len(self.solved) + len(self.wrong)

    @property
    def share(self) -> float:
        """The share of its guesses that are right."""
        return len(self.solved) / self.items

    @property
    def z(self) -> float:
        """The deviation in standard deviations: (share - chance) / sqrt(chance (1 - chance) / items) (Gardner et al. 2021)."""
        return (self.share - self.chance) / math.sqrt(self.chance * (1 - self.chance) / self.items)

    @property
    def tells(self) -> bool:
        """Whether the cue is an artefact: chance alone takes none of the cues so far with a probability of 1 - `ALPHA`."""
        return self.p is not None and self.p <= ALPHA

    @property
    def words(self) -> str:
        """How often its guess is right, and how sure that is."""
        odds = f"z {self.z:+.1f}, p {self.p:.2g}; chance {percent(self.chance, 0)}"
        return f"right in {len(self.solved)} of {self.items} ({odds})"


def two_way(items: Iterable[Item]) -> tuple[Item, ...]:
    """Return the items with two candidates; only of these a fair coin is the measure."""
    return tuple(item for item in items if len(item.candidates) == 2)


def cues(items: Sequence[Item], registers: Mapping[str, str]) -> list[Cue]:
    """Return all cues of items with two candidates, those that tell most first, then by name.

    A cue of so few items that not even a row of right guesses could be significant counts for no correction (Tarone 1990, Biometrics 46);
    the others are corrected together (Holm 1979).

    Args:
        registers: the register of each item that has one, by id.
    """
    from scipy.stats import binomtest

    solved: dict[str, list[str]] = defaultdict(list)
    wrong: dict[str, list[str]] = defaultdict(list)
    of_items: set[str] = set()
    named = Counter(candidate for item in items for candidate in item.candidates)
    length = median(len(item.text) for item in items) if items else 0
    firsts = [first_mention(item) for item in items]
    usual = ratio(sum(first == item.answer for item, first in zip(items, firsts, strict=True)), len(items))
    for item, first in zip(items, firsts, strict=True):
        properties = set(_properties(item, registers.get(item.id), length)) if usual not in (0, 1) else set()
        of_items |= properties
        for name, answer in (dict.fromkeys(properties, first) | _preferences(item, first, named)).items():
            (solved if answer == item.answer else wrong)[name].append(item.id)
    counts = {name: (len(solved[name]), len(wrong[name])) for name in sorted({*solved, *wrong})}
    chances = {name: usual if name in of_items and usual else 0.5 for name in counts}
    least = _least(Counter(map(sum, counts.values())))
    tested = [name for name, sizes in counts.items() if sum(sizes) >= least]
    ps = [float(binomtest(counts[name][0], sum(counts[name]), chances[name]).pvalue) for name in tested]
    corrected = dict(zip(tested, holm(ps), strict=True))
    found = [Cue(name, tuple(solved[name]), tuple(wrong[name]), chances[name], corrected.get(name)) for name in counts]
    return sorted(found, key=lambda cue: (1.0 if cue.p is None else cue.p, -abs(cue.z), cue.name))


def _least(sizes: Counter[int]) -> int:
    """Return the fewest items that a cue must have to be tested, by Tarone's rule.

    It is the least number n for which the smallest p that n tosses of a fair coin can give, 2 / 2^n, times the number of cues with n items
    or more is at most `ALPHA`. It depends on no answer, so that the correction holds for the cues with other chances, too.

    >>> _least(Counter({1: 1000, 10: 4}))  # 4 * 2 / 2 ** 8 <= 0.05
    8
    """
    for least in count(1):
        number = sum(cues for size, cues in sizes.items() if size >= least)
        if number * 2.0 ** (1 - least) <= ALPHA:
            break
    return least


def _properties(item: Item, register: str | None, length: float) -> Iterator[str]:
    """Yield the properties of a whole item that may tell the place of the answer; `length` is the median of the texts."""
    around = f"{item.text[: item.target.start]} {item.text[item.target.end :]}"
    yield from (f"text has {unit}" for unit in units(around))
    yield from (f"question has {unit}" for unit in units(item.question))
    if register:
        yield f"register {register}"
    if (word := connective(item)) != NONE:
        yield f"connective {word}"
    yield f"target in the {'first' if 2 * item.target.start < len(item.text) else 'second'} half of the text"
    yield f"text {'longer' if len(item.text) > length else 'not longer'} than the median"


def _preferences(item: Item, first: int, named: Mapping[str, int]) -> dict[str, int]:
    """Return which of two candidates the cues prefer that only one of them has."""
    guesses = {"the first mention": first}
    if before := before_target(item):
        last = max(before, key=lambda span: span.end)
        guesses["the mention nearest to the target"] = next(
            index for index, spans in enumerate(own_mentions(item)) if last in spans
        )
    for name, values in {
        "the longer candidate": [len(candidate) for candidate in item.candidates],
        "the candidate of more items": [named[candidate] for candidate in item.candidates],
    }.items():
        if values[0] != values[1]:
            guesses[name] = values.index(max(values))
    one, other = map(units, item.candidates)
    return guesses | {f"candidate has {unit}": int(unit in other) for unit in one ^ other}


def first_mention(item: Item) -> int:
    """Return the candidate that the text mentions first, the first one where none is mentioned."""
    starts = [spans[0].start if spans else len(item.text) for spans in own_mentions(item)]
    return starts.index(min(starts))


def units(text: str) -> set[str]:
    """Return the words of a text in small letters; of scripts without blanks, its characters and pairs of characters.

    >>> sorted(units("Anna看书。"))
    ['anna', '书', '看', '看书']
    """
    runs = _UNSPACED.findall(text)
    pairs = {run[at : at + 2] for run in runs for at in range(len(run) - 1)}
    return {word.casefold() for word in _WORDS.findall(text)} | {character for run in runs for character in run} | pairs


# --- parts ----------------------------------------------------------------------------------------------------------------
# A classifier that sees a part of each item is a logistic regression over character n-grams. It learns from the items of nine tenths of
# the schemas and answers those of the rest. Where it sees candidates, it compares the two texts that each of them makes; else it guesses
# whether the candidate that the text mentions first is right.


#: Fewer schemas than this give no classifier enough to learn.
LEAST_SCHEMAS = 20
#: Parts of the schemas, of which each is answered by a classifier that learnt from the others.
_FOLDS = 10
_MARK = re.compile("[，。；：！？,.;:!?]")
#: Features of the classifier that are told: those with the greatest weights.
_TOLD = 8


def _clause(item: Item) -> tuple[str, str]:
    """Return the target's clause, from mark to mark, before and after the target."""
    start = max((match.end() for match in _MARK.finditer(item.text, 0, item.target.start)), default=0)
    end = _MARK.search(item.text, item.target.end)
    return item.text[start : item.target.start], item.text[item.target.end : end.end() if end else len(item.text)]


#: What each classifier sees of an item if a candidate is the answer.
_WITH_CANDIDATES: Mapping[str, Callable[[Item, str], str]] = {
    "candidates": lambda _, candidate: candidate,
    "clause and candidates": lambda item, candidate: candidate.join(_clause(item)),
    "question and candidates": lambda item, candidate: f"{item.question}|{candidate}",
}
#: The names of all parts.
PARTS = (*_WITH_CANDIDATES, "clause")


@dataclass(frozen=True, slots=True)
class Part:
    """What a classifier that sees one part of the items gets right.

    Attributes:
        solved: the ids of the items that it answers right.
        items: how many it answers.
        chance: what a classifier gets right that knows nothing of the items: 0.5, or where it sees no candidates the share of the more
            frequent of its two answers, which it may learn.
        interval: of the share of right answers, over schemas; all parts together hold their shares with a probability of 1 - `ALPHA`.
        features: the n-grams with the greatest weights; + speaks for a candidate (or for the first mention), - against it.
    """

    name: str
    solved: tuple[str, ...]
    items: int
    chance: float
    interval: tuple[float, float]
    features: tuple[str, ...]

    @property
    def share(self) -> float:
        """The share of its answers that are right."""
        return len(self.solved) / self.items

    @property
    def tells(self) -> bool:
        """Whether the part gives answers away: chance lies under the interval."""
        return self.interval[0] > self.chance

    @property
    def words(self) -> str:
        """How often it is right, and how sure that is."""
        low, high = (percent(limit, 0) for limit in self.interval)
        return f"right in {percent(self.share)} ({low} to {high}; chance {percent(self.chance, 0)})"


@cache  # the suite, the card and the page of one build ask for the same
def parts(items: tuple[Item, ...]) -> tuple[Part, ...]:
    """Return what each of `PARTS` gives away of items with two candidates; nothing of fewer schemas than `LEAST_SCHEMAS`."""
    if len({item.schema for item in items}) < LEAST_SCHEMAS:
        return ()
    return tuple(_part(name, items) for name in PARTS)


def _part(name: str, items: Sequence[Item]) -> Part:
    from sklearn.model_selection import GroupKFold

    features, names = _features(name, items)
    labels, schemas = _labels(name, items), [item.schema for item in items]
    hits: Counter[str] = Counter()
    solved: set[str] = set()
    for known, asked in GroupKFold(_FOLDS, shuffle=True, random_state=0).split(features, labels, schemas):
        answers = _answers(_fitted(features[known], labels[known]), features[asked])
        right = [items[at] for at, answer in zip(asked, answers, strict=True) if answer == labels[at]]
        solved |= {item.id for item in right}
        hits.update(item.schema for item in right)
    clusters = ((hits[schema], size) for schema, size in Counter(schemas).items())
    weights = _fitted(features, labels).coef_[0].round(6)
    strongest = sorted(range(len(names)), key=lambda at: (-abs(weights[at]), names[at]))[:_TOLD]
    return Part(
        name,
        tuple(item.id for item in items if item.id in solved),
        len(items),
        0.5 if name in _WITH_CANDIDATES else float(max((labels == 1).mean(), (labels == -1).mean())),
        clustered_interval(clusters, 1 - ALPHA / len(PARTS)) or (0.0, 1.0),
        tuple(f"{'+' if weights[at] > 0 else '-'}{names[at]}" for at in strongest if weights[at]),
    )


def _features(name: str, items: Sequence[Item]) -> tuple[Any, list[str]]:
    """Return the matrix of items by n-grams, and the n-grams; of parts with candidates, the second's n-grams less the first's."""
    from sklearn.feature_extraction.text import CountVectorizer

    counter = CountVectorizer(analyzer="char", ngram_range=(1, 4), binary=True, dtype=float)
    see = _WITH_CANDIDATES.get(name)
    if see is None:
        matrix = counter.fit_transform(["_".join(_clause(item)) for item in items])
    else:
        texts = counter.fit_transform([see(item, candidate) for item in items for candidate in item.candidates])
        matrix = (texts[1::2] - texts[::2]).tocsr()
    return matrix, counter.get_feature_names_out().tolist()


def _labels(name: str, items: Sequence[Item]) -> Any:
    """Return 1 where the second candidate is right, or for a part without candidates the one mentioned first; else -1."""
    import numpy

    label = [item.answer == (1 if name in _WITH_CANDIDATES else first_mention(item)) for item in items]
    return numpy.where(label, 1, -1)


def _fitted(features: Any, labels: Any) -> Any:
    """Return a logistic regression; without an intercept it treats two candidates alike, whose n-grams count with opposite signs."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(solver="liblinear", fit_intercept=False).fit(features, labels)


def _answers(model: Any, features: Any) -> Any:
    """Return 1 or -1 for each row; what rounding errors would decide is 1, on every machine."""
    import numpy

    return numpy.where(model.decision_function(features).round(6) >= 0, 1, -1)


#: AFLite: how many random halves each step takes, and the share of right answers from which on an item is easy.
_ROUNDS, _EASY = 64, 0.75


def filter_easy(items: Sequence[Item], *, seed: int) -> list[str]:
    """Return the ids of the items that AFLite leaves out, in the order in which it does (Sakaguchi et al. 2020, Algorithm 1).

    Again and again, classifiers that learn from a random half of the schemas answer the other half; of the items whose share of right
    answers is `_EASY` or more, the easiest twentieth of all goes, until fewer are so easy. The original takes embeddings of RoBERTa and
    of whole sentences; this one sees the n-grams of the target's clause with each candidate in it.

    Args:
        seed: of the random halves.
    """
    import numpy

    features, _ = _features("clause and candidates", items)
    labels = _labels("clause and candidates", items)
    schemas = numpy.unique([item.schema for item in items], return_inverse=True)[1]
    random = numpy.random.default_rng(seed)
    step = max(1, len(items) // 20)
    left, gone = numpy.arange(len(items)), list[str]()
    while len(set(schemas[left])) >= LEAST_SCHEMAS:
        right, asked = numpy.zeros(len(items)), numpy.zeros(len(items))
        for _ in range(_ROUNDS):
            known = random.permutation(schemas.max() + 1)[schemas[left]] % 2 == 0
            learnt, rest = left[known], left[~known]
            right[rest] += _answers(_fitted(features[learnt], labels[learnt]), features[rest]) == labels[rest]
            asked[rest] += 1
        shares = right[left] / numpy.maximum(asked[left], 1)
        order = numpy.argsort(-shares, kind="stable")
        easy = [at for at in order[:step] if shares[at] >= _EASY]
        gone += [items[left[at]].id for at in easy]
        left = numpy.delete(left, easy)
        if len(easy) < step:
            break
    return gone


#: Cues that are listed though they tell nothing.
_LISTED = 10


# --- the page and the suite -----------------------------------------------------------------------------------------------


def sentences(items: Sequence[Item], cues: Sequence[Cue], parts: Sequence[Part]) -> Iterator[str]:
    """Yield what came out, for the page and the command."""
    tested = [cue for cue in cues if cue.p is not None]
    telling = [cue for cue in tested if cue.tells]
    given_away = [part for part in parts if part.tells]
    if not telling and not given_away:
        looked_at = f"none of {plural(len(tested), 'cue')} and none of {plural(len(parts), 'part')}"
        yield f"nothing tells the answers of {plural(len(items), 'item')}: {looked_at}"
    for cue in telling:
        yield f"{cue.name}: {cue.words}"
    for part in given_away:
        yield f"a classifier that sees {part.name}: {part.words}"


def page(name: str, items: Sequence[Item], cues: Sequence[Cue], parts: Sequence[Part], records: str = "") -> str:
    """Render the page as HTML that needs no other file.

    Args:
        records: address of the page of the items' records, to which each item is then linked.
    """
    tested = [cue for cue in cues if cue.p is not None]
    listed = [cue for at, cue in enumerate(tested) if cue.tells or at < _LISTED]
    found: list[Cue | Part] = [*listed, *parts]
    template = page_environment().get_template("winograd/artefacts.html.j2")
    return template.render(
        name=name,
        lead=list(sentences(items, cues, parts)),
        cues=listed,
        tested=len(tested),
        rare=len(cues) - len(tested),
        parts=parts,
        solvers=[solver for solver in found if solver.tells],
        texts={item.id: item for item in items},
        records=records,
    )


def shortcuts(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each cue that can be tested and for each part of the items, with the reason why it is an artefact, or none.

    A file of fewer schemas than `LEAST_SCHEMAS` has no rows.
    """
    return [row for path in paths for row in _rows(path)]


def _rows(path: Path) -> Iterator[Row]:
    every, registers = items_by_register(path)
    items = two_way(every)
    if len({item.schema for item in items}) < LEAST_SCHEMAS:
        return
    for cue in cues(items, registers):
        if cue.p is not None:
            yield Row(
                cue.name, path, 1, {"cue": f"found it {cue.words}, expected p above {ALPHA}" if cue.tells else ""}
            )
    for part in parts(items):
        reason = f"found it {part.words}, expected chance or less at the lower end; by {' '.join(part.features)}"
        yield Row(part.name, path, 1, {"part": reason if part.tells else ""})


def no_cue_tells(value: Value) -> str:
    """No property of items or candidates tells the answer: chance takes none of them so far in 95 of 100 collections."""
    return text_of(value, "cue")


def no_part_tells(value: Value) -> str:
    """No classifier that learns from a part of the items answers more of the others than chance does."""
    return text_of(value, "part")


ARTEFACTS = Suite(
    "artefacts",
    f"items of {LEAST_SCHEMAS} schemas or more (JSON Lines): what tells the answers without understanding",
    shortcuts,
    {"no-cue-tells": no_cue_tells, "no-part-tells": no_part_tells},
    unique=False,
    may_be_empty=True,
)
