"""Artefacts: what tells the right answer of a collection's items to somebody who did not understand them.

- `cues`: single properties of items and candidates, each tested against a fair coin
- `parts`: classifiers that see a part of each item; the filter AFLite
- `page`: the page with the items that each of them solves
"""

LAYERS = (("page",), ("parts",), ("cues",))
