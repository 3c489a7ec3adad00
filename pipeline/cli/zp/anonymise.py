"""Replace the names of a text and its translation by codes."""

from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError, plural, shown
from ...core.files import lines_of, read_text, write_text, write_tsv
from ...zero_pronouns.anonymisation.documents import NUMBER, Anonymiser, Replacement
from ...zero_pronouns.anonymisation.names import read_names
from ...zero_pronouns.documents import misalignment, read_parallel_text
from ..parameters import arg, opt, output
from ..report import Report, Writes

#: The columns of the report.
COLUMNS = ("document", "kind", "name", "code", "zh", "en", "forms")


def command(
    source: Annotated[Path, arg("SOURCE", "Chinese with labels, a sentence a line.")],
    target: Annotated[Path, arg("TARGET", "English, aligned line by line.")],
    names: Annotated[Path, opt("List of names: genre, kind, zh, en (TSV).")],
    out: Annotated[Path, output("folder of both files, under their names."), Writes(("*.zh", "*.en"))],
    seed: Annotated[int, opt("Seed for the letters of the codes and the order of numbers.")],
    genre: Annotated[str | None, opt("Take the names of this genre only.")] = None,
    report_out: Annotated[
        Path | None, output("what was replaced (TSV). It undoes the anonymisation: keep it apart.", "--report")
    ] = None,
) -> Report:
    """Replace names by codes such as Person-A and shuffle numbers; exit 1 if a name is in one language only.

    Each document has its own letters and numbers, the same in both languages. Both files must have the same boundaries and lines.
    """
    if source.name == target.name:
        raise PipelineError(
            target, None, f"[target] same name as the source; found {shown(target.name)}, expected another"
        )
    text = read_parallel_text(source, target)
    if fault := misalignment(text):
        raise fault
    anonymiser = Anonymiser(read_names(names, genre), seed)
    report = Report(findings=list(map(str, text.findings)))
    lines = [lines_of(read_text(path)) for path in (source, target)]
    rows: list[Replacement] = []
    for number, document in enumerate(text.documents, 1):
        anonymous, replaced = anonymiser.document(number, document)
        rows += replaced
        for pair in anonymous:
            for file, line in zip(lines, (pair.source.labelled, pair.target), strict=True):
                file[pair.line - 1] = line
        for line_number, name in anonymiser.survivors(anonymous):
            report.findings.append(f"{out}:{line_number}: [name] a name is left; found {shown(name)}, expected a code")
    for path, file in zip((source, target), lines, strict=True):
        write_text(out / path.name, "".join(f"{line}\n" for line in file))
    if report_out:
        write_tsv(report_out, COLUMNS, map(_cells, rows))
    _add(report, source, target, rows)
    report.add(f"{out}: {plural(len(text.documents), 'document')}, {plural(len(text.pairs), 'sentence')}")
    return report


def _add(report: Report, source: Path, target: Path, rows: list[Replacement]) -> None:
    """Add the counts, and the names whose counts show a fault."""
    named = [row for row in rows if row.kind != NUMBER]
    numbers = [row for row in rows if row.kind == NUMBER]
    for row in named:
        if not row.zh or not row.en:
            path, other = (source, target) if row.zh else (target, source)
            reason = f"found {shown(row.name)} {plural(row.zh + row.en, 'time')} here, expected it in {other} too"
            report.findings.append(f"{path}:{row.line}: [name] in one language only in its document; {reason}")
        for form in row.shared:
            reason = f"found {shown(form)}, taken for {row.name}; expected a full name"
            report.findings.append(f"{source}:{row.line}: [name] could be another person of the document; {reason}")
    report.add(
        f"{plural(len(named), 'name')} replaced {plural(sum(row.zh for row in named), 'time')} in Chinese, "
        f"{plural(sum(row.en for row in named), 'time')} in English",
        names=len(named),
        zh=sum(row.zh for row in named),
        en=sum(row.en for row in named),
    )
    kept = sum(row.code == row.name for row in numbers)
    report.add(
        f"{plural(len(numbers), 'number')}: {len(numbers) - kept} exchanged, {kept} kept",
        exchanged=len(numbers) - kept,
        kept=kept,
    )


def _cells(row: Replacement) -> list[str]:
    forms = " | ".join(f"{form} {count}" for form, count in sorted(row.forms.items()))
    return [str(row.document), row.kind, row.name, row.code, str(row.zh), str(row.en), forms]
