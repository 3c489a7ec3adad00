"""The data files of a release in two formats, and what describes them to programs: the stamp of rows, Croissant metadata, the citation."""

import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.checksums import CHECKSUMS, checksums_of
from ..core.errors import PipelineError
from ..core.files import from_json, json_lines, read_text
from .sources import Source, identifier_fault, label

if TYPE_CHECKING:
    import pyarrow

CROISSANT, CITATION = "croissant.json", "CITATION.cff"
#: The context of Croissant 1.1, with the vocabulary for responsible AI.
_CONTEXT = Path(__file__).with_name("croissant_context.json")
_CONFORMS_TO = ("http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0")
_FORMATS = {
    "jsonl": "application/jsonlines",
    "parquet": "application/x-parquet",
    "json": "application/json",
    "md": "text/markdown",
    "py": "text/x-python",
    "yaml": "application/yaml",
}
#: What a type of Arrow is in Croissant, by the beginning of its name; others are texts.
_TYPES = {"int": "sc:Integer", "bool": "sc:Boolean", "double": "sc:Float"}


def parquet(rows: Sequence[Mapping[str, Any]], path: Path) -> bytes:
    """Return rows as Parquet, with the columns in the order of their keys; the same rows give the same bytes.

    Args:
        rows: the rows.
        path: the file that they are from, for messages.

    Raises:
        PipelineError: a field is of different kinds in two rows, so that it fits no column.
    """
    import pyarrow
    from pyarrow import parquet as writer

    sink = io.BytesIO()
    try:
        writer.write_table(pyarrow.Table.from_pylist([dict(row) for row in rows]), sink, compression="zstd")
    except (pyarrow.ArrowException, OverflowError) as error:
        reason = f"[parquet] rows do not fit one table; {error}, expected each field of one kind in all rows"
        raise PipelineError(path, None, reason) from error
    return sink.getvalue()


def with_tables(
    directory: Path,
    source: Source,
    files: Mapping[str, bytes],
    tables: Mapping[str, Sequence[Mapping[str, Any]]],
    records: Mapping[str, Sequence[Mapping[str, Any]]],
) -> dict[str, bytes]:
    """Return the files of a release: the other files and each table in both formats, with metadata and the checksums of all.

    Args:
        directory: the build that they are from, whose name is that of the release.
        source: what the collection was made from.
        files: the other files, by name.
        tables: the rows of each data file, by name.
        records: the rows of each other file of JSON Lines, by its name. All rows get the fields of `stamp`.
    """
    name, stamped, whole = directory.name, stamp(directory.name, source), dict(files)
    whole |= {file: json_lines([{**row, **stamped} for row in rows]) for file, rows in records.items()}
    data = {table: [{**row, **stamped} for row in rows] for table, rows in tables.items()}
    for table in data:
        whole[f"data/{table}.jsonl"] = json_lines(data[table])
        whole[f"data/{table}.parquet"] = parquet(data[table], directory / f"{table}.jsonl")
    whole |= metadata_files(name, source, data, whole)
    return whole | {CHECKSUMS: checksums_of(whole).encode()}


