"""Typed records from JSON values and YAML nodes, and back."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from pipeline.core.convert import (
    Count,
    Id,
    Text,
    convert,
    convert_node,
    read_by_id,
    read_records,
    read_yaml,
    to_object,
    write_records,
)
from pipeline.core.errors import PipelineError
from pipeline.core.model import Span
from pipeline.core.yamlfile import parse_yaml
from tests.conftest import Refused

HERE = Path("x.yaml")


class Reason(msgspec.Struct, frozen=True, rename={"exclusion": "class"}):
    exclusion: Literal["direct-object", "other"]
    span: Span | None
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Entry:
    id: Id
    text: Text
    note: str
    sure: bool
    count: Count
    reasons: tuple[Reason, ...]
    pair: tuple[str, str] | None
    notes: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.sure and not self.reasons:
            raise ValueError("[reasons] sure without a reason; found none, expected at least one")


texts = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\ufeff\ufffe\uffff"))
spans = st.integers(0, 9).flatmap(lambda start: st.builds(Span, st.just(start), st.integers(start, 20)))
reasons = st.builds(Reason, st.sampled_from(["direct-object", "other"]), st.none() | spans, st.floats(0, 1))
entries = st.builds(
    Entry,
    st.from_regex(r"[a-z0-9]+(-[a-z]+)*", fullmatch=True),
    texts.filter(lambda text: re.search(r"\S", text) is not None),
    texts,
    st.booleans(),
    st.integers(0, 2**40),
    st.lists(reasons, min_size=1, max_size=3).map(tuple),
    st.none() | st.tuples(texts, texts),
    st.dictionaries(texts, st.lists(spans, max_size=2).map(tuple), max_size=2),
)
ENTRY = {
    "id": "a-1", "text": "好", "note": "", "sure": True, "count": 2,
    "reasons": [{"class": "other", "span": {"start": 1, "end": 2}, "weight": 0.5}], "pair": ["x", "y"],
    "notes": {"n": [{"start": 0, "end": 1}]},
}  # fmt: skip


@given(entries)
def test_records_come_back_from_json_with_their_keys_in_order(entry: Entry) -> None:
    value = json.loads(json.dumps(to_object(entry)))
    assert value == to_object(entry)
    assert list(value) == list(ENTRY)
    assert convert(value, Entry) == entry


@settings(max_examples=20)
@given(entries)
def test_records_come_back_from_yaml(entry: Entry) -> None:
    YAML(typ="safe").dump(to_object(entry), stream := StringIO())
    assert convert_node(parse_yaml(stream.getvalue(), HERE), Entry, HERE) == entry


def places(value: Any) -> list[tuple[Any, ...]]:
    """Return the keys and indices that lead to each part of a JSON value."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(key, *place) for key, part in pairs for place in [(), *places(part)]]


def damaged(value: Any, place: tuple[Any, ...], damage: Any) -> Any:
    """Return a value with another content at a place, or without it if the content is `KeyError`."""
    copy = json.loads(json.dumps(value))
    holder = copy
    for key in place[:-1]:
        holder = holder[key]
    if damage is KeyError:
        del holder[place[-1]]
    elif damage is NameError and isinstance(holder, dict):
        holder[f"{place[-1]}s"] = holder.pop(place[-1])
    else:
        holder[place[-1]] = None if damage is NameError else damage
    return copy


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 30) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)


@given(entries, st.data(), json_values | st.sampled_from([KeyError, NameError]))
def test_a_damaged_value_is_refused_in_one_line_or_means_what_it_says(entry: Entry, data: Any, damage: Any) -> None:
    value = to_object(entry)
    changed = damaged(value, data.draw(st.sampled_from(places(value))), damage)
    try:
        record = convert(changed, Entry)
    except ValueError as error:
        assert re.match(r"\[[^\n]+?\] .+; (found|expected|did you)", str(error))
        with pytest.raises(PipelineError, match=r"x\.yaml:1: \[") as caught:
            convert_node(parse_yaml(json.dumps(changed), HERE), Entry, HERE)
        assert len(str(caught.value).splitlines()) == 1
    else:
        expected = {"notes": {}} | changed
        expected["reasons"] = [{"weight": 1.0} | reason for reason in expected["reasons"]]
        assert to_object(record) == expected


