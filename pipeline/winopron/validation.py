"""The suite for occupation templates."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from ..core.validation.profiles import profiles
from ..core.validation.rows import text_of
from ..core.validation.suite import Row, Suite, described
from ..language.pronouns import pronoun_table
from .template_checks import CHECKS, check_templates
from .templates import read_templates

_LANG = "en"


def template_rows(paths: Sequence[Path], profile: str = "") -> list[Row]:
    """Return a row for each template; its value maps each failed check of `CHECKS` to the reason.

    What the profile allows is no failure; by default it is that of the format.
    """
    pronouns = pronoun_table(_LANG)
    rows = []
    for path in paths:
        templates = read_templates(path, pronouns)
        reasons: dict[int, dict[str, str]] = {}
        for finding in check_templates(templates, pronouns, profiles()[profile] if profile else None):
            reasons.setdefault(finding.line, {}).setdefault(finding.check, finding.reason)
        for number, template in enumerate(templates, 1):
            case = pronouns.placeholders[template.placeholder]
            name = f"{template.occupation}-{template.participant}-{case}-{'ab'[template.answer]} ({number})"
            # in our YAML both members of a pair have one line, whose findings go to the first
            rows.append(Row(name, path, template.line, reasons.pop(template.line, {})))
    return rows


TEMPLATES = Suite(
    "templates",
    "occupation templates (TSV, YAML or zip)",
    template_rows,
    {
        name: described(check.__doc__ or "", partial(lambda check, value: text_of(value, check), name))
        for name, check in CHECKS.items()
    },
    unique=False,
)
