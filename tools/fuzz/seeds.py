"""The files that the fuzzer changes: a few of our own schemas and templates, sentences of its own, and what the stages make of them."""

import bz2
import contextlib
import hashlib
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
from pipeline.core.checksums import CHECKSUMS, checksums_of, digest_of
from pipeline.core.model import Span
from pipeline.core.notation import marked
from pipeline.core.records import read_items
from pipeline.core.rules import RULES
from pipeline.core.tables import tsv_text
from pipeline.evaluation.diagnosis.errors import read_cases
from pipeline.evaluation.diagnosis.traces import case_ids
from pipeline.evaluation.items import released_items
from pipeline.experiment.browser.records import read_experiment, session_record
from pipeline.experiment.browser.store import Store
from pipeline.language.names import person_of
from pipeline.language.pronouns import pronoun_table
from pipeline.release.readings import COLUMNS, GAP_COLUMNS
from pipeline.release.tables import parquet
from pipeline.studies.labelstudio.push import project_settings
from pipeline.studies.labelstudio.remote import OVERLAP
from pipeline.studies.model.judgements import REMARK_COLUMNS, Answer, Judgement, write_judgements
from pipeline.studies.model.study import read_study
from pipeline.winograd.cloze import filler_to_json, read_fillers
from pipeline.winograd.translation.deepl import open_store
from pipeline.winograd.translation.draft import Options, draft_rows, item_parts, read_glossary, write_draft
from pipeline.winopron.instances import read_instances
from pipeline.winopron.prompting import COLUMNS as ANSWER_COLUMNS
from pipeline.winopron.prompting import ModelAnswer, answer_rows, prompt_table, prompts_of
from tests.support.annotators import results, simulated_answers
from tests.support.experiments import psychopy_rows, session_name, session_records, write_csv, write_experiment
from tests.support.passages import write_passages
from tests.support.small_cloze import small_cloze
from tests.support.studies import kites
from tests.support.traces import write_traces

from .readers import FOLDER
from .servers import serving
from .targets import captured

_ROOT = Path(__file__).resolve().parents[2]
#: The seeds that are files of ours, as they are.
SAMPLES = Path(__file__).with_name("samples")
_LOCKS = "--parses parses/udpipe.conllu --parses parses/stanza.conllu"
#: A sentence of the samples.
_TEXT = "积雪压断了枯枝，因为它太沉了。"
_DAY = "zhwiki-20261101"


def write_seeds(folder: Path) -> None:
    """Write all seeds into a folder; takes some seconds."""
    with contextlib.chdir(folder):
        shutil.copytree(SAMPLES, ".", dirs_exist_ok=True)
        _write_corpora()
        _write_collection()
        _command("init mine --lang de")
        _write_many()
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
        shutil.copytree(RULES, FOLDER)


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


