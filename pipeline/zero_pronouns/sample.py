"""What stands beside the texts of a sample, held against them: alignments, faults of systems, names, trees, the readers' files.

`planted_faults` reads a table of faults; `sample_findings` yields what does not fit in any of these files. All of them may be missing,
but those that a `README.md` of the sample names in its tables of files.
"""

import glob
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..core.errors import PipelineError, plural, shown
from ..core.files import read_text
from ..core.tables import read_table
from ..language.names import chinese_names, given_pinyin
from ..language.parsing.lock import read_lock
from ..language.text_checks import check_invisible, check_letters, check_personal_data, check_reminders
from .anonymisation.names import CODES, read_names
from .anonymisation.names import COLUMNS as NAME_COLUMNS
from .documents import ANTECEDENTS, LABELS, SYSTEMS, Genre, ParallelText, SentencePair, require_aligned
from .exports.conllu import linked_text, name_of, tree_of
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
#: What the page says of a sample, the card that names its files, and the folder of its trees with those of the texts.
NAMES, ABOUT, README = "names.tsv", "about.txt", "README.md"
PARSES = Path("parses", "udpipe.conllu")
#: A table of files in a card, the names in the first cells of its rows, any name in it, and what stands for several names, such as GENRE.
_FILES = re.compile(r"^\| *files? *\|.*\n\|[-|: ]+\n((?:\|.*\n?)+)", re.MULTILINE)
_FIRST_CELL, _NAME, _ANY_NAME = (
    re.compile(r"^\|([^|]*)\|", re.MULTILINE),
    re.compile(r"`/*(?![./]+`)([^`\s/][^`\s]*)`"),
    re.compile(r"[A-Z]{2,}(?=[./]|$)"),
)
#: An institution of a kind that names.tsv knows, and what may be a surname with a given name, in English.
_INSTITUTION = re.compile(
    r"(?:[A-Z][a-z]+ )+(?:University|College)\b|(?:School|Faculty) of [A-Z][a-z]+(?: (?:and )?[A-Z][a-z]+)*"
)
_TWO_CAPITALS = re.compile(r"\b(?=([A-Z][a-z]+ [A-Z][a-z']+))")
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
    yield from _missing_files(folder, genres)
    yield from _files_unlike_cards(folder, genres)
    if (folder / ABOUT).exists():
        yield from _about_findings(folder / ABOUT)
    sums: dict[str, str] = {}
    for genre in genres:
        for reader, text in genre.readings.items():
            yield from _reading_findings(folder / LABELS / reader / f"{genre.name}.zh", genre, text)
        for system in (GOLD, REFERENCE, *genre.outputs):
            if (path := folder / ALIGNMENT / system / f"{genre.name}.align").exists():
                yield from _stopped(_alignment_findings(path, system, genre))
                if system != GOLD:
                    sums |= checksums(system, genre.name, words_of(genre, system), read_text(path))
    yield from _checksum_findings(folder / ALIGNMENT / CHECKSUMS, sums)
    yield from _gold_findings(folder / ALIGNMENT / GOLD)
    tables = {genre.name: folder / SYSTEMS / FAULTS / f"{genre.name}.tsv" for genre in genres}
    systems = {
        cells["system"] for path in tables.values() if path.exists() for _, cells in read_table(path, FAULT_COLUMNS)
    }
    for genre in genres:
        yield from _stopped(_fault_findings(tables[genre.name], genre, systems))
    if (folder / NAMES).exists():
        yield from _stopped(_name_findings(folder / NAMES, genres))
    for path in sorted((folder / PARSES).parent.glob("*.conllu")):
        yield from _stopped(_tree_findings(path, genres if path.name == PARSES.name else ()))


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


