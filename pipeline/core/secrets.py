"""Secrets: from the environment or a keyring, never from a file or an option."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from .errors import PipelineError

#: The API token of Label Studio, a legacy one or a personal access token.
TOKEN = "WINOFORGE_LABEL_STUDIO_TOKEN"  # noqa: S105  the name of a variable
#: The key of the pseudonyms.
KEY = "WINOFORGE_PSEUDONYM_KEY"
#: The service under which a keyring keeps them, with the variable for user name.
SERVICE = "winoforge"
#: A shorter key could be found by trying.
KEY_LENGTH = 16
_VISIBLE = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret and the variable that it stands in; its value stays out of what is printed of it."""

    variable: str
    value: str = field(repr=False)


def access_token(environment: Mapping[str, str] = os.environ) -> Secret:
    """Return the API token of Label Studio.

    Raises:
        PipelineError: there is none, or one that no header can hold; its value is not told.
    """
    found = _secret(TOKEN, environment)
    # The SDK quotes a token that it cannot send, so such a one never gets there.
    if not _VISIBLE.fullmatch(found.value):
        raise PipelineError(
            None,
            None,
            f"[{TOKEN}] malformed; found a blank, a line end or a letter beyond ASCII, expected the token alone",
        )
    return found


def pseudonym_key(environment: Mapping[str, str] = os.environ) -> Secret:
    """Return the key of the pseudonyms.

    Raises:
        PipelineError: there is none, or one that is too short or no text.
    """
    found = _secret(KEY, environment)
    if len(found.value) < KEY_LENGTH:
        reason = f"[{KEY}] too short; found {len(found.value)} characters, expected at least {KEY_LENGTH} (`openssl rand -hex 32`)"
        raise PipelineError(None, None, reason)
    try:
        found.value.encode("utf-8")
    except UnicodeEncodeError:
        reason = f"[{KEY}] not UTF-8; found raw bytes, expected text (`openssl rand -hex 32`)"
        raise PipelineError(None, None, reason) from None
    return found


def _secret(variable: str, environment: Mapping[str, str]) -> Secret:
    value = environment.get(variable, "").strip() or _kept(variable)
    if not value:
        reason = (
            f"[{variable}] not set; expected it in the environment or in a keyring (`keyring set {SERVICE} {variable}`)"
        )
        raise PipelineError(None, None, reason)
    return Secret(variable, value)


def _kept(variable: str) -> str:
    """Return what the keyring has, nothing where there is no keyring."""
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
        reason = f"[{variable}] the keyring does not open; found {type(error).__name__}, expected it unlocked"
        raise PipelineError(None, None, reason) from None
