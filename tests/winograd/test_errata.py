"""The errata of our collections: each is true of the items of today, and a release says which record it speaks of."""

import subprocess
from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.records import read_items
from pipeline.winograd.analysis import read_analyses
from pipeline.winograd.errata import Values, read_errata, released_errata, values_of
from tests.conftest import ROOT
from tests.support.commands import winoforge
from tests.support.items import marked
from tests.support.needs import need


def current_values(collection: str) -> Values:
    folder = ROOT / "build" / collection
    need("errata of our collections", "" if (folder / "items.jsonl").is_file() else "nothing built; run make build")
    glosses = {name: entry.gloss for name, entry in read_analyses(folder / "analysis.jsonl").items()}
    return values_of(read_items(folder / "items.jsonl"), glosses)


@pytest.mark.parametrize("path", sorted(ROOT.glob("raw/*/errata.yaml")), ids=lambda path: path.parent.name)
def test_each_erratum_of_ours_is_true(path: Path) -> None:
    rows = released_errata(path, current_values(path.parent.name))
    assert len(rows) == sum(len(erratum.before) for erratum in read_errata(path)) > 0
    assert all(row["before"] != row["after"] for row in rows if row["action"] == "corrected")


def test_what_an_erratum_says_was_there_stands_in_the_history() -> None:
    """The words before a correction are those of an earlier commit: a question of the file, with the words of its member."""
    command = ["git", "-C", str(ROOT), "log", "-p", "--format=", "7918ea1d..e9387668", "--", "raw/zh/schemas.yaml"]
    log = subprocess.run(command, capture_output=True, check=False)
    if log.returncode:
        pytest.skip("errata of raw/zh: a shallow clone has no history (git fetch --unshallow)")
    removed = [line[3:] for line in log.stdout.decode().splitlines() if line.startswith("-  ")]
    for erratum in read_errata(ROOT / "raw/zh/errata.yaml"):
        lines = [line for line in removed if line.startswith(f"{erratum.field}: ")]
        for item_id, words in erratum.before.items():
            place = "ab".index(item_id[-1])
            assert any(member_of(line.partition(": ")[2], place) == words for line in lines), erratum.id


def member_of(factored: str, place: int) -> str:
    head, brace, rest = factored.partition("{")
    inside, _, tail = rest.partition("}")
    return _plain(head) + inside.split("|")[place] + member_of(tail, place) if brace else _plain(head)


def _plain(factored: str) -> str:
    return factored.replace("[", "").replace("]", "")


@pytest.mark.parametrize(("action", "before", "reason", "fault"), [
    ("corrected", "甲走了，因为他累。", "", "[e-1] action not taken; found '甲走了，因为他累。' in t-0001-a still, expected other words"),
    ("kept", "甲走。", "so", "[e-1] action not taken; found '甲走了，因为他累。' in t-0001-a, expected '甲走。', since it was kept"),
    ("kept", "甲走了，因为他累。", "", "[e-1] action not taken; found no reason, expected why the item was kept"),
])  # fmt: skip
def test_what_was_not_done_stops_a_release(tmp_path: Path, action: str, before: str, reason: str, fault: str) -> None:
    path = tmp_path / "errata.yaml"
    why = f"  reason: {reason}\n" if reason else ""
    path.write_text(
        f"- id: e-1\n  field: text\n  found: odd\n  by: user\n  action: {action}\n  before: {{t-0001-a: {before}}}\n{why}",
        encoding="utf-8",
    )
    with pytest.raises(PipelineError) as caught:
        released_errata(path, values_of([marked("甲走了，因为【他】累。")], {}))
    assert caught.value.reason.startswith(fault)


def test_an_item_that_errata_alone_know_is_refused_where_most_others_are_there(tmp_path: Path) -> None:
    entry = "- {{id: e-1, field: text, found: odd, by: user, action: corrected, before: {{{}}}}}\n"
    values = values_of([marked("甲走了，因为【他】累。")], {})
    (item_id,) = values
    (path := tmp_path / "errata.yaml").write_text(entry.format(f"{item_id}: x, t-9-a: x, t-9-b: x"), encoding="utf-8")
    assert [row["item"] for row in released_errata(path, values)] == [item_id]  # a part of the collection
    others = values | {"t-9-b": values[item_id]}
    with pytest.raises(PipelineError, match=r"\[e-1\] unknown item; found no item 't-9-a', expected the id of one"):
        released_errata(path, others)


def test_errata_without_items_are_refused_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "raw" / "mine").mkdir(parents=True)
    path = tmp_path / "raw" / "mine" / "errata.yaml"
    path.write_text("[]\n", encoding="utf-8")
    run = winoforge("validate", "errata", path)
    assert run.returncode == 2
    assert f"[items] no items to compare with; expected {tmp_path}/build/mine/items.jsonl" in run.stderr
    path.write_text("e-1: {}\n", encoding="utf-8")
    assert (
        "[errata] wrong kind; found a mapping, expected a list of errata"
        in winoforge("validate", "errata", path).stderr
    )
