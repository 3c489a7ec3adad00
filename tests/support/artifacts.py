"""Our own artifacts for tests, made by the commands that `make build` runs."""

import json
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from pipeline.core.files import read_text, to_json, write_jsonl
from pipeline.core.tables import parse_table, write_tsv
from pipeline.experiment.browser.files import JSPSYCH
from pipeline.experiment.browser.records import read_experiment
from pipeline.experiment.cloze_study import read_cloze_lists
from pipeline.language.pronouns import pronoun_table
from pipeline.studies.design.build import make_study
from pipeline.studies.design.layout import Layout
from pipeline.studies.model.design import AFTER_STUDY, read_design
from pipeline.studies.model.judgements import Judgement
from pipeline.studies.model.study import write_study
from pipeline.winograd.cloze import filler_to_json, read_fillers
from pipeline.winograd.translation.draft import DraftRow, write_draft
from pipeline.winopron.instances import WINOPRON_HEADER, read_templates
from pipeline.zero_pronouns.documents import read_sample
from pipeline.zero_pronouns.sample import checksums, words_of
from tests.conftest import ROOT
from tests.support.building import first_schemas
from tests.support.commands import app
from tests.support.experiments import session_name, session_records, write_experiment
from tests.support.passages import write_passages
from tests.support.studies import judgement, kites
from tests.support.traces import write_traces

ZH, EN = ROOT / "raw" / "zh", ROOT / "raw" / "en"
LOCKS = [f"--parses={ZH / 'parses' / name}" for name in ("stanza.conllu", "udpipe.conllu")]


def run(*arguments: str | Path) -> None:
    """Run a command, which must succeed."""
    result = CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)
    assert result.exit_code == 0, result.output


def stage_outputs(folder: Path, name: str, ledger: str) -> list[str]:
    """Return the output options of a stage that changes a collection: kept, rejected and ledger."""
    files = {"out": name, "rejected-out": f"{name}-rejected", "ledger": ledger}
    return [f"--{option}={folder / f'{file}.jsonl'}" for option, file in files.items()]


def release(folder: Path) -> None:
    """Pack zh, en, de and the labelled texts of a folder into its release, with the readings of those schemas that it has."""
    head, *rows = (ZH / "reading.tsv").read_text(encoding="utf-8").split("\nzh-")
    ids = {row["id"].removeprefix("zh-") for row in read(folder / "zh" / "items.jsonl")}
    readings = folder / "zh" / "source" / "reading.tsv"
    readings.write_text(
        "\nzh-".join([head, *(row for row in rows if row.split("\t")[0] in ids)]) + "\n", encoding="utf-8"
    )
    head, *entries = (ZH / "errata.yaml").read_text(encoding="utf-8").split("\n- id: ")
    errata = readings.with_name("errata.yaml")
    chosen = [entry for entry in entries if ids.issuperset(re.findall(r"zh-(\d+-[ab]):", entry))]
    errata.write_text("\n- id: ".join([head, *chosen]) + "\n", encoding="utf-8")
    sources = readings.with_name("SOURCES.toml")
    text = (ROOT / "raw" / "SOURCES.toml").read_text(encoding="utf-8")
    sample = {
        'predictions = "raw/evaluation/small_models_zh.jsonl"\n': "",
        "[zp]": "[zp-report]",
        'file = "raw/zp"': f'file = "{folder / "labelled"}"',
    }
    files = {
        f'{name} = "raw/zh/{path.name}"': f'{name} = "{path}"'
        for name, path in {"reading": readings, "errata": errata}.items()
    }
    for old, new in {**files, **sample}.items():
        assert old in text
        text = text.replace(old, new)
    sources.write_text(text, encoding="utf-8")
    lists = (f"--sources={sources}", f"--licences={ROOT / 'raw' / 'licences'}")
    run("release", *(folder / name for name in ("zh", "en", "de", "zp-report")), f"--out={folder / 'release'}", *lists)


