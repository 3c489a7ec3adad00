"""The judge by hand: what it looks at as published and as corrected, and that no zero leaves the count."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.core.files import read_text, write_text
from pipeline.core.rules import RULES
from pipeline.core.yamlfile import load_yaml
from pipeline.zero_pronouns.translation.alignment import parse_links
from pipeline.zero_pronouns.translation.details import Verdict, all_zeros, details_lines, published_words, read_details
from pipeline.zero_pronouns.translation.judge import (
    CORRECTED,
    DEPARTURES,
    PUBLISHED,
    Rules,
    accuracy,
    by_form,
    by_sentence,
    judge,
)
from tests.support.commands import winoforge

#: Ten words: a0 … a9, with the words of a case in their places.
WORDS = tuple(f"a{place}" for place in range(10))


def verdict_on(label: str, links: str, rules: Rules, **words: str) -> Verdict:
    """Return the verdict on a zero in the place 2 of five words; ``a4="he"`` puts *he* into the place 4 of ten."""
    target = [words.get(word, word) for word in WORDS]
    (verdict,) = judge(0, ["词", "词", label, "词", "词"], target, parse_links(links), rules)
    return verdict


@pytest.mark.parametrize(
    ("links", "words", "positions"),
    [
        ("2-5 2-7", {"a7": "he", "a4": "he"}, (7,)),  # an aligned word before a neighbour of an earlier one
        ("2-8 2-1", {"a3": "he", "a7": "he"}, (7,)),  # windows in the order of the file: 5…9, then 0…5
        ("2-5", {"a3": "he", "a7": "he"}, (3,)),  # the first of a window
        ("2-4", {"a8": "he"}, (8,)),  # one word further to the right: 4 + 3 + 1
        ("2-5", {"a1": "he"}, (2, 3, 4, 5, 6, 7, 8)),  # but not to the left; 5 - 3 … 5 + 3
        ("2-0", {"a5": "he"}, (0, 1, 2, 3)),
        ("2-8", {}, (5, 6, 7, 8, 9)),
        ("2-8 2-4", {}, (1, 2, 3, 4, 5, 6, 7)),  # the last window
        # Without a link, with neighbours in 1 and 3: from 4, the first of the left one, to the end.
        ("1-6 1-4 3-8", {"a9": "he"}, (9,)),
        (
            "1-6 1-4 3-8",
            {"a3": "he"},
            (6, 7),
        ),  # recorded: from the last of the left one up to the last of the right one
        ("1-6 3-7 3-9", {}, (6, 7, 8)),
        ("1-6 3-2", {}, ()),
        ("3-2", {"a0": "he"}, (0,)),  # without a left neighbour: from 0
        ("1-6", {"a9": "he"}, (6, 7, 8, 9)),  # without a right one: the last word is not looked at, but recorded
        ("", {"a8": "he"}, (8,)),
    ],
)
def test_what_the_authors_tool_looks_at(links: str, words: dict[str, str], positions: tuple[int, ...]) -> None:
    verdict = verdict_on("<他>_S", links, PUBLISHED, **words)
    assert verdict.positions == positions
    assert verdict.right == (len(positions) == 1)


def test_the_words_of_a_failure_are_one_more_than_its_positions() -> None:
    assert verdict_on("<他>_S", "2-5", PUBLISHED).words == WORDS[2:10]
    assert verdict_on("<他>_S", "2-8", PUBLISHED).words == WORDS[5:10]
    # Without a link: from the first word of the left neighbour to the end, or to the last word but one.
    assert verdict_on("<他>_S", "1-4 1-6 3-8", PUBLISHED).words == WORDS[4:]
    assert verdict_on("<他>_S", "1-4 1-6", PUBLISHED).words == WORDS[4:9]


@pytest.mark.parametrize(
    ("links", "words", "right"),
    [
        ("2-4", {"a8": "he"}, False),  # three words on each side
        ("2-4", {"a7": "he"}, True),
        ("2-8 2-1", {"a3": "he"}, True),
        ("1-4 1-6 3-8", {"a7": "he"}, True),  # between 6 and 8
        ("1-4 1-6 3-8", {"a9": "he"}, False),
        ("1-4 1-6 3-8", {"a5": "he"}, False),
        ("1-6 3-2", {"a4": "he"}, True),  # neighbours in the other order
        ("1-6", {"a9": "he"}, True),  # to the end
        ("3-2", {"a0": "he"}, True),
        ("3-2", {"a3": "he"}, False),
    ],
)
def test_what_is_looked_at_as_corrected(links: str, words: dict[str, str], right: bool) -> None:
    assert verdict_on("<他>_S", links, CORRECTED, **words).right is right


@pytest.mark.parametrize(
    ("label", "published", "corrected"),
    [
        ("<它>_Pa", "it", "its"),
        ("<你们的>_Pa", "yours", "your"),
        ("<她的>_P", "her", "hers"),
        ("<你的>_S", "you", "you"),
        ("<我们>_P", "ours", "ours"),
        ("<我们的>_P", None, "ours"),
        ("<你自己>_R", None, "yourself"),
        ("<他>_S_n", None, None),
    ],
)
def test_expected_words(label: str, published: str | None, corrected: str | None) -> None:
    assert verdict_on(label, "2-4", PUBLISHED).expected == published
    assert verdict_on(label, "2-4", CORRECTED).expected == corrected


def test_the_errors_of_the_published_table_are_named() -> None:
    node = load_yaml(RULES / "pronouns" / "zh-en-published.yaml")
    ours = {label: next(all_zeros([label])).expected for label in published_words()}
    wrong = {label for label, word in published_words().items() if ours[label] != word}
    assert wrong == {"<它>_Pa", "<你们的>_Pa", "<她的>_P"}
    assert wrong < set(node["errors"])
    assert {label for label in node["errors"] if label not in published_words()} == {"<你们的>_P", "<你自己>_R"}


def test_undetermined_zeros_are_counted_as_corrected_only() -> None:
    source = ["<他>_UN", "<他>", "<诗>", "<他>_S", "他"]
    assert [verdict.outcome for verdict in judge(0, source, ["he"], (), PUBLISHED)] == ["unaligned"]
    assert [verdict.label for verdict in judge(0, source, ["he"], (), CORRECTED)] == ["<他>_UN", "<他>", "<他>_S"]


def test_no_zero_leaves_the_denominator() -> None:
    source = ["<他>_S", "<我>_S", "<它>_O", "<他>_UN", "<你>_S_n", "词"]
    target = ["he", "sees", "a", "dog", "today", "and", "sleeps"]
    # he at 0: right; 我 beside 2: wrong; 它 between it and the end: unaligned; no expected word: two undecided.
    verdicts = list(judge(0, source, target, parse_links("0-0 1-2"), CORRECTED))
    assert [verdict.outcome for verdict in verdicts] == ["right", "wrong", "unaligned", "undecided", "undecided"]
    assert accuracy(verdicts).share == 1 / 5
    forms = by_form(verdicts)
    assert {form: parts[""].zeros for form, parts in forms.items()} == {"S": 3, "O": 1, "UN": 1}
    assert list(forms["S"]) == ["", "<他>_S", "<我>_S", "<你>_S_n"]
    assert forms["S"][""].share == 1 / 3
    # The five of this sentence, and one zero in another.
    sentences = by_sentence([*verdicts, replace(verdicts[0], sentence=1)])
    assert {name: (part.zeros, part.share) for name, part in sentences.items()} == {
        "one zero": (1, 1.0),
        "three zeros or more": (5, 1 / 5),
    }


FILES = {
    "a.zh": "<他>_S 看见 了 <它>_O 。\n[doc]\n<他>_S <诗>_S 睡 <他>_UN\n",
    "a.en": "He saw it .\n[doc]\nSlept he\n",
    "a.align": "0-0 1-1 3-2\n\n2-0 0-9\n",
}


def files(folder: Path) -> list[str]:
    for name, text in FILES.items():
        write_text(folder / name, text)
    return [str(folder / "a.zh"), str(folder / "a.en"), "--alignment", str(folder / "a.align")]


def test_the_command_scores_by_hand(tmp_path: Path) -> None:
    # 他 at he, 它 at it. In line 3 the link 0-9 leaves the sentence; 他 before 睡-0: from 0 on, and to the last word but one of
    # "slept he" without a right neighbour; there is one, so "he" counts. 诗 is in no table; the UN is not counted.
    outputs = {name: tmp_path / f"o.{name}" for name in ("score", "details", "tagged")}
    options = [word for name in ("details", "tagged") for word in (f"--{name}", str(outputs[name]))]
    result = winoforge("zp", "azpt", *files(tmp_path), "--out", str(outputs["score"]), *options)
    assert result.returncode == 1
    assert result.stderr.splitlines() == [
        f"{tmp_path / 'a.align'}:3: [link] outside the sentence; found 0-9, expected 4 words and 2 words",
        f"{tmp_path / 'a.zh'}:3: [label] no label of the authors' table, counted as not translated; found '<诗>_S', "
        "expected a label with a translation",
    ]
    assert (
        "4 zeros, 3 translated (75.0 %), 1 not\nsentences with two zeros: 4 zeros, 75.0 % translated\n" in result.stdout
    )
    assert "sha256 " in result.stdout
    assert read_text(outputs["score"]).splitlines()[-1] == "Finally Correct entities:3\t Incorrect:1\t Score:0.75"
    # Positions of 诗: from the start of the sentence up to 0, the word of 睡.
    assert read_text(outputs["details"]).splitlines()[1:] == [
        "0\t0\t<他>_S\the\t0\the\t1",
        "0\t3\t<它>_O\tit\t2\tit\t1",
        "2\t0\t<他>_S\the\t1\the\t1",
        "2\t1\t<诗>_S\tNone\t[]\t['slept', 'he']\t-1",
    ]
    assert read_text(outputs["tagged"]) == "<he> saw <it> .\n[doc]\nslept <he>\n"


def test_the_corrected_mode_tells_what_each_departure_does(tmp_path: Path) -> None:
    # 他 in line 3 is looked for in the first word only: lost. The UN is counted, undecided.
    result = winoforge("zp", "azpt", *files(tmp_path), "--mode", "corrected", "--out", str(tmp_path / "o"))
    assert "5 zeros, 2 translated (40.0 %), 3 not" in result.stdout
    assert "S: 3 zeros, 33.3 % translated; 1 right, 1 unaligned, 1 undecided" in result.stdout
    assert "as published: 3 of 4 translated" in result.stdout
    assert "between alone: 2 of 4 translated; 0 gained, 1 lost" in result.stdout
    assert "own_table alone: 3 of 4 translated; 0 gained, 0 lost" in result.stdout
    assert "every_zero alone: 3 of 5 translated; 0 gained, 0 lost" in result.stdout
    printed = winoforge("zp", "azpt", *files(tmp_path), "--mode", "corrected", "--out", str(tmp_path / "o"), "--json")
    figures = json.loads(printed.stdout)
    assert figures["outcomes"] == {"right": 2, "wrong": 0, "unaligned": 1, "undecided": 2}
    assert figures["forms"]["O"]["<它>_O"]["azpt"] == 1
    assert figures["departures"]["between"]["lost"] == 1
    assert figures["alignment_sha256"] == hashlib.sha256(FILES["a.align"].encode()).hexdigest()


def test_all_departures_make_the_corrected_mode() -> None:
    assert replace(PUBLISHED, **dict.fromkeys(DEPARTURES, True)) == CORRECTED


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.align", "0-0 1:1\n\n\n", "a.align:1: [link] not a link; found '1:1', expected source-target such as 0-0"),
        ("a.align", "0-0\n", "a.align: [lines] not aligned; found 1 line, expected 3"),
        ("a.align", "\n\n0-0 1p1\n", "a.align:3: [link] not a link; found '1p1'"),
        ("a.align", "\n\n0--1\n", "a.align:3: [link] not a link; found '0--1'"),
        ("a.align", "\n\n²-1\n", "a.align:3: [link] not a link"),
        ("a.en", "he\n", "a.en: [lines] not aligned; found 1 line, expected 3"),
        ("a.zh", "一\n二\n三\n", "a.zh: [label] no zero; expected at least one label"),
    ],
)
def test_malformed_files_are_refused(tmp_path: Path, name: str, text: str, reason: str) -> None:
    arguments = files(tmp_path)
    write_text(tmp_path / name, text)
    result = winoforge("zp", "azpt", *arguments, "--out", str(tmp_path / "o"))
    assert result.returncode == 2
    assert result.stderr.startswith(str(tmp_path / reason))
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_files_that_are_missing_are_named(tmp_path: Path, missing: int) -> None:
    arguments = files(tmp_path)
    result = winoforge("zp", "azpt", *arguments[:missing], "--out", str(tmp_path / "o"))
    assert result.returncode == 2
    assert f"found {missing} of 3, expected SOURCE, HYPOTHESES and --alignment, or --from-details" in result.stderr
    both = winoforge("zp", "azpt", *arguments, "--from-details", arguments[0], "--out", str(tmp_path / "o"))
    assert both.returncode == 2
    assert "[--from-details] takes no other files" in both.stderr


def test_an_empty_translation_fails_each_zero(tmp_path: Path) -> None:
    for rules in (PUBLISHED, CORRECTED):
        (verdict,) = judge(0, ["<他>_S", "词"], [], (), rules)
        assert (verdict.positions, verdict.words, verdict.right) == ((), (), False)
        write_text(tmp_path / "a.details", "".join(f"{line}\n" for line in details_lines([verdict])))
        assert read_details(tmp_path / "a.details") == [replace(verdict, aligned=None)]
