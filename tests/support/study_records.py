"""Records for tests of lists and orders: schemas whose members have given answers."""

from collections.abc import Sequence

from hypothesis import strategies as st

from pipeline.core.model import Record
from pipeline.studies.design.fields import StudyRecord

#: The answers of the members of a schema, of a and b; of a single one the member is b.
Answers = tuple[int, ...]


def pool(*schemas: Answers) -> list[StudyRecord]:
    """Records whose schemas have these answers."""
    return [
        StudyRecord(
            item=Record(
                id=f"s-{number:04}-{version}",
                schema=f"s-{number:04}",
                version=version,
                lang="zh",
                text="甲说乙来了。",
                target=None,
                candidates=("甲", "乙"),
                answer=answer,
            )
        )
        for number, answers in enumerate(schemas)
        for version, answer in zip("b" if len(answers) == 1 else "ab", answers, strict=True)
    ]


PAIRS = st.sampled_from([(0, 1), (1, 0)])
ANY = st.sampled_from([(0, 1), (1, 0), (0, 0), (1, 1), (0,), (1,)])


def schema_of(record: StudyRecord) -> str:
    return record.item.schema


def ids(lists: Sequence[Sequence[StudyRecord]]) -> list[list[str]]:
    return [[record.id for record in part] for part in lists]
