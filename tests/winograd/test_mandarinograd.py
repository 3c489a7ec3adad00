"""The main job on the real Mandarin collection: every record is accounted for, and decided as a reader decides."""

from collections import Counter
from pathlib import Path

import pytest

from pipeline.core.files import parse_tsv, read_bytes, read_text
from pipeline.core.model import Rejected, Span
from pipeline.core.rules import RULES
from pipeline.language.parsing.backends import BACKENDS
from pipeline.language.parsing.lock import Lock, update
from pipeline.winograd.exclusion.exclude import Partition, exclude
from pipeline.winograd.exclusion.ruleset import load_rules
from pipeline.winograd.readers import ingest
from pipeline.winograd.zero_forms import to_zero
from tests.conftest import ROOT

RAW = ROOT / "raw" / "mandarinograd"
GOLD = RAW / "gold.tsv"


@pytest.fixture(scope="module")
def gold() -> dict[str, tuple[str, Span | None]]:
    rows = [row for _, row in parse_tsv(read_text(GOLD), GOLD, ("id", "class", "start", "end"))]
    return {
        row["id"]: (row["class"], Span(int(row["start"]), int(row["end"])) if row["start"] else None) for row in rows
    }


@pytest.fixture(scope="module")
def partition(shared_data: Path) -> Partition:
    path = shared_data / "pws" / "pws.tsv"
    read = ingest(read_bytes(path), path, "pws-tsv", targets=RAW / "targets.tsv")
    assert len(read.items) + len(read.skipped) == read.read == 290
    trees = {tree.key: tree for tree in update(read.items, {}, BACKENDS["udpipe"](None)).trees}
    return exclude(read.items, [Lock(Path("lock"), trees)], load_rules("zh"), skipped=read.skipped)


def by_own_place(entry: Rejected) -> str:
    """Return the class that the record's own place gives it: a pair-mate stands where a zero is licensed."""
    return "keep" if entry.exclusion == "pair-mate" else entry.exclusion


def test_all_290_records_are_kept_or_rejected(partition: Partition) -> None:
    assert len(partition.kept) + len(partition.rejected) == 290
    assert len({item.id for item in partition.kept} | {entry.record.id for entry in partition.rejected}) == 290


def test_decisions_and_targets_are_a_careful_readers(
    partition: Partition, gold: dict[str, tuple[str, Span | None]], capsys: pytest.CaptureFixture[str]
) -> None:
    decided = {item.id: ("already-zero" if item.already_zero else "keep", item.target) for item in partition.kept}
    decided |= {entry.record.id: (by_own_place(entry), entry.record.target) for entry in partition.rejected}
    assert decided.keys() == gold.keys()
    decisions = sum((decided[key][0] == "keep") == (gold[key][0] == "keep") for key in gold)
    classes = sum(decided[key][0] == gold[key][0] for key in gold)
    with_target = [key for key in gold if gold[key][1] is not None and gold[key][0] != "defect"]
    targets = sum(decided[key][1] == gold[key][1] for key in with_target)
    with capsys.disabled():
        print(
            f"\nMandarinograd: decisions {decisions} of 290, classes {classes} of 290, targets {targets} of {len(with_target)}"
        )
    assert decisions >= 0.98 * 290
    assert targets >= 0.98 * len(with_target)


def test_the_defects_of_the_source_are_found(partition: Partition) -> None:
    """Counted by hand in the source: three answers that are no candidate (44, 45, 292), one pair twice the same sentence
    (46, 47), two pairs with an alternation in the text (224, 225, 252, 253)."""
    reasons = Counter(
        finding.message.split(";")[0]
        for entry in partition.rejected
        for finding in entry.findings
        if finding.exclusion == "defect"
    )
    assert reasons["the right answer is none of the candidates"] == 3
    assert reasons["the members of the schema have the same text"] == 2
    in_texts = [
        entry.record.source.split(",")[0]
        for entry in partition.rejected
        if any(
            finding.message.startswith("an alternation") and finding.message.endswith("in the text")
            for finding in entry.findings
        )
    ]
    assert sorted(in_texts) == ["PWS idx 224", "PWS idx 225", "PWS idx 252", "PWS idx 253"]


def test_what_is_a_zero_already_is_kept(partition: Partition) -> None:
    """As WSC-ZA does: the first item is nearly its example 2."""
    zeros = [item.id for item in partition.kept if item.already_zero]
    assert "pws-man-001-a" in zeros
    assert zeros == [
        decision.id for decision in partition.decisions if decision.already_zero and not decision.exclusion
    ]


def test_no_schema_is_kept_by_half(partition: Partition) -> None:
    members = Counter(item.schema for item in partition.kept)
    assert set(members.values()) == {2}


def test_zero_forms_differ_from_the_texts_by_the_pronoun_alone(partition: Partition) -> None:
    for item in partition.kept:
        row = to_zero(item)
        assert row["text_zero"].count("Ø") == 1
        assert row["text_zero"].replace("Ø", item.target.of(item.text)) == item.text
        assert row["text_dropped"] == row["text_zero"].replace("Ø", "")


def test_nothing_of_the_collection_stands_in_the_repository(partition: Partition) -> None:
    """A sentence of the source in our files would be a copy: only ids, classes and offsets may stand there."""
    ours = "".join(
        path.read_text(encoding="utf-8")
        for folder in (RAW.parent, RULES, ROOT / "tests", ROOT / "pipeline")
        for path in folder.rglob("*")
        if path.suffix in {".py", ".yaml", ".tsv", ".conllu", ".toml", ".md"}
    )
    texts = [item.text for item in partition.kept] + [entry.record.text for entry in partition.rejected]
    assert [text for text in texts if len(text) > 12 and text in ours] == []
