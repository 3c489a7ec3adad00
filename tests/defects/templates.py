"""Defects of occupation templates."""

from collections.abc import Callable

from .defect import Change, Damage, Defect, Row, Rows, drop, ending, from_row, in_row, in_turn, put

DOUBLE, SINGLE = "template", "single_version"
PRONOUN = "$NOM_PRONOUN"


def second(change: Change) -> Damage:
    """Return the damage that changes the second template of the first pair."""
    return in_row(change, start=1)


def edit(field: str, old: str, new: str) -> Change:
    """Return the change that replaces the last occurrence of a text; the text must occur."""

    def change(row: Row) -> None:
        before, match, after = row[field].rpartition(old)
        assert match, f"{old!r} is not in {row[field]!r}"
        row[field] = before + new + after

    return change


def entities_swapped(row: Row) -> None:
    """Name each entity where the other one stood."""
    row[DOUBLE] = (
        row[DOUBLE].replace("$OCC", "$X").replace("$PARTICIPANT", "$OCCUPATION").replace("$XUPATION", "$PARTICIPANT")
    )


def of_another_event(row: Row) -> None:
    """End the single version with what no template says."""
    row[SINGLE] = f"{row[SINGLE].partition(PRONOUN)[0]}{PRONOUN} had left a jacket behind."


def entities(occupation: str, participant: str) -> Change:
    """Return the change of the names of the entities."""
    return put(**{"occupation(0)": occupation, "other-participant(1)": participant})


def copied(rows: Rows) -> Rows:
    """Give the first two templates of one pair of entities to another, as if it had been copied."""
    other = next(number for number, row in enumerate(rows) if row["occupation(0)"] != rows[0]["occupation(0)"])
    return in_turn(*(from_row(-other, DOUBLE, SINGLE, at=other + number) for number in (0, 1)))(rows)  # type: ignore[no-any-return]


def case(placeholder: str, field: str, start: int) -> Damage:
    """Return the damage that gives a template another case, in its type and its texts."""

    def change(row: Row) -> None:
        old = row["pronoun_type"]
        for name in (DOUBLE, SINGLE, "pronoun_type"):
            row[name] = row[name].replace(old, placeholder)

    return in_row(change, lambda row: f"{field} a " in row[DOUBLE] or field == row["pronoun_type"] == PRONOUN, start)


TEMPLATES = [
    Defect(name, "templates", expectation, damage)
    for name, expectation, damage in (
        ("template-missing", "complete", drop(0)),
        ("case-missing", "complete", lambda rows: rows[2:]),
        ("template-answer-swapped", "answers-differ", second(put(answer="0"))),
        ("prefix-differs-by-one-blank", "identical-prefix", second(edit(DOUBLE, PRONOUN, f" {PRONOUN}"))),
        ("prefix-differs-by-one-word", "identical-prefix", second(edit(DOUBLE, "because", "since"))),
        ("prefix-with-entities-swapped", "identical-prefix", second(entities_swapped)),
        ("template-text-twice", "different-endings", from_row(-1, DOUBLE, at=1)),
        ("ending-that-differs-by-a-mark", "different-endings", in_turn(from_row(-1, DOUBLE, at=1), second(ending(DOUBLE, "!")))),
        ("entity-with-another-article", "entities-named", second(edit(DOUBLE, "the $OCC", "an $OCC"))),
        ("entity-behind-the-pronoun", "entities-named", second(edit(DOUBLE, ".", " for the $PARTICIPANT."))),
        ("entity-spelt-out", "entities-named", second(edit(DOUBLE, "$OCCUPATION", "technician"))),
        ("extra-pronoun-with-a-full-stop", "single-pronoun", second(edit(DOUBLE, ".", " near her."))),
        ("extra-pronoun-with-a-capital", "single-pronoun", second(edit(DOUBLE, "The ", "They say: The "))),
        ("two-pronouns", "single-pronoun", second(edit(DOUBLE, ".", ", and they knew."))),
        ("extra-pronoun-stuck-to-a-mark", "single-pronoun", second(edit(SINGLE, ".", " near her."))),
        ("extra-pronoun-reflexive", "single-pronoun", second(edit(SINGLE, ".", " by themself."))),
        ("extra-pronoun-in-quotation-marks", "single-pronoun", second(edit(SINGLE, ".", ' for "him".'))),
        ("single-version-of-the-other-entity", "parallel-single", second(edit(SINGLE, "$PARTICIPANT", "$OCCUPATION"))),
        ("single-version-with-both-entities", "parallel-single", second(edit(SINGLE, ".", " for the $OCCUPATION."))),
        ("single-version-with-another-word", "parallel-single", second(edit(SINGLE, "discovered", "noticed"))),
        ("verb-that-agrees", "singular-they", second(edit(DOUBLE, f"{PRONOUN} had", f"{PRONOUN} was"))),
        ("verb-in-the-present", "singular-they", second(edit(SINGLE, f"{PRONOUN} had discovered", f"{PRONOUN} sees"))),
        ("template-blank-before-the-mark", "typography", second(edit(SINGLE, ".", " ."))),
        ("template-without-end-mark", "typography", second(edit(SINGLE, ".", ""))),
        ("template-zero-width-space", "typography", second(edit(SINGLE, " because", "\u200b because"))),
        ("template-curly-apostrophe", "typography", second(edit(SINGLE, ".", " o’clock."))),
        ("template-of-other-entities", "unique-texts", copied),
        ("template-with-the-name-spelt-out", "entities-named", second(edit(SINGLE, ".", " by a technician."))),
        ("occupation-is-the-participant", "entities-named", in_row(entities("customer", "customer"), start=0)),
        ("name-inside-the-participant", "plain-names", in_row(entities("technician", "technician trainee"), start=0)),
        ("single-version-of-the-other-template", "parallel-single", second(of_another_event)),
        ("pronoun-accusative-for-nominative", "pronoun-in-place", case("$ACC_PRONOUN", PRONOUN, 0)),
        ("pronoun-reflexive-for-nominative", "pronoun-in-place", case("$REFL_PRONOUN", PRONOUN, 0)),
        ("pronoun-possessive-for-nominative", "pronoun-in-place", case("$POSS_PRONOUN", PRONOUN, 0)),
        ("pronoun-possessive-for-accusative", "pronoun-in-place", case("$POSS_PRONOUN", "$ACC_PRONOUN", 8)),
        ("pronoun-nominative-for-accusative", "pronoun-in-place", case(PRONOUN, "$ACC_PRONOUN", 8)),
    )
]  # fmt: skip

