"""The text with which a study asks for consent: a YAML file in annotation/forms."""

from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.model import Record
from ...core.yamlfile import line_of, load_yaml, require_mapping
from .fields import FORM_PARTS, StudyRecord


def read_form(path: Path, lang: str) -> list[StudyRecord]:
    """Return the one record of a form: its parts, without target, candidates or answer.

    Args:
        path: a YAML mapping of `FORM_PARTS` to texts.
        lang: the language of the texts.

    Raises:
        PipelineError: the file is not YAML; a part is missing, unknown or no text.
    """
    node = require_mapping(load_yaml(path), path, required=frozenset(FORM_PARTS), optional=frozenset())
    for name in FORM_PARTS:
        if not isinstance(node[name], str) or not node[name].strip():
            raise PipelineError(path, line_of(node, name), f"[{name}] found {shown(node[name])}, expected text")
    parts = tuple(" ".join(str(node[name]).split()) for name in FORM_PARTS)
    item = Record(
        id="form",
        schema="form",
        version="a",
        lang=lang,
        text=parts[0],
        target=None,
        candidates=(),
        answer=None,
        source=path.name,
    )
    return [StudyRecord(item=item, original=parts)]
