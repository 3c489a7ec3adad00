"""Check that no sentence of ours stands in, or translates, one of the published collections.

Two texts count as the same where they share a run of 8 Chinese characters (punctuation, blanks and script aside), where
an English gloss has a third of all content words in common with an English sentence, or a template half of them, entities
aside, with a published template.

    python tools/overlap.py raw/zh/schemas.yaml --modifications raw/zh/modifications.yaml --templates raw/en/templates.yaml
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from defusedxml.ElementTree import fromstring
from spacy.lang.en.stop_words import STOP_WORDS

from pipeline.core.archives import archived_texts
from pipeline.core.errors import PipelineError
from pipeline.core.files import decode, lines_of, read_bytes
from pipeline.core.notation import expand, unbracket
from pipeline.core.yamlfile import line_of, parse_yaml
from pipeline.language.pronouns import pronoun_table
from pipeline.winograd.modifications import modified_versions
from pipeline.winograd.readers.draft import assemble
from pipeline.winograd.readers.schema_yaml import read_schema_yaml, schemas_of
from pipeline.winopron.templates import read_templates
from tools.published import VARIABLE, data_folder

#: How many Chinese characters in a row two texts may not share.
RUN = 8
#: The share of content words (of all that one or the other has) from which a gloss counts as a translation.
SHARE = 1 / 3
#: The same for templates.
TEMPLATE_SHARE = 1 / 2
#: What templates are compared with; in other texts so short a sentence is met by chance.
TEMPLATE_FOLDERS = ("winogender/", "winopron/")
#: Fewer common words than this say nothing.
FEWEST = 3
DATA = data_folder()

_NOT_CHINESE = re.compile(r"[^\u3400-\u9fff]+")
_ENGLISH = re.compile(r"[a-z]+")
_PLACEHOLDER = re.compile(r"\$[A-Z_]+")
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class Passage:
    """A text of ours or a published one, and where it stands."""

    place: str
    text: str


@dataclass(frozen=True, slots=True)
class Match:
    """A text of ours that is too like a published one; `what` is what both have."""

    ours: Passage
    published: str
    what: str

    def __str__(self) -> str:
        return f"{self.ours.place} {self.what}; found it in {self.published}"


def runs(text: str, length: int = RUN) -> set[str]:
    """Return every run of Chinese characters of `text`, whatever stands between them.

    >>> sorted(runs("他说，走吧！", 3))
    ['他说走', '说走吧']
    """
    characters = _NOT_CHINESE.sub("", text)
    return {characters[place : place + length] for place in range(len(characters) - length + 1)}


def content_words(text: str) -> frozenset[str]:
    """Return the words of an English text that are no function words, lower-cased.

    >>> sorted(content_words("The old fox was hungry, so he ate it."))
    ['ate', 'fox', 'hungry', 'old']
    """
    words = _ENGLISH.findall(_PLACEHOLDER.sub(" ", text).lower())
    return frozenset(word for word in words if word not in STOP_WORDS and len(word) > 1)


def shared_runs(ours: Iterable[Passage], published: Iterable[Passage]) -> list[Match]:
    """Return each of our passages that shares a run with a published one, once for every place."""
    index = defaultdict(list)
    for passage in ours:
        for run in sorted(runs(passage.text)):
            index[run].append(passage)
    return [
        Match(passage, other.place, f"shares {RUN} characters, {run!r}")
        for other in published
        for run in sorted(runs(other.text) & index.keys())
        for passage in index[run]
    ]


def shared_words(glosses: Iterable[Passage], published: Iterable[Passage], share: float = SHARE) -> list[Match]:
    """Return each of our glosses that has too many content words in common with a published sentence."""
    words = [(passage, content_words(passage.text)) for passage in glosses]
    index = defaultdict(set)
    for number, (_, own) in enumerate(words):
        for word in own:
            index[word].add(number)
    found = []
    for other in published:
        theirs = content_words(other.text)
        common: dict[int, int] = defaultdict(int)
        for word in theirs:
            for number in index.get(word, ()):
                common[number] += 1
        for number, count in sorted(common.items()):
            passage, own = words[number]
            jaccard = count / len(own | theirs)
            if count >= FEWEST and jaccard >= share:
                what = f"shares {count} of {len(own | theirs)} content words, {' '.join(sorted(own & theirs))!r}"
                found.append(Match(passage, other.place, what))
    return found


# --- our texts --------------------------------------------------------------------------------------------------------


def our_texts(schemas: Path, modifications: Path | None) -> tuple[list[Passage], list[Passage]]:
    """Return the sentences, those modified included, and the glosses of a schema-yaml file."""
    data = read_bytes(schemas)
    document = parse_yaml(decode(data, schemas), schemas)
    lines = {
        schema.id: line_of(node, "id") for schema, node in zip(schemas_of(document, schemas), document, strict=True)
    }
    drafts = read_schema_yaml(data, schemas, None)
    changed = modified_versions(assemble(drafts).items, modifications) if modifications else []
    texts = [(one.schema, one.id, one.text) for one in drafts] + [(one.schema, one.id, one.text) for one in changed]
    sentences = [Passage(f"{schemas}:{lines[schema]}: [{name}]", text) for schema, name, text in texts]
    glosses = [
        Passage(f"{schemas}:{lines[entry.id]}: [{entry.id}]", unbracket(gloss)[0])
        for entry in schemas_of(document, schemas)
        for gloss in expand(entry.gloss)
    ]
    return sentences, glosses


def our_templates(path: Path) -> list[Passage]:
    """Return the double and the single version of every template of ours, without its entities."""
    return [
        Passage(f"{path}:{template.line}: [{template.occupation}]", text)
        for template in read_templates(path, pronoun_table("en"))
        for text in (template.double, template.single or "")
    ]


# --- published texts --------------------------------------------------------------------------------------------------


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def _lines(name: str, text: str) -> Iterator[Passage]:
    """Yield the sentences of a text file as lines, whatever its format."""
    for number, line in enumerate(lines_of(text), 1):
        if name.endswith(".json") and line.strip():
            line = " ".join(_strings(json.loads(line)))
        elif name.endswith(".conllu"):
            line = line.removeprefix("# text = ") if line.startswith("# text = ") else ""
        for cell in line.split("\t"):  # a row may hold a sentence in several languages
            if cell.strip():
                yield Passage(f"{name}:{number}", cell)


def _schemas(name: str, data: bytes) -> Iterator[Passage]:
    """Yield the texts of an XML file, one for each child of its root: parts of a sentence stand in elements of their own."""
    for number, element in enumerate(fromstring(data), 1):
        text = element.find("text")
        yield Passage(f"{name} no. {number}", " ".join((element if text is None else text).itertext()))


def _archive(path: Path, name: str) -> Iterator[Passage]:
    """Yield the texts in an archive, read from it and never unpacked: a workbook's cells, or text files."""
    for member, text in archived_texts(path, (".tsv", ".txt", "sharedStrings.xml")).items():
        if member.endswith(".xml"):
            for number, element in enumerate(fromstring(text), 1):
                yield Passage(f"{name} cell text {number}", "".join(element.itertext()))
        else:
            yield from _lines(f"{name}/{member}", text)


