"""The options of derived forms, kept beside them so that the forms can be derived again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from ...core.errors import PipelineError, shown
from ...core.files import from_json, read_text, to_json
from ...core.records import field_of, text_field
from .corrections import Correction
from .form import FormOptions, NewNames

#: The file in the folder of the forms.
OPTIONS = "options.json"
_FIELDS = ("names", "seed", "glosses", "corrections")


def options_to_json(options: FormOptions) -> str:
    """Return the content of the file: the kind of names, their seed, whether glosses were given, and the corrections in words."""
    value = {
        "names": options.names,
        "seed": options.seed,
        "glosses": bool(options.glosses),
        "corrections": {name: " ".join(entry.tokens) for name, entry in options.corrections.items()},
    }
    return f"{to_json(value)}\n"


def read_options(path: Path, glosses: Mapping[str, str]) -> FormOptions:
    """Return the options of a file.

    Args:
        path: the file.
        glosses: the glosses of the collection, which the options have if the forms were made with them.

    Raises:
        PipelineError: the file is missing or malformed.
    """
    try:
        value = from_json(read_text(path))
        if not isinstance(value, dict):
            raise ValueError(f"[json] wrong kind; found {shown(value)}, expected an object")
        return _options(value, path, glosses)
    except ValueError as error:
        raise PipelineError(path, 1, str(error)) from error


def _options(value: Mapping[str, Any], path: Path, glosses: Mapping[str, str]) -> FormOptions:
    if unknown := next((key for key in value if key not in _FIELDS), None):
        raise ValueError(f"[{unknown}] unknown field; expected {', '.join(_FIELDS)}")
    name = text_field(value, "names")
    names: dict[str, NewNames] = {kind: kind for kind in get_args(NewNames)}
    if name not in names:
        raise ValueError(f"[names] unknown; found {shown(name)}, expected one of {', '.join(names)}")
    corrections = field_of(value, "corrections", dict, "an object of texts in words")
    return FormOptions(
        {name: Correction(name, tuple(text_field(corrections, name).split(" ")), path, 1) for name in corrections},
        names[name],
        field_of(value, "seed", int, "a whole number"),
        glosses if field_of(value, "glosses", bool, "true or false") else {},
    )
