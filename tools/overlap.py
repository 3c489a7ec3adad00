"""Check that none of our sentences copies or translates a text of the published collections.

Two texts match if they share 8 Chinese characters in a row (ignoring punctuation, blanks and script), in running text 10. An English gloss,
or example of a prompt, matches an English sentence if their Jaccard index over content words is a third or more; a translation of running
text, if it is a half or more. So does one of our templates, without its entities, with a published template, and a German sentence with
another one.

    python -m tools.overlap raw
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from defusedxml.ElementTree import fromstring
from spacy.lang.de.stop_words import STOP_WORDS as GERMAN_STOP_WORDS
from spacy.lang.en.stop_words import STOP_WORDS

from pipeline.core.archives import archived_texts
from pipeline.core.errors import PipelineError
from pipeline.core.files import decode, lines_of, parse_jsonl, read_bytes
from pipeline.core.notation import expand, unbracket
from pipeline.core.yamlfile import line_of, load_yaml, parse_yaml
from pipeline.evaluation.prompts import FILE, demonstrations
from pipeline.language.pronoun_classes import GAP
from pipeline.language.pronouns import pronoun_table
from pipeline.winograd.cloze import OR, read_fillers
from pipeline.winograd.modifications import modified_versions
from pipeline.winograd.readers.draft import assemble
from pipeline.winograd.readers.schema_yaml import read_schema_yaml, schemas_of
from pipeline.winopron.instances import read_templates
from pipeline.zero_pronouns.documents import BOUNDARY, read_parallel_text
from tools.published import VARIABLE, data_folder

#: Number of consecutive Chinese characters that make a match.
RUN = 8
#: The same in running text, whose genres have stock phrases (教授、博士生导师).
RUN_OF_DOCUMENTS = 10
#: Jaccard index over content words from which a gloss counts as a translation.
SHARE = 1 / 3
#: The same for templates, and for German sentences.
TEMPLATE_SHARE = 1 / 2
#: Collections that templates are compared with; other texts match such short sentences by chance.
TEMPLATE_FOLDERS = ("winogender/", "winopron/")
#: Minimum number of common words of a match; in running text, a greeting or a title has three.
MIN_WORDS, MIN_WORDS_OF_DOCUMENTS = 3, 6
DATA = data_folder()
RAW = Path("raw")
#: Our schemas, their modifications, German schemas, fillers, templates, articles and documents, in the folder of what we wrote.
OURS = (
    *("zh/schemas.yaml", "zh/modifications.yaml", "de/schemas.yaml", "de/fillers.yaml"),
    *("en/templates.yaml", "prose/articles.txt", "zp"),
)

_NOT_CHINESE = re.compile(r"[^\u3400-\u9fff]+")
_ENGLISH = re.compile(r"[a-z]+")
_GERMAN = re.compile(r"[a-zäöüß]+")
_PLACEHOLDER = re.compile(r"\$[A-Z_]+")
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class Passage:
    """A text, ours or published, and its place."""

    place: str
    text: str


@dataclass(frozen=True, slots=True)
class Match:
    """A text of ours that matches a published one; `what` describes what they share."""

    ours: Passage
    published: str
    what: str

    def __str__(self) -> str:
        return f"{self.ours.place} {self.what}; found in {self.published}"


def runs(text: str, length: int = RUN) -> set[str]:
    """Return every run of `length` Chinese characters of `text`, ignoring all other characters.

    >>> sorted(runs("他说，走吧！", 3))
    ['他说走', '说走吧']
    """
    characters = _NOT_CHINESE.sub("", text)
    return {characters[place : place + length] for place in range(len(characters) - length + 1)}


def content_words(text: str) -> frozenset[str]:
    """Return the content words of an English text in lower case.

    >>> sorted(content_words("The old fox was hungry, so he ate it."))
    ['ate', 'fox', 'hungry', 'old']
    """
    words = _ENGLISH.findall(_PLACEHOLDER.sub(" ", text).lower())
    return frozenset(word for word in words if word not in STOP_WORDS and len(word) > 1)


def german_words(text: str) -> frozenset[str]:
    """Return the content words of a German text in lower case.

    >>> sorted(german_words("Der Kater jagte die Maus, bis er müde war."))
    ['jagte', 'kater', 'maus', 'müde']
    """
    words = _GERMAN.findall(text.lower())
    return frozenset(word for word in words if word not in GERMAN_STOP_WORDS and len(word) > 1)


def shared_runs(ours: Iterable[Passage], published: Iterable[Passage], length: int = RUN) -> list[Match]:
    """Return our passages that share a run with a published one, once for each run and place."""
    index = defaultdict(list)
    for passage in ours:
        for run in sorted(runs(passage.text, length)):
            index[run].append(passage)
    return [
        Match(passage, other.place, f"shares {length} characters, {run!r}")
        for other in published
        for run in sorted(runs(other.text, length) & index.keys())
        for passage in index[run]
    ]


def shared_words(
    glosses: Iterable[Passage],
    published: Iterable[Passage],
    share: float = SHARE,
    least: int = MIN_WORDS,
    of: Callable[[str], frozenset[str]] = content_words,
) -> list[Match]:
    """Return our glosses that share too many content words with a published sentence."""
    words = [(passage, of(passage.text)) for passage in glosses]
    index = defaultdict(set)
    for number, (_, own) in enumerate(words):
        for word in own:
            index[word].add(number)
    matches = []
    for other in published:
        theirs = of(other.text)
        common: dict[int, int] = defaultdict(int)
        for word in theirs:
            for number in index.get(word, ()):
                common[number] += 1
        for number, count in sorted(common.items()):
            passage, own = words[number]
            jaccard = count / len(own | theirs)
            if count >= least and jaccard >= share:
                what = f"shares {count} of {len(own | theirs)} content words, {' '.join(sorted(own & theirs))!r}"
                matches.append(Match(passage, other.place, what))
    return matches


# --- our texts --------------------------------------------------------------------------------------------------------


def our_texts(
    schemas: Path, modifications: Path | None = None, lang: str | None = None
) -> tuple[list[Passage], list[Passage]]:
    """Return the sentences, including modified ones, and the glosses of a schema-yaml file."""
    data = read_bytes(schemas)
    document = parse_yaml(decode(data, schemas), schemas)
    lines = {
        schema.id: line_of(node, "id") for schema, node in zip(schemas_of(document, schemas), document, strict=True)
    }
    drafts = read_schema_yaml(data, schemas, lang)
    changed = modified_versions(assemble(drafts).items, modifications) if modifications else []
    texts = [(draft.schema, draft.id, draft.text) for draft in drafts]
    texts += [(item.schema, item.id, item.text) for item in changed]
    sentences = [Passage(f"{schemas}:{lines[schema]}: [{name}]", text) for schema, name, text in texts]
    glosses = [
        Passage(f"{schemas}:{lines[entry.id]}: [{entry.id}]", unbracket(gloss)[0])
        for entry in schemas_of(document, schemas)
        for gloss in expand(entry.gloss)
    ]
    return sentences, glosses


def our_fillers(path: Path) -> list[Passage]:
    """Return the fillers of the German experiment, each with its pronoun in the gap, of several the first."""
    lines = {node["id"]: line_of(node, "id") for node in load_yaml(path)}
    return [
        Passage(f"{path}:{lines[filler.id]}: [{filler.id}]", filler.text.replace(GAP, filler.answer.partition(OR)[0]))
        for filler in read_fillers(path, "de")
    ]


def our_examples() -> Iterator[tuple[str, Passage]]:
    """Yield the language and the text of each example for prompts, both members."""
    for lang, examples in demonstrations().items():
        for entry in (member for example in examples for member in example):
            yield lang, Passage(f"{FILE}: [{entry.item.id}]", entry.item.text)


def our_templates(path: Path) -> list[Passage]:
    """Return the double and the single version of each of our templates, with placeholders for its entities."""
    return [
        Passage(f"{path}:{template.line}: [{template.occupation}]", text)
        for template in read_templates(path, pronoun_table("en"))
        for text in (template.double, template.single or "")
    ]


def our_documents(folder: Path) -> tuple[list[Passage], list[Passage]]:
    """Return the sentences of labelled texts, as they are and with their zeros restored, and their translations, invented ones too."""
    sentences, translations = [], []
    for source in sorted(folder.glob("*.zh")):
        for pair in read_parallel_text(source, source.with_suffix(".en")).pairs:
            place = f"{source}:{pair.line}"
            sentences += [Passage(place, text) for text in dict.fromkeys((pair.source.text, pair.source.oracle))]
    for path in sorted(folder.rglob("*.en")):
        lines = lines_of(decode(read_bytes(path), path))
        translations += [Passage(f"{path}:{number}", line) for number, line in enumerate(lines, 1) if line != BOUNDARY]
    return sentences, translations


# --- published texts --------------------------------------------------------------------------------------------------


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def _lines(name: str, text: str) -> Iterator[Passage]:
    """Yield the sentences of a text file: its lines, or the cells of a line."""
    if name.endswith((".json", ".jsonl")):
        yield from _objects(name, text)
        return
    for number, line in enumerate(lines_of(text), 1):
        if name.endswith(".conllu"):
            line = line.removeprefix("# text = ") if line.startswith("# text = ") else ""
        for cell in line.split("\t"):  # a row may hold a sentence in several languages
            if cell.strip():
                yield Passage(f"{name}:{number}", cell)


def _objects(name: str, text: str) -> Iterator[Passage]:
    """Yield the texts of a JSON array, one per element, or of JSON Lines, one per line.

    Raises:
        PipelineError: neither of them.
    """
    try:
        document = json.loads(text)
        objects = list(enumerate(document if isinstance(document, list) else [document], 1))
    except ValueError:
        objects = list(parse_jsonl(text, Path(name)))
    for number, content in objects:
        yield Passage(f"{name}:{number}", " ".join(_strings(content)))


def _schemas(name: str, data: bytes) -> Iterator[Passage]:
    """Yield the texts of an XML file, one per child of its root; parts of a sentence have their own elements."""
    for number, element in enumerate(fromstring(data), 1):
        text = element.find("text")
        yield Passage(f"{name} no. {number}", " ".join((element if text is None else text).itertext()))


def _archive(path: Path, name: str) -> Iterator[Passage]:
    """Yield the texts in an archive without unpacking it: a workbook's cells, or the lines of text files."""
    for member, text in archived_texts(path, (".tsv", ".txt", "sharedStrings.xml")).items():
        if member.endswith(".xml"):
            for number, element in enumerate(fromstring(text), 1):
                yield Passage(f"{name} cell text {number}", "".join(element.itertext()))
        else:
            yield from _lines(f"{name}/{member}", text)


