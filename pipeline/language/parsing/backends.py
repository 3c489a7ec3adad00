"""Parsers: of Chinese UDPipe, by default with the model of udchinese, and Stanza, by default with our compact model; of Japanese GiNZA."""

import hashlib
import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ...core.errors import PipelineError
from ...core.files import from_json, read_text
from ...core.packages import require_packages
from ...core.rules import RULES


class Word(NamedTuple):
    """A parsed word; `head` counts from 1 and is None for the root; `xpos` is empty if the parser gives none."""

    upos: str
    head: int | None
    relation: str
    xpos: str = ""


@dataclass(frozen=True, slots=True)
class Backend:
    """A loaded parser: `parse` takes sentences as lists of words and keeps the words."""

    name: str
    model: str
    parse: Callable[[Sequence[Sequence[str]]], Iterable[list[Word]]]

    @property
    def parser(self) -> str:
        """The name of the parser in a lock."""
        return f"{self.name}/{self.model}"


def load_udpipe(model: Path | None) -> Backend:
    """Return the UDPipe back end with the model of udchinese, or with that of a UDPipe 1 model file."""
    require_packages("parse", "udchinese", "ufal.udpipe")
    from importlib.metadata import version  # takes as long as a tenth of a command's start

    from ufal import udpipe  # an optional dependency

    path = model or udpipe_model()
    if not path.is_file():
        raise PipelineError(path, None, "[udpipe] no such file; expected a UDPipe 1 model file")
    loaded = udpipe.Model.load(str(path))
    if loaded is None:
        raise PipelineError(path, None, "[udpipe] not a model; expected a UDPipe 1 model file")

    def parse(sentences: Sequence[Sequence[str]]) -> Iterator[list[Word]]:
        for words in sentences:
            sentence = udpipe.Sentence()
            for word in words:
                sentence.addWord(word)
            loaded.tag(sentence, loaded.DEFAULT)
            loaded.parse(sentence, loaded.DEFAULT)
            rows = [sentence.words[number] for number in range(1, len(sentence.words))]
            yield [Word(row.upostag, row.head or None, row.deprel) for row in rows]

    name = f"udchinese-{version('udchinese')}" if model is None else path.stem
    return Backend(name="udpipe", model=name, parse=parse)


def udpipe_model() -> Path:
    """Return the path of the model in the package udchinese, whether it is there or not."""
    package = find_spec("udchinese")
    return Path(str(package and package.origin)).with_name("ud-chinese.udpipe")


#: Our compact model for Stanza, and its files.
COMPACT = RULES.parent / "raw" / "parser-model"
#: What Stanza calls the language of our model.
_STANZA_LANGUAGE = "zh-hans"
MODEL_FILES = ("pos.pt", "lexicon.pt", "depparse.pt")


def load_stanza(model: Path | None) -> Backend:
    """Return the Stanza back end with our own model, or with the published one in a folder; it never downloads anything."""
    require_packages("stanza", "stanza")
    name, options = _compact() if model is None else _published(model)
    import stanza  # an optional dependency that imports torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch and stanza warn about their own internals
        try:
            pipeline: Any = stanza.Pipeline(
                lang=_STANZA_LANGUAGE,
                download_method=None,
                tokenize_pretokenized=True,
                use_gpu=False,
                logging_level="CRITICAL",
                **options,
            )
        except Exception as error:  # of torch or stanza: what they raise for a damaged file depends on the damage
            repair = "run make parser-model" if model is None else f"run {_download(model)}"
            reason = f"[stanza] model cannot be loaded ({type(error).__name__}: {error}); {repair}"
            raise PipelineError(model or COMPACT, None, reason) from error

    def parse(sentences: Sequence[Sequence[str]]) -> Iterator[list[Word]]:
        if not sentences:
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            document = pipeline([list(words) for words in sentences])
        for sentence in document.sentences:
            yield [Word(word.upos, word.head or None, word.deprel) for word in sentence.words]

    return Backend(name="stanza", model=name, parse=parse)


