"""Sentences, words, trees and the parse lock; both parsers on real sentences. Each model is loaded once."""

import itertools
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.alignment import align
from pipeline.core.errors import PipelineError
from pipeline.core.model import Span
from pipeline.core.records import write_items
from pipeline.language.parsing.backends import BACKENDS, Backend, Word, load_stanza, load_udpipe
from pipeline.language.parsing.lock import locate_sentence, parse, read_lock, targets_by_sentence, update
from pipeline.language.parsing.trees import Token, Tree, parse_trees, trees_to_conllu
from pipeline.language.zh import CHINESE, words
from pipeline.winograd.modifications import modified_versions
from tests.support.commands import winoforge
from tests.support.items import marked

CHINESE_TEXT = st.text(alphabet="他她它们其说了把的。！？”“…， \n\u3000ABØ老汤", max_size=40)


@given(CHINESE_TEXT)
def test_sentences_hold_every_character_but_blanks(text: str) -> None:
    spans = CHINESE.sentences(text)
    assert (
        "".join(span.of(text) for span in spans).replace(" ", "").replace("\n", "")
        == "".join(character for character in text if character not in " \n")
        or "\u3000" in text
    )
    assert all(before.end <= after.start for before, after in itertools.pairwise(spans))
    assert all(span.of(text) == span.of(text).strip() != "" for span in spans)


