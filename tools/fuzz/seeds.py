"""The files that the fuzzer changes: a few of our own schemas and templates, sentences of its own, and what the stages make of them."""

import bz2
import contextlib
import hashlib
import io
import json
import re
import shlex
import shutil
import zipfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from pipeline.cli import application
from pipeline.core.archives import encrypt
from pipeline.core.checksums import CHECKSUMS, checksums_of
from pipeline.core.files import tsv_text
from pipeline.core.model import Item, Span
from pipeline.core.records import write_items
from pipeline.core.rules import RULES
from pipeline.evaluation.diagnosis.errors import read_cases
from pipeline.evaluation.diagnosis.traces import case_ids
from pipeline.evaluation.items import released_items
from pipeline.experiment.analysis.page import ERROR_COLUMNS
from pipeline.experiment.browser.records import read_experiment, session_record
from pipeline.experiment.browser.results.tables import PARTICIPANT, RESPONSE
from pipeline.experiment.browser.store import Store
from pipeline.language.names import person_of
from pipeline.language.pronoun_classes import GENDERS
from pipeline.language.pronouns import pronoun_table
from pipeline.release.readings import COLUMNS, GAP_COLUMNS, digest
from pipeline.release.tables import parquet
from pipeline.studies.labelstudio.push import project_settings
from pipeline.studies.labelstudio.remote import OVERLAP
from pipeline.studies.model.design import read_design
from pipeline.studies.model.judgements import REMARK_COLUMNS, Answer, Judgement, write_judgements
from pipeline.studies.model.study import read_study
from pipeline.winograd.fillers import filler_to_json, read_fillers
from pipeline.winograd.modifications import marked
from pipeline.winograd.readers.patches import digest_of
from pipeline.winograd.translation.deepl import TranslationStore
from pipeline.winograd.translation.draft import DraftRow, draft_rows, write_draft
from pipeline.winograd.translation.texts import Options, item_parts, read_glossary
from pipeline.winopron.instances import read_instances
from pipeline.winopron.prompting import COLUMNS as ANSWER_COLUMNS
from pipeline.winopron.prompting import ModelAnswer, answer_rows, prompt_table, prompts_of
from pipeline.zero_pronouns.antecedents import COLUMNS as REFERENCE_COLUMNS
from pipeline.zero_pronouns.translation.details import COLUMNS as COLUMNS_OF_VERDICTS
from tests.support.annotators import results, simulated_answers
from tests.support.experiments import psychopy_rows, session_name, session_records, write_csv, write_experiment
from tests.support.passages import write_passages
from tests.support.small_cloze import small_cloze
from tests.support.studies import kites
from tests.support.traces import write_traces

from .readers import FOLDER
from .servers import WRITTEN, serving
from .targets import captured

_ROOT = Path(__file__).resolve().parents[2]
_LOCKS = "--parses parses/udpipe.conllu --parses parses/stanza.conllu"
_TEXT = "积雪压断了枯枝，因为它太沉了。"
_PWS = [
    "idx",
    "orig_id",
    "source_en",
    "sentence_man",
    "snippet_man",
    "answer1_man",
    "answer2_man",
    "correct_answer_man",
]
_PWS_ROW = ["7", "4", "us", "积雪 压断 了 枯枝 ， 因为 它 太 沉 了 。", "什么 太 沉 了 ？", "积雪", "枯枝", "积雪"]
_WSC = """<?xml version="1.0" encoding="UTF-8"?>
<collection>
<schema>
<text><txt1>The kettle fell on the cup because</txt1><pron>it</pron><txt2>was too heavy.</txt2></text>
<quote><quote1></quote1><pron>it</pron><quote2>was too heavy</quote2></quote>
<answers><answer>The kettle</answer><answer>the cup</answer></answers>
<correctAnswer>A.</correctAnswer>
<source>(us)</source>
</schema>
</collection>
"""
_WORDS = ["The", "kettle", "fell", "on", "the", "cup", "because", "it", "was", "heavy", "."]
_XWINOGRAD = [
    "en", "us", "-", "The kettle fell on the cup because it was heavy.", json.dumps(_WORDS),
    json.dumps(["it", [7, 8], ["it"]]),
    json.dumps([["The kettle", [0, 2], ["The", "kettle"], True], ["the cup", [4, 6], ["the", "cup"], False]]),
]  # fmt: skip
_CLUEWSC = [
    {
        "text": _TEXT,
        "target": {"span1_text": name, "span1_index": _TEXT.index(name), "span2_text": "它", "span2_index": 10},
        "label": label,
        "idx": number,
    }
    for number, (name, label) in enumerate((("积雪", "true"), ("枯枝", "false")))
]
_DUMP = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="zh">
  <siteinfo><sitename>Wikipedia</sitename><namespaces><namespace key="0" case="first-letter" /></namespaces></siteinfo>
  <page>
    <title>雪</title>
    <ns>0</ns>
    <id>7</id>
    <revision><id>70</id>
      <text bytes="9" xml:space="preserve">'''雪'''压断了[[树枝|枯枝]]。{{模板|甲=乙}}
&lt;ref&gt;注&lt;/ref&gt; -{zh-hans:里;zh-hant:裡}-</text>
    </revision>
  </page>