#: The study that follows on the judgements of another.
_BEFORE = {"naturalness": "consensus", "questionnaire": "verification"}
#: How the studies of samples are divided into lists, where the design has too many for them.
_SMALL: dict[str, dict[str, int]] = {
    "upper-bound": {"size": 10},
    "naturalness": {"count": 2, "size": 10},
    "questionnaire": {"count": 2, "size": 20},
    "winopron-reference": {"count": 2, "size": 10},
    "winopron-pronoun": {"count": 2, "size": 10},
    "zero-labelling": {"common": 4},
    "human-evaluation": {"size": 5},
}


def study(
    folder: Path, name: str = "upper-bound", judgements: Sequence[Judgement] | None = None, **size: int
) -> Layout:
    """Write a study of the records in a folder, with lists of another `count` and `size` if given."""
    design = read_design(ROOT / "annotation" / "designs" / f"{name}.yaml")
    if design.source == "form":  # written by people, for whatever records
        records = ROOT / design.records
    else:
        built = "raw" if design.source in ("sentences", "translations") else "build"
        records = folder / design.records.relative_to(built)
    files = {"fillers": design.fillers, "experiment": design.experiment}
    own: dict[str, Path | None] = {field: ROOT / path for field, path in files.items() if path is not None}
    if name == "upper-bound":  # its defects go by the places of tasks; other studies show attention items
        own["attention"] = None
    layout = make_study(
        replace(design, **own, records=records, lists=replace(design.lists, **size)),
        judgements,
        cloze_lists=read_cloze_lists,
    )
    write_study(folder / "annotation" / name, layout.study, layout.tasks)
    return layout


def judged(layout: Layout) -> list[Judgement]:
    """Return the judgements of one rater for each list, who chooses the other candidate for every third record."""
    control = layout.study.controls[0].name
    main = [task for task in layout.tasks if task.phase == "main"]
    answers = [(item, task.list, gold) for task in main for item, gold in zip(task.items, task.gold, strict=True)]
    return [
        judgement(item, f"r-{name}", **{control: int(gold != 1) if number % 3 == 0 else gold or 0})
        for number, (item, name, gold) in enumerate(answers)
    ]


def studies(folder: Path, **sizes: dict[str, int]) -> None:
    """Write the studies of all designs; those that select by judgements after raters who are wrong about every third record."""
    write_passages(folder / "zp")
    write_traces(folder / "evaluation" / "traces.jsonl", map(kites, range(12)))
    write_draft(folder / "translation" / "draft.tsv", draft())
    for path in sorted((ROOT / "annotation" / "designs").glob("*.yaml")):
        if (design := read_design(path)).select not in AFTER_STUDY:
            made = study(folder, design.id, **sizes.get(design.id, {}))
            if design.id in _BEFORE:
                study(folder, _BEFORE[design.id], judged(made))


def draft() -> Iterator[DraftRow]:
    """Yield the rows of a draft of two items that nobody has reviewed."""
    for version, word, german in (("a", "large", "groß"), ("b", "small", "klein")):
        pronoun = "er" if version == "a" else "sie"
        for field, source, machine in (
            ("text", f"The trophy does not fit into the box because [it] is too {word}.",
             f"Der Pokal passt nicht in die Kiste, weil {pronoun} zu {german} ist."),
            ("question", f"What is too {word}?", f"Was ist zu {german}?"),
            ("candidate-1", "The trophy", "Der Pokal"),
            ("candidate-2", "the box", "die Kiste"),
        ):  # fmt: skip
            right = field == ("candidate-1" if version == "a" else "candidate-2")
            yield DraftRow(f"en-001-{version}", field, right, source, machine)


def as_table(templates: Path, out: Path) -> None:
    """Write templates as WinoPron's table, one per line; in our own format the members of a pair share a line."""
    table = pronoun_table("en")
    rows: list[Sequence[str]] = [
        (t.occupation, t.participant, str(t.answer), f"${t.placeholder}", t.double, str(t.single))
        for t in read_templates(templates, table)
    ]
    write_tsv(out, WINOPRON_HEADER, rows)


