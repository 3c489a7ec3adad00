"""Exports: labels stay whole, nothing is lost, and the oracle without its zeros is the original."""

import re
from pathlib import Path

import jieba
import pytest
from hypothesis import given

from pipeline.core.files import read_text, write_text
from pipeline.zero_pronouns.documents import read_parallel_text
from pipeline.zero_pronouns.exports.texts import SEPARATOR, TEXT_FORMS, export_lines, tokens, user_dictionary
from pipeline.zero_pronouns.labels import Sentence, Zero, parse_sentence
from tests.support.commands import winoforge

from .test_labels import sentences, without_zeros

SOURCE = "[doc]\n<他>_S说不来。\n因为<他>_S<他的>_Pa书没了\n[doc]\n没有。\n"
TARGET = "[doc]\nHe said he wasn't coming.\nHe lost his book.\n[doc]\nNo.\n"


def require_whole(sentence: Sentence) -> None:
    """Require that no form loses or divides anything."""
    labelled, oracle = tokens(sentence), tokens(sentence, "oracle")
    labels = [zero.label for zero in sentence.zeros]
    places = [place for place, word in enumerate(labelled) if word.startswith("<") and word in labels]
    assert [labelled[place] for place in places] == labels
    assert [oracle[place] for place in places] == [zero.pronoun for zero in sentence.zeros]
    rest = [[word for place, word in enumerate(words) if place not in places] for words in (labelled, oracle)]
    assert rest[0] == rest[1]
    bare = "".join(sentence.text.split())
    assert "".join(rest[0]) == bare == "".join(tokens(sentence, "original"))


@given(sentences())
def test_words_lose_nothing(sentence: Sentence) -> None:
    require_whole(sentence)


def test_a_zero_divides_a_word_of_its_labelled_text_only() -> None:
    # The zero stands between 才 and 能; 才能 is a word of Jieba's.
    sentence, _ = parse_sentence("天晴才<我们>_S能去")
    assert tokens(sentence) == ["天晴", "才", "<我们>_S", "能", "去"]
    assert tokens(sentence, "original") == ["天晴", "才能", "去"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("<他>说", ["<他>", "说"]),
        ("S<我>_S S", ["S", "<我>_S", "S"]),
        ("<他 们>_S走", ["<他们>_S", "走"]),
        ("<>_S走", ["<", ">", "_", "S", "走"]),
        ("<他>_S", ["<他>_S"]),
        ("", []),
    ],
)
def test_words_of_odd_lines(line: str, words: list[str]) -> None:
    assert tokens(parse_sentence(line)[0]) == words


def test_jieba_keeps_labels_whole_with_the_dictionary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sentence, _ = parse_sentence("因为<他>_S<他的>_Pa书没了，<我们>_UN很急，<他>走了")
    write_text(tmp_path / "labels.txt", user_dictionary(sentence.zeros))
    tokenizer = jieba.Tokenizer()
    with (tmp_path / "labels.txt").open("rb") as file:
        tokenizer.load_userdict(file)
    assert "<他>_S" not in tokenizer.lcut(sentence.labelled)  # Jieba divides at the brackets first
    monkeypatch.setattr(jieba, "re_han_default", re.compile(r"([\u4E00-\u9FD5a-zA-Z0-9+#&\._%\-<>]+)"))
    assert tokenizer.lcut(sentence.labelled) == tokens(sentence)


def test_the_dictionary_has_every_label_once() -> None:
    entries = [line.split(" ")[0] for line in user_dictionary([Zero(0, "这", "UN"), Zero(0, "他", "S")]).splitlines()]
    # 10 pronouns with 4 endings (none among them) and 7 forms (none among them), and 这.
    assert len(entries) == len(set(entries)) == 10 * 4 * 7 + 1
    assert entries[-1] == "<这>_UN"


@pytest.mark.parametrize(
    ("form", "lines"),
    [
        ("original", ["说不来 。", "因为 书 没 了", "没有 。"]),
        ("oracle", ["他 说不来 。", "因为 他 他的 书 没 了", "没有 。"]),
        ("labelled", ["<他>_S 说不来 。", "因为 <他>_S <他的>_Pa 书 没 了", "没有 。"]),
    ],
)
def test_words_and_texts_with_context(form: str, lines: list[str], tmp_path: Path) -> None:
    write_text(tmp_path / "a.zh", SOURCE)
    write_text(tmp_path / "a.en", TARGET)
    source, out = tmp_path / "a.zh", tmp_path / "out"
    common = ("zp", "export", source, tmp_path / "a.en", "--as", form, "--out", out)
    assert winoforge(*common, "--words", "--target-out", tmp_path / "out.en").returncode == 0
    assert read_text(out).splitlines() == lines
    assert read_text(tmp_path / "out.en").splitlines() == ["he said he was n't coming .", "he lost his book .", "no ."]
    assert winoforge(*common, "--target-out", tmp_path / "out.en").returncode == 0
    plain = ["".join(line.split()) for line in lines]
    assert read_text(out).splitlines() == plain
    assert read_text(tmp_path / "out.en").splitlines() == ["He said he wasn't coming.", "He lost his book.", "No."]
    result = winoforge(*common, "--context", "--dictionary", tmp_path / "labels.txt")
    assert read_text(out).splitlines() == [f"<sep> {plain[0]}", f"{plain[0]} <sep> {plain[1]}", f"<sep> {plain[2]}"]
    assert "3 sentences in, 3 out, with 3 zeros" in result.stdout
    assert "<他的>_Pa 1 r\n" in read_text(tmp_path / "labels.txt")


def test_the_published_files_are_exported_without_loss(shared_data: Path) -> None:
    for path in sorted((shared_data / "mzprt" / "raw").glob("*.en")):
        source = path.with_suffix(".zh")
        text = read_parallel_text(source, path)
        original, oracle, labelled = (export_lines(text.documents, form, source) for form in TEXT_FORMS)
        for pair, *lines in zip(text.pairs, original, oracle, labelled, strict=True):
            assert lines[:2] == [without_zeros(pair.source), pair.source.oracle]
            assert parse_sentence(lines[2])[0] == pair.source
        contexts = export_lines(text.documents, "original", source, words=True, context=True)
        alone = export_lines(text.documents, "original", source, words=True)
        assert [line.split(SEPARATOR)[1].strip() for line in contexts] == alone


def test_a_separator_in_the_text_is_refused(tmp_path: Path) -> None:
    write_text(tmp_path / "a.zh", "走\n看<sep>看\n")
    write_text(tmp_path / "a.en", "Go.\nLook.\n")
    words = ("zp", "export", tmp_path / "a.zh", tmp_path / "a.en", "--as", "original", "--out", tmp_path / "out")
    result = winoforge(*words, "--context")
    assert result.returncode == 2
    assert result.stderr.startswith(f"{tmp_path / 'a.zh'}:2: [sentence] separator in the text")
    assert not (tmp_path / "out").exists()
    assert winoforge(*words).returncode == 1  # <sep> is no label
