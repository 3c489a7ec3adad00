"""Faulty raw data are refused, with the file, the line and the item: by the stages, and so by `make build`."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.building import SCHEMAS, VENV, Built, digests, first_schemas, make
from tests.support.commands import winoforge

TEMPLATES, TOKENS, READ, SKIPPED = (
    "raw/en/templates.yaml",
    "raw/zh/tokens.tsv",
    "build/zh/items.jsonl",
    "build/zh/skipped.jsonl",
)
#: The number of schemas that the stages read here.
FEW = 3

by_make = pytest.mark.skipif(not (VENV / "base").exists(), reason="needs the .venv that `make test` makes")


def put(folder: Path, name: str, text: str, found: str, fault: str) -> None:
    """Write a raw file with a fault in the first place where a text is found."""
    assert found in text
    (folder / name).write_text(text.replace(found, fault, 1), encoding="utf-8")


# zh-0001: 晚上写作业，妹妹叫姐姐往旁边坐坐，说[她]{看不清字|挡着光了}。
@pytest.mark.parametrize(
    ("found", "fault", "status", "message"),
    [
        ("晚上写作业，", "晚上写作业,", 1, f"{READ}:1: [items/full-width-marks] 2 of 6: zh-0001-a, zh-0001-b; "),
        ("晚上写作业", "晚上写\u200b作业", 1, f"{READ}:1: [items/no-invisible-character] 2 of 6: zh-0001-a, zh-0001-b; "),
        ("晚上写作业", "晚上寫作业", 1, f"{READ}:1: [items/simplified-script] 2 of 6: zh-0001-a, zh-0001-b; "),
        ("看不清字|挡", "看\uf967清字|挡", 1, f"{READ}:1: [items/composed-unicode] 1 of 6: zh-0001-a; "),
        ("挡着光了}。", "挡着光了}", 1, f"{READ}:1: [items/finished-sentence] 2 of 6: zh-0001-a, zh-0001-b; "),
        ("question: 谁{看不清字", "question: 她{看不清字", 1, f"{READ}:1: [items/question-asks] 2 of 6: zh-0001-a, zh-0001-b; "),
        ("answers: [妹妹, 姐姐]", "answers: [妹妹, 妹妹]", 1, f"{READ}:1: [pairs/answers-flip] 1 of 3: zh-0001; "),
        ("answers: [妹妹, 姐姐]", "answers: [妹妹, 弟弟]", 1, f"{SKIPPED}:1: [skipped/no-defect] 1 of 1: zh-0001-b; "),
        ("- id: zh-0002", "- id: zh-0001", 2, "zh-0001"),
        ("{看不清字|挡着光了}", "{看不清字|挡着光了", 2, f"{SCHEMAS}:"),
    ],
)  # fmt: skip
def test_a_faulty_schema_is_refused(
    found: str, fault: str, status: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / SCHEMAS).parent.mkdir(parents=True)
    put(tmp_path, SCHEMAS, first_schemas(FEW), found, fault)
    monkeypatch.chdir(tmp_path)
    run = winoforge("ingest", SCHEMAS, "--format", "schema-yaml", "--out", READ, "--skipped", SKIPPED)
    for arguments in (("skipped", SKIPPED), ("items,pairs", READ)):
        if run.returncode == 0:
            run = winoforge("validate", *arguments)
    assert run.returncode == status
    assert message in run.stderr


# --- by make ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def copy(built: Built, tmp_path: Path) -> Path:
    """Return a copy of what was built, inputs and all, as old as it is."""
    return Path(shutil.copytree(built.folder, tmp_path / "copy"))


def refused(copy: Path, name: str, found: str, fault: str) -> subprocess.CompletedProcess[str]:
    """Put a fault into a raw file and return what the build says, which must not release anything."""
    before = digests(copy / "build" / "release")
    put(copy, name, (copy / name).read_text(encoding="utf-8"), found, fault)
    run = make(copy, "build")
    assert run.returncode == 2
    assert "Traceback" not in run.stderr
    assert digests(copy / "build" / "release") == before
    return run


def line_of(name: str, found: str) -> int:
    """Return the line of the first place of a text in a raw file."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return text[: text.index(found)].count("\n") + 1


@by_make
def test_a_faulty_schema_stops_the_build(copy: Path) -> None:
    run = refused(copy, SCHEMAS, "挡着光了}。", "挡着光了}")
    assert f"{READ}:1: [items/finished-sentence] 2 of 322: zh-0001-a, zh-0001-b; " in run.stderr


@by_make
def test_a_faulty_template_is_refused(copy: Path) -> None:
    text = "had left a toolbox behind after the repair|"
    run = refused(copy, TEMPLATES, text, "had left a toolbox with her.|")
    line = line_of(TEMPLATES, text)
    assert f"{TEMPLATES}:{line}: [single-pronoun] extra pronoun; found her in" in run.stderr


@by_make
def test_a_correction_of_another_text_is_refused(copy: Path) -> None:
    run = refused(copy, TOKENS, "黑牛 一口气", "黑牛 两口气")
    assert f"{TOKENS}:{line_of(TOKENS, '黑牛 一口气')}: [tokens] no longer applies; found" in run.stderr
