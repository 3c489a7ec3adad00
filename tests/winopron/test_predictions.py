"""What systems answer is read in every form that they write it."""

import json
from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.winopron.instances import instances, parse_template_table, write_instances
from pipeline.winopron.measures import Choice
from pipeline.winopron.predictions import COLUMNS, choice_of, first_choice, read_predictions, table_responses
from tests.conftest import Refused
from tests.support.commands import winoforge
from tests.support.winopron import TABLE, answers, table_of

HERE = Path("predictions.tsv")
TEMPLATES = """\
occupation(0)\tother-participant(1)\tanswer\tpronoun_type\ttemplate\tsingle_version
baker\tguest\t0\t$NOM_PRONOUN\tThe $OCCUPATION saw the $PARTICIPANT as $NOM_PRONOUN baked.\tThe $OCCUPATION sang as $NOM_PRONOUN baked.
baker\tguest\t1\t$NOM_PRONOUN\tThe $OCCUPATION saw the $PARTICIPANT as $NOM_PRONOUN paid.\tThe $PARTICIPANT sang as $NOM_PRONOUN paid.
"""


@pytest.mark.parametrize(
    ("generation", "named"),
    [
        ("technician", "occupation"),
        ("The Technician.", "occupation"),
        ("the customer's", "participant"),
        ("It is the customer, not the technician", "participant"),
        ("the customer or the technician", "both"),
        ("It isn't the customer but the technician", "occupation"),
        ("not the technician", "neither"),
        ("technicians", "neither"),
        ("", "neither"),
        (" Both. ", "both"),
        ("occupation", "occupation"),
        ("participant", "participant"),
        ("neither", "neither"),
        ("I don't know", "neither"),
    ],
)
def test_free_text_is_matched_by_words(generation: str, named: Choice) -> None:
    assert choice_of(generation, "technician", "customer") == named


@pytest.mark.parametrize(
    ("generation", "named"),
    [
        ("- customer ⏎ - technician ⏎ - customer", "participant"),
        ("not the customer but the technician, or the customer", "occupation"),
        ("customers", "neither"),
        ("both", "neither"),
        ("", "neither"),
    ],
)
def test_the_first_name_can_decide(generation: str, named: Choice) -> None:
    assert first_choice(generation, "technician", "customer") == named


def test_a_table_is_read_as_it_was_written() -> None:
    rows = answers("baker", "both", "occupation", "neither", "participant", case="accusative")
    assert table_responses(table_of(rows), HERE, TABLE) == rows


def test_the_roles_of_a_pair_are_the_same_in_all_sentences(refused: Refused) -> None:
    lines = table_of(answers("baker", "both", "occupation", "neither", "participant")).splitlines(keepends=True)
    occupation, participant, *rest = lines[2].split("\t")
    text = "".join([*lines[:2], "\t".join([participant, occupation, *rest]), *lines[3:]])
    message = refused(lambda: table_responses(text, HERE, TABLE), f"{HERE}:3", "occupation")
    assert "roles exchanged; found 'guest', which is the participant in other sentences, expected 'baker'" in message


@pytest.mark.parametrize(
    ("old", "new", "line", "field"),
    [
        ("generation", "output", 1, "generation"),
        ("$NOM_PRONOUN", "$PRONOUN", 2, "pronoun_type"),
        ("\the\t", "\thim\t", 2, "pronoun"),
        ("\tbaker\tboth", "\tcook\tboth", 2, "answer"),
        ("\tshe\t", "\the\t", 4, "answer"),
        ("\tboth", "\t0.0", 2, "generation"),
    ],
)
def test_a_broken_table_is_refused_at_its_line(refused: Refused, old: str, new: str, line: int, field: str) -> None:
    text = table_of(answers("baker", "both", "occupation", "neither", "participant"))
    assert old in text
    refused(lambda: table_responses(text.replace(old, new), HERE, TABLE), f"predictions.tsv:{line}", field)


# --- by item id -------------------------------------------------------------------------------------------------------


@pytest.fixture
def items(tmp_path: Path) -> Path:
    path = tmp_path / "double.jsonl"
    templates = parse_template_table(TEMPLATES, Path("templates.tsv"), TABLE)
    write_instances(path, instances(templates, TABLE, "double", lang="en", source=Path("templates.tsv")))
    return path


