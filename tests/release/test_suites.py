"""Suites as a user meets them, and what no seeded defect reaches."""

import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pipeline.cli import main
from pipeline.core.errors import PipelineError
from pipeline.core.model import Span
from pipeline.core.records import record_to_json
from pipeline.core.validation.engine import validate
from pipeline.core.validation.rows import records, records_by_item, span_of
from pipeline.core.validation.suite import UNIQUE, Failure, Row, Suite, Value
from pipeline.release.gate import SUITES, plan, suites_of
from pipeline.release.validation import release_rows
from pipeline.winograd.forms import FORMS
from pipeline.winograd.validation.pairs import balanced, both_occur, groups
from tests.conftest import Refused
from tests.support.commands import app
from tests.support.items import marked

Rows = list[dict[str, Any]]


def pair(schema: str = "t-0001") -> Rows:
    """Return two items that meet every expectation."""
    return [
        record_to_json(
            marked(
                f"小猫追小狗，【它】跑得{word}。",
                f"{schema}-{version}",
                candidates=("小猫", "小狗"),
                answer=answer,
                question=f"谁跑得{word}？",
            )
        )
        for version, answer, word in (("a", 0, "快"), ("b", 1, "慢"))
    ]


def written(path: Path, rows: Sequence[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
    return path


def run(*arguments: str | Path) -> tuple[int, str, list[str]]:
    """Return the exit code, what the command printed, and the lines of its errors."""
    result = CliRunner().invoke(app, ["validate", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr.splitlines()


# --- the command ------------------------------------------------------------------------------------------------------


def test_a_sound_artifact_exits_0(tmp_path: Path) -> None:
    path = written(tmp_path / "items.jsonl", pair())
    number = len(SUITES["items"].expectations)
    assert run("items", path) == (0, f"{path}: items: {number} of {number} expectations met by 2 rows\n", [])


def test_each_failing_expectation_is_one_line_with_its_place_and_exits_1(tmp_path: Path) -> None:
    rows = pair()
    rows[1].update(question="谁跑得慢。", text="小猫追小狗,它跑得慢。")
    path = written(tmp_path / "items.jsonl", rows)
    code, printed, errors = run("items", path)
    number = len(SUITES["items"].expectations)
    assert code == 1
    assert printed == f"{path}: items: {number - 2} of {number} expectations met by 2 rows\n"
    assert errors == [
        f"{path}:2: [items/question-asks] 1 of 2: t-0001-b; t-0001-b: found '谁跑得慢。', expected a question mark at its end",
        f"{path}:2: [items/full-width-marks] 1 of 2: t-0001-b; t-0001-b: "
        "found '狗,' in '小猫追小狗,它跑得慢。', expected full-width marks and half-width letters",
    ]


def test_many_rows_are_counted_and_the_first_named(tmp_path: Path) -> None:
    rows = [row for number in range(1, 6) for row in pair(f"t-{number:04}")]
    for row in rows:
        row["lang"] = "zh-CN"
    code, _, errors = run("items", written(tmp_path / "items.jsonl", rows))
    (line,) = [one for one in errors if "known-language" in one]
    named = ", ".join(row["id"] for row in rows[:8])
    assert code == 1
    assert f"10 of 10: {named} and 2 more; t-0001-a: found 'zh-CN'" in line


def test_a_row_given_twice_is_named_with_both_lines(tmp_path: Path) -> None:
    path = written(tmp_path / "items.jsonl", [*pair(), pair()[0]])
    found = validate(SUITES["items"], [path])
    assert [str(one) for one in found.failures] == [
        f"{path}:1: [{UNIQUE}] t-0001-a: found in line 3 too, expected each id once",
        f"{path}:3: [{UNIQUE}] t-0001-a: found in line 1 too, expected each id once",
    ]
    code, _, errors = run("items", path)
    assert code == 1
    assert errors == [
        f"{path}:1: [items/{UNIQUE}] 2 of 3: t-0001-a; t-0001-a: found in line 3 too, expected each id once"
    ]


def test_several_suites_take_one_file(tmp_path: Path) -> None:
    rows = pair()
    rows[1]["answer"] = 0
    code, printed, errors = run("items,pairs", written(tmp_path / "items.jsonl", rows))
    assert code == 1
    assert re.findall(r": (\w+): \d+ of", printed) == ["items", "pairs"]
    assert [re.findall(r"\[(.*?)\]", one)[0] for one in errors] == ["pairs/answers-flip"]


def test_a_build_folder_is_checked_by_all_that_is_in_it(tmp_path: Path) -> None:
    written(tmp_path / "items.jsonl", pair())
    written(
        tmp_path / "variants" / "winogrande.jsonl", [{"id": "t-0001-a", "item": "t-0001-a", "sentence": "小猫跑。"}]
    )
    assert [(suite.name, path.name) for suite, path in suites_of(tmp_path)][:2] == [
        ("items", "items.jsonl"),
        ("pairs", "items.jsonl"),
    ]
    code, printed, errors = run("build", tmp_path)
    assert code == 1
    assert re.findall(r": (\w+): \d+ of", printed) == ["items", "pairs", "winogrande"]
    assert {one.split("[")[1].split("/")[0] for one in errors} == {"winogrande"}


def test_timings_tell_how_long_each_suite_took(tmp_path: Path) -> None:
    path = written(tmp_path / "items.jsonl", pair())
    assert re.search(r"by 1 rows; \d+\.\d\d s\n$", run("pairs", path, "--timings")[1])
    assert " s\n" not in run("pairs", path)[1]


def test_the_list_has_every_suite_with_its_expectations() -> None:
    code, printed, errors = run("--list")
    assert (code, errors) == (0, [])
    for suite in SUITES.values():
        assert f"{suite.name}: {suite.what}\n" in printed
        for name, what in suite.expectations.items():
            assert re.search(rf"^  {name} +{re.escape(what)}$", printed, re.MULTILINE)


def test_every_suite_is_in_the_docs(root: Path) -> None:
    table = (root / "docs" / "validation.md").read_text(encoding="utf-8")
    assert {name for name in SUITES if f"`{name}`" not in table} == set(FORMS)


def test_what_cannot_be_planned_is_refused(tmp_path: Path, refused: Refused) -> None:
    message = refused(lambda: list(plan("item", [tmp_path])), "", "suite")
    assert "found 'item', expected build or one of items" in message
    refused(lambda: list(plan("items,", [tmp_path])), "", "suite")
    message = refused(lambda: list(plan("build", [tmp_path])), str(tmp_path), "build")
    assert "[build] nothing to validate; expected one of items.jsonl, " in message
    message = refused(lambda: list(plan("build", [tmp_path / "none"])), str(tmp_path / "none"), "build")
    assert "[build] not a folder" in message


@pytest.mark.parametrize(
    ("suite", "text", "line", "field"),
    [
        ("items", '{"id": "t-0001-a"}\n{"id": \n', 2, "json"),
        ("items", '{"id": "t-0001-a"}\n["t-0001-b"]\n', 2, "json"),
        ("items", '{"id": "t-0001-a"}\n{"text": ""}\n', 2, "id"),
        ("pairs", '{"id": ""}\n', 1, "id"),
        ("labels", '{"id": 3}\n', 1, "id"),
        ("zero", '{"id": "t-0001-a", "text": "\\ud800"}\n', 1, "json"),
        ("tokens", '{"id": "t-0001-a"}\n', 1, "item"),
        ("instantiations", "occupation\tparticipant\n", 1, "sentence"),
        ("templates", "occupation\tparticipant\n", 1, "header"),
    ],
)
def test_a_malformed_file_is_refused_at_its_line(
    tmp_path: Path, refused: Refused, suite: str, text: str, line: int, field: str
) -> None:
    path = tmp_path / "broken"
    path.write_text(text, encoding="utf-8")
    refused(lambda: validate(SUITES[suite], [path]), f"{path}:{line}", field)


def test_a_release_that_is_no_folder_is_refused(tmp_path: Path, refused: Refused) -> None:
    path = written(tmp_path / "zh", [])
    refused(lambda: release_rows([path]), str(path), "release")
    refused(lambda: release_rows([tmp_path]), str(tmp_path / "README.md"), "file")
    (tmp_path / "README.md").write_text("", encoding="utf-8")
    (tmp_path / "data").mkdir()
    written(tmp_path / "data" / "zh.jsonl", [])
    (tmp_path / "data" / "zh.parquet").write_bytes(b"PAR1")
    refused(lambda: release_rows([tmp_path]), str(tmp_path / "data" / "zh.parquet"), "parquet")


@pytest.mark.parametrize("arguments", [["item", "x"], ["items", "missing.jsonl"], ["build", "."]])
def test_what_cannot_be_validated_exits_2_with_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["winoforge", "validate", *arguments])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


# --- the pages --------------------------------------------------------------------------------------------------------

HOSTILE = "<script>alert(1)</script>"


class Page(HTMLParser):
    """The tags of a page, what they refer to, and its text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.references: list[str] = []
        self.text = ""
        self.source = path.read_text(encoding="utf-8")
        self.feed(self.source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.references += [value or "" for name, value in attrs if name in ("href", "src", "action", "data")]

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """The pages on items, one with a hostile id and one with a bidirectional control character in it, and on sound pairs."""
    rows = pair()
    rows[0]["id"] = HOSTILE
    rows[1]["id"] = "t-\u202e0001-b"
    written(tmp_path / "items.jsonl", rows)
    run("build", tmp_path, "--docs", tmp_path / "docs")
    return tmp_path / "docs"


def test_pages_are_written_for_each_validation(docs: Path) -> None:
    assert sorted(path.name for path in docs.iterdir()) == ["01-items.html", "02-pairs.html", "index.html"]
    index = Page(docs / "index.html")
    assert "1 of 2 validations failed." in index.text
    assert index.references == ["01-items.html", "02-pairs.html"]
    assert Page(docs / "02-pairs.html").references == ["index.html"]


def test_a_page_tells_every_expectation_and_each_failure(docs: Path, tmp_path: Path) -> None:
    page = Page(docs / "01-items.html")
    for name, what in SUITES["items"].expectations.items():
        assert name in page.text
        assert what in page.text
    assert f"{tmp_path / 'items.jsonl'}:1 {HOSTILE}: found '{HOSTILE}', expected 't-0001-a'" in page.text
    assert page.source.count('class="failed"') == 2  # id-of-schema, no-invisible-character
    assert page.source.count('class="met"') == len(SUITES["items"].expectations) - 2


def test_pages_need_no_network_and_run_nothing(docs: Path) -> None:
    for path in docs.iterdir():
        page = Page(path)
        assert "script" not in page.tags
        assert not re.search(r"https?:|//", page.source.replace(str(docs.parent), ""))
        assert "default-src 'none'" in page.source


def test_a_page_shows_what_nobody_could_see(docs: Path) -> None:
    page = Page(docs / "01-items.html")
    assert "\u202e" not in page.source
    assert "t-⟨U+202E⟩0001-b: found" in page.text


def test_the_same_validations_give_the_same_pages(docs: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in docs.iterdir()}
    run("build", tmp_path, "--docs", docs)
    assert {path.name: path.read_bytes() for path in docs.iterdir()} == before


# --- the engine -------------------------------------------------------------------------------------------------------


def test_no_row_fails_no_expectation(tmp_path: Path) -> None:
    found = validate(SUITES["items"], [written(tmp_path / "items.jsonl", [])])
    assert (found.rows, found.failures) == (0, ())


def test_a_check_that_breaks_is_no_success(tmp_path: Path) -> None:
    def broken(value: Value) -> str:
        return str(value["missing"])

    suite = Suite("broken", "for a test", records, {"broken": broken})
    with pytest.raises(RuntimeError, match="missing"):
        validate(suite, [written(tmp_path / "items.jsonl", pair())])


def test_rows_of_two_files_are_told_apart(tmp_path: Path) -> None:
    sound, odd = written(tmp_path / "a.jsonl", pair()), pair("t-0002")
    odd[0]["question"] = "谁跑得快。"
    other = written(tmp_path / "b.jsonl", odd)
    (failure,) = validate(SUITES["items"], [sound, other]).failures
    assert (failure.check, failure.row.path, failure.row.line) == ("question-asks", other, 1)


def test_a_failure_is_one_line() -> None:
    row = Row("t-0001-a", Path("items.jsonl"), 3, {})
    assert (
        str(Failure("contract", row, "found x, expected y"))
        == "items.jsonl:3: [contract] t-0001-a: found x, expected y"
    )


def test_every_expectation_says_what_it_expects() -> None:
    for suite in SUITES.values():
        assert re.fullmatch(r"[a-z]+", suite.name)
        for name, what in suite.expectations.items():
            assert re.fullmatch(r"[a-z]+(?:-[a-z]+)*", name), name
            assert re.fullmatch(r"[^\n]+\.", what), (suite.name, name)


# --- checks by hand ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "chance"),
    [
        # exact, two-sided: twice the tail of the binomial with one half
        ([20, 0], "1.9e-06"),  # 2 · 0.5²⁰
        ([0, 20], "1.9e-06"),
        ([11, 0], "0.00098"),  # 2 · 0.5¹¹
        ([10, 0], ""),  # 2 · 0.5¹⁰ = 0.00195
        ([16, 1], "0.00027"),  # 2 · (1 + 17) / 2¹⁷ = 0.000275
        ([15, 2], ""),  # 2 · (1 + 17 + 136) / 2¹⁷ = 0.00235
        ([128, 128], ""),
        ([0, 1], ""),
    ],
)
def test_labels_are_weighed_by_the_exact_binomial(answers: list[int], chance: str) -> None:
    expected = f"found {answers[0]} and {answers[1]}, which fair coins give with p = {chance}" if chance else ""
    assert balanced({"answers": answers}) == expected


def test_no_answer_at_all_is_no_balance() -> None:
    assert balanced({"answers": [0, 0]}) == "found no item with an answer"
    assert both_occur({"answers": [0, 1]}) == ""
    assert both_occur({"answers": [0, 2]}) == "found 0 and 2"


def test_answers_are_counted_in_all_and_by_group(tmp_path: Path) -> None:
    def counted(rows: Rows) -> dict[str, tuple[int, Value]]:
        return {row.id: (row.line, row.value) for row in groups([written(tmp_path / "x.jsonl", rows)])}

    ours = [row | {"kind": kind} for kind in ("social", "spatial") for row in pair(f"t-{kind}")]
    assert counted(ours) == {
        "all": (1, {"answers": [2, 2]}),
        "version a": (1, {"answers": [2, 0]}),
        "version b": (2, {"answers": [0, 2]}),
        "kind social": (1, {"answers": [1, 1]}),
        "kind spatial": (3, {"answers": [1, 1]}),
    }
    # A member of a pair of occupation templates always means the same entity: its version is no group.
    english = [row | {"case": "nominative", "pronouns": name} for name in ("he", "xe") for row in pair(f"t-{name}")]
    assert list(counted(english)) == ["all", "case nominative", "pronouns he", "pronouns xe"]
    assert counted([]) == {}


@pytest.mark.parametrize(
    ("found", "span"),
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
def test_what_is_no_span_is_taken_for_none(found: object, span: Span | None) -> None:
    assert span_of({"target": found}) == span


def test_a_form_without_its_item_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "names.jsonl", [{"item": "t-0001-a"}, {"item": 3}])
    with pytest.raises(PipelineError, match=re.escape(f"{path}:2: [item] ")):
        records_by_item([path])
