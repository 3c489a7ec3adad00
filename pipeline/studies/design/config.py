"""Labelling configs: rendered for a screen, and held against what the design asks."""

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.errors import PipelineError
from ...core.files import read_text
from .design import Control, ControlKind

if TYPE_CHECKING:
    from collections.abc import Mapping
    from xml.etree.ElementTree import Element

#: Label Studio's tag for each kind of control.
TAGS: "Mapping[ControlKind, str]" = {
    "candidate": "Choices",
    "choice": "Choices",
    "rating": "Rating",
    "text": "TextArea",
}
_FIELD = re.compile(r"\$([A-Za-z_]\w*)")


def render_config(path: Path, screen: int) -> str:
    """Return the XML of a config, a Jinja2 template whose one variable is `screen`; no data of records goes into it.

    Raises:
        PipelineError: it cannot be read, or it is no such template.
    """
    from jinja2 import StrictUndefined, TemplateError, TemplateSyntaxError
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(
        autoescape=False,  # XML that the designer writes; no data is put into it
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    text = read_text(path)
    try:
        return environment.from_string(text).render(screen=screen)
    except TemplateSyntaxError as error:
        raise PipelineError(path, error.lineno, f"[config] no template; {error.message}") from error
    except TemplateError as error:
        raise PipelineError(path, None, f"[config] no template; {error.message}") from error
    except (TypeError, ValueError, ArithmeticError, OverflowError) as error:
        raise PipelineError(path, None, f"[config] no template; {error}") from error


def check_config(xml: str, path: Path, controls: "Mapping[str, Control]", fields: Collection[str]) -> None:
    """Refuse a config that does not ask what the design asks, or shows what tasks do not have.

    Args:
        xml: the rendered config.
        path: its file, for messages.
        controls: the design's controls by their names in the config.
        fields: the names in tasks' data.

    Raises:
        PipelineError: it is no XML, or has entities; a control is missing, twice, not the design's, of the wrong tag, required
            or not against the design (inside a View with ``visibleWhen`` an optional one may be: it is once it is seen), without
            an object, with other choices or ratings; a ``$field`` that tasks lack; HyperText, which would run markup in data.
    """
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import ParseError, fromstring

    try:
        root = fromstring(xml, forbid_dtd=True)
    except ParseError as error:
        raise PipelineError(path, None, f"[config] not XML; {error}") from error
    except DefusedXmlException as error:
        raise PipelineError(
            path, None, f"[config] found {type(error).__name__}, expected no DTD, no entities"
        ) from error
    elements = list(_walk(root, conditional=False))
    _check_shown([element for element, _ in elements], path, fields)
    found = _controls(elements, path, controls)
    for name, control in controls.items():
        if name not in found:
            raise PipelineError(path, None, f"[{name}] no such control; expected {TAGS[control.kind]} of that name")
        if wrong := _wrong(control, *found[name]):
            raise PipelineError(path, None, f"[{name}] {wrong}")


def _check_shown(elements: "Sequence[Element]", path: Path, fields: Collection[str]) -> None:
    for element in elements:
        if element.tag == "HyperText":
            raise PipelineError(path, None, "[HyperText] found it, expected Text: data may hold markup")
        for name in (name for value in element.attrib.values() for name in _FIELD.findall(value)):
            if name not in fields:
                reason = f"[{element.tag}] found ${name}, expected one of {', '.join(sorted(fields))}"
                raise PipelineError(path, None, reason)


def _controls(
    elements: "Sequence[tuple[Element, bool]]", path: Path, controls: "Collection[str]"
) -> "dict[str, tuple[Element, bool]]":
    """Return the elements that are controls by their names, and whether each is seen on a condition only."""
    objects = {element.get("name") for element, _ in elements if "toName" not in element.attrib}
    found: dict[str, tuple[Element, bool]] = {}
    for element, conditional in elements:
        if "toName" not in element.attrib:
            continue
        name = element.get("name", "")
        if name in found or name not in controls:
            known = "twice" if name in found else "that the design has not"
            expected = f"expected once each of {', '.join(controls)}"
            raise PipelineError(path, None, f"[{element.tag}] found control {name!r} {known}, {expected}")
        if element.get("toName") not in objects:
            reason = f"[{name}] found toName {element.get('toName')!r}, expected the name of an object such as Text"
            raise PipelineError(path, None, reason)
        found[name] = element, conditional
    return found


def _walk(element: "Element", *, conditional: bool) -> "Iterator[tuple[Element, bool]]":
    """Yield each element, and whether it is seen on a condition only."""
    seen = conditional or "visibleWhen" in element.attrib
    yield element, seen
    for child in element:
        yield from _walk(child, conditional=seen)


def _wrong(control: Control, element: "Element", conditional: bool) -> str:
    """Return what is wrong with the element of a control, or nothing."""
    if element.tag != TAGS[control.kind]:
        return f"wrong tag; found {element.tag}, expected {TAGS[control.kind]}"
    required = element.get("required") == "true"
    if control.required and conditional:
        return "found it seen on a condition only, expected always: the design requires it"
    if required != control.required and not (required and conditional):
        return f"found required {required}, expected {control.required} as in the design"
    if control.kind == "rating" and (control.low, element.get("maxRating", "5")) != (1, str(control.high)):
        return f"found ratings 1 to {element.get('maxRating')}, expected {control.low} to {control.high}"
    if element.tag == "Choices" and not element.get("choice", "single").startswith("single"):
        return f"found choice {element.get('choice')!r}, expected one answer"
    if control.kind == "candidate" and not element.get("value", "").startswith("$"):
        return "found no value, expected the field of the candidates"
    if control.kind == "choice":
        codes = [choice.get("alias") or choice.get("value") or "" for choice in element.iter("Choice")]
        if sorted(codes) != sorted(control.choices):
            return f"found the choices {', '.join(codes)}, expected {', '.join(control.choices)}"
    return ""
