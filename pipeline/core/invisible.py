"""Invisible characters: the one set that checks refuse and pages write out.

The set holds what a reader cannot see, or cannot tell from something else: control and format characters (Unicode's general
categories Cc and Cf), line and paragraph separators (Zl, Zp), halves of surrogate pairs (Cs), private use (Co), noncharacters,
all of Default_Ignorable_Code_Point (variation selectors and fillers among them), and the blank Braille pattern. It leaves out
the 13 format characters that are visible signs (Prepended_Concatenation_Mark, such as U+06DD). Blanks (Zs) are not in it:
`language.text_checks` has a check of their own. Zero-width joiners have no exception, since no language with a question table
spells with them. The ranges are written out, so that the set does not depend on the Unicode version of the Python that runs.
"""

import re

_NONCHARACTERS = "".join(f"{chr(plane + 0xFFFE)}-{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
#: Matches one invisible character.
INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u2800\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff"
    f"{_NONCHARACTERS}]"
)
#: Tab and line feed, which lay out a page and do no harm there.
_LAYOUT = "\t\n"


def code_point(character: str) -> str:
    """Return the name of a character's code point, such as ``U+200B``."""
    return f"U+{ord(character):04X}"


def visible(text: str) -> str:
    r"""Return `text` with its invisible characters written out, except tabs and line feeds.

    >>> visible("a\u202eb")
    'a⟨U+202E⟩b'
    """
    return INVISIBLE.sub(lambda match: match[0] if match[0] in _LAYOUT else f"⟨{code_point(match[0])}⟩", text)


def one_line(text: str) -> str:
    r"""Return `text` as a line that a terminal shows as it is: without line ends, its invisible characters written out.

    >>> one_line("a\nb\x1b[31m")
    'a b⟨U+001B⟩[31m'
    """
    return visible(" ".join(text.splitlines()))
