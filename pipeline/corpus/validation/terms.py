"""Terms to count: what must hold of each, in a file of their own and in counts and answers."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

from ...core.errors import shown
from ...core.files import lines_of, read_text
from ...core.invisible import INVISIBLE, code_point
from ...core.validation.suite import Row, Suite, Value
from ...language import text_checks as texts

#: Signs that a word may have besides letters and digits: some inside only (T-shirt, l'eau), some anywhere (C++).
_INSIDE = "-'’.·・&/"
_SIGNS = f"{_INSIDE}+#%"
#: Scripts that stand together in one word; the name of a character begins with its script.
_TOGETHER = frozenset(["CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "LATIN"])
_IDEOGRAPH = re.compile("[\u3400-\u9fff]")


def not_a_word(terms: Iterable[object]) -> str:
    """Return why one of some terms is no word, or an empty string."""
    for term in terms:
        if not isinstance(term, str) or term.split() != [term]:
            return f"found {shown(term)}, expected a word without blanks"
        if not any(map(str.isalnum, term)):
            return f"found {shown(term)}, expected a word with a letter or a digit"
        # invisible characters and decomposed letters have expectations of their own
        plain = unicodedata.normalize("NFC", INVISIBLE.sub("", term))
        ends = {sign for sign in (plain[:1], plain[-1:]) if sign in _INSIDE}
        odd = next((sign for sign in plain if sign in ends or not (sign.isalnum() or sign in _SIGNS)), "")
        if odd and not (unicodedata.combining(odd) and not _IDEOGRAPH.search(plain)):
            return f"found {code_point(odd)} in {shown(term)}, expected letters and digits"
        if unicodedata.normalize("NFKC", plain) != plain:
            return f"found {shown(term)}, expected {unicodedata.normalize('NFKC', plain)!r}"
        scripts = {unicodedata.name(letter, "?").split()[0] for letter in plain if letter.isalpha()}
        if len(scripts) > 1 and scripts - _TOGETHER:
            return f"found {shown(term)}, expected letters of one script, not {' and '.join(sorted(scripts))}"
    return ""


def term_rows(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each line of files of terms: the ``term``, and the ``lang`` if most are Chinese."""
    rows = []
    for path in paths:
        lines = lines_of(read_text(path))
        chinese = sum(bool(_IDEOGRAPH.search(line)) for line in lines) > len(lines) / 2
        for number, term in enumerate(lines, 1):
            value = {"term": term, "lang": "zh" if chinese else ""}
            rows.append(Row(term or f"line {number}", path, number, value))
    return rows


def word(value: Value) -> str:
    """A line is a word: letters and digits of one script, without blanks."""
    return not_a_word([value.get("term")])


TERMS = Suite(
    "terms",
    "terms to count, one a line (terms.txt)",
    term_rows,
    {
        "words": word,
        **{
            name: check
            for name, check in texts.checks("term").items()
            if name in ("no-invisible-character", "composed-unicode", "simplified-script")
        },
    },
)
