"""wsc-xml: the English Winograd Schema Collection."""

import html
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.model import IngestResult
from pipeline.language.questions import languages, question_table
from pipeline.winograd.readers import ingest
from pipeline.winograd.readers.draft import assemble
from pipeline.winograd.readers.wsc import joined, read_wsc
from tests.conftest import Refused

HERE = Path("wsc.xml")
PRONOUNS = {"he", "him", "his", "she", "her", "it", "they", "them"}
SCHEMA = """<schema>
<text><txt1>
The kettle fell on the cup because</txt1>
<pron> it </pron>
<txt2> was too heavy.
</txt2></text>
<quote><quote1></quote1><pron>it </pron><quote2>was too heavy</quote2></quote>
<answers><answer>The kettle </answer><answer>the cup</answer></answers>
<correctAnswer> A.  </correctAnswer>
<source> (us) </source>
</schema>
"""


def collection(body: str = SCHEMA, head: str = '<?xml version="1.0" encoding="ISO-8859-1"?>\n') -> bytes:
    return f"{head}<collection>\n{body}</collection>".encode()


# --- the real file ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def corpus(shared_data: Path) -> Path:
    return shared_data / "wsc" / "WSCollection.xml"


@pytest.fixture(scope="module")
def result(corpus: Path) -> IngestResult:
    return ingest(corpus.read_bytes(), corpus, "wsc-xml")


def test_all_items_are_whole(result: IngestResult) -> None:
    assert len(result.items) == 285
    assert result.skipped == ()
    assert {item.target.of(item.text).lower() for item in result.items} == PRONOUNS
    assert {item.lang for item in result.items} == {"en"}


def test_items_agree_with_the_file(result: IngestResult, corpus: Path) -> None:
    """Read a second time, with regular expressions instead of a parser."""

    def plain(markup: str) -> str:
        return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", markup)).split())

    def element(name: str, block: str) -> str:
        match = re.search(rf"<{name}>(.*?)</{name}>", block, re.DOTALL)
        assert match is not None
        return match[1]

    blocks = re.findall(r"<schema>(.*?)</schema>", corpus.read_text(encoding="latin-1"), re.DOTALL)
    assert len(blocks) == 285
    for block, item in zip(blocks, result.items, strict=True):
        text = element("text", block)
        assert re.sub(r"\s", "", item.text) == re.sub(r"\s", "", plain(text))
        assert item.target.of(item.text) == plain(element("pron", text))
        assert item.candidates == tuple(map(plain, re.findall(r"<answer>(.*?)</answer>", block, re.DOTALL)))
        letter = plain(element("correctAnswer", block))[0]
        assert item.answer == {"A": 0, "B": 1}[letter]


def test_schemas_are_pairs_but_for_a_triple(result: IngestResult) -> None:
    members = Counter(item.schema for item in result.items)
    assert Counter(members.values()) == {2: 141, 3: 1}
    places = {item.id: item.source.split(",")[0].removeprefix("WSC ") for item in result.items}
    # Both ducks, wing and book, Ovid and Goethe by other names; the third George and Eric. All others keep their numbers.
    pairs = {"wsc-087": ("173", "174"), "wsc-135": ("266", "267"), "wsc-140": ("274", "275"), "wsc-142": ("276", "277")}
    for schema, expected in pairs.items():
        assert (places[f"{schema}-a"], places[f"{schema}-b"]) == expected
    assert [places[f"wsc-128-{version}"] for version in "abc"] == ["253", "254", "255"]
    assert sorted({f"wsc-{number:03}" for number in range(1, 148)} - set(members)) == [
        *("wsc-088", "wsc-129", "wsc-136", "wsc-141", "wsc-143")
    ]


# --- our own files ----------------------------------------------------------------------------------------------------


def test_a_schema_becomes_a_draft() -> None:
    (draft,) = read_wsc(collection(), HERE, None)
    assert draft.text == "The kettle fell on the cup because it was too heavy."
    assert draft.target is not None
    assert (draft.target.start, draft.target.end) == (35, 37)
    assert (draft.id, draft.schema, draft.version, draft.lang) == ("wsc-001-a", "wsc-001", "a", "en")
    assert (draft.candidates, draft.gold) == (("The kettle", "the cup"), "The kettle")
    assert (draft.question, draft.source) == ("it was too heavy", "WSC 1, (us)")
    assert assemble([draft]).items[0].answer == 0


