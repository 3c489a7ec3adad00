"""Defects of labelled texts with translations."""

from functools import partial

from .defect import Damage, Defect, Files, twice
from .releases import rows_defect

_SOURCE, _TARGET = "talk.zh", "talk.en"
_READINGS = ("labels/a/talk.zh", "labels/b/talk.zh")


def edit(names: tuple[str, ...], line: int, old: str, new: str) -> Damage:
    """Return the damage that replaces a text in a line of files, which must have it."""

    def damage(files: Files) -> Files:
        changed = dict(files)
        for name in names:
            lines = files[name].decode().splitlines()
            assert old in lines[line - 1], f"{old!r} is not in {name}:{line}"
            lines[line - 1] = lines[line - 1].replace(old, new, 1)
            changed[name] = "".join(f"{entry}\n" for entry in lines).encode()
        return changed

    return damage


def in_line(names: tuple[str, ...], name: str, expectation: str, line: int, old: str, new: str) -> Defect:
    """Return a defect of a line of files: a text in it reads otherwise, once."""
    damage = edit(names, line, old, new)
    return Defect(f"documents-{name}", "documents", expectation, damage, reported_id=f"talk:{line}")


#: Defects of the text itself, which its readers share; of the translation; of what the second reader labelled.
source, target, reading = (partial(in_line, names) for names in ((_SOURCE, *_READINGS), (_TARGET,), _READINGS[1:]))


def repeated(files: Files) -> Files:
    """Repeat a sentence with its translation in place of the last one."""
    changed = dict(files)
    for name in (_SOURCE, _TARGET, *_READINGS):
        lines = files[name].decode().splitlines()
        changed[name] = "".join(f"{line}\n" for line in [*lines[:-1], lines[1]]).encode()
    return changed


def beside(name: str, expectation: str, file: str, line: int, old: str, new: str, reported_id: str) -> Defect:
    """Return a defect of a file that stands beside the texts."""
    return Defect(f"documents-{name}", "documents", expectation, edit((file,), line, old, new), reported_id=reported_id)


_GOLD, _AUTOMATIC, _FAULTS = "alignment/gold/talk.align", "alignment/literal/talk.align", "systems/faults/talk.tsv"
_IN_GOLD = (
    ("link-outside", "9-8", "9-9"),
    ("link-negative", "0-0", "-1-0"),
    ("links-from-one", "0-0 1-2 2-3 3-4 4p4 5-5 6-6 8-7 9-8", "0-0 2-3 3-4 4-5 5p5 6-6 7-7"),
    ("links-of-the-line-before", "0-0 1-2 2-3 3-4 4p4 5-5 6-6 8-7 9-8", "0-0 1-1 2-2 5-4 7-7"),
    ("link-sure-and-possible", "4p4", "3p4"),
    ("zero-without-its-pronoun", "1-2", "1-1"),
)
_IN_FAULTS = (
    ("fault-of-unknown-kind", "gender", "style", f"{_FAULTS}:2"),
    ("fault-of-no-system", "literal", "bald", f"{_FAULTS}:2"),
    ("fault-of-no-zero", "3\t2", "3\t3", f"{_FAULTS}:2"),
    ("fault-of-another-zero", "3\t2", "4\t1", _FAULTS),
    ("fault-that-nothing-shows", "3\t2\tgender", "7\t1\tomitted", _FAULTS),
    ("fault-of-another-kind", "gender", "number", _FAULTS),
)


def without_line(file: str) -> Damage:
    """Return the damage that takes away the last line of a file."""
    return lambda files: files | {file: b"".join(files[file].splitlines(keepends=True)[:-1])}


def without(*names: str) -> Damage:
    """Return the damage that takes away files, or all files of folders."""
    return lambda files: {name: data for name, data in files.items() if not name.startswith(names)}


def with_file(name: str, text: str) -> Damage:
    """Return the damage that adds a file, or adds to it."""
    return lambda files: files | {name: files.get(name, b"") + text.encode()}


