"""Gendered classes of pronoun variants, from rules/cloze: which words fill a gap like er, sie or es."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Literal, TypeGuard, TypeVar, get_args

import msgspec

from ..core.convert import Text, Words, WordTable, convert_node, error_at
from ..core.errors import PipelineError, shown
from ..core.rules import RULES
from ..core.yamlfile import load_yaml

T = TypeVar("T")
#: What stands for the gap in the text of a cloze item.
GAP = "___"
#: The genders that have a class.
Gender = Literal["masc", "fem", "neut"]
GENDERS: tuple[Gender, ...] = get_args(Gender)
#: What a table of rules has for each gender.
ByGender = Annotated[Mapping[Gender, T], msgspec.Meta(min_length=3, description="entries for masc, fem and neut")]


def is_gender(name: object) -> TypeGuard[Gender]:
    """Tell whether `name` is one of `GENDERS`."""
    return name in GENDERS


class PronounClasses(msgspec.Struct, frozen=True, rename={"variants": "classes"}):
    """The pronouns of a language by gender, and the variants that a model may write in their place.

    All words are in lower case. A variant is in one class only, and each pronoun in its class; `left_out` has words that are in none,
    with the reason.
    """

    pronouns: ByGender[Text]
    variants: ByGender[Words]
    left_out: WordTable

    def gender_of(self, pronoun: str) -> Gender | None:
        """Return the gender of a pronoun, with or without a capital; None if it is the pronoun of no gender."""
        return next((gender for gender, word in self.pronouns.items() if word == pronoun.casefold()), None)

    def words(self) -> dict[str, Gender]:
        """Return all variants with their gender, in the order of the file."""
        return {word: gender for gender in GENDERS for word in self.variants[gender]}


def cloze_languages() -> list[str]:
    """Return the languages that have classes of pronouns, sorted."""
    return sorted(table.stem for table in (RULES / "cloze").glob("*.yaml"))


@cache
def pronoun_classes(lang: str) -> PronounClasses:
    """Return the classes of a language; raises `PipelineError` if it has no table, or an entry is malformed."""
    path = RULES / "cloze" / f"{lang}.yaml"
    if not lang.isalpha() or not path.exists():
        known = ", ".join(cloze_languages())
        raise PipelineError(None, None, f"[lang] no classes of pronouns; found {shown(lang)}, expected one of {known}")
    node = load_yaml(path)
    table = convert_node(node, PronounClasses, path)
    places: dict[str, str] = dict.fromkeys(table.left_out, "left_out")
    for gender in GENDERS:
        for index, word in enumerate(table.variants[gender]):
            if word in places:
                reason = f"[{gender}] not unique; found {shown(word)} in {places[word]} too, expected it once"
                raise error_at(node, path, ("classes", gender, index), reason)
            if word != word.casefold() or not word.isalpha():
                reason = f"[{gender}] no word in lower case; found {shown(word)}"
                raise error_at(node, path, ("classes", gender, index), reason)
            places[word] = gender
        if table.pronouns[gender] not in table.variants[gender]:
            reason = f"[{gender}] class without its pronoun; expected {shown(table.pronouns[gender])} among its words"
            raise error_at(node, path, ("classes", gender), reason)
    return table
