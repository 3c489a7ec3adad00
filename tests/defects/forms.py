"""Defects of derived forms."""

from copy import deepcopy

from .defect import ANY, Change, Damage, Defect, Row, Rows, append, drop, from_row, in_row, put, replace, shift, twice

ZWSP = "\u200b"


def halves(row: Row) -> tuple[str, str, str]:
    """Return the text before, in and after the span."""
    start, end = row["span"]["start"], row["span"]["end"]
    return row["text"][:start], row["text"][start:end], row["text"][end:]


def behind_span(row: Row, text: str) -> None:
    """Insert a text directly after the span."""
    before, name, after = halves(row)
    row["text"] = before + name + text + after


def swapped(field: str) -> Damage:
    """Return the damage that swaps a field between the two rows of an item."""

    def damage(rows: Rows) -> Rows:
        copy = deepcopy(rows)
        copy[ANY][field], copy[ANY + 1][field] = rows[ANY + 1][field], rows[ANY][field]
        return copy

    return damage


def both(change: Change) -> Damage:
    """Return the damage that changes both rows of an item."""

    def damage(rows: Rows) -> Rows:
        copy = deepcopy(rows)
        for row in copy[ANY : ANY + 2]:
            change(row)
        return copy

    return damage


def paired(suite: str, label: str, right: Row, wrong: Row) -> list[Defect]:
    """Return the defects of every form with two rows per item."""
    return [
        Defect(f"{suite}-row-lost", suite, "two-rows", drop()),
        Defect(f"{suite}-row-twice", suite, "two-rows", twice()),
        Defect(
            f"{suite}-candidates-counted-from-one", suite, "two-rows", in_row(put(id=lambda row: f"{row['item']}-2"))
        ),
        Defect(f"{suite}-two-right", suite, label, both(put(**right))),
        Defect(f"{suite}-none-right", suite, label, both(put(**wrong))),
    ]


NLI = [
    *paired("nli", "one-entailment", {"label": "ENTAILMENT"}, {"label": "NO ENTAILMENT"}),
    Defect("nli-label-misspelt", "nli", "one-entailment", in_row(put(label="Entailment"))),
    Defect(
        "nli-label-of-another-scheme",
        "nli",
        "one-entailment",
        in_row(put(label="CONTRADICTION"), lambda row: row["label"] != "ENTAILMENT"),
    ),
    Defect("nli-premise-of-another-item", "nli", "one-premise", from_row("premise", 4)),
    Defect("nli-premise-empty", "nli", "one-premise", both(put(premise=""))),
    Defect("nli-hypothesis-is-the-premise", "nli", "one-premise", in_row(put(hypothesis=lambda row: row["premise"]))),
    Defect("nli-question-left", "nli", "statements", in_row(put(hypothesis="谁陷得不深？"))),
    Defect("nli-question-word-left", "nli", "statements", in_row(put(hypothesis="谁陷得不深。"))),
    Defect(
        "nli-statement-without-end-mark",
        "nli",
        "statements",
        in_row(put(hypothesis=lambda row: row["hypothesis"][:-1])),
    ),
    Defect("nli-two-end-marks", "nli", "statements", in_row(append("hypothesis", "。"))),
    Defect(
        "nli-hypothesis-of-an-open-clause",
        "nli",
        "open-clauses",
        both(
            put(premise="黑牛拉着黄牛，省得它陷得太深。", hypothesis=lambda row: f"{row['hypothesis'][:2]}陷得太深。")
        ),
    ),
    Defect("nli-hypothesis-twice", "nli", "different-hypotheses", from_row("hypothesis", 1)),
    Defect("nli-zero-width-space", "nli", "no-invisible-character", in_row(replace("hypothesis", "。", f"{ZWSP}。"))),
]