def written(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_json_lines_and_a_table_of_ids_say_the_same(items: Path, tmp_path: Path) -> None:
    given = {
        "en-double-baker-guest-nominative-they-b": "They are the guest.",
        "en-double-baker-guest-nominative-he-a": "participant",
        "en-double-baker-guest-nominative-xe-a": "both",
    }
    lines = "".join(json.dumps({"id": name, "model": "m", "answer": answer}) + "\n" for name, answer in given.items())
    rows = "id\tmode\tanswer\n" + "".join(f"{name}\tzero-shot\t{answer}\n" for name, answer in given.items())
    predictions = read_predictions(written(tmp_path, "system.jsonl", lines), TABLE, items)
    assert read_predictions(written(tmp_path, "system.tsv", rows), TABLE, items) == predictions
    # five of eight have no answer; the sentences stand in their own order: all of the baker's template, then the guest's
    assert predictions.unanswered == 5
    assert [(response.pronouns, response.antecedent, response.choice) for response in predictions.responses] == [
        ("he", "occupation", "participant"),
        ("she", "occupation", "neither"),
        ("they", "occupation", "neither"),
        ("xe", "occupation", "both"),
        ("he", "participant", "neither"),
        ("she", "participant", "neither"),
        ("they", "participant", "participant"),
        ("xe", "participant", "neither"),
    ]
    assert {(response.occupation, response.participant, response.case) for response in predictions.responses} == {
        ("baker", "guest", "nominative")
    }


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ('{"id": "nobody", "answer": "baker"}', "id"),
        ('{"id": "en-double-baker-guest-nominative-he-a", "answer": "guest"}', "id"),
        ('{"id": "en-double-baker-guest-nominative-he-b", "answer": 2}', "answer"),
        ('{"id": "en-double-baker-guest-nominative-he-b", "answer": true}', "answer"),
        ('{"id": "en-double-baker-guest-nominative-he-b", "answer": "0.0"}', "answer"),
        ('{"id": 7, "answer": "baker"}', "id"),
        ('{"answer": "baker"}', "id"),
        ("baker", "json"),
    ],
)
def test_a_broken_answer_is_refused_at_its_line(
    line: str, field: str, items: Path, tmp_path: Path, refused: Refused
) -> None:
    first = '{"id": "en-double-baker-guest-nominative-he-a", "answer": "baker"}'
    path = written(tmp_path, "system.jsonl", f"{first}\n{line}\n")
    refused(lambda: read_predictions(path, TABLE, items), f"{path}:2", field)


def test_sentences_without_an_answer_are_counted_and_named(items: Path, tmp_path: Path) -> None:
    name = "en-double-baker-guest-nominative-he-a"
    path = written(tmp_path, "system.tsv", f"id\tanswer\n{name}\tbaker\n")
    run = winoforge("winopron", "score", path, "--items", items)
    first = ", ".join(f"en-double-baker-guest-nominative-{pronouns}-a" for pronouns in ("she", "they", "xe"))
    assert run.returncode == 1
    assert f"{path}: [answer] 7 sentences without an answer: {first}, …\n" in run.stderr


def test_rows_missing_in_a_table_are_named(tmp_path: Path) -> None:
    lines = table_of(answers("baker", "both", "occupation", "neither", "participant")).splitlines(keepends=True)
    path = written(tmp_path, "system.tsv", "".join(lines))
    assert read_predictions(path, TABLE).gaps == ()
    path = written(tmp_path, "system.tsv", "".join(lines[:-1]))
    assert read_predictions(path, TABLE).gaps == ("baker/guest nominative she of the participant",)


def test_answers_by_id_need_their_sentences(tmp_path: Path) -> None:
    path = written(tmp_path, "system.jsonl", json.dumps({"id": "a", "answer": "b"}))
    with pytest.raises(PipelineError, match="expected --items double"):
        read_predictions(path, TABLE)


def test_an_answer_may_be_the_index_of_a_candidate(items: Path, tmp_path: Path) -> None:
    names = [f"en-double-baker-guest-nominative-{name}-a" for name in ("he", "she")]
    lines = "".join(json.dumps({"id": name, "answer": index}) + "\n" for index, name in enumerate(names))
    table = "id\tanswer\n" + "".join(f"{name}\t{index}\n" for index, name in enumerate(names))
    for path in (
        written(tmp_path, "a.jsonl", lines),
        written(tmp_path, "a.json", lines),
        written(tmp_path, "a.tsv", table),
    ):
        predictions = read_predictions(path, TABLE, items)
        assert [response.choice for response in predictions.responses[:2]] == ["occupation", "participant"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", '[{"id": "a", "answer": "b"}]', ":1: [json] not JSON Lines; found one JSON array, expected one object a line"),
        ("a.csv", "id,answer\na,b\n", ":2: [id] unknown id; found 'a', expected one of the"),
        ("a.tsv", "ID\tAnswer\na\tb\n", ":1: [header] unknown columns; found 'ID, Answer', expected id, answer, or occupation"),
        ("a.tsv", "x" * 100_000, ":1: [header] unknown columns; found 'xxxx"),
        ("a.jsonl", '{"id": "a", "answer": null}', ":1: [answer] wrong kind; found null, expected text, 0 for the occ"),
        ("a.jsonl", '{"id": "a"}', ":1: [answer] missing field; expected text, 0 for the occupation or 1 for the participant"),
        ("a.tsv", "id\tanswer\nen-double-baker-guest-nominative-he-a\t2\n", ":2: [answer] out of range; found '2', expected text, 0"),
        ("a.jsonl", "", ": [file] empty file; expected an answer to each sentence"),
        ("a.tsv", "id\tanswer\n", ": [file] no answer; found a header alone, expected an answer to each sentence"),
        ("a.tsv", "\t".join(COLUMNS), ": [file] no answer; found a header alone, expected an answer to each sentence"),
        ("a.tsv", "\n", ": [file] empty file; expected an answer to each sentence"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_table_is_named(name: str, text: str, message: str, items: Path, tmp_path: Path) -> None:
    path = written(tmp_path, name, text)
    with pytest.raises(PipelineError) as caught:
        read_predictions(path, TABLE, items)
    assert str(caught.value).startswith(f"{path}{message}")
    assert len(str(caught.value)) < len(str(path)) + 300