</mediawiki>
"""
_DAY = "zhwiki-20261101"
_TEMPLATES = [
    ["occupation(0)", "other-participant(1)", "answer", "pronoun_type", "template", "single_version"],
    ["baker", "guest", "0", "$NOM_PRONOUN", "The $OCCUPATION thanked the $PARTICIPANT because $NOM_PRONOUN was glad.",
     "The $OCCUPATION sang because $NOM_PRONOUN was glad."],
    ["baker", "guest", "1", "$NOM_PRONOUN", "The $OCCUPATION thanked the $PARTICIPANT because $NOM_PRONOUN was kind.",
     "The $PARTICIPANT sang because $NOM_PRONOUN was glad."],
]  # fmt: skip
_PREDICTIONS = [
    ["occupation", "participant", "pronoun", "pronoun_type", "answer", "generation", "prompt", "options"],
    ["baker", "guest", "he", "$NOM_PRONOUN", "baker", "the baker", "0", "none"],
    ["baker", "guest", "he", "$NOM_PRONOUN", "baker", "guest", "0", "baker first"],
    ["baker", "guest", "she", "$NOM_PRONOUN", "guest", "both", "0", "none"],
]
_VERDICTS = [
    list(COLUMNS_OF_VERDICTS),
    ["0", "0", "<他>_S", "he", "0", "he", "1"],
    ["0", "2", "<你们的>_Pa", "yours", "[1, 2]", "['said', \"it's\"]", "-1"],
]
_SOURCES = "".join(
    f'[{name}]\ntitle = "Test"\norigin = "ours"\nlicence = "CC-BY-4.0"\nfile = "{file}"\ncanary = "canary {name}"\n{more}'
    for name, file, more in (
        ("zh", "schemas.yaml", 'reading = "reading.tsv"\n'),
        ("en", "templates.yaml", ""),
        ("de", "german.yaml", 'reading = "german.tsv"\nfillers = "fillers.yaml"\n'),
    )
)
_DESIGN = """id: kites
title: 零指代理解
lang: zh
source: items
records: zh/zero.jsonl
config: kites.xml
guideline: kites.md
practice: kites.yaml
seed: 7
show: {text: text_zero, options: candidates, right: right, wrong: wrong, why: explanation}
controls:
  reference: {kind: candidate}
  naturalness: {kind: rating, low: 1, high: 5}
  verdict: {kind: choice, choices: [keep, drop], required: false}
  comment: {kind: text, required: false}
lists: {scheme: all}
criteria: {practice: 0.5, fast_s: 1}
"""
_CONFIG = """<View>
  <Text name="text" value="$text"/>
  <Choices name="reference" toName="text" value="$options" choice="single" required="true"/>
  <Choices name="naturalness" toName="text" choice="single" required="true">
    <Choice value="1"/><Choice value="2"/><Choice value="3"/><Choice value="4"/><Choice value="5"/>
  </Choices>
  <Choices name="verdict" toName="text" choice="single">
    <Choice value="留下" alias="keep"/><Choice value="删去" alias="drop"/>
  </Choices>
  <TextArea name="comment" toName="text"/>
</View>
"""
_PRACTICE = """- {id: p-1, text: '阿菊把风筝递给小舟，[她]正空着手。', candidates: [阿菊, 小舟], answer: 1, explanation: 空手才接得住。}
"""


_CODING = """id: coding
title: Error types
lang: zh
source: traces
records: traces.jsonl
config: coding.xml
guideline: coding.md
seed: 1
show: {text: text_zero, right: right, trace: trace}
controls:
  types:
    kind: choices
    choices: [surface-cue, semantic-role, commonsense, topic-chain, connective, long-distance, syntactic, none]
lists: {scheme: all}
"""
_LABELLING = """id: labelling
title: 零代词标注
lang: zh
source: sentences
records: passages/zp
config: labelling.xml
guideline: lines.md
seed: 1
show: {context: context, text: text, reference: reference}
controls:
  labelled: {kind: labelled, required: false}
lists: {scheme: sections, count: 2, common: 2}
"""
_LABELLING_CONFIG = """<View>
  <Text name="text" value="$text"/>
  <TextArea name="labelled" toName="text" value="$text"/>
</View>
"""
_RATING = """id: rating
title: 译文评分
lang: zh
source: translations
records: passages/zp
select: with-zero
config: rating.xml
guideline: lines.md
screen: 3
seed: 1
show: {text: oracle, translation: translation}
controls:
  score: {kind: rating}
lists: {scheme: rotated, count: 2, size: 4}
"""
_RATING_CONFIG = """<View>
  {%- for n in range(1, screen + 1) %}
  <Text name="translation_{{ n }}" value="$translation_{{ n }}"/>
  <Choices name="score-{{ n }}" toName="translation_{{ n }}" choice="single" required="true">
    <Choice value="1"/><Choice value="2"/><Choice value="3"/><Choice value="4"/><Choice value="5"/>
  </Choices>
  {%- endfor %}
