"""Designs, from their YAML to figures, by way of a real server and several annotators; `test_loops` has those that follow others."""

import json
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import pytest
from typer.testing import CliRunner

from pipeline.core.files import write_jsonl
from pipeline.core.model import Finding, Rejected
from pipeline.core.records import write_items, write_rejected
from pipeline.language.pronouns import pronoun_table
from pipeline.studies.judgements import Judgement, read_judgements
from pipeline.studies.study import read_study
from pipeline.winograd.readers import ingest
from pipeline.winograd.zero_forms import to_zero
from pipeline.winopron.instances import VERSIONS, instances, write_instances
from pipeline.winopron.templates import read_templates
from tests.conftest import ROOT
from tests.support.annotators import Annotator, results, simulated_answers
from tests.support.commands import app
from tests.support.passages import write_passages
from tools.labelstudio import Account, Server

ANNOTATION = ROOT / "annotation"
PEOPLE = 3
#: What each design is cut down to here; the whole ones differ in numbers alone.
SIZES = {
    "exclusion-audit": "{scheme: all}",
    "naturalness": "{scheme: subsets, count: 3, size: 6, run: 3}",
    "upper-bound": "{scheme: balanced, count: 2, size: 6, run: 3}",
    "questionnaire": "{scheme: balanced, count: 2, size: 20, run: 3}",
    "winopron-reference": "{scheme: balanced, count: 2, size: 4}",
    "winopron-pronoun": "{scheme: balanced, count: 2, size: 4}",
    "zero-labelling": "{scheme: sections, count: 2, common: 2}",
}
#: The number of practice sentences that a design is left with, where each is a task of its own: every rater sends every task.
PRACTICE = 2


def winoforge(*arguments: object, status: int = 0) -> str:
    result = CliRunner().invoke(app, ["annotate", *map(str, arguments)])
    assert result.exit_code == status, (result.output, result.stderr, result.exception)
    return result.output


