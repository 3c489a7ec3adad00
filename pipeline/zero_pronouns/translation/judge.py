"""Judge whether a translation has the word for each zero of its source (AZPT; EMNLP 2022, section 4.1, equation 1); sum verdicts."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...core.files import lines_of, read_text
from ..documents import require_aligned
from ..frequencies import UNTYPED
from ..labels import FORMS
from .alignment import Link, Links, links_inside, read_links
from .details import LABEL, OUTCOMES, LabelledWord, Verdict, all_zeros, published_zeros

#: Words on each side of an aligned word that are looked at. The published files have 3; the default of the authors' tool is 2.
NEIGHBOURS = 3
#: Maximum of the same, so that no number is out of range for a list.
MAX_NEIGHBOURS = 1000


@dataclass(frozen=True, slots=True)
class Rules:
    """Where the judge departs from the authors' tool.

    Attributes:
        own_table: translations of rules/pronouns/zh-en.yaml, such as *its* for <它>_Pa, not those of the authors' tool.
        even_window: as many words to the right of an aligned word as to its left, not one more.
        between: the words of a zero without a link are those between the translations of its aligned neighbours, not those from its
            left neighbour to the end of the sentence.
        every_zero: zeros whose form is undetermined or missing are counted, as undecided.
        neighbours: words on each side of an aligned word.
    """

    own_table: bool
    even_window: bool
    between: bool
    every_zero: bool
    neighbours: int = NEIGHBOURS


PUBLISHED = Rules(own_table=False, even_window=False, between=False, every_zero=False)
CORRECTED = Rules(own_table=True, even_window=True, between=True, every_zero=True)
MODES: Mapping[str, Rules] = {"published": PUBLISHED, "corrected": CORRECTED}
#: The departures of `CORRECTED`, by the attributes of `Rules`.
DEPARTURES = ("own_table", "even_window", "between", "every_zero")


def zeros_of(words: Sequence[str], rules: Rules) -> list[LabelledWord]:
    """Return the zeros of a source that count, with the words that they expect."""
    published = {zero.place: zero for zero in published_zeros(words)}
    ours = {zero.place: zero for zero in all_zeros(words)}
    table, others = (ours, published) if rules.own_table else (published, ours)
    places = published | ours if rules.every_zero else published
    return [table.get(place) or others[place] for place in sorted(places)]


def judge(
    sentence: int, source: Sequence[str], target: Sequence[str], links: Sequence[Link], rules: Rules
) -> Iterator[Verdict]:
    """Yield the verdict on each zero of a sentence with a number from 0; labels are words, the translation is in small letters.

    The links are in the order of their file, and none leaves the sentence.
    """
    targets: dict[int, list[int]] = {}
    for link in links:
        targets.setdefault(link.source, []).append(link.target)
    for zero in zeros_of(source, rules):
        aligned = zero.place in targets
        places = (
            _aligned(target, targets[zero.place], rules) if aligned else _unaligned(zero.place, target, targets, rules)
        )
        positions, words, right = places.searched(zero.expected, target)
        yield Verdict(sentence, zero.place, zero.label, zero.expected, positions, words, right, aligned)


@dataclass(frozen=True, slots=True)
class _Places:
    """Where to look for a word, and which positions and words (by their positions) to record if it is not there."""

    order: Sequence[int]
    positions: Sequence[int]
    words: Sequence[int]

    def searched(self, word: str | None, target: Sequence[str]) -> tuple[tuple[int, ...], tuple[str, ...], bool]:
        """Return the position of a word, the word and True; or else all that was looked at, and False."""
        for position in self.order:
            if word is not None and target[position] == word:
                return (position,), (word,), True
        return tuple(self.positions), tuple(target[position] for position in self.words), False


def _aligned(target: Sequence[str], places: Sequence[int], rules: Rules) -> _Places:
    """Return the aligned words, then the neighbours of each in the order of the alignment; the last window is recorded, as published."""
    reach, last = rules.neighbours, len(target) - 1
    order = list(places)
    window: Sequence[int] = ()
    words: Sequence[int] = ()
    for place in places:
        window = range(max(place - reach, 0), min(place + reach, last) + 1)
        words = window if rules.even_window else range(window.start, min(window.stop + 1, len(target)))
        order += words
    if rules.even_window:
        window = words = sorted(set(order))
    return _Places(order, window, words)


def _unaligned(place: int, target: Sequence[str], targets: Mapping[int, Sequence[int]], rules: Rules) -> _Places:
    """Return the words between the translations of the neighbours; as published, those from the left one to the end.

    The authors' tool drops the last word where there is no right neighbour: a condition is turned round there.
    """
    left = max((source for source in targets if source < place), default=None)
    right = min((source for source in targets if source > place), default=None)
    before = [0] if left is None else targets[left]
    if rules.between:
        first, last = max(before), len(target) - 1 if right is None else min(targets[right])
        words = range(min(first, last), max(first, last) + 1) if target else range(0)
        return _Places(words, words, words)
    words = range(min(before), len(target) - 1 if right is None else len(target))
    positions = range(max(before), len(target) if right is None else max(targets[right]))
    return _Places(words, positions, words)


@dataclass(frozen=True, slots=True)
class AlignedSentence:
    """A sentence with its translation; no link leaves it."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: Links


