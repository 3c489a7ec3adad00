"""The overlap check finds copies and translations of published sentences, in whatever file and script, and nothing else."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from defusedxml.ElementTree import parse

from pipeline.core.yamlfile import load_yaml
from pipeline.winograd.readers import ingest
from pipeline.winograd.readers.schema_yaml import Schema
from tests.conftest import ROOT
from tests.support.commands import Run, run_program
from tests.support.schemas import schemas_to_yaml, to_yaml
from tools.overlap import OURS, main

HARMLESS = "李婶给王婶送去一坛咸菜，因为[她]{腌得太多了|最爱吃这一口}。"
#: For the seeds whose gloss is copied; a text that stands twice is refused.
OTHERS = (
    "李婶托王婶照看猫，因为[她]{要出远门|就住隔壁}。",
    "李婶没赶上王婶的车，因为[她]{睡过了头|等不及就先开走了}。",
)


def run(*arguments: str | Path) -> Run:
    return run_program(lambda: typer.run(main), *arguments)


def ours(folder: Path, *schemas: Schema) -> Path:
    """Write schemas into a folder of what we wrote, and return it."""
    (folder / "raw" / "zh").mkdir(parents=True)
    (folder / "raw" / "zh" / "schemas.yaml").write_text(schemas_to_yaml(schemas), encoding="utf-8")
    return folder / "raw"


def schema(name: str, text: str = HARMLESS, gloss: str = "") -> Schema:
    return Schema(
        name,
        text,
        f"谁{text[text.index('{') : text.index('}') + 1]}？",
        ("李婶", "王婶"),
        ("李婶", "王婶"),
        gloss=gloss,
    )


@pytest.fixture(scope="module")
def seeded(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run over schemas that hold published sentences; they are put together here and stay in a temporary folder."""
    pws = shared_data / "pws" / "pws.tsv"
    mandarin = next(item.text for item in ingest(pws.read_bytes(), pws, "pws-tsv", "zh").items)
    fiction = (shared_data / "mzprt" / "raw" / "Web_Fiction_test.zh").read_text(encoding="utf-8").splitlines()
    conllu = (shared_data / "ud" / "zh_hk-ud-test.conllu").read_text(encoding="utf-8").splitlines()
    from opencc import OpenCC

    hong_kong = next(line for line in conllu if line.startswith("# text = ") and len(line) > 30).removeprefix(
        "# text = "
    )
    english = next(parse(shared_data / "wsc" / "WSCollection.xml").getroot().iter("text"))
    changed = " ".join("".join(english.itertext()).split())
    template = (shared_data / "winogender" / "templates.tsv").read_text(encoding="utf-8").splitlines()[1].split("\t")
    seeds = [
        schema("harmless"),
        schema("copied", mandarin[:-1] + "，[她]{来|去}。"),
        schema("fiction", "李婶和王婶说，" + max(fiction, key=len)[:20].replace(" ", "") + "，[她]{来|去}。"),
        schema("traditional", "李婶和王婶说，" + OpenCC("t2s").convert(hong_kong) + "，[她]{来|去}。"),
        schema(
            "spelt",
            OTHERS[0],
            changed.replace("The", "That").replace("large", "big").replace("they", "she") + " {One|Two}.",
        ),
        schema("template", OTHERS[1], template[3].replace("$", "") + " {One|Two}."),
    ]
    return run(ours(tmp_path_factory.mktemp("overlap"), *seeds))


@pytest.mark.parametrize(
    ("name", "source", "what"),
    [
        ("copied", "pws/pws.tsv:", "shares 8 characters"),
        ("fiction", "mzprt/raw/Web_Fiction_test.zh:", "shares 8 characters"),
        ("traditional", "ud/zh_hk-ud-test.conllu:", "shares 8 characters"),
        ("spelt", "wsc/WSCollection.xml no. 1", "content words"),
        ("template", "winogender/templates.tsv:2", "content words"),
    ],
)
def test_a_published_sentence_is_found(seeded: Run, name: str, source: str, what: str) -> None:
    assert seeded.returncode == 1, seeded.stderr
    lines = [line for line in seeded.stderr.splitlines() if f"[{name}" in line]
    assert any(what in line and source in line for line in lines), lines


def test_the_archive_is_searched_and_the_harmless_is_passed_over(seeded: Run) -> None:
    # WinoPron's archive holds Winogender's templates too.
    assert "winopron/data.zip/old_templates.tsv:2" in seeded.stderr
    assert "[harmless" not in seeded.stderr


