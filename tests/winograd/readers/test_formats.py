"""What every format refuses: a file of another format, and a language that is none."""

from pathlib import Path

import pytest

from pipeline.winograd.readers import READERS, ingest
from pipeline.winograd.readers.wsc import read_wsc
from tests.conftest import Refused
from tests.winograd.readers import test_cluewsc, test_pws, test_schema_yaml, test_wsc, test_xwinograd

HERE = Path("here.txt")
#: A file of each format.
FILES = {
    "pws-tsv": test_pws.table(test_pws.ROW),
    "wsc-xml": test_wsc.collection(),
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


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("given", READERS)
def test_a_file_of_another_format_is_named(name: str, given: str, refused: Refused) -> None:
    if name == given:
        assert ingest(FILES[name], HERE, given).read
    else:
        message = refused(lambda: ingest(FILES[name], HERE, given), "here.txt:1", "format")
        assert f"not {given}; this looks like {name}, expected --format {name}" in message


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("lang", ["", " "])
def test_an_empty_language_is_refused(name: str, lang: str, refused: Refused) -> None:
    refused(lambda: ingest(FILES[name], HERE, name, lang), "", "lang")


def test_a_list_without_a_schema_is_refused(refused: Refused) -> None:
    assert "no schema" in refused(lambda: ingest(b"[]\n", HERE, "schema-yaml"), "here.txt", "yaml")


def test_an_english_collection_is_not_read_as_chinese(refused: Refused) -> None:
    message = refused(lambda: read_wsc(FILES["wsc-xml"], HERE, "zh"), "here.txt:3", "text")
    assert "text without a Chinese character" in message
