"""The front page of a build folder: what was built, how many records each step kept, and where to go on.

It shows what stands in the folder. It reads what the stages wrote, without their libraries, so that a build ends at once.
"""

import html
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, FileSystemLoader

from pipeline.core.files import write_text
from pipeline.core.pages import FRONT_PAGE, page_environment

Row = dict[str, Any]
#: What a page shows, by its folder or the last part of it, in the order in which to look at them.
PAGES = {
    "items": "every record, kept or not: search, filter, a page for each",
    "audit": "why each record was kept or rejected",
    "de/audit": "what may make people fail an item",
    "validation": "every check of the data and its result",
    "artefacts": "whether something tells the answers without understanding",
    "association": "whether word association alone finds the answers",
    "pmi": "whether word association in your corpus finds the answers",
    "zp": "zero pronouns in running text, and what metrics make of invented systems",
    "evaluation": "what systems answered",
    "experiment": "the experiment as people see it",
    "report": "what people answered in a study",
    "replication": "each number of the papers beside ours",
}
#: The stages that keep or reject records, their two files, and the ledger of what they changed.
STAGES = (
    ("read", "items", "skipped", ""),
    ("kept by the rules", "kept", "rejected", ""),
    ("after {} modified", "modified", "modified-rejected", "modifications"),
    ("after {} decided by people", "adjudicated", "adjudicated-rejected", "adjudications"),
)
#: The languages of collections, by code.
_LANGUAGES = {"de": "German", "en": "English", "zh": "Chinese"}
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
#: Number of characters in which a page has its title; the style sheet follows.
_HEAD = 2000


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the flow: how many records it kept and left out, together all that were read, and why some were left out."""

    what: str
    kept: int
    rejected: int
    why: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Link:
    """A page of the build: its address from the front page, its title, and what it is for."""

    address: str
    title: str
    what: str


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection of the build.

    Attributes:
        name: its folder.
        lead: what was made of it.
        steps: its way from what was read to what was released.
        balances: how often each value of a property occurs among its items.
        noun: what is counted in them.
        example: the first pair of items, with its gloss.
    """

    name: str
    lead: str
    steps: list[Step]
    balances: Mapping[str, Mapping[str, int]]
    noun: str = "items"
    example: list[Row] = field(default_factory=list)


def front_page(build: Path) -> str:
    """Return the front page of a build folder."""
    environment = page_environment()
    assert environment.loader is not None
    loader = ChoiceLoader([FileSystemLoader(Path(__file__).parent), environment.loader])
    links = list(_links(build))
    collections = list(_collections(build))
    of = {folder.name: [link for link in links if link.address.startswith(f"{folder.name}/")] for folder in collections}
    template = environment.overlay(loader=loader).get_template("front_page.html.j2")
    return template.render(
        collections=collections,
        links_of=of,
        other_links=[link for link in links if not any(link in found for found in of.values())],
        releases={path.parent.name: _files(path.parent) for path in sorted(build.glob("release/*/README.md"))},
        checks=_object(build / "validation" / "results" / "checkpoint.json"),
    )


def rows(path: Path) -> list[Row]:
    """Return the objects of a JSON Lines file; none if it is missing."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [json.loads(line) for line in text.split("\n") if line]


def tally(values: Iterable[str | None]) -> dict[str, int]:
    """Return how often each value occurs, the most frequent first."""
    return dict(sorted(Counter(value for value in values if value).items(), key=lambda pair: (-pair[1], pair[0])))


def classes(rejected: Iterable[Row]) -> dict[str, int]:
    """Return how many records were rejected for which class."""
    return tally(record["findings"][0]["class"] for record in rejected)


def _object(path: Path) -> Row:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _count(path: Path) -> int:
    """Return the number of rows of a JSON Lines file; 0 if it is missing."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _files(release: Path) -> dict[str, int]:
    return {path.name: _count(path) for path in sorted((release / "data").glob("*.jsonl"))}


def _links(build: Path) -> Iterator[Link]:
    """Yield the pages of a build, first what to look at first."""
    found = []
    for path in (path for depth in ("*", "*/*", "*/*/*") for path in build.glob(f"{depth}/{FRONT_PAGE}")):
        folder = path.parent.relative_to(build).as_posix()
        kind = folder if folder in PAGES else path.parent.name
        with path.open(encoding="utf-8", errors="replace") as page:
            title = _TITLE.search(page.read(_HEAD))
        link = Link(f"{folder}/{FRONT_PAGE}", html.unescape(title[1]) if title else folder, PAGES.get(kind, ""))
        found.append((list(PAGES).index(kind) if kind in PAGES else len(PAGES), link.address, link))
    yield from (link for _, _, link in sorted(found, key=lambda entry: entry[:2]))


