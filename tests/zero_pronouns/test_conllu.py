"""CoNLL-U: UD's validator and udapi accept what is written, each zero has a head, and chains follow from the antecedents."""

from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from udapi.core.document import Document as UdapiDocument
from udtools import Validator
from udtools.state import State

from pipeline.core.convert import to_object
from pipeline.core.errors import PipelineError
from pipeline.core.files import read_text, write_jsonl, write_text
from pipeline.core.model import Item, Span
from pipeline.language.parsing.backends import BACKENDS, Backend, Word
from pipeline.language.parsing.lock import Lock, read_lock, renew
from pipeline.language.parsing.trees import key_of
from pipeline.zero_pronouns.documents import (
    ANAPHORIC,
    COLUMNS,
    KINDS,
    Mention,
    ParallelText,
    Reference,
    SentencePair,
    read_parallel_text,
    read_references,
)
from pipeline.zero_pronouns.exports.conllu import LinkedDocument, conllu, linked_item, linked_text, renew_trees
from pipeline.zero_pronouns.labels import parse_sentence
from tests.support.commands import winoforge

SOURCE = "[doc]\n老葛来了。\n<他>_S说<我>_S把<他的>_Pa伞丢了。\n[doc]\n老葛不在，<他>_S走了。\n<你>_S坐。\n"
TARGET = "[doc]\nGe came.\nHe said I had lost his umbrella.\n[doc]\nGe is not here, he left.\nSit down.\n"
ROWS = [
    "3\t1\t2\t老葛\t1\tanaphoric",
    "3\t2\t\t\t\tspeaker",
    "3\t3\t2\t老葛\t1\tanaphoric",
    "5\t1\t5\t老葛\t1\tanaphoric",
    "6\t1\t\t\t\taddressee",
]


_VALIDATOR = Validator(lang="zh", level=2, check_coref=True, output=None)


def errors(text: str) -> list[str]:
    """Return the errors that UD's validator finds at level 2 with coreference."""
    state = State()
    _VALIDATOR.validate_file_handle(StringIO(text), state)
    _VALIDATOR.validate_end(state)
    return [] if state.passed() else [str(incident) for incident in state.error_tracker]


def loaded(path: Path) -> Any:
    """Return the document as udapi reads it."""
    document = UdapiDocument()
    document.from_conllu_string(read_text(path))
    return document