@dataclass(frozen=True, slots=True)
class Translation:
    """A text with its translation; the findings are links outside their sentence, which are left out."""

    sentences: tuple[AlignedSentence, ...]
    findings: tuple[str, ...]
    source: Path

    @property
    def targets(self) -> Sequence[Sequence[str]]:
        """The words of each translated sentence."""
        return [sentence.target for sentence in self.sentences]

    def verdicts(self, rules: Rules) -> list[Verdict]:
        """Return the verdict on each zero."""
        return [
            verdict
            for number, sentence in enumerate(self.sentences)
            for verdict in judge(number, sentence.source, sentence.target, sentence.links, rules)
        ]

    def faults(self, rules: Rules) -> Iterator[str]:
        """Yield a line for each label that has no translation, ``path:line: [label] reason``."""
        for number, sentence in enumerate(self.sentences, 1):
            for zero in zeros_of(sentence.source, rules):
                if zero.fault:
                    reason = f"{zero.fault}, counted as not translated; found {zero.label!r}, expected a label with a translation"
                    yield f"{self.source}:{number}: [label] {reason}"


def words_of(path: Path) -> list[tuple[str, ...]]:
    """Return the words of each line of a text whose words are separated by blanks."""
    return [tuple(line.split()) for line in lines_of(read_text(path))]


def read_translation(source: Path, target: Path, alignment: Path) -> Translation:
    """Read a text, its translation and their alignment; the translation is lower-cased."""
    sources = words_of(source)
    targets = [tuple(line.lower().split()) for line in lines_of(read_text(target))]
    alignments = read_links(alignment)
    for path, lines in ((target, targets), (alignment, alignments)):
        require_aligned(path, len(lines), source, len(sources))
    sentences, findings = [], []
    for number, (words, translation, links) in enumerate(zip(sources, targets, alignments, strict=True), 1):
        kept, reasons = links_inside(links, words, translation)
        findings += [f"{alignment}:{number}: {reason}" for reason in reasons]
        sentences.append(AlignedSentence(words, translation, kept))
    return Translation(tuple(sentences), tuple(findings), source)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How many zeros were translated, by the outcomes in `OUTCOMES`."""

    outcomes: Mapping[str, int]

    @property
    def zeros(self) -> int:
        """All zeros; at least one."""
        return sum(self.outcomes.values())

    @property
    def share(self) -> float:
        """AZPT: the share of zeros that were translated, of all zeros, from 0 to 1 (EMNLP 2022, equation 1)."""
        return self.outcomes["right"] / self.zeros

    def figures(self) -> dict[str, float]:
        """Return the figures for a report in JSON."""
        return {"zeros": self.zeros, **self.outcomes, "azpt": self.share}


def accuracy(verdicts: Iterable[Verdict]) -> Accuracy:
    """Return the accuracy of some verdicts."""
    outcomes = dict.fromkeys(OUTCOMES, 0)
    for verdict in verdicts:
        outcomes[verdict.outcome] += 1
    return Accuracy(outcomes)


def by_form(verdicts: Iterable[Verdict]) -> dict[str, dict[str, Accuracy]]:
    """Return the accuracy for each label of each form, the forms in the order of `FORMS`, labels in the order of their first zero.

    The entry of a form under the empty label is its sum.
    """
    groups: dict[str, dict[str, list[Verdict]]] = {}
    for verdict in verdicts:
        form = form_of(verdict.label)
        labels = groups.setdefault(form, {"": []})
        labels[""].append(verdict)
        labels.setdefault(verdict.label, []).append(verdict)
    names = [*FORMS, *sorted(groups.keys() - FORMS.keys())]
    return {form: {label: accuracy(rows) for label, rows in groups[form].items()} for form in names if form in groups}


#: Names of sentences by their number of zeros; the last has all with more.
SENTENCES = ("one zero", "two zeros", "three zeros or more")


def by_sentence(verdicts: Iterable[Verdict]) -> dict[str, Accuracy]:
    """Return the accuracy on zeros in sentences with one that counts, two, and more: several are a challenge of their own (section 4.2)."""
    rows = list(verdicts)
    zeros = Counter(verdict.sentence for verdict in rows)
    groups: dict[str, list[Verdict]] = {name: [] for name in SENTENCES}
    for verdict in rows:
        groups[SENTENCES[min(zeros[verdict.sentence], len(SENTENCES)) - 1]].append(verdict)
    return {name: accuracy(group) for name, group in groups.items() if group}


def form_of(label: str) -> str:
    """Return the letters of the form of a label, or `UNTYPED`.

    >>> form_of("<他的>_Pa"), form_of("<你>_S_n"), form_of("<他>"), form_of("<他>_S，")
    ('Pa', 'S', 'untyped', 'untyped')
    """
    match = LABEL.fullmatch(label)
    return match["form"] if match and match["form"] else UNTYPED


@dataclass(frozen=True, slots=True)
class Effect:
    """The accuracy with a departure of `DEPARTURES` alone, and the zeros that are translated only with it, and only without it."""

    name: str  # empty for the rules of the authors' tool
    accuracy: Accuracy
    gained: int = 0
    lost: int = 0


def effects(translation: Translation, neighbours: int) -> list[Effect]:
    """Return the accuracy by the authors' rules, then that of each departure alone."""
    rules = replace(PUBLISHED, neighbours=neighbours)
    verdicts = translation.verdicts(rules)
    before = {(verdict.sentence, verdict.place) for verdict in verdicts if verdict.right}
    parts = [Effect("", accuracy(verdicts))]
    for name in DEPARTURES:
        changed = translation.verdicts(replace(rules, **{name: True}))
        after = {(verdict.sentence, verdict.place) for verdict in changed if verdict.right}
        parts.append(Effect(name, accuracy(changed), len(after - before), len(before - after)))
    return parts
