"""The audit: nothing is left out, nothing is scored wrongly, and no text of the data becomes markup."""

from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.files import read_text
from pipeline.core.model import ExclusionClass, Finding, Record, Rejected, Span
from pipeline.core.records import write_items, write_rejected
from pipeline.core.tables import read_table
from pipeline.language.parsing.trees import Token, Tree, trees_to_conllu
from pipeline.winograd.analysis import Analysis, analysis_table, write_analyses
from pipeline.winograd.audit.gold import Gold, Score, confusion_rows, gold_of, read_gold, score
from pipeline.winograd.audit.page import LISTED, TABLE_HEADER, by_urgency, page, table
from pipeline.winograd.build import RecordHistory
from pipeline.winograd.exclusion.ledger import Decision, write_decisions
from pipeline.winograd.modifications import AppliedModification, Modification, modify_item, write_applied
from tests.support.commands import printed, winoforge
from tests.support.items import marked
from tests.support.pages import Page

HOSTILE = "<script>alert(1)</script></details>'\"><img src=x onerror=alert(2)>\u202e{{ 7 * 7 }}&amp;"


def finding(exclusion: ExclusionClass, rule: str = "zh/some-rule", **evidence: object) -> Finding:
    return Finding(rule, exclusion, None, "because", evidence)


def entry(
    item: Record, exclusion: ExclusionClass | None = None, *, disputed: bool = False, **votes: tuple[str, ...]
) -> RecordHistory:
    """Return an entry with one finding if it is rejected; `votes` are the rules that fired, by parser."""
    return RecordHistory(
        item, Decision(item.id, exclusion, disputed, votes), (finding(exclusion),) if exclusion else ()
    )


def with_modification(text: str, name: str, exclusion: ExclusionClass | None) -> RecordHistory:
    """Return an entry whose object became a subject, with the analysis of its author."""
    item = marked(text, name)
    change = Modification(name, "predicate", "骂[他]", "骂，[他]挨骂", "An object <licenses> no zero.")
    modified = modify_item(item, change)
    applied = AppliedModification(change, item.text, item.target, modified.text, modified.target, exclusion)
    analysis = Analysis(name, item.schema, "A gloss.", "social", "direct-object", None)
    return replace(entry(item, exclusion), analysis=analysis, applied=applied)


def flat_tree(text: str, *forms: str, parser: str = "p", tag: str = "X", relation: str = "dep") -> Tree:
    """Return a tree in which every later word depends on the first."""
    tokens: list[Token] = []
    for form in forms:
        start = text.index(form, tokens[-1].span.end if tokens else 0)
        tokens.append(
            Token(form, Span(start, start + len(form)), tag, "x", 0 if tokens else None, relation if tokens else "root")
        )
    return Tree(text, parser, tuple(tokens))


def rendered(entries: list[RecordHistory], parsers: tuple[str, ...] = (), name: str = "t", **options: object) -> str:
    return page(name, entries, parsers=parsers, rules="r", **options)  # type: ignore[arg-type]


# --- the entries -------------------------------------------------------------------------------------------------------


def test_disputed_come_first_then_classes_then_ids() -> None:
    text = "【他】"
    entries = [
        entry(marked(text, "a-1-a")),  # kept by both parsers: not listed
        entry(marked(text, "b-1-a"), "defect"),
        entry(marked(text, "c-1-b"), "ba-object"),
        entry(marked(text, "c-1-a"), "ba-object"),
        entry(marked(text, "d-1-a"), disputed=True),
        entry(marked(text, "e-1-a"), "other", disputed=True),
    ]
    assert [history.record.id for history in by_urgency(entries)] == ["e-1-a", "d-1-a", "c-1-a", "c-1-b", "b-1-a"]


# --- the table --------------------------------------------------------------------------------------------------------


def cells(history: RecordHistory) -> dict[str, str]:
    """Return the cells of a row that are not empty."""
    ((*row,),) = table([history])
    return {column: cell for column, cell in zip(TABLE_HEADER, row, strict=True) if cell}


