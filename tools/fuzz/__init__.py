"""Fuzz the commands and the suites: change files that they accept, and report what ends in anything but success or a refusal.

- `targets`: the table of targets, and `run`, which runs one
- `seeds`: the files that are changed: our own collections, in small
- `mutations`: changes of bytes, lines, cells, JSON values and YAML values
- `__main__`: ``python -m tools.fuzz --seconds 60``
"""
