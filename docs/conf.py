"""The site of `make docs`: Sphinx reads the Markdown of the repository where it stands, so that a link works on GitHub and on the site.

docs/index.md lists the pages: its sections are the parts of the navigation, and a page that is missing there is an error.
"""

import re
from typing import Any

project = html_title = "winoforge"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
autodoc_typehints = "description"
add_module_names = False
root_doc = "docs/index"
include_patterns = ["*.md", "docs/*.md", "raw/**/README.md", "annotation/README.md", "build/README.md"]
myst_heading_anchors = 4
# Tables and JSON Lines have no colours.
suppress_warnings = ["misc.highlighting_failure"]
html_theme = "furo"
html_copy_source = html_show_copyright = False


def add_navigation(_app: object, document: str, source: list[str]) -> None:
    """Add to each section of docs/index.md the pages that it links, as a part of the navigation."""
    if document != root_doc:
        return
    introduction, *sections = source[0].split("\n## ")
    for index, section in enumerate(sections):
        pages = [
            f"{title[0].upper()}{title[1:]} <{page}>"
            for title, page in re.findall(r"\[([^]]+)\]\((\S+)\.md\)", section)
        ]
        navigation = ["```{toctree}", ":hidden:", f":caption: {section.splitlines()[0]}", "", *pages, "```", ""]
        sections[index] = "\n".join([section, *navigation])
    source[0] = "\n## ".join([introduction, *sections])


def setup(app: Any) -> None:
    """Connect the functions of this file with Sphinx."""
    app.connect("source-read", add_navigation)
