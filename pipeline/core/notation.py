"""The factored notation of schemas: the target in brackets, the words that differ between the members in braces.

``奖杯放不进箱子，因为[它]太{大|小}了。`` holds two members. A backslash escapes a bracket, brace or bar, full-width ones too.
"""

from .errors import shown
from .model import Span

#: Number of members of a factored text.
MEMBERS = 2
_SPECIAL = "[]{}|\\【】［］｛｝｜"
#: What a Chinese keyboard types for a bracket, and for a brace or a bar.
_WIDE_BRACKETS = {"【": "[", "】": "]", "［": "[", "］": "]"}
_WIDE_BRACES = {"｛": "{", "｝": "}", "｜": "|"}


class FactorError(ValueError):
    """A bracket, brace or bar is unclosed or misplaced."""


def expand(factored: str) -> tuple[str, str]:  # noqa: C901 - a scanner with a branch for each character
    r"""Return the two members of a factored text, their targets still in brackets and their escapes in place.

    >>> expand("因为[它]太{大|小}了。")
    ('因为[它]太大了。', '因为[它]太小了。')

    Raises:
        FactorError: nested or unclosed braces, a bar outside braces, a full-width brace or bar, a number of alternatives that is
            not two.
    """
    members: list[list[str]] = [[], []]  # their characters
    alternatives: list[list[str]] | None = None
    escaped = False
    for place, character in enumerate(factored):
        if character in _WIDE_BRACES and not escaped:
            raise _full_width(character, _WIDE_BRACES[character])
        if escaped or character not in "{}|\\":
            taken, escaped = character, False
        elif character == "\\":
            taken, escaped = character, True
        elif character == "{":
            if alternatives is not None:
                raise FactorError(
                    f"braces do not nest; found a second '{{' at character {place}, expected '}}' before it"
                )
            alternatives = [[]]
            continue
        elif alternatives is None:
            raise FactorError(
                f"stray {character!r} at character {place}; expected it inside braces, or a backslash before it"
            )
        elif character == "|":
            alternatives.append([])
            continue
        else:
            if len(alternatives) != MEMBERS:
                raise FactorError(
                    f"wrong number of alternatives; found {len(alternatives)}, expected {MEMBERS} ({{a|b}})"
                )
            for member, choice in zip(members, alternatives, strict=True):
                member += choice
            alternatives = None
            continue
        for text in members if alternatives is None else alternatives[-1:]:
            text.append(taken)
    if alternatives is not None or escaped:
        raise FactorError(
            "unclosed brace; found the end, expected '}'" if alternatives else "found a backslash at the end"
        )
    return "".join(members[0]), "".join(members[1])


def unbracket(marked: str) -> tuple[str, list[Span]]:
    r"""Return the plain text of one member and the spans of its bracketed targets.

    >>> unbracket(r"因为[它]太大\[！\]")
    ('因为它太大[！]', [Span(start=2, end=3)])

    Raises:
        FactorError: nested or unclosed brackets, or full-width ones.
    """
    plain: list[str] = []
    spans = []
    opened: int | None = None
    escaped = False
    for character in marked:
        if character in _WIDE_BRACKETS and not escaped:
            raise _full_width(character, _WIDE_BRACKETS[character])
        if escaped or character not in "[]\\":
            plain.append(character)
            escaped = False
        elif character == "\\":
            escaped = True
        elif (character == "[") == (opened is not None):
            expected = "']' before it" if opened is not None else "'[' before it"
            raise FactorError(f"unbalanced {character!r} after {shown(''.join(plain))}; expected {expected}")
        elif character == "[":
            opened = len(plain)
        elif opened is not None:
            spans.append(Span(opened, len(plain)))
            opened = None
    if opened is not None:
        raise FactorError("unclosed bracket; found the end, expected ']'")
    return "".join(plain), spans


def _full_width(character: str, meant: str) -> FactorError:
    kind = "bar" if meant == "|" else "bracket" if meant in "[]" else "brace"
    return FactorError(f"full-width {kind}; found {character!r}, expected {meant!r} (or a backslash before it)")


def escape(plain: str) -> str:
    """Return the factored text of `plain`, with its special characters escaped."""
    return "".join(f"\\{character}" if character in _SPECIAL else character for character in plain)


def marked(text: str, target: Span) -> str:
    """Return `text` with its target in brackets, in the notation of schemas.

    >>> marked("因为它太沉了", Span(2, 3))
    '因为[它]太沉了'
    """
    return f"{escape(text[: target.start])}[{escape(target.of(text))}]{escape(text[target.end :])}"
