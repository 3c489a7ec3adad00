"""The suite of releases: `suite` has `RELEASES` and reads release folders for it.

`folder` reads one release. `files`, `card`, `tables`, `records` and `origins` have the expectations of its parts; most rows are
derived again from the main data of the release itself. The suites of the data files are those of a build, see
`pipeline/release/gate.py`.
"""