def metadata_files(
    name: str, source: Source, tables: Mapping[str, Sequence[Mapping[str, Any]]], files: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return the citation and the Croissant metadata of a release, from the rows of its data files and its other files."""
    import pyarrow

    schemas = {table: pyarrow.Table.from_pylist([dict(row) for row in rows]).schema for table, rows in tables.items()}
    languages = sorted({str(row["lang"]) for row in next(iter(tables.values())) if "lang" in row})
    cited = {CITATION: citation(name, source).encode()}
    return cited | {CROISSANT: croissant(name, languages, source, schemas, {**files, **cited}).encode()}


def size_category(rows: int) -> str:
    """Return how large a dataset is, in the categories of dataset cards.

    >>> size_category(256), size_category(2880), size_category(2_000_000)
    ('n<1K', '1K<n<10K', '1M<n<10M')
    """
    limits = ("1K", "10K", "100K", "1M", "10M", "100M", "1B")
    for number, limit in enumerate(limits):
        if rows < 1000 * 10**number:
            return f"{limits[number - 1]}<n<{limit}" if number else f"n<{limit}"
    return f"n>{limits[-1]}"


# --- what describes a release -----------------------------------------------------------------------------------------


def stamp(name: str, source: Source) -> dict[str, str]:
    """Return the last fields of each row of a release: its name with its version, and its canary if it has one."""
    fields = {"release": f"{name} {source.version}", "canary": source.canary}
    return {field: value for field, value in fields.items() if value}


def licence_address(licence: str) -> str:
    """Return the address of a licence that SPDX lists, else its identifier."""
    known = not identifier_fault(licence) and not licence.casefold().startswith("licenseref-")
    return f"https://spdx.org/licenses/{licence}" if known else licence


def citation_text(name: str, source: Source) -> str:
    """Return how to cite a release, in a line."""
    return (
        f"{label(name, source)}: {source.title}. Version {source.version}, {source.origin}. Licence: {source.licence}."
    )


def citation(name: str, source: Source) -> str:
    """Return the text of `CITATION.cff` (Citation File Format 1.2.0)."""
    fields = {
        "cff-version": "1.2.0",
        "message": "Please cite the data with their version.",
        "type": "dataset",
        "title": f"{label(name, source)}: {source.title}",
        "version": source.version,
        "authors": [{"name": source.authors}],
        "license": source.licence,
        "notes": source.origin,
    }
    return "".join(f"{field}: {json.dumps(value, ensure_ascii=False)}\n" for field, value in fields.items())


def croissant(
    name: str,
    languages: list[str],
    source: Source,
    schemas: Mapping[str, "pyarrow.Schema"],
    files: Mapping[str, bytes],
) -> str:
    """Return the text of `CROISSANT`, from which `read_source_of` reads the source again.

    Args:
        schemas: the columns of each data file, by its name.
        files: the content of the other files of the release; its own and the checksums are left out.
    """
    described = {file: data for file, data in files.items() if file not in (CROISSANT, CHECKSUMS)}
    value = {
        "@context": from_json(read_text(_CONTEXT)),
        "@type": "sc:Dataset",
        "conformsTo": list(_CONFORMS_TO),
        "name": label(name, source).replace(" ", "-"),
        "description": source.title,
        "version": source.version,
        "license": licence_address(source.licence),
        "inLanguage": languages,
        "creator": {"@type": "Organization", "name": source.authors},
        "citeAs": citation_text(name, source),
        "disambiguatingDescription": source.canary,
        "isBasedOn": {"@type": "CreativeWork", "name": source.file, "identifier": f"sha256:{source.sha256}"},
        "isLiveDataset": False,
        "rai:dataCollection": source.origin,
        "rai:annotatorDemographics": source.readers,
        "rai:dataLimitations": source.unchecked,
        "rai:dataUseCases": "Evaluation of systems; not for training, and no measure of people.",
        "distribution": [_file_object(file, described[file]) for file in sorted(described)],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": config,
                "name": config,
                "field": [_field(config, file, column) for column in schema],
            }
            for file, schema in schemas.items()
            for config in ["default" if file == name else file]
        ],
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _file_object(name: str, data: bytes) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{len(data)} B",
        "encodingFormat": _FORMATS.get(name.rpartition(".")[2], "text/plain"),
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def _field(config: str, file: str, column: "pyarrow.Field") -> dict[str, Any]:
    """Return the field of a column; what is inside records are its subfields, by their path, such as ``target/start``."""
    source = {"fileObject": {"@id": f"data/{file}.parquet"}, "extract": {"column": column.name}}
    kind, depth = column.type, 0
    while str(kind).startswith("list"):
        kind, depth = kind.value_type, depth + 1
    field = {"@type": "cr:Field", "@id": f"{config}/{column.name}", "name": column.name}
    if depth:
        field |= {"isArray": True, "arrayShape": ",".join(["-1"] * depth)}
    if not str(kind).startswith("struct"):
        return field | {"dataType": _type(kind), "source": source}
    return field | {
        "subField": [
            {
                "@type": "cr:Field",
                "@id": f"{config}/{column.name}/{'/'.join(path)}",
                "name": "/".join(path),
                "dataType": _type(leaf),
                "source": {**source, "transform": {"jsonPath": ".".join(path)}},
            }
            for path, leaf in leaves(kind)
        ]
    }


def leaves(
    kind: "pyarrow.DataType", path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], "pyarrow.DataType"]]:
    """Yield path and type of what is in a record that is no record itself."""
    for inside in kind:
        here = (*path, inside.name)
        if str(inside.type).startswith("struct"):
            yield from leaves(inside.type, here)
        else:
            yield here, inside.type


def _type(kind: "pyarrow.DataType") -> str:
    return next((name for prefix, name in _TYPES.items() if str(kind).startswith(prefix)), "sc:Text")


def read_source_of(metadata: Mapping[str, Any]) -> Source:
    """Return what the Croissant metadata of a release say of its source; a field that is missing or malformed is empty."""
    based_on = metadata.get("isBasedOn")
    creator = metadata.get("creator")
    file, digest = (_text(based_on if isinstance(based_on, dict) else {}, key) for key in ("name", "identifier"))
    return Source(
        _text(metadata, "description"),
        _text(metadata, "rai:dataCollection"),
        _text(metadata, "license").removeprefix("https://spdx.org/licenses/"),
        file,
        digest.removeprefix("sha256:"),
        unchecked=_text(metadata, "rai:dataLimitations"),
        canary=_text(metadata, "disambiguatingDescription"),
        readers=_text(metadata, "rai:annotatorDemographics"),
        version=_text(metadata, "version"),
        authors=_text(creator if isinstance(creator, dict) else {}, "name"),
    )


def _text(value: Mapping[str, Any], key: str) -> str:
    return value[key] if isinstance(value.get(key), str) else ""
