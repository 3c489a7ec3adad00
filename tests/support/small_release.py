"""A small release of our own schemas, for tests of models."""

from pathlib import Path

from pipeline.core.convert import to_object
from pipeline.core.files import write_jsonl
from pipeline.core.rules import RULES
from pipeline.winograd.readers import ingest

SCHEMAS = RULES.parent / "raw" / "zh" / "schemas.yaml"


def small_release(folder: Path, schemas: int, *, zero: bool = True) -> Path:
    """Write the first schemas of ours as a release without its derived files, and return its folder."""
    items = ingest(SCHEMAS.read_bytes(), SCHEMAS, "schema-yaml", "zh").items
    first = list(dict.fromkeys(item.schema for item in items))[:schemas]
    rows = []
    for item in items:
        if item.schema in first:
            text_zero = f"{item.text[: item.target.start]}Ø{item.text[item.target.end :]}"
            rows.append(to_object(item) | ({"text_zero": text_zero} if zero else {}))
    write_jsonl(folder / "data" / "zh.jsonl", rows)
    (folder / "README.md").write_text("# winoforge zh\n", encoding="utf-8")
    return folder
