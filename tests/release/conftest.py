"""Artifacts to damage: all that we release, and a small copy of it."""

import shutil
from pathlib import Path

import pytest

from tests.support import artifacts
from tests.support.building import Built


@pytest.fixture(scope="session")
def whole(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All artifacts that we release, in a folder: what `make build` makes, and a study."""
    folder = Path(shutil.copytree(built.folder / "build", tmp_path_factory.mktemp("whole") / "build"))
    artifacts.study(folder)
    return folder


@pytest.fixture(scope="session")
def samples(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first rows of each artifact, in a folder of the same layout."""
    folder = tmp_path_factory.mktemp("samples")
    artifacts.sample(whole, folder)
    return folder
