"""Pages on validations: a summary, and one for each with every expectation; they need no network."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..pages import page_environment

if TYPE_CHECKING:
    from .suite import Validation


def pages(validations: Sequence[tuple["Validation", Sequence[Path]]]) -> dict[str, str]:
    """Return ``index.html`` and a page for each validation, by file name.

    Great Expectations' own pages load their style, their scripts and the marks of pass and fail from the network, and tell the
    time of the run; these show the same results without either.
    """
    environment = page_environment()
    named = [
        (f"{number:02}-{validation.suite.name}.html", validation, [path.as_posix() for path in paths])
        for number, (validation, paths) in enumerate(validations, 1)
    ]
    page = environment.get_template("core/validation/page.html.j2")
    made = {
        name: page.render(validation=validation, paths=paths, suite=validation.suite)
        for name, validation, paths in named
    }
    return {"index.html": environment.get_template("core/validation/index.html.j2").render(validations=named)} | made
