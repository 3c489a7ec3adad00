"""Pseudonyms of raters."""

import hashlib
import hmac
from collections.abc import Mapping

from ...core.errors import PipelineError
from ...core.secrets import KEY, Secret

_DIGITS = 6


def pseudonym(key: Secret, address: str) -> str:
    """Return ``r-`` and the first six hexadecimal digits of the HMAC-SHA-256 (RFC 2104) of an account's address.

    An address is what an account keeps when a server is set up anew; its number there is not.

    Args:
        key: what must be known to tell whose pseudonym it is.
        address: of the account; letter case and surrounding blanks make no difference.
    """
    said = address.strip().casefold().encode("utf-8")
    return f"r-{hmac.new(key.value.encode('utf-8'), said, hashlib.sha256).hexdigest()[:_DIGITS]}"


def pseudonyms(key: Secret, accounts: Mapping[int, str]) -> dict[int, str]:
    """Return the pseudonym of each account.

    Args:
        key: see `pseudonym`.
        accounts: their addresses by their number.

    Raises:
        PipelineError: two accounts share one.
    """
    named: dict[int, str] = {}
    owner: dict[str, int] = {}
    for number, address in sorted(accounts.items()):
        name = named[number] = pseudonym(key, address)
        if owner.setdefault(name, number) != number:
            reason = f"[rater] pseudonym not unique; found {name} of the accounts {owner[name]} and {number}, expected another {KEY}"
            raise PipelineError(None, None, reason)
    return named
