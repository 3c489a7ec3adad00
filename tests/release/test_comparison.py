"""Two editions of a collection, compared: what was planted is found, nothing else is, and both sides add up."""

import json
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.files import to_json
from pipeline.release.comparison import Comparison, Edition, Row, compare, next_version, summary_lines
from pipeline.release.editions import read_reasons
from tests.conftest import ROOT
from tests.support.commands import winoforge

Write = Callable[..., Path]


def item(name: str, text: str = "", **fields: Any) -> Row:
    row: Row = {
        "id": name, "schema": name[:-2], "version": name[-1], "lang": "zh", "text": text or f"甲在乙后面，因为他慢（{name}）。",
        "target": {"start": 8, "end": 9}, "candidates": ["甲", "乙"], "answer": 0, "question": "谁慢？", "source": "s", "note": "",
    }  # fmt: skip
    return row | fields


def edition(rows: list[Row], **more: Any) -> Edition:
    return Edition(Path("items.jsonl"), "file of items", {row["id"]: row for row in rows}, **more)


#: A collection: some of six ids, each with one of three texts of its own or of others, so that ids stay, go, and exchange their texts.
COLLECTIONS = st.dictionaries(
    st.integers(0, 5), st.tuples(st.integers(0, 7), st.integers(0, 1), st.integers(0, 1))
).map(
    lambda drawn: edition(
        [
            item(f"x-{name}-a", f"甲在乙后面，因为他慢{'了' * text}。", answer=answer, note="n" * note)
            for name, (text, answer, note) in drawn.items()
        ]
    )
)


@given(COLLECTIONS, COLLECTIONS)
def test_both_sides_add_up_and_mirror_each_other(old: Edition, new: Edition) -> None:
    there, back = compare(old, new), compare(new, old)
    assert len(old.rows) == there.same + len(there.changed) + len(there.dropped)
    assert len(new.rows) == there.same + len(there.changed) + len(there.added)
    assert {change.old for change in there.dropped} == {change.new for change in back.added}
    assert {change.new for change in there.added} == {change.old for change in back.dropped}
    assert {(change.old, change.new) for change in there.changed} == {
        (change.new, change.old) for change in back.changed
    }
    assert (there.same, there.classes, there.renamed) == (back.same, back.classes, back.renamed)


@given(COLLECTIONS)
def test_an_edition_is_equal_to_itself(of: Edition) -> None:
    result = compare(of, of)
    assert (result.same, result.changed, result.dropped, result.added) == (len(of.rows), [], [], [])
    assert result.step == "none"


#: A change of each field, its class, and how much of the version it costs.
PLANTED: Mapping[str, tuple[dict[str, Any], str, str]] = {
    "answer": ({"answer": 1}, "answer", "major"),
    "wrong candidate": ({"candidates": ["甲", "丙"]}, "candidates", "patch"),
    "text": ({"text": "甲在乙后面，因为他很慢。"}, "text", "patch"),
    "target": ({"target": {"start": 0, "end": 1}}, "text", "patch"),
    "question": ({"question": "是谁慢？"}, "question", "patch"),
    "form": ({"text_zero": "甲在乙后面，因为Ø慢。"}, "form", "patch"),
    "note": ({"note": "1"}, "metadata", "patch"),
    "register": ({"register": True}, "metadata", "patch"),
}


@given(st.sampled_from(sorted(PLANTED)), st.integers(1, 4), st.data())
def test_a_planted_change_is_told_with_its_class_and_its_item(name: str, size: int, data: st.DataObject) -> None:
    changed, kind, step = PLANTED[name]
    rows = [item(f"x-{number}-a", text_zero="", register=1) for number in range(size)]
    place = data.draw(st.integers(0, size - 1))
    (change,) = (
        result := compare(edition(rows), edition([*rows[:place], rows[place] | changed, *rows[place + 1 :]]))
    ).changed
    assert (change.old, change.new, change.classes, result.step) == (rows[place]["id"], rows[place]["id"], [kind], step)
    assert [(entry.name, entry.new) for entry in change.fields] == [*changed.items()]
    assert result.same == size - 1


