"""The table of decisions: sorted, safe in a spreadsheet, refused where it is malformed."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.invisible import INVISIBLE
from pipeline.language.personal_data import find_personal_data
from pipeline.winograd.adjudication.table import COLUMNS, OPTIONAL, read_adjudications, write_adjudications
from tests.conftest import Refused
from tests.support.adjudication import row

REQUIRED = [name for name in COLUMNS if name not in OPTIONAL]


def test_the_committed_table_is_well_formed(root: Path) -> None:
    path = root / "annotation" / "decisions.tsv"
    read_adjudications(path)
    assert path.read_text(encoding="utf-8").splitlines()[0].split("\t") == list(COLUMNS)


def test_the_table_is_sorted_and_safe_in_a_spreadsheet(tmp_path: Path) -> None:
    path = tmp_path / "decisions.tsv"
    write_adjudications(path, [row("p-2-a", "keep", reason="=1+1"), row("p-1-b", "relabel", "老汤", reason="- 不确定")])
    assert path.read_text(encoding="utf-8").splitlines()[1:] == [
        "p-1-b\trelabel\t老汤\tkept\t老汤催小柳快走，因为[他]磨磨蹭蹭。\t小柳\tconsensus\t2 of 3\t'- 不确定\t\t",
        "p-2-a\tkeep\t\tkept\t阿强替阿明值了夜班，[他]困得睁不开眼。\t阿强\tconsensus\t2 of 3\t'=1+1\t\t",
    ]
    assert [(decision.item, decision.reason, decision.line) for decision in read_adjudications(path)] == [
        ("p-1-b", "- 不确定", 2),
        ("p-2-a", "=1+1", 3),
    ]


texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0") | st.sampled_from("'=-+@ \t\r\n"), max_size=8
)


@given(texts, texts)
def test_a_table_gives_back_what_it_was_given(
    tmp_path_factory: pytest.TempPathFactory, value: str, reason: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "round-trip.tsv"
    try:
        decision = row("p-1-a", "modify", value, reason=reason)
    except ValueError as error:
        # What no cell can hold is refused before anything is written.
        assert re.search("text does not fit a table cell|invisible character|personal data", str(error)) or not value
        hard = [
            text
            for text in (value, reason)
            if text.startswith("'") or re.search(r"[\t-\r\x1c-\x1e\x85\u2028\u2029]", text)
        ]
        assert not value or hard or INVISIBLE.search(value + reason) or find_personal_data(reason)
        return
    write_adjudications(path, [decision])
    assert read_adjudications(path) == [decision]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("p-1-a\tpraise\t\tkept\t甲[他]\t甲\ts\t2 of 3\t", "action"),
        ("p-1-a\tkeep\tyes\tkept\t甲[他]\t甲\ts\t2 of 3\t", "value"),
        ("p-1-a\trelabel\t\tkept\t甲[他]\t甲\ts\t2 of 3\t", "value"),
        ("p-1-a\tdrop\tpair-mate\tkept\t甲[他]\t甲\ts\t2 of 3\t", "value"),
        ("p-1-a\tdrop\tboring\tkept\t甲[他]\t甲\ts\t2 of 3\t", "value"),
        ("p-1-a\tkeep\t\tlost\t甲[他]\t甲\ts\t2 of 3\t", "state"),
        ("p-1-a\tkeep\t\tkept\t甲[他\t甲\ts\t2 of 3\t", "text"),
        ("p-1-a\tkeep\t\tkept\t甲[他]\t甲\t\t2 of 3\t", "study"),
        ("p-1-a\tkeep\t\tkept\t甲[他]\t甲\tcоnsensus\t2 of 3\t", "study"),  # with Cyrillic о
        ("p-1-a\tmodify\t甲\u200b[她]\tkept\t甲[他]\t甲\ts\t2 of 3\t", "value"),
        ("p-1-a\tkeep\t\tkept\t甲[他]\t甲\ts\t2/3\t", "votes"),
        ("p-1-a\tkeep\t\tkept\t甲[他]\t甲\ts\t1 of 2\t", "votes"),
        ("p-1-a\tkeep\t\tkept\t甲[他]\t甲\ts\t4 of 3\t", "votes"),
        ("\tkeep\t\tkept\t甲[他]\t甲\ts\t2 of 3\t", "item"),
        ("p-1-a\tkeep\t\tkept\t甲[他]\t甲\ts\t2 of 3\tfine\u0007", "reason"),
        ("p-1-a\tkeep\t\tkept\t甲[他]\t甲\ts\t2 of 3\t救不回来 wang@uni.example.edu", "reason"),
        ("p-1-a\tkeep\t\tkept", "row"),
    ],
)
def test_a_malformed_row_is_named_by_its_line(tmp_path: Path, refused: Refused, line: str, field: str) -> None:
    path = tmp_path / "decisions.tsv"
    good = "p-0-a\tkeep\t\tkept\t甲[他]\t甲\ts\t2 of 3\t"
    path.write_text("\n".join(["\t".join(REQUIRED), good, line, ""]), encoding="utf-8")
    refused(lambda: read_adjudications(path), f"{path}:3", field)


def test_an_item_has_one_row(tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "decisions.tsv"
    write_adjudications(path, [row("p-1-a", "keep"), row("p-1-a", "drop", "defect")])
    assert "in line 2 too" in refused(lambda: read_adjudications(path), f"{path}:3", "item")


def test_a_modification_may_have_its_question(tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "decisions.tsv"
    changed = row(
        "p-1-a", "modify", "老汤催小柳，[他]急。", question="谁急？", gloss="Lao Tang hurries Xiao Liu; he is nervous."
    )
    write_adjudications(path, [changed])
    assert read_adjudications(path) == [changed]
    with pytest.raises(ValueError, match=r"^\[question\] does not fit the action; found '谁急？' for a keep"):
        row("p-1-a", "keep", question="谁急？")
    path.write_text(
        "\n".join(["\t".join(COLUMNS), "p-1-a\tmodify\t甲[他]\tkept\t甲[他]\t甲\ts\t2 of 3\t\t谁\u200b？\t", ""])
    )
    refused(lambda: read_adjudications(path), f"{path}:2", "question")
