"""Benchmark of counting a dump: ours, and other ways to take the markup off before our counting, on one made dump.

Each command runs in a process of its own; its memory is that of it and its children. Processor seconds hardly depend on what else
the machine does; the rate is that of two cores that do nothing else. What we do not depend on is installed into a throw-away environment.
"""

import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from shutil import rmtree
from typing import Annotated

import typer

from pipeline.core.files import write_jsonl
from pipeline.corpus.counting.counts import read_counts
from pipeline.corpus.counting.terms import TermQuery
from pipeline.corpus.formats.reading import refuse
from pipeline.corpus.formats.registry import marked_documents, shards
from tools.bench_pmi import PROSE, ranked_words, timed
from tools.dump_differences import differences, extracted_texts, row_texts, title
from tools.made_dump import Words, write_dump

app = typer.Typer(add_completion=False)
_MILLION = 10**6
#: Number of terms; our schemas have 71 of two characters or more in the two tables of the paper.
_TERMS = 71
#: Number of words of a window.
_WINDOW = 10


def dump_words() -> Words:
    """Return the words of our prose, of which some of the rarer ones with two characters or more are terms."""
    ranked = ranked_words(PROSE.read_text(encoding="utf-8"))
    rarer = [word for word in ranked[len(ranked) // 2 :] if len(word) > 1]
    terms = [rarer[int((number + 0.5) * len(rarer) / _TERMS)] for number in range(_TERMS)]
    return Words([word for word in ranked if not any(term in word for term in terms)], terms)


@app.command()
def parse(dump: Path, out: Path) -> None:
    """Write the title of each article, and its text as `strip_code` of mwparserfromhell returns it."""
    from mwparserfromhell import parse as parse_wikitext

    def rows() -> Iterator[dict[str, str]]:
        for shard in shards(dump, "wikimedia-xml", 1 << 40):
            for document in marked_documents(shard, refuse, Counter()):
                yield {"title": title(document.source), "text": parse_wikitext(document.source).strip_code()}

    write_jsonl(out, rows())


@dataclass(frozen=True)
class Way:
    """A way from a dump to counts: the commands that take the markup off, then what counts their output."""

    label: str
    commands: list[list[str]]
    count: list[str]
    #: Yields the title and the text of each page of that output; None for ours.
    texts: Callable[[], Iterator[tuple[str, str]]] | None = None


def our_ways(dump: Path) -> Iterator[Way]:
    """Yield ours."""
    yield Way("ours", [], [str(dump), "--format", "wikimedia-xml"])
    yield Way("ours, `--passages`", [], [str(dump), "--format", "wikimedia-xml", "--passages"])


def other_ways(dump: Path, room: Path) -> Iterator[Way]:
    """Yield those of others that can be installed; their output lies beside the dump."""
    extracted, segmented = dump.with_name("extracted"), dump.with_name("segmented.jsonl.gz")
    for label, package, command, count, texts in (
        (
            "WikiExtractor 3.1", "wikiextractor==3.1.0",
            ["-m", "wikiextractor.WikiExtractor", str(dump), "-o", str(extracted), "-b", "16M", "--processes", "2", "--no-templates", "-q"],
            [str(extracted), "--format", "wikiextractor"], partial(extracted_texts, extracted),
        ),
        (
            "segment_wiki of gensim 4.4", "gensim==4.4.0",
            ["-m", "gensim.scripts.segment_wiki", "-f", str(dump), "-o", str(segmented), "-w", "2", "-m", "0"],
            [str(segmented), "--format", "jsonl", "--field", "section_texts"], partial(row_texts, segmented),
        ),
    ):  # fmt: skip
        python = room / package / "bin" / "python"
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(room / package)], check=True)
            install = [str(python), "-m", "pip", "install", "--quiet", package]
            if (done := subprocess.run(install, capture_output=True, text=True, check=False)).returncode:
                typer.echo(
                    f"{label}: not measured, as it cannot be installed: {done.stderr.splitlines()[-1]}", err=True
                )
                continue
        yield Way(f"{label}, then ours", [[str(python), *command]], count, texts)