def _collections(build: Path) -> Iterator[Collection]:
    """Yield the collections of a build by what they have: zeros, gaps, sentences of templates, documents."""
    readers = {"decisions.jsonl": _zeros, "cloze.jsonl": _gaps, "double.jsonl": _templates, "figures.json": _documents}
    for file, read in readers.items():
        for path in sorted(build.glob(f"*/{file}")):
            if file != "figures.json" or path.parent.name == "zp":
                yield read(path.parent, build / "release" / path.parent.name / "data")


def _released(made: int, data: Path, *files: str) -> list[Step]:
    """Return the last step of a collection, if it is released: `made` is what it could have released."""
    released = sum(_count(data / f"{file}.jsonl") for file in files)
    return [Step("released", released, made - released)] if released else []


def _zeros(folder: Path, data: Path) -> Collection:
    items = rows(folder / "zero.jsonl")
    steps: list[Step] = []
    for what, kept, left, ledger in STAGES:
        rejected = rows(folder / f"{left}.jsonl")
        why = classes(rejected) if steps else {}
        steps.append(
            Step(what.format(_count(folder / f"{ledger}.jsonl")), _count(folder / f"{kept}.jsonl"), len(rejected), why)
        )
    read = steps[0].kept + steps[0].rejected
    steps += _released(read, data, folder.name)
    analyses = {row["id"]: row for row in rows(folder / "analysis.jsonl")}
    balances = {
        "right answer": tally(chr(ord("A") + item["answer"]) for item in items),
        "right candidate": tally(_place(item) for item in items),
        "register": tally(analyses.get(item["id"], {}).get("register") for item in items),
        "kind": tally(analyses.get(item["id"], {}).get("kind") for item in items),
    }
    lead = f"{len(items):,} of {read:,} {_language(items)}records became items with a zero (Ø) in place of a pronoun"
    example = [item | {"gloss": analyses.get(item["id"], {}).get("gloss")} for item in items[:2]]
    return Collection(folder.name, lead, steps, balances, example=example)


def _language(items: Sequence[Row]) -> str:
    """Return the language of items, and a blank; empty if it has no name here."""
    name = _LANGUAGES.get(items[0].get("lang", "")) if items else None
    return f"{name} " if name else ""


def _place(item: Row) -> str:
    """Return whether the text names the right candidate before the others."""
    first = min(item.get("mentions") or [], key=lambda mention: mention["text"]["start"], default=None)
    return "" if first is None else "named first" if first["candidate"] == item["answer"] else "named later"


def _gaps(folder: Path, data: Path) -> Collection:
    items = rows(folder / "cloze.jsonl")
    steps = [
        Step("read", _count(folder / "items.jsonl"), _count(folder / "skipped.jsonl")),
        *_released(len(items), data, "cloze"),
    ]
    balances = {
        "pronoun": tally(item["pronoun"] for item in items),
        "antecedent": tally(chr(ord("A") + item["gold"]) for item in items),
        **{key: tally(item.get(key) for item in items) for key in ("register", "kind")},
    }
    return Collection(
        folder.name, f"{len(items):,} {_language(items)}sentences with a gap for a pronoun", steps, balances
    )


def _templates(folder: Path, data: Path) -> Collection:
    double, single = rows(folder / "double.jsonl"), rows(folder / "single.jsonl")
    items = [*double, *single]
    steps = [Step("made of templates", len(items), 0), *_released(len(items), data, "double", "single")]
    balances = {
        "people in the sentence": {"two": len(double), "one": len(single)},
        **{key: tally(item.get(key) for item in items) for key in ("pronouns", "case")},
    }
    return Collection(folder.name, f"{len(items):,} {_language(items)}sentences made of templates", steps, balances)


def _documents(folder: Path, data: Path) -> Collection:
    figures = _object(folder / "figures.json")
    whole = figures["all"]
    steps = [Step("read", whole["zeros"], 0), *_released(whole["zeros"], data, "zeros")]
    balances = {
        "genre": {genre["name"]: genre["zeros"] for genre in figures["genres"]},
        "form": {form: number for form, number in whole["forms"].items() if number},
    }
    lead = f"{whole['sentences']:,} Chinese sentences of {whole['documents']} documents with {whole['zeros']} labelled zero pronouns"
    return Collection(folder.name, lead, steps, balances, noun="zeros")


def write_front_page(build: Path) -> None:
    """Write the front page of a build folder."""
    write_text(build / FRONT_PAGE, front_page(build))


if __name__ == "__main__":
    write_front_page(Path(sys.argv[1]))
