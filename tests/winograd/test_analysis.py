"""The author's analysis: read with lines, given to every item, and the gold of the audit."""

from pathlib import Path

import pytest
from click.testing import Result
from msgspec.structs import replace
from typer.testing import CliRunner

from pipeline.core.model import CLASSES, PmiTerms, is_exclusion_class
from pipeline.winograd.analysis import ANALYSES, Analysis, analysis_table, count_kinds, read_analyses, write_analyses
from pipeline.winograd.audit.gold import Gold, gold_of
from pipeline.winograd.readers.schema_yaml import read_schema_yaml
from tests.conftest import Refused
from tests.support.commands import app

HERE = Path("own.yaml")
ENTRY = """- id: x
  text: 积雪压断了枯枝，因为[它]太{沉|脆}了。
  question: 什么太{沉|脆}了？
  candidates: [积雪, 枯枝]
  answers: [积雪, 枯枝]
  gloss: Snow broke the branch, because it was too {heavy|brittle}.
  kind: physical
  role: subject
  pmi: {candidates: [雪, 枝], references: [沉, 脆]}
"""


def analyse(text: str, lang: str = "zh") -> list[Analysis]:
    return [draft.analysis for draft in read_schema_yaml(text.encode(), HERE, lang) if draft.analysis]


def test_every_item_gets_its_member_of_gloss_and_terms() -> None:
    first, second = analyse(ENTRY)
    gloss = "Snow broke the branch, because it was too heavy."
    assert first == Analysis("x-a", "x", gloss, "physical", "subject", PmiTerms(("雪", "枝"), "沉"))
    assert second.gloss == "Snow broke the branch, because it was too brittle."
    assert second.pmi == PmiTerms(("雪", "枝"), "脆")


def test_an_author_may_say_nothing() -> None:
    bare = "".join(ENTRY.splitlines(keepends=True)[:5])
    assert analyse(bare) == [Analysis(f"x-{version}", "x", "", "", "", None) for version in "ab"]
    assert analyse(bare + "  pmi: null\n", "xx")[0].pmi is None


@pytest.mark.parametrize(
    ("before", "after", "line", "field"),
    [
        ("physical", "magic", 7, "kind"),
        ("subject", "subjct", 8, "role"),
        ("{heavy|", "{heavy", 6, "gloss"),
        ("{candidates: [雪, 枝], references: [沉, 脆]}", "[雪]", 9, "pmi"),
        ("[沉, 脆]", "[沉]", 9, "pmi"),
        ("[雪, 枝]", "[雪, 枝, 树]", 9, "pmi"),
        ("[雪, 枝]", "雪", 9, "pmi.candidates"),
        ("references", "reference", 9, "pmi.reference"),
        ("{candidates: [雪, 枝], references: [沉, 脆]}", "words", 9, "pmi"),
    ],
)
def test_a_broken_analysis_is_refused_at_its_line(
    refused: Refused, before: str, after: str, line: int, field: str
) -> None:
    broken = ENTRY.replace(before, after)
    assert broken != ENTRY
    refused(lambda: analyse(broken), f"own.yaml:{line}", field)


def test_a_language_without_a_table_allows_any_kind_and_role() -> None:
    analyses = analyse(ENTRY.replace("kind: physical", "kind: magic"), "en")
    assert [(analysis.kind, analysis.role) for analysis in analyses] == [("magic", "subject")] * 2
    assert count_kinds(analyses, analysis_table("en")) == "magic 2"


def test_every_role_predicts_a_possible_decision_of_the_rules() -> None:
    table = analysis_table("zh")
    assert (
        len(table.kinds) == 8
    )  # issue: physical, spatial, temporal, social, psychological, economic, biological, functional
    places = {name for name in table.expected.values() if name is not None}
    assert places == set(CLASSES[:4])  # the four classes of WSC-ZA's Table 2
    assert all(is_exclusion_class(name) for name in places)
    assert {role for role, name in table.expected.items() if name is None} == {"subject", "topic", "embedded-subject"}


def test_roles_make_a_gold(refused: Refused) -> None:
    table = analysis_table("zh")
    analyses = [Analysis(role, "x", "", "", role, None) for role in ("subject", "pivot", "bare-possessor", "")]
    assert gold_of(analyses, table) == {
        "subject": Gold("keep", None, "subject"),
        "pivot": Gold("other", None, "pivot"),
        "bare-possessor": Gold("prenominal-possessor", None, "bare-possessor"),
    }
    refused(lambda: gold_of([Analysis("x-a", "x", "", "", "boss", None)], table), "", "role")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "own.yaml"
    other = ENTRY.replace("id: x", "id: y").replace("  kind: physical\n", "").replace("积雪压", "昨晚积雪压")
    path.write_text(ENTRY + other.replace("Snow", "Last night snow"), encoding="utf-8")
    return path


def ingest(source: Path, form: str, *options: str) -> Result:
    """Run `ingest`; its outputs lie beside the source."""
    outputs = [f"--{name}={source.with_name(name)}" for name in ("out", "skipped", *options)]
    return CliRunner().invoke(app, ["ingest", str(source), "--format", form, *outputs])


def test_the_command_writes_analyses_and_terms_and_counts_kinds(source: Path) -> None:
    run = ingest(source, "schema-yaml", "analysis", "terms")
    assert run.exception is None, run.exception
    assert "4 items; physical 2, no kind 2" in run.output
    assert list(read_analyses(source.with_name("analysis"))) == ["x-a", "x-b", "y-a", "y-b"]
    assert source.with_name("terms").read_text(encoding="utf-8") == "枝\n沉\n脆\n雪\n"


@pytest.mark.parametrize("option", ["analysis", "terms"])
def test_another_format_has_no_analysis_and_nothing_is_written(source: Path, option: str) -> None:
    run = ingest(source, "wsc-xml", option)
    assert (
        str(run.exception)
        == f"[{option}] format does not contain {option}; found 'wsc-xml', expected schema-yaml or translation-tsv"
    )
    assert list(source.parent.iterdir()) == [source]


def test_a_gloss_of_one_item_asks_for_one_of_every_item(tmp_path: Path) -> None:
    other = replace(analyse(ENTRY)[0], id="y-a", schema="y", gloss="")
    path = tmp_path / "analysis.jsonl"
    write_analyses(path, [*analyse(ENTRY), other])
    found = [line for line in ANALYSES.check([path]).lines() if "gloss-given" in line]
    assert len(found) == 1
    assert found[0].endswith("found none, although other items have a gloss; expected one of every item, or of none")
