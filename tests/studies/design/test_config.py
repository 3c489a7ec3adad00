"""Labelling configs: rendered for a screen, and refused where they do not fit the design."""

from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.files import read_text, write_text
from pipeline.studies.design.config import check_config, read_guideline, render_template
from pipeline.studies.model.design import Control
from tests.conftest import Refused
from tests.support.studies import CONFIG

CONTROLS = {
    "reference": Control("reference", "candidate"),
    "naturalness": Control("naturalness", "rating"),
    "comment": Control("comment", "text", required=False),
}
DATA = ("study", "task", "text", "options")


def check(tmp_path: Path, config: str, screen: int = 1) -> None:
    path = tmp_path / "kites.xml"
    write_text(path, config)
    check_config(render_template(read_text(path), path, screen), path, CONTROLS, DATA)


def test_a_config_is_rendered_for_its_screen(tmp_path: Path) -> None:
    check(tmp_path, CONFIG)
    xml = render_template(CONFIG, tmp_path / "kites.xml", 2)
    names = [element.get("name") for element in fromstring(xml).iter("Choices")]
    assert names == ["reference-1", "naturalness-1", "reference-2", "naturalness-2"]


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("</View>", "", "config"),
        ("screen + 1", "screens + 1", "config"),
        ("screen + 1", "().__class__.__base__", "config"),
        ("<View>", "<!DOCTYPE View [<!ENTITY x 'y'>]><View>", "config"),
        ('<TextArea name="comment{{ of }}" toName="text{{ on }}"/>', "", "comment"),
        ('name="comment{{ of }}"', 'name="remark"', "TextArea"),
        ('name="comment{{ of }}"', 'name="naturalness"', "TextArea"),
        ("TextArea", "Choices", "comment"),
        ("range(1, 6)", "range(1, 8)", "naturalness"),
        ("range(1, 6)", "(1, 2, 3, 5, 4)", "naturalness"),
        ('choice="single" required="true">', 'choice="single">', "naturalness"),
        ('value="{{ point }}"', 'value="{{ point }}" hotkey="1"', "hotkey"),
        ('value="{{ point }}"', 'value="{{ point }}" hotkey="{{ "vwxyz"[point - 1] }}"', "hotkey"),
        ("<View>", '<View><Choices name="r" toName="text" value="$options"/>', "hotkey"),
        ('<TextArea name="comment{{ of }}"', '<TextArea required="true" name="comment{{ of }}"', "comment"),
        ('choice="single"', 'choice="multiple"', "reference"),
        ('value="$options{{ on }}"', "", "reference"),
        ('toName="text{{ on }}" value', 'toName="sentence" value', "reference"),
        ('value="$text{{ on }}"', 'value="$sentence"', "Text"),
        ('<Text name="text{{ on }}"', '<HyperText name="text{{ on }}"', "HyperText"),
        ("<View>", '<View><Header value="Is $name right?"/>', "Header"),
        ('toName="text{{ on }}" value="$options{{ on }}" choice="single" required="true"/>',
         'visibleWhen="choice-selected" toName="text{{ on }}" value="$options{{ on }}" choice="single" required="true"/>', "reference"),
    ],
)  # fmt: skip
def test_a_config_that_does_not_fit_is_refused(
    old: str, new: str, field: str, tmp_path: Path, refused: Refused
) -> None:
    assert old in CONFIG
    refused(lambda: check(tmp_path, CONFIG.replace(old, new)), str(tmp_path / "kites.xml"), field)


def test_a_malformed_template_is_refused_at_its_line(tmp_path: Path, refused: Refused) -> None:
    broken = CONFIG.replace("{%- endfor %}", "{% end %}")  # in the eleventh line
    refused(lambda: check(tmp_path, broken), f"{tmp_path / 'kites.xml'}:11", "config")


@pytest.mark.parametrize("number", ["{minuts:12}", "{minutes}", "{minutes:0}", "{}", "{items:3}", "{items", "tasks}"])
def test_a_guideline_with_an_unknown_number_is_refused_at_its_line(
    number: str, tmp_path: Path, refused: Refused
) -> None:
    path = tmp_path / "kites.md"
    write_text(path, f"Read {{items}} sentences ({{tasks}} screens).\n\nThat takes {number}.\n")
    refused(lambda: read_guideline(path), f"{path}:3", "guideline")


def test_an_optional_control_may_be_required_once_it_is_seen(tmp_path: Path) -> None:
    plain = '<TextArea name="comment{{ of }}" toName="text{{ on }}"/>'
    required = plain.replace("/>", ' required="true"/>')
    seen = f'<View visibleWhen="choice-selected">{required}</View>'
    check(tmp_path, CONFIG.replace(plain, seen))


def test_choices_are_known_by_their_codes(tmp_path: Path) -> None:
    xml = (
        '<View><Text name="t" value="$text"/><Choices name="v" toName="t" required="true">'
        '<Choice value="对" alias="yes"/><Choice value="no"/></Choices></View>'
    )
    check_config(xml, tmp_path, {"v": Control("v", "choice", choices=("yes", "no"))}, DATA)
    with pytest.raises(PipelineError, match=r"\[v\] found the choices yes, no, expected yes, maybe"):
        check_config(xml, tmp_path, {"v": Control("v", "choice", choices=("yes", "maybe"))}, DATA)


def test_a_config_may_be_deep(tmp_path: Path) -> None:
    deep = f"{'<View>' * 5000}<Text name='t' value='$text'/>{'</View>' * 5000}"
    check_config(deep, tmp_path, {}, {"text"})


def test_radio_buttons_that_put_each_other_out_are_refused(tmp_path: Path) -> None:
    """Seen in Chromium: the page gives a radio button its text as a name, and browsers keep one of a name."""
    asked = {name: Control(name, "choice", choices=("yes", "not-sure")) for name in ("a", "b")}
    answers = '<Choice value="yes"/><Choice value="not sure" alias="not-sure"/>'
    group = f'<Choices name="%s" toName="t" choice="single-radio" required="true">{answers}</Choices>'
    xml = f'<View><Text name="t" value="$text"/>{group % "a"}{group % "b"}</View>'
    with pytest.raises(PipelineError, match=r"\[choice\] radio buttons .*; found 'yes' in 2 controls"):
        check_config(xml, tmp_path, asked, DATA)
    check_config(xml.replace("single-radio", "single"), tmp_path, asked, DATA)
    people = '<Choices name="%s" toName="t" choice="single-radio" value="$%s" required="true"/>'
    xml = f'<View><Text name="t" value="$text"/>{people % ("a", "options")}{people % ("b", "others")}</View>'
    with pytest.raises(PipelineError, match="found candidates in 2 controls"):
        check_config(xml, tmp_path, asked, (*DATA, "others"))
