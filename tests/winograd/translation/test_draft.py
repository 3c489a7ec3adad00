"""The draft: what people wrote becomes items, the machine's words never do, and no review is lost."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.core.records import write_items
from pipeline.release.gate import SUITES
from pipeline.studies.design.build import make_study
from pipeline.studies.design.sources import read_draft_records, with_judgements
from pipeline.studies.model.design import read_design
from pipeline.studies.model.judgements import Judgement
from pipeline.studies.model.study import write_study
from pipeline.winograd.translation.draft import (
    COLUMNS,
    DRAFT,
    MAX_TEXTS,
    DraftRow,
    Options,
    SourceText,
    batches,
    characters,
    draft_rows,
    item_parts,
    read_draft,
    with_reviews,
    write_draft,
)
from tests.conftest import ROOT
from tests.support.commands import Run, winoforge

from .conftest import english_items

#: What a person writes into the draft of the first pair.
REVIEWED = {
    ("en-000-a", "text"): "Der Pokal passt nicht in die Kiste, weil [er] zu groß ist.",
    ("en-000-a", "question"): "Was ist zu groß?",
    ("en-000-b", "text"): "Der Pokal passt nicht in die Kiste, weil [sie] zu klein ist.",
    ("en-000-b", "question"): "Was ist zu klein?",
    **{(name, "candidate-1"): "Der Pokal" for name in ("en-000-a", "en-000-b")},
    **{(name, "candidate-2"): "die Kiste" for name in ("en-000-a", "en-000-b")},
}
GENDERS = {"candidate-1": "masc", "candidate-2": "fem"}


def rows() -> list[DraftRow]:
    parts = item_parts(english_items())
    return draft_rows(parts, [f"MASCHINE {part.shown}" for part in parts])


def reviewed(row: DraftRow) -> DraftRow:
    text = REVIEWED.get((row.id, row.field), "")
    return replace(row, reviewed=text, gender=GENDERS.get(row.field) if text else None)  # type: ignore[arg-type]


def ingest(draft: Path, folder: Path) -> Run:
    outputs = [
        word for name in ("out", "skipped", "analysis", "cloze") for word in (f"--{name}", folder / f"{name}.jsonl")
    ]
    return winoforge("ingest", draft, "--format", "translation-tsv", "--lang", "de", *outputs)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_reviewed_items_are_read_and_the_others_counted(tmp_path: Path) -> None:
    draft = tmp_path / DRAFT
    write_draft(draft, map(reviewed, rows()))
    run = ingest(draft, tmp_path)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[0] == f"{draft}: 2 items + 2 skipped = 4 records read"
    assert "en-001-a: not reviewed; found nothing in the column reviewed of text, question, candidate-1" in run.stderr
    assert not any(
        "MASCHINE" in (tmp_path / f"{name}.jsonl").read_text(encoding="utf-8")
        for name in ("out", "skipped", "analysis", "cloze")
    ), "no word of the machine leaves the draft"
    first, second = lines(tmp_path / "out.jsonl")
    assert (first["id"], first["lang"], first["answer"], second["answer"]) == ("en-000-a", "de", 0, 1)
    assert first["text"] == "Der Pokal passt nicht in die Kiste, weil er zu groß ist."
    cloze = lines(tmp_path / "cloze.jsonl")
    assert [row["text"] for row in cloze][1] == "Der Pokal passt nicht in die Kiste, weil ___ zu klein ist."
    assert cloze[0]["antecedents"] == [{"text": "Der Pokal", "gender": "masc"}, {"text": "die Kiste", "gender": "fem"}]
    assert [
        list(SUITES[name].check([tmp_path / f"{file}.jsonl"]).lines())
        for name, file in (("cloze", "cloze"), ("items", "out"), ("pairs", "out"))
    ] == [[]] * 3


@pytest.mark.parametrize("field", ["text", "question", "candidate-1", "candidate-2"])
def test_one_open_row_keeps_its_item_out(field: str, tmp_path: Path) -> None:
    draft = tmp_path / DRAFT
    changed = [
        replace(row, reviewed=" ") if (row.id, row.field) == ("en-000-b", field) else row
        for row in map(reviewed, rows())
    ]
    write_draft(draft, changed)
    assert "1 items + 3 skipped = 4 records read" in ingest(draft, tmp_path).stdout
    assert [row["id"] for row in lines(tmp_path / "out.jsonl")] == ["en-000-a"]


def test_a_reviewed_text_needs_one_target(tmp_path: Path) -> None:
    for text, reason in (
        ("Der Pokal passt nicht in die Kiste, weil er zu groß ist.", "one target is needed; found 0 in brackets"),
        ("[Er] passt nicht zum Pokal in die Kiste, weil [er] zu groß ist.", "found 2 in brackets"),
        ("Der Pokal passt nicht in die Kiste, weil [er zu groß ist.", "unclosed bracket"),
    ):
        changed = [
            replace(row, reviewed=text) if (row.id, row.field) == ("en-000-a", "text") else row
            for row in map(reviewed, rows())
        ]
        write_draft(tmp_path / DRAFT, changed)
        run = ingest(tmp_path / DRAFT, tmp_path)
        assert f"{tmp_path / DRAFT}:2: [" in run.stderr
        assert reason in run.stderr


@pytest.mark.parametrize(
    ("column", "value", "field"),
    [
        ("id", "x", "id"),
        ("field", "gloss", "field"),
        ("field", "candidate-", "field"),
        ("field", "question", "field"),  # twice
        ("right", "ja", "right"),
        ("right", "yes", "right"),  # of a text
        ("gender", "fem", "gender"),  # of a text
    ],
)
def test_a_malformed_row_is_refused(column: str, value: str, field: str, tmp_path: Path) -> None:
    write_draft(tmp_path / DRAFT, rows())
    table = [line.split("\t") for line in (tmp_path / DRAFT).read_text(encoding="utf-8").splitlines()]
    table[1][COLUMNS.index(column)] = value
    (tmp_path / DRAFT).write_text("".join("\t".join(row) + "\n" for row in table), encoding="utf-8")
    run = ingest(tmp_path / DRAFT, tmp_path)
    line = 3 if (column, value) == ("field", "question") else 2
    assert (run.returncode, run.stderr.startswith(f"{tmp_path / DRAFT}:{line}: [{field}]")) == (2, True), run.stderr


def test_an_item_without_text_or_right_candidate(tmp_path: Path) -> None:
    write_draft(tmp_path / DRAFT, [row for row in rows() if row.field != "text"])
    assert ingest(tmp_path / DRAFT, tmp_path).stderr.startswith(f"{tmp_path / DRAFT}:2: [field] item without text")
    write_draft(tmp_path / DRAFT, (replace(reviewed(row), right=False) for row in rows()))
    assert "one right candidate is needed; found 0" in ingest(tmp_path / DRAFT, tmp_path).stderr
    write_draft(tmp_path / DRAFT, [])
    assert ingest(tmp_path / DRAFT, tmp_path).stderr.startswith(f"{tmp_path / DRAFT}: [file] no row")


CELLS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=20)


@settings(max_examples=40)
@given(source=CELLS, machine=CELLS, text=CELLS)
def test_a_draft_is_read_as_it_was_written(
    source: str, machine: str, text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Also where a cell begins like a formula of a spreadsheet."""
    path = tmp_path_factory.mktemp("draft") / DRAFT
    row = DraftRow("a-1-a", "text", False, source.strip(), machine.strip(), f"={text.strip()}")
    write_draft(path, [row])
    assert [replace(read, line=None) for read in read_draft(path)] == [row]
    assert "\t=" not in path.read_text(encoding="utf-8")


