"""Search documents for the canary of a release, and for its items by n-grams of characters."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...core.errors import first_names
from ...core.pages import page_environment
from ..items import ReleasedItem

#: Length of an n-gram in characters where a text has no blanks between words, and elsewhere.
N_WITHOUT_BLANKS, N_WITH_BLANKS = 13, 50
#: An item counts as found if this share of its n-grams occurs, as in Llama 2's analysis (Touvron et al. 2023, section A.6: "dirty").
FOUND = 0.8
#: Length of the n-grams of words that evaluators of English split at blanks (Brown et al. 2020, appendix C).
N_OF_WORDS = 13
#: Maximum number of items in the page's table of n-grams; those with the greatest shares come first.
SHOWN = 50
_SIGNS = re.compile(r"[\W_]+")
#: The UUID in a canary.
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass
class Findings:
    """What was found in documents."""

    documents: int = 0
    characters: int = 0  # their length, with blanks and punctuation
    canaries: int = 0  # the number of documents with the canary
    first: int = 0  # the number of the first one, from 1; 0 without one
    grams: set[str] = field(default_factory=set)  # the items' n-grams that occur


@dataclass(frozen=True, slots=True)
class GramFigures:
    """What share of each item's n-grams occurs."""

    n: int  # their length in characters
    items: Mapping[str, float]  # the share of each item, the greater one of its forms
    short: int  # number of items without an n-gram
    mean: float | None  # mean of the shares, None without any
    found: Sequence[str]  # the items with a share of `FOUND` or more
    #: Number of items that have `N_OF_WORDS` words if they are cut at blanks, as is usual for English: Chinese has no blanks, so
    #: that such an n-gram would never be found.
    with_n_grams_of_words: int


@dataclass(frozen=True, slots=True)
class Contamination:
    """The figures of a release: what was searched for, by file what was found, and the reason for each search that was not made."""

    release: str
    items: int
    canary: str
    corpora: Mapping[str, Findings]
    n_grams: GramFigures | None
    outputs: Mapping[str, Findings]
    not_computed: Mapping[str, str]

    @property
    def signs(self) -> list[str]:
        """A line for each sign of contamination."""
        lines = [
            f"{file}: [canary] the canary stands in {counts.canaries} of {counts.documents} documents, first in number {counts.first}"
            for file, counts in (*self.corpora.items(), *self.outputs.items())
            if counts.canaries
        ]
        if self.n_grams and (found := self.n_grams.found):
            lines.append(
                f"[n-grams] {len(found)} of {len(self.n_grams.items)} items are in the corpora: {first_names(found)}"
            )
        return lines


def search_documents(documents: Iterable[str], canary: str, grams: frozenset[str], n: int) -> Findings:
    """Search documents for a canary and for n-grams.

    Args:
        documents: the documents; an n-gram does not reach over the end of one.
        canary: the line that identifies a release; empty if it has none. Of a line with a UUID, the UUID is sought.
        grams: the n-grams, of letters and digits only (see `letters`).
        n: their length in characters.
    """
    result, key = Findings(), canary_key(canary)
    for document in documents:
        result.documents += 1
        result.characters += len(document)
        if key and key in document.casefold():
            result.canaries += 1
            result.first = result.first or result.documents
        if grams:
            text = letters(document)
            result.grams.update({text[at : at + n] for at in range(len(text) - n + 1)} & grams)
    return result


def canary_key(canary: str) -> str:
    """Return what is sought of a canary: its UUID, or else all of it, in lower case.

    >>> canary_key("Test data: 6A898382-edbe-42e1-b1ed-4f477147875a.")
    '6a898382-edbe-42e1-b1ed-4f477147875a'
    """
    match = _UUID.search(canary)
    return (match[0] if match else canary.strip()).casefold()


def letters(text: str) -> str:
    """Return the letters and digits of a text, which is what n-grams are made of: blanks and punctuation vary between copies.

    >>> letters("老汤 说：“ＯＫ。”")
    '老汤说ok'
    """
    return _SIGNS.sub("", unicodedata.normalize("NFKC", text).casefold())


def grams_of(text: str, n: int) -> frozenset[str]:
    """Return the n-grams of characters of a text; none if it is shorter.

    >>> sorted(grams_of("怕淋雨。", 2))
    ['怕淋', '淋雨']
    """
    kept = letters(text)
    return frozenset(kept[at : at + n] for at in range(len(kept) - n + 1))


def all_grams(items: Iterable[ReleasedItem], n: int) -> frozenset[str]:
    """Return the n-grams of items, in either form."""
    return frozenset().union(*(grams_of(form, n) for entry in items for form in _forms(entry)))


def _forms(entry: ReleasedItem) -> Iterator[str]:
    """Yield the text with its overt target, and that with the target left out."""
    yield entry.item.text
    yield entry.text_zero.replace("Ø", "")


def gram_figures(items: Iterable[ReleasedItem], occurring: Iterable[str], n: int) -> GramFigures:
    """Return what share of each item's n-grams occurs."""
    known, shares, short, with_words = set(occurring), dict[str, float](), 0, 0
    for entry in items:
        of_forms = [grams for form in _forms(entry) if (grams := grams_of(form, n))]
        if of_forms:
            shares[entry.item.id] = max(len(grams & known) / len(grams) for grams in of_forms)
        else:
            short += 1
        with_words += len(entry.item.text.split()) >= N_OF_WORDS
    mean = sum(shares.values()) / len(shares) if shares else None
    found = [item_id for item_id, share in shares.items() if share >= FOUND]
    return GramFigures(n, shares, short, mean, found, with_words)


def page(figures: Contamination) -> str:
    """Return the figures as an HTML page that needs no other file and no network."""
    shares = figures.n_grams.items if figures.n_grams else {}
    ranked = sorted(
        ((item_id, share) for item_id, share in shares.items() if share), key=lambda pair: (-pair[1], pair[0])
    )
    return (
        page_environment()
        .get_template("evaluation/contamination/page.html.j2")
        .render(figures=figures, ranked=ranked[:SHOWN], occurring=len(ranked), limit=FOUND, words=N_OF_WORDS)
    )
