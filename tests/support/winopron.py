"""Responses to WinoPron's sentences for tests, and tables of them."""

import itertools
from typing import get_args

from pipeline.language.pronouns import pronoun_table
from pipeline.winopron.measures import Choice, Entity, Response
from pipeline.winopron.predictions import COLUMNS

TABLE = pronoun_table("en")
SETS = [pronouns.name for pronouns in TABLE.sets]
CHOICES: tuple[Choice, ...] = get_args(Choice)


def answers(
    occupation: str, *choices: Choice, case: str = "nominative", sets: tuple[str, ...] = ("he", "she")
) -> list[Response]:
    """Return responses to one pair of templates: for each set the occupation's template, then the participant's."""
    entities: tuple[Entity, ...] = ("occupation", "participant")
    keys = itertools.product(sets, entities)
    return [
        Response(occupation, "guest", case, name, antecedent, choice)
        for (name, antecedent), choice in zip(keys, choices, strict=True)
    ]


def table_of(rows: list[Response]) -> str:
    placeholders = {case: name for name, case in TABLE.placeholders.items()}
    forms = {pronouns.name: pronouns.forms for pronouns in TABLE.sets}
    lines = ["\t".join(COLUMNS)]
    for row in rows:
        words = {"occupation": row.occupation, "participant": row.participant}
        named = words.get(row.choice, row.choice)
        pronoun = (forms[row.pronouns][row.case], f"${placeholders[row.case]}")
        lines.append("\t".join((row.occupation, row.participant, *pronoun, words[row.antecedent], named)))
    return "\n".join(lines) + "\n"
