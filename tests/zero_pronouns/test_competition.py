"""Items from documents: candidates that a labelled pronoun fits, and a reason for every zero that is no item."""

from pathlib import Path

import pytest

from pipeline.core.files import write_text
from pipeline.core.records import read_items
from pipeline.release.gate import plan
from pipeline.zero_pronouns.documents import COLUMNS, read_parallel_text, read_references
from pipeline.zero_pronouns.exports.competition import Conversion, competing_items
from tests.support.commands import winoforge

OURS = Path(__file__).parents[2] / "raw" / "zp"
#: Two persons whom zeros of the document call 他; the third line has no mark at its end.
SOURCE = "[doc]\n老葛叫小岑来，<他>_S等着。\n小岑没空\n<他>_S明天来。\n"
ROWS = ("2\t1\t2\t老葛\t1\tanaphoric", "4\t1\t3\t小岑\t1\tanaphoric")


def converted(folder: Path, source: str, *rows: str) -> Conversion:
    write_text(folder / "a.zh", source)
    write_text(folder / "a.tsv", "".join(f"{row}\n" for row in ("\t".join(COLUMNS), *rows)))
    text = read_parallel_text(folder / "a.zh", folder / "a.zh")
    return competing_items(text, "a", read_references(folder / "a.tsv", text))


def test_items_by_hand(tmp_path: Path) -> None:
    # 老葛 and 小岑 stand before both zeros. The second item begins with the nearest mention of 老葛, in the first line; its second
    # sentence gets a blank: 老葛叫小岑来，等着。 has 10 characters, 小岑没空 and the blank 5.
    conversion = converted(tmp_path, SOURCE, *ROWS)
    assert conversion.left_out == {}
    first, second = conversion.items
    assert (first.id, first.text, first.target.start, first.candidates, first.answer) == (
        "a-2-1-a", "老葛叫小岑来，等着。", 7, ("老葛", "小岑"), 0,
    )  # fmt: skip
    assert (second.text, second.target.start, second.answer) == ("老葛叫小岑来，等着。小岑没空 明天来。", 15, 1)
    assert second.note == "line 4, zero 1: <他>_S"


@pytest.mark.parametrize(
    ("old", "new", "rows", "reason"),
    [
        ("<他>_S明", "<我>_S明", ROWS[1:], "no third person"),
        ("<他>_S明", "<他>_UN明", ROWS[1:], "reflexive or undetermined form"),
        ("<他>_S明", "<她>_S明", ROWS[1:], "no other mention that agrees"),
        ("来", "来", ["4\t1\t\t\t\tsituation"], "no antecedent in the document"),
        ("来", "来", ["4\t1\t4\t明天\t1\tanaphoric"], "the antecedent follows"),
        ("小岑没空", "他没空", ["4\t1\t3\t他\t1\tanaphoric"], "the antecedent is a pronoun or no plain noun phrase"),
        ("没空\n", f"没空\n{'好。' * 9}\n好。\n好。\n", ["7\t1\t3\t小岑\t1\tanaphoric"], "more than 4 sentences"),
        ("明天来。", "", ROWS[1:], "a pronoun or nothing follows"),
        ("明天来。", "他明天来。", ROWS[1:], "a pronoun or nothing follows"),
        (
            "明天来",
            "<他的>_Pa书",
            [*ROWS[1:], "4\t2\t3\t小岑\t1\tanaphoric"],
            "another zero has the same text and place",
        ),
    ],
)
def test_every_other_zero_has_a_reason(old: str, new: str, rows: list[str], reason: str, tmp_path: Path) -> None:
    conversion = converted(tmp_path, SOURCE.replace(old, new), ROWS[0], *rows)
    assert any(text.startswith(reason) for text in conversion.left_out)
    assert len(conversion.items) + sum(conversion.left_out.values()) == len(rows) + 1


def test_items_of_our_sample_are_valid(tmp_path: Path) -> None:
    count = 0
    for source in sorted(OURS.glob("*.zh")):
        out = tmp_path / f"{source.stem}.jsonl"
        table = OURS / "antecedents" / f"{source.stem}.tsv"
        result = winoforge("zp", "items", source, "--antecedents", table, "--out", out)
        assert result.returncode == 0
        if out.read_bytes():
            count += len(read_items(out))
            assert not [line for suite, paths in plan("items", [out]) for line in suite.check(paths).lines()]
    assert count >= 3
