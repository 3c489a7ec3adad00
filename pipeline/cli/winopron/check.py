"""Check occupation templates."""

from collections import Counter
from pathlib import Path
from typing import Annotated

from ...core.errors import plural
from ...core.validation.profiles import STRICT
from ...language.pronouns import pronoun_table
from ...winopron.template_checks import CHECKS, check_templates
from ...winopron.templates import read_templates
from ..parameters import arg, opt
from ..report import Report


def command(
    templates: Annotated[Path, arg("TEMPLATES", "Templates: TSV, our YAML, or a zip archive of TSV.")],
    lang: Annotated[str, opt("Language of the pronoun table.")] = "en",
) -> Report:
    """Check occupation templates: completeness, identical prefixes, one pronoun, singular they and more.

    Prints one line per finding; exit 1 if there are any.
    """
    report = Report()
    table = pronoun_table(lang)
    entries = read_templates(templates, table)
    findings = check_templates(entries, table, STRICT)
    report.findings += [f"{templates}:{finding.line}: [{finding.check}] {finding.reason}" for finding in findings]
    cases = Counter(table.placeholders[template.placeholder] for template in entries)
    counts = ", ".join(f"{case} {count}" for case, count in cases.items())
    by_check = Counter(finding.check for finding in findings)
    kinds = ", ".join(f"{name} {by_check[name]}" for name in CHECKS if by_check[name]) or "none"
    report.add(
        f"{templates}: {plural(len(entries), 'template')} ({counts}); {plural(len(findings), 'finding')}: {kinds}",
        templates=len(entries),
        cases=dict(cases),
        checks=dict(by_check),
    )
    return report
