"""Coreference systems' files: what they are given, and what is made of their clusters."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.model import Span
from pipeline.winopron.instances import Instance, read_instances
from pipeline.winopron.systems import SYSTEMS, SystemName, answer, token_spans
from tests.conftest import ROOT, Refused
from tests.support.commands import winoforge

TEXT = "The baker's guest didn't see her."
NAME = "en-1"
#: A vocabulary that cuts baker in two and does not know guest.
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "The", "bak", "##er", "'", "s", "didn", "t", "see", "her", "."]


@pytest.fixture
def vocabulary(tmp_path: Path) -> Path:
    path = tmp_path / "vocab.txt"
    path.write_text("\n".join(PIECES) + "\n", encoding="utf-8")
    return path


# --- by hand ----------------------------------------------------------------------------------------------------------


def test_what_each_system_is_given(vocabulary: Path) -> None:
    assert SYSTEMS["caw-coref"].writer(None)(NAME, TEXT) == {
        "document_id": "wb_en-1",
        "cased_words": ["The", "baker", "'s", "guest", "did", "n't", "see", "her", "."],
        "sent_id": [0] * 9,
    }
    assert SYSTEMS["lingmess"].writer(None)(NAME, TEXT) == {"id": NAME, "text": TEXT}
    # The | bak ##er | ' | s | guest (unknown) | didn | ' | t | see | her | . - eleven words in twelve pieces
    assert SYSTEMS["spanbert"].writer(vocabulary)(NAME, TEXT) == {
        "doc_key": "wb_en-1",
        "sentences": [["[CLS]", "The", "bak", "##er", "'", "s", "[UNK]", "didn", "'", "t", "see", "her", ".", "[SEP]"]],
        "speakers": [["[SPL]", *["-"] * 12, "[SPL]"]],
        "clusters": [],
        "sentence_map": [0] * 14,
        "subtoken_map": [0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10],
    }


#: {the baker, her} and {guest} in each system's counting.
CLUSTERS: Mapping[str, dict[str, Any]] = {
    "caw-coref": {"span_clusters": [[[0, 2], [7, 8]], [[3, 4]]]},
    "lingmess": {"clusters": [[[0, 9], [29, 32]], [[12, 17]]]},
    "spanbert": {"predicted_clusters": [[[1, 3], [11, 11]], [[6, 6]]]},
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_clusters_are_brought_back_to_the_text(system: SystemName, vocabulary: Path) -> None:
    document = SYSTEMS[system].writer(vocabulary if system == "spanbert" else None)(NAME, TEXT) | CLUSTERS[system]
    clusters = SYSTEMS[system].clusters(document, NAME, TEXT)
    assert [[span.of(TEXT) for span in cluster] for cluster in clusters] == [["The baker", "her"], ["guest"]]


def test_an_answer_is_all_that_the_pronoun_is_linked_with(tmp_path: Path) -> None:
    """The text has two her: only the cluster that holds the target counts."""
    item = {
        "id": "x", "schema": "x", "version": "a", "lang": "en", "text": "The baker gave the guest her hat, which suited her.",
        "target": {"start": 25, "end": 28}, "candidates": ["baker", "guest"], "answer": 0, "case": "possessive", "pronouns": "she",
    }  # fmt: skip
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps(item) + "\n", encoding="utf-8")
    (sentence,) = read_instances(path)
    baker, guest, her, hat, other = Span(0, 9), Span(15, 24), Span(25, 28), Span(25, 32), Span(47, 50)
    assert [span.of(sentence.item.text) for span in (baker, guest, her, hat, other)] == [
        "The baker", "the guest", "her", "her hat", "her",
    ]  # fmt: skip
    assert answer(sentence, [(her, baker), (guest, other)]) == "The baker"
    assert answer(sentence, [(other, guest, her, baker)]) == "The baker; the guest; her"
    assert answer(sentence, [(guest, other)]) == answer(sentence, [(her,)]) == answer(sentence, []) == ""


# --- round trips ------------------------------------------------------------------------------------------------------


def linked(system: SystemName, document: dict[str, Any], text: str, spans: Sequence[Span]) -> dict[str, Any]:
    """Return a document as the system would give it back that puts these spans of the text into one cluster."""
    if system == "lingmess":
        return {"text": text, "clusters": [[[span.start, span.end] for span in spans]], "clusters_strings": []}
    pieces = document["cased_words"] if system == "caw-coref" else document["sentences"][0][1:-1]
    places = token_spans([piece.removeprefix("##") for piece in pieces], text)
    cluster = []
    for span in spans:
        inside = [number for number, place in enumerate(places) if span.start <= place.start and place.end <= span.end]
        cluster.append([inside[0], inside[-1] + 1] if system == "caw-coref" else [inside[0] + 1, inside[-1] + 1])
    return document | ({"span_clusters": [cluster]} if system == "caw-coref" else {"predicted_clusters": [cluster]})


@pytest.fixture(scope="module")
def sentences(tmp_path_factory: pytest.TempPathFactory, shared_data: Path) -> Path:
    """Return the published sentences, and a vocabulary of all letters and of some words of theirs."""
    out = tmp_path_factory.mktemp("published")
    assert winoforge("instantiate", shared_data / "winopron" / "data.zip", "--out", out).returncode == 0
    letters = [chr(code) for code in range(33, 127)]
    words = ["The", "the", "because", "that", "her", "their", "xyr"]
    pieces = [*PIECES[:4], *letters, *(f"##{letter}" for letter in letters if letter.isalpha()), *words]
    (out / "vocab.txt").write_text("\n".join(pieces), encoding="utf-8")
    return out


def entity(sentence: Instance) -> Span:
    start = sentence.item.text.lower().index(sentence.antecedent)
    return Span(start, start + len(sentence.antecedent))


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("version", ["double", "single"])
def test_a_perfect_system_stays_perfect_on_the_way_there_and_back(
    system: SystemName, version: str, sentences: Path
) -> None:
    items, exported, output = sentences / f"{version}.jsonl", sentences / f"{system}.in", sentences / f"{system}.out"
    run = winoforge(
        "winopron", "export", items, "--format", system, "--out", exported, "--vocabulary", sentences / "vocab.txt"
    )
    assert "1440 sentences in, 1440 documents out" in run.stdout, run.stderr
    documents = [json.loads(line) for line in exported.read_text(encoding="utf-8").splitlines()]
    outputs = [
        linked(system, document, sentence.item.text, [entity(sentence), sentence.item.target])
        for document, sentence in zip(documents, read_instances(items), strict=True)
    ]
    output.write_text("".join(json.dumps(output) + "\n" for output in outputs), encoding="utf-8")
    answers = sentences / f"{system}.jsonl"
    run = winoforge("winopron", "import", output, "--format", system, "--items", items, "--out", answers)
    assert "1440 documents in, 1440 answers out; 1440 pronouns linked" in run.stdout, run.stderr
    report = json.loads(winoforge("winopron", "score", answers, "--items", items, "--json").stdout)
    assert (report["overall"]["f1"], report["pronoun_consistency"]["share"]) == (1.0, 1.0)


# --- broken files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "damage", "field"),
    [
        ("caw-coref", {"document_id": "wb_0"}, "document_id"),
        ("caw-coref", {"cased_words": ["The"]}, "tokens"),
        ("caw-coref", {"cased_words": ["A", "baker"]}, "tokens"),
        ("caw-coref", {"cased_words": "The baker"}, "cased_words"),
        ("caw-coref", {"span_clusters": None}, "span_clusters"),
        ("caw-coref", {"span_clusters": [3]}, "span_clusters"),
        ("caw-coref", {"span_clusters": [[[3]]]}, "span_clusters"),
        ("caw-coref", {"span_clusters": [[[0, 99]]]}, "span_clusters"),
        ("caw-coref", {"span_clusters": [[[True, 2]]]}, "span_clusters"),
        ("lingmess", {"text": "Another."}, "text"),
        ("lingmess", {"clusters": [[[5, 2]]]}, "clusters"),
        ("spanbert", {"doc_key": "dw"}, "doc_key"),
        ("spanbert", {"sentences": None}, "sentences"),
        ("spanbert", {"sentences": [[1]]}, "sentences"),
        ("spanbert", {"predicted_clusters": [[[-1, 2]]]}, "predicted_clusters"),
        ("spanbert", {"predicted_clusters": {}}, "predicted_clusters"),
    ],
)
def test_a_broken_output_is_refused_at_its_line(
    system: SystemName, damage: dict[str, Any], field: str, vocabulary: Path, tmp_path: Path
) -> None:
    items, output = tmp_path / "items.jsonl", tmp_path / "output.jsonl"
    item = {
        "id": NAME, "schema": "en", "version": "a", "lang": "en", "text": TEXT, "target": {"start": 29, "end": 32},
        "candidates": ["baker", "guest"], "answer": 0, "case": "accusative", "pronouns": "she",
    }  # fmt: skip
    items.write_text(json.dumps(item) + "\n", encoding="utf-8")
    document = SYSTEMS[system].writer(vocabulary if system == "spanbert" else None)(NAME, TEXT) | CLUSTERS[system]
    command = ["winopron", "import", output, "--format", system, "--items", items, "--out", tmp_path / "out"]
    output.write_text(json.dumps(document) + "\n", encoding="utf-8")
    assert winoforge(*command).returncode == 0
    (tmp_path / "out").unlink()
    output.write_text(json.dumps(document | damage) + "\n", encoding="utf-8")
    run = winoforge(*command)
    assert run.stderr.startswith(f"{output}:1: [{field}")
    assert "found" in run.stderr
    assert not (tmp_path / "out").exists()


def test_a_document_too_few_is_refused(tmp_path: Path, sentences: Path) -> None:
    output = tmp_path / "output.jsonl"
    output.touch()
    run = winoforge(
        "winopron", "import", output, "--format", "lingmess", "--items", sentences / "double.jsonl", "--out", "x"
    )
    assert run.stderr.endswith("[documents] wrong number; found 0, expected one for each of the 1440 items\n")


def test_spanbert_needs_a_vocabulary(vocabulary: Path, refused: Refused) -> None:
    refused(lambda: SYSTEMS["spanbert"].writer(None), "", "vocabulary")
    refused(lambda: SYSTEMS["spanbert"].writer(ROOT / "Makefile"), str(ROOT / "Makefile"), "vocabulary")
