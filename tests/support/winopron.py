"""Responses to WinoPron's sentences for tests, and tables of them."""

import itertools

from pipeline.language.pronouns import pronoun_table
from pipeline.winopron.performance import Response, Said
from pipeline.winopron.predictions import COLUMNS

TABLE = pronoun_table("en")
SETS = [pronouns.name for pronouns in TABLE.sets]
SAID: tuple[Said, ...] = ("occupation", "participant", "both", "neither")


def answers(
    occupation: str, *told: Said, case: str = "nominative", sets: tuple[str, ...] = ("he", "she")
) -> list[Response]:
    """Return the responses to one pair of templates: for each set first the occupation's template, then the participant's."""
    rights: tuple[Said, ...] = ("occupation", "participant")
    keys = itertools.product(sets, rights)
    return [
        Response(occupation, "guest", case, name, right, one)  # type: ignore[arg-type]
        for (name, right), one in zip(keys, told, strict=True)
    ]


def table_of(rows: list[Response]) -> str:
    placeholders = {case: name for name, case in TABLE.placeholders.items()}
    forms = {pronouns.name: pronouns.forms for pronouns in TABLE.sets}
    lines = ["\t".join(COLUMNS)]
    for row in rows:
        words = {"occupation": row.occupation, "participant": row.participant}
        told = words.get(row.said, row.said)
        cells = (
            row.occupation,
            row.participant,
            forms[row.pronouns][row.case],
            f"${placeholders[row.case]}",
            words[row.right],
            told,
        )
        lines.append("\t".join(cells))
    return "\n".join(lines) + "\n"
