"""Occupation templates after WinoPron (Gautam et al. 2024), the sentences made from them, and the scoring of systems.

`templates` reads and fills templates and `template_checks` checks them; `instances` makes the sentences. `systems` writes
and reads the files of coreference systems, `prompting` asks language models, `predictions` and `readings` read answers.
`performance`, `bias`, `report`, `figures` and `tables` measure and show them. `validation` holds the suite of templates.
"""

#: The order of the folders in this room: each imports only from folders of earlier layers.
LAYERS = (("prompting",), ("tables",))
