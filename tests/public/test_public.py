"""Files and reports of other people, tried on the commands: each row of the tables here is a case.

A table (`*.yaml`, one a room) is a list of cases with these fields:

    case      a short id; unique in its table
    source    where it came from: a public issue, a file of somebody else, a neighbour of one of them
    kind      what kind of thing it is, in a few words
    files     names and texts of its files, written for this test; or files of `inputs/`, by name, in `inputs`
    stdin     the name of the file that the command reads from standard input
    run       the command behind `winoforge`, in the folder of the files; `{zh}` is a release of our first Mandarin schema
    exit      the exit status (0 if it is left out)
    says      what the output must hold, in this order
    never     what neither the output nor a written file may hold
    writes    names of written files, each with what it must hold
    refuted   why the command is right to do otherwise than the report asked (instead of nothing: the row still runs)

The next report from outside is one more row. No text of other people is copied: files are written after their kind.
"""

import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.commands import winoforge
from tests.support.small_release import small_release

FOLDER = Path(__file__).parent
FIELDS = {"case", "source", "kind", "files", "inputs", "stdin", "run", "exit", "says", "never", "writes", "refuted"}
TABLES = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.yaml"))}
CASES = [pytest.param(case, id=f"{table}-{case['case']}") for table, cases in TABLES.items() for case in cases]


@pytest.fixture(scope="module")
def zh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_release(tmp_path_factory.mktemp("zh"), 1)


@pytest.mark.parametrize("case", CASES)
def test_the_file_of_somebody_else_is_read_right_or_refused_in_a_line(
    case: dict[str, Any], tmp_path: Path, zh: Path
) -> None:
    for name, text in case.get("files", {}).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text.encode())
    for name in case.get("inputs", []):
        copy = shutil.copytree if (FOLDER / "inputs" / name).is_dir() else shutil.copy
        copy(FOLDER / "inputs" / name, tmp_path / name)
    stdin = (tmp_path / case["stdin"]).read_bytes() if "stdin" in case else ""
    run = winoforge(*shlex.split(case["run"].format(zh=zh)), cwd=tmp_path, stdin=stdin)
    output = run.stdout + run.stderr
    assert run.returncode == case.get("exit", 0), output
    place = 0
    for words in case.get("says", []):
        assert words in output[place:], f"{words!r} is not in what follows:\n{output[place:]}"
        place = output.index(words, place) + len(words)
    written = {name: (tmp_path / name).read_text(encoding="utf-8") for name in case.get("writes", {})}
    for name, parts in case.get("writes", {}).items():
        missing = [part for part in parts if part not in written[name]]
        assert not missing, f"{name} lacks {missing}:\n{written[name]}"
    for words in case.get("never", []):
        assert not any(words in text for text in (output, *written.values())), words


@pytest.mark.parametrize("table", TABLES)
def test_every_case_says_where_it_is_from_and_what_is_expected(table: str) -> None:
    cases = TABLES[table]
    assert len({str(case["case"]) for case in cases}) == len(cases)
    for case in cases:
        assert set(case) <= FIELDS and {"case", "source", "kind", "run"} <= set(case), case
        assert case.get("says") or case.get("writes"), f"{case['case']} expects nothing"
