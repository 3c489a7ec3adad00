"""Imports run one way, heavy ones wait, and folders and modules stay small."""

import ast
import subprocess
import sys
from pathlib import Path

from pipeline import LAYERS

PACKAGE = Path(__file__).parent.parent / "pipeline"
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE)


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0]


def imported_rooms(path: Path) -> set[str]:
    """Return the rooms that a module names in relative imports, also in those inside functions and for types only."""
    depth = len(path.relative_to(PACKAGE).parts)
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == depth:
            rooms |= {node.module.split(".")[0]} if node.module else {alias.name for alias in node.names}
    return rooms - {"__version__", "LAYERS"}


def test_every_room_has_its_layer() -> None:
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert rooms == set(LEVEL)


def test_imports_run_one_way() -> None:
    for path in MODULES:
        here = room(path)
        upwards = [other for other in imported_rooms(path) if other != here and LEVEL[other] >= LEVEL[here]]
        assert upwards == [], path


def test_commands_do_not_import_commands() -> None:
    folder = PACKAGE / "cli"
    for path in folder.rglob("[!_]*.py"):
        package = path.relative_to(folder).parent.parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and 0 < node.level <= len(package) + 1:
                target = [*package[: len(package) - node.level + 1], *(node.module or "").split(".")]
                assert target in (["output"], ["report"]), f"{path} imports {node.module}"


def test_folders_have_at_most_fifteen_modules() -> None:
    for folder in {path.parent for path in MODULES}:
        assert len(list(folder.glob("[!_]*.py"))) <= 15, folder


def test_modules_have_at_most_three_hundred_lines() -> None:
    for path in MODULES:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 300, path


def test_help_loads_nothing_heavy() -> None:
    heavy = [
        "spacy",
        "torch",
        "stanza",
        "pyarrow",
        "jinja2",
        "jieba",
        "opencc",
        "pandas",
        "great_expectations",
        "matplotlib",
        "statsmodels",
        "krippendorff",
        "label_studio_sdk",
    ]
    code = f"import sys; from pipeline.cli import application; application(); print([name for name in {heavy} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