</View>
"""


def write_seeds(folder: Path) -> None:
    """Write all seeds into a folder; takes some seconds."""
    with contextlib.chdir(folder):
        _write_samples()
        _write_collection()
        _write_templates()
        _write_predictions()
        _write_study()
        _write_form()
        _write_passages()
        _write_coding()
        _write_gaps()
        _write_experiment()
        _write_servers()
        _write_translation()
        _write_tables()


def _write(name: str, content: str | bytes) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def _table(rows: Iterable[Iterable[str]]) -> str:
    return "".join("\t".join(row) + "\n" for row in rows)


def _lines(rows: Iterable[Any]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _read(name: str) -> list[Any]:
    return [json.loads(line) for line in Path(name).read_text(encoding="utf-8").splitlines()]


def _command(words: str) -> None:
    arguments = shlex.split(words)
    with captured():
        status = application(arguments)(arguments, prog_name="winoforge", standalone_mode=False)
    if status:
        raise ValueError(f"exit status {status} of winoforge {words}")


def _write_samples() -> None:
    _write("pws.tsv", _table([_PWS, _PWS_ROW]))
    patches = [
        ("7", "sentence_man", "20", "1", digest_of(_PWS_ROW[3]), "重", "a word"),
        ("7", "snippet_man", "5", "1", digest_of(_PWS_ROW[4]), "重", "so"),
    ]
    _write("patches.tsv", _table([("id", "field", "offset", "length", "digest", "value", "reason"), *patches]))
    _write("wsc.xml", _WSC)
    _write("xwinograd.tsv", _table([_XWINOGRAD]))
    _write("cluewsc.jsonl", _lines(_CLUEWSC))
    _write("words.txt", "枯枝\n压断\n")
    _write("prose.jsonl", _lines([{"text": _TEXT}, {"text": "奖杯放不进箱子。"}]))
    _write("prose.parquet", parquet([{"text": _TEXT}, {"text": "奖杯"}], Path("prose.parquet")))
    _write("dump.xml", _DUMP)
    _write("dump.xml.bz2", bz2.compress(_DUMP.encode()))
    _write("SOURCES.toml", _SOURCES)
    shutil.copytree(_ROOT / "raw" / "licences", "licences")
    head, page = _DUMP.find("  <page>"), _DUMP.find("</mediawiki>")
    streams = [bz2.compress(part.encode()) for part in (_DUMP[:head], _DUMP[head:page], _DUMP[page:])]
    packed = {
        f"{_DAY}-pages-articles-multistream.xml.bz2": b"".join(streams),
        f"{_DAY}-pages-articles-multistream-index.txt.bz2": bz2.compress(f"{len(streams[0])}:7:雪\n".encode()),
    }
    for name, data in packed.items():
        _write(f"dumps/{name}", data)
    sums = (f"{hashlib.sha1(data, usedforsecurity=False).hexdigest()}  {name}\n" for name, data in packed.items())
    _write(f"dumps/{_DAY}-sha1sums.txt", "".join(sums))
    shutil.copytree("dumps", "fetched")


def _write_collection() -> None:
    """Run the stages on the first schemas, the first one about people with names and that of the first modification."""
    raw = _ROOT / "raw" / "zh"
    _, *entries = (raw / "schemas.yaml").read_text(encoding="utf-8").split("\n- ")
    _, *changes = (raw / "modifications.yaml").read_text(encoding="utf-8").split("\n- ")
    schema = changes[0].split("\n")[0].removeprefix("id: ")[:-2]
    named = next(
        entry for entry in entries if any(map(person_of, re.findall(r"\w+", entry.partition("candidates:")[2])[:2]))
    )
    modified = (entry for entry in entries if entry.startswith(f"id: {schema}\n"))
    chosen = dict.fromkeys([*entries[:2], named, *modified])  # each once, in the order of the file
    _write("schemas.yaml", "".join(f"- {entry}\n" for entry in chosen))
    _, *german = (raw.parent / "de" / "schemas.yaml").read_text(encoding="utf-8").split("\n- ")
    _write("german.yaml", "".join(f"- {entry}\n" for entry in german[:2]))
    _write_german(raw.parent / "de")
    _write("modifications.yaml", "".join(f"- {change}\n" for change in changes[:2]))
    _command("ingest schemas.yaml --format schema-yaml --out zh/items.jsonl --skipped zh/skipped.jsonl "
             "--analysis zh/analysis.jsonl --terms zh/terms.txt")  # fmt: skip
    items = _read("zh/items.jsonl")
    names = [item["id"] for item in items]
    texts = {item["text"] for item in items}
    for _ in range(2):  # the second time with the trees of these sentences only
        for parser in ("udpipe", "stanza"):
            source = Path(f"parses/{parser}.conllu")
            text = (source if source.exists() else raw / source).read_text(encoding="utf-8")
            trees = [tree for tree in text.split("\n\n") if len(texts) == len(items) or _text_of(tree) in texts]
            _write(source.as_posix(), "\n\n".join(trees).strip() + "\n\n")
        _command(f"exclude zh/items.jsonl --skipped zh/skipped.jsonl {_LOCKS} --kept zh/kept.jsonl --rejected zh/rejected.jsonl "
                 "--decisions zh/decisions.jsonl")  # fmt: skip
        _command(f"modify zh/kept.jsonl --rejected zh/rejected.jsonl --modifications modifications.yaml {_LOCKS} "
                 "--out zh/modified.jsonl --rejected-out zh/modified-rejected.jsonl --ledger zh/modifications.jsonl")  # fmt: skip
        texts |= {item["text"] for item in _read("zh/modified.jsonl")}
    item = _read("zh/modified.jsonl")[0]
    text = marked(item["text"], Span(item["target"]["start"], item["target"]["end"]))
    decision = (item["id"], "keep", "", "kept", text, item["candidates"][item["answer"]], "s", "2 of 3", "")
    columns = ("item", "action", "value", "state", "text", "answer", "study", "votes", "reason")
    _write("decisions.tsv", _table([columns, decision]))
    _command("annotate apply zh/modified.jsonl --rejected zh/modified-rejected.jsonl --decisions decisions.tsv "
             "--out zh/adjudicated.jsonl --rejected-out zh/adjudicated-rejected.jsonl --ledger zh/adjudications.jsonl")  # fmt: skip
    _write("targets.tsv", _table([("id", "start", "end", "form", "next", "reason")]))
    _write("tokens.tsv", _table([("item", "tokens", "note"), (items[0]["id"], " ".join(items[0]["text"]), "")]))
    _write("gold.tsv", _table([("id", "class", "start", "end"), *((name, "keep", "", "") for name in names)]))
    _write("gold-patched.tsv", _table([("id", "class", "start", "end"), (names[0], "defect", "", "")]))
    _command("zero zh/adjudicated.jsonl --out zh/zero.jsonl")
    _command("variants zh/adjudicated.jsonl --out zh/variants --analysis zh/analysis.jsonl "
             "--modifications zh/modifications.jsonl --adjudications zh/adjudications.jsonl")  # fmt: skip
    _write("prose.txt", f"{_TEXT}\n{Path('zh/terms.txt').read_text(encoding='utf-8')}".replace("\n", "，") + "\n")
    _command(
        "corpus count prose.txt --format text --terms zh/terms.txt --window 10 --workers 1 --out zh/association/counts.jsonl"
    )
    _command(
        "corpus count prose.txt --format text --terms words.txt --window 10 --workers 1 --resume state --out words.jsonl"
    )
    (state,) = Path("state").iterdir()
    state.rename("state.json")
    _command("pmi zh/items.jsonl --terms zh/analysis.jsonl --counts zh/association/counts.jsonl --out zh/association/pmi.jsonl "
             "--report report.html --options zh/association/options.json")  # fmt: skip
    zeros = {row["id"]: digest(row["text_dropped"]) for row in _read("zh/zero.jsonl")}
    before = {row["id"]: row["text"] for row in _read("zh/modified.jsonl")}
    _write("reading.tsv", _table([COLUMNS, *(
        (item["id"], digest(before.get(item["id"], item["text"])), zeros.get(item["id"], ""), reader,
         item["candidates"][item["answer"]], "5", "5",
         "5" if item["id"] in zeros else "", "ok", "")
        for item in items
        for reader in ("us", "them")
    )]))  # fmt: skip


def _write_german(raw: Path) -> None:
    """Build and release the cloze items of german.yaml, with a filler."""
    _, filler, *_ = (raw / "fillers.yaml").read_text(encoding="utf-8").split("\n- ")
    _write("fillers.yaml", f"- {filler}\n")
    _write(
        "de/fillers.jsonl", _lines(filler_to_json(filler, "de") for filler in read_fillers(Path("fillers.yaml"), "de"))
    )
    _command("ingest german.yaml --format schema-yaml --lang de --out de/items.jsonl --skipped de/skipped.jsonl "
             "--analysis de/analysis.jsonl --cloze de/cloze.jsonl")  # fmt: skip
    _command("variants de/items.jsonl --out de/variants --analysis de/analysis.jsonl")
    readings = [
        (
            item["id"],
            digest(item["text"]),
            reader,
            item["text"][item["target"]["start"] : item["target"]["end"]],
            "5",
            "4",
            "",
            "",
        )
        for item in _read("de/items.jsonl")
        for reader in ("us", "them")
    ]
    _write("german.tsv", _table([GAP_COLUMNS, *readings]))
    _command("release de --out german --sources SOURCES.toml --licences licences")


def _text_of(tree: str) -> str:
    return next((line.removeprefix("# text = ") for line in tree.split("\n") if line.startswith("# text = ")), "")


def _write_templates() -> None:
    _, *entries = (_ROOT / "raw" / "en" / "templates.yaml").read_text(encoding="utf-8").split("\n- ")
    _write("templates.yaml", f"- {entries[0]}\n")
    _write("templates.tsv", _table(_TEMPLATES))
    with io.BytesIO() as sink:
        with zipfile.ZipFile(sink, "w", zipfile.ZIP_STORED) as archive:  # stored, so that changes reach the table
            archive.writestr(zipfile.ZipInfo("templates.tsv"), _table(_TEMPLATES))
        _write("templates.zip", sink.getvalue())
    _command("instantiate templates.yaml --out en")
    sentences = [row["id"] for row in _read("en/double.jsonl")]
    _write("answers.jsonl", _lines({"id": name, "answer": "technician"} for name in sentences[:3]))
    _write("answers2.tsv", _table([("id", "answer"), *((name, "customer") for name in sentences[:3])]))
    _write("predictions.tsv", _table(_PREDICTIONS))
    _write("labelled.zh", "[doc]\n<他>_S说<我的>_Pa雪化了。\n没有。\n")
    _write("labelled.en", "[doc]\nHe said that my snow had melted.\nNo.\n")
    for folder in ("", "labels/a/"):
        _write(f"texts/{folder}talk.zh", "[doc]\n我妈来了。\n<她>_S说<我的>_Pa雪化了。\n没有。\n")
    _write("texts/talk.en", "[doc]\nMy mother came.\nShe said that my snow had melted.\nNo.\n")
    _write(
        "texts/antecedents/talk.tsv",
        _table([REFERENCE_COLUMNS, ("3", "1", "2", "我妈", "1", "anaphoric"), ("3", "2", "2", "我", "1", "anaphoric")]),
    )
    _write("texts/alignment/old/talk.align", "0-0\n0-0\n0-0\n")
    _write("texts/systems/faults/talk.tsv", _table([("system", "line", "zero", "fault"), ("old", "3", "1", "omitted")]))
    _write("texts/systems/old/talk.en", "[doc]\nMy mother came.\nSay the snow melted.\nNo.\n")
    _write("profile.zh", "[doc]\n李小丽1998年进青山大学，<她>_S发表论文3篇。\n[doc]\n李老师说李小丽2004年来。\n")
    _write(
        "profile.en",
        "[doc]\nLi Xiaoli entered Qingshan University in 1998; she has 3 papers.\n[doc]\nLi said Xiaoli Li came in 2004.\n",
    )
    _write(
        "names.tsv",
        _table(
            [
                ("genre", "kind", "zh", "en"),
                ("profiles", "person", "李小丽", "Li Xiaoli"),
                ("profiles", "university", "青山大学", "Qingshan University"),
            ]
        ),
    )
    _write("mt.en", "[doc]\nSaid that the snow had melted.\nNo.\n")
    _command("zp parse texts/talk.zh --antecedents texts/antecedents --items zh/zero.jsonl --lock zp.conllu")
    _write("system.details", _table(_VERDICTS))
    _write("tokens.zh", "[doc]\n<他>_S 说 <我的>_Pa 雪 化 了 。\n没有 。\n")
    _write("tokens.en", "[doc]\nhe said that my snow had melted .\nno .\n")
    _write("recovered.zh", "[doc]\n<他>_S说<它>_O雪化了。\n<我>_S没有。\n")
    _write("gold.align", "\n0-0 1p1 3-4 4-6 6-7\n\n")
    _write("tokens.align", "\n0-0 1-1 3-4 4-6 6-7\n0-0 1-1\n")
    words = sorted({word for row in _read("en/single.jsonl") for word in re.findall(r"\w+|[^\w\s]", row["text"])})
    _write("vocabulary.txt", "".join(f"{word}\n" for word in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words)))
    _write("en/few.jsonl", _lines(_read("en/single.jsonl")[:3]))
    _write_answers()
    for system, clusters in (
        ("caw-coref", "span_clusters"),
        ("lingmess", "clusters"),
        ("spanbert", "predicted_clusters"),
    ):
        vocabulary = "--vocabulary vocabulary.txt" if system == "spanbert" else ""
        _command(f"winopron export en/single.jsonl --format {system} {vocabulary} --out {system}.jsonl")
        _write(f"{system}.jsonl", _lines(row | {clusters: [[[0, 2], [3, 4]]]} for row in _read(f"{system}.jsonl")))
    _command("release zh en --out release --sources SOURCES.toml --licences licences")
    _command(f"manifest release {_LOCKS} --out MANIFEST.json")
    files = {"README.md": b"# Card\n", "data/zh.jsonl": b"{}\n"}
    archived = {f"zh/{file}": data for file, data in files.items()}
    _write("release.zip", encrypt(archived | {f"zh/{CHECKSUMS}": checksums_of(files).encode()}, "open"))


def _write_answers() -> None:
    """Write what a model answers to the prompts of `winopron ask`, and a server's reply to any prompt."""
    answers = [
        ModelAnswer(sentence, prompt, f"- {sentence.antecedent}\nThe", 30, 5)
        for sentence in read_instances(Path("en/few.jsonl"))
        for prompt in prompts_of(sentence, prompt_table(), pronoun_table("en"), [0])
    ]
    rows = list(answer_rows(answers, pronoun_table("en"), model="none/none", settings="temperature 0"))
    for table in ("asked.tsv", "single/asked.tsv", "winogender/asked.tsv"):
        _write(table, tsv_text(ANSWER_COLUMNS, rows))
    message = {"index": 0, "message": {"role": "assistant", "content": "答案：A"}, "finish_reason": "stop"}
    reply = {"id": "x", "object": "chat.completion", "created": 0, "model": "b", "choices": [message]}
    usage = {"prompt_tokens": 90, "completion_tokens": 3, "total_tokens": 93}
    _write(f"chat/{WRITTEN}", json.dumps(reply | {"usage": usage}))


