"""UDPipe, by default with the model of the package udchinese."""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from ...core.errors import PipelineError
from ...core.packages import require_packages
from .backend import Backend, Word


def load_udpipe(model: Path | None) -> Backend:
    """Return the UDPipe back end with the model of udchinese, or with that of a UDPipe 1 model file."""
    require_packages("parse", "udchinese", "ufal.udpipe")
    from importlib.metadata import version  # takes as long as a tenth of a command's start

    from ufal import udpipe  # an optional dependency

    package = find_spec("udchinese")
    path = model or Path(str(package and package.origin)).with_name("ud-chinese.udpipe")
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