def published_texts(folder: Path) -> Iterator[Passage]:
    """Yield every text of the files below a folder.

    Raises:
        PipelineError: the folder is missing, or a file is unreadable.
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
    """Yield the passages with at least a run of Chinese characters, in simplified script."""
    from opencc import OpenCC

    convert = OpenCC("t2s").convert
    for passage in passages:
        characters = _NOT_CHINESE.sub("", passage.text)
        if len(characters) >= RUN:
            yield Passage(passage.place, convert(characters))


def main(
    raw: Annotated[Path, typer.Argument(help="Folder of what we wrote; another than raw may lack some of it.")] = RAW,
    against: Annotated[
        Path, typer.Option(help="Folder of the published collections.", show_default=f"${VARIABLE} or ../shared/data")
    ] = DATA,
) -> None:
    """Check that none of our sentences copies or translates a text of the published collections."""
    paths = [path if (path := raw / name).exists() else None for name in OURS]
    lacking = [f"{raw / name}" for name, path in zip(OURS, paths, strict=True) if path is None]
    if lacking and raw.resolve() == RAW.resolve():
        for missing in lacking:
            typer.echo(f"{missing}: [file] not there; expected it in the checkout", err=True)
        raise typer.Exit(2)
    schemas, modifications, german, fillers, templates, prose, documents = paths
    try:
        sentences, glosses = our_texts(schemas or raw / OURS[0], modifications)
        english = our_templates(templates) if templates else []
        in_german, german_glosses = our_texts(german, lang="de") if german else ([], [])
        in_german += our_fillers(fillers) if fillers else []
        prompts = list(our_examples()) if FILE.is_relative_to(raw.resolve()) else []
        lines = lines_of(decode(read_bytes(prose), prose)) if prose else []
        running, translations = our_documents(documents) if documents else ([], [])
        published = list(published_texts(against))
    except PipelineError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    articles = [Passage(f"{prose}:{number}", line) for number, line in enumerate(lines, 1)]
    chinese = list(simplified(published))
    glosses += [*german_glosses, *(passage for lang, passage in prompts if lang == "en")]
    sentences += [passage for lang, passage in prompts if lang == "zh"]
    matches = shared_runs([*sentences, *articles], chinese) + shared_words(glosses, published)
    matches += shared_words(in_german, published, TEMPLATE_SHARE, of=german_words)
    matches += shared_runs(running, chinese, RUN_OF_DOCUMENTS)
    matches += shared_words(translations, published, TEMPLATE_SHARE, MIN_WORDS_OF_DOCUMENTS)
    like = [passage for passage in published if passage.place.startswith(TEMPLATE_FOLDERS)]
    matches += shared_words(english, like, TEMPLATE_SHARE)
    for match in sorted(set(map(str, matches))):
        typer.echo(match, err=True)
    typer.echo(
        f"{len(sentences)} sentences, {len(in_german)} in German, {len(running)} of running text, "
        f"{len(glosses)} glosses, {len(english)} templates, {len(articles)} articles, "
        f"{len(translations)} translated sentences against {len(published)} published: {len(matches)} too similar"
    )
    if matches:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
