"""Validation of artifacts: what a suite is and how it runs.

- `suite`: `Suite`, the expectations of one kind of artifact; `Check`, a function from a value to the reason why it is wrong
- `rows`: readers of artifacts, and accessors that are safe on malformed values
- `engine`: `validate` runs a suite with Great Expectations and returns a `Validation`; only this module imports the package
- `page`: HTML pages of validations

The suites are in the rooms of their domains; `release.gate` lists them.
"""
