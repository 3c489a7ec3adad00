"""Refuse to go on without the packages of an extra."""

from importlib.util import find_spec

from .errors import PipelineError


def require_packages(extra: str, *names: str) -> None:
    """Refuse to go on without packages.

    Raises:
        PipelineError: a package is not installed; the message says how to install it.
    """
    lacking = [name for name in names if not _installed(name)]
    if lacking:
        reason = f"[{extra}] {' and '.join(lacking)} not installed; run pip install --editable '.[{extra}]'"
        raise PipelineError(None, None, reason)


def _installed(name: str) -> bool:
    parent = name.rpartition(".")[0]
    return (not parent or _installed(parent)) and find_spec(name) is not None
