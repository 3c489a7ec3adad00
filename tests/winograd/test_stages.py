"""The stages of a collection: each refuses a record that is both kept and rejected, and files that are not for it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.model import Finding, Rejected
from pipeline.core.records import write_items, write_rejected
from pipeline.studies.design.build import make_study
from pipeline.studies.model.design import read_design
from pipeline.winograd.analysis import Analysis, write_analyses
from tests.conftest import ROOT
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
    reason = "[id] not unique; found 'p-1-a' in kept.jsonl:1 too, expected each id once: one file is of another stage"
    assert run.stderr.startswith(f"rejected.jsonl:1: {reason}; the items are to be ")
    assert not (tmp_path / "out.jsonl").exists()


ITEM = marked("甲打乙，【他】疼。", "p-1-a")
REJECTED = Rejected(ITEM, (Finding("zh/x", "other", None, "because"),))
#: The stages that take items, with the file that each must be given.
STAGES = [
    ("zero", ["--out=out.jsonl"], "kept.jsonl, which exclude writes"),
    ("variants", ["--out=out.jsonl"], "kept.jsonl, which exclude writes"),
    (
        "exclude",
        ["--parses=lock.conllu", "--kept=out.jsonl", "--rejected=left.jsonl"],
        "items.jsonl, which ingest writes",
    ),
    (
        "modify",
        ["--rejected=none.jsonl", "--parses=lock.conllu", *artifacts.stage_outputs(Path(), "out", "ledger")],
        "kept.jsonl, which exclude writes",
    ),
    (
        "annotate apply",
        ["--rejected=none.jsonl", *artifacts.stage_outputs(Path(), "out", "ledger")],
        "modified.jsonl, which modify writes",
    ),
    ("parse", ["--backend=udpipe", "--lock=out.jsonl"], "items.jsonl, which ingest writes"),
    ("pmi", ["--terms=terms.jsonl", "--counts=counts.jsonl", "--out=out.jsonl"], "items.jsonl, which ingest writes"),
]


def refusal(folder: Path, stage: str, options: Sequence[str]) -> str:
    """Return the one line in which a stage refuses items.jsonl of a folder; it must write nothing."""
    write_rejected(folder / "none.jsonl", [])
    run = winoforge(*stage.split(), "items.jsonl", *options, cwd=folder)
    assert (run.returncode, run.stdout) == (2, "")
    assert not (folder / "out.jsonl").exists()
    (line,) = run.stderr.splitlines()
    return line


@pytest.mark.parametrize(("stage", "options", "wanted"), STAGES)
def test_a_stage_refuses_what_was_rejected_and_names_the_right_file(
    tmp_path: Path, stage: str, options: list[str], wanted: str
) -> None:
    write_rejected(tmp_path / "items.jsonl", [REJECTED])
    line = refusal(tmp_path, stage, options)
    keys = "id, schema, version, lang, text, target, candidates, answer, question, source, note"
    reason = f"[findings] unknown field; expected one of {keys}: this is a rejected record; give {wanted}"
    assert line == f"items.jsonl:1: {reason}"


def test_a_stage_refuses_an_empty_collection(tmp_path: Path) -> None:
    write_items(tmp_path / "items.jsonl", [])
    stage, options, wanted = STAGES[0]
    line = refusal(tmp_path, stage, options)
    assert line == f"items.jsonl: [file] no item; found an empty file, expected {wanted}"


def test_a_study_does_not_ask_about_rejected_records_as_items(tmp_path: Path) -> None:
    path = tmp_path / "zero.jsonl"
    write_rejected(path, [REJECTED])
    design = read_design(ROOT / "annotation" / "designs" / "upper-bound.yaml")
    with pytest.raises(
        PipelineError, match=r"zero.jsonl:1: \[findings\] unknown field; .*: this is a rejected record; "
    ):
        make_study(replace(design, records=path))


@pytest.mark.parametrize(("stage", "options"), [row[:2] for row in STAGES if row[0] in ("zero", "exclude")])
@pytest.mark.parametrize("lang", ["en", "xx"])
def test_zeros_are_for_languages_with_rules(tmp_path: Path, stage: str, options: list[str], lang: str) -> None:
    write_items(tmp_path / "items.jsonl", [ITEM, replace(ITEM, id="p-2-a", lang=lang)])
    (tmp_path / "lock.conllu").touch()
    line = refusal(tmp_path, stage, options)
    assert f"items.jsonl: [lang] no rules of zero anaphora for this language; found '{lang}' in p-2-a" in line


@pytest.mark.parametrize("lang", ["fr", "xx"])
def test_variants_say_why_a_form_has_no_item(tmp_path: Path, lang: str) -> None:
    write_items(tmp_path / "items.jsonl", [replace(ITEM, lang=lang)])
    run = winoforge("variants", "items.jsonl", "--out=out", cwd=tmp_path)
    assert run.returncode == 0
    assert "out/unmade.jsonl: [nli] made of no item; p-1-a: [lang] language without a grammar" in run.stderr


def test_a_stage_that_keeps_the_text_takes_zero_forms_for_items(tmp_path: Path) -> None:
    write_items(tmp_path / "items.jsonl", [ITEM])
    assert winoforge("zero", "items.jsonl", "--out=zero.jsonl", cwd=tmp_path).returncode == 0
    for name in ("items", "zero"):
        assert winoforge("variants", f"{name}.jsonl", f"--out={name}", cwd=tmp_path).returncode == 0
    files = {path.name: path.read_bytes() for path in (tmp_path / "items").iterdir()}
    assert files == {path.name: path.read_bytes() for path in (tmp_path / "zero").iterdir()}


@pytest.mark.parametrize(
    ("ids", "code", "line"),
    [
        (
            ["my-1-a"],
            2,
            "no item has an analysis; found analyses of other ids such as 'my-1-a', expected ids of the items such as 'p-1-a'",
        ),
        (["p-1-a", "my-1-a"], 0, "1 of 2 items without an analysis: p-1-b"),
        (["p-1-a", "p-1-b", "p-2-a"], 0, ""),
    ],
)
def test_variants_want_the_analyses_of_their_items(tmp_path: Path, ids: list[str], code: int, line: str) -> None:
    write_items(tmp_path / "items.jsonl", [ITEM, replace(ITEM, id="p-1-b", version="b")])
    write_analyses(tmp_path / "analysis.jsonl", [Analysis(name, "p-1", "A gloss.", "", "", None) for name in ids])
    run = winoforge("variants", "items.jsonl", "--analysis=analysis.jsonl", "--out=out", cwd=tmp_path)
    assert run.returncode == code
    assert (f"analysis.jsonl: [analysis] {line}\n" in run.stderr) if line else "analysis" not in run.stderr
    assert (tmp_path / "out").exists() == (code == 0)


def test_modify_reads_the_locks_even_where_nothing_is_modified(tmp_path: Path) -> None:
    write_items(tmp_path / "items.jsonl", [ITEM])
    line = refusal(tmp_path, "modify", next(options for stage, options, _ in STAGES if stage == "modify"))
    assert line == "lock.conllu: [file] cannot be read; No such file or directory"
