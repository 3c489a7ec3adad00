"""Pseudonyms of raters, derived from the addresses of their accounts by a secret key."""

import hashlib
import hmac
from collections.abc import Mapping

from ...core.errors import PipelineError
from ...core.servers.secrets import KEY, Secret

#: Number of hexadecimal digits in a pseudonym.
_DIGITS = 6


def pseudonym(key: Secret, address: str) -> str:
    """Return ``r-`` and the first six hexadecimal digits of the HMAC-SHA-256 (RFC 2104) of an account's e-mail address.

    A server that is set up again keeps addresses, but not the numbers of accounts.

    Args:
        key: the secret key; without it nobody can link pseudonyms to addresses.
        address: the e-mail address; case and outer blanks make no difference.
    """
    message = address.strip().casefold().encode("utf-8")
    return f"r-{hmac.new(key.value.encode('utf-8'), message, hashlib.sha256).hexdigest()[:_DIGITS]}"


def pseudonyms(key: Secret, accounts: Mapping[int, str]) -> dict[int, str]:
    """Return the pseudonym of each account.

    Args:
        key: see `pseudonym`.
        accounts: the e-mail addresses by account number.

    Raises:
        PipelineError: two accounts get the same pseudonym.
    """
    by_account: dict[int, str] = {}
    owners: dict[str, int] = {}
    for number, address in sorted(accounts.items()):
        name = by_account[number] = pseudonym(key, address)
        if owners.setdefault(name, number) != number:
            reason = (
                f"[rater] pseudonym not unique; found {name} for accounts {owners[name]} and {number}, expected another "
                f"{KEY}"
            )
            raise PipelineError(None, None, reason)
    return by_account
