"""Language models made on the spot, whose probabilities are known or quickly learnt."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.evaluation.scoring.local import LocalModel

#: The sign that begins a text.
BEGIN = "<s>"


def character_tokenizer(characters: str, merges: Sequence[tuple[str, str]] = (), begin: bool = True) -> Any:
    """Return a tokenizer whose tokens are characters, and the merged pairs that are given."""
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    words = [BEGIN, *sorted(set(characters)), *("".join(pair) for pair in merges)]
    model = models.BPE(vocab={word: number for number, word in enumerate(words)}, merges=list(merges))
    return PreTrainedTokenizerFast(tokenizer_object=Tokenizer(model), bos_token=BEGIN if begin else None)


def bigram_model(
    tokenizer: Any, logprobs: Mapping[tuple[str, str], float], name: str = "bigram", batch: int = 8
) -> LocalModel:
    """Return a model that gives each token a probability that only the token before it decides.

    It has no layer: a token is a one-hot vector of V numbers, whose root mean square is 1 / sqrt(V), so that its norm makes it
    sqrt(V) times as long; the last matrix has the logits over sqrt(V).

    Args:
        logprobs: the logit of a token after another one, 0 where it is not given: all of a row together are normalised.
    """
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.set_num_threads(1)  # more would wait for each other: the model is tiny
    size = len(tokenizer)
    config = LlamaConfig(
        vocab_size=size, hidden_size=size, intermediate_size=1, num_hidden_layers=0, num_attention_heads=1, head_dim=2,
        max_position_embeddings=64, rms_norm_eps=1e-12, tie_word_embeddings=False,
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    logits = torch.zeros(size, size)
    for (before, after), value in logprobs.items():
        logits[tokenizer.convert_tokens_to_ids(after), tokenizer.convert_tokens_to_ids(before)] = value
    with torch.no_grad():
        model.model.embed_tokens.weight.copy_(torch.eye(size))
        model.model.norm.weight.fill_(1.0)
        model.lm_head.weight.copy_(logits / size**0.5)
    return LocalModel(name, model, tokenizer, batch)


def random_model(
    tokenizer: Any, seed: int = 0, name: str = "random", positions: int = 512, batch: int = 8
) -> LocalModel:
    """Return a small transformer with random weights."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.set_num_threads(1)  # more would wait for each other: the model is tiny
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
        max_position_embeddings=positions, initializer_range=0.2,
    )  # fmt: skip
    return LocalModel(name, LlamaForCausalLM(config), tokenizer, batch)


def encoder_decoder(folder: Path, texts: Sequence[str]) -> Path:
    """Save a small T5 with random weights and a tokenizer of the characters of texts, which ends a text; return its folder."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    torch.set_num_threads(1)  # more would wait for each other: the model is tiny
    torch.manual_seed(0)
    special = ("<pad>", "</s>", "<unk>")
    words = {word: number for number, word in enumerate([*special, *sorted(set("".join(texts)))])}
    core = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    core.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    core.decoder = decoders.Fuse()
    core.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, pad_token="<pad>", eos_token="</s>", unk_token="<unk>")
    tokenizer.save_pretrained(folder)
    config = T5Config(
        vocab_size=len(words), d_model=16, d_kv=4, d_ff=16, num_layers=1, num_heads=2, decoder_start_token_id=0,
        pad_token_id=0, eos_token_id=1,
    )  # fmt: skip
    T5ForConditionalGeneration(config).save_pretrained(folder)
    return folder
