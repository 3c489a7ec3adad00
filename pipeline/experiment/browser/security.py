"""Security of the server: headers of its answers, requests that are its own page's."""

from collections.abc import Mapping
from html.parser import HTMLParser
from ipaddress import ip_address

from ...core.pages import csp_hash

#: Headers of every answer besides the content security policy.
HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
#: Headers that a proxy adds: the address of the connection is then the proxy's.
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


class _Scripts(HTMLParser):
    """Collects the inline scripts of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.scripts: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag == "script" and "src" not in dict(attrs)
        if self._inside:
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.scripts[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "script"


def content_policy(page: str) -> str:
    """Return the content security policy of a page: its own inline scripts run, nothing is loaded from anywhere else.

    Styles may be inline: jsPsych sets some as attributes, and a style runs no code.

    Args:
        page: the HTML of the page.
    """
    parser = _Scripts()
    # A browser hashes a script with the line ends that it makes of all others.
    parser.feed(page.replace("\r\n", "\n").replace("\r", "\n"))
    hashes = " ".join(f"'{csp_hash(script)}'" for script in dict.fromkeys(parser.scripts)) or "'none'"
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; media-src data:; font-src data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine itself.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("")
    (True, True, True, False, False)
    """
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def is_own_request(headers: Mapping[str, str], *, loopback: bool, public: str = "") -> bool:
    """Return whether a request comes from the server's own page.

    A page from elsewhere gives its own origin; a page that points its own name at this machine (DNS rebinding) gives that name as host.

    Args:
        headers: of the request, with names in lower case.
        loopback: the server answers on this machine alone.
        public: the origin under which a proxy publishes the server, such as https://lab.example; empty without one. A proxy may give
            any host.
    """
    if public:
        return headers.get("origin") in (None, public)
    host = headers.get("host", "")
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    if loopback and not is_loopback(name.strip("[]")):
        return False
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == host


def is_experimenter(client: str | None, headers: Mapping[str, str]) -> bool:
    """Return whether a request comes from a program on this machine, not through a proxy."""
    return client is not None and is_loopback(client) and not any(name in headers for name in _FORWARDED)
