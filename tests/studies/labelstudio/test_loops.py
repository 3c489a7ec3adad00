"""The loops of Mandarinograd and of WSC-ZA, each to its last step on a real server: what people mend is asked again."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.core.files import write_jsonl
from pipeline.core.model import Item
from pipeline.core.records import read_items, write_items
from pipeline.release.people import judged_items
from pipeline.studies.model.judgements import Answer
from pipeline.studies.model.study import Study, Task
from pipeline.winograd.adjudication.table import judged_text, read_adjudications
from pipeline.winograd.exclusion.ledger import Decision, write_decisions
from pipeline.winograd.zero_forms import to_zero
from tests.support.commands import printed as run
from tests.support.items import marked
from tests.support.rounds import (
    AGREEMENT,
    ERRS_AT,
    MEAN,
    RIGHT,
    Answers,
    Round,
    annotate,
    carry,
    cut_down,
    export_of,
    judgements_of,
    released,
    usual,
)
from tools.labelstudio import Account, Server

TWO_LISTS = "{scheme: balanced, count: 2}"
DESIGNS = {
    "questionnaire": {"screen": "2", "lists": "{scheme: balanced, count: 2, size: 20}"},
    "verification": {},
    "explanations": {"lists": TWO_LISTS},
    "questionnaire-again": {"lists": TWO_LISTS},
    "naturalness": {"lists": "{scheme: subsets, count: 2, size: 10}"},
    "consensus": {"lists": TWO_LISTS},
    "naturalness-again": {"lists": TWO_LISTS},
}
#: What raters make of the words of a sentence, and of its question.
MENDED = {"用不着": "不想要", "没有": "没带"}
REASON = "也可能是另一个人"
#: What the sentences are about, each in other characters: the build refuses copies.
THINGS = (
    *("红灯笼", "油纸伞", "自行车", "望远镜", "缝纫机", "羽毛球", "电风扇", "小提琴", "洗衣粉", "热水袋", "图画书"),
    *("毛线帽", "铁皮桶", "折叠椅", "保温杯", "手电筒", "木梯子", "剪枝刀", "充气垫", "象棋盘", "长竹竿"),
)


def loans() -> list[Item]:
    """Return a pair of sentences about each thing. In every second pair the answer of member a is 0, in the others 1."""
    items = []
    for pair, thing in enumerate(THINGS):
        for member, version in enumerate("ab"):
            answer = (member + pair) % 2
            words = ("用不着", "没有")[answer]
            text, name = f"阿菊把{thing}借给小舟，因为【她】{words}。", f"loan-{pair:02}-{version}"
            items.append(marked(text, name, candidates=("阿菊", "小舟"), answer=answer, question=f"谁{words}？"))
    return items


LOANS = loans()


class Loop:
    """A collection before people decide, with the designs cut down, and the raters."""

    def __init__(self, folder: Path, server: Server, accounts: Sequence[Account]) -> None:
        self._server, self._accounts = server, accounts
        self.rounds: dict[str, Round] = {}
        self.zh = folder / "build" / "zh"
        cut_down(folder, DESIGNS)

    def collect(self, pairs: int) -> None:
        """Write the items of some pairs, as `make build` does before people decide."""
        items = LOANS[: 2 * pairs]
        for name in ("items", "modified"):
            write_items(self.zh / f"{name}.jsonl", items)
        for name in ("zero-before", "zero"):
            write_jsonl(self.zh / f"{name}.jsonl", map(to_zero, items))
        for name in ("decisions", "modified-rejected"):
            write_jsonl(self.zh / f"{name}.jsonl", [])

    def judged(self, name: str, answers: Answers = usual, *, after: str = "", owners: Sequence[str] = ()) -> Round:
        """Carry a design; `after`: the study whose judgements it needs, `owners`: the raters after whom lists are named."""
        judgements = ("--judgements", judgements_of(after)) if after else ()
        made = self.rounds[name] = carry(self._server, self._accounts, name, answers, *judgements, owners=owners)
        assert len(made.study.lists) >= 2
        assert sum(task.phase != "practice" for task in made.tasks) >= 20
        return made

    def decide(self, study: str) -> None:
        """Take the decisions of a study over, as `make build` does."""
        printed = annotate(
            "adjudicate", export_of(study), "--judgements", judgements_of(study),
            "--records", self.zh / "modified.jsonl", "--decisions", "annotation/decisions.tsv",
        )  # fmt: skip
        # Two of three raters or all modify each item but the tenth and the last.
        assert f"{study}: 20 items: 20 decided + 0 open + 0 settled otherwise" in printed
        rows = {row.item: row.action for row in read_adjudications(Path("annotation/decisions.tsv"))}
        kept = self.rounds[study].items[9::10]
        assert rows == {item: "keep" if item in kept else "modify" for item in self.rounds[study].items}
        annotate(
            "apply", self.zh / "modified.jsonl", "--rejected", self.zh / "modified-rejected.jsonl",
            "--decisions", "annotation/decisions.tsv", "--out", self.zh / "adjudicated.jsonl",
            "--rejected-out", self.zh / "adjudicated-rejected.jsonl", "--ledger", self.zh / "adjudications.jsonl",
        )  # fmt: skip
        run("zero", self.zh / "adjudicated.jsonl", "--out", self.zh / "zero.jsonl")

    def mended(self, study: str) -> list[str]:
        """Return the items that the raters of a study have reworded, and those that nobody had been asked about."""
        before = self.rounds[{"explanations": "questionnaire", "consensus": "naturalness"}[study]]
        kept = self.rounds[study].items[9::10]
        asked = {item for item in before.items if item not in self.rounds[study].items or item in kept}
        return [item.id for item in read_items(self.zh / "zero.jsonl", zero_forms=True) if item.id not in asked]

    def released(self, name: str) -> dict[str, tuple[object, ...]]:
        return released(name, read_items(self.zh / "zero.jsonl", zero_forms=True))

    def judged_items(self) -> tuple[int, int, int]:
        """Return the numbers of the card: released items, those that were judged as they are, and in other words only."""
        people = judged_items(Path("annotation/exports"), read_items(self.zh / "zero.jsonl", zero_forms=True))
        return people["items"], people["judged"], people["changed"]


@pytest.fixture
def loop(tmp_path: Path, server: Server, raters: list[Account], secrets: None, monkeypatch: pytest.MonkeyPatch) -> Loop:
    monkeypatch.chdir(tmp_path)
    return Loop(tmp_path, server, raters)


def decision(study: Study, task: Task, place: int, wrong: bool, rater: int) -> dict[str, Answer]:
    """Modify the text that the screen offers, with the question; who errs keeps it."""
    text = str(task.data["editable"])
    before, after = next((words, better) for words, better in MENDED.items() if words in text)
    if wrong:
        return {"decision": "keep"}
    return {"decision": "modify", "modified": text.replace(before, after), "question": f"谁{after}？"}


def verdict(study: Study, task: Task, place: int, wrong: bool, rater: int) -> dict[str, Answer]:
    """The rater who errs most explains; the others withdraw."""
    most = rater == ERRS_AT.index(min(ERRS_AT))
    return {"verdict": "explain", "reason": REASON} if most else {"verdict": "withdraw"}


#: The card's row of a decision, see `rounds`.
DECIDED = (3, 20, 60, AGREEMENT, None, None)
JUDGED = (3, 20, 60, AGREEMENT, RIGHT, None)


def test_mandarinograd_from_the_questionnaire_to_the_mended_items(loop: Loop) -> None:
    # Twenty of 21 pairs are asked about, on twenty screens of two sentences.
    loop.collect(21)
    first = loop.judged("questionnaire")
    assert loop.released("questionnaire") == {"answer": (3, 40, 120, AGREEMENT, RIGHT, None), "": (40,)}
    assert "1 rater of 3 to look at (criteria of the design)" in first.printed
    assert f"  {first.raters[2]}: not above chance: 20 of 40 right" in first.printed
    assert "micro 0.733" in first.printed
    # The raters were wrong about 4, 8 and 20 sentences. Two withdraw what was wrong, the third explains.
    second = loop.judged("verification", verdict, after="questionnaire", owners=first.raters)
    assert [len([task for task in second.tasks if task.list == rater]) for rater in first.raters] == [4, 8, 20]
    # Four of the 24 sentences have three raters, two of whom agree; each other has one.
    assert loop.released("verification") == {"verdict": (3, 24, 32, 0.3333, None, None), "": (24,)}
    printed = annotate(
        "agree", export_of("questionnaire"), "--judgements", judgements_of("questionnaire"), "--out", "build/report",
        "--resamples", 20, "--verification", export_of("verification"),
    )  # fmt: skip
    # 88 of 120 answers were right, twelve were withdrawn.
    assert "expected answers: 88 of 120 (73.3 %) before and 100 of 120 (83.3 %) after reconsideration" in printed
    assert "32 disagreements = 12 withdrawn + 20 explained + 0 open" in printed
    assert "Before and after reconsideration" in Path("build/report/index.html").read_text(encoding="utf-8")
    figures = json.loads(Path("build/report/figures.json").read_text(encoding="utf-8"))
    (row,) = [row for row in figures["published"] if row["what"].endswith("after reconsideration")]
    assert (row["printed"], row["ours"]) == ("0.97", "0.833")
    third = loop.judged("explanations", decision, after="verification")
    task = third.tasks[0]
    (item,) = [loan for loan in LOANS if loan.id == task.items[0]]
    (mate,) = [loan for loan in LOANS if loan.schema == item.schema and loan != item]
    assert (task.data["doubt"], task.data["editable"]) == (REASON, judged_text(item))
    assert task.data["mate_right"] == mate.candidates[mate.answer]
    assert loop.released("explanations") == {"decision": DECIDED, "": (20,)}
    loop.decide("explanations")
    # Of 42 items 18 are in other words by now, and nobody was asked about a pair.
    assert loop.judged_items() == (42, 22, 18)
    last = loop.judged("questionnaire-again", after="questionnaire")
    assert last.items == loop.mended("explanations")
    assert loop.released("questionnaire-again") == {"answer": JUDGED, "": (20,)}
    assert loop.judged_items() == (42, 42, 0)


def test_wsc_za_from_the_ratings_to_the_mended_items(loop: Loop) -> None:
    # Two random subsets of eleven pairs: twenty sentences.
    loop.collect(11)
    first = loop.judged("naturalness")
    stars = (3, 20, 60, AGREEMENT, None, MEAN)
    assert loop.released("naturalness") == {"reference": JUDGED, "naturalness": stars, "": (20,)}
    assert f"  {first.raters[2]}: not above chance: 10 of 20 right" in first.printed
    # At twelve of the twenty somebody errs: the 2nd, 4th, 5th, 6th, 8th and 10th of each ten. The parsers dispute the others.
    unanimous = [item for rank, item in enumerate(first.items, 1) if rank % 10 in (1, 3, 7, 9)]
    write_decisions(loop.zh / "decisions.jsonl", [Decision(item, None, disputed=True) for item in unanimous])
    second = loop.judged("consensus", decision, after="naturalness")
    assert second.items == first.items
    doubts = {task.items[0]: task.data["doubt"] for task in second.tasks}
    # Two of three are right and give five stars, the third gives two; at the tenth all are wrong.
    assert doubts[first.items[1]].endswith("★ 4.00")
    assert doubts[first.items[9]].endswith("★ 2.00")
    assert loop.released("consensus") == {"decision": DECIDED, "": (20,)}
    loop.decide("consensus")
    assert loop.judged_items() == (22, 2, 18)
    last = loop.judged("naturalness-again", after="naturalness")
    assert last.items == loop.mended("consensus")
    assert loop.released("naturalness-again") == {"reference": JUDGED, "naturalness": stars, "": (20,)}
    assert loop.judged_items() == (22, 22, 0)