def _reading_findings(path: Path, genre: Genre, text: ParallelText) -> Iterator[PipelineError]:
    """Yield malformed and doubled labels of a reader alone, and that there are none, though the text has many."""
    same = {(finding.line, finding.reason) for finding in genre.text.findings}
    for finding in text.findings:
        if finding.reason.startswith(("[label]", "[pronoun]")) and (finding.line, finding.reason) not in same:
            yield finding
    for pair in text.pairs:
        if len({(zero.place, zero.form) for zero in pair.source.zeros}) < len(pair.source.zeros):
            yield PipelineError(
                path, pair.line, f"[label] given twice; found {shown(pair.source.labelled)}, expected it once"
            )
    if not any(pair.source.zeros for pair in text.pairs) and len([*zeros_of(genre)]) >= _MANY_LINES:
        yield PipelineError(path, None, "[label] none; expected those of a reader")


def _files_unlike_cards(folder: Path, genres: Sequence[Genre]) -> Iterator[PipelineError]:
    """Yield the files that a card names and its folder lacks, and those that it has and no card names; none without cards.

    A card is a `README.md`. It names files in the first cells of a table whose first column is called ``file``, with GENRE for each
    genre and another word in capitals for any name, and elsewhere by paths in the folders of that table.
    """
    cards = sorted(folder.glob(f"**/{README}"))
    known = {*cards}
    for card in cards:
        text = read_text(card)
        cells = "".join(cell for table in _FILES.findall(text) for cell in _FIRST_CELL.findall(table))
        listed = _NAME.findall(cells)
        folders = {name.partition("/")[0] for name in listed if "/" in name}
        more = [name for name in _NAME.findall(text) if "/" in name.rstrip("/") and name.partition("/")[0] in folders]
        for name in dict.fromkeys([*listed, *more]):
            for genre in genres if "GENRE" in name else genres[:1]:
                pattern = _ANY_NAME.sub("*", glob.escape(name.replace("GENRE", genre.name))) if name != README else name
                found = [*card.parent.glob(pattern)]
                known.update(found)
                if not found:
                    path = card.parent / name.replace("GENRE", genre.name)
                    yield PipelineError(
                        path, None, f"[file] no such file; expected what {card.relative_to(folder)} names"
                    )
    systems = {GOLD, REFERENCE, *(system for genre in genres for system in genre.outputs)}
    for path in sorted(folder.rglob("*")) if known > {*cards} else ():
        is_named = path in known or (path.is_dir() and any(path in named.parents for named in known))
        is_of_no_system = path.is_dir() and path.parent == folder / ALIGNMENT and path.name not in systems
        if (not is_named or is_of_no_system) and not path.name.startswith("."):
            yield PipelineError(
                path, None, f"[file] unknown file; expected one that {README} names in its table of files"
            )
    if (folder / ABOUT).exists() and not (folder / README).exists():
        yield PipelineError(
            folder / README, None, f"[file] no such file; expected the card of a sample that has {ABOUT}"
        )


def _about_findings(path: Path) -> Iterator[PipelineError]:
    """Yield what readers of the page should not see in what it says of the sample."""
    text = read_text(path)
    if not text.strip():
        yield PipelineError(path, None, "[about] empty; expected what the page says of the sample")
    for check in (check_reminders, check_personal_data, check_invisible, check_letters):
        if reason := check([text.strip()], "en"):
            yield PipelineError(path, None, f"[about] {reason}")


def _checksum_findings(path: Path, sums: Mapping[str, str]) -> Iterator[PipelineError]:
    """Yield the checksums of words and links that are not in the file of checksums just once, or not as it says."""
    if not path.exists():
        return
    lines = [line.partition("  ")[::2] for line in read_text(path).splitlines()]
    stated = {name: digest for digest, name in lines}
    for name, digest in sums.items():
        if stated.get(name) != digest:
            reason = "[digest] not the words and links that were aligned; found another sum of"
            where = path.parent / Path(name).with_suffix(".align")
            yield PipelineError(where, None, f"{reason} {name}, expected that of {CHECKSUMS}: align again")
    for number, (_, name) in enumerate(lines, 1):
        if name not in sums or name in [other for _, other in lines[: number - 1]]:
            yield PipelineError(
                path, number, f"[digest] of no file, or a second one; found {shown(name)}, expected each text once"
            )


