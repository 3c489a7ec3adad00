"""Fifty faults of releases: how each is planted, and what `winoforge verify` must say of it."""

from collections.abc import Mapping
from typing import NamedTuple

from pipeline.core.checksums import CHECKSUMS

from .defect import Damage, Files, drop, every, in_row, put, twice, without
from .items import other_answer
from .releases import (
    changed_after_release,
    edited,
    listed_twice,
    lost,
    of_rows,
    sealed,
    unlisted,
    with_file,
    wrong_checksum,
)

ZH, EN, DE, ZP = "zh", "en", "de", "zp-report"
CARD, CROISSANT, CITATION = "README.md", "croissant.json", "CITATION.cff"


class Fault(NamedTuple):
    """A fault of a release, and parts of the line that names it: file and check, what was found or is missing."""

    release: str
    what: str
    damage: Damage
    said: tuple[str, ...]


def flipped(files: Files) -> Files:
    """Flip the answer of an item in the main data, in both formats, with renewed sums: nothing else follows."""
    return of_rows("data/zh", in_row(other_answer))(files)


def swapped_tables(files: Files) -> Files:
    """Put the table of one configuration in the place of another."""
    return sealed(files | {"data/nli.parquet": files["data/scoring.parquet"]})


def with_byte_order_mark(files: Files) -> Files:
    """Begin a data file with a byte order mark."""
    return sealed(files | {"data/sentences.jsonl": b"\xef\xbb\xbf" + files["data/sentences.jsonl"]})


def with_carriage_returns(files: Files) -> Files:
    """End the lines of a data file as Windows does."""
    return sealed(files | {"data/zeros.jsonl": files["data/zeros.jsonl"].replace(b"\n", b"\r\n")})


def answer_and_what_follows(files: Files) -> Files:
    """Flip an answer in the main data and in the readings."""
    item = "zh-0001-a"
    both = of_rows("data/zh", in_row(other_answer, lambda row: row["id"] == item, start=0))(files)
    return of_rows("data/readings", every(put(answer="姐姐"), lambda row: row["item"] == item))(both)


def file_of_another(files: Files) -> Files:
    """Name a file outside the folder in the checksums."""
    return files | {CHECKSUMS: files[CHECKSUMS] + b"0" * 64 + b"  ../outside\n"}


