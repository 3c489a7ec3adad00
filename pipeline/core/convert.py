"""Typed records from JSON values and YAML nodes, and back: a record is described once, by its type.

A type is a frozen dataclass or a `msgspec.Struct` (``rename={"exclusion": "class"}`` gives a key another name than its attribute), a
`Literal`, a tuple, a `Mapping`, or one of the texts and numbers below. Reading is strict: ``"0"`` and ``true`` are not 0, and a key
that the type lacks is refused.
"""

import dataclasses
import functools
import operator
import string
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from .errors import PipelineError, errors_at, shown
from .files import parse_jsonl, read_text, require_unique, write_jsonl
from .hints import KINDS, known_names
from .yamlfile import kind_of, line_of, load_yaml, plain_value

T = TypeVar("T")
V = TypeVar("V")
#: Text that is not blank.
Text = Annotated[str, msgspec.Meta(pattern=r"\S", description="text")]
#: Letters and digits of ASCII, with hyphens, low lines and points between them.
Id = Annotated[
    str,
    msgspec.Meta(
        pattern=r"\A[0-9A-Za-z]+(?:[-_.]+[0-9A-Za-z]+)*\Z",
        description="letters and digits of ASCII with hyphens, points or low lines between them",
    ),
]
#: `extra` of the `Meta` of a list whose entries must differ.
UNIQUE = {"unique": True}
#: Different texts, at least one, in their order.
Words = Annotated[tuple[Text, ...], msgspec.Meta(min_length=1, description="a list of texts", extra=UNIQUE)]
#: Different texts, or none.
AnyWords = Annotated[tuple[Text, ...], msgspec.Meta(description="a list of texts", extra=UNIQUE)]
#: Different texts, at least one.
WordSet = Annotated[frozenset[Text], msgspec.Meta(min_length=1, description="a list of texts", extra=UNIQUE)]
#: Texts by texts, at least one.
WordTable = Annotated[Mapping[Text, Text], msgspec.Meta(min_length=1, description="'name: value' entries")]
#: A whole number that counts something.
Count = Annotated[int, msgspec.Meta(ge=0, description="a whole number, at least 0")]
#: The names of the simple types for messages.
_NAMES: dict[Any, str] = {
    str: "text", int: "a whole number", float: "a number", bool: "true or false", NoneType: "null", Any: "any value",
}  # fmt: skip
_SIMPLE = frozenset((str, int, float, bool, NoneType))


class _FaultError(ValueError):
    """What is wrong with a value: the keys and indices that lead to it, and the reason; `wrong_keys` if it has too many or too few."""

    def __init__(self, place: tuple[Any, ...], reason: str, *, wrong_keys: bool = False) -> None:
        super().__init__(reason)
        self.place = place
        self.reason = reason
        self.wrong_keys = wrong_keys


@dataclasses.dataclass(frozen=True, slots=True)
class _Field:
    attribute: str
    key: str
    kind: Any
    required: bool
    omitted: Any = msgspec.UNSET


def convert(value: Any, kind: type[T]) -> T:
    """Return the record of a type that a JSON value describes.

    Raises:
        ValueError: `[field.field] reason; found X, expected Y`; a `__post_init__` keeps its own message.

    >>> from pipeline.core.model import Span
    >>> convert({"start": 0, "end": 2}, Span)
    Span(start=0, end=2)
    >>> convert({"start": "0", "end": 2}, Span)
    Traceback (most recent call last):
    ValueError: [start] wrong kind; found '0', expected a whole number
    >>> convert({"start": 0, "ent": 2}, Span)
    Traceback (most recent call last):
    ValueError: [ent] unknown field; expected one of start, end; did you mean end?
    """
    try:
        record: T = _convert(value, kind, "an object")
    except _FaultError as fault:
        raise ValueError(_message(fault)) from None
    return record


def convert_fields(value: Mapping[str, Any], kind: type[T]) -> T:
    """Return the record of a type that some fields of a JSON object describe; its other fields are ignored. See `convert`.

    >>> from pipeline.core.model import Span
    >>> convert_fields({"start": 0, "end": 2, "text": "ox"}, Span)
    Span(start=0, end=2)
    """
    return convert({key: value[key] for key in keys_of(kind) if key in value}, kind)


