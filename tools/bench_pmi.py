"""Benchmark of counting windows: the paper's tools in a plain loop, NLTK, and our engines, on one generated corpus.

Each method runs in a process of its own. Its memory is that of the process and its children, sampled ten times a second.
"""

import json
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Annotated

import numpy as np
import psutil
import typer

from pipeline.core.files import write_text
from pipeline.corpus.counting.script import simplify
from pipeline.corpus.counting.segmenters import fast, reference

app = typer.Typer(add_completion=False)
PROSE = Path("raw/prose/articles.txt")
_MILLION = 10**6
#: Number of words of a document; articles of the Chinese Wikipedia have some hundreds of characters.
_WORDS_A_DOCUMENT = 300
#: Number of documents drawn at once.
_DOCUMENTS = 100


def _words(text: str) -> list[str]:
    """Return the words of a text in simplified script."""
    return [token for token in reference().cut(text) if any(map(str.isalnum, token))]


def ranked_words(text: str) -> list[str]:
    """Return the words of a text, the most frequent one first."""
    counts = Counter(_words(simplify(text)))
    return [word for word, _ in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))]


def make_corpus(path: Path, size: int, seed: int = 8) -> None:
    """Write one document a line, about `size` characters in total, one document in ten in traditional script.

    The words are those of our prose, the word of rank r with probability proportional to 1/r. A comma or full stop follows a word as
    often as in the prose.
    """
    from opencc import OpenCC

    traditional = OpenCC("s2t")
    text = PROSE.read_text(encoding="utf-8")
    ranked = np.array(ranked_words(text))
    odds = 1 / np.arange(1, ranked.size + 1)
    marks = np.array(["", "，", "。"])
    shares = np.array([text.count("，"), text.count("。")]) / len(_words(simplify(text)))
    random = np.random.default_rng(seed)
    written = 0
    with path.open("w", encoding="utf-8") as stream:
        while written < size:
            drawn = random.choice(ranked, (_DOCUMENTS, _WORDS_A_DOCUMENT), p=odds / odds.sum())
            after = random.choice(marks, drawn.shape, p=[1 - shares.sum(), *shares])
            for number, words in enumerate(np.strings.add(drawn, after).tolist()):
                line = "".join(words)
                written += stream.write((traditional.convert(line) if number % 10 == 0 else line) + "\n")
                if written >= size:
                    break


def make_terms(path: Path, count: int) -> None:
    """Write `count` words of our prose, at even steps through the rarer half of their ranks.

    Candidates and references are rarer words: the 71 of our schemas are 0.13 % of the words of the treebank GSDSimp, which is from
    Wikipedia. 600 of the words written here are about 2.5 % of the generated corpus.
    """
    ranked = ranked_words(PROSE.read_text(encoding="utf-8"))
    rarer = ranked[len(ranked) // 2 :]
    terms = [rarer[int((number + 0.5) * len(rarer) / count)] for number in range(count)]
    write_text(path, "".join(f"{term}\n" for term in terms))


# --- methods -----------------------------------------------------------------------------------------------------------


def _documents(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as stream:
        yield from stream


@app.command()
def plain(corpus: Path, terms: Path, window: int) -> None:
    """Count as in a first draft with the paper's tools: convert, segment, look into each window."""
    from opencc import OpenCC

    convert = OpenCC("t2s").convert
    wanted = set(terms.read_text(encoding="utf-8").split())
    single: Counter[str] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    windows = 0
    for text in _documents(corpus):
        words = _words(convert(text))
        for start in range(max(len(words) - window + 1, 1)):
            held = sorted(wanted.intersection(words[start : start + window]))
            single.update(held)
            both.update(combinations(held, 2))
            windows += 1
    typer.echo(json.dumps([windows, sum(single.values()), sum(both.values())]))


@app.command()
def nltk(corpus: Path, terms: Path, window: int) -> None:
    """Count all pairs of words within a window with NLTK, which does not take terms; the fast tools segment."""
    from nltk.collocations import BigramCollocationFinder
    from nltk.probability import FreqDist

    tools = fast()
    words, pairs = FreqDist(), FreqDist()
    for text in _documents(corpus):
        cut = [token for token in tools.cut(simplify(text)) if any(map(str.isalnum, token))]
        finder = BigramCollocationFinder.from_words(cut, window_size=window)
        words.update(finder.word_fd)
        pairs.update(finder.ngram_fd)
    typer.echo(
        json.dumps([words.N(), sum(words[term] for term in terms.read_text(encoding="utf-8").split()), pairs.N()])
    )


def timed(command: list[str]) -> tuple[float, float]:
    """Return the seconds that a command takes, and the peak memory in MiB of it and its children."""
    peak = 0
    process = psutil.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    began = time.perf_counter()
    ended = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not ended.wait(0.1):
            try:
                family = [process, *process.children(recursive=True)]
                peak = max(peak, sum(member.memory_full_info().pss for member in family))
            except psutil.Error:  # a process has just ended
                continue

    watcher = threading.Thread(target=watch)
    watcher.start()
    _, errors = process.communicate()
    seconds = time.perf_counter() - began
    ended.set()
    watcher.join()
    if process.returncode:
        raise SystemExit(errors.decode())
    return seconds, peak / 2**20


@app.command()
def table(
    sizes: Annotated[str, typer.Option(help="Millions of characters, separated by commas.")] = "10,50,200",
    terms: Annotated[str, typer.Option(help="Numbers of terms, separated by commas.")] = "600",
    slow: Annotated[float, typer.Option(help="Millions of characters for the plain loop and NLTK.")] = 1,
    window: Annotated[int, typer.Option(help="Number of words in a window.")] = 10,
    engines: Annotated[str, typer.Option(help="Our engines, separated by commas.")] = "local,spark",
) -> None:
    """Print a table of all methods, with the speed relative to the plain loop."""
    typer.echo(
        "| method | terms | million characters | s | million characters a second | times the plain loop | peak MiB |"
    )
    typer.echo("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        corpora = {float(size): room / f"{size}.txt" for size in [str(slow), *sizes.split(",")]}
        for size, path in corpora.items():
            make_corpus(path, int(size * _MILLION))
        for count in map(int, terms.split(",")):
            terms_path = room / f"terms-{count}.txt"
            make_terms(terms_path, count)
            base = 0.0

            def row(name: str, size: float, command: list[str], count: int = count) -> None:
                nonlocal base
                seconds, peak = timed(command)
                rate = size / seconds
                base = base or rate
                typer.echo(
                    f"| {name} | {count} | {size:g} | {seconds:.1f} | {rate:.2f} | {rate / base:.1f} | {peak:.0f} |"
                )

            for method, name in (
                ("plain", "opencc-python-reimplemented, Jieba, a loop"),
                ("nltk", "NLTK, segmented by rjieba"),
            ):
                row(name, slow, [sys.executable, __file__, method, str(corpora[slow]), str(terms_path), str(window)])
            for engine in engines.split(","):
                for option in ("", "--passages"):
                    for size in map(float, sizes.split(",")):
                        command = [
                            str(Path(sys.executable).parent / "winoforge"), "corpus", "count", str(corpora[size]), "--format", "text",
                            "--terms", str(terms_path), "--window", str(window), "--backend", "fast", "--engine", engine,
                            "--out", str(room / "counts.jsonl"), *option.split(),
                        ]  # fmt: skip
                        row(f"`--engine {engine} {option}`".replace(" `", "`"), size, command)


if __name__ == "__main__":
    app()