@pytest.mark.parametrize(
    ("cell", "gold"),
    [
        (" A.  ", "The kettle"),
        ("B", "the cup"),
        (" B\n", "the cup"),
        ("C", None),
        ("", None),
        ("a", None),
        ("A.B", None),
        ("A..", None),
        ("Ä", None),
    ],
)
def test_the_right_answer_is_a_letter(cell: str, gold: str | None) -> None:
    (draft,) = read_wsc(collection(SCHEMA.replace(" A.  ", cell), head=""), HERE, None)
    assert draft.gold == gold


def test_declared_encodings_are_kept_to() -> None:
    body = SCHEMA.replace("kettle", "théière")
    latin = f'<?xml version="1.0" encoding="ISO-8859-1"?><collection>{body}</collection>'.encode("latin-1")
    utf16 = f'<?xml version="1.0" encoding="UTF-16"?><collection>{body}</collection>'.encode("utf-16")
    bare = f"<collection>{body}</collection>".encode()
    for data in (latin, utf16, bare, b"\xef\xbb\xbf" + bare):
        (draft,) = read_wsc(data, HERE, None)
        assert draft.candidates[0] == "The théière"


def test_lacking_elements_are_defects() -> None:
    lacking = SCHEMA.replace("<correctAnswer> A.  </correctAnswer>", "")
    (skipped,) = assemble(read_wsc(collection(lacking), HERE, None)).skipped
    assert [finding.message for finding in skipped.findings] == ["the source gives no right answer"]
    (skipped,) = assemble(read_wsc(collection("<schema/>"), HERE, None)).skipped
    assert "fewer than two candidates; found none" in {finding.message for finding in skipped.findings}


LAUGHS = '<!DOCTYPE collection [<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b"", "wsc.xml:1"),
        (b"\n\n", "wsc.xml:3"),
        (b"no xml", "wsc.xml:1"),
        (b"<collection>\n<schema>\n</collection>", "wsc.xml:3"),
        (b"<collection>\n</collection>\n<collection/>", "wsc.xml:3"),
        (b"<collection>\n\n&nbsp;</collection>", "wsc.xml:3"),
        (b"<collection>\n\0</collection>", "wsc.xml:2"),
        (b"<collection>\n&#0;</collection>", "wsc.xml:2"),
        (b"<collection>\n\xff</collection>", "wsc.xml:2"),
        (collection(head='<?xml version="1.0" encoding="UTF-8"?>\n').replace(b"kettle", b"th\xe9i\xe8re"), "wsc.xml:5"),
        (collection(head='<?xml version="1.0" encoding="UTF-16"?>'), "wsc.xml:1"),
        (collection(head='<?xml version="1.0" encoding="GB18030"?>'), "wsc.xml:1"),
        (collection(head='<?xml version="1.0" encoding="no-such-code"?>'), "wsc.xml:1"),
        (collection(head='<?xml version="1.0" encoding="rot13"?>'), "wsc.xml:1"),
        (collection(head="\n<!DOCTYPE collection>\n"), "wsc.xml:2"),
        (collection(head='<!DOCTYPE collection SYSTEM "http://127.0.0.1:9/x.dtd">\n'), "wsc.xml:1"),
        (collection("<schema>&x;</schema>", '<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n'), "wsc.xml:1"),
        (collection("<schema>&i;</schema>", f"{LAUGHS}]>\n"), "wsc.xml:1"),
        (collection("<schema>&x;</schema>", "<!DOCTYPE c [<!ENTITY % x '<!ENTITY y \"\">'> %x;]>\n"), "wsc.xml:1"),
        (b"<schemas/>", "wsc.xml"),
    ],
)
def test_broken_or_dangerous_xml_is_refused(refused: Refused, data: bytes, where: str) -> None:
    refused(lambda: read_wsc(data, HERE, None), where, "xml")


def test_a_collection_without_a_schema_is_refused(refused: Refused) -> None:
    refused(lambda: read_wsc(b"<collection/>", HERE, None), "wsc.xml", "schema")


def test_deep_nesting_and_huge_lines_are_read() -> None:
    deep = SCHEMA + "<x>" * 20_000 + "</x>" * 20_000
    assert len(read_wsc(collection(deep), HERE, None)) == 1
    huge = SCHEMA.replace("The kettle fell", "The kettle " + "really " * 200_000 + "fell")
    (draft,) = read_wsc(collection(huge), HERE, None)
    assert draft.target is not None
    assert draft.target.of(draft.text) == "it"


# --- joints -----------------------------------------------------------------------------------------------------------


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