#: Labelled texts with translations, two readings and a system's output.
_DOCUMENTS: dict[str, tuple[str, ...]] = {
    "talk.zh": (
        "[doc]",
        "老周昨天去了镇上的集市。",
        "<他>_S买了两只鸡，<他>_S还把它们送给了邻居。",
        "“<你>_S看见我的USB线没有？”",
        "“<我>_S没看见<它>_O，问问<你的>_Pa同桌吧。”",
        "[doc]",
        "这幅画不是我的，是<他的>_P。",
        "她照了照镜子，夸了夸<她自己>_R。",
    ),
    "talk.en": (
        "[doc]",
        "Old Zhou went to the market in town yesterday.",
        "He bought two chickens, and then he gave them to the neighbours.",
        "“Have you seen my USB cable?”",
        "“I haven't seen it. Ask your deskmate.”",
        "[doc]",
        "This painting isn't mine, it's his.",
        "She looked in the mirror and praised herself.",
    ),
}
#: What stands beside them: links by hand of one sentence, a system with one fault, a name, and the card that names these files.
_BESIDE = {
    "README.md": (
        "# A talk\n\n| file | content |\n|---|---|\n| `GENRE.zh`, `GENRE.en` | texts |\n"
        "| `labels/READER/GENRE.zh` | as `labels/a` and `labels/b` have it |\n"
        "| `systems/SYSTEM/GENRE.en`, `systems/faults/GENRE.tsv` | a system |\n| `names.tsv`, `about.txt` | names, what the page says |\n"
        "| `alignment/gold/GENRE.align`, `alignment/SYSTEM/GENRE.align`, `alignment/texts.sha256` | links |\n"
    ),
    "about.txt": "An invented talk.\n",
    "alignment/gold/talk.align": "\n\n0-0 1-2 2-3 3-4 4p4 5-5 6-6 8-7 9-8\n\n\n\n",
    "alignment/literal/talk.align": "0-0 7-7\n0-0\n1-2\n\n\n0-0\n",
    "systems/literal/talk.en": (
        "[doc]\nOld Zhou was at the market yesterday.\nHe bought two chickens, and she gave them away.\n“Have you seen my cable?”\n"
        "“I haven't seen it. Ask your deskmate.”\n[doc]\nThe painting isn't mine, but his.\nShe praised herself before the mirror.\n"
    ),
    "systems/faults/talk.tsv": "system\tline\tzero\tfault\nliteral\t3\t2\tgender\n",
    "names.tsv": "genre\tkind\tzh\ten\ntalk\tperson\t老周\tOld Zhou\n",
}


