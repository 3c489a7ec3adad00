"""The labelled examples of one-shot and few-shot prompts, from raw/evaluation.

Each is a schema: of its two members, the first has the first candidate as its answer, the second the other one. So a prompt can
have an example with either letter as its solution.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ...core.errors import PipelineError, shown
from ...core.files import require_unique
from ...core.model import Item
from ...core.notation import FactorError, expand, unbracket
from ...core.rules import RULES
from ...core.yamlfile import kind_of, line_of, load_yaml, mapping_of, require_mapping, text_of, texts_of
from ...winograd.zero_forms import ZERO
from ..items import ReleasedItem

#: Number of examples of a few-shot prompt (WSC-ZA 4.1.2).
FEW = 3
#: The file, in the repository or in an installed package.
FILE = RULES.parent / "raw" / "evaluation" / "demonstrations.yaml"
_LANGUAGES = ("en", "zh")
_FIELDS = frozenset({"text", "question", "candidates", "answers"})


@dataclass(frozen=True, slots=True)
class Demonstration:
    """An example in one language: its two members, by the candidate that is right."""

    first: ReleasedItem
    second: ReleasedItem

    def with_answer(self, index: int) -> ReleasedItem:
        """Return the member whose right candidate has an index, 0 or 1."""
        return (self.first, self.second)[index]


@cache
def demonstrations() -> Mapping[str, tuple[Demonstration, ...]]:
    """Return the examples of each language, in the order in which few-shot prompts show them; a one-shot prompt shows the last.

    Raises:
        PipelineError: the file is malformed, or an example is not a schema: one target, two candidates before it, each the answer
            of one member.
    """
    nodes = load_yaml(FILE)
    if not isinstance(nodes, list) or len(nodes) != FEW:
        count = len(nodes) if isinstance(nodes, list) else kind_of(nodes)
        raise PipelineError(FILE, 1, f"[yaml] found {count}, expected a list of {FEW} examples")
    ids: dict[str, int | None] = {}
    for index, node in enumerate(nodes):
        if not isinstance(node, dict):
            raise PipelineError(
                FILE, line_of(nodes, index), f"[yaml] wrong kind; found {kind_of(node)}, expected a mapping"
            )
        require_mapping(node, FILE, required=frozenset({"id", *_LANGUAGES}))
        require_unique(ids, text_of(node, "id", FILE), FILE, line_of(node, "id"))
    return {
        lang: tuple(
            _demonstration(mapping_of(node, lang, FILE, required=_FIELDS), f"{node['id']}-{lang}", lang)
            for node in nodes
        )
        for lang in _LANGUAGES
    }


def _demonstration(node: Any, name: str, lang: str) -> Demonstration:
    candidates, answers = texts_of(node, "candidates", FILE), texts_of(node, "answers", FILE)
    if len(candidates) != 2:
        reason = f"[candidates] found {len(candidates)}, expected two"
        raise PipelineError(FILE, line_of(node, "candidates"), reason)
    if answers != candidates:
        reason = f"[answers] found {shown(answers)}, expected {shown(candidates)}: each candidate is right once"
        raise PipelineError(FILE, line_of(node, "answers"), reason)
    texts, questions = (_members(node, key) for key in ("text", "question"))
    members = [
        _member(node, f"{name}-{letter}", lang, text, question, tuple(candidates), answer)
        for answer, (letter, text, question) in enumerate(zip("ab", texts, questions, strict=True))
    ]
    return Demonstration(members[0], members[1])


def _members(node: Any, key: str) -> tuple[str, str]:
    """Return the members of a factored text, which differ."""
    text = text_of(node, key, FILE)
    try:
        first, second = expand(text)
    except FactorError as error:
        raise PipelineError(FILE, line_of(node, key), f"[{key}] {error}") from error
    if first == second:
        raise PipelineError(
            FILE, line_of(node, key), f"[{key}] members alike; found {shown(text)}, expected {{a|b}} in it"
        )
    return first, second


def _member(
    node: Any, name: str, lang: str, marked: str, question: str, candidates: tuple[str, ...], answer: int
) -> ReleasedItem:
    line = line_of(node, "text")
    try:
        text, spans = unbracket(marked)
    except FactorError as error:
        raise PipelineError(FILE, line, f"[text] {error}") from error
    if len(spans) != 1 or not spans[0].length:
        reason = f"[text] found {len(spans)} targets in brackets, expected one"
        raise PipelineError(FILE, line, reason)
    (target,) = spans
    for candidate in candidates:
        if candidate not in text[: target.start]:
            raise PipelineError(FILE, line, f"[text] no mention before the target; expected {shown(candidate)} there")
    item = Item(
        id=name,
        schema=name[:-2],
        version=name[-1],
        lang=lang,
        text=text,
        target=target,
        candidates=candidates,
        answer=answer,
        question=question,
        source=FILE.name,
        note="",
    )
    zero = f"{text[: target.start]}{ZERO}{text[target.end :]}" if lang == "zh" else ""
    return ReleasedItem(item, zero, {})
