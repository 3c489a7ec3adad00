"""Validation of artifacts: what a suite is and how it runs.

- `suite`: `Suite`, the expectations of one kind of artifact; `Check`, a function from a value to the reason why it is wrong
- `rows`: readers of artifacts, and accessors that are safe on malformed values
- `expectations`: a class of Great Expectations for each expectation; only this module imports the package
- `derivation`: rows that a stage would write again, compared with those of its file
- `profiles`: what the suites accept in a published collection
- `documents`: `validate` runs a suite with Great Expectations; pages, tables of failing rows, suites and results for it

The suites are in the rooms of their domains; `release.gate` lists them.
"""