def parser_way(dump: Path) -> Way:
    """Return that of mwparserfromhell in one process."""
    parsed = dump.with_name("parsed.jsonl")
    command = [sys.executable, "-m", "tools.bench_dump", "parse", str(dump), str(parsed)]
    count = [str(parsed), "--format", "jsonl"]
    return Way("mwparserfromhell in one process, then ours", [command], count, partial(row_texts, parsed))


@app.command()
def table(
    size: Annotated[float, typer.Option(help="Megabytes of XML.")] = 1000,
    slow: Annotated[float, typer.Option(help="Megabytes of XML for mwparserfromhell.")] = 10,
    needed: Annotated[str, typer.Option(help="Shares of the articles with a term, separated by commas.")] = "0.2,1",
) -> None:
    """Print a table of all ways, and one of how their counts of each page differ from ours."""
    columns = "articles with a term | way | MB of XML | s | processor s | MB a second on two cores | peak MiB"
    typer.echo(f"| {columns} | windows with a term | with a pair |\n{'|---' * 9}|")
    found = ["| articles with a term | MB of XML | way | how it differs | pages with a term | windows with a term |"]
    with tempfile.TemporaryDirectory() as folder:
        room, words = Path(folder), dump_words()
        terms = room / "terms.txt"
        terms.write_text("".join(f"{term}\n" for term in words.terms), encoding="utf-8")
        for share in map(float, needed.split(",")):
            for megabytes in sorted({size, slow}, reverse=True):
                place = room / f"{share:g}-{megabytes:g}"
                place.mkdir()
                dump, written = write_dump(place, words, int(megabytes * _MILLION), share)
                ways = [*islice(our_ways(dump), None if megabytes == size else 1)]
                ways += other_ways(dump, room) if megabytes == size else ()
                ways += [parser_way(dump)] if megabytes == slow else ()
                for way in ways:
                    seconds, peak, before = 0.0, 0.0, processor_seconds()
                    counts = room / "counts.jsonl"
                    for command in [*way.commands, None]:
                        took, most = timed(command or count_command(way, terms, counts))
                        seconds, peak = seconds + took, max(peak, most)
                    used, total = processor_seconds() - before, read_counts(counts)
                    typer.echo(
                        f"| {share:.0%} | {way.label} | {written / _MILLION:.0f} | {seconds:.1f} | {used:.1f} | "
                        f"{2 * written / _MILLION / used:.1f} | "
                        f"{peak:.0f} | {sum(total.terms.values())} | {sum(total.pairs.values())} |"
                    )
                texts = {way.label: way.texts() for way in ways if way.texts}
                for label, kind, pages, windows in differences(dump, TermQuery(tuple(words.terms), _WINDOW), texts):
                    found.append(
                        f"| {share:.0%} | {written / _MILLION:.0f} | {label} | {kind} | {pages} | {windows:+} |"
                    )
                rmtree(place)
    typer.echo("\n".join(["", found[0], "|---" * 6 + "|", *found[1:]]))


def processor_seconds() -> float:
    """Return the seconds of processor time of all processes that this one has started and that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def count_command(way: Way, terms: Path, out: Path) -> list[str]:
    """Return the command that counts what a way left; of a folder all files."""
    corpus, *options = way.count
    files = sorted(map(str, Path(corpus).rglob("wiki_*"))) if Path(corpus).is_dir() else [corpus]
    program = str(Path(sys.executable).with_name("winoforge"))
    return [
        program, "corpus", "count", *files, *options, "--terms", str(terms), "--window", str(_WINDOW), "--backend", "fast",
        "--out", str(out)
    ]  # fmt: skip


if __name__ == "__main__":
    app()