def _gold_findings(folder: Path) -> Iterator[PipelineError]:
    """Yield the alignments by hand without links, and those that leave out sentences which all others have, or align more."""
    aligned = {}
    for path in sorted(folder.glob("*.align")):
        aligned[path] = [number for number, line in enumerate(read_text(path).splitlines(), 1) if line.strip()]
        if not aligned[path]:
            yield PipelineError(path, None, "[link] none; expected the links of a sentence at least")
    for path, lines in aligned.items():
        others = {tuple(other) for key, other in aligned.items() if key != path}
        if len(aligned) > 2 and len(others) == 1 and tuple(lines) not in others:
            line = min({*lines} ^ {*others.pop()})
            yield PipelineError(
                path, line, "[link] not the sentences of the other genres; found a difference in this line"
            )


def _tree_findings(path: Path, genres: Sequence[Genre]) -> Iterator[PipelineError]:
    """Yield the sentences of genres, with their pronouns restored, of which a lock has no tree, and its trees of other sentences."""
    lock, used = read_lock(path), set[str]()
    for genre in genres:
        for document in linked_text(genre.text, name_of(Path(f"{genre.name}.zh")), genre.references):
            for sentence in document.sentences:
                try:
                    used.add(tree_of(sentence, lock).key)
                except PipelineError as error:
                    yield error
    for tree in lock.trees.values():
        if genres and tree.key not in used:
            yield PipelineError(
                path, None, f"[text] tree of no sentence; found {shown(tree.text)}; run winoforge zp parse"
            )


def _alignment_findings(path: Path, system: str, genre: Genre) -> Iterator[PipelineError]:
    words = words_of(genre, system)
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


def _fault_findings(path: Path, genre: Genre, systems: Iterable[str]) -> Iterator[PipelineError]:
    """Yield where translations of systems do not show the faults of the table, or show others; other systems have not been read."""
    if path.exists():
        faults = planted_faults(path, genre)
        for system, outputs in (
            (system, genre.outputs[system]) for system in sorted(systems) if system in genre.outputs
        ):
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
    for genre in sorted({row[0] for row in rows} & texts.keys()):
        known = {row[3] for row in rows if row[0] == genre}
        for pair in texts[genre]:
            if name := next((name for name in _full_names(pair) if not any(name in other for other in known)), ""):
                reason = f"found {shown(name)} in line {pair.line} of {genre}, expected a row for it, as other names have one"
                yield PipelineError(path, None, f"[en] not in the table; {reason}")
                known.add(name)


def _full_names(pair: SentencePair) -> Iterator[str]:
    """Yield the institutions that an English sentence names, and the people whom its Chinese sentence has in these syllables."""
    yield from (match[0] for match in _INSTITUTION.finditer(pair.target))
    text = pair.source.text
    for match in _TWO_CAPITALS.finditer(pair.target):
        letters = "".join(filter(str.isalpha, match[1])).lower()
        parts = [text[start : start + length] for start in range(len(text) - 1) for length in (2, 3, 4)]
        if any(letters in _spellings(part) for part in parts if all("\u4e00" <= sign <= "\u9fff" for sign in part)):
            yield match[1]


def _spellings(name: str) -> set[str]:
    """Return a name in pinyin, in small letters: as words, and with a surname that is read otherwise (缪三妹)."""
    surnamed = chinese_names().surnames.get(name[0], "") + given_pinyin(name[1:])
    return {spelling.replace("'", "").lower() for spelling in (given_pinyin(name), surnamed)}


def _lines(numbers: Sequence[int]) -> str:
    return f"{plural(len(numbers), 'line')} ({', '.join(map(str, numbers))})" if numbers else "no line"