DISAMBIGUATED = [
    *paired("disambiguated", "one-correct", {"correct": True}, {"correct": False}),
    Defect(
        "disambiguated-truth-value-as-text",
        "disambiguated",
        "one-correct",
        in_row(put(correct="true"), lambda row: row["correct"]),
    ),
    Defect("disambiguated-span-shifted", "disambiguated", "span-names-candidate", in_row(shift("span", 1))),
    Defect(
        "disambiguated-span-of-the-pronoun",
        "disambiguated",
        "span-names-candidate",
        both(put(span=lambda row: {**row["span"], "end": row["span"]["start"]})),
    ),
    Defect(
        "disambiguated-change-without-effect",
        "disambiguated",
        "changes-change",
        in_row(put(changes=["possessor-de"])),
    ),
    Defect("disambiguated-candidates-swapped", "disambiguated", "span-names-candidate", swapped("candidate")),
    Defect("disambiguated-pronoun-left", "disambiguated", "same-frame", in_row(lambda row: behind_span(row, "它"))),
    Defect(
        "disambiguated-comma-lost",
        "disambiguated",
        "same-frame",
        in_row(lambda row: (replace("text", "，", "")(row), shift("span", -1)(row))),
    ),
    Defect(
        "disambiguated-doubled-particle", "disambiguated", "one-particle", both(lambda row: behind_span(row, "的的"))
    ),
    Defect(
        "disambiguated-doubled-genitive", "disambiguated", "one-particle", both(lambda row: behind_span(row, "'s's"))
    ),
    Defect(
        "disambiguated-zero-width-space",
        "disambiguated",
        "no-invisible-character",
        both(lambda row: behind_span(row, ZWSP)),
    ),
]

SCORING = [
    *paired("scoring", "one-correct", {"correct": True}, {"correct": False}),
    Defect(
        "scoring-continuation-cut",
        "scoring",
        "same-continuation",
        in_row(put(continuation=lambda row: row["continuation"][1:])),
    ),
    Defect("scoring-continuation-of-another-item", "scoring", "same-continuation", from_row("continuation", 2)),
    Defect("scoring-context-twice", "scoring", "different-contexts", from_row("context", 1)),
    Defect("scoring-partial-denied", "scoring", "partial-flag", in_row(put(partial=False))),
    Defect("scoring-partial-missing", "scoring", "partial-flag", in_row(put(partial=None))),
    Defect("scoring-nothing-to-score", "scoring", "partial-flag", both(put(continuation="。"))),
    Defect(
        "scoring-byte-order-mark",
        "scoring",
        "no-invisible-character",
        in_row(put(context=lambda row: "\ufeff" + row["context"])),
    ),
]

WINOGRANDE = [
    Defect("winogrande-no-blank", "winogrande", "one-blank", in_row(replace("sentence", "_", "它"))),
    Defect("winogrande-two-blanks", "winogrande", "one-blank", in_row(replace("sentence", "，", "，_"))),
    Defect("winogrande-long-blank", "winogrande", "one-blank", in_row(replace("sentence", "_", "___"))),
    Defect(
        "winogrande-blank-at-the-end",
        "winogrande",
        "continued",
        in_row(put(sentence=lambda row: row["sentence"].partition("_")[0] + "_。")),
    ),
    Defect("winogrande-option-twice", "winogrande", "two-options", in_row(put(option2=lambda row: row["option1"]))),
    Defect("winogrande-option-missing", "winogrande", "two-options", in_row(put(option2=""))),
    Defect("winogrande-answer-counted-from-zero", "winogrande", "answer-is-an-option", in_row(put(answer="0"))),
    Defect("winogrande-answer-as-number", "winogrande", "answer-is-an-option", in_row(put(answer=1))),
    Defect(
        "winogrande-answer-spelt-out",
        "winogrande",
        "answer-is-an-option",
        in_row(put(answer=lambda row: row["option1"])),
    ),
    Defect(
        "winogrande-zero-width-space",
        "winogrande",
        "no-invisible-character",
        in_row(replace("sentence", "_", f"_{ZWSP}")),
    ),
    Defect("winogrande-item-twice", "winogrande", "unique-id", twice()),
]


def renamed(row: Row) -> bool:
    return bool(row["names"])


def old_name(row: Row) -> str:
    return str(next(iter(row["names"])))


def new_name(row: Row) -> str:
    return str(next(iter(row["names"].values())))


def one_name_for_two(row: Row) -> None:
    """Give both persons the name of the first."""
    first, second = row["names"].values()
    row["text"] = row["text"].replace(second, first)
    row["candidates"] = [name.replace(second, first) for name in row["candidates"]]
    row["names"] = dict.fromkeys(row["names"], first)


def called_otherwise(name: str) -> Change:
    """Return the change that gives the first person another new name."""

    def change(row: Row) -> None:
        old, new = old_name(row), new_name(row)
        row["text"], row["question"] = (row[field].replace(new, name) for field in ("text", "question"))
        row["candidates"] = [candidate.replace(new, name) for candidate in row["candidates"]]
        row["target"] = {edge: row["target"][edge] + len(name) - len(new) for edge in ("start", "end")}
        row["names"] = {**row["names"], old: name}

    return change