def test_reviews_stay_when_the_collection_is_translated_again() -> None:
    before = [reviewed(row) for row in rows()]
    again = with_reviews([replace(row, machine="anders") for row in rows()], before, Path("draft.tsv"))
    assert [(row.reviewed, row.gender) for row in again] == [(row.reviewed, row.gender) for row in before]
    assert {row.machine for row in again} == {"anders"}


@pytest.mark.parametrize("change", ["gone", "changed"])
def test_a_review_is_never_thrown_away(change: str) -> None:
    before = [replace(reviewed(row), line=number) for number, row in enumerate(rows(), 2)]
    after = rows()[1:] if change == "gone" else [replace(rows()[0], source="Another text."), *rows()[1:]]
    with pytest.raises(PipelineError, match=r"^draft\.tsv:2: \[reviewed\] a reviewed row would be lost"):
        with_reviews(after, before, Path("draft.tsv"))


# --- reviews in Label Studio ----------------------------------------------------------------------------------------------


def review(item: str, rater: str = "r-1", **answers: str) -> Judgement:
    given = {
        "verdict": "usable",
        "translation": REVIEWED[item, "text"],
        "question": REVIEWED[item, "question"],
        "first": REVIEWED[item, "candidate-1"],
        "first-gender": "masc",
        "second": REVIEWED[item, "candidate-2"],
        "second-gender": "fem",
    }
    task = f"translation/1/{item}"
    return Judgement(
        study="translation", list="1", task=task, item=item, phase="main", rater=rater, answers=given | answers, lead_time=1.0
    )  # fmt: skip


def test_reviews_fill_the_draft() -> None:
    filled, still_open = with_judgements(rows(), [review("en-000-a"), review("en-000-b"), review("en-000-b", "r-2")])
    assert still_open == []
    assert [(row.reviewed, row.gender) for row in filled] == [
        (row.reviewed, row.gender) for row in map(reviewed, rows())
    ]


def test_what_people_do_not_agree_on_stays_open() -> None:
    judgements = [
        review("en-000-a"),
        review("en-000-a", "r-2", first="Ein Pokal"),
        review("en-000-b", verdict="unusable"),
    ]
    filled, still_open = with_judgements(rows(), judgements)
    assert not any(row.reviewed or row.gender for row in filled)
    assert still_open == [
        "en-000-a: people wrote different things into candidate-1",
        "en-000-b: r-1 found it unusable",
    ]


