"""The table of pronouns that are restored for zeros, with their translations (rules/pronouns/zh-en.yaml)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ..core.errors import PipelineError
from ..core.rules import RULES
from ..core.yamlfile import kind_of, line_of, load_yaml, mapping_of, require_mapping, text_of, texts_of

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
TRANSLATED = tuple(name for name in FORMS if name != "UN")


@dataclass(frozen=True, slots=True)
class TranslationTable:
    """The pronouns of a language that drops them.

    Attributes:
        translations: the word for each pronoun and form, in small letters.
        pronoun_of: the pronoun of each restored word, such as 我 for 我自己的.
    """

    translations: Mapping[tuple[str, str], str]
    pronoun_of: Mapping[str, str]

    def translation(self, pronoun: str, form: str) -> str | None:
        """Return the English word for a zero; None if the table has none."""
        return self.translations.get((self.pronoun_of.get(pronoun, ""), form))


@cache
def translation_table(languages: str = "zh-en") -> TranslationTable:
    """Return the table of a pair of languages.

    Raises:
        PipelineError: the table is malformed.
    """
    path = RULES / "pronouns" / f"{languages}.yaml"
    node = require_mapping(load_yaml(path), path, required=frozenset({"pronouns", "endings"}))
    pronouns = node["pronouns"]
    if not isinstance(pronouns, dict) or not pronouns:
        reason = f"[pronouns] wrong kind; found {kind_of(pronouns)}, expected a mapping of pronouns"
        raise PipelineError(path, line_of(node, "pronouns"), reason)
    translations: dict[tuple[str, str], str] = {}
    for pronoun in pronouns:
        words = mapping_of(pronouns, pronoun, path, required=frozenset(TRANSLATED))
        translations |= {(pronoun, form): text_of(words, form, path) for form in words}
    endings = ["", *texts_of(node, "endings", path)]
    return TranslationTable(translations, {f"{pronoun}{ending}": pronoun for pronoun in pronouns for ending in endings})


def words_of_form(word: str, form: str) -> list[str]:
    """Return the words that a form allows for the pronoun of a restored word; none if any will do or the table has no such word.

    >>> words_of_form("他自己", "S"), words_of_form("他", "Pa"), words_of_form("他", "UN"), words_of_form("这", "S")
    (['他'], ['他的', '他自己的'], [], [])
    """
    pronoun = translation_table().pronoun_of.get(word)
    return [] if pronoun is None else [pronoun + ending for ending in ENDINGS.get(form, ())]