def write_sample(folder: Path, rows: Sequence[str] = ROWS) -> None:
    write_text(folder / "a.zh", SOURCE)
    write_text(folder / "a.en", TARGET)
    write_text(folder / "antecedents" / "a.tsv", "".join(f"{row}\n" for row in ("\t".join(COLUMNS), *rows)))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample, its lock and its CoNLL-U."""
    folder = tmp_path_factory.mktemp("sample")
    (folder / "antecedents").mkdir()
    write_sample(folder)
    with patch.dict(BACKENDS, udpipe=lambda _: FLAT):
        first = winoforge("zp", "parse", "a.zh", "--antecedents", "antecedents", "--lock", "lock.conllu", cwd=folder)
        again = winoforge("zp", "parse", "a.zh", "--antecedents", "antecedents", "--lock", "lock.conllu", cwd=folder)
    assert "0 trees kept + 4 parsed = 4; 0 dropped" in first.stdout
    assert "4 trees kept + 0 parsed = 4; 0 dropped" in again.stdout
    words = ("zp", "conllu", "a.zh", "a.en", "--parses", "lock.conllu", "--out", "a.conllu")
    result = winoforge(*words, "--antecedents", "antecedents/a.tsv", cwd=folder)
    assert result.returncode == 0
    assert "4 sentences in, 4 out in 2 documents; 0 without a word, with 0 zeros, left out" in result.stdout
    assert "5 zeros and 2 mentions of 4 entities" in result.stdout
    return folder


def _flat(sentences: Sequence[Sequence[str]]) -> Iterator[list[Word]]:
    """Yield trees in which every word depends on the last one, a third-person pronoun as its subject."""
    for words in sentences:
        yield [
            Word("VERB", None, "root")
            if place == len(words)
            else Word("PRON" if word == "他" else "X", len(words), "nsubj" if word == "他" else "dep")
            for place, word in enumerate(words, 1)
        ]


FLAT = Backend("udpipe", "flat", _flat)


def test_the_validator_accepts_the_sample_and_finds_faults(sample: Path) -> None:
    text = read_text(sample / "a.conllu")
    assert errors(text) == []
    assert errors(text.replace("Entity=(ad1e1--1)|", "Entity=(ad1e1--7)|", 1)) != []
    assert errors(text.replace("\t6:nsubj\t", "\t9:nsubj\t", 1)) != []
    assert errors(text.replace("\t6:nsubj\t", "\t_\t", 1)) != []


def test_chains_by_hand(sample: Path) -> None:
    # Document 1: 老葛 with 他 (twice); 我 alone. Document 2: 老葛 with 他; 你 alone.
    document = loaded(sample / "a.conllu")
    chains = {
        entity.eid: [(mention.head.lemma, mention.head.form, mention.other["kind"]) for mention in entity.mentions]
        for entity in document.coref_entities
    }
    assert chains == {
        "ad1e1": [("老葛", "老葛", ""), ("他", "_", ""), ("他", "_", "")],
        "ad1e2": [("我", "_", "speaker")],
        "ad2e1": [("老葛", "老葛", ""), ("他", "_", "")],
        "ad2e2": [("你", "_", "addressee")],
    }


def test_empty_nodes_by_hand(sample: Path) -> None:
    rows = [line.split("\t") for line in read_text(sample / "a.conllu").splitlines() if "\t" in line]
    empty = [(row[0], row[2], row[5], row[8], row[9]) for row in rows if "." in row[0]]
    # 说 把 伞 丢 了 。: 他 and 我 before and after 说, 他的 after 把; all words depend on the mark at the end, which is the sixth.
    assert empty[:3] == [
        ("0.1", "他", "Number=Sing|Person=3|PronType=Prs", "6:nsubj", "Entity=(ad1e1--1)|Restored=他|ZeroForm=S"),
        (
            "1.1",
            "我",
            "Number=Sing|Person=1|PronType=Prs",
            "6:nsubj",
            "Entity=(ad1e2--1-kind:speaker)|Restored=我|ZeroForm=S",
        ),
        (
            "2.1",
            "他",
            "Number=Sing|Person=3|Poss=Yes|PronType=Prs",
            "6:nmod:poss",
            "Entity=(ad1e1--1)|Restored=他的|ZeroForm=Pa",
        ),
    ]
    assert [comment for comment in read_text(sample / "a.conllu").splitlines() if comment.startswith("#")][:5] == [
        "# newdoc id = a-d1",
        "# global.Entity = eid-etype-head-other",
        "# sent_id = a-2",
        "# text = 老葛来了。",
        "# text_en = Ge came.",
    ]


def test_the_build_needs_no_parser_but_a_lock_of_these_sentences(sample: Path, tmp_path: Path) -> None:
    write_text(tmp_path / "b.zh", "<她>_S走\n")
    write_text(tmp_path / "b.en", "She left.\n")
    words = ("zp", "conllu", tmp_path / "b.zh", tmp_path / "b.en", "--out", tmp_path / "out")
    result = winoforge(*words, "--parses", sample / "lock.conllu")
    assert result.returncode == 2
    assert "[b-1] no tree for '她走'; run winoforge zp parse" in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_token_over_a_border_asks_for_a_new_parse(tmp_path: Path) -> None:
    pair = SentencePair(1, parse_sentence("天<他>_S晴")[0], "")
    (document,) = linked_text(ParallelText(((pair,),), 0, ()), "a", None)
    backend = Backend("udpipe", "one", lambda _: [[Word("VERB", None, "root")]])
    (tree,) = renew(["天他晴"], {}, backend, segment=lambda text: [text], tag=None, fits=lambda _: True).trees
    with pytest.raises(PipelineError, match="a token reaches over the border of a zero"):
        conllu([document], Lock(tmp_path, {tree.key: tree}), "a")


# --- our own sample ---------------------------------------------------------------------------------------------------

OURS = Path(__file__).parents[2] / "raw" / "zp"


def test_our_sample_is_valid_and_its_lock_has_its_sentences_only() -> None:
    written, oracles = [], set()
    lock = read_lock(OURS / "parses" / "udpipe.conllu")
    for source in sorted(OURS.glob("*.zh")):
        text = read_parallel_text(source, source.with_suffix(".en"))
        references = read_references(OURS / "antecedents" / f"{source.stem}.tsv", text)
        documents = linked_text(text, source.stem, references)
        oracles |= {pair.source.oracle for pair in text.pairs}
        written.append(conllu(documents, lock, source.stem))
        document = UdapiDocument()
        document.from_conllu_string(written[-1])
        mentions = [mention for entity in document.coref_entities for mention in entity.mentions]
        zeros = [node for node in document.nodes_and_empty if node.is_empty()]
        assert len(zeros) == sum(len(pair.source.zeros) for pair in text.pairs)
        assert all(node.deps for node in zeros)
        assert {*zeros} <= {mention.head for mention in mentions}
    assert len(written) == 5
    assert errors(written[0]) == []  # the validator takes its time
    assert {tree.text for tree in lock.trees.values()} == oracles


# --- properties -------------------------------------------------------------------------------------------------------

PIECES = (
    " ",
    *["走", "说话", "书", "，", "_", "a|b", "他", "<他>_S", "<我们的>_Pa", "<她>_O", "<它>", "<他自己>_R", "<这>_UN"],
)
LINES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=7).map("".join)


@st.composite
def texts(draw: st.DrawFn) -> tuple[ParallelText, list[Reference]]:
    """Return documents, and what each zero refers to: any words of the document, or nothing in it."""
    documents, references, line = [], [], 0
    for count in draw(st.lists(st.integers(1, 3), min_size=1, max_size=2)):
        pairs = []
        for _ in range(count):
            line += 1
            source, _ = parse_sentence(draw(LINES).strip())
            pairs.append(SentencePair(line, source, draw(st.sampled_from(["", "So\x0bit goes."]))))
        documents.append(tuple(pairs))
        words = [(pair.line, pair.source.text) for pair in pairs if pair.source.text.strip()]
        for pair in pairs:
            for zero in range(1, len(pair.source.zeros) + 1):
                mention = draw(st.none() | _mentions(words)) if words else None
                kind = ANAPHORIC if mention else draw(st.sampled_from([kind for kind in KINDS if kind != ANAPHORIC]))
                references.append(Reference(1, pair.line, zero, mention, kind))
    return ParallelText(tuple(documents), len(documents), ()), references


@st.composite
def _mentions(draw: st.DrawFn, texts: Sequence[tuple[int, str]]) -> Mention:
    line, text = draw(st.sampled_from(texts))
    ends = [
        Span(start, end)
        for start in range(len(text))
        for end in range(start + 1, len(text) + 1)
        if text[start:end].strip() == text[start:end]
    ]
    return Mention(line, draw(st.sampled_from(ends)))


def _any_trees(draw: st.DataObject) -> Backend:
    """Return a parser of arbitrary trees."""

    def parse(sentences: Sequence[Sequence[str]]) -> Iterator[list[Word]]:
        for words in sentences:
            order = draw.draw(st.permutations(range(1, len(words) + 1)))
            heads = {
                order[0]: None,
                **{word: draw.draw(st.sampled_from(order[:place])) for place, word in enumerate(order) if place},
            }
            yield [
                Word(
                    "PUNCT" if word == "，" else "X",
                    heads[place],
                    "root" if heads[place] is None else draw.draw(st.sampled_from(["nsubj", "case", "obj", "det"])),
                )
                for place, word in enumerate(words, 1)
            ]

    return Backend("udpipe", "any", parse)


@given(texts(), st.data())
def test_any_text_is_valid_and_complete(sample: tuple[ParallelText, list[Reference]], data: st.DataObject) -> None:
    text, references = sample
    documents = linked_text(text, "a", references)
    backend = _any_trees(data)
    with patch.dict(BACKENDS, udpipe=lambda _: backend):
        trees = renew_trees(documents, "udpipe", Path("nowhere")).trees
    written = conllu(documents, Lock(Path("lock"), {tree.key: tree for tree in trees}), "a")
    crossing = any(_crosses(document) for document in documents)
    if documents and not crossing:
        assert errors(written) == []
    blocks = [block.split("\n") for block in written.split("\n\n") if block]
    sentences = [sentence for document in documents for sentence in document.sentences]
    assert len(blocks) == len(sentences)
    for block, sentence in zip(blocks, sentences, strict=True):
        rows = [row.split("\t") for row in block if not row.startswith("#")]
        words = [row for row in rows if "." not in row[0]]
        empty = [row for row in rows if "." in row[0]]
        assert "".join(row[1] for row in words) == "".join(sentence.sentence.text.split())
        assert [row[8] != "_" for row in empty] == [True] * len(sentence.sentence.zeros)
        assert {row[8].split(":")[0] for row in empty} <= {row[0] for row in words}
        assert sum(row[6] == "0" for row in words) == 1
        opened = sum(row[9].count("(") for row in rows if row[9].startswith("Entity="))
        assert opened == len(sentence.zeros) + len(sentence.mentions)


def _crosses(document: LinkedDocument) -> bool:
    """Return whether two mentions of one entity overlap, which the format cannot express if neither contains the other."""
    return any(
        first.start < second.start < first.end < second.end and link == other
        for sentence in document.sentences
        for first, link in sentence.mentions
        for second, other in sentence.mentions
    )


# --- items ------------------------------------------------------------------------------------------------------------


def item(text: str, target: Span, answer: int = 0) -> Item:
    names = {"id": "zh-1-a", "schema": "zh-1", "version": "a", "lang": "zh"}
    return Item(**names, text=text, target=target, candidates=("老葛", "小岑"), answer=answer)


def test_an_item_becomes_a_document(tmp_path: Path) -> None:
    # The second sentence has the target, at 9; after it, the name at 12 stands at 11.
    document = linked_item(
        item("老葛来了。小岑说，他认得老葛。", Span(9, 10), 1), [[Span(0, 2), Span(12, 14)], [Span(5, 7)]]
    )
    assert [sentence.sentence.text for sentence in document.sentences] == ["老葛来了。", "小岑说，认得老葛。"]
    second = document.sentences[1]
    assert second.sentence.oracle == "小岑说，他认得老葛。"
    assert [(span.of(second.sentence.text), link.entity) for span, link in second.mentions] == [
        ("小岑", 1),
        ("老葛", 0),
    ]
    assert [link.entity for link in second.zeros] == [1]


@pytest.mark.parametrize("target", [Span(4, 5), Span(4, 4)])
def test_items_by_the_command(target: Span, tmp_path: Path) -> None:
    text = "老葛说，他见过小岑。" if target.length else "老葛说，见过小岑。"
    write_jsonl(tmp_path / "items.jsonl", [to_object(item(text, target))])
    with patch.dict(BACKENDS, udpipe=lambda _: FLAT):
        assert winoforge("zp", "parse", "--items", "items.jsonl", "--lock", "lock", cwd=tmp_path).returncode == 0
    result = winoforge("zp", "coref", "items.jsonl", "--parses", "lock", "--out", "out.conllu", cwd=tmp_path)
    assert "1 item in, 1 document out; 0 zeros whose answer" in result.stdout
    written = read_text(tmp_path / "out.conllu")
    assert errors(written) == []
    assert ("Restored=他" in written) == bool(target.length)
    chains = [
        [mention.head.form for mention in entity.mentions] for entity in loaded(tmp_path / "out.conllu").coref_entities
    ]
    assert chains == [["老葛", "_"], ["小岑"]]
    assert set(read_lock(tmp_path / "lock").trees) == {key_of("老葛说，他见过小岑。")}


def test_a_parse_needs_a_text(tmp_path: Path) -> None:
    result = winoforge("zp", "parse", "--lock", tmp_path / "lock")
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert result.stderr.startswith("[source] no text")
