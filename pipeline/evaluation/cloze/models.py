"""Language models that can be asked about a gap, masked and causal ones, and the tokens of a word in it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.errors import PipelineError, shown
from ...language.pronoun_classes import GAP
from ..scoring.local import LoadedModel, LocalModel, read_model
from .items import ClozeItem
from .results import OTHER, TOP, GapScores, Token


@dataclass(frozen=True, slots=True)
class FilledGap:
    """The tokens of a text whose gap is filled: those before the word, the word's own, those after it."""

    left: tuple[int, ...]
    word: tuple[int, ...]
    right: tuple[int, ...]

    @property
    def all(self) -> tuple[int, ...]:
        """All tokens of the text."""
        return (*self.left, *self.word, *self.right)


def filled_gap(tokenizer: Any, item: ClozeItem, word: str, *, special: bool = True) -> FilledGap:
    """Return the tokens of an item with a word in its gap; `special` adds those that the tokenizer puts around a text.

    The text is tokenised as a whole, so that the word has the tokens that it has in a running text: a byte-level vocabulary of RoBERTa
    writes the blank before a word into its first token. A token belongs to the word if it covers a character of it, or the blank before it.
    """
    encoded = tokenizer(item.text(word), return_offsets_mapping=True, add_special_tokens=special)
    start, end = len(item.left), len(item.left) + len(word)
    start -= item.left[-1:].isspace()
    inside = [index for index, (first, last) in enumerate(encoded["offset_mapping"]) if first < end and last > start]
    if not inside:
        raise ValueError(f"[gap] no token of the model for a word; found {shown(word)} in {shown(item.text(word))}")
    tokens = tuple(encoded["input_ids"])
    return FilledGap(tokens[: inside[0]], tokens[inside[0] : inside[-1] + 1], tokens[inside[-1] + 1 :])


def variants_in_gap(tokenizer: Any, item: ClozeItem, *, special: bool = True) -> dict[str, FilledGap]:
    """Return the tokens of an item with each variant in its gap, by the variant as rules/cloze writes it.

    A word with an unknown token is left out; raises `ValueError` if that is a pronoun.
    """
    gaps: dict[str, FilledGap] = {}
    for word in item.classes.words():
        gap = filled_gap(tokenizer, item, item.as_written(word), special=special)
        if tokenizer.unk_token_id is None or tokenizer.unk_token_id not in gap.word:
            gaps[word] = gap
    for word in item.classes.pronouns.values():
        if word not in gaps:
            raise ValueError(
                f"[vocabulary] the model cannot write a pronoun; found no token for {shown(item.as_written(word))}"
            )
    return gaps


#: Maximum number of scores that a model puts out at once (0.5 GB as 32-bit numbers); longer and more texts are divided.
MAX_OUTPUT = 2**27


class MaskedModel(LoadedModel):
    """A masked language model with its fast tokenizer, which has a mask."""

    def scores(self, item: ClozeItem) -> GapScores:
        """Return what the model gives to the words in the gap of an item.

        A word of one token has its softmax score over the vocabulary in place of one mask. A word of m tokens stands in place of m
        masks; its log-probability is the sum over its tokens, from left to right, of each one's log-probability where the tokens before
        it are filled in, and it and those after it are masked. That is the pseudo-log-likelihood of Salazar et al. (2020, Masked
        Language Model Scoring) with the word's later tokens masked too (Kauf and Ivanova 2023, A Better Way to Do Masked Language Model
        Scoring), as otherwise a rare word is predicted from its own rest. That the word has m tokens is given: beside a word of one
        token such a score tends to be too high. `GapScores.pieces` shows which words have several.

        Raises:
            ValueError: the item cannot be scored (`variants_in_gap`), or is too long; or a token spans the gap and the text beside it.
        """
        gaps = variants_in_gap(self.tokenizer, item)
        if len({(gap.left, gap.right) for gap in gaps.values()}) > 1:
            around = shown(f"{item.left[-10:]}{GAP}{item.right[:10]}")
            raise ValueError(f"[gap] a token of the model spans the gap and the text beside it; found {around}")
        words: dict[str, float] = {}
        for size in sorted({len(gap.word) for gap in gaps.values()}):
            words |= self._words({word: gap for word, gap in gaps.items() if len(gap.word) == size})
        first = next(iter(gaps.values()))
        logs = self._logs([self._masked(first, 1, ())], len(first.left))[0]
        return GapScores(
            words={word: words[word] for word in gaps},
            pieces={word: len(gap.word) for word, gap in gaps.items()},
            top=top_tokens(self.tokenizer, item, gaps, logs),
            absolute=True,
            prompt=item.text(self.tokenizer.mask_token),
            prompt_tokens=len(first.left) + 1 + len(first.right),
        )

    def _words(self, gaps: dict[str, FilledGap]) -> dict[str, float]:
        """Return the log-probabilities of words that have the same number of tokens."""
        first = next(iter(gaps.values()))
        sums = dict.fromkeys(gaps, 0.0)
        for place in range(len(first.word)):
            before = list(dict.fromkeys(gap.word[:place] for gap in gaps.values()))
            texts = [self._masked(first, len(first.word), filled) for filled in before]
            logs = self._logs(texts, len(first.left) + place)
            for word, gap in gaps.items():
                sums[word] += float(logs[before.index(gap.word[:place]), gap.word[place]])
        return sums

    def _masked(self, gap: FilledGap, size: int, before: tuple[int, ...]) -> tuple[int, ...]:
        """Return the tokens of a text whose gap has `size` tokens: the first ones `before`, and masks."""
        return (*gap.left, *before, *(self.tokenizer.mask_token_id,) * (size - len(before)), *gap.right)

    def _logs(self, texts: Sequence[tuple[int, ...]], place: int) -> Any:
        """Return the log-probabilities over the vocabulary at a place of texts of equal length, a tensor (texts, vocabulary)."""
        import torch

        rows = [logits[:, place].double() for logits in model_outputs(self.model, texts)]
        return torch.log_softmax(torch.cat(rows), dim=-1)