def test_table_has_a_row_for_kept_and_rejected() -> None:
    kept = entry(marked("甲说【他】累。", "k-1-a", answer=1), disputed=True, p=(), q=("r", "s"))
    broken = Record(
        id="d-1-a", schema="d-1", version="a", lang="zh", text="坏", target=None, candidates=(), answer=None
    )
    assert cells(entry(broken, "defect")) == {
        "id": "d-1-a", "schema": "d-1", "version": "a", "decision": "rejected", "class": "defect", "rules": "zh/some-rule",
        "disputed": "no", "sentence": "坏", "outcome": "defect",
    }  # fmt: skip
    assert cells(kept) == {
        "id": "k-1-a", "schema": "k-1", "version": "a", "decision": "kept", "disputed": "yes", "target": "他", "start": "2", "end": "3",
        "sentence": "甲说他累。", "candidates": "甲 | 乙", "answer": "乙", "votes": "p: none; q: r s", "outcome": "kept",
    }  # fmt: skip
    modified = cells(with_modification("甲骂【他】。", "m-1-a", "direct-object"))
    assert {column: modified[column] for column in ("kind", "role", "modification", "modified", "outcome")} == {
        "kind": "social", "role": "direct-object", "modification": "predicate", "modified": "甲骂，他挨骂。", "outcome": "kept",
    }  # fmt: skip
    zero = cells(entry(marked("甲说【】累。", "z-1-a"), "already-zero"))
    assert (zero["start"], zero["end"], "target" in zero) == ("2", "2", False)


# --- the page ---------------------------------------------------------------------------------------------------------


def hostile_entries() -> list[RecordHistory]:
    texts = dict.fromkeys(("schema", "lang", "question", "source", "note"), HOSTILE)
    item = replace(marked(f"【他】{HOSTILE}", candidates=(HOSTILE, HOSTILE), **texts), id=HOSTILE)
    reason = Finding(HOSTILE, "other", None, HOSTILE, {HOSTILE: {HOSTILE: [HOSTILE]}, "plain": HOSTILE})
    decision = Decision(item.id, "other", True, {HOSTILE: (HOSTILE,)}, (HOSTILE,))
    return [RecordHistory(item, decision, (reason,))]


def test_hostile_text_stays_text() -> None:
    entries = hostile_entries()
    verdicts = score({HOSTILE: Gold("keep", Span(0, 5))}, [entries[0].record], {HOSTILE: entries[0].decision})
    html = rendered(entries, (HOSTILE,), name=HOSTILE, score=verdicts, judged={HOSTILE: [HOSTILE]})
    elements = Page(html)
    assert elements.count("script") == 0
    assert elements.count("img") == 0
    assert not [name for _, attributes in elements.elements for name in attributes if name.startswith("on")]
    assert "\u202e" not in html
    assert elements.texts["title"] == ["Audit of " + HOSTILE.replace("\u202e", "⟨U+202E⟩")]
    assert "{{ 7 * 7 }}" in html


def test_nothing_is_fetched_and_the_links_lead_to_the_page_or_the_records() -> None:
    elements = Page(rendered(hostile_entries(), (HOSTILE,)))
    (policy,) = (attributes["content"] for _, attributes in elements.elements if "http-equiv" in attributes)
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    assert "script-src" not in policy
    links = elements.values("href") + elements.values("src")
    assert len(links) > 5
    beside = ("items/index.html", f"items/record.html#{quote(HOSTILE, safe='')}", "data:,")
    assert [link for link in links if not link.startswith(("#", *beside))] == []
    assert {link[1:] for link in links if link.startswith("#")} <= set(elements.values("id"))


def test_the_page_lists_the_first_records_and_leaves_the_others_to_the_index() -> None:
    entries = [entry(marked("【他】走。", f"s-{number:04}-a"), "other") for number in range(LISTED + 2)]
    elements = Page(rendered(entries))
    rows = [row for row in elements.texts["tr"] if row.split()[0].startswith("s-")]
    assert len(rows) == LISTED
    assert f"{LISTED} of {LISTED + 2} records" in rendered(entries)
    assert "items/index.html#state=rejected" in elements.values("href")


