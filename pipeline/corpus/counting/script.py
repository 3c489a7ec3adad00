"""Conversion of a corpus to simplified script, the same for every back end."""

import re
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from ...core.convert import Words, WordTable, convert_node, error_at
from ...core.errors import shown
from ...core.rules import RULES
from ...core.yamlfile import load_yaml


@dataclass(frozen=True, slots=True)
class _Rules:
    """The words of rules/corpus/script.yaml."""

    characters: WordTable
    kept: Words
    changed: WordTable


@dataclass(frozen=True, slots=True)
class ScriptTable:
    """How characters become simplified, alone and in words."""

    alone: Mapping[int, str]  # the characters with one form, as `str.translate` takes them
    varying: Mapping[str, str]  # the characters whose form depends on the word, with that outside the words
    is_varying: re.Pattern[str]  # one of them
    #: The simplified forms of words with a varying character; in the key the other characters are simplified already.
    words: Mapping[str, str]


@cache
def script_table() -> ScriptTable:
    """Return the characters and words of OpenCC's configuration t2s, and those of rules/corpus/script.yaml.

    Raises:
        PipelineError: at the line of a malformed entry.
    """
    path = RULES / "corpus" / "script.yaml"
    node = load_yaml(path)
    rules = convert_node(node, _Rules, path)
    for key, forms in (("characters", rules.characters), ("changed", rules.changed)):
        for word, form in forms.items():
            if len(form) != len(word) or (key == "characters" and len(word) != 1):
                found = f"found {shown(form)} for {shown(word)}, expected as many characters"
                raise error_at(node, path, (key, word), f"conversion of another length; {found}")
    characters = {**_dictionary("TSCharacters.txt"), **rules.characters}
    phrases = _dictionary("TSPhrases.txt")
    words = {**phrases, **dict.fromkeys(rules.kept, ""), **rules.changed}
    varying = set(rules.characters) | {
        before
        for word, form in {**phrases, **rules.changed}.items()
        for before, after in zip(word, form, strict=True)
        if characters.get(before, before) != after
    }
    alone = str.maketrans({before: after for before, after in characters.items() if before not in varying})
    forms = {character: characters.get(character, character) for character in sorted(varying)}
    keys = {word.translate(alone): form or word for word, form in words.items()}
    return ScriptTable(alone, forms, re.compile(f"[{''.join(forms)}]"), keys)


@cache
def _dictionary(name: str) -> Mapping[str, str]:
    """Return a dictionary of OpenCC; of several forms the first."""
    lines = files("opencc").joinpath("dictionary", name).read_text(encoding="utf-8").splitlines()
    return {word: forms.split(" ")[0] for word, forms in (line.split("\t") for line in lines)}


def simplify(text: str, names: Collection[str] = ()) -> str:
    """Return a text in simplified script; every offset stays.

    Args:
        names: words in simplified script that keep their characters, such as 王乾; see `keeps_characters`.

    >>> simplify("他沿著河走，著名的乾隆說頭髮乾了"), simplify("王乾来了", {"王乾"}), simplify("薛應旂的軍旂", {"薛应旂"})
    ('他沿着河走，著名的乾隆说头发干了', '王乾来了', '薛应旂的军旗')
    """
    table = script_table()
    if variants := {ord(character) for name in names for character in name} & table.alone.keys():
        there = text.translate({code: form for code, form in table.alone.items() if code not in variants})
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    text = _simplified_codes()[codes].tobytes().decode("utf-32-le", "surrogatepass")
    words = _words_around(frozenset(names))

    def form(match: re.Match[str]) -> str:
        place = match.start()
        for word, before, form in words.get(match[0], ()):
            if before <= place and text.startswith(word, place - before):
                return form
        return table.varying[match[0]]

    text = table.is_varying.sub(form, text)
    if variants:
        for match in re.finditer("|".join(map(re.escape, sorted(names, key=len, reverse=True))), there):
            text = f"{text[: match.start()]}{match[0]}{text[match.end() :]}"
    return text


@cache
def _simplified_codes() -> npt.NDArray[np.uint32]:
    """Return the simplified form of each code point, or itself; ten times as fast as `str.translate`."""
    codes = np.arange(sys.maxunicode + 1, dtype=np.uint32)
    alone = script_table().alone
    codes[list(alone)] = list(map(ord, alone.values()))
    return codes


@cache
def _words_around(names: frozenset[str]) -> Mapping[str, Sequence[tuple[str, int, str]]]:
    """Return the words with each varying character, the longest first: the word, the place of the character in it, its form there."""
    table = script_table()
    words: dict[str, list[tuple[str, int, str]]] = {}
    for word, forms in {**table.words, **{name: name for name in names}}.items():
        for place, character in enumerate(word):
            if character in table.varying:
                words.setdefault(character, []).append((word, place, forms[place]))
    for around in words.values():
        around.sort(key=lambda entry: (-len(entry[0]), -entry[1]))
    return words


def keeps_characters(term: str) -> bool:
    """Return whether a term that `simplify` changes is in simplified script all the same: a name such as 王乾, never 蘋果.

    So is 王汎森: 泛 is written in traditional script too, so that 汎 is a variant, and no sign of the other script.
    """
    forms = term.translate(script_table().alone)
    traditional = _dictionary("STCharacters.txt")
    return all(
        traditional.get(form, form) == form for character, form in zip(term, forms, strict=True) if form != character
    )
