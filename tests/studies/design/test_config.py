"""Labelling configs: rendered for a screen, and refused where they do not fit the design."""

from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.files import read_text, write_text
from pipeline.studies.design.config import check_config, render_template
from pipeline.studies.design.design import Control
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
    assert names == ["reference-1", "reference-2"]


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
        ('maxRating="5"', 'maxRating="7"', "naturalness"),
        ('maxRating="5"', 'maxRating="many"', "naturalness"),
        ('maxRating="5" required="true"', 'maxRating="5"', "naturalness"),
        ('<TextArea name="comment{{ of }}"', '<TextArea required="true" name="comment{{ of }}"', "comment"),
        ('choice="single"', 'choice="multiple"', "reference"),
        ('value="$options{{ on }}"', "", "reference"),
        ('toName="text{{ on }}" value', 'toName="sentence" value', "reference"),
        ('value="$text{{ on }}"', 'value="$sentence"', "Text"),
        ('<Text name="text{{ on }}"', '<HyperText name="text{{ on }}"', "HyperText"),
        ("<View>", '<View><Header value="Is $name right?"/>', "Header"),
        ('<Rating name="naturalness{{ of }}" toName="text{{ on }}" maxRating="5" required="true"/>',
         '<View visibleWhen="choice-selected"><Rating name="naturalness" toName="text" required="true"/></View>', "naturalness"),
    ],
)  # fmt: skip
def test_a_config_that_does_not_fit_is_refused(
    old: str, new: str, field: str, tmp_path: Path, refused: Refused
) -> None:
    assert old in CONFIG
    refused(lambda: check(tmp_path, CONFIG.replace(old, new)), str(tmp_path / "kites.xml"), field)


def test_a_malformed_template_is_refused_at_its_line(tmp_path: Path, refused: Refused) -> None:
    broken = CONFIG.replace("{%- endfor %}", "{% end %}")  # in the ninth line
    refused(lambda: check(tmp_path, broken), f"{tmp_path / 'kites.xml'}:9", "config")


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
