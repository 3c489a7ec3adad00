"""What the authors say of an item: read at its line, carried to every item, turned into the gold of the audit."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipeline.core.model import CLASSES, PmiTerms, is_exclusion_class
from pipeline.winograd.analysis import Analysis, analyse, analysis_table, read_analyses, write_analyses
from pipeline.winograd.audit.gold import Gold, gold_of
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


def test_every_item_gets_its_member_of_gloss_and_terms() -> None:
    one, other = analyse(ENTRY, HERE, "zh")
    gloss = "Snow broke the branch, because it was too heavy."
    assert one == Analysis("x-a", "x", gloss, "physical", "subject", PmiTerms(("雪", "枝"), "沉"))
    assert other.gloss == "Snow broke the branch, because it was too brittle."
    assert other.pmi == PmiTerms(("雪", "枝"), "脆")


def test_an_author_may_say_nothing() -> None:
    bare = "".join(ENTRY.splitlines(keepends=True)[:5])
    assert analyse(bare, HERE, "zh") == [Analysis(f"x-{version}", "x", "", "", "", None) for version in "ab"]
    assert analyse(bare + "  pmi: null\n", HERE, "xx")[0].pmi is None


@pytest.mark.parametrize(
    ("found", "wanted", "line", "field"),
    [
        ("physical", "magic", 7, "kind"),
        ("subject", "subjct", 8, "role"),
        ("{heavy|", "{heavy", 6, "gloss"),
        ("{candidates: [雪, 枝], references: [沉, 脆]}", "[雪]", 9, "yaml"),
        ("[沉, 脆]", "[沉]", 9, "pmi"),
        ("[雪, 枝]", "[雪, 枝, 树]", 9, "pmi"),
        ("[雪, 枝]", "雪", 9, "candidates"),
        ("references", "reference", 9, "reference"),
        ("{candidates: [雪, 枝], references: [沉, 脆]}", "words", 9, "yaml"),
    ],
)
def test_a_broken_analysis_is_refused_at_its_line(
    refused: Refused, found: str, wanted: str, line: int, field: str
) -> None:
    broken = ENTRY.replace(found, wanted)
    assert broken != ENTRY
    refused(lambda: analyse(broken, HERE, "zh"), f"own.yaml:{line}", field)


def test_a_language_without_a_table_knows_no_role(refused: Refused) -> None:
    message = refused(lambda: analyse(ENTRY.replace("  kind: physical\n", ""), HERE, "xx"), "own.yaml:7", "role")
    assert message.endswith("expected one of none")


def test_analyses_are_read_as_they_were_written(tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "analysis.jsonl"
    analyses = [*analyse(ENTRY, HERE, "zh"), Analysis("y-a", "y", "", "", "", None)]
    write_analyses(path, analyses)
    assert list(read_analyses(path).values()) == analyses
    path.write_text(path.read_text(encoding="utf-8") * 2, encoding="utf-8")
    refused(lambda: read_analyses(path), f"{path}:4", "id")
    path.write_text("{}\n", encoding="utf-8")
    refused(lambda: read_analyses(path), f"{path}:1", "analysis")


def test_every_role_foretells_a_decision_that_the_rules_can_make() -> None:
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


def test_the_command_counts_kinds(tmp_path: Path) -> None:
    source = tmp_path / "own.yaml"
    source.write_text(ENTRY + ENTRY.replace("id: x", "id: y").replace("  kind: physical\n", ""), encoding="utf-8")
    run = CliRunner().invoke(app, ["analyse", str(source), "--out", str(tmp_path / "analysis.jsonl")])
    assert run.exception is None, run.exception
    assert "4 items; physical 2, no kind 2" in run.output
