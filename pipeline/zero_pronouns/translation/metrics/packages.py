"""Refuse to score without the packages of an extra."""

import importlib.util

from ....core.errors import PipelineError


def require_package(name: str, extra: str) -> None:
    """Refuse to go on without a package of an extra.

    Args:
        name: the package, as it is imported.
        extra: the extra of pyproject.toml that brings it.

    Raises:
        PipelineError: the package is not installed.
    """
    if importlib.util.find_spec(name) is None:
        raise PipelineError(None, None, f"[{name}] package not installed; run pip install --editable '.[{extra}]'")