@pytest.mark.parametrize(("candidates", "answer", "classes"), [
    (["乙", "甲"], 1, ["answer", "candidates"]),  # the same person, under another letter
    (["乙", "甲"], 0, ["answer", "candidates"]),  # the same letter, another person
    (["老甲", "乙"], 0, ["candidates"]),  # the same person and letter, in other words
])  # fmt: skip
def test_an_answer_is_an_index_and_a_person(candidates: list[str], answer: int, classes: list[str]) -> None:
    (change,) = compare(
        edition([item("x-1-a")]), edition([item("x-1-a", candidates=candidates, answer=answer)])
    ).changed
    assert change.classes == classes


def test_candidates_that_are_no_list_name_no_answer() -> None:
    (change,) = compare(edition([item("x-1-a")]), edition([item("x-1-a", candidates=5)])).changed
    assert change.classes == ["candidates"]


def ids(result: Comparison, what: str) -> list[tuple[str | None, str | None]]:
    return [(change.old, change.new) for change in getattr(result, what)]


def test_a_text_under_another_id_is_a_rename() -> None:
    one, two = item("x-1-a", "一"), item("x-2-a", "二")
    moved = compare(edition([one, two]), edition([two, one | {"id": "x-9-a"}]))
    assert (ids(moved, "changed"), moved.same, moved.renamed, moved.step) == ([("x-1-a", "x-9-a")], 1, 1, "major")
    swapped = compare(edition([one, two]), edition([one | {"id": "x-2-a"}, two | {"id": "x-1-a"}]))
    assert ids(swapped, "changed") == [("x-1-a", "x-2-a"), ("x-2-a", "x-1-a")]
    taken = compare(edition([one]), edition([one | {"id": "x-9-a"}, item("x-1-a", "三")]))
    assert (ids(taken, "changed"), ids(taken, "added")) == ([("x-1-a", "x-9-a")], [(None, "x-1-a")])
    assert taken.added[0].because == ("new under an id that another item had",)


def test_a_text_that_several_items_share_renames_none() -> None:
    """As in PDP, where several problems stand on one text."""
    shared = compare(edition([item("x-1-a", "一"), item("x-2-a", "一")]), edition([item("x-3-a", "一")]))
    assert (shared.renamed, len(shared.dropped), len(shared.added)) == (0, 2, 1)


def test_the_version_in_a_row_is_no_change_of_its_item() -> None:
    forms = [{"nli": {"x-1-a": [{"item": "x-1-a", "release": name}]}} for name in ("x 0.1.0", "x 0.2.0")]
    old, new = (
        edition([item("x-1-a", release=name, canary=name)], forms=of) for name, of in zip("ab", forms, strict=True)
    )
    assert compare(old, new).step == "none"


def test_a_field_or_form_of_one_edition_is_told_once() -> None:
    rows, more = [item("x-1-a"), item("x-2-a")], [item("x-1-a", register="r"), item("x-2-a", register="r")]
    nli = {"nli": {"x-1-a": [{"item": "x-1-a", "label": 1}]}}
    result = compare(edition(rows), edition(more, forms=nli))
    assert (result.same, result.step) == (2, "minor")
    assert summary_lines(result)[2:] == ["fields added: register", "forms added: nli", "version: minor"]
    assert compare(edition(more, forms=nli), edition(rows)).step == "major"
    changed = compare(
        edition(rows, forms=nli), edition(rows, forms={"nli": {"x-1-a": [{"item": "x-1-a", "label": 0}]}})
    )
    assert (changed.classes, changed.step) == ({"form": 1}, "patch")


@pytest.mark.parametrize(("version", "step", "following"), [
    ("1.2.3", "patch", "1.2.4"), ("1.2.3", "none", "1.2.3"), ("0.2.3", "minor", "0.2.4"), ("0.2.3", "major", "0.3.0"),
    ("2026", "major", "2026"),
])  # fmt: skip
def test_the_version_follows(version: str, step: Any, following: str) -> None:
    assert next_version(version, step) == following


# --- builds, releases, files ------------------------------------------------------------------------------------------


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(name: str, *rows: Row) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{to_json(row)}\n" for row in rows), encoding="utf-8")
        return path

    return written


