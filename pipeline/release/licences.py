"""The licences that a release may name: SPDX identifiers, and how the text of each licence names itself."""

import re
from collections.abc import Mapping

from ..core.errors import shown

_GNU = r"gnu {} ?public license.*version {}"
#: What is in the text of a licence, or in a summary that names it, by SPDX identifier: a pattern in lower case.
_NAMES: Mapping[str, str] = {
    "CC0-1.0": r"cc0 1\.0|zero/1\.0",
    **{
        f"CC-{code.upper()}-{version}": rf"{title} {re.escape(version)}|licenses/{code}/{re.escape(version)}"
        for code, title in {
            "by": "attribution",
            "by-sa": "attribution[- ]sharealike",
            "by-nc": "attribution[- ]non-?commercial",
            "by-nd": "attribution[- ]no-?deriv(?:ative)?s",
            "by-nc-sa": "attribution[- ]non-?commercial[- ]sharealike",
            "by-nc-nd": "attribution[- ]non-?commercial[- ]no-?deriv(?:ative)?s",
        }.items()
        for version in ("2.0", "2.5", "3.0", "4.0")
    },
    "ODbL-1.0": "open database license",
    "ODC-By-1.0": "open data commons attribution license",
    "PDDL-1.0": "public domain dedication and license",
    "CDLA-Permissive-1.0": r"community data license agreement.*permissive.*1\.0",
    "CDLA-Permissive-2.0": r"community data license agreement.*permissive.*2\.0",
    "CDLA-Sharing-1.0": "community data license agreement.*sharing",
    "C-UDA-1.0": "computational use of data agreement",
    "Apache-2.0": r"apache license,? version 2\.0",
    "MIT": "permission is hereby granted, free of charge",
    "BSD-2-Clause": "redistribution and use in source and binary forms",
    "BSD-3-Clause": "redistribution and use in source and binary forms.*neither the name",
    "GPL-2.0-only": _GNU.format("general", 2),
    "GPL-2.0-or-later": _GNU.format("general", 2),
    "GPL-3.0-only": _GNU.format("general", 3),
    "GPL-3.0-or-later": _GNU.format("general", 3),
    "LGPL-3.0-only": _GNU.format("lesser general", 3),
    "AGPL-3.0-only": _GNU.format("affero general", 3),
    "MPL-2.0": r"mozilla public license.*2\.0",
    "Unlicense": "unencumbered software released into the public domain",
}
_BY_CODE = {name.casefold(): name for name in _NAMES}
#: A licence that SPDX does not list, by its own name.
_OWN = re.compile(r"licenseref-[a-z0-9.-]+")
#: Minimum length of the text of a licence, in characters; a placeholder is shorter.
_SHORTEST = 100
#: A code of Creative Commons: CC BY-SA 4.0, or licenses/by-sa/4.0 in an address.
_CODE = re.compile(r"(?:\bcc[ -]|licenses/)(by(?:-(?:sa|nc|nd))*)[ /-](\d\.\d)")


def identifier_fault(name: str) -> str:
    """Return why an identifier of a licence is not known; empty if it is. Case does not matter."""
    if name.casefold() in _BY_CODE or _OWN.fullmatch(name.casefold()):
        return ""
    expected = "an SPDX identifier such as CC-BY-4.0, or LicenseRef-NAME for a licence that SPDX does not list"
    return f"found {shown(name)}, expected {expected}"


def text_fault(name: str, text: str) -> str:
    """Return why a text is not that of a licence; empty if it is, or if the licence is none of those with a known text."""
    flat = " ".join(text.casefold().split())
    known = _BY_CODE.get(name.casefold(), "")
    if len(flat) < _SHORTEST or not re.search(_NAMES.get(known, ""), flat):
        return f"found {shown(text)}, expected the text of {known or name}"
    codes = {f"CC-{code}-{version}".upper() for code, version in _CODE.findall(flat)}
    if known and (others := sorted(codes - {known.upper()})):
        return f"found {others[0]} in the text, expected {known} only"
    return ""
