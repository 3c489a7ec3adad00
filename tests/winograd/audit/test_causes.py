"""The checklist of causes for which people may fail a cloze item."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.tables import read_table
from pipeline.winograd.audit.causes import COLUMNS, causes, checklist, page
from tests.conftest import ROOT
from tests.support.commands import winoforge


def item(text: str, first: str, second: str, gold: int = 0) -> dict[str, Any]:
    """Return a cloze item; an antecedent is ``Der Ofen:masc``."""
    pairs = [phrase.rsplit(":", 1) for phrase in (first, second)]
    antecedents = [{"text": phrase, "gender": gender} for phrase, gender in pairs]
    pronoun = {"masc": "er", "fem": "sie", "neut": "es"}[antecedents[gold]["gender"]]
    return {"id": "x-a", "lang": "de", "text": text, "antecedents": antecedents, "gold": gold, "pronoun": pronoun}


def evidence(row: dict[str, Any], cause: str) -> str:
    (mark,) = [mark for mark in checklist(row) if mark.cause == cause]
    assert (mark.state == "seen") == bool(mark.evidence)
    return mark.evidence


OVEN = ("Der Kamin:masc", "die Heizung:fem")


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (item("Der Kamin ersetzte die Heizung, weil ___ billiger war.", *OVEN), "billiger war (es names neither antecedent)"),
        (item("Der Kamin ersetzte die Heizung, weil ___ älter war.", *OVEN), ""),  # a thing alone is old
        (item("Der Kamin ersetzte die Heizung, weil ___ lauter brummte.", *OVEN), ""),
        (item("Der Kamin ersetzte die Heizung, denn ___ war billiger.", *OVEN), "war billiger (es names neither antecedent)"),
        (item("Der Kamin ersetzte die Heizung, weil ___ besser funktionierte.", *OVEN), "funktionierte (es names neither antecedent)"),
        (item("Die Heizung war kalt, als der Kamin brannte, bis ___ ausging.", *OVEN[::-1]), ""),  # another clause
        (item("Das Haus stand im Park, denn ___ war ruhig.", "Das Haus:neut", "Park:masc"), ""),  # es is right
        (item("Das Haus stand im Park, denn ___ war ruhig.", "Das Haus:neut", "Park:masc", 1), "war ruhig (one antecedent is neuter)"),
    ],
)  # fmt: skip
def test_a_situational_es_is_seen_in_the_clause_of_the_gap(row: dict[str, Any], expected: str) -> None:
    assert evidence(row, "situation") == expected


def test_a_noun_of_doubtful_gender_is_seen_also_in_compounds() -> None:
    assert evidence(item("Der Kamin fiel auf die Uhr.", *OVEN), "gender") == ""
    row = item("Der Nachtbus streifte die Heizung, weil ___ zu nah stand.", "Der Nachtbus:masc", "die Heizung:fem")
    assert evidence(row, "gender") == "Nachtbus"


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("Der Kamin wärmt die Heizung, weil ___ brennt.", ""),
        ("Der Kamin wärmt im alten Flur die Heizung, weil ___ brennt.", "im alten Flur"),
        ("Der Kamin wärmt die Heizung mit einer Pumpe und dem Motor, weil ___ brennt.", "einer Pumpe, dem Motor"),
        ("Der Kamin wärmt das Haus samt Heizung, weil ___ brennt.", ""),  # neuter only
    ],
)
def test_other_noun_phrases_of_a_fitting_gender_are_seen(text: str, others: str) -> None:
    assert evidence(item(text, *OVEN), "complexity") == others


def test_what_only_people_see_is_open() -> None:
    states = {
        mark.cause: mark.state for mark in checklist(item("Der Kamin wärmt die Heizung, weil ___ brennt.", *OVEN))
    }
    assert list(states) == list(causes("de").what)
    assert {cause for cause, state in states.items() if state == "open"} == {"perspective", "unclear"}


def test_the_page_escapes_and_needs_nothing_else() -> None:
    html = page("<b>", [item("<script>Der Kamin</script> ___ die Heizung.", *OVEN)])
    assert "<script>" not in html
    assert "http" not in html.replace("http-equiv", "")


def test_the_command_lists_each_cause_of_each_item(tmp_path: Path) -> None:
    outputs = [f"--{name}={tmp_path / name}.jsonl" for name in ("out", "skipped", "cloze")]
    schemas = ROOT / "raw" / "de" / "schemas.yaml"
    assert winoforge("ingest", schemas, "--format=schema-yaml", "--lang=de", *outputs).returncode == 0
    path = tmp_path / "cloze.jsonl"
    run = winoforge("annotate", "checklist", path, "--out", tmp_path / "audit")
    assert (run.returncode, run.stderr) == (0, "")
    ids = [json.loads(line)["id"] for line in path.read_text(encoding="utf-8").splitlines()]
    table = tmp_path / "audit" / "checklist.tsv"
    rows = [row for _, row in read_table(table, COLUMNS)]
    assert Counter(row["item"] for row in rows) == dict.fromkeys(ids, 5)
    assert all(row["verdict"] == row["remark"] == "" for row in rows)
    html = (tmp_path / "audit" / "index.html").read_text(encoding="utf-8")
    assert all(f'id="{name}"' in html for name in ids)


def test_items_that_fail_the_suite_are_reported_and_nothing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "cloze.jsonl"
    path.write_text(json.dumps(item("Kein Loch.", *OVEN) | {"schema": "x"}) + "\n", encoding="utf-8")
    run = winoforge("annotate", "checklist", path, "--out", tmp_path / "audit")
    assert run.returncode == 1
    assert "[cloze/one-gap]" in run.stderr
    assert not (tmp_path / "audit").exists()
