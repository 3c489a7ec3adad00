"""The figures of all tests with a model, and the signs of contamination among what was computed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...statistics.significance import holm
from ..scoring.model import LanguageModel
from .memory import canary_rank, recall
from .order import order_test
from .texts import ProbeText

#: A test is a sign if its p value, corrected for all tests of the run, is at most this.
LEVEL = 0.05
#: Maximum number of items that are named.
NAMED = 10


@dataclass(frozen=True, slots=True)
class Settings:
    """What the tests with a model take besides the items.

    Attributes:
        canary: the line that identifies the release; empty if it has none.
        of_templates: whether the release is of sentences of templates, whose order is systematic.
        permutations: number of orders and of other canaries.
        shard: number of schemas in a text.
        seed: seed of both.
    """

    canary: str
    of_templates: bool
    permutations: int = 99
    shard: int = 5
    seed: int = 0


def model_figures(
    texts: Sequence[ProbeText], model: LanguageModel, reference: LanguageModel | None, settings: Settings
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the figures of a model, and the reason for each test that was not computed.

    Args:
        texts: the items in the order of the file.
        model: the model.
        reference: a model that cannot have read the release; None without one.
        settings: the settings.

    Returns:
        ``name``, ``items`` and, with a reference, ``reference``; ``order``, ``canary``, ``paraphrase`` and ``completion`` where they
        were computed; ``corrected``, the p value of each test, corrected for all of them (Holm 1979).
    """
    figures: dict[str, Any] = {"name": model.name, "items": len(texts)}
    missing: dict[str, str] = {}
    if reference:
        figures["reference"] = reference.name
    if settings.of_templates:
        missing["order"] = "sentences of templates stand in a systematic order, which any model may prefer"
    elif order := order_test(
        texts, model, shard=settings.shard, permutations=settings.permutations, seed=settings.seed
    ):
        figures["order"] = order
    else:
        missing["order"] = "fewer than two schemas"
    if rank := canary_rank(settings.canary, model, permutations=settings.permutations, seed=settings.seed):
        figures["canary"] = rank
    elif settings.canary:
        missing["canary of the model"] = "the canary has no UUID"
    remembered = recall(texts, model, reference, seed=settings.seed)
    if remembered["completion"]["items"]:
        figures["completion"] = remembered["completion"]
    else:
        missing["completion"] = "the server does not tell which tokens are the most probable"
    if "paraphrase" in remembered:
        figures["paraphrase"] = remembered["paraphrase"]
    else:
        missing["paraphrases"] = "the release has no such form"
    figures["corrected"] = corrected(figures)
    return figures, missing


def corrected(model: Mapping[str, Any]) -> dict[str, float]:
    """Return the p value of each test that was computed with a model, corrected together (Holm 1979)."""
    given = {name: model[name]["p"] for name in ("order", "canary", "paraphrase") if "p" in model.get(name, {})}
    return {name: p for name, p in zip(given, holm(list(given.values())), strict=True) if p is not None}


def signs(figures: Mapping[str, Any]) -> list[str]:
    """Return a line for each sign of contamination.

    Args:
        figures: what was computed: ``corpora`` and ``outputs``, each a mapping from a file to its figures; ``n_grams``; ``model``, with
            ``order``, ``canary``, ``paraphrase``, ``completion`` and ``corrected``.
    """
    lines = [
        f"{file}: [canary] the canary stands in {counts['canaries']} of {counts['documents']} documents, first in number {counts['first']}"
        for kind in ("corpora", "outputs")
        for file, counts in figures.get(kind, {}).items()
        if counts.get("canaries")
    ]
    grams = figures.get("n_grams", {})
    if names := grams.get("found"):
        named = ", ".join(names[:NAMED]) + ", …" * (len(names) > NAMED)
        lines.append(f"[n-grams] {len(names)} of {len(grams['items'])} items are in the corpora: {named}")
    model = figures.get("model", {})
    what = {
        "order": "prefers the order of the data file",
        "canary": "prefers the canary to other lines",
        "paraphrase": "prefers items to their paraphrases more than the reference does",
    }
    for test, p in model.get("corrected", {}).items():
        if p <= LEVEL:
            lines.append(
                f"[{test}] {model['name']} {what[test]}: p = {p:.3g}, corrected for {len(model['corrected'])} tests"
            )
    items = (model.get("completion") or {}).get("items")
    if items and items["completed"]:
        lines.append(
            f"[completion] {model['name']} completes {items['completed']} of {items['texts']} items word for word"
        )
    return lines
