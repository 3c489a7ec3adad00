"""Which pages may have a term, decided without removing their markup."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

import numpy as np

from ..formats.joining import BEGINS, ENDS, joined_text
from ..formats.reading import INVISIBLE
from .script import script_table
from .terms import CODES, Codes, Flags, Numbers, codes_of

#: The number of a mark that begins or ends what may vanish, of one that does both, and of a character that shows nothing. Those of the
#: characters of terms are greater, that of any other is 0.
_BEGINS, _ENDS, _BOTH, _UNSEEN = 1, 2, 3, 4


class TermFilter:
    """Decides whether a page may have one of the terms, in any script and however its markup cuts it.

    It may have a term if it has each pair of neighbours in it: side by side, or so that a mark follows the first one somewhere and a mark
    precedes the second one somewhere (see `joined_text`). All forms that a character has in either script count as one. So no page with a
    term is left out, but a page may be read that has none.
    """

    def __init__(self, terms: Iterable[str]) -> None:
        terms, forms = list(terms), _forms()
        codes = [forms[codes_of(term)].tolist() for term in terms]
        #: Whether every page may have a term, as one is known to hold a mark.
        self._reads_all = not all(map(str.isalnum, "".join(terms).translate(dict.fromkeys(map(ord, "-.")))))
        all_codes = sorted({code for term in codes for code in term})
        characters = {code: number for number, code in enumerate(all_codes, _UNSEEN + 1)}
        numbers = np.zeros(CODES, dtype=np.min_scalar_type(len(characters) + _UNSEEN))
        numbers[list(characters)] = list(characters.values())
        self._numbers = numbers[forms]
        self._numbers[codes_of(BEGINS)] = _BEGINS
        self._numbers[codes_of(ENDS)] |= _ENDS
        self._numbers[_unseen()] = _UNSEEN
        self._alone = np.array([characters[term[0]] for term in codes if len(term) == 1], dtype=numbers.dtype)
        longer = [[characters[code] for code in term] for term in codes if len(term) > 1]
        pairs = np.array([pair for term in longer for pair in pairwise(term)], dtype=np.int64).reshape(-1, 2)
        self._base = len(characters) + _UNSEEN + 1
        first, second = pairs[:, 0] * self._base, pairs[:, 1]
        wanted = np.stack([first + second, first + _BEGINS, _ENDS * self._base + second])
        #: The pairs of neighbours to look for; of each pair of a term the places in them of itself, and of its two parts beside marks.
        self._keys, places = np.unique(wanted, return_inverse=True)
        self._places = places.reshape(3, -1)
        self._begins = np.cumsum([0, *(len(term) - 1 for term in longer)])[:-1]

    def __call__(self, wikitexts: Sequence[str]) -> Flags:
        """Return for each page whether it may have a term; many pages at once, so that the work for each is small."""
        joined = [None if self._reads_all else joined_text(wikitext) for wikitext in wikitexts]
        may_have_term = np.array([text is None for text in joined])
        numbers = self._numbers[codes_of("".join(f"{text or ''}\n" for text in joined))]
        ends = np.cumsum([len(text or "") + 1 for text in joined])
        if (unseen := numbers == _UNSEEN).any():
            numbers, ends = numbers[~unseen], ends - np.cumsum(unseen)[ends - 1]
        if self._alone.size:
            found = np.flatnonzero(np.isin(numbers, self._alone))
            may_have_term[np.searchsorted(ends, found, side="right")] = True
        if self._keys.size:
            at = np.flatnonzero((numbers[:-1] > 0) & (numbers[1:] > 0))
            first, second = numbers[at].astype(np.int64), numbers[at + 1].astype(np.int64)
            first[first == _BOTH], second[second == _BOTH] = _ENDS, _BEGINS
            keys = first * self._base + second
            found = np.searchsorted(self._keys, keys)
            wanted = self._keys.take(found, mode="clip") == keys
            there = np.zeros((len(joined), self._keys.size), dtype=bool)
            there[np.searchsorted(ends, at[wanted], side="right"), found[wanted]] = True
            together, before_mark, after_mark = (there[:, places] for places in self._places)
            pairs = together | (before_mark & after_mark)
            may_have_term |= np.logical_and.reduceat(pairs, self._begins, axis=1).any(axis=1)
        return may_have_term


@cache
def _unseen() -> Numbers:
    """Return the characters that show nothing, and NUL."""
    return codes_of("\0" + "".join(INVISIBLE.findall("".join(map(chr, range(CODES)))))).astype(np.int64)


@cache
def _forms() -> Codes:
    """Return for each code point the least of those that conversion to simplified script may put in its place, or that may become it."""
    table, forms = script_table(), np.arange(CODES, dtype=np.uint32)
    changes = [(chr(code), form) for code, form in table.alone.items()] + list(table.varying.items())
    changes += [change for word, form in table.words.items() for change in zip(word, form, strict=True)]
    groups: dict[str, set[str]] = {}
    for before, after in changes:
        group = groups.setdefault(before, {before}) | groups.setdefault(after, {after})
        groups.update(dict.fromkeys(group, group))
    for character, group in groups.items():
        forms[ord(character)] = ord(min(group))
    return forms