REFUSED = [
    (("text",), " ", "[text] wrong value; found ' ', expected text"),
    (("text",), KeyError, "[text] missing field; expected text"),
    (("id",), "a b", "[id] wrong value; found 'a b', expected letters and digits of ASCII with hyphens, points or low "),
    (("sure",), 1, "[sure] wrong kind; found 1, expected true or false"),
    (("count",), True, "[count] wrong kind; found true, expected a whole number, at least 0"),
    (("count",), -1, "[count] wrong value; found -1, expected a whole number, at least 0"),
    (("count",), 2.0, "[count] wrong kind; found 2.0, expected a whole number, at least 0"),
    (("reasons",), [], "[reasons] sure without a reason; found none, expected at least one"),
    (("reasons",), {}, "[reasons] wrong kind; found {}, expected a list, each an object with class, span, weight"),
    (("reasons", 0, "span", "start"), "1", "[reasons.0.span.start] wrong kind; found '1', expected a whole number"),
    (("reasons", 0, "span", "end"), 0, "[span] offsets out of order; found [1, 0), expected 0 <= start <= end"),
    (("reasons", 0, "span"), 3, "[reasons.0.span] wrong kind; found 3, expected an object with start, end or null"),
    (("reasons", 0, "class"), "othr", "[reasons.0.class] unknown value; found 'othr', expected one of direct-object, other; "
     "did you mean other?"),
    (("reasons", 0, "class"), NameError, "[reasons.0.classs] unknown field; expected one of class, span, weight; did you mean class?"),
    (("pair",), ["x"], "[pair] wrong value; found ['x'], expected a list of 2, each text or null"),
    (("notes", "n", 0), 5, "[notes.n.0] wrong kind; found 5, expected an object with start, end"),
]  # fmt: skip


@pytest.mark.parametrize(("place", "damage", "message"), REFUSED)
def test_a_refusal_names_the_field_what_was_found_and_what_was_expected(
    place: tuple[Any, ...], damage: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        convert(damaged(ENTRY, place, damage), Entry)


def test_yaml_is_refused_at_the_line_of_the_entry(refused: Refused) -> None:
    lines = ["- id: a", "  text: 好", "  sure: &t true", "  note: ''", "  count: 1", "  reasons:", "  - class: other"]
    text = "\n".join([*lines, "    span: {start: 0, end: 1}", "  pair: [a, b]", ""])

    def refusal(old: str, new: str, line: int, name: str) -> str:
        node = parse_yaml(text.replace(old, new), HERE)
        return refused(lambda: convert_node(node, tuple[Entry, ...], HERE), f"x.yaml:{line}", name)

    assert convert_node(parse_yaml(text, HERE), tuple[Entry, ...], HERE)[0].sure is True
    refusal("end: 1", "end: x", 8, "reasons.span.end")
    assert refusal("[a, b]", "[a, 1]", 9, "pair").endswith("found 1, expected text, in quotes if need be")
    assert refusal("好", "", 2, "text").endswith("found nothing, expected text")
    assert "found a list, expected text" in refusal("好", "[1]", 2, "text")
    assert refusal("  pair", "  pear", 9, "pear").endswith("did you mean pair?")
    assert refusal("  note: ''\n", "", 1, "note").endswith("missing field; expected text")
    assert refusal(text, "a: 1", 1, "yaml").endswith("found a mapping, expected a list, each a mapping with id, text, "
        "note, sure, count, reasons, pair, notes")  # fmt: skip


def test_files_of_records(refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "entries.jsonl"
    entry = convert(ENTRY, Entry)
    write_records(path, [entry])
    assert read_by_id(path, Entry) == {"a-1": entry}
    assert list(read_records(path, Entry)) == [(1, entry)]
    write_records(path, [entry, entry])
    assert "in line 1 too" in refused(lambda: read_by_id(path, Entry), f"{path}:2", "id")
    path.write_text('{"id": "a", "windows": 3}\n', encoding="utf-8")
    wanted = "entries.jsonl, which the test writes"
    assert refused(lambda: read_by_id(path, Entry, wanted), f"{path}:1", "windows").endswith(
        f": this is a line of counts; give {wanted}"
    )
    (tmp_path / "x.yaml").write_text("a: 1\n", encoding="utf-8")
    assert read_yaml(tmp_path / "x.yaml", dict[str, int]) == {"a": 1}
