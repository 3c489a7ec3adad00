"""Recovered zeros (AZPR) by hand, and properties of the scores."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.files import write_text
from pipeline.statistics.agreement import Overlap
from pipeline.zero_pronouns.agreement import recovery_scores
from pipeline.zero_pronouns.labels import FORMS, Sentence, Zero
from tests.support.commands import winoforge

GOLD = "[doc]\n<他>_S说<他的>_Pa书没了。\n<我>_S来了。\n没有。\n"
SYSTEM = "[doc]\n<他>_S说<他的>_P书没了。\n<他>_S来<它>_O了。\n没有。\n"


def files(folder: Path, gold: str = GOLD, system: str = SYSTEM) -> tuple[Path, Path]:
    write_text(folder / "gold.zh", gold)
    write_text(folder / "system.zh", system)
    return folder / "gold.zh", folder / "system.zh"


def test_scores_by_hand(tmp_path: Path) -> None:
    # Gold: 他_S, 他的_Pa, 我_S. System: 他_S (right), 他的_P (another form), 他_S (another pronoun), 它_O (no zero there).
    # With the form 1 of 4 and of 3: precision 1/4, recall 1/3, F1 2/7. Without it 2: 1/2, 2/3, 4/7.
    result = winoforge("zp", "recover", *files(tmp_path))
    assert result.returncode == 0
    assert result.stdout.splitlines()[:3] == [
        f"place, pronoun and form: precision 25.0 %, recall 33.3 %, F1 28.6 %; 1 right of 4 by the system, 3 in {tmp_path / 'gold.zh'}",
        f"place and pronoun: precision 50.0 %, recall 66.7 %, F1 57.1 %; 2 right of 4 by the system, 3 in {tmp_path / 'gold.zh'}",
        f"S: precision 50.0 %, recall 50.0 %, F1 50.0 %; 1 right of 2 by the system, 2 in {tmp_path / 'gold.zh'}",
    ]
    assert "O: precision 0.0 %, recall n/a, F1 n/a; 0 right of 1 by the system, 0 in" in result.stdout
    assert "Pa: precision n/a, recall 0.0 %, F1 n/a; 0 right of 0 by the system, 1 in" in result.stdout


def test_a_zero_twice_in_one_place_counts_twice() -> None:
    twice = Sentence("来", (Zero(0, "他", "S"), Zero(0, "他", "S")))
    once = Sentence("来", (Zero(0, "他", "S"),))
    assert recovery_scores([(twice, once)]).overall == Overlap(ours=1, theirs=2, both=1)


def test_another_text_is_a_finding_and_leaves_no_zero_right(tmp_path: Path) -> None:
    result = winoforge("zp", "recover", *files(tmp_path, "<他>_S来了\n", "<他>_S来了。\n"))
    assert result.returncode == 1
    assert result.stderr.startswith(f"{tmp_path / 'system.zh'}:1: [sentence] not the text of")
    assert "without its labels; found '来了。', expected '来了'" in result.stderr
    assert "0 right of 1 by the system, 1 in" in result.stdout


@pytest.mark.parametrize(("gold", "system"), [("来了\n", "来了\n好\n"), ("[doc]\n", "[doc]\n"), ("", "")])
def test_files_that_cannot_be_compared_are_refused(tmp_path: Path, gold: str, system: str) -> None:
    result = winoforge("zp", "recover", *files(tmp_path, gold, system))
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)


ZEROS = st.lists(
    st.builds(Zero, st.integers(0, 2), st.sampled_from(["他", "我的"]), st.sampled_from(["", *FORMS])), max_size=4
).map(lambda zeros: Sentence("来了", tuple(sorted(zeros, key=lambda zero: zero.place))))


@given(st.lists(st.tuples(ZEROS, ZEROS), max_size=3))
def test_counts_add_up(pairs: list[tuple[Sentence, Sentence]]) -> None:
    scores = recovery_scores(pairs)
    parts = scores.forms.values()
    assert sum(part.theirs for part in parts) == scores.overall.theirs == sum(len(gold.zeros) for gold, _ in pairs)
    assert sum(part.both for part in parts) == scores.overall.both <= scores.without_form.both
    assert scores.without_form.both <= min(scores.overall.theirs, scores.overall.ours)
    mirrored = recovery_scores([(system, gold) for gold, system in pairs]).overall
    assert (mirrored.precision, mirrored.recall, mirrored.f1) == (
        scores.overall.recall,
        scores.overall.precision,
        scores.overall.f1,
    )


@given(st.lists(ZEROS, max_size=3))
def test_the_gold_standard_recovers_everything(sentences: list[Sentence]) -> None:
    scores = recovery_scores([(sentence, sentence) for sentence in sentences])
    assert scores.overall.f1 in (None, 1)
    assert all(part.f1 == 1 for part in scores.forms.values())