def _write_corpora() -> None:
    """Write the sample of prose as Parquet, and that of a dump packed as one stream and as several, as a mirror has it."""
    _write("prose.parquet", parquet([{"text": _TEXT}, {"text": "奖杯"}], Path("prose.parquet")))
    _write("wiki_00", f'<doc id="1" url="" title="雪">\n雪\n\n{_TEXT}\n</doc>\n')
    _write("cirrus.json", _lines([{"index": {"_id": "1"}}, {"title": "雪", "namespace": 0, "text": _TEXT}]))
    dump = Path("dump.xml").read_bytes()
    _write("dump.xml.bz2", bz2.compress(dump))
    shutil.copytree(_ROOT / "raw" / "licences", "licences")
    head, page = dump.find(b"  <page>"), dump.find(b"</mediawiki>")
    streams = [bz2.compress(part) for part in (dump[:head], dump[head:page], dump[page:])]
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
    _write("german.yaml", "".join(f"- {entry}\n" for entry in german[2:4]))
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
    zeros = {row["id"]: digest_of(row["text_dropped"]) for row in _read("zh/zero.jsonl")}
    before = {row["id"]: row["text"] for row in _read("zh/modified.jsonl")}
    _write("reading.tsv", _table([COLUMNS, *(
        (item["id"], digest_of(before.get(item["id"], item["text"])), zeros.get(item["id"], ""), reader,
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
    targets = {item["id"]: Span(**item["target"]) for item in _read("de/items.jsonl")}
    readings = [
        (item["id"], digest_of(item["text"]), reader, targets[item["id"]].of(item["text"]), "5", "4", "", "")
        for item in _read("de/items.jsonl")
        for reader in ("us", "them")
    ]
    _write("german.tsv", _table([GAP_COLUMNS, *readings]))
    _command("release de --out german --sources SOURCES.toml --licences licences")


def _text_of(tree: str) -> str:
    return next((line.removeprefix("# text = ") for line in tree.split("\n") if line.startswith("# text = ")), "")


def _write_many() -> None:
    """Write the zero forms as so many schemas that what tells their answers can be looked for."""
    rows = [
        row | {"id": f"{row['schema']}-{number}-{row['version']}", "schema": f"{row['schema']}-{number}"}
        for number in range(10)
        for row in _read("zh/zero.jsonl")
    ]
    _write("many.jsonl", _lines(rows))


def _write_templates() -> None:
    _, *entries = (_ROOT / "raw" / "en" / "templates.yaml").read_text(encoding="utf-8").split("\n- ")
    _write("templates.yaml", f"- {entries[0]}\n")
    with zipfile.ZipFile("templates.zip", "w", zipfile.ZIP_STORED) as archive:  # in which changes reach the table
        archive.writestr(zipfile.ZipInfo("templates.tsv"), Path("templates.tsv").read_bytes())
    _command("instantiate templates.yaml --out en")
    sentences = [row["id"] for row in _read("en/double.jsonl")]
    _write("answers.jsonl", _lines({"id": name, "answer": "technician"} for name in sentences))
    _write("answers2.tsv", _table([("id", "answer"), *((name, "customer") for name in sentences)]))
    _command("zp parse texts/talk.zh --antecedents texts/antecedents --items zh/zero.jsonl --lock zp.conllu")
    words = sorted({word for row in _read("en/single.jsonl") for word in re.findall(r"\w+|[^\w\s]", row["text"])})
    _write("vocabulary.txt", "".join(f"{word}\n" for word in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words)))
    _write("en/few.jsonl", _lines(_read("en/single.jsonl")[:3]))
    _write_answers()
    columns = {"caw-coref": "span_clusters", "lingmess": "clusters", "spanbert": "predicted_clusters"}
    for system, clusters in columns.items():
        vocabulary = "--vocabulary vocabulary.txt" if system == "spanbert" else ""
        _command(f"winopron export en/single.jsonl --format {system} {vocabulary} --out {system}.jsonl")
        rows = _read(f"{system}.jsonl")
        spans = {
            row["text"]: [match.span() for match in re.finditer(r"\w+", row["text"])][:2]
            for row in rows
            if "text" in row
        }
        _write(
            f"{system}.jsonl", _lines(row | {clusters: [spans.get(row.get("text"), [[0, 2], [3, 4]])]} for row in rows)
        )
    _command("release zh en --out release --sources SOURCES.toml --licences licences")
    _command(f"manifest release {_LOCKS} --out MANIFEST.json")
    files = {"README.md": b"# Card\n", "data/zh.jsonl": b"{}\n"}
    archived = {f"zh/{file}": data for file, data in files.items()}
    _write("release.zip", encrypt(archived | {f"zh/{CHECKSUMS}": checksums_of(files).encode()}, "open"))


def _write_answers() -> None:
    """Write what a model answers to the prompts of `winopron ask`."""
    answers = [
        ModelAnswer(sentence, prompt, f"- {sentence.antecedent}\nThe", 30, 5)
        for sentence in read_instances(Path("en/few.jsonl"))
        for prompt in prompts_of(sentence, prompt_table(), pronoun_table("en"), [0])
    ]
    rows = list(answer_rows(answers, pronoun_table("en"), model="none/none", settings="temperature 0"))
    for table in ("asked.tsv", "single/asked.tsv", "winogender/asked.tsv"):
        _write(table, tsv_text(ANSWER_COLUMNS, rows))


def _write_predictions() -> None:
    items = _read("release/zh/data/zh.jsonl")
    written, swapped = "written", "swapped"
    conditions = [("a", "zero", written), ("a", "zero", swapped), ("a", "overt", written), ("b", "zero", written)]
    answers = ("答案：A", "Ｂ", "两者都有可能", "A. 甲\nB. 乙", "<think>甲")
    _write("systems.jsonl", _lines(
        {"id": item["id"], "model": model, "mode": "zero-shot", "form": form, "order": order, "answer": answers[number % len(answers)],
         "prompt": f"{item['text' if form == 'overt' else 'text_zero']}？", "prompt_tokens": 9, "answer_tokens": 2, "scores": [-1.5, -1.5]}
        for model, form, order in conditions for number, item in enumerate(items)
    ))  # fmt: skip
    sentences = _read("release/en/data/double.jsonl")
    _write("pronouns.jsonl", _lines(
        {"id": item["id"], "model": "a", "mode": "m", "answer": item["candidates"][0]} for item in sentences
    ))  # fmt: skip
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
    readings = [(item["id"], "reader-1", item["candidates"][item["answer"]]) for item in items]
    _write("readings.tsv", _table([("id", "reader", "answer"), *readings]))
    _command("evaluate difficulty release/zh --predictions systems.jsonl --people judged/items.tsv --out difficulty")
    _write_materials()


def _write_materials() -> None:
    """Build an experiment of the sample of cloze items."""
    _write("german/fillers.yaml", (_ROOT / "raw" / "de" / "fillers.yaml").read_text(encoding="utf-8"))
    design = (_ROOT / "raw" / "de" / "experiment.yaml").read_text(encoding="utf-8")
    _write("german/design.yaml", design.replace("items: 10\n", "items: 2\n").replace("fillers: 15\n", "fillers: 6\n"))
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
    shutil.copytree("study", "exports/kites")
    shutil.copy("judgements.jsonl", "exports/kites")


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
    _write("diagnoses.jsonl", _lines({"id": name, "text": reply} for name, reply in zip(names, replies, strict=True)))
    write_traces(Path("traces.jsonl"), map(kites, range(4)))
    _command("evaluate codes traces.jsonl --simulate 0 --resamples 5 --out table8")
    _command("annotate design coders/annotation/designs/coding.yaml --out coding")
    _write_judgements("coding", "coding.jsonl")
    rows = ((item, "surface-cue topic-chain") for task in _read("coding/tasks.jsonl") for item in task["items"])
    _write("reconcile.tsv", _table([("id", "codes"), *rows]))


def _write_judgements(folder: str, out: str) -> None:
    """Write what two people answer to all tasks of a study."""
    study, tasks = read_study(Path(folder))
    random = Random(1)
    write_judgements(Path(out), [
        Judgement(study=study.id, list=task.list, task=task.key, item=item, phase=task.phase, rater=rater, answers=answers,
                  lead_time=3.5)
        for task in tasks for rater in ("r1", "r2")
        for item, answers in zip(task.items, simulated_answers(study, task, 0, random), strict=True)
    ])  # fmt: skip


def _write_passages() -> None:
    """Write sentences of running text with translations, a study in which they are labelled, and one that rates the translations."""
    write_passages(Path("passages/zp"), genres=2)
    for name in ("labelling", "rating"):
        _command(f"annotate design passages/annotation/designs/{name}.yaml --out {name}")
        _write_judgements(name, f"{name}.jsonl")


def _write_gaps() -> None:
    """Write the design of a small cloze study, the study, and what two people answered."""
    design = small_cloze(Path("gaps"), _ROOT) / "annotation" / "designs" / "cloze.yaml"
    text = design.read_text(encoding="utf-8")
    _write(design.as_posix(), re.sub("^(records|fillers|experiment): ", r"\1: gaps/", text, flags=re.M))
    _command(f"annotate design {design} --out gap-study")
    _write_judgements("gap-study", "gaps.jsonl")


def _write_translation() -> None:
    """Write the translation of the English sample in a cache, a design that reviews it, and a draft that somebody has reviewed."""
    (item,) = read_items(Path("english.jsonl"))
    options = Options("EN", "DE", "default", read_glossary(Path("terms.tsv")).identity)
    with open_store(Path("translated")) as store:
        for part in item_parts([item]):
            store.put({options.key(part.source): {"text": part.source.text, "translation": "Der Kessel"}})
    named = (("designs", "drafts.yaml"), ("configs", "translation.xml"), ("guidelines", "translation.md"))
    for kind, name in (*named, ("configs", "style.css")):
        text = (_ROOT / "annotation" / kind / name.replace("drafts", "translation")).read_text(encoding="utf-8")
        _write(f"annotation/{kind}/{name}", text.replace("build/translation/draft.tsv", "reviewed.tsv"))
    rows = draft_rows(item_parts([item]), ["Der Kessel fiel."] * 2)
    write_draft(Path("draft/draft.tsv"), [replace(row, reviewed="Der Kessel", gender=None) for row in rows])


def _write_experiment() -> None:
    """Write an experiment, and results of it from the server, from a file, from JATOS and from PsychoPy."""
    experiment = read_experiment(write_experiment(Path("experiment"), lists=2))
    sessions = [session_records(session_name(number), 1 + number % 2, experiment) for number in range(4)]
    for number, records in enumerate(sessions):  # two people do not take the same milliseconds
        for record in records:
            if "rt_answer_ms" in record["data"]:
                record["data"]["rt_answer_ms"] += number
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
    counts = {"total": len(rows), "total_annotations": 2, "total_predictions": 0}
    _write("export.json", json.dumps(rows))  # the page of the server exports the same
    _write("server/tasks.json", json.dumps({"tasks": rows, **counts}))
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
