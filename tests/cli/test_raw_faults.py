"""Faulty raw data are refused by the stages, with the file, the line and the item."""

from pathlib import Path

import pytest

from tests.support.building import SCHEMAS, first_schemas
from tests.support.commands import Run, winoforge

READ, SKIPPED = "build/zh/items.jsonl", "build/zh/skipped.jsonl"
#: The number of schemas that the stages read here.
FEW = 3


# zh-0001: 晚上写作业，只有一盏台灯，妹妹叫姐姐往旁边坐坐，不然[她]{看不清字|老挡着光}。
@pytest.mark.parametrize(
    ("sound", "fault", "status", "message"),
    [
        ("晚上写作业，", "晚上写作业,", 1, f"{READ}:1: [items/full-width-marks] 2 of 6: zh-0001-a, zh-0001-b; "),
        ("晚上写作业", "晚上写\u200b作业", 2, "[text] invisible character; found U+200B"),
        ("晚上写作业", "晚上寫作业", 1, f"{READ}:1: [items/simplified-script] 2 of 6: zh-0001-a, zh-0001-b; "),
        ("看不清字|老挡", "看\uf967清字|老挡", 2, "[text] not composed; found"),
        ("挡着光}。", "挡着光}", 1, f"{READ}:1: [items/finished-sentence] 2 of 6: zh-0001-a, zh-0001-b; "),
        ("question: 谁{看不清字", "question: 她{看不清字", 1, f"{READ}:1: [items/question-asks] 2 of 6: zh-0001-a, zh-0001-b; "),
        ("answers: [妹妹, 姐姐]", "answers: [妹妹, 妹妹]", 1, f"{READ}:1: [pairs/answers-flip] 1 of 3: zh-0001; "),
        ("answers: [妹妹, 姐姐]", "answers: [妹妹, 弟弟]", 1, "expected one of 妹妹, 姐姐 (line 7 of the source)"),
        ("- id: zh-0005", "- id: zh-0001", 2, "zh-0001"),
        ("{看不清字|老挡着光}", "{看不清字|老挡着光", 2, f"{SCHEMAS}:"),
    ],
)  # fmt: skip
def test_a_faulty_schema_is_refused(
    sound: str, fault: str, status: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / SCHEMAS).parent.mkdir(parents=True)
    schemas = first_schemas(FEW)
    assert sound in schemas
    (tmp_path / SCHEMAS).write_text(schemas.replace(sound, fault, 1), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    run = winoforge("ingest", SCHEMAS, "--format", "schema-yaml", "--out", READ, "--skipped", SKIPPED)
    for arguments in (("skipped", SKIPPED), ("items,pairs", READ)):
        if run.returncode == 0:
            run = winoforge("validate", *arguments)
    assert run.returncode == status
    assert message in run.stderr


# --- what people do to their files ------------------------------------------------------------------------------------

YAML = """- id: t-0001
  text: 老汤催小柳快走，因为[他]{怕迟到|走得慢}。
  question: 谁{怕迟到|走得慢}？
  candidates: [老汤, 小柳]
  answers: [老汤, 小柳]
  gloss: He {feared to be late|walked slowly}.
  kind: social
  role: subject
"""
XML = """<collection>
<schema><text><txt1>Tom called Ann because</txt1><pron>he</pron><txt2>was ill.</txt2></text><answers><answer>Tom</answer>
<answer>Ann</answer></answers><correctAnswer>A</correctAnswer></schema>
</collection>
"""
CLUE = '{"target": {"span2_index": 7, "span1_text": "老汤", "span2_text": "他"}, "label": "true", "text": "老汤快走了，因他急。"}\n'
XWINO = (
    'en\toriginal\t?\tTom called Ann as he ran.\t["Tom", "called", "Ann", "as", "he", "ran", "."]\t["he", [4, 5], ["he"]]'
    '\t[["Tom", [0, 1], ["Tom"], true], ["Ann", [2, 3], ["Ann"], false]]\n'
)
PWS = "idx\torig_id\tsentence_man\n1\t1\t老汤 走 了\n"
ENGLISH = """- id: t-0001
  text: Tom called Ann before [he]{ slept| woke}.
  question: Who{ slept| woke}?
  candidates: [Tom, Ann]
  answers: [Tom, Ann]
  kind: any kind
"""
#: The formats with a file that their reader takes, or would take with more columns.
SOUND = {"schema-yaml": YAML, "wsc-xml": XML, "cluewsc-jsonl": CLUE, "xwinograd-tsv": XWINO, "pws-tsv": PWS}
SAVE = "save the file as UTF-8"


def ingested(folder: Path, form: str, content: bytes, *options: str) -> Run:
    """Read a file; its messages call it `f`, and nothing is written if it is refused."""
    (folder / "f").write_bytes(content)
    run = winoforge("ingest", "f", "--format", form, "--out", "out", "--skipped", "skipped", *options, cwd=folder)
    assert (run.returncode < 2) == (folder / "out").exists() == (folder / "skipped").exists()
    assert run.returncode in (0, 1, 2)
    return run


@pytest.mark.parametrize(
    ("form", "sound", "fault", "message"),
    [
        ("schema-yaml", "[他]", "【他】", "f:2: [text] full-width bracket; found '【', expected '['"),
        ("schema-yaml", "{怕迟到|走得慢}。", "｛怕迟到｜走得慢｝。", "f:2: [text] full-width brace; found '｛', expected '{'"),
        ("schema-yaml", "怕迟到|", "怕迟到｜", "f:2: [text] full-width bar; found '｜', expected '|'"),
        ("schema-yaml", "answers: [老汤, 小柳]", "answers: [老汤，小柳]", "f:5: [answers] full-width comma; found '，'"),
        ("schema-yaml", "social", "sozial", "f:7: [kind] unknown kind; found 'sozial', expected one of physical,"),
        ("schema-yaml", "subject", "subjekt", "f:8: [role] unknown role; found 'subjekt', expected one of subject,"),
        ("schema-yaml", "t-0001", "1", "f:1: [id] wrong kind; found 1, expected text, in quotes if need be"),
        ("schema-yaml", "[老汤, 小柳]", "老汤, 小柳", "f:4: [candidates] wrong kind; found '老汤, 小柳', expected a list of texts"),
        ("schema-yaml", YAML, ENGLISH[: ENGLISH.index("  kind")], "f:2: [text] text without a Chinese character; found 'Tom"),
        ("schema-yaml", YAML, "# 没有\n", "f:1: [yaml] wrong kind; found nothing, expected a list of schemas"),
        ("wsc-xml", "called", "& called", "f:2: [xml] broken (not well-formed (invalid token), column 25); expected closed tags"),
        ("wsc-xml", "<coll", "<!DOCTYPE html><coll", "f:1: [xml] refused; found a document type (<!DOCTYPE …>), expected XML"),
        ("wsc-xml", XML, "{}", "f:1: [xml] not XML; found b'{}', expected <collection>"),
        ("cluewsc-jsonl", '"label": "true"', '"label": 1', "f:1: [label] not a truth value; found 1, expected true or false"),
        ("cluewsc-jsonl", '"label": "true", ', "", "f:1: [label] missing field; expected true or false"),
        ("cluewsc-jsonl", CLUE, "text,label\n", "f: [file] no record; expected one a row"),
        ("xwinograd-tsv", "\t", ",", "f:1: [columns] not tab-separated; found commas, expected tabs"),
        ("xwinograd-tsv", '["Tom"', '[Tom"', "f:1: [tokens] not JSON (Expecting value, column 2); found '[Tom\""),
        ("xwinograd-tsv", "\n", "\n\n", "f:2: [row] blank line; expected a row of 7 cells, or no line: language, kind,"),
        ("xwinograd-tsv", "\t?", "", "f:1: [row] wrong width; found 6 cells, expected 7: language, kind, translated"),
        ("xwinograd-tsv", "true", '"true"', "f:1: [solution] wrong kind; found '[[\"Tom\", [0, 1]"),
        ("pws-tsv", "sentence_man", "sentence", "f:1: [sentence_man] missing column; found 3 columns ('idx, orig_id, sent"),
    ],
)  # fmt: skip
def test_a_slip_is_named_at_its_line(form: str, sound: str, fault: str, message: str, tmp_path: Path) -> None:
    assert sound in SOUND[form]
    count = -1 if sound in ("\t", ", ") else 1  # every separator, but the first of other places
    run = ingested(tmp_path, form, SOUND[form].replace(sound, fault, count).encode())
    assert run.stderr.startswith(message)
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize("form", SOUND)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "f: [file] empty file; expected records in the format "),
        (b"\xef\xbb\xbf \n", "f: [file] empty file; expected records in the format "),
        (b"PK\x03\x04\x14\0\x06\0", "this is a zip archive, such as an Excel or Word file; export it"),
    ],
)
def test_a_file_without_text_is_called_so(form: str, content: bytes, message: str, tmp_path: Path) -> None:
    run = ingested(tmp_path, form, content)
    assert message in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize("form", sorted(SOUND.keys() - {"wsc-xml"}))
