"""A mistake in a rule or in a list ends in one line with its place; what can never match is one."""

from pathlib import Path

import pytest
from jieba import posseg

from pipeline.core.errors import MAX_REASON, PipelineError
from pipeline.core.files import read_text
from pipeline.language.parsing.lock import read_lock
from pipeline.language.parsing.trees import RELATIONS
from pipeline.language.segmentation import TAGS
from pipeline.winograd.exclusion.rule_files import OPERATORS, Rule, read_rules
from pipeline.winograd.exclusion.ruleset import RuleSet
from tests.conftest import ROOT

WORDS = "ba: [把, 将]\nkin: [爸, 妈]\n"
SHARED = """\
relative:
  - - &target {RIGHT_ID: target, RIGHT_ATTRS: {_: {role: target}}}
    - {LEFT_ID: target, REL_OP: "<++", RIGHT_ID: verb, RIGHT_ATTRS: {DEP: "acl:relcl"}}
"""
RULE = """\
id: zh/ba
class: ba-object
because: A marker needs its object.
yields-to: [zh/kin]
patterns:
  - - &target {RIGHT_ID: target, RIGHT_ATTRS: {_: {role: target}}}
    - {LEFT_ID: target, REL_OP: ";", RIGHT_ID: marker, RIGHT_ATTRS: {ORTH: {REGEX: "^(?:@ba)$"}}}
  - - *target
    - {LEFT_ID: target, REL_OP: ";", RIGHT_ID: marker, RIGHT_ATTRS: {POS: ADP, TAG: {IN: [p, v]}}}
unless:
  - "@relative"
"""
KIN = """\
id: zh/kin
class: prenominal-possessor
because: >
  Kin take their possessor bare.
patterns:
  - - &target {RIGHT_ID: target, RIGHT_ATTRS: {_: {role: target}}}
    - {LEFT_ID: target, REL_OP: ".", RIGHT_ID: kin, RIGHT_ATTRS: {ORTH: {IN: "@kin"}}}
"""
#: `KIN` with an exception that is its pattern; `RULE` under the id of `KIN`.
KIN_AS_EXCEPTION = "unless:\n" + KIN.partition("patterns:\n")[2].replace("&target", "") + "patterns:"
RULE_AS_KIN = RULE.replace("zh/ba", "zh/kin").replace("yields-to: [zh/kin]\n", "")
NODE = 'RIGHT_ATTRS: {ORTH: {REGEX: "^(?:@ba)$"}}'


def attributes(text: str) -> tuple[str, str]:
    """Return a replacement of what the second node of a rule asks for, in line 7."""
    return (NODE, f"RIGHT_ATTRS: {text}")


