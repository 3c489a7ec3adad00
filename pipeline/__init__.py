"""winoforge: construction and validation of Winograd-style coreference datasets."""

from importlib.metadata import version

__version__ = version("winoforge")
