"""What must hold of words to count (`TERMS`) and of counts (`COUNTS`); answers are derived again (`derivation`)."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import PipelineError, plural, shown
from ..core.files import lines_of, parse_jsonl, read_text, to_json
from ..core.invisible import INVISIBLE, code_point
from ..core.validation.rows import list_of
from ..core.validation.suite import Row, Suite, Value, described
from ..language import text_checks as texts

Terms = tuple[str, ...]
WINDOWS = "windows"
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
    may_be_empty=True,  # authors need not name words to count
)


# --- counts ------------------------------------------------------------------------------------------------------------


def read_lines(paths: Sequence[Path]) -> list[Row]:
    """Return a row for each line of counts files, named ``windows`` or by its terms.

    Its value has the line's ``keys``, its ``terms`` (none for the windows) and ``count``; whether the windows are ``estimated``;
    whether it is the ``first`` line of its file; ``same``, the other lines with its terms; ``next``, the terms of the next
    line; ``uncounted``, its terms without a line of their own; ``singles``, the counts of its terms alone; ``windows``, all
    windows. Anything missing or not a number is None.

    Raises:
        PipelineError: a line has neither windows nor a list of terms, so it has no name.
    """
    return [row for path in paths for row in _of_file(path)]


def _of_file(path: Path) -> list[Row]:
    lines = [(line, _terms(value, path, line), value) for line, value in parse_jsonl(read_text(path), path)]
    places: dict[Terms, list[int]] = {}
    counts: dict[Terms, int | None] = {}
    for line, terms, value in lines:
        places.setdefault(tuple(sorted(terms)), []).append(line)
        counts.setdefault(terms, _whole(_count(value)))
    following: list[Terms | None] = [*(terms for _, terms, _ in lines[1:]), None]
    rows = []
    for (line, terms, value), after in zip(lines, following, strict=False):  # an empty file has one follower too many
        facts: dict[str, Any] = {
            "keys": list(value),
            "terms": list(terms),
            "count": _count(value),
            "estimated": value.get("estimated"),
            "first": line == lines[0][0],
            "same": [other for other in places[tuple(sorted(terms))] if other != line],
            "next": None if after is None else list(after),
            "uncounted": [term for term in terms if (term,) not in counts],
            "singles": [counts.get((term,)) for term in terms],
            "windows": counts.get(()),
        }
        rows.append(Row(to_json(list(terms)) if "terms" in value else WINDOWS, path, line, facts))
    return rows


def _terms(value: Value, path: Path, line: int) -> Terms:
    terms = value.get("terms", [] if WINDOWS in value else None)
    if not isinstance(terms, list) or not all(isinstance(term, str) for term in terms):
        raise PipelineError(path, line, f"[terms] no terms; found {terms!r}, expected a list of terms, or windows")
    return tuple(terms)


def _count(value: Value) -> object:
    return value.get("count", value.get(WINDOWS))


def _whole(value: object) -> int | None:
    return value if type(value) is int else None


def _joint(value: Value) -> tuple[int, int, int] | None:
    """Return the counts of a pair, of its first term and of its second; None if one of them is unknown."""
    both, singles = _whole(value.get("count")), list_of(value, "singles", int)
    is_pair = len(list_of(value, "terms", str)) == 2 == len(singles)
    return (both, singles[0], singles[1]) if is_pair and both is not None else None


# --- a line by itself ---------------------------------------------------------------------------------------------------


def contract(value: Value) -> str:
    """A line has the windows, which may be an estimate, or one or two terms with their count, and nothing else."""
    keys, terms = list_of(value, "keys", str), list_of(value, "terms", str)
    if (
        keys == [WINDOWS]
        or (keys == [WINDOWS, "estimated"] and value.get("estimated") is True)
        or (keys == ["terms", "count"] and len(terms) in (1, 2))
    ):
        return ""
    return (
        f"found {', '.join(keys)} with {plural(len(terms), 'term')}, expected windows, or terms (one or two) and count"
    )


def positive(value: Value) -> str:
    """A count is a whole number above 0: a term that never occurs has no line, and a corpus has a window."""
    count = _whole(value.get("count"))
    return "" if count is not None and count > 0 else f"found {value.get('count')!r}, expected a whole number above 0"


def words(value: Value) -> str:
    """A term is a word: letters and digits of one script, without blanks."""
    return not_a_word(list_of(value, "terms", str))


def different_terms(value: Value) -> str:
    """The terms of a pair are different."""
    terms = list_of(value, "terms", str)
    return f"found {terms[0]!r} twice" if len(terms) == 2 and terms[0] == terms[1] else ""


def pair_in_order(value: Value) -> str:
    """The terms of a pair are sorted by code point."""
    terms = list_of(value, "terms", str)
    return f"found {terms[0]!r} before {terms[1]!r}" if len(terms) == 2 and terms[0] > terms[1] else ""


# --- a line among those of its file ---------------------------------------------------------------------------------------


def windows_first(value: Value) -> str:
    """The windows are on the first line, and on no other."""
    if value.get("first"):
        return "" if not value["terms"] else "found terms, expected the windows in the first line"
    return "" if value["terms"] else "found windows after the first line, expected terms"


def given_once(value: Value) -> str:
    """No term and no pair is given twice, in any order."""
    same = list_of(value, "same", int)
    return f"found it in line {', '.join(map(str, same))} too, expected it once" if same else ""


def lines_in_order(value: Value) -> str:
    """Terms stand before pairs, and both are sorted by code point."""
    terms, after = value["terms"], value["next"]
    if not terms or not after or (len(terms), terms) <= (len(after), after):
        return ""
    return f"found it before {to_json(after)}, expected terms before pairs, both sorted"


def within_windows(value: Value) -> str:
    """No term and no pair is in more windows than the corpus has."""
    count, windows = _whole(value.get("count")), _whole(value.get("windows"))
    if count is None or windows is None or count <= windows:
        return ""
    return f"found {count}, expected at most {windows}, all windows"


def terms_counted(value: Value) -> str:
    """Both terms of a pair have a count of their own."""
    uncounted = list_of(value, "uncounted", str)
    return f"found no count of {uncounted[0]!r} alone" if uncounted else ""


def joint_within_singles(value: Value) -> str:
    """A pair is in no more windows than each of its terms."""
    counts = _joint(value)
    if counts is None or counts[0] <= min(counts[1:]):
        return ""
    return f"found {counts[0]}, expected at most {min(counts[1:])}, the count of one of its terms alone"


def either_within_windows(value: Value) -> str:
    """The windows with either term of a pair (c + c' less the joint count) are no more than all windows."""
    counts, windows = _joint(value), _whole(value.get("windows"))
    if counts is None or windows is None:
        return ""
    both, first, second = counts
    either = first + second - both
    return "" if either <= windows else f"found {first} + {second} - {both} = {either}, expected at most {windows}"


COUNTS = Suite("counts", "windows of a corpus that hold a term, or two (JSON Lines)", read_lines, {
    "contract": contract,
    "positive-count": positive,
    "words": words,
    "different-terms": different_terms,
    "pair-in-order": pair_in_order,
    "windows-first": windows_first,
    "given-once": given_once,
    "lines-in-order": lines_in_order,
    "within-windows": within_windows,
    "terms-counted": terms_counted,
    "joint-within-singles": joint_within_singles,
    "either-within-windows": either_within_windows,
    "no-invisible-character": described(
        "No invisible character.", lambda value: texts.check_invisible(list_of(value, "terms", str), "")
    ),
    "composed-unicode": described(
        "Unicode's composed form (NFC).", lambda value: texts.check_composed(list_of(value, "terms", str), "")
    ),
}, unique=False)  # fmt: skip
