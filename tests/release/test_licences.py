"""Which licences a release may name, and which text each must have."""

import pytest

from pipeline.release.sources import identifier_fault, text_fault
from tests.conftest import ROOT

OURS = (ROOT / "raw" / "licences" / "CC-BY-4.0.txt").read_text(encoding="utf-8")
#: The first lines of the licences themselves; the rest of a long text is of no importance here.
REST = "\n" + "terms and conditions " * 10
TEXTS = {
    "CC-BY-4.0": "Attribution 4.0 International",
    "CC-BY-SA-4.0": "Attribution-ShareAlike 4.0 International",
    "CC-BY-NC-SA-3.0": "Creative Commons Attribution-NonCommercial-ShareAlike 3.0 Unported",
    "CC0-1.0": "CC0 1.0 Universal",
    "MIT": "MIT License\n\nPermission is hereby granted, free of charge, to any person",
    "Apache-2.0": "Apache License\n                           Version 2.0, January 2004",
    "GPL-3.0-only": "GNU GENERAL PUBLIC LICENSE\n                       Version 3, 29 June 2007",
    "ODbL-1.0": "Open Database License (ODbL) v1.0",
}


@pytest.mark.parametrize("name", [*TEXTS, "cc-by-4.0", "LicenseRef-ours"])
def test_known_identifiers(name: str) -> None:
    assert identifier_fault(name) == ""


@pytest.mark.parametrize("name", ["", "wtf-1.0", "CC-BY", "CC-BY-9.0", "Creative Commons", "LicenseRef-"])
def test_unknown_identifiers(name: str) -> None:
    assert identifier_fault(name).startswith(f"found {name!r}, expected an SPDX identifier")


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_of_its_own_licence_only(name: str) -> None:
    assert [other for other in TEXTS if text_fault(other, TEXTS[name] + REST) == ""] == [name]


def test_our_summary_is_of_our_licence() -> None:
    assert text_fault("cc-by-4.0", OURS) == ""
    assert text_fault("CC-BY-SA-4.0", OURS).endswith("expected the text of CC-BY-SA-4.0")


def test_a_text_that_names_two_licences_is_refused() -> None:
    both = f"{OURS}\nhttps://creativecommons.org/licenses/by-nc/4.0/"
    assert text_fault("CC-BY-4.0", both) == "found CC-BY-NC-4.0 in the text, expected CC-BY-4.0 only"


@pytest.mark.parametrize("text", ["", "TODO\n", "Creative Commons Attribution 4.0"])
def test_a_placeholder_is_no_licence(text: str) -> None:
    assert text_fault("CC-BY-4.0", text).startswith("found ")
    assert text_fault("LicenseRef-ours", text).startswith("found ")
