"""A small experiment."""

from pathlib import Path

import pytest

from pipeline.experiment.browser.records import Experiment, read_experiment
from tests.support.experiments import write_experiment


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an experiment with three lists of six trials."""
    return write_experiment(tmp_path_factory.mktemp("experiment"))


@pytest.fixture(scope="session")
def experiment(folder: Path) -> Experiment:
    """The trials of `folder`."""
    return read_experiment(folder)
