"""The figures of people and models, by hand."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.core.errors import PipelineError
from pipeline.core.files import write_jsonl
from pipeline.evaluation.cloze.items import ClozeItem, read_cloze_items
from pipeline.evaluation.cloze.results import ClozeAnswer, ClozeResult
from pipeline.evaluation.measures.accuracy import Estimate
from pipeline.experiment.analysis.analysis import Criteria, analyse, people, read_criteria
from pipeline.experiment.analysis.models import model_figures
from pipeline.experiment.analysis.page import sentences
from pipeline.experiment.analysis.people import (
    Judgement,
    PairAnswers,
    PeopleFigures,
    RightShare,
    item_figures,
    judgements,
    people_figures,
)
from pipeline.experiment.analysis.relations import Relation, relations
from pipeline.experiment.browser.results.tables import Participant, Response, Results
from tests.support.cloze import cloze_rows

PATH = Path("responses.tsv")
#: Four answers to each item: the right pronoun and the antecedents are those of tests/support/cloze.py.
ANSWERS = {
    "de-0-a": "er er er er",  # masc, first; fem second: unanimous
    "de-0-b": "sie sie er es",  # fem, second: right majority, all three
    "de-1-a": "er er sie es",  # fem, first: wrong majority er
    "de-1-b": "er er sie sie",  # masc, second: tie
    "de-2-a": "es es es er",  # neut, first
    "de-2-b": "es es es er",  # masc, second: wrong majority es, and the same as de-2-a
    "de-3-a": "sie sie sie er",  # fem, first; neut second: er is neither
    "de-3-b": "es es sie es",  # neut, second
    "de-4-a": "sie sie es sie",
    "de-4-b": "es sie es es",
}
#: The genders of the predictions of a model, in the order of the items.
PREDICTIONS = ["masc", "fem", "fem", "masc", "neut", "neut", "fem", "neut", "fem", "fem"]


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> tuple[ClozeItem, ...]:
    path = tmp_path_factory.mktemp("items") / "cloze.jsonl"
    write_jsonl(path, cloze_rows())
    return read_cloze_items(path).items


def responses(answers: dict[str, str] = ANSWERS) -> list[Response]:
    return [
        Response(f"p{person}", 1, place, item, "item", answer, 5 - person, 1000 * (person + 1), 500)
        for place, (item, given) in enumerate(answers.items(), 1)
        for person, answer in enumerate(given.split())
    ]


def person(number: int, completed: bool, right: int = 0, asked: int = 0) -> Participant:
    return Participant(
        participant=f"p{number}", list=1, completed=completed, attention_right=right, attention_asked=asked
    )


@pytest.fixture(scope="module")
def given(items: Sequence[ClozeItem]) -> list[Judgement]:
    return judgements(responses(), items, PATH)


@pytest.fixture(scope="module")
def figures(given: list[Judgement]) -> PeopleFigures:
    return people_figures(given, item_figures(given), 1)


def test_an_item(given: list[Judgement]) -> None:
    entries = {entry.item.id: entry for entry in item_figures(given)}
    wrong, tie = entries["de-1-a"], entries["de-1-b"]
    assert (wrong.majority, wrong.right, wrong.accuracy, wrong.agreement) == ("masc", False, 0.25, 0.5)
    assert (tie.majority, tie.right, tie.accuracy, tie.agreement) == (None, None, 0.5, 0.5)
    # confidences 5 4 3 2, times 1 to 4 s
    assert (wrong.confidence, wrong.rt_mean, wrong.rt_median) == (3.5, 2500, 2500)


def test_agreement(figures: PeopleFigures) -> None:
    agreement = figures.agreement
    # P_i: 1, (2)/12 for 2-1-1, the same, 4/12 for 2-2, and 6/12 for 3-1 in six items: mean (1 + 1/3 + 1/3 + 3) / 10 = 0.46667.
    # Answers: er 4+1+2+2+1+1+1 = 12, sie 2+1+2+3+1+3+1 = 13, es 15: P_e = (144 + 169 + 225) / 1600 = 0.33625.
    # kappa = (0.46667 - 0.33625) / (1 - 0.33625) = 0.19649.
    assert agreement.fleiss.value == pytest.approx(0.19649, abs=1e-5)
    assert figures.counts.given == {"masc": 12, "fem": 13, "neut": 15}
    assert (agreement.items, agreement.unanimous, agreement.high) == (10, 1, 7)
    assert (agreement.all_three, agreement.tied) == (2, 1)


def test_accuracy(figures: PeopleFigures) -> None:
    accuracy = figures.accuracy
    # right: 4 2 1 2 3 1 3 3 3 3 = 25 of 40; of nine decided items two are wrong
    assert (accuracy.individual.right, accuracy.individual.n) == (25, 40)
    assert (accuracy.majority.right, accuracy.majority.n, accuracy.tied) == (7, 9, 1)
    assert accuracy.majority_of_all == RightShare(right=7, n=10, value=0.7)
    by_pronoun = {name: entry.individual.right for name, entry in figures.by["pronoun"].items()}
    assert by_pronoun == {"er": 4 + 2 + 1, "sie": 2 + 1 + 3 + 3, "es": 3 + 3 + 3}
    assert {name: entry.individual.right for name, entry in figures.by["place"].items()} == {
        "first": 4 + 1 + 3 + 3 + 3, "second": 2 + 2 + 1 + 3 + 3,
    }  # fmt: skip
    # without de-2-b, whose wrong majority is es: 24 of 36, 7 of 8 decided
    without = figures.without_wrong_es
    assert (without.items, without.individual.right, without.individual.n) == (1, 24, 36)
    assert (without.majority.right, without.majority.n) == (7, 8)


def test_answers_that_take_up_no_antecedent(figures: PeopleFigures) -> None:
    # es in de-0-b and de-1-a, er in de-3-a
    neither = figures.neither
    assert (neither.answers, neither.share, neither.by) == (3, 3 / 40, {"masc": 1, "fem": 0, "neut": 2})
    # items of er and sie are de-0 and de-1, with 0 + 2 + 3 + 2 wrong answers
    assert (neither.situation.es, neither.situation.wrong) == (2, 7)


def test_places(figures: PeopleFigures) -> None:
    first, second = figures.places["first"], figures.places["second"]
    # first antecedent chosen: 4 1 1 2 3 3 3 1 3 1 = 22, right 4 + 1 + 3 + 3 + 3 = 14; second 40 - 3 - 22 = 15, right 25 - 14 = 11
    assert (first.chosen, first.right_when_chosen) == (22, 14 / 22)
    assert (second.chosen, second.right_when_chosen) == (15, 11 / 15)
    # 20 answers each where it is right: the two accuracies point in opposite directions, as in the paper
    assert (first.right_when_gold, second.right_when_gold) == (14 / 20, 11 / 20)


def test_pairs_errors_deciles(figures: PeopleFigures) -> None:
    # de-1 has a tie; of the other four only de-2 has the same majority in both
    assert figures.pairs == PairAnswers(n=4, same=1, share=0.25, undefined=1, both_wrong=0)
    assert [(error.item, error.expected, error.majority) for error in figures.errors] == [
        ("de-1-a", "fem", "masc"), ("de-2-b", "masc", "neut"),
    ]  # fmt: skip
    # the fastest quarter is the first person's: right 1 1 0 1 1 0 1 1 1 1 = 0.8
    assert [part.value for part in figures.deciles["rt"]][:2] == pytest.approx([0.8, 0.8])


def pearson_of(row: Relation) -> float:
    assert row.pearson is not None
    return row.pearson.value


def test_correlations_name_their_unit(given: list[Judgement]) -> None:
    rows = {(row.unit, row.first, row.second): row for row in relations(given, item_figures(given), 1)}
    # confidence is 5 less the place of the person, time 1000 times that place and 1: opposite
    assert pearson_of(rows["answers", "confidence", "rt"]) == pytest.approx(-1)
    assert rows["answers", "confidence", "rt"].n == 40
    assert rows["people", "confidence", "rt"].n == 4
    assert rows["items", "accuracy", "confidence"].n == 10
    assert rows["items", "accuracy", "confidence"].pearson is None  # every item has the same mean confidence
    assert rows["within", "accuracy", "rt"].pearson is None  # nor does it vary within a person
    # right by person: 8 7 5 5 of 10 with times 1 2 3 4: sum of products -1.5 * 1.75 - 0.5 * 0.75 - 0.5 * 1.25 - 1.5 * 1.25 = -5.5,
    # squares 5 and 1.75^2 + 0.75^2 + 2 * 1.25^2 = 6.75: r = -5.5 / sqrt(33.75) = -0.94673
    assert pearson_of(rows["people", "accuracy", "rt"]) == pytest.approx(-0.94673, abs=1e-5)


def model(items: Sequence[ClozeItem]) -> list[ClozeResult]:
    classes = {"masc": 0.2, "fem": 0.3, "neut": 0.1}
    return [
        ClozeResult(item, "m", {"pron": ClozeAnswer(prediction, 0.3 + 0.01 * place, 0.2, classes)}, {})
        for place, (item, prediction) in enumerate(zip(items, PREDICTIONS, strict=True))
    ]


def test_models_beside_people(items: Sequence[ClozeItem], given: list[Judgement]) -> None:
    (entry,) = model_figures(model(items), given, item_figures(given), 1)
    # gold: masc fem fem masc neut masc fem neut fem neut: wrong in de-2-b and de-4-b
    assert (entry.accuracy.right, entry.accuracy.n) == (8, 10)
    # majorities: masc fem masc tie neut neut fem neut fem neut: unlike in de-1-a and de-4-b of nine
    assert (entry.accuracy_of_majority.right, entry.accuracy_of_majority.n) == (7, 9)
    # the same prediction for both items of de-2 and of de-4
    assert (entry.pairs.same, entry.pairs.n) == (2, 5)
    assert [entry.places[place]["chosen"] for place in ("first", "second", "neither")] == [7, 3, 0]
    # prediction by majority: masc-masc 1; fem-fem 3, fem-masc 1, fem-neut 1; neut-neut 3. Sum of n_ij^2 / (n_i n_j) with rows 1 5 3
    # and columns masc 2, fem 3, neut 4: 1/2 + 9/15 + 1/10 + 1/20 + 9/12 = 2, so phi2 = 1 and V = sqrt(1 / 2).
    assert entry.v.majority is not None
    assert entry.v.individual is not None
    assert entry.v.majority.v == pytest.approx(0.5**0.5)
    # corrected: 1 - 4 / 8 = 0.5; r = c = 3 - 4 / 8 = 2.5, less 1 = 1.5; sqrt(0.5 / 1.5) = 0.57735
    assert entry.v.majority.corrected == pytest.approx(0.57735, abs=1e-5)
    assert entry.v.individual.n == 40


def test_who_is_left_out_and_why(tmp_path: Path) -> None:
    path = tmp_path / "criteria.yaml"
    path.write_text("attention: 0.5\nfast_ms: 1500\nfast_share: 0.5\nfillers: 0.5\n")
    rows = [
        *responses({"de-0-a": "er er er er"}),
        *(
            Response(f"p{n}", 1, 20, "fl-1", "filler", answer, 3, 1000 + 1000 * n, 1)
            for n, answer in enumerate(["er", "es", "Er"])
        ),
    ]
    persons = {f"p{n}": person(n, n != 2, n % 2, 1 + n % 2) for n in range(4)}
    judged = people(Results(tuple(rows), persons), read_criteria(path), {"fl-1": "er"})
    assert {name: entry.reasons for name, entry in judged.items()} == {
        "p0": ("attention", "too fast"), "p1": ("fillers",), "p2": ("not completed", "attention"), "p3": (),
    }  # fmt: skip
    assert (judged["p3"].fillers, judged["p0"].fast, judged["p1"].attention) == (None, 1.0, 0.5)
    either = people(Results(tuple(rows), persons), Criteria(), {"fl-1": "er|sie"})  # a filler of which both are right
    assert [entry.fillers for entry in either.values()] == [1.0, 0.0, 1.0, None]


@pytest.mark.parametrize(("text", "reason"), [
    ("attention: 2", ":1: [attention] wrong kind; found 2, expected a share from 0 to 1"),
    ("fast_ms: 0.5", ":1: [fast_ms] wrong kind; found 0.5, expected milliseconds"),
    ("atention: 1", ":1: [atention] unknown field; expected one of"),
])  # fmt: skip
def test_criteria_that_make_no_sense_are_refused(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "criteria.yaml"
    path.write_text(f"{text}\n")
    with pytest.raises(PipelineError) as error:
        read_criteria(path)
    assert reason in str(error.value)


def test_the_analysis_counts_those_left_out(items: Sequence[ClozeItem]) -> None:
    persons = {f"p{n}": person(n, n > 0) for n in range(4)}
    results = Results(tuple(responses()), persons)
    analysis = analyse(results, items, (), Criteria(fast_ms=0), {}, seed=1, folder=Path())
    assert analysis.report["people"] == {
        "all": 4, "kept": 3, "excluded": 1, "reasons": {"not completed": 1}, "fillers_scored": 0,
    }  # fmt: skip
    assert analysis.figures.kept.counts.answers == 30
    assert analysis.figures.everyone is not None
    assert analysis.figures.everyone.counts.answers == 40
    whole = analyse(results, items, (), Criteria(completed=False, fast_ms=0), {}, seed=1, folder=Path())
    assert whole.figures.everyone is None
    with pytest.raises(PipelineError, match=r"nobody is left; found 4 left out \(not completed 1, too fast 4\)"):
        analyse(results, items, (), Criteria(fast_ms=60000), {}, seed=1, folder=Path())


def test_an_answer_that_fits_no_item_is_refused(items: Sequence[ClozeItem]) -> None:
    with pytest.raises(PipelineError, match=r"responses.tsv: \[id\] unknown item; found 'de-9' of p0"):
        judgements(responses({"de-9": "er"}), items, PATH)
    with pytest.raises(
        PipelineError, match=r"\[answer\] no pronoun; found 'ihn' of p0 to de-0-a, expected er, sie, es"
    ):
        judgements(responses({"de-0-a": "ihn"}), items, PATH)


def test_the_first_sentences_say_what_came_out(items: Sequence[ClozeItem]) -> None:
    everyone = Results(tuple(responses()), {f"p{number}": person(number, True) for number in range(4)})
    analysis = analyse(everyone, items, model(items), Criteria(fast_ms=0), {}, seed=1, folder=PATH)
    right, agreement, of_model, limits = sentences(analysis.figures.kept)
    # 25 of 40; seven of nine decided items, one tie; the kappa of test_agreement; two wrong majorities
    assert right.startswith("62.5 % of 40 answers by 4 people are right (95 % interval ")
    assert right.endswith("), and the majority in 7 of 9 decided items; 1 tied.")
    assert agreement == (
        "People agree: all of them in 1 of 10 items, seven of ten or more in 7 (Fleiss’ κ 0.196); in 2 items the majority is wrong."
    )
    # eight of ten right, seven of nine decided items as the majority: test_models_beside_people
    assert of_model.startswith("m (pron) is right in 80.0 % of 10 items (")
    assert of_model.endswith(", and answers as the majority does in 77.8 %.")
    assert limits.startswith("With 10 items, differences of fewer than ")
    # the answers with er set apart: all wrong from 0 to 30.8 %, all others right from 69.2 % (0.025 ** (1 / 10))
    low, high = Estimate(0, 20, 0.0, (0.0, 0.308)), Estimate(20, 20, 1.0, (0.692, 1.0))
    by = {
        "pronoun": {
            name: replace(analysis.figures.kept.by["pronoun"]["er"], individual=of)
            for name, of in (("er", low), ("es", high))
        }
    }
    assert sentences(replace(analysis.figures.kept, by=by))[2] == (
        "Least often right are answers to items with pronoun er: 0.0 % (95 % interval 0.0 % to 30.8 %); most often with es: 100.0 %."
    )
