"""What a change of the rules decides otherwise, and which rules nearly match."""

import json
import shutil
from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.model import Span
from pipeline.core.records import write_items
from pipeline.core.rules import RULES, languages_with_zeros
from pipeline.language.parsing.trees import Token, Tree, trees_to_conllu
from pipeline.winograd.exclusion.ledger import Decision, decision_changes, write_decisions
from pipeline.winograd.exclusion.rule_files import REASON
from pipeline.winograd.exclusion.ruleset import load_rules
from tests.support.commands import printed, winoforge
from tests.support.items import marked


def tree(*words: str) -> Tree:
    """Return a tree of ``form/UPOS/xpos/head/relation``, heads from 1."""
    tokens: list[Token] = []
    for word in words:
        form, upos, xpos, head, relation = word.split("/")
        start = tokens[-1].span.end if tokens else 0
        tokens.append(
            Token(form, Span(start, start + len(form)), upos, xpos, int(head) - 1 if head != "0" else None, relation)
        )
    return Tree("".join(token.form for token in tokens), "hand/1", tuple(tokens))


#: 警察把他叫醒。: object of 把. 邻居说他累。: subject of what is said, an exception of the rule on objects.
BA = tree("警察/NOUN/n/4/nsubj", "把/ADP/p/3/case", "他/PRON/r/4/obl", "叫醒/VERB/v/0/root", "。/PUNCT/x/4/punct")
SAYS = tree("邻居/NOUN/n/2/nsubj", "说/VERB/v/0/root", "他/PRON/r/4/nsubj", "累/ADJ/a/2/ccomp", "。/PUNCT/x/2/punct")
#: 民警相信他的话。: the possessor of a noun; the rule on objects matches too, but yields.
TRUSTS = tree(
    "民警/NOUN/n/2/nsubj", "相信/VERB/v/0/root", "他/PRON/r/5/nmod", "的/PART/uj/3/case", "话/NOUN/n/2/obj", "。/PUNCT/x/2/punct"
)  # fmt: skip
#: 老师喜欢他 with a word after it: the rule on objects asks for the end of the clause, or no word that opens a predicate.
LIKES = tree(
    "老师/NOUN/n/2/nsubj", "喜欢/VERB/v/0/root", "他/PRON/r/2/obj", "就/ADV/d/5/advmod", "来/VERB/v/2/conj", "。/PUNCT/x/2/punct"
)  # fmt: skip


def near(sentence: Tree) -> dict[str, str]:
    target = next(number for number, token in enumerate(sentence.tokens) if token.form == "他")
    return load_rules("zh").near_matches(sentence, target)


def test_a_rule_whose_exception_holds_nearly_matches_and_says_which_and_by_which_words() -> None:
    reason = near(SAYS)["zh/direct-object"]
    assert reason.startswith("matches, but for an exception: subject of the clause that a verb of saying, ")
    assert reason.endswith(" (here: 说, 他, 累)")


@pytest.mark.parametrize("lang", languages_with_zeros())
def test_every_exception_of_our_rules_says_why(lang: str) -> None:
    assert all(nodes[0].get(REASON) for rule in load_rules(lang).rules for nodes in rule.unless)


def test_a_rule_that_yields_nearly_matches_and_names_the_one_before_it() -> None:
    assert [match.rule.id for match in load_rules("zh").judge(TRUSTS, 2)] == ["zh/possessor-de"]
    assert near(TRUSTS)["zh/direct-object"] == "matches, but zh/possessor-de does too and has precedence"
    assert "zh/possessor-de" not in near(TRUSTS)


def test_a_pattern_that_one_word_does_not_fit_nearly_matches_and_names_the_word() -> None:
    reason = near(LIKES)["zh/direct-object"]
    assert "but for one word: rest is 就, expected ORTH not " in reason


def test_changes_are_other_classes_or_other_rules() -> None:
    old = [Decision("a", None, votes={"p": ()}), Decision("b", "other", votes={"p": ("x",)}), Decision("c", None)]
    new = [
        Decision("c", None),
        Decision("b", "other", votes={"p": ("y",)}),
        Decision("a", "other", votes={"p": ("x",)}),
    ]
    first, second = decision_changes(old, new)
    assert (first.id, first.moves, first.states, first.rules) == ("a", True, "kept → other", "none → x")
    assert (second.id, second.moves, second.states, second.rules) == (
        "b",
        False,
        "still other, by other rules",
        "x → y",
    )
    with pytest.raises(PipelineError, match=r"found 'c' in OLD only, expected the same records \(1 record\)"):
        decision_changes(old, new[1:])


def build(folder: Path) -> list[str]:
    """Write two items with their trees, and rules without one; return the command."""
    items = [marked("警察把【他】叫醒。", "b-1-a"), marked("邻居说【他】累。", "s-1-a")]
    write_items(folder / "items.jsonl", items)
    (folder / "p.conllu").write_text(trees_to_conllu([BA, SAYS]), encoding="utf-8")
    shutil.copytree(RULES, folder / "rules")
    (folder / "rules" / "zh" / "ba-object.yaml").unlink()
    for path in (folder / "rules" / "zh").glob("*.yaml"):
        path.write_text(path.read_text(encoding="utf-8").replace("zh/ba-object, ", ""), encoding="utf-8")
    return ["rules", "diff", str(RULES), str(folder / "rules"), f"--items={folder / 'items.jsonl'}"]


def test_the_command_compares_two_folders_of_rules_and_writes_pages(tmp_path: Path) -> None:
    arguments = [*build(tmp_path), f"--parses={tmp_path / 'p.conllu'}"]
    line = "b-1-a: ba-object → kept; zh/ba-object → none; 警察把他叫醒。"
    total = "2 records: 1 decided otherwise, 0 by other rules, 1 alike; ba-object → kept 1"
    pages = f"{tmp_path / 'pages' / 'index.html'}: 1 record to look at"
    assert printed(*arguments, "--out", tmp_path / "pages").splitlines() == [line, pages, total]
    assert f'<p class="lead">{total}</p>' in (tmp_path / "pages" / "index.html").read_text(encoding="utf-8")
    index = (tmp_path / "pages" / "data" / "index.js").read_text(encoding="utf-8")
    assert json.loads(index.partition(", 0, ")[2].removesuffix(");\n"))["ids"] == ["b-1-a"]
    figures = json.loads(printed(*arguments, "--json"))
    assert figures["changes"] == [{"id": "b-1-a", "change": "ba-object → kept", "rules": "zh/ba-object → none"}]


def test_the_command_takes_ledgers_and_says_what_it_lacks(tmp_path: Path) -> None:
    arguments = build(tmp_path)
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    write_decisions(old, [Decision("b-1-a", "ba-object"), Decision("s-1-a", None)])
    write_decisions(new, [Decision("b-1-a", None), Decision("s-1-a", None)])
    output = printed("rules", "diff", old, new, arguments[-1])
    assert output.splitlines()[-1] == "2 records: 1 decided otherwise, 0 by other rules, 1 alike; ba-object → kept 1"
    assert "expected --parses, or decisions.jsonl in place of a folder" in winoforge(*arguments).stderr
    run = winoforge("rules", "diff", tmp_path / "rules" / "zh", new, arguments[-1], f"--parses={tmp_path / 'p.conllu'}")
    assert run.returncode == 2
    assert "no folder of rules; expected one such as rules/" in run.stderr