def _write_predictions() -> None:
    items = _read("release/zh/data/zh.jsonl")
    conditions = [
        ("a", "zero", "as written"),
        ("a", "zero", "swapped"),
        ("a", "overt", "as written"),
        ("b", "zero", "as written"),
    ]
    answers = ("答案：A", "Ｂ", "两者都有可能", "A. 甲\nB. 乙", "<think>甲")
    _write("systems.jsonl", _lines(
        {"id": item["id"], "model": model, "mode": "zero-shot", "form": form, "order": order, "answer": answers[number % len(answers)],
         "prompt": f"{item['text']}？", "prompt_tokens": 9, "answer_tokens": 2, "scores": [-1.5, -1.5]}
        for model, form, order in conditions for number, item in enumerate(items)
    ))  # fmt: skip
    sentences = _read("release/en/data/double.jsonl")
    _write("pronouns.jsonl", _lines(
        {"id": item["id"], "model": "a", "mode": "m", "answer": item["candidates"][0]} for item in sentences
    ))  # fmt: skip
    _write("samples.jsonl", _lines([
        {"doc": {"id": "a"}, "filter": "none", "filtered_resps": [["-2.5", "False"], ["-1.5", "True"]]},
        {"doc": {"item": "b", "form": "overt"}, "filter": "none", "filtered_resps": [" A"]},
    ]))  # fmt: skip
    samples = [
        {"id": "a", "epoch": 1, "output": {"completion": "A"}, "metadata": {"order": "swapped"}},
        {"id": "b", "error": {}},
    ]
    _write("inspect.json", _lines([{"version": 2, "eval": {"task": "zh", "model": "a"}, "samples": samples}]))
    levels = [
        ("item", "accuracy", "raters"),
        *((item["id"], f"0.{number % 10}5", "4") for number, item in enumerate(items)),
    ]
    _write("people.tsv", _table(levels))
    judged = [
        ("item", "raters", "ratings", "mean", "rating_level", "answers", "right", "accuracy_level"),
        *((item["id"], "2", "2 5", "3.5000", "moderate", "2", "1", "hard") for item in items),
    ]
    _write("judged/items.tsv", _table(judged))
    _write_cloze()
    _write_materials()