def test_counts_examples_and_balance() -> None:
    entries = [
        entry(marked("一【他】", "a-1-a"), "ba-object"),
        entry(marked("二【他】", "b-1-a"), "ba-object"),
        entry(marked("三【他】", "c-1-a")),
        entry(marked("四【】", "d-1-a"), "already-zero"),
    ]
    html = rendered(entries)
    assert "1 kept + 3 rejected = 4 records" in html
    rows = {row.split()[0]: row for row in Page(html).texts["tr"][1:]}
    assert list(rows) == [
        "ba-object", "prenominal-possessor", "direct-object", "other",
        "pair-mate", "already-zero", "not-pronoun", "defect", "rejected", "kept", "total", "record", "a-1-a", "b-1-a", "d-1-a",
    ]  # fmt: skip
    numbers = {name: [int(word) for word in row.split() if word.isdecimal()] for name, row in list(rows.items())[:11]}
    # by the rules, in the end, and what WSC-ZA prints in its Table 2
    assert numbers == {
        "ba-object": [2, 2, 6], "prenominal-possessor": [0, 0, 20], "direct-object": [0, 0, 8], "other": [0, 0, 10],
        "pair-mate": [0, 0], "already-zero": [1, 1], "not-pronoun": [0, 0], "defect": [0, 0],
        "rejected": [3, 3, 6 + 20 + 8 + 10], "kept": [1, 1, 284 - 44], "total": [4, 4, 284],
    }  # fmt: skip
    assert "一他" in rows["ba-object"]
    assert "二" not in rows["ba-object"]
    assert "四Ø" in rows["already-zero"]
    assert "not balanced: guessing one letter scores 1 of 1 (100.0 %)" in html


def test_kept_zeros_of_the_source_are_counted_apart() -> None:
    zero = RecordHistory(marked("四【】", "d-1-a"), Decision("d-1-a", None, already_zero=True))
    entries = [entry(marked("三【他】", "c-1-a")), zero]
    rows = {" ".join(row.split()[:2]): row for row in Page(rendered(entries)).texts["tr"][1:]}
    (row,) = (row for name, row in rows.items() if name == "kept: already-zero")
    assert [word for word in row.split() if word.isdecimal()] == ["1"]
    assert "四Ø" in row
    assert [cells[3:5] for cells in table(entries)] == [["kept", ""], ["kept", "already-zero"]]
    assert not any("kept: already-zero" in row for row in Page(rendered(entries[:1])).texts["tr"])


def test_modified_sentences_are_counted_and_shown_beside_their_originals() -> None:
    entries = [
        entry(marked("一【他】", "a-1-a")),
        with_modification("甲骂【他】。", "m-1-a", "direct-object"),
        with_modification("乙骂【他】。", "m-2-a", None),
        entry(marked("把【他】", "o-1-a"), "ba-object"),
    ]
    html = rendered(entries)
    elements = Page(html)
    rows = {" ".join(row.split()[:2]): row for row in elements.texts["tr"][1:]}
    numbers = {name: [int(word) for word in row.split() if word.isdecimal()] for name, row in rows.items()}
    assert numbers["modified: stance-adverbial"] == numbers["modified: copula"] == [0, 2]
    assert (numbers["modified: predicate"], numbers["modified: possessor"]) == ([2, 2], [0, 8])
    assert numbers["modified 1"] == [1, 2, 14]  # one of them rescued; two in all, WSC-ZA's 14
    assert numbers["converted kept"] == [3, 240]  # two kept, one rescued
    (rescued,) = (counts for name, counts in numbers.items() if name.startswith("direct-object"))
    assert rescued == [1, 0, 8]  # rejected by the rules, and modified: none in the end
    listed = [row for row in elements.texts["tr"] if row.split()[0].endswith("-a")]
    assert [row.split()[0] for row in listed] == [
        "o-1-a",
        "m-1-a",
        "m-2-a",
    ]  # a kept one is listed because it was modified
    assert [badge for badge in elements.texts["span"] if badge in ("rescued", "modified")] == ["rescued", "modified"]
    assert (
        elements.texts["mark"].count("他") == 3 + 2 + 2 * 2 + 1
    )  # three classes, a type; two modified records, another


def test_targets_are_marked_and_a_record_without_one_is_listed() -> None:
    overt, zero = marked("甲说【他】累。", "a-1-a", answer=1), marked("甲【】累。", "z-1-a")
    elements = Page(rendered([entry(overt, "other"), entry(zero, "already-zero")]))
    assert elements.texts["mark"] == ["他", "Ø", "他", "Ø"]  # the two examples, then the two records
    broken = Record(
        id="d-1-a", schema="d-1", version="a", lang="zh", text="坏了", target=None, candidates=("甲",), answer=None
    )
    html = rendered([entry(broken, "defect")])
    assert "坏了" in html
    assert Page(html).count("mark") == 0


# --- the score --------------------------------------------------------------------------------------------------------


