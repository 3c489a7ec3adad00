"""The main job on the real Mandarin collection: every record is accounted for, and decided as a reader decides."""

import re
from pathlib import Path

import pytest

from pipeline.core.files import read_bytes
from pipeline.core.model import Rejected, Span
from pipeline.core.rules import RULES
from pipeline.core.tables import read_table
from pipeline.language.parsing.backends import BACKENDS
from pipeline.language.parsing.lock import Lock, update
from pipeline.winograd.exclusion.exclude import Partition, exclude
from pipeline.winograd.exclusion.ruleset import load_rules
from pipeline.winograd.readers import ingest
from tests.conftest import ROOT

RAW = ROOT / "raw" / "mandarinograd"
GOLD = RAW / "gold.tsv"


@pytest.fixture(scope="module")
def gold() -> dict[str, tuple[str, Span | None]]:
    rows = [row for _, row in read_table(GOLD, ("id", "class", "start", "end"))]
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


def test_what_is_a_zero_already_is_kept(partition: Partition) -> None:
    """As WSC-ZA does: the first item is nearly its example 2."""
    zeros = [item.id for item in partition.kept if item.already_zero]
    assert "pws-man-001-a" in zeros
    assert zeros == [
        decision.id for decision in partition.decisions if decision.already_zero and not decision.exclusion
    ]


def test_nothing_of_the_collection_stands_in_the_repository(partition: Partition) -> None:
    """A sentence of the source in our files would be a copy: only ids, classes and offsets may stand there."""
    files = [
        path
        for folder in (RAW.parent, RULES, ROOT / "tests", ROOT / "pipeline")
        for path in folder.rglob("*")
        if path.suffix in {".py", ".yaml", ".tsv", ".conllu", ".toml", ".md"}
    ]
    lines = [line for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    ours = "\n".join(line for line in lines if len(re.findall("[\u4e00-\u9fff]", line)) > 5)
    texts = [item.text for item in partition.kept] + [entry.record.text for entry in partition.rejected]
    assert [text for text in texts if len(text) > 12 and text in ours] == []
