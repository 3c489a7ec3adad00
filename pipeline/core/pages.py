"""Environments of the Jinja2 templates: HTML pages and dataset cards."""

import functools
import hashlib
from base64 import b64encode
from typing import TYPE_CHECKING

from .invisible import visible

if TYPE_CHECKING:
    from jinja2 import Environment


@functools.cache  # an environment keeps the templates that it compiled
def page_environment() -> "Environment":
    """Return the environment of HTML pages: data is escaped and made `visible`, an unknown name is an error.

    It is the same for all callers, so that none may change it. The filter ``csp_hash`` returns the source expression that lets a
    content security policy admit an inline script.
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
    environment.filters["csp_hash"] = csp_hash
    return environment


def render_card(template: str, **values: object) -> str:
    """Return a dataset card: Markdown after the YAML that `datasets` reads. An unknown name is an error."""
    return _card_environment().get_template(template).render(**values)


@functools.cache
def _card_environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("pipeline", ""),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - Markdown, not HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _finalize(value: object) -> object:
    return visible(value) if type(value) is str else value  # Markup, a subclass, is safe already


def csp_hash(script: str) -> str:
    """Return the source expression that lets a content security policy admit an inline script."""
    return f"sha256-{b64encode(hashlib.sha256(script.encode()).digest()).decode()}"