def scored(path: Path) -> Score:
    """Return the score of six records.

    id   gold       decided     decision  class  target (gold / found at 0-1)
    a    keep       kept        right     right  0-1, right
    b    keep       pair-mate   right     right  none
    c    keep       ba-object   wrong     wrong  0-1, right
    d    ba-object  other       right     wrong  0-0, wrong
    e    pair-mate  kept        right     right  1-2, wrong
    f    (none)     defect      unscored
    """
    decided: dict[str, ExclusionClass | None] = {
        "a": None, "b": "pair-mate", "c": "ba-object", "d": "other", "e": None, "f": "defect"
    }  # fmt: skip
    gold = "id\tclass\tstart\tend\na\tkeep\t0\t1\nb\tkeep\t\t\nc\tkeep\t0\t1\nd\tba-object\t0\t0\ne\tpair-mate\t1\t2\n"
    path.write_text(gold, encoding="utf-8")
    records = [replace(marked("【他】走"), id=name) for name in decided]
    return score(read_gold(path), records, {name: Decision(name, label) for name, label in decided.items()})


def test_score_by_hand(tmp_path: Path) -> None:
    result = scored(tmp_path / "gold.tsv")
    assert (len(result.verdicts), result.unscored) == (5, 1)
    assert result.decisions_right == 4
    assert result.classes_right == 3
    assert (result.targets_right, result.targets) == (2, 4)
    assert [verdict.id for verdict in result.disagreements] == ["c", "d", "e"]
    header, rows = confusion_rows(result)
    assert header == [
        "gold", "keep", "ba-object", "prenominal-possessor", "direct-object", "other",
        "already-zero", "not-pronoun", "defect", "total",
    ]  # fmt: skip
    nothing = ["0"] * 9
    assert rows == [
        ["keep", "3", "1", "0", "0", "0", "0", "0", "0", "4"],
        ["ba-object", "0", "0", "0", "0", "1", "0", "0", "0", "1"],
        ["prenominal-possessor", *nothing],
        ["direct-object", *nothing],
        ["other", *nothing],
        ["already-zero", *nothing],
        ["not-pronoun", *nothing],
        ["defect", *nothing],
        ["total", "3", "1", "0", "0", "1", "0", "0", "0", "5"],
    ]


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ("a\tkept\t\t", r"gold\.tsv:3: \[class\] unknown class; found 'kept'"),
        ("a\tkeep\t3\t", r"gold\.tsv:3: \[start\] not a span; found '3' and ''"),
        (f"a\tkeep\t3\t{'9' * 5000}", r"gold\.tsv:3: \[start\] not a span; found '3' and '999"),
        ("a\tkeep\t3\t2", r"gold\.tsv:3: \[start\] not a span; found '3' and '2'"),
        ("b\tkeep\t\t", r"gold\.tsv:3: \[id\] not unique; found 'b'"),
    ],
)
def test_a_malformed_gold_is_refused_at_its_line(tmp_path: Path, row: str, complaint: str) -> None:
    path = tmp_path / "gold.tsv"
    path.write_text(f"id\tclass\tstart\tend\nb\tkeep\t\t\n{row}\n", encoding="utf-8")
    with pytest.raises(PipelineError, match=complaint):
        read_gold(path)


def test_a_later_gold_replaces_rows_of_an_earlier_one(tmp_path: Path) -> None:
    first, second = tmp_path / "gold.tsv", tmp_path / "patched.tsv"
    first.write_text("id\tclass\tstart\tend\na\tdefect\t\t\nb\tdefect\t\t\n", encoding="utf-8")
    second.write_text("id\tclass\tstart\tend\nb\tkeep\t0\t1\n", encoding="utf-8")
    assert read_gold(first, second) == {"a": Gold("defect", None), "b": Gold("keep", Span(0, 1))}


