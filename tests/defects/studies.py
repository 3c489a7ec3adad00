"""Defects of study folders: of what people design, and of files that are no longer what was designed."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.core.convert import to_object
from pipeline.core.files import to_json
from pipeline.studies.design.build import read_snapshot
from pipeline.studies.design.layout import lay_out

from .defect import Change, Damage, Defect, Files, Row, Rows


@dataclass(frozen=True)
class Sample:
    """A study among the samples."""

    name: str  # the name of its design
    sentence: str = "text"  # the name in the data under which a task shows its sentence
    first: int = 0  # the row of its first main task
    list: str = "1"  # the name of its first list

    @property
    def at(self) -> int:
        """The row of the main task to damage: not the first, and behind an attention item."""
        return self.first + 2

    @property
    def key(self) -> str:
        """The key of that task."""
        return f"{self.name}/{self.list}/{self.at + 1:03}"


SAMPLES = (
    Sample("consensus"),
    Sample("demo"),
    Sample("exclusion-audit", sentence="text_zero"),
    Sample("naturalness", first=10),
    Sample("questionnaire", "text_7", first=0),
    Sample("upper-bound", first=10),
    Sample("verification", list="r-1"),
    Sample("zero-labelling", list="fiction"),
    Sample("error-coding", first=4),
    Sample("human-evaluation", "text_1"),
    Sample("winopron-pronoun", first=10),
    Sample("winopron-reference", first=10),
)
UPPER_BOUND = SAMPLES[5]


# --- files that are no longer what was designed -----------------------------------------------------------------------


def tasks(change: Callable[[Rows], Rows]) -> Damage:
    """Return the damage that changes the tasks."""

    def damage(files: Files) -> Files:
        rows = change([json.loads(line) for line in files["tasks.jsonl"].decode().splitlines()])
        return files | {"tasks.jsonl": "".join(f"{to_json(row)}\n" for row in rows).encode()}

    return damage


def task(sample: Sample, change: Change) -> Damage:
    """Return the damage that changes a main task."""

    def changed(rows: Rows) -> Rows:
        change(rows[sample.at])
        return rows

    return tasks(changed)


def study(change: Change) -> Damage:
    """Return the damage that changes study.json."""

    def damage(files: Files) -> Files:
        content = json.loads(files["study.json"])
        change(content)
        return files | {"study.json": f"{to_json(content)}\n".encode()}

    return damage


def edited(field: str, old: str, new: str) -> Damage:
    """Return the damage that edits a text of study.json."""

    def change(row: Row) -> None:
        assert old in row[field]
        row[field] = row[field].replace(old, new, 1)

    return study(change)


def of_sample(sample: Sample) -> Iterator[tuple[str, str, Damage, str]]:
    """Yield the name, the expectation, the damage and the reported id of the defects of each study."""
    name, key, sentence = sample.name, sample.key, sample.sentence
    for what, change in (
        ("sentence-empty", lambda row: row["data"].update({sentence: ""})),
        ("sentence-with-a-word-more", lambda row: row["data"].update({sentence: row["data"][sentence] + "了。"})),
        ("other-answer", lambda row: row["gold"].__setitem__(-1, int(row["gold"][-1] != 1))),
        ("answer-beside-the-data", lambda row: row.update(meta=row["gold"])),
    ):
        yield what, "task-as-designed", task(sample, change), key
    yield "task-lost", "task-as-designed", tasks(lambda rows: [*rows[: sample.at], *rows[sample.at + 1 :]]), key
    yield "config-edited", "study-as-designed", edited("config", "22px", "12px"), name
    yield (
        "answers-shown-otherwise",
        "study-as-designed",
        study(lambda row: row.update(shows_answers=not row["shows_answers"])),
        name,
    )
    yield "another-seed", "unedited", study(lambda row: row["design"].update(seed=row["design"]["seed"] + 1)), name
    yield "without-its-records", "laid-out-again", study(lambda row: row["design"].update(selected={})), name
    yield "with-a-stray-file", "known-files", lambda files: {**files, ".env": b"TODO\n"}, name


def of_files() -> Iterator[tuple[str, str, Damage, str]]:
    """Yield the defects of fields of another kind, in one study."""
    sample = UPPER_BOUND
    for field in ("list", "position", "phase", "items", "options", "gold", "data"):
        change = task(sample, lambda row, field=field: row.update({field: None}))
        yield f"task-without-{field}", "task-as-designed", change, sample.key
    for field in ("title", "lang", "screen", "controls", "lists", "layout", "shows_answers"):
        change = study(lambda row, field=field: row.update({field: None}))
        yield f"without-{field.replace('_', '-')}", "laid-out-again", change, sample.name
    for field in ("instruction", "config"):
        change = study(lambda row, field=field: row.update({field: ""}))
        yield f"{field}-empty", "study-as-designed", change, sample.name
    for field in ("source", "seed", "show", "config", "guideline", "selected", "practice"):
        change = study(lambda row, field=field: row["design"].update({field: None}))
        yield f"design-without-{field}", "laid-out-again", change, sample.name
    yield "task-twice", "unique-id", tasks(lambda rows: [*rows, rows[sample.at]]), sample.key
    yield "instruction-edited", "study-as-designed", edited("instruction", "</h1>", "!</h1>"), sample.name
    yield "of-another-layout", "unedited", study(lambda row: row["layout"].update(apart=1)), sample.name


# --- what people design -----------------------------------------------------------------------------------------------


def designed(change: Callable[[Row, Row], object]) -> Damage:
    """Return the damage that changes a design, from which the study is laid out; `change` gets study.json and its design."""

    def damage(files: Files) -> Files:
        content = json.loads(files["study.json"])
        change(content, content["design"])
        layout = lay_out(*read_snapshot(content, Path("study.json")))
        rows = [to_object(row) for row in layout.tasks]
        study_file = {"study.json": f"{to_json(to_object(layout.study))}\n".encode()}
        return tasks(lambda _: rows)({**files, **study_file})

    return damage


def explained(old: str, new: str) -> Damage:
    """Return the damage that edits the explanation of the first practice item."""

    def change(_: Row, design: Row) -> None:
        record = design["practice"][0]
        assert old in record["explanation"]
        record["explanation"] = record["explanation"].replace(old, new, 1)

    return designed(change)


def of_records(change: Change) -> Damage:
    """Return the damage that changes all main records of a design."""
    return designed(lambda _, design: [change(record["item"]) for record in design["selected"][""]])


def practice_asked(files: Files) -> Files:
    """Practise with a record that the study asks about."""
    row = json.loads(files["tasks.jsonl"].decode().splitlines()[UPPER_BOUND.at])

    def change(_: Row, design: Row) -> None:
        asked = next(record["item"] for record in design["selected"][""] if record["item"]["id"] == row["items"][0])
        names = ("text", "target", "candidates", "answer")
        design["practice"][0]["item"].update({name: asked[name] for name in names})

    return designed(change)(files)  # type: ignore[no-any-return]


def with_example(files: Files) -> Files:
    """Explain the study by a sentence that it asks about."""
    row = json.loads(files["tasks.jsonl"].decode().splitlines()[UPPER_BOUND.at])
    example = f"\n\n{row['data']['text']}\n"
    return designed(lambda _, design: design.update(guideline=design["guideline"] + example))(files)  # type: ignore[no-any-return]


def with_code(study: Row, design: Row) -> None:
    """Show a letter that goes with the right answer."""
    design["show"]["code"] = "doubt"
    for record in design["selected"][""]:
        record["doubt"] = "AB"[record["item"]["answer"]]


def star(record: Row) -> None:
    """Mark the right candidate."""
    record["candidates"][record["answer"]] += "*"


def append_right(record: Row) -> None:
    """Write the right candidate behind the sentence."""
    record["text"] += record["candidates"][record["answer"]]


def of_designs() -> Iterator[tuple[str, str, Damage, str]]:
    """Yield the defects of what people write: title, guideline, practice, what is shown."""
    name, first = UPPER_BOUND.name, f"{UPPER_BOUND.name}/1/001"
    for what, expectation, old, new in (
        ("zero-width-space", "no-invisible-character", "。", "\u200b。"),
        ("variation-selector", "no-invisible-character", "。", "\U000e0100。"),
        ("filler", "no-invisible-character", "。", "\u3164。"),
        ("decomposed-letter", "composed-unicode", "。", "e\u0301。"),
        ("half-width-stop", "full-width-marks", "。", "."),
        ("half-width-comma", "full-width-marks", "，", ","),
        ("full-width-digit", "full-width-marks", "。", "３。"),
        ("traditional-letter", "simplified-script", "。", "說。"),
        ("open-quotation", "closed-quotations", "。", "“。"),
        ("open-bracket", "closed-quotations", "。", "（。"),
        ("placeholder", "no-placeholder", "。", "{name}。"),
        ("two-blanks", "single-blanks", "。", "  。"),
    ):
        yield f"practice-with-{what}", expectation, explained(old, new), first
    add_to_guideline = designed(lambda _, design: design.update(guideline=design["guideline"] + "\u200b"))
    yield "guideline-with-a-zero-width-space", "no-invisible-character", add_to_guideline, name
    yield "decomposed-title", "composed-unicode", designed(lambda row, _: row.update(title="e\u0301tude")), name
    yield "guideline-empty", "instruction-present", designed(lambda _, design: design.update(guideline="\n")), name
    yield "sentence-of-another-source", "sentence-shown", designed(lambda _, design: show_oracle(design)), first
    repeat = designed(lambda _, design: practise_again(design["practice"]))
    yield "practice-twice", "shown-once", repeat, name
    yield "practice-asked-about", "practice-apart", practice_asked, name
    yield "example-asked-about", "examples-apart", with_example, name
    yield "answer-as-a-letter", "gold-not-inferable", designed(with_code), name
    yield "right-candidates-with-a-star", "gold-unmarked", of_records(star), name
    yield "right-candidates-behind-their-sentences", "gold-unmarked", of_records(append_right), name


def practise_again(practice: Rows) -> None:
    """Practise twice with one sentence."""
    practice.append({**practice[0], "item": {**practice[0]["item"], "id": "again"}})


def show_oracle(design: Row) -> None:
    """Show what only sentences of running text have."""
    design["show"]["text"] = "oracle"


# --- judgements from elsewhere ----------------------------------------------------------------------------------------


def with_judgement(change: Row) -> Damage:
    """Return the damage that adds a judgement of the first practice task that does not fit."""

    def damage(files: Files) -> Files:
        first = json.loads(files["tasks.jsonl"].decode().splitlines()[0])
        judgement = {
            "study": "upper-bound", "list": first["list"], "task": first["key"], "item": first["items"][0],
            "phase": first["phase"], "rater": "r-1", "answers": {"reference": 0}, "lead_time": 3.5, "skipped": False,
        }  # fmt: skip
        return {**files, "judgements.jsonl": json.dumps(judgement | change, ensure_ascii=False).encode() + b"\n"}

    return damage


def of_judgements() -> Iterator[tuple[str, str, Damage, str]]:
    """Yield the defects of an export."""
    for name, change in (
        ("of-another-study", {"study": "demo"}),
        ("of-an-unknown-task", {"task": "upper-bound/9/001"}),
        ("of-another-list", {"list": "2"}),
        ("of-another-record", {"item": "zh-9999-a"}),
        ("of-another-phase", {"phase": "main"}),
        ("without-an-answer", {"answers": {}}),
        ("with-an-unknown-answer", {"answers": {"reference": 7}}),
        ("with-an-unknown-control", {"answers": {"reference": 0, "stars": 5}}),
        ("skipped-and-answered", {"skipped": True}),
        ("with-another-field", {"gold": 0}),
        ("without-rater", {"rater": None}),
        ("before-its-time", {"lead_time": -1}),
        ("of-an-address", {"rater": "li.ming@example.org"}),
        ("of-a-name", {"rater": "liming"}),
    ):
        yield f"judgement-{name}", "judgements-fit", with_judgement(change), "judgements.jsonl"


def defects() -> Iterator[Defect]:
    """Yield the defects of all studies."""
    for sample in SAMPLES:
        for name, expectation, damage, reported in of_sample(sample):
            yield Defect(f"{sample.name}-{name}", "study", expectation, damage, f"annotation/{sample.name}", reported)
    for name, expectation, damage, reported in (*of_files(), *of_designs(), *of_judgements()):
        yield Defect(f"study-{name}", "study", expectation, damage, reported_id=reported)


STUDIES: tuple[Defect, ...] = tuple(defects())
