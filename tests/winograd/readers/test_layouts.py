"""Rows by a layout: what is written in a format comes back equal, however the file counts."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.core.model import Item, Span
from pipeline.core.rules import RULES
from pipeline.winograd.forms.substitution import winogrande
from pipeline.winograd.readers import found_format, ingest, read_drafts
from pipeline.winograd.readers.draft import assemble
from pipeline.winograd.readers.layouts import found_layout, parse_columns
from tests.conftest import Refused

HERE = Path("here.txt")
NAMES = ["Tom", "Anna", "Bob's son", 'the "old" man', "a nurse, tired", "Élise"]
MIDDLES = ["lent", "called; and then told", "said: “no”, so", "- as they say -"]
ENDS = ["was ill.", "had one, two; three.", "could stay", 'said "yes".']
#: What writes rows into a file, by the kind of the file.
Writer = Callable[[Sequence[dict[str, Any]]], bytes]


@st.composite
def items(draw: st.DrawFn) -> list[Item]:
    """Return items in pairs, with the answers A and B, so that the numbers of answers can be told."""
    made = []
    for number in range(draw(st.integers(1, 3))):
        names = draw(st.permutations(NAMES))[:2]
        for version, answer in (("a", 0), ("b", 1)):
            head = f"{names[0]} {draw(st.sampled_from(MIDDLES))} {names[1]} before "
            text = f"{head}she {draw(st.sampled_from(ENDS))} {version}{number}"
            target = Span(len(head), len(head) + 3)
            made.append(
                Item(
                    id=f"t-{number}-{version}",
                    schema=f"t-{number}",
                    version=version,
                    lang="en",
                    text=text,
                    target=target,
                    candidates=tuple(names),
                    answer=answer,
                )
            )
    return made


def json_lines(rows: Sequence[dict[str, Any]]) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def json_array(rows: Sequence[dict[str, Any]]) -> bytes:
    return json.dumps(rows, ensure_ascii=False, indent=1).encode()


def parquet(rows: Sequence[dict[str, Any]]) -> bytes:
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows)), buffer)
    return buffer.getvalue()


def table(delimiter: str, encoding: str = "utf-8") -> Writer:
    def write(rows: Sequence[dict[str, Any]]) -> bytes:
        text = io.StringIO()
        writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue().encode(encoding)

    return write


WRITERS: dict[str, Writer] = {
    "lines": json_lines,
    "array": json_array,
    "parquet": parquet,
    "tabs": table("\t"),
    "commas": table(","),
    "semicolons": table(";", "utf-16"),
}


def with_mark(item: Item, mark: str) -> str:
    return f"{item.text[: item.target.start]}{mark}{item.text[item.target.end :]}"


def ids(item: Item) -> dict[str, Any]:
    return {"id": item.id, "schema": item.schema}


def columns(item: Item) -> dict[str, Any]:
    return {"A": item.candidates[0], "B": item.candidates[1]}


def word_offset(item: Item) -> int:
    return len(item.text[: item.target.start].split())


def whole(item: Item) -> tuple[Any, ...]:
    return item.text, item.target, item.candidates, item.answer


#: Ways to write an item as a row of a plain table, each with a fixed part of what a table may say differently.
ROWS: dict[str, Callable[[Item], dict[str, Any]]] = {
    "brackets, letters": lambda item: {"Text": with_mark(item, "[she]"), **columns(item), "gold": "AB"[item.answer]},
    "full-width brackets, from 1": lambda item: {"text": with_mark(item, "【she】"), **columns(item), "label": item.answer + 1},
    "word, text": lambda item: {"sentence": item.text, "pronoun": "she", **columns(item), "answer": item.candidates[item.answer]},
    "characters, from 0": lambda item: {
        "text": item.text, "pronoun": "she", "offset": item.target.start, **columns(item), "label": item.answer
    },
    "words, column": lambda item: {
        "text": item.text, "pronoun": "she", "offset": word_offset(item), **columns(item), "label": "AB"[item.answer]
    },
    "JSON list, from 0": lambda item: {
        "text": with_mark(item, "[she]"), "options": json.dumps(item.candidates), "label": item.answer
    },
    "Python list, from 1": lambda item: {
        "text": with_mark(item, "[she]"), "options": str(list(item.candidates)), "label": float(item.answer + 1)
    },
}  # fmt: skip


@pytest.mark.parametrize("way", ROWS)
@pytest.mark.parametrize("writer", WRITERS)
@given(collection=items())
def test_a_plain_table_comes_back_equal(way: str, writer: str, collection: list[Item]) -> None:
    data = WRITERS[writer]([{**ids(item), **ROWS[way](item)} for item in collection])
    result = ingest(data, HERE, found_format(data, HERE), "en")
    assert [(item.id, item.schema, *whole(item)) for item in result.items] == [
        (item.id, item.schema, *whole(item)) for item in collection
    ]


@pytest.mark.parametrize("writer", WRITERS)
@given(collection=items())
def test_our_own_form_of_winogrande_comes_back_equal(writer: str, collection: list[Item]) -> None:
    rows = winogrande(collection).rows
    data = WRITERS[writer](rows)
    assert found_format(data, HERE) == "winogrande"
    result = ingest(data, HERE, "winogrande", "en")
    assert not result.skipped
    assert list(winogrande(result.items).rows) == list(rows)


@pytest.mark.parametrize("writer", WRITERS)
@given(collection=items())
def test_published_formats_come_back_equal(writer: str, collection: list[Item]) -> None:
    def wsc(item: Item) -> dict[str, Any]:
        place = {"pronoun": "she", "pronoun_loc": item.target.start}
        return {"text": item.text, **place, "options": str(list(item.candidates)), "label": item.answer}

    def knowref(item: Item) -> dict[str, Any]:
        names = {f"candidate{index}": name for index, name in enumerate(item.candidates)}
        text = with_mark(item, "[she]")
        return {"sentence_with_pronoun": text, **names, "correct_candidate": item.candidates[item.answer]}

    def gap(item: Item) -> dict[str, Any]:
        truths = {f"{name}-coref": str(index == item.answer).upper() for index, name in enumerate("AB")}
        place = {"Pronoun": "she", "Pronoun-offset": item.target.start}
        return {"ID": item.id, "Text": item.text, **place, **columns(item), **truths}

    for name, row in (("winograd-wsc", wsc), ("knowref", knowref), ("gap", gap)):
        data = WRITERS[writer]([row(item) for item in collection])
        assert found_format(data, HERE) == name
        assert list(map(whole, ingest(data, HERE, name).items)) == list(map(whole, collection))


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("unit", ["characters", "words"])
@given(collection=items())
def test_one_candidate_a_row_comes_back_equal(writer: str, unit: str, collection: list[Item]) -> None:
    def place(item: Item) -> int:
        return item.target.start if unit == "characters" else word_offset(item)

    rows = [
        {"text": item.text, "span1_text": name, "span2_text": "she", "span2_index": place(item), "label": index == item.answer}
        for item in collection
        for index, name in enumerate(item.candidates)
    ]  # fmt: skip
    result = ingest(WRITERS[writer](rows), HERE, "superglue-wsc")
    assert list(map(whole, result.items)) == list(map(whole, collection))


@given(items(), st.sampled_from(["\n", "\r\n"]))
def test_four_lines_a_problem_come_back_equal(collection: list[Item], end: str) -> None:
    plain = [item for item in collection if "," not in "".join(item.candidates)]
    blocks = [[item.text, "she", ",".join(item.candidates), item.candidates[item.answer], ""] for item in plain]
    if blocks:
        result = ingest(end.join(line for block in blocks for line in block).encode(), HERE, "dpr", "en")
        assert list(map(whole, result.items)) == list(map(whole, plain))


@pytest.mark.parametrize("lang", ["zh", "de"])
def test_the_winogrande_form_of_our_collections_comes_back_equal(lang: str) -> None:
    schemas = RULES.parent / "raw" / lang / "schemas.yaml"
    ours = ingest(schemas.read_bytes(), schemas, "schema-yaml", lang).items
    rows = [*winogrande(ours).rows]
    result = ingest(json_lines(rows), HERE, "winogrande", lang)
    assert rows and not result.skipped
    assert [*winogrande(result.items).rows] == rows
    assert [(item.id, item.schema) for item in result.items] == [(row["id"], row["schema"]) for row in rows]


@given(st.integers(0, 3), st.integers(0, 3), st.integers(2, 3))
def test_the_number_of_the_first_candidate_is_told_or_asked(one: int, other: int, count: int) -> None:
    names = ["Tom", "Bob", "Max"][:count]
    rows = [{"text": f"{', '.join(names)} met as [he] left.", "options": names, "answer": n} for n in (one, other)]
    answers = {(one, other)} if max(one, other) < count else set()
    answers |= {(one - 1, other - 1)} if min(one, other) >= 1 and max(one, other) <= count else set()
    try:
        drafts = read_drafts(json_lines(rows), HERE, "plain", "en")
    except PipelineError as error:
        assert "expected --columns first=0 or first=1" in str(error)
        assert len(answers) != 1
    else:
        found = [names.index(draft.gold) if draft.gold in names else None for draft in drafts]
        assert len(answers) != 2 and (not answers or tuple(found) in answers)


@pytest.mark.parametrize("option", ["text", "text=", "=a", "text=a,text=b", "colour=a", "first=2", ""])
def test_columns_that_say_nothing_are_refused(option: str, refused: Refused) -> None:
    refused(lambda: parse_columns(option), "", "columns")


def test_an_answer_is_no_candidate() -> None:
    names = ["Text", "Answer1", "Answer2", "Answer"]
    assert found_layout(names, {}, HERE).candidates == ("Answer1", "Answer2")
    assert found_layout(["text", "a", "b", "c"], {"answer": "c"}, HERE).candidates == ("a", "b")
    assert (
        assemble(read_drafts(json_lines([{"text": "x", "a": "", "b": "", "answer": ""}]), HERE, "plain", "en")).read
        == 1
    )