def _write_cloze() -> None:
    text = "Die Trompete übertönte das Klavier. ___ war einfach zu {}."
    antecedents = [{"text": "Die Trompete", "gender": "fem"}, {"text": "das Klavier", "gender": "neut"}]
    items = [
        {"id": f"de-{version}", "schema": "de", "lang": "de", "text": text.format(word), "antecedents": antecedents, "gold": gold,
         "pronoun": pronoun, "version": version, "source": "music"}
        for gold, (version, word, pronoun) in enumerate([("a", "laut", "Sie"), ("b", "leise", "Es")])
    ]  # fmt: skip
    _write("cloze.jsonl", _lines(items))
    classes = {"masc": 0.1, "fem": 0.5, "neut": 0.2}
    answer = {"prediction": "fem", "correct": True, "confidence": 0.5, "target": 0.5}
    measures = {
        "pron": answer | {"classes": classes},
        "top10": answer | {"prediction": "other", "classes": classes | {"other": 0.2}},
    }
    _write("cloze-results.jsonl", _lines(
        {"id": item["id"], "model": "a", "mode": "cloze", "answer": "Die Trompete", "measures": measures} for item in items
    ))  # fmt: skip
    _write_results([f"de-{version}" for version in "ab"])


def _write_results(items: list[str]) -> None:
    people = [f"p{number:03d}" for number in range(1, 5)]
    _write("answers/participants.tsv", _table([
        PARTICIPANT, *((name, "1", "de", "", "30", "", "no", "yes", "1", "1", "0") for name in people),
    ]))  # fmt: skip
    _write("answers/responses.tsv", _table([
        RESPONSE,
        *((name, "1", str(place), item, "item", ("sie", "es")[(number + place) % 3 == 0], str(number % 5 + 1), str(2500 + 100 * number),
           "900", "keyboard") for number, name in enumerate(people) for place, item in enumerate(items, 1)),
    ]))  # fmt: skip
    _write("answers/errors.tsv", _table([ERROR_COLUMNS, (items[0], "sie", "es", "es 3, sie 1", "a text", "situation")]))
    _write("criteria.yaml", "completed: true\nattention: 0.5\nfast_ms: 300\n")


