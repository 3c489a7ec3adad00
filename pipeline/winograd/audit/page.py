"""The page of an audit: why each record was kept or rejected, with the trees behind the decision, drawn by spaCy's displaCy."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from markupsafe import Markup

from ...core.errors import PipelineError
from ...core.invisible import visible
from ...core.model import CLASSES, Item, label_counts
from ...core.pages import page_environment
from ...language.parsing.lock import Lock, tree_of
from ...language.parsing.trees import Tree
from ...language.spacy_parts import DependencyRenderer
from ..adjudication.table import ACTIONS, KEPT
from ..analysis import analysis_table
from ..build import FOLLOW, RecordHistory
from ..exclusion.ledger import count_disputed, disputed_line
from ..modifications import TYPES
from .entries import anchor, by_urgency, is_listed, judged_wording
from .gold import LABELS, Score, share


@dataclass(frozen=True, slots=True)
class Figure:
    """The tree that one parser gives the sentence of a target, drawn as SVG, and the rules that matched it."""

    parser: str
    rules: tuple[str, ...]
    svg: Markup


#: What WSC-ZA prints of its own sentences (Table 2): 284 in all; those removed by class, after modification, and those modified by type.
PUBLISHED = {
    "total": 284,
    "ba-object": 6,
    "prenominal-possessor": 20,
    "direct-object": 8,
    "other": 10,
    "rejected": 44,
    "kept": 240,
    "stance-adverbial": 2,
    "copula": 2,
    "predicate": 2,
    "possessor": 8,
    "modified": 14,
}


def draw(histories: Iterable[RecordHistory], locks: Sequence[Lock]) -> dict[str, list[Figure]]:
    """Draw each parser's tree of the listed records that trees decided on.

    Raises:
        PipelineError: a parser cast no vote on a record: the parses are not those of `exclude`.
    """
    figures: dict[str, list[Figure]] = {}
    judged = (history for history in by_urgency(histories) if history.decision.votes)
    for number, history in enumerate(judged, 1):
        assert isinstance(history.record, Item)  # noqa: S101 - a skipped record has no votes
        votes = history.decision.votes
        for place, lock in enumerate(locks, 1):
            tree, target = tree_of(history.record, lock)
            if tree.parser not in votes:
                reason = f"[{history.record.id}] no vote of {tree.parser}; run winoforge exclude with the same parses"
                raise PipelineError(lock.path, None, reason)
            svg = tree_svg(tree, target, f"tree-{number}-{place}")
            figures.setdefault(history.record.id, []).append(Figure(tree.parser, votes[tree.parser], svg))
    return figures


def page(
    name: str,
    histories: Sequence[RecordHistory],
    figures: Mapping[str, Sequence[Figure]],
    *,
    parsers: Sequence[str],
    rules: str,
    score: Score | None = None,
    judged: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """Render the page as HTML that needs no other file and no network.

    Figures, and what raters judged, are by record id. The first of `parsers` is the deciding one.
    """
    disputed = count_disputed((history.decision for history in histories), len(parsers))
    first: dict[str, RecordHistory] = {}
    for history in histories:
        first.setdefault(history.label, history)
    return (
        page_environment()
        .get_template("winograd/audit/page.html.j2")
        .render(
            name=name,
            histories={history.record.id: history for history in histories},
            listed=by_urgency(histories),
            is_listed=is_listed,
            anchor=anchor,
            judged_wording=judged_wording,
            counts=Counter(history.label for history in histories),
            first=first,
            classes=CLASSES,
            kept=KEPT,
            net=Counter(history.outcome for history in histories),
            published=PUBLISHED,
            kept_zeros=[history for history in histories if history.label == KEPT and history.decision.already_zero],
            answers=label_counts(history.record for history in histories if history.label == KEPT),
            figures=figures,
            disputed=disputed,
            disputed_line=disputed_line(disputed),
            parsers=parsers,
            rules=rules,
            score=score,
            by_raters=judged or {},
            labels=LABELS,
            roles=analysis_table(histories[0].record.lang if histories else "zh").roles,
            types=TYPES,
            modified={
                kind: [
                    history for history in histories if history.applied and history.applied.modification.type == kind
                ]
                for kind in TYPES
            },
            share=share,
            people={
                action: [history for history in histories if history.action == action] for action in (*ACTIONS, FOLLOW)
            },
            converted=sum(history.outcome == KEPT for history in histories),
        )
    )


# --- trees ----------------------------------------------------------------------------------------------------------------


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
