"""Drafts: the questions of a source, and how they become items, or skipped records with all their defects."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from msgspec import structs

from ...core.errors import PipelineError, shown
from ...core.files import require_unique
from ...core.model import Finding, IngestResult, Item, Record, Rejected, Span
from ...core.tables import read_table
from ...language.anaphors import Place, locate
from ...language.questions import is_language, languages, question_table
from ..analysis import Analysis
from ..mentions import GENITIVE, mentioned

#: What stands in a text for a pronoun that is to be filled in, as in WinoGrande.
GAP = "_"
_CHINESE = re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]")
_ALTERNATION = re.compile(r"\[[^\[\]/]*/[^\[\]]*\]")
_TARGET_COLUMNS = ("id", "start", "end", "form", "next", "reason")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A question as its source has it, before any check: what every format yields.

    `candidates` and `gold` are written as in the source (blanks between Chinese words allowed); `target` is None where the
    format gives no offset, and is then found by the question. `words` are those in which the source prints the text, `analysis`
    what its authors say of the item. `defects` are those that the reader found. `lines` has the line of the file where the
    question begins, under "id", and of other fields that have a line of their own. `merged` are other mentions of the right candidate.
    """

    schema: str = ""
    version: str = ""
    lang: str
    text: str
    candidates: tuple[str, ...]
    gold: str | None
    target: Span | None = None
    question: str = ""
    source: str = ""
    note: str = ""
    words: tuple[str, ...] = ()
    analysis: Analysis | None = None
    defects: tuple[Finding, ...] = ()
    merged: tuple[str, ...] = ()
    lines: Mapping[str, int] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The id of the record: its schema and its version."""
        return f"{self.schema}-{self.version}"


def defect(name: str, message: str, **evidence: object) -> Finding:
    """Return the finding that a field of a record is broken."""
    return Finding("ingest/defect", "defect", None, message, {"field": name, **evidence})


def member(index: int) -> str:
    """Return the version letter of the `index`-th member of a schema: a, b, and so on.

    >>> member(0), member(27)
    ('a', 'ab')
    """
    letters = "abcdefghijklmnopqrstuvwxyz"
    return letters[index] if index < len(letters) else member(index // len(letters) - 1) + letters[index % len(letters)]


def is_chinese(text: str) -> bool:
    """Return whether a text has a Chinese character."""
    return bool(_CHINESE.search(text))


def require_chinese(text: str, path: Path, line: int | None) -> None:
    """Refuse a text that has no Chinese character, read as Chinese from a file that says nothing of its language."""
    if not is_chinese(text):
        reason = f"text without a Chinese character; found {shown(text)}, expected Chinese, or another --lang (en, …)"
        raise PipelineError(path, line, f"[text] {reason}")


def require_latin(text: str, path: Path, line: int | None) -> None:
    """Refuse a text in another script that is read as English because nobody says its language."""
    if text.strip() and not re.search("[A-Za-z]", text):
        raise PipelineError(path, line, f"[lang] not English; found {shown(text)}, expected --lang (zh, ja, ru, …)")


def collapse(text: str) -> str:
    """Return `text` with each run of white space replaced by one blank, and none at the ends."""
    return " ".join(text.split())


def name_of(answer: str, lang: str) -> str:
    """Return an answer as the candidate of a record: in Chinese without blanks and genitive particle.

    >>> name_of("Tom 的", "zh"), name_of("the  trophy ", "en")
    ('Tom', 'the trophy')
    """
    if lang != "zh":
        return collapse(answer)
    return "".join(answer.split()).removesuffix(GENITIVE)


def with_right_mentions(draft: Draft, right: Sequence[str]) -> Draft:
    """Return a draft whose right mentions are one candidate if each ends the longest (妈妈, 小王的妈妈), else with a defect."""
    longest = max(right, key=len)
    before = [longest.removesuffix(name)[-1:] for name in right if name != longest]
    if all(longest.endswith(name) for name in right) and not any(mark.isascii() and mark.isalnum() for mark in before):
        return _merged(draft, right)
    reason = defect("answer", f"more than one right answer; found {', '.join(right)}", right=list(right))
    return replace(draft, defects=(*draft.defects, reason))


def merge_mentions(drafts: Iterable[Draft]) -> list[Draft]:
    """Return the drafts with all right mentions of one record as one candidate, as its labels say, whatever their words."""
    merged = []
    for draft in drafts:
        several = next((finding for finding in draft.defects if "right" in finding.evidence), None)
        if several is not None:
            rest = tuple(finding for finding in draft.defects if finding is not several)
            draft = _merged(replace(draft, defects=rest), several.evidence["right"])
        merged.append(draft)
    return merged


def _merged(draft: Draft, right: Sequence[str]) -> Draft:
    """Return a draft that has the longest of several right mentions only, with the others in its note."""
    longest = max(right, key=len)
    others = tuple(name for name in right if name != longest)
    note = "; ".join(filter(None, (draft.note, f"also right: {', '.join(others)}")))
    candidates = tuple(name for name in draft.candidates if name not in others)
    return replace(draft, candidates=candidates, gold=longest, merged=others, note=note)


def override_targets(drafts: Iterable[Draft], path: Path) -> list[Draft]:
    """Return the drafts with the targets set by hand in the table at `path` (raw/<collection>/targets.tsv).

    The columns are id, start, end (code points), form (the text of the target, empty for a zero), next (the character
    after it) and reason.

    Raises:
        PipelineError: offsets are outside the text, or an override no longer applies: its id is gone, or the text there has
            changed.
    """
    by_id = {draft.id: draft for draft in drafts}
    lines: dict[str, int | None] = {}
    for line, row in read_table(path, _TARGET_COLUMNS):
        draft = by_id.get(row["id"])
        if draft is None:
            raise PipelineError(path, line, f"[id] the override no longer applies; found no item {shown(row['id'])}")
        require_unique(lines, row["id"], path, line)
        try:
            span = Span(int(row["start"]), int(row["end"]))
        except ValueError as error:
            reason = f"[start] no span; found {row['start'][:20]!r} and {row['end'][:20]!r}, expected offsets in order"
            raise PipelineError(path, line, reason) from error
        if span.end > len(draft.text):
            field = "start" if span.start > len(draft.text) else "end"
            reason = f"outside the text; found {shown(row[field])}, expected at most {len(draft.text)}"
            raise PipelineError(path, line, f"[{field}] {reason}")
        form, after = span.of(draft.text), draft.text[span.end : span.end + 1]
        if (form, after) != (row["form"], row["next"]):
            reason = (
                f"found {shown(form)} before {shown(after)}, expected {shown(row['form'])} before {shown(row['next'])}"
            )
            raise PipelineError(path, line, f"[form] the override no longer applies; {reason}")
        by_id[draft.id] = replace(draft, target=span)
    return list(by_id.values())


def assemble(drafts: Iterable[Draft], *, least: int = 2) -> IngestResult:
    """Return each draft as an item, or as a skipped record with all its defects, in their order.

    Args:
        least: how many candidates an item has at least; one is enough to ask whether a zero is licensed.
    """
    placed = [_placed(draft) for draft in drafts]
    asked: dict[tuple[str, str], list[Span | None]] = {}
    for draft, _, target, _ in placed:
        asked.setdefault((draft.schema, draft.text), []).append(_marked(draft, target))
    records = [
        _assemble(
            draft,
            names,
            target,
            misplaced,
            least=least,
            is_twin=_are_twins(asked[draft.schema, draft.text], _marked(draft, target)),
        )
        for draft, names, target, misplaced in placed
    ]
    return IngestResult(
        items=tuple(record for record in records if isinstance(record, Item)),
        skipped=tuple(record for record in records if isinstance(record, Rejected)),
    )


def _marked(draft: Draft, target: Span | None) -> Span | None:
    """Return the target that the source marks, or the pronoun that a question asks about; not the place of a zero that suits it best."""
    return target if draft.target is not None or (target and target.length) else None


def _are_twins(asked: Sequence[Span | None], target: Span | None) -> bool:
    """Return whether a text stands in a schema again, and no other target that is sure is asked for."""
    return len(asked) > 1 and (None in asked or asked.count(target) > 1)


def problems_apart(drafts: Iterable[Draft]) -> list[Draft]:
    """Return the drafts; where members of a schema ask one text for different targets, all but the first are schemas of their own."""
    apart: list[Draft] = []
    firsts: dict[tuple[str, str], Draft] = {}
    for draft in drafts:
        if (first := firsts.setdefault((draft.schema, draft.text), draft)) is draft:
            apart.append(draft)
            continue
        targets = {_marked(same, _placed(same)[2]) for same in (first, draft)}
        if len(targets) > 1 and None not in targets:
            apart.append(replace(draft, schema=f"{draft.schema}{draft.version}", version=member(0)))
        else:
            apart.append(draft)
    return apart


def with_source(drafts: Iterable[Draft], label: str, path: Path) -> list[Draft]:
    """Return the drafts with a collection's name, if there is one, at the beginning of each source, in place of the name of the file."""
    if not label:
        return list(drafts)
    of_file = f"{path.stem}, "
    return [
        replace(draft, source=", ".join(filter(None, (label, draft.source.removeprefix(of_file))))) for draft in drafts
    ]


