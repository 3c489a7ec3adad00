"""What stands beside the texts of a sample, held against them: alignments, faults of systems, names, the readers' files.

`planted_faults` reads a table of faults; `sample_findings` yields what does not fit in any of these files. All of them may be missing.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..core.errors import PipelineError, plural, shown
from ..core.files import read_text
from ..core.tables import read_table
from .anonymisation.names import CODES, read_names
from .anonymisation.names import COLUMNS as NAME_COLUMNS
from .documents import ANTECEDENTS, LABELS, SYSTEMS, Genre, SentencePair, require_aligned
from .exports.texts import english_tokens, tokens
from .labels import Zero, translation_table
from .translation.alignment import Links, index_notes, links_inside, read_links

#: The folder of alignments: one by hand, one of the reference translation, one of each system.
ALIGNMENT, GOLD, REFERENCE = "alignment", "gold", "reference"
#: The file of checksums in it: of the words that links count (``SYSTEM/GENRE.zh``, ``.en``) and of the automatic links (``.align``).
CHECKSUMS = "texts.sha256"
#: The columns of a table of planted faults, ``systems/faults/GENRE.tsv``, and what a fault may be.
FAULTS, FAULT_COLUMNS = "faults", ("system", "line", "zero", "fault")
FAULT_KINDS = ("omitted", "person", "number", "gender", "form", "other")
#: Faults that put another pronoun in the place of the right one.
_KINDS_WITH_PRONOUN = ("person", "number", "gender", "form")
_PLURAL = "们"
#: Minimum number of lines with links that cannot all leave the first word of both sides without one.
_MANY_LINES = 10
NAMES = "names.tsv"
#: The line and the number in it of a zero, both from 1, by the system that translates it.
FaultKey = tuple[str, int, int]
#: Words that the links of a text count: those of each sentence and of its translation.
Words = Sequence[tuple[Sequence[str], Sequence[str]]]


def planted_faults(path: Path, genre: Genre) -> Mapping[FaultKey, str]:
    """Return the planted faults by system, line and zero; none without a table.

    Raises:
        PipelineError: a system, a zero or a kind that there is not, or a zero with two faults.
    """
    if not path.exists():
        return {}
    faults: dict[FaultKey, str] = {}
    keys = {(str(line), str(number)): (line, number) for line, number in zeros_of(genre)}
    for row, cells in read_table(path, FAULT_COLUMNS):
        if cells["system"] not in genre.outputs:
            reason = f"found {shown(cells['system'])}, expected one of {', '.join(genre.outputs)}"
            raise PipelineError(path, row, f"[system] no such system; {reason}")
        key = keys.get((cells["line"], cells["zero"]))
        place = f"zero {cells['zero']} of line {cells['line']}"
        if key is None:
            raise PipelineError(path, row, f"[zero] no such zero; found {place}, expected one of {genre.name}.zh")
        if cells["fault"] not in FAULT_KINDS:
            reason = f"found {shown(cells['fault'])}, expected one of {', '.join(FAULT_KINDS)}"
            raise PipelineError(path, row, f"[fault] unknown kind; {reason}")
        if (cells["system"], *key) in faults:
            raise PipelineError(
                path, row, f"[zero] two faults; found {place} of {cells['system']} again, expected one row"
            )
        faults[cells["system"], *key] = cells["fault"]
    return faults


def zeros_of(genre: Genre) -> Iterator[tuple[int, int]]:
    """Yield the line and the number in it of each zero, both from 1."""
    yield from ((pair.line, number) for pair in genre.text.pairs for number in range(1, len(pair.source.zeros) + 1))


def words_of(genre: Genre, system: str) -> Words:
    """Return the words that links count: of each labelled sentence, and of its reference or of a system's translation."""
    translations = [pair.target for pair in genre.text.pairs] if system in (GOLD, REFERENCE) else genre.outputs[system]
    return [
        (tokens(pair.source), english_tokens(text)) for pair, text in zip(genre.text.pairs, translations, strict=True)
    ]


def checksums(system: str, genre: str, words: Words, links: str) -> Mapping[str, str]:
    """Return the SHA-256 of the words on both sides and of a file of links, by the names that `CHECKSUMS` gives them."""
    texts = {
        f"{system}/{genre}.{language}": "".join(f"{' '.join(pair[side])}\n" for pair in words)
        for side, language in enumerate(("zh", "en"))
    }
    return {
        name: hashlib.sha256(text.encode()).hexdigest()
        for name, text in (texts | {f"{system}/{genre}.align": links}).items()
    }


