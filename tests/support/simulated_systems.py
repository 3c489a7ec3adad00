"""Systems whose errors are known, and items for them to answer."""

from collections.abc import Mapping, Sequence
from random import Random

from pipeline.evaluation.items import ReleasedItem
from pipeline.evaluation.predictions import FORMS, ORDERS, Response, Run, response
from tests.support.items import marked

NAMES = ("老汤", "小柳")


def simulated_items(schemas: int) -> list[ReleasedItem]:
    """Return pairs of items, the first candidate right in *a*, the second in *b*."""
    text = "老汤给小柳送伞，因为【他】怕淋雨。"
    items = [
        marked(text, f"s-{number:04}-{version}", candidates=NAMES, answer=answer)
        for number in range(schemas)
        for answer, version in enumerate("ab")
    ]
    return [
        ReleasedItem(item, item.text.replace("他", "Ø"), {"kind": kind, "answer": "AB"[item.answer]})
        for number, item in enumerate(items)
        for kind in (("social", "spatial")[number // 2 % 2],)
    ]


def simulated_runs(
    items: Sequence[ReleasedItem],
    right: Mapping[str, float],
    random: Random,
    *,
    model: str = "simulated",
    zero_cost: float = 0.0,
    first_place: float = 0.0,
    unparsed: float = 0.0,
) -> dict[Run, dict[str, Response]]:
    """Return the runs of a system in both forms and both orders.

    Args:
        right: the probability of a right answer to the overt form of each item, where the system does not go by place.
        zero_cost: by how much a zero lowers this probability.
        first_place: the probability that it chooses the first option whatever the item says.
        unparsed: the probability that it refuses.
    """
    runs: dict[Run, dict[str, Response]] = {}
    for form in FORMS:
        for order in ORDERS:
            run = runs[Run(model, "zero-shot", form, order)] = {}
            for entry in items:
                probability = right[entry.item.id] - (zero_cost if form == "zero" else 0)
                answer = entry.item.answer if random.random() < probability else 1 - entry.item.answer
                place = answer if order == "written" else 1 - answer
                place = 0 if random.random() < first_place else place
                text = "抱歉，我无法回答。" if random.random() < unparsed else f"答案：{'AB'[place]}"
                run[entry.item.id] = response(text, entry, order)
    return runs