_ABOUT, _SUMS = "about.txt", "alignment/texts.sha256"
#: A file or folder lost or added, or a line of a file, and the file for which it is reported.
_FILES = (
    ("names-lost", "files-complete", without("names.tsv"), "names.tsv"),
    ("sums-lost", "files-complete", without(_SUMS), _SUMS),
    ("about-lost", "files-complete", without(_ABOUT), _ABOUT),
    ("card-lost", "files-complete", without("README.md"), "README.md"),
    ("reader-lost", "files-complete", without("labels/b/"), "labels/b"),
    ("faults-lost", "files-complete", without(_FAULTS), _FAULTS),
    ("gold-lost", "files-complete", without(_GOLD), _GOLD),
    ("file-of-nobody", "files-complete", with_file("systems/literal/talk.en.bak", "x\n"), "systems/literal/talk.en.bak"),
    ("links-of-no-system", "files-complete", with_file("alignment/litreal/talk.align", "0-0\n\n\n\n\n\n"), "alignment/litreal"),
    ("sum-of-no-file", "alignments-fit", with_file(_SUMS, f"{'0' * 64}  literal/walk.zh\n"), f"{_SUMS}:4"),
    ("sum-lost", "alignments-fit", without_line(_SUMS), _AUTOMATIC),
    ("gold-without-links", "alignments-fit", lambda files: files | {_GOLD: b"\n" * 6}, _GOLD),
    ("conflict-in-names", "files-readable", with_file("names.tsv", "<<<<<<< HEAD\n"), "names.tsv:3"),
    ("trees-of-other-texts", "files-readable", with_file("parses/udpipe.conllu", ""), "parses/udpipe.conllu"),
    *(
        (f"about-{what}", "about-fit-to-print", with_file(_ABOUT, text), _ABOUT)
        for what, text in (
            ("with-an-address", "Ask a.li@example.org.\n"), ("with-a-number", "Ask 13812345678.\n"),
            ("with-a-home", "From /home/ali/zp.\n"), ("in-conflict", "<<<<<<< HEAD\n"), ("misread", "ä¸­æ–‡\n"),
            ("with-a-reminder", "TODO\n"), ("with-an-invisible-character", "a\u200bb\n"),
        )
    ),
    ("about-empty", "about-fit-to-print", lambda files: files | {_ABOUT: b""}, _ABOUT),
)  # fmt: skip
_IN_SOURCE = (
    ("invisible", "no-invisible-character", 2, "老周", "老\u200b周"),
    ("unassigned", "no-unassigned-character", 2, "老周", "老\u0378周"),
    ("decomposed", "composed-unicode", 2, "镇上", "zhe\u0301n镇上"),
    ("cyrillic", "script-of-language", 4, "USB", "US\u0412"),
    ("blank", "single-blanks", 2, "老周昨天", "老周 昨天"),
    ("half-width", "full-width-marks", 3, "，", ","),
    ("traditional", "simplified-script", 2, "镇上", "鎮上"),
    ("open-quotation", "closed-quotations", 4, "？”", "？"),
    ("doubled-mark", "no-doubled-mark", 3, "，", "，，"),
    ("leading-mark", "no-leading-mark", 2, "老周", "，老周"),
    ("doubled-particle", "no-doubled-word", 2, "老周", "老周的的"),
    ("half-an-ellipsis", "full-width-marks", 3, "，", "…"),
    ("symbol", "no-symbol", 2, "集市", "集市☺"),
    ("placeholder", "no-placeholder", 2, "老周", "TODO老周"),
    ("unfinished", "finished-sentence", 2, "。", ""),
)
_IN_TARGET = (
    ("invisible", "no-invisible-character", 2, "market", "mar\u200bket"),
    ("unassigned", "no-unassigned-character", 2, "market", "mar\u0378ket"),
    ("decomposed", "composed-unicode", 2, "Zhou", "Zhou\u0301"),
    ("chinese", "script-of-language", 2, "market", "集市"),
    ("blanks", "single-blanks", 2, "the market", "the  market"),
    ("open-quotation", "closed-quotations", 4, "?”", "?"),
    ("doubled-mark", "no-doubled-mark", 3, ",", ",,"),
    ("leading-mark", "no-leading-mark", 2, "Old", ", Old"),
    ("doubled-word", "no-doubled-word", 2, "the market", "the the market"),
    ("symbol", "no-symbol", 2, "market", "market ☺"),
    ("placeholder", "no-placeholder", 2, "Old", "TODO Old"),
    ("unfinished", "finished-sentence", 2, ".", ""),
)

