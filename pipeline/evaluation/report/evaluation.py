"""What an evaluation is made of, and what follows from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..difficulty import ItemRow
from ..items import ReleasedItem
from ..measures.bounds import PRINTED, Associations, bound, levels_of
from ..measures.comparisons import Marks
from ..predictions import FORMS, ORDERS, Form, Order, Runs, own_runs

#: The traits in the order of the report, with what each is.
TRAITS: Mapping[str, str] = {
    "level": "difficulty by people’s accuracy (easy from 85 %, moderate from 60 %)",
    "difficulty": "difficulty by the accuracy of other systems, those of the table of difficulty (the same levels)",
    "kind": "kind of common sense that decides",
    "register": "register",
    "role": "grammatical role of the target",
    "case": "case of the pronoun",
    "pronouns": "set of the pronoun",
    "contrast": "where the texts of its pair differ besides the target",
    "connective": "connective before the target",
    "distance": "characters from the last mention of the right candidate to the target",
    "place": "place of the right candidate’s first mention among the candidates",
    "answer": "letter of the right candidate",
}


@dataclass(frozen=True)
class Evaluation:
    """What an evaluation is made of."""

    name: str
    items: Sequence[ReleasedItem]  # its items, or those of a sample
    runs: Runs
    #: People's share of right answers by item; empty if unknown.
    people: Mapping[str, float] = field(default_factory=dict)
    #: Answers by word association; empty if unknown.
    associations: Associations = field(default_factory=dict)
    seed: int = 0  # of random answers and of permutations
    permutations: int = 9999  # number of permutations drawn for a test
    population: int | None = None  # number of items of the release of which `items` are a sample; None if they are all
    difficulty: Mapping[str, ItemRow] = field(default_factory=dict)  # a table of difficulty; empty without one

    @cached_property
    def schemas(self) -> dict[str, str]:
        """The schema of each item."""
        return {entry.item.id: entry.item.schema for entry in self.items}

    @cached_property
    def clusters(self) -> dict[str, str]:
        """The cluster of each item, for intervals and permutations."""
        return {entry.item.id: entry.cluster for entry in self.items}

    @cached_property
    def options(self) -> dict[str, tuple[int, int]]:
        """Number of candidates and index of the right one, by item."""
        return {entry.item.id: (len(entry.item.candidates), entry.item.answer) for entry in self.items}

    @cached_property
    def own(self) -> Runs:
        """The runs that count as the systems' own answers."""
        return own_runs(self.runs)

    @cached_property
    def main(self) -> tuple[Form, Order]:
        """The form and the order of the tables that have one figure by system and mode: zero and written, if any run has them."""
        form = next(form for form in FORMS if any(run.form == form for run in self.own))
        order = next(order for order in ORDERS if any((run.form, run.order) == (form, order) for run in self.own))
        return form, order

    @cached_property
    def marks(self) -> Marks:
        """Whether each of the systems' own answers in the main form and order is right, by model and mode."""
        marks: dict[str, dict[str, dict[str, bool]]] = {}
        for run, responses in self.own.items():
            if (run.form, run.order) == self.main:
                marks.setdefault(run.model, {})[run.mode] = {item: given.right for item, given in responses.items()}
        return marks

    @cached_property
    def answers(self) -> dict[str, list[tuple[str, bool]]]:
        """Item and whether it is right, for each of a system's own answers in the main form, in all modes and orders."""
        answers: dict[str, list[tuple[str, bool]]] = {}
        for run, responses in self.own.items():
            if run.form == self.main[0]:
                answers.setdefault(run.model, []).extend((item, given.right) for item, given in responses.items())
        return answers

    @cached_property
    def traits(self) -> dict[str, dict[str, str]]:
        """The value of each trait that distinguishes items, by trait and item."""
        values: dict[str, dict[str, str]] = {name: {} for name in TRAITS}
        values["level"] = {item: level for item, level in levels_of(self.people).items() if item in self.schemas}
        own = {run.model for run in self.runs}  # a system is not measured by what it answered itself
        values["difficulty"] = {
            item: band
            for item, row in self.difficulty.items()
            if item in self.schemas and (band := row.band("systems", own))
        }
        for entry in self.items:
            for name, value in entry.traits.items():
                values[name][entry.item.id] = value
        return {name: of_trait for name, of_trait in values.items() if len(set(of_trait.values())) > 1}

    @cached_property
    def bound(self) -> tuple[float | None, str]:
        """The accuracy of people, and where it is from; without any, the printed one for zero forms."""
        if self.people:
            return bound(self.people, self.schemas), "people on these items"
        if any(entry.text_zero for entry in self.items):
            return PRINTED, "WSC-ZA, Table 4, other items"
        return None, "no answers of people to these items"