def test_authors_roles_are_a_gold_with_a_table_by_role() -> None:
    roles = {"k-1-a": "subject", "k-1-b": "subject", "b-1-a": "ba-object", "p-1-a": "pivot"}
    decided: dict[str, ExclusionClass | None] = {"k-1-a": None, "k-1-b": "other", "b-1-a": "ba-object", "p-1-a": None}
    records = [marked("【他】走", name) for name in decided]
    gold = gold_of([Analysis(name, "x", "", "", role, None) for name, role in roles.items()], analysis_table("zh"))
    result = score(gold, records, {name: Decision(name, label) for name, label in decided.items()})
    # k-1-a right; k-1-b kept by its author, rejected by the rules; b-1-a right; p-1-a the other way round
    assert (result.decisions_right, result.classes_right, len(result.verdicts)) == (2, 2, 4)
    assert result.by_role == {
        ("subject", "keep"): 1,
        ("subject", "other"): 1,
        ("ba-object", "ba-object"): 1,
        ("pivot", "keep"): 1,
    }
    entries = [entry(record, decided[record.id]) for record in records]
    html = rendered(entries, score=result)
    assert "Against the authors’ roles" in html
    rows = {row.split()[0]: row.split() for row in Page(html).texts["tr"] if row.split()[0] in roles.values()}
    assert rows["subject"][1:9] == ["1", "0", "0", "0", "1", "0", "0", "0"]
    assert rows["pivot"][1:9] == ["1", "0", "0", "0", "0", "0", "0", "0"]


def test_a_gold_for_no_record_is_refused() -> None:
    with pytest.raises(PipelineError, match=r"\[gold\] unknown record; found 'gone'"):
        score({"gone": Gold("keep", None)}, [], {})


# --- the command ------------------------------------------------------------------------------------------------------


def build(folder: Path) -> list[str]:
    """Write one kept, one rejected and one skipped record, disputed by a second parser; return the command line."""
    kept, fallen = marked("甲说【他】累。", "k-1-a"), marked("=把【他】叫醒。", "b-1-a", candidates=("甲\t子", "乙"))
    skipped = Rejected(marked("【他】", "d-1-a"), (finding("defect"),))
    rejected = Rejected(fallen, (finding("ba-object", "zh/ba-object", words={"target": "他"}),))
    write_items(folder / "items.jsonl", [kept, fallen])
    write_rejected(folder / "skipped.jsonl", [skipped])
    write_rejected(folder / "rejected.jsonl", [rejected, skipped])
    decisions = [
        Decision("k-1-a", None, False, {"p": (), "q": ()}),
        Decision("b-1-a", "ba-object", True, {"p": ("zh/ba-object",), "q": ()}),
        Decision("d-1-a", "defect"),
    ]
    write_decisions(folder / "decisions.jsonl", decisions)
    (folder / "gold.tsv").write_text("id\tclass\tstart\tend\nb-1-a\tkeep\t2\t3\n", encoding="utf-8")
    arguments = ["audit"]
    for name in ("items", "skipped", "rejected", "decisions"):
        arguments += [f"--{name}", str(folder / f"{name}.jsonl")]
    for parser in "pq":
        trees = [
            flat_tree("甲说他累。", "甲", "说", "他", "累", "。", parser=parser),
            flat_tree("=把他叫醒。", "=", "把", "他", "叫醒", "。", parser=parser),
        ]
        path = folder / f"{parser}.conllu"
        path.write_text(trees_to_conllu(trees), encoding="utf-8")
        arguments += ["--parses", str(path)]
    return [*arguments, "--out", str(folder / "audit")]


def test_command_writes_the_same_bytes_twice(tmp_path: Path) -> None:
    arguments = [*build(tmp_path), "--gold", str(tmp_path / "gold.tsv"), "--name", "mine"]
    contents = []
    for _ in range(2):
        counts, scores = printed(*arguments).splitlines()
        assert counts == "3 records: 1 kept + 2 rejected, 1 disputed"
        assert scores.startswith("decisions right: 0 of 1 (0.0 %); classes right: 0 of 1 (0.0 %); ")
        assert scores.endswith("targets right: 1 of 1 (100.0 %); 2 unscored")
        out = tmp_path / "audit"
        contents.append({str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()})
    assert contents[0] == contents[1]
    assert sorted(contents[0]) == [
        "audit.tsv", "confusion.tsv", "index.html",
        *(f"items/{name}" for name in ("data/index.js", "data/records-0.js", "data/rows-0.js", "index.html", "record.html", "view.js")),
    ]  # fmt: skip
    assert "<title>Audit of mine</title>" in contents[0]["index.html"].decode()


@pytest.mark.parametrize(("parsers", "printed"), [("q p", "q, p"), ("p", "p")])
def test_locks_in_another_order_or_fewer_than_those_that_voted_are_refused(
    parsers: str, printed: str, tmp_path: Path
) -> None:
    arguments = build(tmp_path)
    start = arguments.index("--parses")
    locks = [part for parser in parsers.split() for part in ("--parses", str(tmp_path / f"{parser}.conllu"))]
    run = winoforge(*arguments[:start], *locks, *arguments[start + 4 :])
    assert run.returncode == 2
    assert f"other locks than the decisions were made with; found {printed}, expected p, q, in this order" in run.stderr
    assert not (tmp_path / "audit").exists()


