"""Responses of a language model that is not asked: the candidate whose text is the more probable one.

An item has each candidate in the target's place (Trinh and Le 2018), or each candidate as the answer after the text and its question,
with the zero and with the pronoun.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from ...core.convert import Text, convert_fields
from ...core.errors import PipelineError, errors_at, shown
from ...language.answers.mentions import letter
from ...winograd.forms.substitution import scoring
from ..items import ReleasedItem
from ..predictions import Form
from .encoder_decoder import EncoderDecoder
from .scores import LanguageModel, Normalisation, Score, TextScore, Token, full_score, partial_score

#: The name of the form, and of its file in a release.
FORM = "scoring"
#: In which forms of an item its answer is right, as `right_in_forms` counts them.
RIGHT_IN = ("both", "overt", "zero", "neither")


@dataclass(frozen=True, slots=True)
class _Row:
    """What is read of a row of the form `scoring`; the contexts in both forms are there in a language with zeros."""

    item: str
    candidate: str
    context: Text
    continuation: str
    partial: bool
    context_overt: str | None = None
    context_zero: str | None = None


@dataclass(frozen=True, slots=True)
class ScoringItem:
    """An item as it is scored."""

    entry: ReleasedItem
    contexts: tuple[str, ...]  # the text up to the candidate and with it, for each candidate in the item's own order
    continuations: tuple[str, ...]  # what follows each of them
    partial: bool  # whether the continuation has a word, so that there is a partial score

    @property
    def texts(self) -> tuple[str, ...]:
        """The whole text for each candidate."""
        return tuple(map("".join, zip(self.contexts, self.continuations, strict=True)))


def scoring_items(
    lines: Sequence[tuple[int, Mapping[str, Any]]], path: Path, items: Sequence[ReleasedItem]
) -> list[ScoringItem]:
    """Return the items that have texts to score, in the order of the release; one without a row is left out.

    Args:
        lines: line and row of the release's form `scoring`; if there is none, as for templates, the form is made here.

    Raises:
        PipelineError: a row is malformed or of no item of the release; or the rows of an item are not those of its candidates.
    """
    rows = _rows_by_item(lines or list(enumerate(scoring(entry.item for entry in items).rows, 1)), path, items)
    return [_scoring_item(entry, rows[entry.item.id], path) for entry in items if entry.item.id in rows]


def _rows_by_item(
    lines: Sequence[tuple[int, Mapping[str, Any]]], path: Path, items: Sequence[ReleasedItem]
) -> dict[str, list[tuple[int, _Row]]]:
    known = {entry.item.id for entry in items}
    rows: dict[str, list[tuple[int, _Row]]] = {}
    for line, fields in lines:
        with errors_at(path, line):
            row = convert_fields(fields, _Row)
        if row.item not in known:
            reason = f"[item] unknown id; found {shown(row.item)}, expected one of the {len(known)} of the release"
            raise PipelineError(path, line, reason)
        rows.setdefault(row.item, []).append((line, row))
    return rows


def _scoring_item(entry: ReleasedItem, rows: Sequence[tuple[int, _Row]], path: Path) -> ScoringItem:
    names = entry.item.candidates
    contexts: dict[str, str] = {}
    for line, row in rows:
        if row.candidate not in names or row.candidate in contexts:
            expected = f"expected each of {shown(list(names))} once"
            raise PipelineError(path, line, f"[candidate] wrong candidate; found {shown(row.candidate)}, {expected}")
        contexts[row.candidate] = row.context
    last, row = rows[-1]
    continuations = {row.continuation for _, row in rows}
    if len(contexts) < len(names) or len(continuations) > 1:
        mismatch = f"found {len(contexts)} candidates and {len(continuations)} continuations of {entry.item.id}"
        raise PipelineError(path, last, f"[continuation] not one item; {mismatch}, expected {len(names)} and 1")
    return ScoringItem(entry, tuple(contexts[name] for name in names), (row.continuation,) * len(names), row.partial)


def answer_items(
    lines: Sequence[tuple[int, Mapping[str, Any]]], path: Path, items: Sequence[ReleasedItem], form: Form
) -> list[ScoringItem]:
    """Return the items with the text and its question as the context of each candidate, in the order of the release.

    They are the texts of the tasks `zero_answer` and `overt_answer` of a release. An item without a row is left out.

    Args:
        lines: line and row of the release's form `scoring`.

    Raises:
        PipelineError: a row has no context in this form or is of no item of the release, or the rows of an item have two contexts.
    """
    field = f"context_{form}"
    if not lines or field not in lines[0][1]:
        found = f"a row without {field}" if lines else "no such file"
        reason = f"no texts in both forms; found {found}, expected questions, of a language with zeros"
        raise PipelineError(path, None, f"[answer-score] {reason}")
    rows = _rows_by_item(lines, path, items)
    contexts: dict[str, str] = {}
    for item_id, of_item in rows.items():
        for line, row in of_item:
            context = row.context_zero if form == "zero" else row.context_overt
            if not context or contexts.setdefault(item_id, context) != context:
                expected = f"expected {shown(contexts.get(item_id, 'a text'))} in each row of {item_id}"
                raise PipelineError(path, line, f"[{field}] another context; found {shown(context)}, {expected}")
    return [_answer_item(entry, contexts[entry.item.id]) for entry in items if entry.item.id in contexts]


def _answer_item(entry: ReleasedItem, context: str) -> ScoringItem:
    names = entry.item.candidates
    blank = "" if entry.item.lang.startswith("zh") else " "
    return ScoringItem(entry, (context,) * len(names), tuple(f"{blank}{name}" for name in names), partial=True)


def right_in_forms(rows: Iterable[Mapping[str, Any]], items: Iterable[ReleasedItem]) -> dict[str, dict[str, int]]:
    """Return the number of items, and of pairs with both members right, by the forms in which a model is right (`RIGHT_IN`).

    Of the responses in one mode, those to an item in one form only are left out, and pairs with such an item.
    """
    by_id = {entry.item.id: entry.item for entry in items}
    right: dict[str, dict[str, bool]] = {}
    for row in rows:
        answer = letter(by_id[row["id"]].answer)
        right.setdefault(row["id"], {})[row["form"]] = row["answer"] == answer
    schemas: dict[str, list[dict[str, bool]]] = {}
    for item in by_id.values():
        schemas.setdefault(item.schema, []).append(right.get(item.id, {}))
    whole = [members for members in schemas.values() if len(members) == 2 and all(map(_both, members))]
    pairs = ({form: all(member[form] for member in members) for form in ("overt", "zero")} for members in whole)
    return {"items": _counts(given for given in right.values() if _both(given)), "pairs": _counts(pairs)}


def _both(given: Mapping[str, bool]) -> bool:
    return given.keys() >= {"overt", "zero"}


def _counts(given: Iterable[Mapping[str, bool]]) -> dict[str, int]:
    names = {(True, True): "both", (True, False): "overt", (False, True): "zero", (False, False): "neither"}
    counts = Counter(names[forms["overt"], forms["zero"]] for forms in given)
    return {name: counts[name] for name in RIGHT_IN}


#: What is scored: the whole text, what follows the candidate, or the candidate as the answer to the question.
ScoringMode = Literal["full-score", "partial-score", "answer-score"]
SCORING_MODES: tuple[ScoringMode, ...] = get_args(ScoringMode)
#: The mode that needs the probability of the whole text.
WHOLE: ScoringMode = "full-score"
#: The mode whose texts are not the same for zero and pronoun.
OF_BOTH_FORMS: ScoringMode = "answer-score"
#: Decimals of a score in a file; scores that are equal after rounding are a tie.
DECIMALS = 4
#: Number of items that are scored before the next ones are read.
_CHUNK = 32


@dataclass
class ScoredItems:
    """The responses of a model."""

    form: Form = "overt"  # the form under which the answers are reported
    #: The lines of the file of responses, for each item one of each mode.
    rows: list[dict[str, Any]] = field(default_factory=list)
    #: For each mode, the number of items of which no candidate is the best one; they have an empty answer.
    ties: dict[str, int] = field(default_factory=dict)
    #: For each way of finding the continuation, the number of texts for which it was used.
    boundaries: dict[str, int] = field(default_factory=dict)
    #: For each mode, the ids of the items that have no score: nothing follows the candidate, or the interface does not tell where
    #: the candidate ends.
    unscored: dict[str, list[str]] = field(default_factory=dict)


def mode_name(mode: ScoringMode, normalisation: Normalisation) -> str:
    """Return the name of a mode in a file of responses.

    >>> mode_name("full-score", "none"), mode_name("full-score", "tokens")
    ('full-score', 'full-score-per-token')
    """
    return mode if normalisation == "none" else f"{mode}-per-{normalisation.removesuffix('s')}"


def score_items(
    items: Sequence[ScoringItem],
    model: LanguageModel | EncoderDecoder,
    modes: Sequence[ScoringMode],
    normalisation: Normalisation = "none",
    form: Form = "overt",
) -> ScoredItems:
    """Return the responses of a model to items; one with an encoder has no full score, since it does not write the context.

    The texts of full and partial scores are the same for both forms, since the candidate stands in the place of the pronoun or of the
    zero: `form` is the one under which their answers are reported.
    """
    result = ScoredItems(
        form=form,
        ties={mode_name(mode, normalisation): 0 for mode in modes},
        boundaries={"prefix": 0, "offsets": 0},
        unscored={mode_name(mode, normalisation): [] for mode in modes},
    )
    for item, wholes, contexts in _scored(items, model, set(modes) != {"full-score"}):
        for mode in modes:
            name = mode_name(mode, normalisation)
            scores = _scores(item, wholes, contexts, mode)
            if scores is None:
                result.unscored[name].append(item.entry.item.id)
                continue
            for score in scores:
                if score.boundary:
                    result.boundaries[score.boundary] += 1
            values = [round(score.normalised(normalisation), DECIMALS) for score in scores]
            answer = best(values)
            result.ties[name] += not answer
            row: dict[str, Any] = {
                "id": item.entry.item.id,
                "model": model.name,
                "mode": name,
                "form": form,
                "order": "written",
            }
            row |= {"answer": answer, "scores": values, "prompt": "\n".join(item.texts)}
            row["prompt_tokens"] = sum(len(whole.tokens) for whole in wholes)
            if mode != "full-score":
                row["boundary"] = [score.boundary for score in scores]
            result.rows.append(row)
    return result


def best(scores: Sequence[float]) -> str:
    """Return the letter of the greatest score; empty if it is that of several candidates.

    >>> best([-3.0, -2.5]), best([-3.0, -3.0])
    ('B', '')
    """
    top = max(scores)
    return letter(scores.index(top)) if scores.count(top) == 1 else ""


def _scored(
    items: Sequence[ScoringItem], model: LanguageModel | EncoderDecoder, partial: bool
) -> Iterator[tuple[ScoringItem, list[TextScore], list[tuple[Token, ...]]]]:
    """Yield each item with the scores of its texts and, if wanted, the tokens of its contexts."""
    for start in range(0, len(items), _CHUNK):
        chunk = items[start : start + _CHUNK]
        texts = [text for item in chunk for text in item.texts]
        if isinstance(model, EncoderDecoder):
            continuations = [text for item in chunk for text in item.continuations]
            wholes = iter(model.score_after([text for item in chunk for text in item.contexts], continuations))
        else:
            wholes = iter(model.score(texts))
        contexts = iter(model.tokenise([text for item in chunk for text in item.contexts]) if partial else ())
        for item in chunk:
            size = range(len(item.contexts))
            yield item, [next(wholes) for _ in size], [next(contexts) for _ in size] if partial else []


def _scores(
    item: ScoringItem, wholes: Sequence[TextScore], contexts: Sequence[tuple[Token, ...]], mode: ScoringMode
) -> list[Score] | None:
    """Return the score for each candidate; None if one has none, or the scores are of different things."""
    if mode == "full-score":
        # Without a sign that begins the text, the first token has no probability: no loss where it is the same for all.
        lacking = {whole.tokens[0] for whole in wholes if whole.logprobs[0] is None}
        return [full_score(whole) for whole in wholes] if len(lacking) < 2 else None
    if not item.partial:
        return None
    scores = [
        partial_score(whole, context, tokens)
        for whole, context, tokens in zip(wholes, item.contexts, contexts, strict=True)
    ]
    return None if None in scores else [score for score in scores if score]


def summary(scored: ScoredItems, items: Sequence[ScoringItem]) -> dict[str, Mapping[str, int]]:
    """Return, for each mode, how many items were scored, right, tied and not scored."""
    answers = {item.entry.item.id: letter(item.entry.item.answer) for item in items}
    return {
        mode: {
            "scored": sum(row["mode"] == mode for row in scored.rows),
            "right": sum(row["mode"] == mode and row["answer"] == answers[row["id"]] for row in scored.rows),
            "ties": scored.ties[mode],
            "unscored": len(scored.unscored[mode]),
        }
        for mode in scored.ties
    }
