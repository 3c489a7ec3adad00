"""An answer in plain letters: without markup, look-alike signs and quotes, with one sign for each kind of arrow and comparison."""

import re
import unicodedata

from .mentions import letter

_APOSTROPHE = re.compile(r"(?<=[A-Za-z])’(?=[a-z])")
_MARKUP = re.compile(
    r"[*`_#>\"“”‘’「」『』《》【】{}$\ufe0f\u20e3]|(?<![A-Za-z])'|'(?![a-z])|\\(?:boxed|text(?:bf)?|mathrm|mathbf)\b"
)
_ARROW = re.compile(r"[-=]>")
#: Signs of preference between two options, which are kept as ≻ and ≺; elsewhere the sign is markup.
_PREFERENCE = re.compile(r"(?<=[\w)）])[ \t]*(?:([>≫≻])+|[<≪≺]+)[ \t]*(?=[\w\u2e80-\uffef])(?![^<>\w]*>)")
#: What is struck out in Markdown, and a joint of words in the name of a constant: ANSWER_B.
_STRUCK, _UNDERSCORE = re.compile(r"~~([^~\n]{1,80})~~"), re.compile(r"(?<=[A-Za-z])_(?=[A-Za-z])")
#: An answer that is none: N/A. Its last letter is no option.
_NOT_APPLICABLE = re.compile(r"(?<![A-Za-z])[Nn] ?[/.\\] ?[Aa](?![A-Za-z])\.?")
_BETWEEN_HANZI = re.compile(r"(?<=[\u3400-\u9fff])[ \t]+(?=[\u3400-\u9fff])")
#: Letters that Unicode does not take for letters (🅱, 🅑), and Cyrillic ones that look Latin.
_LOOKALIKES = {
    **{start + index: letter(index) for start in (0x1F170, 0x1F150) for index in range(10)},
    **dict(zip(map(ord, "АВС"), "ABC", strict=True)),
}


def plain(text: str) -> str:
    """Return a text with half-width letters and marks, single blanks, none between Chinese characters, without markup and quotes."""
    text = _ARROW.sub("→", unicodedata.normalize("NFKC", text.translate(_LOOKALIKES)))
    text = _NOT_APPLICABLE.sub("none", text)
    text = _PREFERENCE.sub(lambda match: " ≻ " if match[1] else " ≺ ", text)
    text = _UNDERSCORE.sub(" ", _STRUCK.sub(r"❌ \1;", _APOSTROPHE.sub("'", text)))
    return _BETWEEN_HANZI.sub("", re.sub(r"[ \t\xa0]+", " ", _MARKUP.sub("", text))).strip()
