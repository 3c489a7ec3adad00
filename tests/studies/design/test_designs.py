"""The designs in annotation/: their configs ask what they say, their guidelines and practice sentences are there."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from pipeline.core.files import read_text, write_jsonl
from pipeline.core.notation import expand, unbracket
from pipeline.core.yamlfile import load_yaml
from pipeline.language.pronoun_classes import GAP
from pipeline.language.pronouns import pronoun_table
from pipeline.release.gate import SUITES
from pipeline.studies.design.build import make_study
from pipeline.studies.design.config import (
    check_config,
    guideline_html,
    read_guideline,
    read_template,
    render_template,
)
from pipeline.studies.design.fields import FIELDS, StudyRecord, field_value
from pipeline.studies.design.sources import read_practice
from pipeline.studies.model.design import Design, read_design
from pipeline.studies.model.study import write_study
from pipeline.winograd.readers.schema_yaml import schemas_of
from pipeline.winograd.zero_forms import ZERO, to_zero
from tests.conftest import ROOT, Refused
from tests.support.studies import kites

ANNOTATION = ROOT / "annotation"
DESIGNS = sorted((ANNOTATION / "designs").glob("*.yaml"))
PRACTICE = {name: ANNOTATION / "practice" / f"{name}.yaml" for name in ("zh", "en", "zh-naturalness")}
#: Designs whose guideline and screen are in English although their sentences are Chinese: their raters judge English explanations.
IN_ENGLISH = ("error-coding",)
#: The controls of designs whose names and codes must stay, because exports and adjudication use them. New designs need no entry;
#: nor do those without codes, whose names the figures of a release have (`test_roundtrip`, `test_loops`).
ASKED = {
    "error-coding": {
        "types": "surface-cue semantic-role commonsense topic-chain connective long-distance syntactic none",
        "comment": "",
    },
    "translation": {
        "verdict": "usable unusable",
        "translation": "",
        "question": "",
        "first": "",
        "first-gender": "masc fem neut",
        "second": "",
        "second-gender": "masc fem neut",
        "comment": "",
    },
    "consensus": {
        "decision": "keep drop relabel modify",
        "reference": "",
        "modified": "",
        "question": "",
        "comment": "",
    },
    "entailment": {"follows": "yes no not-sure"},
    "exclusion-audit": {
        "verdict": "agree keep other",
        "class": "ba-object prenominal-possessor direct-object other already-zero not-pronoun defect",
        "comment": "",
    },
    "verification": {"verdict": "withdraw explain", "reason": ""},
    "winopron-reference": {"grammatical": "yes no not-sure", "refers": "yes no not-sure"},
}


#: What a guideline says in each language: what to do when unsure, that answers are kept under a pseudonym, how to stop, how to send.
TOLD = {
    "zh": ("拿不准", "代号", "随时停下", "Submit"),
    "en": ("unsure", "pseudonym", "stop at any time", "Submit"),
    "de": ("unsicher", "Pseudonym", "jederzeit aufhören", "Submit"),
}


@pytest.fixture(params=DESIGNS, ids=lambda path: path.stem)
def design(request: pytest.FixtureRequest) -> Design:
    """Each design in turn."""
    return read_design(request.param)


def on_screen(design: Design, name: str, separator: str) -> list[str]:
    return [name] if design.screen == 1 else [f"{name}{separator}{number + 1}" for number in range(design.screen)]


def guide_lang(design: Design) -> str:
    return "en" if design.id in IN_ENGLISH else design.lang


def xml_of(design: Design) -> str:
    return render_template(read_template(design.config), design.config, design.screen)


def fields(design: Design) -> list[str]:
    return [field for name in design.show for field in on_screen(design, name, "_")]


@pytest.mark.parametrize("name", ASKED)
def test_a_design_asks_what_exports_and_adjudication_expect(name: str) -> None:
    design = read_design(ANNOTATION / "designs" / f"{name}.yaml")
    assert {control.name: " ".join(control.choices) for control in design.controls} == ASKED[name]


def test_a_design_has_the_name_of_its_file_and_shows_known_fields(design: Design) -> None:
    assert design.path.stem == design.id
    assert set(design.show.values()) <= FIELDS


def test_a_config_asks_what_its_design_asks(design: Design) -> None:
    xml = xml_of(design)
    controls = {name: control for control in design.controls for name in on_screen(design, control.name, "-")}
    check_config(xml, design.config, controls, fields(design))
    shown = set(re.findall(r"\$(\w+)", xml))
    if design.lists.scheme != "rotated":
        assert shown == set(fields(design))
        return
    # A screen has the translations of one sentence, which it shows once.
    once = {"context_1", "text_1"}
    assert shown == once | {name for name in fields(design) if name.startswith("translation_")}


def test_required_controls_have_a_message_in_the_annotators_language(design: Design) -> None:
    xml = xml_of(design)
    required = re.findall(r"<\w+ [^>]*required=\"true\"[^>]*>", xml)
    assert required
    for element in required:
        message = re.search(r'requiredMessage="([^"]+)"', element)
        assert message, element
        assert bool(re.search(r"[一-鿿]", message[1])) == (guide_lang(design) == "zh"), element


def test_every_choice_has_a_stable_code_and_a_condition_names_what_is_shown(design: Design) -> None:
    xml = xml_of(design)
    fixed = [element.attrib for element in fromstring(xml).iter("Choice")]
    shown = {*(choice["value"] for choice in fixed), *(choice.get("alias") for choice in fixed)}
    marks = {"right", "wrong-1", "wrong-2"} if "candidates" in design.show.values() else set()
    for name, values in re.findall(r'whenTagName="([^"]+)"(?: whenChoiceValue="([^"]+)")?', xml):
        assert f'<Choices name="{name}"' in xml
        assert not values or set(values.split(",")) <= shown | marks
    if design.lang == "zh":
        assert all("alias" in choice for choice in fixed)
    assert all("hotkey" in choice for choice in fixed), "Label Studio gives others the next free digit"


def test_a_style_keeps_blanks_on_the_screen_and_has_no_child_selector(design: Design) -> None:
    """The page of Label Studio 1.23 escapes the > of a style, so that its rule would never apply."""
    (style,) = re.findall(r"<Style>(.+?)</Style>", xml_of(design), re.DOTALL)
    assert "white-space: pre-wrap" in style
    assert ">" not in style


def test_a_guideline_says_what_annotators_need(design: Design) -> None:
    text = read_text(design.guideline)
    zh = guide_lang(design) == "zh"
    assert bool(re.search(r"[一-鿿]", text)) == (design.lang == "zh")
    for words in TOLD[guide_lang(design)]:
        assert words in text, f"expected the guideline to say {words}"
    assert len(text) < (1500 if zh else 3000), "one page"
    # As the server shows it: examples are there as a quotation or a table, no markup is left.
    html = re.sub(r"<code>&lt;[\u4e00-\u9fff]+&gt;_\w+</code>", "", guideline_html(text))
    assert html.count("<blockquote>") + html.count("<tr>") > 1
    assert not re.search(r"&lt;|\*\*|^#", html, re.MULTILINE)


#: Designs whose raters have taken part before, or who are no participants: authors, and whoever tries labelling.
WITHOUT_FORM = ("consensus", "explanations", "verification", "demo", "cloze", "translation")
#: Designs whose number of sentences depends on what raters answered, or is in the guideline.
WITHOUT_NUMBERS = ("consensus", "explanations", "verification", "demo")


def test_a_guideline_sends_raters_to_the_form_first_and_says_how_much_there_is(design: Design) -> None:
    if design.source == "form":
        return
    text = read_guideline(design.guideline)  # which refuses other braces
    form = read_design(ANNOTATION / "designs" / f"background{'-en' * (guide_lang(design) == 'en')}.yaml")
    assert (form.title in text) == (design.id not in WITHOUT_FORM), f"expected {form.title} in the guideline"
    numbers = re.findall(r"\{.*?\}", text)
    if design.id in WITHOUT_NUMBERS:
        assert numbers == []
        return
    assert "{items}" in numbers, "expected {items}, which becomes their number"
    assert len([number for number in numbers if number.startswith("{minutes:")]) == 1, "expected {minutes:SECONDS} once"


def test_the_demo_has_as_many_sentences_as_its_guideline_says() -> None:
    design = read_design(ANNOTATION / "designs" / "demo.yaml")
    assert design.lists.size == 10
    assert "这十句话" in read_text(design.guideline)


@pytest.mark.parametrize("name", PRACTICE)
def test_practice_sentences_are_ten_and_balanced(name: str) -> None:
    practice = read_practice(PRACTICE[name], name[:2])
    assert Counter(record.item.answer for record in practice) == {0: 5, 1: 5}
    assert len({record.item.text for record in practice}) == len({record.id for record in practice}) == 10
    for record in practice:
        item = record.item
        assert all(item.text.count(name) == 1 for name in item.candidates), item.id
        assert item.candidates == tuple(sorted(item.candidates, key=item.text.index)), item.id
        assert field_value("text_zero", record, (0, 1), show_answer=True).count(ZERO) == 1
        assert field_value("right", record, (0, 1), show_answer=True) in record.explanation
        assert len(re.findall(r"[。？！]|[.?!](?: |$)", record.explanation)) == 1, "one sentence"


def test_practice_of_naturalness_spans_the_scale() -> None:
    """Each explanation says how most people rate the sentence, in the words of the guideline; all of 1 to 5 come up."""
    practice = read_practice(PRACTICE["zh-naturalness"], "zh")
    ratings = [re.findall(r"([1-5]) 分", record.explanation) for record in practice]
    assert all(1 <= len(given) <= 2 for given in ratings)
    assert {rating for given in ratings for rating in given} == set("12345")
    assert {record.id for record in practice}.isdisjoint(record.id for record in read_practice(PRACTICE["zh"], "zh"))


def pronoun_sets(practice: list[StudyRecord]) -> set[str]:
    return {record.pronouns for record in practice}


def test_practice_of_pronouns_shows_all_sets_in_the_forms_of_main_tasks() -> None:
    practice = read_practice(PRACTICE["en"], "en")
    assert pronoun_sets(practice) == {pronouns.name for pronouns in pronoun_table("en").sets}
    guideline = read_text(ANNOTATION / "guidelines" / "winopron-pronoun.md")
    for record in practice:
        forms = field_value("pronouns", record, (0, 1), show_answer=True)
        assert field_value("pronoun", record, (0, 1), show_answer=True) in forms.split(" / ")
        assert record.pronouns == "she" or f"*({forms})*" in guideline


def test_every_practice_sentence_has_a_question_in_mandarin() -> None:
    assert all(record.item.question.endswith("？") for record in read_practice(PRACTICE["zh"], "zh"))


def runs(sequence: Sequence[str], length: int) -> set[tuple[str, ...]]:
    return {tuple(sequence[place : place + length]) for place in range(len(sequence) - length + 1)}


def examples(lang: str) -> list[str]:
    """The sentences of the guidelines: in quotations and in tables."""
    lines = [line for path in guidelines(lang) for line in read_text(path).splitlines()]
    cells = [cell for line in lines if line.startswith("|") for cell in line.split("|")]
    return [line for line in lines if line.startswith("> ")] + cells


def our_sentences(lang: str) -> set[str]:
    """The sentences of our items and fillers in a language; of English all templates as one text."""
    if lang == "en":
        return {read_text(ROOT / "raw" / "en" / "templates.yaml")}
    path = ROOT / "raw" / lang / "schemas.yaml"
    items = {unbracket(text)[0] for schema in schemas_of(load_yaml(path), path) for text in expand(schema.text)}
    return items | {entry["text"] for entry in (load_yaml(ROOT / "raw/de/fillers.yaml") if lang == "de" else ())}


@pytest.mark.parametrize(
    ("lang", "practice", "length", "least"),  # `make overlap` asks for 8 characters
    [("zh", ("zh", "zh-naturalness"), 8, 40), ("en", ("en",), 5, 14), ("de", ("de",), 5, 9)],
)
def test_no_practice_or_example_sentence_is_of_ours(
    lang: str, practice: tuple[str, ...], length: int, least: int
) -> None:
    units = list if lang == "zh" else str.split
    taken = set[tuple[str, ...]]().union(*(runs(units(text), length) for text in our_sentences(lang)))
    records = [record for name in practice for record in read_practice(ANNOTATION / f"practice/{name}.yaml", lang)]
    texts = [record.item.text for record in records] + examples(lang)
    assert len(taken) > 1000
    assert len(texts) > least
    for text in texts:
        assert not runs(units(re.sub("[【】]", "", text)), length) & taken, text


def test_practice_for_gaps_explains_pronouns_that_change() -> None:
    practice = read_practice(ANNOTATION / "practice" / "de.yaml", "de")
    assert Counter(record.item.answer for record in practice) == {0: 2, 1: 2, 2: 2}
    for record in practice:
        assert record.item.candidates == ("er", "sie", "es")
        assert field_value("gap", record, (0, 1, 2), show_answer=True).count(GAP) == 1
        assert f"„{field_value('right', record, (0, 1, 2), show_answer=True)}“" in record.explanation


def guidelines(lang: str) -> list[Path]:
    return sorted({read_design(path).guideline for path in DESIGNS if read_design(path).lang == lang})


def test_every_config_guideline_and_practice_file_is_of_a_design() -> None:
    designs = [read_design(path) for path in DESIGNS]
    used = {path for design in designs for path in (design.config, design.guideline, design.practice, design.attention)}
    used |= {ROOT / design.records for design in designs if design.source == "form"}
    for folder in ("configs", "guidelines", "practice", "attention", "forms"):
        for path in (ANNOTATION / folder).iterdir():
            assert path in used or path.name == "style.css", path


def test_each_hypothesis_of_a_premise_is_judged_by_itself(tmp_path: Path) -> None:
    """LREC 2020, section 3.2: both hypotheses of a premise, never side by side; an item without hypotheses is not asked about."""
    members = [to_zero(kites(number)) for number in range(32)]
    broken = members[0] | {"question": "谁还了谁？"}
    write_jsonl(tmp_path / "zero.jsonl", [broken, *members[1:]])
    design = replace(read_design(ANNOTATION / "designs" / "entailment.yaml"), records=tmp_path / "zero.jsonl")
    asked = {task.items[0] for task in make_study(design).tasks if task.phase == "main"}
    assert asked == {f"{row['id']}/{n}" for row in members[1:] for n in range(2)}
    write_jsonl(tmp_path / "zero.jsonl", members)
    layout = make_study(replace(design, lists=replace(design.lists, count=2)))
    main = [task for task in layout.tasks if task.phase == "main"]
    assert len(main) == 2 * 32
    assert sorted(task.items[0] for task in main) == sorted(f"{row['id']}/{n}" for row in members for n in range(2))
    for name in ("1", "2"):
        premises = [task.items[0].rpartition("/")[0] for task in main if task.list == name]
        assert all(premise != following for premise, following in pairwise(premises))
    shown = {task.items[0]: task.data for task in main}
    assert shown["kite-000-a/1"]["hypothesis"] == "小舟用不着。"
    assert shown["kite-000-a/1"]["text"] == "阿菊把第1只风筝借给小舟，因为她用不着。"


@pytest.mark.parametrize(
    ("name", "pairs", "size"), [("upper-bound", 12, 6), ("upper-bound", 10, 5), ("questionnaire", 21, 20)]
)
def test_lists_follow_the_records_that_decisions_leave(name: str, pairs: int, size: int, tmp_path: Path) -> None:
    """Four lists of 24 records are six each, of 20 records five; two screens of ten are what 42 records fill in two lists."""
    write_jsonl(tmp_path / "zero.jsonl", (to_zero(kites(number)) for number in range(2 * pairs)))
    design = replace(read_design(ANNOTATION / "designs" / f"{name}.yaml"), records=tmp_path / "zero.jsonl")
    layout = make_study(design)
    assert [len(records) for records in layout.lists.values()] == [size] * design.lists.count * (
        1 + design.lists.mirrored
    )
    assert layout.laid_out + len(layout.left_over) == 2 * pairs


def test_a_mirrored_list_has_its_twin_in_reverse(tmp_path: Path) -> None:
    """Each sentence comes as late in one list as early in the other, and its right answer is first for one of them."""
    write_jsonl(tmp_path / "zero.jsonl", (to_zero(kites(number)) for number in range(24)))
    design = read_design(ANNOTATION / "designs" / "upper-bound.yaml")
    layout = make_study(replace(design, records=tmp_path / "zero.jsonl"))
    assert layout.study.lists == ("1", "1m", "2", "2m", "3", "3m", "4", "4m")
    lists = {
        name: [task for task in layout.tasks if (task.list, task.phase) == (name, "main")]
        for name in layout.study.lists
    }
    for name in "1234":
        twin = lists[f"{name}m"][::-1]
        assert [task.items for task in twin] == [task.items for task in lists[name]]
        for task, mirrored in zip(lists[name], twin, strict=True):
            assert mirrored.options == (task.options[0][::-1],)
            names, of_twin = ([option["value"] for option in each.data["options"]] for each in (task, mirrored))
            assert of_twin == names[::-1]
            assert mirrored.key == f"upper-bound/{name}m/{mirrored.position:03}"
        firsts = [task.options[0][0] == task.gold[0] for task in lists[name]]
        assert sum(firsts) == len(firsts) / 2
    write_study(tmp_path / "study", layout.study, layout.tasks)
    assert list(SUITES["study"].check([tmp_path / "study"]).lines()) == []


def test_a_screen_that_no_list_fills_is_refused(tmp_path: Path, refused: Refused) -> None:
    write_jsonl(tmp_path / "zero.jsonl", (to_zero(kites(number)) for number in range(18)))
    path = ANNOTATION / "designs" / "questionnaire.yaml"
    message = refused(
        lambda: make_study(replace(read_design(path), records=tmp_path / "zero.jsonl")), f"{path}:17", "lists"
    )
    assert "found 18 records, expected at least 20" in message
