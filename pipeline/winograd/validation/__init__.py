"""Suites of schemas: `items` (ITEMS, SKIPPED), `pairs` (PAIRS), `labels` (LABELS), and those of `cloze`.

The suite `items` has checks in several modules: `candidates`, `questions`, and `collection`, which sees an item beside the others of
its file. `analysis`, `artefacts`, `errata` and `variety` have their own. `pipeline/release/gate.py` lists all suites.
"""
