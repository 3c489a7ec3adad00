"""Changes inside of files that hold others: archives, compressed files, Parquet; and checksums that fit what was changed."""

import bz2
import io
import json
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from random import Random

from pipeline.core.archives import encrypt
from pipeline.core.checksums import CHECKSUMS, checksums_of

from .documents import changed_value

#: The password of the archives among the seeds.
PASSWORD = "open"
Change = Callable[[bytes, str, Random], bytes]


def changed_archive(data: bytes, random: Random, change: Change) -> bytes:
    """Return a zip archive with a change in a member: its content, its name, or itself gone or doubled."""
    import pyzipper

    try:
        with pyzipper.AESZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            is_encrypted = any(entry.flag_bits & 1 for entry in entries)
            files = {entry.filename: archive.read(entry, PASSWORD.encode()) for entry in entries}
    except (pyzipper.BadZipFile, RuntimeError, NotImplementedError, zlib.error, EOFError, ValueError, LookupError):
        return data
    if not files:
        return data
    name, kind = random.choice(sorted(files)), random.randrange(8)
    if kind == 0:
        del files[name]
    elif kind == 1:
        files[random.choice((f"../{name}", f"/{name}", f"a/{name}", name.upper(), f"{name} ", ""))] = files.pop(name)
    elif kind == 2:
        files[f"{name}.copy"] = files[name]
    else:
        files[name] = change(files[name], name, random)
    if random.random() < 0.7:
        files = with_checksums(files)
    if is_encrypted:
        return encrypt(files, PASSWORD)
    with io.BytesIO() as sink:
        with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, content in files.items():
                archive.writestr(zipfile.ZipInfo(member), content)
        return sink.getvalue()


def with_checksums(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files with each SHA256SUMS among them made anew for the files beside and below it."""
    renewed = dict(files)
    for name in files:
        path = PurePosixPath(name)
        if path.name == CHECKSUMS:
            inside = {
                str(PurePosixPath(other).relative_to(path.parent)): data
                for other, data in files.items()
                if other != name and PurePosixPath(other).is_relative_to(path.parent)
            }
            renewed[name] = checksums_of(inside).encode("utf-8", "surrogateescape")
    return renewed


def changed_bzip2(data: bytes, name: str, random: Random, change: Change) -> bytes:
    """Return a bzip2 file with a change of what it holds."""
    try:
        return bz2.compress(change(bz2.decompress(data), name.removesuffix(".bz2"), random))
    except (OSError, ValueError):
        return data


def changed_parquet(data: bytes, random: Random) -> bytes:
    """Return a Parquet file with a change of a value, or of the type, the name or the place of a column."""
    import pyarrow
    from pyarrow import parquet

    sink = io.BytesIO()
    try:
        table = parquet.read_table(io.BytesIO(data))
        columns = table.column_names
        column, kind = random.randrange(len(columns)), random.randrange(8)
        if kind == 0:
            table = table.remove_column(column)
        elif kind == 1:
            table = table.append_column(random.choice((*columns, "extra")), table.column(column))
        elif kind == 2:
            table = table.rename_columns([f"{name}s" if name == columns[column] else name for name in columns])
        elif kind == 3:
            types = (
                pyarrow.string(),
                pyarrow.int64(),
                pyarrow.binary(),
                pyarrow.null(),
                pyarrow.float64(),
                pyarrow.bool_(),
            )
            new = random.choice(
                (*types, pyarrow.list_(pyarrow.string()), pyarrow.timestamp("s"), pyarrow.decimal128(9))
            )
            nulls = pyarrow.nulls(len(table), new)
            table = table.set_column(column, columns[column], nulls)
        elif kind == 4:
            table = table.slice(random.randint(0, len(table)))
        elif kind == 5:
            table = pyarrow.concat_tables([table, table])
        else:
            rows = json.loads(json.dumps(table.to_pylist(), default=str))
            table = pyarrow.Table.from_pylist(changed_value(rows, random))
        parquet.write_table(table, sink, row_group_size=random.choice((1, 10, 1000)))
    except (pyarrow.ArrowException, OSError, ValueError, TypeError, LookupError, AttributeError, OverflowError):
        return data
    return sink.getvalue()
