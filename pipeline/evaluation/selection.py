"""Each schema with the systems that solve it, what solves it without understanding, and what its authors may do."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from ..core.convert import to_object
from .diagnosis.errors import chosen_runs
from .items import ReleasedItem
from .measures.accuracy import Estimate, trait_groups
from .measures.bounds import Associations, baselines, bound
from .modes import PARTIAL, part_of
from .predictions import Response, Run, Runs

#: The traits by which items are grouped.
TRAITS = ("kind", "role", "connective", "register")
#: Share of false claims among those made that guessing systems may cause (Benjamini and Hochberg 1995).
LEVEL = 0.05
#: What the answers without understanding go by, for the authors. Those of association need the corpus.
ARTEFACTS: Mapping[str, str] = {
    "first": "the first mention",
    "last": "the last mention",
    "frequent": "the more frequent word",
    "association": "word association (PMI)",
}
#: What is added to a claim that guessing explains too.
_LUCK = " (or by luck: compare the number that guessing gives)"
#: People's share of right answers from which a schema is easy for them, and under which it is in doubt (WSC-ZA, section 5.3).
EASY, DOUBTFUL = 0.85, 0.60


@dataclass(frozen=True, slots=True)
class Solvers:
    """The systems that solve both members of a schema in one way of asking, of those that answered both."""

    solved: int  # number of systems that solve both members
    systems: int  # number of systems that answered both
    #: Probability that a system which guesses solves it; with an even number of runs at most this, as half of them are not enough.
    guess: float
    #: Probability (at most) that so many or more do if each guesses, every system by itself; 1 if nobody answered.
    chance: float
    beyond_chance: bool = False  # whether guessing does not explain it, given how many schemas there are

    def __str__(self) -> str:
        return f"{self.solved} of {self.systems}" if self.systems else ""

    @property
    def by_all(self) -> bool:
        """Whether all systems that answered it solve it."""
        return 0 < self.solved == self.systems


@dataclass(frozen=True, slots=True)
class Entry:
    """A schema in the worklist."""

    schema: str
    members: Sequence[ReleasedItem]
    #: The systems that see the whole items: how many solve both members, one or none (in this order); other counts of right
    #: members, in schemas that are no pairs, count as one.
    whole: tuple[int, int, int]
    both: Solvers  # those that solve both, with the chance of guessing
    same: int  # number of systems that give both members the same answer in all runs, although the right answers differ
    partial: Mapping[str, Solvers]  # by mode in `PARTIAL`, the systems that solve both members from a part of the item
    artefacts: tuple[str, ...]  # the answers without understanding that are right for all members
    people: float | None  # people's share of right answers; None if unknown
    action: str = ""  # what to do, in words
    rank: int = 0  # the place of this kind of action in the worklist


def worklist(
    items: Sequence[ReleasedItem],
    runs: Runs,
    *,
    modes: Sequence[str] = (),
    people: Mapping[str, float] | None = None,
    associations: Associations | None = None,
) -> list[Entry]:
    """Return the schemas, those first where the authors can do most.

    A system solves an item if it is right in more than half of its runs (modes, orders, forms) that answered it. Of whole items, those
    in `modes` count, or without any, all but `PARTIAL`; see `chosen_runs`, which refuses a mode without a run.
    """
    whole: dict[str, list[Run]] = defaultdict(list)
    for (model, _), of_system in chosen_runs(runs, modes).items():
        whole[model] += of_system
    partial: dict[str, dict[str, list[Run]]] = {mode: defaultdict(list) for mode in PARTIAL}
    for run in runs:
        if mode := part_of(run.mode):
            partial[mode][run.model].append(run)
    simple = baselines(items, associations or {}, 0)
    schemas: dict[str, list[ReleasedItem]] = defaultdict(list)
    for released in items:
        schemas[released.item.schema].append(released)
    entries = []
    for schema, members in schemas.items():
        counts = [_right(members, of_model, runs) for of_model in whole.values()]
        answered = [count for count in counts if count is not None]
        size = len(members)
        right = answered.count(size), sum(0 < count < size for count in answered), answered.count(0)
        entry = Entry(
            schema,
            members,
            right,
            _solvers(members, whole, runs),
            sum(_always_same(members, of_model, runs) for of_model in whole.values()),
            {mode: _solvers(members, systems, runs, mode=mode) for mode, systems in partial.items()},
            tuple(
                name
                for name in ARTEFACTS
                if name in simple and all(_decided(name, member, simple, associations or {}) for member in members)
            ),
            bound(people or {}, [member.item.id for member in members]),
        )
        entries.append(entry)
    return sorted(
        map(_with_action, _beyond_chance(entries)),
        key=lambda entry: (entry.rank, -entry.both.solved, entry.both.chance, entry.schema),
    )


def _beyond_chance(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries with the claims marked that hold for all schemas together, each way of asking by itself."""
    both = _marked([entry.both for entry in entries])
    partial = {mode: _marked([entry.partial[mode] for entry in entries]) for mode in PARTIAL}
    return [
        replace(entry, both=both[number], partial={mode: partial[mode][number] for mode in PARTIAL})
        for number, entry in enumerate(entries)
    ]


