"""Suites of schemas: `items` (ITEMS, SKIPPED), `pairs` (PAIRS, LABELS) and `zero_forms` (ZEROS).

The suite of a derived form stands in the module of the form. `pipeline/release/gate.py` lists all suites.
"""
