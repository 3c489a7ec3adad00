"""Fuzz the commands and the suites: change files that they accept, and report what ends in anything but success or a refusal.

- `targets`: the targets, most of targets.yaml, and `run`, which runs one; `readers` what no command names, `servers` what a server answers
- `seeds`: the files that are changed: those of samples/, and our own collections, in small
- `mutations`: changes that suit the name of a file; `documents` those of values and trees, `containers` those inside of archives;
  `values`: odd values
- `__main__`: ``python -m tools.fuzz --seconds 60``
"""
