"""Labels of zeros: ``<他>_S`` stands for a zero that is a subject and would be 他; the table of pronouns, and labelled sentences."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Annotated, Literal, TypeVar

import msgspec

from ..core.convert import Text, Words, read_yaml
from ..core.errors import shown
from ..core.rules import RULES
from ..language.segmentation import any_of

T = TypeVar("T")

#: The forms of a zero in its sentence, by the letters of its label (EMNLP 2022, section 3.2); `UN` is not in the paper.
FORMS: Mapping[str, str] = {
    "S": "subject",
    "O": "object",
    "Pa": "possessive adjective",
    "P": "possessive pronoun",
    "R": "reflexive",
    "UN": "undetermined",
}
#: What follows the pronoun in a restored word, by form (EMNLP 2022, Table 10); any ending will do for an undetermined form.
ENDINGS: Mapping[str, tuple[str, ...]] = {
    "S": ("",),
    "O": ("",),
    "Pa": ("的", "自己的"),
    "P": ("的", "自己的"),
    "R": ("自己",),
}
#: The forms that have a translation.
TranslatedForm = Literal["S", "O", "Pa", "P", "R"]
#: What a table of rules has for each of these forms.
ByForm = Annotated[Mapping[TranslatedForm, T], msgspec.Meta(min_length=5, description="entries for S, O, Pa, P and R")]


class _Table(msgspec.Struct, frozen=True):
    pronouns: Annotated[Mapping[Text, ByForm[Text]], msgspec.Meta(min_length=1, description="a mapping of pronouns")]
    endings: Words


@dataclass(frozen=True, slots=True)
class TranslationTable:
    """The word in small letters for each pronoun and form, and the pronoun of each restored word, such as 我 for 我自己的."""

    translations: Mapping[tuple[str, str], str]
    pronoun_of: Mapping[str, str]

    def translation(self, pronoun: str, form: str) -> str | None:
        """Return the English word for a zero; None if the table has none."""
        return self.translations.get((self.pronoun_of.get(pronoun, ""), form))


@cache
def translation_table(languages: str = "zh-en") -> TranslationTable:
    """Return the table of a pair of languages; raises `PipelineError` if it is malformed."""
    table = read_yaml(RULES / "pronouns" / f"{languages}.yaml", _Table)
    return TranslationTable(
        {(pronoun, form): word for pronoun, words in table.pronouns.items() for form, word in words.items()},
        {f"{pronoun}{ending}": pronoun for pronoun in table.pronouns for ending in ("", *table.endings)},
    )


def words_of_form(word: str, form: str) -> list[str]:
    """Return the words that a form allows for the pronoun of a restored word; none if any will do or the table has no such word.

    >>> words_of_form("他自己", "S"), words_of_form("他", "Pa"), words_of_form("他", "UN"), words_of_form("这", "S")
    (['他'], ['他的', '他自己的'], [], [])
    """
    pronoun = translation_table().pronoun_of.get(word)
    return [] if pronoun is None else [pronoun + ending for ending in ENDINGS.get(form, ())]


#: Other notations of zeros: OntoNotes' empty elements, also with an index or escaped for Markdown; signs of the literature.
_MARK = r"\\?\*(?:pro|PRO)\\?\*(?:-[0-9]+)?|(?<![A-Za-z0-9])[∅Ø](?![A-Za-z0-9])|\[(?:zero|Zero|ZERO)\]"
#: What looks like a zero and is none of these: other signs, names in other brackets.
_LOOKALIKE = r"(?<![A-Za-z0-9])[øφϕΦ⌀](?![A-Za-z0-9])|(?i:[(（［\[{$*＊](?:pro|zero)[)）］\]}$*＊])"
#: How zeros are written, for messages.
NOTATIONS = "<他>_S, *pro*, *PRO*, ∅, Ø or [zero]"


def zero_mark(word: str) -> str:
    """Return a word if it is a zero in a notation without a pronoun, without its index; otherwise an empty text.

    >>> zero_mark("*pro*-1"), zero_mark("*T*-1")
    ('*pro*', '')
    """
    return re.sub("-[0-9]+$", "", word) if re.fullmatch(_MARK, word) else ""


#: The letters of a form, without another letter after them.
_FORM = r"(?:UN|Pa|S|O|P|R)(?![A-Za-z_])"


@dataclass(frozen=True, slots=True)
class Zero:
    """A zero pronoun, with the word that restores it."""

    place: int  # an offset in the original text, in code points
    pronoun: str
    form: str  # a key of `FORMS`; empty if the label has none
    mark: str = ""  # of a zero whose pronoun nobody has restored: ``*pro*``

    @property
    def label(self) -> str:
        """The zero as it is written: ``<他>_S``."""
        return self.mark or f"<{self.pronoun}>" + (f"_{self.form}" if self.form else "")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without its zeros, and the zeros in the order of their places."""

    text: str
    zeros: tuple[Zero, ...] = ()

    @property
    def oracle(self) -> str:
        """The text with its zeros restored.

        >>> parse_sentence("<他>_S说不来。")[0].oracle
        '他说不来。'
        """
        return self._filled([zero.pronoun for zero in self.zeros])

    @property
    def labelled(self) -> str:
        """The text with its labels, as `parse_sentence` reads it."""
        return self._filled([zero.label for zero in self.zeros])

    @property
    def pieces(self) -> list[str]:
        """The text before the first zero, between each two of them, and after the last."""
        places = [0, *(zero.place for zero in self.zeros), len(self.text)]
        return [self.text[start:end] for start, end in pairwise(places)]

    def _filled(self, words: Sequence[str]) -> str:
        return "".join(piece + word for piece, word in zip(self.pieces, [*words, ""], strict=True))


