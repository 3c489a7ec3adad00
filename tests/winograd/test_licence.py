"""The rules asked about running text: every pronoun is decided or says why not, and treebanks are judged by their own trees."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.language.parsing.backends import Backend, Word
from pipeline.language.parsing.treebanks import read_treebank
from pipeline.language.questions import question_table
from pipeline.winograd.licence import Passage, license_pronouns, listing, read_passages
from tests.conftest import Refused
from tests.support.answer_keys import literary
from tests.support.commands import winoforge

TEXT = "小明看见他，他就跑。“他不走。”她问他为什么。\n王老师让他把书交给她，因为他们走了。他的书丢了。\n"
#: By hand: an object, a subject; a subject; a subject, a receiver; a pivot, a receiver, a subject; a possessor.
DECISIONS = ["direct-object", None, None, None, "other", "other", "other", None, "prenominal-possessor"]


def flat(sentences: Sequence[Sequence[str]]) -> list[list[Word]]:
    """Parse each sentence as nouns that hang on its first word."""
    return [
        [Word("NOUN", None if place == 0 else 1, "dep" if place else "root") for place in range(len(words))]
        for words in sentences
    ]


FLAT = Backend("flat", "1", flat)


def test_each_pronoun_has_its_decision_and_its_reason() -> None:
    result = license_pronouns([Passage("", TEXT)])
    assert [pronoun.exclusion for pronoun in result.pronouns] == DECISIONS
    assert result.sentences == 5
    for pronoun in result.pronouns:
        assert pronoun.span.of(TEXT) == pronoun.form
        assert pronoun.form in pronoun.sentence.of(TEXT)
        assert (pronoun.rule is None) == (pronoun.decision == "omissible")
        assert pronoun.reason


def test_what_only_looks_like_a_pronoun_is_none() -> None:
    text = "其他人说他妈的吉他坏了，不要管他人的维他命。马耳他在南边。"
    assert license_pronouns([Passage("", text)]).pronouns == ()


def test_traditional_script_is_judged_as_simplified_script_at_the_same_places() -> None:
    written = "她讓他把書交給她們，因為牠跑了。「他走了嗎？」"
    plain = license_pronouns([Passage("", "她让他把书交给她们，因为它跑了。“他走了吗？”")])
    result = license_pronouns([Passage("", written)])
    assert [pronoun.form for pronoun in result.pronouns] == ["她", "他", "她們", "牠", "他"]
    assert [(pronoun.span, pronoun.rule) for pronoun in result.pronouns] == [
        (pronoun.span, pronoun.rule) for pronoun in plain.pronouns
    ]
    assert (result.traditional, plain.traditional) == (2, 0)


@given(st.text("他她它们的把人其吉妈走说。，“”？\n ", max_size=40))
def test_every_pronoun_of_a_text_is_counted_once(text: str) -> None:
    result = license_pronouns([Passage("", text)], backends=lambda: [FLAT])
    assert [pronoun.span for pronoun in result.pronouns] == [
        span for span in question_table("zh").anaphors(text) if "\n" not in span.of(text)
    ]
    decisions = Counter(pronoun.decision for pronoun in result.pronouns)
    assert sum(result.count(decision) for decision in decisions) == len(result.pronouns)


def test_a_sentence_that_no_parser_should_be_given_is_undecided() -> None:
    result = license_pronouns([Passage("", "他走，" * 5000 + "\n他走。")], backends=lambda: [FLAT])
    assert Counter(pronoun.decision for pronoun in result.pronouns)["undecided"] == 5000
    assert result.pronouns[0].reason == "the sentence has more than 400 words"
    assert result.pronouns[-1].decision == "omissible"


def test_a_second_parser_shows_what_is_disputed() -> None:
    result = license_pronouns([Passage("", TEXT)], backends=lambda: [FLAT, Backend("other", "1", flat)])
    assert result.parsers == ("flat/1", "other/1")
    assert not any(pronoun.disputed for pronoun in result.pronouns)
    assert all(len(pronoun.votes) == 2 for pronoun in result.pronouns)


# --- treebanks ----------------------------------------------------------------------------------------------------------------


def conllu(*rows: str, text: str = "") -> str:
    comment = f"# sent_id = s1\n# text = {text}\n" if text else ""
    lines = []
    for number, row in enumerate(rows, 1):
        form, upos, head, relation = row.split()
        lines.append(f"{number}\t{form}\t_\t{upos}\t_\t_\t{head}\t{relation}\t_\t_\n")
    return comment + "".join(lines) + "\n"


def test_a_plural_in_two_words_is_one_pronoun() -> None:
    text = conllu(
        "我 PRON 2 nsubj",
        "看见 VERB 0 root",
        "他 PRON 2 obj",
        "們 PART 3 case",
        "。 PUNCT 2 punct",
        text="我看見他們。",
    )
    (passage,) = read_passages(text.replace("看见", "看見").encode(), Path("x"), None, "zh")
    (pronoun,) = license_pronouns([passage]).pronouns
    assert (pronoun.passage, pronoun.form, pronoun.rule) == ("s1", "他們", "zh/direct-object")
    assert pronoun.votes == {"treebank": ("zh/direct-object",)}


def test_a_pronoun_inside_a_word_of_the_tree_is_undecided() -> None:
    text = conllu("他家 NOUN 2 nsubj", "远 VERB 0 root", text="他家远")
    (pronoun,) = license_pronouns(read_passages(text.encode(), Path("x"), None, "zh")).pronouns
    assert (pronoun.decision, pronoun.reason) == ("undecided", "the pronoun is a part of the word 他家 in the tree")


@pytest.mark.parametrize(("text", "where", "field"), [
    ("1\t他\t_\tPRON\t_\t_\t0\troot\t_\n", "x:1", "conllu"),
    ("# a\n2\t他\t_\tPRON\t_\t_\t0\troot\t_\t_\n", "x:2", "id"),
    (conllu("他 PRO 0 root"), "x:1", "upos"),
    (conllu("他 PRON 3 root"), "x:1", "head"),
    (conllu("他 PRON 1 root"), "x:1", "head"),
    (conllu("他 PRON 2 dep", "走 VERB 1 dep"), "x:1", "head"),
    (conllu("他 PRON 0 root", text="她"), "x:1", "text"),
])  # fmt: skip
def test_what_is_no_tree_is_refused_at_its_line(refused: Refused, text: str, where: str, field: str) -> None:
    refused(lambda: list(read_treebank(text, Path("x"), "t")), where, field)


def test_lines_of_multiword_tokens_and_empty_nodes_are_passed_over() -> None:
    rows = conllu("他 PRON 2 nsubj", "走 VERB 0 root").splitlines(keepends=True)
    text = "1-2\t他走\t_\t_\t_\t_\t_\t_\t_\t_\n" + rows[0] + "1.1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n" + rows[1]
    (sentence,) = read_treebank(text, Path("x"), "t")
    assert [token.form for token in sentence.tree.tokens] == ["他", "走"]


def test_subjects_of_treebanks_may_be_left_out_and_objects_and_possessors_must_stay(shared_data: Path) -> None:
    """The relations were annotated by people who knew nothing of the rules: GSD and PUD, Hong Kong's and learners' Chinese."""
    counts: Counter[tuple[str, str]] = Counter()
    for name in ("gsdsimp", "pud", "hk", "cfl"):
        path = shared_data / "ud" / f"zh_{name}-ud-test.conllu"
        passages = read_passages(path.read_bytes(), path, None, "zh")
        trees = {passage.id: passage.tree for passage in passages}
        for pronoun in license_pronouns(passages).pronouns:
            tree = trees[pronoun.passage]
            assert tree is not None
            token = next(token for token in tree.tokens if token.span.start == pronoun.span.start)
            counts[token.relation, pronoun.decision] += 1
    assert counts["nsubj", "omissible"] > 10 * counts["nsubj", "overt"] > 0
    assert counts["obj", "overt"] > 10 * counts["obj", "omissible"] > 0
    assert counts["det", "overt"] > 0 == counts["det", "omissible"]


def test_the_command_decides_about_fiction_and_subtitles_as_readers_did(shared_data: Path, tmp_path: Path) -> None:
    """A sample of the answer key: of all 558, the readers' decision is that of the command 548 times with either parser."""
    key = literary(shared_data)[::9]
    lines = [json.dumps({"id": item.id, "text": item.text}, ensure_ascii=False) for _, item in key]
    (tmp_path / "texts.jsonl").write_text("\n".join(lines), encoding="utf-8")
    run = winoforge("licence", tmp_path / "texts.jsonl", "--parser", "udpipe", "--out", tmp_path / "out.jsonl")
    assert run.returncode == 0, run.stderr
    rows = map(json.loads, (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines())
    decisions = {(row["passage"], row["span"]["start"]): row["decision"] for row in rows}
    right = sum((decisions[item.id, item.target.start] == "omissible") == (kind == "keep") for kind, item in key)
    assert right >= 0.95 * len(key)


# --- the command --------------------------------------------------------------------------------------------------------------


def width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)


