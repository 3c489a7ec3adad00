"""What `make build` does again after a change, and what it refuses: no stage runs here, make only says which would."""

import json
import os
import re
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from pipeline.core.files import write_jsonl
from pipeline.core.model import Finding, Rejected
from pipeline.core.records import write_rejected
from pipeline.winograd.exclusion.ledger import Decision, write_decisions
from tests.support.building import (
    ROOT,
    VENV,
    command,
    first_schemas,
    inputs,
    make,
    plan,
    pretend,
    run_plan,
    shell,
    stages,
)
from tests.support.items import marked

pytestmark = pytest.mark.skipif(not (VENV / "base").exists(), reason="needs the .venv that `make test` makes")

Edit = Callable[[Path], object]
OTHER = ("COLLECTION=other", "SOURCE=a.tsv", "FORMAT=pws-tsv")


def removed(name: str) -> Edit:
    return lambda copy: (copy / name).unlink()


def renamed(name: str) -> Edit:
    return lambda copy: (copy / name).rename((copy / name).with_stem("renamed"))


def added(name: str) -> Edit:
    return lambda copy: (copy / name).write_text("added\n", encoding="utf-8")


def changed(name: str) -> Edit:
    """Return an edit that changes a file and leaves it as old as it was, as `cp -p` or an archive does."""

    def edit(copy: Path) -> None:
        path = copy / name
        data, times = path.read_bytes(), path.stat()
        path.unlink()  # may be a link to that of another copy
        path.write_bytes(data + b"\n")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    return edit