#: For each mistake the text replaced, the text in its place, and how the message begins.
BROKEN: dict[str, tuple[str, str, str]] = {
    "no document": (RULE, "# nothing\n", "zh/ba.yaml:1: [yaml] wrong kind; found nothing"),
    "not YAML": ("because: A", "because: A: B", "zh/ba.yaml:3: [yaml]"),
    "unknown field": ("class:", "weight: 3\nclass:", "zh/ba.yaml:2: [weight] unknown field; expected one of"),
    "misspelt field": ("unless:", "unles:", "zh/ba.yaml:10: [unles] unknown field"),
    "field twice": ("class:", "id: zh/ba\nclass:", "zh/ba.yaml:2: [yaml] field given twice; found 'id: zh/ba'"),
    "missing field": ("because:", "# because:", "zh/ba.yaml:1: [because] missing field"),
    "another id": ("id: zh/ba", "id: zh/bah", "zh/ba.yaml:1: [id] id is not the file's name; found 'zh/bah'"),
    "class": ("class: ba-object", "class: reflexive", "zh/ba.yaml:2: [class] unknown value; found 'reflexive', expected one of ba-object,"),
    "class of no rule": ("ba-object", "pair-mate", "zh/ba.yaml:2: [class] unknown value; found 'pair-mate'"),
    "no reason": ("A marker needs its object.", "", "zh/ba.yaml:3: [because] wrong kind; found nothing"),
    "unknown rule": ("[zh/kin]", "[zh/kim]", "zh/ba.yaml:4: [yields-to] unknown rule; found 'zh/kim', expected one of zh/kin"),
    "itself": ("[zh/kin]", "[zh/ba]", "zh/ba.yaml:4: [yields-to] rule yields to itself"),
    "yields twice": ("[zh/kin]", "[zh/kin, zh/kin]", "zh/ba.yaml:4: [yields-to] not unique"),
    "circle": ("patterns:", "yields-to: [zh/ba]\npatterns:", "zh/kin.yaml: [yields-to] rules yield to one another in a circle"),
    "no patterns": (KIN[KIN.index("  - -") :], "", "zh/kin.yaml:5: [patterns] wrong kind; found nothing"),
    "pattern is a text": ("@relative", "relative", "zh/ba.yaml:11: [unless] unknown list; found 'relative'"),
    "unknown patterns": ("@relative", "@relation", "zh/ba.yaml:11: [unless] unknown list; found '@relation'"),
    "no anchor": ("role: target", "role: subject", "zh/ba.yaml:6: [patterns] no anchor"),
    "unknown key of a node": ("LEFT_ID", "LEFT", "zh/ba.yaml:7: [LEFT] unknown field"),
    "missing key of a node": ("LEFT_ID: target, ", "", "zh/ba.yaml:7: [LEFT_ID] missing field"),
    "node is a number": ("RIGHT_ID: marker", "RIGHT_ID: 1", "zh/ba.yaml:7: [RIGHT_ID] wrong kind; found 1, expected text"),
    "operator": ('REL_OP: ";"', 'REL_OP: "!!"', "zh/ba.yaml:7: [REL_OP] unknown value; found '!!', expected one of <"),
    "left node": ("LEFT_ID: target", "LEFT_ID: verb", "zh/ba.yaml:7: [LEFT_ID] no node before this one; found 'verb', expected one of"),
    "node twice": ("RIGHT_ID: marker", "RIGHT_ID: target", "zh/ba.yaml:7: [RIGHT_ID] name not unique"),
    "expression": (*attributes('{ORTH: {REGEX: "(自己"}}'), "zh/ba.yaml:7: [REGEX] not a regular expression (missing )"),
    "doubtful expression": (*attributes('{ORTH: {REGEX: "[[a]"}}'), "zh/ba.yaml:7: [REGEX] not a regular expression (Possible"),
    "list in an expression": (*attributes('{ORTH: {REGEX: "@bo$"}}'), "zh/ba.yaml:7: [REGEX] unknown list; found '@bo'"),
    "list of words": (*attributes('{ORTH: {IN: "@bo"}}'), "zh/ba.yaml:7: [IN] unknown list; found '@bo'"),
    "list without @": (*attributes("{ORTH: {IN: ba}}"), "zh/ba.yaml:7: [IN] unknown list; found 'ba'"),
    "list as a word": (*attributes('{ORTH: "@ba"}'), "zh/ba.yaml:7: [ORTH] list out of place; found '@ba', expected {IN: '@ba'}"),
    "list among words": (*attributes('{ORTH: {IN: [被, "@ba"]}}'), "zh/ba.yaml:7: [IN] list among words"),
    "part of speech": (*attributes("{POS: PRONOUN}"), "zh/ba.yaml:7: [POS] unknown value; found 'PRONOUN', expected one of ADJ, ADP"),
    "relation": (*attributes("{DEP: nsubject}"), "zh/ba.yaml:7: [DEP] unknown value; found 'nsubject', expected a value such as nsubj"),
    "tag": (*attributes("{TAG: VERB}"), "zh/ba.yaml:7: [TAG] unknown value; found 'VERB'"),
    "tag in no dictionary": (*attributes('{TAG: {REGEX: "^V"}}'), "zh/ba.yaml:7: [TAG] no value passes"),
    "contradiction": (*attributes('{ORTH: {IN: "@ba", NOT_IN: [把, 将, 被]}}'), "zh/ba.yaml:7: [ORTH] no value passes"),
    "attribute": (*attributes("{LEMMA: 把}"), "zh/ba.yaml:7: [RIGHT_ATTRS.LEMMA] unknown field; expected one of ORTH, POS, TAG, DEP"),
    "quantifier": (*attributes('{ORTH: 把, OP: "?"}'), "zh/ba.yaml:7: [RIGHT_ATTRS.OP] unknown field"),
    "second target": (*attributes("{_: {role: target}}"), "zh/ba.yaml:7: [RIGHT_ATTRS._] unknown field; expected one of ORTH"),
    "test": (*attributes("{ORTH: {FUZZY: 把}}"), "zh/ba.yaml:7: [RIGHT_ATTRS.ORTH.FUZZY] unknown field; expected one of IN, NOT_IN, REGEX"),
    "no words": (*attributes("{ORTH: {IN: []}}"), "zh/ba.yaml:7: [RIGHT_ATTRS.ORTH.IN] wrong value; found an empty list"),
    "word twice": (*attributes("{ORTH: {IN: [把, 把]}}"), "zh/ba.yaml:7: [IN] not unique; found '把' again"),
    "word is a number": (*attributes("{ORTH: {IN: [1]}}"), "zh/ba.yaml:7: [RIGHT_ATTRS.ORTH.IN] wrong kind; found 1, expected text"),
    "value is a number": (*attributes("{ORTH: 1}"), "zh/ba.yaml:7: [RIGHT_ATTRS.ORTH] wrong kind; found 1, expected text"),
    "attributes are a text": (*attributes("把"), "zh/ba.yaml:7: [RIGHT_ATTRS] wrong kind; found '把', expected a mapping with ORTH"),
    "pattern twice": ("POS: ADP, TAG: {IN: [p, v]}", 'ORTH: {REGEX: "^(?:@ba)$"}', "zh/ba.yaml:8: [patterns] pattern not unique; found"),
    "pattern and exception": ("patterns:", KIN_AS_EXCEPTION, "zh/kin.yaml:8: [patterns] pattern 1 can never match"),
    "rule twice": (KIN, RULE_AS_KIN, "zh/kin.yaml: [patterns] rule not unique; found"),
    "list is empty": ("[把, 将]", "[]", "words/zh.yaml:1: [ba] wrong value; found an empty list"),
    "word twice in a list": ("[爸, 妈]", "[爸,\n  妈, 爸]", "words/zh.yaml:3: [kin] not unique; found '爸' again"),
    "two words in one": ("爸,", "爸 妈,", "words/zh.yaml:2: [kin] several words in one; found '爸 妈'"),
    "full-width comma": ("[把, 将]", "[把，将]", "words/zh.yaml:1: [ba] several words in one; found '把，将'"),
    "full-width comma in a rule": (*attributes("{ORTH: {IN: [把，将]}}"), "zh/ba.yaml:7: [IN] several words in one; found"),
    "shared in shared": ("relative:", 'relative:\n  - "@other"', "shared/zh.yaml:2: [relative] unknown list; found '@other'"),
    "unknown alias": ("- *target\n", "- *targets\n", "zh/ba.yaml:8: [yaml] unknown alias; found '- - *targets'"),
    "name of a list": ("kin:", "close kin:", "words/zh.yaml:2: [yaml] not a name of a list; found 'close kin'"),
    "shared pattern": ("acl:relcl", "acl:relative", "shared/zh.yaml:3: [DEP] unknown value; found 'acl:relative'"),
    "shared alias": ("- &target {RIGHT_ID: target,", "- &target {RIGHT_ID: tarket,", "zh/kin.yaml:6: [patterns] no anchor"),
    "no cases": ("Target=Yes", "", "zh/kin.hit.conllu: [cases] no case of this rule"),
    "cases of no rule": ("", "Target=Yes", "zh/kim.hit.conllu: [cases] cases of no rule; expected one of ba, kin"),
    "another extension": ("", RULE, "zh/new.yml: [file] not read; expected a name that ends with .yaml"),
    "not UTF-8": ("A marker", "\udcff", "zh/ba.yaml:3: [encoding] not UTF-8"),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two rules."""
    files = {"words/zh.yaml": WORDS, "shared/zh.yaml": SHARED, "zh/ba.yaml": RULE, "zh/kin.yaml": KIN}
    cases = {f"zh/{name}.{kind}.conllu": "Target=Yes" for name in ("ba", "kin") for kind in ("hit", "miss")}
    for name, text in {**files, **cases}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_rules_are_ordered_after_those_that_they_yield_to(folder: Path) -> None:
    kin, ba = read_rules("zh", folder)
    assert (kin.id, ba.id) == ("zh/kin", "zh/ba")
    assert kin.because == "Kin take their possessor bare."
    assert kin.patterns[0][1]["RIGHT_ATTRS"] == {"ORTH": {"IN": ["爸", "妈"]}}
    assert ba.patterns[0][1]["RIGHT_ATTRS"] == {"ORTH": {"REGEX": "^(?:(?:把|将))$"}}
    assert len(ba.unless) == 1


@pytest.mark.parametrize("mistake", BROKEN)
def test_a_mistake_is_told_in_one_line_with_its_place(mistake: str, folder: Path) -> None:
    before, after, beginning = BROKEN[mistake]
    path = folder / beginning.partition(":")[0]
    text = path.read_text(encoding="utf-8") if before else ""
    assert before in text
    path.write_bytes(text.replace(before, after, 1).encode(errors="surrogateescape"))
    with pytest.raises(PipelineError) as caught:
        read_rules("zh", folder)
    assert str(caught.value).startswith(f"{folder}/{beginning}")
    assert "\n" not in caught.value.reason
    assert len(caught.value.reason) <= MAX_REASON


def test_a_pattern_may_begin_with_what_it_finds(folder: Path) -> None:
    path = folder / "zh" / "kin.yaml"
    plain = read_rules("zh", folder)[0]
    path.write_text(KIN.replace("  - - &target", "  - - bare kin: 他妈\n    - &target"), encoding="utf-8")
    with pytest.raises(PipelineError, match=r"kin\.yaml:6: \[bare kin\] unknown field"):
        read_rules("zh", folder)  # a colon and a blank make a mapping of it
    path.write_text(KIN.replace("  - - &target", "  - - bare kin\n    - &target"), encoding="utf-8")
    (target, kin), plain_nodes = read_rules("zh", folder)[0].patterns[0], plain.patterns[0]
    assert target == plain_nodes[0] | {"REASON": "bare kin"}
    assert kin == plain_nodes[1]
    path.write_text(KIN + "  - - bare kin\n", encoding="utf-8")
    with pytest.raises(PipelineError, match=r"kin\.yaml:8: \[patterns\] wrong kind; found"):
        read_rules("zh", folder)


def test_an_alias_is_reported_where_it_is_used(folder: Path) -> None:
    path = folder / "zh" / "kin.yaml"
    path.write_text(KIN + "  - - *target\n    - *target\n", encoding="utf-8")
    with pytest.raises(PipelineError, match=r"kin\.yaml:8: \[LEFT_ID\] missing field"):
        read_rules("zh", folder)


def test_a_rule_can_be_tried_without_cases(folder: Path) -> None:
    (folder / "zh" / "kin.hit.conllu").unlink()
    assert len(read_rules("zh", folder, cases=False)) == 2


def test_a_file_without_words_is_named(folder: Path) -> None:
    (folder / "words" / "zh.yaml").unlink()
    with pytest.raises(PipelineError, match=r"words/zh\.yaml: \[file\] cannot be read"):
        read_rules("zh", folder)


def test_spacy_takes_every_operator_and_test() -> None:
    tests = {"ORTH": {"IN": ["把"], "NOT_IN": ["将"], "REGEX": "^把"}, "POS": "ADP", "TAG": "p", "DEP": "case"}
    anchor = {"RIGHT_ID": "target", "RIGHT_ATTRS": {"_": {"role": "target"}}}
    patterns = tuple(
        [anchor, {"LEFT_ID": "target", "REL_OP": operator, "RIGHT_ID": "word", "RIGHT_ATTRS": tests}]
        for operator in OPERATORS
    )
    assert RuleSet([Rule("zh/any", "other", "any", patterns, (), ())]).rules


def test_our_trees_have_the_relations_and_tags_that_a_rule_can_name() -> None:
    for path in sorted((ROOT / "raw" / "zh" / "parses").glob("*.conllu")):
        tokens = [token for tree in read_lock(path).trees.values() for token in tree.tokens]
        assert {token.relation for token in tokens} <= RELATIONS, path
        assert {token.xpos for token in tokens} <= TAGS, path


def test_tags_are_those_of_the_dictionary() -> None:
    dictionary = Path(posseg.__file__).parents[1] / "dict.txt"
    assert {line.rpartition(" ")[2] for line in read_text(dictionary).splitlines()} == TAGS
