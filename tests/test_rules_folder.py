"""A mistake in a table of rules/ ends in one line with its place, whatever reads the table.

The exclusion rules and their word lists have a test of their own (tests/winograd/exclusion).
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.rules import RULES
from pipeline.core.yamlfile import load_yaml
from pipeline.language.names import person_of
from tools.fuzz.readers import TABLES as READERS

#: The tables in YAML, with their readers; those of tab-separated tables have tests in their rooms.
TABLES = {name: read for name, read in READERS.items() if name.endswith(".yaml")}
OWN_TEST = {"ja", "shared", "words", "zh"}
DIAGNOSIS, WSC_ZA = "evaluation/prompts/diagnosis.yaml", "evaluation/prompts/wsc-za.yaml"
#: Mistakes of one table only: the text replaced, the text in its place, and how the reason begins.
SPECIAL = {
    "unknown class": ("analysis/zh.yaml", "expected: keep", "expected: kept", "[roles.subject.expected] unknown value; found 'kept'"),
    "role without explanation": ("analysis/zh.yaml", ', what: "topic', ', why: "topic', "[roles.topic.why] unknown field; expected"),
    "kind of a number": ("analysis/zh.yaml", "spatial:", "1:", "[kinds] wrong kind; found 1, expected text"),
    "shape": ("answers/shapes.yaml", "prefer X (?:to", "prefer X ((?:to", "[chosen] not a regular expression (missing )"),
    "kind twice": ("analysis/zh.yaml", "spatial:", "physical:", "[yaml] field given twice"),
    "expression": ("questions/zh.yaml", "里面|外面", "(里面|外面", "[proforms] not a regular expression (missing )"),
    "answer": ("questions/zh.yaml", "by: [它, 它们]", "by: [它, 祂]", "[answered_by] no pronoun of the table; found '祂'"),
    "language": ("questions/zh.yaml", "lang: zh", "lang: en", "[lang] language is not the file's name; found 'en', expected 'zh'"),
    "flag": ("questions/zh.yaml", "segmented: false", "segmented: nein", "[segmented] wrong kind; found 'nein', expected true or false"),
    "number among words": ("questions/zh.yaml", "吉他", "7", "[never] wrong kind; found 7, expected text, in quotes"),
    "which": ("grammar/zh.yaml", "哪(?:一", "哪((?:一", "[which] not a regular expression"),
    "place of an operator": ("grammar/operators-zh.yaml", "place: touches", "place: near", "[requests.place] unknown value; found 'near'"),
    "form of a name": ("script/names.yaml", "余: {surname: 余}", "余: {surname: 餘老}", "[characters.余.surname] form of another length"),
    "case of a name": ("script/names.yaml", "{name: 占军", "{name: 占红", "[cases.占军占了便宜。] not a case"),
    "length": ("script/zh.yaml", "发慌: 發慌", "发慌: 發", "[words.发慌] conversion of another length; found '發'"),
    "case": ("pronouns/en.yaml", ": accusative", ": dative", "[placeholders.ACC_PRONOUN] unknown value; found 'dative'"),
    "article": ("pronouns/en.yaml", "an: '^(", "an: '^((", "[an] not a regular expression"),
    "plural": ("pronouns/en.yaml", "plural: true", "plural: 1", "[sets.they.plural] wrong kind; found 1, expected true or false"),
    "same forms": (
        "pronouns/en.yaml",
        "nominative: xe, accusative: xem, possessive: xyr, independent: xyrs, reflexive: xemself",
        "nominative: he, accusative: him, possessive: his, independent: his, reflexive: himself",
        "[sets.xe] same forms as another set; found those of he",
    ),
    "form of a zero missing": ("pronouns/zh-en.yaml", ", R: myself", "", "[pronouns.我] wrong kind; found a mapping, expected entries"),
    "error of no label": ("pronouns/zh-en-published.yaml", "<你们的>_P:", "你们的 P:", "[errors] not a label; found '你们的 P'"),
    "missing form": ("pronouns/en.yaml", "reflexive: herself, ", "", "[sets.she.reflexive] missing field"),
    "allowance": ("validation/profiles.yaml", "[lone-member,", "[lone,", "[profiles.winogender.allow] unknown value; found 'lone'"),
    "members": ("validation/profiles.yaml", "members: [2, 3]", "members: [2, 4]", "[profiles.wsc.members] wrong kind; found 4"),
    "source of a profile": ("validation/profiles.yaml", r"'(?:^|, )PWS idx \d'", "'^PWS ('", "[source] not a regular expression"),
    "format of a profile": ("validation/profiles.yaml", "winogender\n    allow", "wino\n    allow", "[profiles.winogender.format] unknown"),
    "neither source nor format": (
        "validation/profiles.yaml",
        "  cluewsc:\n    what: CLUEWSC 2020, single items\n    source: '(?:^|, )CLUEWSC line \\d'\n",
        "  cluewsc:\n    what: single items\n",
        "[profiles.cluewsc] missing field; expected source, format or both",
    ),
    "strict profile": ("validation/profiles.yaml", "  wsc:", "  strict:", "[profiles.strict] wrong name; expected another one than strict"),
    "place of a prompt": ("evaluation/prompts/winopron.yaml", "{task}\\n\\n{options}", "{task!r}", "[templates] wrong placeholders; found"),
    "brace of a prompt": ("evaluation/prompts/winopron.yaml", "me who {pronoun}", "me who {pronoun", "[templates] not a template"),
    "entry of an option": ("evaluation/prompts/winopron.yaml", "- {name}", "- {}", "[entry] wrong placeholders; found {}, expected {name}"),
    "order of options": ("evaluation/prompts/winopron.yaml", "participant, occ", "guest, occ", "[variants.participant first] unknown"),
    "word of two classes": ("cloze/de.yaml", "  neut: [es, das", "  neut: [es, der", "[neut] not unique; found 'der' in masc too"),
    "left out, yet in a class": ("cloze/de.yaml", "  neut: [es, das", "  neut: [es, ihm", "[neut] not unique; found 'ihm' in left_out too"),
    "class without its pronoun": ("cloze/de.yaml", "  fem: [sie, die", "  fem: [die", "[fem] class without its pronoun; expected 'sie'"),
    "capital": ("cloze/de.yaml", "masc: [er, der", "masc: [er, Der", "[masc] no word in lower case; found 'Der'"),
    "gender missing": ("cloze/de.yaml", ", neut: es}", "}", "[pronouns] wrong kind; found a mapping, expected entries for masc"),
    "name in small letters": ("names/western.yaml", "Abigail", "abigail", "[given.female] wrong value; found 'abigail'"),
    "name twice": ("names/chinese.yaml", "{乐: le", "{乐: le, 乐: lè", "[yaml] field given twice"),
    "name of two genders": ("names/western.yaml", "  male: [", "  male: [Ada, ", "[given.male] name not unique; found 'Ada'"),
    "doubtful, yet no name": ("names/western.yaml", "doubtful: [", "doubtful: [Qux, ", "[doubtful] not a name; found 'Qux', expected"),
    "title in Latin script": ("names/western.yaml", "Mrs: 太太", "Mrs: Frau", "[titles.female.Mrs] wrong value; found 'Frau'"),
    "name in Latin script": ("names/chinese.yaml", "  male: {", "  male: {Q: Qiang, ", "[given.male.Q] wrong value; found 'Q', expected"),
    "pinyin in Chinese script": ("names/chinese.yaml", "unclear: [", "unclear: [雷, ", "[unclear] wrong value; found '雷'"),
    "characters in Latin script": ("names/chinese.yaml", "no_given: 人", "no_given: n人", "[no_given] wrong value; found 'n人"),
    "reading with a capital": ("names/chinese.yaml", "乐: le", "乐: Le", "[readings.乐] wrong value; found 'Le', expected a syllable"),
    "share over one": ("variety/zh.yaml", "frame: 0.08", "frame: 8", "[shares.frame] wrong kind; found 8, expected a number"),
    "share in words": ("variety/zh.yaml", "frame: 0.08", "frame: much", "[shares.frame] wrong kind; found 'much'"),
    "share missing": ("variety/zh.yaml", ", frame: 0.08", "", "[shares.frame] missing field"),
    "pronoun of a diagnosis": (DIAGNOSIS, "pronoun ({pronoun})", "pronoun", "[en.overt] wrong placeholders; found none, expected"),
    "language of a diagnosis": (DIAGNOSIS, "zh:", "fr:", "[fr] unknown value; found 'fr', expected one of en, zh"),
    "place of a diagnosis": (DIAGNOSIS, "prompt: |\n", "prompt: |\n    {more}\n", "[en.prompt] wrong placeholders; found"),
    "place of a clause": (WSC_ZA, "clause-only: |\n", "clause-only: |\n      {more}\n", "[en.modes.clause-only] wrong placeholders; found"),
    "brace of a clause": (WSC_ZA, "clause-only: |\n", "clause-only: |\n      {clause\n", "[en.modes.clause-only] not a template ("),
    "pronoun of a prompt": (WSC_ZA, "({pronoun})", "({pronoun!r})", "[en.overt] wrong placeholders; found {pronoun!}, expected {pronoun}"),
    "letters of a prompt": (WSC_ZA, '[", ", " or "]', '[" or "]', "[en.joint] wrong value; found"),
}  # fmt: skip


def broken(value: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Yield copies of a document with one mistake each: a field unknown, a value of another kind, an entry twice."""
    if isinstance(value, dict):
        yield f"{at}: unknown field", value | {"weight": 3}
        for key in value:
            yield f"{at}.{key}: a number", value | {key: 9}
            yield f"{at}.{key}: nothing", value | {key: None}
            for mistake, entry in broken(value[key], f"{at}.{key}"):
                yield mistake, value | {key: entry}
    elif isinstance(value, list) and value:
        yield f"{at}: twice", [*value, value[0]]
        yield f"{at}: a number", [*value, 9]


