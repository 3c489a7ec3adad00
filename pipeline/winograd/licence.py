"""The exclusion rules asked about running text: which overt third-person pronouns could be left out, and why the others must stay.

No schema is needed, and no candidate. `read_passages` reads a text, a treebank or texts in JSON Lines, `license_pronouns` decides.
"""

import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from ..core.convert import to_object
from ..core.errors import PipelineError, plural, shown
from ..core.files import decode, parse_jsonl
from ..core.model import ExclusionClass, Span
from ..core.rules import languages_with_zeros
from ..language.languages import language_of
from ..language.parsing.backends import BACKENDS, Backend, BackendName
from ..language.parsing.lock import renew
from ..language.parsing.treebanks import is_conllu, joined, line_of_blanks, read_treebank
from ..language.parsing.trees import Tree, key_of
from ..language.questions import question_table

if TYPE_CHECKING:
    from .exclusion.ruleset import RuleSet

Format = Literal["text", "conllu", "jsonl"]
FORMATS: tuple[Format, ...] = get_args(Format)
Ruling = Literal["omissible", "overt", "undecided"]
#: How a ruling is said.
IN_WORDS: Mapping[Ruling, str] = {"omissible": "may be left out", "overt": "must stay", "undecided": "undecided"}
#: The kind of mark of each on a page: the box of a zero, the ground of a target, the line of a candidate.
_MARKS: Mapping[Ruling, str] = {"omissible": "zero target", "overt": "target", "undecided": "candidate"}
#: The name of the trees of a treebank among those of parsers.
TREEBANK = "treebank"
#: Maximum number of words of a sentence that is parsed: the memory of a parser grows with its square, and no real sentence is longer.
_LONGEST = 400
#: Maximum width of a line for people; a Chinese character takes two places.
_WIDTH = 80
#: What no line is broken within: a word of a script with blanks, unless it is very long; else a character.
_PIECE = re.compile(r"[!-\u2e7f]{1,60}|.")
#: Characters of a pronoun in either script.
_PRONOUN = re.compile("[他她它牠]")
#: The region whose usage says what its pronouns and quotation marks are in simplified script (牠, 「」).
_REGION = "zh-Hant-TW"


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to ask about; a sentence of a treebank comes with its tree. `id` is empty for a whole file."""

    id: str
    text: str
    tree: Tree | None = None


class PronounLicence(msgspec.Struct, frozen=True, rename={"exclusion": "class"}):
    """What the rules say of a pronoun.

    Attributes:
        passage: the id of its passage; empty for a plain text.
        sentence: the span of its sentence in the text of the passage.
        span: its span in the text of the passage.
        form: the pronoun as written.
        decision: omissible, overt (it must stay) or undecided.
        exclusion: the class of the rule that matches first; None if none does.
        rule: its id.
        reason: why, in words.
        words: the words that the rule matched, by the name of their node.
        votes: the rules that match the tree of each parser; the first parser decides.
        disputed: whether another parser leads to another decision.
        uncertain: words whose part of speech would change the decision; see `RuleSet.tipping_words`.
    """

    passage: str
    sentence: Span
    span: Span
    form: str
    decision: Ruling
    exclusion: ExclusionClass | None
    rule: str | None
    reason: str
    words: Mapping[str, str] = {}
    votes: Mapping[str, tuple[str, ...]] = {}
    disputed: bool = False
    uncertain: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Licences:
    """What the rules say of a text: its sentences with pronouns in their order, each with its passage, its span there, and the pronouns.

    `sentences` is the number of all its sentences, `traditional` of those that are in traditional script.
    """

    by_sentence: tuple[tuple[Passage, Span, tuple[PronounLicence, ...]], ...]
    sentences: int
    traditional: int
    parsers: tuple[str, ...]

    @property
    def pronouns(self) -> tuple[PronounLicence, ...]:
        """The pronouns in their order."""
        return tuple(pronoun for _, _, pronouns in self.by_sentence for pronoun in pronouns)

    def count(self, decision: Ruling) -> int:
        """Return how many pronouns have a decision."""
        return sum(pronoun.decision == decision for pronoun in self.pronouns)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence with pronouns: its place in the passage, its text in the script of the rules, its pronouns."""

    passage: Passage
    span: Span
    text: str
    pronouns: tuple[Span, ...]