def finding(rule: str) -> dict[str, Any]:
    return {"findings": [{"rule": rule, "class": "other", "span": None, "message": "heavy", "evidence": {}}]}


def test_a_build_says_why(write: Write, tmp_path: Path) -> None:
    """One item is rejected by a rule now, one is rescued by a modification, one is decided by people, of one the build knows nothing."""
    one, two, three, four = (item(f"x-{number}-a", str(number)) for number in range(1, 5))
    write("old/zero.jsonl", one, three, four)
    write("old/rejected.jsonl", two | finding("zh/two"))
    write("new/zero.jsonl", two | {"text": "2'"}, three | {"answer": 1})
    write("new/adjudicated-rejected.jsonl", one | finding("zh/one"))
    write("new/modifications.jsonl", {"id": "x-2-a", "type": "copula", "from": "a", "to": "b", "reason": "better"})
    decision = {"action": "relabel", "study": "s1", "reason": "they said so"}
    write("new/adjudications.jsonl", {"id": "x-3-a", "before": "kept", "after": "kept", "decision": decision})
    reasons = tmp_path / "why.tsv"
    reasons.write_text("id\twhy\nx-4\tdull\n", encoding="utf-8")
    out = tmp_path / "page.html"
    run = winoforge("diff", tmp_path / "old", tmp_path / "new", "--reasons", reasons, "--out", out)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines() == [
        "- x-1-a; because: rejected by zh/one (other): heavy",
        "- x-4-a; because: why.tsv: dull",
        "+ x-2-a; because: was rejected by zh/two (other): heavy; modified (copula, a -> b): better",
        "~ x-3-a (answer): answer 0 -> 1; because: decided by people (relabel in s1): they said so",
        f"{tmp_path / 'old'}: 3 items = 0 same + 1 changed + 2 dropped",
        f"{tmp_path / 'new'}: 2 items = 0 same + 1 changed + 1 added",
        "changed: answer 1",
        "version: major",
    ]
    page = out.read_text(encoding="utf-8")
    assert all(
        line in page
        for line in ("<del>0</del> <ins>1</ins>", "rejected by zh/one (other): heavy", "<h2>Added (1)</h2>")
    )


def test_a_release_says_why_and_which_version(write: Write, tmp_path: Path) -> None:
    for name, version, row, sha in (
        ("old", "0.1.0", item("x-1-a"), "11"),
        ("new", "0.1.0", item("x-1-a", question="是谁慢？"), "22"),
    ):
        write(f"{name}/data/x.jsonl", row)
        write(f"{name}/provenance.jsonl", {"id": "x-1-a", "sha256": sha, "rules": "r"})
        (tmp_path / name / "README.md").write_text(
            f"---\npretty_name: winoforge x\nversion: {version}\n---\n", encoding="utf-8"
        )
    run = winoforge("diff", tmp_path / "old", tmp_path / "new", "--json")
    assert run.returncode == 1
    assert (
        run.stderr
        == f"{tmp_path / 'new'}: [version] too low; found 0.1.0 after 0.1.0, expected at least 0.1.1 (patch)\n"
    )
    figures = json.loads(run.stdout)
    assert (figures["version"], figures["changed"][0]["because"]) == ("0.1.1", ["source changed from 11 to 22"])
    assert figures["changed"][0]["fields"] == {"question": {"class": "question", "old": "谁慢？", "new": "是谁慢？"}}
    erratum = {"erratum": "e-1", "item": "x-1-a", "by": "user", "found": "odd", "action": "corrected"}
    write("new/errata.jsonl", erratum)
    assert (
        "because: erratum e-1, corrected (found by: user): odd\n"
        in winoforge("diff", tmp_path / "old", tmp_path / "new").stdout
    )


