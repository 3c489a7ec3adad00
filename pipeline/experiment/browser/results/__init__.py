"""The results of an experiment: what was stored wherever its page ran, as tables without names.

- `sessions`: records from the server's database, files of the page, and what JATOS exports, as sessions; `psychopy` reads PsychoPy's tables
- `tables`: responses, participants and the codebook
"""
