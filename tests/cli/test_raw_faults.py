"""`make build` refuses faulty raw data, and says in which file, which line and which item."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.test_make import ROOT, VENV, make
from tests.conftest import Built

pytestmark = pytest.mark.skipif(not (VENV / "base").exists(), reason="needs the .venv that `make test` makes")

SCHEMAS, TEMPLATES, TOKENS, READ = (
    "raw/zh/schemas.yaml",
    "raw/en/templates.yaml",
    "raw/zh/tokens.tsv",
    "build/zh/items.jsonl",
)


@pytest.fixture(scope="module")
def folder(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of what was built, inputs and all, as old as it is."""
    return Path(shutil.copytree(built.folder, tmp_path_factory.mktemp("faults") / "copy"))


@pytest.fixture
def copy(folder: Path) -> Iterator[Path]:
    """Return the built copy, whose raw data are whole again afterwards."""
    kept = {name: (folder / name).read_bytes() for name in (SCHEMAS, TEMPLATES, TOKENS)}
    yield folder
    for name, data in kept.items():
        if (folder / name).read_bytes() != data:
            (folder / name).write_bytes(data)


def refused(copy: Path, name: str, found: str, fault: str) -> subprocess.CompletedProcess[str]:
    """Put a fault into a raw file and return what the build says, which must not release anything."""
    before = {path: path.read_bytes() for path in (copy / "build" / "release").rglob("*") if path.is_file()}
    text = (copy / name).read_text(encoding="utf-8")
    assert found in text
    (copy / name).write_text(text.replace(found, fault, 1), encoding="utf-8")
    run = make(copy, "build")
    assert run.returncode == 2
    assert "Traceback" not in run.stderr
    assert {path: path.read_bytes() for path in before} == before
    return run


def line_of(name: str, found: str) -> int:
    """Return the line of the first place of a text in a raw file."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return text[: text.index(found)].count("\n") + 1


# zh-0001: 晚上写作业，妹妹叫姐姐往旁边坐坐，说[她]{看不清字|挡着光了}。
@pytest.mark.parametrize(
    ("found", "fault", "message"),
    [
        ("晚上写作业，", "晚上写作业,", f"{READ}:1: [items/full-width-marks] 2 of 322: zh-0001-a, zh-0001-b; "),
        ("晚上写作业", "晚上写\u200b作业", f"{READ}:1: [items/no-invisible-character] 2 of 322: zh-0001-a, zh-0001-b; "),
        ("晚上写作业", "晚上寫作业", f"{READ}:1: [items/simplified-script] 2 of 322: zh-0001-a, zh-0001-b; "),
        ("看不清字|挡", "看\uf967清字|挡", f"{READ}:1: [items/composed-unicode] 1 of 322: zh-0001-a; "),
        ("挡着光了}。", "挡着光了}", f"{READ}:1: [items/finished-sentence] 2 of 322: zh-0001-a, zh-0001-b; "),
        ("question: 谁{看不清字", "question: 她{看不清字", f"{READ}:1: [items/question-asks] 2 of 322: zh-0001-a, zh-0001-b; "),
        ("answers: [妹妹, 姐姐]", "answers: [妹妹, 妹妹]", f"{READ}:1: [pairs/answers-flip] 1 of 161: zh-0001; "),
        ("answers: [妹妹, 姐姐]", "answers: [妹妹, 弟弟]", "build/zh/skipped.jsonl:1: [skipped/no-defect] 1 of 1: zh-0001-b; "),
        ("- id: zh-0002", "- id: zh-0001", "zh-0001"),
        ("{看不清字|挡着光了}", "{看不清字|挡着光了", f"{SCHEMAS}:"),
    ],
)  # fmt: skip
def test_a_faulty_schema_is_refused(copy: Path, found: str, fault: str, message: str) -> None:
    assert message in refused(copy, SCHEMAS, found, fault).stderr


def test_a_faulty_template_is_refused(copy: Path) -> None:
    found = "had left a toolbox behind after the repair|"
    run = refused(copy, TEMPLATES, found, "had left a toolbox with her.|")
    line = line_of(TEMPLATES, found)
    assert f"{TEMPLATES}:{line}: [single-pronoun] another pronoun; found her in" in run.stderr


def test_a_correction_of_another_text_is_refused(copy: Path) -> None:
    run = refused(copy, TOKENS, "黑牛 一口气", "黑牛 两口气")
    assert f"{TOKENS}:{line_of(TOKENS, '黑牛 一口气')}: [tokens] no longer applies; found" in run.stderr
