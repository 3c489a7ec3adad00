"""A collection of one's own: laid out, drafted from a table, built like those of make, checked and released, anywhere on a disk."""

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.convert import to_object
from pipeline.core.notation import escape, expand
from pipeline.release.collection.drafts import factored
from pipeline.release.collection.layout import Collection, example_text, examples, name_of_folder, new_files
from pipeline.release.collection.stages import Stage, is_built, is_current, record, stages
from pipeline.release.sources import LICENCES, Source, licence_text, read_source
from pipeline.winograd.readers import ingest
from pipeline.winograd.validation.items import ITEMS
from pipeline.winograd.validation.pairs import PAIRS
from tests.conftest import ROOT
from tests.support.building import VENV, inputs, is_stage, plan
from tests.support.commands import winoforge

ENGLISH = """
- id: e-1
  text: Paula called Nora because [she] {needed advice|had good advice to give}.
  question: Who {needed advice|had good advice to give}?
  candidates: [Paula, Nora]
  answers: [Paula, Nora]
"""
TABLE = (
    "id,text,question,a,b,answer\n"
    "p-1,小明把伞借给小红，因为[他]不出门。,谁不出门？,小明,小红,小明\n"
    "p-2,小明把伞借给小红，因为[他]没带伞。,谁没带伞？,小明,小红,小红\n"
    "q-1,老王帮老李修车，[他]很热心。,谁很热心？,老王,老李,老王\n"
    "r-1,老张等老陈，[他]来晚了。,谁来晚了？,老张,老陈,老周\n"
)


def fill_in(folder: Path) -> None:
    """Write something in place of each placeholder."""
    for name in ("SOURCES.toml", "README.md"):
        path = folder / name
        path.write_text(
            path.read_text(encoding="utf-8").replace("TODO: ", "Li Hua: ").replace("“TODO”", ""), encoding="utf-8"
        )


@pytest.mark.parametrize("lang", sorted(examples()))
def test_an_example_passes_the_suites(lang: str, tmp_path: Path) -> None:
    path = tmp_path / "schemas.yaml"
    path.write_text(new_files("mine", lang, example_text("mine", lang))["schemas.yaml"], encoding="utf-8")
    result = ingest(path.read_bytes(), path, "schema-yaml", lang)
    assert (len(result.items), result.skipped) == (2, ())
    items = tmp_path / "items.jsonl"
    items.write_text("".join(f"{json.dumps(to_object(item))}\n" for item in result.items), encoding="utf-8")
    assert [line for suite in (ITEMS, PAIRS) for line in suite.check([items]).lines()] == []


def test_a_language_without_an_example_is_laid_out_too(tmp_path: Path) -> None:
    assert winoforge("init", "kymri", "--lang", "cy", cwd=tmp_path).returncode == 0
    run = winoforge("check", "kymri", cwd=tmp_path)
    assert run.returncode == 1
    assert "winoforge build kymri" in run.stderr.splitlines()[0]