def _compact() -> tuple[str, dict[str, Any]]:
    digest = hashlib.sha256()
    for file in MODEL_FILES:
        if not (COMPACT / file).is_file():
            raise PipelineError(COMPACT / file, None, "[stanza] missing compact model; run make parser-model")
        digest.update((COMPACT / file).read_bytes())
    return f"winoforge-{digest.hexdigest()[:12]}", {
        "dir": str(COMPACT),
        "allow_unknown_language": True,  # the folder has no list of resources
        "processors": dict.fromkeys(("tokenize", "pos", "lemma", "depparse"), "default"),
        "lemma_use_identity": True,
        "pos_model_path": str(COMPACT / "pos.pt"),
        "pos_pretrain_path": str(COMPACT / "lexicon.pt"),
        "depparse_model_path": str(COMPACT / "depparse.pt"),
    }


def _published(folder: Path) -> tuple[str, dict[str, Any]]:
    from importlib.metadata import version  # takes as long as a tenth of a command's start

    resources = folder / "resources.json"
    if not (folder / _STANZA_LANGUAGE / "depparse").is_dir() or not resources.is_file():
        raise PipelineError(folder, None, f"[stanza] missing model for {_STANZA_LANGUAGE}; run {_download(folder)}")
    try:
        package = from_json(read_text(resources))[_STANZA_LANGUAGE]["default_processors"]["depparse"]
    except (KeyError, TypeError, ValueError) as error:
        reason = f"[stanza] not a list of models with one for {_STANZA_LANGUAGE}; run {_download(folder)}"
        raise PipelineError(resources, None, reason) from error
    return f"{version('stanza')}-{package}", {"dir": str(folder), "processors": "tokenize,pos,lemma,depparse"}


def _download(folder: Path) -> str:
    """Return the command that downloads the published model."""
    return f'''python -c "import stanza; stanza.download('{_STANZA_LANGUAGE}', model_dir='{folder}')"'''


def load_ginza(model: Path | None) -> Backend:
    """Return GiNZA, a back end of spaCy for Japanese whose package ja-ginza has its model, or another one in a folder of spaCy's."""
    require_packages("japanese", "ja_ginza", "ginza")
    from importlib.metadata import version  # takes as long as a tenth of a command's start

    from ..spacy_parts import Doc, load

    try:
        pipeline: Any = load(model or "ja_ginza", exclude=["ner", "compound_splitter", "bunsetu_recognizer"])
    except (OSError, ValueError) as error:  # of spaCy, for a folder without a model, or a damaged one
        raise PipelineError(model, None, f"[ginza] model cannot be loaded ({error})") from error

    def parse(sentences: Sequence[Sequence[str]]) -> Iterator[list[Word]]:
        for words in sentences:
            ends = list(accumulate(map(len, words)))
            tokens = pipeline.tokenizer("".join(words))
            if not {*ends} <= {token.idx + len(token) for token in tokens}:  # a word that ends within one of Sudachi's
                tokens = Doc(pipeline.vocab, words=[*words], spaces=[False] * len(words))
            yield _joined(list(pipeline(tokens)), ends)

    name = f"ja-ginza-{version('ja-ginza')}" if model is None else model.name
    return Backend(name="ginza", model=name, parse=parse)


def _joined(tokens: Sequence[Any], ends: Sequence[int]) -> list[Word]:
    """Return the words that end at some places, each made of one token or more (彼 and ら); the part of speech is that of the first.

    A second root, of a sentence of its own for spaCy, hangs on the first one. GiNZA marks relations of phrases.
    """
    word_of = [bisect_right(ends, token.idx) for token in tokens]
    first = next(token for token in tokens if token.head == token)
    words = []
    for number in range(len(ends)):
        parts = [token for token, word in zip(tokens, word_of, strict=True) if word == number]
        # the part that hangs on another word, or is a root
        top = next(token for token in parts if token.head == token or word_of[token.head.i] != number)
        head, relation = word_of[top.head.i] + 1, str(top.dep_).removesuffix("_bunsetu")
        if top.head == top:
            head, relation = (0, "root") if top == first else (word_of[first.i] + 1, "parataxis")
        words.append(Word(parts[0].pos_, head or None, relation, parts[0].tag_))
    return words


BackendName = Literal["udpipe", "stanza", "ginza"]
#: Each function loads a back end with the model at a path, or with its own model.
BACKENDS: dict[BackendName, Callable[[Path | None], Backend]] = {
    "udpipe": load_udpipe,
    "stanza": load_stanza,
    "ginza": load_ginza,
}