def found_format(text: str) -> Format:
    r"""Return the format of a text by its beginning.

    >>> found_format("# 1\n1\t他\t_\tPRON\t_\t_\t0\troot\t_\t_\n"), found_format('{"text": "他走了。"}'), found_format("他走了。")
    ('conllu', 'jsonl', 'text')
    """
    if is_conllu(text):
        return "conllu"
    return "jsonl" if text.lstrip().startswith("{") else "text"


def read_passages(data: bytes, path: Path, form: Format | None, lang: str) -> list[Passage]:
    """Return the passages of a file: a plain text as a whole, each sentence of a treebank, the `text` of each line of JSON Lines.

    Raises:
        PipelineError: the file is empty, not UTF-8, or malformed in its format.
    """
    text = decode(data, path)
    if not text.strip():
        raise PipelineError(path, None, "[file] no text; found an empty file, expected text, CoNLL-U or JSON Lines")
    match form or found_format(text):
        case "text":
            if form is None and (line := line_of_blanks(text)):
                reason = "columns separated by blanks; expected tabs, as of: sed -E '/^#/!s/ +/\\t/g'"
                raise PipelineError(path, line, f"[conllu] {reason}; or --format text, if it is no treebank")
            return [Passage("", text)]
        case "conllu":
            sentences = read_treebank(text, path, TREEBANK, lambda sentence: _adapted(sentence, lang))
            return [Passage(sentence.id, sentence.text, sentence.tree) for sentence in sentences]
        case "jsonl":
            return [_passage(row, path, line) for line, row in parse_jsonl(text, path)]


def _passage(row: Mapping[str, object], path: Path, line: int) -> Passage:
    if not isinstance(text := row.get("text"), str):
        raise PipelineError(path, line, f"[text] missing text; found {shown(text)}, expected the text to ask about")
    return Passage(str(row.get("id", line)), text)


def installed_backends(lang: str, names: Sequence[BackendName] = ()) -> list[Backend]:
    """Return loaded parsers: those that are named, else the smallest of the language that is installed.

    UDPipe comes before Stanza: on running text both lead to right decisions alike, and it takes a third of the time (docs/collections.md).

    Raises:
        PipelineError: a named one, or every one of the language, is not installed; the message says how to install it.
    """
    if names:
        return [BACKENDS[name](None) for name in dict.fromkeys(names)]
    reasons = []
    for name in reversed(language_of(lang).parsers):
        try:
            return [BACKENDS[name](None)]  # type: ignore[index]
        except PipelineError as error:
            reasons.append(str(error))
    raise PipelineError(None, None, f"[parser] no parser for {lang!r}; found {'; '.join(reasons) or 'none'}")


def license_pronouns(
    passages: Iterable[Passage],
    lang: str = "zh",
    *,
    backends: Callable[[], Sequence[Backend]] | None = None,
    track: Callable[[Sequence[_Sentence]], Iterable[_Sentence]] = iter,
) -> Licences:
    """Return what the rules of a language say of each overt third-person pronoun.

    A treebank's own tree decides about its sentence; parsers then are second opinions. Without a tree, the first parser decides.
    Chinese in traditional script is judged in simplified script, at the same places.

    Args:
        backends: loads the parsers, only if a sentence with a pronoun needs them; by default see `installed_backends`.
        track: passes the sentences through as they are judged, to show how far it is.

    Raises:
        PipelineError: no rules say where this language has zeros, or no parser is installed.
    """
    from .exclusion.ruleset import load_rules  # spaCy takes a second to import

    if lang not in languages_with_zeros():
        known = " or ".join(languages_with_zeros())
        raise PipelineError(None, None, f"[lang] no rules of zero anaphora; found {shown(lang)}, expected {known}")
    every, total, traditional = tuple(passages), 0, 0
    sentences: list[_Sentence] = []
    for passage in every:
        spans = [Span(0, len(passage.text))] if passage.tree else language_of(lang).sentences(passage.text)
        total += len(spans)
        for span in spans:
            written = span.of(passage.text)
            if lang == "zh" and not _PRONOUN.search(written):
                continue
            text = passage.tree.text if passage.tree else _adapted(written, lang)
            traditional += text != written
            if pronouns := tuple(question_table(lang).anaphors(text)):
                sentences.append(_Sentence(passage, span, text, pronouns))
    loaded: Sequence[Backend] = ()
    if sentences and (backends or any(not sentence.passage.tree for sentence in sentences)):
        loaded = (backends or (lambda: installed_backends(lang)))()
    parses = [_parse(sentences, lang, backend) for backend in loaded]
    rules = load_rules(lang)
    tag = language_of(lang).tag
    licences = []
    for sentence in track(sentences):
        own = sentence.passage.tree
        trees = [joined(own, sentence.pronouns, tag)] if own else []
        trees += [trees_of[key] for trees_of in parses if (key := key_of(sentence.text)) in trees_of]
        judged = tuple(_judge(sentence, pronoun, trees, rules) for pronoun in sentence.pronouns)
        licences.append((sentence.passage, sentence.span, judged))
    own_trees = [TREEBANK] if any(passage.tree for passage in every) else []
    return Licences(tuple(licences), total, traditional, (*own_trees, *(backend.parser for backend in loaded)))


