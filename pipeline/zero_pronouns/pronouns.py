"""The table of pronouns that are restored for zeros, with their translations (rules/pronouns/zh-en.yaml)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal, TypeVar, get_args

import msgspec

from ..core.convert import Text, Words, read_yaml
from ..core.rules import RULES

T = TypeVar("T")

#: The forms of a zero in its sentence, by the letters of its label (EMNLP 2022, section 3.2); `UN` is not in the paper.
FORMS: Mapping[str, str] = {
    "S": "subject",
    "O": "object",
    "Pa": "possessive adjective",
    "P": "possessive pronoun",
    "R": "reflexive",
    "UN": "undetermined",
}
#: What follows the pronoun in a restored word, by form (EMNLP 2022, Table 10); any ending will do for an undetermined form.
ENDINGS: Mapping[str, tuple[str, ...]] = {
    "S": ("",),
    "O": ("",),
    "Pa": ("的", "自己的"),
    "P": ("的", "自己的"),
    "R": ("自己",),
}
#: The forms that have a translation.
TranslatedForm = Literal["S", "O", "Pa", "P", "R"]
TRANSLATED: tuple[TranslatedForm, ...] = get_args(TranslatedForm)
#: What a table of rules has for each of these forms.
ByForm = Annotated[Mapping[TranslatedForm, T], msgspec.Meta(min_length=5, description="entries for S, O, Pa, P and R")]


class _Table(msgspec.Struct, frozen=True):
    pronouns: Annotated[Mapping[Text, ByForm[Text]], msgspec.Meta(min_length=1, description="a mapping of pronouns")]
    endings: Words


@dataclass(frozen=True, slots=True)
class TranslationTable:
    """The word in small letters for each pronoun and form, and the pronoun of each restored word, such as 我 for 我自己的."""

    translations: Mapping[tuple[str, str], str]
    pronoun_of: Mapping[str, str]

    def translation(self, pronoun: str, form: str) -> str | None:
        """Return the English word for a zero; None if the table has none."""
        return self.translations.get((self.pronoun_of.get(pronoun, ""), form))


@cache
def translation_table(languages: str = "zh-en") -> TranslationTable:
    """Return the table of a pair of languages; raises `PipelineError` if it is malformed."""
    table = read_yaml(RULES / "pronouns" / f"{languages}.yaml", _Table)
    return TranslationTable(
        {(pronoun, form): word for pronoun, words in table.pronouns.items() for form, word in words.items()},
        {f"{pronoun}{ending}": pronoun for pronoun in table.pronouns for ending in ("", *table.endings)},
    )


def words_of_form(word: str, form: str) -> list[str]:
    """Return the words that a form allows for the pronoun of a restored word; none if any will do or the table has no such word.

    >>> words_of_form("他自己", "S"), words_of_form("他", "Pa"), words_of_form("他", "UN"), words_of_form("这", "S")
    (['他'], ['他的', '他自己的'], [], [])
    """
    pronoun = translation_table().pronoun_of.get(word)
    return [] if pronoun is None else [pronoun + ending for ending in ENDINGS.get(form, ())]
