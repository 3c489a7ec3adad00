"""The questions of a study as its raters saw them."""

import re
from xml.etree.ElementTree import Element, ParseError  # no parser: defusedxml parses

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from ...model.study import Study

#: A field of the task's data in the words of a config.
_FIELD = re.compile(r"\$\w+")


def questions(study: Study) -> dict[str, str]:
    """Return the words above each control on the screen, by the control's name: of a screen of several records, those above the first.

    A field of the data is an ellipsis. A control that has no words of its own, and one of a config that cannot be read, has none.
    """
    try:
        root: Element = fromstring(study.config, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError):
        return {}
    names = {study.control_name(control, 0): control.name for control in study.controls}
    words = {}
    header = ""
    for element in root.iter():
        if element.tag == "Header":
            header = _FIELD.sub("…", element.get("value", "")).strip()
        elif (name := element.get("name", "")) in names:
            if header:
                words[names[name]] = header
            header = ""
    return words
