"""The exclusion stage: policy, pair-mates, and the sum of what goes in and comes out."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.core.model import Finding, Item, Record, Rejected, Span, label_counts
from pipeline.core.records import write_items
from pipeline.language.parsing.lock import Lock
from pipeline.language.parsing.trees import Token, Tree, trees_to_conllu
from pipeline.winograd.exclusion.exclude import Partition, exclude, partition_again
from pipeline.winograd.exclusion.ledger import Decision, decision_from_json, decision_to_json
from pipeline.winograd.exclusion.ruleset import load_rules
from tests.support.commands import winoforge
from tests.support.items import marked


def tree(text: str, words: str, heads: list[int], relations: str, tags: str, parser: str = "hand/1") -> Tree:
    """Return a tree from blank-separated words; heads count from 1, 0 is the root."""
    tokens, place = [], 0
    for word, head, relation, tag in zip(words.split(), heads, relations.split(), tags.split(), strict=True):
        place = text.index(word, place)
        tokens.append(Token(word, Span(place, place + len(word)), tag, "x", head - 1 if head else None, relation))
        place += len(word)
    return Tree(text, parser, tuple(tokens))


def lock(*trees: Tree, name: str = "lock.conllu") -> Lock:
    return Lock(Path(name), {parse.key: parse for parse in trees})


KEEP = "老汤说【他】累了。"
BA = "老汤把【他】叫醒了。"
KEEP_TREE = tree(
    "老汤说他累了。",
    "老汤 说 他 累 了 。",
    [2, 0, 4, 2, 4, 2],
    "nsubj root nsubj ccomp aux punct",
    "NOUN VERB PRON ADJ PART PUNCT",
)
BA_TREE = tree(
    "老汤把他叫醒了。",
    "老汤 把 他 叫醒 了 。",
    [4, 3, 4, 0, 4, 4],
    "nsubj case obl:patient root aux punct",
    "NOUN ADP PRON VERB PART PUNCT",
)


def run(items: list[Item], *locks: Lock, **options: object) -> Partition:
    return exclude(items, locks or [lock(KEEP_TREE, BA_TREE)], load_rules("zh"), **options)  # type: ignore[arg-type]


def classes(result: Partition) -> dict[str, str]:
    return {entry.record.id: entry.exclusion for entry in result.rejected}


def test_a_rule_rejects_with_its_reason_and_evidence() -> None:
    result = run([marked(KEEP, "k-1-a"), marked(BA, "b-1-a")])
    assert [item.id for item in result.kept] == ["k-1-a"]
    (entry,) = result.rejected
    (finding,) = entry.findings
    assert (finding.rule, finding.exclusion, finding.span) == ("zh/ba-object", "ba-object", Span(3, 4))
    assert finding.message == next(rule.because for rule in load_rules("zh").rules if rule.id == "zh/ba-object")
    assert finding.evidence["words"] == {"target": "他", "marker": "把"}
    assert finding.evidence["parser"] == "hand/1"


def test_the_other_member_falls_as_pair_mate_and_stays_by_sentence() -> None:
    items = [marked(KEEP, "p-1-a"), marked(BA, "p-1-b")]
    result = run(items)
    assert classes(result) == {"p-1-a": "pair-mate", "p-1-b": "ba-object"}
    assert result.rejected[0].findings[0].evidence == {"mate": "p-1-b", "class": "ba-object", "rule": "zh/ba-object"}
    assert [item.id for item in run(items, by_sentence=True).kept] == ["p-1-a"]


def test_a_member_skipped_on_reading_takes_its_mate_along() -> None:
    broken = Record(
        id="p-1-b", schema="p-1", version="b", lang="zh", text="坏", target=None, candidates=(), answer=None
    )
    skipped = Rejected(broken, (Finding("ingest/defect", "defect", None, "broken"),))
    result = run([marked(KEEP, "p-1-a")], skipped=[skipped])
    assert classes(result) == {"p-1-a": "pair-mate", "p-1-b": "defect"}
    assert len(result.kept) + len(result.rejected) == 2


@given(
    st.lists(st.tuples(st.sampled_from([KEEP, BA, "【】累了。"]), st.booleans(), st.sampled_from("123")), max_size=8),
    st.booleans(),
)
def test_every_record_is_kept_or_rejected_after_exclusion(
    drawn: list[tuple[str, bool, str]], by_sentence: bool
) -> None:
    records = [(marked(text, f"s-{schema}-{place}"), read) for place, (text, read, schema) in enumerate(drawn)]
    items = [item for item, read in records if read]
    skipped = [Rejected(item, (Finding("ingest/x", "defect", None, "broken"),)) for item, read in records if not read]
    result = run(items, skipped=skipped, by_sentence=by_sentence)
    assert sorted([*(item.id for item in result.kept), *classes(result)]) == sorted(item.id for item, _ in records)
    assert [decision.id for decision in result.decisions] == sorted(item.id for item, _ in records)
    assert {decision.id: decision.exclusion for decision in result.decisions if decision.exclusion} == classes(result)
    if not by_sentence:
        assert not {item.schema for item in result.kept} & {entry.record.schema for entry in result.rejected}


def test_what_is_a_zero_already_is_kept_and_named_or_rejected_on_request() -> None:
    item = Item(
        id="z-1-a", schema="z-1", version="a", lang="zh", text="累了。", target=Span(0, 0), candidates=("甲",), answer=0
    )
    assert run([item]).kept == (item,)
    kept = decision_to_json(run([item]).decisions[0])
    assert (kept["decision"], kept["class"], kept["already_zero"]) == ("kept", None, True)
    assert decision_from_json(kept) == run([item]).decisions[0]
    rejected = run([item], already_zero="reject")
    assert classes(rejected) == {"z-1-a": "already-zero"}
    assert "already_zero" not in decision_to_json(rejected.decisions[0])
    for partition in (run([item]), rejected):
        ledger = {decision.id: decision for decision in partition.decisions}
        assert (
            partition_again([item], [], ledger, {entry.record.id: entry for entry in partition.rejected}) == partition
        )


def test_the_first_parser_decides_and_a_second_one_disputes() -> None:
    """One parser has 找 as a verb, with 他 as its object; the other as a noun, with 他 as the subject of what follows."""
    text, words = "老汤找他走了。", "老汤 找 他 走 了 。"
    as_object = tree(
        text, words, [2, 0, 2, 2, 4, 2], "nsubj root obj xcomp aux punct", "NOUN VERB PRON VERB PART PUNCT", "one/1"
    )
    as_subject = tree(
        text, words, [2, 4, 4, 0, 4, 4], "nmod nsubj nsubj root aux punct", "NOUN NOUN PRON VERB PART PUNCT", "two/1"
    )
    item = marked("老汤找【他】走了。", "d-1-a")
    first = run([item], lock(as_object, name="one"), lock(as_subject, name="two"))
    second = run([item], lock(as_subject, name="two"), lock(as_object, name="one"))
    assert classes(first) == {"d-1-a": "direct-object"}
    assert first.rejected[0].findings[0].evidence["disputed"] is True
    assert first.rejected[0].findings[0].evidence["other_parsers"] == {"two/1": []}
    assert second.kept == (item,)
    votes = {"one/1": ("zh/direct-object",), "two/1": ()}
    # What the second parser takes 找 for would turn the first one's decision, and the reverse.
    assert first.decisions == (
        Decision("d-1-a", "direct-object", disputed=True, votes=votes, uncertain=("找 VERB → NOUN",)),
    )
    assert "找 NOUN → VERB" in second.decisions[0].uncertain
    assert [replace(decision, uncertain=()) for decision in second.decisions] == [
        Decision("d-1-a", None, disputed=True, votes=votes)
    ]


def test_a_decision_that_hangs_on_no_part_of_speech_is_certain() -> None:
    """把 alone tells that the target is its object."""
    assert [decision.uncertain for decision in run([marked(BA, "b-1-a")], lock(BA_TREE)).decisions] == [()]


def test_agreement_is_no_dispute() -> None:
    result = run([marked(BA, "b-1-a")], lock(BA_TREE), lock(BA_TREE))
    assert [decision.disputed for decision in result.decisions] == [False]


@pytest.mark.parametrize(
    ("locks", "status", "message"),
    [
        (("one",), 0, "items.jsonl: disputed: n/a (one parser); right answers A 1, B 0 (not balanced)"),
        (("one", "two"), 0, "items.jsonl: 0 disputed; right answers A 1, B 0 (not balanced)"),
        (("one", "one"), 2, "one.conllu: [parses] lock given twice; expected a lock of another parser"),
        (
            ("one", "two", "copy"),
            2,
            "copy.conllu: [parses] parser given twice; found hand/1 in one.conllu too, expected another parser",
        ),
    ],
)
def test_one_parser_disputes_nothing_and_none_votes_twice(
    locks: tuple[str, ...], status: int, message: str, tmp_path: Path
) -> None:
    write_items(tmp_path / "items.jsonl", [marked(KEEP, "k-1-a")])
    for name, parser in (("one", "hand/1"), ("copy", "hand/1"), ("two", "hand/2")):
        text = trees_to_conllu([replace(KEEP_TREE, parser=parser)])
        (tmp_path / f"{name}.conllu").write_text(text, encoding="utf-8")
    parses = [f"--parses={name}.conllu" for name in locks]
    ended = winoforge("exclude", "items.jsonl", *parses, "--kept=k.jsonl", "--rejected=r.jsonl", cwd=tmp_path)
    assert ended.returncode == status
    assert (ended.stdout or ended.stderr).splitlines()[-1] == message


def test_a_sentence_without_a_tree_names_the_command() -> None:
    with pytest.raises(PipelineError, match=r"^empty\.conllu: \[k-1-a\] no tree for '老汤说他累了。'; run make parse"):
        run([marked(KEEP, "k-1-a")], lock(name="empty.conllu"))


def test_a_target_that_is_not_one_token_names_the_command() -> None:
    split = tree(
        "老汤说他累了。",
        "老汤 说 他累 了 。",
        [2, 0, 2, 2, 2],
        "nsubj root ccomp aux punct",
        "NOUN VERB ADJ PART PUNCT",
    )
    with pytest.raises(PipelineError, match="the target is not one token"):
        run([marked(KEEP, "k-1-a")], lock(split))


def test_labels_are_counted_for_both_candidates() -> None:
    assert label_counts([marked(KEEP, "k-1-a")]) == {"A": 1, "B": 0}