def _placed(draft: Draft) -> tuple[Draft, tuple[str, ...], Span | None, list[Finding]]:
    names = tuple(name_of(candidate, draft.lang) for candidate in draft.candidates)
    return (draft, names, *_place(draft, names))


def _assemble(
    draft: Draft, names: tuple[str, ...], target: Span | None, misplaced: list[Finding], *, least: int, is_twin: bool
) -> Item | Rejected:
    gold = None if draft.gold is None else name_of(draft.gold, draft.lang)
    findings = [*_defects(draft, names, gold, least=least, is_twin=is_twin), *misplaced]
    record: dict[str, Any] = {
        "id": draft.id,
        "schema": draft.schema,
        "version": draft.version,
        "lang": draft.lang,
        "text": draft.text,
        "target": target,
        "candidates": names,
        "answer": names.index(gold) if gold in names else None,
        "question": draft.question,
        "source": draft.source,
        "note": draft.note,
    }
    if not findings:
        return Item(**record)
    return Rejected(Record(**record), tuple(_at_line(finding, draft.lines) for finding in findings))


def _defects(draft: Draft, names: Sequence[str], gold: str | None, *, least: int, is_twin: bool) -> Iterator[Finding]:
    yield from draft.defects
    yield from _text_defects(draft)
    if is_twin:
        yield defect("text", "the members of the schema have the same text")
    if len(set(names)) < least:
        reason = f"fewer than two candidates; found {', '.join(names) or 'none'}"
        yield defect("candidates", reason, candidates=list(names))
    for candidate in draft.candidates:
        if not mentioned(candidate, draft.text):
            reason = f"a candidate does not occur in the text; found {shown(collapse(candidate))}, expected words of the text"
            yield defect("candidates", reason, candidate=candidate)
    if draft.gold is None:
        if not any(finding.evidence["field"] == "answer" for finding in draft.defects):
            yield defect("answer", "the source gives no right answer")
    elif gold not in names:
        actual, expected = shown(collapse(draft.gold)), ", ".join(names) or "none"
        reason = f"the right answer is none of the candidates; found {actual}, expected one of {expected}"
        yield defect("answer", reason, answer=draft.gold, candidates=list(names))


