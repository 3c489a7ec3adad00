"""Show raters where they are in their list: each task on the server has its place, which a line of the labelling config shows.

Label Studio itself shows no such thing: a project counts a task as done when it has as many annotations as it may have.
"""

import re
from collections.abc import Mapping
from typing import Any

from ..model.study import PLACE, Study, Task

_LINE = f'<Header value="${PLACE}" size="5"/>'
#: The beginning of a labelling config: comments, the first View, its style.
_HEAD = re.compile(r"\s*(?:<!--.*?-->\s*)*<View[^>]*>(?:\s*<Style>.*?</Style>)?", re.DOTALL)


def placed_config(study: Study) -> str:
    """Return the labelling config of a study with the line that shows the place; unchanged if it does not begin with a View."""
    config = study.config.strip()
    head = _HEAD.match(config)
    return config if head is None else f"{head[0]}\n  {_LINE}{config[head.end() :]}"


def shows_places(config: str) -> bool:
    """Return whether a labelling config shows the place."""
    return _LINE in config


def placed_data(task: Task, size: int) -> dict[str, Any]:
    """Return the data of a task with its place in a list of `size` tasks.

    >>> placed_data(Task("a/1/003", "1", 3, "main", ("x",), ((),), (None,), {"text": "…"}), 138)
    {'text': '…', 'place': '3 / 138'}
    """
    return {**task.data, PLACE: f"{task.position} / {size}"}


def without_place(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a task on the server as the study has them."""
    return {name: value for name, value in data.items() if name != PLACE}
