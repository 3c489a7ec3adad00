"""Servers: their addresses, waiting and trying again, secrets from the environment or a keyring, never from a file or an option."""

import email.utils
import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

from .errors import PipelineError


def server_address(text: str, option: str) -> str:
    """Return the address of a server without a slash at its end.

    Args:
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
    """Tell whether a host could exist; raises `ValueError` for an impossible name or number.

    Args:
        netloc: the part of the address that has the host, by whose brackets an IPv6 address is known.
    """
    if "[" in netloc:
        IPv6Address(host)
    elif host.rpartition(".")[2].isdigit():
        IPv4Address(host)
    return bool(host.encode("idna"))


#: Seconds before the second attempt, the third, and so on; after the last one the command gives up.
WAITS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
#: Longest wait in seconds that a server may ask for; beyond it the command ends and tells the user.
LONGEST = 300.0
#: Statuses below 500 that may be temporary: Request Timeout, Too Early, Too Many Requests.
_TEMPORARY = frozenset({408, 425, 429})


class TemporaryFailure(Exception):  # noqa: N818 - not an error yet: another attempt may succeed
    """A call failed in a way that another attempt may overcome; the caller catches it around each attempt and calls `Retries.wait`.

    Args:
        wait: seconds that the server asks to wait; None if it does not say.
    """

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


def _show_nothing(name: str, done: int, total: int) -> None:
    """Ignore progress."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Callbacks that report progress.

    Args:
        tell: receives a line for the user.
        pause: waits a number of seconds.
        show: receives the name of a part, such as a file, and how much of it is done and there is in all, such as bytes.
    """

    tell: Callable[[str], None]
    pause: Callable[[float], None] = time.sleep
    show: Callable[[str, int, int], None] = _show_nothing


def is_temporary(status: int) -> bool:
    """Tell whether an HTTP status is temporary: 408, 425, 429 or 5xx."""
    return status in _TEMPORARY or status >= 500


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Return the seconds that ``Retry-After`` asks to wait (RFC 9110, section 10.2.3).

    >>> retry_after({"retry-after": "120"}), retry_after({"Retry-After": "soon"})
    (120.0, None)
    >>> retry_after({"Retry-After": "Thu, 01 Jan 1970 00:01:30 GMT"}, now=60.0)
    30.0

    Args:
        headers: of a response; the case of the names does not matter.
        now: seconds since the epoch; None for the clock's.

    Returns:
        At least 0; None without the header, or where it is neither a number of seconds nor a date.
    """
    value = next((text for name, text in headers.items() if name.lower() == "retry-after"), "").strip()
    if re.fullmatch("[0-9]{1,9}", value):
        return float(value)
    try:
        moment = email.utils.parsedate_to_datetime(value)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return max(0.0, moment.timestamp() - (time.time() if now is None else now))
    except (ValueError, OverflowError):
        return None


class Retries:
    """Counts failures in a row and waits between attempts."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._failures = 0

    def reset(self) -> None:
        """Forget the failures, because something succeeded since."""
        self._failures = 0

    def wait(self, error: TemporaryFailure) -> None:
        """Report a failure and wait until the next attempt.

        Raises:
            PipelineError: too many failures in a row, or the server asks to wait longer than `LONGEST`.
        """
        self._failures += 1
        if self._failures > len(WAITS):
            reason = (
                f"[server] given up after {self._failures} attempts; found {error}; run the same command again later"
            )
            raise PipelineError(None, None, f"{reason}, it continues from there")
        seconds = max(WAITS[self._failures - 1], error.wait or 0.0)
        if seconds > LONGEST:
            reason = f"[server] asks to wait {seconds:g} s; found {error}; run the same command again after that"
            raise PipelineError(None, None, f"{reason}, it continues from there")
        self._progress.tell(f"{error}; next attempt in {seconds:g} s")
        self._progress.pause(seconds)


#: Variable of the API token of Label Studio: a legacy token or a personal access token.
TOKEN = "WINOFORGE_LABEL_STUDIO_TOKEN"  # noqa: S105 - the name of a variable
#: Variable of the key of the pseudonyms.
KEY = "WINOFORGE_PSEUDONYM_KEY"
#: Variable of the key of DeepL's interface; the name is that of DeepL's own examples.
DEEPL_KEY = "DEEPL_AUTH_KEY"
#: Service name in the keyring; the user name is the variable.
SERVICE = "winoforge"
#: Minimum length of the key; a shorter one could be guessed.
KEY_LENGTH = 16
_VISIBLE = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret and its variable; `repr` hides the value."""

    variable: str
    value: str = field(repr=False)


def access_token(environment: Mapping[str, str] = os.environ) -> Secret:
    """Return the API token of Label Studio.

    Raises:
        PipelineError: the token is missing, or no HTTP header can hold it; the message never shows its value.
    """
    return _of_header(_secret(TOKEN, environment), "token")


def deepl_key(environment: Mapping[str, str] = os.environ) -> Secret:
    """Return the key of DeepL's interface; raises `PipelineError`, without its value, if it is missing or no HTTP header can hold it."""
    return _of_header(_secret(DEEPL_KEY, environment), "key")


def _of_header(secret: Secret, noun: str) -> Secret:
    # Checked here, because the error of a client would show the value.
    if not _VISIBLE.fullmatch(secret.value):
        defect = "found a blank, a line end or a letter beyond ASCII"
        raise PipelineError(None, None, f"[{secret.variable}] malformed {noun}; {defect}, expected the {noun} alone")
    return secret


def pseudonym_key(environment: Mapping[str, str] = os.environ) -> Secret:
    """Return the key of the pseudonyms.

    Raises:
        PipelineError: the key is missing, too short or not text.
    """
    key = _secret(KEY, environment)
    if len(key.value) < KEY_LENGTH:
        reason = f"[{KEY}] key too short; found {len(key.value)} characters, expected at least {KEY_LENGTH} (`openssl rand -hex 32`)"
        raise PipelineError(None, None, reason)
    try:
        key.value.encode("utf-8")
    except UnicodeEncodeError:
        reason = f"[{KEY}] key not UTF-8; found raw bytes, expected text (`openssl rand -hex 32`)"
        raise PipelineError(None, None, reason) from None
    return key


def _secret(variable: str, environment: Mapping[str, str]) -> Secret:
    value = environment.get(variable, "").strip() or _from_keyring(variable)
    if not value:
        reason = f"[{variable}] secret not set; expected it in the environment or in a keyring (`keyring set {SERVICE} {variable}`)"
        raise PipelineError(None, None, reason)
    return Secret(variable, value)


def _from_keyring(variable: str) -> str:
    """Return the secret of the keyring; an empty string without a keyring or without the secret."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return ""
    try:
        return (keyring.get_password(SERVICE, variable) or "").strip()
    except KeyringError as error:
        if type(error).__name__ == "NoKeyringError":
            return ""
        reason = f"[{variable}] keyring locked; found {type(error).__name__}, unlock it and run again"
        raise PipelineError(None, None, reason) from None
