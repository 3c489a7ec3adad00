"""Artifacts to damage: all that we release, and a small copy of it."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from pipeline.core.model import Item
from pipeline.release.validation import records
from pipeline.winograd.derivation import forms_again
from pipeline.winograd.forms.form import DerivedForm
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


@pytest.fixture(scope="session")
def forms_once() -> Iterator[None]:
    """Derive the forms of the same items with the same options only once: most defects of a release leave them as they are."""
    known: dict[object, dict[str, DerivedForm]] = {}

    def once(items: Sequence[Item], options: Path, glosses: Mapping[str, str]) -> dict[str, DerivedForm]:
        text = options.read_text(encoding="utf-8") if options.exists() else None
        key = (tuple(items), text, tuple(glosses.items()))
        if key not in known:
            known[key] = forms_again(items, options, glosses)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(records, "forms_again", once)
        yield