def test_nothing_of_ours_is_published(shared_data: Path) -> None:
    result = run(ROOT / "raw", "--against", shared_data)
    assert result.stderr == ""
    assert "0 too similar" in result.stdout
    assert result.returncode == 0


def test_a_published_template_is_found_whatever_its_entities(shared_data: Path, tmp_path: Path) -> None:
    rows = (shared_data / "winogender" / "templates.tsv").read_text(encoding="utf-8").splitlines()
    published = next(row.split("\t")[3] for row in rows[1:] if "$NOM_PRONOUN" in row)
    beginning, ending = published.split("$NOM_PRONOUN ")
    entry = {
        "double": f"{beginning}$NOM_PRONOUN {{{ending.rstrip('.')}|sang}}.",
        "occupation": "The $OCCUPATION sang until $NOM_PRONOUN fell asleep.",
        "participant": "The $PARTICIPANT sang until $NOM_PRONOUN fell asleep.",
    }
    raw = ours(tmp_path, schema("x"))
    templates = raw / "en" / "templates.yaml"
    templates.parent.mkdir()
    templates.write_text(
        to_yaml([{"occupation": "baker", "participant": "guest", "nominative": entry}]), encoding="utf-8"
    )
    result = run(raw)
    assert result.returncode == 1
    assert f"{templates}:4: [baker] shares" in result.stderr
    assert "winogender/templates.tsv:2" in result.stderr


def test_german_texts_and_examples_of_prompts_are_compared(tmp_path: Path) -> None:
    """A folder of published texts that has, changed a little, a sentence of each kind that we wrote."""
    raw = ROOT / "raw"
    (fox,) = (entry for entry in load_yaml(raw / "de" / "schemas.yaml") if entry["id"] == "de-010")
    fillers = load_yaml(raw / "de" / "fillers.yaml")
    (lamp, match, *_) = load_yaml(raw / "evaluation" / "demonstrations.yaml")
    changed = {
        "de-schema.txt": fox["text"].replace("Gans", "Ente"),
        "de-filler.txt": fillers[0]["text"].replace("___", "er").replace("gestern", "heute"),
        "de-gloss.txt": fox["gloss"].replace("goose", "duck"),
        "zh-example.txt": f"他说{lamp['zh']['text'][:14]}",
        "en-example.txt": match["en"]["text"].replace("minute", "second"),
        "array.json": json.dumps([{"text": "Ein Satz."}, {"text": fillers[1]["text"].replace("___", "sie")}], indent=1),
        "other.txt": "Der Müller mahlte das Korn, bevor der Regen kam.",
    }
    for name, text in changed.items():
        (tmp_path / "published").mkdir(exist_ok=True)
        (tmp_path / "published" / name).write_text(text, encoding="utf-8")
    result = run(raw, "--against", tmp_path / "published")
    assert result.returncode == 1
    for ours, published in (
        ("[de-010-a]", "de-schema.txt:1"),
        ("[fl-01]", "de-filler.txt:1"),
        ("[fl-02]", "array.json:2"),
        ("[de-010]", "de-gloss.txt:1"),
        ("[lamp-zh-a]", "zh-example.txt:1"),
        ("[match-en-b]", "en-example.txt:1"),
    ):
        assert any(ours in line and published in line for line in result.stderr.splitlines()), (ours, result.stderr)
    assert "other.txt" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("missing",), "missing/zh/schemas.yaml: [file]"),
        (
            ("raw", "--against", "missing"),
            "missing: [folder] published collections not found; set WINOFORGE_DATA",
        ),
    ],
)
def test_wrong_usage_ends_in_one_line(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    ours(tmp_path, schema("x"))
    result = run(*(argument if argument.startswith("--") else tmp_path / argument for argument in arguments))
    assert result.returncode == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_our_own_folder_must_be_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours(tmp_path, schema("x"))
    monkeypatch.chdir(tmp_path)
    result = run("raw", "--against", tmp_path)
    assert result.returncode == 2
    assert result.stderr.splitlines() == [
        f"raw/{name}: [file] not there; expected it in the checkout" for name in OURS[1:]
    ]


def test_the_environment_names_the_folder_of_published_collections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = ours(tmp_path, schema("x"))
    monkeypatch.setenv("WINOFORGE_DATA", str(tmp_path / "elsewhere"))
    command = [sys.executable, "-m", "tools.overlap", str(raw)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.stderr.startswith(f"{tmp_path / 'elsewhere'}: [folder] ")
    (tmp_path / "elsewhere").mkdir()
    assert "against 0 published" in run(raw, "--against", tmp_path / "elsewhere").stdout
