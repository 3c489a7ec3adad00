"""Defects of labelled texts with translations."""

from collections.abc import Callable

from .defect import Damage, Defect, Files

_SOURCE, _TARGET = "talk.zh", "talk.en"
_READINGS = ("labels/a/talk.zh", "labels/b/talk.zh")


def edit(names: tuple[str, ...], line: int, change: Callable[[str], str]) -> Damage:
    """Return the damage that changes a line of files; the change must change it."""

    def damage(files: Files) -> Files:
        changed = dict(files)
        for name in names:
            lines = files[name].decode().splitlines()
            before, lines[line - 1] = lines[line - 1], change(lines[line - 1])
            assert lines[line - 1] != before, f"{name}:{line} is as it was"
            changed[name] = "".join(f"{entry}\n" for entry in lines).encode()
        return changed

    return damage


def swap(old: str, new: str) -> Callable[[str], str]:
    """Return the change that replaces a text, once."""
    return lambda line: line.replace(old, new, 1)


def source(name: str, expectation: str, line: int, old: str, new: str) -> Defect:
    """Return a defect of the text itself, which its readers share."""
    damage = edit((_SOURCE, *_READINGS), line, swap(old, new))
    return Defect(f"documents-{name}", "documents", expectation, damage, reported_id=f"talk:{line}")


def target(name: str, expectation: str, line: int, old: str, new: str) -> Defect:
    """Return a defect of the translation."""
    damage = edit((_TARGET,), line, swap(old, new))
    return Defect(f"documents-{name}", "documents", expectation, damage, reported_id=f"talk:{line}")


def reading(name: str, line: int, old: str, new: str) -> Defect:
    """Return a defect of what the second reader labelled."""
    damage = edit(_READINGS[1:], line, swap(old, new))
    return Defect(f"documents-{name}", "documents", "readers-read-it", damage, reported_id=f"talk:{line}")


def repeated(files: Files) -> Files:
    """Repeat a sentence with its translation in place of the last one."""
    changed = dict(files)
    for name in (_SOURCE, _TARGET, *_READINGS):
        lines = files[name].decode().splitlines()
        changed[name] = "".join(f"{line}\n" for line in [*lines[:-1], lines[1]]).encode()
    return changed


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
    Defect(
        "documents-boundary-in-one-file",
        "documents",
        "lines-aligned",
        edit((_TARGET,), 6, lambda _: "A quiet day."),
        reported_id="talk:6",
    ),
    Defect(
        "documents-empty-translation",
        "documents",
        "lines-aligned",
        edit((_TARGET,), 7, lambda _: ""),
        reported_id="talk:7",
    ),
    reading("reader-corrected-a-word", 3, "两只鸡", "三只鸡"),
    reading("reader-left-out-a-mark", 3, "，", ""),
    Defect(
        "documents-reader-skipped-a-sentence",
        "documents",
        "readers-read-it",
        edit(_READINGS[:1], 7, lambda _: "[doc]"),
        reported_id="talk:7",
    ),
    Defect("documents-sentence-twice", "documents", "no-copy", repeated, reported_id="talk:8"),
    *(source(f"text-{name}", expectation, *change) for name, expectation, *change in _IN_SOURCE),
    *(
        target(f"translation-{name}", f"translation-{expectation}", *change)
        for name, expectation, *change in _IN_TARGET
    ),
]
