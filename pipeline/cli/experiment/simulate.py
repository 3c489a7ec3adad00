"""Simulate people and models with known parameters."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError, plural, shown
from ...core.files import write_jsonl, write_text
from ...evaluation.cloze.items import read_cloze_items
from ...experiment.analysis.analysis import rounded
from ...experiment.analysis.responses import SIMULATED, participants_text, read_key, responses_text
from ...experiment.analysis.simulated_models import MODELS, simulated_models
from ...experiment.analysis.simulation import lists_of, simulate, truth_with
from ...experiment.browser.results.tables import PARTICIPANTS, RESPONSES
from ..parameters import arg, opt, output
from ..report import Report, Writes


def command(
    items: Annotated[Path, arg("ITEMS", "Cloze items with antecedents (JSON Lines).")],
    people: Annotated[int, opt("Number of people.", min=1, max=5000)],
    out: Annotated[
        Path,
        output("folder of the results."),
        Writes((RESPONSES, PARTICIPANTS, "truth.json", "models.jsonl", "options.json")),
    ],
    experiment: Annotated[Path | None, opt("Folder of the experiment, for its own lists.")] = None,
    seed: Annotated[int, opt("Seed of all that is drawn.", min=0)] = 1,
    parameter: Annotated[
        list[str] | None, opt("A parameter of truth.json, as NAME=VALUE; may be repeated.", "--set")
    ] = None,
) -> Report:
    """Simulate people and models with known parameters, in the files of an experiment; every file says so.

    truth.json has the parameters and what was drawn; models.jsonl has the
    form of `evaluate cloze`.
    """
    truth = truth_with(dict(map(_value, parameter or ())))
    cloze = read_cloze_items(items).items
    simulation = simulate(
        cloze, read_key(experiment) if experiment else lists_of(cloze), truth, people=people, seed=seed
    )
    models = simulated_models(cloze, simulation.difficulty, seed)
    results = simulation.results
    note = f"{SIMULATED} by winoforge with seed {seed}: these are no people\n"
    write_text(out / RESPONSES, note + responses_text(results.responses))
    write_text(out / PARTICIPANTS, note + participants_text(results.participants.values()))
    drawn = {
        "simulated": True,
        "parameters": asdict(truth),
        "ability": dict(simulation.ability),
        "difficulty": dict(simulation.difficulty),
        "inattentive": list(simulation.inattentive),
        "models": {
            name: dict(zip(("knowledge", "shared", "second"), values, strict=True)) for name, values in MODELS.items()
        },
    }
    options = {"simulated": True, "seed": seed, "people": people, "items": len(cloze)}
    write_text(out / "truth.json", json.dumps(rounded(drawn), ensure_ascii=False, indent=1) + "\n")
    write_text(out / "options.json", json.dumps(options, indent=1) + "\n")
    write_jsonl(out / "models.jsonl", (result.row for result in models))
    report = Report()
    report.add(
        f"{out}: simulated: {plural(len(results.responses), 'response')} of {people} people, "
        f"{plural(len(simulation.inattentive), 'inattentive person')}, {plural(len(MODELS), 'model')}",
        **options,
        responses=len(results.responses),
    )
    return report


def _value(text: str) -> tuple[str, float]:
    name, equals, number = text.partition("=")
    try:
        if equals:
            return name, float(number)
    except ValueError:
        pass
    raise PipelineError(None, None, f"[set] found {shown(text)}, expected NAME=VALUE, such as second=0.4")
