"""Text files: atomic writes, JSON Lines. Readers report errors with their line."""

import codecs
import errno
import functools
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn, TextIO, TypeVar

from .errors import MAX_SHOWN, PipelineError, shown
from .hints import document_fault, encoding_hint, folder_hint, near_name
from .outputs import is_stdin, write_bytes

Key = TypeVar("Key")
_SURROGATE = re.compile("[\ud800-\udfff]")
#: What a number out of range looks like; it may stand in a text too.
_EXTREME = re.compile(r"\d{19}|\d[eE]\+?\d\d")


def read_bytes(path: Path) -> bytes:
    """Return the content of `path`, ``-`` being standard input; raises `PipelineError` if it cannot be read."""
    try:
        return _standard_input(sys.stdin) if is_stdin(path) else path.read_bytes()
    except IsADirectoryError as error:
        raise PipelineError(path, None, f"[file] a folder; {folder_hint(path)}") from error
    except OSError as error:
        reason = f"[file] cannot be read; {error.strerror or error}{near_name(path)}"
        raise PipelineError(path, None, reason) from error


@functools.lru_cache(maxsize=1)
def _standard_input(stream: TextIO | None) -> bytes:
    """Return all of standard input; the cache gives it again to a command that reads a file twice."""
    if stream is None:
        raise OSError(errno.EBADF, "standard input is closed")
    return stream.buffer.read()


def decode(data: bytes, path: Path) -> str:
    """Return `data` as text, without a byte order mark.

    Raises:
        PipelineError: with the line of the first byte that is not UTF-8, or of the first NUL.
    """
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        offset = error.start + len(data) - len(error.object)
        reason = f"[encoding] not UTF-8; found byte 0x{data[offset]:02x} at offset {offset}, expected UTF-8 text"
        cut = error.reason == "unexpected end of data"
        hint = "; the file ends in the middle of a character: is it complete?" if cut else encoding_hint(data)
        raise PipelineError(path, line, f"{reason}{hint}") from error
    if (nul := text.find("\0")) >= 0:
        reason = f"[encoding] not a text file; found a NUL, expected UTF-8 text{encoding_hint(data)}"
        raise PipelineError(path, text.count("\n", 0, nul) + 1, reason)
    return text


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file; see `read_bytes` and `decode` for its errors."""
    return decode(read_bytes(path), path)


def write_text(path: Path, text: str) -> None:
    r"""Write `text` as UTF-8 with ``\n`` line ends, atomically (see `write_bytes`).

    Raises:
        PipelineError: the text has half a character, as the name of a file has that is not UTF-8; or see `write_bytes`.
    """
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        reason = f"{half_character(text)}; is it from a file name that is not UTF-8? Rename that file"
        raise PipelineError(path, None, f"[encoding] cannot be written; {reason}") from error
    write_bytes(path, data)


def lines_of(text: str) -> list[str]:
    r"""Return the lines of a text, split at line feeds only: a line separator (U+2028) stays inside its line.

    >>> lines_of("a\r\nb\u2028c\n")
    ['a', 'b\u2028c']
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def to_json(value: object) -> str:
    """Return JSON on one line: keys in the given order, text unescaped, no NaN."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def json_lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return rows as JSON Lines."""
    return "".join(f"{to_json(row)}\n" for row in rows).encode()


def number_in_range(value: float, written: str) -> float:
    """Return a number that every consumer can hold: finite, and below 2^63 if it is whole, as Parquet and other languages need it.

    Args:
        written: as the file has it, for the message.
    """
    if not (-(2**63) <= value < 2**63 if isinstance(value, int) else isfinite(value)):
        reason = f"found {written[:MAX_SHOWN]}, expected a finite number, and a whole one below 2^63"
        raise ValueError(f"number out of range; {reason}")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"duplicate key {shown(next(key for key in keys if keys.count(key) > 1))}")
    return value


def half_character(text: str) -> str | None:
    r"""Return the reason why a text cannot be written: it holds half a character (from an escape like ``\ud800``).

    >>> half_character("\ud83d alone"), half_character("\U0001f600")
    ('half of a surrogate pair; found U+D83D', None)
    """
    match = _SURROGATE.search(text)
    return f"half of a surrogate pair; found U+{ord(match[0]):04X}" if match else None


class UnreadableValue:
    """A value of other people's JSON that no reader may use: NaN, a number out of range, or a key that occurs twice in its object.

    It has no type of JSON, so that `convert` and `field_of` refuse the field that holds it, with these words, where they read it.
    """

    def __init__(self, words: str) -> None:
        self._words = words

    def __repr__(self) -> str:
        return self._words

    def __str__(self) -> str:
        return self._words


