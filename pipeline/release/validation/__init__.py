"""The suite of releases: `suite` has `RELEASES` and reads release folders for it.

`folder` reads one release. `files` has the checks of its files and its licence; `texts`, `rows` and `origins` make its card, tasks and
rows again from its own main data, and compare. The suites of what people wrote are those of a build, see `pipeline/release/gate.py`.
"""
