"""Benchmark of the exclusion rules: a walk from the target before spaCy's matcher, and all patterns on the whole sentence.

Both judge the cases of the rules, the answer keys, the targets and pronouns of the committed trees, and published collections if they
are there, and must give the same rules, patterns and words. Times are of the processor.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial

import conllu

from pipeline.core.files import read_text
from pipeline.core.model import Item, Span
from pipeline.core.rules import RULES, languages_with_zeros
from pipeline.language.parsing.backends import BACKENDS, Backend, BackendName
from pipeline.language.parsing.lock import Lock, read_lock, tree_of, update
from pipeline.language.parsing.trees import Token, Tree, parse_trees
from pipeline.language.spacy_parts import DependencyMatcher, Doc, Vocab
from pipeline.language.zh import CHINESE
from pipeline.winograd.exclusion.rule_files import TARGET
from pipeline.winograd.exclusion.ruleset import RuleSet, load_rules
from pipeline.winograd.readers import ingest
from tests.support.answer_keys import KEYS, answer_key, recorded, trees_of
from tools.published import data_folder

_RAW = RULES.parent / "raw"
#: The committed trees, each with the language of its sentences.
LOCKS: Mapping[str, str] = {
    "zh/parses/stanza.conllu": "zh",
    "zh/parses/udpipe.conllu": "zh",
    "zp/parses/items.conllu": "zh",
    "zp/parses/udpipe.conllu": "zh",
    "ja/parses/ginza.conllu": "ja",
}
#: Published collections with a parser of their language: file in the shared data, format, column or language.
PUBLISHED: Mapping[str, tuple[BackendName, str, str, str]] = {
    "Mandarinograd": ("udpipe", "pws/pws.tsv", "pws-tsv", "man"),
    "CLUEWSC": ("udpipe", "cluewsc/dev_0.json", "cluewsc-jsonl", "zh"),
    "XWINOGRAD zh": ("udpipe", "xwinograd/dataset.tsv", "xwinograd-tsv", "zh"),
    "PWS jap": ("ginza", "pws/pws.tsv", "pws-tsv", "jap"),
    "PWS jap2": ("ginza", "pws/pws.tsv", "pws-tsv", "jap2"),
    "XWINOGRAD ja": ("ginza", "xwinograd/dataset.tsv", "xwinograd-tsv", "ja"),
}

#: A tree and the place of a target in it.
Place = tuple[Tree, int]
#: The rules that match a target, in their order, each with the number of its pattern and the words by the names of their nodes.
Found = list[tuple[str, int, Mapping[str, str]]]


@dataclass(frozen=True, slots=True)
class Source:
    """Where targets are from, the language of their sentences, and a function that returns the place of every n-th of them."""

    name: str
    lang: str
    places: Callable[[int], list[Place]]


def committed() -> list[Source]:
    """Return what lies in the repository: cases of the rules, parse locks, and answer keys by both parsers."""
    cases = [Source(f"cases of the rules of {lang}", lang, partial(_of_cases, lang)) for lang in languages_with_zeros()]
    locks = [Source(f"raw/{file}", lang, partial(_of_lock, file)) for file, lang in LOCKS.items()]
    return [*cases, *locks, *(_key(key, parser) for key in KEYS if key != "literary" for parser in CHINESE.parsers)]


def published() -> list[Source]:
    """Return what needs the folder of the published collections."""
    collections = (
        Source(name, "ja" if collection[0] == "ginza" else "zh", partial(_of_collection, *collection))
        for name, collection in PUBLISHED.items()
    )
    return [*(_key("literary", parser) for parser in CHINESE.parsers), *collections]


def _key(key: str, parser: str) -> Source:
    return Source(f"{key}, {parser}", "zh", partial(_of_key, key, parser))


def _of_cases(lang: str, step: int) -> list[Place]:
    places: list[Place] = []
    for path in sorted((RULES / lang).glob("*.conllu")):
        text = read_text(path)
        for sentence, tree in zip(conllu.parse(text), parse_trees(text, path), strict=True):
            targets = (place for place, word in enumerate(sentence) if (word["misc"] or {}).get("Target") == "Yes")
            places.append((tree, next(targets)))
    return places[::step]


def _of_lock(file: str, step: int) -> list[Place]:
    """Return words that the parser takes for pronouns, and targets of our items that it does not."""
    lock = read_lock(_RAW / file)
    pronouns = [
        (tree, place) for tree in lock.trees.values() for place, word in enumerate(tree.tokens) if word.upos == "PRON"
    ]
    schemas = (_RAW / file).parents[1] / "schemas.yaml"
    items = ingest(schemas.read_bytes(), schemas, "schema-yaml", LOCKS[file]).items if schemas.exists() else ()
    targets = _of_items(items, lock)
    return list({(tree.key, place): (tree, place) for tree, place in [*pronouns, *targets]}.values())[::step]


def _of_key(key: str, parser: str, step: int) -> list[Place]:
    rows = answer_key(key)[::step]
    return _of_items((item for _, item in rows), trees_of(rows, recorded(key, parser)))


def _of_collection(parser: BackendName, file: str, format_name: str, column: str, step: int) -> list[Place]:
    path = data_folder() / file
    items = ingest(path.read_bytes(), path, format_name, column).items[::step]
    trees = update(items, {}, _loaded(parser)).trees
    return _of_items(items, Lock(path, {tree.key: tree for tree in trees}))


@cache
def _loaded(parser: BackendName) -> Backend:
    return BACKENDS[parser](None)


def _of_items(items: Iterable[Item], lock: Lock) -> list[Place]:
    return [tree_of(item, lock) for item in items if not item.already_zero]


# --- both ways --------------------------------------------------------------------------------------------------------------


def as_decided(rules: RuleSet, tree: Tree, target: int) -> Found:
    """Return what the rules find of a target."""
    return [(match.rule.id, match.pattern, match.words) for match in rules.judge(tree, target)]


def on_the_whole_sentence(rules: RuleSet) -> Callable[[Tree, int], Found]:
    """Return a function that gives what the rules must find of a target: spaCy's matcher is asked about all patterns at once."""
    vocab = Vocab()
    when, unless = DependencyMatcher(vocab), DependencyMatcher(vocab)
    patterns = {f"{rule.id} {number}": nodes for rule in rules.rules for number, nodes in enumerate(rule.patterns, 1)}
    for key, nodes in patterns.items():
        when.add(key, [nodes])
    for rule in rules.rules:
        if rule.unless:
            unless.add(rule.id, list(rule.unless))

    def judge(tree: Tree, target: int) -> Found:
        words = tree.tokens
        if words[-1].upos != "PUNCT":  # rules rely on a mark at the end
            root = next(place for place, word in enumerate(words) if word.head is None)
            words = (*words, Token("。", Span(len(tree.text), len(tree.text)), "PUNCT", "x", root, "punct"))
        doc = Doc(
            vocab,
            words=[word.form for word in words],
            pos=[word.upos for word in words],
            tags=[word.xpos for word in words],
            deps=[word.relation for word in words],
            heads=[place if word.head is None else word.head for place, word in enumerate(words)],
        )
        doc[target]._.role = TARGET
        first: dict[str, list[int]] = {}
        for match, places in when(doc):
            first.setdefault(vocab.strings[match], places)
        exempt = {vocab.strings[match] for match, _ in unless(doc)}
        found: Found = []
        for rule in rules.rules:
            matched = [number for number in range(1, len(rule.patterns) + 1) if f"{rule.id} {number}" in first]
            if matched and rule.id not in exempt and not {before for before, *_ in found} & {*rule.yields_to}:
                key = f"{rule.id} {matched[0]}"
                forms = (words[place].form for place in first[key])
                names = (node["RIGHT_ID"] for node in patterns[key])
                found.append((rule.id, matched[0], dict(zip(names, forms, strict=True))))
        return found

    return judge


