"""The suite of releases: `suite` has `RELEASES`, reads release folders for it, and checks their files and licences.

`folder` reads one release; `texts`, `rows` and `origins` make its card, tasks and rows again from its own main data, and compare. The
suites of what people wrote are those of a build, see `pipeline/release/gate.py`.
"""
