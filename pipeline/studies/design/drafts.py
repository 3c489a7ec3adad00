"""Drafts of a translation in a study: people review the machine's texts, and their reviews fill the draft."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from ...core.errors import PipelineError
from ...core.model import Record
from ...language.pronoun_classes import is_gender
from ...winograd.translation.draft import CANDIDATE, QUESTION, TEXT, UNREVIEWED, DraftRow, by_item, read_draft
from ..model.judgements import Judgement
from .fields import StudyRecord

#: The controls of the design that hold what a person accepts, and the fields of the draft.
FIELDS = {"translation": TEXT, "question": QUESTION, "first": f"{CANDIDATE}1", "second": f"{CANDIDATE}2"}
#: The controls with the gender of a candidate.
GENDER_OF = {"first-gender": f"{CANDIDATE}1", "second-gender": f"{CANDIDATE}2"}
#: The control that says whether the item can be used.
VERDICT, USABLE = "verdict", "usable"


def read_draft_records(path: Path, lang: str) -> list[StudyRecord]:
    """Return a record for each item of a draft: the machine's texts, and the original ones beside them.

    Raises:
        PipelineError: the draft is malformed, or an item has no text, or not two candidates.
    """
    records = []
    for name, rows in by_item(read_draft(path)).items():
        first = next(iter(rows.values()))
        candidates = [rows.get(field) for field in GENDER_OF.values()]
        number = sum(field.startswith(CANDIDATE) for field in rows)
        if TEXT not in rows or number != len(candidates) or not all(candidates):
            reason = f"[field] no text or not two candidates; found {', '.join(rows)} of {name}"
            raise PipelineError(path, first.line, f"{reason}, expected {TEXT}, {', '.join(GENDER_OF.values())}")
        given = [row for row in candidates if row]
        answers = [place for place, row in enumerate(given) if row.right]
        question = rows.get(QUESTION, DraftRow(name, QUESTION, False, "", ""))
        schema, _, version = name.rpartition("-")
        records.append(
            StudyRecord(
                item=Record(
                    id=name,
                    schema=schema,
                    version=version,
                    lang=lang,
                    text=rows[TEXT].machine,
                    target=None,
                    candidates=tuple(row.machine for row in given),
                    answer=answers[0] if len(answers) == 1 else None,
                    question=question.machine,
                    source=path.name,
                    note=UNREVIEWED,
                ),
                original=(rows[TEXT].source, question.source, *(row.source for row in given)),
            )
        )
    return records


def with_judgements(rows: Sequence[DraftRow], judgements: Iterable[Judgement]) -> tuple[list[DraftRow], list[str]]:
    """Return a draft with what people accepted in the study ``translation``, and a line for each item that stays open.

    What the draft has already stays. An item stays open if somebody skipped it or found it unusable, or two people wrote
    different things.
    """
    reviews: dict[tuple[str, str], set[tuple[str, str]]] = {}
    open_items: dict[str, str] = {}
    for judgement in judgements:
        if judgement.skipped or judgement.answers.get(VERDICT) != USABLE:
            open_items[judgement.item] = (
                f"{judgement.rater} {'skipped it' if judgement.skipped else 'found it unusable'}"
            )
            continue
        for control, field in FIELDS.items():
            gender = next((judgement.answers.get(name, "") for name, of in GENDER_OF.items() if of == field), "")
            review = str(judgement.answers.get(control, "")), str(gender)
            reviews.setdefault((judgement.item, field), set()).add(review)
    for (item, field), given in reviews.items():
        if len(given) > 1:
            open_items.setdefault(item, f"people wrote different things into {field}")
    filled = []
    for row in rows:
        given = reviews.get((row.id, row.field), set())
        if len(given) == 1 and row.id not in open_items and not row.reviewed:
            ((text, gender),) = given
            row = replace(row, reviewed=" ".join(text.split()), gender=gender if is_gender(gender) else None)
        filled.append(row)
    return filled, [f"{item}: {reason}" for item, reason in sorted(open_items.items())]