def compared(rules: RuleSet, places: Iterable[Place]) -> tuple[list[Place], float, float]:
    """Return the targets that the two ways judge otherwise, and the seconds of the rules and of all patterns on whole sentences."""
    places, whole = list(places), on_the_whole_sentence(rules)
    began = time.process_time()
    ours = [as_decided(rules, *place) for place in places]
    middle = time.process_time()
    theirs = [whole(*place) for place in places]
    ended = time.process_time()
    differing = [place for place, mine, other in zip(places, ours, theirs, strict=True) if mine != other]
    return differing, middle - began, ended - middle


def main() -> None:
    """Print for each source how many targets were judged, and the milliseconds that a target takes both ways; exit 1 if they differ."""
    print("| targets of | language | judged | rules, ms | whole sentences, ms | otherwise |")
    print("|---|---|---|---|---|---|")
    total, seconds, whole_seconds, different = 0, 0.0, 0.0, 0
    for source in [*committed(), *(published() if data_folder().is_dir() else ())]:
        places = source.places(1)
        differing, ours, whole = compared(load_rules(source.lang), places)
        times = " | ".join(f"{1000 * spent / len(places):.2f}" for spent in (ours, whole))
        print(f"| {source.name} | {source.lang} | {len(places):,} | {times} | {len(differing)} |", flush=True)
        total, seconds, whole_seconds = total + len(places), seconds + ours, whole_seconds + whole
        different += len(differing)
    times = " | ".join(f"{1000 * spent / total:.2f}" for spent in (seconds, whole_seconds))
    print(f"| all | | {total:,} | {times} | {different} |")
    if different:
        raise SystemExit("the two ways differ")


if __name__ == "__main__":
    main()
