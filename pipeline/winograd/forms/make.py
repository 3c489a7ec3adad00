"""Make every derived form of a collection."""

from collections.abc import Mapping, Sequence

from ...core.model import Item
from ...language.grammar.base import mere_substitution
from .derived import DerivedForm
from .disambiguated import disambiguated
from .names.form import Direction, renamed
from .nli import nli
from .scoring import scoring
from .tokens import Correction, tokenised
from .traditional import traditional
from .winogrande import winogrande

DIFFERENCES = ("id", "changes", "mere substitution", "text")


def variants(
    items: Sequence[Item],
    *,
    corrections: Mapping[str, Correction] | None = None,
    names: Direction = "chinese",
    seed: int = 0,
    glosses: Mapping[str, str] | None = None,
) -> dict[str, DerivedForm]:
    """Return the items in each form by its name; traditional script is a form of Chinese only.

    Args:
        items: a kept collection, in one language or several.
        corrections: segmentations of some of the items that go before the tokenizer's.
        names: what the names of persons become.
        seed: the seed of the choice of names.
        glosses: English translations by item id, in which names change too.
    """
    chinese = [item for item in items if item.lang == "zh"]
    return {
        "nli": nli(items),
        "disambiguated": disambiguated(items),
        "scoring": scoring(items),
        "winogrande": winogrande(items),
        "names": renamed(items, to=names, seed=seed, glosses=glosses),
        "tokens": tokenised(items, corrections or {}),
    } | ({"traditional": traditional(chinese)} if chinese else {})


def differences(items: Sequence[Item], made: DerivedForm) -> list[tuple[str, str, str, str]]:
    """Return the cells of `DIFFERENCES` for each disambiguated text that mere substitution does not give."""
    by_id = {item.id: item for item in items}
    found = []
    for row in made.rows:
        if row["changes"]:
            item = by_id[row["item"]]
            mere = mere_substitution(item, item.candidates.index(row["candidate"]))
            found.append((row["id"], ", ".join(row["changes"]), mere, row["text"]))
    return found
