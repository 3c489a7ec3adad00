"""What people write for a screen: the labelling config, which must ask what the design asks, and the guideline."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.errors import PipelineError, shown
from ...core.files import lines_of, read_text
from ..model.design import CODED, Control
from ..model.study import Task
from .fields import CANDIDATE_KEYS

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

#: What a control of the kind ``labelled`` begins with, also on a screen of several records.
_TEXT_TO_LABEL = re.compile(r"\$text(?:_[1-9]\d*)?")
_DATA_NAME = re.compile(r"\$([A-Za-z_]\w*)")


#: What stands in a guideline for a number: the records of the longest list, their screens, or minutes at so many seconds a record.
_NUMBER = re.compile(r"\{(?:(items)|(tasks)|minutes:([1-9]\d{0,2}))\}")
#: Stands in a labelling config for the style that all of them share, annotation/configs/style.css.
_STYLE = '{% include "style.css" %}'


def read_template(path: Path) -> str:
    """Return the template of a labelling config, with the shared style in one of its lines: a study then needs no other file."""
    template = read_text(path)
    if _STYLE not in template:
        return template
    return template.replace(_STYLE, " ".join(read_text(path.parent / "style.css").split()))


def render_template(template: str, path: Path, screen: int) -> str:
    """Return the XML of a config, a Jinja2 template whose only variable is `screen`, the number of records on a screen.

    Raises:
        PipelineError: the template is malformed.
    """
    from jinja2 import StrictUndefined, TemplateError, TemplateSyntaxError
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(
        autoescape=False,  # the template is XML, and no data is inserted
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    try:
        return environment.from_string(template).render(screen=screen)
    except TemplateSyntaxError as error:
        raise PipelineError(path, error.lineno, f"[config] malformed template; {error.message}") from error
    except TemplateError as error:
        raise PipelineError(path, None, f"[config] malformed template; {error.message}") from error
    except (TypeError, ValueError, ArithmeticError, OverflowError) as error:
        raise PipelineError(path, None, f"[config] malformed template; {error}") from error


def check_config(xml: str, path: Path, controls: Mapping[str, Control], names: Collection[str]) -> None:
    """Refuse a config that does not ask what the design asks, or that shows data which tasks do not have.

    Raises:
        PipelineError: the config is not XML or has entities. A control is missing, repeated or not in the design; it has the wrong
            tag, no object, other choices or other ratings; or it is required although the design says it is not, or the reverse.
            (An optional control may be required within a View with ``visibleWhen``: it is required only while it is visible.) A
            ``$name`` is not among the data. One key gives two answers. HyperText is used, which would render markup in the data.
    """
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import ParseError, fromstring

    try:
        root = fromstring(xml, forbid_dtd=True)
    except ParseError as error:
        raise PipelineError(path, None, f"[config] not XML; {error}") from error
    except DefusedXmlException as error:
        reason = f"[config] found {type(error).__name__}, expected no DTD and no entities"
        raise PipelineError(path, None, reason) from error
    elements = list(_walk(root))
    _check_data([element for element, _ in elements], path, names)
    _check_keys([element for element, _ in elements], path)
    _check_radios([element for element, _ in elements], path)
    present = _control_elements(elements, path, controls)
    for name, control in controls.items():
        if name not in present:
            reason = f"[{name}] missing control; expected {control.tag} with that name"
            raise PipelineError(path, None, reason)
        element, conditional = present[name]
        if problem := _problem(control, element, conditional=conditional):
            raise PipelineError(path, None, f"[{name}] {problem}")


def _walk(root: "Element") -> "Iterator[tuple[Element, bool]]":
    """Yield each element in the order of the document, and whether it is visible on a condition only."""
    stack = [(root, False)]
    while stack:
        element, conditional = stack.pop()
        conditional = conditional or "visibleWhen" in element.attrib
        yield element, conditional
        stack += [(child, conditional) for child in reversed(element)]


def _check_data(elements: "Sequence[Element]", path: Path, names: Collection[str]) -> None:
    for element in elements:
        if element.tag == "HyperText":
            raise PipelineError(path, None, "[HyperText] found it, expected Text: data may hold markup")
        for name in (name for value in element.attrib.values() for name in _DATA_NAME.findall(value)):
            if name not in names:
                reason = f"[{element.tag}] unknown data; found ${name}, expected one of {', '.join(sorted(names))}"
                raise PipelineError(path, None, reason)


def _check_keys(elements: "Sequence[Element]", path: Path) -> None:
    """Refuse two uses of a key: Label Studio would give both answers at once. Candidates get letters (`CANDIDATE_KEYS`)."""
    options = [element.get("value", "") for element in elements if element.tag == "Choices" and element.get("value")]
    fixed = [element.get("hotkey", "").lower() for element in elements if element.get("hotkey")]
    repeated = [name for name, number in Counter([*options, *fixed]).items() if number > 1]
    if repeated:
        reason = f"found {repeated[0]} {Counter([*options, *fixed])[repeated[0]]} times, expected it once"
        raise PipelineError(path, None, f"[hotkey] one key for two answers; {reason}")
    if options and (letters := [key for key in fixed if key in CANDIDATE_KEYS]):
        reason = f"found {letters[0]}, expected a digit: letters choose candidates"
        raise PipelineError(path, None, f"[hotkey] taken; {reason}")


def _check_radios(elements: "Sequence[Element]", path: Path) -> None:
    """Refuse radio buttons with one text in two controls: the page names them by their texts, so each puts the other out."""
    radios = [element for element in elements if element.tag == "Choices" and element.get("choice") == "single-radio"]
    texts = Counter(repr(choice.get("value")) for element in radios for choice in element.iter("Choice"))
    texts["candidates"] = sum(bool(element.get("value")) for element in radios)
    if repeated := [text for text, number in texts.items() if number > 1]:
        reason = f'found {repeated[0]} in {texts[repeated[0]]} controls, expected choice="single" there'
        raise PipelineError(path, None, f"[choice] radio buttons with one text put each other out; {reason}")


def _control_elements(
    elements: "Sequence[tuple[Element, bool]]", path: Path, controls: Collection[str]
) -> "dict[str, tuple[Element, bool]]":
    """Return the elements that are controls, by name, and whether each is visible on a condition only."""
    objects = {element.get("name") for element, _ in elements if "toName" not in element.attrib}
    present: dict[str, tuple[Element, bool]] = {}
    for element, conditional in elements:
        if "toName" not in element.attrib:
            continue
        name = element.get("name", "")
        if name in present or name not in controls:
            problem = "repeated control" if name in present else "control that is not in the design"
            expected = f"expected each of {', '.join(controls)} once"
            raise PipelineError(path, None, f"[{element.tag}] {problem}; found {name!r}, {expected}")
        if element.get("toName") not in objects:
            reason = f"[{name}] found toName {element.get('toName')!r}, expected the name of an object such as Text"
            raise PipelineError(path, None, reason)
        present[name] = element, conditional
    return present


def _problem(control: Control, element: "Element", *, conditional: bool) -> str:
    """Return what is wrong with the element of a control, or the empty string."""
    if element.tag != control.tag:
        return f"wrong tag; found {element.tag}, expected {control.tag}"
    required = element.get("required") == "true"
    if control.required and conditional:
        return "found it visible on a condition only, expected always: the design requires it"
    if required != control.required and not (required and conditional):
        return f"found required {required}, expected {control.required} as in the design"
    if element.tag == "Choices" and (problem := _wrong_number(control, element)):
        return problem
    if control.kind == "candidate" and not element.get("value", "").startswith("$"):
        return "found no value, expected the name of the candidates in the data, such as $options"
    if control.kind == "labelled" and not _TEXT_TO_LABEL.fullmatch(element.get("value", "")):
        return f"found value {element.get('value')!r}, expected the text to label, $text"
    codes = [choice.get("alias") or choice.get("value") or "" for choice in element.iter("Choice")]
    if control.kind in CODED and sorted(codes) != sorted(control.choices):
        return f"found the choices {', '.join(codes)}, expected {', '.join(control.choices)}"
    if control.kind == "rating" and codes != [
        str(control.low + place) for place in range(control.high - control.low + 1)
    ]:
        return f"found the choices {', '.join(codes)}, expected {control.low} to {control.high} in this order"
    return ""


def _wrong_number(control: Control, element: "Element") -> str:
    """Return what is wrong with how many choices an element allows."""
    choice = element.get("choice", "single")
    if control.kind == "choices":
        return "" if choice == "multiple" else f"found choice {choice!r}, expected multiple: several may apply"
    return "" if choice.startswith("single") else f"found choice {choice!r}, expected a single answer"


def read_guideline(path: Path) -> str:
    """Return the guideline in a file; raises `PipelineError` for a brace that belongs to no number of the list."""
    text = read_text(path)
    for line, words in enumerate(lines_of(text), 1):
        if braces := re.search(r"\{[^{}]*\}?|\}", _NUMBER.sub("", words)):
            reason = f"found {shown(braces[0])}, expected {{items}}, {{tasks}} or {{minutes:SECONDS A RECORD}}"
            raise PipelineError(path, line, f"[guideline] unknown number; {reason}")
    return text


def with_numbers(guideline: str, tasks: Sequence[Task]) -> str:
    """Return a guideline with the numbers of the longest list.

    ``{items}`` stands for the number of its records after the practice, attention items too, ``{tasks}`` for that of their screens, and
    ``{minutes:15}`` for the minutes that the whole list takes, with practice, if each record takes 15 seconds.
    """
    screens: Counter[str] = Counter()
    records: Counter[str] = Counter()
    everything: Counter[str] = Counter()
    for task in tasks:
        everything[task.list] += len(task.items)
        if task.phase != "practice":
            screens[task.list] += 1
            records[task.list] += len(task.items)

    def number(match: re.Match[str]) -> str:
        if match[1]:
            return str(max(records.values(), default=0))
        if match[2]:
            return str(max(screens.values(), default=0))
        return str(-(-max(everything.values(), default=0) * int(match[3]) // 60))

    return _NUMBER.sub(number, guideline)


def guideline_html(markdown: str) -> str:
    r"""Return the HTML of a guideline in CommonMark with tables. HTML in it is escaped.

    Images become links, so that the page of the raters loads nothing from elsewhere.

    >>> guideline_html("**Ø** <script>")
    '<p><strong>Ø</strong> &lt;script&gt;</p>\n'
    """
    from markdown_it import MarkdownIt

    return str(MarkdownIt("commonmark", {"html": False}).enable("table").disable("image").render(markdown))
