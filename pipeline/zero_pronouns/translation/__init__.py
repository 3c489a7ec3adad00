"""How systems translate zero pronouns, after GuoFeng (Xu et al., EMNLP 2022, section 4.1).

`judge` decides on each zero by the words that `expected` gives, `details` reads and writes the verdicts as the authors' tool does,
`accuracy` sums them, `alignment` reads, makes and measures word alignments, `metrics` has scores of whole translations.
"""