def sample_findings(folder: Path, genres: Sequence[Genre]) -> Iterator[PipelineError]:
    """Yield what does not fit in the files beside the texts of a sample, by file; of a file that cannot be read, the first fault."""
    sums = _told_checksums(folder / ALIGNMENT / CHECKSUMS)
    yield from _missing_files(folder, genres)
    for genre in genres:
        for system in (GOLD, REFERENCE, *genre.outputs):
            if (folder / ALIGNMENT / system / f"{genre.name}.align").exists():
                yield from _stopped(_alignment_findings(folder / ALIGNMENT, system, genre, sums))
        yield from _stopped(_fault_findings(folder / SYSTEMS / FAULTS / f"{genre.name}.tsv", genre))
    if (folder / NAMES).exists():
        yield from _stopped(_name_findings(folder / NAMES, genres))


def _stopped(findings: Iterator[PipelineError]) -> Iterator[PipelineError]:
    """Yield findings up to the first error of a reader, which is the last one."""
    try:
        yield from findings
    except PipelineError as error:
        yield error


def _missing_files(folder: Path, genres: Iterable[Genre]) -> Iterator[PipelineError]:
    """Yield the files that a folder beside the texts lacks, though it has those of other genres, or other systems have theirs."""
    names = {genre.name for genre in genres}
    systems = {system for genre in genres for system in genre.outputs}
    folders = [folder / ANTECEDENTS, *sorted((folder / LABELS).glob("*")), *sorted((folder / SYSTEMS).glob("*"))]
    if (folder / ALIGNMENT).is_dir():
        folders += sorted({*(folder / ALIGNMENT).glob("*/"), *(folder / ALIGNMENT / system for system in systems)})
    for part in folders:
        files = [path for path in part.glob("*.*") if path.stem in names]
        suffix = files[0].suffix if files else ".align"
        if files or part.parent.name == ALIGNMENT:
            for name in sorted(names - {path.stem for path in files}):
                yield PipelineError(part / f"{name}{suffix}", None, "[file] no such file; expected one for each genre")


def _told_checksums(path: Path) -> Mapping[str, str]:
    """Return the checksums that a sample states, by name; none if it has no such file."""
    lines = read_text(path).splitlines() if path.exists() else []
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def _alignment_findings(folder: Path, system: str, genre: Genre, sums: Mapping[str, str]) -> Iterator[PipelineError]:
    path, words = folder / system / f"{genre.name}.align", words_of(genre, system)
    alignment = read_links(path, possible=system == GOLD)
    require_aligned(path, len(alignment), path.with_name(f"{genre.name}.zh"), len(words))
    if sum(map(bool, alignment)) >= _MANY_LINES and index_notes(path, alignment):
        yield PipelineError(path, None, "[link] counted from 1; found no link with the index 0, expected words from 0")
    for number, (pair, (source, target), links) in enumerate(zip(genre.text.pairs, words, alignment, strict=True), 1):
        twice = [link for link, count in Counter((link.source, link.target) for link in links).items() if count > 1]
        reasons = links_inside(links, source, target)[1]
        reasons += [f"[link] given twice; found {a}-{b} again, expected one link for a pair" for a, b in twice]
        if system == GOLD and links and not reasons:
            reasons += _by_hand(pair, source, target, links)
        yield from (PipelineError(path, number, reason) for reason in reasons)
    if system != GOLD and sums:
        for name, digest in checksums(system, genre.name, words, read_text(path)).items():
            if sums.get(name) != digest:
                reason = "[digest] not the words and links that were aligned; found another sum of"
                yield PipelineError(path, None, f"{reason} {name}, expected that of {CHECKSUMS}: align again")


def _by_hand(pair: SentencePair, source: Sequence[str], target: Sequence[str], links: Links) -> list[str]:
    """Return why links by hand cannot be those of this sentence: a zero has its pronoun, and the last mark another mark."""
    sure = {(link.source, link.target) for link in links if link.sure}
    reasons = []
    labels = iter(pair.source.zeros)
    for place, word in enumerate(source):
        if word.startswith("<") and (zero := next(labels, None)):
            pronoun = translation_table().translation(zero.pronoun, zero.form)
            linked = [target[other] for at, other in sorted(sure) if at == place]
            if pronoun and pronoun not in linked:
                found = ", ".join(linked) or "no sure link"
                reasons.append(f"[link] not the pronoun of a zero; found {found} for {word}, expected {pronoun}")
    marks = {(link.source, link.target) for link in links if _is_mark(source[link.source], target[link.target])}
    for side, words in enumerate((source, target)):
        final = _final_marks(words)
        if final and not any(pair[side] in final for pair in marks):
            reasons.append(f"[link] no final mark; found no link of {words[-1]} with another mark, expected one")
    return reasons


def _is_mark(*words: str) -> bool:
    return not any(character.isalnum() for word in words for character in word)


def _final_marks(words: Sequence[str]) -> list[int]:
    """Return the places of the marks that end a sentence: none if it ends in a word."""
    end = len(words)
    while end and _is_mark(words[end - 1]):
        end -= 1
    return [*range(end, len(words))]