def published_texts(folder: Path) -> Iterator[Passage]:
    """Yield every text in the files below a folder.

    Raises:
        PipelineError: there is no such folder, or a file cannot be read.
    """
    if not folder.is_dir():
        raise PipelineError(folder, None, f"[folder] published collections not found; set {VARIABLE} to their folder")
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        if path.suffix in (".zip", ".xlsx"):
            yield from _archive(path, name)
        elif path.suffix == ".xml":
            yield from _schemas(name, read_bytes(path))
        else:
            yield from _lines(name, decode(read_bytes(path), path))


def simplified(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Yield the passages that have Chinese characters, in simplified script."""
    from opencc import OpenCC

    convert = OpenCC("t2s").convert
    for passage in passages:
        characters = _NOT_CHINESE.sub("", passage.text)
        if len(characters) >= RUN:
            yield Passage(passage.place, convert(characters))


def main(
    schemas: Annotated[Path, typer.Argument(help="Our schemas (schema-yaml).", show_default=False)],
    modifications: Annotated[Path | None, typer.Option(help="Their modifications.", show_default=False)] = None,
    templates: Annotated[Path | None, typer.Option(help="Our English templates.", show_default=False)] = None,
    prose: Annotated[Path | None, typer.Option(help="Our articles, one a line.", show_default=False)] = None,
    against: Annotated[
        Path, typer.Option(help="Folder of the published collections.", show_default=f"${VARIABLE} or ../shared/data")
    ] = DATA,
) -> None:
    """Check that no sentence of ours stands in, or translates, one of the published collections."""
    try:
        sentences, glosses = our_texts(schemas, modifications)
        english = our_templates(templates) if templates else []
        lines = lines_of(decode(read_bytes(prose), prose)) if prose else []
        published = list(published_texts(against))
    except PipelineError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    articles = [Passage(f"{prose}:{number}", line) for number, line in enumerate(lines, 1)]
    matches = shared_runs([*sentences, *articles], simplified(published)) + shared_words(glosses, published)
    like = [passage for passage in published if passage.place.startswith(TEMPLATE_FOLDERS)]
    matches += shared_words(english, like, TEMPLATE_SHARE)
    for match in sorted(set(map(str, matches))):
        typer.echo(match, err=True)
    typer.echo(
        f"{len(sentences)} sentences, {len(glosses)} glosses, {len(english)} templates, {len(articles)} articles "
        f"against {len(published)} published: "
        f"{len(matches)} too like one"
    )
    if matches:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
