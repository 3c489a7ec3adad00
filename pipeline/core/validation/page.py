"""HTML pages of validations: an index, and a page for each validation. They load nothing from the network."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..invisible import visible
from ..pages import page_environment

if TYPE_CHECKING:
    from .suite import Validation


def pages(validations: Sequence[tuple["Validation", Sequence[Path]]]) -> dict[str, str]:
    """Return ``index.html`` and a page for each validation, by file name.

    Great Expectations' own pages load styles, scripts and icons from the network and contain the time of the run; these do not.
    """
    environment = page_environment()
    named = [
        (f"{number:02}-{validation.suite.name}.html", validation, [visible(path.as_posix()) for path in paths])
        for number, (validation, paths) in enumerate(validations, 1)
    ]
    index = environment.get_template("core/validation/index.html.j2").render(validations=named)
    page = environment.get_template("core/validation/page.html.j2")
    return {"index.html": index} | {
        name: page.render(validation=validation, paths=paths, suite=validation.suite)
        for name, validation, paths in named
    }