def _marked(solvers: Sequence[Solvers]) -> list[Solvers]:
    """Return the solvers, marked where Benjamini and Hochberg's procedure rejects guessing."""
    from statsmodels.stats.multitest import multipletests

    chances = [of.chance for of in solvers if of.systems]
    marks = iter(multipletests(chances, LEVEL, method="fdr_bh")[0].tolist() if chances else ())
    return [replace(of, beyond_chance=bool(of.systems) and next(marks)) for of in solvers]


def _marks(member: ReleasedItem, of_model: Sequence[Run], runs: Runs) -> list[Response]:
    return [runs[run][member.item.id] for run in of_model if member.item.id in runs[run]]


def _right(members: Sequence[ReleasedItem], of_model: Sequence[Run], runs: Runs) -> int | None:
    """Return how many members a system solves; None if it did not answer all of them."""
    marks = [_marks(member, of_model, runs) for member in members]
    return sum(2 * sum(given.right for given in of) > len(of) for of in marks) if all(marks) else None


def _solvers(
    members: Sequence[ReleasedItem], systems: Mapping[str, Sequence[Run]], runs: Runs, *, mode: str = ""
) -> Solvers:
    counts = [count for of_model in systems.values() if (count := _right(members, of_model, runs)) is not None]
    solved, number = counts.count(len(members)), len(counts)
    guess = prod(1 / len(member.item.candidates) for member in members)
    if mode == "candidates-only" and _same_question(members):  # one question has one answer: a guess is right once
        guess = 0.0
    from scipy.stats import binom

    return Solvers(solved, number, guess, float(binom.sf(solved - 1, number, guess)))


def _same_question(members: Sequence[ReleasedItem]) -> bool:
    """Return whether all members ask the same of the same candidates, although the answers differ."""
    shown = {(member.item.question, tuple(member.item.candidates)) for member in members}
    return len(shown) == 1 < len({member.item.answer for member in members})


def _always_same(members: Sequence[ReleasedItem], of_model: Sequence[Run], runs: Runs) -> bool:
    """Return whether a system chooses one candidate by name in all runs of all members whose right answers differ."""
    chosen = {
        None if given.parsed.choice is None else member.item.candidates[given.parsed.choice]
        for member in members
        for given in _marks(member, of_model, runs)
    }
    right = {member.item.candidates[member.item.answer] for member in members}
    return (
        len(right) > 1 and len(chosen) == 1 and None not in chosen and all(_marks(m, of_model, runs) for m in members)
    )