def _adapted(text: str, lang: str) -> str:
    """Return a Chinese text in simplified script, every character at its place; another text as it is."""
    if lang != "zh":
        return text
    from ..language.script import to_simplified

    plain = to_simplified(text)
    if plain == text and "牠" not in text:
        return text
    simplified = to_simplified(text, _REGION)
    return simplified if len(simplified) == len(text) else text


def _parse(sentences: Sequence[_Sentence], lang: str, backend: Backend) -> dict[str, Tree]:
    """Return the trees of the sentences that are not too long, by their key."""
    language = language_of(lang)
    segmented = {
        sentence.text: language.words(sentence.text, sentence.pronouns)
        for sentence in sentences
        if len(sentence.text) <= _LONGEST * 10
    }
    short = [text for text, forms in segmented.items() if len(forms) <= _LONGEST]
    update = renew(short, {}, backend, segment=segmented.__getitem__, tag=language.tag, fits=lambda _: False)
    return {tree.key: tree for tree in update.trees}


def _judge(sentence: _Sentence, pronoun: Span, trees: Sequence[Tree], rules: "RuleSet") -> PronounLicence:
    start = sentence.span.start
    span = Span(start + pronoun.start, start + pronoun.end)
    text = sentence.passage.text
    places = [(tree, tree.index_at(pronoun)) for tree in trees]
    judged = [(tree, index, rules.judge(tree, index)) for tree, index in places if index is not None]
    if not judged or (sentence.passage.tree and judged[0][0].parser != TREEBANK):
        reason = f"the sentence has more than {_LONGEST} words"
        if places:
            word = next((token.form for token in places[0][0].tokens if token.span.end > pronoun.start), "")
            reason = f"the pronoun is a part of the word {word} in the tree"
        return PronounLicence(sentence.passage.id, sentence.span, span, span.of(text), "undecided", None, None, reason)
    tree, index, matches = judged[0]
    first = matches[0] if matches else None
    return PronounLicence(
        sentence.passage.id,
        sentence.span,
        span,
        span.of(text),
        decision="overt" if first else "omissible",
        exclusion=first.rule.exclusion if first else None,
        rule=first.rule.id if first else None,
        reason=first.rule.because if first else "no rule forbids a zero here",
        words=dict(first.words) if first else {},
        votes={tree.parser: tuple(match.rule.id for match in found) for tree, _, found in judged},
        disputed=len({bool(found) for _, _, found in judged}) > 1,
        uncertain=rules.tipping_words(tree, index),
    )


# --- for people ---------------------------------------------------------------------------------------------------------------


def counts_line(licences: Licences) -> str:
    """Return how many sentences and pronouns there are, and how many have each decision."""
    decisions = ", ".join(f"{licences.count(decision)} {IN_WORDS[decision]}" for decision in IN_WORDS)
    found = f"{plural(licences.sentences, 'sentence')}, {plural(len(licences.pronouns), 'pronoun')}"
    return f"{found}: {decisions}" if licences.pronouns else f"{found} of the third person in the language of the rules"