def test_what_is_in_the_draft_stays() -> None:
    before = [replace(row, reviewed="Von Hand.") if row.field == "question" else row for row in rows()]
    filled, _ = with_judgements(before, [review("en-000-a")])
    assert [row.reviewed for row in filled[:2]] == [REVIEWED["en-000-a", "text"], "Von Hand."]


def test_the_study_shows_the_machine_s_texts_and_marks_them(tmp_path: Path) -> None:
    write_draft(tmp_path / DRAFT, rows())
    design = read_design(ROOT / "annotation" / "designs" / "translation.yaml")
    made = make_study(replace(design, records=tmp_path / DRAFT))
    data = {task.items[0]: task.data for task in made.tasks}["en-000-b"]
    assert data["original"] == "The trophy does not fit into the suitcase because [it] is too small."
    assert data["original_candidates"] == "The trophy / the suitcase"
    assert data["first"] == "MASCHINE The trophy"
    write_study(tmp_path / "study", made.study, made.tasks)
    assert not [line for line in SUITES["study"].check([tmp_path / "study"]).lines() if "as-designed" in line]
    write_draft(tmp_path / DRAFT, [row for row in rows() if row.field != "candidate-2"])
    with pytest.raises(PipelineError, match=r":2: \[field\] no text or not two candidates"):
        make_study(replace(design, records=tmp_path / DRAFT))


def test_a_record_of_the_study_is_refused_where_items_are(tmp_path: Path) -> None:
    write_draft(tmp_path / DRAFT, rows())
    records = [record.item for record in read_draft_records(tmp_path / DRAFT, "de")]
    write_items(tmp_path / "items.jsonl", records)
    findings = [line for line in SUITES["items"].check([tmp_path / "items.jsonl"]).lines() if "items/reviewed" in line]
    assert "4 of 4" in findings[0]


# --- what is translated, and in which requests ----------------------------------------------------------------------------


TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=10)
SOURCES = st.lists(
    st.builds(SourceText, TEXTS, st.sampled_from(["", "He sat.", "Ärger mit „Anführung“ 🙂"])), max_size=150
)


def test_the_parts_of_a_pair() -> None:
    first, second = english_items(1)
    parts = item_parts([first, second])
    assert [(part.id, part.field, part.right) for part in parts] == [
        (f"en-000-{version}", field, field == right)
        for version, right in (("a", "candidate-1"), ("b", "candidate-2"))
        for field in ("text", "question", "candidate-1", "candidate-2")
    ]
    assert parts[0].shown == "The trophy does not fit into the suitcase because [it] is too large."
    assert parts[0].source == SourceText(first.text)
    assert parts[1].source == SourceText("What is too large?", first.text)
    assert parts[5].source == SourceText("What is too small?", second.text)
    assert parts[2].source == parts[6].source == SourceText("The trophy", first.text), "paid for once"


def test_characters_are_code_points_of_texts_without_contexts() -> None:
    assert characters([SourceText("Äh 🙂", "a context"), SourceText("ab")]) == 6


@given(SOURCES)
def test_requests_have_each_text_once_and_keep_the_limits(sources: list[SourceText]) -> None:
    made = batches(sources)
    sent = [source for batch in made for source in batch]
    assert sorted(sent, key=repr) == sorted(set(sources), key=repr)
    assert all(1 <= len(batch) <= MAX_TEXTS for batch in made)
    assert all(len({source.context for source in batch}) == 1 for batch in made)


@settings(max_examples=25)
@given(st.lists(st.tuples(TEXTS, st.integers(1, 4_000)), min_size=1, max_size=30))
def test_no_request_is_larger_than_128_kib(texts: list[tuple[str, int]]) -> None:
    for batch in batches([SourceText((text * times)[:10_000], "context") for text, times in texts]):
        sent = {"text": [source.text for source in batch], "context": batch[0].context}
        assert len(json.dumps(sent)) <= 128 * 1024 - 1000


def test_a_text_that_no_request_holds_is_refused() -> None:
    batches([SourceText("a" * 130_000)])
    with pytest.raises(PipelineError, match=r"^\[text\] too long for DeepL"):
        batches([SourceText("ä" * 22_000)])  # six bytes each
    with pytest.raises(PipelineError, match=r"^\[text\] too long for DeepL"):
        batches([SourceText("a", "b" * 131_000)])


def test_each_option_makes_another_key() -> None:
    options = [
        Options("EN", "DE"),
        Options("FR", "DE"),
        Options("EN", "NL"),
        Options("EN", "DE", "more"),
        Options("EN", "DE", glossary="id:1"),
    ]
    sources = [SourceText("a"), SourceText("a", "b"), SourceText("b", "a")]
    assert len({each.key(source) for each in options for source in sources}) == len(options) * len(sources)
