"""Masked and causal models saved on the spot, of a few kilobytes; their vocabularies are made of the words that a test gives."""

from collections.abc import Iterable, Mapping, Sequence
from math import log, nan
from pathlib import Path
from typing import Any

#: Special tokens of BERT, and of RoBERTa.
BERT = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
ROBERTA = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
_SIZE = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}


def _seeded() -> None:
    """Make weights the same in each run, and leave other cores alone, which small models do not need."""
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(1)


def word_pieces(folder: Path, words: Sequence[str], special: Sequence[str] = BERT) -> Any:
    """Save a WordPiece tokenizer, cased, whose vocabulary is the special tokens and the words, and return it."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate([*special, *dict.fromkeys(words)])}
    core = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    core.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ends = [("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])]
    core.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    names = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
    options = {f"{name}_token": token for name, token in names.items() if token in special}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, **options)
    tokenizer.save_pretrained(folder)
    return tokenizer


def byte_pairs(folder: Path, texts: Iterable[str], size: int = 400, **special: str) -> Any:
    """Train and save a byte-level BPE tokenizer, as RoBERTa and GPT-2 have; the mask takes the blank before it."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    options = {name: AddedToken(token, lstrip=name == "mask_token", special=True) for name, token in special.items()}
    names = list({str(token): token for token in options.values()}.values())
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=names, initial_alphabet=alphabet, show_progress=False)
    core.train_from_iterator(texts, trainer)
    core.post_processor = processors.ByteLevel(trim_offsets=True)
    if "cls_token" in special:
        first, last = special["cls_token"], special["sep_token"]
        core.post_processor = processors.RobertaProcessing(
            (last, core.token_to_id(last)), (first, core.token_to_id(first)), add_prefix_space=False
        )
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, **options)
    tokenizer.save_pretrained(folder)
    return tokenizer


def bert(folder: Path, words: Sequence[str], chances: Mapping[str, float] | None = None) -> Path:
    """Save a BertForMaskedLM of random weights or, with `chances`, one that gives each token this probability everywhere.

    Tokens that `chances` does not name share what is left.
    """
    import torch
    from transformers import BertConfig, BertForMaskedLM

    tokenizer = word_pieces(folder, words)
    _seeded()
    model = BertForMaskedLM(
        BertConfig(vocab_size=len(tokenizer), max_position_embeddings=64, initializer_range=0.8, **_SIZE)
    )
    if chances is not None:
        rest = (1 - sum(chances.values())) / (len(tokenizer) - len(chances))
        logits = [
            log(chances.get(token, rest) or nan) for token in tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
        ]
        with torch.no_grad():  # the output is the embeddings times the state, plus the bias
            model.bert.embeddings.word_embeddings.weight.zero_()
            model.cls.predictions.decoder.bias.copy_(torch.tensor(logits))
    _save(model, folder)
    return folder


def roberta(folder: Path, texts: Iterable[str]) -> Path:
    """Save a RobertaForMaskedLM of random weights with a byte-level vocabulary and <mask>."""
    from transformers import RobertaConfig, RobertaForMaskedLM

    names = dict(zip(("bos_token", "pad_token", "eos_token", "unk_token", "mask_token"), ROBERTA, strict=True))
    tokenizer = byte_pairs(folder, texts, **names, cls_token="<s>", sep_token="</s>")
    _seeded()
    config = RobertaConfig(
        vocab_size=len(tokenizer), max_position_embeddings=66, pad_token_id=1, initializer_range=0.8, **_SIZE
    )
    _save(RobertaForMaskedLM(config), folder)
    return folder


def gpt2(folder: Path, texts: Iterable[str]) -> Path:
    """Save a GPT2LMHeadModel of random weights with a byte-level vocabulary."""
    from transformers import GPT2Config, GPT2LMHeadModel

    tokenizer = byte_pairs(folder, texts, bos_token="<|endoftext|>", eos_token="<|endoftext|>")
    _seeded()
    size = {"vocab_size": len(tokenizer), "n_positions": 64, "n_embd": 8, "n_layer": 1, "n_head": 2}
    config = GPT2Config(**size, initializer_range=0.8, bos_token_id=0, eos_token_id=0)
    _save(GPT2LMHeadModel(config), folder)
    return folder


def _save(model: Any, folder: Path) -> None:
    from transformers.utils import logging

    logging.disable_progress_bar()
    model.save_pretrained(folder)