def convert_node(node: Any, kind: type[T], path: Path) -> T:
    r"""Return the record of a type that a YAML node describes.

    Args:
        node: a document of `yamlfile.load_yaml`, or a part of one.

    Raises:
        PipelineError: with the line of the entry at fault; see `convert`.

    >>> from pipeline.core.yamlfile import parse_yaml
    >>> node = parse_yaml("a: 1\nb: yes\n", Path("x.yaml"))
    >>> convert_node(node, dict[str, int], Path("x.yaml"))
    Traceback (most recent call last):
    pipeline.core.errors.PipelineError: x.yaml:2: [b] wrong kind; found 'yes', expected a whole number
    """
    try:
        record: T = _convert(plain_value(node), kind, "a mapping")
    except _FaultError as fault:
        raise _yaml_error(node, path, fault) from None
    return record


def error_at(node: Any, path: Path, place: tuple[Any, ...], reason: str) -> PipelineError:
    r"""Return the error at the entry of a YAML node to which keys and indices lead, for what a type does not say.

    >>> from pipeline.core.yamlfile import parse_yaml
    >>> print(error_at(parse_yaml("a:\n- b\n", Path("x.yaml")), Path("x.yaml"), ("a", 0), "not a name; found 'b'"))
    x.yaml:2: [a] not a name; found 'b'
    """
    return _yaml_error(node, path, _FaultError(place, reason))


def require_placeholders(node: Any, expected: Mapping[Any, Any], path: Path, *place: Any) -> None:
    r"""Raise `PipelineError` unless each template under a key of a YAML node has the placeholders that are expected of it, each once.

    Args:
        expected: by key or index the names in braces, or for a mapping of templates those of each.
        place: keys that lead from the node to the entry whose keys `expected` has.

    >>> from pipeline.core.yamlfile import parse_yaml
    >>> require_placeholders(parse_yaml("ask: Who is {name}?\n", Path("x.yaml")), {"ask": {"name", "text"}}, Path("x.yaml"))
    Traceback (most recent call last):
    pipeline.core.errors.PipelineError: x.yaml:1: [ask] wrong placeholders; found {name}, expected {name}, {text}
    """
    entry = functools.reduce(operator.getitem, place, node)
    for key, names in expected.items():
        if isinstance(entry, Mapping) and key not in entry:
            raise error_at(node, path, (*place, key), "missing field")
        if isinstance(names, Mapping):
            require_placeholders(node, names, path, *place, key)
            continue
        try:
            parts = [part[1:] for part in string.Formatter().parse(entry[key]) if part[1] is not None]
        except ValueError as error:
            reason = f"not a template ({error}); found {shown(entry[key])}"
            raise error_at(node, path, (*place, key), reason) from error
        used = sorted(f"{name}{':' if form else ''}{form}{'!' if change else ''}" for name, form, change in parts)
        if used != sorted(names):
            found, wanted = (", ".join(f"{{{name}}}" for name in of) or "none" for of in (used, sorted(names)))
            raise error_at(node, path, (*place, key), f"wrong placeholders; found {found}, expected {wanted}")


def _yaml_error(node: Any, path: Path, fault: _FaultError) -> PipelineError:
    line = 1 if node is None else line_of(node)  # an empty document
    for key in fault.place:  # a missing field has no line: that of its mapping stays
        if isinstance(node, dict | list) and (isinstance(node, list) or key in node):
            line = line_of(node, key) or line
            node = node[key]
    return PipelineError(path, line, _message(fault, "yaml"))


def read_yaml(path: Path, kind: type[T]) -> T:
    """Return the record of a type that a YAML file holds; see `convert_node`."""
    return convert_node(load_yaml(path), kind, path)


def read_records(
    path: Path, kind: type[T], wanted: str = "", *, required: Collection[str] = (), also: Collection[str] = ()
) -> Iterator[tuple[int, T]]:
    """Yield (line number, record) for each line of a JSON Lines file.

    Args:
        wanted: which file to give, and who writes it, for the message on a line with other keys.
        required: keys that each line must have although the type has a default.
        also: keys that a line may have besides, which are ignored.

    Raises:
        PipelineError: with the first line that is no such record.
    """
    for line, value in parse_jsonl(read_text(path), path):
        try:
            known = {key: part for key, part in value.items() if key not in also} if also else value
            record: T = _convert(known, kind, "an object")
            if missing := [key for key in required if key not in value]:
                raise _FaultError((missing[0],), "missing field; expected text, which may be empty", wrong_keys=True)
        except _FaultError as fault:
            hint = f": {_other_kind(value, kind)}give {wanted}" if wanted and fault.wrong_keys else ""
            raise PipelineError(path, line, _message(fault) + hint) from None
        yield line, record


def _other_kind(value: Mapping[str, Any], kind: Any) -> str:
    """Return what a line is by the first key that tells it and that its type lacks; an empty string if there is none."""
    own = {field.key for field in _fields(kind)}
    return next((f"this is {other.name}; " for key, other in KINDS.items() if key in value and key not in own), "")


