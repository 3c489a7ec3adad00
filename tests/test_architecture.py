"""Imports run one way, heavy ones wait, and folders and modules stay small."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

from pipeline import LAYERS

PACKAGE = Path(__file__).parent.parent / "pipeline"
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE)


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0]


def imported_modules(path: Path) -> set[tuple[str, ...]]:
    """Return the modules or packages that a module names in relative imports, also in those inside functions and for types only."""
    package = path.relative_to(PACKAGE).parent.parts
    modules = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) + 1 - node.level] + tuple(
                (node.module or "").split(".") if node.module else ()
            )
            for alias in node.names:
                inside = PACKAGE.joinpath(*base, alias.name)
                modules.add((*base, alias.name) if inside.is_dir() or inside.with_suffix(".py").exists() else base)
    return modules - {()}


def parts_of(folder: Path) -> dict[str, set[str]]:
    """Return the parts of a room (its modules and folders) that each part imports."""
    here = folder.relative_to(PACKAGE).parts
    arrows: dict[str, set[str]] = {}
    for path in folder.rglob("*.py"):
        part = path.relative_to(folder).with_suffix("").parts[0]
        if part != "__init__":
            imported = {module[len(here)] for module in imported_modules(path) if module[: len(here)] == here != module}
            arrows.setdefault(part, set()).update(imported - {part})
    return arrows


def test_every_room_has_its_layer() -> None:
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert rooms == set(LEVEL)


def test_imports_run_one_way() -> None:
    for path in MODULES:
        here = room(path)
        rooms = {module[0] for module in imported_modules(path)}
        assert [other for other in rooms if other != here and LEVEL[other] >= LEVEL[here]] == [], path


@pytest.mark.parametrize(
    "folder", [PACKAGE, *sorted({path.parent for path in MODULES})], ids=lambda folder: folder.name
)
def test_parts_of_a_room_import_each_other_in_no_circle(folder: Path) -> None:
    TopologicalSorter(parts_of(folder)).prepare()


@pytest.mark.parametrize("name", sorted(LEVEL))
def test_folders_of_a_room_import_from_earlier_layers(name: str) -> None:
    folders = {path.parent.name for path in (PACKAGE / name).glob("*/__init__.py")}
    layers = getattr(import_module(f"pipeline.{name}"), "LAYERS", (tuple(folders),))
    level = {folder: number for number, layer in enumerate(layers) for folder in layer}
    assert folders == set(level)
    for folder, imported in parts_of(PACKAGE / name).items():
        for other in imported & folders if folder in folders else ():
            assert level[other] < level[folder], f"{folder} imports {other}"


def test_commands_do_not_import_commands() -> None:
    folder = PACKAGE / "cli"
    for path in folder.rglob("[!_]*.py"):
        package = path.relative_to(folder).parent.parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and 0 < node.level <= len(package) + 1:
                target = [*package[: len(package) - node.level + 1], *(node.module or "").split(".")]
                assert target in (["parameters"], ["report"]), f"{path} imports {node.module}"


def test_folders_have_at_most_twenty_modules() -> None:
    for folder in {path.parent for path in MODULES}:
        assert len(list(folder.glob("[!_]*.py"))) <= 20, folder


def test_modules_have_at_most_450_lines() -> None:
    for path in MODULES:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 450, path


def test_help_loads_nothing_heavy() -> None:
    heavy = ["spacy", "torch", "stanza", "pyarrow", "jinja2", "jieba", "opencc", "pandas", "great_expectations"]
    heavy += ["matplotlib", "statsmodels", "label_studio_sdk"]
    code = f"import sys; from pipeline.cli import application; application(); print([name for name in {heavy} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