def model_outputs(model: Any, texts: Sequence[tuple[int, ...]]) -> Iterator[Any]:
    """Yield the model's outputs for texts of equal length in batches, as tensors of shape (texts, tokens, vocabulary).

    Raises `ValueError` if the texts are too long for the model, or its output is no number.
    """
    import torch

    config, length = model.config, len(texts[0])
    limit = getattr(config, "max_position_embeddings", None)
    # RoBERTa and its kin number positions from the padding token's number on
    reserved = (config.pad_token_id or 0) + 1 if "roberta" in config.model_type else 0
    if limit and length > limit - reserved:
        raise ValueError(f"[text] too long for the model; found {length} tokens, expected at most {limit - reserved}")
    size = max(1, MAX_OUTPUT // (length * model.get_input_embeddings().weight.shape[0]))
    for start in range(0, len(texts), size):
        with torch.inference_mode():
            logits = model(input_ids=torch.tensor(texts[start : start + size], device=model.device)).logits.cpu()
        if bool(torch.isnan(logits).any()):
            raise ValueError("[model] output is no number; found nan, expected finite scores: are the weights damaged?")
        yield logits


def top_tokens(tokenizer: Any, item: ClozeItem, gaps: Mapping[str, FilledGap], logs: Any) -> tuple[Token, ...]:
    """Return the most probable tokens, best first; of equal ones, that with the lower number.

    A token that is a variant in the gap has its gender; `logs` are log-probabilities over the vocabulary, a tensor of one dimension.
    """
    import torch

    genders = item.classes.words()
    single = {gap.word[0]: genders[word] for word, gap in gaps.items() if len(gap.word) == 1}
    order = torch.sort(logs, descending=True, stable=True).indices[: TOP["top10"]].tolist()
    return tuple(
        Token(tokenizer.decode([token]).strip(), float(logs[token]), single.get(token, OTHER)) for token in order
    )


class CausalModel(LoadedModel):
    """A causal language model with its fast tokenizer."""

    def scores(self, item: ClozeItem) -> GapScores:
        """Return what the model gives to the words in the gap of an item.

        Such a model reads from left to right; the critical word often follows the gap. So a word's score is the log-probability of the
        whole text with this word in the gap, each token given all before it (full scoring by substitution: Trinh and Le 2018, A Simple
        Method for Commonsense Reasoning, section 3). Only `GapScores.top` has the tokens that the model expects from the text before
        the gap alone; it is empty where a token spans the gap and the text before it.

        A text begins as in `LocalModel`: with the tokenizer's sign for a beginning, or else for an end.
        """
        gaps = variants_in_gap(self.tokenizer, item, special=False)
        whole = LocalModel(self.name, self.model, self.tokenizer)
        texts = whole.score([item.text(item.as_written(word)) for word in gaps])
        if texts[0].logprobs[0] is None and not all(gap.left for gap in gaps.values()):
            raise ValueError("[gap] at the beginning of the text; expected a model with a token for the beginning")
        return GapScores(
            words={word: text.total for word, text in zip(gaps, texts, strict=True)},
            pieces={word: len(gap.word) for word, gap in gaps.items()},
            top=self._top(item, gaps),
            absolute=False,
            prompt=item.text(GAP),
            prompt_tokens=max(len(text.tokens) for text in texts),
        )

    def _top(self, item: ClozeItem, gaps: dict[str, FilledGap]) -> tuple[Token, ...]:
        """Return the tokens that the model expects after the text before the gap."""
        import torch

        starts = (self.tokenizer.bos_token_id, self.tokenizer.eos_token_id)
        start = [token for token in starts if token is not None][:1]
        contexts = {(*start, *gap.left) for gap in gaps.values()}
        if len(contexts) > 1 or not (left := next(iter(contexts))):
            return ()
        (logits,) = model_outputs(self.model, [left])
        logs = torch.log_softmax(logits[0, -1].double(), dim=-1)
        return top_tokens(self.tokenizer, item, gaps, logs)


def load_model(source: str) -> MaskedModel | CausalModel:
    """Return a masked or causal model (`read_model`), whose tokenizer gives the offsets of tokens, and of a masked one has a mask."""
    loaded = read_model(source, ("masked", "causal"))
    if not loaded.tokenizer.is_fast:
        raise PipelineError(source, None, "[tokenizer] no offsets; expected a fast tokenizer (tokenizer.json)")
    if loaded.kind == "causal":
        return CausalModel(loaded.name, loaded.kind, loaded.model, loaded.tokenizer)
    if loaded.tokenizer.mask_token_id is None:
        raise PipelineError(source, None, "[tokenizer] no mask; expected a masked language model's own vocabulary")
    return MaskedModel(loaded.name, loaded.kind, loaded.model, loaded.tokenizer)
