"""Addresses of servers."""

from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

from ..errors import PipelineError


def server_address(text: str, option: str) -> str:
    """Return the address of a server without a slash at its end.

    Args:
        text: what the user gave.
        option: the option that gave it, for the message.

    Raises:
        PipelineError: the address is not http or https, names no possible host, or has a query, a fragment or a password.
    """
    try:
        parts = urlsplit(text)
        valid = parts.scheme in ("http", "https") and parts.port != 0 and is_host(parts.hostname or "", parts.netloc)
        valid = valid and not (parts.query or parts.fragment or "@" in parts.netloc or " " in text)
    except ValueError:
        valid = False
    if not valid or not text.isprintable():
        reason = f"[{option}] not a server's address; found {text.rpartition('@')[2]!r}, expected http(s)://host/path"
        raise PipelineError(None, None, f"{reason} without a password")
    return text.rstrip("/")


def is_host(host: str, netloc: str) -> bool:
    """Tell whether a host could exist.

    Args:
        host: the host of an address.
        netloc: the part of the address that has the host, by whose brackets an IPv6 address is known.

    Raises:
        ValueError: the host is no possible name or IP address.
    """
    if "[" in netloc:
        IPv6Address(host)
    elif host.rpartition(".")[2].isdigit():
        IPv4Address(host)
    return bool(host.encode("idna"))