def test_the_listing_is_read_at_80_columns(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("﻿" + TEXT + "他很高兴地" * 30 + "走了。", encoding="utf-8")
    run = winoforge("licence", "x.txt", cwd=tmp_path)
    lines = run.stdout.splitlines()
    assert lines[0] == "x.txt: 6 sentences, 39 pronouns: 34 may be left out, 5 must stay, 0 undecided"
    assert "1  小明看见[他]，[他]就跑。" in lines
    assert "    他 must stay: direct-object (zh/direct-object), matched 他 看见 ，" in lines
    assert max(map(width, lines)) <= 84  # Chinese words in an English reason count twice


def test_outputs_hold_the_same_decisions(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text(TEXT, encoding="utf-8")
    run = winoforge("licence", "x.txt", "--out", "x.jsonl", "--page", "x.html", "--json", cwd=tmp_path)
    figures = json.loads(run.stdout)
    rows = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text(encoding="utf-8").splitlines()]
    assert rows == figures["decisions"]
    assert figures["pronouns"] == len(rows) == figures["omissible"] + figures["overt"] + figures["undecided"]
    assert len(re.findall("<mark class", (tmp_path / "x.html").read_text(encoding="utf-8"))) == len(rows)


def test_a_text_without_pronouns_says_so_first(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("He saw it.\n", encoding="utf-8")
    run = winoforge("licence", "x.txt", cwd=tmp_path)
    assert run.stdout.startswith("x.txt: 1 sentence, 0 pronouns")
    assert run.stdout.splitlines()[1].startswith("read as zh; a text in another language needs --lang")


def test_no_word_is_cut_where_a_line_ends() -> None:
    for before in range(64, 82):
        text = f"他{'字' * (before // 2)}{'x' * (before % 2)} uncertain {'y' * 90}。"
        lines = list(listing(license_pronouns([Passage("", text)], backends=lambda: [FLAT])))
        assert max(map(width, lines)) <= 80
        assert sum("uncertain" in line for line in lines) == 1
        assert text[1:].replace(" ", "") in "".join(lines).replace(" ", "")


def test_a_second_opinion_is_asked_beside_the_parser_by_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "x.txt").write_text("他走了。", encoding="utf-8")
    monkeypatch.setattr(
        "pipeline.winograd.licence.BACKENDS",
        {name: lambda _, name=name: Backend(name, "1", flat) for name in ("udpipe", "stanza")},
    )
    run = winoforge("licence", "x.txt", "--second", "stanza", cwd=tmp_path)
    assert run.stdout.splitlines()[1] == "trees: udpipe/1, then stanza/1"


@pytest.mark.parametrize(("content", "message"), [
    (b"", "x.txt: [file] no text; found an empty file"),
    ("他走了。".encode("gbk"), "x.txt:1: [encoding] not UTF-8"),
    ("# sent_id = 1\n1 他 他 PRON _ _ 2 nsubj _ _\n2 走 走 VERB _ _ 0 root _ _\n".encode(), "x.txt:2: [conllu] columns separated"),
    (b'{"id": 1}\n', "x.txt:1: [text] missing text; found null"),
])  # fmt: skip
def test_what_is_no_text_is_refused_in_a_line(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "x.txt").write_bytes(content)
    run = winoforge("licence", "x.txt", cwd=tmp_path)
    assert run.returncode == 2
    assert run.stderr.startswith(message)
    assert run.stderr.count("\n") == 1


def test_a_language_without_rules_is_refused() -> None:
    with pytest.raises(PipelineError, match="no rules of zero anaphora; found 'en', expected "):
        license_pronouns([Passage("", "He left.")], "en")


def test_without_a_parser_the_message_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(_: Path | None) -> Backend:
        raise PipelineError(None, None, "[parse] udchinese not installed; run pip install 'winoforge[parse]'")

    monkeypatch.setattr("pipeline.winograd.licence.BACKENDS", {"udpipe": absent, "stanza": absent})
    with pytest.raises(PipelineError, match=r"no parser for 'zh'; found .*winoforge\[parse\]"):
        license_pronouns([Passage("", TEXT)])