def _text_defects(draft: Draft) -> Iterator[Finding]:
    for part, text in (("text", draft.text), ("question", draft.question)):
        for match in _ALTERNATION.finditer(text):
            reason = f"an alternation is left unresolved; found {shown(match[0])} in the {part}"
            yield defect(part, reason, found=match[0])
        if "\ufffd" in text:
            yield defect(part, f"a character of the {part} is damaged; found U+FFFD in {shown(text)}")


def _place(draft: Draft, names: Sequence[str]) -> tuple[Span | None, list[Finding]]:
    """Return the target, and the finding if there is none or it is no pronoun."""
    if draft.target is not None:
        span, overt = draft.target, draft.target.length > 0
    elif draft.defects:  # the reader found why
        return None, []
    else:
        place = locate(draft.text, draft.question, names, question_table(draft.lang))
        if not isinstance(place, Place):
            return None, [defect("target", place.reason, question=draft.question)]
        span, overt = place.span, place.kind != "zero"
    form = span.of(draft.text)
    has_table = draft.lang in languages() or not is_language(draft.lang)  # what is no code is refused
    pronouns = question_table(draft.lang) if has_table else None
    if not overt or form == GAP or pronouns is None or pronouns.is_pronoun(form):
        return span, []
    reason, evidence = f"the target is no third-person pronoun; found {shown(form)}", {"field": "target", "form": form}
    return span, [Finding("ingest/not-pronoun", "not-pronoun", span, reason, evidence)]


def _at_line(finding: Finding, lines: Mapping[str, int]) -> Finding:
    """Return the finding with the line of its field in the file, if the reader knows it."""
    line = lines.get(finding.evidence["field"], lines.get("id"))
    return finding if line is None else structs.replace(finding, evidence={**finding.evidence, "line": line})


def skipped_lines(skipped: Iterable[Rejected], path: Path) -> list[str]:
    """Return the defects of skipped records as lines for the user: path, line, field, ids and reason.

    The members of a schema with the same defect share a line.
    """
    ids: dict[tuple[int | None, str, str], list[str]] = {}
    for entry in skipped:
        for finding in entry.findings:
            place = finding.evidence.get("line"), finding.evidence["field"], finding.message
            ids.setdefault(place, []).append(entry.record.id)
    return [
        str(PipelineError(path, line, f"[{name}] {', '.join(names)}: {message}"))
        for (line, name, message), names in ids.items()
    ]