def in_english(*names: str) -> Change:
    """Return the change of a row into an English one about two brothers with these new names."""
    text = f"{names[0]} and his brother {names[1]} slept because he was tired."
    return put(
        lang="en",
        text=text,
        candidates=list(names),
        target={"start": text.index("he was"), "end": text.index(" was")},
        question="Who was tired?",
        names=dict(zip(("Tom", "Nick"), names, strict=True)),
    )


NAMES = [
    Defect(
        "names-old-name-left-in-the-text",
        "names",
        "no-old-name",
        in_row(put(text=lambda row: row["text"].replace(new_name(row), old_name(row), 1)), renamed),
    ),
    Defect(
        "names-old-name-left-in-the-question",
        "names",
        "no-old-name",
        in_row(put(question=lambda row: f"{old_name(row)}说谁？"), renamed),
    ),
    Defect(
        "names-old-name-left-in-a-candidate",
        "names",
        "no-old-name",
        in_row(put(candidates=lambda row: [old_name(row), row["candidates"][1]]), renamed),
    ),
    Defect(
        "names-new-name-misspelt",
        "names",
        "new-names-used",
        in_row(put(names=lambda row: {**row["names"], old_name(row): "Hugo"}), renamed),
    ),
    Defect("names-one-name-for-two", "names", "new-names-used", in_row(one_name_for_two, renamed)),
    Defect("names-nothing-renamed", "names", "something-renamed", in_row(put(names={}))),
    Defect(
        "names-familiar-word-beside-a-western-surname",
        "names",
        "plain-titles",
        in_row(called_otherwise("老Webster"), renamed),
    ),
    Defect(
        "names-kin-word-after-a-western-surname", "names", "plain-titles", in_row(called_otherwise("Newton婶"), renamed)
    ),
    Defect("names-pinyin-of-both-sexes", "names", "clear-gender", in_row(in_english("Sun Shumin", "Pei Bo"), renamed)),
    Defect("names-two-surnames-for-brothers", "names", "one-family", in_row(in_english("Sun Bo", "Pei Kun"), renamed)),
]


def blank_in_token(row: Row) -> None:
    """Join the first two tokens with a blank."""
    row["tokens"][:2] = [" ".join(row["tokens"][:2])]
    row["offsets"][:2] = [[row["offsets"][0][0], row["offsets"][1][1]]]


def in_characters(row: Row) -> None:
    """Give the target in characters instead of tokens."""
    row["target"] = {edge: row["offsets"][row["target"][edge]][0] for edge in ("start", "end")}


def offsets_from_one(row: Row) -> None:
    """Count the offsets from one."""
    row["offsets"] = [[start + 1, end + 1] for start, end in row["offsets"]]


TOKENS = [
    Defect(
        "tokens-token-changed",
        "tokens",
        "tokens-are-the-text",
        in_row(lambda row: row["tokens"].__setitem__(0, row["tokens"][0] + "们")),
    ),
    Defect(
        "tokens-token-lost",
        "tokens",
        "tokens-are-the-text",
        in_row(lambda row: (row["tokens"].pop(), row["offsets"].pop())),
    ),
    Defect(
        "tokens-offsets-of-one-token-less", "tokens", "tokens-are-the-text", in_row(lambda row: row["offsets"].pop())
    ),
    Defect("tokens-offsets-counted-from-one", "tokens", "tokens-are-the-text", in_row(offsets_from_one)),
    Defect("tokens-text-of-before-a-change", "tokens", "tokens-are-the-text", in_row(replace("text", "，", "、"))),
    Defect("tokens-two-tokens-in-one", "tokens", "no-blank-in-a-token", in_row(blank_in_token)),
    Defect("tokens-target-in-characters", "tokens", "ranges-in-tokens", in_row(in_characters)),
    Defect("tokens-target-missing", "tokens", "ranges-in-tokens", in_row(put(target=None))),
    Defect(
        "tokens-mention-empty", "tokens", "ranges-in-tokens", in_row(lambda row: row["candidates"][0].append([3, 3]))
    ),
    Defect(
        "tokens-mention-past-the-end",
        "tokens",
        "ranges-in-tokens",
        in_row(lambda row: row["candidates"][0].append([len(row["tokens"]), len(row["tokens"]) + 1])),
    ),
    Defect("tokens-target-one-token-off", "tokens", "target-is-a-pronoun", in_row(shift("target", 1))),
    Defect("tokens-item-twice", "tokens", "unique-id", twice()),
]


