"""Occupation templates after WinoPron (Gautam et al. 2024), the sentences made from them, and the scoring of systems.

`instances` reads and fills templates and makes the sentences, `template_checks` checks the templates, `derivation` makes the sentences
again. `systems` writes and reads the files of coreference systems, `prompting` asks language models, `predictions` reads their answers.
`measures`, `drawings` and `tables` measure and show them, `occupations` sets their bias beside the women in an occupation.
"""