def _write_materials() -> None:
    sentences = [
        (
            "Die Geige übertönte das Klavier. ___ war zu {}.",
            ["laut", "leise"],
            [("Die Geige", "fem"), ("das Klavier", "neut")],
        ),
        (
            "Die Katze fauchte den Hund an, bis ___ {}.",
            ["müde wurde", "davonlief"],
            [("Die Katze", "fem"), ("den Hund", "masc")],
        ),
    ]
    pronouns = {"masc": "er", "fem": "sie", "neut": "es"}
    items = [
        {"id": f"de-{number}-{'ab'[gold]}", "schema": f"de-{number}", "lang": "de", "text": text.format(words[gold]),
         "antecedents": [{"text": phrase, "gender": gender} for phrase, gender in antecedents], "gold": gold,
         "pronoun": pronouns[antecedents[gold][1]].capitalize() if ". _" in text else pronouns[antecedents[gold][1]], "register": "music"}
        for number, (text, words, antecedents) in enumerate(sentences)
        for gold in (0, 1)
    ]  # fmt: skip
    _write("german/cloze.jsonl", _lines(items))
    _write("german/fillers.yaml", (_ROOT / "raw" / "de" / "fillers.yaml").read_text(encoding="utf-8"))
    design = (_ROOT / "raw" / "de" / "experiment.yaml").read_text(encoding="utf-8")
    _write("german/design.yaml", design.replace("items: 10\n", "items: 2\n").replace("fillers: 15\n", "fillers: 6\n"))
    _write("german/jspsych/package.json", '{"name": "jspsych", "version": "8.3.0"}\n')
    _write("german/jspsych/dist/index.browser.min.js", "var jsPsychModule = {};\n")
    _command(
        "experiment build german/cloze.jsonl --fillers german/fillers.yaml --design german/design.yaml "
        "--jspsych german/jspsych --out german/experiment"
    )


def _write_form() -> None:
    """Write the form of our studies, and what a rater of the study answers to it."""
    named = ("designs/background.yaml", "configs/background.xml", "guidelines/background.md", "forms/zh.yaml")
    for name in (*named, "configs/style.css"):
        text = (_ROOT / "annotation" / name).read_text(encoding="utf-8")
        _write(f"form/annotation/{name}", text.replace("records: annotation", "records: form/annotation"))
    _command("annotate design form/annotation/designs/background.yaml --out background")
    answers = {"consent": "agree", "language": "mandarin", "region": "north", "age": "25-34", "education": "not-stated"}
    _write("background/judgements.jsonl", _lines(
        {"study": "background", "list": "1", "task": "background/1/001", "item": "form", "phase": "main", "rater": rater,
         "answers": answers, "lead_time": 60.0, "skipped": False}
        for rater in ("r1", "r2")
    ))  # fmt: skip


def _write_study() -> None:
    for name, content in {
        "designs/kites.yaml": _DESIGN,
        "configs/kites.xml": _CONFIG,
        "guidelines/kites.md": "# 风筝\n\n选出 **Ø** 指谁。\n",
        "practice/kites.yaml": _PRACTICE,
    }.items():
        _write(f"annotation/{name}", content)
    again = _DESIGN.replace("id: kites", "id: again").replace("seed: 7\n", "seed: 7\nselect: disagreements\n")
    again = again.replace("choices: [keep, drop]", "choices: [withdraw, explain]").replace("kites.xml", "again.xml")
    _write("annotation/designs/again.yaml", again.replace("lists: {scheme: all}", "lists: {scheme: raters}"))
    _write("annotation/configs/again.xml", _CONFIG.replace('"keep"', '"withdraw"').replace('"drop"', '"explain"'))
    explained = _DESIGN.replace("id: kites", "id: explained").replace("seed: 7\n", "seed: 7\nselect: explained\n")
    _write(
        "annotation/designs/explained.yaml",
        explained.replace("why: explanation", "why: doubt, mate: mate, edit: bracketed"),
    )
    follows = _DESIGN.replace("id: kites", "id: follows").replace("seed: 7\n", "seed: 7\nselect: with-hypothesis\n")
    follows = follows.replace("text: text_zero", "text: text").replace("options: candidates", "options: hypothesis")
    follows = follows.replace("  reference: {kind: candidate}\n", "").replace("kites.xml", "follows.xml")
    _write("annotation/designs/follows.yaml", follows)
    lines = _CONFIG.splitlines(keepends=True)
    _write("annotation/configs/follows.xml", "".join(line for line in lines if "reference" not in line))
    _command("annotate design annotation/designs/kites.yaml --out study")
    answers = {"reference": 0, "naturalness": 4, "verdict": "keep", "comment": "好"}
    _write("judgements.jsonl", _lines(
        {"study": "kites", "list": task["list"], "task": task["key"], "item": name, "phase": task["phase"], "rater": rater,
         "answers": answers | {"reference": number}, "lead_time": 3.5, "skipped": False}
        for task in _read("study/tasks.jsonl") for name in task["items"] for number, rater in enumerate(("r1", "r2"))
    ))  # fmt: skip
    _command("annotate design annotation/designs/again.yaml --judgements judgements.jsonl --out verified")
    study, tasks = read_study(Path("verified"))
    verdict: dict[str, Answer] = {"reference": 0, "naturalness": 4, "verdict": "explain", "comment": "两可"}
    write_judgements(Path("verified/judgements.jsonl"), [
        Judgement(study=study.id, list=task.list, task=task.key, item=item, phase=task.phase, rater=task.list, answers=verdict,
                  lead_time=3.5)
        for task in tasks for item in task.items
    ])  # fmt: skip
    for name, source in (
        ("study.json", "study/study.json"),
        ("tasks.jsonl", "study/tasks.jsonl"),
        ("judgements.jsonl", "judgements.jsonl"),
    ):
        _write(f"exports/kites/{name}", Path(source).read_text(encoding="utf-8"))


