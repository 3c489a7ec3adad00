"""Warnings are errors where our code causes them, and nowhere else (`filterwarnings` in pyproject.toml)."""

import warnings
from types import ModuleType

import pytest

WARNING = "import warnings; warn = lambda level: warnings.warn('old', DeprecationWarning, stacklevel=level)"
CALL = "def call(warn): warn(2)"


def module(name: str, code: str) -> ModuleType:
    """Return a module with a name and some code."""
    made = ModuleType(name)
    exec(code, vars(made))
    return made


@pytest.mark.parametrize("name", ["pipeline", "pipeline.core.files", "tests.support.items", "tools.overlap"])
def test_a_warning_of_our_code_is_an_error(name: str) -> None:
    with pytest.raises(DeprecationWarning, match="old"):
        module(name, WARNING).warn(1)


@pytest.mark.parametrize("name", ["pipeline.core.files", "tests.support.items", "tools.overlap"])
def test_a_call_of_ours_that_a_dependency_deprecates_is_an_error(name: str) -> None:
    with pytest.raises(DeprecationWarning, match="old"):
        module(name, CALL).call(module("jieba", WARNING).warn)


@pytest.mark.parametrize("name", ["jieba", "pipelines", "numpy.tests.pipeline"])
def test_a_warning_inside_a_dependency_is_none(name: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        module(name, WARNING).warn(1)
    assert [str(warning.message) for warning in caught] == ["old"]


def test_a_dependency_with_an_invalid_escape_sequence_compiles() -> None:
    with warnings.catch_warnings(record=True) as caught:
        compile(r"'\d'", "/tests/site-packages/jieba/__init__.py", "exec")
    assert len(caught) == 1
