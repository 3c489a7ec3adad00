"""Responses of a language model that is not asked: the candidate whose text is the more probable one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from ...language.answers.mentions import letter
from ..predictions import Form
from .encoder_decoder import EncoderDecoder
from .scores import LanguageModel, Normalisation, Score, TextScore, Token, full_score, partial_score
from .texts import ScoringItem

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
