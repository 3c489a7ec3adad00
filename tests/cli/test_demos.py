"""The demonstrations of the Makefile run the commands that their variables ask for."""

from pathlib import Path

import pytest

from tools import demos


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands of winoforge in place of their runs, in an empty folder; `diagnose` writes its file."""
    run: list[str] = []

    def record(*arguments: str) -> None:
        run.append(" ".join(arguments))
        if arguments[1] == "diagnose":
            out = Path(arguments[-1])
            out.parent.mkdir(parents=True)
            out.write_text(f"{out.parts[3]}\n", encoding="utf-8")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(demos, "winoforge", record)
    return run


def test_a_corpus_may_have_blanks_in_its_name_or_be_several(commands: list[str]) -> None:
    Path("my corpus.txt").touch()
    demos.pmi({"CORPUS": "my corpus.txt"})
    demos.pmi({"CORPUS": "a.tsv b.tsv", "CORPUS_FLAGS": "--engine spark", "WINDOW": "5"})
    counts = [command for command in commands if command.startswith("corpus count")]
    assert counts[0].startswith("corpus count my corpus.txt --format text --terms build/zh/terms.txt --window 10 ")
    assert "--resume build/pmi/state --out" in counts[0]
    assert counts[1].startswith("corpus count a.tsv b.tsv --format text --terms build/zh/terms.txt --window 5 ")
    assert "--resume" not in counts[1]
    assert commands[2].endswith("--released build/zh/zero.jsonl --corpus my corpus.txt")


def test_a_dump_is_of_a_wiki_and_a_date(commands: list[str]) -> None:
    demos.fetch_wikipedia({})
    demos.fetch_wikipedia({"WIKI": "zh_yuewiki", "DATE": "20260101", "FETCH_FLAGS": "--mirror 'http://x/a b'"})
    assert commands == [
        "corpus fetch zhwiki 20261101 --out corpora/zhwiki",
        "corpus fetch zh_yuewiki 20260101 --out corpora/zh_yuewiki --mirror http://x/a b",
    ]


def test_only_models_on_this_machine_are_scored_and_explain_errors(commands: list[str]) -> None:
    demos.EVALUATION.mkdir(parents=True)
    demos.evaluate({"MODELS": "gguf:models/tiny.gguf openai/n", "BASE_URL": "http://x", "ITEMS": "4"})
    done = "run run score errors diagnose codes report"
    assert [command.split()[1] for command in commands] == done.split()
    assert "--base-url" not in commands[0]
    assert "--model openai/n --base-url http://x --items 4 --order both --form both" in commands[1]
    assert (demos.EVALUATION / "traces.jsonl").read_text(encoding="utf-8") == "tiny\n"
    answers = (
        "--predictions build/evaluation/zh/tiny/responses.jsonl --predictions build/evaluation/zh/n/responses.jsonl"
    )
    assert f"{answers} --predictions build/evaluation/zh/tiny/scores/responses.jsonl --sample" in commands[-1]


def test_the_tables_take_the_sentences_that_were_asked(commands: list[str]) -> None:
    demos.evaluate_winopron({})
    assert [command.split()[:3] for command in commands[:-1]] == [["winopron", "ask", "build/en/double.jsonl"]] * 2
    assert "--single" not in commands[-1]
    demos.evaluate_winopron({"VERSIONS": "double single", "SAMPLE": "1"})
    assert commands[-1].count("--single") == 2


def test_the_experiment_names_who_is_responsible(commands: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    demos.experiment({"RESPONSIBLE": "Wei, institute", "CONTACT": "wei@example.org"})
    assert commands[0].endswith("--seed 0 --responsible Wei, institute --contact wei@example.org")
    assert commands[1] == "validate experiment build/experiment"
    assert "experiment serve build/experiment --data FOLDER" in capsys.readouterr().out
