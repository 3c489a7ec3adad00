"""Defects of the studies of all designs: what raters would see is not what was designed."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .defect import Damage, Defect, Files, Row, Rows
from .studies import FIRST, LIST, of_list, study, tasks


@dataclass(frozen=True)
class Sample:
    """A study among the samples.

    Attributes:
        name: the name of its design.
        sentence: the name in the data under which a task shows its sentence.
        first: the row of its first main task.
        list: the name of its first list.
        practice: whether its lists begin with practice.
        hidden: whether raters may not know the right answers.
        options: the name of the candidates in the data; empty if it shows none.
        question: the name of the question; empty if it shows none.
        attention: whether its first main task is followed by an attention item.
    """

    name: str
    sentence: str = "text"
    first: int = 0
    list: str = "1"
    practice: bool = False
    hidden: bool = True
    options: str = "options"
    question: str = ""
    attention: bool = False

    @property
    def at(self) -> int:
        """The row of the main task to damage: not the first."""
        return self.first + 1 + self.attention

    @property
    def key(self) -> str:
        """The key of that task."""
        return f"{self.name}/{self.list}/{self.at + 1:03}"


SAMPLES = (
    Sample("consensus", hidden=False),
    Sample("demo"),
    Sample("exclusion-audit", sentence="text_zero", options=""),
    Sample("naturalness", first=10, practice=True, attention=True),
    Sample("questionnaire", "text_7", first=1, practice=True, options="options_7", question="question_7"),
    Sample("upper-bound", first=10, practice=True),
    Sample("verification", list="r-1", hidden=False, options="", question="question"),
    Sample("zero-labelling", list="fiction", hidden=False, options=""),
    Sample("error-coding", first=4, practice=True, hidden=False, options=""),
    Sample("human-evaluation", "text_1", hidden=False, options=""),
    Sample("winopron-pronoun", first=10, practice=True, options=""),
    Sample("winopron-reference", first=10, practice=True, options=""),
)
#: Values of other kinds than a field's own.
OTHERS = {"null": None, "number": 7, "truth": True, "list": [1], "object": {"A": 1}, "text": "甲"}
#: The kinds that a field of a task, and of a study, may have.
TASK_KINDS = {
    "list": "text", "position": "number", "phase": "", "items": "", "options": "", "gold": "list", "data": "object",
}  # fmt: skip
STUDY_KINDS = {
    "title": "", "lang": "", "screen": "number", "controls": "", "lists": "", "instruction": "text", "config": "text",
    "layout": "", "told": "truth",
}  # fmt: skip


def data(sample: Sample, name: str, change: Callable[[Row], object]) -> Damage:
    """Return the damage that sets a field in the data of a main task; `change` gets the data."""

    def changed(rows: Rows) -> Rows:
        rows[sample.at]["data"][name] = change(rows[sample.at]["data"])
        return rows

    return tasks(changed)


def from_another(sample: Sample, name: str) -> Damage:
    """Return the damage that shows of a main task what belongs to the next one."""

    def changed(rows: Rows) -> Rows:
        rows[sample.at]["data"][name] = rows[sample.at + 1]["data"][name]
        return rows

    return tasks(changed)


def in_all(change: Callable[[Row], object]) -> Damage:
    """Return the damage that changes all main tasks."""

    def changed(rows: Rows) -> Rows:
        for row in rows:
            if row["phase"] == "main":
                change(row)
        return rows

    return tasks(changed)


def put_in(sample: Sample, field: str, value: object) -> Damage:
    """Return the damage that sets a field of a main task."""

    def changed(rows: Rows) -> Rows:
        rows[sample.at][field] = value
        return rows

    return tasks(changed)


def other_gold(rows: Rows, sample: Sample) -> Rows:
    """Name another candidate as the right answer."""
    rows[sample.at]["gold"][-1] = int(rows[sample.at]["gold"][-1] != 1)
    return rows


def practice_asked(rows: Rows, sample: Sample) -> Rows:
    """Ask in a main task about a sentence of practice."""
    shown = rows[0]["data"]["text" if "text" in rows[0]["data"] else "text_7"]
    rows[sample.at]["data"][sample.sentence] = shown
    return rows


def again(rows: Rows, sample: Sample) -> Rows:
    """Show in a main task what the next one shows."""
    names = {"study": sample.name, "task": sample.key}
    rows[sample.at]["data"] = rows[sample.at + 1]["data"] | names
    return rows


def with_letter(row: Row) -> None:
    """Tell the right answer by a letter."""
    row["data"]["code"] = "ABC"[row["gold"][0] or 0] if len(row["gold"]) == 1 else "".join(map(str, row["gold"]))


def edited(field: str, old: str, new: str) -> Damage:
    """Return the damage that edits a text of study.json."""

    def change(row: Row) -> None:
        assert old in row[field]
        row[field] = row[field].replace(old, new, 1)

    return study(change)


def stray(name: str) -> Damage:
    """Return the damage that adds a file."""
    return lambda files: {**files, name: b"TODO\n"}


def designed(change: Callable[[Row], object]) -> Damage:
    """Return the damage that changes the design in study.json."""
    return study(lambda row: change(row["design"]))


def of_sample(sample: Sample) -> Iterator[tuple[str, str, Damage, str]]:
    """Yield the name, the expectation, the damage and the reported id of the defects of each study."""
    name, key, sentence = sample.name, sample.key, sample.sentence
    part = f"{name}/{sample.list}"
    yield "sentence-empty", "sentence-shown", data(sample, sentence, lambda _: ""), key
    yield "sentence-of-marks", "sentence-shown", data(sample, sentence, lambda _: "……"), key
    yield "sentence-lost", "same-fields", tasks(lambda rows: lose(rows, sample)), key
    yield "sentence-of-another-record", "text-as-designed", from_another(sample, sentence), key
    for what, change in (
        ("without-its-first-character", lambda row: row[sentence][1:]),
        ("without-its-mark", lambda row: row[sentence][:-1]),
        ("with-a-word-more", lambda row: row[sentence] + "了。"),
    ):
        yield f"sentence-{what}", "text-as-designed", data(sample, sentence, change), key
    for what, character in (("zero-width-space", "\u200b"), ("variation-selector", "\U000e0100"), ("filler", "\u3164")):
        hidden = data(sample, sentence, lambda row, character=character: row[sentence] + character)
        yield f"sentence-with-a-{what}", "no-invisible-character", hidden, key
    yield "sentence-with-two-blanks", "single-blanks", data(sample, sentence, lambda row: row[sentence] + "  "), key
    yield "sentence-that-is-a-list", "plain-data", data(sample, sentence, lambda row: [row[sentence]]), key
    yield "sentence-null", "plain-data", data(sample, sentence, lambda _: None), key
    yield "shown-twice", "shown-once", tasks(lambda rows: again(rows, sample)), part
    yield "other-answer", "gold-as-designed", tasks(lambda rows: other_gold(rows, sample)), key
    yield "task-lost", "task-as-designed", tasks(lambda rows: [*rows[: sample.at], *rows[sample.at + 1 :]]), key
    yield "answer-beside-the-data", "contract", in_all(lambda row: row.update(meta=row["gold"])), ""
    yield "fields-turned-round", "same-fields", tasks(lambda rows: turn(rows, sample)), key
    if sample.hidden and name != "questionnaire":
        yield "answer-as-a-letter-everywhere", "gold-not-inferable", in_all(with_letter), name
    if sample.hidden and sample.options == "options":
        yield "right-options-with-a-star", "gold-unmarked", in_all(star), name
        yield "right-candidate-behind-its-sentence", "gold-unmarked", in_all(append_right), name
        hinted = in_all(lambda row: row["data"].update(hint=f"✓ {right_of(row)['value']}"))
        yield "right-candidate-in-a-field-of-its-own", "gold-hidden", hinted, key
    if sample.question:
        yield "question-empty", "sentence-shown", data(sample, sample.question, lambda _: ""), key
        yield "question-of-another-record", "text-as-designed", from_another(sample, sample.question), key
    if sample.options:
        yield "candidates-of-another-record", "text-as-designed", from_another(sample, sample.options), key
        yield "candidates-that-are-a-number", "plain-data", data(sample, sample.options, lambda _: 7), key
        yield "candidates-lost", "options-shown", data(sample, sample.options, lambda _: []), key
        yield "candidates-turned-round", "options-as-designed", tasks(lambda rows: turn_options(rows, sample)), key
    if sample.practice:
        yield "practice-sentence-asked-about", "practice-apart", tasks(lambda rows: practice_asked(rows, sample)), part
    yield "config-edited", "config-as-designed", edited("config", "22px", "12px"), name
    yield "instruction-edited", "instruction-as-designed", edited("instruction", "</h1>", "!</h1>"), name
    yield "another-seed", "unedited", designed(lambda row: row.update(seed=row["seed"] + 1)), name
    yield "without-its-records", "laid-out-again", designed(lambda row: row.update(selected={})), name
    yield "answers-shown-otherwise", "study-as-designed", study(lambda row: row.update(told=not row["told"])), name
    yield "with-a-stray-file", "known-files", stray(".env"), name


def right_of(row: Row) -> Row:
    """Return the option that is right."""
    options: list[Row] = row["data"]["options"]
    return options[row["options"][0].index(row["gold"][0])]


def star(row: Row) -> None:
    """Mark the right option."""
    right_of(row)["value"] += "*"


def append_right(row: Row) -> None:
    """Write the right candidate behind the sentence."""
    row["data"]["text"] += right_of(row)["value"]


def lose(rows: Rows, sample: Sample) -> Rows:
    """Leave out the sentence of a main task."""
    del rows[sample.at]["data"][sample.sentence]
    return rows


def turn(rows: Rows, sample: Sample) -> Rows:
    """Turn the order of the fields round."""
    rows[sample.at]["data"] = dict(reversed(rows[sample.at]["data"].items()))
    return rows


def turn_options(rows: Rows, sample: Sample) -> Rows:
    """Turn the order of the candidates round, also of those that are shown."""
    row = rows[sample.at]
    row["options"] = [order[::-1] for order in row["options"]]
    row["data"] = {name: shown[::-1] if isinstance(shown, list) else shown for name, shown in row["data"].items()}
    return rows


def of_contract() -> Iterator[tuple[str, str, Damage, str]]:
    """Yield the defects of fields of another kind, in the smallest study."""
    sample = SAMPLES[1]
    for field, kind in TASK_KINDS.items():
        for other, value in OTHERS.items():
            if other != kind and (field, other) not in (("phase", "text"), ("list", "text")):
                reported = sample.key
                yield f"{field}-that-is-a-{other}", "contract", put_in(sample, field, value), reported
    for field, kind in STUDY_KINDS.items():
        for other, value in OTHERS.items():
            if other != kind and not (field == "title" and other == "text"):
                change = study(lambda row, field=field, value=value: row.update({field: value}))
                yield f"{field}-of-the-study-that-is-a-{other}", "study-contract", change, sample.name
    for what, expectation, damage in (
        ("title-empty", "study-contract", study(lambda row: row.update(title=""))),
        ("title-too-long", "study-contract", study(lambda row: row.update(title="很" * 60))),
        ("id-with-a-blank", "study-contract", study(lambda row: row.update(id=f"{row['id']} 2"))),
        ("instruction-of-blanks", "study-contract", study(lambda row: row.update(instruction=" \n"))),
        ("list-named-twice", "study-contract", study(lambda row: row.update(lists=["1", "1"]))),
        ("screen-of-a-million", "study-contract", study(lambda row: row.update(screen=10**6))),
        ("title-of-another-study", "unedited", study(lambda row: row.update(title="零形式自然度"))),
        ("of-another-language", "laid-out-again", study(lambda row: row.update(lang="en"))),
        ("with-another-layout", "unedited", study(lambda row: row["layout"].update(apart=1))),
    ):
        yield what, expectation, damage, f"{sample.name} 2" if what == "id-with-a-blank" else sample.name
    for field in ("source", "seed", "show", "config", "guideline", "selected", "practice"):
        change = designed(lambda row, field=field: row.update({field: None}))
        yield f"design-without-{field}", "laid-out-again", change, sample.name


def of_texts() -> Iterator[tuple[str, str, Damage, str]]:
    """Yield the defects of texts and of practice, in one study."""
    sample = SAMPLES[5]
    for name, expectation, old, new in (
        ("decomposed-letter", "composed-unicode", "。", "e\u0301。"),
        ("half-width-stop", "full-width-marks", "。", "."),
        ("half-width-comma", "full-width-marks", "，", ","),
        ("full-width-digit", "full-width-marks", "。", "３。"),
        ("traditional-letter", "simplified-script", "。", "說。"),
        ("open-quotation", "closed-quotations", "。", "“。"),
        ("open-bracket", "closed-quotations", "。", "（。"),
        ("placeholder", "no-placeholder", "。", "{name}。"),
        ("blank-between-words", "single-blanks", "，", "， "),
        ("sentence-without-zero", "sentence-shown", "Ø", ""),
        ("sentence-with-a-pronoun", "sentence-shown", "Ø", "他"),
    ):
        change = data(sample, "text", lambda row, old=old, new=new: row["text"].replace(old, new))
        yield name, expectation, change, sample.key
    for name, expectation, field in (
        ("control-in-the-title", "no-invisible-character", "title"),
        ("zero-width-space-in-the-instruction", "no-invisible-character", "instruction"),
    ):
        yield name, expectation, study(lambda row, field=field: row.update({field: row[field] + "\u200b"})), sample.name
    yield "decomposed-title", "composed-unicode", study(lambda row: row.update(title="e\u0301tude")), sample.name
    hint = data(sample, "explanation", lambda _: "因为天黑了。")
    yield "main-task-explained", "explained-in-practice", hint, sample.key
    unexplained = tasks(lambda rows: [put_data(rows[0], "explanation", ""), *rows[1:]])
    yield "practice-not-explained", "explained-in-practice", unexplained, f"{sample.name}/1/001"
    yield "example-asked-about", "examples-apart", with_example, sample.name
    yield (
        "right-answer-first",
        "right-option-moves",
        of_list(FIRST, lambda rows: [right_first(row) for row in rows]),
        LIST,
    )
    yield "right-answer-first-everywhere", "gold-not-inferable", in_all(right_first), sample.name
    yield "options-that-are-texts", "plain-data", data(sample, "options", lambda _: ["甲", "乙"]), sample.key
    marked = data(sample, "options", lambda row: [option | {"alias": "right"} for option in row["options"]])
    yield "option-marked-as-right", "plain-data", marked, sample.key
    yield "lists-of-other-names", "lists-match-tasks", study(lambda row: row.update(lists=list("5678"))), sample.name
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


def put_data(row: Row, name: str, content: object) -> Row:
    """Return a task with other data."""
    return row | {"data": row["data"] | {name: content}}


def with_example(files: Files) -> Files:
    """Explain the study by a sentence that it asks about."""
    row = json.loads(files["tasks.jsonl"].decode().splitlines()[SAMPLES[5].at])
    sentence = row["data"]["text"]
    return study(lambda row: row.update(instruction=f"{row['instruction']}<p>{sentence}</p>"))(files)


def right_first(row: Row) -> None:
    """Show the right candidate first."""
    row["options"] = [[row["gold"][0], 1 - row["gold"][0]]]


def with_judgement(change: Row) -> Damage:
    """Return the damage that adds a judgement of the first practice task that does not fit."""

    def damage(files: Files) -> Files:
        task = json.loads(files["tasks.jsonl"].decode().splitlines()[0])
        judgement = {
            "study": "upper-bound", "list": task["list"], "task": task["key"], "item": task["items"][0],
            "phase": task["phase"], "rater": "r-1", "answers": {"reference": 0}, "lead_time": 3.5, "skipped": False,
        }  # fmt: skip
        return {**files, "judgements.jsonl": json.dumps(judgement | change, ensure_ascii=False).encode() + b"\n"}

    return damage


def defects() -> Iterator[Defect]:
    """Yield the defects of all studies."""
    for sample in SAMPLES:
        for name, expectation, damage, reported in of_sample(sample):
            artifact, fallback = f"annotation/{sample.name}", f"{sample.name}/{sample.list}/{sample.first + 1:03}"
            yield Defect(f"{sample.name}-{name}", "study", expectation, damage, artifact, reported or fallback)
    for name, expectation, damage, reported in of_contract():
        yield Defect(f"study-{name}", "study", expectation, damage, "annotation/demo", reported)
    for name, expectation, damage, reported in of_texts():
        yield Defect(f"study-{name}", "study", expectation, damage, reported_id=reported)


DESIGNS: tuple[Defect, ...] = tuple(defects())