def shortened(value: Any) -> Any:
    """Return a document with two entries of each list and of each long table."""
    if isinstance(value, dict):
        return {key: shortened(value[key]) for key in (list(value)[:2] if len(value) > 25 else value)}
    return [shortened(entry) for entry in value[:2]] if isinstance(value, list) else value


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Return a folder of rules with the word lists that a grammar reads."""
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "zh.yaml").write_text("kin: [爸, 妈]\n", encoding="utf-8")
    return tmp_path


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_every_table_is_tried() -> None:
    tables = {
        path.relative_to(RULES).as_posix() for path in RULES.glob("*/**/*.yaml") if path.parent.name not in OWN_TEST
    }
    assert {name for name in tables if not name.startswith("questions/")} | {"questions/zh.yaml"} == set(TABLES)


@pytest.mark.parametrize("name", TABLES)
def test_a_field_of_another_kind_is_told_with_its_line(name: str, copied: Path) -> None:
    document = json.loads(json.dumps(load_yaml(RULES / name)))
    if not name.startswith("answers/"):  # each of whose phrases is needed
        document = shortened(document)
    if "doubtful" in document:
        document["doubtful"] = document["surnames"]  # each is a name of another list
    if name.startswith("published/"):  # whose collections are alike
        document = dict(list(document.items())[:2])
    if "questions" in document:
        document["questions"] = [{"asks": ["谁"], "answered_by": ["他"]}]
    write(copied, name, json.dumps(document, ensure_ascii=False))
    TABLES[name](copied)
    for mistake, damaged in broken(document):
        path = write(copied, name, json.dumps(damaged, ensure_ascii=False))
        with pytest.raises(PipelineError) as caught:
            TABLES[name](copied)
            pytest.fail(f"{name}{mistake} is taken")
        assert caught.value.path == path, mistake
        assert caught.value.line == 1, mistake
        assert "\n" not in caught.value.reason, mistake


@pytest.mark.parametrize("mistake", SPECIAL)
def test_a_mistake_of_one_table_is_told_in_its_words(mistake: str, copied: Path) -> None:
    name, before, after, reason = SPECIAL[mistake]
    text = (RULES / name).read_text(encoding="utf-8")
    assert before in text
    path = write(copied, name, text.replace(before, after, 1))
    with pytest.raises(PipelineError) as caught:
        TABLES[name](copied)
    line = text[: text.index(before)].count("\n") + 1
    assert str(caught.value).startswith(f"{path}:{line}: {reason}")


def test_a_word_for_people_is_nobodys_name() -> None:
    people = yaml_values("validation/people.yaml", "zh") | yaml_values("variety/zh.yaml", "kin")
    assert {word for word in people if len(word) > 1 and person_of(word)} == set()


def yaml_values(table: str, field: str) -> set[str]:
    """Return the words of a field, which is a list or lists by name."""
    value = load_yaml(RULES / table)[field]
    return set(value) if isinstance(value, list) else {word for words in value.values() for word in words}
