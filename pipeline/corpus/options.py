"""The options of answers by word association, kept beside them so that the answers can be derived again."""

from dataclasses import asdict, dataclass, fields
from pathlib import Path

from ..core.errors import PipelineError, shown
from ..core.files import from_json, read_text, to_json
from ..core.records import field_of

#: The file beside the answers.
OPTIONS = "options.json"


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """Two PMIs must differ by more than `threshold` bits to decide an item; `seed` seeds the guesses on the others."""

    threshold: float = 0.0
    seed: int = 0


def options_to_json(options: AnswerOptions) -> str:
    """Return the content of the file."""
    return f"{to_json(asdict(options))}\n"


def read_options(path: Path) -> AnswerOptions:
    """Return the options of a file; the defaults if there is no such file.

    Raises:
        PipelineError: the file is malformed.
    """
    if not path.exists():
        return AnswerOptions()
    try:
        value = from_json(read_text(path))
        if not isinstance(value, dict):
            raise ValueError(f"[json] wrong kind; found {shown(value)}, expected an object")
        known = [field.name for field in fields(AnswerOptions)]
        if unknown := next((key for key in value if key not in known), None):
            raise ValueError(f"[{unknown}] unknown field; expected {' and '.join(known)}")
        options = AnswerOptions(
            float(field_of(value, "threshold", (int, float), "a number of bits")),
            field_of(value, "seed", int, "a whole number"),
        )
        if options.threshold < 0:
            raise ValueError(f"[threshold] below 0; found {options.threshold}, expected a number of bits from 0")
        return options
    except ValueError as error:
        raise PipelineError(path, 1, str(error)) from error
