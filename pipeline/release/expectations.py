"""All suites for users of Great Expectations: importing this module registers a class for each expectation.

`winoforge validate --docs` stores the suites; `frame` gives the data frame to run one on. Importing this module takes seconds, since it
imports Great Expectations. docs/validation.md has an example.
"""

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.validation import expectations
from .gate import SUITES, profiled, suite_named

if TYPE_CHECKING:
    from pandas import DataFrame

for _suite in SUITES.values():
    for _class in expectations.classes(_suite).values():
        _class.__module__ = __name__  # where people find it
        globals()[_class.__name__] = _class


def frame(suite: str, paths: Iterable[str | PathLike[str]], profile: str = "") -> "DataFrame":
    """Return the data frame on which the expectations of a suite run.

    Args:
        suite: the name of the suite.
        paths: the files, or the folders for the suites of builds, studies and releases.
        profile: the profile of the collection, if it is not the one that the items tell.
    """
    return expectations.frame(profiled(suite_named(suite), profile), [Path(path) for path in paths])
