"""Genders of German nouns in a lexicon."""

from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.language.de import grammar as de
from pipeline.language.de.grammar import GenderLexicon, LexiconEntry, read_lexicon

TABLE = """lemma,pos,genus,genus 1,genus 2,nominativ singular,dativ singular,dativ plural
Lüfter,Substantiv,m,,,Lüfter,Lüfter,Lüftern
Pumpe,Substantiv,f,,,Pumpe,Pumpe,Pumpen
Pump,Substantiv,m,,,Pump,Pumpe,
Efeu,Substantiv,,m,n,Efeu,Efeu,
Hase,Substantiv,m,,,Hase,Hasen,Hasen
Adler,"Nachname,Substantiv",f,,,Adler,Adler,
Leute,Substantiv,,,,,,Leuten
zu,kurz
"""


@pytest.fixture
def lexicon(tmp_path: Path) -> GenderLexicon:
    path = tmp_path / "nouns.csv"
    path.write_text(TABLE, encoding="utf-8")
    return read_lexicon(path)


@pytest.mark.parametrize(
    ("word", "noun", "genders"),
    [
        ("Lüfter", "Lüfter", {"masc"}),
        ("Heizlüfter", "Lüfter", {"masc"}),
        ("Pumpe", "Pumpe", {"fem"}),  # a lemma goes before a form of Pump
        ("Pumpen", "", set()),  # plural only
        ("Efeu", "Efeu", {"masc", "neut"}),
        ("Hasen", "Hasen", {"masc"}),  # the dative
        ("Adler", "", set()),  # a name
        ("Leute", "", set()),  # no gender
        ("Alüfter", "", set()),  # one letter is no part of a compound
        ("", "", set()),
    ],
)
def test_a_word_is_found_whole_or_by_its_last_part(
    lexicon: GenderLexicon, word: str, noun: str, genders: set[str]
) -> None:
    expected = LexiconEntry(noun, frozenset(genders)) if noun else None  # type: ignore[arg-type]  # genders of the table
    assert lexicon.entry(word) == expected


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"word,kind\nHase,noun\n", "[lexicon] other columns; found 'word,kind', expected lemma,pos,genus"),
        (b"", "[lexicon] other columns"),
        (b"lemma,pos,genus,dativ singular\n\xff,a,b,c\n", "[lexicon] unreadable table"),
    ],
)
def test_another_table_is_refused(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "nouns.csv"
    path.write_bytes(data)
    with pytest.raises(PipelineError) as refused:
        read_lexicon(path)
    assert reason in str(refused.value)


def test_without_the_package_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(de, "PACKAGE", "no_such_package")
    with pytest.raises(PipelineError, match=r"\[lexicon\] no_such_package not installed; run make .venv/lexicon"):
        de.gender_lexicon.__wrapped__()
