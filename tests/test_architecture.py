"""Imports run one way, heavy ones wait, and modules stay small."""

import ast
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "pipeline"
#: Each layer imports only from those before it.
LAYERS = [
    {"model", "errors", "knowledge"},
    {"files", "notation", "metrics"},
    {"yamlfile", "checksums", "archives"},
    {
        "records",
        "decisions",
        "questions",
        "segmentation",
        "analysis",
        "pronouns",
        "mentions",
        "corrections",
        "judgements",
    },
    {"templates", "target", "readers", "parsing", "ruleset", "overrides", "modifications", "grammar"},
    {"zeros", "template_checks", "instances", "coref", "variants", "corpus"},
    {"annotation"},
    {"suites"},
    {"reports"},
    {"predictions", "releases"},
    {"stages"},
    {"cli"},
]
#: Within the layer of knowledge: a reader may ask for a target, an override changes what a reader read.
ALLOWED_WITHIN = {("readers", "target"), ("overrides", "readers"), ("ruleset", "parsing")}


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported_rooms(path: Path) -> set[str]:
    depth = len(path.relative_to(PACKAGE).parts)
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == depth:
            rooms |= {node.module.split(".")[0]} if node.module else {alias.name for alias in node.names}
    return rooms - {"__version__"}


def test_imports_run_one_way() -> None:
    level = {name: number for number, layer in enumerate(LAYERS) for name in layer}
    for path in PACKAGE.rglob("*.py"):
        here = room(path)
        if here == "__init__":
            continue
        assert here in level, f"{path}: no layer has the room {here!r}"
        for other in imported_rooms(path):
            lower = level[other] < level[here] or other == here or (here, other) in ALLOWED_WITHIN
            assert lower, f"{path}: {here} imports {other}"


def test_stages_do_not_import_stages() -> None:
    for path in (PACKAGE / "stages").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.ImportFrom) and node.level == 1), f"{path} imports a stage"


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
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
