"""Simulated people and models with known parameters, which the analysis of an experiment must find again."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy

from pipeline.core.files import write_jsonl
from pipeline.core.tables import parse_table
from pipeline.evaluation.cloze.items import PLACES, ClozeItem
from pipeline.evaluation.cloze.results import ClozeResult, GapScores, Token, cloze_result
from pipeline.experiment.analysis.people import SITUATION
from pipeline.experiment.browser.files import KEY, KEY_COLUMNS
from pipeline.experiment.browser.results.tables import (
    PARTICIPANT,
    PARTICIPANTS,
    RESPONSE,
    RESPONSES,
    Participant,
    Response,
    Results,
    table_text,
)
from pipeline.language.pronoun_classes import GENDERS, Gender

#: Items of a list (the paper's ten).
LIST_SIZE = 10
#: Cuts of the latent confidence between 1 and 2, 2 and 3, and so on.
_CUTS = (-1.5, -0.7, 0.0, 0.9)
#: Milliseconds of the answer of an inattentive person.
_HASTE = (200, 650)


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """The parameters of simulated people; log-odds, and natural logarithms of milliseconds."""

    intercept: float = 1.3  # right answer whose pronoun is that of the first gender, midway between the places
    second: float = 0.4  # right antecedent at the second place against the first
    fem: float = 0.0  # pronoun of feminine against masculine
    neut: float = 0.5  # pronoun of neuter against masculine
    sd_people: float = 0.6  # standard deviation of ability
    sd_items: float = 1.0  # standard deviation of difficulty
    #: Share of *es* among wrong answers to items without a neuter antecedent; the others name the other antecedent.
    situation: float = 0.4
    stray: float = 0.05  # share of the pronoun of neither antecedent among wrong answers to all other items
    lapse: float = 0.01  # share of answers that are chosen at random
    inattentive: float = 0.05  # share of people who choose at random, fast, in fillers and attention items too
    incomplete: float = 0.02  # share of people who end after half of their list
    confidence_right: float = 0.7  # how much surer a right answer is, in standard deviations of the noise
    sd_confidence: float = 0.5  # standard deviation of people's confidence
    log_rt: float = 8.9  # mean logarithm of the response time of a wrong answer
    log_rt_right: float = -0.2  # right against wrong answers
    sd_rt_people: float = 0.3  # standard deviation of people's log response time
    sd_rt: float = 0.5  # standard deviation of the noise of a log response time


@dataclass(frozen=True, slots=True)
class Simulation:
    """Simulated results with what was drawn: ability by person, difficulty by item, who was inattentive."""

    results: Results
    ability: Mapping[str, float]
    difficulty: Mapping[str, float]
    inattentive: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlannedTrial:
    """What a list shows at a place: an id, what it is, and the right pronoun; empty where none is."""

    position: int
    id: str
    part: str
    answer: str


def read_lists(folder: Path) -> dict[int, list[PlannedTrial]]:
    """Return the trials of each list of an experiment with their right answers, from the key in its folder."""
    lists: dict[int, list[PlannedTrial]] = {}
    for _, row in parse_table((folder / KEY).read_text(encoding="utf-8"), folder / KEY, KEY_COLUMNS):
        trial = PlannedTrial(int(row["position"]), row["id"], row["part"], row["pronoun"])
        lists.setdefault(int(row["list"]), []).append(trial)
    return lists


def lists_of(items: Sequence[ClozeItem]) -> dict[int, list[PlannedTrial]]:
    """Return lists of about ten items in which no two are of one schema, for a collection that has no experiment yet."""
    schemas: dict[str, list[ClozeItem]] = {}
    for item in items:
        schemas.setdefault(item.schema, []).append(item)
    largest = max(map(len, schemas.values()))
    count = max(largest, len(items) // LIST_SIZE)
    lists: dict[int, list[PlannedTrial]] = {number: [] for number in range(1, count + 1)}
    for place, members in enumerate(schemas.values()):
        for offset, item in enumerate(members):
            number = (place + offset * (count // largest)) % count + 1
            lists[number].append(PlannedTrial(len(lists[number]) + 1, item.id, "item", ""))
    return {number: trials for number, trials in lists.items() if trials}


def simulate(
    items: Sequence[ClozeItem], lists: Mapping[int, Sequence[PlannedTrial]], truth: Truth, *, people: int, seed: int
) -> Simulation:
    """Return the results of simulated people, dealt to the lists in turn; the same seed gives the same results.

    `seed` is of numpy's PCG64.
    """
    draw = numpy.random.default_rng(seed)
    by_id = {item.id: item for item in items}
    difficulty = dict(zip(by_id, (float(value) for value in draw.normal(0, truth.sd_items, len(by_id))), strict=True))
    names = [f"s{number:03d}" for number in range(1, people + 1)]
    ability, inattentive, participants, responses = {}, [], {}, []
    for number, name in enumerate(names):
        ability[name] = float(draw.normal(0, truth.sd_people))
        person = _Person(
            name=name,
            list=list(lists)[number % len(lists)],
            ability=ability[name],
            confidence=float(draw.normal(0, truth.sd_confidence)),
            pace=float(draw.normal(0, truth.sd_rt_people)),
            inattentive=bool(draw.random() < truth.inattentive),
        )
        shown = lists[person.list]
        whole = bool(draw.random() >= truth.incomplete)
        given = [
            _answer(person, trial, by_id.get(trial.id), difficulty.get(trial.id, 0.0), truth, draw)
            for trial in (shown if whole else shown[: max(1, len(shown) // 2)])
        ]
        asked = {trial.position: trial.answer for trial in shown if trial.part == "attention"}
        noticed = [response.answer == asked[response.position] for response in given if response.position in asked]
        inattentive += [name] if person.inattentive else []
        participants[name] = Participant(
            participant=name,
            list=person.list,
            language="simulated",
            completed=whole,
            attention_right=sum(noticed),
            attention_asked=len(noticed),
            reloads=0,
        )
        responses += given
    return Simulation(Results(tuple(responses), participants), ability, difficulty, tuple(inattentive))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Person:
    name: str
    list: int
    ability: float
    confidence: float
    pace: float
    inattentive: bool


def _answer(
    person: _Person, trial: PlannedTrial, item: ClozeItem | None, difficulty: float, truth: Truth, draw: Any
) -> Response:
    pronouns: Mapping[Gender, str]
    if trial.part == "item":
        assert item is not None
        gender, right = _gender(person, item, difficulty, truth, draw)
        answer = item.classes.pronouns[gender]
    else:
        pronouns = {"masc": "er", "fem": "sie", "neut": "es"}
        known = trial.answer in pronouns.values() and not person.inattentive and draw.random() >= truth.lapse
        answer = trial.answer if known else pronouns[GENDERS[int(draw.integers(3))]]
        right = answer == trial.answer
    sure = person.confidence + truth.confidence_right * right + float(draw.normal())
    time = math.exp(truth.log_rt + truth.log_rt_right * right + person.pace + float(draw.normal(0, truth.sd_rt)))
    if person.inattentive:
        sure, time = float(draw.normal()), float(draw.integers(*_HASTE))
    confidence, later = 1 + sum(sure > cut for cut in _CUTS), round(math.exp(float(draw.normal(7.3, 0.4))))
    shown = (person.name, person.list, trial.position, trial.id, trial.part)
    return Response(*shown, answer, confidence, min(round(time), 600_000), later, "keyboard")


def _gender(person: _Person, item: ClozeItem, difficulty: float, truth: Truth, draw: Any) -> tuple[Gender, bool]:
    """Return the gender that a person chooses, and whether it is right."""
    place, odds = item.place, {"masc": 0.0, "fem": truth.fem, "neut": truth.neut}
    logit = (
        truth.intercept + truth.second * (PLACES.index(place) - 0.5) + odds[item.gender] + person.ability - difficulty
    )
    right, stray, random = (float(value) for value in draw.random(3))
    if person.inattentive or random < truth.lapse:
        gender = GENDERS[int(draw.integers(3))]
        return gender, gender == item.gender
    if right < 1 / (1 + math.exp(-logit)):
        return item.gender, True
    other = next(phrase.gender for phrase in item.antecedents if phrase.gender != item.gender)
    (neither,) = {*GENDERS} - {item.gender, other}
    share = truth.situation if neither == SITUATION else truth.stray
    return (neither if stray < share else other), False


# --- models -----------------------------------------------------------------------------------------------------------

#: The models by name: how well they know the right pronoun, how much items that are hard for people are hard for them, and how much
#: they prefer the second antecedent; all in log-odds.
MODELS: Mapping[str, tuple[float, float, float]] = {
    "simulated-large": (0.6, 0.8, 0.3),
    "simulated-base": (0.1, 0.3, 0.8),
}
#: Share of the vocabulary that the variants of pronouns take.
_MASS = 0.8


def simulated_models(items: Sequence[ClozeItem], difficulty: Mapping[str, float], seed: int) -> list[ClozeResult]:
    """Return the results of `MODELS` on the items, with all measures; `difficulty` is that of each item for people."""
    draw = numpy.random.default_rng(seed)
    results = []
    for name, (knowledge, shared, second) in MODELS.items():
        for item in items:
            logits: dict[str, float] = {gender: float(draw.normal(0, 0.6)) for gender in GENDERS}
            for place, phrase in zip(PLACES, item.antecedents, strict=False):
                logits[phrase.gender] += 1 + second * (place == PLACES[1])
            logits[item.gender] += knowledge - shared * difficulty[item.id]
            results.append(cloze_result(item, name, "simulated", _scores(item, logits), "pron"))
    return results


def _scores(item: ClozeItem, logits: Mapping[str, float]) -> GapScores:
    """Return scores in which each variant after the pronoun has a tenth of what the one before has."""
    total = sum(math.exp(value) for value in logits.values())
    words = {}
    for gender, variants in item.classes.variants.items():
        share = _MASS * math.exp(logits[gender]) / total
        for rank, word in enumerate(variants):
            words[word] = math.log(share * 0.9) - rank * math.log(10)
    genders = item.classes.words()
    best = sorted(words, key=lambda word: -words[word])[:9]
    tokens = [Token(word, words[word], genders[word]) for word in best] + [Token("man", math.log(0.05), "other")]
    tokens.sort(key=lambda token: -token.log)
    prompt = item.text()
    pieces = dict.fromkeys(words, 1)
    return GapScores(words, pieces, tuple(tokens), absolute=True, prompt=prompt, prompt_tokens=len(prompt.split()))


def write_simulation(
    folder: Path,
    items: Sequence[ClozeItem],
    *,
    people: int,
    seed: int,
    lists: Mapping[int, Sequence[PlannedTrial]] | None = None,
    truth: Truth | None = None,
) -> Simulation:
    """Write responses.tsv and participants.tsv of simulated people, and models.jsonl; return what was drawn."""
    simulation = simulate(items, lists or lists_of(items), truth or Truth(), people=people, seed=seed)
    folder.mkdir()
    (folder / RESPONSES).write_text(table_text(RESPONSE, simulation.results.responses), encoding="utf-8")
    (folder / PARTICIPANTS).write_text(
        table_text(PARTICIPANT, simulation.results.participants.values()), encoding="utf-8"
    )
    write_jsonl(
        folder / "models.jsonl", (result.row for result in simulated_models(items, simulation.difficulty, seed))
    )
    return simulation