def notes(licences: Licences) -> list[str]:
    """Return what a reader must know of the decisions: by which trees, in which script, which are in doubt."""
    lines = [f"trees: {', then '.join(licences.parsers)}"] if licences.parsers else []
    if licences.traditional:
        lines.append(f"{plural(licences.traditional, 'sentence')} in traditional script, judged in simplified script")
    if len(licences.parsers) > 1:
        disputed = sum(pronoun.disputed for pronoun in licences.pronouns)
        lines.append(f"{disputed} disputed: the trees lead to different decisions; the first decides")
    if uncertain := sum(bool(pronoun.uncertain) for pronoun in licences.pronouns):
        lines.append(f"{uncertain} uncertain: another part of speech beside the pronoun would change the decision")
    return lines


def reasons(licences: Licences) -> dict[str, str]:
    """Return the reason of each rule that keeps a pronoun, by rule."""
    return dict(sorted({pronoun.rule: pronoun.reason for pronoun in licences.pronouns if pronoun.rule}.items()))


def ruling(pronoun: PronounLicence) -> str:
    """Return a decision on a line: ``must stay: direct-object (zh/direct-object), matched 他 看见 。``."""
    why = pronoun.reason if pronoun.decision == "undecided" else ""
    if pronoun.rule:
        why = f"{pronoun.exclusion} ({pronoun.rule}), matched {' '.join(pronoun.words.values())}"
    doubt = "; disputed" * pronoun.disputed + "; uncertain" * bool(pronoun.uncertain)
    return f"{IN_WORDS[pronoun.decision]}{': ' if why else ''}{why}{doubt}"


def listing(licences: Licences) -> Iterator[str]:
    """Yield the lines of each sentence with pronouns, these in brackets, and of each pronoun; last the reasons of the rules."""
    for number, (passage, span, pronouns) in enumerate(licences.by_sentence, 1):
        text, end = "", span.start
        for pronoun in pronouns:
            text += f"{passage.text[end : pronoun.span.start]}[{pronoun.form}]"
            end = pronoun.span.end
        label = f"{passage.id or number}  "
        yield from _wrapped(label + text + passage.text[end : span.end], 4)
        for pronoun in pronouns:
            yield from _wrapped(f"    {pronoun.form} {ruling(pronoun)}", 8)
    for rule, reason in reasons(licences).items():
        yield from textwrap.wrap(f"{rule}: {reason}", _WIDTH, subsequent_indent="    ")


def _wrapped(text: str, indent: int) -> Iterator[str]:
    """Yield a line in pieces of at most `_WIDTH` places: broken between Chinese characters, but not within a word of letters."""
    line, width = "", 0
    for piece in _PIECE.findall(" ".join(text.splitlines())):
        size = sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in piece)
        if width + size > _WIDTH:
            yield line.rstrip()
            line, width = " " * indent, indent
            if piece == " ":
                continue
        line, width = line + piece, width + size
    yield line


def page(name: str, licences: Licences, lang: str) -> str:
    """Return the page of a text with its pronouns marked and a row for each."""
    from ..core.pages import page_environment

    numbers = count(1)
    sentences = []
    for passage, span, pronouns in licences.by_sentence:
        places = [(pronoun.span.start - span.start, pronoun.span.end - span.start) for pronoun in pronouns]
        marks = [_MARKS[pronoun.decision] for pronoun in pronouns]
        spans = [(*place, mark, str(next(numbers))) for place, mark in zip(places, marks, strict=True)]
        sentences.append((passage.id, span.of(passage.text), spans))
    values: dict[str, Any] = {"sentences": sentences, "licences": licences, "reasons": reasons(licences), "lang": lang}
    values |= {"name": name, "lead": counts_line(licences), "notes": notes(licences), "in_words": IN_WORDS}
    return page_environment().get_template("winograd/licence.html.j2").render(values)


def rows(licences: Licences) -> list[dict[str, Any]]:
    """Return a JSON object for each pronoun."""
    return [dict(to_object(pronoun)) for pronoun in licences.pronouns]
