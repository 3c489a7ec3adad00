"""The effort of a form grows with the length of a text, not with its square."""

from dataclasses import replace

import pytest

from pipeline.core.model import Item, Span
from pipeline.winograd.forms import FORMS, FormOptions
from tests.support.effort import operations
from tests.support.items import marked

#: Sentences of the short text; the long one has four times as many.
_SENTENCES = 12
_ITEMS = {
    "people": marked("李军见王芳走了，余老板说【他】错了。", candidates=("李军", "余老板"), question="谁错了？"),
    "things": marked("箱子压在箱子盖上，所以【它】坏了。", candidates=("箱子", "箱子盖"), question="什么坏了？"),
    "english": marked(
        "Dr. Ann Smith called Bob Jones, because 【she】 was late. ",
        lang="en", candidates=("Ann Smith", "Bob Jones"), question="Who was late?",
    ),
}  # fmt: skip


def long(item: Item, sentences: int) -> Item:
    """Return the item after `sentences` copies of its text."""
    start = sentences * len(item.text)
    text = item.text * (sentences + 1)
    return replace(item, text=text.strip(), target=Span(item.target.start + start, item.target.end + start))


@pytest.mark.parametrize("name", _ITEMS)
@pytest.mark.parametrize("form", FORMS)
def test_a_text_of_four_times_the_length_takes_four_times_the_effort(form: str, name: str) -> None:
    item = _ITEMS[name]
    options = FormOptions()
    make = FORMS[form].make
    short, long_text = ([long(item, sentences)] for sentences in (_SENTENCES, 4 * _SENTENCES))
    make([long(item, 1)], options)  # loads dictionaries and tables
    efforts = [operations(lambda items=items: make(items, options)) for items in (short, long_text)]
    assert efforts[1] <= 4 * efforts[0]