def _fault_findings(path: Path, genre: Genre) -> Iterator[PipelineError]:
    """Yield where a translation does not show its faults of the table, or shows others; a system without rows has not been read."""
    if path.exists():
        faults = planted_faults(path, genre)
        systems = dict.fromkeys(system for system, _, _ in faults)
        for system, outputs in ((system, genre.outputs[system]) for system in systems):
            for pair, output in zip(genre.text.pairs, outputs, strict=True):
                kinds = [faults.get((system, pair.line, number)) for number in range(1, len(pair.source.zeros) + 1)]
                for reason in _unlike(pair, output, kinds):
                    yield PipelineError(path, None, f"[fault] {reason}, in line {pair.line} of {system}")


def _unlike(pair: SentencePair, output: str, faults: Sequence[str | None]) -> Iterator[str]:
    """Yield why a translation cannot have just these faults, one for each zero, or None."""
    words, reference = Counter(english_tokens(output)), Counter(english_tokens(pair.target))
    others = (words - reference).keys()
    right, wrong = Counter[str](), set[str]()
    for zero, fault in zip(pair.source.zeros, faults, strict=True):
        pronoun = translation_table().translation(zero.pronoun, zero.form)
        if pronoun and fault:
            wrong.add(pronoun)
        elif pronoun:
            right[pronoun] += 1
        if fault in _KINDS_WITH_PRONOUN and not any(fault in _differences(zero, word) for word in others):
            yield f"other than in the translation; found no pronoun wrong in {fault}, expected one for {zero.label}"
    for pronoun, count in right.items():
        if words[pronoun] < count:
            times = plural(words[pronoun], "time")
            yield f"no row for a fault; found {shown(pronoun)} {times}, expected {plural(count, 'time')}"
    for pronoun in sorted(wrong):
        if words[pronoun] >= reference[pronoun] > 0:
            times = plural(words[pronoun], "time")
            yield f"not in the translation; found {shown(pronoun)} {times}, expected fewer than in the reference"


def _differences(zero: Zero, word: str) -> set[str]:
    """Return the kinds of fault that an English word may be in the place of a zero; none if it is no pronoun of the table."""
    table = translation_table()
    expected = table.pronoun_of.get(zero.pronoun, "")
    return {
        _difference(expected, pronoun) or "form"
        for (pronoun, form), other in table.translations.items()
        if other == word and (pronoun, form) != (expected, zero.form)
    }


def _difference(expected: str, pronoun: str) -> str:
    """Return in what a Chinese pronoun first differs from the one expected: person, number or gender; nothing if in none of these."""
    if {expected[:1], pronoun[:1]} & {*"我你"} and expected[:1] != pronoun[:1]:
        return "person"
    if expected.endswith(_PLURAL) != pronoun.endswith(_PLURAL):
        return "number"
    return "" if expected == pronoun or expected.endswith(_PLURAL) else "gender"


def _name_findings(path: Path, genres: Sequence[Genre]) -> Iterator[PipelineError]:
    """Yield the names that the two languages of a genre do not have in the same sentences."""
    read_names(path)
    texts = {genre.name: genre.text.pairs for genre in genres}
    rows: dict[tuple[str, ...], int] = {}
    for row, cells in read_table(path, NAME_COLUMNS):
        if (first := rows.setdefault(tuple(cells.values()), row)) != row:
            yield PipelineError(
                path, row, f"[zh] given twice; found {shown(cells['zh'])} in line {first} too, expected it once"
            )
        kinds = [kind for kind in CODES if kind in cells["en"].lower().split()]
        if cells["en"] and cells["kind"] not in (kinds or ["person"]):
            reason = f"found {cells['kind']} for {shown(cells['en'])}, expected {' or '.join(kinds or ['person'])}"
            yield PipelineError(path, row, f"[kind] other than the name says; {reason}")
        if cells["genre"] not in texts:
            reason = f"found {shown(cells['genre'])}, expected one of {', '.join(texts)}"
            yield PipelineError(path, row, f"[genre] no such genre; {reason}")
            continue
        pairs = texts[cells["genre"]]
        chinese = [pair.line for pair in pairs if cells["zh"] in pair.source.text]
        english = [pair.line for pair in pairs if cells["en"] in pair.target]
        if cells["zh"] and cells["en"] and (chinese != english or not chinese):
            found = f"{shown(cells['zh'])} in {_lines(chinese)} and {shown(cells['en'])} in {_lines(english)}"
            yield PipelineError(path, row, f"[en] not in the same lines; found {found}, expected the same")


def _lines(numbers: Sequence[int]) -> str:
    return f"{plural(len(numbers), 'line')} ({', '.join(map(str, numbers))})" if numbers else "no line"