def read_by_id(path: Path, kind: type[T], wanted: str = "") -> dict[str, T]:
    """Return the records of a JSON Lines file by their `id`, which must not occur twice, in its order; see `read_records`."""
    return read_values_by_id(path, kind, lambda record: record, wanted)


def read_values_by_id(path: Path, kind: type[T], value_of: Callable[[T], V], wanted: str = "") -> dict[str, V]:
    """Return what `value_of` makes of the records of a JSON Lines file, by their `id`; it may raise `ValueError`.

    Raises:
        PipelineError: a line is no such record, or an id occurs twice.
    """
    lines: dict[str, int | None] = {}
    values: dict[str, V] = {}
    for line, record in read_records(path, kind, wanted):
        record_id: str = record.id  # type: ignore[attr-defined]
        require_unique(lines, record_id, path, line)
        with errors_at(path, line):
            values[record_id] = value_of(record)
    return values


def to_object(value: Any) -> Any:
    """Return a record as a JSON value: its fields by key, in the order of its type; tuples become lists.

    A `msgspec.Struct` with ``omit_defaults=True`` is written without the fields that have their default.

    >>> from pipeline.core.model import Span
    >>> to_object((Span(0, 2), None))
    [{'start': 0, 'end': 2}, None]
    """
    kind: Any = type(value)
    if kind in _SIMPLE:
        return value
    if kind in (list, tuple):
        return [to_object(part) for part in value]
    if fields := _fields(kind):
        pairs = ((field, getattr(value, field.attribute)) for field in fields)
        return {field.key: to_object(part) for field, part in pairs if part != field.omitted}
    return {key: to_object(part) for key, part in value.items()}


def keys_of(kind: type) -> dict[str, bool]:
    """Return the keys of a record type in their order, each with whether it is required."""
    return {field.key: field.required for field in _fields(kind)}


def has_keys_in_order(value: Any, kind: Any) -> bool:
    """Tell whether the objects of a JSON value, which fits a type, have their keys in the order of the type."""
    keys = [field.key for member in _alternatives(kind) for field in _fields(member)] if isinstance(value, dict) else []
    in_order = not keys or list(value) == [key for key in keys if key in value]
    return in_order and all(has_keys_in_order(part, part_kind) for _, part, part_kind in _parts(value, kind))


def write_records(path: Path, records: Iterable[object]) -> None:
    """Write one record a line as JSON Lines, atomically; see `to_object`."""
    write_jsonl(path, map(to_object, records))


def _message(fault: _FaultError, whole: str = "record") -> str:
    """Return the reason behind its field, or what the `whole` value is; in YAML the line tells the index of an entry."""
    names = [str(key) for key in fault.place if whole != "yaml" or not isinstance(key, int)]
    return fault.reason if fault.reason.startswith("[") else f"[{'.'.join(names) or whole}] {fault.reason}"


def _convert(value: Any, kind: Any, mapping: str) -> Any:
    """Return the record of a JSON value; `mapping` is the name of an object in messages."""
    try:
        record = msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _fault(value, kind, mapping) or _FaultError((), str(error)) from None
    if fault := _fault(value, kind, mapping, fits=True):
        raise fault
    return record


@functools.cache
def _fields(kind: Any) -> tuple[_Field, ...]:
    """Return the fields of a record type, in order; nothing for other types."""
    hints = get_type_hints(kind, include_extras=True) if isinstance(kind, type) else {}
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        fields = msgspec.structs.fields(kind)
        omit = kind.__struct_config__.omit_defaults
        return tuple(
            _Field(
                field.name,
                field.encode_name,
                hints[field.name],
                field.required,
                msgspec.UNSET if field.required or not omit else field.default,
            )
            for field in fields
        )
    if not dataclasses.is_dataclass(kind):
        return ()
    return tuple(
        _Field(
            field.name,
            field.name,
            hints[field.name],
            field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING,
        )
        for field in dataclasses.fields(kind)
    )


