"""What all formats have in common: other formats, other encodings and damage are refused or read, whatever the line ends."""

import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.winograd.readers import READERS, found_format, ingest, read_drafts
from pipeline.winograd.readers.draft import assemble
from pipeline.winograd.readers.formats import PLAIN
from pipeline.winograd.readers.wsc import read_wsc
from tests.conftest import Refused
from tests.support.hanging import stopped_when_hanging
from tests.winograd.readers import test_cluewsc, test_pws, test_schema_yaml, test_wsc, test_xwinograd

HERE = Path("here.txt")
#: Files that another format takes too.
ALIKE = [("superglue-wsc", "cluewsc-jsonl"), ("dpr-ja", "dpr")]
FUZZ = Path(__file__).parents[3] / "tools" / "fuzz"
#: A file of each format: the sample of its target of the fuzz, if there is none here.
FILES = {
    **{
        name: path.read_bytes()
        for file, name in re.findall(
            r"ingest (\S+) --format (\S+)", (FUZZ / "targets.yaml").read_text(encoding="utf-8")
        )
        if (path := FUZZ / "samples" / file).is_file()
    },
    "pws-tsv": test_pws.table(test_pws.ROW),
    "wsc-xml": test_wsc.collection(head=""),
    "xwinograd-tsv": test_xwinograd.row().encode(),
    "cluewsc-jsonl": test_cluewsc.data(test_cluewsc.row()),
    "schema-yaml": test_schema_yaml.ENTRY.encode(),
    "translation-tsv": (
        "id\tfield\tright\tsource\tmachine\treviewed\tgender\n"
        "en-1-a\ttext\t\tThe pot broke because [it] was thin.\tx\tDer Topf zerbrach, weil [er] dünn war.\t\n"
        "en-1-a\tquestion\t\tWhat was thin?\tx\tWas war dünn?\t\n"
        "en-1-a\tcandidate-1\tyes\tThe pot\tx\tDer Topf\tmasc\n"
        "en-1-a\tcandidate-2\t\tthe wall\tx\tdie Wand\tfem\n"
    ).encode(),
}


@pytest.mark.parametrize("name", sorted(READERS.keys() - {PLAIN}))
@pytest.mark.parametrize("other", sorted(READERS.keys() - {PLAIN}))
def test_a_file_of_another_format_is_named(name: str, other: str, refused: Refused) -> None:
    if name == other or (name, other) in ALIKE:
        assert ingest(FILES[name], HERE, other).read
    else:
        message = refused(lambda: ingest(FILES[name], HERE, other), "here.txt:1", "format")
        assert f"not {other}; this looks like {name}, expected --format {name}" in message


@pytest.mark.parametrize("name", READERS)
def test_the_format_is_known_by_the_content(name: str) -> None:
    assert found_format(FILES[name], HERE) == name
    assert found_format(b"\xef\xbb\xbf" + FILES[name].replace(b"\n", b"\r\n"), HERE) == name


@pytest.mark.parametrize("name", READERS)
def test_byte_order_mark_and_dos_line_ends_make_no_difference(name: str) -> None:
    data = FILES[name]
    assert read_drafts(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"), HERE, name) == read_drafts(data, HERE, name)


@pytest.mark.parametrize("name", sorted(READERS.keys() - {"wsc-xml"}))
@pytest.mark.parametrize("more", ["因为".encode("gb18030"), b"\0", b"\xff"])
def test_bytes_that_are_no_text_are_refused_at_their_line(name: str, more: bytes, refused: Refused) -> None:
    lines = FILES[name].count(b"\n")
    refused(lambda: READERS[name].read(FILES[name] + more, HERE, None), f"here.txt:{lines + 1}", "encoding")


@pytest.mark.parametrize("name", sorted(READERS.keys() - {"wsc-xml"}))
def test_utf_16_is_read_or_refused(name: str, refused: Refused) -> None:
    data = FILES[name].decode().encode("utf-16")
    try:
        assert READERS[name].read(data, HERE, None) == READERS[name].read(FILES[name], HERE, None)
    except PipelineError:
        refused(lambda: READERS[name].read(data, HERE, None), "here.txt:1", "encoding")


@given(
    st.sampled_from(sorted(READERS)),
    st.integers(0, 999),
    st.integers(0, 9),
    st.binary(max_size=4) | st.sampled_from([b"!!", b"*a"]),
)
@example("plain", 110, 0, b"\x01")  # in the code of the language
def test_damage_is_read_or_refused(name: str, place: int, cut: int, inserted: bytes) -> None:
    data = FILES[name]
    place %= len(data)
    try:
        drafts = READERS[name].read(data[:place] + inserted + data[place + cut :], HERE, None)
    except PipelineError as error:
        assert str(error).startswith("here.txt")
        assert len(str(error).splitlines()) == 1
    else:
        assert assemble(drafts).read == len(drafts)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("lang", ["", " "])
def test_an_empty_language_is_refused(name: str, lang: str, refused: Refused) -> None:
    refused(lambda: ingest(FILES[name], HERE, name, lang), "", "lang")


def test_a_list_without_a_schema_is_refused(refused: Refused) -> None:
    assert "no schema" in refused(lambda: ingest(b"[]\n", HERE, "schema-yaml"), "here.txt", "yaml")


def test_an_english_collection_is_not_read_as_chinese(refused: Refused) -> None:
    message = refused(lambda: read_wsc(FILES["wsc-xml"], HERE, "zh"), "here.txt:2", "text")
    assert "text without a Chinese character" in message


@pytest.mark.parametrize("name", ["winobias", "pdp-text", PLAIN])
@pytest.mark.parametrize(
    "data",
    [
        f"1{' ' * 2_400}{'[' * 2_500}",
        f"1 [the {' ' * 3_000}",
        "1. a" + "\n" * 30_000,
        f"text\tcandidates\tanswer\n[he] [{'/' * 30_000}\ta{' ' * 30_000}b\ta\n",
    ],
)
def test_long_runs_of_a_mark_are_read_or_refused(name: str, data: str) -> None:
    with stopped_when_hanging():
        with suppress(PipelineError):
            found_format(data.encode(), HERE)
        with suppress(PipelineError):
            ingest(data.encode(), HERE, name, "en")