_OTHER = put(canary="Test data: another one")
_EDITS: Mapping[str, tuple[str, str, str, tuple[str, ...]]] = {
    "card with another number of items": (ZH, CARD, " items in ", (CARD, "card-follows-data", "found", "expected")),
    "card with another version": (EN, CARD, "version: ", (CARD, "card-follows-data", "version: ")),
    "card without its canary": (DE, CARD, "> Test data", (CARD, "card-follows-data", "> Test data")),
    "card with another share of early pairs": (ZH, CARD, "stand before the zero", (CARD, "card-follows-data")),
    "card with another licence": (ZP, CARD, "license: cc-by-4.0", ("licence-known", "found 'cc-by-4.0x'")),
    "card with another default": (EN, CARD, "  default: true", (CARD, "card-follows-data", "default")),
    "Croissant with another version": (ZH, CROISSANT, '"version": "', (CROISSANT, "metadata-follow-data", '"version"')),
    "Croissant with another checksum": (EN, CROISSANT, '"sha256": "', (CROISSANT, "metadata-follow-data", '"sha256"')),
    "Croissant with another licence": (DE, CROISSANT, "licenses/CC", (CROISSANT, "metadata-follow-data", "licenses/CC-BY-4.0")),
    "Croissant with another type": (ZP, CROISSANT, "sc:Integer", (CROISSANT, "metadata-follow-data", "sc:Integer")),
    "Croissant with another column": (DE, CROISSANT, '"column": "gold', (CROISSANT, "metadata-follow-data", "gold")),
    "Croissant without limits": (ZH, CROISSANT, "rai:dataLimitations",
     (CROISSANT, "metadata-follow-data", "rai:dataLimitations")),
    "citation with another title": (ZH, CITATION, "title: ", (CITATION, "metadata-follow-data", "title")),
    "citation with another version": (ZP, CITATION, 'version: "0', (CITATION, "metadata-follow-data", "version")),
    "licence with a line more": (EN, "LICENSE", "\n", ("LICENSE", "licence-included")),
    "task with another prompt": (DE, "lm_eval/choice.yaml", "Antwort", ("lm_eval/choice.yaml", "tasks-follow-data")),
    "task of another form": (ZH, "lm_eval/zero.yaml", '"zero"', ("lm_eval/zero.yaml", "tasks-follow-data")),
    "helper with another rule": (EN, "lm_eval/utils.py", "max(scores)", ("lm_eval/utils.py", "tasks-follow-data")),
}  # fmt: skip
_ROWS: Mapping[str, tuple[str, str, Damage, tuple[str, ...]]] = {
    "text changed": (ZH, "data/zh", in_row(put(text_zero="Ø。")),
     ("zh.jsonl:3", "[releases/zero]", "text_zero; found 'Ø。', expected")),
    "label changed": (ZH, "data/nli", in_row(put(label="MAYBE")),
     ("nli.jsonl:3", "[releases/nli]", "label; found 'MAYBE', expected")),
    "row lost": (ZH, "data/winogrande", drop(), ("[releases/winogrande]", "missing row")),
    "row twice": (ZH, "data/disambiguated", twice(), ("[releases/disambiguated]", "no such row can be derived")),
    "reading of other words": (ZH, "data/readings", in_row(put(digest="0" * 16, natural=5)),
     ("readings.jsonl", "has changed since it was read")),
    "reading with a wrong answer": (ZH, "data/readings", in_row(put(answer="谁")),
     ("readings.jsonl:3", "read with a wrong answer; found '谁'")),
    "earlier reading of no item": (ZH, "data/earlier-readings", in_row(put(item="zh-9999-a")),
     ("earlier-readings", "a reading of no item")),
    "gloss lost in all rows": (ZH, "data/zh", every(without("gloss")), ("zh.jsonl", "gloss; found nothing, expected")),
    "canary of another in a row": (ZH, "data/scoring", in_row(_OTHER),
     ("canary-in-rows", "canary; found 'Test data: another one'")),
    "canary lost in a row": (EN, "data/single", in_row(put(canary="")), ("canary-in-rows", "canary; found ''")),
    "version of another in a row": (EN, "data/double", in_row(put(release="en 9.9.9")),
     ("canary-in-rows", "release; found 'en 9.9.9'")),
    "answer of a sentence flipped": (EN, "data/double", in_row(other_answer),
     ("double.jsonl:3", "[releases/sentences]", "answer; found")),
    "pronoun of a sentence changed": (EN, "data/single", in_row(put(pronouns="it")), ("single.jsonl", "found")),
    "gold of a gap flipped": (DE, "data/cloze", in_row(put(gold=lambda row: 1 - row["gold"])),
     ("cloze.jsonl:3", "[releases/cloze-rows]", "gold; found")),
    "gender changed": (DE, "data/winograd", in_row(put(genders=["neut", "neut"])), ("[releases/cloze-rows]", "gender")),
    "filler without its gap": (DE, "data/fillers", in_row(put(text="Der Hund.")), ("fillers.jsonl:3", "[fillers/")),
    "score of the other pronoun": (DE, "lm_eval/scoring", in_row(put(correct=lambda row: not row["correct"])),
     ("scoring.jsonl", "tasks-follow-data", "correct")),
    "zero moved": (ZP, "data/zeros", in_row(put(place=0)), ("zeros.jsonl:3", "[releases/zeros]", "place; found 0, expected")),
    "label lost in a sentence": (ZP, "data/sentences", in_row(put(labelled=lambda row: row["text"])),
     ("[releases/sentences]", "found")),
    "translation lost": (ZP, "data/translations", drop(), ("sentences.jsonl", "found")),
    "reading of another sentence": (ZP, "data/readings", in_row(put(labelled="别的话。")), ("found", "expected")),
    "provenance of another file": (ZP, "provenance", in_row(put(file="raw/x")),
     ("provenance.jsonl:3", "file; found 'raw/x', expected")),
    "provenance of other rules": (DE, "provenance", in_row(put(rules="sha256:0")),
     ("provenance.jsonl:3", "rules; found 'sha256:0', expected")),
    "provenance without a record": (EN, "provenance", drop(), ("provenance.jsonl", "missing row; found none, expected one")),
}  # fmt: skip
FAULTS: tuple[Fault, ...] = (
    Fault(ZH, "answer flipped, sums renewed", flipped, ("readings.jsonl", "zh-0005-a: read with a wrong answer; found", "expected")),
    Fault(ZH, "answer flipped in the readings too", answer_and_what_follows, ("nli.jsonl:1", "zh-0001-a", "label; found", "expected")),
    Fault(ZH, "a file changed after release", changed_after_release("data/zh.jsonl"),
         ("zh.jsonl: [checksum] the file has changed; found",)),
    Fault(EN, "a file that is not listed", unlisted("data/more.jsonl"), ("data/more.jsonl: [checksum] not listed",)),
    Fault(DE, "a wrong checksum", wrong_checksum, ("[checksum] the file has changed",)),
    Fault(ZP, "a file listed twice", listed_twice, ("[checksum] listed 2 times",)),
    Fault(ZP, "a file outside the folder", file_of_another, ("leaves the release",)),
    Fault(ZH, "a file lost", lost("rejected.jsonl"), ("rejected.jsonl", "[releases/complete]", "found no such file, expected one")),
    Fault(ZP, "a table lost", lost("data/zeros.parquet"), ("zeros.parquet", "[releases/complete]")),
    Fault(EN, "Croissant lost", lost(CROISSANT), (CROISSANT, "[releases/complete]")),
    Fault(DE, "a file of somebody else", with_file("notes.txt", b"x\n"), ("notes.txt", "[releases/known-files]")),
    Fault(ZH, "the table of another configuration", swapped_tables, ("nli.parquet", "formats-agree", "found")),
    Fault(EN, "a table with other rows", of_rows("data/double", in_row(put(text="X.")), lines=False),
         ("formats-agree", "text; found 'X.'")),
    Fault(ZP, "a byte order mark", with_byte_order_mark, ("sentences.jsonl", "formats-agree", "\\ufeff")),
    Fault(ZP, "carriage returns", with_carriage_returns, ("zeros.jsonl", "formats-agree", "\\r")),
    *(
        Fault(release, what, edited(file, old, f"{old}x" if old != "\n" else "\nNobody may use it.\n"), said)
        for what, (release, file, old, said) in _EDITS.items()
    ),
    *(Fault(release, what, of_rows(file, change), said) for what, (release, file, change, said) in _ROWS.items()),
)  # fmt: skip