def test_init_writes_into_an_empty_folder_only(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep me", encoding="utf-8")
    run = winoforge("init", "mine", "--lang", "zh", cwd=tmp_path)
    assert (run.returncode, len(run.stderr.splitlines())) == (2, 1)
    assert run.stderr.startswith("mine: [dir] not empty; found 'notes.txt' in it")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def test_a_name_is_no_file_of_a_release() -> None:
    assert name_of_folder(Path("/x/nli")) == "nli-items"
    assert name_of_folder(Path("/x/ 我的 数据 ")) == "我的-数据"
    assert name_of_folder(Path("/")) == "collection"


def test_no_row_of_a_table_is_lost(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(TABLE, encoding="utf-8")
    run = winoforge("init", "mine", "--lang", "zh", "--from", "table.csv", cwd=tmp_path)
    # Of four rows, p-1 and p-2 differ in some words; q has no mate; the answer of r is none of its candidates.
    assert run.stdout.startswith("table.csv: 4 rows = 2 in 1 schema + 1 without a mate + 1 skipped;"), run.stderr
    path = tmp_path / "mine" / "schemas.yaml"
    text = path.read_text(encoding="utf-8")
    assert 'text: "小明把伞借给小红，因为[他]{不出门|没带伞}。"' in text
    assert ": needs a mate\n#   text: 老王帮老李修车，[他]很热心。\n#   question: 谁很热心？\n" in text
    assert "老张等老陈，" in text
    items = ingest(path.read_bytes(), path, "schema-yaml", "zh").items
    assert [(item.text, item.candidates[item.answer]) for item in items] == [
        ("小明把伞借给小红，因为他不出门。", "小明"),
        ("小明把伞借给小红，因为他没带伞。", "小红"),
    ]
    check = winoforge("check", "mine", cwd=tmp_path)
    assert "schemas.yaml" in check.stderr.splitlines()[0]
    assert "2 TODOs left" in check.stderr.splitlines()[0]


@given(st.text("ab |{}[]\\他她，", max_size=12), st.text("ab |{}[]\\他她，", max_size=12))
def test_two_texts_as_one_hold_both(first: str, second: str) -> None:
    text = factored(first, second)
    assert text is None or expand(text) == (escape(first), escape(second))


# --- the stages -----------------------------------------------------------------------------------------------------------


def as_options(words: list[str]) -> tuple[str, list[tuple[str, ...]]]:
    """Return the command of a stage, and its options with their values, whatever their order."""
    groups: list[list[str]] = [[]]
    for word in words:
        if word.startswith("--"):
            groups.append([])
        groups[-1].append(word)
    return " ".join(groups[0]), sorted(map(tuple, groups[1:]))


@pytest.mark.skipif(not (VENV / "base").exists(), reason="needs the .venv that `make test` makes")
def test_a_build_has_the_commands_of_make(tmp_path: Path) -> None:
    copy = inputs(tmp_path / "copy")
    folder = copy / "raw" / "zh"
    made = [as_options(line.replace("'", "").split()[1:]) for line in plan(copy) if is_stage(line)]
    collection = Collection(folder, "zh", Source("", "", "", "", "", lang="zh"))
    for stage in stages(collection)[:-1]:
        words = [word.replace(f"{folder}/build", "build").replace(f"{copy}/", "") for word in stage.words]
        command, options = as_options(words)
        theirs = next(others for name, others in made if name == command)
        # What lies elsewhere in this repository, and the language, which a Makefile of a Chinese collection need not name.
        apart = ("--lang", "--people", "--predictions", "--decisions")
        assert [entry for entry in options if entry[0] not in apart] == [e for e in theirs if e[0] not in apart], (
            command
        )


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a blank and Chinese in its name in which an English collection was built."""
    folder = tmp_path_factory.mktemp("of somebody") / "我的 sentences"
    assert winoforge("init", folder, "--lang", "en").returncode == 0
    (folder / "schemas.yaml").write_bytes(b"\xef\xbb\xbf" + ENGLISH.replace("\n", "\r\n").encode())
    run = winoforge("build", ".", cwd=folder)
    assert run.returncode == 0, run.stderr
    assert "made: ingest, variants, browse, validate\n" in run.stdout
    return folder


def test_a_build_makes_what_is_out_of_date(english: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(english, tmp_path / "moved")
    assert "made: nothing" in winoforge("build", "moved", cwd=tmp_path).stdout
    build = folder / "build" / "我的-sentences"
    nli = (build / "variants" / "nli.jsonl").read_bytes()
    (build / "variants" / "nli.jsonl").write_bytes(b"")  # as if somebody, or a full disk, had damaged it
    run = winoforge("build", folder)
    assert "made: variants\n" in run.stdout  # the same as before, so that nothing after it need be made again
    assert (build / "variants" / "nli.jsonl").read_bytes() == nli
    (folder / "schemas.yaml").write_text(ENGLISH.replace("Paula", "Clara"), encoding="utf-8")
    assert winoforge("check", folder).stderr.startswith(
        f"{build}: not built, or not from today's files; then: winoforge build"
    )
    assert "made: ingest, variants, browse, validate" in winoforge("build", folder).stdout


def test_a_build_with_any_of_the_parsers_is_current(tmp_path: Path) -> None:
    collection = Collection(tmp_path, "mine", Source("", "", "", "", "", lang="zh"))
    collection.schemas.write_text(ENGLISH, encoding="utf-8")
    for stage in stages(collection, ("stanza",)):
        for path in stage.writes:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(path.name, encoding="utf-8")
        record(stage, collection.build)
    assert is_built(collection)
    (collection.build / "parses" / "stanza.conllu").write_text("damaged", encoding="utf-8")
    assert not is_built(collection)


def test_each_file_of_a_folder_is_looked_at(tmp_path: Path) -> None:
    pages = [tmp_path / "audit" / "index.html", tmp_path / "audit" / "items" / "index.html"]
    stage = Stage("audit", (), (), (tmp_path / "audit",))
    pages[1].parent.mkdir(parents=True)
    for page in pages:
        page.write_text("whole", encoding="utf-8")
    record(stage, tmp_path)
    for page in pages:
        page.write_text("damaged", encoding="utf-8")
        assert not is_current(stage, tmp_path), page
        page.write_text("whole", encoding="utf-8")
    assert is_current(stage, tmp_path)


def test_nothing_of_another_kind_of_build_stays(english: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(english, tmp_path / "mine")
    build = folder / "build" / "我的-sentences"
    (build / "audit").mkdir()
    for name in ("cloze.jsonl", "adjudicated.jsonl", "audit/index.html", "notes.txt"):
        (build / name).write_text("x", encoding="utf-8")
    run = winoforge("build", "mine", cwd=tmp_path)
    assert "2 records = 2 items + 0 skipped" in run.stdout, run.stderr
    assert [(build / name).exists() for name in ("cloze.jsonl", "adjudicated.jsonl", "audit", "notes.txt")] == [
        False,
        False,
        False,
        True,
    ]


def test_a_build_of_a_collection_leads_to_its_folder(english: Path) -> None:
    run = winoforge("release", "我的-sentences", cwd=english / "build")
    assert (run.returncode, run.stderr) == (
        2,
        f"我的-sentences: [build] the build of a collection; expected its folder, {english}\n",
    )


def test_a_mistake_is_one_line_with_the_next_command(english: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(english, tmp_path / "mine")
    (folder / "schemas.yaml").write_text("", encoding="utf-8")
    run = winoforge("build", "mine", cwd=tmp_path)
    assert (run.returncode, len(run.stderr.splitlines())) == (2, 1)
    assert run.stderr.startswith("mine/schemas.yaml: [file] empty file")
    assert run.stderr.endswith("mend it, then: winoforge build mine\n")
    run = winoforge("build", "elsewhere", cwd=tmp_path)
    assert run.stderr.startswith(
        "elsewhere: [collection] no collection; found no SOURCES.toml, expected a folder that `winoforge init"
    )


def test_where_all_is_rejected_build_and_check_say_why(tmp_path: Path) -> None:
    assert winoforge("init", "mine", "--lang", "zh", cwd=tmp_path).returncode == 0
    # UDPipe takes 第二天 for a verb, of which the pronoun would be the object.
    texts = ["老马替老孙值了一夜的班，第二天[他]{累得起不来|请人吃了饭}。"]
    texts += [f"老马到{place}看老孙，可是没{{等到|送走}}[他]。" for place in ("公园", "食堂", "医院", "车站", "学校")]
    questions = ["谁{累得起不来|请人吃了饭}", *["没{等到|送走}谁"] * 5]
    entries = "".join(
        f"- id: m-{number}\n  text: {text}\n  question: {question}？\n"
        "  candidates: [老马, 老孙]\n  answers: [老马, 老孙]\n"
        for number, (text, question) in enumerate(zip(texts, questions, strict=True), 1)
    )
    (tmp_path / "mine" / "schemas.yaml").write_text(entries, encoding="utf-8")
    run = winoforge("build", "mine", "--parser", "udpipe", cwd=tmp_path)
    assert (run.returncode, len(run.stderr.splitlines())) == (1, 1)
    lines = run.stdout.splitlines()
    assert lines[0] == (
        "rejected m-1-a: direct-object (zh/direct-object), matched 他 第二天 累; "
        "uncertain: decided otherwise if 第二天 VERB → NOUN"
    )
    # Six schemas are twelve records: ten are named.
    assert [line.split(":")[0] for line in lines[9:]] == ["rejected m-5-b", "rejected", "next"]
    assert lines[10] == "rejected: 2 more"
    assert lines[11].endswith("then: winoforge build mine --parser udpipe")
    for command in ("check", "release"):
        first = winoforge(command, "mine", cwd=tmp_path).stderr.splitlines()[0]
        assert first.startswith("mine/schemas.yaml: nothing is kept of it; mend what is rejected, for the reasons in ")
    kept = "- id: k-1\n  text: 老周把收音机交给老郑，因为[他]{不会修|手艺好}。\n  question: 谁{不会修|手艺好}？\n"
    kept += "  candidates: [老周, 老郑]\n  answers: [老周, 老郑]\n"
    (tmp_path / "mine" / "schemas.yaml").write_text(kept + entries, encoding="utf-8")
    assert "rejected m-1-a: direct-object" in winoforge("build", "mine", cwd=tmp_path).stdout
    run = winoforge("check", "mine", cwd=tmp_path)
    assert run.stdout.startswith("mine: 12 records of 6 schemas rejected; for the reasons, see mine/build/mine/audit/")


def test_a_failing_build_has_one_next_step(english: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(english, tmp_path / "mine")
    shutil.rmtree(folder / "build")
    (folder / "schemas.yaml").write_text(ENGLISH.replace("[Paula, Nora]", "[Clara, Nora]"), encoding="utf-8")
    run = winoforge("build", "mine", cwd=tmp_path)
    assert run.stdout == "mine/build/我的-sentences: made: nothing\n"
    assert run.stderr.splitlines()[-1].endswith("mend them, then: winoforge build mine")


def test_a_check_names_each_faulty_schema(english: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(english, tmp_path / "mine")
    second = ENGLISH.replace("e-1", "e-2").replace("candidates", "candidate")  # in line 11
    third = ENGLISH.replace("e-1", "e-3").replace("answers: [Paula, Nora]", "answers: [Paula]")  # in line 18
    (folder / "schemas.yaml").write_text(ENGLISH + second + third, encoding="utf-8")
    lines = winoforge("check", "mine", cwd=tmp_path).stderr.splitlines()
    assert [line.split(": ")[0] for line in lines[:3]] == [
        "mine/schemas.yaml:11",
        "mine/schemas.yaml:18",
        "mine/SOURCES.toml:4",
    ]


def test_a_name_leads_to_no_other_folder(english: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(english, tmp_path / "mine")
    sources = folder / "SOURCES.toml"
    sources.write_text(
        sources.read_text(encoding="utf-8").replace('["我的-sentences"]', '["../../x"]'), encoding="utf-8"
    )
    run = winoforge("build", "mine", cwd=tmp_path)
    assert (run.returncode, run.stderr) == (
        2,
        "mine/SOURCES.toml: [sources] no name of a collection; found '../../x', expected x\n",
    )


def test_what_is_left_to_do_stands_in_its_order(english: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(english, tmp_path / "mine")
    run = winoforge("check", "mine", cwd=tmp_path)
    assert [line.split(":")[0] for line in run.stderr.splitlines()] == ["mine/SOURCES.toml", "mine/README.md"]
    assert all("; then: winoforge " in line for line in run.stderr.splitlines())
    assert winoforge("release", "mine", cwd=tmp_path).returncode == 1
    assert not (folder / "build" / "release").exists()
    fill_in(folder)
    assert winoforge("check", "mine", cwd=tmp_path).stdout == "mine: ready; next: winoforge release mine\n"
    sources = folder / "SOURCES.toml"
    sources.write_text(sources.read_text(encoding="utf-8").replace("CC-BY-4.0", "MIT"), encoding="utf-8")
    assert "licences/MIT.txt: [licence] no text of MIT" in winoforge("check", "mine", cwd=tmp_path).stderr


def test_the_faults_of_a_build_name_the_line_of_their_schema(english: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(english, tmp_path / "mine")
    (folder / "schemas.yaml").write_text(
        ENGLISH.replace("answers: [Paula, Nora]", "answers: [Paula, Paula]"),
        encoding="utf-8",
    )
    assert winoforge("build", "mine", cwd=tmp_path).returncode == 1
    first = winoforge("check", "mine", cwd=tmp_path).stderr.splitlines()[0]
    assert first.startswith(
        "mine/schemas.yaml:2: [pairs/answers-flip] 1 of 1: e-1"
    )  # the entry begins in the second line


def test_an_english_collection_is_released_under_its_own_name(english: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(english, tmp_path / "mine")
    fill_in(folder)
    run = winoforge("release", "mine", cwd=tmp_path)
    release = folder / "build" / "release" / "我的-sentences"
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[-1] == "next: winoforge verify 'mine/build/release/我的-sentences'"
    assert winoforge("verify", "--no-load", release).returncode == 0
    card = (release / "README.md").read_text(encoding="utf-8")
    assert "\npretty_name: 我的-sentences\nlanguage:\n- en\n" in card
    assert "2 items in 1 Winograd schemas" in card
    assert {path.stem for path in (release / "data").glob("*.jsonl")} == {
        "winograd",
        "nli",
        "disambiguated",
        "scoring",
        "winogrande",
    }
    for path in (path for path in release.rglob("*") if path.is_file()):
        data = path.read_bytes()
        assert not [
            word for word in (str(tmp_path), str(Path.home()), "winoforge developers") if word.encode() in data
        ], path


# --- what a release says --------------------------------------------------------------------------------------------------


def test_a_licence_credits_the_authors_in_one_line() -> None:
    source = Source("Schemas\nof mine", "written by me, 2026", "CC-BY-4.0", "mine.yaml", "", authors="Li Hua")
    assert licence_text(source, LICENCES).splitlines()[-1] == "Credit: Li Hua, Schemas of mine."


def test_a_path_of_a_machine_is_not_published(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("x", encoding="utf-8")
    table = tmp_path / "SOURCES.toml"
    table.write_text(
        f'[t]\ntitle = "T"\norigin = "me"\nlicence = "CC-BY-4.0"\nfile = "{tmp_path}/mine.yaml"\n', encoding="utf-8"
    )
    source = read_source(table, "t")
    assert (source.file, source.authors) == ("mine.yaml", "me")
    assert read_source(ROOT / "raw" / "SOURCES.toml", "zh", ROOT).file == "raw/zh/schemas.yaml"