def _write_coding() -> None:
    """Write errors, what a model replies about them, traces, Table 8, a study in which two people code them, and what they agreed on."""
    _command("evaluate errors release/zh --predictions systems.jsonl --rule any --out errors.jsonl")
    items = {
        entry.item.id: entry
        for entry in released_items(enumerate(_read("release/zh/data/zh.jsonl"), 1), Path("zh.jsonl"))
    }
    cases = read_cases(Path("errors.jsonl"), items)
    names = case_ids(cases)
    replies = [f"1. A or B?\n2. Correct answer (A/B): {'AB'[number % 2]}\n3. So." for number in range(len(cases))]
    _write(
        "diagnoses.jsonl",
        _lines({"id": name, "text": reply} for name, reply in zip(names, replies, strict=True)),
    )
    write_traces(Path("traces.jsonl"), map(kites, range(4)))
    _command("evaluate codes traces.jsonl --simulate 0 --resamples 5 --out table8")
    _write("coders/annotation/designs/coding.yaml", _CODING)
    choices = "".join(
        f'<Choice value="{code}"/>'
        for code in read_design(Path("coders/annotation/designs/coding.yaml")).controls[0].choices
    )
    control = f'<Choices name="types" toName="trace" choice="multiple" required="true">{choices}</Choices>'
    shown = "".join(f'<Text name="{name}" value="${name}"/>' for name in ("text", "right", "trace"))
    _write("coders/annotation/configs/coding.xml", f"<View>{shown}{control}</View>\n")
    _write("coders/annotation/guidelines/coding.md", "# Types\n\nRead.\n")
    _command("annotate design coders/annotation/designs/coding.yaml --out coding")
    study, tasks = read_study(Path("coding"))
    random = Random(1)
    write_judgements(Path("coding.jsonl"), [
        Judgement(study=study.id, list=task.list, task=task.key, item=item, phase=task.phase, rater=rater, answers=answers,
                  lead_time=3.5)
        for task in tasks for rater in ("r1", "r2")
        for item, answers in zip(task.items, simulated_answers(study, task, 0, random), strict=True)
    ])  # fmt: skip
    rows = ((item, "surface-cue topic-chain") for task in tasks for item in task.items)
    _write("reconcile.tsv", _table([("id", "codes"), *rows]))


def _write_passages() -> None:
    """Write sentences of running text with translations, a study in which they are labelled, and one that rates the translations."""
    write_passages(Path("passages/zp"), genres=2)
    random = Random(1)
    for name, design, config in (("labelling", _LABELLING, _LABELLING_CONFIG), ("rating", _RATING, _RATING_CONFIG)):
        _write(f"passages/annotation/designs/{name}.yaml", design)
        _write(f"passages/annotation/configs/{name}.xml", config)
        _write("passages/annotation/guidelines/lines.md", "# 句子\n\n读每一句。\n")
        _command(f"annotate design passages/annotation/designs/{name}.yaml --out {name}")
        study, tasks = read_study(Path(name))
        judgements = [
            Judgement(study=study.id, list=task.list, task=task.key, item=item, phase=task.phase, rater=rater, answers=answers,
                      lead_time=3.5)
            for task in tasks for rater in ("r1", "r2")
            for item, answers in zip(task.items, simulated_answers(study, task, 0, random), strict=True)
        ]  # fmt: skip
        write_judgements(Path(f"{name}.jsonl"), judgements)


def _write_gaps() -> None:
    """Write the design of a small cloze study, the study, and what two people answered."""
    design = small_cloze(Path("gaps"), _ROOT) / "annotation" / "designs" / "cloze.yaml"
    text = design.read_text(encoding="utf-8")
    _write(design.as_posix(), re.sub("^(records|fillers|experiment): ", r"\1: gaps/", text, flags=re.M))
    _command(f"annotate design {design} --out gap-study")
    study, tasks = read_study(Path("gap-study"))
    random = Random(1)
    write_judgements(Path("gaps.jsonl"), [
        Judgement(study=study.id, list=task.list, task=task.key, item=item, phase=task.phase, rater=rater, answers=answers,
                  lead_time=3.5)
        for task in tasks for rater in ("r1", "r2")
        for item, answers in zip(task.items, simulated_answers(study, task, 0, random), strict=True)
    ])  # fmt: skip


