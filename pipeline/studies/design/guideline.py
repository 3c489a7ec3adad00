"""Guidelines: how long the lists are, and Markdown as HTML."""

import re
from collections import Counter
from collections.abc import Sequence

from ..model.study import Task

#: What stands in a guideline for a number: the records of the longest list, their screens, or minutes at so many seconds a record.
_NUMBER = re.compile(r"\{(?:(items)|(tasks)|minutes:([1-9]\d{0,2}))\}")


def with_numbers(guideline: str, tasks: Sequence[Task]) -> str:
    """Return a guideline with the numbers of the longest list.

    ``{items}`` stands for the number of its records after the practice, attention items too, ``{tasks}`` for that of their screens, and
    ``{minutes:15}`` for the minutes that the whole list takes, with practice, if each record takes 15 seconds.

    Args:
        guideline: the guideline, Markdown.
        tasks: the tasks of all lists.
    """
    screens: Counter[str] = Counter()
    records: Counter[str] = Counter()
    everything: Counter[str] = Counter()
    for task in tasks:
        everything[task.list] += len(task.items)
        if task.phase != "practice":
            screens[task.list] += 1
            records[task.list] += len(task.items)

    def number(match: re.Match[str]) -> str:
        if match[1]:
            return str(max(records.values(), default=0))
        if match[2]:
            return str(max(screens.values(), default=0))
        return str(-(-max(everything.values(), default=0) * int(match[3]) // 60))

    return _NUMBER.sub(number, guideline)


def guideline_html(markdown: str) -> str:
    r"""Return the HTML of a guideline in CommonMark with tables. HTML in it is escaped.

    Images become links, so that the page of the raters loads nothing from elsewhere.

    >>> guideline_html("**Ø** <script>")
    '<p><strong>Ø</strong> &lt;script&gt;</p>\n'
    """
    from markdown_it import MarkdownIt

    return str(MarkdownIt("commonmark", {"html": False}).enable("table").disable("image").render(markdown))
