"""WSC-ZA's second experiment (sections 4.2 and 6.4, Appendix C): why systems err, from the errors to Table 8.

- `errors`: the items that a system answers wrong, with right ones as controls (`cases`)
- `prompts`: the diagnostic prompt, which says that the system was wrong, and the answer of a trace
- `traces`: what a system explains then (`traces`), how often its answer changes (`change_figures`)
- `table8`: the error types, and Table 8 from the codes of people (`table8`, `error_table`)
"""
