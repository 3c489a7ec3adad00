"""Pages for people: Jinja2 templates, and the figures and tables that they show."""

import hashlib
import re
from base64 import b64encode
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

# Control characters, and those that are invisible or turn the direction of a line: none may hide from an auditor.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    r"""Return `text` with the characters that nobody can see written out.

    >>> visible("a\u202eb")
    'a⟨U+202E⟩b'
    """
    return _UNSEEN.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text)


def page_environment() -> "Environment":
    """Return the environment of HTML pages: all data is escaped and made `visible`, an unknown name is an error.

    The filter ``csp_hash`` gives the source by which a content security policy admits an inline script.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("pipeline", ""),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["csp_hash"] = _csp_hash
    return environment


def render_card(template: str, **values: object) -> str:
    """Return a dataset card, Markdown that starts with the YAML that `datasets` reads; an unknown name is an error."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("pipeline", ""),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - Markdown, not HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(template).render(**values)


def _finalize(value: object) -> object:
    return visible(value) if type(value) is str else value  # not Markup, its subclass: that is made safe already


def _csp_hash(script: str) -> str:
    return f"sha256-{b64encode(hashlib.sha256(script.encode()).digest()).decode()}"
