"""The package as others install it: a wheel in an environment that knows nothing of the repository."""

import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.needs import need

PARTS = ("pipeline", "rules", "raw/evaluation", "raw/licences", "raw/parser-model")
FILES = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE")


def run(*words: object, cwd: Path) -> str:
    """Run a program without the repository on its path, and return what it prints."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([*map(str, words)], cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def build(kind: str, source: Path, out: Path) -> Path:
    """Build an archive of a source tree, and return its file."""
    code = f"from setuptools import build_meta; build_meta.build_{kind}({str(out)!r})"
    run(sys.executable, "-W", "ignore", "-c", code, cwd=source)
    return next(out.iterdir())


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the source archive of this checkout."""
    folder = tmp_path_factory.mktemp("archives")
    for name in PARTS:
        shutil.copytree(ROOT / name, folder / "tree" / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, folder / "tree" / name)
    for kind in ("wheel", "sdist"):
        (folder / kind).mkdir()
    source = build("sdist", folder / "tree", folder / "sdist")
    return build("wheel", folder / "tree", folder / "wheel"), source


def test_the_source_archive_builds_the_same_wheel(archives: tuple[Path, Path], tmp_path: Path) -> None:
    wheel, source = archives
    with tarfile.open(fileobj=io.BytesIO(source.read_bytes())) as archive:
        archive.extractall(tmp_path, filter="data")
    (tmp_path / "wheel").mkdir()
    assert contents(build("wheel", next(tmp_path.glob("winoforge-*")), tmp_path / "wheel")) == contents(wheel)


def test_the_wheel_has_every_file_that_the_repository_has(archives: tuple[Path, Path]) -> None:
    """Templates, tables and models too; and nothing lies beside the package."""
    names = {name for name in contents(archives[0]) if ".dist-info/" not in name}
    files = {
        f"winoforge/{'' if folder == 'pipeline' else f'{folder}/'}{path.relative_to(ROOT / folder)}"
        for folder in PARTS
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert names == files


@pytest.fixture(scope="module")
def installed(archives: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the wheel; what it depends on comes from the environment of the tests."""
    need("the wheel", "" if shutil.which("pip") or (Path(sys.executable).with_name("pip")).exists() else "no pip")
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip())
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index"]
    run(*pip, archives[0], cwd=folder)
    # A path alone: what the editable installation of the repository does is in files of that folder, which are not read.
    dependencies = run(sys.executable, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder)
    (site / "dependencies.pth").write_text(dependencies, encoding="utf-8")
    return python.parent


def test_the_package_is_winoforge_and_nothing_else(installed: Path, tmp_path: Path) -> None:
    code = "import importlib.util as u, winoforge; print(winoforge.__file__, u.find_spec('winoforge').parent)"
    assert str(installed.parent) in run(installed / "python", "-c", code, cwd=tmp_path)
    names = {path.name for path in next(installed.parent.glob("lib/*/site-packages")).iterdir()}
    assert {name for name in names if ".dist-info" not in name} == {"winoforge", "dependencies.pth"}
    assert run(installed / "python", "-m", "winoforge", "--version", cwd=tmp_path) == run(
        installed / "winoforge", "--version", cwd=tmp_path
    )