def of_traditional_script(suite: str) -> list[Defect]:
    """Return the defects of a form in traditional script."""
    return [
        Defect(f"{suite}-tag-of-simplified", suite, "language-tag", in_row(put(lang="zh"))),
        Defect(f"{suite}-tag-without-a-region", suite, "language-tag", in_row(put(lang="zh-Hant"))),
        Defect(f"{suite}-rare-variant", suite, "usual-characters", in_row(replace("text", "黃", "羣黃"))),
        Defect(f"{suite}-rare-variant-in-the-question", suite, "usual-characters", in_row(append("question", "峯"))),
        Defect(f"{suite}-mainland-quotation-marks", suite, "corner-brackets", in_row(append("text", "“好。”"))),
        Defect(
            f"{suite}-one-member-differs",
            suite,
            "alike-in-pair",
            in_row(replace("text", "出了", "齣了")),
            reported_id="zh-0002-a",
        ),
        Defect(f"{suite}-tag-without-script", suite, "language-tag", in_row(put(lang="zh-TW"))),
        Defect(f"{suite}-simplified-character-left", suite, "traditional-script", in_row(replace("text", "黃", "黄"))),
        Defect(
            f"{suite}-simplified-character-left-in-a-candidate",
            suite,
            "traditional-script",
            in_row(put(candidates=lambda row: [name.replace("黃", "黄") for name in row["candidates"]])),
        ),
        Defect(
            f"{suite}-simplified-character-left-in-the-question",
            suite,
            "traditional-script",
            in_row(replace("question", "誰", "谁")),
        ),
        Defect(f"{suite}-target-shifted", suite, "target-and-candidates-stand", in_row(shift("target", 1))),
        Defect(f"{suite}-target-past-the-end", suite, "target-and-candidates-stand", in_row(shift("target", 99))),
        Defect(
            f"{suite}-candidate-in-another-form",
            suite,
            "target-and-candidates-stand",
            in_row(put(candidates=["墨牛", "黃牛"])),
        ),
        Defect(f"{suite}-zero-width-space", suite, "no-invisible-character", in_row(append("text", ZWSP))),
        Defect(
            f"{suite}-compatibility-ideograph",
            suite,
            "composed-unicode",
            in_row(replace("text", "不", "\uf967")),
        ),
        Defect(f"{suite}-blank-between-characters", suite, "single-blanks", in_row(replace("text", "，", "， "))),
        Defect(f"{suite}-half-width-comma", suite, "full-width-marks", in_row(replace("text", "，", ","))),
        Defect(f"{suite}-quotation-not-closed", suite, "closed-quotations", in_row(replace("text", "，", "，「"))),
        Defect(f"{suite}-reminder-left", suite, "no-placeholder", in_row(append("question", "TODO"))),
        Defect(f"{suite}-end-mark-lost", suite, "finished-sentence", in_row(put(text=lambda row: row["text"][:-1]))),
        Defect(f"{suite}-machine-draft", suite, "reviewed", in_row(put(note="unreviewed machine translation"))),
        Defect(f"{suite}-item-twice", suite, "unique-id", twice()),
    ]


TRADITIONAL = [
    *of_traditional_script("traditional-tw"),
    *of_traditional_script("traditional-hk"),
    Defect("taiwan-tag-of-hong-kong", "traditional-tw", "language-tag", in_row(put(lang="zh-Hant-HK"))),
    Defect("hong-kong-tag-of-taiwan", "traditional-hk", "language-tag", in_row(put(lang="zh-Hant-TW"))),
    Defect("taiwan-character-of-hong-kong", "traditional-tw", "usual-characters", in_row(append("question", "裏"))),
    Defect("hong-kong-character-of-taiwan", "traditional-hk", "usual-characters", in_row(append("question", "臺"))),
    Defect(
        "animals-with-the-pronoun-of-things", "traditional-tw", "animal-pronoun", in_row(replace("text", "牠", "它"))
    ),
    Defect(
        "things-with-the-pronoun-of-animals", "traditional-hk", "animal-pronoun", in_row(replace("text", "它", "牠"))
    ),
]

FORMS = [
    *NLI,
    *DISAMBIGUATED,
    *SCORING,
    *WINOGRANDE,
    *NAMES,
    *TOKENS,
    *TRADITIONAL,
]
