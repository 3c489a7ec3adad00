"""Dependency trees as inline SVG, drawn by spaCy's displaCy."""

from collections.abc import Sequence
from html import escape
from typing import Any

from markupsafe import Markup

from ...core.invisible import visible
from ...language.parsing.trees import Tree
from ...language.spacy_parts import DependencyRenderer

#: Pixels between the centres of two words, enough for the longest relation names; a level has a sixth of it as its height.
_DISTANCE = 108
#: Pixels from the arrows' feet to the baseline of the words, and to the lower edge of the tags.
_WORDS, _TAGS = 24, 70
#: Pixels between the box of the target and its neighbours.
_MARGIN = 12


class _Compact(DependencyRenderer):
    """displaCy's compact drawing, made deterministic and safe.

    `displacy.render` names each drawing at random, breaks ties between arcs by the order of a set, does not escape tags and
    labels, and leaves two thirds of a compact drawing's height empty.
    """

    def __init__(self, target: int) -> None:
        super().__init__({"compact": True, "distance": _DISTANCE, "offset_x": _DISTANCE // 2, "word_spacing": _WORDS})
        self.target = target

    def get_levels(self, arcs: list[dict[str, Any]]) -> dict[tuple[int, int, str], int]:
        """Return the level of each arc: above the shorter arcs that it crosses; of equal arcs the left one is lower."""
        tops = [0] * max((arc["end"] for arc in arcs), default=0)
        levels = {}
        for arc in sorted(arcs, key=lambda arc: (arc["end"] - arc["start"], arc["start"], arc["label"])):
            below = slice(arc["start"], arc["end"])
            level = max(tops[below]) + 1
            tops[below] = [level] * (arc["end"] - arc["start"])
            levels[(arc["start"], arc["end"], arc["label"])] = level
        return levels

    def render_word(self, text: str, tag: str, lemma: str | None, i: int) -> str:
        """Return one word with its tag; the target has a box around it."""
        word = super().render_word(text, tag, lemma, i)
        if i != self.target:
            return word
        place = f'x="{i * _DISTANCE + _MARGIN}" y="{self.offset_y + 3}"'
        size = f'width="{_DISTANCE - 2 * _MARGIN}" height="{_TAGS - 6}"'
        box = f'<rect class="displacy-target" {place} {size} rx="6"/>'
        return box + word.replace('class="displacy-token"', 'class="displacy-token displacy-target-token"', 1)

    def drawing(self, name: str, label: str, words: Sequence[dict[str, Any]], arcs: list[dict[str, Any]]) -> str:
        """Return the SVG element; `label` is its text alternative."""
        self.id = name
        self.levels = self.get_levels(arcs)
        self.highest_level = max(self.levels.values(), default=0)
        self.offset_y = self.highest_level * _DISTANCE / 6 + self.arrow_stroke
        width, height = len(words) * _DISTANCE, self.offset_y + _TAGS
        parts = [self.render_word(word["text"], word["tag"], None, index) for index, word in enumerate(words)]
        for index, arc in enumerate(arcs):
            parts.append(self.render_arrow(arc["label"], arc["start"], arc["end"], arc["dir"], index))
        content = "".join(line.strip() for part in parts for line in part.splitlines())
        return (
            f'<svg class="displacy" id="{name}" role="img" aria-label="{label}"'
            f' width="{width}" height="{height}" viewBox="0 0 {width} {height}">{content}</svg>'
        )


def tree_svg(tree: Tree, target: int, name: str) -> Markup:
    """Draw a tree as an SVG element, with all data escaped; the same tree gives the same bytes.

    Args:
        tree: the parse.
        target: the index of the token to highlight.
        name: the id of the element, unique in its page; letters, digits and hyphens. It begins each id inside the element.
    """
    # displaCy escapes the text only.
    words = [{"text": visible(token.form), "tag": _safe(token.upos)} for token in tree.tokens]
    arcs = [
        {
            "start": min(index, token.head),
            "end": max(index, token.head),
            "label": _safe(token.relation),
            "dir": "left" if index < token.head else "right",
        }
        for index, token in enumerate(tree.tokens)
        if token.head not in (None, index)
    ]
    return Markup(_Compact(target).drawing(name, _safe(describe(tree)), words, arcs))  # noqa: S704 - escaped above


def describe(tree: Tree) -> str:
    """Return the tree as text, for readers who cannot see it: each word with its tag, relation and head."""
    heads = ["" if token.head is None else f" of {tree.tokens[token.head].form}" for token in tree.tokens]
    return "; ".join(
        f"{token.form} {token.upos}, {token.relation}{head}" for token, head in zip(tree.tokens, heads, strict=True)
    )


def _safe(text: str) -> str:
    return escape(visible(text))
