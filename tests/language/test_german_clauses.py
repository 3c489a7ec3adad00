"""German demonstratives in the place of personal pronouns, by hand and on raw/de."""

import re

import pytest

from pipeline.core.model import Item
from pipeline.language.grammar.base import GrammarError
from pipeline.language.grammar.german_clauses import with_demonstrative
from pipeline.winograd.readers import ingest
from tests.conftest import ROOT
from tests.support.items import marked

SCHEMAS = ROOT / "raw" / "de" / "schemas.yaml"


def item(text: str, question: str = "Wer fror?") -> Item:
    """Return an item whose target stands in brackets."""
    return marked(text.translate({91: "【", 93: "】"}), question=question, candidates=("a", "b"), lang="de")


@pytest.mark.parametrize(
    ("asked", "expected", "moved"),
    [
        ("Sie weckte ihn, weil [er] fror.", "Sie weckte ihn, weil [der] fror.", False),
        ("Er weckte sie, so dass [sie] fror.", "Er weckte sie, so dass [die] fror.", False),
        ("Das Kind lief, obwohl [es] fror.", "Das Kind lief, obwohl [das] fror.", False),
        ("Sie weckte ihn, denn [er] fror.", "Sie weckte ihn, denn [der] fror.", False),
        ("Sie weckte ihn. [Er] fror.", "Sie weckte ihn. [Der] fror.", False),
        ("Sie weckte ihn; offenbar fror [er].", "Sie weckte ihn; [der] fror offenbar.", True),
        ("Sie weckte ihn. Vermutlich fror [er] dort.", "Sie weckte ihn. [Der] fror vermutlich dort.", True),
        ("Er lief. Im letzten Augenblick hatte [sie] sich versteckt.", "Er lief. [Die] hatte sich im letzten Augenblick versteckt.", True),
        ("Sie weckte ihn, doch zum Glück fror [er] nicht.", "Sie weckte ihn, doch [der] fror zum Glück nicht.", True),
        ("Sie weckte ihn, weil [er] keine Schuhe trug.", "Sie weckte ihn, weil [der] keine Schuhe trug.", False),
        ("Sie weckte ihn, weil [er] die Schuhe trug.", "Sie weckte ihn, weil [der] die Schuhe trug.", False),
        ("Sie weckte ihn, weil [er] gegen Lärm war.", "Sie weckte ihn, weil [der] gegen Lärm war.", False),
        ("Sie weckte ihn, weil [er] viel Zeit hatte.", "Sie weckte ihn, weil [der] viel Zeit hatte.", False),
    ],
)  # fmt: skip
def test_a_demonstrative_has_its_place(asked: str, expected: str, moved: bool) -> None:
    made = with_demonstrative(item(asked))
    assert made.text == expected.replace("[", "").replace("]", "")
    assert (made.span.start, made.span.end) == (expected.index("["), expected.index("]") - 1)
    assert made.moved is moved


@pytest.mark.parametrize(
    ("asked", "question", "reason"),
    [
        ("Er schob das Rad, bis [es] platzte.", "Was platzte?", "[target] 'das' may stand for the whole situation; found a"),
        ("Er schob das Rad, bis [es] platzte.", "Wer oder was platzte?", "[target] 'das' may stand for the whole situation"),
        ("Sie rief, als [er] Hunde hörte.", "Wer hörte?", "[target] 'der' would be read as an article; found 'Hunde' behind"),
        ("Sie rief, als [er] wilde Hunde hörte.", "Wer hörte?", "[target] 'der' would be read as an article; found 'wilde Hunde'"),
        ("Er rief, da [sie] acht Prozent bot.", "Wer bot?", "[target] 'die' would be read as an article; found 'acht Prozent'"),
        ("Er rief, als [sie] die Stacheln spürte.", "Wer spürte?", "[target] 'die' would stand beside itself; found 'die' behind"),
        ("Er rief sie, deshalb kam [sie] schnell.", "Wer kam?", "[target] 'die' would be read as a relative pronoun; found it"),
        ("Er rief sie, dabei fror [sie] selbst.", "Wer fror?", "[text] cannot move behind the verb; found 'dabei', expected"),
        ("Er rief. Wie immer, fror [sie].", "Wer fror?", "[text] cannot move behind the verb; found a clause, or nothing"),
        ("Er rief, weil er [sie] sah.", "Wen sah er?", "[question] no question for the subject; found 'Wen sah er?'"),
        ("Er rief [ihr] zu.", "Wem rief er zu?", "[target] no pronoun in the nominative singular; found 'ihr'"),
    ],
)  # fmt: skip
def test_no_demonstrative_is_put_where_it_would_mislead(asked: str, question: str, reason: str) -> None:
    with pytest.raises(GrammarError, match="^" + re.escape(reason)):
        with_demonstrative(item(asked, question))


def test_a_text_keeps_all_its_words() -> None:
    made, moved = 0, 0
    for entry in ingest(SCHEMAS.read_bytes(), SCHEMAS, "schema-yaml", "de").items:
        try:
            changed = with_demonstrative(entry)
        except GrammarError as error:
            assert re.fullmatch(r"\[(target|text)\] [^;]+; found .+", str(error))
            continue
        pronoun, word = entry.target.of(entry.text), changed.span.of(changed.text)
        assert word.lower() == {"er": "der", "sie": "die", "es": "das"}[pronoun.lower()]
        words = [re.findall(r"\w+", text.lower()) for text in (entry.text, changed.text)]
        words[0].remove(pronoun.lower())
        words[1].remove(word.lower())
        assert sorted(words[0]) == sorted(words[1])
        if not changed.moved:
            assert changed.text == entry.text[: entry.target.start] + word + entry.text[entry.target.end :]
        else:
            assert changed.span.start < entry.target.start
            assert changed.text[: changed.span.start] == entry.text[: changed.span.start]
        made, moved = made + 1, moved + changed.moved
    assert made > 100
    assert moved > 15
