"""Five pairs of German cloze items, invented for the tests."""

from typing import Any

MASC, FEM, NEUT = "masc", "fem", "neut"
#: Text, both antecedents with their genders, and for each version the word in its place, the right antecedent and the pronoun.
_PAIRS = (
    ("Der Kater jagte die Maus durch den Garten, bis ___ {}.", (("Der Kater", MASC), ("die Maus", FEM)),
     (("aufgab", 0, "er"), ("entkam", 1, "sie")), "animals"),
    ("Die Köchin lobte den Lehrling, weil ___ sehr {} war.", (("Die Köchin", FEM), ("den Lehrling", MASC)),
     (("zufrieden", 0, "sie"), ("fleißig", 1, "er")), "people"),
    ("Das Boot prallte gegen den Pfosten, und danach war ___ {}.", (("Das Boot", NEUT), ("den Pfosten", MASC)),
     (("leck", 0, "es"), ("schief", 1, "er")), "things"),
    ("Die Vase fiel vom Regal, weil ___ {}.", (("Die Vase", FEM), ("Regal", NEUT)),
     (("zu nah am Rand stand", 0, "sie"), ("zu locker hing", 1, "es")), "things"),
    ("Die Trompete übertönte das Klavier. ___ war einfach zu {}.", (("Die Trompete", FEM), ("das Klavier", NEUT)),
     (("laut", 0, "Sie"), ("leise", 1, "Es")), "things"),
)  # fmt: skip


def cloze_rows() -> list[dict[str, Any]]:
    """Return the ten items as lines of a file."""
    return [
        {
            "id": f"de-{number}-{version}",
            "schema": f"de-{number}",
            "version": version,
            "lang": "de",
            "text": text.format(word),
        }
        | {"antecedents": [{"text": phrase, "gender": gender} for phrase, gender in antecedents]}
        | {"gold": gold, "pronoun": pronoun, "source": source}
        for number, (text, antecedents, versions, source) in enumerate(_PAIRS)
        for version, (word, gold, pronoun) in zip("ab", versions, strict=True)
    ]
