"""Schemas written as a file of our own format."""

import io
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from pipeline.winograd.readers.schema_yaml import Schema

_REQUIRED = frozenset({"id", "text", "question", "candidates", "answers"})

#: A schema as people write it.
SCHEMA = """\
- id: t-0001
  text: 老汤给小柳送伞，因为[他]{怕她淋雨|打来了电话}。
  question: 谁{怕她淋雨|打来了电话}？
  candidates: [老汤, 小柳]
  answers: [老汤, 小柳]
"""


def schemas_to_yaml(schemas: Sequence[Schema]) -> str:
    """Return the file that `schemas_of` reads as `schemas`; empty fields are left out unless they are required."""
    rows = []
    for schema in schemas:
        row = {key: _plain(value) for key, value in asdict(schema).items()}
        rows.append({key: value for key, value in row.items() if value or key in _REQUIRED})
    return to_yaml(rows)


def to_yaml(document: object) -> str:
    """Return a document as YAML, without folded lines."""
    yaml, stream = YAML(), io.StringIO()
    yaml.width = 1 << 16
    yaml.dump(document, stream)
    return stream.getvalue()


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, tuple):
        return [_quoted(entry) for entry in value]
    return value and _quoted(value)


def _quoted(text: str) -> str:
    return text if text.splitlines() in ([], [text]) else DoubleQuotedScalarString(text)  # else line breaks are folded
