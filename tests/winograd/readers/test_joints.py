"""Where a pronoun follows, and is followed, with a blank or without one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.language.questions import languages, question_table
from pipeline.winograd.readers.wsc import joined

#: Before, pronoun and after as the markup has them, by language, with what is read.
JOINTS = {
    "en": [
        ("because", "it", "'s new", "because [it]'s new"),
        ("because", "it", "'Oh'", "because [it] 'Oh'"),
        ("because", "it", '"Oh"', 'because [it] "Oh"'),
        ("because ", " it ", " 'd been", "because [it]'d been"),
        ("because", "he", "“left”", "because [he] “left”"),
        ("said “", "he", "”", "said “[he]”"),
        ('said: "', "He", 'left."', 'said: "[He] left."'),
        ('called "', "he", '" alone', 'called "[he]" alone'),
        ('went "home" and', "he", '"slept"', 'went "home" and [he] "slept"'),
        ("a word—", "he", "—again", "a word—[he]—again"),
        ("a word --", "he", "-- again", "a word -- [he] -- again"),
        ("a word –", "he", "– again", "a word – [he] – again"),
        ("the cat (", "it", ") ran", "the cat ([it]) ran"),
        ("the dogs'", "they", "(both)", "the dogs' [they] (both)"),
        ("", "He", "left", "[He] left"),
        ("because", "he", "$5", "because [he] $5"),
        ("for", "them", "...", "for [them]..."),
        ("she sold", "it", "/ gave", "she sold [it] / gave"),
    ],
    "fr": [
        ("parce qu'", "il", "avait", "parce qu'[il] avait"),
        ("parce qu’ ", " il ", " avait", "parce qu’[il] avait"),
        ("Lorsqu'", "elle", ", puis", "Lorsqu'[elle], puis"),
        ("puis", "l'", "a payé", "puis [l']a payé"),
        ("Marie a-t-", "elle", "fini ?", "Marie a-t-[elle] fini ?"),
        ("Marie a", "-t-elle", "fini", "Marie a-t-[elle] fini"),
        ("Marie dit", "-il", "hier", "Marie dit-[il] hier"),
        ("pour", "lui", "-même", "pour [lui]-même"),
        ("dit : « ", "il ", " » hier", "dit : « [il] » hier"),
        ("dit : «", "il", "» hier", "dit : «[il]» hier"),
        ("aujourd'hui", "il", " ; puis", "aujourd'hui [il] ; puis"),
        ("s'", "ils", "viennent", "s'[ils] viennent"),
        ("il dit 'oui'", "il", "part", "il dit 'oui' [il] part"),
    ],
    "it": [
        ("perché Anna", "l'", "ha letto", "perché Anna [l']ha letto"),
        ("dov'", "essa", "era", "dov'[essa] era"),
        ("un po'", "lui", "rise", "un po' [lui] rise"),
        ("volle veder", "lo", "subito", "volle veder[lo] subito"),
        ("correndo", "lo", "vide", "correndo [lo] vide"),
    ],
    "es": [
        ("¿", "Él", "vino?", "¿[Él] vino?"),
        ("dijo: ¡", "ella", "!", "dijo: ¡[ella]!"),
        ("preguntó", "él", "¿cuándo?", "preguntó [él] ¿cuándo?"),
        ("está comprándo", "lo", "ahora", "está comprándo[lo] ahora"),
        ("al llegar ", "lo", "vio", "al llegar [lo] vio"),
        ("al llegar", "él", "salió", "al llegar [él] salió"),
    ],
    "pt": [("vê-", "lo", "de novo", "vê-[lo] de novo"), ("d'", "ele", ", não", "d'[ele], não")],
    "he": [
        ("כי", "הוא", "גדול", "כי [הוא] גדול"),
        ("משום ש", "הוא", "גדול", "משום ש[הוא] גדול"),
        ("כש", "היא", "באה", "כש[היא] באה"),
        ("של", "הוא", "גדול", "של [הוא] גדול"),
    ],
    "de": [
        ("„", "er", "“ kam", "„[er]“ kam"),
        ("weil »", "er", "« kam", "weil »[er]« kam"),
        ("weil", "er", "„ja“", "weil [er] „ja“"),
    ],
    "zh": [
        ("小王来了，因为 ", " 他 ", " 没带伞。", "小王来了，因为[他]没带伞。"),
        ("Tom来了，因为", "他", "用iPad", "Tom来了，因为[他]用iPad"),
        ("因为Tom", "他", "OK", "因为Tom[他]OK"),
    ],
    "ja": [("健が来た。", "彼", "は笑った。", "健が来た。[彼]は笑った。")],
    "ru": [("потому что", "он", ", увы, пьян", "потому что [он], увы, пьян")],
}


@pytest.mark.parametrize(
    ("lang", "parts", "expected"), [(lang, row[:3], row[3]) for lang, rows in JOINTS.items() for row in rows]
)
def test_a_blank_stands_where_the_language_has_one(lang: str, parts: tuple[str, str, str], expected: str) -> None:
    text, span = joined(parts, question_table(lang))
    assert f"{text[: span.start]}[{span.of(text)}]{text[span.end :]}" == expected


def test_markup_with_white_space_beside_pronouns_shows_where_a_clitic_is_part_of_a_verb() -> None:
    spanish = question_table("es")
    assert joined(("quiso comprar", "lo", " ayer"), spanish, spaced=True)[0] == "quiso comprarlo ayer"
    assert joined(("al llegar ", "lo", " vio"), spanish, spaced=True)[0] == "al llegar lo vio"
    assert joined(("quiso comprar", "él", " ayer"), spanish, spaced=True)[0] == "quiso comprar él ayer"


PART = st.text("ab.,' \"«»“”„-—(?¿\n\tqu他ש", max_size=8)


@given(PART, st.text("abelש他'", min_size=1, max_size=4), PART, st.sampled_from(languages()))
def test_no_letter_is_lost_and_no_blank_is_doubled(before: str, pronoun: str, after: str, lang: str) -> None:
    text, span = joined((before, pronoun, after), question_table(lang))
    assert "".join(text.split()) == "".join((before + pronoun + after).split())
    assert span.of(text) == pronoun
    assert text == " ".join(text.split())
