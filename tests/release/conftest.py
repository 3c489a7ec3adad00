"""Artifacts to damage, made from the first schemas of our collections."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from pipeline.core.model import Item
from pipeline.release.validation import rows
from pipeline.winograd import derivation
from pipeline.winograd.forms.form import DerivedForm
from tests.support import artifacts


@pytest.fixture(scope="session")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small builds of our collections with their releases, in a folder."""
    folder = tmp_path_factory.mktemp("builds")
    artifacts.builds(folder)
    return folder


@pytest.fixture(scope="session")
def samples(builds: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small artifact of each kind that a suite checks, in a folder."""
    folder = tmp_path_factory.mktemp("samples")
    artifacts.sample(builds, folder)
    return folder


@pytest.fixture(scope="session")
def forms_once() -> Iterator[None]:
    """Derive the forms of the same items with the same options only once: most defects leave them as they are."""
    known: dict[object, dict[str, DerivedForm]] = {}
    forms_again = derivation.forms_again

    def once(items: Sequence[Item], options: Path, glosses: Mapping[str, str]) -> dict[str, DerivedForm]:
        text = options.read_text(encoding="utf-8") if options.exists() else None
        key = (tuple(items), text, tuple(glosses.items()))
        if key not in known:
            known[key] = forms_again(items, options, glosses)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        for module in (rows, derivation):
            patch.setattr(module, "forms_again", once)
        yield
