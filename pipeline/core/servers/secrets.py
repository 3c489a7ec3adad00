"""Secrets from the environment or a keyring, never from a file or an option."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..errors import PipelineError

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
    """Return the key of DeepL's interface.

    Raises:
        PipelineError: the key is missing, or no HTTP header can hold it; the message never shows its value.
    """
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