def parse_sentence(line: str) -> tuple[Sentence, list[str]]:
    """Return the sentence of a labelled line, and what is wrong with its labels.

    A zero in another notation (`NOTATIONS`) has no pronoun, but where one follows in brackets, as in ``Ø(他)``; its form is undetermined.
    What looks like such a notation stays text.

    A wrong label is read as what it must mean: ``<我>S`` and ``<我们>__S`` as subjects, an unknown one (``_Pq``) as none. What is in
    angle brackets without a label and is no pronoun stays text, such as the title of a book; so do brackets without a word.

    >>> parse_sentence("<他>_S说不来。")
    (Sentence(text='说不来。', zeros=(Zero(place=0, pronoun='他', form='S', mark=''),)), [])
    >>> parse_sentence("《<玉台新咏>研究》")[1]
    ["[label] not a zero; found '<玉台新咏>', expected a pronoun with its label, such as <他>_S"]
    """
    text, zeros, faults, end = "", [], [], 0
    for match in _tag().finditer(line):
        if match["mark"]:
            text += line[end : match.start()]
            end = match.end()
            zeros.append(Zero(len(text), match["behind"] or "", "UN", "" if match["behind"] else match["mark"]))
            continue
        if match["lookalike"]:
            faults.append(f"[label] not read as a zero; found {shown(match[0])}, expected {NOTATIONS}")
            continue
        pronoun = match["pronoun"] or match["unclosed"] or ""
        written = match["label"] or match["form"] or ""
        text += line[end : match.start()]
        end = match.end()
        form = written.lstrip("_")
        known = pronoun in translation_table().pronoun_of
        if match["bare"]:
            text += match[0]
            faults.append(f"[label] no pronoun; found {shown(match[0])}, expected a pronoun before it, such as <他>_S")
            continue
        if not pronoun.strip() or (not known and form not in FORMS):
            text += match[0]
            faults.append(
                f"[label] not a zero; found {shown(match[0])}, expected a pronoun with its label, such as <他>_S"
            )
            continue
        faults += _label_faults(match[0], pronoun, written, known=known)
        zeros.append(Zero(len(text), pronoun, form if form in FORMS else ""))
    return Sentence(text + line[end:], tuple(zeros)), faults


@cache
def _tag() -> re.Pattern[str]:
    """Return what looks like a label.

    Something in angle brackets, and the letters right after it; a known pronoun whose bracket is not closed, with its form; or a form
    without a pronoun.
    """
    pronouns = any_of(translation_table().pronoun_of)
    return re.compile(
        rf"(?P<mark>{_MARK})(?:[(（](?P<behind>{pronouns})[)）])?|(?P<lookalike>{_LOOKALIKE})"
        rf"|<(?P<pronoun>[^<>]*)>(?P<label>_[A-Za-z_]*|{_FORM})?"
        rf"|<(?P<unclosed>{pronouns})(?P<form>_+{_FORM})"
        rf"|(?<![A-Za-z0-9_])(?P<bare>_+{_FORM})"
    )


def _label_faults(tag: str, pronoun: str, written: str, *, known: bool) -> Iterator[str]:
    """Yield what is wrong with the label of a zero."""
    labels = ", ".join(f"_{name}" for name in FORMS)
    form = written.lstrip("_")
    if not written:
        yield f"[label] no form; found {shown(tag)}, expected one of {labels} after it"
    elif form not in FORMS:
        yield f"[label] unknown form; found {shown(tag)}, expected one of {labels}"
    elif tag != f"<{pronoun}>_{form}":
        yield f"[label] malformed; found {shown(tag)}, expected {shown(f'<{pronoun}>_{form}')}"
    if not known:
        yield f"[pronoun] not in the table of pronouns; found {shown(pronoun)}, expected one of rules/pronouns/zh-en.yaml"
    elif (words := words_of_form(pronoun, form)) and pronoun not in words:
        expected = " or ".join(f"<{word}>_{form}" for word in words)
        yield f"[form] form does not fit the pronoun; found {shown(tag)}, expected {expected}"