@given(CHINESE_TEXT, st.data())
def test_a_target_lies_in_its_sentence(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    target = Span(start, data.draw(st.integers(start, len(text))))
    span = CHINESE.sentence_of(text, target)
    assert span.start <= target.start <= target.end <= span.end


@given(CHINESE_TEXT)
def test_words_are_the_text_and_pronouns_stand_alone(text: str) -> None:
    forms = words(text)
    assert len(align(forms, text)) == len(forms)
    pronouns = {"他", "她", "它", "他们", "她们", "它们"}
    assert all(word in pronouns or "其" in word or not set("他她它") & set(word) for word in forms)


@pytest.mark.parametrize(("text", "pronouns"), [
    ("其他人都走了，他没走。", ["他"]),
    ("弹吉他的她们。", ["她们"]),
    ("他他他", ["他", "他", "他"]),
])  # fmt: skip
def test_pronouns_inside_words_are_left_there(text: str, pronouns: list[str]) -> None:
    assert [word for word in words(text) if word in {"他", "她们"}] == pronouns


def test_a_fixed_span_is_one_word() -> None:
    assert "他俩" in words("老师让他俩走。", [Span(3, 5)])


TEXTS = ["老汤把【他】叫醒了。", "门开了。她说【他】累了。", "“【他】呢？”老汤问。"]


@pytest.fixture(scope="module")
def udpipe() -> Backend:
    return load_udpipe(None)


@pytest.fixture(scope="module", params=sorted(CHINESE.parsers))
def backend(request: pytest.FixtureRequest, udpipe: Backend) -> Backend:
    return udpipe if request.param == "udpipe" else BACKENDS[request.param](None)


@pytest.fixture(scope="module")
def lock_text(udpipe: Backend) -> str:
    """The lock of one sentence."""
    return trees_to_conllu(update([marked(TEXTS[0], "a-1-a")], {}, udpipe).trees)


def test_a_parser_keeps_words_and_offsets(backend: Backend) -> None:
    items = [marked(text, f"i-{number}-a") for number, text in enumerate(TEXTS)]
    result = update(items, {}, backend)
    assert (result.kept, result.parsed, result.dropped) == (0, 3, 0)
    by_key = {tree.key: tree for tree in result.trees}
    for item in items:
        place = locate_sentence(item)
        tree = next(tree for tree in by_key.values() if tree.text == place.sentence)
        index = tree.index_at(place.target)
        assert index is not None
        assert tree.tokens[index].form == "他"
        assert tree.tokens[index].upos == "PRON"
        assert sum(token.head is None for token in tree.tokens) == 1
        assert tree.parser == backend.parser


def test_conllu_survives_writing_and_reading(backend: Backend) -> None:
    trees = update([marked(text, f"i-{number}-a") for number, text in enumerate(TEXTS)], {}, backend).trees
    assert tuple(parse_trees(trees_to_conllu(trees), Path("x"))) == trees


def test_the_lock_parses_missing_sentences_and_drops_stale_ones(udpipe: Backend, tmp_path: Path) -> None:
    first = update([marked(TEXTS[0], "a-1-a"), marked(TEXTS[1], "a-2-a")], {}, udpipe)
    path = tmp_path / "lock.conllu"
    path.write_text(trees_to_conllu(first.trees), encoding="utf-8")
    second = update([marked(TEXTS[1], "a-2-a"), marked(TEXTS[2], "a-3-a")], read_lock(path).trees, udpipe)
    assert (second.kept, second.parsed, second.dropped) == (1, 1, 1)
    afresh = update([marked(TEXTS[1], "a-2-a"), marked(TEXTS[2], "a-3-a")], {}, udpipe, afresh=True)
    assert afresh.trees == second.trees


def test_modified_sentences_are_parsed_too(udpipe: Backend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "udpipe", lambda _: udpipe)
    items = [marked("老汤骂了小柳，老师罚了【他】。", "t-1-a", candidates=("老汤", "小柳"))]
    entry = "- {id: t-1-a, type: predicate, from: '老师罚了[他]', to: '[他]挨了罚', reason: r}\n"
    (tmp_path / "modifications.yaml").write_text(entry, encoding="utf-8")
    lock = tmp_path / "lock.conllu"
    versions = modified_versions(items, tmp_path / "modifications.yaml")
    result = parse([*items, *versions], "udpipe", lock)
    assert {tree.text for tree in result.trees} == {"老汤骂了小柳，老师罚了他。", "老汤骂了小柳，他挨了罚。"}
    assert len(parse(items, "udpipe", lock).trees) == 1


def test_a_tree_of_another_model_is_missing(udpipe: Backend) -> None:
    lock = {tree.key: tree for tree in update([marked(TEXTS[0], "a-1-a")], {}, udpipe).trees}
    newer = Backend(name="udpipe", model="newer", parse=udpipe.parse)
    assert update([marked(TEXTS[0], "a-1-a")], lock, newer).parsed == 1


def test_members_of_a_pair_share_a_sentence() -> None:
    items = [marked("老汤走了。【他】很累。", "a-1-a"), marked("老王走了。【他】很累。", "a-1-b")]
    assert targets_by_sentence(items) == {"他很累。": {Span(0, 1)}}


def test_a_parser_that_drops_a_word_is_refused() -> None:
    def careless(_sentences: object) -> list[list[Word]]:
        return [[Word("PRON", None, "root")]]

    with pytest.raises(ValueError, match=r"shorter|longer"):
        update([marked(TEXTS[0], "a-1-a")], {}, Backend("careless", "1", careless))


def in_row(number: int, column: int, value: str) -> Callable[[str], str]:
    """Return what changes a column of a token of the first sentence, whose tokens begin in line 4."""

    def damage(text: str) -> str:
        lines = text.split("\n")
        cells = lines[number + 2].split("\t")
        cells[column] = value
        lines[number + 2] = "\t".join(cells)
        return "\n".join(lines)

    return damage


@pytest.mark.parametrize(("damage", "line", "reason"), [
    (lambda text: text.replace("# text", "# tixt"), 1, "[text] missing comment"),
    (lambda _: '{"id": "zh-0001-a"}\n', 1, "[conllu] not CoNLL-U"),
    (lambda text: text.replace("# parser", "# porser"), 1, "[parser] missing comment"),
    (lambda text: text.replace("\t", " "), 4, "[conllu] wrong width; found 1 column, expected 10 separated by tabs"),
    (lambda text: text.replace("\n\n", "\n") * 2, 10, "[conllu] comment after a token"),
    (in_row(2, 0, "1"), 5, "[id] out of order; found '1', expected 2"),
    (in_row(1, 0, "1-2"), 4, "[id] out of order; found '1-2', expected 1"),
    (in_row(2, 1, "甲"), 5, "[TokenRange] token '甲' is not at"),
    (in_row(2, 3, "PRONOUN"), 5, "[upos] unknown tag; found 'PRONOUN'"),
    (in_row(2, 6, "_"), 5, "[head] not a number; found '_'"),
    (in_row(2, 6, "99"), 5, "[head] token"),
    (in_row(2, 9, "_"), 5, "[TokenRange] missing range"),
    (in_row(2, 9, "TokenRange=2:1"), 5, "[TokenRange] missing range"),
    (in_row(2, 9, "TokenRange=0:999"), 5, "[TokenRange] token"),
    (in_row(2, 9, f"TokenRange=0:{'9' * 5000}"), 5, "[TokenRange] missing range"),
    (lambda text: text.replace("\t0\troot", "\t1\troot"), 1, "[head] wrong number of roots; found 0"),
    (in_row(2, 7, "nsbuj"), 5, "[relation] unknown relation; found 'nsbuj'"),
    (in_row(2, 7, "nsubj:foo"), 5, "[relation] unknown relation; found 'nsubj:foo'"),
    (in_row(2, 7, "_"), 5, "[relation] unknown relation; found '_'"),
    (in_row(2, 7, "root"), 5, "[relation] found 'root'"),
    (lambda text: text.replace("# text = ", "# text = 今", 1), 4, "[TokenRange] token"),
    (lambda text: re.sub("(# text = [^\n]*)", "\\1啊", text, count=1), 1, "[text] not covered by its tokens"),
    (lambda text: re.sub(r"\t\d+\tnsubj", "\t0\tnsubj", text, count=1), 1, "[head] wrong number of roots; found 2"),
    (lambda text: re.sub(r"\t\d+\tnsubj", "\t1\tnsubj", text, count=1), 4, "[head] heads form a circle"),
])  # fmt: skip
def test_a_broken_lock_is_named_with_its_line(
    lock_text: str, damage: Callable[[str], str], line: int, reason: str
) -> None:
    broken = damage(lock_text)
    assert broken != lock_text
    with pytest.raises(PipelineError) as caught:
        parse_trees(broken, Path("lock.conllu"))
    assert str(caught.value).startswith(f"lock.conllu:{line}: {reason}")


def test_missing_models_are_named_with_the_command_that_installs_them(tmp_path: Path) -> None:
    with pytest.raises(
        PipelineError, match=r"\[stanza\] missing model for zh-hans; run python -c \"import stanza; stanza.download"
    ):
        load_stanza(tmp_path)
    with pytest.raises(PipelineError, match="expected a UDPipe 1 model file"):
        load_udpipe(tmp_path / "none.udpipe")


@pytest.mark.parametrize(
    ("resources", "place", "reason"),
    [
        ("{nope", "resources.json", "not a list of models"),
        ("[]", "resources.json", "not a list of models"),
        ('{"zh-hans": 3}', "resources.json", "not a list of models"),
        ('{"zh-hans": {"default_processors": {"depparse": "x"}}}', "", "model cannot be loaded"),
    ],
)
def test_a_damaged_model_is_named_with_the_command_that_installs_it(
    resources: str, place: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "zh-hans" / "depparse").mkdir(parents=True)
    (tmp_path / "resources.json").write_text(resources, encoding="utf-8")
    with pytest.raises(PipelineError) as caught:
        load_stanza(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / place}: [stanza] {reason}")
    assert "; run python -c" in str(caught.value)


def test_a_lock_of_another_parser_is_refused(tmp_path: Path) -> None:
    """Its trees would all be dropped and parsed again."""
    lock = tmp_path / "stanza.conllu"
    text = TEXTS[0].replace("【", "").replace("】", "")
    tree = Tree(text, "stanza/winoforge-1", (Token(text, Span(0, len(text)), "X", "x", None, "root"),))
    lock.write_text(trees_to_conllu([tree]), encoding="utf-8")
    reason = r"\[parser\] lock of another parser; found stanza/winoforge-1, expected udpipe"
    with pytest.raises(PipelineError, match=reason):
        parse([marked(TEXTS[0], "a-1-a")], "udpipe", lock)


def test_a_lock_that_is_not_there_cannot_be_checked(tmp_path: Path) -> None:
    write_items(tmp_path / "items.jsonl", [marked(TEXTS[0], "a-1-a")])
    lock = tmp_path / "lock.conllu"
    run = winoforge("parse", tmp_path / "items.jsonl", "--backend", "udpipe", "--lock", lock, "--check")
    assert (run.returncode, run.stdout) == (2, "")
    assert f"{lock}: [file] no such lock; nothing to check" in run.stderr


def test_a_tree_under_the_id_of_another_is_refused(lock_text: str, tmp_path: Path) -> None:
    path = tmp_path / "lock.conllu"
    path.write_text(re.sub("# sent_id = [^\n]*", "# sent_id = 0", lock_text, count=1), encoding="utf-8")
    with pytest.raises(PipelineError, match=r"lock\.conllu:1: \[sent_id\] not of this text"):
        read_lock(path)