@pytest.mark.parametrize("encoding", ["gbk", "utf-16-le"])
def test_another_encoding_is_named(form: str, encoding: str, tmp_path: Path) -> None:
    run = ingested(tmp_path, form, f"{SOUND[form]}\n#: 它".encode(encoding))
    assert run.stderr.startswith("f:")
    assert SAVE in run.stderr
    assert ("iconv -f gb18030" if encoding == "gbk" else "iconv -f utf-16") in run.stderr


@pytest.mark.parametrize(
    ("form", "sound", "fault", "lines"),
    [
        ("schema-yaml", "[老汤, 小柳]\n  gloss", "[老汤, 老张]\n  gloss", ["f:5: [answer] t-0001-b: the right answer is none of the"]),
        ("schema-yaml", "[他]", "他", ["f:2: [text] t-0001-a, t-0001-b: one target is needed; found 0 in brackets"]),
        ("schema-yaml", "催小柳", "催[小柳]", ["f:2: [text] t-0001-a, t-0001-b: one target is needed; found 2 in brackets"]),
        ("schema-yaml", "s: [老汤, 小柳]\n  gl", "s: [老汤, 老汤]\n  gl", ["warning: 1 pair with the same answer twice: t-0001"]),
        ("schema-yaml", "催小柳", "催小刘", ["f:4: [candidates] t-0001-a, t-0001-b: a candidate does not occur in the text; "]),
        ("wsc-xml", "Answer>A", "Answer>C", ["f:2: [answer] wsc-001-a: unknown right answer; found 'C', expected one of A, B"]),
        ("cluewsc-jsonl", "7", "8", ["f:1: [target] cluewsc-0001-a: span2 is not where its index says;", "f:1: [candidates] "]),
        ("xwinograd-tsv", "[4, 5]", "[0, 1]", ["f:1: [target] xwinograd-en-0001-a: the target is no third-person pronoun; found 'Tom'"]),
    ],
)  # fmt: skip
def test_the_screen_says_why_a_record_is_skipped(
    form: str, sound: str, fault: str, lines: list[str], tmp_path: Path
) -> None:
    assert sound in SOUND[form]
    run = ingested(tmp_path, form, SOUND[form].replace(sound, fault, 1).encode())
    notes = run.stderr.splitlines()
    nothing = "[file] no item; " in run.stderr  # every record is skipped
    assert run.returncode == int(nothing) == int(run.stdout.split(": ")[1].startswith("0 items"))
    notes = notes[: len(notes) - nothing]
    assert len(notes) == len(lines)
    assert all(note.startswith(line) for note, line in zip(notes, lines, strict=True)), notes


def test_the_screen_shows_twenty_defects_and_counts_the_rest(tmp_path: Path) -> None:
    schemas = "".join(
        YAML.replace("t-0001", f"t-{number}")
        .replace("[他]", "他")
        .replace("催", f"{number}催")
        .replace("He", f"Run {number} he")
        for number in range(25)
    )
    run = ingested(tmp_path, "schema-yaml", schemas.encode())
    assert len(run.stderr.splitlines()) == 22
    assert "\nand 5 more in skipped\n" in run.stderr


def test_english_schemas_are_read_as_english(tmp_path: Path) -> None:
    run = ingested(tmp_path, "schema-yaml", ENGLISH.encode(), "--lang", "en", "--analysis", "analysis")
    assert run.stderr == ""
    assert "analysis: 2 items; any kind 2" in run.stdout