def _write_translation() -> None:
    """Write an English item, its translation in a cache and from a server of DeepL, and a draft that somebody has reviewed."""
    item = Item(
        id="en-1-a", schema="en-1", version="a", lang="en", text="The kettle fell because it was heavy.", target=Span(24, 26),
        candidates=("The kettle",), answer=0,
    )  # fmt: skip
    write_items(Path("english.jsonl"), [item])
    _write("terms.tsv", "kettle\tKessel\n")
    options = Options("EN", "DE", "default", read_glossary(Path("terms.tsv")).identity)
    answer = {"text": "Der Kessel", "detected_source_language": "EN", "billed_characters": 10}
    with TranslationStore(Path("translated")) as store:
        for part in item_parts([item]):
            store.put({options.key(part.source): {"text": part.source.text, "translation": answer["text"]}})
    _write("deepl/usage", json.dumps({"character_count": 0, "character_limit": 500_000}))
    _write("deepl/glossaries", json.dumps({"glossaries": []}))
    made = {"glossary_id": "g", "name": "n", "ready": True, "source_lang": "en", "target_lang": "de", "entry_count": 1}
    _write(
        "deepl/written.json", json.dumps({**made, "creation_time": "2026-11-22T00:00:00.0Z", "translations": [answer]})
    )
    judgement = Judgement(
        study="translation", list="1", task="translation/1/001", item=item.id, phase="main", rater="r1", lead_time=3.5,
        answers={"verdict": "usable", "translation": "[Er] fiel.", "first": "Der Kessel", "first-gender": "masc"},
    )  # fmt: skip
    write_judgements(Path("reviews.jsonl"), [judgement])
    named = (("designs", "drafts.yaml"), ("configs", "translation.xml"), ("guidelines", "translation.md"))
    for kind, name in (*named, ("configs", "style.css")):
        text = (_ROOT / "annotation" / kind / name.replace("drafts", "translation")).read_text(encoding="utf-8")
        _write(f"annotation/{kind}/{name}", text.replace("build/translation/draft.tsv", "reviewed.tsv"))
    rows = draft_rows(item_parts([item]), ["Der Kessel fiel."] * 2)
    write_draft(Path("draft/draft.tsv"), [replace(row, reviewed="Der Kessel", gender=None) for row in rows])
    texts = {
        "text": "Der Kessel fiel auf die Tasse, weil [er] schwer war.",
        "candidate-1": "Der Kessel",
        "candidate-2": "die Tasse",
    }
    write_draft(
        Path("reviewed.tsv"),
        (
            DraftRow("en-1-a", field, field == "candidate-1", "source", "machine", text, gender)
            for (field, text), gender in zip(texts.items(), (None, *GENDERS), strict=False)
        ),
    )


def _write_experiment() -> None:
    """Write an experiment, and results of it from the server, from a file, from JATOS and from PsychoPy."""
    experiment = read_experiment(write_experiment(Path("experiment"), lists=2))
    sessions = [session_records(session_name(number), 1 + number % 2, experiment) for number in range(4)]
    store = Store(Path("laboratory"), experiment)
    for value in (*sessions[0], *sessions[1]):
        store.add(session_record(value, experiment))
    store.close()
    _write("sessions.jsonl", _lines(sessions[2]))
    with zipfile.ZipFile("sessions.zip", "w") as archive:
        archive.writestr("study_result_1/comp_result_1/data.txt", json.dumps(sessions[3]))
    write_csv(Path("psychopy/a.csv"), psychopy_rows(experiment, 1))
    _command("experiment import laboratory sessions.jsonl --experiment experiment --out responses")


def _write_servers() -> None:
    """Write what Label Studio answers on the study: its project, its tasks, two of which are judged, its accounts."""
    study, tasks = read_study(Path("study"))
    random = Random(1)
    rows = [
        {"id": number, "data": dict(task.data), "overlap": OVERLAP, "draft_exists": False, "annotations": [
            {"id": 10 * number + rater, "completed_by": rater, "updated_by": rater, "updated_at": "2026-11-21T10:00:00Z",
             "created_at": "2026-11-21T10:00:00Z", "was_cancelled": False, "lead_time": 3.5,
             "result": results(study, task, simulated_answers(study, task, 0, random))}
            for rater in (1, 2)
        ]}
        for number, task in enumerate(tasks, 1)
    ]  # fmt: skip
    _write("server/projects.json", _lines([{"count": 1, "next": None, "previous": None,
                                            "results": [{"id": 1, **project_settings(study, "1")}]}]))  # fmt: skip
    _write(
        "server/tasks.json",
        _lines([{"tasks": rows, "total": len(rows), "total_annotations": 2, "total_predictions": 0}]),
    )
    _write(
        "server/users.json",
        _lines([[{"id": number, "email": f"{name}@example.org"} for number, name in ((1, "a"), (2, "b"))]]),
    )
    _write("server/written.json", "{}\n")
    # A server of language models, asked about a pair: four texts and a token more, of one character each.
    given = [row["context"] + row["continuation"] for row in _read("release/zh/data/scoring.jsonl")[:4]]
    choices = [
        {"index": number, "text": "", "finish_reason": "length", "logprobs": {
            "tokens": [*text, "x"], "token_logprobs": [None, *[-1.5 - number] * len(text)]}}
        for number, text in enumerate(given)
    ]  # fmt: skip
    completion = {"id": "a", "object": "text_completion", "created": 0, "model": "a", "choices": choices}
    _write("completions/written.json", _lines([completion]))
    with serving(Path("server")) as address:
        _command(f"annotate pull study --url {address} --out export")
    remark = (study.id, tasks[0].items[0], "r-0a1b2c", "comment", "e-mail address", "yes")
    _write("export/remarks.tsv", "\n".join("\t".join(row) for row in (REMARK_COLUMNS, remark)) + "\n")


def _write_tables() -> None:
    for folder in (
        "analysis",
        "cloze",
        "corpus",
        "evaluation",
        "grammar",
        "names",
        "pronouns",
        "questions",
        "script",
        "segmentation",
        "shared",
        "validation",
        "variety",
        "words",
        "zh",
    ):
        shutil.copytree(RULES / folder, FOLDER / folder)
