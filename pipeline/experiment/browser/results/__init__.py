"""The results of an experiment: what was stored wherever its page ran, as tables without names.

- `reading`: records from the server's database, files of the page, and what JATOS exports; `psychopy` those of PsychoPy
- `sessions`: from records to sessions, each with its answers
- `tables`: responses, participants and the codebook
"""
