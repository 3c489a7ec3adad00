"""The forms with a candidate in the target's place: `nli`, `disambiguated`, `scoring` and `winogrande`."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from ...core.convert import to_object
from ...core.model import Item, Span
from ...language.grammar import Genders, Substitution, mere_substitution
from ...language.languages import grammar_of, language_of
from ...language.pronoun_classes import Gender, cloze_languages, pronoun_classes
from ...language.questions import languages, question_table
from ...language.text_checks import has_words
from ..zero_forms import zero_form
from .form import DerivedForm, Form, Row, derive_each

ENTAILMENT, NO_ENTAILMENT = "ENTAILMENT", "NO ENTAILMENT"
#: The gap of a sentence of WinoGrande.
BLANK = "_"
#: Columns of the table of differences.
DIFFERENCES = ("id", "changes", "mere substitution", "text")


def candidate_genders(items: Iterable[Item]) -> Mapping[str, Genders]:
    """Return the genders of the candidates of each item by its id, in languages whose pronouns have the gender of their noun.

    A candidate has the gender of the pronoun that stands for it in the member of its schema whose answer it is: er in *der
    Zug kam, weil er …*. It is None where no member has it as its answer, or two members contradict each other.
    """
    gendered = [item for item in items if _has_genders(item.lang)]
    known: dict[tuple[str, str], set[Gender | None]] = defaultdict(set)
    for item in gendered:
        pronoun = item.target.of(item.text)
        known[item.schema, item.candidates[item.answer]].add(pronoun_classes(item.lang).gender_of(pronoun))

    def gender(schema: str, candidate: str) -> Gender | None:
        genders = known.get((schema, candidate), set())
        return next(iter(genders)) if len(genders) == 1 else None

    return {item.id: tuple(gender(item.schema, candidate) for candidate in item.candidates) for item in gendered}


def _has_genders(lang: str) -> bool:
    return lang in languages() and lang in cloze_languages() and bool(question_table(lang).by_gender)


def _of_candidates(form: str, items: Iterable[Item], rows_of: Callable[[Item, Genders], list[Row]]) -> DerivedForm:
    """Return the rows that `rows_of` makes of an item and the genders of its candidates.

    An item with one candidate is unmade: it asks only whether its zero is licensed.
    """
    all_items = list(items)
    genders = candidate_genders(all_items)

    def rows(item: Item) -> list[Row]:
        if len(item.candidates) < 2:
            found = ", ".join(item.candidates) or "none"
            raise ValueError(f"[candidates] no choice; found {found}, expected two or more")
        return rows_of(item, genders.get(item.id, ()))

    return derive_each(form, all_items, rows)


def _substitutions(item: Item, genders: Genders) -> list[Substitution]:
    """Return the text for each candidate; without a grammar of its language, or with a gap, it takes the place as it is, as in XWINO."""
    indices, start = range(len(item.candidates)), item.target.start
    if item.target.of(item.text) == BLANK or language_of(item.lang).grammar is None:
        spans = [Span(start, start + len(candidate)) for candidate in item.candidates]
        return [Substitution(mere_substitution(item, index), spans[index], spans[index]) for index in indices]
    return [grammar_of(item.lang).substitute(item, index, genders) for index in indices]


def _row(item: Item, index: int, **fields: object) -> Row:
    return {"id": f"{item.id}-{index}", "item": item.id, "schema": item.schema, **fields}


def nli(items: Iterable[Item]) -> DerivedForm:
    """Return a premise and a hypothesis for each candidate (Mandarinograd, LREC 2020, section 2.2, example 2).

    The premise entails the hypothesis about the answer (ENTAILMENT), but not the other one. An item is unmade if its
    question cannot be turned into a statement about every candidate.
    """

    def rows(item: Item, genders: Genders) -> list[Row]:
        return [
            _row(
                item,
                index,
                premise=item.text,
                hypothesis=grammar_of(item.lang).hypothesis(item, index, genders),
                label=ENTAILMENT if index == item.answer else NO_ENTAILMENT,
            )
            for index in range(len(item.candidates))
        ]

    return _of_candidates("nli", items, rows)


def _zero_of_premise(_: Row, item: Item) -> Row:
    """Return the premise with Ø for its anaphor, and without."""
    form = zero_form(item.text, item.target, item.lang)
    return {"premise_zero": form.text_zero, "premise_dropped": form.text_dropped}


def disambiguated(items: Iterable[Item]) -> DerivedForm:
    """Return the disambiguated text for each candidate (Mandarinograd, LREC 2020, section 3.1, note 6).

    A row has ``text``, the ``span`` of the expression in it, whether it is ``correct``, and in ``changes`` how it differs
    from replacing the pronoun by the candidate as given (see the grammar of the language).
    """

    def rows(item: Item, genders: Genders) -> list[Row]:
        texts = _substitutions(item, genders)
        if item.target.of(item.text) != BLANK:
            reported = grammar_of(item.lang).reported
            texts = [reported(item, index, made) for index, made in enumerate(texts)]
        return [
            _row(
                item,
                index,
                text=substitution.text,
                span=to_object(substitution.span),
                candidate=item.candidates[index],
                correct=index == item.answer,
                changes=list(substitution.changes),
            )
            for index, substitution in enumerate(texts)
        ]

    return _of_candidates("disambiguated", items, rows)


def differences(items: Iterable[Item], made: DerivedForm) -> list[tuple[str, str, str, str]]:
    """Return the cells of `DIFFERENCES` for each disambiguated text that mere substitution does not give."""
    by_id = {item.id: item for item in items}
    table = []
    for row in made.rows:
        item = by_id[row["item"]]
        mere = mere_substitution(item, item.candidates.index(row["candidate"]))
        if mere != row["text"]:
            table.append((row["id"], ", ".join(row["changes"]), mere, row["text"]))
    return table


def scoring(items: Iterable[Item]) -> DerivedForm:
    """Return the disambiguated text for each candidate, cut after the expression in the target's place.

    The full score is the probability of ``context`` and ``continuation``, the partial score that of ``continuation`` given
    ``context`` (Trinh and Le 2018, A Simple Method for Commonsense Reasoning, section 3.1). All candidates of an item have
    the same continuation. ``partial`` is false where it has no word, so that there is no partial score.
    """

    def rows(item: Item, genders: Genders) -> list[Row]:
        texts = _substitutions(item, genders)
        continuation = texts[0].text[texts[0].span.end :]
        return [
            _row(
                item,
                index,
                context=substitution.text[: substitution.span.end],
                continuation=continuation,
                partial=has_words(continuation),
                candidate=item.candidates[index],
                correct=index == item.answer,
            )
            for index, substitution in enumerate(texts)
        ]

    return _of_candidates("scoring", items, rows)


def _zero_of_context(_: Row, item: Item) -> Row:
    """Return the text with its anaphor, with Ø and without, each with the question that the candidates answer; none without one."""
    if not item.question:
        return {}
    form = zero_form(item.text, item.target, item.lang)
    return {
        "context_overt": item.text + item.question,
        "context_zero": form.text_zero + item.question,
        "context_dropped": form.text_dropped + item.question,
    }


def winogrande(items: Iterable[Item]) -> DerivedForm:
    """Return ``sentence`` with a blank, ``option1``, ``option2`` and ``answer`` ("1" or "2") for each item.

    An option in the blank gives the disambiguated text. A particle that belongs to the place and not to the name (的, 's)
    stays in the sentence. An item is unmade where no word follows the blank, where the sentences around the two options
    differ, where both options are the same, or where the text has a low line already.
    """
    return _of_candidates("winogrande", items, _sentence_with_options)


def _sentence_with_options(item: Item, genders: Genders) -> list[Row]:
    texts = _substitutions(item, genders)
    frames = {(text.text[: text.name.start], text.text[text.name.end :]) for text in texts}
    options = [text.name.of(text.text) for text in texts]
    if len(options) != 2:
        raise ValueError(f"[candidates] wrong number; found {len(options)}, expected two options")
    if options[0] == options[1]:
        raise ValueError(f"[candidates] both options are the same; found {options[0]!r} twice")
    if len(frames) > 1:
        reason = "the sentences around the options differ; expected one blank that takes both"
        raise ValueError(f"[candidates] {reason}")
    ((head, tail),) = frames
    if BLANK in head + tail:
        raise ValueError(f"[text] a low line beside the blank; found {item.text!r}")
    if not has_words(tail):
        raise ValueError("[text] no word follows the blank; expected a continuation")
    return [
        {
            "id": item.id,
            "item": item.id,
            "schema": item.schema,
            "sentence": f"{head}{BLANK}{tail}",
            "option1": options[0],
            "option2": options[1],
            "answer": str(item.answer + 1),
        }
    ]


NLI = Form(
    "nli",
    lambda items, _: nli(items),
    "`premise`, `hypothesis` and `label`: the question as a statement about each candidate (LREC 2020, section 2.2)",
    zero=_zero_of_premise,
)
DISAMBIGUATED = Form(
    "disambiguated",
    lambda items, _: disambiguated(items),
    "`text` with an expression for each candidate in the target's place, at `span`; one is `correct` (note 6 there)",
)
SCORING = Form(
    "scoring",
    lambda items, _: scoring(items),
    "`context` and `continuation` of the same texts, for full and partial scores (Trinh and Le 2018)",
    zero=_zero_of_context,
)
WINOGRANDE = Form(
    "winogrande",
    lambda items, _: winogrande(items),
    "`sentence` with one blank, `option1`, `option2`, `answer` (Sakaguchi et al. 2019)",
)
