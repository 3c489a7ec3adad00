"""The English templates of raw/en: complete, sound, varied and of the published occupations."""

import re
from collections import Counter
from pathlib import Path
from statistics import fmean

import pytest

from pipeline.core.checksums import digest_of
from pipeline.core.files import read_text
from pipeline.core.tables import read_table
from pipeline.language.pronouns import pronoun_table
from pipeline.winopron.instances import VERSIONS, Instance, Template, instances, read_templates
from pipeline.winopron.template_checks import check_templates
from tests.conftest import ROOT

TABLE = pronoun_table("en")


@pytest.fixture(scope="module")
def templates() -> list[Template]:
    return read_templates(ROOT / "raw" / "en" / "templates.yaml", TABLE)


def test_every_check_passes(templates: list[Template]) -> None:
    assert check_templates(templates, TABLE) == []


#: The pairs of WinoPron's appendix A: those of Winogender, except that the paper pairs the examiner with an intern, not a victim.
APPENDIX_A = """
    accountant taxpayer, administrator undergraduate, advisor advisee, appraiser buyer, architect student, auditor
    taxpayer, baker customer, bartender customer, broker client, carpenter onlooker, cashier customer, chef guest,
    chemist visitor, clerk customer, counselor patient, dietitian client, dispatcher bystander, doctor patient,
    educator student, electrician homeowner, engineer client, examiner intern, firefighter child, hairdresser
    client, hygienist patient, inspector homeowner, instructor student, investigator witness, janitor child, lawyer
    witness, librarian child, machinist child, manager customer, mechanic customer, nurse patient, nutritionist
    patient, officer protester, painter customer, paralegal client, paramedic passenger, pathologist victim,
    pharmacist patient, physician patient, planner resident, plumber homeowner, practitioner patient, programmer
    student, psychologist patient, receptionist visitor, salesperson customer, scientist undergraduate, secretary
    visitor, specialist patient, supervisor employee, surgeon child, teacher student, technician customer, therapist
    teenager, veterinarian owner, worker pedestrian
"""


def test_the_pairs_are_those_of_the_paper(templates: list[Template], shared_data: Path) -> None:
    pairs = dict(pair.split() for pair in APPENDIX_A.replace("\n", " ").split(","))
    assert len(pairs) == 60
    assert {(template.occupation, template.participant) for template in templates} == set(pairs.items())
    columns = ("occupation(0)", "other-participant(1)")
    rows = [row for _, row in read_table(shared_data / "winogender" / "templates.tsv", columns)]
    assert {row[columns[0]]: row[columns[1]] for row in rows} == pairs | {"examiner": "victim"}


# --- variety, in pairs: the members of a pair share everything before the pronoun ------------------------------------------

#: What may join the clause of the pronoun to the main clause; the last one before the pronoun counts, or a mark.
CONNECTIVES = (
    "even though", "although", "though", "because of", "because", "as soon as", "as long as", "as it turned out", "as", "so that", "so",
    "in spite of", "the moment", "after", "before", "when", "while", "until", "since", "once", "if", "but", "yet", "and", "where", "which",
    "that", "over", "without", "during", "through", "for", "thanks to", "despite", "making",
)  # fmt: skip
_CONNECTIVE = re.compile(r"\b(?:" + "|".join(CONNECTIVES) + r")\b|[;:]")
_SUBJECT = r"^(?:[A-Z][^,]+, t|T)he \$[A-Z]+(?:'s \w+| of the \w+|,[^,]+,)?"
#: Largest share of the pairs that have one connective, and of those that begin with one verb.
CONNECTIVE_SHARE, VERB_SHARE = 0.12, 0.08


def pairs_of(templates: list[Template]) -> list[str]:
    """Return what the members of each pair share: the text before the pronoun."""
    return list(dict.fromkeys(template.double.split(f"${template.placeholder}")[0] for template in templates))


def connective(before: str) -> str:
    """Return the last connective after both entities.

    >>> connective("The $PARTICIPANT and the $OCCUPATION, after a walk, rested because ")
    'because'
    """
    return _CONNECTIVE.findall(before[max(before.index("$OCCUPATION"), before.index("$PARTICIPANT")) :])[-1]


def test_no_connective_is_in_more_than_an_eighth_of_the_pairs(templates: list[Template]) -> None:
    pairs = pairs_of(templates)
    assert len(pairs) == 180
    counts = Counter(map(connective, pairs))
    assert {word: count for word, count in counts.items() if count > CONNECTIVE_SHARE * len(pairs)} == {}


def test_no_main_verb_is_in_more_than_a_twelfth_of_the_pairs(templates: list[Template]) -> None:
    pairs = pairs_of(templates)
    verbs = Counter(re.findall(rf"{_SUBJECT} (?:(?:had|could|would|did|not|barely) )*(\w+)", pair)[0] for pair in pairs)
    assert {verb: count for verb, count in verbs.items() if count > VERB_SHARE * len(pairs)} == {}


def test_no_clause_begins_stiffly_and_few_have_had(templates: list[Template]) -> None:
    stiff = re.compile(r", (?:although|since|as) $")
    assert [pair for pair in pairs_of(templates) if stiff.search(pair)] == []
    assert sum(bool(re.search(r"\bhad\b", template.double)) for template in templates) <= 0.2 * len(templates)


def test_nobody_else_tells_or_orders(templates: list[Template]) -> None:
    order = re.compile(r"\b(?:told|asked|ordered|forced|instructed|required|allowed|invited|sent) $")
    assert [pair for pair in pairs_of(templates) if order.search(pair)] == []