#: Typing errors: a name, and the change of an English text with a comma, a full stop and several words.
TYPOS: list[tuple[str, Callable[[str], str]]] = [
    ("doubled-blank", lambda text: text.replace(" ", "  ", 1)),
    ("tripled-full-stop-but-one", lambda text: text + "."),
    ("comma-before-the-full-stop", lambda text: text.removesuffix(".") + ",."),
    ("end-mark-lost", lambda text: text.removesuffix(".")),
    ("comma-at-the-end", lambda text: text.removesuffix(".") + ","),
    ("no-blank-after-a-comma", lambda text: text.replace(" the ", ",the ", 1)),
    ("blank-before-a-comma", lambda text: text.replace(" the ", " , the ", 1)),
    ("word-twice", lambda text: text.replace(" the ", " the the ", 1)),
    ("article-twice", lambda text: text.replace("The ", "The the ", 1)),
    ("ligature", lambda text: text.replace("the", "t\ufb01he", 1)),
    ("full-width-letter", lambda text: text.replace("the", "t\uff48e", 1)),
    ("full-width-full-stop", lambda text: text.removesuffix(".") + "\uff0e"),
    ("ideographic-full-stop", lambda text: text.removesuffix(".") + "\u3002"),
    ("cyrillic-letter", lambda text: text.replace("the", "th\u0435", 1)),
    ("greek-letter", lambda text: text.replace("the", "\u03c4he", 1)),
    ("digit-for-a-letter", lambda text: text.replace("the", "t3he", 1)),
    ("no-break-space", lambda text: text.replace(" the", "\u00a0the", 1)),
    ("soft-hyphen", lambda text: text.replace("the", "t\u00adhe", 1)),
    ("decomposed-accent", lambda text: text.replace("the", "the\u0301", 1)),
    ("variation-selector", lambda text: text.replace("the", "the\U000e0100", 1)),
    ("private-use-character", lambda text: text.replace("the", "the\ue000", 1)),
    ("curly-quotation-marks", lambda text: text.replace("the", "\u201cthe\u201d", 1)),
    ("ellipsis-character", lambda text: text.removesuffix(".") + "\u2026"),
    ("small-letter-at-the-beginning", lambda text: text[0].lower() + text[1:]),
    ("an-before-a-consonant", lambda text: text.replace(" the ", " an tool the ", 1)),
    ("a-before-a-vowel", lambda text: text.replace(" the ", " a oven the ", 1)),
]
TEMPLATES += [
    Defect(
        f"template-{name}{'-in-the-single-version' * (field == SINGLE)}",
        "templates",
        "typography",
        second(put(**{field: lambda row, field=field, change=change: change(row[field])})),
    )
    for name, change in TYPOS
    for field in (DOUBLE, SINGLE)
]
#: Names of an occupation that no template may have.
NAMES = {
    "with-a-capital": "Technician",
    "with-the-participant-inside": "customer adviser",
    "of-a-pronoun": "they",
    "with-a-ligature": "tecni\ufb01er",
    "with-full-width-letters": "\uff54\uff45\uff43\uff48",
    "with-a-cyrillic-letter": "techni\u0441ian",
    "with-an-accent": "techni\u00e7ian",
    "with-a-doubled-blank": "repair  technician",
    "with-a-zero-width-space": "techni\u200bcian",
    "with-a-mark": "technician,",
    "with-a-number": "technician 2",
    "with-a-placeholder": "$OCCUPATION",
    "in-chinese": "\u6280\u5e08",
}
TEMPLATES += [
    Defect(f"name-{name}", "templates", "plain-names", in_row(put(**{"occupation(0)": word}), start=0))
    for name, word in NAMES.items()
]