@pytest.fixture(scope="module")
def people(server: Server) -> list[Account]:
    return [server.add_account(f"rater{number}@localhost.invalid") for number in range(PEOPLE)]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the designs, cut down, and the records that they name."""
    folder = tmp_path_factory.mktemp("room")
    (folder / "annotation" / "designs").mkdir(parents=True)
    for name in ("configs", "guidelines", "attention"):
        (folder / "annotation" / name).symlink_to(ANNOTATION / name)
    (folder / "annotation" / "practice").mkdir()
    for path in (ANNOTATION / "practice").glob("*.yaml"):
        (folder / "annotation" / "practice" / path.name).symlink_to(path)
        entries = path.read_text(encoding="utf-8").split("\n- ")[: PRACTICE + 1]
        few = folder / "annotation" / "practice" / f"few-{path.name}"
        few.write_text("\n- ".join(entries) + "\n", encoding="utf-8")
    for path in (ANNOTATION / "designs").glob("*.yaml"):
        if path.stem in SIZES:
            text = re.sub(r"^lists: .*$", f"lists: {SIZES[path.stem]}", path.read_text(encoding="utf-8"), flags=re.M)
            if "\nscreen: " not in text:
                text = text.replace("\npractice: ", "\npractice: few-")
            (folder / "annotation" / "designs" / path.name).write_text(text, encoding="utf-8")
    schemas = ROOT / "raw" / "zh" / "schemas.yaml"
    items = ingest(schemas.read_bytes(), schemas, "schema-yaml").items[:120]
    zh = folder / "build" / "zh"
    write_items(zh / "items.jsonl", items)
    write_items(zh / "kept.jsonl", items)
    for name in ("zero", "zero-before"):
        write_jsonl(zh / f"{name}.jsonl", map(to_zero, items))
    finding = Finding("zh/made-up", "other", items[0].target, "Nothing licenses a zero here.", {"disputed": False})
    write_rejected(zh / "rejected.jsonl", [Rejected(item, (finding,)) for item in items[:6]])
    (zh / "decisions.jsonl").write_text("", encoding="utf-8")
    templates = ROOT / "raw" / "en" / "templates.yaml"
    table = pronoun_table("en")
    for version in VERSIONS:
        filled = instances(read_templates(templates, table), table, version, lang="en", source=templates)
        write_instances(folder / "build" / "en" / f"{version}.jsonl", filled)
    write_passages(folder / "raw" / "zp", genres=2)
    return folder


@pytest.fixture
def at_home(room: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(room)
    monkeypatch.setenv("WINOFORGE_LABEL_STUDIO_TOKEN", server.token)
    monkeypatch.setenv("WINOFORGE_PSEUDONYM_KEY", "a lantern in the fog")
    yield room


def work(server: Server, people: list[Account], folder: Path, wrong: float) -> dict[tuple[str, str, str], Any]:
    """Let every rater do every list and skip its last task; return the answers by task, item and account."""
    study, tasks = read_study(folder)
    submitted: dict[tuple[str, str, str], Any] = {}
    for account in people:
        random = Random(f"{study.id}/{account.username}")
        with Annotator(server, account) as annotator:
            for name in study.lists:
                posted = annotator.tasks(f"{study.title} · {name}")
                todo = [task for task in tasks if task.list == name]
                last = todo[-1].key
                for task in todo:
                    skipped = task.key == last
                    answers = [{} for _ in task.items] if skipped else simulated_answers(study, task, wrong, random)
                    lead_time = round(random.uniform(1, 60), 3)
                    annotator.submit(posted[task.key], results(study, task, answers), lead_time)
                    for item, answer in zip(task.items, answers, strict=True):
                        submitted[task.key, item, account.username] = (answer, lead_time, skipped, task.phase)
    return submitted


def check_pulled(judgements: list[Judgement], submitted: dict[tuple[str, str, str], Any]) -> None:
    """Check that the pulled judgements are the submitted ones, under one pseudonym for each account."""
    assert len(judgements) == len(submitted)
    names: dict[str, set[str]] = {}
    for judgement in judgements:
        pulled = (dict(judgement.answers), judgement.lead_time, judgement.skipped, judgement.phase)
        here = {
            who
            for (task, item, who), what in submitted.items()
            if (task, item) == (judgement.task, judgement.item) and what == pulled
        }
        assert here, judgement
        names[judgement.rater] = names.get(judgement.rater, here) & here
    assert sorted(len(accounts) for accounts in names.values()) == [1] * PEOPLE
    assert len({next(iter(accounts)) for accounts in names.values()}) == PEOPLE


def check_figures(figures: dict[str, Any], folder: Path, submitted: dict[tuple[str, str, str], Any]) -> None:
    """Check the figures by sums over the submitted answers; each item is in one list and one task."""
    gold = {item: right for task in read_study(folder)[1] for item, right in zip(task.items, task.gold, strict=True)}
    rows: dict[str, dict[str, int]] = {}
    for (_, item, who), (answer, _, skipped, phase) in submitted.items():
        if phase == "main" and not skipped:
            rows.setdefault(item, {})[who] = answer["reference"]
    right = [answer == gold[item] for item, row in rows.items() for answer in row.values()]
    accuracy = figures["accuracy"]
    assert (accuracy["micro"]["right"], accuracy["micro"]["n"]) == (sum(right), len(right))
    assert 0.5 < accuracy["micro"]["value"] < 1  # a quarter was missed on purpose
    shares = [fmean(row[who] == gold[item] for item, row in rows.items()) for who in next(iter(rows.values()))]
    assert accuracy["subjects"]["value"] == pytest.approx(fmean(shares))
    agreeing = [fmean(left == right for left, right in combinations(row.values(), 2)) for row in rows.values()]
    assert figures["agreement"]["percent"]["value"] == pytest.approx(fmean(agreeing))
    votes = [sum(answer == gold[item] for answer in row.values()) > PEOPLE / 2 for item, row in rows.items()]
    assert accuracy["majority"]["right"] == sum(votes)


@pytest.mark.parametrize("design", list(SIZES))
def test_a_design_makes_the_round(design: str, server: Server, people: list[Account], at_home: Path) -> None:
    folder, export = Path("build/annotation") / design, Path("annotation/exports") / design
    winoforge("design", f"annotation/designs/{design}.yaml", "--out", folder)
    winoforge("push", folder, "--url", server.url)
    assert "nothing to do" in winoforge("push", folder, "--url", server.url)
    submitted = work(server, people, folder, wrong=0.25)
    winoforge("pull", folder, "--url", server.url, "--out", export)
    first = (export / "judgements.jsonl").read_bytes()
    check_pulled(read_judgements(export / "judgements.jsonl"), submitted)
    assert b"localhost.invalid" not in first
    winoforge("pull", folder, "--url", server.url, "--out", export)
    assert (export / "judgements.jsonl").read_bytes() == first
    # The export has the study with it, for when the build has none, or another.
    assert read_study(export) == read_study(folder)
    report = folder / "report"
    winoforge("agree", export, "--judgements", export / "judgements.jsonl", "--out", report, "--resamples", 50)
    figures = json.loads((report / "figures.json").read_text(encoding="utf-8"))
    if design == "upper-bound":
        check_figures(figures["controls"]["reference"], folder, submitted)
    assert figures["counts"]["raters"] == PEOPLE
    assert (report / "index.html").stat().st_size > 1000