def _decided(
    name: str, member: ReleasedItem, simple: Mapping[str, Mapping[str, Response]], associations: Associations
) -> bool:
    """Return whether an answer without understanding is right, and not by the coin that answers where it does not decide."""
    answer = associations.get(member.item.id)
    if name == "association" and not (answer and answer.decided):
        return False
    if name == "frequent" and not (answer and answer.counts[0] != answer.counts[1]):
        return False
    return simple[name][member.item.id].right


def _with_action(entry: Entry) -> Entry:
    """Return an entry with the most useful action that its counts support."""
    rank, action = min(_actions(entry))
    return replace(entry, rank=rank, action=action)


def _actions(entry: Entry) -> Iterator[tuple[int, str]]:
    """Yield the actions that fit a schema, each with its rank."""
    both = entry.both
    people = "" if entry.people is None else f"; people {100 * entry.people:.0f} %"
    claims = (
        (1, entry.partial["candidates-only"], "from candidates and question alone by {}: they give the answer away{}"),
        (2, entry.partial["clause-only"], "from the target's clause alone by {}: it fits one candidate only{}"),
        (4, both, f"by {{}} systems: easy, make it harder or replace it{{}}{people}"),
    )
    for rank, solvers, words in claims:
        if solvers.by_all:
            sure = solvers.beyond_chance
            yield rank if sure else 6, f"solved {words.format(solvers, '' if sure else _LUCK)}"
    if entry.artefacts:
        by = ", ".join(ARTEFACTS[name] for name in entry.artefacts)
        yield 3, f"{by} gives the right answer to every member: change the words or their order"
    none = f"solved by none of {both.systems} systems{people}"
    if not both.systems:
        yield 10, "not answered"
    elif both.solved:
        yield 9, f"solved by {both} systems: no action that these answers support{people}"
    elif entry.people is not None and entry.people >= EASY:
        yield 0, f"{none}: hard for systems only; keep it, write more like it"
    elif entry.people is not None and entry.people < DOUBTFUL:
        yield 5, f"{none}: in doubt; check the sentence and its key"
    elif entry.same == both.systems:
        yield (
            7,
            f"{both.systems} of {both.systems} systems give all members the same answer: a preference, not a reading{people}",
        )
    else:
        yield 8, f"{none}: check the key with people, then keep it"


def group_figures(items: Sequence[ReleasedItem], runs: Runs, modes: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return the accuracy of all systems together for each value of each trait, and for all other items.

    A row has ``trait``, ``value``, ``schemas``, ``answers``, ``chance`` (the accuracy of guessing), ``accuracy`` with its 95 % interval
    clustered by schema, the same of the ``rest``, and ``verdict``: ``easier`` or ``harder`` if the two intervals do not meet, else
    empty. A trait with one value has no row.
    """
    chosen = [run for of_system in chosen_runs(runs, modes).values() for run in of_system]
    by_id = {entry.item.id: entry for entry in items}
    marks = {item_id: [runs[run][item_id].right for run in chosen if item_id in runs[run]] for item_id in by_id}
    traits = {}
    for trait in TRAITS:
        values = sorted(((entry.traits.get(trait, ""), item_id) for item_id, entry in by_id.items()))
        if len({value for value, _ in values if value}) > 1:
            traits[trait] = {item_id: value for value, item_id in values}

    def figures(members: Sequence[str], estimate: Estimate) -> dict[str, Any]:
        guesses = sum(len(marks[item_id]) / len(by_id[item_id].item.candidates) for item_id in members)
        return {
            "schemas": len({by_id[item_id].cluster for item_id in members}),
            "answers": estimate.n,
            "chance": guesses / estimate.n,
            "accuracy": estimate.value,
            "interval": to_object(estimate.interval),
        }

    return [
        {
            "trait": group.trait,
            "value": group.value,
            **figures(group.members, group.inside),
            "rest": figures(group.others, group.outside),
            "verdict": group.verdict,
        }
        for group in trait_groups(traits, marks, {item_id: entry.cluster for item_id, entry in by_id.items()})
        if group.value and group.members and group.others
    ]