def test_no_clause_has_a_word_of_its_roles(templates: list[Template]) -> None:
    """Not to bake of a baker: the first four letters of a role begin no word of the clause of the pronoun."""
    for template in templates:
        clause = template.double.split(f"${template.placeholder}")[1].lower()
        for role in (template.occupation, template.participant):
            assert not re.search(rf"\b{role[:4]}", clause), template.double


@pytest.fixture(scope="module")
def sentences(templates: list[Template]) -> dict[str, list[Instance]]:
    return {
        version: instances(templates, TABLE, version, lang="en", source=Path("templates.yaml")) for version in VERSIONS
    }


def test_fourteen_hundred_and_forty_sentences_of_each_kind(sentences: dict[str, list[Instance]]) -> None:
    for group in sentences.values():
        texts = [sentence.item.text for sentence in group]
        assert len(texts) == 1440
        assert [text for text in texts if "$" in text or not re.fullmatch(r"[A-Z][ -~]+\.", text)] == []
    doubles = Counter(sentence.item.text for sentence in sentences["double"])
    assert [text for text, count in doubles.items() if count > 1] == []
    assert {len(text.split()) for text in doubles} <= set(range(7, 27))


def test_neither_entity_comes_first_always(templates: list[Template]) -> None:
    first = Counter(
        template.double.index("$OCCUPATION") < template.double.index("$PARTICIPANT") for template in templates
    )
    assert min(first.values()) >= 90


# --- the cold readings -----------------------------------------------------------------------------------------------------

READINGS = ROOT / "raw" / "en" / "reading.tsv"
COLUMNS = ("id", "text", "reader", "answer", "hesitation", "naturalness", "note")
#: At most so many readings gave a sentence as it stands less than 4 of 5; README.md says which and why.
MARKS_BELOW_4 = 12


@pytest.fixture(scope="module")
def readings() -> list[dict[str, str]]:
    return [row for _, row in read_table(READINGS, COLUMNS)]


def test_each_reading_is_of_a_sentence_of_today_and_right(
    readings: list[dict[str, str]], sentences: dict[str, list[Instance]]
) -> None:
    items = {sentence.item.id: sentence.item for sentence in sentences["double"]}
    for row in readings:
        item = items[row["id"]]
        assert row["text"] == digest_of(item.text), (
            f"{row['id']} has changed since it was read: read it again or drop the row"
        )
        assert row["answer"] == item.candidates[item.answer], row
        assert row["hesitation"] in {"0", "1"}, row
    assert len([row["id"] for row in readings if row["naturalness"] < "4"]) <= MARKS_BELOW_4


def test_no_reader_has_read_both_members_of_a_pair(
    readings: list[dict[str, str]], sentences: dict[str, list[Instance]]
) -> None:
    pairs = {s.item.id: s.pair for s in sentences["double"]}
    read = Counter((pairs[row["id"]], row["reader"]) for row in readings)
    assert [key for key, count in read.items() if count > 1] == []


def test_the_readme_gives_the_figures_of_the_readings(
    readings: list[dict[str, str]], sentences: dict[str, list[Instance]]
) -> None:
    groups: dict[str, list[int]] = {}
    for row in readings:
        for name in (row["reader"], "all"):
            groups.setdefault(name, []).append(int(row["naturalness"]))
    readme = read_text(READINGS.with_name("README.md"))
    rows = re.findall(r"^\| (reader-\d+|all) \| (\d+) \| (\d\.\d\d) \|$", readme, re.MULTILINE)
    assert rows == [
        (name, str(len(marks)), f"{fmean(marks):.2f}")
        for name, marks in sorted(groups.items(), key=lambda group: (group[0] == "all", len(group[0]), group[0]))
    ]
    templates = {s.item.id: (*s.pair, s.item.answer) for s in sentences["double"]}
    assert len({templates[row["id"]] for row in readings}) == 360


# --- the clauses alone -----------------------------------------------------------------------------------------------------

CLAUSES = ROOT / "raw" / "en" / "clauses.tsv"
CLAUSE_COLUMNS = ("occupation", "participant", "case", "member", "clause", "reader", "answer", "certainty")
CASES = {"NOM_PRONOUN": "nominative", "ACC_PRONOUN": "accusative", "POSS_PRONOUN": "possessive"}


def test_few_clauses_name_their_role(templates: list[Template], capsys: pytest.CaptureFixture[str]) -> None:
    """The clauses that stood before the pairs of the paper came back were read alone; the README has the counts."""
    rows = [row for _, row in read_table(CLAUSES, CLAUSE_COLUMNS)]
    clauses = {
        (t.occupation, t.participant, CASES[t.placeholder], "ab"[t.answer]): t.double.split(f"${t.placeholder}")[1]
        for t in templates
    }
    read = {tuple(row[name] for name in CLAUSE_COLUMNS[:4]): row["clause"] for row in rows}
    assert len(read) == len(rows)
    assert {key: digest_of(clauses[key].strip()) for key in read} == read
    readers = Counter((row["occupation"], row["participant"], row["case"], row["reader"]) for row in rows)
    assert set(readers.values()) == {1}
    right = [row for row in rows if row["answer"] == row["occupation" if row["member"] == "a" else "participant"]]
    certain = sum(row["certainty"] == "3" for row in right)
    line = f"the clauses of {len(rows)} alone | 8 | | | | {len(right)} of {len(rows)} | {certain} of {len(rows)} |"
    with capsys.disabled():
        print(f"\nby the clause alone: right | right and certain: {line}")
    assert f"| eighth, kept | {line}" in read_text(READINGS.with_name("README.md"))
    assert certain <= 0.1 * len(rows)
