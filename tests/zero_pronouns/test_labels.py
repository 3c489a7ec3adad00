"""Labels of zeros: what is read is written, and wrong labels are reported and read as what they must mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.zero_pronouns.labels import FORMS, Sentence, Zero, parse_sentence, translation_table

TEXTS = st.text(st.characters(exclude_characters="<>*[∅Ø", codec="utf-8"), max_size=12)


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    """Return sentences whose text begins with no letter after a zero without a form, so that it is no part of a label."""
    pieces = draw(st.lists(TEXTS.map(lambda text: f"，{text}"), min_size=1, max_size=5))
    zeros, place = [], 0
    for piece in pieces[:-1]:
        place += len(piece)
        pronoun = draw(st.sampled_from(sorted(translation_table().pronoun_of)))
        zeros.append(Zero(place, pronoun, draw(st.sampled_from([*FORMS, ""]))))
    return Sentence("".join(pieces), tuple(zeros))


@given(sentences())
def test_what_is_written_is_read(sentence: Sentence) -> None:
    assert parse_sentence(sentence.labelled)[0] == sentence


def without_zeros(sentence: Sentence) -> str:
    """Return the oracle of a sentence without its pronouns, from the last to the first."""
    oracle = sentence.oracle
    for number, zero in reversed([*enumerate(sentence.zeros)]):
        place = zero.place + sum(len(before.pronoun) for before in sentence.zeros[:number])
        assert oracle.startswith(zero.pronoun, place)
        oracle = oracle[:place] + oracle[place + len(zero.pronoun) :]
    return oracle


@given(sentences())
def test_without_its_zeros_the_oracle_is_the_original(sentence: Sentence) -> None:
    assert without_zeros(sentence) == sentence.text


@given(st.text(st.sampled_from("<>_SOPaRUNx他我自己的，"), max_size=30))
def test_any_line_is_read_without_loss(line: str) -> None:
    sentence, faults = parse_sentence(line)
    again, _ = parse_sentence(sentence.labelled)
    assert again == sentence
    if not faults:
        assert sentence.labelled == line


def test_a_sentence_with_two_zeros_in_one_place() -> None:
    line = "因为<他>_S<我的>_Pa书"
    sentence, faults = parse_sentence(line)
    assert faults == []
    assert sentence == Sentence("因为书", (Zero(2, "他", "S"), Zero(2, "我的", "Pa")))
    assert (sentence.oracle, sentence.labelled) == ("因为他我的书", line)


@pytest.mark.parametrize(
    ("line", "zeros", "reason"),
    [
        ("<我>S走", [("我", "S")], "[label] malformed; found '<我>S', expected '<我>_S'"),
        ("<我们>__S走", [("我们", "S")], "[label] malformed"),
        ("<我们的>_Pq书", [("我们的", "")], "[label] unknown form; found '<我们的>_Pq'"),
        ("<他>走", [("他", "")], "[label] no form; found '<他>'"),
        ("<他>_走", [("他", "")], "[label] unknown form; found '<他>_'"),
        ("<这>_UN走", [("这", "UN")], "[pronoun] not in the table of pronouns; found '这'"),
        ("《<诗>研究》", [], "[label] not a zero; found '<诗>'"),
        ("<>_UN走", [], "[label] not a zero; found '<>_UN', expected a pronoun with its label"),
        ("< >_S走", [], "[label] not a zero; found '< >_S'"),
        ("<他>Sam", [("他", "")], "[label] no form"),
        ("<它的_Pa耳朵", [("它的", "Pa")], "[label] malformed; found '<它的_Pa', expected '<它的>_Pa'"),
        ("，_S走", [], "[label] no pronoun; found '_S'"),
        (
            "<他>_Pa书",
            [("他", "Pa")],
            "[form] form does not fit the pronoun; found '<他>_Pa', expected <他的>_Pa or <他自己的>_Pa",
        ),
        ("<你的>_S走", [("你的", "S")], "[form] form does not fit the pronoun; found '<你的>_S', expected <你>_S"),
        ("<他>_R来", [("他", "R")], "[form] form does not fit the pronoun; found '<他>_R', expected <他自己>_R"),
        (
            "<我自己>_S来",
            [("我自己", "S")],
            "[form] form does not fit the pronoun; found '<我自己>_S', expected <我>_S",
        ),
        (
            "<他自己的>_R来",
            [("他自己的", "R")],
            "[form] form does not fit the pronoun; found '<他自己的>_R', expected <他自己>_R",
        ),
    ],
)
def test_a_wrong_label_is_reported(line: str, zeros: list[tuple[str, str]], reason: str) -> None:
    sentence, faults = parse_sentence(line)
    assert [(zero.pronoun, zero.form) for zero in sentence.zeros] == zeros
    assert len(faults) == 1
    assert faults[0].startswith(reason)


def test_the_table_has_the_translations_of_table_10_corrected_and_no_others() -> None:
    words = {
        ("我", "S"): "i",
        ("我自己", "R"): "myself",
        ("它", "O"): "it",
        ("你们的", "P"): "yours",
        ("我们的", "Pa"): "our",
    }
    none = dict.fromkeys([("这", "S"), ("我", "UN"), ("我", "")])
    for (pronoun, form), word in (words | none).items():
        assert translation_table().translation(pronoun, form) == word


@pytest.mark.parametrize(
    ("line", "text", "marks"),
    [
        ("*pro*说不来。", "说不来。", ["*pro*"]),
        ("因为*PRO*-12书，\\*pro\\*没了", "因为书，没了", ["*PRO*-12", "\\*pro\\*"]),
        ("∅走了，Ø来了[zero]。", "走了，来了。", ["∅", "Ø", "[zero]"]),
        ("Ødegaard买Ø20的管子，*产品*和[zeros]", "Ødegaard买Ø20的管子，*产品*和[zeros]", []),
        ("<他>_S说∅不来", "说不来", ["<他>_S", "∅"]),
    ],
)
def test_other_notations_of_zeros(line: str, text: str, marks: list[str]) -> None:
    sentence, faults = parse_sentence(line)
    assert (sentence.text, [zero.label for zero in sentence.zeros], faults) == (text, marks, [])
    assert sentence.labelled == line
    assert "*" not in sentence.oracle or not marks
