import sys
import unicodedata

from pipeline.core.invisible import INVISIBLE, code_point, visible
from pipeline.core.pages import page_environment
from pipeline.language.questions import languages
from pipeline.language.text_checks import checks
from pipeline.studies.adjudication import read_ballot
from pipeline.studies.model.judgements import clean_remark
from pipeline.winograd.adjudication.apply import RecordState
from tests.support.items import marked

CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
#: Format characters that are visible signs: PropList.txt of Unicode 16, Prepended_Concatenation_Mark.
SIGNS = {0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD, *range(0x600, 0x606)}
#: DerivedCoreProperties.txt of Unicode 16, Default_Ignorable_Code_Point.
IGNORABLE = {
    0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0, *range(0x180B, 0x1810), *range(0x200B, 0x2010),
    *range(0x202A, 0x202F), *range(0x2060, 0x2070), *range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9), *range(0x1BCA0, 0x1BCA4),
    *range(0x1D173, 0x1D17B), *range(0xE0000, 0xE1000),
}  # fmt: skip
NONCHARACTERS = {
    *range(0xFDD0, 0xFDF0),
    *(plane + last for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF)),
}
BLANK_BRAILLE = 0x2800
#: Format characters of Unicode 15, which Python 3.11 does not know yet.
LATER = set(range(0x13430, 0x13440))


def test_the_set_is_what_unicode_says() -> None:
    by_category = {code for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) in CATEGORIES}
    expected = (by_category - SIGNS) | IGNORABLE | NONCHARACTERS | LATER | {BLANK_BRAILLE}
    assert {code for code in range(sys.maxunicode + 1) if INVISIBLE.match(chr(code))} == expected


def test_every_user_of_the_set_agrees_on_every_character() -> None:
    gate = checks("text")["no-invisible-character"]
    state = RecordState(marked("【他】来了。"))
    characters = [chr(code) for code in range(sys.maxunicode + 1)]
    invisible = [character for character in characters if INVISIBLE.match(character)]
    seen = "a" + "".join(character for character in characters if not INVISIBLE.match(character)) + "b"
    assert not gate({"text": seen})
    assert read_ballot("modify", {"modified": seen}, state) is not None
    assert clean_remark(seen) == " ".join(seen.split())
    assert visible(seen) == seen
    for character in [*invisible[:3000], *invisible[3000::500]]:  # most of the rest are 130,000 for private use
        text = f"a{character}b"
        assert gate({"text": text}).startswith(f"found {code_point(character)} in ")
        assert read_ballot("modify", {"modified": text}, state) is None, code_point(character)
    shown = "".join(character if character in "\t\n" else f"⟨{code_point(character)}⟩" for character in invisible)
    assert clean_remark("a" + "".join(invisible) + "b") == "a b"
    assert visible("".join(invisible)) == shown
    assert page_environment().from_string("{{ text }}").render(text="".join(invisible)) == shown


def test_no_language_here_spells_with_joiners() -> None:
    assert set(languages()) <= {"de", "en", "es", "fr", "he", "hu", "it", "ja", "pt", "ru", "zh"}
