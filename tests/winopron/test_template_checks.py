"""The checks of templates: each finds its own fault and no other, the published files fare as the paper says."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.core.validation.profiles import STRICT
from pipeline.language.pronouns import pronoun_table
from pipeline.winopron.instances import Template, parse_yaml_templates, read_templates
from pipeline.winopron.template_checks import CHECKS, check_templates
from tests.conftest import Refused
from tests.support.commands import winoforge

HERE = Path("own.yaml")
TABLE = pronoun_table("en")
SOUND = """- occupation: baker
  participant: guest
  nominative:
    double: "The $OCCUPATION bowed to the $PARTICIPANT before $NOM_PRONOUN {lit the oven|paid for the cake}."
    occupation: "The $OCCUPATION yawned before $NOM_PRONOUN lit the oven."
    participant: "The $PARTICIPANT smiled before $NOM_PRONOUN paid for the cake."
  possessive:
    double: "The $PARTICIPANT pushed past the $OCCUPATION and spoiled $POSS_PRONOUN {fresh dough|Sunday clothes}."
    occupation: "The $OCCUPATION wept over $POSS_PRONOUN fresh dough."
    participant: "The $PARTICIPANT wept over $POSS_PRONOUN Sunday clothes."
"""


def sound() -> list[Template]:
    return parse_yaml_templates(SOUND, HERE, TABLE)


def test_our_own_format_holds_two_templates_a_case() -> None:
    first, second = sound()[:2]
    assert first == Template(
        "baker", "guest", 0, "NOM_PRONOUN",
        "The $OCCUPATION bowed to the $PARTICIPANT before $NOM_PRONOUN lit the oven.",
        "The $OCCUPATION yawned before $NOM_PRONOUN lit the oven.", 4,
    )  # fmt: skip
    assert (second.answer, second.antecedent) == (1, "guest")
    assert second.single == "The $PARTICIPANT smiled before $NOM_PRONOUN paid for the cake."
    assert [template.line for template in sound()] == [4, 4, 8, 8]


def test_sound_templates_pass_every_check() -> None:
    assert check_templates(sound(), TABLE) == []


def change(index: int, **fields: object) -> Callable[[list[Template]], list[Template]]:
    def damage(templates: list[Template]) -> list[Template]:
        return [*templates[:index], replace(templates[index], **fields), *templates[index + 1 :]]  # type: ignore[arg-type]

    return damage


DAMAGE: list[tuple[str, Callable[[list[Template]], list[Template]]]] = [
    ("complete", lambda templates: templates[:-1]),
    ("complete", lambda templates: [*templates, templates[0], templates[1]]),
    ("answers-differ", change(1, answer=0, single="The $OCCUPATION smiled before $NOM_PRONOUN paid for the cake.")),
    ("identical-prefix", change(1, double="The $OCCUPATION nodded to the $PARTICIPANT before $NOM_PRONOUN paid.")),
    ("different-endings", change(1, double="The $OCCUPATION bowed to the $PARTICIPANT before $NOM_PRONOUN lit the oven.")),
    ("single-pronoun", change(0, single="The $OCCUPATION yawned at her. Then $NOM_PRONOUN lit the oven.")),
    ("single-pronoun", change(2, single="The $OCCUPATION wept over $POSS_PRONOUN dough and themself.")),
    ("parallel-single", change(0, single="The $PARTICIPANT yawned before $NOM_PRONOUN lit the oven.")),
    ("parallel-single", change(1, single="A $PARTICIPANT smiled before $NOM_PRONOUN paid.")),
    ("singular-they", change(0, single="The $OCCUPATION yawned because $NOM_PRONOUN was tired.")),
    ("singular-they", change(0, single="The $OCCUPATION says that $NOM_PRONOUN lights the oven.")),
    ("typography", change(0, single="The $OCCUPATION yawned  before $NOM_PRONOUN lit the oven.")),
    ("typography", change(0, single="The $OCCUPATION yawned before $NOM_PRONOUN lit the the oven.")),
    ("typography", change(0, single="The $OCCUPATION yawned before $NOM_PRONOUN lit the oven")),
    ("typography", change(0, single="The $OCCUPATION yawned before $NOM_PRONOUN lit the oven .")),
    ("typography", change(0, single="The $OCCUPATION yawned before $NOM_PRONOUN lit the o\u200bven.")),
    ("typography", change(0, single="The $OCCUPATION yawned before $NOM_PRONOUN lit an big oven.")),
    ("typography", change(0, single="The $OCCUPATION yawned before $NOM_PRONOUN lit the oven.!")),
    ("single-pronoun", change(0, single="The $OCCUPATION yawned before $NOM_PRONOUN lit the oven themselves.")),
    ("parallel-single", change(0, single="The $OCCUPATION yawned before $NOM_PRONOUN lit the oven of the $OCCUPATION.")),
    ("plain-names", lambda templates: [replace(template, occupation="pastry guest") for template in templates]),
    ("plain-names", lambda templates: [replace(template, occupation="b\u0430ker") for template in templates]),
    ("pronoun-in-place", change(2, single="The $OCCUPATION wept because the dough was $POSS_PRONOUN to keep.")),
    ("unique-texts", lambda templates: [*templates, *(replace(template, participant="aunt") for template in templates)]),
]  # fmt: skip


@pytest.mark.parametrize(("check", "damage"), DAMAGE)
def test_a_damage_is_found_by_the_check_that_names_it(
    check: str, damage: Callable[[list[Template]], list[Template]]
) -> None:
    failed = {finding.check for finding in check_templates(damage(sound()), TABLE)}
    assert failed - ({"different-endings"} if check == "complete" else set()) == {check}


def test_entities_must_stand_once_before_the_pronoun() -> None:
    templates = sound()
    for double in (
        "The $OCCUPATION bowed before $NOM_PRONOUN lit the $PARTICIPANT.",
        "The $OCCUPATION bowed to a $PARTICIPANT before $NOM_PRONOUN lit the oven.",
        "The $OCCUPATION bowed to the $PARTICIPANT and the $PARTICIPANT before $NOM_PRONOUN lit the oven.",
    ):
        findings = check_templates([replace(templates[0], double=double), *templates[1:]], TABLE)
        assert "entities-named" in {finding.check for finding in findings}


@pytest.mark.parametrize(
    ("occupation", "participant", "words"),
    [
        ("the baker", "guest", "article in the name"),
        ("baker", "An aunt", "article in the name"),
        ("baker", "Baker", "occupation and participant are the same"),
    ],
)
def test_entities_are_two_words_without_an_article(occupation: str, participant: str, words: str) -> None:
    templates = [replace(template, occupation=occupation, participant=participant) for template in sound()]
    findings = check_templates(templates, TABLE)
    assert {finding.check for finding in findings} <= {"entities-named", "plain-names"}
    assert any(words in finding.reason for finding in findings if finding.check == "entities-named")


@pytest.mark.parametrize(
    "verb", ["had gone", "could go", "would pass", "did not know", "always won", "missed it", "focused"]
)
def test_verbs_that_work_with_they(verb: str) -> None:
    templates = change(0, single=f"The $OCCUPATION yawned because $NOM_PRONOUN {verb}.")(sound())
    assert check_templates(templates, TABLE) == []


# --- as published -----------------------------------------------------------------------------------------------------


def test_winogender_has_what_the_paper_reports(shared_data: Path) -> None:
    templates = read_templates(shared_data / "winogender" / "templates.tsv", TABLE)
    # WinoPron, Table 1: 89 nominative, 4 accusative, 27 possessive
    cases = Counter(template.placeholder for template in templates)
    assert cases == {"NOM_PRONOUN": 89, "ACC_PRONOUN": 4, "POSS_PRONOUN": 27}
    counts = Counter(finding.check for finding in check_templates(templates, TABLE, STRICT))
    # Section 3 says that 17 % must be modified for singular they; the file has 17 such templates of 120, which is 14 %.
    assert counts["singular-they"] == 17
    # "non-parallel paired templates": ten whose pronoun is of one case and whose texts differ before it
    assert counts["identical-prefix"] == 10


def test_winopron_passes_every_check_but_for_a_doubled_full_stop(shared_data: Path) -> None:
    templates = read_templates(shared_data / "winopron" / "data.zip", TABLE)
    assert len(templates) == 360
    (finding,) = check_templates(templates, TABLE)
    assert (finding.check, finding.line) == ("typography", 203)
    assert "a mark too many" in finding.reason


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_prints_a_line_a_finding_and_exits_1(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(SOUND, encoding="utf-8")
    run = winoforge("winopron", "check", path)
    assert run.returncode == 0, run.stderr
    assert "4 templates (nominative 2, possessive 2); 0 findings: none" in run.stdout
    path.write_text(SOUND.replace("lit the oven.", "was asleep."), encoding="utf-8")
    run = winoforge("winopron", "check", path)
    assert run.returncode == 1
    assert f"{path}:4: [singular-they] verb agrees with the pronoun; found 'was'" in run.stderr
    assert "1 finding: singular-they 1" in run.stdout


@pytest.mark.parametrize(
    ("old", "new", "line", "field"),
    [
        ("nominative:", "nominativ:", 3, "nominativ"),
        ("{lit the oven|paid for the cake}", "{lit the oven}", 4, "double"),
        ("before $NOM_PRONOUN {", "before {", 4, "template"),
        ("  occupation: baker\n", "", 1, "occupation"),
        ("occupation: baker", "occupation:", 1, "occupation"),  # it was read as the word None
        ("participant: guest", "participant: 7", 2, "participant"),
        ('"The $PARTICIPANT smiled before $NOM_PRONOUN paid for the cake."', "# later", 6, "nominative.participant"),
        ("|paid", "｜paid", 4, "double"),
        (SOUND, "# nothing\n", 1, "yaml"),
    ],
)
def test_a_broken_file_of_ours_is_refused_at_its_line(
    refused: Refused, old: str, new: str, line: int, field: str
) -> None:
    text = SOUND.replace("- occupation: baker\n  participant", "- participant") if not new else SOUND.replace(old, new)
    assert text != SOUND
    refused(lambda: parse_yaml_templates(text, HERE, TABLE), f"own.yaml:{line}", field)


def test_every_check_is_tested() -> None:
    assert {check for check, _ in DAMAGE} | {"entities-named"} == set(CHECKS)