@functools.cache
def _alternatives(kind: Any) -> tuple[Any, ...]:
    """Return the types of a union, otherwise the type itself, all without their `Annotated`."""
    if get_origin(kind) is Annotated:
        return _alternatives(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return tuple(inner for member in get_args(kind) for inner in _alternatives(member))
    return (kind,)


def _parts(value: Any, kind: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the key or index, the content and the type of each part of a JSON value that a type describes."""
    for member in _alternatives(kind):
        origin, arguments = get_origin(member), get_args(member)
        if isinstance(value, list) and origin in (list, tuple, frozenset, set):
            kinds = arguments if origin is tuple and arguments[-1] is not Ellipsis else arguments[:1] * len(value)
            yield from zip(range(len(value)), value, kinds, strict=False)
        elif isinstance(value, dict) and isinstance(origin, type) and issubclass(origin, Mapping):
            yield from ((key, key, arguments[0]) for key in value)
            yield from ((key, part, arguments[1]) for key, part in value.items())
        elif isinstance(value, dict):
            yield from ((field.key, value[field.key], field.kind) for field in _fields(member) if field.key in value)


def _is_unique(kind: Any) -> bool:
    arguments = get_args(kind) if get_origin(kind) is Annotated else ()
    return any(isinstance(meta, msgspec.Meta) and meta.extra == UNIQUE for meta in arguments)


def _fault(value: Any, kind: Any, mapping: str, *, fits: bool = False) -> _FaultError | None:
    """Return the first fault of a JSON value, looking into its parts; None if there is none.

    Args:
        fits: whether msgspec takes the value, so that only keys that the type lacks and repeated words can be wrong.
    """
    if fits and kind in _SIMPLE:
        return None
    fields = [field for member in _alternatives(kind) for field in _fields(member)] if isinstance(value, dict) else []
    if fields and (fault := _fault_of_keys(value, fields, mapping)):
        return fault
    for key, part, part_kind in _parts(value, kind):
        if fault := _fault(part, part_kind, mapping, fits=fits):
            return _FaultError((key, *fault.place), fault.reason)  # the keys of a part do not tell which file it is
    seen = set[str]()
    for index, part in enumerate(value if isinstance(value, list) and _is_unique(kind) else ()):
        if repr(part) in seen:
            return _FaultError((index,), f"not unique; found {shown(part)} again, expected each once")
        seen.add(repr(part))
    try:
        if not fits:
            msgspec.convert(value, kind)
    except msgspec.ValidationError as error:  # that of a record is of its `__post_init__`
        return _FaultError((), str(error) if fields else _refusal(value, kind, mapping))
    return None


def _fault_of_keys(value: Mapping[Any, Any], fields: Sequence[_Field], mapping: str) -> _FaultError | None:
    """Return the first key of an object that its type lacks, or else the first that is missing."""
    keys = [field.key for field in fields]
    for key in value:
        if key not in keys:
            return _FaultError((key,), f"unknown field; {known_names(str(key), keys)}", wrong_keys=True)
    for field in fields:
        if field.required and field.key not in value:
            return _FaultError((field.key,), f"missing field; expected {_words(field.kind, mapping)}", wrong_keys=True)
    return None


def _refusal(value: Any, kind: Any, mapping: str) -> str:
    """Return the reason why a value whose parts all fit is none of a type."""
    yaml = mapping != "an object"
    members = _alternatives(kind)
    options = [option for member in members if get_origin(member) is Literal for option in get_args(member)]
    if isinstance(value, str) and options and str not in members:
        reason = f"unknown value; found {shown(value)}, {known_names(value, list(map(str, options)))}"
        return reason + (", or null" if NoneType in members else "")
    simple = not isinstance(value, dict | list | NoneType)
    found = shown(value) if simple or not yaml else kind_of(value)
    if yaml and value in ([], {}):
        found = f"an empty {'list' if isinstance(value, list) else 'mapping'}"
    quotes = ", in quotes if need be" if yaml and simple and str in members and not isinstance(value, str) else ""
    kinds = [list if get_origin(member) is tuple else get_origin(member) or member for member in members]
    problem = "value" if type(value) in kinds else "kind"
    return f"wrong {problem}; found {found}, expected {_words(kind, mapping)}{quotes}"


def _words(kind: Any, mapping: str) -> str:
    """Return what a type stands for, for messages."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        described = (meta.description for meta in arguments[1:] if isinstance(meta, msgspec.Meta) and meta.description)
        return next(described, None) or _words(arguments[0], mapping)
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(_words(member, mapping) for member in arguments))
    if origin is Literal:
        return f"one of {', '.join(map(str, arguments))}" if len(arguments) > 1 else shown(arguments[0])
    if origin in (list, tuple, frozenset, set):
        fixed = origin is tuple and arguments[-1] is not Ellipsis
        return f"a list{f' of {len(arguments)}' if fixed else ''}, each {_words(arguments[0], mapping)}"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"{mapping}, each value {_words(arguments[1], mapping)}"
    if fields := _fields(kind):
        return f"{mapping} with {', '.join(field.key for field in fields)}"
    return _NAMES.get(kind, str(kind))
