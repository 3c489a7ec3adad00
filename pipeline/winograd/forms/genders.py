"""Grammatical genders of candidates, from the pronouns of the pair."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from ...core.model import Item
from ...language.grammar import Genders
from ...language.pronoun_classes import Gender, cloze_languages, pronoun_classes
from ...language.questions import languages, question_table


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
