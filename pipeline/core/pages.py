"""Environments of the Jinja2 templates (HTML pages and dataset cards), and how pages and lines write figures."""

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


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share of 1 as a percentage; undefined is n/a.

    >>> percent(0.5), percent(0.0625, digits=2), percent(None)
    ('50.0 %', '6.25 %', 'n/a')
    """
    return "n/a" if share is None else f"{100 * share:.{digits}f} %"


def decimal(value: float | None, digits: int = 3) -> str:
    """Return a figure with a fixed number of decimals; undefined is n/a.

    >>> decimal(0.61803), decimal(None)
    ('0.618', 'n/a')
    """
    return "n/a" if value is None else f"{value:.{digits}f}"
