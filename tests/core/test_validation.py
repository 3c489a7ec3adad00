"""The validation engine, its rows and its pages."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.core.files import read_text, write_text
from pipeline.core.model import Span
from pipeline.core.validation.documents import Passed, validate
from pipeline.core.validation.rows import records, span_of
from pipeline.core.validation.suite import NOT_EMPTY, Suite, Value
from pipeline.release.gate import SUITES
from tests.support.pages import Page
from tests.support.validation import sound_pair, validate_command, write_rows

# --- the engine -------------------------------------------------------------------------------------------------------


def test_an_empty_file_fails_unless_it_may_be_empty(tmp_path: Path) -> None:
    sound, empty = write_rows(tmp_path / "items.jsonl", sound_pair()), write_rows(tmp_path / "empty.jsonl", [])
    (failure,) = validate(SUITES["items"], [sound, empty]).failures
    assert (failure.check, failure.row.path) == (NOT_EMPTY, empty)
    assert validate_command("items,skipped", empty) == (
        1,
        f"{empty}: items: {len(SUITES['items'].expectations) - 1} of {len(SUITES['items'].expectations)} expectations met by "
        f"0 rows\n{empty}: skipped: 2 of 2 expectations met by 0 rows\n",
        [f"{empty}: [items/{NOT_EMPTY}] found an empty file, expected at least one row"],
    )


def test_a_check_that_breaks_is_no_success(tmp_path: Path) -> None:
    def broken(value: Value) -> str:
        return str(value["missing"])

    suite = Suite("broken", "for a test", records, {"broken": broken})
    with pytest.raises(RuntimeError, match="missing"):
        validate(suite, [write_rows(tmp_path / "items.jsonl", sound_pair())])


def test_rows_that_have_passed_are_not_checked_again_while_the_code_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def small(value: Value) -> str:
        """The count is below 3."""
        seen.append(value["count"])
        return "" if value["count"] < 3 else "found 3, expected less"

    suite = Suite("small", "for a test", records, {"small": small})
    path, code = tmp_path / "counts.jsonl", tmp_path / "code"
    code.mkdir()
    monkeypatch.setattr("pipeline.core.validation.documents.PACKAGE", code)

    def checked(count: int, module: str) -> tuple[list[int], bool]:
        """Validate a row as one build does; return what was checked, and whether it is valid."""
        write_rows(path, [{"id": "a", "count": count}])
        write_text(code / "module.py", module)
        seen.clear()
        passed = Passed(tmp_path)
        validation = validate(suite, [path], passed)
        passed.write()
        assert validation.result["success"] == (not validation.failures)
        return seen[:], not validation.failures

    assert checked(1, "code") == ([1], True)
    assert checked(1, "code") == ([], True)
    assert checked(2, "code") == ([2], True)  # other rows
    assert checked(2, "other code") == ([2], True)
    assert checked(3, "other code") == checked(3, "other code") == ([3], False)  # what fails is shown each time
    assert checked(2, "other code") == ([2], True)  # of the last build only
    kept = read_text(tmp_path / "passed.json")
    for old, new in [
        ("", "damaged"),
        ('"success": true', '"success": false'),
        ('"result": {', '"result": 3, "x": {'),
        (kept, ""),
        (kept, "[]"),
    ]:
        assert old in kept
        write_text(tmp_path / "passed.json", kept.replace(old, new, 1) if old else new)
        assert checked(2, "other code") == ([2], True)


def test_a_check_may_rely_on_the_contract(tmp_path: Path) -> None:
    def contract(value: Value) -> str:
        """The count is a number."""
        return "" if isinstance(value["count"], int) else "found another value, expected a number"

    def positive(value: Value) -> str:
        """The count is above 0."""
        return "" if value["count"] > 0 else "found 0, expected more"

    suite = Suite("counted", "for a test", records, {"contract": contract, "positive": positive})
    rows = [{"id": "a", "count": "many"}, {"id": "b", "count": 0}]
    path = write_rows(tmp_path / "counts.jsonl", rows)
    for validation in (validate(suite, [path]), suite.check([path])):
        assert [(failure.check, failure.row.id) for failure in validation.failures] == [
            ("contract", "a"),
            ("positive", "b"),
        ]
    assert suite.expectations["positive"] == "The count is above 0."
    with pytest.raises(KeyError):  # what the contract does not explain stays a fault of ours
        Suite("odd", "", records, {"contract": lambda _: "", "positive": positive}).checks["positive"]({})


def test_suites_that_expect_the_same_are_equal(tmp_path: Path) -> None:
    suite = SUITES["items"]
    assert replace(suite, rows=lambda _: []) == suite
    assert hash(replace(suite, rows=lambda _: [])) == hash(suite)
    assert replace(suite, unique=False) != suite


def test_a_failure_names_its_file(tmp_path: Path) -> None:
    sound, odd = write_rows(tmp_path / "a.jsonl", sound_pair()), sound_pair("t-0002")
    odd[0]["question"] = "谁跑得快。"
    other = write_rows(tmp_path / "b.jsonl", odd)
    (failure,) = validate(SUITES["items"], [sound, other]).failures
    assert (failure.check, failure.row.path, failure.row.line) == ("question-asks", other, 1)


# --- rows -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "span"),
    [
        ({"start": 1, "end": 3}, Span(1, 3)),
        ({"end": 3, "start": 3}, Span(3, 3)),
        ({"start": 3, "end": 1}, None),
        ({"start": -1, "end": 1}, None),
        ({"start": False, "end": True}, None),
        ({"start": 1.0, "end": 2.0}, None),
        ({"start": 1, "end": 2, "text": ""}, None),
        ([1, 3], None),
        (None, None),
    ],
)
def test_a_malformed_span_is_none(value: object, span: Span | None) -> None:
    assert span_of({"target": value}) == span


# --- the pages --------------------------------------------------------------------------------------------------------

HOSTILE = "<script>alert(1)</script>"


def html_of(docs: Path, name: str) -> str:
    return (docs / f"{name}.html").read_text(encoding="utf-8")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """The files on items, one with a hostile id and one with a bidirectional control character in it, and on sound pairs."""
    rows = sound_pair()
    rows[0]["id"] = HOSTILE
    rows[1]["id"] = "=t-\u202e0001-b"
    write_rows(tmp_path / "build" / "items.jsonl", rows)
    validate_command("build", tmp_path / "build", "--docs", tmp_path / "docs")
    return tmp_path / "docs"


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by their path in it."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_files_are_written_for_each_validation(docs: Path) -> None:
    names = ["01-items", "02-pairs", "03-derivation"]
    assert set(contents(docs)) == {
        "index.html",
        *(f"{name}.html" for name in names),
        "01-items.tsv",
        "03-derivation.tsv",
        *(f"results/{name}.json" for name in (*names, "checkpoint")),
        *(f"suites/{name}.json" for name in SUITES),
    }
    index = Page(html_of(docs, "index"))
    assert "2 of 3 validations failed." in index.text
    assert index.links == {
        "01-items.html",
        "01-items.html#contract",
        "01-items.html#id-of-schema",
        "01-items.html#no-invisible-character",
        "01-items.tsv",
        "02-pairs.html",
        "03-derivation.html",
        "03-derivation.html#complete",
        "03-derivation.tsv",
    }
    assert Page(html_of(docs, "02-pairs")).links == {"index.html"}


def test_a_page_lists_every_expectation_and_each_failure(docs: Path, tmp_path: Path) -> None:
    html = html_of(docs, "01-items")
    page = Page(html)
    for name, what in SUITES["items"].expectations.items():
        assert name in page.text
        assert what in page.text
    for text in (f"{tmp_path / 'build' / 'items.jsonl'}:1", HOSTILE, f"found '{HOSTILE}', expected 't-0001-a'"):
        assert text in page.text
    assert html.count("name failed") == 3  # contract, id-of-schema, no-invisible-character
    assert html.count("name met") == len(SUITES["items"].expectations) - 3
    assert page.text.count("2 of 2 shown") == 2  # contract, id-of-schema
    assert "5 of 5 shown" in page.text
    assert {"#id-of-schema", "#no-invisible-character", "01-items.tsv"} <= page.links


def test_failing_rows_are_a_table_that_is_safe_in_a_spreadsheet(docs: Path, tmp_path: Path) -> None:
    path = docs / "01-items.tsv"
    header, *rows = path.read_text(encoding="utf-8").splitlines()
    assert header.split("\t") == ["path", "line", "id", "expectation", "severity", "reason"]
    assert [row.split("\t")[1:5] for row in rows] == [
        ["1", HOSTILE, "contract", "critical"],
        ["2", "'=t-⟨U+202E⟩0001-b", "contract", "critical"],
        ["1", HOSTILE, "id-of-schema", "critical"],
        ["2", "'=t-⟨U+202E⟩0001-b", "id-of-schema", "critical"],
        ["2", "'=t-⟨U+202E⟩0001-b", "no-invisible-character", "critical"],
    ]
    assert {row.split("\t")[0] for row in rows} == {str(tmp_path / "build" / "items.jsonl")}


def test_pages_need_no_network_and_run_nothing(docs: Path) -> None:
    for path in docs.glob("*.html"):
        html = path.read_text(encoding="utf-8")
        assert all(tag != "script" and "src" not in values for tag, values in Page(html).elements)
        assert not re.search(r"https?:|//", html.replace(str(docs.parent), ""))
        assert "default-src 'none'" in html


def test_files_of_an_earlier_run_are_removed_and_others_stay(docs: Path, tmp_path: Path) -> None:
    own = docs / "01-items-of-mine.html"
    own.touch()
    validate_command("items", write_rows(tmp_path / "sound.jsonl", sound_pair()), "--docs", docs)
    kept = {name for name in contents(docs) if not name.startswith("suites/")}
    assert kept == {"index.html", "01-items.html", "results/01-items.json", "results/checkpoint.json", own.name}
