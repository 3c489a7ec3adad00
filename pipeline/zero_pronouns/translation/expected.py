"""The labels in a sentence that is split into words, and the word that translates each."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import msgspec

from ...core.convert import WordTable, convert_node, error_at
from ...core.errors import shown
from ...core.rules import RULES
from ...core.yamlfile import load_yaml
from ..pronouns import FORMS, ByForm, translation_table

#: A word with a label, as the authors' tool recognises it: it may stand inside the word, and the pronoun may be any.
_COUNTED = re.compile("<.*?>_[OSPR]")
#: A label: its pronoun, its form if it has one, and the mark of zeros that the authors' tool never takes for translated.
LABEL = re.compile(r"<(?P<pronoun>[^<>]+)>(?:_(?P<form>[A-Za-z]+))?(?P<odd>_n)?")
#: The mark; the published files do not explain it.
_ODD = "_n"


@dataclass(frozen=True, slots=True)
class LabelledWord:
    """A zero in a sentence that is split into words, with the English word that translates it in small letters.

    `fault` says why there is none; it is empty for a zero that is marked with ``_n``.
    """

    place: int
    label: str
    expected: str | None
    fault: str = ""


class _Published(msgspec.Struct, frozen=True):
    words: ByForm[WordTable]
    errors: WordTable
    printed: WordTable


@cache
def published_words() -> Mapping[str, str]:
    """Return the translation by label of the authors' tool, from rules/pronouns/zh-en-published.yaml."""
    path = RULES / "pronouns" / "zh-en-published.yaml"
    node = load_yaml(path)
    table = convert_node(node, _Published, path)
    for label in table.errors:
        if not LABEL.fullmatch(label):
            reason = f"[errors] not a label; found {shown(label)}, expected one such as <它>_Pa"
            raise error_at(node, path, ("errors", label), reason)
    return {f"<{pronoun}>_{form}": word for form, words in table.words.items() for pronoun, word in words.items()}


def published_zeros(words: Sequence[str]) -> Iterator[LabelledWord]:
    """Yield the zeros that the authors' tool counts, with the translations that it expects.

    A form that is undetermined or missing is not counted.

    >>> [(zero.label, zero.expected) for zero in published_zeros(["<它>_Pa", "<你>_S_n", "<他>_UN", "<他>", "<我们的>_P"])]
    [('<它>_Pa', 'it'), ('<你>_S_n', None), ('<我们的>_P', None)]
    """
    for place, word in enumerate(words):
        if not _COUNTED.search(word):
            continue
        expected = None if _ODD in word else published_words().get(word)
        fault = "" if expected or _ODD in word else "no label of the authors' table"
        yield LabelledWord(place, word, expected, fault)


def all_zeros(words: Sequence[str]) -> Iterator[LabelledWord]:
    """Yield all zeros with the translations of our table (rules/pronouns/zh-en.yaml).

    What has no form, no translation or the mark ``_n`` is a zero too, without an expected word.

    >>> [(zero.label, zero.expected) for zero in all_zeros(["<它>_Pa", "<你>_S_n", "<他>_UN", "<他>", "<诗>", "<我们的>_P"])]
    [('<它>_Pa', 'its'), ('<你>_S_n', None), ('<他>_UN', None), ('<他>', None), ('<我们的>_P', 'ours')]
    """
    table = translation_table()
    for place, word in enumerate(words):
        match = LABEL.fullmatch(word)
        if match is None:
            if _COUNTED.search(word):
                yield LabelledWord(place, word, None, "a label is no word of its own")
            continue
        pronoun, form = match["pronoun"], match["form"] or ""
        if pronoun not in table.pronoun_of and form not in FORMS:
            continue
        expected = None if match["odd"] else table.translation(pronoun, form)
        undetermined = not form or form == "UN" or match["odd"]
        yield LabelledWord(
            place, word, expected, "" if expected or undetermined else "no label of rules/pronouns/zh-en.yaml"
        )
