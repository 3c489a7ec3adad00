"""Files made to exhaust a reader, and values that no consumer can hold: one line says what is wrong, at once."""

import io
import struct
import zipfile
from pathlib import Path

import pytest

from pipeline.core import archives
from pipeline.core.archives import archived_files
from pipeline.core.errors import PipelineError
from pipeline.core.files import parse_jsonl
from pipeline.core.yamlfile import MAX_DEPTH, MAX_LENGTH, parse_yaml
from tests.conftest import Refused

HERE = Path("here.yaml")


@pytest.mark.parametrize(
    "number", [f"0x{'f' * 4000}", "1" + "0" * 30, "1e999", "-.inf", ".nan", "9" * 5000, "0o" + "7" * 4000]
)
def test_yaml_takes_no_number_that_a_message_could_not_print(number: str, refused: Refused) -> None:
    refused(lambda: parse_yaml(f"- id: a\n- id: {number}\n", HERE), "here.yaml:2", "yaml")


@pytest.mark.parametrize("number", ["1e999", "-1e999", "1" + "0" * 30, "9223372036854775808", "9" * 5000])
@pytest.mark.parametrize("line", ["%s", '{"a": %s}', '{"a": [{"b": %s}]}'])
def test_json_takes_no_number_that_a_table_could_not_hold(number: str, line: str, refused: Refused) -> None:
    text = '{"a": 1}\n' + line % number
    assert "expected" in refused(lambda: list(parse_jsonl(text, HERE)), "here.yaml:2", "json")


@pytest.mark.parametrize("number", ["9223372036854775807", "-9223372036854775808", "1e300", "1e-999", "0.5", '"1e999"'])
def test_json_takes_other_numbers(number: str) -> None:
    assert len(list(parse_jsonl(f'{{"a": {number}}}', HERE))) == 1


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_yaml_ends_at_a_depth(opening: str, refused: Refused) -> None:
    message = refused(lambda: parse_yaml(opening * 100_000, HERE), "here.yaml:1", "yaml")
    assert f"at most {MAX_DEPTH} levels" in message


def test_yaml_of_our_depth_is_read() -> None:
    assert parse_yaml("[" * 40 + "1" + "]" * 40, HERE)


def test_yaml_ends_at_a_length(refused: Refused) -> None:
    message = refused(lambda: parse_yaml("a" * (MAX_LENGTH + 1), HERE), "here.yaml", "yaml")
    assert f"found {MAX_LENGTH + 1} characters, expected at most {MAX_LENGTH}" in message


def packed(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return sink.getvalue()


def test_an_archive_of_many_bytes_is_refused(tmp_path: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(packed({"a.tsv": b"0123456789" * 10}))
    assert archived_files(path)
    monkeypatch.setattr(archives, "MAX_SIZE", 99)
    message = refused(lambda: archived_files(path), str(path), "zip")
    assert "found 100 bytes, expected at most 99" in message
    assert archived_files(path, (".txt",)) == {}


def test_an_archive_that_packs_too_well_is_refused(tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(packed({"a.tsv": bytes(1 << 21)}))
    assert "expected at most 250 times as many" in refused(lambda: archived_files(path), str(path), "zip")


def test_an_archive_of_many_members_is_refused(
    tmp_path: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(packed({f"{number}.txt": b"" for number in range(4)}))
    monkeypatch.setattr(archives, "MAX_MEMBERS", 3)
    message = refused(lambda: archived_files(path, (".tsv",)), str(path), "zip")
    assert "found 4, expected at most 3" in message


def test_an_archive_with_a_name_twice_is_refused(tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(packed({"a.tsv": b"1", "b.tsv": b"2"}).replace(b"b.tsv", b"a.tsv"))
    assert "found 'a.tsv' 2 times" in refused(lambda: archived_files(path), str(path), "zip")


def test_an_archive_that_understates_its_size_is_damaged(tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "a.zip"
    data = bytearray(packed({"a.tsv": bytes(1 << 21)}))
    directory = data.rfind(b"PK\1\2")
    for place in (22, directory + 24):  # the unpacked size, in the header of the entry and in the directory
        struct.pack_into("<I", data, place, 10)
    path.write_bytes(data)
    refused(lambda: archived_files(path), str(path), "zip")


def test_an_archive_of_another_method_is_refused(tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(packed({"a.tsv": b"text"}, zipfile.ZIP_LZMA))
    refused(lambda: archived_files(path), str(path), "zip")


def test_a_lack_of_memory_is_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Refused) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(packed({"a.tsv": b"text"}))

    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(archives, "_read", fail)
    refused(lambda: archived_files(path), str(path), "zip")


def test_one_object_a_line_is_json_lines_even_if_it_is_wrong() -> None:
    with pytest.raises(PipelineError, match="duplicate key 'a'"):
        list(parse_jsonl('{"a": 1, "a": 2}\n', HERE))
