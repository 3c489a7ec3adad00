"""wsc-xml: the English Winograd Schema Collection."""

import html
import re
from collections import Counter
from pathlib import Path

import pytest

from pipeline.core.model import IngestResult
from pipeline.winograd.readers import ingest
from pipeline.winograd.readers.draft import assemble
from pipeline.winograd.readers.wsc import read_wsc
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