def from_json(text: str, *, foreign: bool = False) -> Any:
    """Return the value of a JSON text.

    Args:
        foreign: whether other people's programs wrote it, who may write what strict JSON has not. Each such value is then an
            `UnreadableValue`, so that it refuses only the field that is read, and half a character is U+FFFD.

    Raises:
        ValueError: the text is not strict JSON, has a duplicate key, half a character or a number out of range, or is nested too
            deeply.
    """
    if foreign:
        return _foreign_json(text)
    ranges: dict[str, Any] = {}
    if _EXTREME.search(text):  # these functions take time
        ranges = {
            "parse_int": lambda written: number_in_range(int(written), written),
            "parse_float": lambda written: number_in_range(float(written), written),
        }
    try:
        value = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique_keys, **ranges)
        half = half_character(json.dumps(value, ensure_ascii=False)) if "\\u" in text else None
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if half:
        raise ValueError(half)
    return value


def _foreign_json(text: str) -> Any:
    def number(written: str) -> object:
        value = float(written) if set(written) & set(".eE") else int(written) if len(written) < 25 else 2**63
        try:
            return number_in_range(value, written)
        except ValueError:
            return UnreadableValue(written[:MAX_SHOWN])

    def fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value: dict[str, Any] = {}
        for key, part in pairs:
            value[key] = UnreadableValue(f"{shown(key)} twice") if key in value else part
        return value

    try:
        value = json.loads(
            text,
            strict=False,
            parse_constant=UnreadableValue,
            parse_int=number,
            parse_float=number,
            object_pairs_hook=fields,
        )
        return _whole_characters(value) if "\\u" in text else value
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _whole_characters(value: Any) -> Any:
    """Return a JSON value with U+FFFD in place of each half of a character, such as a model's last token may leave."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return list(map(_whole_characters, value))
    if isinstance(value, dict):
        return {_whole_characters(key): _whole_characters(part) for key, part in value.items()}
    return value


def parse_jsonl(text: str, path: Path, *, foreign: bool = False) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number, object) for each line of JSON Lines; blank lines are skipped.

    Args:
        foreign: whether other people's programs wrote it; see `from_json`.

    Raises:
        PipelineError: with the first line that is not a JSON object.
    """
    for number, line in enumerate(lines_of(text), 1):
        if not line.strip():
            continue
        try:
            value = from_json(line, foreign=foreign)
        except ValueError as error:
            problem = f"{error.msg}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else error
            reason = f"[json] not JSON ({problem}); found {shown(line)}, expected one object a line"
            raise PipelineError(path, number, document_fault(text) or reason) from error
        if not isinstance(value, dict):
            reason = f"[json] wrong kind; found {shown(value)}, expected an object"
            raise PipelineError(path, number, document_fault(text) or reason)
        yield number, value


def json_values(text: str, path: Path, expected: str) -> Iterator[tuple[int | None, Any]]:
    """Yield (line number, value) for JSON that is one value, a list, whose values come one by one, or a value or list in each line.

    The values of one document have no line number.

    Args:
        expected: what the values are, for the message.

    Raises:
        PipelineError: with the first line that is not JSON.
    """
    try:
        whole: list[tuple[int | None, Any]] = [(None, from_json(text))]
    except ValueError:
        whole = []
    for number, line in enumerate([] if whole else lines_of(text), 1):
        try:
            whole += [(number, from_json(line))] if line.strip() else []
        except ValueError as error:
            reason = f"[json] not JSON ({error}); found {shown(line)}, expected {expected}"
            raise PipelineError(path, number, reason) from error
    for place, value in whole:
        yield from ((place, part) for part in (value if isinstance(value, list) else [value]))


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write one JSON object per line, atomically."""
    write_text(path, "".join(f"{to_json(row)}\n" for row in rows))


def write_json(path: Path, value: object) -> None:
    """Write a JSON value on several lines, atomically: keys in the given order, text unescaped, no NaN."""
    write_text(path, json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n")


def require_unique(lines: dict[Key, int | None], key: Key, path: Path, line: int | None, field: str = "id") -> None:
    """Record the line of a key, which must be new; raise `PipelineError` at its line if an earlier line has it.

    Args:
        lines: the line of each key so far; this one is added.
        field: the field or column that holds it.
    """
    if key in lines:
        reason = f"[{field}] not unique; found {shown(key)} in line {lines[key]} too, expected each {field} once"
        raise PipelineError(path, line, reason)
    lines[key] = line
