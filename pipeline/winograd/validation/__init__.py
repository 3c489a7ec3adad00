"""Suites of schemas: `items` (ITEMS, SKIPPED), `pairs` (PAIRS), `labels` (LABELS), `zero_forms` (ZEROS) and `analyses` (ANALYSES).

The suite `items` has checks in several modules: `candidates`, `questions`, and `collection`, which sees an item beside the others of
its file. The suite of a derived form stands in the module of the form. `pipeline/release/gate.py` lists all suites.
"""