def nothing(copy: Path) -> None:
    """Change no file."""


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy in which the default collection and another one look built."""
    copy = inputs(tmp_path_factory.mktemp("finished"))
    pretend(copy, "build")
    files = {f"{name}/SHA256SUMS": sha256(b"").hexdigest() for name in ("de", "en", "zh", "zp")}
    (copy / "build" / "MANIFEST.json").write_text(json.dumps({"files": files}, indent=2), encoding="utf-8")
    (copy / "raw" / "other").mkdir()
    for name in ("a.tsv", "b.tsv", "raw/other/targets.tsv", "raw/other/gold.tsv", "raw/other/gold-patched.tsv"):
        added(name)(copy)
    pretend(copy, "build", *OTHER)
    return copy


@pytest.fixture
def copy(finished: Path, tmp_path: Path) -> Path:
    """Return a copy of that copy; what make does not write are links, which is faster."""
    copy = Path(
        shutil.copytree(finished, tmp_path / "copy", copy_function=os.link, ignore=shutil.ignore_patterns("build"))
    )
    shutil.copytree(finished / "build", copy / "build")
    return copy


@pytest.mark.parametrize("collection", [(), OTHER])
def test_nothing_is_done_where_nothing_has_changed(collection: tuple[str, ...], copy: Path) -> None:
    assert stages("\n".join(plan(copy, "build", *collection))) == []


@pytest.mark.parametrize(
    ("edit", "arguments", "first", "spared"),
    [
        (nothing, ["EXCLUDE_FLAGS=--by-sentence"], "exclude", "ingest"),
        (nothing, ["PARSERS=udpipe"], "exclude", "ingest"),
        (nothing, ["PARSERS=udpipe stanza"], "exclude", "ingest"),
        (nothing, ["WINDOW=5"], "corpus", "ingest"),
        (removed("rules/zh/focus.yaml"), [], "exclude", ""),
        (renamed("rules/zh/focus.yaml"), [], "exclude", ""),
        (added("rules/zh/new.yaml"), [], "exclude", ""),
        (changed("rules/zh/focus.yaml"), [], "exclude", ""),
        (removed("rules/words/zh.yaml"), [], "exclude", ""),
        (changed("rules/zh/focus.hit.conllu"), [], "exclude", ""),
        (changed("rules/variety/connectives.tsv"), [], "validate", ""),
        (removed("pipeline/winograd/mentions.py"), [], "ingest", ""),
        (removed("pipeline/release/winograd_card.md.j2"), [], "release", ""),
        (changed("raw/zh/schemas.yaml"), [], "ingest", ""),
        (changed("raw/zh/parses/stanza.conllu"), [], "exclude", "ingest"),
        (removed("raw/zh/modifications.yaml"), [], "modify", "exclude"),
        (removed("annotation/decisions.tsv"), [], "annotate", "modify"),
        (removed("raw/zh/tokens.tsv"), [], "variants", "exclude"),
        (changed("raw/prose/articles.txt"), [], "corpus", "ingest"),
        (changed("raw/en/templates.yaml"), [], "instantiate", "ingest"),
        (changed("raw/zh/errata.yaml"), [], "release", "ingest"),
        (changed("raw/de/schemas.yaml"), [], "ingest", "exclude"),
        (changed("raw/de/fillers.yaml"), [], "release", "ingest"),
        (changed("raw/de/reading.tsv"), [], "release", "ingest"),
        (removed("build/de/cloze.jsonl"), [], "ingest", "exclude"),
        (removed("build/de/variants/nli.jsonl"), [], "variants", "ingest"),
        (removed("build/de/audit/index.html"), [], "annotate", "ingest"),
        (changed("raw/SOURCES.toml"), [], "release", "variants"),
        (changed("build/release/zh/SHA256SUMS"), [], "release", "variants"),
        (added("build/release/en/extra"), [], "release", "variants"),
        (removed("build/MANIFEST.json"), [], "manifest", "variants"),
        (removed("build/zh/variants/nli.jsonl"), [], "variants", "exclude"),
        (removed("build/zh/association/pmi.jsonl"), [], "pmi", "corpus"),
        (removed("build/validation/index.html"), [], "validate", "variants"),
        (changed("a.tsv"), OTHER, "ingest", ""),
        (nothing, [*OTHER, "SOURCE=b.tsv"], "ingest", ""),
        (nothing, [*OTHER, "FORMAT=xwinograd-tsv"], "ingest", ""),
        (nothing, [*OTHER, "LANGUAGE=zh"], "ingest", ""),
        (nothing, [*OTHER, "PARSERS=udpipe stanza"], "parse", "ingest"),
        (nothing, [*OTHER, "EXCLUDE_FLAGS=--already-zero reject"], "exclude", "parse"),
        (nothing, [*OTHER, "PATCHES=b.tsv"], "ingest", ""),
        (removed("raw/other/targets.tsv"), OTHER, "ingest", ""),
        (removed("raw/other/gold.tsv"), OTHER, "audit", "exclude"),
        (added("raw/other/modifications.yaml"), OTHER, "parse", "ingest"),
    ],
)
def test_a_change_is_noticed(edit: Edit, arguments: list[str], first: str, spared: str, copy: Path) -> None:
    edit(copy)
    planned = stages("\n".join(plan(copy, "build", *arguments)))
    assert first in planned
    assert spared not in planned


def test_stamps_are_written_once(copy: Path) -> None:
    """What make notices it notices once, with a rule gone as with one changed."""
    removed("rules/zh/focus.yaml")(copy)
    pretend(copy, "build", *OTHER)
    assert stages("\n".join(plan(copy, "build", *OTHER))) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["SOURCE=a.tsv"], "found 'a.tsv' (schema-yaml), expected raw/zh/schemas.yaml (schema-yaml), or COLLECTION=name"),
        (["FORMAT=pws-tsv"], "SOURCE: not the source of zh; found 'raw/zh/schemas.yaml' (pws-tsv), expected"),
        (["SOURCE=a.tsv", "FORMAT=pws-tsv", "COLLECTION=zh"], "SOURCE: not the source of zh; found 'a.tsv' (pws-tsv), expected"),
        (["LANGUAGE=en"], "LANGUAGE: not the language of zh; found 'en'"),
        (["COLLECTION=new", "SOURCE=raw/de/schemas.yaml", "LANGUAGE=de"], "LANGUAGE: no rules; found 'de', expected"),
        (["COLLECTION=new"], "SOURCE: missing; raw/ has no schemas of new, so give SOURCE=file and FORMAT=format"),
        (["COLLECTION=new", "SOURCE=/nowhere/我的 数据.tsv"], "SOURCE: no such file, or it cannot be read; found '/nowhere/我的 数据.tsv'"),
        (["COLLECTION=new", "SOURCE=raw"], "SOURCE: no such file, or it cannot be read; found 'raw'"),
        (["COLLECTION=my new", "SOURCE=a.tsv"], "COLLECTION: not the name of a folder; found 'my new', expected letters, digits,"),
        (["COLLECTION=../new", "SOURCE=a.tsv"], "COLLECTION: not the name of a folder; found '../new'"),
        (["COLLECTION=it's", "SOURCE=a.tsv"], "COLLECTION: not the name of a folder; found 'it's'"),
        (["COLLECTION=", "SOURCE=a.tsv"], "COLLECTION: not the name of a folder; found ''"),
        (["COLLECTION=de"], "COLLECTION: build/de holds something else; found 'de', expected another name"),
        (["COLLECTION=release", "SOURCE=a.tsv"], "COLLECTION: build/release holds something else"),
        (["PATCHES=a.tsv"], "PATCHES: for collections that others published; found 'a.tsv', expected a change of raw/zh/schemas.yaml"),
        ([*OTHER, "PATCHES=c d.tsv"], "PATCHES: no such file, or it cannot be read; found 'c d.tsv'"),
        ([*OTHER, "PARSERS=spacy"], "PARSERS: found 'spacy', expected udpipe, stanza or both"),
        ([*OTHER, "PARSERS=udpipe udpipe"], "PARSERS: found 'udpipe udpipe', expected udpipe, stanza or both"),
        ([*OTHER, "PARSERS="], "PARSERS: missing"),
        ([*OTHER, "EXCLUDE_FLAGS=--by-sentense"], "EXCLUDE_FLAGS: found '--by-sentense', expected --by-sentence"),
        (["source=x"], "source: unknown variable; expected SOURCE"),
        ([*OTHER, "PARSER=stanza"], "PARSER: unknown variable; expected PARSERS, or an environment variable before make: PARSER=… make"),
        (["LANG=de"], "LANG: unknown variable; expected LANGUAGE"),
        (["NAME=western"], "NAME: unknown variable; expected COLLECTION"),
        (["EXCLUDEFLAGS=--by-sentence"], "EXCLUDEFLAGS: unknown variable; expected EXCLUDE_FLAGS"),
    ],
)  # fmt: skip
def test_what_cannot_be_built_is_refused_in_one_line(arguments: list[str], message: str, copy: Path) -> None:
    before = sorted((copy / "build").rglob("*"))
    run = make(copy, "build", *arguments)
    assert run.returncode == 2
    assert message in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert sorted((copy / "build").rglob("*")) == before


def test_blanks_chinese_and_quotes_are_allowed_in_paths(tmp_path: Path) -> None:
    copy = inputs(tmp_path / "带 空格" / "wf")
    source = tmp_path / "我的 数据" / "it's  $(data).yaml"
    source.parent.mkdir()
    source.write_text(first_schemas(2), encoding="utf-8")
    written = str(source).replace("$", "$$")  # as make wants a dollar
    wanted = ("build/中文/items.jsonl", "COLLECTION=中文", f"SOURCE={written}")
    assert f"{source}: 4 items + 0 skipped = 4 records read" in run_plan(copy, *wanted)
    assert plan(copy, *wanted) == []


def test_the_first_parser_decides(copy: Path) -> None:
    lines = plan(copy, "build", *OTHER, "PARSERS=stanza udpipe")
    locks = [f"--parses build/other/parses/{parser}.conllu" for parser in ("stanza", "udpipe")]
    for stage in ("exclude", "modify", "audit"):
        (line,) = [line for line in lines if f"winoforge {stage} " in line]
        assert " ".join(locks) in line


def test_what_a_demonstration_reads_is_built_before(copy: Path) -> None:
    removed("build/zh/zero.jsonl")(copy)
    assert stages("\n".join(plan(copy, "pmi"))) == ["zero"]


def test_files_that_the_present_format_does_not_have_are_deleted(copy: Path) -> None:
    stale = copy / "build" / "other" / "analysis.jsonl"
    stale.touch()
    lines = plan(copy, "build", *OTHER, "LANGUAGE=zh")
    shell(copy, next(line for line in lines if line.startswith("rm ")))
    assert not stale.exists()
    assert (copy / "build" / "other" / "tokens.tsv").exists()


def test_a_build_that_keeps_nothing_fails_and_says_why(copy: Path) -> None:
    build = copy / "build" / "other"
    reasons = ("fewer than two candidates; found 甲", "fewer than two candidates; found 乙", "no answer", "a rule")
    skipped = [
        Rejected(
            marked("甲说【他】累。", f"s-{number}-a"),
            (Finding("r", "defect" if number < 3 else "other", None, reason),),
        )
        for number, reason in enumerate(reasons)
    ]
    files = {name: build / f"{name}.jsonl" for name in ("skipped", "rejected", "decisions")}
    times = {path: path.stat() for path in files.values()}
    write_rejected(files["skipped"], skipped)
    write_rejected(files["rejected"], skipped)
    write_decisions(files["decisions"], [Decision(entry.record.id, entry.exclusion) for entry in skipped])
    for path, before in times.items():
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    write_rejected(build / "adjudicated-rejected.jsonl", skipped)
    write_jsonl(build / "adjudicated.jsonl", [])
    (build / "audit" / "index.html").unlink()
    for table in (copy / "raw" / "other").glob("gold*.tsv"):
        table.write_text("id\tclass\tstart\tend\n", encoding="utf-8")
    run = make(copy, "build", *OTHER)
    message, _ = run.stderr.splitlines()  # the other line is make's own
    assert message == (
        "build/other: [build] nothing is kept; found 4 records, all rejected: defect 3, other 1; "
        "of the defects: fewer than two candidates 2, no answer 1; see build/other/audit/index.html"
    )
    assert run.returncode == 2
    assert run.stdout == ""
    assert (build / "audit" / "items" / "index.html").exists()
    assert make(copy, "build", *OTHER).returncode == 2


def test_commands_are_shown_only_on_request(copy: Path) -> None:
    removed("rules/zh/focus.yaml")(copy)
    stamp = "build/zh/.asked/knowledge"
    assert make(copy, stamp).stdout == ""
    added("rules/zh/new.yaml")(copy)
    assert stamp in make(copy, stamp, "V=1").stdout


def test_help_lists_all_targets(copy: Path) -> None:
    lines = make(copy, "help").stdout.splitlines()
    assert lines[0].startswith("make build  ")
    assert "make test                                   run the tests" in lines
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z-]+):", text, re.MULTILINE)
    assert len(targets) > 20
    assert {line.split()[1] for line in lines} == set(targets)


def test_clean_says_what_it_deletes(copy: Path) -> None:
    build = copy / "build"
    assert make(copy, "clean", "COLLECTION=other").stdout == "deleted: build/other build/index.html\n"
    assert (build / "zh").exists()
    added("build/README.md")(copy)
    assert "build/release" in make(copy, "clean").stdout
    assert sorted(path.name for path in build.iterdir()) == ["MANIFEST.json", "README.md"]
    assert make(copy, "clean").stdout == "nothing to delete\n"


@pytest.mark.parametrize(
    ("target", "extras"),
    [
        (("parse",), {"parse", "stanza"}),
        (("pmi",), {"corpus"}),
        (("fetch-wikipedia",), {"corpus"}),
        (("pmi", "CORPUS_FLAGS=--engine spark"), {"corpus", "spark"}),
        (("build", *OTHER), {"parse"}),
        (("build", *OTHER, "PARSERS=stanza udpipe"), {"parse", "stanza"}),
        (("build",), {"zp"}),
    ],
)
def test_a_target_installs_what_it_needs(target: tuple[str, ...], extras: set[str], copy: Path, tmp_path: Path) -> None:
    """In an environment that has the base only."""
    environment = tmp_path / "environment"
    environment.mkdir()
    (environment / "base").touch()
    old = ("--old-file", f"{environment}/base")
    run = shell(
        copy,
        " ".join(
            f"'{word}'" for word in command(copy, *target, f"VENV={environment}", *old, "--dry-run", "--always-make")
        ),
    )
    assert {Path(line.split()[-1]).name for line in run.splitlines() if "tools/install.py" in line} == extras
