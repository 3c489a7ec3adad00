"""Tokens are found in their text, or the first that is not is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.alignment import align
from pipeline.core.model import Span

BLANKS = st.text(" \t\u3000\u00a0\n", max_size=2)
TOKEN = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=5)


@st.composite
def spaced(draw: st.DrawFn) -> tuple[list[str], str]:
    """Draw tokens and a text made of them, with blanks or none between them."""
    tokens = draw(st.lists(TOKEN, max_size=8))
    gaps = draw(st.lists(BLANKS, min_size=len(tokens) + 1, max_size=len(tokens) + 1))
    return tokens, gaps[0] + "".join(token + gap for token, gap in zip(tokens, gaps[1:], strict=True))


@given(spaced())
def test_every_token_is_found_where_it_stands(case: tuple[list[str], str]) -> None:
    tokens, text = case
    spans = align(tokens, text)
    assert [span.of(text) for span in spans] == tokens
    covered = [at for span in spans for at in range(span.start, span.end)]
    assert covered == [at for at, character in enumerate(text) if not character.isspace()]


@given(spaced(), spaced())
def test_tokens_align_only_with_their_own_text(case: tuple[list[str], str], other: tuple[list[str], str]) -> None:
    tokens, text = case[0], other[1]
    if "".join(tokens) == "".join(text.split()):
        assert len(align(tokens, text)) == len(tokens)
    else:
        with pytest.raises(ValueError, match=r"found .*, expected "):
            align(tokens, text)


@pytest.mark.parametrize(
    ("tokens", "text", "message"),
    [
        (["他", "来了"], "他走了", "found '走了', expected '来了'"),
        (["他"], "他走了", "found '走了', expected its end"),
        (["他", "走", "了", "。"], "他走了", "found '', expected '。'"),
        ([], "他", "found '他', expected its end"),
        (["他", ""], "他走了", "found '走了', expected ''"),
        (["a b"], "a  b", "found 'a  b', expected 'a b'"),
    ],
)
def test_the_message_says_where_text_and_tokens_part(tokens: list[str], text: str, message: str) -> None:
    with pytest.raises(ValueError, match="found") as error:
        align(tokens, text)
    assert str(error.value) == message


def test_a_matcher_decides_what_a_token_stands_for() -> None:
    def any_word(token: str, text: str, start: int) -> int | None:
        return start + 3 if token == "?" and text[start:] else None

    assert align(["?", "?"], "one two", any_word) == [Span(0, 3), Span(4, 7)]