DOCUMENTS = [
    source("label-without-mark", "well-formed-labels", 3, "<他>_S", "<他>S"),
    source("label-unknown", "well-formed-labels", 3, "<他>_S", "<他>_X"),
    source("label-of-no-pronoun", "well-formed-labels", 3, "<他>_S", "<谁>_S"),
    source("label-around-a-title", "well-formed-labels", 3, "还把", "还把<集市>"),
    source("label-without-form", "form-given", 3, "<他>_S", "<他>"),
    source("label-of-undetermined-form", "form-given", 3, "<他>_S", "<他>_UN"),
    source("possessive-as-subject", "form-of-pronoun", 3, "<他>_S", "<他的>_S"),
    source("subject-as-possessive", "form-of-pronoun", 5, "<你的>_Pa", "<你>_Pa"),
    source("subject-as-reflexive", "form-of-pronoun", 8, "<她自己>_R", "<她>_R"),
    source("reflexive-as-object", "form-of-pronoun", 5, "<它>_O", "<它自己>_O"),
    source("zero-after-the-end", "zero-within-sentence", 2, "。", "。<他>_O"),
    source("zero-inside-a-number", "zero-within-sentence", 3, "两只", "1<它>_O5只"),
    source("pronoun-twice", "pronoun-once", 3, "<他>_S还", "<他>_S他还"),
    source("pronoun-before-its-zero", "pronoun-once", 3, "<他>_S还", "他<他>_S还"),
    source("two-subjects", "pronoun-once", 3, "<他>_S还", "<我>_S<他>_S还"),
    source("other-person", "pronoun-in-translation", 3, "<他>_S还", "<她>_S还"),
    source("other-form", "pronoun-in-translation", 5, "<它>_O", "<他>_O"),
    target("pronoun-untranslated", "pronoun-in-translation", 7, "it's his", "it's Zhou's"),
    target("pronoun-inside-a-word", "pronoun-in-translation", 7, "it's his", "it's history"),
    target("boundary-in-one-file", "lines-aligned", 6, "[doc]", "A quiet day."),
    target("empty-translation", "lines-aligned", 7, "This painting isn't mine, it's his.", ""),
    reading("reader-corrected-a-word", "readers-read-it", 3, "两只鸡", "三只鸡"),
    reading("reader-left-out-a-mark", "readers-read-it", 3, "，", ""),
    in_line(_READINGS[:1], "reader-skipped-a-sentence", "readers-read-it", 7, "这幅画不是我的，是<他的>_P。", "[doc]"),
    Defect("documents-sentence-twice", "documents", "no-copy", repeated, reported_id="talk:8"),
    *(beside(name, "alignments-fit", _GOLD, 3, old, new, f"{_GOLD}:3") for name, old, new in _IN_GOLD),
    *(beside(name, "faults-shown", _FAULTS, 2, old, new, at) for name, old, new, at in _IN_FAULTS),
    *(
        Defect(f"documents-{name}", "documents", "alignments-fit", without_line(file), reported_id=file)
        for name, file in (("gold-line-lost", _GOLD), ("links-lost", _AUTOMATIC))
    ),
    *(
        Defect(f"documents-{name}", "documents", expectation, damage, reported_id=at)
        for name, expectation, damage, at in _FILES
    ),
    beside("reader-without-a-mark", "well-formed-labels", _READINGS[1], 3, "<他>_S", "<他_S", f"{_READINGS[1]}:3"),
    beside("reader-twice", "well-formed-labels", _READINGS[1], 3, "<他>_S", "<他>_S<他>_S", f"{_READINGS[1]}:3"),
    beside("name-misspelt", "names-in-both", "names.tsv", 2, "Zhou", "Zhuo", "names.tsv:2"),
    beside("name-of-no-person", "names-in-both", "names.tsv", 2, "person", "school", "names.tsv:2"),
    Defect(
        "documents-alignment-missing",
        "documents",
        "files-complete",
        lambda files: {name: data for name, data in files.items() if name != _AUTOMATIC},
        reported_id=_AUTOMATIC,
    ),
    target("chinese-mark", "translation-latin-marks", 3, ",", "，"),
    *(source(f"text-{name}", expectation, *change) for name, expectation, *change in _IN_SOURCE),
    *(
        target(f"translation-{name}", f"translation-{expectation}", *change)
        for name, expectation, *change in _IN_TARGET
    ),
]


DOCUMENT_RELEASES = [
    rows_defect("translation-twice", "translations", "data/translations", twice(), artifact="release/zp-report"),
]
