"""The stages that change a collection: each refuses a record that is both kept and rejected."""

from pathlib import Path

import pytest

from pipeline.core.model import Finding, Rejected
from pipeline.core.records import write_items, write_rejected
from tests.support import artifacts
from tests.support.commands import winoforge
from tests.support.items import marked


@pytest.mark.parametrize(
    ("stage", "second", "options"),
    [
        ("exclude", "--skipped", ["--parses=lock.conllu", "--kept=out.jsonl", "--rejected=left.jsonl"]),
        ("modify", "--rejected", ["--parses=lock.conllu", *artifacts.stage_outputs(Path(), "out", "ledger")]),
        ("annotate apply", "--rejected", artifacts.stage_outputs(Path(), "out", "ledger")),
    ],
)
def test_a_record_both_kept_and_rejected_stops_the_stage(
    tmp_path: Path, stage: str, second: str, options: list[str]
) -> None:
    item = marked("甲打乙，【他】疼。", "p-1-a")
    write_items(tmp_path / "kept.jsonl", [item])
    write_rejected(tmp_path / "rejected.jsonl", [Rejected(item, (Finding("zh/x", "other", None, "because"),))])
    run = winoforge(*stage.split(), "kept.jsonl", f"{second}=rejected.jsonl", *options, cwd=tmp_path)
    assert run.returncode == 2
    reason = "[id] not unique; found 'p-1-a' in kept.jsonl:1 too, expected each id once"
    assert run.stderr == f"rejected.jsonl:1: {reason}\n"
    assert not (tmp_path / "out.jsonl").exists()
