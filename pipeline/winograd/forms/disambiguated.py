"""The form `disambiguated`: the text with an expression for each candidate in the target's place; one text is correct."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from ...core.convert import to_object
from ...core.model import Item
from ...language.grammar import Genders, Grammar, GrammarError, Substitution, grammar_of, mere_substitution
from ...language.pronoun_classes import Gender, cloze_languages, pronoun_classes
from ...language.questions import languages, question_table
from .form import DerivedForm, Form, UnmadeItem, derived

T = TypeVar("T")

#: Columns of the table of differences.
DIFFERENCES = ("id", "changes", "mere substitution", "text")


def by_candidate(
    items: Iterable[Item], form: str, make: Callable[[Grammar, Item, int, Genders], T]
) -> tuple[list[tuple[Item, list[T]]], list[UnmadeItem]]:
    """Return the items with what their grammar makes of them for each candidate, and the items that `form` cannot be made of.

    Args:
        items: the items.
        form: the name of the form.
        make: makes a text of an item, given the grammar of its language, the index of a candidate and the candidates' genders.
    """
    made, unmade = [], []
    all_items = list(items)
    genders = candidate_genders(all_items)
    for item in all_items:
        try:
            grammar, of_item = grammar_of(item.lang), genders.get(item.id, ())
            made.append((item, [make(grammar, item, index, of_item) for index in range(len(item.candidates))]))
        except GrammarError as error:
            unmade.append(UnmadeItem(form, item.id, str(error)))
    return made, unmade


def candidate_genders(items: Iterable[Item]) -> Mapping[str, Genders]:
    """Return the genders of the candidates of each item by its id, in languages whose pronouns have the gender of their noun.

    A candidate has the gender of the pronoun that stands for it in the member of its schema whose answer it is: er in *der
    Zug kam, weil er …*. It is None where no member has it as its answer, or two members contradict each other.
    """
    gendered = [item for item in items if _has_genders(item.lang)]
    known: dict[tuple[str, str], set[Gender | None]] = defaultdict(set)
    for item in gendered:
        pronoun = item.target.of(item.text)
        known[item.schema, item.candidates[item.answer]].add(pronoun_classes(item.lang).gender_of(pronoun))

    def gender(schema: str, candidate: str) -> Gender | None:
        genders = known.get((schema, candidate), set())
        return next(iter(genders)) if len(genders) == 1 else None

    return {item.id: tuple(gender(item.schema, candidate) for candidate in item.candidates) for item in gendered}


def _has_genders(lang: str) -> bool:
    return lang in languages() and lang in cloze_languages() and bool(question_table(lang).by_gender)


def substitutions(items: Iterable[Item], form: str) -> tuple[list[tuple[Item, list[Substitution]]], list[UnmadeItem]]:
    """Return the items with their text for each candidate, and the items that `form` cannot be made of."""
    return by_candidate(items, form, lambda grammar, item, index, genders: grammar.substitute(item, index, genders))


def disambiguated(items: Iterable[Item]) -> DerivedForm:
    """Return the disambiguated text for each candidate (Mandarinograd, LREC 2020, section 3.1, note 6).

    A row has ``text``, the ``span`` of the expression in it, whether it is ``correct``, and in ``changes`` how it differs
    from replacing the pronoun by the candidate as given (see the grammar of the language).
    """
    made, unmade = substitutions(items, "disambiguated")
    rows = (
        {
            "id": f"{item.id}-{index}",
            "item": item.id,
            "schema": item.schema,
            "text": substitution.text,
            "span": to_object(substitution.span),
            "candidate": item.candidates[index],
            "correct": index == item.answer,
            "changes": list(substitution.changes),
        }
        for item, texts in made
        for index, substitution in enumerate(texts)
    )
    return derived(rows, unmade)


def differences(items: Iterable[Item], made: DerivedForm) -> list[tuple[str, str, str, str]]:
    """Return the cells of `DIFFERENCES` for each disambiguated text that mere substitution does not give."""
    by_id = {item.id: item for item in items}
    table = []
    for row in made.rows:
        item = by_id[row["item"]]
        mere = mere_substitution(item, item.candidates.index(row["candidate"]))
        if mere != row["text"]:
            table.append((row["id"], ", ".join(row["changes"]), mere, row["text"]))
    return table


DISAMBIGUATED = Form(
    "disambiguated",
    lambda items, _: disambiguated(items),
    "`text` with an expression for each candidate in the target's place, at `span`; one is `correct` (note 6 there)",
)