def test_one_parser_disputes_nothing(tmp_path: Path) -> None:
    arguments = build(tmp_path)
    place = len(arguments) - 1 - arguments[::-1].index("--parses")
    path = tmp_path / "decisions.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace(', "q": []', ""), encoding="utf-8")
    run = winoforge(*arguments[:place], *arguments[place + 2 :])
    assert run.stdout == "3 records: 1 kept + 2 rejected; disputed: n/a (one parser)\n"
    html = read_text(tmp_path / "audit" / "index.html")
    assert "</strong>; disputed: n/a (one parser)." in html


def test_the_uncertain_are_listed_after_the_disputed_and_named_in_the_head() -> None:
    texts = [marked("甲说【他】累。", name) for name in ("a-1-a", "b-1-a", "c-1-a")]
    certain, uncertain, disputed = (entry(texts[0]), entry(texts[1]), entry(texts[2], disputed=True))
    uncertain = replace(uncertain, decision=replace(uncertain.decision, uncertain=("说 VERB → NOUN",)))
    assert [history.record.id for history in by_urgency([certain, uncertain, disputed])] == ["c-1-a", "b-1-a"]
    html = page("t", [certain, uncertain, disputed], parsers=["stanza/1"], rules="r")
    assert 'items/index.html#mark=uncertain">1</a> would be decided otherwise if one word' in html.partition("<h2")[0]
    assert "说 VERB → NOUN" in html
    assert [row[-1] for row in table([certain, uncertain])] == ["", "说 VERB → NOUN"]


@pytest.mark.parametrize(
    ("parsers", "warned"),
    [(["stanza/1", "udpipe/1"], False), (["udpipe/1"], True), (["udpipe/1", "stanza/1"], True)],
)
def test_the_head_names_a_deciding_parser_other_than_stanza(parsers: list[str], warned: bool) -> None:
    html = page("t", [entry(marked("甲说【他】累。"))], parsers=parsers, rules="r")
    assert ("udpipe decides, not Stanza" in html.partition("<h2")[0]) is warned


def test_a_cell_of_the_table_is_no_formula_and_one_line(tmp_path: Path) -> None:
    printed(*build(tmp_path))
    path = tmp_path / "audit" / "audit.tsv"
    rows = {row["id"]: row for _, row in read_table(path, ("id", "sentence"))}
    assert list(rows) == ["b-1-a", "d-1-a", "k-1-a"]
    assert rows["b-1-a"]["sentence"] == "=把他叫醒。"
    assert "\t'=把他叫醒。\t" in read_text(path)
    assert rows["b-1-a"]["candidates"] == "甲 子 | 乙"


def test_without_a_gold_no_old_score_is_left(tmp_path: Path) -> None:
    arguments = build(tmp_path)
    printed(*arguments, "--gold", tmp_path / "gold.tsv")
    assert (tmp_path / "audit" / "confusion.tsv").exists()
    printed(*arguments)
    assert not (tmp_path / "audit" / "confusion.tsv").exists()
    assert "Against the gold" not in read_text(tmp_path / "audit" / "index.html")


def test_command_takes_analysis_and_modifications(tmp_path: Path) -> None:
    arguments = build(tmp_path)
    write_analyses(tmp_path / "analysis.jsonl", [Analysis("b-1-a", "b-1", "", "social", "ba-object", None)])
    change = Modification("b-1-a", "predicate", "把[他]叫醒", "[他]醒了", "because")
    applied = AppliedModification(change, "=把他叫醒。", Span(2, 3), "=他醒了。", Span(1, 2), "ba-object")
    write_applied(tmp_path / "ledger.jsonl", [applied])
    arguments += ["--analysis", str(tmp_path / "analysis.jsonl"), "--modifications", str(tmp_path / "ledger.jsonl")]
    output = printed(*arguments)
    assert "1 modified, 1 of them rescued" in output
    assert "decisions right: 1 of 1 (100.0 %)" in output
    path = tmp_path / "audit" / "audit.tsv"
    (row, *_) = (row for _, row in read_table(path, ("id", "modified")))
    assert (row["role"], row["modification"], row["modified"]) == ("ba-object", "predicate", "=他醒了。")