def documents(folder: Path) -> None:
    """Write a sample of labelled texts, which two readers labelled alike, and what stands beside them."""
    for name, text in _BESIDE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for name, lines in _DOCUMENTS.items():
        readers = [folder / "labels" / reader for reader in "ab"] if name.endswith(".zh") else []
        for target in (folder, *readers):
            target.mkdir(parents=True, exist_ok=True)
            (target / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    genre = read_sample(folder)[0]
    sums = checksums("literal", genre.name, words_of(genre, "literal"), _BESIDE["alignment/literal/talk.align"])
    text = "".join(f"{digest}  {name}\n" for name, digest in sums.items())
    (folder / "alignment" / "texts.sha256").write_text(text, encoding="utf-8")


def german(folder: Path) -> None:
    """Write the items of raw/de with their analyses, as cloze items and in each form, and the fillers."""
    outputs = [f"--{name}={folder / file}.jsonl" for name, file in (("out", "items"), *_GERMAN.items())]
    run("ingest", ROOT / "raw" / "de" / "schemas.yaml", "--format=schema-yaml", "--lang=de", *outputs)
    run("variants", folder / "items.jsonl", f"--out={folder / 'variants'}", f"--analysis={folder / 'analysis.jsonl'}")
    fillers = read_fillers(ROOT / "raw" / "de" / "fillers.yaml", "de")
    write_jsonl(folder / "fillers.jsonl", [filler_to_json(filler, "de") for filler in fillers])


def experiment(cloze: Path, folder: Path) -> None:
    """Write the experiment of cloze items, with an empty script in place of jsPsych."""
    package = folder.with_name("jspsych")
    (package / "dist").mkdir(parents=True)
    (package / "package.json").write_text(f'{{"version": "{JSPSYCH}"}}\n', encoding="utf-8")
    (package / "dist" / "index.browser.min.js").touch()
    raw = ROOT / "raw" / "de"
    materials = [f"--fillers={raw / 'fillers.yaml'}", f"--design={raw / 'experiment.yaml'}"]
    run("experiment", "build", cloze, *materials, f"--jspsych={package}", f"--out={folder}")


def responses(folder: Path) -> None:
    """Write the tables of five sessions of an experiment, one of which was broken off."""
    small = read_experiment(write_experiment(folder / "small-experiment"))
    sessions = [session_records(session_name(number), 1 + number % 3, small) for number in range(5)]
    values = [value for session in sessions for value in session]
    for number, value in enumerate(values):  # no two people take the same time
        value["data"] |= {"rt_answer_ms": 1200.5 + number} if value["record"] == "trial" else {}
    background = values[1]["data"]
    study = {"background": [{"name": name, "answers": {code: code}} for name, code in background.items()]}
    page = f'<script type="application/json" id="study">{to_json(study)}</script>'
    (folder / "small-experiment" / "index.html").write_text(page, encoding="utf-8")
    path = folder / "sessions.jsonl"
    path.write_text("".join(f"{to_json(value)}\n" for value in values[:-3]), encoding="utf-8")
    run("experiment", "import", path, "--experiment", folder / "small-experiment", "--out", folder / "responses")


#: Files of the German collection, by the option that writes them.
_GERMAN = {name: name for name in ("skipped", "analysis", "cloze")}


def chinese(folder: Path) -> None:
    """Build the first schemas of ours, with their modifications, all forms and the association baseline, as `make build` does."""
    source = folder / "source"
    source.mkdir(parents=True)
    (source / "schemas.yaml").write_text(first_schemas(_SCHEMAS), encoding="utf-8")
    names = ("items", "skipped", "kept", "rejected", "decisions", "analysis")
    files = {name: folder / f"{name}.jsonl" for name in names}
    options = {name: f"--{name}={path}" for name, path in files.items()}
    run("ingest", source / "schemas.yaml", "--format=schema-yaml", "--lang=zh", f"--out={files['items']}",
        options["skipped"], options["analysis"], f"--terms={folder / 'terms.txt'}")  # fmt: skip
    run("exclude", files["items"], *LOCKS, *(options[name] for name in ("skipped", "kept", "rejected", "decisions")))
    ids = {row["id"] for row in read(files["items"])}
    head, *entries = (ZH / "modifications.yaml").read_text(encoding="utf-8").split("\n- id: ")
    chosen = [entry for entry in entries if entry.split("\n", 1)[0] in ids]
    (source / "modifications.yaml").write_text("\n- id: ".join([head, *chosen]) + "\n", encoding="utf-8")
    run("modify", files["kept"], options["rejected"], f"--modifications={source / 'modifications.yaml'}", *LOCKS,
        *stage_outputs(folder, "modified", "modifications"))  # fmt: skip
    run("annotate", "apply", folder / "modified.jsonl", f"--rejected={folder / 'modified-rejected.jsonl'}",
        *stage_outputs(folder, "adjudicated", "adjudications"))  # fmt: skip
    for name, out in (("modified", "zero-before"), ("adjudicated", "zero")):
        run("zero", folder / f"{name}.jsonl", f"--out={folder / f'{out}.jsonl'}")
    lines = (ZH / "tokens.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if line.startswith(("#", "item\t", *ids))]
    (source / "tokens.tsv").write_text("".join(kept), encoding="utf-8")
    ledgers = [f"--{name}={folder / name}.jsonl" for name in ("modifications", "adjudications")]
    run("variants", folder / "adjudicated.jsonl", f"--out={folder / 'variants'}",
        f"--tokens={source / 'tokens.tsv'}", f"--collection={files['items']}", options["analysis"], *ledgers)  # fmt: skip
    association = folder / "association"
    run("corpus", "count", ROOT / "raw" / "prose" / "articles.txt", "--format=text", f"--terms={folder / 'terms.txt'}",
        "--window=10", f"--out={association / 'counts.jsonl'}")  # fmt: skip
    run("pmi", files["items"], f"--terms={files['analysis']}", f"--counts={association / 'counts.jsonl'}",
        f"--out={association / 'pmi.jsonl'}", f"--options={association / 'options.json'}",
        f"--report={association / 'index.html'}", f"--released={folder / 'zero.jsonl'}")  # fmt: skip


def english(folder: Path) -> None:
    """Write the sentences of the first templates of ours."""
    folder.mkdir(parents=True)
    head, *entries = (EN / "templates.yaml").read_text(encoding="utf-8").split("\n- occupation: ")
    text = "\n- occupation: ".join([head, *entries[:_ENTITIES]])
    (folder / "templates.yaml").write_text(f"{text}\n", encoding="utf-8")
    run("instantiate", folder / "templates.yaml", f"--out={folder}")
    as_table(folder / "templates.yaml", folder / "templates.tsv")


#: Number of schemas to build, enough for ten of the form `names`, and of pairs of entities.
_SCHEMAS, _ENTITIES = 56, 2


def builds(out: Path) -> None:
    """Write small builds of ours, Chinese, English and German, with their releases, and the report on labelled texts."""
    chinese(out / "zh")
    english(out / "en")
    german(out / "de")
    documents(out / "labelled")
    run("zp", "report", out / "labelled", "--out", out / "zp-report")
    release(out)


def sample(builds: Path, out: Path) -> None:
    """Write a small artifact of each kind: the builds, and studies and an experiment with responses."""
    shutil.copytree(builds, out, dirs_exist_ok=True)
    write_errata(out / "zh")
    studies(out, **_SMALL)
    experiment(out / "de" / "cloze.jsonl", out / "experiment")
    responses(out)


def write_errata(folder: Path) -> None:
    """Write errata of a build: a question that was corrected, a text that was kept, an item that was dropped."""
    first, second, *_ = read(folder / "items.jsonl")
    entries = (
        ("question", "two questions", "corrected", first["id"], "谁？", ""),
        ("text", "clumsy", "kept", second["id"], second["text"], "  reason: the rules must find it\n"),
        ("text", "wrong", "dropped", "zh-9999-a", "他走了。", ""),
    )
    text = "".join(
        f"- id: e-{number}\n  field: {field}\n  found: {found}\n  by: reader\n  action: {action}\n  before:\n    {item}: {words}\n{reason}"
        for number, (field, found, action, item, words, reason) in enumerate(entries, 1)
    )
    (folder / "errata.yaml").write_text(f"# Errata.\n{text}", encoding="utf-8")


def read(path: Path) -> Any:
    """Return the rows of a file, or the files of a folder by name."""
    if path.is_dir():
        return {file.relative_to(path).as_posix(): file.read_bytes() for file in path.rglob("*") if file.is_file()}
    text = read_text(path)
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    if path.suffix != ".tsv":
        return text.splitlines()
    return [row for _, row in parse_table(text, path, ())]


def write(path: Path, value: Any, like: Any = None) -> None:
    """Write what `read` returns; an empty table has the header of another, and None is no file."""
    if isinstance(value, dict):
        for name, data in value.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(data)
        return
    if value is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".jsonl":
        lines = [to_json(row) for row in value]
    elif path.suffix != ".tsv":
        lines = value
    else:
        lines = ["\t".join(cells) for cells in ((value or like)[0], *(row.values() for row in value))]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