@pytest.mark.parametrize(("old", "new", "message"), [
    ("none", "b", "none: [edition] no such file or folder; expected a release, a build or a file of items"),
    ("a.jsonl", "b", "[edition] two kinds; found a file of items (a.jsonl) and a build (b), expected two releases"),
    (".", "b", ".: [edition] no release, build or file of items; expected one, such as b"),
    ("empty.jsonl", "a.jsonl", "[edition] no item; found no row in empty.jsonl, expected items (JSON Lines)"),
    ("twice.jsonl", "a.jsonl", "twice.jsonl:2: [id] not unique; found 'x-1-a' in line 1 too"),
    ("rejected.jsonl", "a.jsonl", "rejected.jsonl:1: [findings] a rejected record; found 'x-1-a', expected an item"),
    ("forms.jsonl", "a.jsonl", "forms.jsonl:1: [text] missing field; expected text"),
])  # fmt: skip
def test_what_is_no_edition_is_refused_in_a_line(
    write: Write, tmp_path: Path, old: str, new: str, message: str
) -> None:
    one = item("x-1-a")
    for name, rows in {
        "a": [one],
        "empty": [],
        "twice": [one, one],
        "rejected": [one | finding("r")],
        "forms": [{"id": "x"}],
    }.items():
        write(f"{name}.jsonl", *rows)
    write("b/items.jsonl", one)
    run = winoforge("diff", old, new, cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith(message)
    assert run.stderr.count("\n") == 1


# --- the editions of our own collection -------------------------------------------------------------------------------

#: The commits with the first and the third edition of raw/zh.
EDITIONS = ("43ecbfa9", "88657e44")


def source_of(revision: str, file: str = "schemas.yaml") -> str:
    command = ["git", "-C", str(ROOT), "show", f"{revision}:raw/zh/{file}"]
    shown = subprocess.run(command, capture_output=True, check=False)
    if shown.returncode:
        pytest.skip("editions of raw/zh: a shallow clone has no history (git fetch --unshallow)")
    return shown.stdout.decode()


def schemas_of(source: str) -> dict[str, dict[str, str]]:
    """Return the fields of each schema by its id, found without our reader, which takes seconds."""
    entries = [dict(re.findall(r"^(?:- |  )?(\w+): (.*)$", entry, re.MULTILINE)) for entry in source.split("\n- ")[1:]]
    return {entry["id"]: entry for entry in entries}


def members(schema: Mapping[str, str]) -> Iterator[Row]:
    for place, member in enumerate("ab"):
        chosen = rf"\{place + 1}"
        words = {name: re.sub(r"\{(.*?)\|(.*?)\}", chosen, schema[name]) for name in ("text", "question")}
        candidates, answers = (schema[name].strip("[]").split(", ") for name in ("candidates", "answers"))
        answer = candidates.index(answers[place])
        yield {
            "id": f"{schema['id']}-{member}",
            "schema": schema["id"],
            "candidates": candidates,
            "answer": answer,
            **words,
        }


def test_the_first_edition_against_the_third(tmp_path: Path) -> None:
    """All that was released and is gone has its reason in rejected.tsv, three questions are in other words, all else has stayed."""
    before, after = (schemas_of(source_of(revision)) for revision in EDITIONS)
    editions = (edition([row for schema in schemas.values() for row in members(schema)]) for schemas in (before, after))
    errata = tmp_path / "errata.yaml"
    errata.write_text(source_of(EDITIONS[1], errata.name), encoding="utf-8")
    result = compare(*editions, read_reasons([ROOT / "raw/zh/rejected.tsv", errata]))
    assert (len(before), len(after)) == (161, 201)
    pairs = ((before.keys(), after.keys()), (after.keys(), before.keys()))
    gone, arrived = ({f"{schema}-{member}" for schema in some - others for member in "ab"} for some, others in pairs)
    assert {change.old for change in result.dropped} == gone
    assert {change.new for change in result.added} == arrived
    unexplained = {
        str(change.old)[:-2] for change in result.dropped if not change.because[0].startswith("rejected.tsv: ")
    }
    assert {before[schema]["role"] for schema in unexplained} <= {
        "possessor",
        "bare-possessor",
        "direct-object",
    }  # the rules excluded them
    assert {(str(change.old)[:-2], *change.classes) for change in result.changed} == {
        (schema, "question") for schema in ("zh-0019", "zh-0021", "zh-0039")
    }
    assert all(
        re.match(r"erratum zh-e\d+, corrected \(found by: reader\): ", change.because[0]) for change in result.changed
    )
    assert result.same + len(result.changed) == 2 * len(before.keys() & after.keys())
    assert result.step == "major"
